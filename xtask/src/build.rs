//! The single build behind the tests: every test executable and every program of the workspace, as Cargo reports
//! them.
//!
//! Cargo chooses the features of a dependency by what is built together. A second command for one package would rebuild the
//! database, the house and the web with slightly fewer features, so every step runs what this one command has built.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, io};

use serde::Deserialize;

use crate::workspace;

/// An executable that was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// The name of its target: `http`, `baize`.
    pub target: String,
    /// The folder of its package.
    pub package: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// Whether it is a test harness; otherwise it is a program.
    pub is_test: bool,
}

/// Everything that was built.
#[derive(Clone, Debug, Default)]
pub struct Build {
    executables: Vec<Executable>,
}

/// Why the build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// It does not compile; the compiler has printed why.
    #[error("the workspace does not build: `{command}` failed")]
    Failed {
        /// The command line.
        command: String,
    },
    /// Cargo could not be run.
    #[error("`{command}` could not be run: {source}")]
    Start {
        /// The command line.
        command: String,
        /// The system's error.
        source: io::Error,
    },
    /// Cargo wrote a line that is not a message.
    #[error("a message of Cargo cannot be read: {source}: {line}")]
    Message {
        /// The line.
        line: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A program is missing from the build.
    #[error("the build has no program `{name}`")]
    NoProgram {
        /// Its name.
        name: String,
    },
}

/// One line of `--message-format=json`; unused fields are left out.
#[derive(Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

impl Build {
    /// Builds the workspace with its tests, if it is not up to date.
    ///
    /// # Errors
    /// It does not compile, or Cargo cannot be run.
    pub fn make() -> Result<Build, BuildError> {
        let arguments = ["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"];
        let command = format!("cargo {}", arguments.join(" "));
        // Diagnostics and progress go to standard error as usual.
        let output = cargo(&arguments).stderr(Stdio::inherit()).output();
        let output = output.map_err(|source| BuildError::Start { command: command.clone(), source })?;
        if !output.status.success() {
            return Err(BuildError::Failed { command });
        }
        Build::of_messages(&String::from_utf8_lossy(&output.stdout))
    }

    /// The build that these messages describe, one per line.
    ///
    /// # Errors
    /// A line is not a message.
    pub fn of_messages(messages: &str) -> Result<Build, BuildError> {
        let mut executables = Vec::new();
        for line in messages.lines().filter(|line| !line.trim().is_empty()) {
            let message: Message = serde_json::from_str(line)
                .map_err(|source| BuildError::Message { line: line.to_owned(), source })?;
            let Message { reason, manifest_path, target, profile, executable } = message;
            if reason == "compiler-artifact"
                && let (Some(manifest), Some(target), Some(profile), Some(path)) =
                    (manifest_path, target, profile, executable)
            {
                let package = manifest.parent().map(Path::to_path_buf).unwrap_or_default();
                executables.push(Executable { target: target.name, package, path, is_test: profile.test });
            }
        }
        // Cargo reports in the order in which things were finished; sorting makes every run the same.
        executables.sort_by(|a, b| (&a.package, &a.target, &a.path).cmp(&(&b.package, &b.target, &b.path)));
        Ok(Build { executables })
    }

    /// The test executables, by package and name.
    pub fn tests(&self) -> impl Iterator<Item = &Executable> {
        self.executables.iter().filter(|executable| executable.is_test)
    }

    /// A program of the workspace.
    ///
    /// # Errors
    /// The workspace has none with this name.
    pub fn program(&self, name: &str) -> Result<&Executable, BuildError> {
        let found =
            self.executables.iter().find(|executable| !executable.is_test && executable.target == name);
        found.ok_or_else(|| BuildError::NoProgram { name: name.to_owned() })
    }
}

/// Cargo, at the root of the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace::root());
    forget_package(&mut command);
    command
}

/// Removes the variables with which Cargo names the package that it runs, which is this one. The build scripts of some
/// dependencies read them, and everything built on those would be rebuilt whenever they differ.
pub(crate) fn forget_package(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let names_package = |name: &str| {
            ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
                .iter()
                .any(|begins| name.starts_with(begins))
        };
        if name.to_str().is_some_and(names_package) {
            command.env_remove(name);
        }
    }
}

/// The platform that we build for and run on, as Cargo names it.
pub(crate) fn host() -> io::Result<String> {
    let output = cargo(&["--version", "--verbose"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| io::Error::other("`cargo --version --verbose` names no host"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_read_from_the_messages_of_cargo() {
        let artifact = |package: &str, target: &str, test: bool, file: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/w/{package}/Cargo.toml","target":{{"kind":["bin"],"name":"{target}"}},"profile":{{"test":{test}}},"executable":{file},"fresh":true}}"#
            )
        };
        let messages = [
            artifact("baize", "play", true, r#""/t/play-1""#),
            artifact("baize", "baize", false, r#""/t/baize""#),
            artifact("baize", "baize", true, r#""/t/baize-1""#),
            artifact("cards", "baize_cards", false, "null"),
            r#"{"reason":"build-script-executed","package_id":"x"}"#.to_owned(),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let build = Build::of_messages(&messages.join("\n")).expect("messages");
        let tests: Vec<_> = build.tests().map(|test| test.path.display().to_string()).collect();
        assert_eq!(tests, ["/t/baize-1", "/t/play-1"]);
        let program = build.program("baize").expect("a program");
        assert_eq!(
            (program.path.as_path(), program.package.as_path()),
            (Path::new("/t/baize"), Path::new("/w/baize"))
        );
        assert_eq!(build.program("storm").unwrap_err().to_string(), "the build has no program `storm`");
    }

    #[test]
    fn a_line_that_is_no_message_is_named() {
        let error = Build::of_messages("warning: hello\n").unwrap_err().to_string();
        assert!(error.ends_with("warning: hello"), "{error}");
    }
}
