//! A casino for the time of one command: a database in a folder of its own, which goes with it.

use std::path::PathBuf;

use crate::Failure;

/// The folder. Dropping it removes it.
pub(crate) struct OwnCasino(PathBuf);

impl OwnCasino {
    /// A folder for this command.
    pub(crate) fn new(command: &str) -> Result<OwnCasino, Failure> {
        let folder = std::env::temp_dir().join(format!("baize-{command}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(Failure::of_file(&folder))?;
        Ok(OwnCasino(folder))
    }

    /// Removes the folder. For ways out of the program that do not drop this value.
    pub(crate) fn remover(&self) -> impl Fn() + Send + 'static + use<> {
        let folder = self.0.clone();
        move || remove(&folder)
    }

    /// The address of its database.
    pub(crate) fn database(&self) -> String {
        self.0.join("casino.sqlite").display().to_string()
    }
}

impl Drop for OwnCasino {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// What cannot be removed is left to the system, which clears its folder of temporary files, and named. Both the signal and the end of the command
/// may remove it: a folder that is gone is as it should be.
fn remove(folder: &std::path::Path) {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            eprintln!("{} is left behind: {error}", folder.display());
        }
        _ => {}
    }
}
