//! Moving bodies to archives and back.

use std::collections::BTreeMap;

use super::pool::{Pool, meaning};
use super::rows::{self, StoreResult, get, short_count, signed};
use crate::archive::PackedBody;
use crate::{Instant, StoreError, Stream};

/// Rows updated per statement.
const CHUNK: usize = 5_000;

/// Last version of each table's chain that may be archived.
pub(super) async fn archivable(pool: &Pool, before: Instant) -> StoreResult<BTreeMap<Stream, u64>> {
    let sql = "SELECT s.name, least(max(r.last), max(k.version) - 1) FROM rounds r
               JOIN names t ON t.id = r.tab JOIN names s ON s.name = 'table/' || t.name
               JOIN (SELECT stream, max(version) AS version FROM snapshots GROUP BY stream) k ON k.stream = s.id
               WHERE r.ended < $1 GROUP BY s.name";
    let found = pool.query(sql, &[&before.0]).await?;
    found.iter().map(|row| Ok((Stream::named(get::<String>(row, 0)?), short_count(row, 1)?))).collect()
}

/// Bodies as stored.
pub(super) async fn bodies(pool: &Pool, after: u64, last: u64, limit: u32) -> StoreResult<Vec<PackedBody>> {
    let sql = "SELECT number, stream, version, body FROM entries WHERE number > $1 AND number <= $2 ORDER BY number LIMIT $3";
    let found = pool.query(sql, &[&signed(after), &signed(last), &i64::from(limit)]).await?;
    let ids = found.iter().map(|row| get(row, 1)).collect::<StoreResult<_>>()?;
    let names = pool.names_of(ids).await?;
    let body = |row| {
        Ok(PackedBody {
            number: rows::count(row, 0)?,
            stream: Stream::named(names.of(get(row, 1)?)),
            version: short_count(row, 2)?,
            body: get(row, 3)?,
        })
    };
    found.iter().map(body).collect()
}

/// Replaces stored bodies, in one transaction.
pub(super) async fn put_bodies(pool: &Pool, bodies: &[(u64, Vec<u8>)]) -> StoreResult<()> {
    let wrong = |error: tokio_postgres::Error| -> StoreError { meaning(&error) };
    let mut lent = pool.lend().await?;
    let transaction = lent.get().client.transaction().await.map_err(wrong)?;
    transaction.batch_execute("SET LOCAL statement_timeout = 0").await.map_err(wrong)?;
    let sql = "UPDATE entries t SET body = d.body FROM unnest($1::bigint[], $2::bytea[]) AS d (number, body) WHERE t.number = d.number";
    for some in bodies.chunks(CHUNK) {
        let numbers: Vec<i64> = some.iter().map(|(number, _)| signed(*number)).collect();
        let bodies: Vec<&[u8]> = some.iter().map(|(_, body)| body.as_slice()).collect();
        transaction.execute(sql, &[&numbers, &bodies]).await.map_err(wrong)?;
    }
    transaction.commit().await.map_err(wrong)
}
