//! The licences of the crates in the program. Most of them require that their text and copyright notice go with every copy.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use super::crates::Crate;

/// What the names of files with a licence begin with.
const NAMES: [&str; 6] = ["licence", "license", "copying", "copyright", "notice", "unlicense"];

/// Every text once, below the crates that it is the licence of.
pub(super) fn of(crates: &[Crate]) -> io::Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut notices = String::from(
        "Baize contains the following crates under these licences. Their texts follow, each below the crates that have it.\n\n",
    );
    // The crates of this workspace have no checksum: LICENSE-MIT and LICENSE-APACHE are theirs.
    for of in crates.iter().filter(|of| of.checksum.is_some()) {
        let named = format!("{} {}", of.name, of.version);
        // Writing to memory does not fail.
        let _ = writeln!(notices, "{named}: {}", of.licence.as_deref().unwrap_or("no licence"));
        read(&of.folder, &mut |text| {
            let crates = texts.entry(text).or_default();
            if !crates.contains(&named) {
                crates.push(named.clone());
            }
        })?;
    }
    for (text, crates) in texts {
        // Writing to memory does not fail.
        let _ = write!(notices, "\n{}\n{}\n\n{text}\n", "=".repeat(80), crates.join(", "));
    }
    Ok(notices)
}

/// The licences in a folder and those below: a crate may contain code of others.
fn read(folder: &Path, found: &mut impl FnMut(String)) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            read(&entry.path(), found)?;
        } else if kind.is_file()
            && !name.ends_with(".rs")
            && NAMES.iter().any(|begins| name.starts_with(begins))
        {
            found(String::from_utf8_lossy(&fs::read(entry.path())?).trim().replace('\r', ""));
        }
    }
    Ok(())
}
