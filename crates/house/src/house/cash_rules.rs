//! Singapore's cash reporting rules at the cage, and cashiers' drawers.
//!
//! Cash in and cash out are added up separately for each player and gaming day. When either reaches [`CASH_REPORT`], in one movement or in
//! total, a cash transaction report is due: the transaction of that movement opens it, and it is listed until it is filed. Cash that moves
//! after the filing on the same day opens it again.

use baize_rules::Money;
use serde::Serialize;

use super::cage_receipts::{cash_kinds, movement};
use super::{Answer, House};
use crate::boxed;
use crate::facts::{Body, HouseFact, PurseFact};
use crate::journal::{Entry, EntryFilter, Stream};
use crate::stored;
use crate::{Actor, CageMovement, Date, Duty, HouseError, Instant, PlayerId, StaffId};

/// Total of cash in, or of cash out, of one player and gaming day from which a report is due.
pub const CASH_REPORT: Money = Money::from_dollars(10_000);
/// Total from which the cashier is asked to identify the player.
pub const IDENTIFY_FROM: Money = Money::from_dollars(4_000);
/// Days within which a report must be filed.
pub(crate) const REPORT_DAYS: u32 = 15;

/// Maximum length of a document's description or a reference, in characters.
const MAX_TEXT_LEN: usize = 60;
/// Maximum number of filed reports or counts listed.
const LIST_LIMIT: u32 = 50;
/// Maximum amount in a drawer.
const MAX_DRAWER: Money = Money::from_dollars(100_000_000);

/// The cash of one player on one gaming day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CashDay {
    /// The player.
    pub player: PlayerId,
    /// Their display name, if they have one.
    pub name: Option<String>,
    /// The identity document that a cashier has checked.
    pub identified: Option<String>,
    /// The gaming day.
    pub day: Date,
    /// Cash in.
    pub cash_in: Money,
    /// Cash out.
    pub cash_out: Money,
    /// The movements, oldest first.
    pub movements: Vec<CageMovement>,
}

impl CashDay {
    /// The larger of cash in and cash out after one more movement.
    #[must_use]
    pub fn reaches(&self, buy_in: bool, amount: Money) -> Money {
        let (cash_in, cash_out) = if buy_in { (amount, Money::ZERO) } else { (Money::ZERO, amount) };
        (self.cash_in + cash_in).max(self.cash_out + cash_out)
    }
}

/// A cash transaction report that is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CashReport {
    /// The player, day and totals.
    #[serde(flatten)]
    pub of: CashDay,
    /// The last day for filing it.
    pub due: Date,
}

/// A cash transaction report that was filed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FiledReport {
    /// The player.
    pub player: PlayerId,
    /// The gaming day.
    pub day: Date,
    /// Cash in, as filed.
    pub cash_in: Money,
    /// Cash out, as filed.
    pub cash_out: Money,
    /// The reference of the filing.
    pub reference: String,
    /// Who filed it: `staff:carl`.
    pub by: String,
    /// When.
    pub at: Instant,
}

/// A cashier's drawer since the last count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drawer {
    /// Amount kept in it at the last count.
    pub opening: Money,
    /// Cash in since then.
    pub cash_in: Money,
    /// Cash out since then.
    pub cash_out: Money,
    /// Number of movements since then.
    pub movements: usize,
    /// The number of the last movement's entry.
    #[serde(skip)]
    through: u64,
}

impl Drawer {
    /// The expected amount in the drawer.
    #[must_use]
    pub fn expected(&self) -> Money {
        self.opening + self.cash_in - self.cash_out
    }
}

/// A recorded count of a drawer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DrawerCount {
    /// Who counted.
    pub cashier: StaffId,
    /// When.
    pub at: Instant,
    /// The expected amount.
    pub expected: Money,
    /// The counted amount.
    pub counted: Money,
    /// The amount kept in it for the next shift.
    pub kept: Money,
}

impl DrawerCount {
    /// Counted less expected; negative if it was short.
    #[must_use]
    pub fn difference(&self) -> Money {
        self.counted - self.expected
    }
}

/// Cleans a typed text for the record; refuses an empty one.
fn typed(text: &str, why: &'static str) -> Answer<String> {
    let text: String = text.trim().chars().filter(|sign| !sign.is_control()).take(MAX_TEXT_LEN).collect();
    if text.is_empty() { Err(HouseError::NotNow(why)) } else { Ok(text) }
}

/// The total of the movements in one direction.
fn cash(buy_in: bool, movements: &[CageMovement]) -> Money {
    movements.iter().filter(|one| one.buy_in == buy_in).map(|one| one.amount).sum()
}

impl House {
    /// The cash of a player today. Cage.
    ///
    /// # Errors
    /// Lack of duty; no such player.
    #[boxed]
    pub async fn cash_today(&self, by: &Actor, player: &PlayerId) -> Answer<CashDay> {
        by.require(Duty::Cage)?;
        self.find_account(&Actor::player(player.clone())).await?;
        self.cash_of(player, self.gaming_day().of(self.now())).await
    }

    /// The cash of a player on a gaming day.
    pub(super) async fn cash_of(&self, player: &PlayerId, day: Date) -> Answer<CashDay> {
        // A movement states the gaming day that it counts for. Read from a day earlier, because clocks of hosts may differ a little.
        let from = Instant(self.gaming_day().start(day).0 - 86_400_000);
        let filter = EntryFilter {
            stream: Some(Stream::player(player)),
            kinds: cash_kinds(),
            from: Some(from),
            after: Some(0),
            limit: u32::MAX,
            ..EntryFilter::default()
        };
        let mut movements = Vec::new();
        for entry in self.inner.store.entries(filter).await? {
            if self.day_of(&entry)? == day {
                movements.extend(movement(&entry));
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

    /// The gaming day that a movement counts for, which entries of older programs do not state.
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

    /// Records that a cashier has checked a player's identity document: its kind and the end of its number. Cage.
    ///
    /// # Errors
    /// Lack of duty; no such player; an empty text.
    #[boxed]
    pub async fn identify(&self, by: &Actor, player: &PlayerId, document: &str) -> Answer<()> {
        by.require(Duty::Cage)?;
        self.find_account(&Actor::player(player.clone())).await?;
        let document = typed(document, "enter the document that was checked, like passport …567A")?;
        let fact = HouseFact::PlayerIdentified { player: player.clone(), document };
        self.idempotent(by, None, |made| *made == fact, self.append_facts(by, |_| Ok(vec![fact.clone()])))
            .await
            .map(drop)
    }

    /// Cash transaction reports that are due, oldest first. Cage, Shift Manager or auditor.
    #[boxed]
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

    /// The latest filed cash transaction reports, newest first. Cage, Shift Manager or auditor.
    #[boxed]
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

    /// Records that a report was filed under this reference. Cage.
    ///
    /// # Errors
    /// Lack of duty; no such report is due; an empty reference.
    #[boxed]
    pub async fn file_cash_report(
        &self,
        by: &Actor,
        player: &PlayerId,
        day: Date,
        reference: &str,
    ) -> Answer<()> {
        by.require(Duty::Cage)?;
        let reference = typed(reference, "enter the reference under which the report was filed")?;
        let of = self.cash_of(player, day).await?;
        let fact = HouseFact::CashReportFiled {
            player: player.clone(),
            day,
            reference,
            cash_in: of.cash_in,
            cash_out: of.cash_out,
        };
        let noting = self.append_facts(by, |register| {
            if !register.cash_reports.contains(&(day, player.clone())) {
                return Err(HouseError::NotNow("no report is due for this player and day"));
            }
            Ok(vec![fact.clone()])
        });
        self.idempotent(by, None, |made| *made == fact, noting).await.map(drop)
    }

    /// This cashier's drawer since the last count. Cage.
    #[boxed]
    pub async fn drawer(&self, by: &Actor) -> Answer<Drawer> {
        by.require(Duty::Cage)?;
        let (opening, after) = self.inner.shown.get().drawers.get(&cashier(by)?).copied().unwrap_or_default();
        let filter = EntryFilter {
            actor: Some(by.label()),
            kinds: cash_kinds(),
            after: Some(after),
            limit: u32::MAX,
            ..EntryFilter::default()
        };
        let entries = self.inner.store.entries(filter).await?;
        let moved: Vec<CageMovement> = entries.iter().filter_map(movement).collect();
        Ok(Drawer {
            opening,
            cash_in: cash(true, &moved),
            cash_out: cash(false, &moved),
            movements: moved.len(),
            through: moved.last().map_or(after, |last| last.number),
        })
    }

    /// Records a count of this cashier's drawer: `counted` is in it, and `kept` stays for the next shift. Cage.
    ///
    /// # Errors
    /// Lack of duty; an invalid amount.
    #[boxed]
    pub async fn count_drawer(&self, by: &Actor, counted: Money, kept: Money) -> Answer<DrawerCount> {
        for amount in [counted, kept] {
            if amount < Money::ZERO || amount > MAX_DRAWER {
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
        self.idempotent(by, None, same, self.append_facts(by, |_| Ok(vec![fact.clone()]))).await?;
        Ok(count)
    }

    /// The latest drawer counts, newest first: a cashier's own, or everyone's for a Shift Manager or an auditor.
    #[boxed]
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
            limit: LIST_LIMIT,
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
    if by.may(Duty::Auditor) || by.may(Duty::ShiftManager) { Ok(()) } else { by.require(Duty::Cage) }
}

fn cashier(by: &Actor) -> Answer<StaffId> {
    match by {
        Actor::Staff { id, .. } => Ok(id.clone()),
        Actor::House | Actor::Player { .. } | Actor::Public => {
            Err(HouseError::NotNow("only a cashier has a drawer"))
        }
    }
}
