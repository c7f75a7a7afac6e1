//! Singapore's cash rules at the cage, and the drawer of a cashier.
//!
//! Cash in and cash out are each added up for a player and a gaming day. When either reaches [`CASH_REPORT`], in one movement or in all, a
//! cash transaction report is due: it is opened in the transaction of that movement and listed until it is filed. Cash that moves
//! after the filing on the same day opens it again.

use baize_rules::Money;
use serde::Serialize;

use super::create::needs;
use super::{Answer, House};
use crate::facts::{Body, HouseFact, PurseFact};
use crate::journal::{Entry, EntryFilter, Stream};
use crate::stored;
use crate::{Actor, CageMovement, Date, Duty, HouseError, Instant, PlayerId, StaffId};

/// Cash in or cash out of one player and gaming day from which a cash transaction report is due.
pub const CASH_REPORT: Money = Money::from_dollars(10_000);
/// Cash in or cash out of one player and gaming day from which the cashier identifies the player.
pub const IDENTIFY_FROM: Money = Money::from_dollars(4_000);
/// Days after its gaming day by which a report is due.
pub(crate) const REPORT_DAYS: u32 = 15;

/// The longest text of a document or a reference.
const LONGEST: usize = 60;
/// Filed reports and counts that are listed.
const LISTED: u32 = 50;
/// The most that a drawer is said to hold.
const MOST: Money = Money::from_dollars(100_000_000);

/// The cash of one player on one gaming day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CashDay {
    /// The player.
    pub player: PlayerId,
    /// Their name as people write it, if the house knows one.
    pub name: Option<String>,
    /// The document that a cashier has seen.
    pub identified: Option<String>,
    /// The gaming day.
    pub day: Date,
    /// Cash that was brought.
    pub cash_in: Money,
    /// Cash that was paid out.
    pub cash_out: Money,
    /// The movements, oldest first.
    pub movements: Vec<CageMovement>,
}

impl CashDay {
    /// The larger of the two directions, after one more movement.
    #[must_use]
    pub fn reaches(&self, buy_in: bool, amount: Money) -> Money {
        let (cash_in, cash_out) = if buy_in { (amount, Money::ZERO) } else { (Money::ZERO, amount) };
        (self.cash_in + cash_in).max(self.cash_out + cash_out)
    }
}

/// A cash transaction report that is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CashReport {
    /// Whose cash, which day, how much.
    #[serde(flatten)]
    pub of: CashDay,
    /// The last day on which it may be filed.
    pub due: Date,
}

/// A cash transaction report that was filed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FiledReport {
    /// The player.
    pub player: PlayerId,
    /// The gaming day.
    pub day: Date,
    /// Cash that was brought, as filed.
    pub cash_in: Money,
    /// Cash that was paid out, as filed.
    pub cash_out: Money,
    /// The reference under which it was filed.
    pub reference: String,
    /// Who filed it: `staff:carl`.
    pub by: String,
    /// When.
    pub at: Instant,
}

/// A cashier's drawer since the last count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drawer {
    /// What the last count left in it.
    pub opening: Money,
    /// Cash that came in since.
    pub cash_in: Money,
    /// Cash that went out.
    pub cash_out: Money,
    /// How many movements that were.
    pub movements: usize,
    /// The number of the last of them in the journal.
    #[serde(skip)]
    through: u64,
}

impl Drawer {
    /// What must be in it.
    #[must_use]
    pub fn expected(&self) -> Money {
        self.opening + self.cash_in - self.cash_out
    }
}

/// A count that is on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DrawerCount {
    /// Who counted.
    pub cashier: StaffId,
    /// When.
    pub at: Instant,
    /// What must have been in it.
    pub expected: Money,
    /// What was.
    pub counted: Money,
    /// What stayed in it.
    pub kept: Money,
}

impl DrawerCount {
    /// Counted less expected: negative, it was short.
    #[must_use]
    pub fn difference(&self) -> Money {
        self.counted - self.expected
    }
}

/// A text typed for the record.
fn typed(text: &str, why: &'static str) -> Answer<String> {
    let text: String = text.trim().chars().filter(|sign| !sign.is_control()).take(LONGEST).collect();
    if text.is_empty() { Err(HouseError::NotNow(why)) } else { Ok(text) }
}

/// Cage movements of a kind.
fn cash(buy_in: bool, movements: &[CageMovement]) -> Money {
    movements.iter().filter(|one| one.buy_in == buy_in).map(|one| one.amount).sum()
}

impl House {
    /// The cash of a player today. Cage.
    ///
    /// # Errors
    /// Not their business; no such player.
    pub async fn cash_today(&self, by: &Actor, player: &PlayerId) -> Answer<CashDay> {
        needs(by, Duty::Cage)?;
        self.known(&Actor::player(player.clone())).await?;
        self.cash_of(player, self.gaming_day().of(self.now())).await
    }

    /// The cash of a player on a gaming day.
    pub(super) async fn cash_of(&self, player: &PlayerId, day: Date) -> Answer<CashDay> {
        // A movement says which day it counts for: clocks of hosts and the house's day may differ a little from one another.
        let from = Instant(self.gaming_day().start(day).0 - 86_400_000);
        let filter = EntryFilter {
            stream: Some(Stream::player(player)),
            kinds: vec!["bought-in".to_owned(), "cashed-out".to_owned()],
            from: Some(from),
            after: Some(0),
            limit: u32::MAX,
            ..EntryFilter::default()
        };
        let mut movements = Vec::new();
        for entry in self.inner.store.entries(filter).await? {
            if self.day_of(&entry)? == day {
                movements.extend(super::cage_receipts::movement(&entry));
            }
        }
        let register = self.inner.shown.get();
        Ok(CashDay {
            player: player.clone(),
            name: register.names.get(player.as_str()).cloned(),
            identified: register.identified.get(player).cloned(),
            day,
            cash_in: cash(true, &movements),
            cash_out: cash(false, &movements),
            movements,
        })
    }

    /// The gaming day that a movement counts for; those of older programs say none.
    fn day_of(&self, entry: &Entry) -> Answer<Date> {
        let Body::Purse(facts) = stored::read(&entry.body, &entry.place())? else {
            return Ok(self.gaming_day().of(entry.at));
        };
        let said = facts.iter().find_map(|fact| match fact {
            PurseFact::BoughtIn { day, .. } | PurseFact::CashedOut { day, .. } => *day,
            PurseFact::PlayChipsGiven { .. }
            | PurseFact::ClaimBooked { .. }
            | PurseFact::ClaimCollected { .. }
            | PurseFact::ChipsReturned { .. } => None,
        });
        Ok(said.unwrap_or_else(|| self.gaming_day().of(entry.at)))
    }

    /// A cashier has seen a document of a player: what kind, and the end of its number. Cage.
    ///
    /// # Errors
    /// Not their business; no such player; nothing was typed.
    pub async fn identify(&self, by: &Actor, player: &PlayerId, document: &str) -> Answer<()> {
        needs(by, Duty::Cage)?;
        self.known(&Actor::player(player.clone())).await?;
        let document = typed(document, "say which document was seen, like passport …567A")?;
        let fact = HouseFact::PlayerIdentified { player: player.clone(), document };
        self.once(by, None, |made| *made == fact, self.note(by, |_| Ok(vec![fact.clone()]))).await.map(drop)
    }

    /// Cash transaction reports that are due, the oldest first. Cage, Shift Manager or auditor.
    pub async fn cash_reports(&self, by: &Actor) -> Answer<Vec<CashReport>> {
        reads_cash(by)?;
        let open = self.inner.shown.get().cash_reports.clone();
        let mut reports = Vec::with_capacity(open.len());
        for (day, player) in &open {
            let of = self.cash_of(player, *day).await?;
            reports.push(CashReport { due: day.plus_days(REPORT_DAYS), of });
        }
        Ok(reports)
    }

    /// Cash transaction reports that were filed, the latest first. Cage, Shift Manager or auditor.
    pub async fn filed_reports(&self, by: &Actor) -> Answer<Vec<FiledReport>> {
        reads_cash(by)?;
        let mut filed = Vec::new();
        for (entry, fact) in self.noted("cash-report-filed", None).await? {
            if let HouseFact::CashReportFiled { player, day, reference, cash_in, cash_out } = fact {
                let (by, at) = (entry.actor.clone(), entry.at);
                filed.push(FiledReport { player, day, cash_in, cash_out, reference, by, at });
            }
        }
        Ok(filed)
    }

    /// A report was filed under this reference. Cage.
    ///
    /// # Errors
    /// Not their business; no such report is due.
    pub async fn file_cash_report(
        &self,
        by: &Actor,
        player: &PlayerId,
        day: Date,
        reference: &str,
    ) -> Answer<()> {
        needs(by, Duty::Cage)?;
        let reference = typed(reference, "write the reference under which the report was filed")?;
        let of = self.cash_of(player, day).await?;
        let fact = HouseFact::CashReportFiled {
            player: player.clone(),
            day,
            reference,
            cash_in: of.cash_in,
            cash_out: of.cash_out,
        };
        let noting = self.note(by, |register| {
            if !register.cash_reports.contains(&(day, player.clone())) {
                return Err(HouseError::NotNow("no report of this player and day is due"));
            }
            Ok(vec![fact.clone()])
        });
        self.once(by, None, |made| *made == fact, noting).await.map(drop)
    }

    /// The drawer of this cashier since its last count. Cage.
    pub async fn drawer(&self, by: &Actor) -> Answer<Drawer> {
        needs(by, Duty::Cage)?;
        let (opening, after) = self.inner.shown.get().drawers.get(&cashier(by)?).copied().unwrap_or_default();
        let filter = EntryFilter {
            actor: Some(by.label()),
            kinds: vec!["bought-in".to_owned(), "cashed-out".to_owned()],
            after: Some(after),
            limit: u32::MAX,
            ..EntryFilter::default()
        };
        let entries = self.inner.store.entries(filter).await?;
        let moved: Vec<CageMovement> = entries.iter().filter_map(super::cage_receipts::movement).collect();
        Ok(Drawer {
            opening,
            cash_in: cash(true, &moved),
            cash_out: cash(false, &moved),
            movements: moved.len(),
            through: moved.last().map_or(after, |last| last.number),
        })
    }

    /// A cashier counts the drawer: so much is in it, and so much stays in it for the next shift. Cage.
    ///
    /// # Errors
    /// Not their business; amounts that cannot be.
    pub async fn count_drawer(&self, by: &Actor, counted: Money, kept: Money) -> Answer<DrawerCount> {
        for amount in [counted, kept] {
            if amount < Money::ZERO || amount > MOST {
                return Err(HouseError::Amount(amount));
            }
        }
        let (cashier, drawer) = (cashier(by)?, self.drawer(by).await?);
        let count = DrawerCount {
            cashier: cashier.clone(),
            at: self.now(),
            expected: drawer.expected(),
            counted,
            kept,
        };
        let Drawer { opening, cash_in, cash_out, through, .. } = drawer;
        let fact = HouseFact::DrawerCounted { cashier, opening, cash_in, cash_out, counted, kept, through };
        let same = |made: &HouseFact| {
            matches!(made, HouseFact::DrawerCounted { cashier, counted: of, kept: stays, .. }
                if *cashier == count.cashier && *of == counted && *stays == kept)
        };
        self.once(by, None, same, self.note(by, |_| Ok(vec![fact.clone()]))).await?;
        Ok(count)
    }

    /// Counts of drawers, the latest first: a cashier's own, or all for a Shift Manager and an auditor.
    pub async fn drawer_counts(&self, by: &Actor) -> Answer<Vec<DrawerCount>> {
        reads_cash(by)?;
        let own = by.may(Duty::Cage) && *by != Actor::House;
        let mut counts = Vec::new();
        for (entry, fact) in self.noted("drawer-counted", own.then(|| by.label())).await? {
            if let HouseFact::DrawerCounted { cashier, opening, cash_in, cash_out, counted, kept, .. } = fact
            {
                let expected = opening + cash_in - cash_out;
                counts.push(DrawerCount { cashier, at: entry.at, expected, counted, kept });
            }
        }
        Ok(counts)
    }

    /// The latest facts of a kind in the house's chain, with their entries.
    async fn noted(&self, kind: &str, actor: Option<String>) -> Answer<Vec<(Entry, HouseFact)>> {
        let filter = EntryFilter {
            stream: Some(Stream::house()),
            kinds: vec![kind.to_owned()],
            actor,
            limit: LISTED,
            ..EntryFilter::default()
        };
        let mut noted = Vec::new();
        for entry in self.inner.store.entries(filter).await? {
            if let Body::House(facts) = stored::read(&entry.body, &entry.place())? {
                noted.extend(facts.into_iter().map(|fact| (entry.clone(), fact)));
            }
        }
        Ok(noted)
    }
}

fn reads_cash(by: &Actor) -> Answer<()> {
    if by.may(Duty::Auditor) || by.may(Duty::ShiftManager) { Ok(()) } else { needs(by, Duty::Cage) }
}

fn cashier(by: &Actor) -> Answer<StaffId> {
    match by {
        Actor::Staff { id, .. } => Ok(id.clone()),
        Actor::House | Actor::Player { .. } | Actor::Public => {
            Err(HouseError::NotNow("only a cashier has a drawer"))
        }
    }
}
