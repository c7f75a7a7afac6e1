//! The log of a host's orders: asked, done or refused. It survives the host, and the next one repeats unanswered orders.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use baize_house::{CommandId, Order, PlayerId, TableId};

/// An order that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoggedOrder {
    pub(super) id: CommandId,
    pub(super) table: TableId,
    pub(super) player: PlayerId,
    pub(super) order: Order,
}

/// Its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    /// It produced this version of its table.
    Done(u64),
    /// It changed nothing.
    Refused,
}

/// The log of one host.
pub(super) struct Notes(File);

/// Path of a host's log.
pub(super) fn place(folder: &Path, host: usize) -> PathBuf {
    folder.join(format!("host-{host}"))
}

impl Notes {
    /// Opens the log for appending.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(folder: &Path, host: usize) -> io::Result<Notes> {
        let mut file = OpenOptions::new().create(true).append(true).open(place(folder, host))?;
        // A killed host may have left an incomplete line.
        file.write_all(b"\n")?;
        Ok(Notes(file))
    }

    /// Logs an order before it is sent.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn asks(&self, asked: &LoggedOrder) -> io::Result<()> {
        let LoggedOrder { id, table, player, order } = asked;
        self.line(&format!("asked {id} {table} {player} {}", serde_json::to_string(order)?))
    }

    /// Logs an answer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn answers(&self, id: &CommandId, answered: Answered) -> io::Result<()> {
        self.line(&match answered {
            Answered::Done(version) => format!("done {id} {version}"),
            Answered::Refused => format!("refused {id}"),
        })
    }

    /// One write per line, ending with a full stop to distinguish incomplete lines.
    fn line(&self, text: &str) -> io::Result<()> {
        (&self.0).write_all(format!("{text} .\n").as_bytes())
    }
}

/// All orders in a log, with their outcomes as far as known.
#[must_use]
pub(super) fn read(text: &str) -> BTreeMap<String, (LoggedOrder, Option<Answered>)> {
    let mut found: BTreeMap<String, (LoggedOrder, Option<Answered>)> = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_suffix(" .")) {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        match words[..] {
            ["asked", id, table, player, order] => {
                let asked = || {
                    Some(LoggedOrder {
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
    fn an_incomplete_line_is_ignored() {
        let folder = std::env::temp_dir().join(format!("baize-storm-notes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let asked = |id: &str| LoggedOrder {
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
