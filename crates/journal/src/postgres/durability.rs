//! Whether the server keeps what it answers: looked at once, when a host starts.
//!
//! A server that does not flush, or that leaves pages half written in a crash, loses orders that were answered: a casino does not open on it.
//! `durability=unsafe` in the address opens it all the same, for databases that are made for one use.

use std::path::PathBuf;

use super::pool::Pool;
use super::rows;
use crate::StoreError;

/// The settings that durability depends on, with what to do where they are off.
const NEEDED: [(&str, &str); 3] = [
    (
        "fsync",
        "a crash of the server's machine can lose or damage the record: set fsync = on in postgresql.conf",
    ),
    (
        "full_page_writes",
        "a crash of the server's machine can leave pages half written: set full_page_writes = on in postgresql.conf",
    ),
    (
        "synchronous_commit",
        "an order would be answered before it is on the disk: set synchronous_commit = on (or remote_apply) for this database and its role",
    ),
];

/// Takes `durability=unsafe` and `archive=FOLDER` out of an address, and says whether the first was there.
pub(super) fn asked(address: &str) -> (String, bool) {
    let (rest, found) = super::password::option(&folder(address).0, "durability");
    (rest, found.as_deref() == Some("unsafe"))
}

/// Takes `archive=FOLDER` out of an address: where bodies are that were moved out of the database.
pub(super) fn folder(address: &str) -> (String, Option<PathBuf>) {
    let (rest, found) = super::password::option(address, "archive");
    (rest, found.map(PathBuf::from))
}

/// Refuses a server that would lose what it answers, and says what else the operator should know.
pub(super) async fn check(pool: &Pool) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
               current_setting('default_transaction_isolation'), current_setting('synchronous_standby_names'),
               pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean,
               (SELECT count(*) FROM pg_stat_replication)";
    let found = pool.query(sql, &[]).await?;
    let Some(row) = found.first() else { return Ok(Vec::new()) };
    if rows::get::<bool>(row, 5)? {
        return Err(StoreError::Option(
            "the server is a standby or takes no writes: name all servers in the address, postgres://one,two/…, with target_session_attrs=read-write"
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
            "the server has default_transaction_isolation = {isolation}: orders may be refused and tried again more often than with read committed"
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
