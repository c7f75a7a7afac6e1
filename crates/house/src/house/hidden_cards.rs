//! Answers depend only on what the sender may see.
//!
//! An order is judged on stand-in tables. To its sender each looks exactly like the real table, but it has other cards in every place that
//! they cannot see. The stand-ins are derived from the visible cards only. If all refuse the order in the same way, that is the answer. If
//! they differ, only hidden cards could decide, and the answer reveals nothing about them.

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet};
use baize_rules::Rulebook;
use baize_table::{CardView, Command, Event, Finished, Phase, Play, Refusal, Table, Viewer, decide, view};

use crate::Actor;

/// The cards of a round that a viewer can see.
pub(crate) fn visible_cards(book: &Rulebook, table: &Table, viewer: &Viewer) -> CardSet {
    let seen = view(book, table, viewer);
    let boxes = seen.boxes.values().flat_map(|on_box| &on_box.cards);
    let cards = boxes.chain(&seen.board).chain(&seen.dealer).chain(&seen.burnt);
    let up = |card: &CardView| match card {
        CardView::Up(card) => Some(*card),
        CardView::Down => None,
    };
    cards.filter_map(up).collect()
}

/// The stand-in tables for a viewer. Across all of them, every unseen card appears in every hidden place, and also in none. There are none
/// if every card is visible.
pub(crate) struct StandIns<'a> {
    book: &'a Rulebook,
    table: &'a Table,
    open: CardSet,
    unseen: Vec<Card>,
}

impl<'a> StandIns<'a> {
    pub(crate) fn new(book: &'a Rulebook, table: &'a Table, viewer: &Viewer) -> StandIns<'a> {
        let open = visible_cards(book, table, viewer);
        let out = match &table.round.phase {
            Phase::Play(play) | Phase::Finished(Finished { play, .. }) => play.cards_out(),
            Phase::Idle | Phase::Betting(_) => CardSet::EMPTY,
        };
        let hidden = !out.difference(open).is_empty();
        let unseen = if hidden { CardSet::FULL.difference(open).iter().collect() } else { Vec::new() };
        StandIns { book, table, open, unseen }
    }

    fn all(&self) -> impl Iterator<Item = Table> + '_ {
        (0..self.unseen.len()).map(|turn| self.stand_in(turn))
    }

    /// The first stand-in table, or the table itself if every card is visible.
    pub(crate) fn first(&self) -> Table {
        self.stand_in(0)
    }

    fn stand_in(&self, turn: usize) -> Table {
        let mut table = self.table.clone();
        // A card that is stored twice, in its place and as drawn from the shoe, gets one stand-in.
        let mut stand_ins: BTreeMap<Card, Card> = BTreeMap::new();
        let mut other = |card: &mut Card| {
            if self.open.contains(*card) || self.unseen.is_empty() {
                return;
            }
            let next = self.unseen[(turn + stand_ins.len()) % self.unseen.len()];
            *card = *stand_ins.entry(*card).or_insert(next);
        };
        if let Phase::Play(play) | Phase::Finished(Finished { play, .. }) = &mut table.round.phase {
            let Play { hands, board, dealer, burnt, drawn, .. } = play;
            let hands = hands.values_mut().flat_map(|hand| &mut hand.cards);
            let drawn = drawn.iter_mut().flat_map(|draw| &mut draw.cards);
            hands.chain(board).chain(dealer).chain(burnt).chain(drawn).for_each(&mut other);
        }
        table
    }

    /// Judges a command by the visible cards. Every stand-in is asked, whatever the others answer.
    pub(crate) fn judge(&self, command: &Command) -> Judged {
        let mut answers = self.all().map(|table| decide(self.book, &table, command));
        let Some(first) = answers.next() else { return Judged::AllVisible };
        let (mut events, mut refusals) = (Vec::new(), Vec::new());
        for answer in std::iter::once(first).chain(answers) {
            match answer {
                Ok(made) => events.push(made),
                Err(refusal) => refusals.push(refusal),
            }
        }
        refusals.dedup();
        match (refusals.pop(), refusals.is_empty(), events.is_empty()) {
            (None, ..) => Judged::Accepted(events),
            (Some(refusal), true, true) => Judged::Refused(refusal),
            (Some(refusal), ..) => Judged::Hidden(events, refusal),
        }
    }
}

/// The judgement of an order by the visible cards.
pub(crate) enum Judged {
    /// Every card is visible: ask the table itself.
    AllVisible,
    /// All stand-ins refuse it in the same way.
    Refused(Refusal),
    /// All stand-ins accept it, with these events.
    Accepted(Vec<Vec<Event>>),
    /// Only hidden cards could decide: the events of those that accept it, and a refusal of one that does not.
    Hidden(Vec<Vec<Event>>, Refusal),
}

/// Whether hidden cards could affect the answer to this actor's command. Wagers, looks and decisions are judged by chips and turns only.
pub(crate) fn depends_on_cards(actor: &Actor, command: &Command) -> bool {
    match command {
        Command::Report(_) | Command::Rule(_) | Command::Show { .. } | Command::Decline { .. } => {
            matches!(actor, Actor::Player { .. } | Actor::Staff { .. })
        }
        Command::Settle | Command::Reveal { .. } => matches!(actor, Actor::Staff { .. }),
        Command::Open
        | Command::Close
        | Command::PlaceWager { .. }
        | Command::Withdraw { .. }
        | Command::Burn { .. }
        | Command::Deal { .. }
        | Command::Look { .. }
        | Command::Fold { .. }
        | Command::Check { .. }
        | Command::Absent { .. }
        | Command::Choose { .. }
        | Command::PayJackpot { .. } => false,
    }
}
