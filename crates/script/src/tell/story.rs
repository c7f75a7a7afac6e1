//! What happened at a table, event by event, in words.

use std::sync::Arc;

use baize_cards::Card;
use baize_rules::{Area, Cites, Remedy, Reveal, Rulebook};
use baize_table::{
    Allowed, Choice, Decided, Event, Phase, Place, Report, Ruling, RulingKind, Staff, Table, evolve,
};

use crate::transcript::{dealer_hand, play};

/// Something that is told: who, what, and the paragraphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) who: String,
    pub(super) what: String,
    pub(super) cites: Cites,
    pub(super) kind: Kind,
}

/// Whether the next thing said of the same person can follow in the same sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Chips or a look: the next follows after a comma.
    List,
    /// Cards: the next follow after a space.
    Cards,
    /// A sentence of its own.
    Whole,
    /// Something that was refused or went wrong.
    Warning,
}

/// Tells the events of one table, and keeps the table as they leave it.
pub(super) struct Narrator {
    book: Arc<Rulebook>,
    table: Table,
}

impl Narrator {
    pub(super) fn new(book: Arc<Rulebook>, table: Table) -> Narrator {
        Narrator { book, table }
    }

    /// Tells one event. Some events say nothing that another does not say better.
    pub(super) fn tell(&mut self, event: &Event, story: &mut Vec<Said>) {
        let before = std::mem::replace(&mut self.table, Table::new(self.table.settings.clone()));
        let raising = matches!(before.round.phase, Phase::Play(_));
        self.table = evolve(before, event);
        for said in self.words(event, raising) {
            join(story, said);
        }
    }

    fn words(&self, event: &Event, raising: bool) -> Vec<Said> {
        let said = match event {
            Event::RoundOpened { .. } => self.dealer("\"Place your bets, please.\""),
            Event::BetsClosed { .. } => self.dealer("\"No more bets.\""),
            Event::CardBurnt { card } => self.dealer(format!("burns {card}")),
            Event::CardsDealt { to, cards, departs_from } => self.dealt(*to, cards, *departs_from),
            Event::CardsRevealed { what } => self.revealed(*what),
            Event::WagerPlaced { .. }
            | Event::WagerWithdrawn { .. }
            | Event::HandLookedAt { .. }
            | Event::DecisionMade { .. }
            | Event::HandShown { .. }
            | Event::HandDeclined { .. }
            | Event::PlayerAbsent { .. }
            | Event::OptionChosen { .. }
            | Event::HandInvalidated { .. } => return self.of_player(event, raising),
            Event::IrregularityRuled { .. }
            | Event::RulingAwaited { .. }
            | Event::OptionsGiven { .. }
            | Event::Ruled { .. }
            | Event::HandsMoved { .. }
            | Event::CardsTakenOff { .. }
            | Event::DealerFaceUpSet { .. }
            | Event::JackpotFailed => return vec![self.irregular(event)],
            Event::RoundVoided { cites, .. } => {
                warning("The round is void: every wager goes back.").citing(*cites)
            }
            Event::RoundSettled { claims, .. } => {
                let award = |index: usize| self.book.jackpot.awards.get(index).map_or("an award", |a| &a.name);
                let claims = claims.iter().map(|claim| {
                    let what = format!("claims the jackpot's award for {}", award(claim.award));
                    self.of_box(claim.seat, what)
                });
                return [self.dealer("settles")].into_iter().chain(claims).collect();
            }
            Event::SlipCorrected { slip, cites } => {
                self.of_box(slip.seat, "the settlement is put right").citing(*cites)
            }
            Event::JackpotPaid { payments } => {
                let paid = payments.iter().map(|payment| {
                    let what = format!("is paid {} by the jackpot", payment.amount.grouped());
                    self.of_box(payment.seat, what).citing(payment.cites)
                });
                return paid.collect();
            }
        };
        vec![said]
    }

    fn of_player(&self, event: &Event, raising: bool) -> Vec<Said> {
        let said = match event {
            Event::WagerPlaced { seat, player, area, amount, unnoticed, placed_by } => {
                let mut what = chips(*area, amount.grouped(), raising);
                if *unnoticed {
                    what.push_str(" (unnoticed)");
                }
                if let Some(role) = placed_by {
                    what.push_str(&format!(" (placed by the {} at the player's request)", role.name()));
                }
                Said { who: format!("Box {seat} {player}"), what, cites: Cites::NONE, kind: Kind::List }
            }
            Event::WagerWithdrawn { seat, player, area, amount } => {
                let what = format!("takes back {} {}", area.name(), amount.grouped());
                Said { who: format!("Box {seat} {player}"), what, cites: Cites::NONE, kind: Kind::Whole }
            }
            Event::HandLookedAt { seat } => {
                Said { kind: Kind::List, ..self.of_box(*seat, "looks at the hand") }
            }
            // The chips have said it.
            Event::DecisionMade { decided: Decided::Raised, .. } => return Vec::new(),
            Event::DecisionMade { seat, decided, cites } => {
                let what = if *decided == Decided::Folded { "folds" } else { "checks" };
                self.of_box(*seat, what).citing(*cites)
            }
            Event::HandShown { seat } => self.of_box(*seat, "lays the hand face up"),
            Event::HandDeclined { seat } => self.of_box(*seat, "does not show the hand"),
            Event::PlayerAbsent { seat, cites } => self.of_box(*seat, "has walked away").citing(*cites),
            Event::OptionChosen { seat, choice, cites } => {
                let what = match choice {
                    Choice::Continue => "goes on with the hand",
                    Choice::Reconstructed => "goes on with the reconstructed hand",
                    Choice::Withdraw => "takes the bets back; the hand is invalid",
                };
                self.of_box(*seat, what).citing(*cites)
            }
            Event::HandInvalidated { seat, cites } => {
                self.of_box(*seat, "the hand is invalid; its wagers go back").citing(*cites)
            }
            _ => return Vec::new(),
        };
        vec![said]
    }

    fn irregular(&self, event: &Event) -> Said {
        match event {
            Event::IrregularityRuled { report, remedied } => {
                let what = format!("{}: {}", reported(report), remedy(remedied.remedy));
                Said { who: staff(&report.by), what, cites: remedied.cites, kind: Kind::Warning }
            }
            Event::RulingAwaited { by, cites, .. } => {
                warning(format!("The round waits for the {}'s ruling.", by.name())).citing(*cites)
            }
            Event::OptionsGiven { seats, allowed, cites } => {
                let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
                let boxes = if seats.len() == 1 { "Box" } else { "Boxes" };
                warning(format!("{boxes} {} may {}.", seats.join(", "), options(*allowed))).citing(*cites)
            }
            Event::Ruled { ruling, cites } => {
                Said { who: staff(&ruling.by), what: ruled(ruling), cites: *cites, kind: Kind::Warning }
            }
            Event::HandsMoved { moves } => {
                let moves: Vec<String> =
                    moves.iter().map(|(from, to)| format!("from box {from} to box {to}")).collect();
                self.dealer(format!("moves the hands: {}", moves.join(", ")))
            }
            Event::CardsTakenOff { from, cards } => {
                self.dealer(format!("takes {} off {from}", spaced(cards)))
            }
            Event::DealerFaceUpSet { card } => self.dealer(format!("lays {card} face up instead of the last card")),
            _ => warning("The jackpot has failed: its awards are paid at the amount registered before."),
        }
    }

    fn dealt(&self, to: Place, cards: &[Card], departs_from: Cites) -> Said {
        let mut what = spaced(cards);
        if to == Place::Dealer
            && self.book.board_size() == 0
            && let Some(dealer) = play(&self.table.round).map(|play| &play.dealer)
            && dealer.len() == self.book.hand_size()
            && let Some(face_up) = dealer.last()
        {
            what.push_str(&format!(" ({face_up} face up)"));
        }
        let mut said = match to {
            Place::Box(seat) => self.of_box(seat, what),
            Place::Board => self.dealer(what).by("Board"),
            Place::Dealer => self.dealer(what),
        };
        if !departs_from.is_empty() {
            said.what.push_str(&format!(" (not at the moment of {departs_from})"));
        }
        Said { kind: Kind::Cards, ..said }
    }

    fn revealed(&self, what: Reveal) -> Said {
        let play = play(&self.table.round);
        let Some((from, to)) = what.board_cards() else {
            let hand = play.and_then(|play| dealer_hand(&self.book, play));
            let cards = play.map_or(String::new(), |play| spaced(&play.dealer));
            let Some((hand, _, qualifies)) = hand else { return self.dealer(format!("turns {cards}")) };
            let mut said = self.dealer(format!("turns {cards}: {}", super::spelled(hand)));
            if let Some(qualification) = &self.book.qualification {
                said.what.push_str(if qualifies { ", which qualifies" } else { ", which does not qualify" });
                said.cites = qualification.cites;
            }
            return said;
        };
        let board = play.and_then(|play| play.board.get(from..to)).unwrap_or_default();
        self.dealer(format!("turns the {}: {}", what.code(), spaced(board)))
    }

    fn dealer(&self, what: impl Into<String>) -> Said {
        Said { who: "Dealer".to_owned(), what: what.into(), cites: Cites::NONE, kind: Kind::Whole }
    }

    fn of_box(&self, seat: u8, what: impl Into<String>) -> Said {
        let seated = self.table.seated();
        let who = seated.get(&seat).map_or_else(|| format!("Box {seat}"), |player| format!("Box {seat} {player}"));
        Said { who, what: what.into(), cites: Cites::NONE, kind: Kind::Whole }
    }
}

impl Said {
    fn citing(self, cites: Cites) -> Said {
        Said { cites, ..self }
    }

    fn by(self, who: &str) -> Said {
        Said { who: who.to_owned(), ..self }
    }
}

/// A step that was refused, or something that went wrong.
pub(super) fn warning(what: impl Into<String>) -> Said {
    Said { who: String::new(), what: what.into(), cites: Cites::NONE, kind: Kind::Warning }
}

/// Adds what is said, to the same sentence where it goes on.
fn join(story: &mut Vec<Said>, said: Said) {
    match story.last_mut() {
        Some(last) if last.who == said.who && last.cites.is_empty() && last.kind == Kind::List => {
            last.what = format!("{}, {}", last.what, said.what);
            (last.kind, last.cites) = (said.kind, said.cites);
        }
        Some(last) if last.who == said.who && last.kind == Kind::Cards && said.kind == Kind::Cards => {
            last.what = format!("{} {}", last.what, said.what);
        }
        _ => story.push(said),
    }
}

fn chips(area: Area, amount: String, raising: bool) -> String {
    match (area, raising) {
        (Area::Bet, true) => format!("bets {amount}"),
        (_, true) => format!("bets {amount} on the {}", area.code()),
        (_, false) => format!("{} {amount}", area.name()),
    }
}

pub(super) fn spaced(cards: &[Card]) -> String {
    let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
    cards.join(" ")
}

fn staff(by: &Staff) -> String {
    match &by.name {
        Some(name) => format!("{} {name}", by.role.name()),
        None => by.role.name().to_owned(),
    }
}

fn reported(report: &Report) -> String {
    let mut text = format!("reports: {}", report.kind.words());
    if let Some(seat) = report.seat {
        text.push_str(&format!(", box {seat}"));
    }
    if report.facts.previous_round {
        text.push_str(", in the round before");
    }
    text
}

fn remedy(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Void => "the round is void",
        Remedy::Continue => "play goes on",
        Remedy::Reconstruct => "the cards are put where they belong",
        Remedy::ReconstructThenOptions => "the cards are put where they belong, then the players choose",
        Remedy::Options => "the players choose",
        Remedy::Invalid => "the hand is invalid",
        Remedy::InvalidUnviewed => "the hands that were not looked at are invalid",
        Remedy::BecomesFaceUp => "it becomes the face-up card",
        Remedy::ContinueAtRegistered => "play goes on, at the jackpot registered before",
        Remedy::Refer => "somebody must rule",
    }
}

fn options(allowed: Allowed) -> String {
    let mut options = Vec::new();
    if allowed.unchanged {
        options.push("go on with the hand");
    }
    if allowed.reconstructed {
        options.push("go on with the reconstructed hand");
    }
    let withdraw = if allowed.all_boxes { "take all bets back" } else { "take the bets back" };
    options.push(withdraw);
    options.join(" or ")
}

fn ruled(ruling: &Ruling) -> String {
    let what = match &ruling.kind {
        RulingKind::Void => "the round is void".to_owned(),
        RulingKind::Continue => "play goes on".to_owned(),
        RulingKind::FirstCard(card) => format!("card {card} of those drawn together is received first"),
        RulingKind::NoJackpot => "later rounds are played without jackpot, under a displayed notice".to_owned(),
        RulingKind::CloseTable => "the table closes".to_owned(),
        RulingKind::BarBox(seat) => format!("no bets on box {seat} in later rounds"),
        RulingKind::JackpotRestored => "the jackpot works again".to_owned(),
        RulingKind::Restrict(player) => format!("{player} may wager on one position only"),
        RulingKind::Bar(player) => format!("{player} is barred from further play"),
        RulingKind::Stop(player) => format!("{player} may not act on more than one hand"),
        RulingKind::PermitWithdrawal => "players with correct hands may withdraw".to_owned(),
        RulingKind::Intentional => "the second look was intentional".to_owned(),
        RulingKind::NotIntentional => "the second look was not intentional".to_owned(),
    };
    match &ruling.reason {
        Some(reason) => format!("rules: {what}, because {reason}"),
        None => format!("rules: {what}"),
    }
}
