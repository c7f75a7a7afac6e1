//! Describes events in words: one wording for replays, stories, previews, records and logs.
//!
//! [`describe`] describes an event to a reader. It names a card only if the reader's view, before or after the event, holds
//! it face up; all others are counted. Two events that differ only in cards that the reader cannot see therefore have the
//! same words. [`recap`] describes a round so far from a view alone, in the same words.

pub mod phrases;
mod recap;
mod sentence;

use std::collections::BTreeSet;

use baize_cards::{Card, CardSet, HandValue};
use baize_rules::{Area, BoxNumber, Cites, Reveal, Rulebook};

use self::phrases::{among, boxes, count, list};
pub use self::recap::recap;
pub use self::sentence::{Sentence, SentenceKind, Who, joined};
use crate::{
    BoxSettlement, CardView, Decided, Draw, Event, JackpotPayment, Place, Player, ResultKind, RoundView,
};

/// The description of an event for a reader with these views before and after it. Empty if another event says it
/// better.
#[must_use]
pub fn describe(book: &Rulebook, event: &Event, before: &RoundView, after: &RoundView) -> Vec<Sentence> {
    let reader = Reader { book, before, after, open: open(before).union(open(after)) };
    reader.words(event)
}

/// Reports, rulings, faults and void rounds: they contain no card, so every reader gets the same words. `None` for every
/// other event.
#[must_use]
pub fn trouble(event: &Event) -> Option<Sentence> {
    if let Event::IrregularityRuled { report, remedied } = event {
        let reported = warning(phrases::reported(report, remedied));
        Some(reported.by(Who::of(&report.by)).citing(remedied.cites))
    } else if let Event::RulingAwaited { by, cites, .. } = event {
        Some(warning(format!("Waiting for the {} to decide", by.name())).citing(*cites))
    } else if let Event::Ruled { ruling, cites } = event {
        Some(warning(phrases::ruled(ruling)).by(Who::of(&ruling.by)).citing(*cites))
    } else if let Event::RoundVoided { cites, .. } = event {
        Some(warning("The round is void: every wager goes back").citing(*cites))
    } else {
        (*event == Event::JackpotFailed).then(|| warning("The jackpot has failed"))
    }
}

/// The face-up cards in a view.
fn open(view: &RoundView) -> CardSet {
    let boxes = view.boxes.values().flat_map(|on_box| &on_box.cards);
    let piles = boxes.chain(&view.board).chain(&view.dealer).chain(&view.burnt);
    piles.filter_map(|card| card.up()).collect()
}

struct Reader<'a> {
    book: &'a Rulebook,
    before: &'a RoundView,
    after: &'a RoundView,
    open: CardSet,
}

impl Reader<'_> {
    fn words(&self, event: &Event) -> Vec<Sentence> {
        vec![match event {
            Event::RoundOpened { .. } => {
                dealer("\"Place your bets, please.\"").citing(self.book.betting.open)
            }
            Event::WagerPlaced { seat, player, area, amount, unnoticed, placed_by } => {
                let mut chips = amount.grouped();
                if *area != Area::Bet {
                    chips.push_str(&format!(" on the {}", area.code()));
                }
                if *unnoticed {
                    chips.push_str(" (unnoticed)");
                }
                if let Some(role) = placed_by {
                    chips.push_str(&format!(" (placed by the {} at the player's request)", role.name()));
                }
                let bets = Sentence::list(of(*seat, player), "bets", chips);
                return [bets].into_iter().chain(self.informed(*seat, player, *area)).collect();
            }
            Event::WagerWithdrawn { seat, player, area, amount } => {
                told(of(*seat, player), format!("takes back {} from the {}", amount.grouped(), area.code()))
            }
            Event::WagerReturned { seat, player, area, amount, cites } => {
                let what = format!("gets back {} from the {}", amount.grouped(), area.code());
                told(of(*seat, player), what).citing(*cites)
            }
            Event::BetsClosed { .. } => dealer("\"No more bets.\"").citing(self.book.betting.close),
            Event::CardBurnt { card, departs_from } => {
                let burns = format!("burns {}{}", self.cards(&[*card]), phrases::departing(*departs_from));
                dealer(burns).citing(*departs_from)
            }
            Event::CardsDealt { to, cards, departs_from } => self.dealt(*to, cards, *departs_from),
            Event::HandLookedAt { seat } => {
                Sentence::list(self.of_box(*seat), "looks", "at the hand".to_owned())
            }
            // The wager event already said it.
            Event::DecisionMade { decided: Decided::Raised, .. } => return Vec::new(),
            Event::DecisionMade { seat, decided, cites } => {
                let what = if *decided == Decided::Folded { "folds" } else { "checks" };
                told(self.of_box(*seat), what).citing(*cites)
            }
            Event::CardsRevealed { what } => self.revealed(*what),
            Event::HandShown { seat } => {
                let cards = self.after.boxes.get(seat).map(|on_box| up(&on_box.cards)).unwrap_or_default();
                told(self.of_box(*seat), format!("shows {}", self.cards(&cards)))
            }
            Event::HandDeclined { seat } => {
                told(self.of_box(*seat), "does not show the hand").citing(self.book.settlement.declined)
            }
            Event::PlayerAbsent { seat, cites } => told(self.of_box(*seat), "has walked away").citing(*cites),
            Event::IrregularityRuled { .. }
            | Event::RulingAwaited { .. }
            | Event::Ruled { .. }
            | Event::JackpotFailed
            | Event::RoundVoided { .. } => return trouble(event).into_iter().collect(),
            Event::OptionsGiven { seats, allowed, cites, .. } => {
                warning(format!("{} may {}", boxes(seats), phrases::options(*allowed))).citing(*cites)
            }
            Event::OptionChosen { seat, player, choice, cites } => {
                let who = player.as_ref().map_or_else(|| self.of_box(*seat), |player| of(*seat, player));
                told(who, phrases::chosen(*choice)).citing(*cites)
            }
            Event::HandInvalidated { seat, cites } => {
                told(self.of_box(*seat), "has an invalid hand: its wagers go back").citing(*cites)
            }
            Event::ReconstructionBegun { left, cites } => {
                let words =
                    format!("puts {} where they belong, one by one", count(left.len(), "card", "cards"));
                dealer(words).citing(*cites)
            }
            Event::CardPutBack { card, to } => {
                dealer(format!("moves {} to {}", self.cards(&[*card]), among(*to)))
            }
            Event::HandsMoved { moves } => {
                let moves = moves.iter().map(|(from, to)| format!("the hand of box {from} to box {to}"));
                dealer(format!("moves {}", list(moves)))
            }
            Event::CardsReconstructed { drawn } => self.reconstructed(drawn),
            Event::CardsShifted { burnt, piles } => self.shifted(*burnt, piles),
            Event::CardsTakenOff { from, cards } => dealer(format!("takes {} off {from}", self.cards(cards))),
            Event::DealerFaceUpSet { card } => {
                dealer(format!("leaves {} face up instead of the last card", self.cards(&[*card])))
            }
            Event::RoundSettled { boxes, claims, .. } => {
                let mut all = vec![self.settled(boxes)];
                for claim in claims {
                    let award = self.book.jackpot.awards.get(claim.award);
                    let name = award.map_or("an award", |award| award.name.as_str());
                    let claims =
                        told(self.of_box(claim.seat), format!("claims the jackpot award for {name}"));
                    all.push(claims.citing(award.map_or(Cites::NONE, |award| award.cites)));
                }
                return all;
            }
            Event::SlipCorrected { slip, cites } => {
                told(self.of_box(slip.seat), format!("is settled again: {}", phrases::signed(slip.net())))
                    .citing(*cites)
            }
            Event::JackpotPaid { payments } => {
                return payments.iter().map(|payment| self.paid(payment)).collect();
            }
        }]
    }

    // RWS 3.7; MBS 3.4.1: the dealer tells a player on another box that they may examine only one hand.
    fn informed(&self, seat: BoxNumber, player: &Player, area: Area) -> Option<Sentence> {
        let has_chips = |n: &BoxNumber| {
            let on_box = self.before.boxes.get(n);
            on_box.is_some_and(|on_box| on_box.stakes.iter().any(|stake| stake.player == *player))
        };
        let others: BTreeSet<BoxNumber> = self.before.boxes.keys().copied().filter(|n| *n != seat).collect();
        let further = area == Area::Ante && !has_chips(&seat) && others.iter().any(has_chips);
        further.then(|| {
            let what = format!("tells {player} that they may examine one hand only");
            dealer(what).citing(self.book.betting.one_hand_viewed)
        })
    }

    fn dealt(&self, to: Place, cards: &[Card], departs_from: Cites) -> Sentence {
        let mut what = self.cards(cards);
        if to == Place::Dealer
            && self.book.board_size() == 0
            && self.after.dealer.len() == self.book.hand_size()
            && cards.iter().all(|card| self.open.contains(*card))
            && let Some(face_up) = cards.last()
        {
            what.push_str(&format!(" ({face_up} face up)"));
        }
        let departs = phrases::departing(departs_from);
        let who = match to {
            Place::Box(seat) => self.of_box(seat),
            Place::Board => {
                return dealer(format!("deals {what} to the board{departs}")).citing(departs_from);
            }
            Place::Dealer => Who::Dealer,
        };
        let all = cards.iter().all(|card| self.open.contains(*card));
        if all && departs_from.is_empty() {
            return Sentence::cards(who, what);
        }
        told(who, format!("is dealt {what}{departs}")).citing(departs_from)
    }

    fn revealed(&self, what: Reveal) -> Sentence {
        let board = up(&self.after.board);
        if let Some((from, to)) = what.board_cards() {
            let cards = board.get(from..to).unwrap_or_default();
            return table(format!("The {} is dealt: {}", what.code(), self.cards(cards)));
        }
        let hand = up(&self.after.dealer);
        let shows = dealer(format!("shows {}", self.cards(&hand)));
        let Ok(value) = HandValue::of(hand.iter().chain(&board).copied().collect()) else { return shows };
        let mut shows = dealer(format!("shows {}: {value}", self.cards(&hand)));
        if let Some(qualification) = &self.book.qualification {
            let qualifies = self.book.qualifies(value);
            shows.add(if qualifies { ", which qualifies" } else { ", which does not qualify" });
            shows.cites = qualification.cites;
        }
        shows
    }

    fn reconstructed(&self, drawn: &[Draw]) -> Sentence {
        let cards = drawn.iter().flat_map(|draw| &draw.cards);
        if !cards.clone().all(|card| self.open.contains(*card)) {
            return dealer("puts the cards where they belong");
        }
        let places: BTreeSet<Option<Place>> = drawn.iter().map(|draw| draw.to).collect();
        let piles = places.into_iter().map(|place| {
            let there = drawn.iter().filter(|draw| draw.to == place);
            let cards: Vec<Card> = there.flat_map(|draw| &draw.cards).copied().collect();
            let to = place.map_or_else(|| "the burnt cards".to_owned(), |place| place.to_string());
            format!("{} to {to}", phrases::spaced(&cards))
        });
        dealer(format!("puts the cards where they belong: {}", list(piles)))
    }

    fn shifted(&self, burnt: Card, piles: &[(Place, Vec<Card>)]) -> Sentence {
        let moved = piles.iter().flat_map(|(_, cards)| cards);
        if !moved.chain([&burnt]).all(|card| self.open.contains(*card)) {
            return dealer("burns the card that was missed and moves the others up to where they belong");
        }
        let piles = piles.iter().map(|(place, cards)| format!("{} to {place}", phrases::spaced(cards)));
        dealer(format!("burns {burnt} and moves the others up: {}", list(piles)))
    }

    fn settled(&self, slips: &[BoxSettlement]) -> Sentence {
        let results = slips.iter().map(|slip| {
            let seen = self.after.slips.iter().find(|seen| seen.seat == slip.seat);
            let hand = seen.and_then(|seen| seen.hand).map(|hand| hand.name());
            let claim = slip.lines.iter().any(|line| line.result == ResultKind::Pending);
            let more: Vec<&str> = hand.into_iter().chain(claim.then_some("jackpot claim")).collect();
            let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
            format!("box {} {}{more}", slip.seat, phrases::signed(slip.net()))
        });
        table(format!("The round is settled: {}", list(results)))
    }

    fn paid(&self, payment: &JackpotPayment) -> Sentence {
        let what = if payment.amount.is_zero() {
            "is paid nothing by the jackpot: the claim did not qualify".to_owned()
        } else {
            format!("is paid {} by the jackpot", payment.amount.grouped())
        };
        told(self.of_box(payment.seat), what).citing(payment.cites)
    }

    /// The cards that the reader sees, and how many others there are.
    fn cards(&self, cards: &[Card]) -> String {
        let seen: Vec<Card> = cards.iter().copied().filter(|card| self.open.contains(*card)).collect();
        match (seen.len(), cards.len() - seen.len()) {
            (_, 0) => phrases::spaced(&seen),
            (0, hidden) => count(hidden, "card", "cards"),
            (_, hidden) => {
                format!("{} face down and {} face up", count(hidden, "card", "cards"), phrases::spaced(&seen))
            }
        }
    }

    fn of_box(&self, seat: BoxNumber) -> Who {
        let on_box = self.after.boxes.get(&seat).or_else(|| self.before.boxes.get(&seat));
        Who::Box { seat, player: on_box.map(|on_box| on_box.player.clone()) }
    }
}

fn up(cards: &[CardView]) -> Vec<Card> {
    cards.iter().filter_map(|card| card.up()).collect()
}

fn of(seat: BoxNumber, player: &Player) -> Who {
    Who::Box { seat, player: Some(player.clone()) }
}

fn told(who: Who, what: impl Into<String>) -> Sentence {
    Sentence::whole(who, what.into())
}

fn dealer(what: impl Into<String>) -> Sentence {
    told(Who::Dealer, what)
}

fn table(what: impl Into<String>) -> Sentence {
    told(Who::Nobody, what)
}

fn warning(what: impl Into<String>) -> Sentence {
    table(what).of_trouble()
}
