//! Refusals: what a person asked for that the rules do not allow, why, and which paragraph says so.

use baize_cards::Card;
use baize_rules::{Area, BoxNumber, Cites, IrregularityKind, Money, Role};
use thiserror::Error;

use crate::{Choice, Place, Player};

/// A command was refused; nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{why}{}", cited(.cites))]
pub struct Refusal {
    /// Why.
    pub why: Why,
    /// The paragraphs that say so; none if the rules do not cover the matter (an unknown box).
    pub cites: Cites,
}

fn cited(cites: &Cites) -> String {
    if cites.is_empty() { String::new() } else { format!(" ({cites})") }
}

impl Refusal {
    pub(crate) fn new(why: Why, cites: Cites) -> Refusal {
        Refusal { why, cites }
    }
}

/// A fault that no paragraph covers.
impl From<Why> for Refusal {
    fn from(why: Why) -> Refusal {
        Refusal { why, cites: Cites::NONE }
    }
}

/// Why a command was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the texts say it")]
pub enum Why {
    #[error("a round is under way: it must be settled before the next is opened")]
    RoundUnderWay,
    #[error("no round is open: announce \"Place your bets, please\" first")]
    NoRound,
    #[error("bets are still open: announce \"No more bets\" first")]
    BetsOpen,
    #[error("bets are closed: after \"No more bets\" nothing is placed or raised")]
    BetsClosed,
    #[error("bets are closed: nothing is withdrawn, and chips taken back still win or lose")]
    NoWithdrawal,
    #[error("bets are closed: no bet is placed, increased or withdrawn, and the dealer refuses it")]
    WithdrawalRefused,
    #[error("the round is over")]
    RoundOver,
    #[error("the table is closed")]
    TableClosed,
    #[error("the jackpot has failed: the {} must first decide to close the table, bar the box or play without jackpot", .0.name())]
    FaultUndecided(Role),
    #[error("jackpot claims of the last round are not paid yet")]
    ClaimsUnpaid,
    #[error("nobody has placed a wager")]
    NoWagers,
    #[error("box {seat}: the layout has boxes 1 to {boxes}")]
    NoSuchBox { seat: BoxNumber, boxes: u8 },
    #[error("this game has no {} area", .0.code())]
    NoSuchArea(Area),
    #[error("box {0} has no wager")]
    EmptyBox(BoxNumber),
    #[error("box {0} has no ante: no hand is dealt to it")]
    NoHand(BoxNumber),
    #[error("an amount of nothing cannot be placed")]
    NoAmount,
    #[error("box {seat} is {seated}'s: no other player may bet there")]
    AnothersBox { seat: BoxNumber, seated: Player },
    #[error("only the player seated at box {seat}, {seated}, may place a jackpot wager there")]
    AnothersJackpot { seat: BoxNumber, seated: Player },
    #[error("{player} has no ante on box {seat}: a raise is made up by those who have")]
    NoShare { seat: BoxNumber, player: Player },
    #[error("an ante is placed before a {} wager", .0.code())]
    NeedsAnte(Area),
    #[error("take back the other wagers of box {0} first: they need the ante")]
    AnteNeeded(BoxNumber),
    #[error("{total} on the {} is over the maximum of {most}", area.code())]
    OverMaximum { area: Area, total: Money, most: Money },
    #[error("{total} on the {} is under the minimum of {least}: raise it or withdraw it", area.code())]
    UnderMinimum { area: Area, total: Money, least: Money },
    #[error("{total} is not a jackpot wager here: {prescribed} is prescribed{}", multiples(*.times))]
    JackpotWager { total: Money, prescribed: Money, times: u32 },
    #[error("no jackpot wagers are accepted: the notice is displayed")]
    NoJackpot,
    #[error("no bets are taken on box {0}")]
    BarredBox(BoxNumber),
    #[error("{0} is restricted to one position")]
    Restricted(Player),
    #[error("{0} is barred from further play")]
    BarredPlayer(Player),
    #[error("{0}'s action has been stopped: no further wagers are taken from this player")]
    StoppedPlayer(Player),
    #[error("the {} must be exactly {exact}, {times} × the ante; {total} would lie there", area.code())]
    RaiseSize { area: Area, exact: Money, times: u32, total: Money },
    #[error("{player} has no chips on the {} of box {seat}", area.code())]
    NothingToWithdraw { seat: BoxNumber, player: Player, area: Area },
    #[error("{0} is already out: a deck has each card once")]
    CardOut(Card),
    #[error("no card was named")]
    NoCards,
    #[error("no card is due now: {0}")]
    NoCardDue(String),
    #[error("{}, but {due} now", cards(*found))]
    TooManyCards { found: usize, due: String },
    #[error("this game has no community cards")]
    NoBoard,
    #[error("{place} has {} and should have {right}: report it before play goes on", cards(*found))]
    WrongNumber { place: Place, found: usize, right: usize },
    #[error("{place} has {found} of {right} cards")]
    NotDealt { place: Place, found: usize, right: usize },
    #[error("{player} has examined box {first}: a player examines one hand only and plays the others blind")]
    SecondLook { player: Player, first: BoxNumber },
    #[error("box {0} has been examined already")]
    LookedAlready(BoxNumber),
    #[error("box {0} has folded")]
    HandFolded(BoxNumber),
    #[error("the hand of box {0} is invalid")]
    HandInvalid(BoxNumber),
    #[error("box {seat} has decided already")]
    DecidedAlready { seat: BoxNumber },
    #[error("the {} is not bet now: {next}", area.code())]
    NotNow { area: Area, next: String },
    #[error("box {seat} cannot check: place the {} or fold", area.code())]
    NoCheck { seat: BoxNumber, area: Area },
    #[error("box {seat} cannot fold any more: it is in for the finish and may check")]
    NoFold { seat: BoxNumber },
    #[error("no decision is open for box {0} now")]
    NoDecision(BoxNumber),
    #[error("box {0} has not decided yet")]
    Undecided(BoxNumber),
    #[error("the {} has been turned already", .0)]
    RevealedAlready(&'static str),
    #[error("the {} is turned after the {}", .0, .1)]
    RevealOrder(&'static str, &'static str),
    #[error("the {} must be revealed before the round is settled", .0)]
    NotRevealed(&'static str),
    #[error(
        "box {0} has decisions left: a hand is shown or not at the end, or when it has won the jackpot or the bonus"
    )]
    NotAtShowdown(BoxNumber),
    #[error("box {0} has declined to show already")]
    DeclinedAlready(BoxNumber),
    #[error("box {0} has been shown")]
    ShownAlready(BoxNumber),
    #[error("box {0} is noted as absent already")]
    AbsentAlready(BoxNumber),
    #[error("{0} has walked away and bets no more in this round")]
    WalkedAway(Player),
    #[error("{0} is not barred")]
    NotBarred(Player),
    #[error("box {0} is not affected by the jackpot fault that was reported")]
    NotAffected(BoxNumber),
    #[error("the fault reaches the whole table: close it or play without the jackpot")]
    WholeTable,
    #[error("the round waits for a ruling by the {} or above", .0.name())]
    RulingAwaited(Role),
    #[error("the round waits for the choice of box {0}")]
    ChoiceAwaited(BoxNumber),
    #[error("the dealer is putting cards where they belong: {0} left")]
    CardsPutBack(usize),
    #[error("the next card goes from {from} to {to}")]
    PutElsewhere { from: String, to: String },
    #[error("{card} is not the card that goes from {from} to {to}")]
    OtherCard { card: Card, from: String, to: String },
    #[error("box {0} has no choice to make now")]
    NoChoice(BoxNumber),
    #[error("box {seat} may not choose `{}` here", choice.code())]
    ChoiceNotAllowed { seat: BoxNumber, choice: Choice },
    #[error("{player} withdraws all wagers or none")]
    AllOrNothing { player: Player },
    #[error("the {} may not rule on this: the {} or above decides", .found.name(), .needed.name())]
    Authority { found: Role, needed: Role },
    #[error("`{}` is not reported now: {because}", kind.code())]
    NotReportable { kind: IrregularityKind, because: &'static str },
    #[error("the report must answer: {question} ({fact}=…)")]
    FactMissing { fact: &'static str, question: &'static str },
    #[error("the report contradicts the table: {0}")]
    Contradiction(String),
    #[error(
        "with these cards box {0} makes another jackpot award, and the jackpot has settled this round: it cannot be settled anew"
    )]
    AwardChanges(BoxNumber),
    #[error("card {number} is none of the {drawn} that were drawn together")]
    NotDrawn { number: u8, drawn: u8 },
    #[error("nothing is waiting for this ruling")]
    NothingToRule,
    #[error("the rules of this game do not give this ruling")]
    NoSuchRuling,
    #[error("no jackpot fault has been reported")]
    NoFault,
    #[error("{0} has no wager in this round")]
    UnknownPlayer(Player),
    #[error("the payments do not answer the claims: {0}")]
    Payments(String),
    #[error("{0}")]
    Amount(#[from] baize_rules::MoneyError),
    #[error("{0}")]
    Settlement(#[from] crate::SettlementFault),
}

/// "1 card", "2 cards".
pub(crate) fn cards(count: usize) -> String {
    if count == 1 { "1 card".to_owned() } else { format!("{count} cards") }
}

fn multiples(times: u32) -> String {
    if times > 1 { format!(", 1 to {times} times") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_card_is_one_card() {
        let wrong = |found| Why::WrongNumber { place: Place::Dealer, found, right: 5 }.to_string();
        assert!(wrong(1).contains("has 1 card and should have 5"), "{}", wrong(1));
        assert!(wrong(2).contains("has 2 cards and"), "{}", wrong(2));
    }
}
