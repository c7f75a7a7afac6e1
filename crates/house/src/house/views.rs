//! Views of tables for each actor.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use baize_cards::CardSet;
use baize_floor::{legal, legal_to_players, takes_wagers};
use baize_jackpot::Jackpot;
use baize_rules::{Area, BoxNumber, Money, Rulebook};
use baize_table::{
    Command, Due, Legal, Phase, Player, Players, Standing, Table, Viewer, due, reportable, view,
};

use super::hidden_cards::{self, Judged, StandIns};
use super::{Answer, House};
use crate::boxed;
use crate::live_table::LiveTable;
use crate::memory::TableShown;
use crate::{
    Actor, ClockView, Commitment, Displayed, Duty, NextLimits, OrderKind, Pace, PlayerId, RoundId,
    ShuffleProof, TableId, TableInfo, TableView,
};

impl House {
    /// All tables, by id.
    #[boxed]
    pub async fn tables(&self) -> Answer<Vec<TableInfo>> {
        Ok(self.table_slots().iter().map(|slot| self.info(&slot.shown.get())).collect())
    }

    /// A table as the lobby shows it.
    #[boxed]
    pub async fn table(&self, id: &TableId) -> Answer<TableInfo> {
        Ok(self.info(&self.table_slot(id)?.shown.get()))
    }

    /// Checks that an actor is not a dealer of other tables only.
    ///
    /// # Errors
    /// No such table; a dealer who is not assigned to it.
    pub fn may_deal(&self, actor: &Actor, id: &TableId) -> Answer<()> {
        self.table_slot(id)?.shown.get().live.dealt_by(actor)
    }

    /// A table as this actor may see it, with what they may do now.
    #[boxed]
    pub async fn view(&self, actor: &Actor, id: &TableId) -> Answer<TableView> {
        let slot = self.table_slot(id)?;
        let shown = slot.shown.get();
        let live = &shown.live;
        let player = actor.as_player();
        if let Some(player) = player {
            slot.presence.note(player, shown.version);
        }
        let purse = match player {
            Some(player) => Some(self.purse(player).await?),
            None => None,
        };
        let now = self.now();
        let clock = live.deadline().map(|(what, ends)| ClockView { what, ends, left_ms: ends.since(now) });
        let promise = live.promise.as_ref();
        Ok(TableView {
            info: self.info(&shown),
            round: if crate::journal::sabotage::is("everybody sees every card") {
                baize_table::view_open(&live.book, &live.table)
            } else {
                view(&live.book, &live.table, &live.viewer(actor))
            },
            commitment: promise
                .map(|promise| Commitment { round: promise.round, hash: promise.commitment.clone() }),
            proof: proof(live, &live.viewer(actor)),
            clock,
            purse,
            boxes: player.map(|player| live.boxes_of(player)).unwrap_or_default(),
            legal: self.legal_for(actor, live, purse),
            orders: orders(actor, live),
            float: actor.may(Duty::Dealer).then_some(live.config.float),
            dealers: if actor.may(Duty::Dealer) { live.dealers.clone() } else { BTreeSet::new() },
            reportable: if actor.may(Duty::Dealer) && live.dealt_by(actor).is_ok() {
                reportable(&live.book, &StandIns::new(&live.book, &live.table, &live.viewer(actor)).first())
            } else {
                Vec::new()
            },
            ready: player.is_some_and(|player| live.ready.contains(player)),
            waiting_for: live.unready().filter(|other| Some(other) != player).collect(),
            last_wagers: player.and_then(|player| live.last_wagers.get(player)).cloned().unwrap_or_default(),
        })
    }

    /// What this actor may do: what the rules allow now, less what others are entitled to.
    fn legal_for(&self, actor: &Actor, live: &LiveTable, purse: Option<Money>) -> Legal {
        let deals = || {
            matches!(actor, Actor::Staff { .. }) && actor.may(Duty::Dealer) && live.dealt_by(actor).is_ok()
        };
        if actor.as_player().is_none() && !deals() {
            return Legal::default();
        }
        // Judge by the visible cards.
        let stand_ins = StandIns::new(&live.book, &live.table, &live.viewer(actor));
        // A table that runs itself opens its round with the first chips: show the wagers of the round to come.
        let mut ahead: Cow<'_, Table> = Cow::Owned(stand_ins.first());
        let auto = matches!(live.config.pace, Pace::Auto { .. });
        if auto && live.notice.is_none() && actor.as_player().is_some() && !live.under_way() {
            if live.table.settings != live.config.settings {
                ahead.to_mut().settings = live.config.settings.clone();
            }
            let opened = baize_table::decide(&live.book, &live.table, &baize_table::Command::Open);
            for event in opened.unwrap_or_default() {
                baize_table::record(ahead.to_mut(), &event);
            }
        }
        let (jackpot, name) = (self.jackpot_in_play(live), live.id.as_str());
        let jackpot = jackpot.as_deref();
        let mut all = match actor {
            Actor::Player { id } => {
                for_player(legal_to_players(&live.book, &ahead, jackpot, name), live, id, purse)
            }
            Actor::Staff { .. } | Actor::Public | Actor::House => {
                let mut all = legal(&live.book, &ahead, jackpot, name);
                if !live.computer_deals() {
                    all.deals = legal(&live.book, &live.table, jackpot, name).deals;
                }
                for_staff(all, actor, live)
            }
        };
        let accepted =
            |command: Command| matches!(stand_ins.judge(&command), Judged::Accepted(_) | Judged::AllVisible);
        // The remaining cards would reveal which are out, also to a dealer with a real shoe: another dealer may have dealt them.
        if let Some(deals) = &mut all.deals {
            deals.cards = CardSet::EMPTY;
        }
        all.settle = all.settle && accepted(Command::Settle);
        all.shows.retain(|seat| accepted(Command::Show { seat: *seat }));
        all.declines.retain(|seat| accepted(Command::Decline { seat: *seat }));
        all
    }

    /// The jackpot of a table, unless something stopped it.
    fn jackpot_in_play(&self, live: &LiveTable) -> Option<Arc<Jackpot>> {
        let shown = self.jackpot_slot(live.config.jackpot.as_ref()?).ok()?.shown.get();
        shown.stopped.is_none().then(|| Arc::clone(&shown.state))
    }

    fn info(&self, shown: &TableShown) -> TableInfo {
        let taken = takes_wagers(self.jackpot_in_play(&shown.live).as_deref(), shown.live.id.as_str());
        info(shown, taken.is_ok())
    }
}

fn for_player(mut all: Legal, live: &LiveTable, id: &PlayerId, purse: Option<Money>) -> Legal {
    let me = Player::from(id);
    let purse = purse.unwrap_or(Money::ZERO);
    let seated = live.table.seated();
    let under_way = live.under_way();
    let mine = |seat: &BoxNumber| under_way && seated.get(seat) == Some(&me);
    let others_box =
        |seat: BoxNumber| live.guests.iter().any(|(other, guest)| guest.seat == seat && other != id);
    all.wagers.retain_mut(|wager| {
        let may = match &wager.players {
            Players::AnyoneBut(others) => !others.contains(&me),
            Players::Only(only) => *only == me,
        };
        let held = others_box(wager.seat) && !(under_way && seated.contains_key(&wager.seat));
        if let Area::Ante | Area::Bonus = wager.area {
            let chip = live.config.chip.cents().max(1);
            let chips = wager.amounts.from.cents().div_euclid(chip)
                + i64::from(wager.amounts.from.cents() % chip != 0);
            wager.amounts.from = Money::from_cents(chips * chip);
            wager.amounts.step = Money::from_cents(chip);
        }
        if !may || held || wager.amounts.from > purse.min(wager.amounts.to) {
            return false;
        }
        let most = wager.amounts.to.min(purse);
        let step = wager.amounts.step.cents().max(1);
        let steps = (most - wager.amounts.from).cents() / step;
        wager.amounts.to = wager.amounts.from + Money::from_cents(steps * step);
        wager.players = Players::Only(me.clone());
        true
    });
    all.withdrawals.retain(|(_, player, _)| *player == me);
    for seats in [&mut all.looks, &mut all.folds, &mut all.checks, &mut all.shows, &mut all.declines] {
        seats.retain(mine);
    }
    all.choices.retain(|(seat, _)| mine(seat));
    all.shared_choices.retain(|(_, player, _)| *player == me);
    all
}

fn for_staff(mut all: Legal, actor: &Actor, live: &LiveTable) -> Legal {
    let role = actor.role();
    all.rulings.retain(|(_, needed)| role.is_some_and(|role| role >= *needed));
    if live.notice.is_some() {
        all.open = false;
    }
    if matches!(live.config.pace, Pace::Auto { .. }) {
        (all.open, all.close, all.settle, all.deals) = (false, false, false, None);
        (all.looks, all.folds, all.checks) = (Vec::new(), Vec::new(), Vec::new());
        (all.reveals, all.shows, all.declines) = (Vec::new(), Vec::new(), Vec::new());
        // At a table that runs itself, players handle their own chips.
        all.wagers = Vec::new();
        (all.absences, all.choices, all.withdrawals) = (Vec::new(), Vec::new(), Vec::new());
        all.shared_choices = Vec::new();
    }
    all
}

fn orders(actor: &Actor, live: &LiveTable) -> Vec<OrderKind> {
    let mut orders = Vec::new();
    let auto = matches!(live.config.pace, Pace::Auto { .. });
    match actor {
        Actor::Player { id } => {
            let betting =
                matches!(live.table.round.phase, Phase::Betting(_)) && live.table.round.awaiting.is_none();
            if auto && betting && live.players().contains(id) && !live.ready.contains(id) {
                orders.push(OrderKind::Ready);
            }
            if live.guests.contains_key(id) {
                orders.push(OrderKind::Leave);
            } else if live.notice.is_none() && !live.table.standing.closed {
                orders.push(OrderKind::Sit);
            }
        }
        Actor::Staff { .. } => {
            let cards_due = matches!(
                due(&live.book, &live.table),
                Some(Due::Burn { .. } | Due::Deal(_) | Due::PutBack { .. })
            );
            let deals = actor.may(Duty::Dealer) && live.dealt_by(actor).is_ok();
            if deals && !auto && cards_due {
                let with_computer = live.computer_deals();
                orders.extend(if with_computer {
                    &[OrderKind::DealNext, OrderKind::DealAll][..]
                } else {
                    &[OrderKind::EnterCards]
                });
            }
            if deals && !auto && live.entered {
                orders.push(OrderKind::TakeBack);
            }
            if actor.may(Duty::PitManager) {
                let shut = live.notice.is_some() || live.table.standing.closed;
                orders.push(if shut { OrderKind::Reopen } else { OrderKind::GiveNotice });
                orders.extend([OrderKind::SetLimits, OrderKind::FillFloat]);
            }
            if actor.may(Duty::PitSupervisor) {
                orders.push(OrderKind::Assign);
            }
            if actor.may(Duty::PitSupervisor) && !live.under_way() {
                orders.extend([OrderKind::SetPace, OrderKind::SetShoe]);
            }
        }
        Actor::House | Actor::Public => {}
    }
    orders
}

/// The proof of the round that has just ended, with the cards that this viewer may see. While any dealt card is hidden, undealt cards are
/// left out too: otherwise the missing ones would be the hidden ones.
pub(crate) fn proof(live: &LiveTable, viewer: &Viewer) -> Option<ShuffleProof> {
    let told = live.revealed.as_ref()?;
    let round = RoundId { table: live.id.clone(), number: told.promise.round };
    if !matches!(live.table.round.phase, Phase::Finished(_)) || live.table.round.number != round.number {
        return None;
    }
    let mut open = hidden_cards::visible_cards(&live.book, &live.table, viewer);
    let dealt = told.deck.get(..told.dealt).unwrap_or_default();
    if *viewer == Viewer::Auditor || dealt.iter().all(|card| open.contains(*card)) {
        open = CardSet::FULL;
    }
    ShuffleProof::of(round, told, open)
}

/// The notice that a table displays about jackpot wagers, if any.
// RH 5.17.2; RS 5.18.2: before the decision, and after the decision to play on without them.
#[must_use]
pub fn jackpot_notice(book: &Rulebook, standing: &Standing) -> Option<Displayed> {
    let fault = book.irregularities.jackpot_fault.as_ref()?;
    if standing.no_jackpot {
        let words = "No Progressive Jackpot Bets are accepted or paid at this table.";
        return Some(Displayed { words, cites: fault.no_jackpot });
    }
    standing.jackpot_fault.then(|| Displayed {
        words: "The Progressive Jackpot does not work: no round opens until the Shift Manager decides how play continues.",
        cites: fault.close_table.and(fault.bar_box).and(fault.no_jackpot),
    })
}

fn info(shown: &TableShown, jackpot_taken: bool) -> TableInfo {
    let live = &shown.live;
    let standing = &live.table.standing;
    // A round is played under the limits that it was opened with.
    let ordered = &live.config.settings;
    let settings = if live.under_way() { &live.table.settings } else { ordered };
    let book = &live.book;
    let jackpot = jackpot_taken && !standing.no_jackpot && !standing.jackpot_fault;
    TableInfo {
        id: live.id.clone(),
        rulebook: book.id.clone(),
        short: book.short.clone(),
        game: book.name.clone(),
        operator: book.operator.clone(),
        family: book.family,
        boxes: settings.boxes,
        settings: settings.clone(),
        chip: live.config.chip,
        guests: live.guests.iter().map(|(player, guest)| (player.clone(), guest.seat)).collect(),
        ante: settings.ante,
        bonus: book.has_area(Area::Bonus).then_some(settings.bonus),
        next_limits: (settings != ordered).then(|| NextLimits {
            ante: ordered.ante,
            bonus: book.has_area(Area::Bonus).then_some(ordered.bonus),
        }),
        jackpot_wager: jackpot.then_some(settings.jackpot_wager),
        jackpot: live.config.jackpot.clone(),
        jackpot_notice: jackpot_notice(book, standing),
        pace: live.config.pace,
        shoe: live.config.shoe,
        money: live.config.money,
        phase: live.table.round.phase.name(),
        round: live.table.round.number,
        waiting: live.table.round.awaiting.is_some(),
        notice: live.notice.clone(),
        closed: standing.closed || (live.notice.is_some() && !live.under_way()),
        halted: shown.halted.clone(),
        version: shown.version,
    }
}
