//! The console: account commands for those who can read the database, for when nobody can log in.
//!
//! It works on the database of a casino that is stopped or running. On PostgreSQL the command is written beside the hosts, which hear of
//! it. A casino on SQLite has its file to itself: a running one listens on a socket beside it (`FILE.console`), for its own user and root
//! only. What is changed is on record with the name that the system knows the user by.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::{Answer, House, LINK_MINUTES};
use crate::facts::HouseFact;
use crate::journal::Mode;
use crate::{Actor, HouseError, Instant, StaffId, StaffLine, WallClock};

/// What is asked at the console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum ConsoleCommand {
    /// All staff.
    List,
    /// Log-ins by password under this name wait no longer.
    Unlock {
        /// Of staff or of a player.
        name: String,
    },
    /// A one-time link for a member of staff.
    Link {
        /// Who.
        name: StaffId,
        /// How long it holds; nothing: as usual.
        minutes: Option<u32>,
    },
    /// Suspends a member of staff, and ends their sessions.
    Suspend {
        /// Who.
        name: StaffId,
        /// Why, for the record.
        reason: String,
    },
    /// Lets a suspended member of staff in again.
    Reinstate {
        /// Who.
        name: StaffId,
    },
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsoleAnswer {
    /// It is done.
    Done,
    /// All staff.
    Staff(Vec<StaffLine>),
    /// The secret of a one-time link, and until when it holds.
    Link {
        /// The last part of its address.
        secret: String,
        /// Until when.
        expires: Instant,
    },
}

/// A command on its way to a running casino.
#[derive(Serialize, Deserialize)]
struct Sent {
    user: Option<String>,
    command: ConsoleCommand,
}

impl ConsoleCommand {
    /// As it is written down.
    fn words(&self) -> String {
        match self {
            ConsoleCommand::List => "list".to_owned(),
            ConsoleCommand::Unlock { name } => format!("unlock {name}"),
            ConsoleCommand::Link { name, .. } => format!("link {name}"),
            ConsoleCommand::Suspend { name, .. } => format!("suspend {name}"),
            ConsoleCommand::Reinstate { name } => format!("reinstate {name}"),
        }
    }
}

/// Carries out a command on a database, whether its casino runs or not. `user` is the name that the system knows the user by.
///
/// # Errors
/// No such database or account; a database that cannot be reached; what the command itself is refused for.
pub async fn console(database: &str, user: Option<String>, command: ConsoleCommand) -> Answer<ConsoleAnswer> {
    if let Some(path) = file_of(database)
        && let Some(answer) = socket::ask(path, &Sent { user: user.clone(), command: command.clone() }).await
    {
        return answer.map_err(HouseError::Console);
    }
    let house = House::over(database, Arc::new(WallClock), Mode::Console, None).await?;
    let answer = house.at_console(user, command).await;
    house.inner.store.close().await?;
    answer
}

/// The socket of a casino that runs. It is removed once: when the casino is closed, or when it is found gone.
#[derive(Default)]
pub(super) struct Console(Mutex<Option<String>>);

impl Console {
    #[cfg(unix)]
    fn open(&self, place: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
    }

    pub(super) fn close(&self) {
        if let Some(place) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            socket::remove(&place);
        }
    }
}

/// The file of an embedded database.
fn file_of(database: &str) -> Option<&str> {
    let path = database.strip_prefix("sqlite:").unwrap_or(database);
    (!path.contains("://")).then(|| path.split('?').next().unwrap_or(path))
}

impl House {
    /// Listens for commands of the console, where the database is a file. A socket that cannot be made leaves the console to a casino that
    /// is stopped.
    pub(super) fn listen_at_console(&self, database: &str) {
        if let Some(path) = file_of(database) {
            socket::listen(self, path);
        }
    }

    async fn at_console(&self, user: Option<String>, command: ConsoleCommand) -> Answer<ConsoleAnswer> {
        let user = user.map(|user| user.chars().filter(|c| !c.is_control()).take(64).collect());
        let used = HouseFact::ConsoleUsed { user, command: command.words() };
        let house = Actor::House;
        match command {
            ConsoleCommand::List => return Ok(ConsoleAnswer::Staff(self.staff(&house).await?)),
            ConsoleCommand::Unlock { name } => {
                let unknown = || HouseError::Console(format!("nobody is called {name}"));
                self.note(&house, |register| {
                    register.account_of(&name).ok_or_else(unknown)?;
                    Ok(vec![used.clone(), HouseFact::Unlocked { name: name.clone() }])
                })
                .await?;
            }
            ConsoleCommand::Link { name, minutes } => {
                let whom = Actor::staff(name, []);
                self.known(&whom).await?;
                self.note(&house, |_| Ok(vec![used.clone()])).await?;
                let link = self.link_for(&house, &whom, minutes.unwrap_or(LINK_MINUTES)).await?;
                return Ok(ConsoleAnswer::Link { secret: link.secret, expires: link.expires });
            }
            ConsoleCommand::Suspend { name, reason } => {
                let reason: String = reason.chars().filter(|c| !c.is_control()).take(200).collect();
                self.note(&house, |register| {
                    let unknown = || HouseError::UnknownStaff(name.clone());
                    if register.staff.get(&name).ok_or_else(unknown)?.1.suspended {
                        return Err(HouseError::NotNow("the account is suspended already"));
                    }
                    let suspended = HouseFact::Suspended { id: name.clone(), reason: reason.clone() };
                    Ok(vec![used.clone(), suspended])
                })
                .await?;
            }
            ConsoleCommand::Reinstate { name } => {
                self.note(&house, |register| {
                    let unknown = || HouseError::UnknownStaff(name.clone());
                    if !register.staff.get(&name).ok_or_else(unknown)?.1.suspended {
                        return Err(HouseError::NotNow("the account is not suspended"));
                    }
                    Ok(vec![used.clone(), HouseFact::Reinstated { id: name.clone() }])
                })
                .await?;
            }
        }
        Ok(ConsoleAnswer::Done)
    }
}

#[cfg(unix)]
mod socket {
    //! One line of JSON each way.

    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::{UnixListener, UnixStream};

    use super::{ConsoleAnswer, House, Sent};

    /// The longest command.
    const LONGEST: u64 = 4_096;
    /// How long the other side may take for one line.
    const PATIENCE: Duration = Duration::from_secs(15);

    fn place(path: &str) -> String {
        format!("{path}.console")
    }

    /// Asks the casino that runs on this file; nothing: none does, or it does not talk to this user.
    pub(super) async fn ask(path: &str, sent: &Sent) -> Option<Result<ConsoleAnswer, String>> {
        let stream = UnixStream::connect(place(path)).await.ok()?;
        let talk = async {
            let (read, mut write) = stream.into_split();
            let mut line = serde_json::to_vec(sent).ok()?;
            line.push(b'\n');
            write.write_all(&line).await.ok()?;
            let mut answer = String::new();
            BufReader::new(read).read_line(&mut answer).await.ok()?;
            serde_json::from_str(&answer).ok()
        };
        tokio::time::timeout(PATIENCE, talk).await.ok().flatten()
    }

    /// Answers until the house is gone.
    pub(super) fn listen(house: &House, path: &str) {
        let place = place(path);
        // We hold the lock on the database: an existing socket is left over from a casino that died.
        remove(&place);
        let bound = UnixListener::bind(&place).and_then(|listener| {
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o600))?;
            Ok((listener, std::fs::metadata(&place)?.uid()))
        });
        let (listener, owner) = match bound {
            Ok(bound) => bound,
            Err(error) => {
                // The console then waits until the casino is stopped; play goes on.
                tracing::warn!(target: "baize::house", place, %error, "no console");
                return;
            }
        };
        let inner = Arc::downgrade(&house.inner);
        let console = Arc::clone(&house.inner.console);
        console.open(place);
        tokio::spawn(async move {
            loop {
                let accepted = tokio::time::timeout(Duration::from_secs(1), listener.accept()).await;
                let Some(house) = super::super::open_close::open(&inner) else { return console.close() };
                let Ok(Ok((stream, _))) = accepted else { continue };
                // Only the casino's own user and root are answered.
                if stream.peer_cred().is_ok_and(|peer| peer.uid() == owner || peer.uid() == 0) {
                    let answered = tokio::time::timeout(PATIENCE, answer(&house, stream)).await;
                    if !matches!(answered, Ok(Some(()))) {
                        tracing::warn!(target: "baize::house", "a command of the console got no answer");
                    }
                }
            }
        });
    }

    pub(super) fn remove(place: &str) {
        match std::fs::remove_file(place) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(target: "baize::house", place, %error, "the console's socket stays");
            }
            _ => {}
        }
    }

    async fn answer(house: &House, stream: UnixStream) -> Option<()> {
        let (read, mut write) = stream.into_split();
        let mut line = String::new();
        BufReader::new(read.take(LONGEST)).read_line(&mut line).await.ok()?;
        let Sent { user, command } = serde_json::from_str(&line).ok()?;
        let answer = house.at_console(user, command).await.map_err(|error| error.to_string());
        let mut line = serde_json::to_vec(&answer).ok()?;
        line.push(b'\n');
        write.write_all(&line).await.ok()
    }
}

#[cfg(not(unix))]
mod socket {
    //! Without sockets in the file system the console works on a casino that is stopped.

    use super::{ConsoleAnswer, House, Sent};

    pub(super) async fn ask(_: &str, _: &Sent) -> Option<Result<ConsoleAnswer, String>> {
        None
    }

    pub(super) fn listen(_: &House, _: &str) {}

    pub(super) fn remove(_: &str) {}
}
