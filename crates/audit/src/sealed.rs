//! Rows that the house's key binds, sessions and links, and what it seals.

use super::Findings;
use baize_house::Answer;
use baize_journal::Store;

/// Every session and link was made by the house. Without its key that cannot be told.
pub(super) async fn secrets(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let kept = store.kept_secrets().await;
    let Some(kept) = findings.readable("the sessions", kept)? else { return Ok(()) };
    let mut unknown = 0_u64;
    for secret in kept {
        match secret.made {
            Some(true) => findings.count("sessions and links", 1),
            Some(false) => {
                let short: String = secret.row.hash.chars().take(12).collect();
                let what =
                    format!("the house did not make it, and nobody is let in by it: {}", secret.row.actor);
                findings.fault(format!("the {} {short}…", secret.row.kind), what);
            }
            None => unknown += 1,
        }
    }
    if findings.sealed > 0 {
        let why = if findings.known.keyless {
            "the key of the house is not here"
        } else {
            "a key of the house was lost, and what was under way was given up"
        };
        findings
            .notes
            .push(format!("{why}: {} entries of rounds under way were not looked into", findings.sealed));
    }
    if unknown > 0 {
        findings.notes.push(format!(
            "the key of the house is not here: {unknown} sessions and links, and the decks to come, were not looked into"
        ));
    }
    Ok(())
}
