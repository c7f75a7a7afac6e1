//! Nobody is shown a hidden card: every card in the data shown to someone during a round was visible to them at that time.

use std::io;

use baize_cards::{Card, CardSet};
use baize_house::{Actor, Shoe, TableView};
use baize_rules::{Reveal, Rulebook};
use baize_table::{Phase, PhaseName, Table};

/// Cards shown to someone at one version of a table.
#[derive(Debug, Clone)]
pub(crate) struct SeenCards {
    viewer: Actor,
    round: u32,
    cards: CardSet,
}

/// Finds card codes while JSON is being written, without storing the text.
#[derive(Default)]
struct Words {
    found: CardSet,
    word: [u8; 2],
    length: usize,
    escaped: bool,
}

impl Words {
    fn end(&mut self) {
        if self.length == 2
            && let Some(card) =
                std::str::from_utf8(&self.word).ok().and_then(|word| word.parse::<Card>().ok())
        {
            self.found = self.found.with(card);
        }
        self.length = 0;
    }
}

impl io::Write for Words {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        for byte in text {
            // The character after a backslash does not start a word.
            let escaped = std::mem::take(&mut self.escaped);
            if escaped || !byte.is_ascii_alphanumeric() {
                self.escaped = *byte == b'\\' && !escaped;
                self.end();
                continue;
            }
            if let Some(letter) = self.word.get_mut(self.length) {
                *letter = *byte;
            }
            self.length += 1;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SeenCards {
    /// The cards in a view of a round in progress. Dealers with a physical shoe know the cards and are skipped.
    #[must_use]
    pub(crate) fn of(viewer: &Actor, view: &TableView) -> Option<SeenCards> {
        let enters =
            view.info.shoe == Shoe::Entered && !matches!(viewer, Actor::Player { .. } | Actor::Public);
        if view.round.phase != PhaseName::Play || enters {
            return None;
        }
        let proof = view.proof.as_ref().filter(|proof| proof.round.number == view.round.number);
        let parts = (&view.round, &view.legal, &view.reportable, &view.commitment, proof);
        let mut words = Words::default();
        serde_json::to_writer(&mut words, &parts).ok()?;
        words.end();
        Some(SeenCards { viewer: viewer.clone(), round: view.round.number, cards: words.found })
    }

    /// Compares them with the cards visible at that time.
    pub(super) fn judge(&self, book: &Rulebook, table: &Table) -> Result<(), String> {
        let Phase::Play(play) = &table.round.phase else { return Ok(()) };
        if table.round.number != self.round {
            return Ok(());
        }
        let mut open = CardSet::EMPTY;
        let mut lay_open = |cards: &[Card]| open = cards.iter().copied().fold(open, CardSet::with);
        for hand in play.hands.values() {
            let own =
                self.viewer.as_player().is_some_and(|player| player.as_str() == hand.seated.0 && hand.looked);
            if own || hand.shown {
                lay_open(&hand.cards);
            }
        }
        let turned = |what: Reveal| play.revealed.contains(&what);
        let board = [(Reveal::Flop, 3), (Reveal::Turn, 4), (Reveal::River, 5)];
        let board = board.into_iter().filter(|(what, _)| turned(*what)).map(|(_, to)| to).max().unwrap_or(0);
        lay_open(play.board.get(..board.min(play.board.len())).unwrap_or_default());
        if turned(Reveal::Dealer) {
            lay_open(&play.dealer);
        } else if book.board_size() == 0 {
            // Stud: the dealer's last card is face up, or one that was exposed.
            lay_open(play.exposed.as_slice());
            lay_open(play.dealer.get(4..).unwrap_or_default());
        }
        match self.cards.difference(open).iter().next() {
            Some(card) => Err(format!("{} was shown {card} in round {}", self.viewer.label(), self.round)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn finds_every_card_code() {
        let mut words = Words::default();
        for part in
            ["{\"cards\":[\"As\",\"T", "h\"],\"told\":\"2c, and\\n3d\",\"hash\":\"4c5d\",\"n\":5}", "6s"]
        {
            words.write_all(part.as_bytes()).unwrap();
        }
        words.end();
        assert_eq!(words.found, "As Th 2c 3d 6s".parse().unwrap());
    }
}
