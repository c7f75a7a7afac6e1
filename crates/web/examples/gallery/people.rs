//! Sample pages of accounts: the list, an account in each state, confirmations, a link, refusals, the password page.

use baize_web::pages::model::{
    DutyChoice, PasswordPage, StaffConfirmation, StaffLink, StaffMember, StaffPage, StaffRow, StaffSuspended,
};
use baize_web::pages::{password, staff};

use super::{Page, player, staff as staff_shell};

const DUTIES: [(&str, &str, &str); 6] = [
    ("dealer", "Dealer", "deals at a table's console and reports irregularities."),
    (
        "pit-supervisor",
        "Pit Supervisor",
        "also has the pit board: gives rulings, verifies jackpot awards, sets who deals and from which shoe.",
    ),
    (
        "pit-manager",
        "Pit Manager",
        "also gives the rulings that need a manager, closes and opens tables, sets limits, proposes parameters of jackpots, reads reports.",
    ),
    (
        "shift-manager",
        "Shift Manager",
        "also sets up tables and jackpots, approves parameters, manages the accounts of staff.",
    ),
    ("cage", "Cage", "sells chips, buys them back and registers players. No other duties."),
    ("auditor", "Auditor", "reads all that is on record and changes nothing. No other duties."),
];

fn choices(ticked: &[&str]) -> Vec<DutyChoice> {
    let choice = |(code, name, may)| DutyChoice { code, name, may, ticked: ticked.contains(&code) };
    DUTIES.map(choice).to_vec()
}

fn row(name: &str, duties: &str) -> StaffRow {
    StaffRow { name: name.into(), duties: duties.into(), you: name == "sue", ..StaffRow::default() }
}

fn lena() -> StaffRow {
    let suspended = StaffSuspended {
        reason: "an inquiry into round rh-1/17".into(),
        by: "sue".into(),
        when: "2026-05-01 20:14:09 UTC+08:00".into(),
    };
    StaffRow { suspended: Some(suspended), ..row("lena", "Dealer, Pit Supervisor") }
}

fn usual() -> StaffPage {
    StaffPage {
        shell: staff_shell("sue", "Shift Manager"),
        manages: true,
        rows: vec![
            row("ada", "Auditor"),
            row("carl", "Cage"),
            StaffRow { locked: true, ..row("dora", "Dealer") },
            lena(),
            row("mia", "Pit Manager"),
            row("sam.oyelaran-wong_the-second", "Pit Supervisor"),
            row("sue", "Shift Manager"),
        ],
        all: 7,
        new_choices: choices(&[]),
        locked_players: vec!["ann".into(), "meiling.tan-88".into()],
        ..StaffPage::default()
    }
}

fn member(row: StaffRow, duties: &[&str]) -> Option<StaffMember> {
    Some(StaffMember { row, choices: choices(duties), not_by_you: None, no_link: None })
}

fn dora() -> StaffPage {
    StaffPage { member: member(row("dora", "Dealer"), &["dealer"]), ..usual() }
}

/// All pages of accounts.
pub(crate) fn pages() -> Vec<Page> {
    let of = |page: StaffPage| staff::page(&page).into_string();
    let own = |page: PasswordPage| password::page(&page).into_string();
    let link = StaffLink {
        address: "https://casino.example/in/hQ5qk1F0yV3mZr8uWc2TnBxAe7LdJs9P".into(),
        until: "2026-05-02 21:04:11 UTC+08:00".into(),
    };
    let changed =
        StaffConfirmation::Duties { before: "Dealer".into(), after: "Dealer, Pit Supervisor".into() };
    let sue = member(row("sue", "Shift Manager"), &["shift-manager"]).map(|member| StaffMember {
        not_by_you: Some("you cannot change your own account; ask another Shift Manager".into()),
        no_link: Some("links for the pit and for auditors are made at the casino's console".into()),
        ..member
    });
    let out = StaffMember {
        no_link: Some("they are suspended; reinstate them first".into()),
        row: lena(),
        choices: choices(&["dealer", "pit-supervisor"]),
        not_by_you: None,
    };
    let locked = StaffMember {
        no_link: Some("they are locked; unlock them first".into()),
        row: StaffRow { locked: true, ..row("dora", "Dealer") },
        choices: choices(&["dealer"]),
        not_by_you: None,
    };
    let taken = StaffPage {
        problem: Some(("new", "The name dora is taken.".into())),
        new_name: "dora".into(),
        new_choices: choices(&["dealer"]),
        ..usual()
    };
    let no_reason = StaffPage {
        confirmation: Some(StaffConfirmation::Suspend { reason: " ".into() }),
        problem: Some(("suspend", "Give a reason: it stays on record.".into())),
        ..dora()
    };
    let mine =
        PasswordPage { shell: player("ann"), name: "ann".into(), has: true, ..PasswordPage::default() };
    let wrong = Some((
        "old",
        "This is not your old password; after three failures you must wait before the next attempt.".into(),
    ));
    vec![
        ("staff", of(usual())),
        ("staff-member", of(dora())),
        ("staff-locked", of(StaffPage { member: Some(locked), ..usual() })),
        ("staff-suspended", of(StaffPage { member: Some(out), ..usual() })),
        ("staff-own", of(StaffPage { member: sue.clone(), ..usual() })),
        (
            "staff-own-sessions",
            of(StaffPage { member: sue, confirmation: Some(StaffConfirmation::EndSessions), ..usual() }),
        ),
        ("staff-duties", of(StaffPage { confirmation: Some(changed), ..dora() })),
        ("staff-no-reason", of(no_reason)),
        ("staff-sessions", of(StaffPage { confirmation: Some(StaffConfirmation::EndSessions), ..dora() })),
        ("staff-link", of(StaffPage { link: Some(link), ..dora() })),
        ("staff-taken", of(taken)),
        ("staff-auditor", of(StaffPage { manages: false, ..dora() })),
        ("password", own(mine.clone())),
        ("password-wrong", own(PasswordPage { problem: wrong, ..mine.clone() })),
        ("password-none", own(PasswordPage { has: false, ..mine.clone() })),
        ("password-changed", own(PasswordPage { changed: true, ..mine })),
    ]
}
