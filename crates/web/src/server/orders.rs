//! Forms that make something happen. What may happen is decided by the house: a forged box or amount gets its refusal.

use axum::extract::{FromRequest, FromRequestParts as _, Path, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use baize_cards::Card;
use baize_house::{Actor, Chips, HouseError, JackpotId, Order, Pace, Shoe, TableId, TableView};
use baize_rules::{Area, BoxNumber, Reveal};
use baize_table::{Choice, Command, Place, Player, Ruling, Staff};

use super::app::App;
use super::body::Form;
use super::fault::{Fault, html, sentence};
use super::guard::is_live;
use super::page_handlers::named;
use super::set_up::{amount, limits};
use super::view_models::{self, table::Extra};
use super::visitor::Visitor;
use crate::pages::deeds::{Deal, Hit, Play, SetUp};
use crate::pages::model::expected;
use crate::pages::{login, remedies};

type Answer = Result<Response, Fault>;

/// The request of a player who has asked the dealer to bet, where the form has no words of its own for it.
const SPOKEN: &str = "asked for at the table";

/// How often a form is held against the table again when others act at the same time.
const TRIES: u32 = 12;

fn area(form: &Form) -> Result<Area, Fault> {
    let code = form.text("area");
    Area::ALL
        .into_iter()
        .find(|area| area.code() == code)
        .ok_or_else(|| Fault::unreadable("there is no such area"))
}

/// The player who acts, by their session and never by a field.
fn me(visitor: &Visitor) -> Result<Player, Fault> {
    Ok(visitor.actor.as_player().map(Player::from).ok_or(HouseError::NotLoggedIn)?)
}

/// Visitors who are not logged in are asked to log in.
fn logged_in(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor == Actor::Public { Err(HouseError::NotLoggedIn.into()) } else { Ok(()) }
}

/// A form for a table, from a visitor who is logged in.
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
        let table = named(&id)?;
        logged_in(&visitor)?;
        Ok(TableForm { app: app.clone(), visitor, table, headers, form })
    }
}

/// `POST /table/{id}/do`: what a player does.
pub(crate) async fn play(TableForm { app, visitor, table, headers, form }: TableForm) -> Answer {
    let seat = || form.read::<BoxNumber>("seat");
    let what: Play = form.deed()?;
    let order = match what {
        Play::Bet => Order::Bet { wagers: wagers(&form)? },
        Play::Ready => Order::Ready,
        Play::Sit => Order::Sit {
            seat: match form.maybe("seat")? {
                Some(seat) => Some(seat),
                None => view_models::table::middle_free(&app.house.table(&table).await?),
            },
        },
        Play::Leave => Order::Leave,
        Play::Withdraw => {
            Command::Withdraw { seat: seat()?, player: me(&visitor)?, area: area(&form)? }.into()
        }
        Play::Look => Command::Look { seat: seat()? }.into(),
        Play::Raise => Command::PlaceWager {
            seat: seat()?,
            player: me(&visitor)?,
            area: area(&form)?,
            amount: form.read("amount")?,
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
        let (me, decides) = match what {
            Play::Bet | Play::Ready | Play::Withdraw => (Some(me(&visitor)?), None),
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
            None => Ok(expected::bets(&view.round, me.as_ref())),
        };
        if !act_if_expected(&app, &visitor, &table, &form, order, now).await? {
            return stale(&headers, format!("/table/{table}"), || {
                view_models::table::regions(&app, &visitor, &table, Extra::default())
            })
            .await;
        }
    } else {
        app.house.act(&visitor.actor, &table, &form.command("")?, order).await?;
    }
    if what == Play::Leave {
        return Ok(Redirect::to(&format!("{}/", visitor.base)).into_response());
    }
    if form.text("then") == "ready" {
        app.house.act(&visitor.actor, &table, &form.command("ready")?, Order::Ready).await?;
    }
    if is_live(&headers) {
        return Ok(html(&view_models::table::regions(&app, &visitor, &table, Extra::default()).await?));
    }
    Ok(Redirect::to(&format!("{}/table/{table}", visitor.base)).into_response())
}

/// Carries out a form if the table is still what it was made for: `now` says what a form would be made for now. What was looked at is
/// what is acted on: the order is for that version of the table and no other, on whichever host. A form that was carried out before is
/// told so. No: it is for something that is over.
async fn act_if_expected(
    app: &App,
    visitor: &Visitor,
    table: &TableId,
    form: &Form,
    order: Order,
    now: impl Fn(&TableView) -> Result<String, Fault>,
) -> Result<bool, Fault> {
    let (house, id) = (&app.house, form.command("")?);
    for _ in 0..TRIES {
        let view = house.view(&visitor.actor, table).await?;
        let expected = form.text("expects") == now(&view)?;
        // No table is at version 0: only what was done before is answered.
        let version = if expected { view.info.version } else { 0 };
        match house.act_at(&visitor.actor, table, &id, order.clone(), Some(version)).await {
            Ok(_) => return Ok(true),
            // Others did something meanwhile that need not concern this form: look again.
            Err(HouseError::Stale { .. }) if expected => {}
            Err(HouseError::Stale { .. }) => return Ok(false),
            Err(other) => return Err(other.into()),
        }
    }
    Ok(false)
}

/// The answer to a form that was made for something that is over: what is now, and that nothing was done.
async fn stale<F>(headers: &HeaderMap, place: String, show: impl FnOnce() -> F) -> Answer
where
    F: Future<Output = Result<maud::Markup, Fault>>,
{
    let fault = Fault::Stale(place);
    if !is_live(headers) {
        return Err(fault);
    }
    let words = login::refusal(&sentence(&fault.words()));
    let now = show().await?;
    Ok((fault.status(), html(&maud::html! { (now) (words) })).into_response())
}

/// The bets of one form: areas left at nothing are not bet.
fn wagers(form: &Form) -> Result<Vec<Chips>, Fault> {
    let seat = form.read("seat")?;
    let mut wagers = Vec::new();
    for (area, name) in [(Area::Ante, "ante"), (Area::Bonus, "bonus"), (Area::Jackpot, "jackpot")] {
        let amount = form.money(name)?;
        if !amount.is_zero() {
            wagers.push(Chips { seat, area, amount });
        }
    }
    if wagers.is_empty() {
        return Err(Fault::unreadable("no amount was given"));
    }
    Ok(wagers)
}

fn choice(form: &Form) -> Result<Choice, Fault> {
    let code = form.text("choice");
    let choice = Choice::ALL.into_iter().find(|choice| choice.code() == code);
    choice.ok_or_else(|| Fault::unreadable("there is no such choice"))
}

/// `POST /dealer/{id}/do`: what a dealer does. Cards that are refused stay in their field, also without a script on the page.
pub(crate) async fn deal(TableForm { app, visitor, table, headers, form }: TableForm) -> Answer {
    view_models::dealer::may(&visitor)?;
    app.house.may_deal(&visitor.actor, &table)?;
    match dealt(&app, &visitor, &table, &headers, &form).await {
        Err(fault) if matches!(form.deed(), Ok(Deal::Enter)) && !is_live(&headers) => {
            let why = sentence(&fault.words());
            let page = view_models::dealer::refused(&app, &visitor, &table, form.text("cards"), why).await?;
            Ok((fault.status(), html(&page)).into_response())
        }
        answer => answer,
    }
}

async fn dealt(app: &App, visitor: &Visitor, table: &TableId, headers: &HeaderMap, form: &Form) -> Answer {
    let order = dealers_order(form)?;
    if !form.has("expects") {
        return Err(Fault::unreadable("the form does not say which step it is for"));
    }
    let now = |view: &TableView| Ok(view_models::dealer::step(view));
    if !act_if_expected(app, visitor, table, form, order, now).await? {
        let regions = || view_models::dealer::regions(app, visitor, table);
        return stale(headers, format!("/dealer/{table}"), regions).await;
    }
    if is_live(headers) {
        return Ok(html(&view_models::dealer::regions(app, visitor, table).await?));
    }
    Ok(Redirect::to(&format!("{}/dealer/{table}", visitor.base)).into_response())
}

fn dealers_order(form: &Form) -> Result<Order, Fault> {
    let seat = || form.read::<BoxNumber>("seat");
    Ok(match form.deed::<Deal>()? {
        Deal::Open => Command::Open.into(),
        Deal::Close => Command::Close.into(),
        Deal::Next => Order::DealNext,
        Deal::All => Order::DealAll,
        Deal::Enter => Order::EnterCards { cards: typed(form.text("cards"))? },
        Deal::TakeBack => Order::TakeBack,
        Deal::Settle => Command::Settle.into(),
        Deal::Reveal => Command::Reveal { what: reveal(form)? }.into(),
        Deal::Cards => cards(form)?,
        Deal::Absent => Command::Absent { seat: seat()? }.into(),
        Deal::Decline => Command::Decline { seat: seat()? }.into(),
        Deal::Fold => Command::Fold { seat: seat()? }.into(),
        Deal::Check => Command::Check { seat: seat()? }.into(),
        Deal::Raise => Order::BetFor {
            player: form.read("player")?,
            wager: Chips { seat: seat()?, area: area(form)?, amount: form.read("amount")? },
            request: if form.has("request") { reason(form, "request")? } else { SPOKEN.to_owned() },
            unnoticed: false,
        },
    })
}

fn reveal(form: &Form) -> Result<Reveal, Fault> {
    let code = form.text("what");
    Reveal::ALL
        .into_iter()
        .find(|what| what.code() == code)
        .ok_or_else(|| Fault::unreadable("there is nothing like that to turn"))
}

/// Cards as a dealer types them: `as 10d`, `as10d`, `as,10d`.
fn cards(form: &Form) -> Result<Order, Fault> {
    let cards = typed(form.text("cards"))?;
    let to = match form.text("to") {
        "burn" => {
            let [card] = cards[..] else { return Err(Fault::unreadable("one card is burnt at a time")) };
            return Ok(Command::Burn { card }.into());
        }
        "board" => Place::Board,
        "dealer" => Place::Dealer,
        place => {
            let seat = place.strip_prefix("box-").and_then(|seat| seat.parse().ok());
            Place::Box(seat.ok_or_else(|| {
                Fault::unreadable("the cards go to a box, the board, the dealer or are burnt")
            })?)
        }
    };
    Ok(Command::Deal { to, cards }.into())
}

fn typed(text: &str) -> Result<Vec<Card>, Fault> {
    let mut cards = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let mut rest: Vec<char> = word.chars().take(200).collect();
        while !rest.is_empty() {
            let size = if rest.starts_with(&['1', '0']) { 3 } else { 2 };
            let one: String = rest.iter().take(size).collect();
            let card = one.parse().map_err(|_| {
                Fault::unreadable(format!("`{one}` is not a card: write rank and suit, like as, 10d, kh"))
            })?;
            cards.push(card);
            rest.drain(..size.min(rest.len()));
        }
    }
    if cards.len() > 52 { Err(Fault::unreadable("a deck has 52 cards")) } else { Ok(cards) }
}

impl TableForm {
    /// Carries out a form of the pit, and leads back to where it was sent from.
    async fn carry_out(&self, order: Order) -> Answer {
        self.app.house.act(&self.visitor.actor, &self.table, &self.form.command("")?, order).await?;
        self.back_to_pit().await
    }

    /// Carries out a report or a ruling if the table still is what its consequences were shown for.
    async fn carry_out_as_shown(&self, order: Order) -> Answer {
        self.app.house.may_deal(&self.visitor.actor, &self.table)?;
        let now = |view: &TableView| Ok(expected::desk(&view.round, view.info.version));
        if act_if_expected(&self.app, &self.visitor, &self.table, &self.form, order, now).await? {
            return self.back_to_pit().await;
        }
        stale(&self.headers, format!("/pit/{}", self.table), || {
            view_models::pit::desk_regions(&self.app, &self.visitor, &self.table, &self.form)
        })
        .await
    }

    async fn back_to_pit(&self) -> Answer {
        let TableForm { app, visitor, table, headers, .. } = self;
        let desk = format!("/pit/{table}");
        let from = headers.get("referer").and_then(|from| from.to_str().ok()).unwrap_or_default();
        let from_desk = from.split('?').next().unwrap_or_default().ends_with(&desk);
        if is_live(headers) {
            let markup = if from_desk {
                view_models::pit::desk_regions(app, visitor, table, &Form::empty()).await?
            } else {
                view_models::pit::regions(app, visitor).await?
            };
            return Ok(html(&markup));
        }
        let place = if from_desk { desk.as_str() } else { "/pit" };
        Ok(Redirect::to(&format!("{}{place}", visitor.base)).into_response())
    }
}

/// `POST /pit/{id}/report`
pub(crate) async fn report(sent: TableForm) -> Answer {
    let report = view_models::pit::report(&sent.form, staff(&sent.visitor)?)?
        .ok_or_else(|| Fault::unreadable("the form does not say what happened"))?;
    sent.carry_out_as_shown(Command::Report(report).into()).await
}

fn staff(visitor: &Visitor) -> Result<Staff, Fault> {
    let needs = baize_house::Duty::Dealer;
    Ok(visitor.actor.as_staff().ok_or(HouseError::Forbidden { needs, cites: baize_rules::Cites::NONE })?)
}

/// `POST /pit/{id}/rule`
pub(crate) async fn rule(sent: TableForm) -> Answer {
    let TableForm { app, visitor, table, form, .. } = &sent;
    let kind = remedies::ruling_of(form.text("ruling"))
        .ok_or_else(|| Fault::unreadable("there is no such ruling"))?;
    let reason = Some(reason(form, "reason")?).filter(|reason| !reason.is_empty());
    let ruling = Ruling { kind, by: staff(visitor)?, reason };
    if ruling.reason.is_none() && view_models::pit::moves_money(app, visitor, table, &ruling).await? {
        return Err(Fault::unreadable("this ruling moves money: give the reason for the record"));
    }
    sent.carry_out_as_shown(Command::Rule(ruling).into()).await
}

/// Words for the record.
fn reason(form: &Form, name: &str) -> Result<String, Fault> {
    let text = form.text(name).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > 500 {
        return Err(Fault::unreadable("the text is too long: 500 characters at most"));
    }
    if text.chars().any(char::is_control) {
        return Err(Fault::unreadable(
            "the text has control characters: use letters, digits and punctuation",
        ));
    }
    Ok(text)
}

/// `POST /pit/database`: a Shift Manager continues with a database that lacks entries that were answered.
pub(crate) async fn accept_database(State(app): State<App>, visitor: Visitor, form: Form) -> Answer {
    logged_in(&visitor)?;
    app.house.accept_database(&visitor.actor, &reason(&form, "reason")?).await?;
    Ok(Redirect::to(&format!("{}/pit", visitor.base)).into_response())
}

/// `POST /pit/{id}/close`
pub(crate) async fn close(sent: TableForm) -> Answer {
    let reason = reason(&sent.form, "notice")?;
    sent.carry_out(Order::GiveNotice { reason }).await
}

/// `POST /pit/{id}/set`: opens a table again, assigns dealers, or sets who deals, from which shoe, and the limits.
pub(crate) async fn set(sent: TableForm) -> Answer {
    let form = &sent.form;
    let order = match form.read("set")? {
        SetUp::Reopen => Order::Reopen,
        SetUp::Auto => Order::SetPace {
            pace: Pace::Auto {
                betting_seconds: form.maybe("betting_seconds")?.unwrap_or(20),
                decision_seconds: form.maybe("decision_seconds")?.unwrap_or(30),
            },
        },
        SetUp::Dealer => Order::SetPace { pace: Pace::Dealer },
        SetUp::Computer => Order::SetShoe { shoe: Shoe::Computer },
        SetUp::Entered => Order::SetShoe { shoe: Shoe::Entered },
        SetUp::Assign => Order::Assign { dealer: form.read("dealer")? },
        SetUp::Relieve => Order::Relieve { dealer: form.read("dealer")? },
        SetUp::Fill => Order::FillFloat { amount: amount(form, "amount")? },
        SetUp::Limits => {
            Order::SetLimits { ante: limits(form, "ante")?, bonus: Some(limits(form, "bonus")?) }
        }
    };
    sent.carry_out(order).await
}

/// `POST /jackpot/{id}/hit`
pub(crate) async fn hit(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    form: Form,
) -> Answer {
    let jackpot: JackpotId = named(&id)?;
    logged_in(&visitor)?;
    let hit: u64 = form.read("hit")?;
    let house = app.house.for_request(Some(form.command("")?), None);
    match form.deed()? {
        Hit::Verify => house.verify_hit(&visitor.actor, &jackpot, hit).await?,
        Hit::Confirm => house.confirm_hit(&visitor.actor, &jackpot, hit).await?,
        Hit::Reject => house.reject_hit(&visitor.actor, &jackpot, hit, &reason(&form, "reason")?).await?,
    }
    if is_live(&headers) {
        return Ok(html(&view_models::pit::regions(&app, &visitor).await?));
    }
    Ok(Redirect::to(&format!("{}/pit", visitor.base)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_typed_in_any_common_way() {
        let codes = |text: &str| {
            typed(text)
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
