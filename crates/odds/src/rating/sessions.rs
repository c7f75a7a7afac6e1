//! Sessions and hours of play, without pauses.

/// When a round was opened and ended, in milliseconds, if known.
pub type RoundTime = Option<(i64, i64)>;

/// Pause that separates two sessions: ten minutes, in milliseconds.
const PAUSE_MS: i64 = 600_000;

/// Minimum hours for a rate (ten minutes): a single quick hand would give hundreds an hour.
const MIN_HOURS: f64 = 1.0 / 6.0;

/// Hours of play in these rounds, without pauses; `None` if times are unknown.
pub(super) fn hours(times: &[RoundTime]) -> Option<f64> {
    let mut known: Vec<(i64, i64)> = times.iter().copied().collect::<Option<_>>()?;
    known.sort_unstable();
    known.dedup();
    let mut total = 0;
    let mut last: Option<i64> = None;
    for (opened, ended) in known {
        let from = last.filter(|last| opened - last < PAUSE_MS).unwrap_or(opened);
        total += (ended - from).max(0);
        last = Some(last.map_or(ended, |last| last.max(ended)));
    }
    (total > 0).then(|| total as f64 / 3_600_000.0)
}

/// Hands per hour; `None` if the hours are unknown or too few.
pub(super) fn hands_an_hour(hands: u64, hours: Option<f64>) -> Option<f64> {
    hours.filter(|hours| *hours >= MIN_HOURS).map(|hours| hands as f64 / hours)
}

/// Indices of the rounds that start a session, among rounds in order of their end: the first, and each one opened after a pause.
pub fn beginnings(times: impl IntoIterator<Item = (i64, i64)>) -> Vec<usize> {
    let mut last: Option<i64> = None;
    let mut begins = Vec::new();
    for (n, (opened, ended)) in times.into_iter().enumerate() {
        if last.is_none_or(|last| opened - last >= PAUSE_MS) {
            begins.push(n);
        }
        last = Some(last.map_or(ended, |last| last.max(ended)));
    }
    begins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_do_not_count() {
        let minute = 60_000;
        let rounds = [(0, minute), (2 * minute, 3 * minute), (100 * minute, 102 * minute)];
        let played = hours(&rounds.map(Some)).unwrap();
        assert!((played - 5.0 / 60.0).abs() < 1e-9, "{played}");
        assert_eq!(hours(&[Some((0, 1)), None]), None);
        assert_eq!(beginnings(rounds), [0, 2]);
    }

    #[test]
    fn a_rate_needs_ten_minutes() {
        let four_seconds = hours(&[Some((0, 4_000))]);
        assert_eq!(hands_an_hour(1, four_seconds), None);
        assert_eq!(hands_an_hour(9, Some(0.15)), None);
        assert_eq!(hands_an_hour(20, Some(0.5)), Some(40.0));
        assert_eq!(hands_an_hour(20, None), None);
    }
}
