//! Surveillance, ratings, the coach, and the value of exposed cards.

use axum::http::StatusCode;
use baize_house::{Actor, Chips, Duty, Order, Pace, Shoe, TableId};
use baize_rules::{Area, BoxNumber, IrregularityKind, Money, Reveal, Role, Whose};
use baize_table::{Command, Facts, Place, Report, Staff};

use crate::client::{TestCasino, field};
use crate::matrix::act;
use crate::pages::play_a_round;

#[tokio::test(flavor = "multi_thread")]
async fn an_officer_sees_what_exposed_cards_are_worth() {
    let casino = TestCasino::open().await;
    let mut officer = casino.staff(Duty::Auditor).await;
    // The dealer cannot qualify, so even a worthless hand bets.
    let hand = "/surveillance/rws-casino-stud?hand=Kd+Jc+8s+3h+2d&up=4c";
    let seen = officer.get(&format!("{hand}&dealer=5h+7s+9c+Td")).await.text();
    assert!(seen.contains("turn fold into bet: worth 2.000000 antes"), "{seen}");
    assert!(officer.get(hand).await.text().contains("change nothing here: fold"));
    let twice = officer.get(&format!("{hand}&dealer=Kd")).await.text();
    assert!(twice.contains("is named twice"), "{twice}");
    let many = officer.get("/surveillance/mbs-holdem-bonus?ask=exposure&see_dealer=3").await.text();
    assert!(many.contains("so give 1 to 2"), "{many}");
    let nothing = officer.get("/surveillance/mbs-holdem-bonus?ask=exposure").await.text();
    assert!(nothing.contains("tate what is seen"), "{nothing}");
    // Every round: computed in the background; the page refreshes until the result is there.
    let ask = "/surveillance/rws-casino-stud?ask=exposure&see_dealer=1&rounds=40&ante=25";
    let mut page = officer.get(ask).await;
    while page.header("refresh") == "2" {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        page = officer.get(ask).await;
    }
    let found = page.text();
    assert!(
        found.contains("of the ante, exactly") && found.contains("at 40 rounds with an ante of 25"),
        "{found}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_sees_their_own_rating_and_no_evidence() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    play_a_round(&mut ann, "rs-1").await;
    let own = ann.get("/api/v1/players/ann/rating").await.json();
    assert_eq!((&own["all"]["hands"], &own["all"]["decisions"]), (&1.into(), &1.into()));
    assert_eq!(own["tables"][0]["of"], "rs-1");
    assert!(own["all"]["suspicion"].is_null() && !own.to_string().contains("evidence"), "{own}");
    let page = ann.get("/rating").await.text();
    assert!(page.contains("How you play") && !page.contains("evidence"), "{page}");
    let mut auditor = casino.staff(Duty::Auditor).await;
    let theirs = auditor.get("/api/v1/players/ann/rating").await.json();
    assert_eq!(theirs["all"]["hands"], 1);
    assert!(theirs["all"]["suspicion"]["departures"].is_u64());
    assert!(auditor.get("/rating/ann").await.text().contains("Departures from best play and hidden cards"));
    assert!(auditor.get("/rating").await.text().contains("/rating/ann"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_asks_and_scores() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let place = "/coach/rws-casino-stud";
    let mut page = ann.get(place).await;
    while page.header("refresh") == "2" {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        page = ann.get(place).await;
    }
    let drill = field(&page.text(), "drill");
    let said = ann.form(place, place, &[("drill", &drill), ("answer", "fold")]).await;
    assert!(said.status.is_redirection());
    let after = ann.get(place).await.text();
    assert!(after.contains("of 1 right") && after.contains("antes: you"), "{after}");
    // The same answer again, or one to another question, is ignored.
    ann.form(place, place, &[("drill", &drill), ("answer", "fold")]).await;
    assert!(ann.get(place).await.text().contains("of 1 right"));
    // The lesson is stored in a cookie.
    let kept = said.header("set-cookie");
    assert!(kept.contains("Path=/coach/rws-casino-stud;") && kept.contains("HttpOnly"), "{kept}");
    // A server without the session continues from the cookie. Each person has their own; an invalid cookie starts over.
    let mut bob = casino.player("bob").await;
    bob.cookies.insert("baize-coach.ann".to_owned(), "1.0.2h2d9hJhKh.6s.".to_owned());
    bob.cookies.insert("baize-coach.bob".to_owned(), "1.0.2h2d9hJhKh.5s.".to_owned());
    assert_eq!(field(&bob.get(place).await.text(), "drill"), "2♥ 2♦ 9♥ J♥ K♥ against 5♠");
    let mut eve = casino.player("eve").await;
    eve.cookies.insert("baize-coach.eve".to_owned(), "1.0.nonsense".to_owned());
    assert!(field(&eve.get(place).await.text(), "drill").contains("against"));
    let card = ann.get("/odds/rws-casino-stud/card").await;
    assert_eq!(card.status, StatusCode::OK);
    assert!(card.text().contains("When to bet"), "{}", card.text());
    let odds = ann.get("/odds/rws-casino-stud").await.text();
    assert!(odds.contains("Element of risk") && odds.contains("id=\"jackpot\""), "{odds}");
}

/// An exposed card of the dealer becomes the face-up card (RS 5.16). The round's record has its value for each box whose cards the reader may see.
#[tokio::test(flavor = "multi_thread")]
async fn a_round_has_the_value_of_exposed_cards() {
    let casino = TestCasino::open().await;
    let (mut ann, mut bob) = (casino.player("ann").await, casino.player("bob").await);
    let table: TableId = "rs-1".parse().unwrap();
    let staff = |duty: Duty| Actor::staff(duty.code().parse().unwrap(), [duty]);
    let player = |name: &str| Actor::player(name.parse().unwrap());
    let (pit, dealer) = (staff(Duty::PitSupervisor), staff(Duty::Dealer));
    let does = async |who: &Actor, order: Order| act(&casino.house, who, &table, order).await;
    let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<_>>();
    let bet = |seat, area, dollars| Order::Bet {
        wagers: vec![Chips { seat: BoxNumber(seat), area, amount: Money::from_dollars(dollars) }],
    };
    does(&pit, Order::SetPace { pace: Pace::Dealer }).await;
    does(&pit, Order::SetShoe { shoe: Shoe::Entered }).await;
    does(&dealer, Command::Open.into()).await;
    does(&player("ann"), bet(1, Area::Ante, 50)).await;
    does(&player("bob"), bet(2, Area::Ante, 50)).await;
    does(&dealer, Command::Close.into()).await;
    for (to, text) in [
        (Place::Box(BoxNumber(1)), "Kc Kd 8h 5s 3c"),
        (Place::Box(BoxNumber(2)), "Qs Js 7h 6d 2d"),
        (Place::Dealer, "Ah 9d 9c 7s 4h"),
    ] {
        does(&dealer, Command::Deal { to, cards: cards(text) }.into()).await;
    }
    let facts = Facts {
        count: Some(1),
        whose: Some(Whose::Dealer),
        card: Some("9d".parse().unwrap()),
        ..Facts::default()
    };
    let by = Staff::of(Role::Dealer);
    does(
        &dealer,
        Command::Report(Report { kind: IrregularityKind::ExposedCards, seat: None, facts, by }).into(),
    )
    .await;
    for (name, seat) in [("ann", 1), ("bob", 2)] {
        does(&player(name), Command::Look { seat: BoxNumber(seat) }.into()).await;
    }
    does(&player("ann"), bet(1, Area::Bet, 100)).await;
    does(&player("bob"), Command::Fold { seat: BoxNumber(2) }.into()).await;
    does(&dealer, Command::Reveal { what: Reveal::Dealer }.into()).await;
    does(&dealer, Command::Settle.into()).await;
    let seats = |record: &serde_json::Value| -> Vec<u64> {
        let boxes = record["incident"]["boxes"].as_array().unwrap();
        boxes.iter().map(|of| of["seat"].as_u64().unwrap()).collect()
    };
    let round = "/api/v1/rounds/rs-1/1";
    let mut auditor = casino.staff(Duty::Auditor).await;
    let whole = auditor.get(round).await.json();
    assert_eq!(seats(&whole), [1, 2], "{whole}");
    let first = &whole["incident"]["boxes"][0];
    assert_ne!(first["before"], first["after"]);
    // Bob folded without showing: only Bob and the auditor see that box.
    assert_eq!(seats(&ann.get(round).await.json()), [1]);
    assert_eq!(seats(&bob.get(round).await.json()), [1, 2]);
    assert_eq!(seats(&casino.client().get(round).await.json()), [1]);
    assert!(auditor.get("/history/rs-1/1").await.text().contains("Exposed cards: 9♦"));
}
