//! Sample pages of the cage: no player, a player, a confirmation, a refusal, a receipt.

use baize_house::{MoneyKind, PlayerLine};
use baize_rules::Money;
use baize_web::pages::cage;
use baize_web::pages::model::{CageConfirmation, CageLine, CagePage, CageReceipt, Who};

use super::{Page, staff};

/// All pages of the cage.
pub(crate) fn pages() -> Vec<Page> {
    let mei = || player(("mei", 125_000, false));
    let confirmation = CageConfirmation {
        buy_in: true,
        amount: Money::from_dollars(12_000),
        after: Money::from_dollars(13_250),
        identify: true,
        reported: true,
    };
    let refused = ("cash-out", "5000".to_owned(), "The purse holds only 1,250.00, not 5,000.00.".to_owned());
    let receipt = CageReceipt {
        number: 184_031,
        command: "0198a3f0c1d2e4f5a6b7-9f2c6d0b1e7a4f53c8d2e6a9".into(),
        when: "2026-05-01 21:04:11".into(),
        clock: "UTC+08:00".into(),
        cashier: "carl".into(),
        player: "mei".into(),
        player_name: Some("Tan Mei Ling 陈美玲".into()),
        buy_in: true,
        amount: Money::from_dollars(12_000),
        purse_after: Money::from_dollars(13_250),
    };
    let of = |page: CagePage| cage::page(&page).into_string();
    vec![
        ("cage", of(usual())),
        ("cage-player", of(CagePage { player: Some(mei()), ..usual() })),
        ("cage-locked", of(CagePage { player: Some(PlayerLine { locked: true, ..mei() }), ..usual() })),
        ("cage-confirm", of(CagePage { player: Some(mei()), confirmation: Some(confirmation), ..usual() })),
        ("cage-refused", of(CagePage { player: Some(mei()), problem: Some(refused), ..usual() })),
        ("cage-receipt", of(CagePage { player: Some(mei()), receipt: Some(receipt), ..usual() })),
    ]
}

#[expect(clippy::unwrap_used, reason = "the names are good")]
fn player((name, cents, locked): (&str, i64, bool)) -> PlayerLine {
    PlayerLine {
        id: name.parse().unwrap(),
        purse: Money::from_cents(cents),
        owed: Money::ZERO,
        locked,
        money: if locked { MoneyKind::Practice } else { MoneyKind::Cash },
        name: (name == "mei").then(|| "Tan Mei Ling 陈美玲".to_owned()),
    }
}

fn usual() -> CagePage {
    let mut shell = staff("carl", "Cage");
    shell.who = Who::Staff {
        name: "carl".into(),
        position: "Cage".into(),
        deals: false,
        pit: false,
        cage: true,
        audits: false,
        accounts: false,
        reports: true,
    };
    let line = |number: u64, time: &str, player: &str, buy_in: bool, dollars: i32| CageLine {
        number,
        time: time.into(),
        player: player.into(),
        buy_in,
        amount: Money::from_dollars(dollars),
        href: format!("/cage?receipt=c{number}"),
    };
    let found = [("mei", 125_000, false), ("meiling.tan-88", 3_400_050, false), ("romeike", 0, true)];
    CagePage {
        shell,
        day: "2026-05-01, from 06:00, UTC+08:00".into(),
        find: "mei".into(),
        found: found.map(player).to_vec(),
        more: 4,
        lines: vec![
            line(184_019, "21:01:40", "ravi", false, 2_500),
            line(183_877, "20:48:02", "meiling.tan-88", true, 30_000),
            line(183_020, "19:15:33", "mei", true, 1_000),
        ],
        totals: (Money::from_dollars(31_000), Money::from_dollars(2_500)),
        ..CagePage::default()
    }
}
