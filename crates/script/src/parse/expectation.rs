//! Reads the lines that say what must hold.

use baize_cards::HandClass;
use baize_rules::{Area, BoxNumber, Money};
use baize_table::{Player, ResultKind};

use super::fault::Fault;
use super::words::{Misread, Word, Words};
use crate::vocabulary::EXPECTATIONS;
use crate::{Expect, RuledName};

/// Results that a line of a slip can have.
const RESULTS: [ResultKind; 5] =
    [ResultKind::Win, ResultKind::Lose, ResultKind::Push, ResultKind::Returned, ResultKind::Pending];

/// The line after `expect`.
pub(super) fn expectation(words: &mut Words<'_>) -> Result<Expect, Misread> {
    words.written(EXPECTATIONS);
    let first = words.need("what must hold")?;
    match first.text {
        "dealer" => dealer(words),
        "jackpot" => {
            words.written("expect jackpot meter X");
            words.need("meter")?.one_of("something of the jackpot", &["meter"], |word| word)?;
            words.money("the meter").map(Expect::Meter)
        }
        "void" => {
            words.written("expect void [citing P]");
            Ok(Expect::Void { citing: words.citing()? })
        }
        "settled" => {
            words.written("expect settled");
            Ok(Expect::Settled)
        }
        "refused" => {
            words.written("expect refused [citing P]");
            Ok(Expect::Refused { citing: words.citing()? })
        }
        "departs" => {
            words.written("expect departs [citing P]");
            Ok(Expect::Departs { citing: words.citing()? })
        }
        "ruled" => {
            words.written("expect ruled NAME [citing P]");
            let name = words.need("the remedy")?.one_of("a remedy", &RuledName::ALL, RuledName::code)?;
            Ok(Expect::Ruled { name, citing: words.citing()? })
        }
        text if text.starts_with(|c: char| c.is_ascii_digit()) => of_box(first.seat()?, words),
        text => Err(first.at(Fault::UnknownExpectation(text.to_owned()))),
    }
}

fn dealer(words: &mut Words<'_>) -> Result<Expect, Misread> {
    words.written("expect dealer hand NAME, expect dealer qualifies or expect dealer no-hand");
    let what = words.need("hand, qualifies or no-hand")?;
    match what.one_of("something of the dealer", &["hand", "qualifies", "no-hand"], |word| word)? {
        "hand" => {
            words.written("expect dealer hand NAME");
            hand_class(words).map(Expect::DealerHand)
        }
        "qualifies" => Ok(Expect::DealerQualifies),
        _ => Ok(Expect::DealerNoHand),
    }
}

fn of_box(seat: BoxNumber, words: &mut Words<'_>) -> Result<Expect, Misread> {
    words.written(
        "expect BOX AREA RESULT [AMOUNT] [citing P], expect BOX [PLAYER] net ±AMOUNT or expect BOX hand NAME",
    );
    let what = words.need("an area, net or hand")?;
    match what.text {
        "net" => {
            words.written("expect BOX net ±AMOUNT");
            let amount = signed(words.need("the amount")?)?;
            Ok(Expect::Net { seat, amount })
        }
        "hand" => {
            words.written("expect BOX hand NAME");
            Ok(Expect::Hand { seat, class: hand_class(words)? })
        }
        _ if words.peek().is_some_and(|word| word.text == "net") => {
            words.written("expect BOX PLAYER net ±AMOUNT");
            words.take();
            let amount = signed(words.need("the amount")?)?;
            Ok(Expect::PlayerNet { seat, player: Player::from(what.text), amount })
        }
        _ => {
            let mut known: Vec<&'static str> = Area::ALL.iter().map(|area| area.code()).collect();
            known.extend(["net", "hand"]);
            what.one_of("an area, net or hand", &known, |word| word)?;
            let area = what.one_of("an area", &Area::ALL, Area::code)?;
            words.written("expect BOX AREA RESULT [AMOUNT] [citing P]");
            let result = words.need("the result")?.one_of("a result", &RESULTS, ResultKind::code)?;
            let stated = words.peek().is_some_and(|word| word.text != "citing");
            let amount = if stated { Some(words.money("the amount")?) } else { None };
            Ok(Expect::Area { seat, area, result, amount, citing: words.citing()? })
        }
    }
}

fn hand_class(words: &mut Words<'_>) -> Result<HandClass, Misread> {
    words.need("the hand")?.one_of("a hand", &HandClass::ALL, HandClass::code)
}

/// `+145`, `-105`, `0`.
fn signed(word: Word<'_>) -> Result<Money, Misread> {
    let (negative, digits) = match word.text.strip_prefix(['-', '−']) {
        Some(digits) => (true, digits),
        None => (false, word.text.strip_prefix(['+', '±']).unwrap_or(word.text)),
    };
    let amount: Money = Word { text: digits, ..word }.read()?;
    Ok(if negative { -amount } else { amount })
}
