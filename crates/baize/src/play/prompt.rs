//! Parses the player's input: bets before the round, decisions in it.
//!
//! This only parses: the house decides what is allowed.

use baize_rules::{Area, Money};

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    /// An empty line: accept the offered bets.
    Offered,
    /// Chips on these areas.
    Bets(Vec<(Area, Money)>),
    /// The raise that can be made now, with an amount if one was given.
    Raise(Option<Money>),
    /// Fold.
    Fold,
    /// Check.
    Check,
    /// The exact value of each decision.
    Advice,
    /// Show the help.
    Help,
    /// Leave.
    Quit,
}

/// Areas that may be bet on before the round, each with its default amount.
pub(super) type Offer = [(Area, Money)];

/// Parses a line typed before the round: `25 bonus 5 jackpot`. A bare amount is the ante, a bare area its default amount.
pub(super) fn before_round(line: &str, offer: &Offer) -> Result<Input, String> {
    if let Some(input) = anytime(line) {
        return Ok(input);
    }
    let mut bets: Vec<(Area, Money)> = Vec::new();
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let (area, amount) = if let Ok(amount) = word.parse::<Money>() {
            (Area::Ante, amount)
        } else {
            let (area, usual) = named(word, offer)?;
            let amount = words.next_if(|next| next.parse::<Money>().is_ok());
            (area, amount.and_then(|amount| amount.parse().ok()).unwrap_or(usual))
        };
        if bets.iter().any(|(before, _)| *before == area) {
            return Err(format!("the {} is named twice", area.code()));
        }
        bets.push((area, amount));
    }
    Ok(Input::Bets(bets))
}

fn named(word: &str, offer: &Offer) -> Result<(Area, Money), String> {
    let word = word.to_lowercase();
    let found = offer.iter().find(|(area, _)| area.code().starts_with(&word));
    found.copied().ok_or_else(|| {
        let areas: Vec<&str> = offer.iter().map(|(area, _)| area.code()).collect();
        format!("`{word}` is not a bet: write an amount for the ante, or {}", areas.join(", "))
    })
}

/// Parses a line typed in the round: `bet`, `fold`, `check`.
pub(super) fn in_round(line: &str) -> Result<Input, String> {
    if let Some(input) = anytime(line) {
        return Ok(input);
    }
    let line = line.trim().to_lowercase();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
    Ok(match word {
        "b" | "bet" | "flop" | "turn" | "river" | "raise" => Input::Raise(match rest.trim() {
            "" => None,
            amount => Some(amount.parse().map_err(|_| format!("`{amount}` is not an amount"))?),
        }),
        "f" | "fold" => Input::Fold,
        "c" | "check" => Input::Check,
        "a" | "advice" => Input::Advice,
        other => return Err(format!("`{other}` is not a command; ? for help")),
    })
}

fn anytime(line: &str) -> Option<Input> {
    Some(match line.trim().to_lowercase().as_str() {
        "" => Input::Offered,
        "?" | "h" | "help" => Input::Help,
        "q" | "quit" | "leave" | "exit" => Input::Quit,
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    const OFFER: [(Area, Money); 3] = [
        (Area::Ante, Money::from_dollars(5)),
        (Area::Bonus, Money::from_dollars(5)),
        (Area::Jackpot, Money::from_dollars(5)),
    ];

    fn bets(line: &str) -> Result<String, String> {
        let input = before_round(line, &OFFER)?;
        let Input::Bets(bets) = &input else { return Ok(format!("{input:?}")) };
        let bets = bets.iter().map(|(area, amount)| format!("{} {amount}", area.code()));
        Ok(bets.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn bets_are_written_as_people_say_them() {
        assert_eq!(bets("25").unwrap(), "ante 25.00");
        assert_eq!(bets("ante 25 bonus 10").unwrap(), "ante 25.00, bonus 10.00");
        assert_eq!(bets(" 25 j b ").unwrap(), "ante 25.00, jackpot 5.00, bonus 5.00");
        assert_eq!(bets("7.50 JACKPOT 10").unwrap(), "ante 7.50, jackpot 10.00");
        assert_eq!(bets("").unwrap(), "Offered");
        assert_eq!(bets(" Q ").unwrap(), "Quit");
    }

    #[test]
    fn bad_bets_say_what_would_be_right() {
        assert_eq!(bets("25 ante 5").unwrap_err(), "the ante is named twice");
        let unknown = bets("flop 10").unwrap_err();
        assert!(unknown.contains("`flop`") && unknown.contains("ante, bonus, jackpot"), "{unknown}");
        assert!(bets("-5").is_err());
    }

    #[test]
    fn decisions() {
        assert_eq!(in_round("b").unwrap(), Input::Raise(None));
        assert_eq!(in_round("flop 10").unwrap(), Input::Raise(Some(Money::from_dollars(10))));
        assert_eq!(in_round("FOLD").unwrap(), Input::Fold);
        assert_eq!(in_round("?").unwrap(), Input::Help);
        assert!(in_round("bet it all").unwrap_err().contains("it all"));
        assert!(in_round("shove").unwrap_err().contains("shove"));
    }
}
