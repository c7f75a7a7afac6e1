//! A small WebDriver client: what these tests need of the protocol and no more.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long something on a page may take to appear.
const PATIENCE: Duration = Duration::from_secs(30);

/// A port that nobody listens on.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Sends one HTTP request and reads the answer's body.
pub(crate) fn http(port: u16, method: &str, path: &str, body: Option<&str>) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(90)))?;
    let body = body.unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    let mut answer = Vec::new();
    let mut part = [0; 65_536];
    loop {
        let read = match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if answer.is_empty() => return Err(error),
            Err(_) => break,
        };
        answer.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&answer);
        if let Some((head, rest)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length:")
                    .and_then(|n| n.trim().parse::<usize>().ok())
            });
            if length.is_some_and(|length| rest.len() >= length) {
                break;
            }
        }
    }
    let text = String::from_utf8_lossy(&answer).into_owned();
    Ok(text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

/// A driver process with its browsers. Ends with the test.
pub(crate) struct Driver {
    process: Child,
    port: u16,
    folder: PathBuf,
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Driver {
    /// Starts a driver, where there is one.
    pub(crate) fn start() -> Option<Driver> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let port = free_port();
        let name = format!("baize-browser-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let started = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = match started {
            Ok(process) => process,
            Err(error) if std::env::var("BAIZE_BROWSER").is_ok_and(|value| value == "required") => {
                panic!("chromedriver does not start: {error}")
            }
            Err(error) => {
                eprintln!("no browser tests: chromedriver does not start: {error}");
                return None;
            }
        };
        let start = Instant::now();
        while http(port, "GET", "/status", None).is_err() {
            assert!(start.elapsed() < PATIENCE, "chromedriver does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(Driver { process, port, folder })
    }

    /// A browser of its own, with a fresh profile.
    pub(crate) fn browser(&self, width: u32, height: u32) -> Browser {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let profile = self.folder.join(format!("profile-{}", NUMBER.fetch_add(1, Ordering::SeqCst)));
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
        ];
        let mut arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        arguments.push(format!("--user-data-dir={}", profile.display()));
        arguments.push(format!("--window-size={width},{height}"));
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": { "browser": "ALL" }, "goog:chromeOptions": { "args": arguments },
        } } });
        let answer = http(self.port, "POST", "/session", Some(&wanted.to_string())).unwrap();
        let answer: Value =
            serde_json::from_str(&answer).unwrap_or_else(|_| panic!("the driver said: {answer}"));
        let session = answer["value"]["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("no browser: {answer}"))
            .to_owned();
        let browser = Browser { port: self.port, session };
        // A window is never narrower than the browser likes; the page is.
        browser.run(
            "POST",
            "/goog/cdp/execute",
            &json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false } }),
        );
        browser
    }
}

/// One browser window.
pub(crate) struct Browser {
    port: u16,
    session: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = http(self.port, "DELETE", &format!("/session/{}", self.session), None);
    }
}

impl Browser {
    fn run(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = (method == "POST").then(|| body.to_string());
        let answer =
            http(self.port, method, &format!("/session/{}{path}", self.session), body.as_deref()).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{path}: {answer}"));
        answer["value"].clone()
    }

    pub(crate) fn go(&self, address: &str) {
        let value = self.run("POST", "/url", &json!({ "url": address }));
        assert!(value.is_null(), "{address}: {value}");
    }

    /// What a script of the page answers.
    pub(crate) fn ask(&self, script: &str) -> Value {
        self.run("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    pub(crate) fn source(&self) -> String {
        self.ask("return document.documentElement.outerHTML").as_str().unwrap_or_default().to_owned()
    }

    /// All that a reader reads.
    pub(crate) fn text(&self) -> String {
        self.ask("return document.body.innerText").as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn has(&self, css: &str) -> bool {
        self.ask(&format!("return document.querySelector({}) !== null", json!(css))) == true
    }

    /// Waits until something holds.
    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&Browser) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            if start.elapsed() > PATIENCE {
                panic!("waited in vain for {what}; the page says:\n{}", self.text());
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    pub(crate) fn wait_for(&self, css: &str) {
        self.wait(css, |browser| browser.has(css));
    }

    pub(crate) fn wait_for_text(&self, text: &str) {
        self.wait(text, |browser| browser.text().contains(text));
    }

    /// Clicks as a mouse does: what is covered or gone is not clicked, and it is said why.
    fn clicked(&self, css: &str) -> Result<(), String> {
        // The driver itself would scroll it under the banner.
        self.ask(&format!(
            "document.querySelector({})?.scrollIntoView({{ block: 'center', behavior: 'instant' }})",
            json!(css)
        ));
        let found = self.run("POST", "/element", &json!({ "using": "css selector", "value": css }));
        let id = found
            .as_object()
            .filter(|of| !of.contains_key("error"))
            .and_then(|of| of.values().next())
            .and_then(Value::as_str);
        let Some(id) = id else { return Err("it is not there".to_owned()) };
        let answer = self.run("POST", &format!("/element/{id}/click"), &json!({}));
        if answer.is_null() { Ok(()) } else { Err(answer["message"].to_string()) }
    }

    pub(crate) fn try_click(&self, css: &str) -> bool {
        self.clicked(css).is_ok()
    }

    pub(crate) fn click(&self, css: &str) {
        let start = Instant::now();
        while let Err(why) = self.clicked(css) {
            assert!(
                start.elapsed() < PATIENCE,
                "{css} cannot be clicked: {why}; the page says:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// Puts a value into a field as typing does.
    pub(crate) fn fill(&self, css: &str, value: &str) {
        self.wait_for(css);
        let script = format!(
            "const f = document.querySelector({}); f.value = {}; f.dispatchEvent(new Event('input', {{ bubbles: true }}));",
            json!(css),
            json!(value)
        );
        self.ask(&script);
    }

    /// Presses a key.
    pub(crate) fn press(&self, key: &str) {
        let keys = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": [{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }] }] });
        self.run("POST", "/actions", &keys);
    }

    /// The picture of the page, as PNG in base 64.
    pub(crate) fn picture(&self) -> String {
        self.run("GET", "/screenshot", &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// Nothing on the console is an error. Answers that refuse a request are listed by browsers too: these are meant.
    pub(crate) fn console_is_clean(&self) {
        let log = self.run("POST", "/se/log", &json!({ "type": "browser" }));
        let bad: Vec<&str> = log
            .as_array()
            .into_iter()
            .flatten()
            .filter(|line| line["level"] == "SEVERE")
            .filter_map(|line| line["message"].as_str())
            .filter(|message| {
                !message.contains("ERR_CONNECTION_REFUSED")
                    && !message.contains("ERR_INCOMPLETE_CHUNKED")
                    && !message.contains("the server responded with a status of 4")
            })
            .collect();
        assert!(bad.is_empty(), "the console says: {bad:#?}");
    }
}
