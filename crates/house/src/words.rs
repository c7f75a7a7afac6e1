//! What happened, in one sentence, for previews, replays and logs.

use baize_table::{Choice, Decided, Event, Place};

/// An event in words. No card is named: what a viewer may see is in his view.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::RoundOpened { number, .. } => format!("Round {number}: \"Place your bets, please.\""),
        Event::WagerPlaced { seat, player, area, amount, .. } => {
            format!("{player} places {} on the {} of box {seat}.", amount.grouped(), area.code())
        }
        Event::WagerWithdrawn { seat, player, area, amount } => {
            format!("{player} takes {} back from the {} of box {seat}.", amount.grouped(), area.code())
        }
        Event::WagerReturned { seat, player, area, amount, cites } => {
            format!(
                "{player} gets {} back from the {} of box {seat} ({cites}).",
                amount.grouped(),
                area.code()
            )
        }
        Event::BetsClosed { .. } => "\"No more bets.\"".to_owned(),
        Event::CardBurnt { .. } => "A card is burnt.".to_owned(),
        Event::CardsDealt { to, cards, .. } => {
            let count = if cards.len() == 1 { "A card".to_owned() } else { format!("{} cards", cards.len()) };
            let verb = if cards.len() == 1 { "goes" } else { "go" };
            match to {
                Place::Box(seat) => format!("{count} {verb} to box {seat}."),
                Place::Board => format!("{count} {verb} to the board."),
                Place::Dealer => format!("{count} {verb} to the dealer."),
            }
        }
        Event::HandLookedAt { seat } => format!("Box {seat} looks at its hand."),
        Event::DecisionMade { seat, decided, cites } => {
            let done = match decided {
                Decided::Raised => "raises",
                Decided::Checked => "checks",
                Decided::Folded => "folds",
            };
            format!("Box {seat} {done} ({cites}).")
        }
        Event::CardsRevealed { what } => format!("The {} is turned.", what.code()),
        Event::HandShown { seat } => format!("Box {seat} shows its hand."),
        Event::HandDeclined { seat } => format!("Box {seat} does not show its hand."),
        Event::PlayerAbsent { seat, cites } => format!("The player of box {seat} has walked away ({cites})."),
        Event::IrregularityRuled { report, remedied } => {
            format!("{}: {} ({}).", report.kind.words(), remedy(remedied.remedy), remedied.cites)
        }
        Event::RulingAwaited { by, cites, .. } => format!("The round waits for the {} ({cites}).", by.name()),
        Event::OptionsGiven { seats, cites, .. } => {
            let boxes: Vec<String> = seats.iter().map(ToString::to_string).collect();
            format!("The players of boxes {} may choose ({cites}).", boxes.join(", "))
        }
        Event::OptionChosen { seat, choice, cites, .. } => {
            let chosen = match choice {
                Choice::Continue => "goes on",
                Choice::Reconstructed => "goes on with the reconstructed hand",
                Choice::Withdraw => "takes the bets back",
            };
            format!("Box {seat} {chosen} ({cites}).")
        }
        Event::Ruled { ruling, cites } => format!("The {} has ruled ({cites}).", ruling.by.role.name()),
        Event::HandInvalidated { seat, cites } => format!("The hand of box {seat} is invalid ({cites})."),
        Event::HandsMoved { .. } => "Hands move to the boxes where they belong.".to_owned(),
        Event::CardsReconstructed { .. } => "The cards are put where they belong.".to_owned(),
        Event::CardsShifted { .. } => "The cards move up to where they belong.".to_owned(),
        Event::CardsTakenOff { from, cards } => format!("{} cards are taken off {from}.", cards.len()),
        Event::DealerFaceUpSet { .. } => "The exposed card becomes the dealer's face-up card.".to_owned(),
        Event::JackpotFailed => "The jackpot has failed.".to_owned(),
        Event::RoundVoided { cites, .. } => format!("The round is void: every wager goes back ({cites})."),
        Event::RoundSettled { boxes, claims, .. } => {
            let nets: Vec<String> =
                boxes.iter().map(|slip| format!("box {} {}", slip.seat, slip.net().signed())).collect();
            let claims = if claims.is_empty() { "" } else { "; the jackpot is claimed" };
            format!("The round is settled: {}{claims}.", nets.join(", "))
        }
        Event::SlipCorrected { slip, cites } => {
            format!("The slip of box {} is put right ({cites}).", slip.seat)
        }
        Event::JackpotPaid { payments } => {
            let paid: Vec<String> = payments
                .iter()
                .map(|paid| format!("{} to box {}", paid.amount.grouped(), paid.seat))
                .collect();
            format!("The jackpot pays {}.", paid.join(", "))
        }
    }
}

fn remedy(remedy: baize_rules::Remedy) -> &'static str {
    use baize_rules::Remedy;
    match remedy {
        Remedy::Void => "the round is void",
        Remedy::Continue => "play goes on",
        Remedy::Reconstruct => "the cards are put where they belong",
        Remedy::ReconstructThenOptions => "the cards are put where they belong, then players choose",
        Remedy::Options => "the players choose",
        Remedy::Invalid => "the hand is invalid",
        Remedy::InvalidUnviewed => "hands that were not viewed are invalid",
        Remedy::BecomesFaceUp => "the card becomes the face-up card",
        Remedy::ContinueAtRegistered => "play goes on at the registered jackpot",
        Remedy::Refer => "a person must rule",
    }
}
