//! The forms of players, dealers and the pit. The house decides what is allowed, so a forged box or amount is refused.

use axum::extract::{FromRequest, FromRequestParts as _, Path, Request, State};
use axum::http::HeaderMap;
use baize_cards::Card;
use baize_house::{Chips, Duty, HouseError, JackpotId, Order, Pace, Shoe, TableId, TableView};
use baize_rules::{Area, BoxNumber, Reveal};
use baize_table::{Choice, Command, Place, Player, Ruling, Staff};

use super::app::App;
use super::body::Form;
use super::fault::{Fault, PageResult, html};
use super::guard::is_live;
use super::page_handlers::parse_name;
use super::set_up::{amount, limits};
use super::show::{self, Part};
use super::visitor::Visitor;
use crate::pages::actions::{Deal, Hit, Play, SetUp};
use crate::pages::expected;
use crate::pages::{login, remedies};

/// Recorded as the player's request when a dealer bets for them and the form does not quote it.
const VERBAL_REQUEST: &str = "asked for at the table";

/// Maximum attempts when others change the table at the same time.
const MAX_ATTEMPTS: u32 = 12;

fn area(form: &Form) -> Result<Area, Fault> {
    let code = form.text("area");
    Area::ALL.into_iter().find(|area| area.code() == code).ok_or_else(|| Fault::unreadable("unknown area"))
}

/// The acting player: from the session, never from a form field.
fn acting_player(visitor: &Visitor) -> Result<Player, Fault> {
    Ok(visitor.actor.as_player().map(Player::from).ok_or(HouseError::NotLoggedIn)?)
}

/// A form for the table in the path, from a logged-in visitor.
pub(crate) struct TableForm {
    app: App,
    visitor: Visitor,
    table: TableId,
    headers: HeaderMap,
    form: Form,
}

impl FromRequest<App> for TableForm {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &App) -> Result<TableForm, Fault> {
        let (mut parts, body) = request.into_parts();
        let Path(id) =
            Path::<String>::from_request_parts(&mut parts, app).await.map_err(|_| Fault::NoPage)?;
        let visitor = Visitor::from_request_parts(&mut parts, app).await?;
        let headers = parts.headers.clone();
        let form = Form::from_request(Request::from_parts(parts, body), app).await?;
        let table = parse_name(&id)?;
        visitor.require_login()?;
        Ok(TableForm { app: app.clone(), visitor, table, headers, form })
    }
}

/// `POST /table/{id}/do`: an action of a player.
pub(crate) async fn play(TableForm { app, visitor, table, headers, form }: TableForm) -> PageResult {
    let seat = || form.required::<BoxNumber>("seat");
    let what: Play = form.action()?;
    let order = match what {
        Play::Bet => Order::Bet { wagers: wagers(&form)? },
        Play::Ready => Order::Ready,
        Play::Sit => Order::Sit {
            seat: match form.optional("seat")? {
                Some(seat) => Some(seat),
                None => crate::pages::table_bets::middle_free(&app.house.table(&table).await?),
            },
        },
        Play::Leave => Order::Leave,
        Play::Withdraw => {
            Command::Withdraw { seat: seat()?, player: acting_player(&visitor)?, area: area(&form)? }.into()
        }
        Play::Look => Command::Look { seat: seat()? }.into(),
        Play::Raise => Command::PlaceWager {
            seat: seat()?,
            player: acting_player(&visitor)?,
            area: area(&form)?,
            amount: form.required("amount")?,
            unnoticed: false,
            placed_by: None,
        }
        .into(),
        Play::Check => Command::Check { seat: seat()? }.into(),
        Play::Fold => Command::Fold { seat: seat()? }.into(),
        Play::Show => Command::Show { seat: seat()? }.into(),
        Play::Decline => Command::Decline { seat: seat()? }.into(),
        Play::Choose => Command::Choose { seat: seat()?, player: None, choice: choice(&form)? }.into(),
    };
    if form.has("expects") {
        let (bettor, decides) = match what {
            Play::Bet | Play::Ready | Play::Withdraw => (Some(acting_player(&visitor)?), None),
            Play::Sit
            | Play::Leave
            | Play::Look
            | Play::Raise
            | Play::Check
            | Play::Fold
            | Play::Show
            | Play::Decline
            | Play::Choose => (None, Some(seat()?)),
        };
        let now = |view: &TableView| match decides {
            Some(seat) => Ok(expected::decision(&view.round, seat)),
            None => Ok(expected::bets(&view.round, bettor.as_ref())),
        };
        if !act_if_expected(&app, &visitor, &table, &form, order, now).await? {
            return stale(&headers, format!("/table/{table}"), || {
                show::table::render(&app, &visitor, &table, None, Part::Regions)
            })
            .await;
        }
    } else {
        app.house.act(&visitor.actor, &table, &form.command_id("")?, order).await?;
    }
    if what == Play::Leave {
        return Ok(visitor.redirect("/"));
    }
    if matches!(form.optional("then"), Ok(Some(Play::Ready))) {
        app.house.act(&visitor.actor, &table, &form.command_id("ready")?, Order::Ready).await?;
    }
    if is_live(&headers) {
        return Ok(html(&show::table::render(&app, &visitor, &table, None, Part::Regions).await?));
    }
    Ok(visitor.redirect(&format!("/table/{table}")))
}

/// Carries out a form if the table is still in the state that the form was made for; `now` computes that state from a view. The order is sent
/// for the version of the table that was checked, so the two cannot diverge, on any host. A form that was carried out before counts as done.
/// Returns false if the form is out of date.
async fn act_if_expected(
    app: &App,
    visitor: &Visitor,
    table: &TableId,
    form: &Form,
    order: Order,
    now: impl Fn(&TableView) -> Result<String, Fault>,
) -> Result<bool, Fault> {
    let (house, id) = (&app.house, form.command_id("")?);
    for _ in 0..MAX_ATTEMPTS {
        let view = house.view(&visitor.actor, table).await?;
        let expected = form.text("expects") == now(&view)?;
        // No table is at version 0: the house only answers if the command was carried out before.
        let version = if expected { view.info.version } else { 0 };
        match house.act_at(&visitor.actor, table, &id, order.clone(), Some(version)).await {
            Ok(_) => return Ok(true),
            // The table has changed, perhaps without affecting this form: check again.
            Err(HouseError::Stale { .. }) if expected => {}
            Err(HouseError::Stale { .. }) => return Ok(false),
            Err(other) => return Err(other.into()),
        }
    }
    Ok(false)
}

/// The response to a form that is out of date: the current page, with a message that nothing was done.
async fn stale<F>(headers: &HeaderMap, path: String, render: impl FnOnce() -> F) -> PageResult
where
    F: Future<Output = Result<maud::Markup, Fault>>,
{
    let fault = Fault::Stale(path);
    if !is_live(headers) {
        return Err(fault);
    }
    let now = render().await?;
    Ok(fault.with_page(&maud::html! { (now) (login::refusal(&fault.sentence())) }))
}

/// The bets in a form; areas with an amount of zero are skipped.
fn wagers(form: &Form) -> Result<Vec<Chips>, Fault> {
    let seat = form.required("seat")?;
    let mut wagers = Vec::new();
    for (area, name) in [(Area::Ante, "ante"), (Area::Bonus, "bonus"), (Area::Jackpot, "jackpot")] {
        let amount = form.money(name)?;
        if !amount.is_zero() {
            wagers.push(Chips { seat, area, amount });
        }
    }
    if wagers.is_empty() {
        return Err(Fault::unreadable("enter an amount"));
    }
    Ok(wagers)
}

fn choice(form: &Form) -> Result<Choice, Fault> {
    let code = form.text("choice");
    let choice = Choice::ALL.into_iter().find(|choice| choice.code() == code);
    choice.ok_or_else(|| Fault::unreadable("unknown choice"))
}

/// `POST /dealer/{id}/do`: an action of a dealer. Refused cards stay in their field, also without the script.
pub(crate) async fn deal(TableForm { app, visitor, table, headers, form }: TableForm) -> PageResult {
    visitor.require(Duty::Dealer)?;
    app.house.may_deal(&visitor.actor, &table)?;
    match dealer_action(&app, &visitor, &table, &headers, &form).await {
        Err(fault) if matches!(form.action(), Ok(Deal::Enter)) && !is_live(&headers) => {
            let (typed, why) = (form.text("cards"), fault.sentence());
            Ok(fault.with_page(
                &show::dealer::render(&app, &visitor, &table, Some((typed, why)), Part::Page).await?,
            ))
        }
        other => other,
    }
}

async fn dealer_action(
    app: &App,
    visitor: &Visitor,
    table: &TableId,
    headers: &HeaderMap,
    form: &Form,
) -> PageResult {
    let order = dealer_order(form)?;
    if !form.has("expects") {
        return Err(Fault::unreadable("the form does not say which step it is for"));
    }
    let now = |view: &TableView| Ok(show::dealer::step(view));
    if !act_if_expected(app, visitor, table, form, order, now).await? {
        let regions = || show::dealer::render(app, visitor, table, None, Part::Regions);
        return stale(headers, format!("/dealer/{table}"), regions).await;
    }
    if is_live(headers) {
        return Ok(html(&show::dealer::render(app, visitor, table, None, Part::Regions).await?));
    }
    Ok(visitor.redirect(&format!("/dealer/{table}")))
}

fn dealer_order(form: &Form) -> Result<Order, Fault> {
    let seat = || form.required::<BoxNumber>("seat");
    Ok(match form.action::<Deal>()? {
        Deal::Open => Command::Open.into(),
        Deal::Close => Command::Close.into(),
        Deal::Next => Order::DealNext,
        Deal::All => Order::DealAll,
        Deal::Enter => Order::EnterCards { cards: parse_cards(form.text("cards"))? },
        Deal::TakeBack => Order::TakeBack,
        Deal::Settle => Command::Settle.into(),
        Deal::Reveal => Command::Reveal { what: reveal(form)? }.into(),
        Deal::Cards => placed_cards(form)?,
        Deal::Absent => Command::Absent { seat: seat()? }.into(),
        Deal::Decline => Command::Decline { seat: seat()? }.into(),
        Deal::Fold => Command::Fold { seat: seat()? }.into(),
        Deal::Check => Command::Check { seat: seat()? }.into(),
        Deal::Raise => Order::BetFor {
            player: form.required("player")?,
            wager: Chips { seat: seat()?, area: area(form)?, amount: form.required("amount")? },
            request: if form.has("request") { reason(form, "request")? } else { VERBAL_REQUEST.to_owned() },
            unnoticed: false,
        },
    })
}

fn reveal(form: &Form) -> Result<Reveal, Fault> {
    let code = form.text("what");
    Reveal::ALL
        .into_iter()
        .find(|what| what.code() == code)
        .ok_or_else(|| Fault::unreadable("unknown cards to reveal"))
}

/// Cards with the place where they went.
fn placed_cards(form: &Form) -> Result<Order, Fault> {
    let cards = parse_cards(form.text("cards"))?;
    let to = match form.text("to") {
        "burn" => {
            let [card] = cards[..] else { return Err(Fault::unreadable("burn one card at a time")) };
            return Ok(Command::Burn { card }.into());
        }
        "board" => Place::Board,
        "dealer" => Place::Dealer,
        place => {
            let seat = place.strip_prefix("box-").and_then(|seat| seat.parse().ok());
            Place::Box(seat.ok_or_else(|| {
                Fault::unreadable("unknown place for the cards: use a box, the board, the dealer or burnt")
            })?)
        }
    };
    Ok(Command::Deal { to, cards }.into())
}

/// Cards as a dealer types them: `as 10d`, `as10d`, `as,10d`.
fn parse_cards(text: &str) -> Result<Vec<Card>, Fault> {
    let mut cards = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let mut rest: Vec<char> = word.chars().take(200).collect();
        while !rest.is_empty() {
            let size = if rest.starts_with(&['1', '0']) { 3 } else { 2 };
            let one: String = rest.iter().take(size).collect();
            let card = one.parse().map_err(|_| {
                Fault::unreadable(format!("`{one}` is not a card: type rank and suit, such as as, 10d, kh"))
            })?;
            cards.push(card);
            rest.drain(..size.min(rest.len()));
        }
    }
    if cards.len() > 52 { Err(Fault::unreadable("a deck has 52 cards")) } else { Ok(cards) }
}

impl TableForm {
    /// Carries out a form of the pit and returns to the page that sent it.
    async fn act(&self, order: Order) -> PageResult {
        self.app.house.act(&self.visitor.actor, &self.table, &self.form.command_id("")?, order).await?;
        self.back_to_pit().await
    }

    /// Carries out a report or a ruling, unless the table has changed since its consequences were previewed.
    async fn act_if_unchanged(&self, order: Order) -> PageResult {
        self.app.house.may_deal(&self.visitor.actor, &self.table)?;
        let now = |view: &TableView| Ok(expected::desk(&view.round, view.info.version));
        if act_if_expected(&self.app, &self.visitor, &self.table, &self.form, order, now).await? {
            return self.back_to_pit().await;
        }
        stale(&self.headers, format!("/pit/{}", self.table), || {
            show::pit::render_desk(&self.app, &self.visitor, &self.table, &self.form, Part::Regions)
        })
        .await
    }

    async fn back_to_pit(&self) -> PageResult {
        let TableForm { app, visitor, table, headers, .. } = self;
        let desk = format!("/pit/{table}");
        let from = headers.get("referer").and_then(|from| from.to_str().ok()).unwrap_or_default();
        let from_desk = from.split('?').next().unwrap_or_default().ends_with(&desk);
        if is_live(headers) {
            let markup = if from_desk {
                show::pit::render_desk(app, visitor, table, &Form::empty(), Part::Regions).await?
            } else {
                show::pit::render(app, visitor, Part::Regions).await?
            };
            return Ok(html(&markup));
        }
        Ok(visitor.redirect(if from_desk { &desk } else { "/pit" }))
    }
}

/// `POST /pit/{id}/report`
pub(crate) async fn report(sent: TableForm) -> PageResult {
    let report = show::pit::report(&sent.form, staff(&sent.visitor)?)?
        .ok_or_else(|| Fault::unreadable("the form does not say what happened"))?;
    sent.act_if_unchanged(Command::Report(report).into()).await
}

fn staff(visitor: &Visitor) -> Result<Staff, Fault> {
    let needs = Duty::Dealer;
    Ok(visitor.actor.as_staff().ok_or(HouseError::Forbidden { needs, cites: baize_rules::Cites::NONE })?)
}

/// `POST /pit/{id}/rule`
pub(crate) async fn rule(sent: TableForm) -> PageResult {
    let TableForm { app, visitor, table, form, .. } = &sent;
    let kind = remedies::ruling_of(form.text("ruling")).ok_or_else(|| Fault::unreadable("unknown ruling"))?;
    let reason = Some(reason(form, "reason")?).filter(|reason| !reason.is_empty());
    let ruling = Ruling { kind, by: staff(visitor)?, reason };
    if ruling.reason.is_none() && show::pit::moves_money(app, visitor, table, &ruling).await? {
        return Err(Fault::unreadable("this ruling moves money: give a reason for the record"));
    }
    sent.act_if_unchanged(Command::Rule(ruling).into()).await
}

/// A reason for the record, with blanks collapsed.
fn reason(form: &Form, name: &str) -> Result<String, Fault> {
    let text = form.text(name).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > 500 {
        return Err(Fault::unreadable("the text is too long: at most 500 characters"));
    }
    if text.chars().any(char::is_control) {
        return Err(Fault::unreadable(
            "the text contains control characters: use letters, digits and punctuation",
        ));
    }
    Ok(text)
}

/// `POST /pit/database`: a Shift Manager continues with a database that lacks acknowledged entries.
pub(crate) async fn accept_database(State(app): State<App>, visitor: Visitor, form: Form) -> PageResult {
    visitor.require_login()?;
    app.house.accept_database(&visitor.actor, &reason(&form, "reason")?).await?;
    Ok(visitor.redirect("/pit"))
}

/// `POST /pit/{id}/close`
pub(crate) async fn close(sent: TableForm) -> PageResult {
    let reason = reason(&sent.form, "notice")?;
    sent.act(Order::GiveNotice { reason }).await
}

/// `POST /pit/{id}/set`: reopens a table, assigns dealers, fills the float, or sets who deals, the shoe and the limits.
pub(crate) async fn set(sent: TableForm) -> PageResult {
    let form = &sent.form;
    let order = match form.required("set")? {
        SetUp::Reopen => Order::Reopen,
        SetUp::Auto => Order::SetPace {
            pace: Pace::Auto {
                betting_seconds: form.optional("betting_seconds")?.unwrap_or(20),
                decision_seconds: form.optional("decision_seconds")?.unwrap_or(30),
            },
        },
        SetUp::Dealer => Order::SetPace { pace: Pace::Dealer },
        SetUp::Computer => Order::SetShoe { shoe: Shoe::Computer },
        SetUp::Entered => Order::SetShoe { shoe: Shoe::Entered },
        SetUp::Assign => Order::Assign { dealer: form.required("dealer")? },
        SetUp::Relieve => Order::Relieve { dealer: form.required("dealer")? },
        SetUp::Fill => Order::FillFloat { amount: amount(form, "amount")? },
        SetUp::Limits => {
            Order::SetLimits { ante: limits(form, "ante")?, bonus: Some(limits(form, "bonus")?) }
        }
    };
    sent.act(order).await
}

/// `POST /jackpot/{id}/hit`
pub(crate) async fn hit(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    form: Form,
) -> PageResult {
    let jackpot: JackpotId = parse_name(&id)?;
    visitor.require_login()?;
    let hit: u64 = form.required("hit")?;
    let house = app.house_for(&form)?;
    match form.action()? {
        Hit::Verify => house.verify_hit(&visitor.actor, &jackpot, hit).await?,
        Hit::Confirm => house.confirm_hit(&visitor.actor, &jackpot, hit).await?,
        Hit::Reject => house.reject_hit(&visitor.actor, &jackpot, hit, &reason(&form, "reason")?).await?,
    }
    if is_live(&headers) {
        return Ok(html(&show::pit::render(&app, &visitor, Part::Regions).await?));
    }
    Ok(visitor.redirect("/pit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_can_be_typed_in_any_common_way() {
        let codes = |text: &str| {
            parse_cards(text)
                .map(|cards| cards.iter().map(|card| card.code().to_lowercase()).collect::<Vec<_>>())
                .ok()
        };
        let expected = Some(vec!["as".to_owned(), "td".to_owned(), "kh".to_owned()]);
        for text in ["as 10d kh", "as10dkh", "AS,10D KH", " as  10d,kh "] {
            assert_eq!(codes(text), expected, "{text}");
        }
        for text in ["a", "asx", "1d", "🂡", "as 11d"] {
            assert_eq!(codes(text), None, "{text}");
        }
        assert_eq!(codes(""), Some(Vec::new()));
    }
}
