//! A database file that is being written: FILE.part until it is complete, so that FILE is complete or absent.

use std::path::{Path, PathBuf};

use crate::{Failure, page};

/// The incomplete file. Dropping it removes it, with everything beside it.
pub(crate) struct PartialFile {
    place: PathBuf,
    partial: PathBuf,
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl PartialFile {
    /// For this place. Nothing is written yet; an incomplete file of another run is not touched.
    pub(crate) fn of(place: &Path) -> Result<PartialFile, Failure> {
        let partial = beside(place, ".part");
        if partial.exists() {
            return Err(Failure::Usage(format!(
                "{} already exists: another command is writing it, or was killed; in that case, remove it",
                partial.display()
            )));
        }
        Ok(PartialFile { place: place.to_owned(), partial })
    }

    /// Where to write.
    pub(crate) fn path(&self) -> &Path {
        &self.partial
    }

    /// The same as the address of a database.
    pub(crate) fn address(&self) -> String {
        self.partial.display().to_string()
    }

    /// The file is complete: it gets its name, and its archives theirs.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let archives = beside(&self.partial, ".archive");
        if archives.is_dir() {
            std::fs::rename(archives, beside(&self.place, ".archive"))
                .map_err(Failure::of_file(&self.place))?;
        }
        std::fs::rename(&self.partial, &self.place).map_err(Failure::of_file(&self.place))
    }

    /// Removes it. For ways out of the program that do not drop this value.
    pub(crate) fn remover(&self) -> impl Fn() + Send + 'static + use<> {
        let partial = self.partial.clone();
        move || remove(&partial)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        remove(&self.partial);
    }
}

fn remove(partial: &Path) {
    for ending in ["", "-journal", "-wal", "-shm", ".lock"] {
        page::remove_partial(&beside(partial, ending));
    }
    let archives = beside(partial, ".archive");
    if let Err(error) = std::fs::remove_dir_all(&archives)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        eprintln!("{} could not be removed: {error}", archives.display());
    }
}
