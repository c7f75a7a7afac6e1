//! The programs that the tests use and Cargo cannot build: a browser with its driver, PostgreSQL, Python for the client in the
//! docs, and axe-core for the browser.
//!
//! A program that is present is never touched. Missing ones come from Debian's packages; axe-core, which Debian does not have,
//! comes from npm.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Why the missing programs could not be installed.
#[derive(Debug, thiserror::Error)]
pub enum PackagesError {
    /// Not a Debian system.
    #[error("the tests need {missing}, and there is no apt-get here: install them by hand, then run again")]
    NoApt {
        /// The Debian names of the missing packages.
        missing: String,
    },
    /// Neither root nor sudo.
    #[error(
        "the tests need {missing}, and installing them takes root: run `apt-get install {missing}` as root, then run again"
    )]
    NotRoot {
        /// The Debian names of the missing packages.
        missing: String,
    },
    /// The package manager failed; it has printed why.
    #[error("`{command}` failed")]
    AptFailed {
        /// The command line.
        command: String,
    },
    /// The package manager succeeded but the program is still missing.
    #[error("{missing} is installed, but its program was not found where Debian puts it")]
    StillMissing {
        /// The Debian names of the missing packages.
        missing: String,
    },
    /// A command could not be started.
    #[error("{command} could not be started")]
    Start {
        /// The command line.
        command: String,
        /// The system's error.
        source: io::Error,
    },
}

/// A Debian package and the test for whether it is installed.
struct Package {
    name: &'static str,
    present: fn() -> bool,
}

const PACKAGES: [Package; 4] = [
    Package { name: "chromium", present: || on_path("chromium").is_some() },
    Package { name: "chromium-driver", present: || on_path("chromedriver").is_some() },
    Package { name: "python3", present: || on_path("python3").is_some() },
    Package { name: "postgresql", present: || postgres_under(Path::new("/usr/lib/postgresql")) },
];

/// The accessibility rules that every page is checked against.
const AXE: &str = "axe-core@4.14.0";

/// Installs what is missing. `say` receives the progress messages.
pub fn ensure(mut say: impl FnMut(&str)) -> Result<(), PackagesError> {
    axe(&mut say);
    let missing = missing();
    if missing.is_empty() {
        say("chromium, chromedriver, postgres and python3 are present");
        return Ok(());
    }
    let list = missing.join(" ");
    if on_path("apt-get").is_none() {
        return Err(PackagesError::NoApt { missing: missing.join(", ") });
    }
    let sudo = !is_root();
    if sudo && on_path("sudo").is_none() {
        return Err(PackagesError::NotRoot { missing: list });
    }
    say(&format!("installing {list}"));
    apt(sudo, &["update", "--quiet"])?;
    let mut install = vec!["install", "--yes", "--quiet", "--no-install-recommends"];
    install.extend(&missing);
    apt(sudo, &install)?;
    let still = self::missing();
    if still.is_empty() { Ok(()) } else { Err(PackagesError::StillMissing { missing: still.join(", ") }) }
}

/// Puts axe-core where the browser tests look for it. Without npm or a network, they use only their own checker.
fn axe(say: &mut impl FnMut(&str)) {
    let folder = Path::new("target").join("axe");
    if folder.join("node_modules/axe-core/axe.min.js").is_file() {
        say("axe-core is present");
        return;
    }
    let installed = fs::create_dir_all(&folder).is_ok()
        && Command::new("npm")
            .args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"])
            .arg(&folder)
            .arg(AXE)
            .status()
            .is_ok_and(|status| status.success());
    let words = if installed { "installed" } else { "npm could not install" };
    say(&format!("{words} {AXE}"));
}

fn missing() -> Vec<&'static str> {
    PACKAGES.iter().filter(|package| !(package.present)()).map(|package| package.name).collect()
}

fn apt(sudo: bool, arguments: &[&str]) -> Result<(), PackagesError> {
    // sudo drops the environment, so the setting is passed through env(1).
    let mut words = if sudo { vec!["sudo"] } else { Vec::new() };
    words.extend(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    words.extend(arguments);
    let command = words.join(" ");
    let status = Command::new(words[0])
        .args(&words[1..])
        .status()
        .map_err(|source| PackagesError::Start { command: command.clone(), source })?;
    if status.success() { Ok(()) } else { Err(PackagesError::AptFailed { command }) }
}

/// Whether this runs as root.
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Debian keeps each major version of PostgreSQL in its own folder, off the search path.
fn postgres_under(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|versions| {
        versions.flatten().any(|version| version.path().join("bin").join("postgres").is_file())
    })
}
