//! A temporary casino for one command: a database in its own folder, removed afterwards.

use std::path::PathBuf;

use crate::Failure;
use crate::partial_file::remove;

/// The folder. Dropping it removes it.
pub(crate) struct TemporaryCasino(PathBuf);

impl TemporaryCasino {
    /// A folder for this command.
    pub(crate) fn new(command: &str) -> Result<TemporaryCasino, Failure> {
        let folder = std::env::temp_dir().join(format!("baize-{command}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(Failure::of_file(&folder))?;
        Ok(TemporaryCasino(folder))
    }

    /// A function that removes the folder, for exits that do not drop this value.
    pub(crate) fn remover(&self) -> impl Fn() + Send + 'static + use<> {
        let folder = self.0.clone();
        move || remove(&folder)
    }

    /// The address of its database.
    pub(crate) fn database(&self) -> String {
        self.0.join("casino.sqlite").display().to_string()
    }
}

impl Drop for TemporaryCasino {
    fn drop(&mut self) {
        remove(&self.0);
    }
}
