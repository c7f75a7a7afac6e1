//! Writing a batch: one statement, one transaction, one round trip.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

use super::pool::{Backoff, Connection, Pool, lost, meaning, within};
use super::rows::short;
use crate::key::{Unsealing, Vault};
use crate::packed;
use crate::{Batch, Entry, StoreError};

/// What most commands write. An entry is only written directly after the entry that it names as its predecessor. If the chain does not end
/// there (a lagging standby was promoted, an older copy was restored), the statement fails with a division by zero; if a name has another
/// number than this host believes, which only such a server can cause, with the root of a negative number.
const USUAL: &str = "
WITH g AS (
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::bigint[], $4::integer[], $5::bytea[], $6::integer[], $7::integer[], $8::bytea[],
                       $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[])
    AS g (stream, version, at, actor, command, kinds, significant, body, link, ledger, previous, hash)
), n AS (
  SELECT count(*) = cardinality($15::integer[]) AS known
  FROM unnest($15::integer[], $16::text[]) AS own (id, name) JOIN names USING (id, name)
), e AS (
  INSERT INTO entries (stream, version, at, actor, command, kinds, significant, body, link, ledger, hash)
  SELECT stream,
    version / CASE
      WHEN NOT (SELECT known FROM n) THEN sqrt(-version)::integer
      WHEN version = 1 THEN 1
      WHEN EXISTS (SELECT FROM entries b WHERE b.stream = g.stream AND b.version = g.version - 1 AND b.hash = g.previous) THEN 1
      WHEN EXISTS (SELECT FROM g b WHERE b.stream = g.stream AND b.version = g.version - 1 AND b.hash = g.previous) THEN 1
      ELSE 0 END,
    at, actor, command, kinds, significant, body, link, ledger, hash
  FROM g
  RETURNING stream, version, number
), z AS (
  INSERT INTO sealed (stream, version) SELECT stream, version FROM g WHERE get_byte(body, 0) >= 128
), u AS (
  UPDATE balances b SET cents = b.cents + d.cents
  FROM unnest($13::text[], $14::bigint[]) AS d (account, cents) WHERE b.account = d.account
  RETURNING b.account
), i AS (
  INSERT INTO balances (account, cents)
  SELECT d.account, d.cents FROM unnest($13::text[], $14::bigint[]) AS d (account, cents)
  WHERE NOT EXISTS (SELECT FROM u WHERE u.account = d.account)
)
";

/// Added if a deck is shuffled or a round ends.
const WITH_ROUNDS: &str = ", k AS (
  INSERT INTO decks (tab, round, deck)
  SELECT * FROM unnest($17::integer[], $18::integer[], $19::bytea[])
  ON CONFLICT (tab, round) DO UPDATE SET deck = excluded.deck
), r AS (
  INSERT INTO rounds (tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last)
  SELECT * FROM unnest($20::integer[], $21::integer[], $22::integer[], $23::bigint[], $24::bigint[], $25::integer[], $26::text[],
                       $27::bigint[], $28::bigint[], $29::bigint[], $30::bigint[], $31::integer[], $32::integer[])
  ON CONFLICT (tab, round) DO UPDATE SET ended = excluded.ended, outcome = excluded.outcome, players = excluded.players,
    staked = excluded.staked, won = excluded.won, contributed = excluded.contributed, awarded = excluded.awarded,
    last = excluded.last
), o AS (
  UPDATE entries t SET body = d.body
  FROM unnest($33::integer[], $34::integer[], $35::bytea[]) AS d (stream, version, body)
  WHERE t.stream = d.stream AND t.version = d.version
), t AS (
  DELETE FROM decks t USING unnest($36::integer[], $37::integer[]) AS d (tab, round)
  WHERE t.tab = d.tab AND t.round = d.round
), q AS (
  DELETE FROM sealed t USING unnest($33::integer[], $34::integer[], $35::bytea[]) AS d (stream, version, body)
  WHERE t.stream = d.stream AND t.version = d.version AND get_byte(d.body, 0) < 128
)
";

/// Added to that for a snapshot.
const WITH_SNAPSHOTS: &str = ", s AS (
  INSERT INTO snapshots (stream, version, hash, at, state)
  SELECT * FROM unnest($38::integer[], $39::integer[], $40::bytea[], $41::bigint[], $42::bytea[])
  ON CONFLICT (stream, version) DO UPDATE SET hash = excluded.hash, at = excluded.at, state = excluded.state
)
";

const ANSWER: &str = "SELECT stream, version, number FROM e";

/// A batch as it is stored.
struct Kept<'a> {
    /// Packed bodies, sealed if they are hidden.
    bodies: Vec<Vec<u8>>,
    decks: Vec<Vec<u8>>,
    /// Numbers of all names in the batch.
    names: HashMap<&'a str, i32>,
}

impl<'a> Kept<'a> {
    async fn of(pool: &Pool, batch: &'a Batch, vault: &Vault) -> Result<Kept<'a>, StoreError> {
        let sealed = |deck| vault.sealed(deck).map(|(salt, cards)| packed::deck_bytes(salt, &cards));
        let decks = batch.decks.iter().map(sealed).collect::<Result<_, _>>()?;
        let mut bodies: Vec<Vec<u8>> = batch.entries.iter().map(|entry| packed::pack(&entry.body)).collect();
        vault.kept_bodies(batch, &mut bodies)?;
        Ok(Kept { bodies, decks, names: pool.numbers_of(names(batch)).await? })
    }

    fn id(&self, name: &str) -> i32 {
        // All names of the batch were looked up. Number 0 is not in use: the statement would refuse it.
        self.names.get(name).copied().unwrap_or(0)
    }
}

/// All names in a batch.
fn names(batch: &Batch) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for entry in &batch.entries {
        names.extend([entry.stream.as_str(), &entry.actor, &entry.kinds]);
        names.extend(entry.significant.as_deref());
        names.extend(entry.postings.iter().map(|posting| posting.account.as_str()));
    }
    names.extend(batch.decks.iter().map(|deck| deck.table.as_str()));
    names.extend(batch.told.iter().map(|(table, _)| table.as_str()));
    for row in &batch.rounds {
        names.extend([row.table.as_str(), &row.rulebook, &row.outcome]);
    }
    names.extend(batch.snapshots.iter().map(|row| row.stream.as_str()));
    names
}

/// Why an attempt to write a batch failed.
enum Failed {
    /// Refused; nothing was written.
    Refused(StoreError),
    /// Its names have other numbers; nothing was written.
    Renamed(StoreError),
    /// The statement was not sent.
    Away(StoreError),
    /// The statement was sent, and its answer was lost.
    Lost(StoreError),
}

/// Writes batches in one transaction and returns the numbers of their entries. If one is refused, writes each in its own transaction, so that
/// it does not affect the others; those of a single chain are first tried together, because hosts conflict over the jackpots that they share.
pub(super) async fn append_all(pool: &Pool, batches: &[Batch], vault: &Vault) -> Vec<Written> {
    let all: Vec<&Batch> = batches.iter().collect();
    let mut unsure = false;
    if all.len() > 1 {
        match once(pool, &all, vault).await {
            Ok(numbers) => return numbers.into_iter().map(Ok).collect(),
            Err(lost) => unsure = lost,
        }
    }
    let own: Vec<&Batch> = batches.iter().filter(|batch| batch.has_one_chain()).collect();
    let mut done = VecDeque::new();
    if own.len() > 1 && own.len() < all.len() && !unsure {
        match once(pool, &own, vault).await {
            Ok(numbers) => done.extend(numbers),
            Err(lost) => unsure = lost,
        }
    }
    let mut written = Vec::with_capacity(batches.len());
    for batch in batches {
        let numbers = if batch.has_one_chain() { done.pop_front() } else { None };
        written.push(match numbers {
            Some(numbers) => Ok(numbers),
            None => append(pool, batch, vault, unsure).await,
        });
    }
    written
}

/// Numbers of the written entries.
pub(super) type Written = Result<Vec<u64>, StoreError>;

/// One attempt to write batches in one transaction. Returns the numbers of each one's entries. The error says whether they may have been
/// written.
async fn once(pool: &Pool, batches: &[&Batch], vault: &Vault) -> Result<Vec<Vec<u64>>, bool> {
    let all = Batch::together(batches);
    let kept = Kept::of(pool, &all, vault).await.map_err(|_| false)?;
    let mut lent = pool.lend().await.map_err(|_| false)?;
    match within(attempt(lent.get(), &all, &kept, vault, false)).await {
        Ok(Ok(numbers)) => {
            let mut numbers = numbers.into_iter();
            Ok(batches.iter().map(|batch| numbers.by_ref().take(batch.entries.len()).collect()).collect())
        }
        Ok(Err(failed)) => Err(matches!(failed, Failed::Lost(_))),
        Err(_) => {
            lent.give_up();
            Err(true)
        }
    }
}

/// Writes a batch and returns the numbers of its entries. After a lost connection, looks the batch up and sends it again only if it is
/// missing. If the server stays unreachable, the outcome is [`StoreError::Unknown`]. `unsure`: an earlier attempt may have written it.
pub(super) async fn append(pool: &Pool, batch: &Batch, vault: &Vault, mut unsure: bool) -> Written {
    let mut backoff = Backoff::new();
    let kept = Kept::of(pool, batch, vault).await?;
    loop {
        let away = match pool.lend().await {
            Err(error) => error,
            Ok(mut lent) => {
                let tried = attempt(lent.get(), batch, &kept, vault, unsure);
                match within(tried).await {
                    Ok(Ok(numbers)) => return Ok(numbers),
                    Ok(Err(Failed::Refused(error))) => return Err(error),
                    Ok(Err(Failed::Renamed(error))) => {
                        pool.names().forget();
                        return Err(error);
                    }
                    Ok(Err(Failed::Away(error))) => error,
                    Ok(Err(Failed::Lost(error))) => {
                        unsure = true;
                        error
                    }
                    Err(hangs) => {
                        lent.give_up();
                        unsure = true;
                        hangs
                    }
                }
            }
        };
        backoff.wait(away).await.map_err(|away| if unsure { lost_answer(away) } else { away })?;
    }
}

/// Sends a batch once. `unsure`: an earlier attempt may have written it.
async fn attempt(
    connection: &mut Connection,
    batch: &Batch,
    kept: &Kept<'_>,
    vault: &Vault,
    unsure: bool,
) -> Result<Vec<u64>, Failed> {
    let away = |error: tokio_postgres::Error| Failed::Away(meaning(&error));
    if unsure && let Some(numbers) = written(connection, batch).await.map_err(away)? {
        return Ok(numbers);
    }
    let opened = if batch.unseals.is_empty() {
        Vec::new()
    } else {
        unsealed(connection, vault, &batch.unseals).await.map_err(away)?
    };
    match send(connection, batch, kept, &opened).await {
        Ok(numbers) => Ok(numbers),
        Err(error) if lost(&error) => Err(Failed::Lost(meaning(&error))),
        Err(error) => {
            // The first attempt may have been carried out on a connection that was considered lost.
            if unsure && let Ok(Some(numbers)) = written(connection, batch).await {
                return Ok(numbers);
            }
            let renamed = error.code() == Some(&SqlState::INVALID_ARGUMENT_FOR_POWER_FUNCTION);
            let refused = refused(&error, batch);
            Err(if renamed { Failed::Renamed(refused) } else { Failed::Refused(refused) })
        }
    }
}

/// The replacement of a sealed body: chain, version, body.
type Unsealed = (i32, i32, Vec<u8>);

/// Replacements of sealed bodies. A body sealed with a missing key stays as it is.
async fn unsealed(
    connection: &mut Connection,
    vault: &Vault,
    hows: &[Unsealing],
) -> Result<Vec<Unsealed>, tokio_postgres::Error> {
    let all = "SELECT e.stream, e.version, e.body, n.name
               FROM sealed s JOIN entries e USING (stream, version) JOIN names n ON n.id = s.stream";
    let streams: Option<Vec<&str>> = hows.iter().map(Unsealing::stream).collect();
    let found = match &streams {
        Some(streams) => connection.query(&format!("{all} WHERE n.name = ANY ($1)"), &[streams]).await?,
        None => connection.query(all, &[]).await?,
    };
    let mut opened = Vec::new();
    for row in found {
        let (stream, version): (i32, i32) = (row.try_get(0)?, row.try_get(1)?);
        let (body, name): (&[u8], &str) = (row.try_get(2)?, row.try_get(3)?);
        let how = hows.iter().find(|how| how.stream().is_none_or(|own| own == name));
        let version_of = u64::try_from(version).ok();
        let body = how.zip(version_of).and_then(|(how, at)| vault.unsealed_body(how, name, at, body));
        opened.extend(body.map(|body| (stream, version, body)));
    }
    Ok(opened)
}

fn lost_answer(away: StoreError) -> StoreError {
    if let StoreError::Away(why) = away { StoreError::Unknown(why) } else { away }
}

/// Numbers of the entries if this batch is in the journal.
async fn written(
    connection: &mut Connection,
    batch: &Batch,
) -> Result<Option<Vec<u64>>, tokio_postgres::Error> {
    let mut numbers = Vec::new();
    for entry in &batch.entries {
        let sql = "SELECT number FROM entries
                   WHERE stream = (SELECT id FROM names WHERE name = $1) AND version = $2 AND hash = $3";
        let hash = packed::hash_bytes(&entry.hash);
        let values: [&(dyn ToSql + Sync); 3] = [&entry.stream.as_str(), &short(entry.version), &hash];
        match connection.query(sql, &values).await?.first() {
            Some(row) => numbers.push(u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or(0)),
            None => return Ok(None),
        }
    }
    Ok(Some(numbers))
}

async fn send(
    connection: &mut Connection,
    batch: &Batch,
    kept: &Kept<'_>,
    opened: &[Unsealed],
) -> Result<Vec<u64>, tokio_postgres::Error> {
    let entries = &batch.entries;
    let ids =
        |get: fn(&Entry) -> &str| -> Vec<i32> { entries.iter().map(|entry| kept.id(get(entry))).collect() };
    let hashes = |get: fn(&Entry) -> &str| -> Vec<Vec<u8>> {
        entries.iter().map(|entry| packed::hash_bytes(get(entry))).collect()
    };
    let stream = ids(|entry| entry.stream.as_str());
    let version: Vec<i32> = entries.iter().map(|entry| short(entry.version)).collect();
    let at: Vec<i64> = entries.iter().map(|entry| entry.at.0).collect();
    let actor = ids(|entry| &entry.actor);
    let command: Vec<Option<Vec<u8>>> =
        entries.iter().map(|entry| entry.command.as_deref().map(packed::command_bytes)).collect();
    let kinds = ids(|entry| &entry.kinds);
    let significant: Vec<i32> =
        entries.iter().map(|entry| entry.significant.as_deref().map_or(0, |name| kept.id(name))).collect();
    let link = hashes(|entry| entry.link.as_deref().unwrap_or(""));
    let number = |account: &str| Ok::<_, std::convert::Infallible>(kept.id(account).into());
    let ledger: Vec<Vec<u8>> =
        entries.iter().map(|entry| packed::ledger(&entry.postings, number).unwrap_or_default()).collect();
    let previous = hashes(|entry| &entry.previous);
    let hash = hashes(|entry| &entry.hash);
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for posting in entries.iter().flat_map(|entry| &entry.postings) {
        *sums.entry(&posting.account).or_default() += posting.cents;
    }
    let account: Vec<&str> = sums.keys().copied().collect();
    let cents: Vec<i64> = sums.values().copied().collect();
    let (names, name_ids): (Vec<&str>, Vec<i32>) = kept.names.iter().unzip();
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![
        &stream,
        &version,
        &at,
        &actor,
        &command,
        &kinds,
        &significant,
        &kept.bodies,
        &link,
        &ledger,
        &previous,
        &hash,
        &account,
        &cents,
        &name_ids,
        &names,
    ];
    let usual = batch.decks.is_empty()
        && batch.rounds.is_empty()
        && batch.snapshots.is_empty()
        && batch.told.is_empty()
        && opened.is_empty();
    let rows = if usual {
        connection.query(&format!("{USUAL}{ANSWER}"), &values).await?
    } else {
        let (decks, rounds) = (&batch.decks, &batch.rounds);
        let tab: Vec<i32> = decks.iter().map(|deck| kept.id(&deck.table)).collect();
        let round: Vec<i32> = decks.iter().map(|deck| short(deck.round.into())).collect();
        let r_tab: Vec<i32> = rounds.iter().map(|row| kept.id(&row.table)).collect();
        let r_round: Vec<i32> = rounds.iter().map(|row| short(row.round.into())).collect();
        let r_book: Vec<i32> = rounds.iter().map(|row| kept.id(&row.rulebook)).collect();
        let r_opened: Vec<i64> = rounds.iter().map(|row| row.opened.0).collect();
        let r_ended: Vec<i64> = rounds.iter().map(|row| row.ended.0).collect();
        let r_outcome: Vec<i32> = rounds.iter().map(|row| kept.id(&row.outcome)).collect();
        let r_players: Vec<&str> = rounds.iter().map(|row| row.players.as_str()).collect();
        let r_staked: Vec<i64> = rounds.iter().map(|row| row.staked).collect();
        let r_won: Vec<i64> = rounds.iter().map(|row| row.won).collect();
        let r_contributed: Vec<i64> = rounds.iter().map(|row| row.contributed).collect();
        let r_awarded: Vec<i64> = rounds.iter().map(|row| row.awarded).collect();
        let r_first: Vec<i32> = rounds.iter().map(|row| short(row.first)).collect();
        let r_last: Vec<i32> = rounds.iter().map(|row| short(row.last)).collect();
        let o_stream: Vec<i32> = opened.iter().map(|(stream, ..)| *stream).collect();
        let o_version: Vec<i32> = opened.iter().map(|(_, version, _)| *version).collect();
        let o_body: Vec<&[u8]> = opened.iter().map(|(.., body)| body.as_slice()).collect();
        let t_tab: Vec<i32> = batch.told.iter().map(|(table, _)| kept.id(table)).collect();
        let t_round: Vec<i32> = batch.told.iter().map(|(_, round)| short((*round).into())).collect();
        let more: [&(dyn ToSql + Sync); 21] = [
            &tab,
            &round,
            &kept.decks,
            &r_tab,
            &r_round,
            &r_book,
            &r_opened,
            &r_ended,
            &r_outcome,
            &r_players,
            &r_staked,
            &r_won,
            &r_contributed,
            &r_awarded,
            &r_first,
            &r_last,
            &o_stream,
            &o_version,
            &o_body,
            &t_tab,
            &t_round,
        ];
        values.extend(more);
        if batch.snapshots.is_empty() {
            connection.query(&format!("{USUAL}{WITH_ROUNDS}{ANSWER}"), &values).await?
        } else {
            let states = &batch.snapshots;
            let s_stream: Vec<i32> = states.iter().map(|row| kept.id(row.stream.as_str())).collect();
            let s_version: Vec<i32> = states.iter().map(|row| short(row.version)).collect();
            let s_hash: Vec<Vec<u8>> = states.iter().map(|row| packed::hash_bytes(&row.hash)).collect();
            let s_at: Vec<i64> = states.iter().map(|row| row.at.0).collect();
            let s_state: Vec<Vec<u8>> = states.iter().map(|row| packed::pack(&row.state)).collect();
            let more: [&(dyn ToSql + Sync); 5] = [&s_stream, &s_version, &s_hash, &s_at, &s_state];
            values.extend(more);
            connection.query(&format!("{USUAL}{WITH_ROUNDS}{WITH_SNAPSHOTS}{ANSWER}"), &values).await?
        }
    };
    let mut numbers = HashMap::new();
    for row in &rows {
        let place: (i32, i32) = (row.try_get(0)?, row.try_get(1)?);
        numbers.insert(place, u64::try_from(row.try_get::<_, i64>(2)?).unwrap_or(0));
    }
    Ok(stream.into_iter().zip(version).filter_map(|place| numbers.remove(&place)).collect())
}

/// Translates the server's error.
fn refused(error: &tokio_postgres::Error, batch: &Batch) -> StoreError {
    let Some(db) = error.as_db_error() else { return meaning(error) };
    let first =
        || batch.entries.first().map_or_else(|| crate::Stream::named("?"), |entry| entry.stream.clone());
    match (db.code().code(), db.constraint()) {
        ("23505", Some("entries_command")) => StoreError::CommandKnown,
        // Duplicate key, deadlock, or a chain that ends elsewhere: another host was first.
        ("23505" | "40001" | "40P01" | "22012" | "2201F", _) => StoreError::Conflict(first()),
        ("23514", Some("balances_short")) => {
            // `Failing row contains (purse/ann, -500).`
            let row = db.detail().and_then(|detail| detail.split_once('(')).map_or("", |(_, row)| row);
            StoreError::Short(row.split(',').next().unwrap_or_default().to_owned())
        }
        _ => meaning(error),
    }
}
