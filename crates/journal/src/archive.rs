//! Archives: the bodies of old entries, moved out of the database into files.
//!
//! The entry's row keeps all other columns, including the hash; in place of the body it holds a file name, an offset and a length. Readers
//! get the body from the archive, checked against the hash. An archive is written once, named by the digest of its contents, and on disk
//! before any row points to it, so at every moment each body is in the database or in a complete file. docs/journal-format.md describes the
//! files byte by byte.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::boxed;
use crate::{Entry, Instant, Store, StoreError, Stream, packed, secret};

/// Magic bytes at the start of an archive.
const MAGIC: &[u8] = b"baize-archive-1\n";
/// Prefix of the body of an archived entry.
const MARK: &str = "archived-1:";
/// Prefix of the body if the archive cannot be read; the reason follows.
const UNREADABLE: &str = "archived: ";
/// File name of an archive while it is being written.
const PARTIAL: &str = "new.part";
/// Approximate maximum size of an archive, in bytes.
const MAX_BYTES: usize = 64 * 1_024 * 1_024;
/// Entries read per query.
const PAGE_SIZE: u32 = 5_000;
/// Bodies restored per transaction.
const RESTORE_BATCH: usize = 20_000;
/// Bodies up to this size stay: a reference to an archive would be as large.
const MIN_BODY: usize = 24;

/// A body as stored in its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedBody {
    /// The number of the entry.
    pub number: u64,
    /// The chain.
    pub stream: Stream,
    /// The entry's version in the chain.
    pub version: u64,
    /// The body, packed.
    pub body: Vec<u8>,
}

/// Totals of what was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Bodies.
    pub bodies: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Archives written or read.
    pub files: u64,
    /// It was stopped before its end.
    pub stopped: bool,
}

/// Where a body is archived.
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

    /// As stored in place of the body.
    fn packed(&self) -> Vec<u8> {
        packed::pack(&format!("{MARK}{}:{}:{}", self.name, self.offset, self.length))
    }
}

/// The reason why an archived body cannot be read, if it cannot.
pub fn missing_reason(body: &str) -> Option<&str> {
    body.strip_prefix(UNREADABLE)
}

/// The archives of a casino.
#[derive(Clone, Default)]
pub struct Archives {
    folder: Option<PathBuf>,
    open: Arc<Mutex<HashMap<String, File>>>,
}

impl Archives {
    /// Archives in `BAIZE_ARCHIVE` if it is set, otherwise in `folder`.
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
            "no archive folder is configured: add archive=FOLDER to the database address, or set BAIZE_ARCHIVE".to_owned()
        })
    }

    /// Whether any of these bodies is archived.
    pub(crate) fn has_some_of(entries: &[Entry]) -> bool {
        entries.iter().any(|entry| entry.body.starts_with(MARK))
    }

    /// Replaces references by the archived bodies, or by the reason why one cannot be read.
    pub(crate) fn whole(&self, mut entries: Vec<Entry>) -> Vec<Entry> {
        for entry in entries.iter_mut().filter(|entry| entry.body.starts_with(MARK)) {
            let name = Place::of(&entry.body).map(|place| place.name).unwrap_or_default();
            entry.body = match self.body(&entry.body) {
                Ok(body) => body,
                Err(why) => format!("{UNREADABLE}{why}"),
            };
            if missing_reason(&entry.body).is_none() && entry.computed_hash() != entry.hash {
                entry.body = format!(
                    "{UNREADABLE}the body in archive {name} does not match the entry's hash: the archive or the entry was altered"
                );
            }
        }
        entries
    }

    fn body(&self, text: &str) -> Result<String, String> {
        let place = Place::of(text).ok_or("the reference to its archive is malformed")?;
        let kept = self.read(&place)?;
        packed::unpack(&kept)
            .ok_or_else(|| format!("archive {} was altered: it holds a malformed body", place.name))
    }

    fn read(&self, place: &Place) -> Result<Vec<u8>, String> {
        let folder = self.needed_folder()?;
        let path = archive_path(folder, &place.name);
        let wrong = |error: std::io::Error| {
            if error.kind() == ErrorKind::UnexpectedEof {
                format!("archive {} was altered: it is too short", path.display())
            } else {
                read_error(&path, &error)
            }
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = match open.remove(&place.name) {
            Some(found) => found,
            None => File::open(&path).map_err(wrong)?,
        };
        let length = usize::try_from(place.length).unwrap_or(usize::MAX).min(MAX_BYTES);
        let mut bytes = vec![0; length];
        found
            .seek(SeekFrom::Start(place.offset))
            .and_then(|_| found.read_exact(&mut bytes))
            .map_err(wrong)?;
        open.insert(place.name.clone(), found);
        Ok(bytes)
    }

    /// Checks an archive against the digest in its name.
    fn check(&self, name: &str) -> Result<(), String> {
        let path = archive_path(self.needed_folder()?, name);
        let wrong = |error: std::io::Error| read_error(&path, &error);
        let bytes = std::fs::read(&path).map_err(wrong)?;
        if archive_name(&secret::digest(&bytes)) == name {
            return Ok(());
        }
        Err(format!("archive {} was altered: its contents do not match its name", path.display()))
    }

    /// Writes an archive and returns each body's place in it. The file is on disk on return.
    fn write(&self, bodies: &[PackedBody]) -> Result<Vec<Place>, StoreError> {
        let folder = self.needed_folder().map_err(StoreError::Option)?;
        let away = |error: std::io::Error| {
            let full = if error.kind() == ErrorKind::StorageFull { "the disk is full: " } else { "" };
            StoreError::Away(format!(
                "{full}{}: {error}; bodies that were not archived stay in the database",
                folder.display()
            ))
        };
        private_folder(folder).map_err(away)?;
        let partial = folder.join(PARTIAL);
        let written = write_bodies(&partial, bodies).and_then(|(name, places)| {
            std::fs::rename(&partial, archive_path(folder, &name))?;
            // The directory entry must be on disk too.
            if cfg!(unix) {
                File::open(folder)?.sync_all()?;
            }
            Ok(places)
        });
        written.map_err(|error| {
            match std::fs::remove_file(&partial) {
                Err(left) if left.kind() != ErrorKind::NotFound => {
                    tracing::warn!(target: "baize::journal", file = %partial.display(), %left, "could not delete a partial archive");
                }
                _ => {}
            }
            away(error)
        })
    }
}

/// The default archive folder of a casino in a file.
pub fn default_folder(path: &str) -> PathBuf {
    PathBuf::from(format!("{path}.archive"))
}

/// Copies a casino's archives to the default folder of a copy of its file. They are on disk on return.
///
/// # Errors
/// An archive cannot be read or written.
pub fn copy_archives(from: &str, to: &str) -> std::io::Result<()> {
    let (from, to) = (default_folder(from), default_folder(to));
    if !from.is_dir() {
        return Ok(());
    }
    private_folder(&to)?;
    for found in std::fs::read_dir(&from)? {
        let found = found?;
        if found.file_name() == PARTIAL {
            continue;
        }
        let copy = to.join(found.file_name());
        std::fs::copy(found.path(), &copy)?;
        File::open(&copy)?.sync_all()?;
    }
    Ok(())
}

fn read_error(path: &Path, error: &std::io::Error) -> String {
    if error.kind() == ErrorKind::NotFound {
        format!("archive {} is missing: restore the file", path.display())
    } else {
        format!("archive {} cannot be read: {error}", path.display())
    }
}

fn archive_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.archive"))
}

/// File name of the archive with this digest.
fn archive_name(digest: &str) -> String {
    digest.chars().take(16).collect()
}

/// Creates a folder that only its owner can read, if it does not exist.
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Writes bodies to a file and syncs it. Returns the archive's final name and the places.
fn write_bodies(path: &Path, bodies: &[PackedBody]) -> std::io::Result<(String, Vec<Place>)> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = BufWriter::new(options.open(path)?);
    let mut digest = secret::Hasher::default();
    let mut offset = 0;
    let mut put = |bytes: &[u8]| {
        digest.update(bytes);
        offset += bytes.len() as u64;
        out.write_all(bytes).map(|()| offset)
    };
    put(MAGIC)?;
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
    let name = archive_name(&digest.hex());
    for place in &mut places {
        place.name.clone_from(&name);
    }
    Ok((name, places))
}

/// Runs blocking disk work off the async threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|stopped| Err(StoreError::Away(stopped.to_string())))
}

/// Called from time to time: whether the work should stop early.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Archives the bodies of all rounds that ended before a time. Everything a table needs to open stays in the database: its first entry, and
/// everything from its last snapshot on. Stopped, it finishes the archive that it is writing, and the next call continues there.
///
/// # Errors
/// The disk or the database fails. What was not moved stays in place, and the next call continues there.
#[boxed]
pub async fn archive<'a>(store: &'a dyn Store, before: Instant, stop: Stop<'a>) -> Result<Moved, StoreError> {
    let mut moved = Moved::default();
    let Some(archives) = store.archives() else { return Err(unsupported()) };
    archives.needed_folder().map_err(StoreError::Option)?;
    let up_to: BTreeMap<Stream, u64> = store.archivable(before).await?;
    let Some((first, last)) = store.numbers(None, Some(before)).await? else { return Ok(moved) };
    let (mut after, mut pending, mut bytes) = (first.saturating_sub(1), Vec::new(), 0);
    loop {
        if stop() {
            return Ok(Moved { stopped: true, ..moved });
        }
        let page = store.bodies(after, last, PAGE_SIZE).await?;
        let end = page.is_empty();
        for of in page {
            after = of.number;
            let old = of.version > 1 && up_to.get(&of.stream).is_some_and(|up_to| of.version <= *up_to);
            if old && of.body.len() > MIN_BODY && packed::is_open(&of.body) {
                bytes += of.body.len();
                pending.push(of);
            }
        }
        if !pending.is_empty() && (end || bytes >= MAX_BYTES) {
            moved.bodies += pending.len() as u64;
            moved.bytes += bytes as u64;
            moved.files += 1;
            let (archives, bodies) = (archives.clone(), std::mem::take(&mut pending));
            let numbers: Vec<u64> = bodies.iter().map(|of| of.number).collect();
            let places = blocking(move || archives.write(&bodies)).await?;
            store.put_bodies(numbers.into_iter().zip(places.iter().map(Place::packed)).collect()).await?;
            bytes = 0;
        }
        if end {
            return Ok(moved);
        }
    }
}

/// Moves all bodies from archives back into the database. The files stay. Stopped, it leaves the rest in the archives.
///
/// # Errors
/// An archive is missing or was altered (the message names it), or the disk or the database fails. What was not moved stays archived.
#[boxed]
pub async fn restore<'a>(store: &'a dyn Store, stop: Stop<'a>) -> Result<Moved, StoreError> {
    let mut moved = Moved::default();
    let Some(archives) = store.archives() else { return Err(unsupported()) };
    let Some((first, last)) = store.numbers(None, None).await? else { return Ok(moved) };
    let mut checked: Vec<String> = Vec::new();
    let (mut after, mut pending) = (first.saturating_sub(1), Vec::new());
    loop {
        let page = store.bodies(after, last, PAGE_SIZE).await?;
        let end = page.is_empty();
        for of in page {
            after = of.number;
            let place = packed::unpack(&of.body).and_then(|text| Place::of(&text));
            let Some(place) = place else { continue };
            let (archives, name) = (archives.clone(), place.name.clone());
            let known = checked.contains(&name);
            let body = blocking(move || {
                let checked = if known { Ok(()) } else { archives.check(&place.name) };
                checked.and_then(|()| archives.read(&place)).map_err(StoreError::Corrupt)
            });
            let body = body.await?;
            if !known {
                checked.push(name);
            }
            moved.bodies += 1;
            moved.bytes += body.len() as u64;
            pending.push((of.number, body));
        }
        let stopped = !end && stop();
        if !pending.is_empty() && (end || stopped || pending.len() >= RESTORE_BATCH) {
            store.put_bodies(std::mem::take(&mut pending)).await?;
        }
        if end || stopped {
            return Ok(Moved { files: checked.len() as u64, stopped, ..moved });
        }
    }
}

fn unsupported() -> StoreError {
    StoreError::Away("this database does not support archives".to_owned())
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
    fn archives_round_trip_and_damage_is_reported() {
        let folder = folder("read");
        let places = archives(&folder).write(&bodies()).unwrap();
        for (of, place) in bodies().iter().zip(&places) {
            assert_eq!(archives(&folder).read(place).as_ref(), Ok(&of.body));
            let text = packed::unpack(&place.packed()).unwrap();
            assert_eq!(Place::of(&text).as_ref(), Some(place));
            assert!(place.packed().len() <= MIN_BODY && !packed::is_open(&place.packed()));
        }
        let name = places[0].name.clone();
        assert_eq!(archives(&folder).check(&name), Ok(()));
        assert!(places.iter().all(|place| place.name == name));
        // Archiving the same bodies again gives the same file.
        assert_eq!(archives(&folder).write(&bodies()).unwrap(), places);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);

        let path = archive_path(&folder, &name);
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
        std::os::unix::fs::symlink("/dev/full", folder.join(PARTIAL)).unwrap();
        let full = archives(&folder).write(&bodies()).unwrap_err().to_string();
        assert!(full.starts_with("the disk is full: ") && full.contains("stay in the database"), "{full}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
