//! Watches finished rounds for players whose departures from best play fit hidden cards too often, and shows them on the pit board.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use baize_house::{Actor, House, Instant, RoundFilter};
use baize_odds::rating::Evidence;

use super::odds_service::OddsService;

/// Maximum number of rounds rated at once; at the start, these are the latest ones before it.
const MAX_ROUNDS: u32 = 5_000;
/// How often new rounds are rated.
const INTERVAL: Duration = Duration::from_secs(60);

/// The evidence about each player. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Alerts(Arc<Mutex<HashMap<String, Evidence>>>);

impl Alerts {
    /// Starts watching. Needs a running Tokio runtime.
    pub(crate) fn watch(&self, house: House, odds: OddsService) {
        let this = self.clone();
        tokio::spawn(async move {
            let (mut last, mut known) = (Instant(0), BTreeSet::new());
            loop {
                tokio::time::sleep(INTERVAL).await;
                this.rate_new_rounds(&house, &odds, &mut last, &mut known).await;
            }
        });
    }

    /// Rates the rounds since `last`. `known` contains those that ended at exactly that time, which are not rated twice.
    async fn rate_new_rounds(
        &self,
        house: &House,
        odds: &OddsService,
        last: &mut Instant,
        known: &mut BTreeSet<String>,
    ) {
        let filter = RoundFilter { limit: Some(MAX_ROUNDS), ..RoundFilter::default() };
        let since = Instant(last.0 - 1);
        let Ok(mut rounds) = house.past_rounds(&Actor::House, &filter, Some(since)).await else { return };
        rounds.retain(|round| !known.contains(&round.id.to_string()));
        let Some(newest) = rounds.last().map(|round| round.ended) else { return };
        if newest > *last {
            known.clear();
        }
        *last = newest;
        known.extend(rounds.iter().filter(|round| round.ended == newest).map(|round| round.id.to_string()));
        let this = self.clone();
        // Rounds that cannot be rated are skipped.
        let rated = odds
            .with_rater(move |rater| {
                for round in &rounds {
                    for hand in rater.round(&round.book, &round.finished).unwrap_or_default() {
                        this.add(&hand.player.0, hand.decisions.iter().filter_map(|one| one.agreement));
                    }
                }
            })
            .await;
        if rated.is_err() {
            tracing::error!(target: "baize::server", "rating finished rounds for the pit failed");
        }
    }

    fn add(&self, player: &str, agreements: impl Iterator<Item = baize_odds::rating::Agreement>) {
        let mut players = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for agreement in agreements {
            players.entry(player.to_owned()).or_default().add(agreement);
        }
    }

    /// The players whom surveillance should watch.
    pub(crate) fn players(&self) -> Vec<String> {
        let players = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<String> = players
            .iter()
            .filter(|(_, evidence)| evidence.suspicion().alerts())
            .map(|(player, _)| player.clone())
            .collect();
        found.sort();
        found
    }
}

#[cfg(test)]
mod tests {
    use baize_odds::Fraction;
    use baize_odds::rating::Agreement;

    use super::*;

    #[test]
    fn departures_that_fit_hidden_cards_no_more_than_by_chance_raise_no_alert() {
        let alerts = Alerts::default();
        let departure = |agreed| Agreement { agreed, of: 1, expected: Fraction::new(1, 2) };
        alerts.add("sees", (0..20).map(|_| departure(1)));
        alerts.add("errs", (0..200).map(|n| departure(n % 2)));
        assert_eq!(alerts.players(), ["sees"]);
    }
}
