//! Finished rounds: the list, the replay, the proof of the shuffle.

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
    /// The round's number at that table.
    pub number: u32,
    /// The game's name.
    pub game: String,
    /// When it ended, formatted.
    pub ended: String,
    /// The outcome.
    pub outcome: OutcomeName,
    /// The players.
    pub players: Vec<String>,
    /// The reader's own result, if they played.
    pub net: Option<Money>,
}

/// The filter, as typed. The field names are those of the query.
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
    /// The filter.
    pub filter: HistoryFilter,
    /// Whether the reader may see all names.
    pub names: bool,
    /// All tables.
    pub tables: Vec<String>,
    /// The rounds, latest first.
    pub rounds: Vec<RoundLine>,
    /// The address of the next page, if there is one.
    pub older: Option<String>,
}

/// One step of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayStep {
    /// The time, formatted.
    pub when: String,
    /// What happened.
    pub words: String,
    /// Who did it.
    pub who: String,
}

/// A card of the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofCard {
    /// The card, if the reader may see it.
    pub card: Option<Card>,
    /// The exact text that was hashed, if the reader may see it.
    pub text: Option<String>,
    /// The commitment to it: the hash of the text.
    pub promise: String,
}

/// The proof that the deck was fixed before bets opened. The script hashes `preimage` and compares it with `commitment`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The hash that was published before bets opened: SHA-256 in hexadecimal.
    pub commitment: String,
    /// When it was published, formatted.
    pub published: String,
    /// The salt in hexadecimal, if the deck was hashed as a whole.
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
    /// The round's number at that table.
    pub number: u32,
    /// The game.
    pub book: &'a Rulebook,
    /// The table's settings.
    pub settings: &'a Settings,
    /// When it ended, formatted.
    pub ended: String,
    /// The rulebook's hash, as the round recorded it.
    pub rulebook_hash: String,
    /// All steps.
    pub steps: Vec<ReplayStep>,
    /// The current step, from 0.
    pub at: usize,
    /// The table after that step, as the reader may see it.
    pub view: &'a RoundView,
    /// The slips.
    pub slips: &'a [BoxSettlement],
    /// The proof of the shuffle; none for a real shoe.
    pub proof: Option<Proof>,
    /// The review: what exposed cards were worth, and decisions compared with best play.
    pub review: maud::Markup,
    /// The player whose boxes are marked: the reader, or who shared the round.
    pub me: Option<baize_table::Player>,
    /// Whether the reader may see names and amounts.
    pub whole: bool,
    /// The link that shows the reader's box to anyone who has it, if they played.
    pub share: Option<String>,
    /// The end of every address of this page: the share token that it was opened with.
    pub query: String,
}
