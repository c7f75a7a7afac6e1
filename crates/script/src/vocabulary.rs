//! The words of a script and the syntax of each line.
//!
//! The parser looks words up here, its errors suggest them, and the documentation can list them: there is no second
//! list.

/// A verb and the syntax of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verb {
    /// The first word of the line.
    pub word: &'static str,
    /// The whole line.
    pub usage: &'static str,
    /// What it says.
    pub meaning: &'static str,
}

const fn verb(word: &'static str, usage: &'static str, meaning: &'static str) -> Verb {
    Verb { word, usage, meaning }
}

/// Every verb, in the order in which a script uses them.
pub const VERBS: [Verb; 26] = [
    verb("game", "game ID", "the rulebook; the first line"),
    verb("dealing", "dealing NAME", "the dealing procedure"),
    verb("boxes", "boxes N", "boxes on the layout"),
    verb("limit", "limit AREA MIN MAX", "limits of the ante or the bonus"),
    verb("jackpot", "jackpot wager X, jackpot meter X, jackpot reset X or jackpot rate N%", "the jackpot"),
    verb("interpret", "interpret I-3 NAME", "another reading of an open point"),
    verb(
        "standing",
        "standing no-jackpot, jackpot-fault, barred-box N, restricted PLAYER, barred PLAYER, stopped PLAYER, under-minimum PLAYER or rounds N",
        "what stands from earlier rounds",
    ),
    verb("table", "table NAME [GAME]", "the lines after it are this table's"),
    verb("open", "open", "\"Place your bets, please\""),
    verb("bet", "bet BOX PLAYER AREA AMOUNT [unnoticed] [by ROLE]", "chips are placed on an area"),
    verb("withdraw", "withdraw BOX PLAYER AREA", "chips are taken back"),
    verb("close", "close", "\"No more bets\""),
    verb("burn", "burn CARD", "a card is burnt"),
    verb("deal", "deal WHERE CARD…", "cards reach a box, the board or the dealer"),
    verb("look", "look BOX", "the player examines the hand"),
    verb("fold", "fold BOX", "the player folds"),
    verb("check", "check BOX", "the player checks"),
    verb("reveal", "reveal flop, reveal turn, reveal river or reveal dealer", "the dealer turns cards"),
    verb("show", "show BOX", "the player lays the hand face up"),
    verb("decline", "decline BOX", "the player does not show the hand"),
    verb("absent", "absent BOX", "the player has walked away"),
    verb("report", "report KIND [BOX] [name=value…] [by ROLE [NAME]]", "staff report an irregularity"),
    verb("option", "option BOX continue, reconstructed or withdraw", "a player chooses"),
    verb("decide", "decide WORDS by ROLE [NAME] [because WORDS…]", "a person rules"),
    verb("settle", "settle", "the dealer settles"),
    verb("expect", "expect …", "what must hold"),
];

/// The line that begins with this word.
pub(crate) fn usage(word: &str) -> &'static str {
    VERBS.iter().find(|verb| verb.word == word).map_or("", |verb| verb.usage)
}

/// The syntax of the lines that begin with `expect`.
pub(crate) const EXPECTATIONS: &str = "expect BOX AREA RESULT [AMOUNT] [citing P], expect BOX [PLAYER] net ±AMOUNT, \
     expect BOX hand NAME, expect dealer hand NAME, expect dealer qualifies, expect dealer no-hand, \
     expect jackpot meter X, expect void [citing P], expect settled, expect refused [citing P], \
     expect departs [citing P] or expect ruled NAME [citing P]";

/// The rulings that a person can make.
pub const RULINGS: [&str; 14] = [
    "void",
    "continue",
    "first-card",
    "no-jackpot",
    "close-table",
    "bar-box",
    "jackpot-restored",
    "restrict",
    "bar",
    "stop",
    "lift",
    "permit-withdrawal",
    "intentional",
    "not-intentional",
];

/// The facts that a report can state, and their syntax.
pub const FACTS: [(&str, &str); 15] = [
    ("count", "count=2"),
    ("seen", "seen=yes or seen=no"),
    ("reconstructable", "reconstructable=yes or reconstructable=no"),
    ("intentional", "intentional=yes or intentional=no"),
    ("whose", "whose=dealer or whose=other"),
    ("card", "card=9d"),
    ("player", "player=ann"),
    ("boxes", "boxes=1,3"),
    ("moves", "moves=2>3,3>2"),
    ("shift", "shift=yes or shift=no"),
    ("card-by-card", "card-by-card=yes or card-by-card=no"),
    ("dealing", "dealing=yes or dealing=no"),
    ("device", "device=3"),
    ("scope", "scope=box, scope=table or scope=system"),
    ("round", "round=previous"),
];

/// The nearest known word, if it is near enough: at most a third of its letters are wrong.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let lower = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (changes(&lower, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The edit distance: how many letters must be changed, added, left out or swapped with their neighbour to get from one
/// word to the other.
fn changes(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().take(64).collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for (i, a) in from.iter().enumerate() {
        let above = &rows[i];
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut best = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_a_far_one_is_not() {
        let verbs = || VERBS.iter().map(|v| v.word);
        for (word, near) in [
            ("bte", Some("bet")),
            ("settel", Some("settle")),
            ("OPEN", Some("open")),
            ("clsoe", Some("close")),
            ("expects", Some("expect")),
            ("frobnicate", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, verbs()), near, "{word}");
        }
    }
}
