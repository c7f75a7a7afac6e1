//! Writing a batch: one statement, one transaction, one round trip.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tokio_postgres::types::ToSql;

use super::pool::{Connection, Patience, Pool, lost, meaning, within};
use crate::key::{Unsealing, Vault};
use crate::{Batch, Entry, StoreError};

/// All that most commands write. An entry is written after the very entry that it names as the one before it, or nothing is: where a
/// chain does not end there (a standby that lagged was promoted, an older copy was restored), the version is divided by nothing.
const USUAL: &str = "
WITH g AS (
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::text[], $11::text[])
    AS g (stream, version, at, actor, command, kinds, significant, body, link, previous, hash)
), e AS (
  INSERT INTO entries (stream, version, at, actor, command, kinds, significant, body, link, previous, hash)
  SELECT stream,
    version / CASE
      WHEN version = 1 THEN 1
      WHEN EXISTS (SELECT FROM entries b WHERE b.stream = g.stream AND b.version = g.version - 1 AND b.hash = g.previous) THEN 1
      WHEN EXISTS (SELECT FROM g b WHERE b.stream = g.stream AND b.version = g.version - 1 AND b.hash = g.previous) THEN 1
      ELSE 0 END,
    at, actor, command, kinds, significant, body, link, previous, hash
  FROM g
  RETURNING number
), p AS (
  INSERT INTO postings (stream, version, line, account, cents)
  SELECT * FROM unnest($12::text[], $13::bigint[], $14::integer[], $15::text[], $16::bigint[])
), u AS (
  UPDATE balances b SET cents = b.cents + d.cents
  FROM unnest($17::text[], $18::bigint[]) AS d (account, cents) WHERE b.account = d.account
  RETURNING b.account
), i AS (
  INSERT INTO balances (account, cents)
  SELECT d.account, d.cents FROM unnest($17::text[], $18::bigint[]) AS d (account, cents)
  WHERE NOT EXISTS (SELECT FROM u WHERE u.account = d.account)
)
";

/// What is added when a deck is shuffled or a round ends.
const WITH_ROUNDS: &str = ", k AS (
  INSERT INTO decks (tab, round, salt, cards)
  SELECT * FROM unnest($19::text[], $20::bigint[], $21::text[], $22::text[])
  ON CONFLICT (tab, round) DO UPDATE SET salt = excluded.salt, cards = excluded.cards
), r AS (
  INSERT INTO rounds (tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last)
  SELECT * FROM unnest($23::text[], $24::bigint[], $25::text[], $26::bigint[], $27::bigint[], $28::text[], $29::text[],
                       $30::bigint[], $31::bigint[], $32::bigint[], $33::bigint[], $34::bigint[], $35::bigint[])
  ON CONFLICT (tab, round) DO UPDATE SET ended = excluded.ended, outcome = excluded.outcome, players = excluded.players,
    staked = excluded.staked, won = excluded.won, contributed = excluded.contributed, awarded = excluded.awarded,
    last = excluded.last
), o AS (
  UPDATE entries t SET body = d.body
  FROM unnest($36::text[], $37::bigint[], $38::text[]) AS d (stream, version, body)
  WHERE t.stream = d.stream AND t.version = d.version
)
";

/// What is added to that when a state is kept.
const WITH_SNAPSHOTS: &str = ", s AS (
  INSERT INTO snapshots (stream, version, hash, at, state)
  SELECT * FROM unnest($39::text[], $40::bigint[], $41::text[], $42::bigint[], $43::text[])
  ON CONFLICT (stream, version) DO UPDATE SET hash = excluded.hash, at = excluded.at, state = excluded.state
)
";

const ANSWER: &str = "SELECT number FROM e ORDER BY number";

/// What the house's key makes of a batch, as it is kept.
struct Kept<'a> {
    bodies: Vec<Cow<'a, str>>,
    /// Salt and cards of each deck.
    decks: Vec<(&'static str, String)>,
}

/// Why a try did not write a batch.
enum Failed {
    /// It was refused: nothing of it was written.
    Refused(StoreError),
    /// The server was not asked to write.
    Away(StoreError),
    /// It was asked to, and its answer was lost.
    Lost(StoreError),
}

/// Writes a batch and gives the numbers of its entries. A batch that was lost with its connection is looked for, and sent again only
/// if it is not there. Where the server stays away, or hangs, it is not known whether it was written.
pub(super) async fn append(pool: &Pool, batch: &Batch, vault: &Vault) -> Result<Vec<u64>, StoreError> {
    let mut patience = Patience::new();
    let mut unsure = false;
    let decks = batch.decks.iter().map(|deck| vault.sealed(deck)).collect::<Result<_, _>>()?;
    let kept = Kept { bodies: vault.bodies(batch)?, decks };
    loop {
        let away = match pool.lend().await {
            Err(error) => error,
            Ok(mut lent) => {
                let tried = attempt(lent.get(), batch, &kept, vault, unsure);
                match within(tried).await {
                    Ok(Ok(numbers)) => return Ok(numbers),
                    Ok(Err(Failed::Refused(error))) => return Err(error),
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
        patience.wait(away).await.map_err(|away| if unsure { lost_answer(away) } else { away })?;
    }
}

/// Writes a batch once. `unsure`: it may be there already.
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
    let opened = match &batch.unseals {
        Some(how) => unsealed(connection, vault, how).await.map_err(away)?,
        None => Vec::new(),
    };
    match send(connection, batch, kept, &opened).await {
        Ok(numbers) => Ok(numbers),
        Err(error) if lost(&error) => Err(Failed::Lost(meaning(&error))),
        Err(error) => {
            // The first try may have come through after all, on a connection that was thought lost.
            if unsure && let Ok(Some(numbers)) = written(connection, batch).await {
                return Ok(numbers);
            }
            Err(Failed::Refused(refused(&error, batch)))
        }
    }
}

/// A sealed body and what takes its place: chain, version, text.
type Unsealed = (String, i64, String);

/// What takes the place of bodies that are sealed now. One whose key is not here stays as it is.
async fn unsealed(
    connection: &mut Connection,
    vault: &Vault,
    how: &Unsealing,
) -> Result<Vec<Unsealed>, tokio_postgres::Error> {
    let sql = "SELECT stream, version, body FROM entries
               WHERE left(body, 7) = 'sealed-' AND ($1::text IS NULL OR stream = $1)";
    let mut opened = Vec::new();
    for row in connection.query(sql, &[&how.stream()]).await? {
        let (stream, version, body): (String, i64, String) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let text = u64::try_from(version).ok().and_then(|at| vault.unsealed(how, &stream, at, &body));
        opened.extend(text.map(|text| (stream, version, text)));
    }
    Ok(opened)
}

fn lost_answer(away: StoreError) -> StoreError {
    if let StoreError::Away(why) = away { StoreError::Unknown(why) } else { away }
}

/// The numbers of the entries, if this very batch is in the journal.
async fn written(
    connection: &mut Connection,
    batch: &Batch,
) -> Result<Option<Vec<u64>>, tokio_postgres::Error> {
    let mut numbers = Vec::new();
    for entry in &batch.entries {
        let sql = "SELECT number FROM entries WHERE stream = $1 AND version = $2 AND hash = $3";
        let values: [&(dyn ToSql + Sync); 3] = [&entry.stream.as_str(), &signed(entry.version), &entry.hash];
        match connection.query(sql, &values).await?.first() {
            Some(row) => numbers.push(u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or(0)),
            None => return Ok(None),
        }
    }
    Ok(Some(numbers))
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

async fn send(
    connection: &mut Connection,
    batch: &Batch,
    kept: &Kept<'_>,
    opened: &[Unsealed],
) -> Result<Vec<u64>, tokio_postgres::Error> {
    let entries = &batch.entries;
    let texts = |get: fn(&Entry) -> &str| -> Vec<&str> { entries.iter().map(get).collect() };
    let maybe = |get: fn(&Entry) -> Option<&str>| -> Vec<Option<&str>> { entries.iter().map(get).collect() };
    let numbers = |get: fn(&Entry) -> i64| -> Vec<i64> { entries.iter().map(get).collect() };
    let stream = texts(|entry| entry.stream.as_str());
    let version = numbers(|entry| signed(entry.version));
    let at = numbers(|entry| entry.at.0);
    let actor = texts(|entry| &entry.actor);
    let command = maybe(|entry| entry.command.as_deref());
    let kinds = texts(|entry| &entry.kinds);
    let significant = maybe(|entry| entry.significant.as_deref());
    let body: Vec<&str> = kept.bodies.iter().map(AsRef::as_ref).collect();
    let link = maybe(|entry| entry.link.as_deref());
    let previous = texts(|entry| &entry.previous);
    let hash = texts(|entry| &entry.hash);
    let (mut p_stream, mut p_version, mut p_line) = (Vec::new(), Vec::new(), Vec::new());
    let (mut p_account, mut p_cents) = (Vec::new(), Vec::new());
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for entry in entries {
        for (line, posting) in (0_i32..).zip(&entry.postings) {
            p_stream.push(entry.stream.as_str());
            p_version.push(signed(entry.version));
            p_line.push(line);
            p_account.push(posting.account.as_str());
            p_cents.push(posting.cents);
            *sums.entry(&posting.account).or_default() += posting.cents;
        }
    }
    let account: Vec<&str> = sums.keys().copied().collect();
    let cents: Vec<i64> = sums.values().copied().collect();
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![
        &stream,
        &version,
        &at,
        &actor,
        &command,
        &kinds,
        &significant,
        &body,
        &link,
        &previous,
        &hash,
        &p_stream,
        &p_version,
        &p_line,
        &p_account,
        &p_cents,
        &account,
        &cents,
    ];
    let usual = batch.decks.is_empty() && batch.rounds.is_empty() && batch.snapshots.is_empty();
    let rows = if usual && opened.is_empty() {
        connection.query(&format!("{USUAL}{ANSWER}"), &values).await?
    } else {
        let (decks, rounds) = (&batch.decks, &batch.rounds);
        let tab: Vec<&str> = decks.iter().map(|deck| deck.table.as_str()).collect();
        let round: Vec<i64> = decks.iter().map(|deck| i64::from(deck.round)).collect();
        let salt: Vec<&str> = kept.decks.iter().map(|(salt, _)| *salt).collect();
        let cards: Vec<&str> = kept.decks.iter().map(|(_, cards)| cards.as_str()).collect();
        let r_tab: Vec<&str> = rounds.iter().map(|row| row.table.as_str()).collect();
        let r_round: Vec<i64> = rounds.iter().map(|row| i64::from(row.round)).collect();
        let r_book: Vec<&str> = rounds.iter().map(|row| row.rulebook.as_str()).collect();
        let r_opened: Vec<i64> = rounds.iter().map(|row| row.opened.0).collect();
        let r_ended: Vec<i64> = rounds.iter().map(|row| row.ended.0).collect();
        let r_outcome: Vec<&str> = rounds.iter().map(|row| row.outcome.as_str()).collect();
        let r_players: Vec<&str> = rounds.iter().map(|row| row.players.as_str()).collect();
        let r_staked: Vec<i64> = rounds.iter().map(|row| row.staked).collect();
        let r_won: Vec<i64> = rounds.iter().map(|row| row.won).collect();
        let r_contributed: Vec<i64> = rounds.iter().map(|row| row.contributed).collect();
        let r_awarded: Vec<i64> = rounds.iter().map(|row| row.awarded).collect();
        let r_first: Vec<i64> = rounds.iter().map(|row| signed(row.first)).collect();
        let r_last: Vec<i64> = rounds.iter().map(|row| signed(row.last)).collect();
        let o_stream: Vec<&str> = opened.iter().map(|(stream, ..)| stream.as_str()).collect();
        let o_version: Vec<i64> = opened.iter().map(|(_, version, _)| *version).collect();
        let o_body: Vec<&str> = opened.iter().map(|(.., body)| body.as_str()).collect();
        let more: [&(dyn ToSql + Sync); 20] = [
            &tab,
            &round,
            &salt,
            &cards,
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
        ];
        values.extend(more);
        if batch.snapshots.is_empty() {
            connection.query(&format!("{USUAL}{WITH_ROUNDS}{ANSWER}"), &values).await?
        } else {
            let states = &batch.snapshots;
            let s_stream: Vec<&str> = states.iter().map(|row| row.stream.as_str()).collect();
            let s_version: Vec<i64> = states.iter().map(|row| signed(row.version)).collect();
            let s_hash: Vec<&str> = states.iter().map(|row| row.hash.as_str()).collect();
            let s_at: Vec<i64> = states.iter().map(|row| row.at.0).collect();
            let s_state: Vec<&str> = states.iter().map(|row| row.state.as_str()).collect();
            let more: [&(dyn ToSql + Sync); 5] = [&s_stream, &s_version, &s_hash, &s_at, &s_state];
            values.extend(more);
            connection.query(&format!("{USUAL}{WITH_ROUNDS}{WITH_SNAPSHOTS}{ANSWER}"), &values).await?
        }
    };
    rows.iter().map(|row| Ok(u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or(0))).collect()
}

/// What it means that a batch was refused.
fn refused(error: &tokio_postgres::Error, batch: &Batch) -> StoreError {
    let Some(db) = error.as_db_error() else { return meaning(error) };
    let first =
        || batch.entries.first().map_or_else(|| crate::Stream::named("?"), |entry| entry.stream.clone());
    match (db.code().code(), db.constraint()) {
        ("23505", Some("entries_command")) => StoreError::CommandKnown,
        // A key that is there already, a deadlock, a chain that does not end where it should: somebody else was faster.
        ("23505" | "40001" | "40P01" | "22012", _) => StoreError::Conflict(first()),
        ("23514", Some("balances_short")) => {
            // `Failing row contains (purse/ann, -500).`
            let row = db.detail().and_then(|detail| detail.split_once('(')).map_or("", |(_, row)| row);
            StoreError::Short(row.split(',').next().unwrap_or_default().to_owned())
        }
        _ => meaning(error),
    }
}
