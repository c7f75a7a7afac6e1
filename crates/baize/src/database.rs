//! The casino that a command is about: the one place that handles `--database`.

use std::path::{Path, PathBuf};

use baize_house::House;
use clap::Args;

use crate::Failure;
use crate::config::ConfigFile;

/// The database of a casino.
#[derive(Args, Clone, Default)]
pub(crate) struct Database {
    /// A file, sqlite:FILE or postgres://…; without it, the one in the configuration file, or else a file in the user's data folder. Put
    /// a password into a file: --database-password-file.
    #[arg(long, value_name = "DATABASE", global = true, env = "BAIZE_DATABASE", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// A file whose first line is the password of the PostgreSQL server. Otherwise BAIZE_DATABASE_PASSWORD or PGPASSWORD, or the systemd
    /// credential baize-database-password.
    #[arg(
        long,
        value_name = "FILE",
        global = true,
        env = "BAIZE_DATABASE_PASSWORD_FILE",
        hide_env_values = true
    )]
    pub(crate) database_password_file: Option<PathBuf>,
    /// The configuration file; without it, /etc/baize/baize.toml if it exists.
    #[arg(long, value_name = "FILE", global = true, env = "BAIZE_CONFIG", hide_env_values = true)]
    pub(crate) config: Option<PathBuf>,
}

impl Database {
    /// Its address: of the command line or environment, of the configuration file, or the usual one.
    pub(crate) fn address(&self) -> Result<String, Failure> {
        if self.password_shown() {
            Failure::warn(
                "every user of this machine can read the password in --database; use --database-password-file",
            );
        }
        // A server that is named here may have its password in the file.
        let no_password =
            self.database_password_file.is_none() && self.database.iter().any(|of| of.contains("://"));
        let read = self.database.is_none() || no_password;
        let file = if read { ConfigFile::find(self.config.as_deref())? } else { None };
        let set = |key: &str| file.as_ref().and_then(|file| file.value(key)).map(str::to_owned);
        let address =
            self.database.clone().or_else(|| set("database")).unwrap_or_else(House::default_database);
        let password = self.database_password_file.as_ref().map(|file| file.display().to_string());
        match password.or_else(|| set("database-password-file")).filter(|_| address.contains("://")) {
            Some(password) => {
                let between = if address.contains('?') { '&' } else { '?' };
                let escaped = password.replace('%', "%25").replace('&', "%26").replace(' ', "%20");
                Ok(format!("{address}{between}passwordfile={escaped}"))
            }
            None => Ok(address),
        }
    }

    /// Opens the casino for reading. An empty journal is refused: most likely its entries are elsewhere.
    pub(crate) async fn look(&self) -> Result<House, Failure> {
        let address = self.address()?;
        let house = look_at(&address).await?;
        if house.recorded(None, 0, 1).await?.is_empty() {
            return Err(Failure::Usage(format!("{}: {EMPTY}", without_password(&address))));
        }
        Ok(house)
    }

    /// Whether a password was written on the command line, where every user of the machine can read it.
    fn password_shown(&self) -> bool {
        let written = |word: &String| {
            word.strip_prefix("--database=").unwrap_or(word) == self.database.as_deref().unwrap_or_default()
        };
        self.database.as_deref().is_some_and(|address| without_password(address) != address)
            && std::env::args().any(|word| written(&word))
    }
}

/// The error for an empty journal: creating a casino always writes entries.
pub(crate) const EMPTY: &str = "the journal is empty: the casino was never opened, or its file was copied without its log (the file of the same name with -wal); copy \
                                a casino with `baize backup`";

/// The file of the address of a casino in a file.
pub(crate) fn file_of(address: &str) -> &Path {
    let path = address.strip_prefix("sqlite:").unwrap_or(address);
    Path::new(path.split_once('?').map_or(path, |(path, _)| path))
}

/// Opens a casino for reading, and warns if its file was copied without its log.
pub(crate) async fn look_at(address: &str) -> Result<House, Failure> {
    check_folder(address)?;
    let house = House::look_at(address).await?;
    if let Some(warning) = house.copied_without_log() {
        eprintln!("warning: {warning}");
    }
    Ok(house)
}

/// A folder that may not be entered is not a missing file.
pub(crate) fn check_folder(address: &str) -> Result<(), Failure> {
    match std::fs::metadata(file_of(address)) {
        Err(error) if !address.contains("://") && error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::of_file(file_of(address))(error))
        }
        _ => Ok(()),
    }
}

/// A database's address without a password, for the screen and the log.
pub(crate) fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        // libpq's key-value form, which is not supported here: cut it off at the password.
        return address.split_once("password=").map_or(address, |(before, _)| before).trim_end().to_owned();
    };
    let (place, options) = rest.split_once('?').map_or((rest, ""), |(place, options)| (place, options));
    let place = match place.rsplit_once('@') {
        Some((user, place)) if user.contains(':') => {
            format!("{}:…@{place}", user.split(':').next().unwrap_or_default())
        }
        _ => place.to_owned(),
    };
    let kept: Vec<&str> = options.split('&').filter(|option| !option.starts_with("password=")).collect();
    let options =
        if options.is_empty() || kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("{scheme}://{place}{options}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        assert_eq!(without_password("postgres://ann:secret@db/baize"), "postgres://ann:…@db/baize");
        assert_eq!(
            without_password("postgres://ann@db,db2/baize?password=secret&sslmode=require"),
            "postgres://ann@db,db2/baize?sslmode=require"
        );
        assert_eq!(without_password("postgres://db/baize?password=secret"), "postgres://db/baize");
        assert_eq!(without_password("host=db password=secret"), "host=db");
        assert_eq!(without_password("casino/baize.sqlite"), "casino/baize.sqlite");
    }
}
