//! A database file that is being written: FILE.part until it is complete, so that FILE is complete or absent.

use std::path::{Path, PathBuf};

use crate::{Failure, page};

/// The incomplete file. Dropping it removes it, with everything beside it.
pub(crate) struct Half {
    place: PathBuf,
    half: PathBuf,
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl Half {
    /// For this place. Nothing is written yet; an incomplete file of another run is not touched.
    pub(crate) fn of(place: &Path) -> Result<Half, Failure> {
        let half = beside(place, ".part");
        if half.exists() {
            return Err(Failure::Usage(format!(
                "{} exists already: another command is writing it, or was killed; in the second case, remove it",
                half.display()
            )));
        }
        Ok(Half { place: place.to_owned(), half })
    }

    /// Where to write.
    pub(crate) fn path(&self) -> &Path {
        &self.half
    }

    /// The same as the address of a database.
    pub(crate) fn address(&self) -> String {
        self.half.display().to_string()
    }

    /// The file is complete: it gets its name, and its archives theirs.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let archives = beside(&self.half, ".archive");
        if archives.is_dir() {
            std::fs::rename(archives, beside(&self.place, ".archive"))
                .map_err(Failure::of_file(&self.place))?;
        }
        std::fs::rename(&self.half, &self.place).map_err(Failure::of_file(&self.place))
    }

    /// Removes it. For ways out of the program that do not drop this value.
    pub(crate) fn remover(&self) -> impl Fn() + Send + 'static + use<> {
        let half = self.half.clone();
        move || remove(&half)
    }
}

impl Drop for Half {
    fn drop(&mut self) {
        remove(&self.half);
    }
}

fn remove(half: &Path) {
    for ending in ["", "-journal", "-wal", "-shm", ".lock"] {
        page::remove_half(&beside(half, ending));
    }
    let archives = beside(half, ".archive");
    if let Err(error) = std::fs::remove_dir_all(&archives)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        eprintln!("{} could not be removed: {error}", archives.display());
    }
}
