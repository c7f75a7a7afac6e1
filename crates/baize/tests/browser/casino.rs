//! The real program as a child process, on a database of its own.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::driver::{Browser, free_port};

pub(crate) struct Casino {
    process: Child,
    pub(crate) port: u16,
    folder: PathBuf,
    database: String,
    options: Vec<&'static str>,
    /// The addresses that it printed, by role.
    pub(crate) addresses: BTreeMap<String, String>,
}

impl Drop for Casino {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The real program: tests know where it is, and beside an example it lies one folder up.
fn program() -> PathBuf {
    match option_env!("CARGO_BIN_EXE_baize") {
        Some(program) => PathBuf::from(program),
        None => std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("baize"),
    }
}

fn start(port: u16, database: &str, options: &[&str]) -> (Child, BTreeMap<String, String>) {
    let mut process = Command::new(program())
        .args([
            "serve",
            "--create",
            "--log",
            "error",
            "--listen",
            &format!("127.0.0.1:{port}"),
            "--database",
            database,
        ])
        .args(["--address-rate", "0", "--account-rate", "0", "--log-in-rate", "0"])
        .arg("--links")
        .args(options)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut addresses = BTreeMap::new();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    for line in lines.map_while(Result::ok) {
        if let Some((role, address)) = line.trim().split_once("  ") {
            let role = role.split(',').next().unwrap_or_default();
            addresses.insert(role.trim().to_owned(), address.trim().to_owned());
        }
        if line.contains("Ctrl-C") {
            break;
        }
    }
    assert!(addresses.contains_key("play"), "the program prints its addresses: {addresses:?}");
    (process, addresses)
}

impl Casino {
    /// The odds are counted when a test asks for them: tests share the machine.
    pub(crate) fn open() -> Casino {
        Casino::with(&["--count-late"])
    }

    /// As a visitor finds it, with these options.
    pub(crate) fn with(options: &[&'static str]) -> Casino {
        Casino::on(None, options)
    }

    /// On this database, or on a file of its own.
    pub(crate) fn on(database: Option<String>, options: &[&'static str]) -> Casino {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("baize-casino-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let port = free_port();
        let database = database.unwrap_or_else(|| folder.join("casino.sqlite").display().to_string());
        let (process, addresses) = start(port, &database, options);
        Casino { process, port, folder, database, options: options.to_vec(), addresses }
    }

    /// The power goes, and comes back.
    pub(crate) fn kill_and_restart(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        (self.process, self.addresses) = start(self.port, &self.database, &self.options);
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// Lets the member of staff of this role in.
    pub(crate) fn let_in(&self, browser: &Browser, role: &str) {
        browser.go(&self.addresses[role]);
        browser.click("main form button.primary");
        browser.wait_for("#account .who");
    }

    /// A cashier logs in and registers a player, who is at the counter then.
    pub(crate) fn open_counter(&self, cage: &Browser, player: &str) {
        self.let_in(cage, "cage");
        cage.wait_for(".cage-grid");
        cage.click(".register summary");
        cage.fill(".register input[name=name]", player);
        cage.click(".register button[type=submit]");
        cage.wait_for_text("In the purse");
    }

    /// A new player sits down at a table with one click.
    pub(crate) fn sit(&self, browser: &Browser, table: &str) {
        browser.go(&self.address("/"));
        browser.click(&format!("#table-{table} button.primary"));
        browser.wait_for("#rail");
    }

    /// The pit changes dealer or shoe with the forms of the desk.
    pub(crate) fn set(&self, pit: &Browser, table: &str, what: &str) {
        pit.go(&self.address(&format!("/pit/{table}")));
        let form = format!("#set-{what}");
        pit.click(&format!("{form} summary"));
        pit.click(&format!("{form} button[value={what}]"));
        pit.wait("the change", |browser| !browser.has(&form));
    }
}
