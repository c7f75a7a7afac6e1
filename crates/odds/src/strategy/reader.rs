//! Shared parsing of strategies: clauses, alternatives, hands, sets of starting hands.

use baize_cards::{HandClass, HandValue, Rank};
use baize_rules::{Family, StartingHand};

use super::StrategyError;

/// The rules by decision: `turn: pair+; river: never` becomes `("turn", "pair+")`, `("river", "never")`.
pub(super) fn clauses<'a>(
    text: &'a str,
    family: Family,
    decisions: &[&'static str],
    known: &'static str,
) -> Result<Vec<(&'static str, &'a str)>, StrategyError> {
    let mut clauses = Vec::new();
    for clause in text.split(';').map(str::trim).filter(|clause| !clause.is_empty()) {
        let (name, rule) = clause.split_once(':').unwrap_or((clause, ""));
        let name = name.trim().to_ascii_lowercase();
        let Some(decision) = decisions.iter().find(|decision| **decision == name) else {
            return Err(StrategyError::Rule { rule: name, family, known });
        };
        if clauses.iter().any(|(before, _)| before == decision) {
            return Err(StrategyError::Twice(name));
        }
        if rule.trim().is_empty() {
            return Err(part(clause, "nothing stands after the colon"));
        }
        clauses.push((*decision, rule.trim()));
    }
    Ok(clauses)
}

/// The alternatives of a rule, which `or` joins.
pub(super) fn alternatives(rule: &str) -> Vec<String> {
    let mut alternatives = vec![String::new()];
    for word in rule.split_whitespace() {
        if word.eq_ignore_ascii_case("or") {
            alternatives.push(String::new());
        } else if let Some(last) = alternatives.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    alternatives
}

pub(super) fn part(part: &str, why: impl Into<String>) -> StrategyError {
    StrategyError::Part { part: part.to_owned(), why: why.into() }
}

/// Parses a rank.
pub(super) fn rank(text: &str) -> Option<Rank> {
    Rank::ALL.into_iter().find(|rank| {
        text.eq_ignore_ascii_case(rank.short()) || text.eq_ignore_ascii_case(&rank.letter().to_string())
    })
}

/// The class of hand that a name stands for: `pair`, `two pairs`, `full-house`.
pub(super) fn class(text: &str) -> Option<HandClass> {
    let name = text.to_ascii_lowercase().replace(' ', "-");
    let short = match name.as_str() {
        "pair" => Some(HandClass::OnePair),
        "two-pair" => Some(HandClass::TwoPairs),
        "trips" => Some(HandClass::ThreeOfAKind),
        "quads" => Some(HandClass::FourOfAKind),
        _ => None,
    };
    short.or_else(|| HandClass::ALL.into_iter().find(|class| class.code() == name))
}

/// The lowest five odd cards whose highest are these: `A-K` is A-K-4-3-2.
pub(super) fn odd_cards(text: &str) -> Option<HandValue> {
    let ranks: Vec<Rank> = text.split('-').map(|word| rank(word.trim())).collect::<Option<_>>()?;
    let odd = HandValue::all().take_while(|value| value.class() == HandClass::FiveOddCards);
    let mut odd = odd.filter(|value| value.ranks().starts_with(&ranks));
    odd.next().filter(|_| ranks.len() >= 2)
}

/// A set of starting hands: `23o-27o 32s`, `22-55`, `none`, `all`.
pub(super) fn starting_hands(text: &str) -> Result<[bool; 169], StrategyError> {
    let mut set = [false; 169];
    match text {
        "none" => return Ok(set),
        "all" => return Ok([true; 169]),
        _ => {}
    }
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let hand = |text: &str| text.parse::<StartingHand>().map_err(|why| part(word, why));
        match word.split_once('-') {
            None => set[hand(word)?.index()] = true,
            Some((from, to)) => {
                for hand in range(hand(from)?, hand(to)?)
                    .ok_or_else(|| part(word, "a range keeps one card and runs through the other, such as 23o-27o, K9s-K2s or 22-55"))?
                {
                    set[hand.index()] = true;
                }
            }
        }
    }
    Ok(set)
}

/// The hands from one to the other, if they are pairs or have a card in common and are alike suited.
fn range(from: StartingHand, to: StartingHand) -> Option<Vec<StartingHand>> {
    let between = |one: Rank, other: Rank| {
        let (low, high) = (one.min(other), one.max(other));
        Rank::ALL.into_iter().filter(move |rank| (low..=high).contains(rank))
    };
    if from.is_pair() && to.is_pair() {
        return Some(between(from.high(), to.high()).map(|r| StartingHand::new(r, r, false)).collect());
    }
    if from.is_pair() || to.is_pair() || from.suited() != to.suited() {
        return None;
    }
    let fixed = |shared: Rank, one: Rank, other: Rank| {
        let hands = between(one, other).filter(move |rank| *rank != shared);
        Some(hands.map(|rank| StartingHand::new(shared, rank, from.suited())).collect())
    };
    if from.low() == to.low() {
        fixed(from.low(), from.high(), to.high())
    } else if from.high() == to.high() {
        fixed(from.high(), from.low(), to.low())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_and_ranges() {
        assert_eq!(odd_cards("A-K").unwrap().to_string(), "Five Odd Cards, Ace King Four Three Two");
        assert_eq!(odd_cards("A-K-J-8-3").unwrap().to_string(), "Five Odd Cards, Ace King Jack Eight Three");
        assert_eq!(odd_cards("A"), None);
        assert_eq!(odd_cards("A-5-4-3-2"), None);
        let names = |text: &str| {
            let set = starting_hands(text).unwrap();
            let hands = StartingHand::all().filter(|hand| set[hand.index()]);
            hands.map(|hand| hand.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("23o-27o"), "32o 42o 52o 62o 72o");
        assert_eq!(names("K2s-K4s, TT-QQ"), "TT JJ QQ K2s K3s K4s");
        assert!(starting_hands("23o-27s").is_err() && starting_hands("23o-45o").is_err());
        assert_eq!(alternatives("pair+ or  flush draw"), ["pair+", "flush draw"]);
    }
}
