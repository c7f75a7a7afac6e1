//! Sample pages: dealer, pit, desk, sign, journal.

use baize_rules::{BoxNumber, IrregularityKind, Money, Role, Rulebook};
use baize_table::{Command, Facts, Place, RulingKind, Viewer, legal, reportable};
use baize_web::pages::model::{
    AuditPage, ChainStatus, DealerPage, DealerTables, Dealing, DeskPage, DeskPreview, Export, HitLine,
    JournalFilter, JournalLine, Names, PendingHit, PitPage, PitTable, SetUp, SignPage, SignificantEvent,
    TaskLine, WaitingRuling,
};
use baize_web::pages::{audit, dealer, irregularity_desk, pit, round_log, sign, words};

use super::play::{self, Game};
use super::{Page, meters, player, staff};

/// All pages of staff.
pub(crate) fn pages() -> Vec<Page> {
    let mut dealt = play::stud_settled();
    dealt.go(Command::Open);
    vec![
        ("dealer-tables", dealer_tables()),
        ("dealer-open", console(&dealt, Dealing::ByDealer)),
        ("dealer-cards", console(&entering(), Dealing::FromRealShoe)),
        ("dealer-settled", console(&play::holdem_settled(), Dealing::ByDealer)),
        ("pit", pit_page()),
        ("desk", desk_page(None, Facts::default())),
        (
            "desk-preview",
            desk_page(
                Some(IrregularityKind::ExposedCards),
                Facts { count: Some(2), seen: Some(false), ..Facts::default() },
            ),
        ),
        ("sign", sign_page(false)),
        ("sign-won", sign_page(true)),
        ("journal", journal()),
    ]
}

/// A round from a real shoe, with box 3 next.
fn entering() -> Game {
    let mut game = Game::new("RH");
    game.go(Command::Open);
    for (seat, name) in [(1, "mei"), (3, "ann"), (6, "ravi")] {
        game.bet(seat, name, baize_rules::Area::Ante, 50);
    }
    game.go(Command::Close).burn("2c").deal(Place::Box(BoxNumber(1)), "9c 9d");
    game
}

fn console(game: &Game, dealing: Dealing) -> String {
    let view = game.view(&Viewer::Dealer);
    let legal = legal(game.book, &game.table);
    let page = DealerPage {
        refused: None,
        shell: staff("dora", "Dealer"),
        table: format!("{}-1", game.book.short.to_lowercase()),
        book: game.book,
        settings: &game.table.settings,
        dealing,
        view: &view,
        legal: &legal,
        meter: meters().into_iter().find(|m| m.id == game.book.operator),
        hits: Vec::new(),
        clock: None,
        log: round_log::round_log(game.book, &view, &Names::default()),
        commitment: (dealing == Dealing::ByDealer)
            .then(|| "9f2c6d0b1e7a4f53c8d2e6a90b7f41d35c8e2a6fd0914b7c3e58a1f26d90c4b7".to_owned()),
        guests: std::collections::BTreeMap::new(),
        may_take_back: dealing == Dealing::FromRealShoe,
        typed: String::new(),
    };
    dealer::page(&page).into_string()
}

fn dealer_tables() -> String {
    let tables = Rulebook::builtins()
        .iter()
        .map(|book| (format!("{}-1", book.short.to_lowercase()), book, "Ready".to_owned()));
    dealer::tables(&DealerTables { shell: staff("dora", "Dealer"), tables: tables.collect() }).into_string()
}

fn hit() -> PendingHit {
    PendingHit {
        jackpot: "MBS".into(),
        hit: 12,
        table: "ms-1".into(),
        round: 418,
        seat: BoxNumber(4),
        award: "Straight Flush".into(),
        amount: Money::from_cents(10_491_266),
        verified_by: Some("paul (Pit Supervisor)".into()),
        needs_confirmation: true,
        waits_for: None,
        picture: None,
        may_verify: false,
        may_confirm: true,
    }
}

fn pit_page() -> String {
    let mut waiting = play::holdem_decision();
    waiting.go(Command::Report(play::report(IrregularityKind::Other, Facts::default())));
    let games = [waiting, Game::new("MH"), Game::new("MB"), play::stud_settled(), play::stud_decision()];
    let seen: Vec<_> = games.iter().map(|game| game.view(&Viewer::Pit)).collect();
    let tables = games.iter().zip(&seen).enumerate().map(|(n, (game, view))| PitTable {
        id: format!("{}-{}", game.book.short.to_lowercase(), if n == 4 { 2 } else { 1 }),
        book: game.book,
        settings: &game.table.settings,
        view,
        state: words::state(game.book, view),
        in_play: view.boxes.values().flat_map(|b| b.areas.values()).copied().sum(),
        won_today: Money::from_cents([412_500, -80_000, 0, 126_000, 5_000][n]),
        rounds_today: 17,
        alert: view.awaiting.is_some().then(|| "A ruling is waiting".to_owned()),
        by_dealer: n == 0,
        practice: true,
    });
    let event = |when: &str, kind: &str, words: &str| SignificantEvent {
        when: when.into(),
        kind: kind.into(),
        words: words.into(),
        link: None,
    };
    let page = PitPage {
        shell: staff("paul", "Pit Manager"),
        suspects: Vec::new(),
        behind: None,
        tables: tables.collect(),
        rulings: vec![
            WaitingRuling {
                table: "rh-1".into(),
                round: 1,
                words: IrregularityKind::Other.words(),
                seat: None,
                by: Role::ShiftManager,
                cites: "5.23".into(),
                since: Some("2026-03-14 21:04:11".into()),
                answers: Vec::new(),
                others: Vec::new(),
            },
            WaitingRuling {
                table: "rs-1".into(),
                round: 77,
                words: IrregularityKind::LookedAtSecondHand.words(),
                seat: Some(BoxNumber(2)),
                by: Role::PitSupervisor,
                cites: "5.19".into(),
                since: None,
                answers: vec![RulingKind::Intentional, RulingKind::NotIntentional],
                others: vec![RulingKind::CloseTable],
            },
        ],
        hits: vec![hit()],
        tasks: vec![TaskLine {
            words: "The float of rh-1 is short: it holds 212,000.00".into(),
            needs: "Pit Manager",
            mine: true,
            href: "/pit/rh-1#fill-float".into(),
        }],
        meters: meters(),
        events: vec![
            event(
                "21:04",
                "void",
                "Round rh-1/412 void: cards exposed (5.8.2), reported by dora, ruled by paul.",
            ),
            event("20:51", "large win", "Round mh-1/97: box 2 is paid 50,000.00 on the bonus."),
            event("20:13", "failed log-in", "Three failures for the name “shift”; the account is locked."),
        ],
    };
    pit::page(&page).into_string()
}

fn desk_page(picked: Option<IrregularityKind>, facts: Facts) -> String {
    let game = {
        let mut game = entering();
        game.deal(Place::Box(BoxNumber(3)), "As Kh").deal(Place::Box(BoxNumber(6)), "7h 2d");
        game
    };
    let view = game.view(&Viewer::Pit);
    let legal = legal(game.book, &game.table);
    let preview =
        picked.map(|kind| DeskPreview::of(game.book, &game.table, play::report(kind, facts.clone())));
    let page = DeskPage {
        shell: staff("paul", "Pit Manager"),
        table: "rh-1".into(),
        book: game.book,
        settings: &game.table.settings,
        view: &view,
        legal: &legal,
        role: Role::PitManager,
        reportable: reportable(game.book, &game.table),
        picked,
        refused: None,
        seat: None,
        facts,
        preview,
        ruling: None,
        waits: None,
        expects: "1.play".into(),
        log: round_log::round_log(game.book, &view, &Names::default()),
        meter: meters().into_iter().find(|m| m.id == game.book.operator),
        set_up: SetUp {
            dealing: Dealing::ByDealer,
            money: "practice",
            dealers: vec!["dora".into()],
            assigns: true,
            clocks: None,
            notice: None,
            closed: false,
            set_refused: Some("round 1 is in progress; wait until it is over".into()),
            shut_refused: None,
            next_limits: None,
            limits_refused: None,
            float: Some(Money::from_dollars(1_000_000)),
        },
    };
    irregularity_desk::page(&page).into_string()
}

fn sign_page(won: bool) -> String {
    let mut meter = meters().remove(1);
    let hit = |when: &str, table: &str, award: &str, cents: i64, state: Option<&'static str>| HitLine {
        when: when.into(),
        table: table.into(),
        round: 418,
        award: award.into(),
        amount: Money::from_cents(cents),
        state,
    };
    if won {
        meter.displayed = meter.reset;
    } else {
        meter.pending = Some(Money::from_cents(10_491_266));
    }
    let awards = Rulebook::builtins().iter().filter(|book| book.operator == "MBS").map(|book| {
        (
            book.name.clone(),
            book.jackpot.awards.iter().take(5).map(|a| (a.name.clone(), a.pays.to_string())).collect(),
        )
    });
    let page = SignPage {
        shell: player("ann"),
        meter,
        awards: awards.collect(),
        last: vec![
            hit("today, 21:04", "ms-1", "Straight Flush", 10_491_266, Some("being verified")),
            hit("today, 18:40", "mh-1", "Four of a Kind", 200_000, None),
            hit("yesterday, 23:12", "mh-1", "Full House", 40_000, None),
        ],
        announce: won.then(|| hit("now", "ms-1", "Royal Flush", 104_912_655, None)),
    };
    sign::page(&page).into_string()
}

fn journal() -> String {
    let line = |number: u64, kind: &str, who: &str, words: &str| JournalLine {
        number,
        when: "2 Mar 2025, 21:04:11".into(),
        stream: "table/rh-1".into(),
        kind: kind.into(),
        who: who.into(),
        words: words.into(),
        hash: "5be1c2…".replace('…', "90aa41f7d3c26b8e"),
        data: "{\n  \"event\": \"round-voided\"\n}".into(),
    };
    let page = AuditPage {
        shell: staff("olga", "Auditor"),
        filter: JournalFilter::default(),
        streams: vec!["table/rh-1".into(), "jackpot/RWS".into(), "house".into()],
        kinds: vec!["wager-placed".into(), "round-settled".into(), "round-voided".into()],
        lines: vec![
            line(184_022, "round-voided", "staff:paul", "The round is void: every wager goes back."),
            line(
                184_021,
                "irregularity-ruled",
                "staff:dora",
                "Cards were exposed by mistake during the deal.",
            ),
            line(184_020, "cards-dealt", "house", "2 cards to box 3."),
            line(184_019, "wager-placed", "player:ann", "Box 3: ann bets 50.00 on the ante."),
        ],
        older: Some("/audit?before=184019".into()),
        chain: ChainStatus {
            checked: true,
            sound: true,
            words: "184,022 entries, checked to the last one at 21:05.".into(),
            head: "5be1c290aa41f7d3c26b8e5be1c290aa41f7d3c26b8e".into(),
            ledger: "Every account adds up; nothing is left in play.".into(),
            balanced: true,
        },
        exports: vec![
            Export {
                name: "Journal (JSON lines)".into(),
                words: "Every entry with its hash.".into(),
                href: "/audit/journal.jsonl".into(),
            },
            Export {
                name: "Rounds (.round)".into(),
                words: "One script for each finished round.".into(),
                href: "/audit/rounds.zip".into(),
            },
        ],
        offset: "+08:00".into(),
        program: "baize 0.1.0".into(),
        rulebooks: Rulebook::builtins()
            .iter()
            .map(|book| (format!("{} {}", book.id, book.version.as_deref().unwrap_or("")), book.hash.clone()))
            .collect(),
    };
    audit::page(&page).into_string()
}
