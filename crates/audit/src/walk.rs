//! The walk: every entry once, in order of number, each checked against its chain.
//!
//! While one page is replayed, the next is prepared on another core and a third is read. Memory holds three pages and the state of each
//! chain, whatever the number of rounds.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, mpsc};

use baize_house::{Answer, HouseError};
use baize_journal::{Entry, EntryFilter, SnapshotFilter, SnapshotRow, Store, StoreError, Stream};
use tokio::sync::oneshot;

use super::chain::{Chain, Chains};
use super::kept::{self, DueRows, FoundRows};
use super::prepared::{self, Prepared};
use super::{Findings, Interrupted, Progress, order, seals, totals};

/// Entries per page.
const PAGE: u32 = 1_000;
/// Consecutive unreadable numbers after which the rest is given up.
const MAX_UNREADABLE: usize = 1_000;

/// Entries, and the snapshots taken after them.
struct Page<T> {
    entries: Vec<T>,
    snapshots: HashMap<(Stream, u64), SnapshotRow>,
    /// Unreadable numbers, and why.
    lost: Vec<(u64, String)>,
    /// Other unreadable data: place and reason.
    unreadable: Vec<(String, String)>,
}

/// Reads the next page after a number, up to `last`.
async fn read(store: &dyn Store, after: u64, last: u64) -> Result<Page<Entry>, StoreError> {
    let (entries, snapshots) = (Vec::new(), HashMap::new());
    let mut page = Page { entries, snapshots, lost: Vec::new(), unreadable: Vec::new() };
    let ask = |after: u64, limit: u32| {
        store.entries(EntryFilter { after: Some(after), limit, ..EntryFilter::default() })
    };
    match ask(after, PAGE).await {
        Ok(entries) => page.entries = entries,
        Err(StoreError::Corrupt(_)) => {
            // One entry is unreadable: read the others one by one.
            let mut at = after;
            while at < last && page.entries.len() < PAGE as usize && page.lost.len() < MAX_UNREADABLE {
                match ask(at, 1).await {
                    Ok(next) => {
                        let Some(entry) = next.into_iter().next() else { break };
                        at = entry.number;
                        page.entries.push(entry);
                    }
                    Err(StoreError::Corrupt(why)) => {
                        at += 1;
                        page.lost.push((at, why));
                    }
                    Err(other) => return Err(other),
                }
            }
        }
        Err(other) => return Err(other),
    }
    let mut versions: BTreeMap<&Stream, (u64, u64)> = BTreeMap::new();
    for entry in &page.entries {
        let (from, to) = versions.entry(&entry.stream).or_insert((entry.version, entry.version));
        (*from, *to) = ((*from).min(entry.version), (*to).max(entry.version));
    }
    for (stream, (from, to)) in versions {
        let filter = SnapshotFilter { stream: stream.clone(), from, to, before: None, limit: u32::MAX };
        match store.snapshots(filter).await {
            Ok(rows) => {
                page.snapshots.extend(rows.into_iter().map(|row| ((stream.clone(), row.version), row)))
            }
            Err(StoreError::Corrupt(why)) => {
                page.unreadable.push((format!("the snapshots of {stream}"), why));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(page)
}

/// The queries made while a page is replayed: rows that are due, and the next page.
async fn ask(
    store: Arc<dyn Store>,
    due: DueRows,
    next: Option<(u64, u64)>,
) -> Result<(Result<FoundRows, StoreError>, Option<Page<Entry>>), StoreError> {
    let found = due.look_up(store.as_ref()).await;
    match next {
        Some((after, last)) => Ok((found, Some(read(store.as_ref(), after, last).await?))),
        None => Ok((found, None)),
    }
}

/// Runs long computations without blocking other tasks on the thread.
fn busy<T>(work: impl FnOnce() -> T) -> T {
    if alone() { work() } else { tokio::task::block_in_place(work) }
}

/// Whether there is one thread only.
fn alone() -> bool {
    tokio::runtime::Handle::current().runtime_flavor() != tokio::runtime::RuntimeFlavor::MultiThread
}

/// The thread that prepares pages. There is one for the whole walk: each new thread would ask the system for memory of its own.
#[derive(Default)]
struct Preparer(Option<mpsc::Sender<Given>>);

/// A page to prepare, and where it goes then.
type Given = (Page<Entry>, oneshot::Sender<Page<Prepared>>);

/// A page that is being prepared.
enum Preparing {
    Here(Page<Prepared>),
    Apart(oneshot::Receiver<Page<Prepared>>),
}

impl Preparer {
    fn start(&mut self, page: Page<Entry>) -> Preparing {
        // A short page is not worth a thread.
        if alone() || page.entries.len() < PAGE as usize {
            return Preparing::Here(prepare(page));
        }
        let pages = self.0.get_or_insert_with(|| {
            let (pages, given) = mpsc::channel::<Given>();
            std::thread::spawn(move || {
                // Nobody waits for a page if the audit was stopped.
                given.into_iter().try_for_each(|(page, answer)| answer.send(prepare(page)))
            });
            pages
        });
        let (answer, prepared) = oneshot::channel();
        match pages.send((page, answer)) {
            Ok(()) => Preparing::Apart(prepared),
            Err(mpsc::SendError((page, _))) => Preparing::Here(prepare(page)),
        }
    }
}

impl Preparing {
    async fn done(self) -> Answer<Page<Prepared>> {
        match self {
            Preparing::Here(page) => Ok(page),
            Preparing::Apart(prepared) => {
                let stopped =
                    |_| HouseError::Unavailable("the thread that checks entries stopped".to_owned());
                prepared.await.map_err(stopped)
            }
        }
    }
}

/// Walks all entries after a number. `last`: the highest number.
pub(super) async fn all(
    store: &Arc<dyn Store>,
    (from, last): (u64, u64),
    progress: Progress<'_>,
    chains: &mut Chains,
    findings: &mut Findings,
) -> Answer<()> {
    let mut ahead: Option<Page<Entry>> = Some(read(store.as_ref(), from, last).await?);
    let mut ready: Option<Page<Prepared>> = None;
    let mut preparer = Preparer::default();
    while ahead.is_some() || ready.is_some() {
        let after = ahead.as_ref().map(|page| {
            let read = page.entries.last().map(|entry| entry.number);
            read.into_iter().chain(page.lost.last().map(|(number, _)| *number)).max()
        });
        // An empty page is the end.
        let next = after.flatten().map(|after| (after, last));
        let asking = tokio::spawn(ask(Arc::clone(store), findings.kept.due(), next));
        let preparing = ahead.take().map(|page| preparer.start(page));
        if let Some(page) = ready.take() {
            busy(|| replay(page, chains, findings));
        }
        ready = match preparing {
            Some(preparing) => Some(preparing.done().await?),
            None => None,
        };
        let (done, all) = (findings.order.highest.saturating_sub(from), last.saturating_sub(from));
        if !progress(done, all) {
            findings.interrupted = Some(Interrupted { after: done, of: all });
            return Ok(());
        }
        let (found, page) =
            asking.await.map_err(|stopped| HouseError::Unavailable(stopped.to_string()))??;
        if let Some(found) = findings.readable("the round summaries", found)? {
            kept::compare(found, findings);
        }
        ahead = page.filter(|page| !page.entries.is_empty() || !page.lost.is_empty());
        seals::look_up(store.as_ref(), findings).await?;
        totals::compare(store.as_ref(), false, findings).await?;
    }
    look_up(store.as_ref(), findings).await
}

/// Looks up the rows of rounds that can no longer change.
async fn look_up(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let found = findings.kept.due().look_up(store).await;
    if let Some(found) = findings.readable("the round summaries", found)? {
        kept::compare(found, findings);
    }
    Ok(())
}

fn prepare(page: Page<Entry>) -> Page<Prepared> {
    let Page { entries, snapshots, lost, unreadable } = page;
    Page { entries: prepared::page(entries), snapshots, lost, unreadable }
}

fn replay(mut page: Page<Prepared>, chains: &mut Chains, findings: &mut Findings) {
    findings.lost.append(&mut page.lost);
    for (place, why) in page.unreadable {
        findings.fault(place, format!("it cannot be read: {why}"));
    }
    for of in &page.entries {
        let entry = &of.entry;
        if chains.get(&entry.stream).is_some_and(|chain| chain.was_audited(entry)) {
            continue;
        }
        if !findings.resumed && entry.version <= 2 && entry.stream == Stream::house() {
            findings.house = Some(entry.hash.clone());
        }
        order::next(entry, findings);
        findings.gathered.next(entry);
        if !chains.contains_key(&entry.stream) {
            chains.insert(entry.stream.clone(), Chain::new(&entry.stream, findings));
        }
        let Some(chain) = chains.get_mut(&entry.stream) else { continue };
        let snapshot = page.snapshots.remove(&(entry.stream.clone(), entry.version));
        chain.next(of, snapshot, findings);
        seals::check(|stream| chains.get(stream).map(|chain| &chain.recent), findings);
    }
}

/// Ends every chain; nothing may be stored beyond its end.
pub(super) async fn end(store: &dyn Store, chains: Chains, findings: &mut Findings) -> Answer<()> {
    if !findings.lost.is_empty() {
        // A chain without readable entries is known only from the list of chains.
        let named = store.streams().await;
        for stream in findings.readable("the ends of chains", named)?.unwrap_or_default() {
            if !chains.contains_key(&stream) {
                Chain::new(&stream, findings).unread(&stream, findings);
            }
        }
    }
    let mut chains: Vec<(Stream, Chain)> = chains.into_iter().collect();
    chains.sort_by(|one, other| one.0.cmp(&other.0));
    for (stream, chain) in chains {
        if chain.is_good() {
            let from = chain.version() + 1;
            let filter =
                SnapshotFilter { stream: stream.clone(), from, to: u64::MAX, before: None, limit: u32::MAX };
            let rows = store.snapshots(filter).await;
            let rows = findings.readable(&format!("the snapshots of {stream}"), rows)?.unwrap_or_default();
            for row in rows {
                findings.fault(row.place(), "the chain has no such entry");
            }
        }
        let sealed = findings.seals.names_more(&stream);
        chain.end(&stream, sealed, findings);
    }
    look_up(store, findings).await?;
    kept::others(store, findings).await
}
