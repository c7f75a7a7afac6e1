//! Answers depend only on what the sender may see.
//!
//! An order is judged on stand-in tables that look to its sender exactly like the real one, with other cards in every place that they cannot see.
//! The stand-ins are derived from the open cards only. If all refuse the order in the same way, that is the answer; if they differ, only hidden
//! cards could decide, and the one answer to that tells nothing of them.

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet};
use baize_rules::Rulebook;
use baize_table::{CardView, Command, Event, Finished, Phase, Play, Refusal, Table, Viewer, decide, view};

use crate::Actor;

/// The cards of a round that a viewer can see.
pub(crate) fn open(book: &Rulebook, table: &Table, viewer: &Viewer) -> CardSet {
    let seen = view(book, table, viewer);
    let boxes = seen.boxes.values().flat_map(|on_box| &on_box.cards);
    let cards = boxes.chain(&seen.board).chain(&seen.dealer).chain(&seen.burnt);
    let up = |card: &CardView| match card {
        CardView::Up(card) => Some(*card),
        CardView::Down => None,
    };
    cards.filter_map(up).collect()
}

/// Stand-in tables: they look to a viewer like this one, each with other cards in the hidden places. Over all of them each card that
/// the viewer does not see is in each such place, and in none of them. None: every card is open.
pub(crate) struct Worlds<'a> {
    book: &'a Rulebook,
    table: &'a Table,
    open: CardSet,
    unseen: Vec<Card>,
}

impl<'a> Worlds<'a> {
    pub(crate) fn new(book: &'a Rulebook, table: &'a Table, viewer: &Viewer) -> Worlds<'a> {
        let open = open(book, table, viewer);
        let out = match &table.round.phase {
            Phase::Play(play) | Phase::Finished(Finished { play, .. }) => play.cards_out(),
            Phase::Idle | Phase::Betting(_) => CardSet::EMPTY,
        };
        let hidden = !out.difference(open).is_empty();
        let unseen = if hidden { CardSet::FULL.difference(open).iter().collect() } else { Vec::new() };
        Worlds { book, table, open, unseen }
    }

    fn all(&self) -> impl Iterator<Item = Table> + '_ {
        (0..self.unseen.len()).map(|turn| self.dealt(turn))
    }

    /// The first of them, or the table itself if every card is open.
    pub(crate) fn first(&self) -> Table {
        self.dealt(0)
    }

    fn dealt(&self, turn: usize) -> Table {
        let mut table = self.table.clone();
        // A card that is on record twice, in its place and as it left the shoe, has one stand-in.
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

    /// Judges a command by the open cards. All tables are asked, whatever the first ones answer.
    pub(crate) fn judge(&self, command: &Command) -> Judged {
        let mut answers = self.all().map(|table| decide(self.book, &table, command));
        let Some(first) = answers.next() else { return Judged::Open };
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

/// The judgement of an order by the open cards.
pub(crate) enum Judged {
    /// Every card is open: ask the table itself.
    Open,
    /// All refuse it, in the same words.
    Refused(Refusal),
    /// All accept it: what comes of it on each.
    Accepted(Vec<Vec<Event>>),
    /// Only hidden cards could say: what comes of it where it is accepted, and how one refuses it.
    Hidden(Vec<Vec<Event>>, Refusal),
}

/// Whether cards may have a say in how this command of this person is judged. Wagers, looks and decisions are judged by chips and turns.
pub(crate) fn by_cards(actor: &Actor, command: &Command) -> bool {
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
