//! Every page with sample data. Rounds are played with the real engine; names, times and figures are made up.

mod boards;
mod books;
mod cage;
mod house;
mod people;
pub(crate) mod play;
mod report;
mod tables;

use baize_rules::Money;
use baize_web::pages::model::{Meter, Shell, Who};

/// A page: file name and HTML.
pub(crate) type Page = (&'static str, String);

/// All pages.
pub(crate) fn pages() -> Vec<Page> {
    let floor = tables::pages().into_iter().chain(boards::pages());
    floor
        .chain(cage::pages())
        .chain(people::pages())
        .chain(house::pages())
        .chain(books::pages())
        .chain(report::pages())
        .collect()
}

/// The shell of a player's page.
fn player(name: &str) -> Shell {
    Shell {
        who: Who::Player { name: name.to_owned(), purse: Money::from_cents(984_250), practice: true },
        csrf: "token".to_owned(),
        command: "c-1".to_owned(),
        ..Shell::default()
    }
}

/// The shell of a staff page.
fn staff(name: &str, position: &str) -> Shell {
    let who = Who::Staff {
        name: name.to_owned(),
        position: position.to_owned(),
        deals: true,
        pit: true,
        cage: false,
        audits: true,
        accounts: true,
        reports: true,
    };
    Shell { who, csrf: "token".to_owned(), command: "c-1".to_owned(), ..Shell::default() }
}

/// The two jackpots.
fn meters() -> Vec<Meter> {
    let meter = |id: &str, name: &str, cents: i64, tables: &[&str]| Meter {
        id: id.to_owned(),
        name: name.to_owned(),
        displayed: Money::from_cents(cents),
        wager: Money::from_dollars(5),
        reset: Money::from_dollars(100_000),
        tables: tables.iter().map(|t| (*t).to_owned()).collect(),
        pending: None,
        notice: None,
        notices: Vec::new(),
        practice: true,
    };
    vec![
        meter("RWS", "RWS Progressive", 28_734_118, &["rh-1", "rs-1"]),
        meter("MBS", "MBS Megalink", 104_912_655, &["mh-1", "mb-1", "ms-1"]),
    ]
}
