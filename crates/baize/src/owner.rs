//! The owner of a casino in a file. What another user, such as root, writes beside the file is theirs, and the casino could not read it.

#[cfg(unix)]
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::Failure;
use crate::database::file_of;

/// Refuses to write to a casino in a file that belongs to another user.
pub(crate) fn check(address: &str) -> Result<(), Failure> {
    match other_owner(address, file_of(address)) {
        Some(owner) => Err(Failure::Usage(format!(
            "{} belongs to {owner}, whose casino could not read what you write: run this command with `sudo -u {owner}`",
            file_of(address).display()
        ))),
        None => Ok(()),
    }
}

/// Warns root of a new casino in the folder of another user. Other users may have good reasons to use a shared folder.
pub(crate) fn warn_of_new(address: &str) {
    let folder = file_of(address).parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if let Some(owner) = other_owner(address, folder).filter(|_| user() == Some(0)) {
        Failure::warn(&format!(
            "{} belongs to {owner}, and the new casino to root: {owner} cannot open it; use `sudo -u {owner}`",
            folder.display()
        ));
    }
}

/// Who owns this file or folder of a casino in a file, unless it is this user.
#[cfg(unix)]
fn other_owner(address: &str, path: &Path) -> Option<String> {
    let owner = std::fs::metadata(path).ok().filter(|_| !address.contains("://"))?.uid();
    if user()? == owner {
        return None;
    }
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = accounts.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)? == owner.to_string()).then(|| name.to_owned())
    });
    // sudo takes a number after a #.
    Some(named.unwrap_or_else(|| format!("'#{owner}'")))
}

#[cfg(not(unix))]
fn other_owner(_: &str, _: &Path) -> Option<String> {
    None
}

/// The number of the user that runs this program, where the system tells.
#[cfg(unix)]
fn user() -> Option<u32> {
    std::fs::metadata("/proc/self").ok().map(|own| own.uid())
}

#[cfg(not(unix))]
fn user() -> Option<u32> {
    None
}
