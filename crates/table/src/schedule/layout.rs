//! Where dealt cards belong: the order in which they left the shoe, laid along the schedule. Reconstruction uses it.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::Card;
use baize_rules::{Act, Dealt, Place};

use super::{Cursor, deal};
use crate::round::{Draw, HandInPlay, HandStatus};

impl Cursor<'_> {
    /// The latest burn that was missed before the dealt cards, by its place in the schedule.
    fn latest_missed_burn(&self) -> Option<usize> {
        let made = self.burns_made();
        let missed = |at: &usize| self.acts[*at].act == Act::Burn && self.followed(*at) && !made.contains(at);
        (0..self.acts.len()).rev().find(missed)
    }

    /// Whether every decision and reveal that the schedule puts before this act has been made.
    fn reached(&self, at: usize) -> bool {
        let mut decisions = 0;
        self.acts[..at].iter().all(|scheduled| match scheduled.act {
            Act::Burn | Act::Deal(_) => true,
            Act::Decide { .. } => {
                decisions += 1;
                !self.undecided(decisions)
            }
            Act::Reveal(what) => self.play.revealed.contains(&what),
        })
    }

    /// The dealt cards in the order in which they left the shoe, each with its place. A step recorded hand by hand is assumed to
    /// have been dealt as the procedure says.
    pub(crate) fn sequence(&self) -> Vec<(Option<Place>, Card)> {
        let mut lies: BTreeMap<Place, usize> = BTreeMap::new();
        let mut cards: Vec<(Option<usize>, Option<Place>, Card)> = Vec::new();
        let mut by_hand: BTreeSet<usize> = BTreeSet::new();
        for draw in &self.play.drawn {
            for card in &draw.cards {
                let act = draw.to.and_then(|to| {
                    let index = lies.entry(to).or_default();
                    *index += 1;
                    self.act_of(to, *index - 1)
                });
                let together = act.filter(|at| {
                    draw.cards.len() > 1 && deal(self.acts[*at].act).is_some_and(|dealt| dealt.one_at_a_time)
                });
                by_hand.extend(together.map(|at| self.acts[at].step));
                cards.push((act, draw.to, *card));
            }
        }
        for step in by_hand {
            let of_step = |act: &Option<usize>| act.is_some_and(|at| self.acts[at].step == step);
            let places: Vec<usize> = (0..cards.len()).filter(|at| of_step(&cards[*at].0)).collect();
            let mut dealt: Vec<_> = places.iter().map(|at| cards[*at]).collect();
            dealt.sort_by_key(|(act, ..)| *act);
            for (at, card) in places.into_iter().zip(dealt) {
                cards[at] = card;
            }
        }
        cards.into_iter().map(|(_, to, card)| (to, card)).collect()
    }

    /// The act that deals a place the card at this position.
    fn act_of(&self, to: Place, index: usize) -> Option<usize> {
        let covers = |dealt: Dealt| dealt.to == to && (dealt.from..dealt.until).contains(&index);
        self.acts.iter().position(|scheduled| deal(scheduled.act).is_some_and(covers))
    }

    /// The places of the schedule, card by card; `None` is a burnt card. A burn that the record leaves out, although it was due
    /// and the cards after it came, has no place, unless it is the one that was missed.
    fn slots(&self, missed: Option<usize>) -> Vec<Option<Place>> {
        let made = self.burns_made();
        let mut slots = Vec::new();
        for (at, scheduled) in self.acts.iter().enumerate() {
            match scheduled.act {
                Act::Burn => {
                    let left_out = self.followed(at) && self.reached(at) && !made.contains(&at);
                    if !left_out || missed == Some(at) {
                        slots.push(None);
                    }
                }
                Act::Deal(Dealt { to, from, until, .. }) => {
                    let invalid = |hand: &HandInPlay| matches!(hand.status, HandStatus::Invalid(_));
                    let lies = self.play.pile(to).len();
                    // An invalid hand keeps what it has.
                    let until = if self.hand(to).is_some_and(invalid) { until.min(lies) } else { until };
                    slots.extend(std::iter::repeat_n(Some(to), until.saturating_sub(from)));
                }
                Act::Decide { .. } | Act::Reveal(_) => {}
            }
        }
        slots
    }

    /// The cards in the order in which they left the shoe, each where the schedule puts it; after a missed burn, with the card
    /// that should have been burnt. `None` if no burn was missed.
    pub(crate) fn moved_up(&self) -> Option<Vec<Draw>> {
        let missed = self.latest_missed_burn()?;
        Some(self.in_order(Some(missed)))
    }

    /// The cards in the order in which they left the shoe, each where the schedule puts it.
    pub(crate) fn in_order(&self, missed: Option<usize>) -> Vec<Draw> {
        let cards = self.sequence().into_iter().map(|(_, card)| card);
        let draw = |(to, card)| Draw { to, cards: vec![card] };
        self.slots(missed).into_iter().zip(cards).map(draw).collect()
    }

    /// Community cards that came too early, put where the schedule has the cards that come next: a fourth flop card is the burn
    /// before the turn. Cards for which the board has no place come off. `None` if none came too early.
    pub(crate) fn early_board_cards_in_place(&self) -> Option<Vec<Draw>> {
        let board: Vec<usize> = (0..self.acts.len())
            .filter(|at| deal(self.acts[*at].act).is_some_and(|dealt| dealt.to == Place::Board))
            .collect();
        let group = board.iter().rev().find(|at| self.reached(**at)).or(board.first())?;
        let right = deal(self.acts[*group].act)?.until;
        let made = self.burns_made();
        let mut next: Vec<Option<Place>> = Vec::new();
        for (at, scheduled) in self.acts.iter().enumerate().skip(group + 1) {
            match scheduled.act {
                Act::Burn if made.contains(&at) => {}
                Act::Burn => next.push(None),
                Act::Deal(dealt) if dealt.to == Place::Board => {
                    next.extend(std::iter::repeat_n(Some(Place::Board), dealt.until - dealt.from));
                }
                // What comes after it goes to another place.
                Act::Deal(_) => break,
                Act::Decide { .. } | Act::Reveal(_) => {}
            }
        }
        let mut next = next.into_iter();
        let mut lies = 0;
        let mut early = false;
        let mut drawn = Vec::new();
        for (to, card) in self.sequence() {
            let mut place = Some(to);
            if to == Some(Place::Board) {
                lies += 1;
                if lies > right {
                    early = true;
                    place = next.next();
                }
            }
            drawn.extend(place.map(|to| Draw { to, cards: vec![card] }));
        }
        early.then_some(drawn)
    }

    /// The latest cards from the shoe, this many of which came out together, with this one received first; the others follow in
    /// their order. `None` if fewer are out: then they are dealt in the order that was ruled.
    pub(crate) fn with_first(&self, together: usize, first: usize) -> Option<Vec<Draw>> {
        let sequence = self.sequence();
        let from = sequence.len().checked_sub(together)?;
        let mut cards: Vec<Card> = sequence.iter().map(|(_, card)| *card).collect();
        cards.get_mut(from..from + first)?.rotate_right(1);
        let places = sequence.into_iter().map(|(to, _)| to);
        Some(places.zip(cards).map(|(to, card)| Draw { to, cards: vec![card] }).collect())
    }
}
