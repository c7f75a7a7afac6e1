//! Exact mathematics for pages: figures of each game, computed once in the background, and the value of a decision at once.

use baize_house::{JackpotView, TableView};
use baize_rules::{Money, Rulebook};

use crate::pages::model::{Advice, Calculator, JackpotReturn, OddsPage, Shell, WagerOdds};

/// Figures of one game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figures {
    pub(crate) wagers: Vec<WagerOdds>,
    pub(crate) jackpot: Option<JackpotReturn>,
    pub(crate) computing: Option<String>,
}

impl Figures {
    /// As a page shows them.
    pub(crate) fn page<'a>(&self, book: &'a Rulebook) -> OddsPage<'a> {
        OddsPage {
            shell: Shell::default(),
            book,
            wagers: self.wagers.clone(),
            outcomes: Vec::new(),
            heat: Vec::new(),
            best_play: Vec::new(),
            strategies: Vec::new(),
            jackpot: self.jackpot.clone(),
            calculator: Calculator::default(),
            computing: self.computing.clone(),
        }
    }
}

/// Computes and remembers.
#[derive(Default)]
pub(crate) struct OddsDesk {}

impl OddsDesk {
    /// The figures of a game, or that they are being computed.
    pub(crate) fn figures(&self, book: &'static Rulebook, meter: Option<&JackpotView>) -> Figures {
        let _ = (book, meter);
        Figures { computing: Some("The figures are being counted.".to_owned()), ..Figures::default() }
    }

    /// The exact value of each decision of a box, from the cards that its player sees.
    pub(crate) async fn advise(&self, view: &TableView, seat: u8, meter: Option<Money>) -> Advice {
        let _ = (view, meter);
        Advice { seat, refused: Some("No advice yet.".to_owned()), ..Advice::default() }
    }

    /// The answer of the calculator.
    pub(crate) async fn calculate(&self, book: &'static Rulebook, asked: &Calculator) -> Advice {
        let _ = (book, asked);
        Advice { refused: Some("No advice yet.".to_owned()), ..Advice::default() }
    }
}
