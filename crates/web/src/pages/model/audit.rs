//! The auditor's page.

use crate::pages::shell::Shell;

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JournalLine {
    /// Its number.
    pub(crate) number: u64,
    /// The time, formatted.
    pub(crate) when: String,
    /// The stream: `table rh-1`, `jackpot MBS`, `people`.
    pub(crate) stream: String,
    /// Its kinds: `wager-placed`.
    pub(crate) kind: String,
    /// Who did it.
    pub(crate) who: String,
    /// The ledger postings, in words.
    pub(crate) words: String,
    /// Its hash, in hexadecimal.
    pub(crate) hash: String,
    /// The entry as JSON, as far as an auditor may see it.
    pub(crate) data: String,
}

/// The filter, as typed. The field names are those of the query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct JournalFilter {
    /// `stream`.
    pub(crate) stream: String,
    /// `kind`.
    pub(crate) kind: String,
    /// `who`.
    pub(crate) who: String,
    /// `from`: a local date and time, as a browser sends it.
    pub(crate) from: String,
    /// `to`.
    pub(crate) to: String,
    /// `text`: a text anywhere in the entry.
    pub(crate) text: String,
}

/// The state of the hash chain and the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChainStatus {
    /// Whether an audit was run for this page.
    pub(crate) checked: bool,
    /// Whether the chain is valid.
    pub(crate) sound: bool,
    /// What was checked, or where the chain is broken.
    pub(crate) words: String,
    /// The hash of the last entry.
    pub(crate) head: String,
    /// What was checked, or what is wrong with the ledger.
    pub(crate) ledger: String,
    /// Whether the ledger balances.
    pub(crate) balanced: bool,
}

/// A download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Export {
    /// The file name.
    pub(crate) name: String,
    /// Its content.
    pub(crate) words: String,
    /// Its address.
    pub(crate) href: String,
}

/// The journal browser.
#[derive(Debug, Clone)]
pub(crate) struct AuditPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The filter.
    pub(crate) filter: JournalFilter,
    /// The streams to choose from.
    pub(crate) streams: Vec<String>,
    /// The kinds to choose from.
    pub(crate) kinds: Vec<String>,
    /// The entries, latest first.
    pub(crate) lines: Vec<JournalLine>,
    /// The address of older entries, if there are any.
    pub(crate) older: Option<String>,
    /// The state of chain and ledger.
    pub(crate) chain: ChainStatus,
    /// Downloads.
    pub(crate) exports: Vec<Export>,
    /// The UTC offset of the house's clock: `+08:00`.
    pub(crate) offset: String,
    /// The program's version.
    pub(crate) program: String,
    /// Each rulebook's id and hash.
    pub(crate) rulebooks: Vec<(String, String)>,
}
