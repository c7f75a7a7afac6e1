//! Reads a ruling.

use baize_table::{Ruling, RulingKind};

use super::fault::Fault;
use super::words::{Misread, Words};
use crate::vocabulary::RULINGS;

/// `WORDS by ROLE [NAME] [because WORDS…]`.
pub(super) fn ruling(words: &mut Words<'_>) -> Result<Ruling, Misread> {
    let word = words.need("the ruling")?;
    let kind = match word.one_of("a ruling", &RULINGS, |name| name)? {
        "void" => RulingKind::Void,
        "continue" => RulingKind::Continue,
        "first-card" => {
            let card = words.need("which card: 1, 2…")?;
            let number = card.number()?;
            if number == 0 {
                return Err(card.at(Fault::Number(card.text.to_owned())));
            }
            RulingKind::FirstCard(number)
        }
        "no-jackpot" => RulingKind::NoJackpot,
        "close-table" => RulingKind::CloseTable,
        "bar-box" => RulingKind::BarBox(words.seat()?),
        "jackpot-restored" => RulingKind::JackpotRestored,
        "restrict" => RulingKind::Restrict(words.player()?),
        "bar" => RulingKind::Bar(words.player()?),
        "stop" => RulingKind::Stop(words.player()?),
        "lift" => RulingKind::Lift(words.player()?),
        "permit-withdrawal" => RulingKind::PermitWithdrawal,
        "intentional" => RulingKind::Intentional,
        _ => RulingKind::NotIntentional,
    };
    let by = words.staff()?;
    let reason = if words.skip("because") {
        let first = words.need("the reason")?.text;
        let rest = words.rest();
        Some(if rest.is_empty() { first.to_owned() } else { format!("{first} {rest}") })
    } else {
        None
    };
    Ok(Ruling { kind, by, reason })
}
