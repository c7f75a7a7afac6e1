//! The server's password, from a file, the environment or a systemd credential, so that it need not be on a command line.

use std::path::{Path, PathBuf};

use super::decoded;
use crate::StoreError;

/// Removes an option from an address and returns its value.
pub(super) fn option(address: &str, name: &str) -> (String, Option<String>) {
    let Some((place, query)) = address.split_once('?') else { return (address.to_owned(), None) };
    let value = |option: &str| option.strip_prefix(name)?.strip_prefix('=').map(decoded);
    let found = query.split('&').find_map(value);
    let kept: Vec<&str> = query.split('&').filter(|option| value(option).is_none()).collect();
    let rest = if kept.is_empty() { place.to_owned() } else { format!("{place}?{}", kept.join("&")) };
    (rest, found)
}

/// Removes `passwordfile=FILE` from the address and returns the password: from that file, from `BAIZE_DATABASE_PASSWORD` or `PGPASSWORD`,
/// or from the systemd credential `baize-database-password`. A password in the address takes precedence.
pub(super) fn find(address: &str) -> Result<(String, Option<String>), StoreError> {
    let (rest, file) = option(address, "passwordfile");
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let credential =
        || given("CREDENTIALS_DIRECTORY").map(|folder| Path::new(&folder).join("baize-database-password"));
    if let Some(file) = file.map(PathBuf::from) {
        return Ok((rest, Some(of_file(&file)?)));
    }
    if let Some(word) = given("BAIZE_DATABASE_PASSWORD").or_else(|| given("PGPASSWORD")) {
        return Ok((rest, Some(word.to_string_lossy().into_owned())));
    }
    let credential = credential().filter(|file| file.exists());
    let password = credential.map(|file| of_file(&file)).transpose()?;
    Ok((rest, password))
}

fn of_file(file: &Path) -> Result<String, StoreError> {
    let wrong = |why: String| StoreError::Option(format!("the password file {}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let word = text.lines().next().unwrap_or_default();
    if word.is_empty() { Err(wrong("it is empty".to_owned())) } else { Ok(word.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_the_first_line_of_its_file() {
        let file = std::env::temp_dir().join(format!("baize password {}", std::process::id()));
        std::fs::write(&file, "se cret\n").unwrap();
        let shown = file.display().to_string().replace(' ', "%20");
        let (rest, password) =
            find(&format!("postgres://db/x?passwordfile={shown}&sslmode=require")).unwrap();
        assert_eq!(
            (rest.as_str(), password.as_deref()),
            ("postgres://db/x?sslmode=require", Some("se cret"))
        );
        std::fs::write(&file, "").unwrap();
        let told = find(&format!("postgres://db/x?passwordfile={shown}")).unwrap_err().to_string();
        assert!(told.contains("it is empty"), "{told}");
        std::fs::remove_file(&file).unwrap();
        assert!(find(&format!("postgres://db/x?passwordfile={shown}")).is_err());
    }
}
