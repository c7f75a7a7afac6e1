//! The view models of the pit board and the irregularity desk.

use baize_cards::Card;
use baize_house::{
    Duty, HouseError, JackpotView, MoneyKind, Order, OrderKind, Pace, Preview, Significant, TableId,
    TableView, Task, TaskKind,
};
use baize_rules::{BoxNumber, Cites, FaultScope, IrregularityKind, Role, Whose};
use baize_table::{Awaiting, Command, Facts, Player, Refusal, Report, Ruling, Staff, Why};

use super::table::next_limits;
use super::{dealing, display_name, jackpot_of, meter, names, pending, shell, when};
use crate::pages::expected;
use crate::pages::model::{
    DeskPage, DeskPreview, PendingHit, PitPage, PitTable, SetUp, SignificantEvent, TaskLine, WaitingRuling,
    rulings_of,
};
use crate::pages::round_log::round_log;
use crate::pages::rulings::RulingPreview;
use crate::pages::{irregularity_desk, pit, remedies, words};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::daily_win::DailyWin;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The visitor's position on the floor; fails unless they have this duty. Dealers may open a desk, because anybody on the floor may report.
pub(crate) fn require_role(visitor: &Visitor, duty: Duty) -> Result<Role, Fault> {
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
    render: fn(&PitPage<'_>) -> maud::Markup,
) -> Result<maud::Markup, Fault> {
    let role = require_role(visitor, Duty::PitSupervisor)?;
    let version = app.feed.page_version();
    let mut views = Vec::new();
    for info in app.house.tables().await? {
        let today = app.daily_wins.of(&app.house, &info, app.config.gaming_day).await?;
        views.push((app.house.view(&visitor.actor, &info.id).await?, today));
    }
    let jackpots = app.house.jackpots().await?;
    let mut shell = shell(app, visitor).await?;
    shell.events = Some(shell.href("/events/pit"));
    shell.change = version;
    for (view, _) in &views {
        shell.names.extend(names(app, &view.round, view.info.guests.keys()));
    }
    let events = app.house.significant_events(&visitor.actor, 20).await?;
    let mut rulings = Vec::new();
    for (view, _) in &views {
        rulings.extend(waiting_ruling(app, view, role, &events)?);
    }
    let mut hits = Vec::new();
    for jackpot in &jackpots {
        hits.extend(hits_of(app, visitor, jackpot).await?);
    }
    let tasks = app.task_cache.all(&app.house, app.feed.received()).await?;
    let page = PitPage {
        tasks: tasks.iter().filter_map(|task| other_task(task, visitor)).collect(),
        shell,
        tables: views.iter().map(|view| table_tile(app, view)).collect::<Result<_, _>>()?,
        rulings,
        hits,
        meters: jackpots.iter().map(meter).collect(),
        events: events.iter().map(|event| significant(app, event)).collect(),
        suspects: app.alerts.players().iter().map(|player| display_name(app, player)).collect(),
        behind: app.house.behind().map(|why| (why, visitor.actor.may(Duty::ShiftManager))),
    };
    Ok(render(&page))
}

/// The pending hits, with their cards and amounts.
async fn hits_of(app: &App, visitor: &Visitor, jackpot: &JackpotView) -> Result<Vec<PendingHit>, Fault> {
    let mut hits = pending(visitor, jackpot);
    for hit in &mut hits {
        let picture = app.house.hit_picture(&visitor.actor, &jackpot.id, hit.hit).await?;
        hit.picture = Some(picture);
    }
    Ok(hits)
}

/// A task as a line of the list; `None` for those with a card of their own and for the cage's.
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

fn table_tile<'a>(app: &App, (view, today): &'a (TableView, DailyWin)) -> Result<PitTable<'a>, Fault> {
    let (info, book) = (&view.info, app.library.of_table(&view.info.id)?);
    let alert = match (&info.halted, &view.round.awaiting, &info.notice) {
        (Some(why), _, _) => Some(format!("Halted: {why}")),
        (None, Some(Awaiting::Ruling { by, .. }), _) => Some(format!("Waiting for the {}", by.name())),
        (None, Some(Awaiting::Options { seats, .. }), _) => {
            Some(format!("{} to choose", words::boxes(seats)))
        }
        (None, Some(Awaiting::Reconstruction { left, .. }), _) => {
            Some(format!("The dealer is moving cards back into place: {} left", left.len()))
        }
        (None, None, _) if view.round.standing.jackpot_fault => {
            Some("Jackpot fault: waiting for a ruling".to_owned())
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

/// The ruling that this table waits for: on a report that the rules leave to a person, or on how to continue after a jackpot fault.
fn waiting_ruling(
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
            let words = "Jackpot fault: no round opens before the Shift Manager decides how play continues";
            (words, None, fault.decided_by, fault.close_table.and(fault.bar_box).and(fault.no_jackpot))
        }
        None => return Ok(None),
    };
    let (answers, others) =
        if by <= role { rulings_of(&view.legal, round, role) } else { Default::default() };
    // Nothing else can happen at a table that waits, so its latest event is the cause.
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

/// The event's text, with place and person unless it names them already.
fn event_words(event: &Significant) -> String {
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
        words: event_words(event),
        link: event.stream.strip_prefix("table/").map(|table| format!("/pit/{table}")),
    }
}

/// The report in the desk's form; `None` if no kind was picked.
pub(crate) fn report(form: &Form, by: Staff) -> Result<Option<Report>, Fault> {
    if !form.has("kind") {
        return Ok(None);
    }
    let code = form.text("kind");
    let kind = IrregularityKind::ALL.into_iter().find(|kind| kind.code() == code);
    let kind = kind.ok_or_else(|| Fault::unreadable("unknown irregularity"))?;
    let yes = |name: &str| match form.text(name) {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let seat: Option<BoxNumber> = form.optional("seat")?;
    let hands = moves(form.text("moves"))?;
    // Cards always move at a table: as whole hands if the form names hands, otherwise in the order of the shoe.
    let in_order = matches!(kind, IrregularityKind::MissedBurn | IrregularityKind::DealingError)
        && yes("reconstructable") == Some(true)
        && hands.is_empty();
    let facts = Facts {
        count: form.optional("count")?,
        seen: yes("seen"),
        reconstructable: yes("reconstructable"),
        intentional: yes("intentional"),
        whose: match form.text("whose") {
            "dealer" => Some(Whose::Dealer),
            "other" => Some(Whose::Other),
            _ => None,
        },
        card: form.optional::<Card>("card")?,
        player: form.optional::<baize_house::PlayerId>("player")?.as_ref().map(Player::from),
        boxes: form
            .values("boxes")
            .filter(|text| !text.is_empty())
            .map(|text| text.parse().map_err(|_| Fault::unreadable("a box must be a number")))
            .collect::<Result<_, _>>()?,
        moves: hands,
        shift: in_order || yes("shift") == Some(true),
        // Set by the house, which knows who moves the cards.
        card_by_card: false,
        dealing: yes("dealing"),
        scope: FaultScope::ALL.into_iter().find(|scope| scope.code() == form.text("scope")),
        previous_round: yes("previous") == Some(true),
    };
    Ok(Some(Report { kind, seat, facts, by }))
}

/// Hands that move, as `2-3 3-2`: from box 2 to box 3 and back.
fn moves(text: &str) -> Result<Vec<(BoxNumber, BoxNumber)>, Fault> {
    let one = |text: &str| {
        let (from, to) = text.split_once('-')?;
        Some((from.parse().ok()?, to.parse().ok()?))
    };
    let fault = || Fault::unreadable("write hands that move as from-to, such as 2-3 3-2");
    text.split_whitespace().map(|text| one(text).ok_or_else(fault)).collect()
}

/// The whole desk of a table.
pub(crate) async fn desk_page(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    query: &Form,
) -> Result<maud::Markup, Fault> {
    show_desk(app, visitor, id, query, irregularity_desk::page).await
}

/// Its live regions.
pub(crate) async fn desk_regions(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    query: &Form,
) -> Result<maud::Markup, Fault> {
    show_desk(app, visitor, id, query, irregularity_desk::regions).await
}

async fn show_desk(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    query: &Form,
    render: fn(&DeskPage<'_>) -> maud::Markup,
) -> Result<maud::Markup, Fault> {
    let role = require_role(visitor, Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, id)?;
    let version = app.feed.page_version();
    let view = app.house.view(&visitor.actor, id).await?;
    let (book, mut shell) = (app.library.of_table(&view.info.id)?, shell(app, visitor).await?);
    shell.change = version;
    // No live updates while a report is filled in or a ruling is confirmed: they would replace the form.
    if !query.has("kind") && !query.has("rule") {
        shell.events = Some(shell.href(&format!("/events/desk/{id}")));
    }
    let by = visitor.actor.as_staff().unwrap_or(Staff::of(role));
    let report = report(query, by)?;
    let preview = match &report {
        Some(report) if has_answers(query) || has_no_questions(&view, report.kind) => {
            Some(preview_report(app, visitor, id, report.clone()).await?)
        }
        _ => None,
    };
    let ruling = match query.text("rule") {
        "" => None,
        code => Some(preview_ruling(app, visitor, id, code).await?),
    };
    shell.names = names(app, &view.round, view.info.guests.keys());
    let must_wait = view.round.awaiting.is_some() || view.round.standing.jackpot_fault;
    let events = if must_wait && visitor.actor.may(Duty::PitSupervisor) {
        app.house.significant_events(&visitor.actor, 20).await?
    } else {
        Vec::new()
    };
    let waits = waiting_ruling(app, &view, role, &events)?;
    let kind = report.as_ref().map(|report| report.kind);
    let picked = kind.filter(|kind| view.reportable.iter().any(|one| one.kind == *kind));
    // From an old link, or the round has moved on since.
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
        seat: report.as_ref().and_then(|report| report.seat),
        facts: report.map(|report| report.facts).unwrap_or_default(),
        preview,
        ruling,
        waits,
        expects: expected::desk(&view.round, view.info.version),
        log: round_log(book, &view.round, &shell.names),
        meter: jackpot_of(app, &view.info).await?.as_ref().map(meter),
        set_up: set_up(&view, visitor),
        shell,
    };
    Ok(render(&page))
}

/// How the table is run, and for each setting why this reader cannot change it now.
fn set_up(view: &TableView, visitor: &Visitor) -> SetUp {
    let info = &view.info;
    let refused = |order: OrderKind, duty: Duty| {
        if view.orders.contains(&order) {
            None
        } else if !visitor.actor.may(duty) {
            Some(format!("this needs the {}", duty.name()))
        } else {
            Some(format!("round {} is in progress; wait until it is over", info.round))
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

/// Whether the form answers any question about the report; then its consequences are previewed.
fn has_answers(form: &Form) -> bool {
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
    .any(|name| form.values(name).next().is_some())
}

/// Whether a report of this kind has no questions; then its consequences are previewed at once.
fn has_no_questions(view: &TableView, kind: IrregularityKind) -> bool {
    view.reportable.iter().any(|one| one.kind == kind && one.questions.is_empty())
}

/// Previews a ruling. Changes nothing.
async fn preview_ruling(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    code: &str,
) -> Result<RulingPreview, Fault> {
    let kind = remedies::ruling_of(code).ok_or_else(|| Fault::unreadable("unknown ruling"))?;
    let by = require_role(visitor, Duty::Dealer).map(Staff::of)?;
    let command = Command::Rule(Ruling { kind: kind.clone(), by, reason: None });
    Ok(match preview(app, visitor, id, command).await? {
        Ok(preview) => RulingPreview::Can(kind, preview),
        Err(words) => RulingPreview::Cannot(kind, words),
    })
}

/// Whether this ruling moves chips; then it needs a reason.
pub(crate) async fn moves_money(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    ruling: &Ruling,
) -> Result<bool, Fault> {
    let order = Order::from(Command::Rule(ruling.clone()));
    Ok(app.house.preview(&visitor.actor, id, order).await?.moves_money())
}

/// Previews a report. Changes nothing.
async fn preview_report(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    report: Report,
) -> Result<DeskPreview, Fault> {
    Ok(match preview(app, visitor, id, Command::Report(report)).await? {
        Ok(preview) => DeskPreview::foreseen(preview.steps, preview.boxes),
        Err(words) => DeskPreview::Refused(words),
    })
}

/// Previews a command; the inner error says why it is not possible now.
async fn preview(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    command: Command,
) -> Result<Result<Preview, String>, Fault> {
    match app.house.preview(&visitor.actor, id, command.into()).await {
        Ok(preview) => Ok(Ok(preview)),
        // The form has a field for the answer; the refusal's own text names it as a script would.
        Err(HouseError::Refused(Refusal { why: Why::FactMissing { question, .. }, .. })) => {
            Ok(Err(format!("Answer first: {question}")))
        }
        Err(refused @ (HouseError::Refused(_) | HouseError::NotNow(_))) => {
            Ok(Err(crate::server::fault::sentence(&refused.to_string())))
        }
        Err(other) => Err(other.into()),
    }
}
