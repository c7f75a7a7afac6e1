//! The console: account commands for people who can read the database, when nobody can log in.
//!
//! It works whether the casino is running or not. On PostgreSQL the command is written directly, and the hosts are notified. A running
//! casino on SQLite listens on a socket beside its file (`FILE.console`), for its own user and root only. Changes are recorded with the
//! operating system's name of the user.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::{Answer, House, LINK_MINUTES};
use crate::boxed;
use crate::facts::HouseFact;
use crate::journal::Mode;
use crate::{Actor, HouseError, Instant, StaffId, StaffLine, WallClock};

/// A console command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum ConsoleCommand {
    /// All staff.
    List,
    /// Ends the delay of password log-ins under a name.
    Unlock {
        /// Of a member of staff or a player.
        name: String,
    },
    /// A one-time link for a member of staff.
    Link {
        /// Who.
        name: StaffId,
        /// How long it is valid; [`LINK_MINUTES`] if absent.
        minutes: Option<u32>,
    },
    /// Suspends a member of staff, and ends their sessions.
    Suspend {
        /// Who.
        name: StaffId,
        /// The reason, for the record.
        reason: String,
    },
    /// Reinstates a suspended member of staff.
    Reinstate {
        /// Who.
        name: StaffId,
    },
}

/// The answer to a console command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsoleAnswer {
    /// Done.
    Done,
    /// All staff.
    Staff(Vec<StaffLine>),
    /// A one-time link.
    Link {
        /// The last part of its address.
        secret: String,
        /// When it expires.
        expires: Instant,
    },
}

/// A command as sent to a running casino.
#[derive(Serialize, Deserialize)]
struct Sent {
    user: Option<String>,
    command: ConsoleCommand,
}

impl ConsoleCommand {
    /// The command as recorded.
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

/// Carries out a command on a database, whether its casino is running or not. `user` is the operating system's name of the user.
///
/// # Errors
/// No such database or account; the database cannot be reached; the command is refused.
#[boxed]
pub async fn console(database: &str, user: Option<String>, command: ConsoleCommand) -> Answer<ConsoleAnswer> {
    if let Some(path) = file_of(database)
        && let Some(answer) = socket::ask(path, &Sent { user: user.clone(), command: command.clone() }).await
    {
        return answer.map_err(HouseError::Console);
    }
    let house = House::connect(database, Arc::new(WallClock), Mode::Console, None).await?;
    let answer = house.at_console(user, command).await;
    house.inner.store.close().await?;
    answer
}

/// The socket of a running casino. It is removed once: when the casino is closed, or found gone.
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

/// The file of a SQLite database.
fn file_of(database: &str) -> Option<&str> {
    let path = database.strip_prefix("sqlite:").unwrap_or(database);
    (!path.contains("://")).then(|| path.split('?').next().unwrap_or(path))
}

impl House {
    /// Listens for console commands, if the database is a file. If the socket cannot be created, the console works only on the stopped
    /// casino.
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
                let unknown = || HouseError::Console(format!("there is no account {name}"));
                self.append_facts(&house, |register| {
                    register.account_of(&name).ok_or_else(unknown)?;
                    Ok(vec![used.clone(), HouseFact::Unlocked { name: name.clone() }])
                })
                .await?;
            }
            ConsoleCommand::Link { name, minutes } => {
                let whom = Actor::staff(name, []);
                self.find_account(&whom).await?;
                self.append_facts(&house, |_| Ok(vec![used.clone()])).await?;
                let link = self.link_for(&house, &whom, minutes.unwrap_or(LINK_MINUTES)).await?;
                return Ok(ConsoleAnswer::Link { secret: link.secret, expires: link.expires });
            }
            ConsoleCommand::Suspend { name, reason } => {
                let reason: String = reason.chars().filter(|c| !c.is_control()).take(200).collect();
                self.append_facts(&house, |register| {
                    let unknown = || HouseError::UnknownStaff(name.clone());
                    if register.staff.get(&name).ok_or_else(unknown)?.1.suspended {
                        return Err(HouseError::NotNow("the account is already suspended"));
                    }
                    let suspended = HouseFact::Suspended { id: name.clone(), reason: reason.clone() };
                    Ok(vec![used.clone(), suspended])
                })
                .await?;
            }
            ConsoleCommand::Reinstate { name } => {
                self.append_facts(&house, |register| {
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
    //! The protocol is one line of JSON each way.

    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::{UnixListener, UnixStream};

    use super::{ConsoleAnswer, House, Sent};

    /// Maximum length of a command, in bytes.
    const MAX_COMMAND_LEN: u64 = 4_096;
    /// Timeout for a request and its answer.
    const TIMEOUT: Duration = Duration::from_secs(15);

    fn place(path: &str) -> String {
        format!("{path}.console")
    }

    /// Sends a command to the casino running on this file. `None` if none is running, or it does not answer this user.
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
        tokio::time::timeout(TIMEOUT, talk).await.ok().flatten()
    }

    /// Answers commands until the house is closed.
    pub(super) fn listen(house: &House, path: &str) {
        let place = place(path);
        // This process holds the lock on the database: an existing socket is left over from a crash.
        remove(&place);
        let bound = UnixListener::bind(&place).and_then(|listener| {
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o600))?;
            Ok((listener, std::fs::metadata(&place)?.uid()))
        });
        let (listener, owner) = match bound {
            Ok(bound) => bound,
            Err(error) => {
                // The console then needs a stopped casino; play continues.
                tracing::warn!(target: "baize::house", place, %error, "the console's socket cannot be created");
                return;
            }
        };
        let inner = Arc::downgrade(&house.inner);
        let console = Arc::clone(&house.inner.console);
        console.open(place);
        tokio::spawn(async move {
            loop {
                let accepted = tokio::time::timeout(Duration::from_secs(1), listener.accept()).await;
                let Some(house) = super::super::open_close::upgrade(&inner) else { return console.close() };
                let Ok(Ok((stream, _))) = accepted else { continue };
                // Only the casino's own user and root get an answer.
                if stream.peer_cred().is_ok_and(|peer| peer.uid() == owner || peer.uid() == 0) {
                    let answered = tokio::time::timeout(TIMEOUT, answer(&house, stream)).await;
                    if !matches!(answered, Ok(Some(()))) {
                        tracing::warn!(target: "baize::house", "a console command was not answered");
                    }
                }
            }
        });
    }

    pub(super) fn remove(place: &str) {
        match std::fs::remove_file(place) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(target: "baize::house", place, %error, "the console's socket could not be removed");
            }
            _ => {}
        }
    }

    async fn answer(house: &House, stream: UnixStream) -> Option<()> {
        let (read, mut write) = stream.into_split();
        let mut line = String::new();
        BufReader::new(read.take(MAX_COMMAND_LEN)).read_line(&mut line).await.ok()?;
        let Sent { user, command } = serde_json::from_str(&line).ok()?;
        let answer = house.at_console(user, command).await.map_err(|error| error.to_string());
        let mut line = serde_json::to_vec(&answer).ok()?;
        line.push(b'\n');
        write.write_all(&line).await.ok()
    }
}

#[cfg(not(unix))]
mod socket {
    //! Without Unix sockets the console works only on a stopped casino.

    use super::{ConsoleAnswer, House, Sent};

    pub(super) async fn ask(_: &str, _: &Sent) -> Option<Result<ConsoleAnswer, String>> {
        None
    }

    pub(super) fn listen(_: &House, _: &str) {}

    pub(super) fn remove(_: &str) {}
}
