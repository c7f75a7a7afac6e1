//! The irregularity desk of one table: pick what can be reported now, answer questions, preview the consequences, confirm.
//!
//! Every step is an address (`?kind=…&count=2&seen=no`), so it works without the script and can be shared. Nothing changes before the last button.

use baize_house::{Duty, JackpotView, Preview, Significant, TableView};
use baize_rules::{Case, FactKind, FaultScope, IrregularityKind, Role, Rulebook, Whose};
use baize_table::{Awaiting, Facts, PhaseName, Question, Report, Reportable, RulingKind};
use maud::{Markup, html};

use super::felt::{self, Felt, Side};
use super::rulings::WaitingRuling;
use super::shell::{self, Shell};
use super::{expected, paint, remedies, round_log, rulings, set_up, words};

/// The irregularity desk of one table.
pub(crate) struct DeskPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The table's game.
    pub(crate) book: &'a Rulebook,
    /// The table as the pit may see it.
    pub(crate) of: &'a TableView,
    /// The linked jackpot.
    pub(crate) jackpot: Option<&'a JackpotView>,
    /// The position of the reader.
    pub(crate) role: Role,
    /// The report that is being filled in.
    pub(crate) report: Option<Report>,
    /// Its preview, or what is missing or wrong.
    pub(crate) preview: Option<Result<Preview, String>>,
    /// The ruling that was picked, with its preview or why it cannot be given.
    pub(crate) ruling: Option<(RulingKind, Result<Preview, String>)>,
    /// The latest significant events, while the table waits for a ruling.
    pub(crate) events: Vec<Significant>,
}

impl DeskPage<'_> {
    /// The report that is being filled in, if it can be reported now. It cannot if the link is old or the round has moved on since.
    fn picked(&self) -> Option<(&Report, &Reportable)> {
        let report = self.report.as_ref()?;
        Some((report, self.of.reportable.iter().find(|one| one.kind == report.kind)?))
    }

    /// The state that a report or ruling of this page is for.
    fn expects(&self) -> String {
        expected::desk(&self.of.round, self.of.info.version)
    }
}

/// The whole page.
pub(crate) fn page(page: &DeskPage<'_>) -> Markup {
    let title = format!("Pit · {}", page.of.info.id);
    shell::page(
        &page.shell,
        &title,
        "pit",
        "desk",
        &html! {
            h1.quiet-title { "Table " (page.of.info.id) span { (page.book.name) ", " (page.book.operator) } }
            p { (back(page)) " · you act as " b { (page.role.name()) } " · " a href="#set-up" { "Who deals, limits, closing" } }
            (regions(page))
        },
    )
}

/// The live regions.
pub(crate) fn regions(page: &DeskPage<'_>) -> Markup {
    let (of, picked) = (page.of, page.picked());
    let refused = page.report.as_ref().filter(|_| picked.is_none()).map(|report| report.kind);
    let waits = WaitingRuling::of(of, page.book, page.role, &page.events);
    html! {
        (shell::change(&page.shell))
        div #desk class=(if picked.is_some() || page.ruling.is_some() { "desk-grid picked" } else { "desk-grid" }) {
            div.desk-left {
                section.report aria-label="Report an irregularity" {
                    h2 { "What went wrong?" @if picked.is_some() { " " a.again href="?" data-live { "Pick another" } } }
                    @if of.reportable.is_empty() { p.none { (nothing_to_report(page)) } }
                    @else { (kinds(page)) }
                }
                (round_log::log(page.book, &of.round, &page.shell.names))
            }
            div.desk-main {
                @if let Some(kind) = refused { p.notice.bad role="alert" { "This cannot be reported now: " (kind.words().to_lowercase()) "." } }
                @if let Some(picked) = &page.ruling { (rulings::confirmation(&page.shell, &of.info.id, &page.expects(), picked)) }
                @else if let Some(waits) = &waits {
                    section.rulings.for-ruling aria-label="Waiting for a ruling" { h2 { "Waiting for a ruling" } (rulings::waiting(waits, &page.shell)) }
                }
                @if !of.reportable.is_empty() && (page.ruling.is_none() || picked.is_some()) { section.answers #the-report tabindex="-1" aria-label="The report" {
                    @match picked {
                        Some((report, picked)) => (questions(page, report, picked)),
                        None => { h2 { "What follows" } p.none { "Pick what happened. You will see the remedy and its paragraph before anything is recorded." } }
                    }
                } }
                (felt::felt(&Felt {
                    book: page.book, settings: &of.info.settings, view: &of.round, side: Side::Dealer, me: None, acting: &std::collections::BTreeSet::new(), jackpot: page.jackpot, guests: &std::collections::BTreeMap::new(), names: &page.shell.names, bets: None,
                }))
                div.desk-side { @if waits.is_none() { (rulings_section(page)) } (set_up::section(page)) }
            }
        }
    }
}

/// Why nothing can be reported.
fn nothing_to_report(page: &DeskPage<'_>) -> String {
    match (&page.of.round.awaiting, page.of.round.phase) {
        (Some(Awaiting::Ruling { by, .. }), _) => {
            format!("Nothing else can be reported until the {} has decided.", by.name())
        }
        (None, PhaseName::Idle) => "No round has been played yet.".to_owned(),
        _ => "Nothing can be reported at this point of the round.".to_owned(),
    }
}

/// What can be reported now, by subject, with a filter.
fn kinds(page: &DeskPage<'_>) -> Markup {
    let of = |subject: &'static str| {
        page.of.reportable.iter().filter(move |one| remedies::subject(one.kind) == subject)
    };
    html! {
        label.filter hidden data-filter-box { span { "Find " kbd aria-hidden="true" { "/" } }
            input type="search" data-filter="kinds" data-key="/" autocomplete="off" placeholder="exposed, burn, jackpot…"; }
        div #kinds {
            @for subject in remedies::SUBJECTS {
                @if of(subject).next().is_some() {
                    section.subject aria-label=(subject) {
                        h3 { (subject) }
                        ul.kinds { @for one in of(subject) { (kind(page, one)) } }
                    }
                }
            }
            p.none data-filter-none hidden { "Nothing of that name can be reported now." }
        }
    }
}

fn kind(page: &DeskPage<'_>, one: &Reportable) -> Markup {
    let here = page.report.as_ref().is_some_and(|report| report.kind == one.kind);
    html! {
        li data-words=(format!("{} {}", one.words, one.kind.code())) {
            a href=(format!("?kind={}#the-report", one.kind.code())) aria-current=[here.then_some("true")] data-live { (one.words) }
        }
    }
}

fn questions(page: &DeskPage<'_>, report: &Report, picked: &Reportable) -> Markup {
    let asks_box = picked.questions.iter().any(|question| question.fact == FactKind::Box);
    html! {
        h2 { (picked.words) }
        form.questions method="get" action=(format!("/pit/{}#the-report", page.of.info.id)) data-live {
            input type="hidden" name="kind" value=(picked.kind.code());
            @for question in &picked.questions { (ask(page, report, question)) }
            @if matches!(picked.kind, IrregularityKind::Misdeal | IrregularityKind::DealingError) { (moves(&report.facts)) }
            @if !asks_box && matches!(picked.kind, IrregularityKind::DealingError | IrregularityKind::Other) { (box_field(page, report, "Which box, if any?", false)) }
            label.check { input type="checkbox" name="previous" value="yes" checked[report.facts.previous_round]; " It happened in the previous round" }
            button type="submit" { "Show what follows" }
        }
        (preview(page, report))
        (cases(page, picked))
    }
}

fn ask(page: &DeskPage<'_>, report: &Report, question: &Question) -> Markup {
    let facts = &report.facts;
    let name = remedies::field(question.fact);
    let yes_no = |value: Option<bool>| {
        html! {
            fieldset.radio {
                legend { (question.words) }
                label { input type="radio" name=(name) value="yes" checked[value == Some(true)]; " Yes" }
                label { input type="radio" name=(name) value="no" checked[value == Some(false)]; " No" }
                @if question.optional { label { input type="radio" name=(name) value="" checked[value.is_none()]; " As recorded" } }
            }
        }
    };
    match question.fact {
        FactKind::Count => html! {
            label { span { (question.words) } input type="number" name="count" min="1" max="52" value=[facts.count] required[!question.optional]; }
        },
        FactKind::Seen => yes_no(facts.seen),
        FactKind::Reconstructable => yes_no(facts.reconstructable),
        FactKind::Intentional => yes_no(facts.intentional),
        FactKind::Whose => html! {
            fieldset.radio {
                legend { (question.words) }
                label { input type="radio" name="whose" value="dealer" checked[facts.whose == Some(Whose::Dealer)]; " The dealer's" }
                label { input type="radio" name="whose" value="other" checked[facts.whose == Some(Whose::Other)]; " A player's or the board's" }
            }
            label { span { "Which card, if it was the dealer's?" } input name="card" value=[facts.card.map(|c| c.code())] placeholder="kh" maxlength="3" autocomplete="off"; }
        },
        FactKind::Player => html! {
            label { span { (question.words) } select name="player" {
                @for player in players(page) { option value=(player) selected[facts.player.as_ref().is_some_and(|p| p.0 == player)] { (page.shell.names.of(&player)) } }
            } }
        },
        FactKind::Dealing => yes_no(facts.dealing),
        FactKind::Scope => html! {
            fieldset.radio {
                legend { (question.words) }
                @for (scope, words) in [(FaultScope::Table, "The table"), (FaultScope::System, "The whole jackpot system")] {
                    label { input type="radio" name="scope" value=(scope.code()) checked[facts.scope == Some(scope)]; " " (words) }
                }
                label { input type="radio" name="scope" value="" checked[facts.scope.is_none()]; " The device of the box below, or unknown" }
            }
            (box_field(page, report, "Whose betting device, if any?", false))
        },
        FactKind::Box => box_field(page, report, question.words, true),
        // Computed by the table.
        FactKind::Established | FactKind::Viewed => html! {},
    }
}

fn box_field(page: &DeskPage<'_>, report: &Report, words: &str, required: bool) -> Markup {
    html! {
        label { span { (words) } select name="seat" required[required] {
            @if !required { option value="" { "none" } }
            @for (seat, on_box) in &page.of.round.boxes { option value=(seat) selected[report.seat == Some(*seat)] { (seat) ", " (page.shell.names.of(&on_box.player.0)) } }
        } }
    }
}

/// Hands that move, as the form has them: `2-3 3-2`.
fn written(facts: &Facts) -> String {
    facts.moves.iter().map(|(from, to)| format!("{from}-{to}")).collect::<Vec<_>>().join(" ")
}

fn moves(facts: &Facts) -> Markup {
    html! {
        label { span { "Whole hands that can be moved, from-to" } input name="moves" value=(written(facts)) placeholder="2-3 3-2" autocomplete="off"; }
    }
}

fn players(page: &DeskPage<'_>) -> Vec<String> {
    let mut names: Vec<String> = page.of.round.boxes.values().map(|b| b.player.to_string()).collect();
    names.sort();
    names.dedup();
    names
}

/// The preview: the remedy and its consequences, and the button to confirm it.
fn preview(page: &DeskPage<'_>, report: &Report) -> Markup {
    html! {
        div #preview aria-live="polite" {
            @match &page.preview {
                None => {}
                Some(Err(words)) => { p.notice.bad { (words) } }
                Some(Ok(preview)) => { div.remedy {
                    (consequences(&preview.steps))
                    @if !preview.boxes.is_empty() { (rulings::boxes(&preview.boxes, &page.shell.names)) }
                    form method="post" action=(format!("/pit/{}/report", page.of.info.id)) data-live {
                        (shell::hidden(&page.shell))
                        (answers(report))
                        input type="hidden" name="expects" value=(page.expects());
                        button.primary type="submit" { "Confirm and record" }
                        a.button.quiet href="?" data-live { "Cancel" }
                    }
                } }
            }
        }
    }
}

/// The steps of a report: the remedy, then what else happens.
fn consequences(steps: &[String]) -> Markup {
    let (remedy, others) = match steps {
        [remedy, others @ ..] => (remedy.as_str(), others),
        [] => ("The report is recorded.", steps),
    };
    // Skip what the remedy says already.
    let new = others.iter().filter(|step| !remedy.ends_with(step.as_str()));
    html! {
        h3 { (remedy) }
        @if others.is_empty() { ul { li { "Nothing else changes: play continues." } } }
        @else if new.clone().next().is_some() { ul { @for one in new { li { (one) } } } }
    }
}

/// The answers as hidden fields, so that exactly what was previewed is posted.
fn answers(report: &Report) -> Markup {
    let facts = &report.facts;
    let yes = |fact: Option<bool>| fact.map(|f| if f { "yes" } else { "no" }.to_owned());
    let fields = [
        ("kind", Some(report.kind.code().to_owned())),
        ("seat", report.seat.map(|seat| seat.to_string())),
        ("count", facts.count.map(|n| n.to_string())),
        ("seen", yes(facts.seen)),
        ("reconstructable", yes(facts.reconstructable)),
        ("intentional", yes(facts.intentional)),
        (
            "whose",
            facts.whose.map(|w| {
                match w {
                    Whose::Dealer => "dealer",
                    Whose::Other => "other",
                }
                .to_owned()
            }),
        ),
        ("card", facts.card.map(|c| c.code())),
        ("player", facts.player.as_ref().map(ToString::to_string)),
        ("moves", (!facts.moves.is_empty()).then(|| written(facts))),
        ("dealing", yes(facts.dealing)),
        ("scope", facts.scope.map(|scope| scope.code().to_owned())),
        ("previous", facts.previous_round.then(|| "yes".to_owned())),
    ];
    html! { @for (name, value) in fields { @if let Some(value) = value { input type="hidden" name=(name) value=(value); } } }
}

/// The cases in the rules of this game.
fn cases(page: &DeskPage<'_>, picked: &Reportable) -> Markup {
    let row = |case: &Case| {
        html! {
            tr {
                td { (words::list(remedies::conditions(&case.when))) }
                td { (remedies::remedy(case.remedy)) (paint::cites(&paint::slug(page.book), &case.cites)) }
                td { (case.ruled_by.name()) }
            }
        }
    };
    html! {
        details.more open[page.preview.is_none()] #cases {
            summary { "What the rules say" }
            table.cases {
                thead { tr { th scope="col" { "When" } th scope="col" { "Then" } th scope="col" { "Ruled by" } } }
                tbody {
                    @for case in &picked.cases { (row(case)) }
                    tr { td { "anything else" } td { "the " (picked.otherwise.0.name()) " decides" (paint::cites(&paint::slug(page.book), &picked.otherwise.1)) } td { (picked.otherwise.0.name()) } }
                }
            }
        }
    }
}

/// The link back: to the pit board, or to the console for dealers.
fn back(page: &DeskPage<'_>) -> Markup {
    html! {
        @if page.shell.actor.may(Duty::PitSupervisor) { a href="/pit" { "← Pit board" } } @else { a href=(format!("/dealer/{}", page.of.info.id)) { "← Console" } }
    }
}

/// The rulings that this reader may give while the table waits for none; otherwise they are at the top of the page.
fn rulings_section(page: &DeskPage<'_>) -> Markup {
    let (answers, others) = rulings::possible(page.of, page.role);
    html! {
        @if !(answers.is_empty() && others.is_empty()) {
            section #table-rulings.rulings aria-label="Rulings" {
                h2 { "Rulings" }
                (rulings::choices(&page.of.info.id, &answers, &others, false, &page.shell.names))
            }
        }
    }
}
