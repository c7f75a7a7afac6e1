//! A separate database for each script: files in a temporary folder, a file that is kept, or databases on a PostgreSQL
//! server.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use baize_house::{HouseError, Throwaway};

use crate::StageError;
use crate::boxed;

/// Where databases are created.
pub enum Places {
    /// SQLite files in a folder that is removed with this.
    Folder(Folder),
    /// One SQLite file, which is kept: for a single script.
    File(String),
    /// Databases on a server, dropped after use.
    Server(Throwaway),
}

/// A temporary folder.
pub struct Folder {
    path: PathBuf,
    made: AtomicU32,
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If it cannot be removed, it is left to the system's clean-up of temporary files; a drop cannot report an error.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The database of one script.
pub struct Place {
    /// Its address.
    pub(crate) address: String,
}

impl Places {
    /// Where this address says; without one, SQLite in memory if the system has a folder for that, otherwise in its temporary
    /// folder.
    ///
    /// # Errors
    /// The folder cannot be created, the server does not answer, or the database is not empty.
    #[boxed]
    pub async fn at(address: Option<&str>) -> Result<Places, StageError> {
        match address {
            None => Ok(Places::Folder(Folder::new()?)),
            Some(address) if address.starts_with("postgres://") || address.starts_with("postgresql://") => {
                Ok(Places::Server(Throwaway::on(address).await.map_err(HouseError::from)?))
            }
            Some(address) if address.contains("://") => {
                Err(HouseError::DatabaseAddress(address.to_owned()).into())
            }
            Some(file) => {
                let path = file.strip_prefix("sqlite:").unwrap_or(file);
                match std::fs::metadata(path) {
                    Ok(found) if found.len() > 0 => Err(StageError::NotEmpty(path.to_owned())),
                    Ok(_) | Err(_) => Ok(Places::File(file.to_owned())),
                }
            }
        }
    }

    /// A fresh database.
    ///
    /// # Errors
    /// The server does not create one.
    #[boxed]
    pub async fn make(&self) -> Result<Place, StageError> {
        let address = match self {
            Places::Folder(folder) => {
                let number = folder.made.fetch_add(1, Ordering::Relaxed);
                folder.path.join(format!("{number}.sqlite")).display().to_string()
            }
            Places::File(file) => file.clone(),
            Places::Server(server) => server.create().await.map_err(HouseError::from)?,
        };
        Ok(Place { address })
    }

    /// The script is over: its database is removed, unless it was requested by name.
    ///
    /// # Errors
    /// Only those of the server.
    #[boxed]
    pub async fn clear(&self, place: Place) -> Result<(), StageError> {
        match self {
            Places::Folder(_) => {
                for beside in ["", "-wal", "-shm", ".lock"] {
                    // Most do not exist, and the whole folder is removed at the end.
                    let _ = std::fs::remove_file(format!("{}{beside}", place.address));
                }
            }
            Places::File(_) => {}
            Places::Server(server) => server.drop(&place.address).await.map_err(HouseError::from)?,
        }
        Ok(())
    }
}

impl Folder {
    fn new() -> Result<Folder, StageError> {
        let memory = Path::new("/dev/shm");
        let above = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let path = above.join(format!("baize-check-{}", std::process::id()));
        std::fs::create_dir_all(&path)
            .map_err(|error| StageError::Folder { path: path.display().to_string(), error })?;
        Ok(Folder { path, made: AtomicU32::new(0) })
    }
}
