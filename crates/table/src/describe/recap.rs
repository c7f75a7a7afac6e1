//! Describes a round so far, from a view alone.
//!
//! The view has no events, but it shows their results: chips, decisions, cards, remedies, settlements. They are described as
//! the events that would have produced them.

use std::collections::BTreeSet;

use baize_rules::{BoxNumber, Cites, Rulebook};

use super::{describe, joined, phrases, table, up, warning};
use crate::{Awaiting, BoxView, Decided, Event, HandStatus, Outcome, PhaseName, RoundView, Sentence};

/// What happened in this round, in order.
#[must_use]
pub fn recap(book: &Rulebook, view: &RoundView) -> Vec<Sentence> {
    if view.phase == PhaseName::Idle {
        return Vec::new();
    }
    let nothing = RoundView { boxes: std::collections::BTreeMap::new(), ..view.clone() };
    let mut recap = Recap { book, view, so_far: nothing, told: Vec::new() };
    recap.tell(&Event::RoundOpened { number: view.number, rulebook: String::new(), hash: String::new() });
    recap.bets();
    if view.phase != PhaseName::Betting {
        recap.tell(&Event::BetsClosed { jackpot: Vec::new() });
        recap.play();
    }
    recap.end();
    joined(recap.told)
}

struct Recap<'a> {
    book: &'a Rulebook,
    view: &'a RoundView,
    /// The view with the boxes described so far.
    so_far: RoundView,
    told: Vec<Sentence>,
}

impl Recap<'_> {
    fn tell(&mut self, event: &Event) {
        self.told.extend(describe(self.book, event, &self.so_far, self.view));
    }

    fn bets(&mut self) {
        for (seat, on_box) in &self.view.boxes {
            let antes = on_box.stakes.iter().filter(|stake| self.book.decision(stake.area).is_none());
            for stake in antes.cloned().collect::<Vec<_>>() {
                self.tell(&Event::WagerPlaced {
                    seat: *seat,
                    player: stake.player,
                    area: stake.area,
                    amount: stake.amount,
                    unnoticed: false,
                    placed_by: None,
                });
            }
            self.so_far.boxes.insert(*seat, on_box.clone());
        }
    }

    fn play(&mut self) {
        let (book, view) = (self.book, self.view);
        if view.boxes.values().any(|on_box| !on_box.cards.is_empty()) {
            let whole =
                |b: &BoxView| b.cards.len() >= book.hand_size() || b.status != Some(HandStatus::InPlay);
            let dealt = if view.boxes.values().all(whole) { "are dealt" } else { "are being dealt" };
            self.told.push(table(format!("The hands {dealt}")));
        }
        let face_up = up(&view.dealer);
        if book.board_size() == 0 && !face_up.is_empty() && face_up.len() < view.dealer.len() {
            self.told.push(table(format!("The dealer's face-up card is {}", phrases::spaced(&face_up))));
        }
        for (stage, reveal) in book.family.reveals().iter().enumerate() {
            for (seat, on_box) in &view.boxes {
                if let Some(decided) = on_box.decisions.get(stage) {
                    self.decision(*seat, on_box, stage, *decided);
                }
            }
            let turned = match reveal.board_cards() {
                Some((_, to)) => up(&view.board).len() >= to,
                None => face_up.len() == book.hand_size(),
            };
            if turned {
                self.tell(&Event::CardsRevealed { what: *reveal });
            }
        }
        for (seat, on_box) in &view.boxes {
            let seat = *seat;
            if let Some(HandStatus::Invalid(cites)) = on_box.status {
                self.tell(&Event::HandInvalidated { seat, cites });
            }
            if on_box.absent {
                self.tell(&Event::PlayerAbsent { seat, cites: Cites::NONE });
            }
            if on_box.declined {
                self.tell(&Event::HandDeclined { seat });
            }
        }
    }

    fn decision(&mut self, seat: BoxNumber, on_box: &BoxView, stage: usize, decided: Decided) {
        if decided != Decided::Raised {
            return self.tell(&Event::DecisionMade { seat, decided, cites: Cites::NONE });
        }
        let area = self.book.decisions.get(stage).map(|rule| rule.area);
        for stake in on_box.stakes.iter().filter(|stake| Some(stake.area) == area) {
            self.tell(&Event::WagerPlaced {
                seat,
                player: stake.player.clone(),
                area: stake.area,
                amount: stake.amount,
                unnoticed: false,
                placed_by: None,
            });
        }
    }

    fn end(&mut self) {
        if let Some(remedied) = &self.view.ruled {
            self.told.push(warning(phrases::remedied(remedied)).citing(remedied.cites));
        }
        match self.view.awaiting.clone() {
            Some(Awaiting::Ruling { kind, seat, by, cites, .. }) => {
                self.tell(&Event::RulingAwaited { kind, seat, by, cites });
            }
            Some(Awaiting::Options { seats, allowed, cites, .. }) => {
                self.tell(&Event::OptionsGiven { seats, sharing: Vec::new(), allowed, cites });
            }
            Some(Awaiting::Reconstruction { left, cites }) => {
                self.tell(&Event::ReconstructionBegun { left, cites });
            }
            None => {}
        }
        match &self.view.outcome {
            Some(Outcome::Void { cites, because }) => {
                let event = Event::RoundVoided { cites: *cites, because: *because, boxes: Vec::new() };
                self.tell(&event);
            }
            Some(Outcome::Settled) => {
                let boxes = self.view.slips.clone();
                let claims = Vec::new();
                self.tell(&Event::RoundSettled { boxes, claims, under_minimum: BTreeSet::new() });
            }
            None => {}
        }
    }
}
