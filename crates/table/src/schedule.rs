//! The cursor over the dealing schedule: what is due now, for whom, how many cards, and what departs from the
//! schedule.
//!
//! The schedule itself is the procedure of the rulebook, laid out for the boxes of the round
//! ([`baize_rules::Procedure::schedule`]). The cursor compares it with the cards on the table. The computer's shoe, the dealer's
//! console, round scripts, departures and missed burns all use it; no other code interprets a schedule.

mod layout;

use std::collections::BTreeSet;

use baize_cards::Card;
use baize_rules::{Act, Area, BoxNumber, Cites, Dealt, Place, Reveal, Rulebook, Scheduled};
use schemars::JsonSchema;
use serde::Serialize;

use crate::decide::{can_settle, in_play, overfull, waits};
use crate::round::{HandInPlay, HandStatus, Phase, Play, PutBack};
use crate::{Awaiting, Command, Refusal, Table, Why};

/// Cards that are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DueCards {
    /// Where.
    pub to: Place,
    /// How many.
    pub cards: usize,
    /// The last of them is face up; all others are face down.
    pub last_face_up: bool,
    /// One card at a time round the table, instead of the whole set at once.
    pub one_at_a_time: bool,
    /// The paragraphs.
    pub cites: Cites,
}

/// What is due now, by the dealing procedure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum Due {
    /// A card is burnt.
    Burn {
        /// The paragraphs.
        cites: Cites,
        /// The cards that come after it: what a dealer who forgets the burn deals.
        then: Option<DueCards>,
    },
    /// Cards are dealt.
    Deal(DueCards),
    /// Players decide.
    Decide {
        /// The boxes that have not decided.
        seats: BTreeSet<BoxNumber>,
        /// The area of the raise.
        area: Area,
        /// The paragraphs of the raise.
        cites: Cites,
        /// The paragraphs of the other choice.
        otherwise: Cites,
    },
    /// The dealer turns cards.
    Reveal {
        /// Which.
        what: Reveal,
        /// The paragraphs.
        cites: Cites,
    },
    /// The dealer settles.
    Settle,
    /// The dealer of a real shoe puts a card where it belongs.
    PutBack {
        /// Which, by its places.
        card: PutBack,
        /// How many are left, including this one.
        left: usize,
        /// The paragraphs.
        cites: Cites,
    },
    /// A place has more cards than belong there: this must be reported before play continues.
    Report {
        /// Where.
        place: Place,
        /// How many are there.
        found: usize,
        /// How many belong there.
        right: usize,
        /// The paragraphs.
        cites: Cites,
    },
}

/// What is due now. Nothing before "No more bets", after the settlement, and while the round waits for a ruling or a choice.
#[must_use]
pub fn due(book: &Rulebook, table: &Table) -> Option<Due> {
    let Phase::Play(play) = &table.round.phase else { return None };
    match &table.round.awaiting {
        Some(Awaiting::Reconstruction { left, cites }) => {
            let put = |card: &PutBack| Due::PutBack { card: *card, left: left.len(), cites: *cites };
            return left.first().map(put);
        }
        Some(Awaiting::Ruling { .. } | Awaiting::Options { .. }) => return None,
        None => {}
    }
    if let Some((place, found, right, cites)) = overfull(book, play) {
        return Some(Due::Report { place, found, right, cites });
    }
    // Nothing is settled while a hand in play has an open decision: this avoids asking the rules after every
    // card.
    if deciding(book, play).is_empty() && can_settle(book, table) {
        return Some(Due::Settle);
    }
    Cursor::new(book, table, play).due()
}

/// The command that takes these cards from a real shoe to where the schedule says.
///
/// # Errors
/// A [`Refusal`] if no card is due, or fewer than these: no card reaches a hand that it was not meant for.
pub fn next_cards(book: &Rulebook, table: &Table, cards: &[Card]) -> Result<Command, Refusal> {
    in_play(book, table)?;
    let found = cards.len();
    let Some(&card) = cards.first() else { return Err(Why::NoCards.into()) };
    if let Some(refusal) = waits(table, &Command::Burn { card }) {
        return Err(refusal);
    }
    match due(book, table) {
        Some(Due::PutBack { card: PutBack { to, .. }, .. }) if found == 1 => Ok(match to {
            Some(to) => Command::Deal { to, cards: vec![card] },
            None => Command::Burn { card },
        }),
        Some(Due::PutBack { cites, .. }) => {
            Err(Refusal::new(Why::TooManyCards { found, due: "one at a time is put back".into() }, cites))
        }
        Some(Due::Burn { .. }) if found == 1 => Ok(Command::Burn { card }),
        Some(Due::Burn { cites, .. }) => {
            Err(Refusal::new(Why::TooManyCards { found, due: "one card is burnt".into() }, cites))
        }
        Some(Due::Deal(due)) if found <= due.cards => Ok(Command::Deal { to: due.to, cards: cards.to_vec() }),
        Some(Due::Deal(DueCards { to, cards, cites, .. })) => {
            let due = if cards == 1 { format!("one goes to {to}") } else { format!("{cards} go to {to}") };
            Err(Refusal::new(Why::TooManyCards { found, due }, cites))
        }
        Some(Due::Decide { seats, cites, .. }) => {
            let seat = seats.first().copied().unwrap_or_default();
            Err(Refusal::new(Why::NoCardDue(format!("box {seat} has not decided yet")), cites))
        }
        Some(Due::Reveal { what, cites }) => {
            Err(Refusal::new(Why::NoCardDue(format!("{} must be turned first", what.name())), cites))
        }
        Some(Due::Report { place, found, right, cites }) => {
            Err(Refusal::new(Why::WrongNumber { place, found, right }, cites))
        }
        Some(Due::Settle) | None => Err(Why::NoCardDue("the round can be settled".into()).into()),
    }
}

/// Whether every decision and reveal that the schedule puts before these cards has been made.
#[must_use]
pub fn ready_to_turn(book: &Rulebook, table: &Table, what: Reveal) -> bool {
    let Phase::Play(play) = &table.round.phase else { return false };
    let acts = Cursor::new(book, table, play).acts;
    let earlier = acts.iter().take_while(|scheduled| scheduled.act != Act::Reveal(what));
    let mut turned = earlier.filter_map(|scheduled| match scheduled.act {
        Act::Reveal(earlier) => Some(earlier),
        Act::Burn | Act::Deal(_) | Act::Decide { .. } => None,
    });
    turned.all(|earlier| play.revealed.contains(&earlier))
        && table.round.awaiting.is_none()
        && deciding(book, play).is_empty()
}

/// The paragraphs of the act that makes this decision, and of the other choice.
pub(crate) fn decision_cites(book: &Rulebook, table: &Table, decision: usize) -> (Cites, Cites) {
    let wanted = book.decisions.get(decision).map(|rule| rule.area);
    let found = acts(book, table, &[]).into_iter().find_map(|Scheduled { act, cites, .. }| match act {
        Act::Decide { area, otherwise } if Some(area) == wanted => Some((cites, otherwise)),
        Act::Burn | Act::Deal(_) | Act::Decide { .. } | Act::Reveal(_) => None,
    });
    found.unwrap_or((Cites::NONE, Cites::NONE))
}

/// The paragraphs of the act that turns these cards.
pub(crate) fn reveal_cites(book: &Rulebook, table: &Table, what: Reveal) -> Cites {
    let acts = acts(book, table, &[]);
    let turns = acts.iter().find(|scheduled| scheduled.act == Act::Reveal(what));
    turns.map_or(Cites::NONE, |scheduled| scheduled.cites)
}

/// The schedule of the table's dealing procedure with these boxes.
fn acts(book: &Rulebook, table: &Table, boxes: &[BoxNumber]) -> Vec<Scheduled> {
    let procedure = book.procedure(table.settings.procedure);
    procedure.map(|procedure| procedure.schedule(boxes)).unwrap_or_default()
}

/// The boxes that have to decide now.
pub(crate) fn deciding(book: &Rulebook, play: &Play) -> BTreeSet<BoxNumber> {
    play.undecided(book).filter(|(_, hand)| !hand.absent).map(|(seat, _)| seat).collect()
}

/// The schedule of a round, compared with the cards on the table.
pub(crate) struct Cursor<'a> {
    book: &'a Rulebook,
    play: &'a Play,
    acts: Vec<Scheduled>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(book: &'a Rulebook, table: &Table, play: &'a Play) -> Cursor<'a> {
        let dealt_to = play.hands.iter().filter(|(_, hand)| hand.status != HandStatus::NoAnte);
        let boxes: Vec<BoxNumber> = dealt_to.map(|(seat, _)| *seat).collect();
        Cursor { book, play, acts: acts(book, table, &boxes) }
    }

    fn due(&self) -> Option<Due> {
        let burnt = self.burns_made();
        let mut stage = 0;
        for (at, Scheduled { act, cites, .. }) in self.acts.iter().enumerate() {
            match *act {
                // A missed burn is not made up for once the cards after it are dealt.
                Act::Burn if !burnt.contains(&at) && !self.followed(at) => {
                    let then = self.acts[at..].iter().find_map(|scheduled| self.missing(scheduled));
                    return Some(Due::Burn { cites: *cites, then });
                }
                Act::Deal(_) => {
                    if let Some(cards) = self.missing(&self.acts[at]) {
                        return Some(Due::Deal(cards));
                    }
                }
                Act::Decide { area, otherwise } => {
                    let seats = deciding(self.book, self.play);
                    if stage == self.play.revealed.len() && !seats.is_empty() {
                        return Some(Due::Decide { seats, area, cites: *cites, otherwise });
                    }
                    stage += 1;
                }
                Act::Reveal(what) if !self.play.revealed.contains(&what) => {
                    return Some(Due::Reveal { what, cites: *cites });
                }
                Act::Burn | Act::Reveal(_) => {}
            }
        }
        None
    }

    /// What an act of dealing still lacks. An invalid hand has no wager any more and is dealt nothing.
    fn missing(&self, scheduled: &Scheduled) -> Option<DueCards> {
        let Act::Deal(Dealt { to, from, until, last_face_up, one_at_a_time, .. }) = scheduled.act else {
            return None;
        };
        let invalid = |hand: &HandInPlay| matches!(hand.status, HandStatus::Invalid(_));
        let lies = self.play.pile(to).len();
        if lies >= until || self.hand(to).is_some_and(invalid) {
            return None;
        }
        let cards = until - lies.max(from);
        Some(DueCards { to, cards, last_face_up, one_at_a_time, cites: scheduled.cites })
    }

    fn hand(&self, place: Place) -> Option<&HandInPlay> {
        match place {
            Place::Box(seat) => self.play.hands.get(&seat),
            Place::Board | Place::Dealer => None,
        }
    }

    /// Whether cards of the dealing step after this act have come.
    fn followed(&self, at: usize) -> bool {
        let later = &self.acts[at + 1..];
        let next = later.iter().find(|scheduled| matches!(scheduled.act, Act::Deal(_)));
        next.is_some_and(|next| self.begun(next.step))
    }

    fn begun(&self, step: usize) -> bool {
        let of_step = self.acts.iter().filter(|scheduled| scheduled.step == step);
        let mut deals = of_step.filter_map(|scheduled| deal(scheduled.act));
        deals.any(|dealt| self.play.pile(dealt.to).len() > dealt.from)
    }

    /// The burns that were made, by their place in the schedule: those whose card left the shoe before the cards that follow it.
    fn burns_made(&self) -> BTreeSet<usize> {
        let mut made = BTreeSet::new();
        let mut lies: Vec<Place> = Vec::new();
        let mut pending = false;
        let burn_before = |at: usize| self.acts[..at].iter().rposition(|s| s.act == Act::Burn);
        for draw in &self.play.drawn {
            let Some(to) = draw.to else {
                pending = true;
                continue;
            };
            let count = lies.iter().filter(|place| **place == to).count();
            let covers = |dealt: Dealt| dealt.to == to && (dealt.from..dealt.until).contains(&count);
            if pending && let Some(at) = self.acts.iter().position(|s| deal(s.act).is_some_and(covers)) {
                made.extend(burn_before(at));
            }
            pending = false;
            lies.extend(std::iter::repeat_n(to, draw.cards.len()));
        }
        // The latest card from the shoe was burnt: it counts as the first burn whose cards have not come.
        if pending {
            let open = |at: &usize| self.acts[*at].act == Act::Burn && !self.followed(*at);
            made.extend((0..self.acts.len()).find(open));
        }
        made
    }

    /// How many cards should have been burnt before the dealt cards, and how many of these burns were missed.
    pub(crate) fn burns(&self) -> (usize, usize) {
        let made = self.burns_made();
        let due: Vec<usize> =
            (0..self.acts.len()).filter(|at| self.acts[*at].act == Act::Burn && self.followed(*at)).collect();
        (due.len(), due.iter().filter(|at| !made.contains(at)).count())
    }

    /// Whether the latest deal is still going on, or was the last event: nothing after it has been decided or turned.
    pub(crate) fn dealing(&self) -> bool {
        let (mut dealing, mut decisions) = (false, 0);
        for scheduled in &self.acts {
            match scheduled.act {
                Act::Burn => {}
                Act::Deal(dealt) => dealing |= self.play.pile(dealt.to).len() > dealt.from,
                Act::Decide { .. } => {
                    decisions += 1;
                    dealing &= !self.play.hands.values().any(|hand| hand.decisions.len() >= decisions);
                }
                Act::Reveal(what) => dealing &= !self.play.revealed.contains(&what),
            }
        }
        dealing
    }

    /// The paragraphs that prescribe another moment for a burn than now.
    pub(crate) fn burn_departs_from(&self) -> Cites {
        if matches!(self.due(), Some(Due::Burn { .. })) {
            return Cites::NONE;
        }
        let is_burn = |at: &usize| self.acts[*at].act == Act::Burn;
        let open = (0..self.acts.len()).find(|at| is_burn(at) && !self.followed(*at));
        let at = open.or_else(|| (0..self.acts.len()).rfind(is_burn)).unwrap_or(0);
        self.acts.get(at).map_or(Cites::NONE, |scheduled| scheduled.cites)
    }

    /// The paragraphs of the procedure that prescribe another moment or order for this many cards to this place: after a decision
    /// that is still open, after cards that have not come, before cards that have, or one at a time.
    pub(crate) fn departs_from(&self, to: Place, count: usize) -> Cites {
        let lies = self.play.pile(to).len();
        let for_place = |scheduled: &&Scheduled| deal(scheduled.act).is_some_and(|dealt| dealt.to == to);
        let covered = |scheduled: &&Scheduled| deal(scheduled.act).is_some_and(|dealt| dealt.until > lies);
        let Some(first) = self.acts.iter().filter(for_place).find(covered) else {
            // More cards than the procedure has for this place.
            let last = self.acts.iter().rfind(for_place).or(self.acts.first());
            return last.map_or(Cites::NONE, |scheduled| scheduled.cites);
        };
        // Community cards dealt as a whole have a place in the order; flop, turn and river may come one after
        // another.
        let whole = to == Place::Board && lies == 0 && count == self.book.board_size();
        let follows = if whole {
            self.follows(to, 1) && !self.later_begun(first.step)
        } else {
            self.follows(to, count) || self.is_whole_group(first, count)
        };
        if follows { Cites::NONE } else { first.cites }
    }

    /// Whether these are exactly the cards that come next. Burns may be left out, and nobody waits for community
    /// cards.
    fn follows(&self, to: Place, count: usize) -> bool {
        let mut left = count;
        let (mut blocked, mut decisions) = (false, 0);
        for scheduled in &self.acts {
            match scheduled.act {
                Act::Burn | Act::Reveal(_) => {}
                Act::Decide { .. } => {
                    decisions += 1;
                    blocked |= self.undecided(decisions);
                }
                Act::Deal(dealt) => {
                    let new = if dealt.to == to { count - left } else { 0 };
                    let lies = self.play.pile(dealt.to).len() + new;
                    if lies >= dealt.until {
                        continue;
                    }
                    if dealt.to != to {
                        blocked |= self.waited_for(dealt.to);
                    } else if blocked {
                        return false;
                    } else {
                        left -= left.min(dealt.until - lies);
                    }
                    if left == 0 {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether a hand in play has made fewer decisions than this.
    fn undecided(&self, decisions: usize) -> bool {
        let mut hands = self.play.hands.values();
        hands.any(|hand| hand.in_play() && !hand.absent && hand.decisions.len() < decisions)
    }

    /// Whether others wait until this place has its cards.
    fn waited_for(&self, place: Place) -> bool {
        match place {
            Place::Box(_) => self.hand(place).is_some_and(HandInPlay::in_play),
            Place::Board => false,
            Place::Dealer => true,
        }
    }

    /// Whether a line deals a place its whole group of a step that deals one card at a time, after those who come before it: a
    /// record written hand by hand.
    fn is_whole_group(&self, first: &Scheduled, count: usize) -> bool {
        let Some(Dealt { to, from, one_at_a_time: true, .. }) = deal(first.act) else { return false };
        let of_step = |scheduled: &&Scheduled| scheduled.step == first.step;
        let until = |place: Place| {
            let mut deals = self.acts.iter().rev().filter(of_step).filter_map(|s| deal(s.act));
            deals.find(|dealt| dealt.to == place).map_or(0, |dealt| dealt.until)
        };
        let whole = self.play.pile(to).len() == from && from + count == until(to);
        let mut decisions = 0;
        let mut before = self.acts.iter().take_while(|scheduled| *scheduled != first);
        whole
            && before.all(|scheduled| match scheduled.act {
                Act::Burn | Act::Reveal(_) => true,
                Act::Decide { .. } => {
                    decisions += 1;
                    !self.undecided(decisions)
                }
                Act::Deal(dealt) => {
                    let needs = if of_step(&scheduled) { until(dealt.to) } else { dealt.until };
                    !self.waited_for(dealt.to) || self.play.pile(dealt.to).len() >= needs
                }
            })
    }

    /// Whether cards of a later step, other than community cards, have come.
    fn later_begun(&self, step: usize) -> bool {
        let later = self.acts.iter().filter(|scheduled| scheduled.step > step);
        let mut deals = later.filter_map(|scheduled| deal(scheduled.act));
        deals.any(|dealt| dealt.to != Place::Board && self.play.pile(dealt.to).len() > dealt.from)
    }
}

const fn deal(act: Act) -> Option<Dealt> {
    match act {
        Act::Deal(dealt) => Some(dealt),
        Act::Burn | Act::Decide { .. } | Act::Reveal(_) => None,
    }
}
