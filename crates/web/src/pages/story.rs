//! The round so far, told from what a reader sees of it: no event is needed, so nothing can be told that he may not know.

use baize_rules::{Area, Reveal, Rulebook};
use baize_table::{Awaiting, BoxView, CardView, Decided, HandStatus, Outcome, RoundView};

use super::model::Happened;
use super::{paint, remedies, words};

/// What happened in this round, the latest first. The numbers grow as the round goes on.
#[must_use]
pub fn story(book: &Rulebook, view: &RoundView) -> Vec<Happened> {
    let mut told = Told { lines: Vec::new(), round: u64::from(view.number) };
    if view.phase == "idle" {
        return Vec::new();
    }
    told.say(format!("Round {}: place your bets, please.", view.number), book.betting.open.to_string());
    for (seat, on_box) in &view.boxes {
        told.say(bets(book, *seat, on_box), String::new());
    }
    if view.phase != "betting" {
        told.say("No more bets.".to_owned(), book.betting.close.to_string());
        play(book, view, &mut told);
    }
    if let Some(remedied) = &view.ruled {
        let words = format!("{}. {}.", remedied.kind.words(), remedies::remedy(remedied.remedy));
        told.say(words, remedied.cites.to_string());
    }
    match &view.awaiting {
        Some(Awaiting::Ruling { by, cites, .. }) => {
            told.say(format!("The {} decides.", by.name()), cites.to_string())
        }
        Some(Awaiting::Options { seats, cites, .. }) => {
            told.say(format!("{} may choose how to go on.", words::boxes(seats)), cites.to_string());
        }
        None => {}
    }
    end(view, &mut told);
    told.lines.reverse();
    told.lines
}

struct Told {
    lines: Vec<Happened>,
    round: u64,
}

impl Told {
    fn say(&mut self, words: String, cites: String) {
        let number = self.round * 1000 + u64::try_from(self.lines.len()).unwrap_or(0);
        self.lines.push(Happened { number, words, cites });
    }
}

/// "Box 3: ann bets 50 on the ante and 10 on the bonus." Raises are told as decisions.
fn bets(book: &Rulebook, seat: u8, on_box: &BoxView) -> String {
    let before = on_box.areas.iter().filter(|(area, _)| book.decision(**area).is_none());
    let bets = before.map(|(area, amount)| format!("{} on the {}", paint::short(*amount), spoken(*area)));
    format!("Box {seat}: {} bets {}.", on_box.player, words::list(bets))
}

fn spoken(area: Area) -> &'static str {
    match area {
        Area::Jackpot => "jackpot",
        Area::Ante | Area::Bonus | Area::Flop | Area::Turn | Area::River | Area::Bet => area.code(),
    }
}

fn play(book: &Rulebook, view: &RoundView, told: &mut Told) {
    if view.boxes.values().any(|on_box| !on_box.cards.is_empty()) {
        let up = open(&view.dealer[..]);
        let dealer = if book.board_size() == 0 && !up.is_empty() && up.len() < view.dealer.len() {
            format!(" The dealer's face-up card is {}.", up.join(" "))
        } else {
            String::new()
        };
        let whole = |b: &BoxView| b.cards.len() >= book.hand_size() || b.status != Some(HandStatus::InPlay);
        let dealt = if view.boxes.values().all(whole) {
            "The hands are dealt."
        } else {
            "The hands are being dealt."
        };
        told.say(format!("{dealt}{dealer}"), String::new());
    }
    for (stage, reveal) in book.family.reveals().iter().enumerate() {
        for (seat, on_box) in &view.boxes {
            if let Some(decided) = on_box.decisions.get(stage) {
                let raise = book.decisions.get(stage).map(|rule| rule.area);
                told.say(decision(*seat, on_box, *decided, raise), String::new());
            }
        }
        let turned = match reveal.board_cards() {
            Some((from, to)) => open(view.board.get(from..to).unwrap_or_default()),
            None if open(&view.dealer).len() == book.hand_size() => open(&view.dealer),
            None => Vec::new(),
        };
        if !turned.is_empty() {
            let what = if *reveal == Reveal::Dealer {
                "The dealer shows".to_owned()
            } else {
                format!("The {}:", reveal.code())
            };
            told.say(format!("{what} {}.", turned.join(" ")), String::new());
        }
    }
    for (seat, on_box) in &view.boxes {
        if let Some(HandStatus::Invalid(cites)) = on_box.status {
            told.say(format!("The hand of box {seat} is invalid: its wagers go back."), cites.to_string());
        }
        if on_box.absent {
            told.say(format!("The player of box {seat} has left."), String::new());
        }
        if on_box.declined {
            told.say(format!("Box {seat} does not show its hand."), book.settlement.declined.to_string());
        }
    }
}

fn decision(seat: u8, on_box: &BoxView, decided: Decided, raise: Option<Area>) -> String {
    match decided {
        Decided::Raised => {
            let amount =
                raise.and_then(|area| on_box.areas.get(&area)).map(|a| format!(" {}", paint::short(*a)));
            let on = raise.filter(|area| *area != Area::Bet).map(|area| format!(" on the {}", spoken(area)));
            format!("Box {seat} bets{}{}.", amount.unwrap_or_default(), on.unwrap_or_default())
        }
        Decided::Checked => format!("Box {seat} checks."),
        Decided::Folded => format!("Box {seat} folds."),
    }
}

fn open(cards: &[CardView]) -> Vec<String> {
    cards
        .iter()
        .filter_map(|card| match card {
            CardView::Up(card) => Some(card.to_string()),
            CardView::Down => None,
        })
        .collect()
}

fn end(view: &RoundView, told: &mut Told) {
    match &view.outcome {
        Some(Outcome::Void { cites, .. }) => {
            told.say("The round is void: every wager goes back.".to_owned(), cites.to_string())
        }
        Some(Outcome::Settled) => {
            for slip in &view.slips {
                let hand = slip.hand.map(|hand| format!(" ({})", hand.name())).unwrap_or_default();
                told.say(
                    format!("Box {}, {}: {}{hand}.", slip.seat, slip.player, words::signed(slip.net())),
                    String::new(),
                );
            }
        }
        None => {}
    }
}
