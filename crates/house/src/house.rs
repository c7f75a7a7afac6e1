//! The house: what the web and the command line use.
//!
//! Cheap to clone. Every method that changes something is one transaction: it is in the journal when the method answers, or nothing
//! happened. Every method checks who asks.

use std::sync::Arc;

use baize_rules::Money;
use tokio::sync::broadcast;

use crate::audit::AuditReport;
use crate::report::{By, Report};
use crate::{
    Actor, Change, Clock, CommandId, Duty, HouseError, JackpotConfig, JackpotId, JackpotView, JournalFilter,
    JournalLine, OneTimeLink, Order, PlayerId, PlayerLine, Receipt, RoundFilter, RoundId, RoundLine,
    RoundRecord, Session, ShuffleProof, Significant, StaffId, StaffLine, TableConfig, TableId, TableInfo,
    TableView, WallClock,
};

/// What every method answers.
pub type Answer<T> = Result<T, HouseError>;

/// The casino.
#[derive(Clone)]
pub struct House {
    inner: Arc<Inner>,
}

struct Inner {
    clock: Arc<dyn Clock>,
    changes: broadcast::Sender<Change>,
}

const NOT_YET: HouseError = HouseError::NotNow("not built yet");

/// Opening and setting up.
impl House {
    /// Opens the database (a file, `sqlite:FILE` or `postgres://…`), brings it up to date, and puts every table where the journal left it.
    /// A round that was under way is resolved by its game's paragraph on power failures.
    ///
    /// # Errors
    /// A database that cannot be reached, is damaged, in use, or belongs to a newer program.
    pub async fn open(database: &str) -> Answer<House> {
        House::open_with(database, Arc::new(WallClock)).await
    }

    /// As [`House::open`], with another clock.
    ///
    /// # Errors
    /// As [`House::open`].
    pub async fn open_with(database: &str, clock: Arc<dyn Clock>) -> Answer<House> {
        let _ = database;
        Ok(House { inner: Arc::new(Inner { clock, changes: broadcast::channel(1024).0 }) })
    }

    /// The default database: a file in the user's data folder.
    #[must_use]
    pub fn default_database() -> String {
        "baize.sqlite".to_owned()
    }

    /// Sets up the default casino where there are no tables yet: a table for each built-in rulebook, a jackpot for each operator, and
    /// nobody's password. Does nothing otherwise.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn set_up_default(&self) -> Answer<()> {
        Err(NOT_YET)
    }

    /// Opens a jackpot. Shift Manager or above.
    ///
    /// # Errors
    /// A name that is taken, figures that do not fit.
    pub async fn create_jackpot(&self, by: &Actor, config: JackpotConfig) -> Answer<()> {
        let _ = (by, config);
        Err(NOT_YET)
    }

    /// Sets up a table. Shift Manager or above.
    ///
    /// # Errors
    /// A name that is taken, a set-up that does not fit its rulebook, an unknown jackpot.
    pub async fn create_table(&self, by: &Actor, config: TableConfig) -> Answer<()> {
        let _ = (by, config);
        Err(NOT_YET)
    }

    /// The time in this house.
    #[must_use]
    pub fn now(&self) -> crate::Instant {
        self.inner.clock.now()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// It does not.
    pub async fn health(&self) -> Answer<()> {
        Err(NOT_YET)
    }

    /// Stops taking orders, seals the journal and closes the database.
    pub async fn close(self) {}
}

/// Tables.
impl House {
    /// All tables, by id.
    pub async fn tables(&self) -> Answer<Vec<TableInfo>> {
        Err(NOT_YET)
    }

    /// A table as the lobby shows it.
    ///
    /// # Errors
    /// No such table.
    pub async fn table(&self, id: &TableId) -> Answer<TableInfo> {
        let _ = id;
        Err(NOT_YET)
    }

    /// A table as this person may see it, with what he may do now.
    ///
    /// # Errors
    /// No such table.
    pub async fn view(&self, actor: &Actor, id: &TableId) -> Answer<TableView> {
        let _ = (actor, id);
        Err(NOT_YET)
    }

    /// Carries out an order. Sent twice under one id, it acts once and answers the same.
    ///
    /// # Errors
    /// The rules refuse it, the actor may not, the purse does not hold it, the database is away.
    pub async fn act(&self, actor: &Actor, table: &TableId, id: &CommandId, order: Order) -> Answer<Receipt> {
        let _ = (actor, table, id, order);
        Err(NOT_YET)
    }

    /// What an order would lead to, in words and paragraphs, without carrying it out: for the irregularity desk.
    ///
    /// # Errors
    /// As [`House::act`].
    pub async fn preview(&self, actor: &Actor, table: &TableId, order: Order) -> Answer<Vec<String>> {
        let _ = (actor, table, order);
        Err(NOT_YET)
    }

    /// Changes from now on, of all tables, jackpots and purses. A reader that falls behind is told how many it missed
    /// (`RecvError::Lagged`) and asks for its views again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.inner.changes.subscribe()
    }

    /// Changes after this number, oldest first: for a reader that comes back. At least once, in the order of numbers.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn changes_after(&self, number: u64, limit: u32) -> Answer<Vec<Change>> {
        let _ = (number, limit);
        Err(NOT_YET)
    }
}

/// Money: the cage.
impl House {
    /// Chips for cash. Cage.
    ///
    /// # Errors
    /// No such player, an amount that is nothing or too large.
    pub async fn buy_in(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        let _ = (by, player, id, amount);
        Err(NOT_YET)
    }

    /// Cash for chips. Cage.
    ///
    /// # Errors
    /// No such player, more than his purse holds.
    pub async fn cash_out(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        let _ = (by, player, id, amount);
        Err(NOT_YET)
    }

    /// What is in a purse.
    ///
    /// # Errors
    /// No such player.
    pub async fn purse(&self, player: &PlayerId) -> Answer<Money> {
        let _ = player;
        Err(NOT_YET)
    }
}

/// Jackpots.
impl House {
    /// All jackpots.
    pub async fn jackpots(&self) -> Answer<Vec<JackpotView>> {
        Err(NOT_YET)
    }

    /// The hand of a hit qualifies. Pit Supervisor or above.
    ///
    /// # Errors
    /// No such hit, or nothing to verify.
    pub async fn verify_hit(&self, by: &Actor, jackpot: &JackpotId, hit: u64) -> Answer<()> {
        let _ = (by, jackpot, hit);
        Err(NOT_YET)
    }

    /// A second, different person confirms a large award. Pit Supervisor or above.
    ///
    /// # Errors
    /// The same person, or nothing to confirm.
    pub async fn confirm_hit(&self, by: &Actor, jackpot: &JackpotId, hit: u64) -> Answer<()> {
        let _ = (by, jackpot, hit);
        Err(NOT_YET)
    }

    /// The hand does not qualify: what it had locked goes back. Pit Supervisor or above.
    ///
    /// # Errors
    /// No such hit, or it has been paid.
    pub async fn reject_hit(&self, by: &Actor, jackpot: &JackpotId, hit: u64, reason: &str) -> Answer<()> {
        let _ = (by, jackpot, hit, reason);
        Err(NOT_YET)
    }
}

/// People.
impl House {
    /// A new player, with play chips if any are given. Nobody needs to ask for it.
    ///
    /// # Errors
    /// The name is taken.
    pub async fn create_player(
        &self,
        id: &PlayerId,
        password: Option<&str>,
        play_chips: Money,
    ) -> Answer<()> {
        let _ = (id, password, play_chips);
        Err(NOT_YET)
    }

    /// A new member of staff. Shift Manager or above, or the house itself.
    ///
    /// # Errors
    /// The name is taken; duties that must be separate (the cage or an auditor who also deals).
    pub async fn create_staff(
        &self,
        by: &Actor,
        id: &StaffId,
        password: Option<&str>,
        duties: &[Duty],
    ) -> Answer<()> {
        let _ = (by, id, password, duties);
        Err(NOT_YET)
    }

    /// All staff. Shift Manager or auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn staff(&self, by: &Actor) -> Answer<Vec<StaffLine>> {
        let _ = by;
        Err(NOT_YET)
    }

    /// All players. Cage, pit or auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn players(&self, by: &Actor) -> Answer<Vec<PlayerLine>> {
        let _ = by;
        Err(NOT_YET)
    }

    /// Logs in with a password. Three failures lock the account.
    ///
    /// # Errors
    /// Wrong name or password, a locked account.
    pub async fn log_in(&self, name: &str, password: &str) -> Answer<Session> {
        let _ = (name, password);
        Err(NOT_YET)
    }

    /// A link that lets this person in once. For staff: asked by a Shift Manager or the house itself. For a player: by the cage, the house or
    /// himself.
    ///
    /// # Errors
    /// No such person, not his business.
    pub async fn one_time_link(&self, by: &Actor, whom: &Actor) -> Answer<OneTimeLink> {
        let _ = (by, whom);
        Err(NOT_YET)
    }

    /// Lets in whoever brings the secret of a one-time link, once.
    ///
    /// # Errors
    /// Used, expired or never given.
    pub async fn redeem(&self, secret: &str) -> Answer<Session> {
        let _ = secret;
        Err(NOT_YET)
    }

    /// A session for somebody who has just been created (one click to sit down).
    ///
    /// # Errors
    /// No such person.
    pub async fn start_session(&self, actor: &Actor) -> Answer<Session> {
        let _ = actor;
        Err(NOT_YET)
    }

    /// Who this session's secret belongs to. Sessions survive a restart.
    ///
    /// # Errors
    /// None, or it has expired.
    pub async fn session(&self, secret: &str) -> Answer<Actor> {
        let _ = secret;
        Err(NOT_YET)
    }

    /// Ends a session.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn end_session(&self, secret: &str) -> Answer<()> {
        let _ = secret;
        Err(NOT_YET)
    }

    /// Unlocks an account. Shift Manager or above.
    ///
    /// # Errors
    /// No such account.
    pub async fn unlock(&self, by: &Actor, name: &str) -> Answer<()> {
        let _ = (by, name);
        Err(NOT_YET)
    }
}

/// Records.
impl House {
    /// Finished rounds, newest first.
    ///
    /// # Errors
    /// Only those of the database.
    pub async fn rounds(&self, filter: &RoundFilter) -> Answer<Vec<RoundLine>> {
        let _ = filter;
        Err(NOT_YET)
    }

    /// A finished round with every step as this person may see it (an auditor sees all), slips and the proof of the shuffle.
    ///
    /// # Errors
    /// No such round, or it is not over.
    pub async fn round(&self, actor: &Actor, id: &RoundId) -> Answer<RoundRecord> {
        let _ = (actor, id);
        Err(NOT_YET)
    }

    /// The proof of the shuffle of a finished round.
    ///
    /// # Errors
    /// No such round, not over yet, or its cards were entered.
    pub async fn proof(&self, id: &RoundId) -> Answer<ShuffleProof> {
        let _ = id;
        Err(NOT_YET)
    }

    /// A finished round as a round script, which replays to the same settlement.
    ///
    /// # Errors
    /// No such round, or it is not over.
    pub async fn export(&self, id: &RoundId) -> Answer<String> {
        let _ = id;
        Err(NOT_YET)
    }

    /// Significant events, newest first. Pit or auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn significant_events(&self, by: &Actor, limit: u32) -> Answer<Vec<Significant>> {
        let _ = (by, limit);
        Err(NOT_YET)
    }

    /// Lines of the journal. Auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn journal(&self, by: &Actor, filter: &JournalFilter) -> Answer<Vec<JournalLine>> {
        let _ = (by, filter);
        Err(NOT_YET)
    }

    /// Replays everything and checks chains, ledger, meters and promises.
    ///
    /// # Errors
    /// Only those of the database: what is wrong with the record is in the report.
    pub async fn audit(&self) -> Answer<AuditReport> {
        Err(NOT_YET)
    }

    /// Drop, win, hold, rounds and jackpot movements. Cage, pit manager or auditor.
    ///
    /// # Errors
    /// Not his business.
    pub async fn report(&self, by: &Actor, group: By) -> Answer<Report> {
        let _ = (by, group);
        Err(NOT_YET)
    }
}
