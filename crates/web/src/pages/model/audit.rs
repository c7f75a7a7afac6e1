//! The auditor's journal browser.

use super::Shell;

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalLine {
    /// Its number.
    pub number: u64,
    /// When, for people.
    pub when: String,
    /// The stream: `table rh-1`, `jackpot MBS`, `people`.
    pub stream: String,
    /// What kind: `wager-placed`.
    pub kind: String,
    /// Who did it.
    pub who: String,
    /// In words.
    pub words: String,
    /// The paragraphs.
    pub cites: String,
    /// Its hash, in hexadecimal.
    pub hash: String,
    /// The stored data as JSON, with only what an auditor may see.
    pub data: String,
}

/// What the journal was asked for. Sent back as the query of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalFilter {
    /// `stream`.
    pub stream: String,
    /// `kind`.
    pub kind: String,
    /// `who`.
    pub who: String,
    /// `from`: a local date and time, as a browser sends it.
    pub from: String,
    /// `to`.
    pub to: String,
    /// `text`: words anywhere in the entry.
    pub text: String,
}

/// Whether the chain of hashes holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainStatus {
    /// It was checked for this page; otherwise nobody knows.
    pub checked: bool,
    /// It holds.
    pub sound: bool,
    /// In words: how many entries, when checked, where it breaks.
    pub words: String,
    /// The hash of the last entry.
    pub head: String,
    /// The ledger balances, in words.
    pub ledger: String,
    /// The ledger does balance.
    pub balanced: bool,
}

/// Something to download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// What.
    pub name: String,
    /// What is in it.
    pub words: String,
    /// Where.
    pub href: String,
}

/// The journal browser.
#[derive(Debug, Clone)]
pub struct AuditPage {
    /// What every page shares.
    pub shell: Shell,
    /// What was asked for.
    pub filter: JournalFilter,
    /// Streams to choose from.
    pub streams: Vec<String>,
    /// Kinds to choose from.
    pub kinds: Vec<String>,
    /// The entries, the latest first.
    pub lines: Vec<JournalLine>,
    /// The address of older entries, if there are any.
    pub older: Option<String>,
    /// The chain.
    pub chain: ChainStatus,
    /// Downloads.
    pub exports: Vec<Export>,
    /// How far the house's clock is ahead of UTC: `+08:00`.
    pub offset: String,
    /// The program's version and hash.
    pub program: String,
    /// Each rulebook with its version and hash.
    pub rulebooks: Vec<(String, String)>,
}
