//! Finished rounds: the list, the replay, the proof of the shuffle.

use baize_cards::Card;
use baize_house::OutcomeName;
use baize_rules::{Money, Rulebook};
use baize_table::{BoxSettlement, RoundView, Settings};

use crate::pages::shell::Shell;

/// A finished round in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoundLine {
    /// The table.
    pub(crate) table: String,
    /// The round's number at that table.
    pub(crate) number: u32,
    /// The game's name.
    pub(crate) game: String,
    /// When it ended, formatted.
    pub(crate) ended: String,
    /// The outcome.
    pub(crate) outcome: OutcomeName,
    /// The players.
    pub(crate) players: Vec<String>,
    /// The reader's own result, if they played.
    pub(crate) net: Option<Money>,
}

/// The filter, as typed. The field names are those of the query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct HistoryFilter {
    /// `table`.
    pub(crate) table: String,
    /// `player`.
    pub(crate) player: String,
    /// `outcome`: `settled`, `void` or empty.
    pub(crate) outcome: String,
}

/// The list of finished rounds.
#[derive(Debug, Clone)]
pub(crate) struct HistoryPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The filter.
    pub(crate) filter: HistoryFilter,
    /// Whether the reader may see all names.
    pub(crate) names: bool,
    /// All tables.
    pub(crate) tables: Vec<String>,
    /// The rounds, latest first.
    pub(crate) rounds: Vec<RoundLine>,
    /// The address of the next page, if there is one.
    pub(crate) older: Option<String>,
}

/// One step of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReplayStep {
    /// The time, formatted.
    pub(crate) when: String,
    /// What happened.
    pub(crate) words: String,
    /// Who did it.
    pub(crate) who: String,
}

/// A card of the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProofCard {
    /// The card, if the reader may see it.
    pub(crate) card: Option<Card>,
    /// The exact text that was hashed, if the reader may see it.
    pub(crate) text: Option<String>,
    /// The commitment to it: the hash of the text.
    pub(crate) promise: String,
}

/// The proof that the deck was fixed before bets opened. The script hashes `preimage` and compares it with `commitment`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The hash that was published before bets opened: SHA-256 in hexadecimal.
    pub(crate) commitment: String,
    /// When it was published, formatted.
    pub(crate) published: String,
    /// The salt in hexadecimal, if the deck was hashed as a whole.
    pub(crate) salt: Option<String>,
    /// The exact text whose UTF-8 bytes were hashed.
    pub(crate) preimage: String,
    /// The deck in order.
    pub(crate) cards: Vec<ProofCard>,
}

/// One finished round.
#[derive(Debug, Clone)]
pub(crate) struct RoundPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The table.
    pub(crate) table: String,
    /// The round's number at that table.
    pub(crate) number: u32,
    /// The game.
    pub(crate) book: &'a Rulebook,
    /// The table's settings.
    pub(crate) settings: &'a Settings,
    /// When it ended, formatted.
    pub(crate) ended: String,
    /// The rulebook's hash, as the round recorded it.
    pub(crate) rulebook_hash: String,
    /// All steps.
    pub(crate) steps: Vec<ReplayStep>,
    /// The current step, from 0.
    pub(crate) at: usize,
    /// The table after that step, as the reader may see it.
    pub(crate) view: &'a RoundView,
    /// The slips.
    pub(crate) slips: &'a [BoxSettlement],
    /// The proof of the shuffle; none for a real shoe.
    pub(crate) proof: Option<Proof>,
    /// The review: what exposed cards were worth, and decisions compared with best play.
    pub(crate) review: maud::Markup,
    /// The player whose boxes are marked: the reader, or who shared the round.
    pub(crate) me: Option<baize_table::Player>,
    /// Whether the reader may see names and amounts.
    pub(crate) whole: bool,
    /// The link that shows the reader's box to anyone who has it, if they played.
    pub(crate) share: Option<String>,
    /// The end of every address of this page: the share token that it was opened with.
    pub(crate) query: String,
}
