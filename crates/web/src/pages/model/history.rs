//! Finished rounds: the list, one round step by step, the proof of the shuffle.

use baize_cards::Card;
use baize_house::OutcomeName;
use baize_rules::{Money, Rulebook};
use baize_table::{BoxSettlement, RoundView, Settings};

use super::Shell;

/// A finished round in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundLine {
    /// The table.
    pub table: String,
    /// The number at that table.
    pub number: u32,
    /// The game's name.
    pub game: String,
    /// When it ended, for people.
    pub ended: String,
    /// How it ended.
    pub outcome: OutcomeName,
    /// Who played.
    pub players: Vec<String>,
    /// The reader's own result, if they played.
    pub net: Option<Money>,
}

/// What the list was asked for. Sent back as the query of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryFilter {
    /// `table`.
    pub table: String,
    /// `player`.
    pub player: String,
    /// `outcome`: `settled`, `void` or empty.
    pub outcome: String,
}

/// The list of finished rounds.
#[derive(Debug, Clone)]
pub struct HistoryPage {
    /// What every page shares.
    pub shell: Shell,
    /// What was asked for.
    pub filter: HistoryFilter,
    /// The reader may know whose rounds they are.
    pub names: bool,
    /// The tables that there are.
    pub tables: Vec<String>,
    /// The rounds, the latest first.
    pub rounds: Vec<RoundLine>,
    /// The address of the next page, if there is one.
    pub older: Option<String>,
}

/// One step of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayStep {
    /// When, for people.
    pub when: String,
    /// What happened.
    pub words: String,
    /// The paragraphs.
    pub cites: String,
    /// Who did it.
    pub who: String,
}

/// One card of a promised deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofCard {
    /// The card, if the reader may see it.
    pub card: Option<Card>,
    /// The exact text whose hash promises it, if the reader may see it.
    pub text: Option<String>,
    /// What promises it.
    pub promise: String,
}

/// The proof that the deck was fixed before bets opened. The page hashes `preimage` itself and compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The hash that was published before bets opened: SHA-256 in hexadecimal.
    pub commitment: String,
    /// When it was published, for people.
    pub published: String,
    /// The salt of a deck that was promised as one, in hexadecimal.
    pub salt: Option<String>,
    /// The exact text whose UTF-8 bytes were hashed.
    pub preimage: String,
    /// The deck in order.
    pub cards: Vec<ProofCard>,
}

/// One finished round.
#[derive(Debug, Clone)]
pub struct RoundPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The table.
    pub table: String,
    /// The number at that table.
    pub number: u32,
    /// The game.
    pub book: &'a Rulebook,
    /// The set-up then.
    pub settings: &'a Settings,
    /// When it ended, for people.
    pub ended: String,
    /// The rulebook's hash, as the round recorded it.
    pub rulebook_hash: String,
    /// All steps.
    pub steps: Vec<ReplayStep>,
    /// The step that is shown, from 0.
    pub at: usize,
    /// The table after that step, as the reader may see it.
    pub view: &'a RoundView,
    /// The slips.
    pub slips: &'a [BoxSettlement],
    /// The proof of the shuffle; none for a real shoe.
    pub proof: Option<Proof>,
    /// Exposed cards and what they were worth; decisions against best play.
    pub more: maud::Markup,
    /// The reader, whose boxes are marked; or the person who shared the round.
    pub me: Option<baize_table::Player>,
    /// The reader may know who played, and for how much.
    pub whole: bool,
    /// The link that shows the reader's box to anyone who has it, if they played.
    pub share: Option<String>,
    /// What every address of this page ends with: the link that it was opened by.
    pub query: String,
}
