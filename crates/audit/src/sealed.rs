//! Audit of what depends on the house's key: sessions, links and sealed entries.

use super::Findings;
use baize_house::Answer;
use baize_journal::Store;

/// Every session and link was created by the house. Without the key this cannot be checked.
pub(super) async fn secrets(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let kept = store.kept_secrets().await;
    let Some(kept) = findings.readable("the sessions", kept)? else { return Ok(()) };
    let mut unknown = 0_u64;
    for secret in kept {
        match secret.made {
            Some(true) => findings.count("sessions and links", 1),
            Some(false) => {
                let short: String = secret.row.hash.chars().take(12).collect();
                let what = format!(
                    "it was not created by the house, and authenticates nobody: {}",
                    secret.row.actor
                );
                findings.fault(format!("the {} {short}…", secret.row.kind), what);
            }
            None => unknown += 1,
        }
    }
    if findings.sealed > 0 {
        let why = if findings.known.keyless {
            "the house's key is missing"
        } else {
            "the house's key was lost, and rounds in progress were given up"
        };
        findings
            .notes
            .push(format!("{why}; entries of rounds in progress that were not checked: {}", findings.sealed));
    }
    if unknown > 0 {
        findings.notes.push(format!(
            "the house's key is missing: {unknown} sessions and links, and future decks, were not checked"
        ));
    }
    Ok(())
}
