//! Reads what the pit board and the irregularity desk show.

use baize_cards::Card;
use baize_house::{Duty, HouseError, Order, Preview, TableId, TableView};
use baize_rules::{BoxNumber, Cites, FaultScope, IrregularityKind, Role, Whose};
use baize_table::{Command, Facts, Player, Refusal, Report, Ruling, RulingKind, Staff, Why};

use super::{Part, display_name, jackpot_of, names, shell};
use crate::pages::pit::{self, PitPage, PitTable};
use crate::pages::pit_desk::{self, DeskPage};
use crate::pages::remedies;
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The visitor's position on the floor; fails unless they have this duty. Dealers may open a desk, because anybody on the floor may report.
pub(crate) fn require_role(visitor: &Visitor, duty: Duty) -> Result<Role, Fault> {
    let role = visitor.actor.role().filter(|_| visitor.actor.may(duty));
    Ok(role.ok_or(HouseError::Forbidden { needs: duty, cites: Cites::NONE })?)
}

/// The board.
pub(crate) async fn render(app: &App, visitor: &Visitor, part: Part) -> Result<maud::Markup, Fault> {
    let role = require_role(visitor, Duty::PitSupervisor)?;
    let version = app.feed.page_version();
    let mut tables = Vec::new();
    for info in app.house.tables().await? {
        let today = app.daily_wins.of(&app.house, &info, app.config.gaming_day).await?;
        let of = app.house.view(&visitor.actor, &info.id).await?;
        let book = app.library.of_table(&info.id)?;
        tables.push(PitTable { of, book, won_today: today.won, rounds_today: today.rounds });
    }
    let views = app.house.jackpots().await?;
    let mut shell = shell(app, visitor).await?;
    shell.events = Some(shell.href("/events/pit"));
    shell.change = version;
    for PitTable { of, .. } in &tables {
        shell.names.extend(names(app, &of.round, of.info.guests.keys()));
    }
    let events = app.house.significant_events(&visitor.actor, 20).await?;
    let mut jackpots = Vec::new();
    for view in views {
        let mut pictures = Vec::new();
        for hit in &view.pending {
            pictures.push(app.house.hit_picture(&visitor.actor, &view.id, hit.number).await?);
        }
        jackpots.push((view, pictures));
    }
    let page = PitPage {
        shell,
        role,
        tables,
        jackpots,
        tasks: app.task_cache.all(&app.house, app.feed.received()).await?,
        events,
        suspects: app.alerts.players().iter().map(|player| display_name(app, player)).collect(),
        behind: app.house.behind(),
    };
    Ok(if part == Part::Page { pit::page(&page) } else { pit::regions(&page) })
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

/// The desk of a table.
pub(crate) async fn render_desk(
    app: &App,
    visitor: &Visitor,
    id: &TableId,
    query: &Form,
    part: Part,
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
            Some(preview(app, visitor, id, Command::Report(report.clone())).await?)
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
    let jackpot = jackpot_of(app, &view.info).await?;
    let jackpot = jackpot.as_ref();
    let page = DeskPage { shell, book, of: &view, jackpot, role, report, preview, ruling, events };
    Ok(if part == Part::Page { pit_desk::page(&page) } else { pit_desk::regions(&page) })
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
) -> Result<(RulingKind, Result<Preview, String>), Fault> {
    let kind = remedies::ruling_of(code).ok_or_else(|| Fault::unreadable("unknown ruling"))?;
    let by = require_role(visitor, Duty::Dealer).map(Staff::of)?;
    let command = Command::Rule(Ruling { kind: kind.clone(), by, reason: None });
    Ok((kind, preview(app, visitor, id, command).await?))
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
