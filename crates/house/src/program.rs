//! The version and file hash of the running program, to compare with the approved one.

use std::fmt;
use std::io::Read as _;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Serialize;

static THIS: OnceLock<Program> = OnceLock::new();

/// A version of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Program {
    /// The version.
    pub version: String,
    /// The SHA-256 of its file; `None` if the file cannot be read.
    pub hash: Option<String>,
}

impl Program {
    /// The running program. Its file is read and hashed once.
    #[must_use]
    pub fn this() -> &'static Program {
        THIS.get_or_init(|| Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            hash: hash_of_file().ok(),
        })
    }

    /// The running program, if its file has been read already.
    pub(crate) fn known() -> Option<&'static Program> {
        THIS.get()
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "baize {}", self.version)
    }
}

fn hash_of_file() -> std::io::Result<String> {
    // On Linux this is the file that was started, even if its path was replaced since.
    let running = std::path::Path::new("/proc/self/exe");
    let path = if running.exists() { running.to_owned() } else { std::env::current_exe()? };
    let mut file = std::fs::File::open(path)?;
    let (mut hasher, mut part) = (crate::secret::Hasher::default(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hasher.hex()),
            read => hasher.update(part.get(..read).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_file() {
        let whole = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(Program::this().hash.as_deref(), Some(crate::secret::digest(&whole).as_str()));
    }
}
