//! The key that is going to replace the current one: `FILE.next`, which becomes `FILE` when the journal names it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{BYTES, Key, KeyPlace, no_key};
use crate::{StoreError, secret};

/// The file of the next key.
pub(super) fn next(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".next");
    PathBuf::from(name)
}

impl KeyPlace {
    /// The next key. Nothing is written before [`NextKey::keep`].
    pub fn make_next(&self) -> Result<NextKey, StoreError> {
        let (KeyPlace::Beside(path) | KeyPlace::File(path)) = self else {
            return Err(StoreError::Key("only a key in a file can be rotated: add ?keyfile=FILE".to_owned()));
        };
        let text = secret::token(BYTES);
        let key = Key::read(&text).ok_or_else(no_key)?;
        Ok(NextKey { key: Arc::new(key), text, file: next(path) })
    }
}

/// A key that is going to replace the current one.
pub struct NextKey {
    /// The key.
    pub key: Arc<Key>,
    text: String,
    file: PathBuf,
}

impl NextKey {
    /// Writes it beside the current one. Only for those who have the database to themselves: it replaces the next key of another rotation.
    pub fn keep(&self) -> Result<(), StoreError> {
        // A next key that the journal never named has sealed nothing.
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(StoreError::Key(format!("the key file {}: {error}", self.file.display())))
            }
            _ => Key::write(&self.file, &self.text),
        }
    }
}
