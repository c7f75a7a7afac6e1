//! Temporary databases on a server: created for one use, then dropped.

use std::sync::atomic::{AtomicU32, Ordering};

use super::pool::Pool;
use crate::StoreError;
use crate::boxed;
use crate::store::without_password;

/// A PostgreSQL server on which to create temporary databases.
pub struct Throwaway {
    address: String,
    pool: Pool,
    made: AtomicU32,
}

impl Throwaway {
    /// Connects to the server. The database in the address must be empty, as proof that it holds no casino.
    ///
    /// # Errors
    /// The address is invalid, the server does not answer, or the database is not empty.
    #[boxed]
    pub async fn on(address: &str) -> Result<Throwaway, StoreError> {
        let (address, _) = crate::key::key_place(address);
        let pool = Pool::new(&address)?;
        let sql = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                   WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')";
        let found = pool.query(sql, &[]).await?;
        let tables: i64 = found.first().map_or(Ok(0), |row| super::rows::get(row, 0))?;
        if tables > 0 {
            let shown = without_password(&address);
            return Err(StoreError::NotEmpty(format!(
                "the database {shown} is not empty: it has {tables} tables"
            )));
        }
        Ok(Throwaway { address, pool, made: AtomicU32::new(0) })
    }

    /// Creates an empty database and returns its address.
    ///
    /// # Errors
    /// The server refuses: the user lacks the right, or the disk is full.
    #[boxed]
    pub async fn create(&self) -> Result<String, StoreError> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let name = format!("baize_check_{}_{number}", std::process::id());
        self.pool.query(&format!("CREATE DATABASE {name}"), &[]).await?;
        let (place, options) = self.address.split_once('?').unwrap_or((&self.address, ""));
        // After the host comes a slash and the database, or nothing.
        let host = place.find("://").map_or(0, |at| at + 3);
        let end = place[host..].find('/').map_or(place.len(), |at| host + at);
        let key = crate::key::for_one_use();
        // It is dropped after one script, so durability does not matter.
        let key = format!("{key}&durability=unsafe");
        let options = if options.is_empty() { key } else { format!("{options}&{key}") };
        Ok(format!("{}/{name}?{options}", &place[..end]))
    }

    /// Drops a database created by this, even while others are connected to it.
    ///
    /// # Errors
    /// The server's.
    #[boxed]
    pub async fn drop(&self, address: &str) -> Result<(), StoreError> {
        let place = address.split('?').next().unwrap_or(address);
        let name = place.rsplit('/').next().unwrap_or_default();
        self.pool.query(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"), &[]).await?;
        Ok(())
    }
}
