//! Irregularities, remedies, rulings and choices in words, and as values of form fields.

use baize_rules::{Conditions, FactKind, IrregularityKind, Whose};
pub(crate) use baize_table::describe::phrases::remedy;
use baize_table::{Choice, Player, RulingKind};

use super::names::Names;

/// The subjects of irregularities, in the order of a round.
pub(crate) const SUBJECTS: [&str; 6] =
    ["Cards and deck", "The deal", "Hands and board", "Players", "Equipment and jackpot", "Anything else"];

/// The subject of an irregularity: one of [`SUBJECTS`].
pub(crate) const fn subject(kind: IrregularityKind) -> &'static str {
    match kind {
        IrregularityKind::ForeignCard
        | IrregularityKind::CardCount
        | IrregularityKind::Unshuffled
        | IrregularityKind::ShoeExhausted => SUBJECTS[0],
        IrregularityKind::ExposedCards
        | IrregularityKind::Misdeal
        | IrregularityKind::MissedBurn
        | IrregularityKind::DealingError
        | IrregularityKind::SimultaneousDraw
        | IrregularityKind::FaceUpCard => SUBJECTS[1],
        IrregularityKind::WrongBoard
        | IrregularityKind::WrongDealerHand
        | IrregularityKind::WrongPlayerHand => SUBJECTS[2],
        IrregularityKind::LookedAtSecondHand
        | IrregularityKind::MultipleHands
        | IrregularityKind::Confidentiality => SUBJECTS[3],
        IrregularityKind::PowerFailure | IrregularityKind::JackpotFault => SUBJECTS[4],
        IrregularityKind::Other => SUBJECTS[5],
    }
}

/// The conditions of a case.
pub(crate) fn conditions(when: &Conditions) -> Vec<String> {
    let either = |fact: Option<bool>, yes: &str, no: &str| fact.map(|f| if f { yes } else { no }.to_owned());
    let all = [
        when.count_at_least.map(|n| format!("{n} or more cards")),
        either(when.seen, "a player has seen their cards", "nobody has seen their cards"),
        either(when.reconstructable, "the order can be restored", "the order cannot be restored"),
        either(when.intentional, "it was intentional", "it was not intentional"),
        when.whose.map(|whose| {
            match whose {
                Whose::Dealer => "it was the dealer's card",
                Whose::Other => "it was not the dealer's card",
            }
            .to_owned()
        }),
        either(when.established, "a bet has conclusively won or lost", "no bet has won or lost yet"),
        either(when.viewed, "the player has looked at a hand", "the player has looked at no hand"),
        either(when.dealing, "it happened during the deal", "the deal was over"),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() { vec!["otherwise".to_owned()] } else { all }
}

/// The name of a fact's form field.
pub(crate) const fn field(fact: FactKind) -> &'static str {
    match fact {
        FactKind::Count => "count",
        FactKind::Seen => "seen",
        FactKind::Reconstructable => "reconstructable",
        FactKind::Intentional => "intentional",
        FactKind::Whose => "whose",
        FactKind::Player => "player",
        FactKind::Box => "seat",
        FactKind::Established => "established",
        FactKind::Viewed => "viewed",
        FactKind::Dealing => "dealing",
        FactKind::Scope => "scope",
    }
}

/// A ruling as words.
pub(crate) fn ruling(kind: &RulingKind, names: &Names) -> String {
    let name = |player: &Player| names.of(&player.0).to_owned();
    match kind {
        RulingKind::Void => "Void the round".to_owned(),
        RulingKind::Continue => "Play continues".to_owned(),
        RulingKind::FirstCard(n) => format!("Card {n} of those drawn together comes first"),
        RulingKind::NoJackpot => "Play without jackpot wagers, under notice".to_owned(),
        RulingKind::CloseTable => "Close the table after this round".to_owned(),
        RulingKind::BarBox(seat) => format!("Take no bets on box {seat}"),
        RulingKind::JackpotRestored => "The jackpot works again".to_owned(),
        RulingKind::Restrict(player) => format!("Restrict {} to one position", name(player)),
        RulingKind::Bar(player) => format!("Bar {} and return the wagers", name(player)),
        RulingKind::Stop(player) => format!("Stop {} from playing several hands", name(player)),
        RulingKind::Lift(player) => format!("Let {} play again", name(player)),
        RulingKind::PermitWithdrawal => "Let players with correct hands withdraw".to_owned(),
        RulingKind::Intentional => "The second look was intentional".to_owned(),
        RulingKind::NotIntentional => "The second look was not intentional".to_owned(),
    }
}

/// A ruling as the value of a form field: `void`, `bar-box 3`, `restrict ann`.
pub(crate) fn ruling_code(kind: &RulingKind) -> String {
    match kind {
        RulingKind::Void => "void".to_owned(),
        RulingKind::Continue => "continue".to_owned(),
        RulingKind::FirstCard(n) => format!("first-card {n}"),
        RulingKind::NoJackpot => "no-jackpot".to_owned(),
        RulingKind::CloseTable => "close-table".to_owned(),
        RulingKind::BarBox(seat) => format!("bar-box {seat}"),
        RulingKind::JackpotRestored => "jackpot-restored".to_owned(),
        RulingKind::Restrict(player) => format!("restrict {player}"),
        RulingKind::Bar(player) => format!("bar {player}"),
        RulingKind::Stop(player) => format!("stop {player}"),
        RulingKind::Lift(player) => format!("lift {player}"),
        RulingKind::PermitWithdrawal => "permit-withdrawal".to_owned(),
        RulingKind::Intentional => "intentional".to_owned(),
        RulingKind::NotIntentional => "not-intentional".to_owned(),
    }
}

/// Reads what [`ruling_code`] wrote.
pub(crate) fn ruling_of(code: &str) -> Option<RulingKind> {
    let (word, rest) = code.split_once(' ').unwrap_or((code, ""));
    let player = || (!rest.is_empty()).then(|| rest.into());
    Some(match word {
        "void" => RulingKind::Void,
        "continue" => RulingKind::Continue,
        "first-card" => RulingKind::FirstCard(rest.parse().ok()?),
        "no-jackpot" => RulingKind::NoJackpot,
        "close-table" => RulingKind::CloseTable,
        "bar-box" => RulingKind::BarBox(rest.parse().ok()?),
        "jackpot-restored" => RulingKind::JackpotRestored,
        "restrict" => RulingKind::Restrict(player()?),
        "bar" => RulingKind::Bar(player()?),
        "stop" => RulingKind::Stop(player()?),
        "lift" => RulingKind::Lift(player()?),
        "permit-withdrawal" => RulingKind::PermitWithdrawal,
        "intentional" => RulingKind::Intentional,
        "not-intentional" => RulingKind::NotIntentional,
        _ => return None,
    })
}

/// A player's choice as words for a button.
pub(crate) const fn choice(choice: Choice) -> &'static str {
    match choice {
        Choice::Continue => "Continue with the hand as it is",
        Choice::Reconstructed => "Continue with the corrected hand",
        Choice::Withdraw => "Take all wagers back",
    }
}
