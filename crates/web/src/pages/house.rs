//! The page of tables and jackpots: the lists, forms for new ones, and changes of parameters, which need two people.

use baize_house::{Duty, JackpotConfig, JackpotView, MoneyKind, TableInfo};
use baize_jackpot::{Change, Parameters};
use baize_rules::{Area, Rulebook};
use maud::{Markup, html};

use super::paint;
use super::shell::{self, Shell};
use super::words::{self, Dealing};
use crate::server::body::{Form, shortened};

/// The id of the form for a new table.
pub(crate) const NEW_TABLE: &str = "new-table";
/// The id of the form for a new jackpot.
pub(crate) const NEW_JACKPOT: &str = "new-jackpot";

/// A jackpot with its parameters.
pub(crate) struct HouseJackpot {
    /// The jackpot.
    pub(crate) of: JackpotView,
    /// The operator of the games that it links, if there are any.
    pub(crate) operator: Option<String>,
    /// Its parameters.
    pub(crate) parameters: Parameters,
    /// The pending change.
    pub(crate) change: Option<Change>,
}

impl HouseJackpot {
    /// Whether it can be closed into this other one.
    fn may_close_into(&self, other: &HouseJackpot) -> bool {
        let one_operator = match (&self.operator, &other.operator) {
            (Some(own), Some(another)) => own == another,
            (None, _) | (_, None) => true,
        };
        let (of, into) = (&self.of, &other.of);
        of.id != into.id && of.money == into.money && into.stopped.is_none() && one_operator
    }
}

/// The page of tables and jackpots.
pub(crate) struct HousePage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// All tables with their games.
    pub(crate) tables: Vec<(TableInfo, &'a Rulebook)>,
    /// All jackpots.
    pub(crate) jackpots: Vec<HouseJackpot>,
    /// A form that was refused: its id, why, and what was typed.
    pub(crate) problem: Option<(&'a str, String, &'a Form)>,
}

impl HousePage<'_> {
    /// Whether the form of this name is on the page.
    pub(crate) fn has_form(&self, form: &str) -> bool {
        let sets_up = self.shell.actor.may(Duty::ShiftManager);
        let of_jackpot = |one: &HouseJackpot| {
            let id = &one.of.id;
            let change = match &one.change {
                Some(_) => form == format!("change-{id}"),
                None => self.shell.actor.may(Duty::PitManager) && form == format!("propose-{id}"),
            };
            let another = self.jackpots.iter().any(|other| one.may_close_into(other));
            let close = sets_up && another && form == format!("close-{id}");
            one.of.stopped.is_none() && (change || close)
        };
        [NEW_TABLE, NEW_JACKPOT].contains(&form) && sets_up || self.jackpots.iter().any(of_jackpot)
    }

    /// The initial value of a field: what was typed if the form was refused, otherwise `default`.
    fn typed(&self, form: &str, name: &str, default: &str) -> String {
        let refused = self.problem.as_ref().filter(|(at, ..)| *at == form);
        let typed = refused.and_then(|(_, _, form)| form.fields().find(|(field, _)| *field == name));
        typed.map_or_else(|| default.to_owned(), |(_, text)| shortened(text))
    }
}

/// A figure of a jackpot: the form field, its title, its explanation, its value.
type Figure = (&'static str, &'static str, &'static str, String);

fn figures_of(of: &Parameters) -> [Figure; 6] {
    [
        (
            "wager",
            "Wager",
            "the prescribed wager, or the lowest where multiples are allowed",
            paint::short(of.wager),
        ),
        ("reset", "Reset value", "what the meter resets to after it is won", paint::short(of.reset)),
        ("increment", "To the meter", "of each accepted wager", of.increment.to_string()),
        ("reserve", "To the reserve", "of each accepted wager, for the next reset", of.reserve.to_string()),
        (
            "ceiling",
            "Ceiling",
            "above it, contributions go to the overflow; empty for none",
            of.ceiling.map_or_else(|| "none".to_owned(), paint::short),
        ),
        (
            "confirm_above",
            "Second person above",
            "an award above this needs a second person",
            paint::short(of.confirm_above),
        ),
    ]
}

/// The fields of a new jackpot, with their defaults.
fn new_jackpot_fields() -> Vec<Figure> {
    // The name has a field of its own.
    let Ok(name) = "new".parse() else { return Vec::new() };
    let usual = JackpotConfig::usual(name);
    let mut all = vec![("base", "Opens with", "paid in by the house", paint::short(usual.base))];
    all.extend(figures_of(&Parameters {
        wager: usual.wager,
        reset: usual.reset,
        increment: usual.increment,
        reserve: usual.reserve,
        ceiling: usual.ceiling,
        confirm_above: usual.confirm_above,
    }));
    all
}

/// The whole page.
pub(crate) fn page(page: &HousePage<'_>) -> Markup {
    shell::page(
        &page.shell,
        "Tables and jackpots",
        "pit",
        "house",
        &html! {
            h1.quiet-title { "Tables and jackpots" span { a href="/pit" { "Pit board" } } }
            section.sheet.all-tables aria-label="Tables" {
                h2 { "Tables" }
                (tables(page))
                @match page.shell.refused(Duty::ShiftManager) {
                    Some(why) => p.none.why-not { "New table: " (why) "." }
                    None => (new_table(page))
                }
            }
            @for one in &page.jackpots { (jackpot(page, one)) }
            section.sheet aria-label="New jackpot" {
                h2 { "Another jackpot" }
                @match page.shell.refused(Duty::ShiftManager) {
                    Some(why) => p.none.why-not { "New jackpot: " (why) "." }
                    None => (new_jackpot(page))
                }
            }
        },
    )
}

fn tables(page: &HousePage<'_>) -> Markup {
    let row = |table: &TableInfo, book: &Rulebook| {
        html! {
            tr {
                th scope="row" { a href=(format!("/pit/{}", table.id)) { (table.id) } }
                td data-label="Game" { span { (book.name) span.operator { (book.operator) } } }
                td data-label="Limits" { span {
                    span.limits { "ante " (paint::limits(table.settings.ante)) }
                    @if book.has_area(Area::Bonus) { span.limits { "bonus " (paint::limits(table.settings.bonus)) } }
                    @if let Some(next) = &table.next_limits { span.hint { "next round: " (paint::next_limits(next)) } }
                } }
                td.n data-label="Boxes" { (table.settings.boxes) }
                td data-label="Dealt" { (Dealing::of(table).words()) }
                td data-label="Jackpot" { (table.jackpot.as_ref().map_or("none", |id| id.as_str())) }
                td data-label="Played for" { (table.money.code()) }
                td data-label="Now" { (words::table_state(table)) }
            }
        }
    };
    html! {
        @if page.tables.is_empty() { p.none { "There are no tables yet." } }
        @else {
            div.scroll tabindex="0" role="region" aria-label="All tables" {
                table.lines {
                    thead { tr {
                        th scope="col" { "Table" } th scope="col" { "Game" } th scope="col" { "Limits" } th.n scope="col" { "Boxes" }
                        th scope="col" { "Dealt" } th scope="col" { "Jackpot" } th scope="col" { "Played for" } th scope="col" { "Now" }
                    } }
                    tbody { @for (table, book) in &page.tables { (row(table, book)) } }
                }
            }
            p.hint { "Limits, who deals and closing are set on the page of each table." }
        }
    }
}

/// The refusal of this form, if it was refused.
fn problem(page: &HousePage<'_>, form: &str) -> Markup {
    html! {
        @if let Some((_, words, _)) = page.problem.as_ref().filter(|(at, ..)| *at == form) {
            p.notice.bad role="alert" { (words) }
        }
    }
}

fn is_wrong(page: &HousePage<'_>, form: &str) -> bool {
    page.problem.as_ref().is_some_and(|(at, ..)| *at == form)
}

/// A text field; keeps what was typed if the form was refused.
fn field(page: &HousePage<'_>, form: &str, name: &str, title: &str, otherwise: &str) -> Markup {
    html! {
        label { span { (title) } input name=(name) inputmode="decimal" autocomplete="off" value=(page.typed(form, name, otherwise)); }
    }
}

fn new_table(page: &HousePage<'_>) -> Markup {
    let at = NEW_TABLE;
    let chosen = |name: &str, otherwise: &str, value: &str| page.typed(at, name, otherwise) == value;
    html! {
        details.more id=(at) open[is_wrong(page, at)] {
            summary { "Set up a new table" }
            form method="post" action=(page.shell.href("/house/tables")) data-plain {
                (shell::hidden(&page.shell))
                (problem(page, at))
                p { "The table appears in the lobby at once, and its rulebook is recorded in the journal. Its name, game, boxes and jackpot cannot be changed later." }
                div.fields {
                    label { span { "Name" } input name="table" required maxlength="32" autocomplete="off" placeholder="rh-2" value=(page.typed(at, "table", ""))
                        pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, dashes and underscores"; }
                    label.wide { span { "Game" } select name="game" {
                        @for book in Rulebook::builtins() { option value=(book.id) selected[chosen("game", "", &book.id)] { (book.operator) " " (book.name) } }
                    } }
                    label { span { "Boxes, if not all" } input name="boxes" inputmode="numeric" autocomplete="off" value=(page.typed(at, "boxes", "")); }
                    (money(page, at))
                    label { span { "Jackpot" } select name="jackpot" {
                        option value="" { "none" }
                        @for HouseJackpot { of, .. } in &page.jackpots { option value=(of.id) selected[chosen("jackpot", "", of.id.as_str())] { (of.id) ", " (of.money.code()) } }
                    } }
                    label.wide { span { "Dealt by" } select name="dealt" {
                        @for (value, words) in [("house", "the house by itself"), ("dealer", "a dealer, computer's shoe"), ("entered", "a dealer, real shoe")] {
                            option value=(value) selected[chosen("dealt", "house", value)] { (words) }
                        }
                    } }
                    (field(page, at, "float", "Float", "1,000,000"))
                    (field(page, at, "ante_least", "Ante from", "5"))
                    (field(page, at, "ante_most", "Ante to", "1,000"))
                    (field(page, at, "bonus_least", "Bonus from", "5"))
                    (field(page, at, "bonus_most", "Bonus to", "500"))
                }
                button.primary type="submit" { "Set up the table" }
            }
        }
    }
}

/// Practice or cash. It cannot be changed later.
fn money(page: &HousePage<'_>, form: &str) -> Markup {
    let usual = page.tables.iter().map(|(table, _)| table.money).max().unwrap_or_default().code();
    html! {
        label { span { "Played for" } select name="money" {
            @for kind in ["practice", "cash"] { option value=(kind) selected[page.typed(form, "money", usual) == kind] { (kind) } }
        } }
    }
}

fn figures(page: &HousePage<'_>, form: &str, all: &[Figure]) -> Markup {
    html! {
        div.fields {
            @for (name, title, does, value) in all {
                label { span { (title) } input name=(name) inputmode="decimal" autocomplete="off" required[*name != "ceiling"]
                    value=(page.typed(form, name, if value == "none" { "" } else { value })); small { (does) } }
            }
        }
    }
}

fn jackpot(page: &HousePage<'_>, one: &HouseJackpot) -> Markup {
    let of = &one.of;
    let then = one.change.as_ref().map(|change| figures_of(&change.parameters));
    html! {
        section.sheet id=(format!("jackpot-{}", of.id)) aria-label=(format!("Jackpot {}", of.id)) {
            h2 { "Jackpot " (of.id) span.operator { (of.displayed.grouped()) } " " span.tag.cash[of.money == MoneyKind::Cash] { (of.money.code()) } }
            @if let Some(why) = &of.stopped { p.notice.bad role="alert" { "No wagers are accepted: " (why) } }
            p { "Linked tables: " @if of.tables.is_empty() { "none" } @else { (words::joined(&of.tables)) } " · " a href=(format!("/sign/{}", of.id)) { "Open the sign" } }
            div.scroll tabindex="0" role="region" aria-label=(format!("Parameters of {}", of.id)) {
                table.lines {
                    thead { tr { th scope="col" { "Parameter" } th.n scope="col" { "Now" } @if then.is_some() { th.n scope="col" { "Then" } } } }
                    tbody {
                        @for (n, (_, title, does, now)) in figures_of(&one.parameters).iter().enumerate() {
                            tr {
                                th scope="row" { (title) span.hint { (does) } }
                                td.n { (now) }
                                @if let Some((.., then)) = then.as_ref().and_then(|then| then.get(n)) {
                                    td.n { @if then == now { "unchanged" } @else { b { (then) } } }
                                }
                            }
                        }
                    }
                }
            }
            @if of.stopped.is_none() {
                @match &one.change {
                    Some(change) => (pending_change(page, of, change)),
                    None => (propose(page, one)),
                }
                (close(page, one))
            }
        }
    }
}

fn propose(page: &HousePage<'_>, one: &HouseJackpot) -> Markup {
    let of = &one.of;
    let at = format!("propose-{}", of.id);
    // All but the wager.
    let [_, may_change @ ..] = figures_of(&one.parameters);
    html! {
        @match page.shell.refused(Duty::PitManager) {
            Some(why) => p.none.why-not { "New parameters: " (why) "." }
            None => details.more id=(at) open[is_wrong(page, &at)] {
                summary { "Propose new parameters" }
                form method="post" action=(page.shell.href(&format!("/house/jackpots/{}/propose", of.id))) data-plain {
                    (shell::hidden(&page.shell))
                    (problem(page, &at))
                    p { "A Shift Manager other than the proposer must approve the change. It takes effect at the next hit of the top award, because nothing may change \
                         while the link operates. The wager, which is displayed at the tables, cannot change." }
                    (figures(page, &at, &may_change))
                    button type="submit" { "Propose" }
                }
            }
        }
    }
}

/// The form to close a jackpot, with the jackpot that receives its pools and a box to confirm.
fn close(page: &HousePage<'_>, one: &HouseJackpot) -> Markup {
    let of = &one.of;
    let at = format!("close-{}", of.id);
    let others = || page.jackpots.iter().filter(|other| one.may_close_into(other)).map(|other| &other.of);
    let sets_up = page.shell.actor.may(Duty::ShiftManager);
    html! {
        @if sets_up && others().next().is_none() {
            p.none.why-not { "To close this jackpot, first open another one to receive its pools." }
        } @else if sets_up {
            details.more id=(at) open[is_wrong(page, &at)] {
                summary { "Close this jackpot" }
                form method="post" action=(page.shell.href(&format!("/house/jackpots/{}/close", of.id))) data-plain {
                    (shell::hidden(&page.shell))
                    (problem(page, &at))
                    p { "This is final. Meter, reserve and overflow move to the other jackpot; its tables continue without jackpot wagers. No round with jackpot \
                         wagers may be in progress, and no hit may be pending." }
                    div.fields {
                        label { span { "Its pools move to" } select name="into" {
                            @for other in others() { option value=(other.id) selected[page.typed(&at, "into", "") == other.id.as_str()] { (other.id) } }
                        } }
                        label.check { input type="checkbox" name="sure" value="yes" required; span { "Close " (of.id) " for good" } }
                    }
                    button.danger type="submit" { "Close the jackpot" }
                }
            }
        }
    }
}

/// Why the reader cannot approve this change.
fn approve_refused(page: &HousePage<'_>, change: &Change) -> Option<String> {
    let own = page.shell.actor.label() == format!("staff:{}", change.proposed_by.name);
    let another = || own.then(|| "another person must approve it".to_owned());
    page.shell.refused(Duty::ShiftManager).or_else(another)
}

fn pending_change(page: &HousePage<'_>, of: &JackpotView, change: &Change) -> Markup {
    let at = format!("change-{}", of.id);
    let action = |what: &str| page.shell.href(&format!("/house/jackpots/{}/{what}", of.id));
    html! {
        div.waiting-change id=(at) {
            (problem(page, &at))
            p.notice {
                "Proposed by " b { (change.proposed_by.name) }
                @match &change.approved_by {
                    Some(by) => { ", approved by " b { (by.name) } ": it takes effect at the next hit of the top award." }
                    None => { ". It needs another person's approval." }
                }
            }
            div.buttons {
                @if change.approved_by.is_none() {
                    @match approve_refused(page, change) {
                        Some(why) => p.none.why-not { "Approve: " (why) "." }
                        None => form method="post" action=(action("approve")) data-plain {
                            (shell::hidden(&page.shell))
                            button.primary type="submit" { "Approve" }
                        }
                    }
                }
                @if page.shell.actor.may(Duty::PitManager) {
                    form method="post" action=(action("withdraw")) data-plain {
                        (shell::hidden(&page.shell))
                        button type="submit" { "Withdraw" }
                    }
                }
            }
        }
    }
}

fn new_jackpot(page: &HousePage<'_>) -> Markup {
    let at = NEW_JACKPOT;
    html! {
        details.more id=(at) open[is_wrong(page, at)] {
            summary { "Open a new jackpot" }
            form method="post" action=(page.shell.href("/house/jackpots")) data-plain {
                (shell::hidden(&page.shell))
                (problem(page, at))
                p { "A jackpot links tables of one operator. The house pays in its opening value. Tables are linked when they are set up." }
                div.fields {
                    label { span { "Name" } input name="jackpot" required maxlength="32" autocomplete="off" placeholder="High" value=(page.typed(at, "jackpot", ""))
                        pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, dashes and underscores"; }
                    (money(page, at))
                }
                (figures(page, at, &new_jackpot_fields()))
                button.primary type="submit" { "Open the jackpot" }
            }
        }
    }
}
