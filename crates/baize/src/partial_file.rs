//! A database that is being written: in the folder FILE.part until it is complete, so that FILE is complete or absent.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Failure, page};

/// What may lie beside a database and belongs to it, by the ending of its name. The database itself is moved last.
const MOVED: [&str; 3] = [".archive", ".audit.json", ""];

/// The folder of the incomplete database. Dropping it removes it. A folder, because a signal may remove it while the database is being written:
/// nothing can be created in a folder that is gone.
pub(crate) struct PartialFile {
    place: PathBuf,
    folder: Arc<Folder>,
}

struct Folder {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    NotMade,
    Made,
    /// It was removed, and is not made again.
    Removed,
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl PartialFile {
    /// For this place. Nothing is written yet; an incomplete database of another run is not touched.
    pub(crate) fn of(place: &Path) -> Result<PartialFile, Failure> {
        let path = beside(place, ".part");
        if path.exists() {
            return Err(taken(&path));
        }
        let folder = Arc::new(Folder { path, state: Mutex::new(State::NotMade) });
        Ok(PartialFile { place: place.to_owned(), folder })
    }

    /// Makes the folder. Call this when a signal already runs the `remover`.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        self.folder.make()
    }

    /// Where to write the database.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path.join("casino")
    }

    /// The same as the address of a database.
    pub(crate) fn address(&self) -> String {
        self.path().display().to_string()
    }

    /// Writes the audit report that will be beside the database. Only its owner can read it: it names everybody who has played.
    pub(crate) fn report(&self, text: &str) -> Result<(), Failure> {
        let report = beside(&self.path(), ".audit.json");
        page::private_file(&report)?;
        page::replace(&report, text)
    }

    /// The database is complete: it gets its name, and what is beside it too.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        for ending in MOVED {
            let (from, to) = (beside(&self.path(), ending), beside(&self.place, ending));
            if from.exists() {
                std::fs::rename(from, &to).map_err(Failure::of_file(&to))?;
            }
        }
        Ok(())
    }

    /// Removes it. For ways out of the program that do not drop this value.
    pub(crate) fn remover(&self) -> impl Fn() + Send + 'static + use<> {
        let folder = Arc::clone(&self.folder);
        move || folder.remove()
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        self.folder.remove();
    }
}

impl Folder {
    fn make(&self) -> Result<(), Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state == State::Removed {
            return Err(Failure::Usage("interrupted: nothing was written".to_owned()));
        }
        if let Some(above) = self.path.parent().filter(|above| !above.as_os_str().is_empty()) {
            std::fs::create_dir_all(above).map_err(Failure::of_file(above))?;
        }
        let mut private = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
        match private.create(&self.path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(taken(&self.path)),
            made => made.map_err(Failure::of_file(&self.path))?,
        }
        *state = State::Made;
        Ok(())
    }

    fn remove(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state == State::Made {
            remove(&self.path);
        }
        *state = State::Removed;
    }
}

fn taken(folder: &Path) -> Failure {
    Failure::Usage(format!(
        "{} already exists: another command is writing it, or was killed; in that case, remove it",
        folder.display()
    ))
}

/// Removes a folder that may still be written to. One that is already gone is fine: a signal handler and the end of the command may both
/// remove it.
pub(crate) fn remove(folder: &Path) {
    loop {
        match std::fs::remove_dir_all(folder) {
            Ok(()) => return,
            Err(error) if error.kind() == ErrorKind::NotFound && !folder.exists() => return,
            // A file was created or removed by somebody else meanwhile.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => {}
            Err(error) => {
                eprintln!("{} could not be removed: {error}", folder.display());
                return;
            }
        }
    }
}
