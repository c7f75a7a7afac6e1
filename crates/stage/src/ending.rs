//! What must hold at the end of a script: a clean audit, purses that match the slips, exported rounds that check again, and
//! records that show nobody a card that they did not see.

use std::collections::BTreeMap;

use baize_house::{PlayerId, RoundFilter};
use baize_rules::Money;
use baize_script::Script;
use baize_table::Stake;

use crate::StageError;
use crate::casino::StagedCasino;
use crate::secrecy::Secrecy;

/// What was expected, and what happened instead.
type Differs = (String, String);

/// The maximum number of rounds checked per table.
const ROUNDS: u32 = 500;

/// Everything that must hold at the end of a script.
pub(crate) async fn check(casino: &StagedCasino<'_>, secrecy: &mut Secrecy) -> Vec<Differs> {
    let mut differs = Vec::new();
    let asked = [
        ("the audit finds nothing", audit(casino).await),
        ("every purse holds what the slips say", purses(casino).await),
        ("every finished round checks again as it is exported", exports(casino).await),
        ("no record shows a hidden card", secrecy.records(casino).await),
    ];
    for (expected, found) in asked {
        match found {
            Ok(found) => differs.extend(found.into_iter().map(|happened| (expected.to_owned(), happened))),
            Err(error) => differs.push((expected.to_owned(), error.to_string())),
        }
    }
    differs
}

async fn audit(casino: &StagedCasino<'_>) -> Result<Vec<String>, StageError> {
    let report = baize_audit::audit(&casino.house).await?;
    Ok(report.faults.iter().map(|fault| format!("{}: {}", fault.place, fault.what)).collect())
}

/// Every player has what they bought, less the chips on tables, plus or minus what every slip gave or took.
async fn purses(casino: &StagedCasino<'_>) -> Result<Vec<String>, StageError> {
    let mut should: BTreeMap<PlayerId, Money> = casino.people.bought.clone();
    let mut add = |player: &str, amount: Money| {
        if let Some(held) = player.parse::<PlayerId>().ok().and_then(|id| should.get_mut(&id)) {
            *held += amount;
        }
    };
    for table in &casino.tables {
        let Ok(view) = casino.house.view(&casino.people.auditor.actor, &table.id).await else { continue };
        let filter =
            RoundFilter { table: Some(table.id.clone()), limit: Some(ROUNDS), ..RoundFilter::default() };
        for line in casino.house.rounds(&filter).await? {
            let record = casino.house.round(&casino.people.auditor.actor, &line.id).await?;
            for share in record.slips.iter().flat_map(|slip| slip.shares()) {
                add(&share.player.0, share.handed_over - share.staked);
            }
        }
        if view.round.outcome.is_none() {
            let lying = view.round.boxes.values().flat_map(|on_box| &on_box.stakes);
            lying.for_each(|Stake { player, amount, .. }| add(&player.0, -*amount));
        }
    }
    let mut wrong = Vec::new();
    for (player, should) in should {
        let held = casino.house.purse(&player).await? - casino.house.owed(&player).await?;
        if held != should {
            wrong.push(format!("{player} has {held}, and {should} by the slips"));
        }
    }
    Ok(wrong)
}

async fn exports(casino: &StagedCasino<'_>) -> Result<Vec<String>, StageError> {
    let mut wrong = Vec::new();
    for table in &casino.tables {
        let filter =
            RoundFilter { table: Some(table.id.clone()), limit: Some(ROUNDS), ..RoundFilter::default() };
        for line in casino.house.rounds(&filter).await? {
            let path = format!("/api/v1/rounds/{}/script", line.id);
            let answer = casino.people.auditor.client.get(&path).await?;
            if !answer.status.is_success() {
                wrong.push(format!("{}: {}", line.id, answer.refused().why));
                continue;
            }
            let again = Script::parse(&answer.text)
                .map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())
                .map(|script| {
                    baize_script::run(&script, &|_| Some(baize_rules::Rulebook::clone(&table.book)))
                });
            match again {
                Err(why) => wrong.push(format!("{}: {why}", line.id)),
                Ok(transcript) => wrong.extend(transcript.failures.first().map(|failure| {
                    format!(
                        "{}, line {}: expected {}; {}",
                        line.id, failure.line, failure.expected, failure.happened
                    )
                })),
            }
        }
    }
    Ok(wrong)
}
