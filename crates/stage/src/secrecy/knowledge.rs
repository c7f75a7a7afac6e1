//! What each reader may know of a round's cards, derived only from the script's steps: no rule, no view.
//!
//! A hand belongs to its player once they have looked at it, and to everybody once it is shown or compared. Community cards and
//! the dealer's cards are everybody's once they are turned; in stud one of the dealer's cards is face up. A card once seen is
//! known for the rest of the round.

use std::collections::BTreeMap;
use std::fmt;

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Reveal, Rulebook};
use baize_table::{Choice, Command, Draw, Outcome, Place, Player, ResultKind, RoundView, Ruling, RulingKind};

/// A person who reads what the casino sends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reader {
    Player(Player),
    Dealer,
    Pit,
    Auditor,
    Public,
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reader::Player(player) => write!(f, "{player}"),
            Reader::Dealer => f.write_str("the dealer"),
            Reader::Pit => f.write_str("the pit"),
            Reader::Auditor => f.write_str("the auditor"),
            Reader::Public => f.write_str("the public"),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Hand {
    /// Whose chips are on which areas of the box, in the order in which they were placed.
    chips: Vec<(Player, Area)>,
    /// The player of the hand: the first with chips there.
    owner: Option<Player>,
    cards: Vec<Card>,
    looked: bool,
    shown: bool,
    folded: bool,
    declined: bool,
}

/// The cards of a round, and who has seen which.
#[derive(Debug, Clone)]
pub(crate) struct Knowledge {
    number: u32,
    hand_size: usize,
    hands: BTreeMap<BoxNumber, Hand>,
    board: Vec<Card>,
    /// How many of the community cards are turned.
    turned: usize,
    dealer: Vec<Card>,
    dealer_turned: bool,
    /// The position of the dealer's face-up card, in stud.
    face_up: Option<usize>,
    burnt: Vec<Card>,
    /// Cards that came off again.
    off: Vec<Card>,
    /// Cards that were named aloud: everybody heard it.
    named: CardSet,
    /// What everybody knows, and what single readers know in addition.
    everybody: CardSet,
    only: BTreeMap<Reader, CardSet>,
}

impl Knowledge {
    /// A round of this game before its first card.
    pub(crate) fn of(book: &Rulebook, number: u32) -> Knowledge {
        Knowledge {
            number,
            hand_size: book.hand_size(),
            hands: BTreeMap::new(),
            board: Vec::new(),
            turned: 0,
            dealer: Vec::new(),
            dealer_turned: false,
            face_up: (book.board_size() == 0).then(|| book.hand_size() - 1),
            burnt: Vec::new(),
            off: Vec::new(),
            named: CardSet::EMPTY,
            everybody: CardSet::EMPTY,
            only: BTreeMap::new(),
        }
    }

    pub(crate) const fn number(&self) -> u32 {
        self.number
    }

    /// The cards of a box.
    pub(crate) fn hand_of(&self, seat: BoxNumber) -> &[Card] {
        self.hands.get(&seat).map(|hand| hand.cards.as_slice()).unwrap_or_default()
    }

    /// A step that was taken.
    pub(crate) fn step(&mut self, command: &Command) {
        match command {
            Command::PlaceWager { seat, player, area, .. } => {
                self.hand(*seat).chips.push((player.clone(), *area));
            }
            Command::Withdraw { seat, player, area } => {
                self.hand(*seat).chips.retain(|(of, on)| of != player || on != area);
            }
            Command::Choose { seat, player, choice: Choice::Withdraw } => {
                let hand = self.hand(*seat);
                let player = player.clone().or_else(|| hand.owner.clone());
                hand.chips.retain(|(of, _)| Some(of) != player.as_ref());
            }
            Command::Rule(Ruling { kind: RulingKind::Bar(player), .. }) => {
                self.hands.values_mut().for_each(|hand| hand.chips.retain(|(of, _)| of != player));
            }
            // Before the cards, a stopped player keeps the first of their boxes, and the others are free.
            Command::Rule(Ruling { kind: RulingKind::Stop(player), .. }) if self.cards().next().is_none() => {
                let first = |hand: &&mut Hand| hand.chips.first().is_some_and(|(of, _)| of == player);
                let others = self.hands.values_mut().filter(first).skip(1);
                others.for_each(|hand| hand.chips.retain(|(of, _)| of != player));
            }
            // The dealer puts it where it belongs: it counts when all are in place.
            Command::Deal { cards, .. } if self.cards().any(|card| cards.contains(&card)) => {}
            Command::Burn { card } if self.cards().any(|out| out == *card) => {}
            Command::Deal { to: Place::Box(seat), cards } => self.hand(*seat).cards.extend(cards),
            Command::Deal { to: Place::Board, cards } => self.board.extend(cards),
            Command::Deal { to: Place::Dealer, cards } => self.dealer.extend(cards),
            Command::Burn { card } => self.burnt.push(*card),
            Command::Look { seat } => self.hand(*seat).looked = true,
            // Another player with chips on the box continues the hand.
            Command::Absent { seat } => {
                let hand = self.hand(*seat);
                let gone = hand.owner.clone();
                if hand.chips.iter().any(|(of, _)| Some(of) != gone.as_ref()) {
                    hand.chips.retain(|(of, _)| Some(of) != gone.as_ref());
                }
            }
            Command::Show { seat } => self.hand(*seat).shown = true,
            Command::Fold { seat } => self.hand(*seat).folded = true,
            Command::Decline { seat } => self.hand(*seat).declined = true,
            Command::Reveal { what: Reveal::Dealer } => self.dealer_turned = true,
            Command::Reveal { what } => {
                let end = what.board_cards().map_or(0, |(_, end)| end);
                self.turned = self.turned.max(end);
            }
            Command::Report(report) => {
                add(&mut self.named, report.facts.card);
                self.moved(&report.facts.moves);
                if report.facts.shift {
                    self.shifted();
                }
                self.put_right();
            }
            Command::Open
            | Command::Close
            | Command::Check { .. }
            | Command::Choose { .. }
            | Command::Rule(_)
            | Command::Settle
            | Command::PayJackpot { .. } => {}
        }
        for hand in self.hands.values_mut() {
            hand.owner = hand.chips.first().map(|(player, _)| player.clone()).or_else(|| hand.owner.take());
        }
        self.learn();
    }

    /// The round is over, if its view says so: compared hands are open, and so are those that the jackpot pays.
    pub(crate) fn ended(&mut self, public: &RoundView) {
        let Some(outcome) = &public.outcome else { return };
        let all: CardSet = self.cards().chain(self.off.iter().copied()).collect();
        add(self.only.entry(Reader::Auditor).or_default(), all.iter());
        if *outcome != Outcome::Settled {
            return;
        }
        let paid = |seat: BoxNumber| {
            let lines = public.slips.iter().filter(|slip| slip.seat == seat).flat_map(|slip| &slip.lines);
            lines.into_iter().any(|line| {
                line.area == Area::Jackpot && matches!(line.result, ResultKind::Win | ResultKind::Pending)
            })
        };
        let mut declined = CardSet::EMPTY;
        for (seat, hand) in &mut self.hands {
            hand.shown |= (!hand.folded && !hand.declined) || paid(*seat);
            if hand.declined {
                add(&mut declined, hand.cards.iter().copied());
            }
        }
        add(self.only.entry(Reader::Pit).or_default(), declined.iter());
        self.learn();
    }

    /// What this reader has seen of the round so far.
    pub(crate) fn seen_by(&self, reader: &Reader) -> CardSet {
        self.everybody.union(self.only.get(reader).copied().unwrap_or(CardSet::EMPTY))
    }

    /// The cards that this reader may not be shown now. The console of a real shoe names cards as examples: only dealt cards
    /// count.
    pub(crate) fn hidden_in(&self, reader: &Reader, shown: CardSet) -> CardSet {
        let hidden = shown.difference(self.seen_by(reader));
        match reader {
            Reader::Dealer | Reader::Pit => self.cards().filter(|card| hidden.contains(*card)).collect(),
            Reader::Player(_) | Reader::Auditor | Reader::Public => hidden,
        }
    }

    fn hand(&mut self, seat: BoxNumber) -> &mut Hand {
        self.hands.entry(seat).or_default()
    }

    /// The card at this position of a place, counted from 1; without a place, of the burnt cards.
    pub(crate) fn card(&self, place: Option<Place>, nth: usize) -> Option<Card> {
        let pile = match place {
            Some(Place::Box(seat)) => &self.hands.get(&seat)?.cards,
            Some(Place::Board) => &self.board,
            Some(Place::Dealer) => &self.dealer,
            None => &self.burnt,
        };
        pile.get(nth.checked_sub(1)?).copied()
    }

    /// All dealt cards.
    pub(crate) fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        let hands = self.hands.values().flat_map(|hand| &hand.cards);
        hands.chain(&self.board).chain(&self.dealer).chain(&self.burnt).copied()
    }

    /// Rearranges the cards as they would have left the shoe.
    pub(crate) fn laid(&mut self, drawn: &[Draw]) {
        let before: CardSet = self.cards().collect();
        self.hands.values_mut().for_each(|hand| hand.cards.clear());
        [&mut self.board, &mut self.dealer, &mut self.burnt].into_iter().for_each(Vec::clear);
        for Draw { to, cards } in drawn {
            match to {
                Some(Place::Box(seat)) => self.hand(*seat).cards.extend(cards),
                Some(Place::Board) => self.board.extend(cards),
                Some(Place::Dealer) => self.dealer.extend(cards),
                None => self.burnt.extend(cards),
            }
        }
        let after: CardSet = self.cards().collect();
        self.off.retain(|card| !after.contains(*card));
        self.off.extend(before.difference(after).iter());
        self.learn();
    }

    /// Whole hands change boxes, all at once.
    fn moved(&mut self, moves: &[(BoxNumber, BoxNumber)]) {
        let taken: Vec<(BoxNumber, Vec<Card>)> =
            moves.iter().map(|(from, to)| (*to, std::mem::take(&mut self.hand(*from).cards))).collect();
        for (to, cards) in taken {
            self.hand(to).cards.extend(cards);
        }
    }

    /// Extra cards come off: the dealer may deal them again.
    fn put_right(&mut self) {
        let size = self.hand_size;
        let hands = self.hands.values_mut().map(|hand| &mut hand.cards);
        for pile in hands.chain([&mut self.dealer]) {
            self.off.extend(pile.drain(size.min(pile.len())..));
        }
    }

    /// The first burn was missed: every card belongs one place earlier. Cards come one at a time round the table, boxes first.
    fn shifted(&mut self) {
        let mut piles: Vec<&mut Vec<Card>> = self.hands.values_mut().map(|hand| &mut hand.cards).collect();
        piles.push(&mut self.dealer);
        piles.retain(|pile| !pile.is_empty());
        let max = piles.iter().map(|pile| pile.len()).max().unwrap_or(0);
        let slots: Vec<(usize, Card)> = (0..max)
            .flat_map(|n| piles.iter().enumerate().filter_map(move |(at, pile)| Some((at, *pile.get(n)?))))
            .collect();
        piles.iter_mut().for_each(|pile| pile.clear());
        self.burnt.extend(slots.first().map(|(_, card)| *card));
        for ((at, _), (_, card)) in slots.iter().zip(slots.iter().skip(1)) {
            piles[*at].push(*card);
        }
    }

    fn learn(&mut self) {
        add(&mut self.everybody, self.named.iter());
        add(&mut self.everybody, self.board.iter().take(self.turned).copied());
        let up = self.face_up.and_then(|place| self.dealer.get(place));
        add(&mut self.everybody, up.copied());
        if self.dealer_turned {
            add(&mut self.everybody, self.dealer.iter().copied());
        }
        for hand in self.hands.values() {
            if hand.shown {
                add(&mut self.everybody, hand.cards.iter().copied());
            } else if let (true, Some(owner)) = (hand.looked, &hand.owner) {
                let own = self.only.entry(Reader::Player(owner.clone())).or_default();
                add(own, hand.cards.iter().copied());
            }
        }
    }
}

fn add(set: &mut CardSet, cards: impl IntoIterator<Item = Card>) {
    *set = set.union(cards.into_iter().collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_rules::Money;

    fn cards(codes: &str) -> Vec<Card> {
        codes.split_whitespace().map(|code| code.parse().unwrap()).collect()
    }

    fn set(codes: &str) -> CardSet {
        cards(codes).into_iter().collect()
    }

    /// Ann's hand, the flop face down, the dealer's hand.
    fn dealt() -> Knowledge {
        let book = Rulebook::builtin("rws-progressive-holdem").unwrap();
        let mut round = Knowledge::of(book, 1);
        let ann = Player::from("ann");
        round.step(&Command::PlaceWager {
            seat: BoxNumber(1),
            player: ann,
            area: Area::Ante,
            amount: Money::from_dollars(5),
            unnoticed: false,
            placed_by: None,
        });
        round.step(&Command::Deal { to: Place::Box(BoxNumber(1)), cards: cards("As Ad") });
        round.step(&Command::Deal { to: Place::Board, cards: cards("2c 3c 4c") });
        round.step(&Command::Deal { to: Place::Dealer, cards: cards("Kh Kd") });
        round
    }

    #[test]
    fn a_hand_is_its_players_once_they_have_looked() {
        let mut round = dealt();
        let ann = Reader::Player(Player::from("ann"));
        assert_eq!(round.seen_by(&ann), CardSet::EMPTY);
        round.step(&Command::Look { seat: BoxNumber(1) });
        assert_eq!(round.seen_by(&ann), set("As Ad"));
        assert_eq!(round.seen_by(&Reader::Public), CardSet::EMPTY);
        round.step(&Command::Reveal { what: Reveal::Flop });
        assert_eq!(round.seen_by(&Reader::Public), set("2c 3c 4c"));
        assert_eq!(round.seen_by(&ann), set("As Ad 2c 3c 4c"));
    }

    #[test]
    fn a_stopped_player_leaves_their_other_boxes_to_others() {
        let mut round = Knowledge::of(Rulebook::builtin("mbs-megalink-stud").unwrap(), 1);
        let bets = |seat, name: &str| Command::PlaceWager {
            seat: BoxNumber(seat),
            player: Player::from(name),
            area: Area::Ante,
            amount: Money::from_dollars(5),
            unnoticed: false,
            placed_by: None,
        };
        [bets(1, "ong"), bets(2, "ong")].iter().for_each(|bet| round.step(bet));
        let kind = RulingKind::Stop(Player::from("ong"));
        let by = baize_table::Staff::of(baize_rules::Role::ShiftManager);
        round.step(&Command::Rule(Ruling { kind, by, reason: None }));
        round.step(&bets(2, "pat"));
        for (seat, hand) in [(1, "As Ad"), (2, "Ks Kd")] {
            round.step(&Command::Deal { to: Place::Box(BoxNumber(seat)), cards: cards(hand) });
            round.step(&Command::Look { seat: BoxNumber(seat) });
        }
        assert_eq!(round.seen_by(&Reader::Player(Player::from("ong"))), set("As Ad"));
        assert_eq!(round.seen_by(&Reader::Player(Player::from("pat"))), set("Ks Kd"));
    }

    #[test]
    fn a_view_that_tells_too_much_is_found() {
        let round = dealt();
        let leaking = super::super::search::cards_in(r#"{"round":{"dealer":["Kh",null]}}"#);
        for reader in [Reader::Public, Reader::Dealer, Reader::Pit, Reader::Auditor] {
            assert_eq!(round.hidden_in(&reader, leaking), set("Kh"), "{reader}");
        }
        // The cards left in the shoe are known only to those who enter them.
        assert_eq!(round.hidden_in(&Reader::Dealer, set("7s")), CardSet::EMPTY);
        assert_eq!(round.hidden_in(&Reader::Public, set("7s")), set("7s"));
    }
}
