//! A small WebDriver client: what these tests need of the protocol and no more.

use std::cell::RefCell;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long something on a page may take to appear: a test waits for it, and a busy machine takes its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A free port.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Sends one HTTP request and reads the answer's body.
pub(crate) fn http(port: u16, method: &str, path: &str, body: Option<&str>) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(300)))?;
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
    /// Starts a driver.
    pub(crate) fn start() -> Driver {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let port = free_port();
        let name = format!("baize-browser-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let process = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver does not start: {error}"));
        let start = Instant::now();
        while http(port, "GET", "/status", None).is_err() {
            assert!(start.elapsed() < PATIENCE, "chromedriver does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
        Driver { process, port, folder }
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
        let browser = Browser { port: self.port, session, meant: RefCell::default() };
        // A window is never narrower than the browser likes; the page is.
        browser.resize(width, height);
        browser
    }
}

/// One browser window. An error on its console fails the test: whenever it goes to another page, and at the end.
pub(crate) struct Browser {
    port: u16,
    session: String,
    /// Parts of errors that the test means to cause.
    meant: RefCell<Vec<&'static str>>,
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.console_is_clean();
        }
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

    /// Opens a page. The page before must have left no error on the console.
    pub(crate) fn go(&self, address: &str) {
        self.console_is_clean();
        let value = self.run("POST", "/url", &json!({ "url": address }));
        assert!(value.is_null(), "{address}: {value}");
    }

    /// What a script of the page answers.
    pub(crate) fn ask(&self, script: &str) -> Value {
        self.run("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// What a script of the page answers later, by calling `done`.
    pub(crate) fn ask_later(&self, script: &str) -> Value {
        let script = format!("const done = arguments[arguments.length - 1]; {script}");
        self.run("POST", "/execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Runs a script before those of every page that is opened from now on.
    pub(crate) fn on_every_page(&self, script: &str) {
        self.command("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
    }

    /// Wants no motion, as a reader's system would say.
    pub(crate) fn still(&self) {
        let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.command("Emulation.setEmulatedMedia", &json!({ "features": features }));
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
                // A page that has lost its event stream says so with a class.
                let class = self.ask("return `${location.pathname}, ${document.body.className}`");
                panic!("waited in vain for {what}; the page ({class}) says:\n{}", self.text());
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

    /// Clicks twice as fast as an impatient hand does.
    pub(crate) fn double_click(&self, css: &str) {
        self.wait_for(css);
        let found = self.run("POST", "/element", &json!({ "using": "css selector", "value": css }));
        let press = [
            json!({ "type": "pointerMove", "duration": 0, "origin": found, "x": 0, "y": 0 }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerUp", "button": 0 }),
            json!({ "type": "pause", "duration": 30 }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let answer = self.run(
            "POST",
            "/actions",
            &json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": press }] }),
        );
        assert!(answer.is_null(), "{css}: {answer}");
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

    /// The picture of what is in the window, or of the whole page, as PNG in base 64.
    pub(crate) fn picture(&self, whole: bool) -> String {
        if !whole {
            return self.run("GET", "/screenshot", &Value::Null).as_str().unwrap_or_default().to_owned();
        }
        // In a window of the page's own size: beyond the window cards that were animated are not painted.
        let size = self.ask("return [innerWidth, document.documentElement.scrollHeight, innerHeight]");
        let pixels =
            |n: usize| size[n].as_u64().and_then(|pixels| u32::try_from(pixels).ok()).unwrap_or_default();
        self.resize(pixels(0), pixels(1).max(pixels(2)));
        std::thread::sleep(Duration::from_millis(300));
        let picture = self.picture(false);
        self.resize(pixels(0), pixels(2));
        picture
    }

    /// Resizes the page.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", &size);
    }

    /// A command of the browser's own protocol.
    fn command(&self, name: &str, parameters: &Value) -> Value {
        self.run("POST", "/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    /// How many pixels something of the page sticks out on the right.
    pub(crate) fn wider(&self) -> i64 {
        let wider = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        self.ask(wider).as_i64().unwrap_or(-1)
    }

    /// Light or dark, as a reader's system would have it.
    pub(crate) fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.command("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// The test is about to cause errors of which this is a part, such as `status of 409`.
    pub(crate) fn means(&self, part: &'static str) {
        self.meant.borrow_mut().push(part);
    }

    /// Nothing on the console is an error but what the test means to cause.
    pub(crate) fn console_is_clean(&self) {
        let log = self.run("POST", "/se/log", &json!({ "type": "browser" }));
        let bad: Vec<&str> = log
            .as_array()
            .into_iter()
            .flatten()
            .filter(|line| line["level"] == "SEVERE")
            .filter_map(|line| line["message"].as_str())
            .filter(|message| !self.meant.borrow().iter().any(|part| message.contains(part)))
            .collect();
        assert!(bad.is_empty(), "the console says: {bad:#?}");
    }

    /// Types into whatever has the focus; `\u{e007}` is Enter.
    pub(crate) fn type_in(&self, text: &str) {
        for key in text.chars() {
            self.press(&key.to_string());
        }
    }

    /// Another window of the same browser, with the same cookies.
    pub(crate) fn open_window(&self) -> String {
        let made = self.run("POST", "/window/new", &json!({ "type": "tab" }));
        made["handle"].as_str().unwrap_or_default().to_owned()
    }

    /// The current window.
    pub(crate) fn window(&self) -> String {
        self.run("GET", "/window", &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// Looks at that window.
    pub(crate) fn look_at(&self, window: &str) {
        self.run("POST", "/window", &json!({ "handle": window }));
    }

    /// The back button.
    pub(crate) fn back(&self) {
        self.run("POST", "/back", &json!({}));
    }
}
