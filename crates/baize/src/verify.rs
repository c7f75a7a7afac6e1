//! `baize verify`: was the deck of a round fixed before bets opened?

use baize_house::RoundId;
use clap::Args;

use crate::audit::wait;
use crate::database::Database;
use crate::{Failure, page};

/// Check that a finished round was dealt from the deck that was promised before bets opened.
///
/// Prints the promise, the deck and the promised text: the hashes of all cards, separated by spaces. The hash of a card is the
/// SHA-256 of its place, its salt and the card, separated by colons; ranks are 2 to 9 and T J Q K A, suits c d h s. The promise is the
/// SHA-256 of the text, which anyone can check: `printf %s 'TEXT' | sha256sum`. Older decks have one salt and no hash for each card: their
/// text is the salt, a colon and the cards separated by spaces.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The round: table and number, like rh-1/17.
    #[arg(value_name = "ROUND")]
    round: String,
    #[command(flatten)]
    database: Database,
}

/// Verifies.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let round: RoundId = arguments.round.parse()?;
    let (proof, dealt) = wait(async {
        let house = arguments.database.look().await?;
        Ok((house.proof(&round).await?, house.dealt(&round).await?))
    })?;
    let cards: Vec<String> = proof.deck().iter().map(ToString::to_string).collect();
    page::print(&format!(
        "round     {round}\npromised  {}\ndeck      {}\ntext      {}\n",
        proof.commitment,
        cards.join(" "),
        proof.text()
    ))?;
    for at in 1..=proof.cards.len() {
        if let Some(text) = proof.card_text(at) {
            page::print(&format!("card {at:<4} {text}\n"))?;
        }
    }
    if !proof.holds() {
        return Err(Failure::ShuffleBroken(format!("round {round}: salt and deck do not match the promise")));
    }
    if !proof.begins_with(&dealt) {
        return Err(Failure::ShuffleBroken(format!(
            "round {round} was not dealt from the top of the promised deck"
        )));
    }
    page::print(&format!(
        "the deck is the promised one; the round was dealt from its first {} cards\n",
        dealt.len()
    ))
}
