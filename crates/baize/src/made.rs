//! The files of a new casino, so that nothing half done is left where it does not open.

use std::path::PathBuf;

use baize_house::HouseError;

use crate::Failure;
use crate::database::file_of;

/// The files that are created where a casino is opened: those that do not exist yet.
pub(crate) struct Made(Vec<PathBuf>);

impl Made {
    pub(crate) const NOTHING: Made = Made(Vec::new());

    /// The files of this database that are not there yet.
    pub(crate) fn at(database: &str) -> Made {
        if database.contains("://") {
            return Made::NOTHING;
        }
        let path = file_of(database).display();
        let files = ["", "-wal", "-shm", ".key", ".console", ".lock"].map(|end| format!("{path}{end}"));
        Made(files.into_iter().map(PathBuf::from).filter(|file| !file.exists()).collect())
    }

    /// Removes them after the opening has failed, unless another process is creating the casino.
    pub(crate) fn undo_after(&self, failure: &Failure) {
        if matches!(failure, Failure::House(HouseError::InUse(_))) {
            return;
        }
        for file in &self.0 {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    tracing::warn!(target: "baize::server", file = %file.display(), %error, "a file of the casino that failed to start could not be removed");
                }
                _ => {}
            }
        }
    }
}
