//! Checks, when a host starts, that the server's commits are durable.
//!
//! A server that does not flush, or that may leave torn pages after a crash, loses answered orders: a casino does not open on it.
//! `durability=unsafe` in the address skips the check, for temporary databases.

use std::path::PathBuf;

use super::pool::Pool;
use super::rows;
use crate::StoreError;

/// Required settings, each with the advice if it is off.
const NEEDED: [(&str, &str); 3] = [
    (
        "fsync",
        "a crash of the server's machine can lose or corrupt the journal: set fsync = on in postgresql.conf",
    ),
    (
        "full_page_writes",
        "a crash of the server's machine can leave torn pages: set full_page_writes = on in postgresql.conf",
    ),
    (
        "synchronous_commit",
        "orders would be answered before they are on disk: set synchronous_commit = on (or remote_apply) for this database and its role",
    ),
];

/// Removes `durability=unsafe` and `archive=FOLDER` from an address, and returns whether the former was there.
pub(super) fn asked(address: &str) -> (String, bool) {
    let (rest, found) = super::password::option(&folder(address).0, "durability");
    (rest, found.as_deref() == Some("unsafe"))
}

/// Removes `archive=FOLDER` from an address and returns the folder of archived bodies.
pub(super) fn folder(address: &str) -> (String, Option<PathBuf>) {
    let (rest, found) = super::password::option(address, "archive");
    (rest, found.map(PathBuf::from))
}

/// Refuses a server whose commits are not durable, and returns warnings for the operator.
pub(super) async fn check(pool: &Pool) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
               current_setting('default_transaction_isolation'), current_setting('synchronous_standby_names'),
               pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean,
               (SELECT count(*) FROM pg_stat_replication)";
    let found = pool.query(sql, &[]).await?;
    let Some(row) = found.first() else { return Ok(Vec::new()) };
    if rows::get::<bool>(row, 5)? {
        return Err(StoreError::Option(
            "the server is a standby or read-only: list all servers in the address, postgres://one,two/…, with target_session_attrs=read-write"
                .to_owned(),
        ));
    }
    for (at, (name, why)) in NEEDED.iter().enumerate() {
        if rows::get::<String>(row, at)? == "off" {
            return Err(StoreError::Option(format!("the server has {name} = off: {why}")));
        }
    }
    let (isolation, names): (String, String) = (rows::get(row, 3)?, rows::get(row, 4)?);
    let standbys: i64 = rows::get(row, 6)?;
    let mut warnings = Vec::new();
    if isolation != "read committed" {
        warnings.push(format!(
            "the server has default_transaction_isolation = {isolation}: orders are retried more often than with read committed"
        ));
    }
    if rows::get::<String>(row, 2)? == "local" && !names.is_empty() {
        warnings.push(
            "the server has synchronous_commit = local: an order is answered before the synchronous standby has it, and a failover can lose it"
                .to_owned(),
        );
    }
    if standbys > 0 && names.is_empty() {
        warnings.push(
            "the standby is asynchronous (synchronous_standby_names is empty): a failover can lose orders that were answered"
                .to_owned(),
        );
    }
    Ok(warnings)
}
