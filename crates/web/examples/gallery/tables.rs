//! Sample pages: lobby and tables.

use std::collections::BTreeMap;

use baize_rules::{Area, BoxNumber, Money};
use baize_table::{Command, Viewer, legal};
use baize_web::pages::model::{
    Advice, AdviceLine, BetDraft, Clock, Dealing, LobbyPage, Names, Shell, TableCard, TablePage,
};
use baize_web::pages::{lobby, round_log, table, words};

use super::play::{self, Game};
use super::{Page, meters, player};

/// All pages of players.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        ("index", lobby_page(Shell { csrf: "t".into(), command: "c".into(), ..Shell::default() })),
        ("lobby-player", lobby_page(player("ann"))),
        ("table-start", at(&Game::new("RH"), Dealing::ByHouse, |_| {})),
        ("table-betting", betting()),
        (
            "table-decision",
            at(&play::holdem_decision(), Dealing::ByHouse, |page| page.advice = Some(advice())),
        ),
        (
            "table-river",
            at(&play::holdem_river(), Dealing::ByDealer, |page| {
                page.clock = Some(Clock { words: "Box 1 checks".into(), left_ms: 17_000, whole_ms: 30_000 });
            }),
        ),
        ("table-settled", at(&play::holdem_settled(), Dealing::ByHouse, |page| page.draft = last_bets())),
        ("table-stud", at(&play::stud_decision(), Dealing::ByHouse, |_| {})),
        ("table-stud-settled", at(&play::stud_settled(), Dealing::ByHouse, |page| page.draft = last_bets())),
        ("table-void", at(&void(), Dealing::ByHouse, |page| page.draft = last_bets())),
    ]
}

fn last_bets() -> BetDraft {
    BetDraft {
        seat: BoxNumber(3),
        ante: Money::from_dollars(50),
        bonus: Money::from_dollars(10),
        jackpot: Money::from_dollars(5),
    }
}

fn advice() -> Advice {
    let line = |action: &str, value: &str, cents: i64, best: bool| AdviceLine {
        action: action.into(),
        value: value.into(),
        money: Money::from_cents(cents),
        best,
    };
    Advice {
        seat: BoxNumber(3),
        lines: vec![line("flop", "0.8412093357", 4206, true), line("fold", "-1.0000000000", -5000, false)],
        note: "The jackpot wager of 5.00 is counted, with the meter at 287,341.18.".into(),
        refused: None,
    }
}

fn betting() -> String {
    let mut game = Game::new("MH");
    game.go(Command::Open);
    game.bet(2, "mei", Area::Ante, 100).bet(3, "ann", Area::Ante, 50).bet(3, "ann", Area::Bonus, 10);
    at(&game, Dealing::ByDealer, |page| {
        page.clock = Some(Clock { words: "Bets close".into(), left_ms: 12_000, whole_ms: 20_000 });
    })
}

fn void() -> Game {
    let mut game = play::holdem_decision();
    let facts = baize_table::Facts { ..Default::default() };
    game.go(Command::Report(play::report(baize_rules::IrregularityKind::ForeignCard, facts)));
    game
}

fn at(game: &Game, dealing: Dealing, change: impl FnOnce(&mut TablePage<'_>)) -> String {
    let view = game.seen_by("ann");
    let legal = legal(game.book, &game.table);
    let meter = meters().into_iter().find(|meter| meter.id == game.book.operator);
    let mut page = TablePage {
        shell: player("ann"),
        table: format!("{}-1", game.book.short.to_lowercase()),
        book: game.book,
        settings: &game.table.settings,
        next_limits: None,
        dealing,
        view: &view,
        legal: &legal,
        me: Some("ann".into()),
        awards: Vec::new(),
        may_leave: true,
        meter,
        clock: None,
        log: round_log::round_log(game.book, &view, &Names::default()),
        draft: BetDraft { seat: BoxNumber(4), ante: game.table.settings.ante.least, ..BetDraft::default() },
        ready: false,
        waiting_for: vec!["mei".into()],
        advice: None,
        commitment: Some("9f2c…".into()),
        chip: baize_rules::Money::from_dollars(1),
        guests: BTreeMap::from([(BoxNumber(4), "ann".to_owned())]),
        provable: None,
        closing: None,
        closed: false,
    };
    change(&mut page);
    table::page(&page).into_string()
}

fn lobby_page(shell: Shell) -> String {
    let games: Vec<Game> =
        vec![play::holdem_river(), Game::new("MH"), Game::new("MB"), play::stud_decision(), Game::new("RS")];
    let public: Vec<_> = games.iter().map(|game| game.view(&Viewer::Public)).collect();
    let tables = games.iter().zip(&public).map(|(game, view)| TableCard {
        id: format!("{}-1", game.book.short.to_lowercase()),
        book: game.book,
        settings: &game.table.settings,
        dealing: if game.book.short == "RS" { Dealing::FromRealShoe } else { Dealing::ByHouse },
        taken: view.boxes.iter().map(|(seat, b)| (*seat, b.player.to_string())).collect::<BTreeMap<_, _>>(),
        round: view.number,
        state: words::state(game.book, view),
        closed: false,
        jackpot_notice: None,
        practice: true,
        notice: (game.book.short == "RS").then(|| "No jackpot wagers are accepted at this table.".to_owned()),
        mine: shell.player().is_some_and(|me| view.boxes.values().any(|b| b.player.0 == me)),
    });
    let page = LobbyPage {
        tables: tables.collect(),
        meters: meters(),
        suggested_name: "bold-otter".into(),
        windows: shell.player().map(|_| vec![("ben".to_owned(), "/as/ben/".to_owned())]).unwrap_or_default(),
        shell,
    };
    lobby::page(&page).into_string()
}
