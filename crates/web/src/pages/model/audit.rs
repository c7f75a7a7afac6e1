//! The auditor's page.

use super::Shell;

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalLine {
    /// Its number.
    pub number: u64,
    /// The time, formatted.
    pub when: String,
    /// The stream: `table rh-1`, `jackpot MBS`, `people`.
    pub stream: String,
    /// Its kinds: `wager-placed`.
    pub kind: String,
    /// Who did it.
    pub who: String,
    /// The ledger postings, in words.
    pub words: String,
    /// Its hash, in hexadecimal.
    pub hash: String,
    /// The entry as JSON, as far as an auditor may see it.
    pub data: String,
}

/// The filter, as typed. The field names are those of the query.
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
    /// `text`: a text anywhere in the entry.
    pub text: String,
}

/// The state of the hash chain and the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChainStatus {
    /// Whether an audit was run for this page.
    pub checked: bool,
    /// Whether the chain is valid.
    pub sound: bool,
    /// What was checked, or where the chain is broken.
    pub words: String,
    /// The hash of the last entry.
    pub head: String,
    /// What was checked, or what is wrong with the ledger.
    pub ledger: String,
    /// Whether the ledger balances.
    pub balanced: bool,
}

/// A download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The file name.
    pub name: String,
    /// Its content.
    pub words: String,
    /// Its address.
    pub href: String,
}

/// The journal browser.
#[derive(Debug, Clone)]
pub struct AuditPage {
    /// What every page shares.
    pub shell: Shell,
    /// The filter.
    pub filter: JournalFilter,
    /// The streams to choose from.
    pub streams: Vec<String>,
    /// The kinds to choose from.
    pub kinds: Vec<String>,
    /// The entries, latest first.
    pub lines: Vec<JournalLine>,
    /// The address of older entries, if there are any.
    pub older: Option<String>,
    /// The state of chain and ledger.
    pub chain: ChainStatus,
    /// Downloads.
    pub exports: Vec<Export>,
    /// The UTC offset of the house's clock: `+08:00`.
    pub offset: String,
    /// The program's version.
    pub program: String,
    /// Each rulebook's id and hash.
    pub rulebooks: Vec<(String, String)>,
}
