//! What the house shows of a table, assembled for the judge: the public's view, what players see of their own hands, what an
//! auditor sees of a finished round, and the sign.

use baize_rules::BoxNumber;
use std::collections::BTreeMap;

use baize_cards::Card;
use baize_script::{Observed, best_hand};
use baize_table::{CardView, PhaseName, RoundView};

use crate::StageError;
use crate::casino::StagedCasino;

/// Cards that are face up for a viewer; nothing if one of them is not.
fn all_up(cards: &[CardView]) -> Option<Vec<Card>> {
    cards.iter().map(|card| if let CardView::Up(card) = card { Some(*card) } else { None }).collect()
}

fn up(cards: &[CardView]) -> Vec<Card> {
    cards.iter().filter_map(|card| if let CardView::Up(card) = card { Some(*card) } else { None }).collect()
}

/// What can be observed at this table now. For a hand that nobody may see yet: the cards that the house took from the
/// dealer.
pub(crate) async fn observe(
    casino: &StagedCasino<'_>,
    at: usize,
    taken: impl Fn(BoxNumber) -> Option<Vec<Card>>,
) -> Result<Observed, StageError> {
    let public = casino.view(at, &casino.people.public).await?.round;
    let auditor = casino.view(at, &casino.people.auditor).await?.round;
    let board = up(&public.board);
    let mut hands = BTreeMap::new();
    if public.phase != PhaseName::Betting {
        for (seat, on_box) in &public.boxes {
            let own = match casino.people.player(&on_box.player) {
                Some(player) => casino.view(at, player).await?.round,
                None => public.clone(),
            };
            let cards = [&own, &auditor].into_iter().find_map(|view| hand_of(view, *seat));
            let cards = cards.or_else(|| taken(*seat));
            let best = cards.and_then(|cards| best_hand(&cards, &board));
            hands.insert(*seat, best.map(|(_, value)| value.class()));
        }
    }
    let book = &casino.tables[at].book;
    let dealer = all_up(&public.dealer)
        .and_then(|cards| best_hand(&cards, &board))
        .map(|(_, value)| (value.class(), book.qualifies(value)));
    Ok(Observed {
        outcome: auditor.outcome,
        slips: auditor.slips,
        handed_back: auditor.handed_back,
        hands,
        dealer,
        ruled: auditor.ruled,
        meter: casino.meter().await?,
    })
}

fn hand_of(view: &RoundView, seat: BoxNumber) -> Option<Vec<Card>> {
    let cards = all_up(&view.boxes.get(&seat)?.cards)?;
    Some(cards).filter(|cards| !cards.is_empty())
}
