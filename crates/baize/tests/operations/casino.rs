//! A casino in its own process, and its clients.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The program, far from the configuration of this machine.
pub(crate) fn baize(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_baize"));
    command.args(arguments).stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("BAIZE_") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    baize(arguments).output().unwrap()
}

/// What a command printed; it must have succeeded.
pub(crate) fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and errors of a command that does not succeed.
pub(crate) fn fails(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments);
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
}

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("baize-ops-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A casino that runs.
pub(crate) struct Casino {
    process: Child,
    pub(crate) address: SocketAddr,
    log: PathBuf,
}

pub(crate) fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

impl Casino {
    /// Starts it.
    pub(crate) fn start(folder: &Folder, database: &str, more: &[&str]) -> Casino {
        let address = free_port();
        let log = folder.path().join(format!("log-{}", address.port()));
        let errors = std::fs::File::create(&log).unwrap();
        Casino::start_at(address, folder, database, more, errors.into())
    }

    /// Starts it at this address with its log in `errors`.
    pub(crate) fn start_at(
        address: SocketAddr,
        folder: &Folder,
        database: &str,
        more: &[&str],
        errors: Stdio,
    ) -> Casino {
        let log = folder.path().join(format!("log-{}", address.port()));
        let out = std::fs::File::create(folder.path().join(format!("out-{}", address.port()))).unwrap();
        let process = baize(&["serve", "--create", "--count-late", "--database", database])
            .args(["--listen", &address.to_string()])
            .args(more)
            .stdout(out)
            .stderr(errors)
            .spawn()
            .unwrap();
        Casino { process, address, log }
    }

    /// Opens it without limits of rate and waits until it answers.
    pub(crate) fn open(folder: &Folder, database: &str, more: &[&str]) -> Casino {
        let unlimited = ["--address-rate", "0", "--account-rate", "0", "--log-in-rate", "0"];
        let casino = Casino::start(folder, database, &[&unlimited, more].concat());
        casino.answers();
        casino
    }

    /// Waits until it answers.
    pub(crate) fn answers(&self) {
        let until = Instant::now() + Duration::from_secs(60);
        while self.try_get("/healthz").is_none_or(|answer| !answer.starts_with("HTTP/1.1 200")) {
            assert!(Instant::now() < until, "it does not answer: {}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Closes the pipe of its log.
    pub(crate) fn close_log(&mut self) {
        drop(self.process.stderr.take());
    }

    /// Whether it runs.
    pub(crate) fn runs(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill").args([&format!("-{name}"), &self.process.id().to_string()]).status();
        assert!(done.unwrap().success());
    }

    /// Waits for its end.
    pub(crate) fn ends(mut self) -> ExitStatus {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "it does not end: {}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops it normally; it must exit with 0.
    pub(crate) fn stop(self) {
        self.signal("TERM");
        let log = self.log.clone();
        assert_eq!(self.ends().code(), Some(0), "{}", std::fs::read_to_string(log).unwrap());
    }

    pub(crate) fn try_get(&self, path: &str) -> Option<String> {
        exchange(
            self.address,
            &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        )
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.try_get(path).unwrap()
    }

    /// Sends data and returns status and answer.
    pub(crate) fn post(&self, path: &str, token: Option<&str>, data: &Value) -> (u16, Value) {
        let answer = post(self.address, path, token, data).unwrap();
        answered(&answer)
    }

    /// A new player: the token.
    pub(crate) fn join(&self, name: &str) -> String {
        let (status, data) =
            self.post("/api/v1/players", None, &json!({ "name": name, "id": format!("join-{name}") }));
        assert_eq!(status, 201, "{data}");
        data["token"].as_str().unwrap().to_owned()
    }
}

impl Drop for Casino {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn post(address: SocketAddr, path: &str, token: Option<&str>, data: &Value) -> Option<String> {
    let (token, body) = (
        token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default(),
        data.to_string(),
    );
    exchange(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n{token}Content-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    )
}

/// The status and the data of an answer.
pub(crate) fn answered(answer: &str) -> (u16, Value) {
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

/// The answer to a request as it stands.
pub(crate) fn exchange(address: SocketAddr, request: &str) -> Option<String> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(2)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    (!answer.is_empty()).then(|| String::from_utf8_lossy(&answer).into_owned())
}
