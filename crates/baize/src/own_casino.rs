//! A casino for the time of one command: a database in a folder of its own, which goes with it.

use std::path::PathBuf;

use crate::Failure;

/// The folder. Dropping it removes it.
pub(crate) struct OwnCasino(PathBuf);

impl OwnCasino {
    /// A folder for this command.
    pub(crate) fn new(command: &str) -> Result<OwnCasino, Failure> {
        let folder = std::env::temp_dir().join(format!("baize-{command}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| Failure::File { path: folder.clone(), error })?;
        Ok(OwnCasino(folder))
    }

    /// The address of its database.
    pub(crate) fn database(&self) -> String {
        self.0.join("casino.sqlite").display().to_string()
    }
}

impl Drop for OwnCasino {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which clears its folder of temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
