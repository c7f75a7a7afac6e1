//! `baize advise`: the exact value of each decision that a player has now.

use std::path::PathBuf;

use baize_cards::{Card, CardSet, CardSetError};
use baize_odds::Solver;
use baize_odds::advice::{Action, Advice, ExposedCards, Seen, Stakes};
use baize_rules::{Money, Rulebook};
use clap::Args;
use serde::Serialize;

use crate::page::{self, Page, Style};
use crate::{Failure, progress, rulebook};

/// The exact value of each decision that a player has now.
///
/// Values are the net result of the whole round in antes, all stakes counted, with best play afterwards. Cards are
/// written like `As 10d 9h` or `AsTd9h`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The game; with --rulebook, the cards come first.
    #[arg(value_name = "ID")]
    id: String,
    /// The player's cards.
    #[arg(value_name = "CARDS", required_unless_present = "rulebook")]
    cards: Vec<String>,
    /// Stud: the dealer's face-up card.
    #[arg(long, value_name = "CARD")]
    up: Option<String>,
    /// Hold'em: three or four community cards in the order in which they were turned.
    #[arg(long, value_name = "CARDS")]
    board: Option<String>,
    /// Hold'em with four community cards: the turn wager was placed.
    #[arg(long)]
    turn_wagered: bool,
    /// Cards that are seen and should not be: `dealer Kd, river 9c`. Places are dealer, flop, turn, river and box.
    #[arg(long, value_name = "CARDS")]
    seen: Option<String>,
    /// The ante; without it, maximum payouts are not applied.
    #[arg(long, value_name = "AMOUNT")]
    ante: Option<Money>,
    /// The jackpot wager, which then counts as well.
    #[arg(long, value_name = "AMOUNT")]
    jackpot_wager: Option<Money>,
    /// What the jackpot meter shows.
    #[arg(long, value_name = "AMOUNT")]
    meter: Option<Money>,
    /// A rulebook file of your own, in place of ID.
    #[arg(long, value_name = "FILE")]
    rulebook: Option<PathBuf>,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

/// Advises on the position that the arguments state.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let own = arguments.rulebook.as_deref().map(rulebook::from_file).transpose()?;
    let (rulebook, hand) = match &own {
        // With a file of one's own the first word is a card, unless it repeats the file's id.
        Some(own) if own.id == arguments.id => (own, arguments.cards.join(" ")),
        Some(own) => (own, [arguments.id.clone(), arguments.cards.join(" ")].join(" ")),
        None => (rulebook::built_in(&arguments.id)?, arguments.cards.join(" ")),
    };
    let seen = Seen {
        cards: cards("the player's cards", &hand)?,
        up: up(arguments.up.as_deref())?,
        board: cards("the board", arguments.board.as_deref().unwrap_or_default())?,
        turn_wagered: arguments.turn_wagered,
    };
    if seen.turn_wagered && seen.board.len() != 4 {
        return Err(Failure::Usage("--turn-wagered belongs to a board of four cards".to_owned()));
    }
    let stakes =
        Stakes { ante: arguments.ante, jackpot_wager: arguments.jackpot_wager, meter: arguments.meter };
    let exposed: Option<ExposedCards> = arguments.seen.as_deref().map(str::parse).transpose()?;
    let note = progress::note("solving the game");
    let advice = match &exposed {
        Some(exposed) => Advice::with_exposed(rulebook, &seen, exposed, stakes),
        None => Advice::of(&mut Solver::new(), rulebook, &seen, stakes),
    };
    note.finish_and_clear();
    let advice = advice?;
    page::print(&if arguments.json {
        json(rulebook, &seen, &advice)
    } else {
        text(rulebook, (&seen, exposed.as_ref()), stakes, &advice, Page::for_stdout())
    })
}

/// The cards of a text, in order.
fn cards(what: &'static str, text: &str) -> Result<Vec<Card>, Failure> {
    let wrong = |error: CardSetError| Failure::Cards { what, error };
    // Reading it as a set finds what is wrong; a second look puts the cards in order.
    let set: CardSet = text.parse().map_err(wrong)?;
    let letters: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    let mut ordered = Vec::new();
    let mut start = 0;
    for (at, letter) in letters.char_indices() {
        let end = at + letter.len_utf8();
        if let Ok(card) = letters[start..end].parse::<Card>() {
            ordered.push(card);
            start = end;
        }
    }
    debug_assert_eq!(set, ordered.iter().copied().collect());
    Ok(ordered)
}

fn up(text: Option<&str>) -> Result<Option<Card>, Failure> {
    let Some(text) = text else { return Ok(None) };
    match cards("the face-up card", text)?.as_slice() {
        [up] => Ok(Some(*up)),
        others => Err(Failure::Usage(format!("{} face-up cards: the dealer shows one", others.len()))),
    }
}

/// The answer with what it was asked about.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    advice: &'a Advice,
    gain: String,
    game: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_wagered: Option<bool>,
}

fn json(rulebook: &Rulebook, seen: &Seen, advice: &Advice) -> String {
    let answer = Answer {
        advice,
        gain: advice.gain().decimal(baize_odds::analysis::PLACES),
        game: &rulebook.id,
        turn_wagered: (seen.board.len() == 4).then_some(seen.turn_wagered),
    };
    serde_json::to_string(&rulebook::About::new(rulebook, answer)).map(|text| text + "\n").unwrap_or_default()
}

fn text(
    rulebook: &Rulebook,
    (seen, exposed): (&Seen, Option<&ExposedCards>),
    stakes: Stakes,
    advice: &Advice,
    mut page: Page,
) -> String {
    let list = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    let mut position = format!("{}: {}", rulebook.name, list(&seen.cards));
    if let Some(up) = seen.up {
        position.push_str(&format!(" against {up}"));
    }
    if !seen.board.is_empty() {
        position.push_str(&format!(" on {}", list(&seen.board)));
    }
    if let Some(exposed) = exposed {
        let cards: Vec<Card> = exposed.all().copied().collect();
        position.push_str(&format!(", seeing {}", list(&cards)));
    }
    page.heading(&position);
    for decision in &advice.decisions {
        let sign = if decision.ev.numerator() > 0 { "+" } else { "" };
        let best = decision.action == advice.best;
        let line = format!(
            "  {:<6} {:>16} antes{}",
            decision.action.code(),
            format!("{sign}{}", decision.ev.decimal(12).replace('-', "−")),
            if best { "   best" } else { "" }
        );
        page.styled_line(&line, if best { Style::Bold } else { Style::Plain });
    }
    page.gap();
    let gain = advice.gain().decimal(6);
    let mut notes = match advice.best {
        Action::Fold => format!("Folding is better by {gain} antes."),
        Action::Check => format!("Checking is better by {gain} antes."),
        Action::Bet | Action::Flop | Action::Turn | Action::River => {
            format!("The {} wager is better by {gain} antes.", advice.best.code())
        }
    };
    notes.push_str(" The net result of the whole round, all stakes counted, with best play afterwards");
    if stakes.jackpot_wager.is_some() {
        notes.push_str(", jackpot included");
    }
    notes.push('.');
    if seen.board.len() == 4 {
        notes.push_str(if seen.turn_wagered {
            " The turn wager was placed."
        } else {
            " The turn was checked; --turn-wagered if not."
        });
    }
    page.words("  ", &notes, Style::Plain);
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_keep_their_order() {
        let codes = |text: &str| {
            cards("cards", text).map(|cards| cards.into_iter().map(Card::code).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(codes("KhAs, 10d").unwrap(), "Kh As Td");
        assert_eq!(
            codes("Kh As Kh").unwrap_err().to_string(),
            "cards: K♥ is named twice: a deck has each card once"
        );
        assert_eq!(codes("").unwrap(), "");
        assert!(codes("1h").is_err());
    }
}
