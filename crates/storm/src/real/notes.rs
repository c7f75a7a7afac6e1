//! What a host that is there to be killed noted of its orders: asked, done or refused. It outlives the host, and the next one sends again
//! whatever was asked and not answered.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use baize_house::{CommandId, Order, PlayerId, TableId};

/// An order that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) id: CommandId,
    pub(super) table: TableId,
    pub(super) player: PlayerId,
    pub(super) order: Order,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    /// Its table is at this version by it.
    Done(u64),
    /// Nothing has changed by it.
    Refused,
}

/// The notes of one host.
pub(super) struct Notes(File);

/// The file of a host's notes.
pub(super) fn place(folder: &Path, host: usize) -> PathBuf {
    folder.join(format!("host-{host}"))
}

impl Notes {
    /// Goes on with the notes of the host before.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(folder: &Path, host: usize) -> io::Result<Notes> {
        let mut file = OpenOptions::new().create(true).append(true).open(place(folder, host))?;
        // The last line of a host that was killed may be half written.
        file.write_all(b"\n")?;
        Ok(Notes(file))
    }

    /// Notes that an order is sent, before it is.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn asks(&self, asked: &Asked) -> io::Result<()> {
        let Asked { id, table, player, order } = asked;
        self.line(&format!("asked {id} {table} {player} {}", serde_json::to_string(order)?))
    }

    /// Notes how it ended, before anything else happens.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn answers(&self, id: &CommandId, answered: Answered) -> io::Result<()> {
        self.line(&match answered {
            Answered::Done(version) => format!("done {id} {version}"),
            Answered::Refused => format!("refused {id}"),
        })
    }

    /// One write for each line; it ends with a stop, so that half of one is told from a whole one.
    fn line(&self, text: &str) -> io::Result<()> {
        (&self.0).write_all(format!("{text} .\n").as_bytes())
    }
}

/// All orders of these notes, and how they ended as far as anybody was told.
#[must_use]
pub(super) fn read(text: &str) -> BTreeMap<String, (Asked, Option<Answered>)> {
    let mut found: BTreeMap<String, (Asked, Option<Answered>)> = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_suffix(" .")) {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        match words[..] {
            ["asked", id, table, player, order] => {
                let asked = || {
                    Some(Asked {
                        id: id.parse().ok()?,
                        table: table.parse().ok()?,
                        player: player.parse().ok()?,
                        order: serde_json::from_str(order).ok()?,
                    })
                };
                found.extend(asked().map(|asked| (id.to_owned(), (asked, None))));
            }
            ["done", id, version] => {
                if let (Some((_, answered)), Ok(version)) = (found.get_mut(id), version.parse()) {
                    *answered = Some(Answered::Done(version));
                }
            }
            ["refused", id] => {
                if let Some((_, answered)) = found.get_mut(id) {
                    *answered = Some(Answered::Refused);
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use baize_rules::BoxNumber;

    use super::*;

    #[test]
    fn notes_outlive_a_host_that_is_killed_while_it_writes() {
        let folder = std::env::temp_dir().join(format!("baize-storm-notes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let asked = |id: &str| Asked {
            id: id.parse().unwrap(),
            table: "t-1".parse().unwrap(),
            player: "ann".parse().unwrap(),
            order: Order::Sit { seat: Some(BoxNumber(3)) },
        };
        let notes = Notes::open(&folder, 1).unwrap();
        for id in ["first-order", "second-order", "third-order"] {
            notes.asks(&asked(id)).unwrap();
        }
        notes.answers(&asked("first-order").id, Answered::Done(7)).unwrap();
        (&notes.0).write_all(b"done second-order 8").unwrap();
        let next = Notes::open(&folder, 1).unwrap();
        next.answers(&asked("third-order").id, Answered::Refused).unwrap();
        let read = read(&std::fs::read_to_string(place(&folder, 1)).unwrap());
        std::fs::remove_dir_all(&folder).unwrap();
        let answers: Vec<_> = read.values().map(|(asked, answered)| (asked.id.as_str(), *answered)).collect();
        assert_eq!(
            answers,
            [
                ("first-order", Some(Answered::Done(7))),
                ("second-order", None),
                ("third-order", Some(Answered::Refused))
            ]
        );
        assert_eq!(read["second-order"].0, asked("second-order"));
    }
}
