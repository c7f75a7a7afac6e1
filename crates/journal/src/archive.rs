//! Archives: the bodies of old entries, moved out of the database into files.
//!
//! The row of an entry stays with all else that it says, hash included; in place of the body it has the name of a file, an offset and a
//! length. A reader of the entry gets the body from there, checked against the hash. A file is written once, named by the digest of what it
//! holds, and on the disk before any row points to it: whatever goes wrong on the way, every body is in the database or in a file that is
//! whole. docs/journal-format.md describes the files byte by byte.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::{Entry, Instant, Store, StoreError, Stream, packed, secret};

/// What every archive begins with.
const BEGINS: &[u8] = b"baize-archive-1\n";
/// What the body of an entry says that is in an archive.
const MARK: &str = "archived-1:";
/// What it says where the archive does not give it.
const UNREAD: &str = "archived: ";
/// The name of an archive while it is written.
const HALF: &str = "new.part";
/// An archive has about so many bytes at most.
const LARGEST: usize = 64 * 1_024 * 1_024;
/// Entries that are read at once.
const PAGE: u32 = 5_000;
/// Bodies that go back at once.
const TOGETHER: usize = 20_000;
/// A body that is not longer takes no more room than what would stand for it.
const SHORTEST: usize = 24;

/// A body as a row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedBody {
    /// The number of the entry.
    pub number: u64,
    /// Its chain.
    pub stream: Stream,
    /// Its place there.
    pub version: u64,
    /// The body, packed.
    pub body: Vec<u8>,
}

/// What was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Bodies.
    pub bodies: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Archives that were written or read.
    pub files: u64,
    /// It was stopped before its end.
    pub stopped: bool,
}

/// Where a body is: which file, from where and how long.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    name: String,
    offset: u64,
    length: u64,
}

impl Place {
    fn of(text: &str) -> Option<Place> {
        let mut parts = text.strip_prefix(MARK)?.split(':');
        let (name, offset, length) =
            (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        (name.len() == 16 && parts.next().is_none()).then(|| Place { name: name.to_owned(), offset, length })
    }

    /// As a row has it in place of the body.
    fn packed(&self) -> Vec<u8> {
        packed::pack(&format!("{MARK}{}:{}:{}", self.name, self.offset, self.length))
    }
}

/// Why the body of an entry cannot be had, where its archive does not give it.
pub fn out_of_reach(body: &str) -> Option<&str> {
    body.strip_prefix(UNREAD)
}

/// The archives of a casino.
#[derive(Clone, Default)]
pub struct Archives {
    folder: Option<PathBuf>,
    open: Arc<Mutex<HashMap<String, File>>>,
}

impl Archives {
    /// In this folder, or in the one that the environment names (`BAIZE_ARCHIVE`).
    pub(crate) fn new(folder: Option<PathBuf>) -> Archives {
        let given = || std::env::var_os("BAIZE_ARCHIVE").filter(|value| !value.is_empty()).map(PathBuf::from);
        Archives { folder: given().or(folder), open: Arc::default() }
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn needed_folder(&self) -> Result<&Path, String> {
        self.folder().ok_or_else(|| {
            "no folder of archives is named: add archive=FOLDER to the address of the database, or set BAIZE_ARCHIVE".to_owned()
        })
    }

    /// Whether a body of these is in an archive.
    pub(crate) fn has_some_of(entries: &[Entry]) -> bool {
        entries.iter().any(|entry| entry.body.starts_with(MARK))
    }

    /// Entries with their bodies. One whose archive is missing or was altered says so in its place.
    pub(crate) fn whole(&self, mut entries: Vec<Entry>) -> Vec<Entry> {
        for entry in entries.iter_mut().filter(|entry| entry.body.starts_with(MARK)) {
            let name = Place::of(&entry.body).map(|place| place.name).unwrap_or_default();
            entry.body = match self.body(&entry.body) {
                Ok(body) => body,
                Err(why) => format!("{UNREAD}{why}"),
            };
            if out_of_reach(&entry.body).is_none() && entry.computed_hash() != entry.hash {
                entry.body = format!(
                    "{UNREAD}what archive {name} has of it does not fit its hash: the archive or the entry was altered"
                );
            }
        }
        entries
    }

    fn body(&self, text: &str) -> Result<String, String> {
        let place = Place::of(text).ok_or("where its body is archived cannot be read")?;
        let kept = self.read(&place)?;
        packed::unpack(&kept)
            .ok_or_else(|| format!("archive {} was altered: a body in it cannot be read", place.name))
    }

    fn read(&self, place: &Place) -> Result<Vec<u8>, String> {
        let folder = self.needed_folder()?;
        let path = file(folder, &place.name);
        let wrong = |error: std::io::Error| {
            if error.kind() == ErrorKind::UnexpectedEof {
                format!("archive {} was altered: it is too short", path.display())
            } else {
                unread(&path, &error)
            }
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = match open.remove(&place.name) {
            Some(found) => found,
            None => File::open(&path).map_err(wrong)?,
        };
        let length = usize::try_from(place.length).unwrap_or(usize::MAX).min(LARGEST);
        let mut bytes = vec![0; length];
        found
            .seek(SeekFrom::Start(place.offset))
            .and_then(|_| found.read_exact(&mut bytes))
            .map_err(wrong)?;
        open.insert(place.name.clone(), found);
        Ok(bytes)
    }

    /// Whether an archive holds what its name says.
    fn check(&self, name: &str) -> Result<(), String> {
        let path = file(self.needed_folder()?, name);
        let wrong = |error: std::io::Error| unread(&path, &error);
        // It is as large as this program made it, or was altered.
        let bytes = std::fs::read(&path).map_err(wrong)?;
        if named(Sha256::new_with_prefix(&bytes)) == name {
            return Ok(());
        }
        Err(format!("archive {} was altered: it does not hold what its name says", path.display()))
    }

    /// Writes bodies into an archive and says where each of them is. It is on the disk when this returns.
    fn write(&self, bodies: &[PackedBody]) -> Result<Vec<Place>, StoreError> {
        let folder = self.needed_folder().map_err(StoreError::Option)?;
        let away = |error: std::io::Error| {
            let full = if error.kind() == ErrorKind::StorageFull { "the disk is full: " } else { "" };
            StoreError::Away(format!(
                "{full}{}: {error}; what is not archived stays in the database",
                folder.display()
            ))
        };
        private_folder(folder).map_err(away)?;
        let half = folder.join(HALF);
        let written = fill(&half, bodies).and_then(|(name, places)| {
            std::fs::rename(&half, file(folder, &name))?;
            // The name is on the disk too.
            if cfg!(unix) {
                File::open(folder)?.sync_all()?;
            }
            Ok(places)
        });
        written.map_err(|error| {
            match std::fs::remove_file(&half) {
                Err(left) if left.kind() != ErrorKind::NotFound => {
                    tracing::warn!(target: "baize::journal", file = %half.display(), %left, "half an archive stays");
                }
                _ => {}
            }
            away(error)
        })
    }
}

/// The folder that belongs to a file of a casino.
pub fn folder_beside(path: &str) -> PathBuf {
    PathBuf::from(format!("{path}.archive"))
}

/// Copies the archives of a casino in a file to where those of a copy of it belong. They are on the disk when this returns.
///
/// # Errors
/// One of them cannot be read or written.
pub fn copy_beside(from: &str, to: &str) -> std::io::Result<()> {
    let (from, to) = (folder_beside(from), folder_beside(to));
    if !from.is_dir() {
        return Ok(());
    }
    private_folder(&to)?;
    for found in std::fs::read_dir(&from)? {
        let found = found?;
        if found.file_name() == HALF {
            continue;
        }
        let copy = to.join(found.file_name());
        std::fs::copy(found.path(), &copy)?;
        File::open(&copy)?.sync_all()?;
    }
    Ok(())
}

fn unread(path: &Path, error: &std::io::Error) -> String {
    if error.kind() == ErrorKind::NotFound {
        format!("archive {} is missing: bring the file back", path.display())
    } else {
        format!("archive {} cannot be read: {error}", path.display())
    }
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.archive"))
}

/// The name of an archive with this digest.
fn named(digest: Sha256) -> String {
    secret::hex(&digest.finalize()).chars().take(16).collect()
}

/// A folder of the casino, made where it is missing: nobody else's business.
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Writes bodies into a file and flushes it. Gives the name that it is to have.
fn fill(path: &Path, bodies: &[PackedBody]) -> std::io::Result<(String, Vec<Place>)> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = BufWriter::new(options.open(path)?);
    let mut digest = Sha256::new();
    let mut offset = 0;
    let mut put = |bytes: &[u8]| {
        digest.update(bytes);
        offset += bytes.len() as u64;
        out.write_all(bytes).map(|()| offset)
    };
    put(BEGINS)?;
    let mut places = Vec::with_capacity(bodies.len());
    for of in bodies {
        let mut head = Vec::new();
        packed::put_number(&mut head, of.number);
        packed::put_number(&mut head, of.body.len() as u64);
        let offset = put(&head)?;
        put(&of.body)?;
        places.push(Place { name: String::new(), offset, length: of.body.len() as u64 });
    }
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    let name = named(digest);
    for place in &mut places {
        place.name.clone_from(&name);
    }
    Ok((name, places))
}

/// Runs what waits for the disk where nobody waits for the thread.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|stopped| Err(StoreError::Away(stopped.to_string())))
}

/// Asked now and then whether the work is to stop before its end.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Moves the bodies of all rounds that ended before a time into archives. What a table needs to open stays: everything from its last
/// snapshot on, and its first entry. Stopped, it finishes the archive that it is writing, and the next call goes on from there.
///
/// # Errors
/// The disk or the database. What was not moved stays where it is, and the next call goes on from there.
pub async fn archive(store: &dyn Store, before: Instant, stop: Stop<'_>) -> Result<Moved, StoreError> {
    let mut moved = Moved::default();
    let Some(archives) = store.archives() else { return Err(none()) };
    archives.needed_folder().map_err(StoreError::Option)?;
    let up_to: BTreeMap<Stream, u64> = store.archivable(before).await?;
    let Some((first, last)) = store.numbers(None, Some(before)).await? else { return Ok(moved) };
    let (mut after, mut gathered, mut bytes) = (first.saturating_sub(1), Vec::new(), 0);
    loop {
        if stop() {
            return Ok(Moved { stopped: true, ..moved });
        }
        let page = store.bodies(after, last, PAGE).await?;
        let end = page.is_empty();
        for of in page {
            after = of.number;
            let old = of.version > 1 && up_to.get(&of.stream).is_some_and(|up_to| of.version <= *up_to);
            if old && of.body.len() > SHORTEST && packed::is_open(&of.body) {
                bytes += of.body.len();
                gathered.push(of);
            }
        }
        if !gathered.is_empty() && (end || bytes >= LARGEST) {
            moved.bodies += gathered.len() as u64;
            moved.bytes += bytes as u64;
            moved.files += 1;
            let (archives, bodies) = (archives.clone(), std::mem::take(&mut gathered));
            let numbers: Vec<u64> = bodies.iter().map(|of| of.number).collect();
            let places = on_disk(move || archives.write(&bodies)).await?;
            store.put_bodies(numbers.into_iter().zip(places.iter().map(Place::packed)).collect()).await?;
            bytes = 0;
        }
        if end {
            return Ok(moved);
        }
    }
}

/// Moves all bodies back from their archives into the database. The files stay. Stopped, it leaves the rest in the archives.
///
/// # Errors
/// An archive is missing or was altered, and is named; the disk or the database. What was not moved back stays where it is.
pub async fn restore(store: &dyn Store, stop: Stop<'_>) -> Result<Moved, StoreError> {
    let mut moved = Moved::default();
    let Some(archives) = store.archives() else { return Err(none()) };
    let Some((first, last)) = store.numbers(None, None).await? else { return Ok(moved) };
    let mut checked: Vec<String> = Vec::new();
    let (mut after, mut gathered) = (first.saturating_sub(1), Vec::new());
    loop {
        let page = store.bodies(after, last, PAGE).await?;
        let end = page.is_empty();
        for of in page {
            after = of.number;
            let place = packed::unpack(&of.body).and_then(|text| Place::of(&text));
            let Some(place) = place else { continue };
            let (archives, name) = (archives.clone(), place.name.clone());
            let known = checked.contains(&name);
            let body = on_disk(move || {
                let checked = if known { Ok(()) } else { archives.check(&place.name) };
                checked.and_then(|()| archives.read(&place)).map_err(StoreError::Corrupt)
            });
            let body = body.await?;
            if !known {
                checked.push(name);
            }
            moved.bodies += 1;
            moved.bytes += body.len() as u64;
            gathered.push((of.number, body));
        }
        let stopped = !end && stop();
        if !gathered.is_empty() && (end || stopped || gathered.len() >= TOGETHER) {
            store.put_bodies(std::mem::take(&mut gathered)).await?;
        }
        if end || stopped {
            return Ok(Moved { files: checked.len() as u64, stopped, ..moved });
        }
    }
}

fn none() -> StoreError {
    StoreError::Away("this database keeps no archives".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies() -> Vec<PackedBody> {
        let of = |number: u64| PackedBody {
            number,
            stream: Stream::table("rh-1"),
            version: number,
            body: packed::pack(&format!("{{\"number\":{number}}}")),
        };
        (1..300).map(of).collect()
    }

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("baize-archive-{name}-{}", std::process::id()))
    }

    fn archives(folder: &Path) -> Archives {
        Archives { folder: Some(folder.to_owned()), open: Arc::default() }
    }

    #[test]
    fn what_is_written_is_read_and_what_was_altered_is_named() {
        let folder = folder("read");
        let places = archives(&folder).write(&bodies()).unwrap();
        for (of, place) in bodies().iter().zip(&places) {
            assert_eq!(archives(&folder).read(place).as_ref(), Ok(&of.body));
            let text = packed::unpack(&place.packed()).unwrap();
            assert_eq!(Place::of(&text).as_ref(), Some(place));
            assert!(place.packed().len() <= SHORTEST && !packed::is_open(&place.packed()));
        }
        let name = places[0].name.clone();
        assert_eq!(archives(&folder).check(&name), Ok(()));
        assert!(places.iter().all(|place| place.name == name));
        // The same bodies again are the same file.
        assert_eq!(archives(&folder).write(&bodies()).unwrap(), places);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);

        let path = file(&folder, &name);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.pop();
        std::fs::write(&path, &bytes).unwrap();
        assert!(archives(&folder).check(&name).unwrap_err().contains("was altered"));
        assert!(archives(&folder).read(places.last().unwrap()).unwrap_err().contains("too short"));
        std::fs::remove_file(&path).unwrap();
        assert!(archives(&folder).read(&places[0]).unwrap_err().contains("is missing"));
        assert!(Archives::default().needed_folder().is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_leaves_nothing_behind() {
        let folder = folder("full");
        std::fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink("/dev/full", folder.join(HALF)).unwrap();
        let full = archives(&folder).write(&bodies()).unwrap_err().to_string();
        assert!(full.starts_with("the disk is full: ") && full.contains("stays in the database"), "{full}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
