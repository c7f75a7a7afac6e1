//! Sample pages of tables and jackpots: for a manager, for a supervisor, with a pending change, with refused forms.

use baize_rules::{Money, Rulebook};
use baize_table::{Limits, Settings};
use baize_web::pages::house::{self, NEW_JACKPOT, NEW_TABLE};
use baize_web::pages::model::{
    Dealing, HouseJackpot, HousePage, HouseTable, NextLimits, Parameter, ParameterChange,
};

use super::{Page, staff};

const PARAMETERS: [(&str, &str, &str, &str); 6] = [
    ("wager", "Wager", "the prescribed wager", "5"),
    ("reset", "Reset value", "what the meter resets to after it is won", "100,000"),
    ("increment", "To the meter", "of each accepted wager", "20%"),
    ("reserve", "To the reserve", "of each accepted wager, for the next reset", "5%"),
    ("ceiling", "Ceiling", "above it, contributions go to the overflow; empty for none", "none"),
    ("confirm_above", "Second person above", "an award above this needs a second person", "10,000"),
];

fn parameters(reset: Option<&str>) -> Vec<Parameter> {
    let one = |(name, title, does, now): (&'static str, _, _, &str)| Parameter {
        name,
        title,
        does,
        now: now.to_owned(),
        then: reset.filter(|_| name == "reset").map(ToOwned::to_owned),
    };
    PARAMETERS.map(one).to_vec()
}

fn jackpot(id: &str, change: Option<ParameterChange>) -> HouseJackpot {
    HouseJackpot {
        id: id.to_owned(),
        money: "practice",
        displayed: Money::from_cents(104_912_655),
        tables: vec!["mh-1".to_owned(), "ms-1".to_owned()],
        operator: None,
        stopped: None,
        parameters: parameters(change.as_ref().map(|_| "150,000")),
        change,
    }
}

fn shown(title: &str, change: impl FnOnce(&mut HousePage<'_>)) -> String {
    let books = Rulebook::builtins();
    let settings: Vec<Settings> = books.iter().map(Settings::usual).collect();
    let next = Limits { least: Money::from_dollars(25), most: Money::from_dollars(2_500) };
    let table = |(book, settings): (&'static Rulebook, _)| HouseTable {
        id: format!("{}-1", book.short.to_lowercase()),
        book,
        settings,
        next_limits: (book.short == "RH").then_some(NextLimits { ante: next, bonus: Some(next) }),
        dealing: Dealing::ByHouse,
        jackpot: (book.short != "MB").then(|| book.operator.clone()),
        money: "practice",
        state: "Round 17: bets are open".to_owned(),
    };
    let mut page = HousePage {
        shell: staff("sue", title),
        tables: books.iter().zip(&settings).map(table).collect(),
        jackpots: vec![jackpot("MBS", None), jackpot("RWS", None)],
        games: books.iter().collect(),
        usual: parameters(None),
        ..HousePage::default()
    };
    change(&mut page);
    house::page(&page).into_string()
}

fn proposed(approved: bool, refused: bool) -> ParameterChange {
    ParameterChange {
        by: "mia".to_owned(),
        approved_by: approved.then(|| "sue".to_owned()),
        approve_refused: refused.then(|| "another person must approve it".to_owned()),
    }
}

fn refused(form: &'static str) -> impl FnOnce(&mut HousePage<'_>) {
    move |page| {
        page.problem = Some((form.to_owned(), "Ante least: `many` is not an amount of money.".to_owned()));
        page.typed =
            vec![("ante_least".to_owned(), "many".to_owned()), ("reset".to_owned(), "lots".to_owned())];
    }
}

pub(super) fn pages() -> Vec<Page> {
    vec![
        ("house", shown("Shift Manager", |_| {})),
        (
            "house-supervisor",
            shown("Pit Supervisor", |page| {
                page.set_up_refused = Some("this needs the Shift Manager".to_owned());
                page.propose_refused = Some("this needs the Pit Manager".to_owned());
            }),
        ),
        (
            "house-change",
            shown("Shift Manager", |page| {
                page.jackpots = vec![
                    jackpot("MBS", Some(proposed(false, false))),
                    jackpot("RWS", Some(proposed(true, false))),
                ];
            }),
        ),
        (
            "house-own-change",
            shown("Pit Manager", |page| page.jackpots = vec![jackpot("MBS", Some(proposed(false, true)))]),
        ),
        ("house-table-refused", shown("Shift Manager", refused(NEW_TABLE))),
        ("house-jackpot-refused", shown("Shift Manager", refused(NEW_JACKPOT))),
        ("house-propose-refused", shown("Shift Manager", refused("propose-MBS"))),
        ("house-empty", shown("Shift Manager", |page| (page.tables, page.jackpots) = (vec![], vec![]))),
    ]
}
