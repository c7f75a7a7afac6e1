//! The pit board and the irregularity desk.

use baize_cards::Card;
use baize_house::{
    Duty, HouseError, JackpotView, MoneyKind, Order, OrderKind, Pace, Preview, Significant, TableId,
    TableView, Task, TaskKind,
};
use baize_rules::{BoxNumber, Cites, FaultScope, IrregularityKind, Role, Whose};
use baize_table::{Awaiting, Command, Facts, Player, Refusal, Report, Ruling, Staff, Why};

use super::table::next_limits;
use super::{called, dealing, meter, meter_of, names, pending, shell, when};
use crate::pages::model::{
    DeskPage, DeskPreview, PendingHit, PitPage, PitTable, SetUp, SignificantEvent, TaskLine, WaitingRuling,
    expected, rulings_of,
};
use crate::pages::rulings::RulingPreview;
use crate::pages::story::story;
use crate::pages::{irregularity_desk, pit, remedies, words};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::day::Takings;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// Only pit staff come to the board; dealers may come to a desk, because everybody may report.
pub(crate) fn may(visitor: &Visitor, duty: Duty) -> Result<Role, Fault> {
    let role = visitor.actor.role().filter(|_| visitor.actor.may(duty));
    Ok(role.ok_or(HouseError::Forbidden { needs: duty, cites: Cites::NONE })?)
}

/// The whole board.
pub(crate) async fn page(app: &App, visitor: &Visitor) -> Result<maud::Markup, Fault> {
    show(app, visitor, pit::page).await
}

/// Its live regions.
pub(crate) async fn regions(app: &App, visitor: &Visitor) -> Result<maud::Markup, Fault> {
    show(app, visitor, pit::regions).await
}

async fn show(
    app: &App,
    visitor: &Visitor,
    draw: fn(&PitPage<'_>) -> maud::Markup,
) -> Result<maud::Markup, Fault> {
    let role = may(visitor, Duty::PitSupervisor)?;
    let change = app.news.change();
    let mut views = Vec::new();
    for info in app.house.tables().await? {
        let today = app.day.of(&app.house, &info, app.config.gaming_day).await?;
        views.push((app.house.view(&visitor.actor, &info.id).await?, today));
    }
    let jackpots = app.house.jackpots().await?;
    let mut shell = shell(app, visitor).await?;
    shell.events = Some(shell.href("/events/pit"));
    shell.change = change;
    for (view, _) in &views {
        shell.names.extend(names(app, &view.round, view.info.guests.keys()));
    }
    let events = app.house.significant_events(&visitor.actor, 20).await?;
    let mut rulings = Vec::new();
    for (view, _) in &views {
        rulings.extend(waiting(app, view, role, &events)?);
    }
    let mut hits = Vec::new();
    for jackpot in &jackpots {
        hits.extend(hits_of(app, visitor, jackpot).await?);
    }
    let tasks = app.waits.all(&app.house, app.news.heard()).await?;
    let page = PitPage {
        tasks: tasks.iter().filter_map(|task| other_task(task, visitor)).collect(),
        shell,
        tables: views.iter().map(|view| tile(app, view)).collect::<Result<_, _>>()?,
        rulings,
        hits,
        meters: jackpots.iter().map(meter).collect(),
        events: events.iter().map(|event| significant(app, event)).collect(),
        too_good: app
            .advantage
            .alerts
            .players()
            .into_iter()
            .map(|player| (called(app, &player), None))
            .collect(),
        behind: app.house.behind().map(|why| (why, visitor.actor.may(Duty::ShiftManager))),
    };
    Ok(draw(&page))
}

/// Hits with the picture that everybody who verifies them sees.
async fn hits_of(app: &App, visitor: &Visitor, jackpot: &JackpotView) -> Result<Vec<PendingHit>, Fault> {
    let mut hits = pending(visitor, jackpot);
    for hit in &mut hits {
        let picture = app.house.hit_picture(&visitor.actor, &jackpot.id, hit.hit).await?;
        hit.player = picture.player.to_string();
        hit.picture = Some(picture);
    }
    Ok(hits)
}

/// What waits besides rulings, hits and an older database, which have cards of their own.
fn other_task(task: &Task, visitor: &Visitor) -> Option<TaskLine> {
    let href = match &task.what {
        TaskKind::Ruling { .. }
        | TaskKind::JackpotFault { .. }
        | TaskKind::Hit { .. }
        | TaskKind::CashReport { .. }
        | TaskKind::Behind => return None,
        TaskKind::Halted { table } | TaskKind::CannotOpen { table } => format!("/pit/{table}"),
        TaskKind::ShortFloat { table, .. } => format!("/pit/{table}#fill-float"),
        TaskKind::Stopped { jackpot } | TaskKind::Change { jackpot } => format!("/house#jackpot-{jackpot}"),
        TaskKind::Locked { .. } => "/staff?state=locked".to_owned(),
    };
    let (words, needs, mine) = (task.words.clone(), task.needs.name(), task.is_for(&visitor.actor));
    Some(TaskLine { words, needs, mine, href })
}

fn tile<'a>(app: &App, (view, today): &'a (TableView, Takings)) -> Result<PitTable<'a>, Fault> {
    let (info, book) = (&view.info, app.library.of_table(&view.info.id)?);
    let alert = match (&info.halted, &view.round.awaiting, &info.notice) {
        (Some(why), _, _) => Some(format!("Halted: {why}")),
        (None, Some(Awaiting::Ruling { by, .. }), _) => Some(format!("Waiting for the {}", by.name())),
        (None, Some(Awaiting::Options { seats, .. }), _) => {
            Some(format!("{} to choose", words::boxes(seats)))
        }
        (None, Some(Awaiting::Reconstruction { left, .. }), _) => {
            Some(format!("The dealer puts cards where they belong: {} left", left.len()))
        }
        (None, None, _) if view.round.standing.jackpot_fault => {
            Some("The jackpot has failed: waiting for a ruling".to_owned())
        }
        (None, None, Some(notice)) => Some(notice.clone()),
        (None, None, None) => None,
    };
    let settled = view.round.outcome.is_some();
    let stakes = view.round.boxes.values().flat_map(|on_box| &on_box.stakes).map(|stake| stake.amount);
    Ok(PitTable {
        id: info.id.to_string(),
        book,
        settings: &info.settings,
        view: &view.round,
        state: words::state(book, &view.round),
        in_play: if settled { baize_rules::Money::ZERO } else { stakes.sum() },
        won_today: today.won,
        rounds_today: today.rounds,
        alert,
        by_dealer: matches!(info.pace, Pace::Dealer),
        practice: info.money == MoneyKind::Practice,
    })
}

/// What waits for a ruling at this table: a report that the rules leave to a person, or a jackpot fault after which nobody has
/// decided how later rounds go on.
fn waiting(
    app: &App,
    view: &TableView,
    role: Role,
    events: &[Significant],
) -> Result<Option<WaitingRuling>, Fault> {
    let (round, book) = (&view.round, app.library.of_table(&view.info.id)?);
    let (words, seat, by, cites) = match &round.awaiting {
        Some(Awaiting::Ruling { kind, seat, by, cites, .. }) => (kind.words(), *seat, *by, *cites),
        Some(Awaiting::Options { .. } | Awaiting::Reconstruction { .. }) => return Ok(None),
        None if round.standing.jackpot_fault => {
            let Some(fault) = &book.irregularities.jackpot_fault else { return Ok(None) };
            let words =
                "The jackpot has failed: no round opens before the Shift Manager decides how play continues";
            (words, None, fault.decided_by, fault.close_table.and(fault.bar_box).and(fault.no_jackpot))
        }
        None => return Ok(None),
    };
    let (answers, others) =
        if by <= role { rulings_of(&view.legal, round, role) } else { Default::default() };
    // Nothing else happens at a table that waits: its latest event is what it waits for.
    let stream = format!("table/{}", view.info.id);
    let latest = events.iter().find(|event| event.stream == stream);
    Ok(Some(WaitingRuling {
        table: view.info.id.to_string(),
        round: round.number,
        words,
        seat,
        by,
        cites: cites.to_string(),
        since: latest.map(|event| when(app, event.at)),
        answers,
        others,
    }))
}

/// What happened, where and by whom, as far as that says more.
fn said(event: &Significant) -> String {
    let place = event.stream.split('/').next_back().unwrap_or_default();
    let mut more = Vec::new();
    if event.stream != "house" && !event.words.contains(place) {
        more.push(place.to_owned());
    }
    let by = event.actor.split(':').next_back().unwrap_or_default();
    if event.actor != "house" && !event.words.split([' ', ',']).any(|word| word == by) {
        more.push(format!("by {by}"));
    }
    if more.is_empty() { event.words.clone() } else { format!("{} ({})", event.words, more.join(", ")) }
}

/// A significant event as the pages show it.
fn significant(app: &App, event: &Significant) -> SignificantEvent {
    SignificantEvent {
        when: when(app, event.at),
        kind: event.kind.to_string().replace('-', " "),
        words: said(event),
        link: event.stream.strip_prefix("table/").map(|table| format!("/pit/{table}")),
    }
}

/// A report as the desk's form writes it.
pub(crate) fn report(form: &Form, by: Staff) -> Result<Option<Report>, Fault> {
    if !form.has("kind") {
        return Ok(None);
    }
    let code = form.text("kind");
    let kind = IrregularityKind::ALL.into_iter().find(|kind| kind.code() == code);
    let kind = kind.ok_or_else(|| Fault::unreadable("there is no such irregularity"))?;
    let yes = |name: &str| match form.text(name) {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let seat: Option<BoxNumber> = form.maybe("seat")?;
    let hands = moves(form.text("moves"))?;
    // At a table with people the cards always move: by whole hands where these are named, otherwise in the order of the shoe.
    let in_order = matches!(kind, IrregularityKind::MissedBurn | IrregularityKind::DealingError)
        && yes("reconstructable") == Some(true)
        && hands.is_empty();
    let facts = Facts {
        count: form.maybe("count")?,
        seen: yes("seen"),
        reconstructable: yes("reconstructable"),
        intentional: yes("intentional"),
        whose: match form.text("whose") {
            "dealer" => Some(Whose::Dealer),
            "other" => Some(Whose::Other),
            _ => None,
        },
        card: form.maybe::<Card>("card")?,
        player: form.maybe::<baize_house::PlayerId>("player")?.as_ref().map(Player::from),
        boxes: form
            .texts("boxes")
            .filter(|text| !text.is_empty())
            .map(|text| text.parse().map_err(|_| Fault::unreadable("a box is a number")))
            .collect::<Result<_, _>>()?,
        moves: hands,
        shift: in_order || yes("shift") == Some(true),
        // The house knows whose hands move the cards.
        card_by_card: false,
        dealing: yes("dealing"),
        scope: FaultScope::ALL.into_iter().find(|scope| scope.code() == form.text("scope")),
        previous_round: yes("previous") == Some(true),
    };
    Ok(Some(Report { kind, seat, facts, by }))
}

/// Whole hands that move: `2-3 3-2`.
fn moves(text: &str) -> Result<Vec<(BoxNumber, BoxNumber)>, Fault> {
    let one = |text: &str| {
        let (from, to) = text.split_once('-')?;
        Some((from.parse().ok()?, to.parse().ok()?))
    };
    let fault = || Fault::unreadable("hands that move are written from-to: 2-3 3-2");
    text.split_whitespace().map(|text| one(text).ok_or_else(fault)).collect()
}

/// The whole desk of a table.
pub(crate) async fn desk_page(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    asked: &Form,
) -> Result<maud::Markup, Fault> {
    show_desk(app, visitor, id, asked, irregularity_desk::page).await
}

/// Its live regions.
pub(crate) async fn desk_regions(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    asked: &Form,
) -> Result<maud::Markup, Fault> {
    show_desk(app, visitor, id, asked, irregularity_desk::regions).await
}

async fn show_desk(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    asked: &Form,
    draw: fn(&DeskPage<'_>) -> maud::Markup,
) -> Result<maud::Markup, Fault> {
    let role = may(visitor, Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, id)?;
    let change = app.news.change();
    let view = app.house.view(&visitor.actor, id).await?;
    let (book, mut shell) = (app.library.of_table(&view.info.id)?, shell(app, visitor).await?);
    shell.change = change;
    // While a person fills in a report or reads what a ruling does, live updates must not replace the form.
    if !asked.has("kind") && !asked.has("rule") {
        shell.events = Some(shell.href(&format!("/events/desk/{id}")));
    }
    let by = visitor.actor.as_staff().unwrap_or(Staff::of(role));
    let asked_report = report(asked, by)?;
    let preview = match &asked_report {
        Some(report) if answers(asked) || asks_nothing(&view, report.kind) => {
            Some(preview(app, visitor, id, report.clone()).await?)
        }
        _ => None,
    };
    let ruling = match asked.text("rule") {
        "" => None,
        code => Some(foreseen(app, visitor, id, code).await?),
    };
    shell.names = names(app, &view.round, view.info.guests.keys());
    let waits = view.round.awaiting.is_some() || view.round.standing.jackpot_fault;
    let events = if waits && visitor.actor.may(Duty::PitSupervisor) {
        app.house.significant_events(&visitor.actor, 20).await?
    } else {
        Vec::new()
    };
    let waits = waiting(app, &view, role, &events)?;
    let kind = asked_report.as_ref().map(|report| report.kind);
    let picked = kind.filter(|kind| view.reportable.iter().any(|one| one.kind == *kind));
    // An old link, or the round has gone on since.
    let refused = kind
        .filter(|_| picked.is_none())
        .map(|kind| format!("This cannot be reported now: {}.", kind.words().to_lowercase()));
    let page = DeskPage {
        table: id.to_string(),
        book,
        settings: &view.info.settings,
        view: &view.round,
        legal: &view.legal,
        role,
        reportable: view.reportable.clone(),
        picked,
        refused,
        seat: asked_report.as_ref().and_then(|report| report.seat),
        facts: asked_report.map(|report| report.facts).unwrap_or_default(),
        preview,
        ruling,
        waits,
        expects: expected::desk(&view.round, view.info.version),
        happened: story(book, &view.round, &shell.names),
        meter: meter_of(app, &view.info).await?,
        set_up: set_up(&view, visitor),
        shell,
    };
    Ok(draw(&page))
}

/// How the table is run, and why this reader cannot change it now.
fn set_up(view: &TableView, visitor: &Visitor) -> SetUp {
    let info = &view.info;
    let refused = |order: OrderKind, duty: Duty| {
        if view.orders.contains(&order) {
            None
        } else if !visitor.actor.may(duty) {
            Some(format!("this needs the {}", duty.name()))
        } else {
            Some(format!("round {} is being played; it can be done between rounds", info.round))
        }
    };
    let shut = info.notice.is_some() || info.closed;
    SetUp {
        dealing: dealing(info),
        money: info.money.code(),
        dealers: view.dealers.iter().map(ToString::to_string).collect(),
        assigns: view.orders.contains(&OrderKind::Assign),
        clocks: match info.pace {
            Pace::Auto { betting_seconds, decision_seconds } => Some((betting_seconds, decision_seconds)),
            Pace::Dealer => None,
        },
        notice: info.notice.clone(),
        closed: info.closed,
        set_refused: refused(OrderKind::SetPace, Duty::PitSupervisor),
        shut_refused: refused(if shut { OrderKind::Reopen } else { OrderKind::GiveNotice }, Duty::PitManager),
        next_limits: next_limits(info),
        limits_refused: refused(OrderKind::SetLimits, Duty::PitManager),
        float: view.orders.contains(&OrderKind::FillFloat).then_some(view.float).flatten(),
    }
}

/// Whether the form says more than what happened: then what follows is shown.
fn answers(form: &Form) -> bool {
    [
        "count",
        "seen",
        "reconstructable",
        "intentional",
        "whose",
        "card",
        "player",
        "moves",
        "previous",
        "seat",
        "dealing",
        "scope",
    ]
    .into_iter()
    .any(|name| form.texts(name).next().is_some())
}

/// A report that asks nothing is shown with what follows at once.
fn asks_nothing(view: &TableView, kind: IrregularityKind) -> bool {
    view.reportable.iter().any(|one| one.kind == kind && one.questions.is_empty())
}

/// What a ruling would do. Changes nothing.
async fn foreseen(app: &App, visitor: &Visitor, id: &TableId, code: &str) -> Result<RulingPreview, Fault> {
    let kind = remedies::ruling_of(code).ok_or_else(|| Fault::unreadable("there is no such ruling"))?;
    let by = may(visitor, Duty::Dealer).map(Staff::of)?;
    let command = Command::Rule(Ruling { kind: kind.clone(), by, reason: None });
    Ok(match tried(app, visitor, id, command).await? {
        Ok(preview) => RulingPreview::Can(kind, preview),
        Err(words) => RulingPreview::Cannot(kind, words),
    })
}

/// Whether chips move by this ruling: then it needs a reason.
pub(crate) async fn moves_money(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    ruling: &Ruling,
) -> Result<bool, Fault> {
    let order = Order::from(Command::Rule(ruling.clone()));
    Ok(app.house.preview(&visitor.actor, id, order).await?.moves_money())
}

/// What the report would lead to. Changes nothing.
async fn preview(app: &App, visitor: &Visitor, id: &TableId, report: Report) -> Result<DeskPreview, Fault> {
    Ok(match tried(app, visitor, id, Command::Report(report)).await? {
        Ok(preview) => DeskPreview::foreseen(preview.steps, preview.boxes),
        Err(words) => DeskPreview::Refused(words),
    })
}

/// What a command would lead to, or why it cannot be given now, in words.
async fn tried(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    command: Command,
) -> Result<Result<Preview, String>, Fault> {
    match app.house.preview(&visitor.actor, id, command.into()).await {
        Ok(preview) => Ok(Ok(preview)),
        // The form has a field for the answer; scripts name it.
        Err(HouseError::Refused(Refusal { why: Why::FactMissing { question, .. }, .. })) => {
            Ok(Err(format!("Answer first: {question}")))
        }
        Err(refused @ (HouseError::Refused(_) | HouseError::NotNow(_))) => {
            Ok(Err(crate::server::fault::sentence(&refused.to_string())))
        }
        Err(other) => Err(other.into()),
    }
}
