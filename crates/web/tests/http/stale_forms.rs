//! Forms name the state they were made for: nothing is carried out twice or too late. Also card entry from a real shoe.

use axum::http::StatusCode;
use baize_house::Duty;
use baize_rules::{BoxNumber, Money};
use baize_table::PhaseName;

use crate::client::{Client, Response, TestCasino, field};

const TABLE: &str = "rs-1";

/// A table with a dealer, and clients for dealer, pit and player.
async fn table_with_dealer() -> (TestCasino, Client, Client, Client) {
    let casino = TestCasino::open().await;
    let mut pit = casino.staff(Duty::PitSupervisor).await;
    let desk = format!("/pit/{TABLE}");
    assert!(
        pit.form(&desk, &format!("{desk}/set"), &[("set", "dealer")]).await.status.is_redirection(),
        "the table has a dealer"
    );
    let (dora, ann) = (casino.staff(Duty::Dealer).await, casino.player("ann").await);
    (casino, dora, pit, ann)
}

fn console() -> String {
    format!("/dealer/{TABLE}")
}

/// The hidden fields of the console's current form for this action.
async fn next(client: &mut Client, what: &str) -> Vec<(String, String)> {
    hidden(&client.get(&console()).await.text(), &format!("name=\"do\" value=\"{what}\""))
}

/// The hidden fields of the form that contains this text.
fn hidden(page: &str, mark: &str) -> Vec<(String, String)> {
    let form = page
        .split("<form")
        .find(|form| form.contains(mark))
        .unwrap_or_else(|| panic!("no form with {mark} on {page}"));
    let mut fields = Vec::new();
    for input in form.split("<input type=\"hidden\" ").skip(1) {
        let name = input.split("name=\"").nth(1).unwrap().split('"').next().unwrap();
        fields.push((name.to_owned(), field(&format!(" {input}"), name)));
    }
    fields
}

async fn post(client: &mut Client, fields: &[(String, String)]) -> Response {
    post_to(client, &format!("{}/do", console()), fields).await
}

async fn post_to(client: &mut Client, action: &str, fields: &[(String, String)]) -> Response {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    client.post(action, &fields).await
}

/// The desk's confirmation form for the report or ruling in a query.
async fn confirmation(pit: &mut Client, query: &str) -> Vec<(String, String)> {
    let page = pit.get(&format!("/pit/{TABLE}?{query}")).await.text();
    hidden(&page, "name=\"expects\"")
}

async fn report(pit: &mut Client, query: &str) {
    let form = confirmation(pit, query).await;
    let answer = post_to(pit, &format!("/pit/{TABLE}/report"), &form).await;
    assert!(answer.status.is_redirection(), "{}", answer.text());
}

async fn press(client: &mut Client, what: &str) {
    let form = next(client, what).await;
    let answer = post(client, &form).await;
    assert!(answer.status.is_redirection(), "{what}: {}", answer.text());
}

async fn bet(ann: &mut Client) {
    let place = format!("/table/{TABLE}");
    let answer =
        ann.form(&place, &format!("{place}/do"), &[("do", "bet"), ("seat", "4"), ("ante", "10.00")]).await;
    assert!(answer.status.is_redirection(), "{}", answer.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_or_two_dealers_deal_once() {
    let (casino, mut dora, mut sam, mut ann) = table_with_dealer().await;
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    let version = || async { casino.house.table(&TABLE.parse().unwrap()).await.unwrap().version };
    // Both load the console and press the same button; the first one presses twice.
    let (hers, his) = (next(&mut dora, "next").await, next(&mut sam, "next").await);
    let before = version().await;
    assert!(post(&mut dora, &hers).await.status.is_redirection());
    let after = version().await;
    assert!(after > before);
    assert!(post(&mut dora, &hers).await.status.is_redirection(), "the second click gets the same answer");
    let late = post(&mut sam, &his).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text().contains("The table has moved on") && late.text().contains("href=\"/dealer/rs-1\""));
    assert_eq!(version().await, after, "nothing was dealt twice");
    // At the same moment, only one of them acts.
    let (hers, his) = (next(&mut dora, "next").await, next(&mut sam, "next").await);
    let (one, other) = tokio::join!(post(&mut dora, &hers), post(&mut sam, &his));
    let done = [&one, &other].iter().filter(|answer| answer.status.is_redirection()).count();
    assert_eq!(done, 1, "{} {}", one.status, other.status);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_settlement_does_not_open_the_next_round() {
    let (casino, mut dora, mut sam, mut ann) = table_with_dealer().await;
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    let mut kept = None;
    for _ in 0..60 {
        let page = dora.get(&console()).await.text();
        let form = page.split("<form").find(|form| form.contains("primary big")).map(ToOwned::to_owned);
        match form.map(|form| field(&form, "do")).as_deref() {
            Some("settle") => {
                kept = Some(next(&mut sam, "settle").await);
                press(&mut dora, "settle").await;
                break;
            }
            Some("reveal") => press(&mut dora, "reveal").await,
            Some(_) => press(&mut dora, "next").await,
            None => {
                let place = format!("/table/{TABLE}");
                let fields = [("do", "fold"), ("seat", "4")];
                ann.form(&place, &format!("{place}/do"), &fields).await;
            }
        }
    }
    let round = || async { casino.house.table(&TABLE.parse().unwrap()).await.unwrap() };
    let settled = round().await;
    assert_eq!(settled.phase, PhaseName::Finished);
    let late = post(&mut sam, &kept.unwrap()).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert_eq!(round().await.version, settled.version);
    // A dealer's form must name its step.
    let bare = dora.form(&console(), &format!("{}/do", console()), &[("do", "open")]).await;
    assert_eq!(bare.status, StatusCode::BAD_REQUEST);
    // The script gets the current table and a message.
    let form = next(&mut dora, "open").await;
    press(&mut sam, "open").await;
    let fields: Vec<(&str, &str)> = form.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let request = dora
        .request(axum::http::Method::POST, &format!("{}/do", console()))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("x-baize", "live")
        .body(axum::body::Body::from(crate::client::encoded(&fields)))
        .unwrap();
    let live = dora.send(request).await;
    assert_eq!(live.status, StatusCode::CONFLICT);
    assert!(live.text().contains("id=\"console\"") && live.text().contains("id=\"toast\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_window_cannot_bet_again() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let mut other = ann.clone();
    let windows = [ann.get("/table/rh-1").await.text(), other.get("/table/rh-1").await.text()];
    let mut statuses = Vec::new();
    for page in &windows {
        let (csrf, id, expects) = (field(page, "csrf"), field(page, "id"), field(page, "expects"));
        let fields = [
            ("csrf", csrf.as_str()),
            ("id", id.as_str()),
            ("expects", expects.as_str()),
            ("do", "bet"),
            ("seat", "4"),
            ("ante", "10.00"),
        ];
        statuses.push(ann.post("/table/rh-1/do", &fields).await.status);
    }
    assert_eq!(statuses, [StatusCode::SEE_OTHER, StatusCode::CONFLICT]);
    assert_eq!(casino.house.purse(&"ann".parse().unwrap()).await.unwrap(), Money::from_dollars(9_990));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_default_box_is_in_the_middle() {
    let casino = TestCasino::open().await;
    let mut seats = Vec::new();
    for name in ["ann", "bob", "cho"] {
        let mut client = casino.client();
        client.form("/", "/join", &[("name", name), ("table", "rh-1")]).await;
        let info = casino.house.table(&"rh-1".parse().unwrap()).await.unwrap();
        seats.push(info.guests[&name.parse().unwrap()]);
    }
    assert_eq!(seats, [4, 3, 5].map(BoxNumber));
}

/// The console's next step, in words.
async fn prompt(client: &mut Client) -> String {
    let page = client.get(&console()).await.text();
    let said =
        page.split("class=\"big-say\">").nth(1).map(|rest| rest.split("</p>").next().unwrap_or_default());
    said.unwrap_or_default().replace("<b>", "").replace("</b>", "")
}

/// Enters cards in the console without the script.
async fn enter(client: &mut Client, cards: &str) -> Response {
    let mut form = next(client, "enter").await;
    form.push(("cards".to_owned(), cards.to_owned()));
    post(client, &form).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_asks_for_one_card_at_a_time() {
    let (casino, mut dora, mut pit, mut ann) = table_with_dealer().await;
    let desk = format!("/pit/{TABLE}");
    assert!(pit.form(&desk, &format!("{desk}/set"), &[("set", "entered")]).await.status.is_redirection());
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    // RS 3.10: a burn, then one card at a time.
    assert_eq!(prompt(&mut dora).await, "Burn a card");
    let page = dora.get(&console()).await.text();
    assert!(page.contains("Skip the burn") && page.contains("data-to=\"burn\""), "{page}");
    let two = enter(&mut dora, "7s 2h").await;
    assert_eq!(two.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(two.text().contains("value=\"7s 2h\""), "what was typed stays: {}", two.text());
    assert!(two.text().contains("2 cards, but one card is burnt now"), "{}", two.text());
    assert!(enter(&mut dora, "7s").await.status.is_redirection());
    assert!(!dora.get(&console()).await.text().contains("Skip the burn"));
    for (card, to) in [("2h", "box 4"), ("Ac", "the dealer"), ("5h", "box 4"), ("Ks", "the dealer")] {
        assert_eq!(prompt(&mut dora).await, format!("Deal one card to {to}"));
        assert!(enter(&mut dora, card).await.status.is_redirection());
    }
    for card in ["9h", "9c", "Jh", "4c", "Kd", "3s"] {
        assert!(enter(&mut dora, card).await.status.is_redirection());
    }
    // No card is due: no entry field, but the last entry can be taken back.
    let page = dora.get(&console()).await.text();
    assert!(!page.contains("data-card-input autofocus") && !page.contains("value=\"enter\""), "{page}");
    assert!(page.contains("value=\"take-back\""), "{page}");
    let seen = casino.house.view(&baize_house::Actor::Public, &TABLE.parse().unwrap()).await.unwrap().round;
    assert_eq!(
        (seen.boxes[&BoxNumber(4)].cards.len(), seen.dealer.len()),
        (5, 5),
        "the refused entry reached no hand"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skipped_burn_is_recorded() {
    let (casino, mut dora, mut pit, mut ann) = table_with_dealer().await;
    let desk = format!("/pit/{TABLE}");
    assert!(pit.form(&desk, &format!("{desk}/set"), &[("set", "entered")]).await.status.is_redirection());
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    let page = dora.get(&console()).await.text();
    let skip = page.split("id=\"skip-burn\"").nth(1).unwrap().split("</details>").next().unwrap();
    assert!(skip.contains("5.9") && skip.contains("value=\"box-4\""), "{skip}");
    let mut form = next(&mut dora, "cards").await;
    form.push(("cards".to_owned(), "2h".to_owned()));
    assert!(post(&mut dora, &form).await.status.is_redirection());
    // The console does not ask for the burn again; the deal continues.
    assert_eq!(prompt(&mut dora).await, "Deal one card to the dealer");
    let seen = casino.house.view(&baize_house::Actor::Public, &TABLE.parse().unwrap()).await.unwrap().round;
    assert_eq!((seen.boxes[&BoxNumber(4)].cards.len(), seen.burnt.len()), (1, 0));
}

/// RS 5.9: with a real shoe the console asks for every card that a reconstruction moves, and accepts no other.
#[tokio::test(flavor = "multi_thread")]
async fn a_reconstruction_is_entered_card_by_card() {
    let (casino, mut dora, mut pit, mut ann) = table_with_dealer().await;
    let desk = format!("/pit/{TABLE}");
    assert!(pit.form(&desk, &format!("{desk}/set"), &[("set", "entered")]).await.status.is_redirection());
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    let mut form = next(&mut dora, "cards").await;
    form.push(("cards".to_owned(), "2h".to_owned()));
    assert!(post(&mut dora, &form).await.status.is_redirection());
    assert!(enter(&mut dora, "Ac").await.status.is_redirection());
    report(&mut pit, "kind=missed-burn&reconstructable=yes&seen=no").await;
    assert_eq!(prompt(&mut dora).await, "Move the card from box 4 to the burnt cards");
    let other = enter(&mut dora, "Ac").await;
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(other.text().contains("value=\"Ac\""), "what was typed stays: {}", other.text());
    let places = async || {
        let seen = casino.house.view(&baize_house::Actor::Public, &TABLE.parse().unwrap()).await.unwrap();
        (seen.round.boxes[&BoxNumber(4)].cards.len(), seen.round.dealer.len(), seen.round.burnt.len())
    };
    assert!(enter(&mut dora, "2h").await.status.is_redirection());
    assert_eq!(prompt(&mut dora).await, "Move the card from the dealer to box 4");
    assert_eq!(places().await, (1, 1, 0), "cards move only when all of them are entered");
    assert!(enter(&mut dora, "Ac").await.status.is_redirection());
    assert_eq!(places().await, (1, 0, 1));
    // After Ann's choice, the deal continues from the new places.
    let place = format!("/table/{TABLE}");
    let choice = [("do", "choose"), ("seat", "4"), ("choice", "reconstructed")];
    let chosen = ann.form(&place, &format!("{place}/do"), &choice).await;
    assert!(chosen.status.is_redirection(), "{}", chosen.text());
    assert_eq!(prompt(&mut dora).await, "Deal one card to the dealer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_for_one_report_does_not_answer_the_next() {
    let (casino, mut dora, mut pit, mut ann) = table_with_dealer().await;
    let mut shift = casino.staff(Duty::ShiftManager).await;
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    report(&mut pit, "kind=other").await;
    let rule = format!("/pit/{TABLE}/rule");
    let with_reason = |mut form: Vec<(String, String)>| {
        form.push(("reason".to_owned(), "the shoe was open".to_owned()));
        form
    };
    // One window is about to void the round, another lets play continue; then something else is reported.
    let old = with_reason(confirmation(&mut shift, "rule=void").await);
    let continues = confirmation(&mut shift, "rule=continue").await;
    assert!(post_to(&mut shift, &rule, &continues).await.status.is_redirection());
    report(&mut pit, "kind=other").await;
    let late = post_to(&mut shift, &rule, &old).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.text());
    assert!(late.text().contains("nothing was done"), "{}", late.text());
    let staked = Money::from_dollars(9_990);
    let purse = async || casino.house.purse(&"ann".parse().unwrap()).await.unwrap();
    assert_eq!(purse().await, staked, "the wagers are still held");
    // The ruling for the current report is carried out, once.
    let new = with_reason(confirmation(&mut shift, "rule=void").await);
    for _ in 0..2 {
        assert!(post_to(&mut shift, &rule, &new).await.status.is_redirection());
    }
    assert_eq!(purse().await, Money::from_dollars(10_000));
    // Every page that shows the ruling shows the reason.
    for (client, page) in
        [(&mut ann, format!("/table/{TABLE}")), (&mut dora, console()), (&mut pit, format!("/pit/{TABLE}"))]
    {
        let page = client.get(&page).await.text();
        assert!(page.contains("the shoe was open"), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_for_a_finished_round_is_refused() {
    let (_casino, mut dora, mut pit, mut ann) = table_with_dealer().await;
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    let old = confirmation(&mut pit, "kind=foreign-card").await;
    report(&mut pit, "kind=foreign-card").await;
    press(&mut dora, "open").await;
    bet(&mut ann).await;
    press(&mut dora, "close").await;
    // The same fields under another id are a new command, for a round that is over.
    let copy: Vec<_> = old
        .into_iter()
        .map(|(name, value)| if name == "id" { (name, "another-page".to_owned()) } else { (name, value) })
        .collect();
    let late = post_to(&mut pit, &format!("/pit/{TABLE}/report"), &copy).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.text());
}
