//! The pay tables beside the felt, with the line that the reader's cards make so far highlighted. Uses only the reader's own view.

use baize_cards::{Card, CardSet, HandClass, HandValue};
use baize_rules::{Area, Fate, Rulebook};
use baize_table::{BoxView, HandStatus, RoundView, award};
use maud::{Markup, html};

use super::paint;

/// One pay table.
struct Table {
    title: String,
    /// The hand, what it pays, and whether the reader has it now.
    lines: Vec<(String, String, bool)>,
}

/// The pay tables of the game. `mine`: the reader's box, whose lines are highlighted.
pub(super) fn pays(book: &Rulebook, view: &RoundView, mine: Option<&BoxView>) -> Markup {
    let seen = mine.filter(|on_box| live(on_box)).map(|on_box| Seen::of(view, on_box));
    let mut tables = main(book, seen.as_ref());
    tables.extend(bonus(book, seen.as_ref()));
    tables.extend(jackpot(book, seen.as_ref()));
    html! {
        section #pays.pays-card aria-labelledby="pays-title" {
            h2 #pays-title { "Pay tables" }
            @for table in &tables {
                table.pay-table {
                    caption { (table.title) }
                    tbody { @for (name, pays, lit) in &table.lines {
                        tr.lit[*lit] aria-current=[lit.then_some("true")] {
                            th scope="row" { (name) @if *lit { " " span.tag { "yours" } } }
                            td.n { (pays) }
                        }
                    } }
                }
            }
            p.hint { a href=(format!("/rules/{}", paint::slug(book))) { "How each is won" } }
        }
    }
}

/// Whether the hand is still in play.
fn live(on_box: &BoxView) -> bool {
    matches!(on_box.status, None | Some(HandStatus::InPlay))
}

/// The visible cards of the reader's hand, the board and the dealer.
struct Seen {
    own: Vec<Card>,
    board: Vec<Card>,
    dealer: Vec<Card>,
}

impl Seen {
    fn of(view: &RoundView, on_box: &BoxView) -> Seen {
        let up = |cards: &[baize_table::CardView]| cards.iter().filter_map(|card| card.up()).collect();
        Seen { own: up(&on_box.cards), board: up(&view.board), dealer: up(&view.dealer) }
    }

    /// The class of the best five cards of hand and board, once there are five.
    fn class(&self) -> Option<HandClass> {
        let all: CardSet = self.own.iter().chain(&self.board).copied().collect();
        Some(HandValue::of(all).ok()?.class()).filter(|_| !self.own.is_empty())
    }
}

/// The pay tables of the main game by hand class: the bet in stud, the ante in hold'em.
fn main(book: &Rulebook, seen: Option<&Seen>) -> Vec<Table> {
    let class = seen.and_then(Seen::class);
    let of = |area: Area| match book.settlement.higher.of(area)?.value {
        Fate::PaysByHand(odds) => {
            let line = |of: HandClass| (of.name().to_owned(), odds.of(of).to_string(), class == Some(of));
            let lines = HandClass::ALL.into_iter().rev().map(line).collect();
            Some(Table { title: format!("{}, if you win", area.name()), lines })
        }
        Fate::PaysFrom { odds, from } => {
            let lit = class.is_some_and(|class| class >= from);
            let lines = vec![(format!("{} or higher", from.name()), odds.to_string(), lit)];
            Some(Table { title: format!("{}, if you win", area.name()), lines })
        }
        Fate::Pays(_) | Fate::Loses | Fate::StandsOff | Fate::Returned => None,
    };
    Area::ALL.into_iter().filter_map(of).collect()
}

fn bonus(book: &Rulebook, seen: Option<&Seen>) -> Option<Table> {
    let table = book.bonus.as_ref()?;
    let pair = |cards: &[Card]| <[Card; 2]>::try_from(cards).ok();
    let lit = seen.and_then(|seen| table.line(pair(&seen.own)?, pair(&seen.dealer)));
    let line = |of: &baize_rules::BonusLine| (of.name.clone(), of.odds.to_string(), lit == Some(of));
    Some(Table {
        title: "Bonus, on your two cards".to_owned(),
        lines: table.lines.iter().map(line).collect(),
    })
}

fn jackpot(book: &Rulebook, seen: Option<&Seen>) -> Option<Table> {
    book.has_area(Area::Jackpot).then(|| {
        let lit = seen
            .filter(|seen| !seen.own.is_empty())
            .and_then(|seen| award(book, &seen.own, &seen.board, false));
        let line = |(n, of): (usize, &baize_rules::Award)| {
            (of.name.clone(), of.pays.to_string().replace(".00", ""), lit == Some(n))
        };
        Table {
            title: "Jackpot".to_owned(),
            lines: book.jackpot.awards.iter().enumerate().map(line).collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use baize_table::{CardView, Player};

    use super::*;

    fn lit(game: &str, own: &str, board: &str, dealer: &str) -> Vec<String> {
        let cards = |text: &str| -> Vec<CardView> {
            text.split_whitespace()
                .map(|card| if card == "??" { CardView::Down } else { CardView::Up(card.parse().unwrap()) })
                .collect()
        };
        let book = Rulebook::builtin(game).unwrap();
        let table = baize_table::Table::new(baize_table::Settings::usual(book));
        let mut view = baize_table::view(book, &table, &baize_table::Viewer::Public);
        (view.board, view.dealer) = (cards(board), cards(dealer));
        let on_box = BoxView {
            player: Player("ann".to_owned()),
            stakes: Vec::new(),
            areas: BTreeMap::new(),
            cards: cards(own),
            looked: true,
            decisions: Vec::new(),
            status: Some(HandStatus::InPlay),
            absent: false,
            declined: false,
        };
        let seen = Seen::of(&view, &on_box);
        let tables = main(book, Some(&seen))
            .into_iter()
            .chain(bonus(book, Some(&seen)))
            .chain(jackpot(book, Some(&seen)));
        tables.flat_map(|table| table.lines).filter(|line| line.2).map(|line| line.0).collect()
    }

    #[test]
    fn the_line_of_the_readers_hand_so_far_is_highlighted() {
        let (hold_em, stud) = ("rws-progressive-holdem", "rws-casino-stud");
        assert_eq!(lit(hold_em, "As Ad", "", "?? ??"), ["A-A"]);
        assert_eq!(lit(hold_em, "As Ad", "", "Ah Ac"), ["A-A against A-A"]);
        assert_eq!(lit(hold_em, "7s 2d", "", "?? ??"), [""; 0]);
        assert_eq!(lit(hold_em, "9s 8d", "7c 6h 5s ?? ??", "?? ??"), ["Straight or higher"]);
        assert_eq!(
            lit(hold_em, "Ks Qs", "As Js 10s ?? ??", "?? ??").last().unwrap(),
            "Royal Flush on the Flop"
        );
        assert_eq!(lit(stud, "Ks Kd 4c 9h 2s", "", "?? ?? ?? ?? Ah"), ["One Pair"]);
        assert_eq!(lit(stud, "4s 4d 4c 9h 9s", "", "?? ?? ?? ?? Ah"), ["Full House", "Full House"]);
        assert_eq!(lit(stud, "?? ?? ?? ?? ??", "", "?? ?? ?? ?? Ah"), [""; 0]);
    }
}
