//! Reads and replaces all rows of a database. For tests and drills.

use std::collections::BTreeSet;

use super::convert::Names;
use super::durability;
use super::pool::{Pool, meaning};
use super::rows::{self, COLUMNS, StoreResult, get, short};
use crate::packed;
use crate::plain::All;
use crate::{DeckRow, RoundFilter, SnapshotFilter, Stream};

/// All rows of a database.
pub(crate) async fn all_rows(address: &str) -> StoreResult<All> {
    let pool = Pool::new(&durability::asked(address).0)?;
    let mut all = All::default();
    let found = pool.query(&format!("SELECT {COLUMNS} FROM entries e ORDER BY e.number"), &[]).await?;
    let names = pool.names_of(rows::ids(&found)?).await?;
    for row in &found {
        all.entries.push((rows::entry(row, &names)?, None));
    }
    let filter = RoundFilter { limit: Some(u32::MAX), ..RoundFilter::default() };
    all.rounds = rows::rounds(&pool, &filter).await?;
    all.rounds.reverse();
    let tables: BTreeSet<String> = pool
        .query("SELECT DISTINCT n.name FROM decks d JOIN names n ON n.id = d.tab", &[])
        .await?
        .iter()
        .map(|row| get(row, 0))
        .collect::<StoreResult<_>>()?;
    for table in tables {
        all.decks.extend(rows::decks(&pool, &table, None).await?);
    }
    let streams =
        pool.query("SELECT DISTINCT n.name FROM snapshots s JOIN names n ON n.id = s.stream", &[]).await?;
    for row in &streams {
        let stream = Stream::named(get::<String>(row, 0)?);
        let filter = SnapshotFilter { stream, from: 0, to: u64::MAX, before: None, limit: u32::MAX };
        all.snapshots.extend(rows::snapshots(&pool, &filter).await?);
    }
    for row in &pool.query("SELECT account, cents FROM balances", &[]).await? {
        all.balances.push((get(row, 0)?, get(row, 1)?));
    }
    for row in &pool.query("SELECT hash, kind, actor, expires, made FROM secrets", &[]).await? {
        all.secrets.push((get(row, 0)?, get(row, 1)?, get(row, 2)?, get(row, 3)?, get(row, 4)?));
    }
    Ok(all)
}

/// Replaces all rows of a database.
pub(crate) async fn put_all_rows(address: &str, all: &All) -> StoreResult<()> {
    let pool = Pool::new(&durability::asked(address).0)?;
    let mut lent = pool.lend().await?;
    let wrong = |error: tokio_postgres::Error| meaning(&error);
    let transaction = lent.get().client.transaction().await.map_err(wrong)?;
    transaction
        .batch_execute(
            "DELETE FROM entries; DELETE FROM sealed; DELETE FROM decks; DELETE FROM rounds; DELETE FROM snapshots;
             DELETE FROM balances; DELETE FROM secrets;",
        )
        .await
        .map_err(wrong)?;
    let put = async || -> Result<(), tokio_postgres::Error> {
        let mut names = Names::of(&transaction).await?;
        let entries: Vec<_> = all.entries.iter().map(|(entry, _)| entry.clone()).collect();
        super::convert::put_entries(&mut names, &entries).await?;
        for DeckRow { table, round, salt, cards, .. } in &all.decks {
            let (tab, deck) = (names.number(table).await?, packed::deck_bytes(salt, cards));
            transaction
                .execute(
                    "INSERT INTO decks (tab, round, deck) VALUES ($1, $2, $3)",
                    &[&tab, &short((*round).into()), &deck],
                )
                .await?;
        }
        for row in &all.rounds {
            let (tab, book, outcome) = (
                names.number(&row.table).await?,
                names.number(&row.rulebook).await?,
                names.number(&row.outcome).await?,
            );
            let sql = "INSERT INTO rounds (tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last)
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
            let (round, first, last) = (short(row.round.into()), short(row.first), short(row.last));
            transaction
                .execute(
                    sql,
                    &[
                        &tab,
                        &round,
                        &book,
                        &row.opened.0,
                        &row.ended.0,
                        &outcome,
                        &row.players,
                        &row.staked,
                        &row.won,
                        &row.contributed,
                        &row.awarded,
                        &first,
                        &last,
                    ],
                )
                .await?;
        }
        for row in &all.snapshots {
            let stream = names.number(row.stream.as_str()).await?;
            let (hash, state) = (packed::hash_bytes(&row.hash), packed::pack(&row.state));
            let sql = "INSERT INTO snapshots (stream, version, hash, at, state) VALUES ($1, $2, $3, $4, $5)";
            transaction.execute(sql, &[&stream, &short(row.version), &hash, &row.at.0, &state]).await?;
        }
        for (account, cents) in &all.balances {
            transaction.execute("INSERT INTO balances VALUES ($1, $2)", &[account, cents]).await?;
        }
        for (hash, kind, actor, expires, made) in &all.secrets {
            let sql = "INSERT INTO secrets (hash, kind, actor, expires, made) VALUES ($1, $2, $3, $4, $5)";
            transaction.execute(sql, &[hash, kind, actor, expires, made]).await?;
        }
        Ok(())
    };
    put().await.map_err(wrong)?;
    transaction.commit().await.map_err(wrong)
}
