//! Watches finished rounds for players whose departures from best play agree with hidden cards too often. It tells the pit; it bars nobody.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use baize_house::{Actor, House, Instant, RoundFilter};
use baize_odds::rating::Evidence;

use super::odds_desk::OddsDesk;

/// Rounds before the start that are looked at, and rounds between two looks.
const EARLIER: u32 = 5_000;
/// Between two looks.
const PAUSE: Duration = Duration::from_secs(60);

/// What is known of each player. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Alerts(Arc<Mutex<HashMap<String, Evidence>>>);

impl Alerts {
    /// Looks again and again. Needs a running runtime.
    pub(crate) fn watch(&self, house: House, odds: OddsDesk) {
        let this = self.clone();
        tokio::spawn(async move {
            let (mut last, mut known) = (Instant(0), BTreeSet::new());
            loop {
                tokio::time::sleep(PAUSE).await;
                this.look(&house, &odds, &mut last, &mut known).await;
            }
        });
    }

    /// Adds what the rounds since the last look say. Rounds that ended in the same moment as the last one are looked at once.
    async fn look(&self, house: &House, odds: &OddsDesk, last: &mut Instant, known: &mut BTreeSet<String>) {
        let filter = RoundFilter { limit: Some(EARLIER), ..RoundFilter::default() };
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
        // A round that cannot be rated says nothing.
        let rated = odds
            .rated(move |rater| {
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

    /// Departures that hidden cards agree with each time raise an alert; those that they agree with as often as chance has it do not.
    #[test]
    fn only_departures_that_agree_too_often_raise_an_alert() {
        let alerts = Alerts::default();
        let departure = |agreed| Agreement { agreed, of: 1, expected: Fraction::new(1, 2) };
        alerts.add("sees", (0..20).map(|_| departure(1)));
        alerts.add("errs", (0..200).map(|n| departure(n % 2)));
        assert_eq!(alerts.players(), ["sees"]);
    }
}
