//! Two deals that differ only in hidden cards give the same answers to everything.

use std::path::PathBuf;
use std::sync::Arc;

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Family, IrregularityKind, Money, Reveal, Role, Whose};
use baize_table::{Command, Facts, Report, Ruling, RulingKind, Staff, Viewer};

use super::hidden_cards;
use crate::promised_deck::Promise;
use crate::shoe::{Shuffled, Shuffler};
use crate::{
    Actor, Chips, CommandId, Duty, House, HouseError, Instant, Order, Pace, PlayerId, RoundId, SetClock,
    SignificantKind, TableId,
};

/// A table with a human dealer and the computer's shoe, and everyone who sends requests.
pub(super) struct Floor {
    pub(super) house: House,
    pub(super) table: TableId,
    people: Vec<Actor>,
    pub(super) folder: PathBuf,
}

impl Drop for Floor {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub(super) fn player(name: &str) -> Actor {
    Actor::player(name.parse().unwrap())
}

pub(super) fn staff(name: &str, duty: Duty) -> Actor {
    Actor::staff(name.parse().unwrap(), [duty])
}

impl Floor {
    /// A dealt round: Ann at box 1 has looked at her hand, Ben at box 2 has not, and nobody has decided yet.
    pub(super) async fn dealt(name: &str, operator: &str, family: Family, deck: &[Card]) -> Floor {
        let folder = std::env::temp_dir().join(format!("baize-blind-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let database = folder.join("casino.sqlite").display().to_string();
        std::fs::write(format!("{database}.key"), "ab".repeat(32)).unwrap();
        let clock = Arc::new(SetClock::at(Instant(1_800_000_000_000)));
        let house = House::open_with(&database, clock).await.unwrap();
        house.set_up_default().await.unwrap();
        let tables = house.tables().await.unwrap();
        let found = tables.into_iter().find(|table| table.operator == operator && table.family == family);
        let table = found.unwrap().id;
        for name in ["ann", "ben"] {
            let id: PlayerId = name.parse().unwrap();
            house.create_player(&id, None, Money::from_dollars(10_000)).await.unwrap();
        }
        let mut people = vec![player("ann"), player("ben"), Actor::Public];
        for duty in Duty::ALL {
            house.create_staff(&Actor::House, &duty.code().parse().unwrap(), None, &[duty]).await.unwrap();
            people.push(staff(duty.code(), duty));
        }
        let floor = Floor { house, table, people, folder };
        let pit = staff("pit-supervisor", Duty::PitSupervisor);
        floor.act("pace", &pit, Order::SetPace { pace: Pace::Dealer }).await.unwrap();
        floor.act("assign", &pit, Order::Assign { dealer: "dealer".parse().unwrap() }).await.unwrap();
        floor.load(deck).await;
        let dealer = staff("dealer", Duty::Dealer);
        floor.act("open", &dealer, Command::Open.into()).await.unwrap();
        for (name, seat) in [("ann", 1), ("ben", 2)] {
            let chips =
                |area, dollars| Chips { seat: BoxNumber(seat), area, amount: Money::from_dollars(dollars) };
            let wagers = vec![chips(Area::Ante, 50), chips(Area::Jackpot, 5)];
            floor.act(name, &player(name), Order::Bet { wagers }).await.unwrap();
        }
        floor.act("close", &dealer, Command::Close.into()).await.unwrap();
        floor.act("deal", &dealer, Order::DealAll).await.unwrap();
        floor.act("look", &player("ann"), Command::Look { seat: BoxNumber(1) }.into()).await.unwrap();
        floor
    }

    /// Replaces the deck, under a dummy promise.
    async fn load(&self, deck: &[Card]) {
        let slot = self.house.table_slot(&self.table).unwrap();
        let mut work = slot.work.lock().await;
        let round = work.live.promise.as_ref().unwrap().round;
        work.deck = Some((round, Shuffled { salt: "00".to_owned(), deck: deck.to_vec() }));
        Arc::make_mut(&mut work.live).promise = Some(Promise { round, commitment: "promised".to_owned() });
        slot.publish(&work, true);
    }

    pub(super) async fn act(&self, id: &str, by: &Actor, order: Order) -> Result<String, HouseError> {
        let id: CommandId = id.parse().unwrap();
        let receipt = self.house.act(by, &self.table, &id, order).await?;
        Ok(serde_json::to_string(&receipt).unwrap())
    }

    /// The cards that a viewer can see.
    fn open(&self, viewer: &Viewer) -> CardSet {
        let live = Arc::clone(&self.house.table_slot(&self.table).unwrap().shown.get().live);
        hidden_cards::visible_cards(&live.book, &live.table, viewer)
    }

    /// Everything that this person can read.
    async fn told(&self, by: &Actor) -> String {
        let mut told = serde_json::to_string(&self.house.view(by, &self.table).await.unwrap()).unwrap();
        let id = RoundId { table: self.table.clone(), number: 1 };
        told.push_str(&format!("{:?}", self.house.round(by, &id).await.map(|_| ())));
        told.push_str(&format!("{:?}", self.house.proof_for(by, &id).await));
        told.push_str(&format!("{:?}", self.house.export_for(by, &id).await));
        told.push_str(&format!("{:?}", self.house.significant_events(by, 1_000).await));
        told.push_str(&format!("{:?}", self.house.jackpots().await));
        for line in self.house.journal(by, &crate::JournalFilter::default()).await.unwrap_or_default() {
            told.push_str(&format!(
                "{} {} {:?} {:?} {:?}",
                line.stream, line.version, line.at, line.kinds, line.postings
            ));
            if line.stream.starts_with("table/") {
                told.push_str(&format!("{:?}", line.body.map(|body| body.get("round").cloned())));
            }
        }
        told
    }
}

/// Every order that could reveal something about a card.
fn probing_orders(by: &Actor) -> Vec<Order> {
    let role = by.role().unwrap_or(Role::Dealer);
    let by = Staff { role, name: None };
    let mut orders: Vec<Order> = Vec::new();
    for seat in [BoxNumber(1), BoxNumber(2)] {
        orders.extend([Command::Show { seat }.into(), Command::Decline { seat }.into()]);
    }
    orders.push(Command::Settle.into());
    for kind in IrregularityKind::ALL {
        let facts = |card, whose| Facts {
            count: Some(1),
            reconstructable: Some(true),
            intentional: Some(false),
            card,
            whose,
            ..Facts::default()
        };
        // The report that names cards is tried with every card, all others with a few.
        let step = if kind == IrregularityKind::ExposedCards { 1 } else { 13 };
        let mut asked = vec![Facts::default(), facts(None, None)];
        for card in CardSet::FULL.iter().step_by(step) {
            asked.extend([facts(Some(card), None), facts(Some(card), Some(Whose::Dealer))]);
        }
        let report = |facts: &Facts| Report { kind, seat: None, facts: facts.clone(), by: by.clone() };
        orders.extend(asked.iter().map(|facts| Command::Report(report(facts)).into()));
    }
    for kind in [RulingKind::Void, RulingKind::FirstCard(1), RulingKind::NotIntentional] {
        orders.push(Command::Rule(Ruling { kind, by: by.clone(), reason: None }).into());
    }
    orders
}

/// Sends the same requests to both casinos and requires the same answers. Returns how many were `Hidden`.
async fn compare(one: &Floor, other: &Floor, stage: &str) -> u32 {
    let mut hidden = 0;
    for (person, by) in one.people.iter().enumerate() {
        assert_eq!(one.told(by).await, other.told(by).await, "{stage}: {by}");
        for (number, order) in probing_orders(by).into_iter().enumerate() {
            let asked = format!("{stage}: {by} asks for {order:?}");
            let foreseen = one.house.preview(by, &one.table, order.clone()).await;
            assert_eq!(foreseen, other.house.preview(by, &other.table, order.clone()).await, "{asked}");
            // Accepted orders would show cards: only refused ones are sent.
            if foreseen.is_ok() {
                continue;
            }
            let id = format!("{stage}-{person}-{number}");
            let answer = one.act(&id, by, order.clone()).await;
            assert_eq!(answer, other.act(&id, by, order).await, "{asked}");
            hidden += u32::from(answer == Err(HouseError::Hidden));
            assert!(answer.is_err(), "{asked}");
        }
        assert_eq!(one.told(by).await, other.told(by).await, "{stage}: {by}, afterwards");
    }
    hidden
}

async fn assert_same_answers(operator: &str, family: Family, seed: u8) {
    let name = format!("{operator}-{family:?}-{seed}");
    let deck = Shuffler::from_seed([seed; 32]).deck();
    let one = Floor::dealt(&format!("{name}-one"), operator, family, &deck).await;
    // What Ann sees stays in its place; every other card, dealt or not, is replaced.
    let open = one.open(&Viewer::Player("ann".into()));
    let unseen: Vec<Card> = deck.iter().copied().filter(|card| !open.contains(*card)).collect();
    let turned = |card: &Card| {
        let at = unseen.iter().position(|other| other == card);
        at.map_or(*card, |at| unseen[(at + 1) % unseen.len()])
    };
    let changed: Vec<Card> = deck.iter().map(turned).collect();
    let other = Floor::dealt(&format!("{name}-other"), operator, family, &changed).await;
    assert_eq!(other.open(&Viewer::Player("ann".into())), open);
    let hidden = compare(&one, &other, "dealt").await;
    assert!(hidden > 50, "{name}: {hidden} orders that only hidden cards could decide");
    for floor in [&one, &other] {
        floor.act("fold", &player("ann"), Command::Fold { seat: BoxNumber(1) }.into()).await.unwrap();
    }
    compare(&one, &other, "folded").await;
    // The attempts are on record as significant events, of which the list shows the latest.
    let pit = staff("pit-supervisor", Duty::PitSupervisor);
    let events = one.house.significant_events(&pit, 1_000).await.unwrap();
    let attempts = events.iter().filter(|event| {
        event.kind == SignificantKind::Attempts && event.words.contains("staff:shift-manager")
    });
    assert!(attempts.count() > 10, "{name}");
    let database = one.folder.join("casino.sqlite").display().to_string();
    assert!(baize_audit::audit_at(&database).await.unwrap().is_clean());
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_cards_affect_no_answer_at_a_stud_table() {
    assert_same_answers("RWS", Family::Stud, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_cards_affect_no_answer_at_a_holdem_table() {
    assert_same_answers("MBS", Family::Holdem, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revealed_hand_can_be_settled() {
    let deck = Shuffler::from_seed([9; 32]).deck();
    let floor = Floor::dealt("revealed", "RWS", Family::Stud, &deck).await;
    let dealer = staff("dealer", Duty::Dealer);
    for name in ["ann", "ben"] {
        let seat = BoxNumber(if name == "ann" { 1 } else { 2 });
        let view = floor.house.view(&player(name), &floor.table).await.unwrap();
        let raise = view.legal.wagers.iter().find(|wager| wager.seat == seat).unwrap();
        let wagers = vec![Chips { seat, area: raise.area, amount: raise.amounts.from }];
        floor.act(&format!("raise-{name}"), &player(name), Order::Bet { wagers }).await.unwrap();
    }
    floor.act("reveal", &dealer, Command::Reveal { what: Reveal::Dealer }.into()).await.unwrap();
    assert!(floor.house.view(&dealer, &floor.table).await.unwrap().legal.settle);
    floor.act("settle", &dealer, Command::Settle.into()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_that_hidden_cards_would_decide_is_recorded() {
    let deck = Shuffler::from_seed([5; 32]).deck();
    let floor = Floor::dealt("foreseen", "RWS", Family::Stud, &deck).await;
    let dealer = staff("dealer", Duty::Dealer);
    let mut hidden = 0;
    for order in probing_orders(&dealer) {
        hidden +=
            u32::from(floor.house.preview(&dealer, &floor.table, order).await == Err(HouseError::Hidden));
        if hidden == 3 {
            break;
        }
    }
    assert_eq!(hidden, 3);
    let pit = staff("pit-supervisor", Duty::PitSupervisor);
    let events = floor.house.significant_events(&pit, 10).await.unwrap();
    assert!(events.iter().any(|event| event.kind == SignificantKind::Attempts), "{events:#?}");
}
