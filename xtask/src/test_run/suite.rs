//! One test executable: its command, and its output printed as it arrives.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use std::{io, thread};

use super::output::{self, Ran, Verdict};
use crate::build::{self, Executable};
use crate::workspace;

/// How often a silent executable is polled for its end.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// How long its last lines may take to arrive after its end, on a busy machine.
const LAST_LINES: Duration = Duration::from_secs(10);

/// A set of tests with one command.
pub(super) struct Suite {
    /// Its name in the log.
    pub(super) name: String,
    /// Whether it runs a single test when given its name.
    pub(super) takes_names: bool,
    program: PathBuf,
    arguments: Vec<String>,
    /// The package's folder, where its tests expect to run.
    folder: PathBuf,
}

impl Suite {
    /// The tests of an executable.
    pub(super) fn of(executable: &Executable) -> Suite {
        let root = workspace::root();
        let package = executable.package.strip_prefix(&root).unwrap_or(&executable.package).display();
        Suite {
            name: format!("{package} {}", executable.target),
            takes_names: true,
            program: executable.path.clone(),
            arguments: Vec::new(),
            folder: executable.package.clone(),
        }
    }

    /// The examples in documentation, of all crates.
    pub(super) fn doc_tests() -> Suite {
        let arguments = ["test", "--doc", "--workspace", "--no-fail-fast"];
        let cargo = build::cargo(&arguments);
        Suite {
            name: "documentation".to_owned(),
            takes_names: false,
            program: PathBuf::from(cargo.get_program()),
            arguments: arguments.map(str::to_owned).to_vec(),
            folder: workspace::root(),
        }
    }

    #[cfg(test)]
    pub(super) fn command(name: &str, program: &str, arguments: &[&str]) -> Suite {
        Suite {
            name: name.to_owned(),
            takes_names: true,
            program: program.into(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            folder: std::env::temp_dir(),
        }
    }

    /// Runs all its tests, or one of them alone.
    pub(super) fn run(&self, test: Option<&str>) -> Ran {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder);
        build::forget_package(&mut command);
        if self.takes_names {
            let manifest = self.folder.join("Cargo.toml");
            command.env("CARGO_MANIFEST_DIR", &self.folder).env("CARGO_MANIFEST_PATH", manifest);
        }
        if let Some(test) = test {
            command.args(["--exact", test, "--test-threads=1"]);
        }
        let ran = match printed(command) {
            Ok((status, text)) => {
                let ran = output::read(&text, status.success(), self.takes_names);
                if ran.verdict == Verdict::Crashed {
                    println!("{} ended without a result: {status}", self.name);
                }
                ran
            }
            Err(error) => {
                println!("{} could not be run: {error}", self.program.display());
                Ran { passed: 0, verdict: Verdict::Crashed }
            }
        };
        // A name that matches nothing would pass without running a test.
        if test.is_some() && ran == (Ran { passed: 0, verdict: Verdict::Passed }) {
            return Ran { passed: 0, verdict: Verdict::Crashed };
        }
        ran
    }
}

/// Runs a command, prints its output line by line, and returns it.
fn printed(mut command: Command) -> io::Result<(ExitStatus, String)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let lines = child.stdout.take().map(lines_of);
    let mut text = String::new();
    if let Some(lines) = lines {
        show(&lines, &mut child, &mut text)?;
    }
    Ok((child.wait()?, text))
}

/// Prints lines until there are no more. A process that a test has left behind may hold the pipe open after the executable has
/// ended: then a pause is the end.
fn show(lines: &Receiver<String>, child: &mut Child, text: &mut String) -> io::Result<()> {
    let mut ended = false;
    loop {
        match lines.recv_timeout(if ended { LAST_LINES } else { POLL_INTERVAL }) {
            Ok(line) => {
                print!("{line}");
                text.push_str(&line);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) if ended => return Ok(()),
            Err(RecvTimeoutError::Timeout) => ended = child.try_wait()?.is_some(),
        }
    }
}

/// The lines of a pipe as they arrive, with their line ends.
fn lines_of(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            if send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
            line.clear();
        }
    });
    receive
}
