//! Sample pages: rules, odds, history, log-in, errors, API.

use baize_cards::{Card, Deck, Rank};
use baize_house::OutcomeName;
use baize_rules::{Family, Money, Rulebook, StartingHand};
use baize_table::{Viewer, describe, view};
use baize_web::pages::model::{
    Calculator, Exact, HeatCell, HistoryFilter, HistoryPage, JackpotReturn, LoginPage, OddsIndex, OddsPage,
    OutcomeLine, Proof, ProofCard, ReplayStep, RoundLine, RoundPage, Shell, StrategyLine, WagerOdds,
};
use baize_web::pages::{api, history, login, odds, replay, rulebook};

use super::play;
use super::{Page, player};

/// All of these pages.
pub(crate) fn pages() -> Vec<Page> {
    let books: Vec<&Rulebook> = Rulebook::builtins().iter().collect();
    vec![
        ("rules", rulebook::index(&player("ann"), &books).into_string()),
        ("rules-holdem", rulebook::page(&player("ann"), books[0]).into_string()),
        ("rules-stud", rulebook::page(&Shell::default(), books[4]).into_string()),
        ("odds", odds_index()),
        ("odds-holdem", odds_page(books[0])),
        ("odds-stud", odds_page(books[4])),
        ("history", history_page()),
        ("round", round_page(14)),
        ("round-end", round_page(999)),
        (
            "login",
            login::page(&LoginPage {
                refused: Some("name or password is wrong".into()),
                ..LoginPage::default()
            })
            .into_string(),
        ),
        (
            "error",
            login::error(
                &player("ann"),
                404,
                "No such table",
                "There is no table xx-9. The tables are in the lobby.",
                ("/", "To the tables"),
            )
            .into_string(),
        ),
        ("api", api::page(&player("ann"), "/api/v1/openapi.json").into_string()),
    ]
}

fn exact(n: &str, d: &str, decimal: &str, percent: &str) -> Exact {
    Exact { numerator: n.into(), denominator: d.into(), decimal: decimal.into(), percent: percent.into() }
}

fn main_game() -> WagerOdds {
    WagerOdds {
        name: "Main game".into(),
        expectation: exact("-1041372912372", "19933230517200", "-0.0522430597", "-5.2243 %"),
        house_edge: exact("1041372912372", "19933230517200", "0.0522430597", "5.2243 %"),
        element_of_risk: Some(exact("86781076031", "3396580000000", "0.0255495", "2.5550 %")),
        deviation: "2.2356".into(),
        note: "of the ante, best play".into(),
    }
}

fn bonus() -> WagerOdds {
    WagerOdds {
        name: "Bonus".into(),
        expectation: exact("-13873", "162435", "-0.0854064702", "-8.5406 %"),
        house_edge: exact("13873", "162435", "0.0854064702", "8.5406 %"),
        element_of_risk: None,
        deviation: "3.5614".into(),
        note: "of the bonus wager".into(),
    }
}

fn jackpot() -> JackpotReturn {
    JackpotReturn {
        wager: Money::from_dollars(5),
        fixed: exact("27", "100", "0.2700000000", "27 %"),
        coefficient: exact("19", "32487000", "0.0000005848", "0.000058 %"),
        break_even: Some(Money::from_cents(124_819_473)),
        meter: Money::from_cents(28_734_118),
        reset: Money::from_dollars(100_000),
        awards: vec![
            ("Royal Flush".into(), "100%".into(), "1 in 649,740".into()),
            ("Straight Flush".into(), "10%".into(), "1 in 72,193.33".into()),
            ("Four of a Kind".into(), "SGD 500.00".into(), "1 in 4,165".into()),
        ],
    }
}

fn heat() -> Vec<HeatCell> {
    let ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    let cell = |row: &Rank, column: &Rank| {
        let hand = StartingHand::new(*row, *column, row > column);
        let index = |rank: Rank| i32::try_from(rank.index()).unwrap_or(0);
        let made = if hand.is_pair() {
            60
        } else if hand.suited() {
            14
        } else {
            0
        };
        let value = index(hand.high()) * 6 + index(hand.low()) * 4 - 40 + made;
        let sign = if value < 0 { "-" } else { "" };
        HeatCell {
            hand: hand.to_string(),
            value: format!("{sign}{}.{:02}14095216", value.abs() / 100, value.abs() % 100),
            shade: u8::try_from((value / 10 + 8).clamp(0, 20)).unwrap_or(10),
            best: if value < -14 { "fold" } else { "flop" }.into(),
        }
    };
    ranks.iter().flat_map(|row| ranks.iter().map(move |column| cell(row, column))).collect()
}

fn odds_index() -> String {
    let games = Rulebook::builtins().iter().map(|book| {
        let mut wagers = vec![main_game()];
        if book.bonus.is_some() {
            wagers.push(bonus());
        }
        (book, wagers, Some(jackpot()))
    });
    odds::index(&OddsIndex { shell: player("ann"), games: games.collect(), progress: None }).into_string()
}

fn odds_page(book: &'static Rulebook) -> String {
    let holdem = book.family == Family::Holdem;
    let mut wagers = vec![main_game()];
    if holdem {
        wagers.push(bonus());
    }
    let outcome = |name: &str, bar: u16| OutcomeLine {
        name: name.into(),
        count: "9,943,284,117,216".into(),
        percent: format!("{}.{} %", bar / 10, bar % 10),
        pays: "1 to 1".into(),
        bar,
    };
    let page = OddsPage {
        shell: player("ann"),
        book,
        wagers,
        outcomes: vec![
            outcome("Player wins", 441),
            outcome("Dealer wins", 402),
            outcome("Stand-off", 31),
            outcome("Fold", 126),
        ],
        heat: if holdem { heat() } else { Vec::new() },
        best_play: vec![
            "Bet with any pair or better.".into(),
            "Fold with less than an Ace and a King.".into(),
        ],
        strategies: vec![
            StrategyLine {
                name: "Always raise".into(),
                house_edge: "16.6072 %".into(),
                cost: "11.3829 %".into(),
            },
            StrategyLine {
                name: "Raise on a pair or better".into(),
                house_edge: "5.4696 %".into(),
                cost: "0.2453 %".into(),
            },
        ],
        jackpot: Some(jackpot()),
        calculator: Calculator {
            hand: if holdem { "as kh".into() } else { "as kh 9d 5c 2s".into() },
            up: "9h".into(),
            ante: "50".into(),
            ..Calculator::default()
        },
        progress: None,
    };
    odds::page(&page).into_string()
}

fn history_page() -> String {
    let line = |number: u32, outcome: OutcomeName, net: i64| RoundLine {
        table: "rh-1".into(),
        number,
        game: "Progressive Texas Hold'em Poker".into(),
        ended: "2 Mar 2025, 21:04".into(),
        outcome,
        players: vec!["ann".into(), "mei".into(), "ravi".into()],
        net: Some(Money::from_cents(net)),
    };
    let page = HistoryPage {
        shell: player("ann"),
        filter: HistoryFilter::default(),
        names: false,
        tables: vec!["rh-1".into(), "ms-1".into()],
        rounds: vec![
            line(413, OutcomeName::Settled, 30_000),
            line(412, OutcomeName::Void, 0),
            line(411, OutcomeName::Settled, -16_500),
        ],
        older: Some("/history?before=411".into()),
    };
    history::page(&page).into_string()
}

fn round_page(at: usize) -> String {
    let game = play::holdem_settled();
    let last = game.after.len() - 1;
    let eyes = Viewer::Player("ann".into());
    let seen: Vec<_> = game.after.iter().map(|table| view(game.book, table, &eyes)).collect();
    let steps = game.events.iter().zip(&seen).map(|(event, after)| {
        let sentences: Vec<String> =
            describe(game.book, event, after, after).iter().map(ToString::to_string).collect();
        let words = sentences.join(" ");
        ReplayStep { when: "21:04:11".into(), words, who: "house".into() }
    });
    let deck: Vec<Card> = Deck::ordered().cards().to_vec();
    let codes: Vec<String> = deck.iter().map(|c| c.code()).collect();
    let page = RoundPage {
        shell: player("ann"),
        table: "rh-1".into(),
        number: 413,
        book: game.book,
        settings: &game.table.settings,
        ended: "2 Mar 2025, 21:04".into(),
        rulebook_hash: game.book.hash.clone(),
        steps: steps.collect(),
        at: at.min(last),
        view: &seen[at.min(last)],
        slips: &seen[last].slips,
        proof: Some(Proof {
            commitment: "00".repeat(32),
            published: "21:03:40".into(),
            salt: Some("ab".repeat(16)),
            preimage: format!("{}:{}", "ab".repeat(16), codes.join(" ")),
            cards: deck
                .into_iter()
                .map(|card| ProofCard { card: Some(card), text: None, promise: String::new() })
                .collect(),
        }),
        me: Some("ann".into()),
        whole: true,
        share: Some("http://localhost:8080/history/rh-1/413?share=ann.0".into()),
        query: String::new(),
        review: maud::html! {},
    };
    replay::page(&page).into_string()
}
