//! The house's key: seals future decks and the entries of rounds in progress, and authenticates sessions and links.
//!
//! It is stored outside the database, so that neither reading the database nor a backup of it reveals cards or lets anyone log in: in a
//! file, in the environment, or as a systemd credential. A casino in a file creates its key file beside it; hosts that share a server share
//! a key provided by the operator.

mod next;

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use ring::{aead, hmac};

use crate::{Batch, DeckRow, Entry, SecretRow, StoreError, Stream, packed, secret};
pub use next::NextKey;
use next::next;

/// Bytes of a key.
const BYTES: usize = 32;

/// Prefix of a sealed deck or body, followed by the version of the seal.
const SEALED: &str = "sealed-";

/// A key.
pub struct Key {
    /// Public id of the key, recorded in the journal. Reveals nothing about the key.
    pub id: String,
    cards: aead::LessSafeKey,
    rows: hmac::Key,
    shares: hmac::Key,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key {}", self.id)
    }
}

impl Key {
    fn of(bytes: &[u8; BYTES]) -> Option<Key> {
        let root = hmac::Key::new(hmac::HMAC_SHA256, bytes);
        let derived = |what: &str| hmac::sign(&root, what.as_bytes());
        let cards = aead::UnboundKey::new(&aead::CHACHA20_POLY1305, derived("baize decks").as_ref()).ok()?;
        let id = secret::hex(derived("baize key id").as_ref()).get(..16)?.to_owned();
        let rows = hmac::Key::new(hmac::HMAC_SHA256, derived("baize sessions").as_ref());
        let shares = hmac::Key::new(hmac::HMAC_SHA256, derived("baize shares").as_ref());
        Some(Key { id, cards: aead::LessSafeKey::new(cards), rows, shares })
    }

    /// Signature of a link to `text` created by this house.
    #[must_use]
    pub fn share(&self, text: &str) -> String {
        let mut proof = secret::hex(hmac::sign(&self.shares, text.as_bytes()).as_ref());
        proof.truncate(32);
        proof
    }

    /// A random key that is stored nowhere, for programs that write neither decks nor sessions.
    pub fn for_nothing() -> Option<Arc<Key>> {
        let mut bytes = [0; BYTES];
        secret::fill(&mut bytes);
        Key::of(&bytes).map(Arc::new)
    }

    /// Parses a key: 64 hexadecimal digits.
    fn read(text: &str) -> Option<Key> {
        let mut bytes = [0; BYTES];
        let text = text.trim();
        if text.len() != 2 * BYTES || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Key::of(&bytes)
    }

    fn of_file(path: &Path) -> Result<Key, StoreError> {
        let wrong = |why: String| StoreError::Key(format!("the key file {}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        Key::read(&text).ok_or_else(|| wrong("not a key (64 hexadecimal digits)".to_owned()))
    }

    /// Creates a key file that only its owner can read. Never overwrites a file.
    fn make(path: &Path) -> Result<Key, StoreError> {
        Key::write(path, &secret::token(BYTES))?;
        Key::of_file(path)
    }

    /// Writes a key into a file that is not there yet.
    fn write(path: &Path, text: &str) -> Result<(), StoreError> {
        let wrong =
            |error: std::io::Error| StoreError::Key(format!("the key file {}: {error}", path.display()));
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(wrong)?;
        let written = writeln!(file, "{text}").and_then(|()| file.sync_all());
        if let Err(error) = written {
            // A partial key file would block the creation of a whole one.
            if let Err(left) = std::fs::remove_file(path) {
                tracing::warn!(target: "baize::journal", file = %path.display(), %left, "a partial key file could not be removed");
            }
            return Err(wrong(error));
        }
        Ok(())
    }

    /// Encrypts packed bytes. `place` is authenticated too: moved elsewhere, they cannot be opened.
    fn seal(&self, place: &str, packed: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; aead::NONCE_LEN];
        secret::fill(&mut nonce);
        let mut text = packed.to_vec();
        let sealing = aead::Nonce::assume_unique_for_key(nonce);
        self.cards.seal_in_place_append_tag(sealing, aead::Aad::from(place), &mut text).ok()?;
        packed::sealed(&self.id, &nonce, &text)
    }

    /// Decrypts what was sealed with this key for this place. The result is packed.
    fn open(&self, place: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (id, nonce, text, packed) = packed::sealed_parts(sealed)?;
        let nonce = aead::Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut text = (id == self.id).then(|| text.to_vec())?;
        let opened = self.cards.open_in_place(nonce, aead::Aad::from(place), &mut text).ok()?;
        if packed { Some(opened.to_vec()) } else { std::str::from_utf8(opened).ok().map(packed::pack) }
    }

    /// Like `open`, as text.
    fn open_text(&self, place: &str, sealed: &str) -> Option<String> {
        packed::unpack(&self.open(place, &packed::pack(sealed))?)
    }
}

/// Whether a text is sealed. Neither JSON nor cards have this prefix.
pub(crate) fn is_sealed(text: &str) -> bool {
    text.starts_with(SEALED)
}

/// How sealed bodies are replaced in the transaction of a batch.
#[derive(Debug, Clone)]
pub enum Unsealing {
    /// The round of this table is over: open its bodies.
    Open(Stream),
    /// The house has a new key: seal again what this old key sealed.
    Reseal(Arc<Key>),
}

impl Unsealing {
    /// The chain concerned; `None` for all.
    pub fn stream(&self) -> Option<&str> {
        match self {
            Unsealing::Open(stream) => Some(stream.as_str()),
            Unsealing::Reseal(_) => None,
        }
    }
}

/// Whether the body of an entry is stored sealed.
fn hides(batch: &Batch, entry: &Entry) -> bool {
    batch.hides.contains(&entry.stream)
}

/// Place of a deck, authenticated by its seal.
fn deck_place(row: &DeckRow) -> String {
    format!("{}/{}", row.table, row.round)
}

/// Place of a body, authenticated by its seal.
fn body_place(stream: &str, version: u64) -> String {
    format!("{stream} entry {version}")
}

/// The bytes that a row's binding covers: all columns but the binding.
fn bound_text(row: &SecretRow) -> Vec<u8> {
    let mut text = Vec::new();
    for part in [row.hash.as_bytes(), row.kind.as_bytes(), row.actor.as_bytes(), &row.expires.0.to_be_bytes()]
    {
        text.extend((part.len() as u64).to_be_bytes());
        text.extend(part);
    }
    text
}

/// The key for reading and writing rows; empty when a copy is read without its key.
#[derive(Clone, Default)]
pub struct Vault(Arc<RwLock<Option<Arc<Key>>>>);

impl Vault {
    /// The key, if present.
    #[must_use]
    pub fn key(&self) -> Option<Arc<Key>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the key.
    pub fn take(&self, key: Arc<Key>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(key);
    }

    /// Seals packed bytes for a place.
    fn seal(&self, place: &str, packed: &[u8]) -> Result<Vec<u8>, StoreError> {
        let sealed = self.key().and_then(|key| key.seal(place, packed));
        sealed.ok_or_else(no_key)
    }

    /// Salt and cards of a deck, sealed, as stored.
    pub fn sealed(&self, row: &DeckRow) -> Result<(&'static str, String), StoreError> {
        let sealed = self.seal(&deck_place(row), &packed::pack(&format!("{}:{}", row.salt, row.cards)))?;
        Ok(("", packed::unpack(&sealed).unwrap_or_default()))
    }

    /// Opens a deck. It stays sealed if its key is missing, and stays as it is if it was altered. Versions before sealing stored decks in
    /// plain text.
    pub fn opened(&self, mut row: DeckRow) -> DeckRow {
        let id = row.cards.strip_prefix(SEALED).and_then(|rest| rest.split(':').nth(1));
        let Some(id) = id else { return row };
        match self.key().filter(|key| key.id == id) {
            None => row.sealed = true,
            Some(key) => {
                let opened = key.open_text(&deck_place(&row), &row.cards).filter(|_| row.salt.is_empty());
                if let Some((salt, cards)) = opened.as_deref().and_then(|text| text.split_once(':')) {
                    (row.salt, row.cards) = (salt.to_owned(), cards.to_owned());
                }
            }
        }
        row
    }

    /// The bodies of a batch as stored: those in hidden chains are sealed.
    pub fn bodies<'a>(&self, batch: &'a Batch) -> Result<Vec<Cow<'a, str>>, StoreError> {
        let body = |entry: &'a Entry| {
            if !hides(batch, entry) {
                return Ok(Cow::Borrowed(entry.body.as_str()));
            }
            let sealed = self.hidden(entry, &packed::pack(&entry.body))?;
            Ok(Cow::Owned(packed::unpack(&sealed).unwrap_or_default()))
        };
        batch.entries.iter().map(body).collect()
    }

    /// Seals the packed `bodies` of a batch where their chain is hidden.
    pub(crate) fn kept_bodies(&self, batch: &Batch, bodies: &mut [Vec<u8>]) -> Result<(), StoreError> {
        for (entry, body) in batch.entries.iter().zip(bodies).filter(|(entry, _)| hides(batch, entry)) {
            *body = self.hidden(entry, body)?;
        }
        Ok(())
    }

    fn hidden(&self, entry: &Entry, packed: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.seal(&body_place(entry.stream.as_str(), entry.version), packed)
    }

    /// Opens the bodies of entries. A body whose key is missing stays sealed.
    pub fn open_bodies(&self, mut entries: Vec<Entry>) -> Vec<Entry> {
        for entry in entries.iter_mut().filter(|entry| entry.is_sealed()) {
            let place = body_place(entry.stream.as_str(), entry.version);
            if let Some(body) = self.key().and_then(|key| key.open_text(&place, &entry.body)) {
                entry.body = body;
            }
        }
        entries
    }

    /// The replacement of a sealed body; `None` if its key is missing.
    pub fn unsealed(&self, how: &Unsealing, stream: &str, version: u64, body: &str) -> Option<String> {
        packed::unpack(&self.unsealed_body(how, stream, version, &packed::pack(body))?)
    }

    /// Like `unsealed`, for packed bodies.
    pub(crate) fn unsealed_body(
        &self,
        how: &Unsealing,
        stream: &str,
        version: u64,
        body: &[u8],
    ) -> Option<Vec<u8>> {
        let place = body_place(stream, version);
        match how {
            Unsealing::Open(_) => self.key()?.open(&place, body),
            Unsealing::Reseal(before) => self.key()?.seal(&place, &before.open(&place, body)?),
        }
    }

    /// Signature that binds a session or link to the house.
    pub fn binding(&self, row: &SecretRow) -> Result<String, StoreError> {
        let key = self.key().ok_or_else(no_key)?;
        Ok(secret::hex(hmac::sign(&key.rows, &bound_text(row)).as_ref()))
    }

    /// Whether the house created this row.
    pub fn made(&self, row: &SecretRow, binding: &str) -> bool {
        let (Some(key), Some(binding)) = (self.key(), secret::bytes(binding)) else { return false };
        hmac::verify(&key.rows, &bound_text(row), &binding).is_ok()
    }
}

/// Where a database's key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyPlace {
    /// In this file, created by the operator.
    File(PathBuf),
    /// In the environment.
    Given(String),
    /// In this file beside the database, created with the casino.
    Beside(PathBuf),
    /// Not configured.
    Nowhere,
}

/// Splits `keyfile=FILE` off an address and determines where the key is: that file, the environment (`BAIZE_KEY_FILE`, `BAIZE_KEY`), a
/// systemd credential (`baize-key`), or a file beside the database.
pub fn key_place(address: &str) -> (String, KeyPlace) {
    let (rest, file, once) = without_key(address);
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let credential = || given("CREDENTIALS_DIRECTORY").map(|folder| Path::new(&folder).join("baize-key"));
    let place = if let Some(key) = once {
        KeyPlace::Given(key)
    } else if let Some(file) = file.or_else(|| given("BAIZE_KEY_FILE").map(PathBuf::from)) {
        KeyPlace::File(file)
    } else if let Some(key) = given("BAIZE_KEY") {
        KeyPlace::Given(key.to_string_lossy().into_owned())
    } else if let Some(file) = credential().filter(|file| file.exists()) {
        KeyPlace::File(file)
    } else if crate::store::on_server(&rest) {
        KeyPlace::Nowhere
    } else {
        let path = rest.strip_prefix("sqlite:").unwrap_or(&rest);
        let path = path.split_once('?').map_or(path, |(path, _)| path);
        KeyPlace::Beside(PathBuf::from(format!("{path}.key")))
    };
    (rest, place)
}

/// Address option for a temporary database: a random key that is stored nowhere else.
pub(crate) fn for_one_use() -> String {
    format!("key={}", secret::token(BYTES))
}

/// Splits the key off an address: the file of `keyfile=FILE`, or the key of a temporary database.
fn without_key(address: &str) -> (String, Option<PathBuf>, Option<String>) {
    let Some((path, query)) = address.split_once('?') else { return (address.to_owned(), None, None) };
    let of = |name: &str| query.split('&').find_map(|option| option.strip_prefix(name));
    let kept = |option: &&str| !option.starts_with("keyfile=") && !option.starts_with("key=");
    let kept: Vec<&str> = query.split('&').filter(kept).collect();
    let rest = if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) };
    let file = of("keyfile=").map(|file| PathBuf::from(crate::postgres::decoded(file)));
    (rest, file, of("key=").map(str::to_owned))
}

impl KeyPlace {
    /// Loads the key, if it exists. `wanted`: the id named in the journal.
    pub fn find(&self, wanted: Option<&str>) -> Result<Option<Key>, StoreError> {
        let found = match self {
            KeyPlace::Nowhere => return Ok(None),
            KeyPlace::Given(text) => Key::read(text).ok_or_else(|| {
                StoreError::Key("BAIZE_KEY is not a key (64 hexadecimal digits)".to_owned())
            })?,
            KeyPlace::Beside(path) | KeyPlace::File(path) => {
                // An interrupted key rotation leaves the new key beside the old one.
                let next = next(path);
                match Key::of_file(&next) {
                    Ok(key) if wanted == Some(key.id.as_str()) => {
                        std::fs::rename(&next, path).map_err(|error| StoreError::Key(error.to_string()))?;
                        key
                    }
                    _ if !path.exists() => return Ok(None),
                    _ => Key::of_file(path)?,
                }
            }
        };
        Ok(Some(found))
    }

    /// Loads the key to run the casino with; creates it for a new casino in a file. `wanted`: the id named in the journal.
    pub fn needed(&self, wanted: Option<&str>) -> Result<Key, StoreError> {
        let missing = |how: String| match wanted {
            Some(wanted) => StoreError::Key(format!("the key {wanted} of this casino is missing: {how}")),
            None => StoreError::Key(how),
        };
        let key = match (self.find(wanted)?, self) {
            (Some(key), _) => key,
            (None, KeyPlace::Beside(path)) if wanted.is_none() => Key::make(path)?,
            (None, KeyPlace::Beside(path) | KeyPlace::File(path)) => {
                let how = "copy it there; a new casino gets one by `baize key new`, an old one by `baize key rotate --lost`";
                return Err(missing(format!("there is no key file {}: {how}", path.display())));
            }
            (None, KeyPlace::Given(_) | KeyPlace::Nowhere) => {
                return Err(missing(
                    "hosts on one server share a key: `baize key new FILE` makes one, and ?keyfile=FILE in the address, \
                     BAIZE_KEY_FILE, BAIZE_KEY or the systemd credential baize-key gives it to each"
                        .to_owned(),
                ));
            }
        };
        match wanted {
            Some(wanted) if wanted != key.id => Err(StoreError::Key(format!(
                "the journal was written with the key {wanted}, but the key that was given is {}",
                key.id
            ))),
            _ => Ok(key),
        }
    }
}

fn no_key() -> StoreError {
    StoreError::Away("the house's key is missing".to_owned())
}

/// Creates a key file for hosts that share a server, and returns the key's id.
///
/// # Errors
/// The file exists, or cannot be written.
pub fn new_key_file(path: &str) -> Result<String, StoreError> {
    Key::make(Path::new(path)).map(|key| key.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;

    fn vault(byte: u8) -> Vault {
        let vault = Vault::default();
        vault.take(Arc::new(Key::of(&[byte; BYTES]).unwrap()));
        vault
    }

    fn deck(round: u32) -> DeckRow {
        let (salt, cards) = ("00ff".to_owned(), "As Kd".to_owned());
        DeckRow { table: "rh-1".to_owned(), round, salt, cards, sealed: false }
    }

    #[test]
    fn a_deck_opens_only_with_its_key_and_for_its_round() {
        let row = deck(7);
        let (salt, cards) = vault(1).sealed(&row).unwrap();
        assert!(!cards.contains("As") && salt.is_empty());
        assert_ne!(vault(1).sealed(&row).unwrap().1, cards, "never the same twice");
        let kept = |round| DeckRow { salt: String::new(), cards: cards.clone(), ..deck(round) };
        assert_eq!(vault(1).opened(kept(7)), row);
        assert!(vault(2).opened(kept(7)).sealed, "another key");
        assert_eq!(vault(1).opened(kept(8)), kept(8), "another round");
        assert!(Vault::default().opened(kept(7)).sealed, "no key");
        assert_eq!(Vault::default().opened(deck(7)), deck(7), "stored before decks were sealed");
    }

    #[test]
    fn a_binding_covers_the_key_and_every_column() {
        let row = SecretRow {
            hash: "ab".to_owned(),
            kind: "session".to_owned(),
            actor: "{}".to_owned(),
            expires: Instant(5),
        };
        let binding = vault(1).binding(&row).unwrap();
        assert!(vault(1).made(&row, &binding));
        assert!(!vault(2).made(&row, &binding));
        for other in [
            SecretRow { hash: "abs".to_owned(), kind: "ession".to_owned(), ..row.clone() },
            SecretRow { actor: "{1}".to_owned(), ..row.clone() },
            SecretRow { expires: Instant(6), ..row.clone() },
        ] {
            assert!(!vault(1).made(&other, &binding), "{other:?}");
        }
        assert!(!vault(1).made(&row, ""));
    }

    #[test]
    fn the_key_file_is_split_off_an_address() {
        let of = |address: &str| {
            let (rest, file, _) = without_key(address);
            (rest, file)
        };
        let file = |name: &str| Some(PathBuf::from(name));
        assert_eq!(of("a.sqlite"), ("a.sqlite".to_owned(), None));
        assert_eq!(of("postgres://b/c?keyfile=%2Fk"), ("postgres://b/c".to_owned(), file("/k")));
        let (rest, named) = of("postgres://b/c?sslmode=require&keyfile=k&connect_timeout=3");
        assert_eq!((rest.as_str(), named), ("postgres://b/c?sslmode=require&connect_timeout=3", file("k")));
    }
}
