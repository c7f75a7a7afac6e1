//! Rounds undone after settlement: the award goes back from the player to the jackpot. Also the order of payment between tables.

use baize_house::{
    Actor, Duty, HitStatus, HouseError, JackpotConfig, JackpotId, JackpotView, Order, Pace, RoundFilter,
    RoundId, RoundLine, Shoe, SignificantKind, TableConfig, TableId,
};
use baize_rules::{Area, BoxNumber, IrregularityKind, Money, Reveal, Role, Rulebook};
use baize_table::{Command, Facts, Place, Report, Staff};

use crate::support::{Backend, Casino, cents, chips, clean, order};

/// A casino with a jackpot of 200,000 that resets to 50,000, linking tables of one game with a human dealer.
pub(crate) struct Floor {
    pub(crate) casino: Casino,
    pub(crate) jackpot: JackpotId,
    pub(crate) tables: Vec<TableId>,
    dealer: Actor,
    pit: [Actor; 2],
}

impl Floor {
    pub(crate) async fn new(backend: Backend, game: &str, tables: u32) -> Floor {
        let casino = Casino::new(backend).await;
        let jackpot: JackpotId = "grand".parse().unwrap();
        let (base, reset) = (Money::from_dollars(200_000), Money::from_dollars(50_000));
        let config = JackpotConfig { base, reset, ..JackpotConfig::usual(jackpot.clone()) };
        casino.house.create_jackpot(&Actor::House, config).await.unwrap();
        let book = Rulebook::builtin(game).unwrap();
        let mut ids = Vec::new();
        for number in 1..=tables {
            let id: TableId = format!("grand-{number}").parse().unwrap();
            let usual = TableConfig::usual(id.clone(), book, Some(jackpot.clone()));
            let config = TableConfig { pace: Pace::Dealer, shoe: Shoe::Entered, ..usual };
            casino.house.create_table(&Actor::House, config).await.unwrap();
            ids.push(id);
        }
        let dealer = casino.staff("dora", Duty::Dealer).await;
        let pit =
            [casino.staff("sue", Duty::PitSupervisor).await, casino.staff("max", Duty::ShiftManager).await];
        Floor { casino, jackpot, tables: ids, dealer, pit }
    }

    pub(crate) async fn dealer(&self, table: usize, command: Command) {
        order(&self.casino, &self.dealer, &self.tables[table], command).await.unwrap();
    }

    /// Opens a round with a jackpot wager of each of these players, from box 1 on.
    pub(crate) async fn bets(&self, table: usize, players: &[&Actor]) {
        self.dealer(table, Command::Open).await;
        for (seat, player) in (1..).zip(players) {
            let wagers = vec![chips(seat, Area::Ante, 50), chips(seat, Area::Jackpot, 5)];
            order(&self.casino, player, &self.tables[table], Order::Bet { wagers }).await.unwrap();
        }
        self.dealer(table, Command::Close).await;
    }

    pub(crate) async fn deal(&self, table: usize, to: Place, cards: &str) {
        let cards = cards.split(' ').map(|card| card.parse().unwrap()).collect();
        self.dealer(table, Command::Deal { to, cards }).await;
    }

    pub(crate) async fn play_out(&self, table: usize, players: &[&Actor]) {
        for (seat, player) in (1..).zip(players) {
            let wagers = vec![chips(seat, Area::Bet, 100)];
            order(&self.casino, player, &self.tables[table], Order::Bet { wagers }).await.unwrap();
        }
        self.dealer(table, Command::Reveal { what: Reveal::Dealer }).await;
        self.dealer(table, Command::Settle).await;
    }

    pub(crate) async fn clear(&self, hit: u64) {
        self.casino.house.verify_hit(&self.pit[0], &self.jackpot, hit).await.unwrap();
        if self.sign().await.pending.iter().any(|other| other.number == hit && other.needs_confirmation) {
            self.casino.house.confirm_hit(&self.pit[1], &self.jackpot, hit).await.unwrap();
        }
    }

    async fn report(&self, kind: IrregularityKind, seat: Option<BoxNumber>) {
        let facts = Facts { reconstructable: Some(false), ..Facts::default() };
        let by = Staff { role: Role::Dealer, name: None };
        self.dealer(0, Command::Report(Report { kind, seat, facts, by })).await;
    }

    pub(crate) async fn sign(&self) -> JackpotView {
        let jackpots = self.casino.house.jackpots().await.unwrap();
        jackpots.into_iter().find(|jackpot| jackpot.id == self.jackpot).unwrap()
    }

    async fn line(&self) -> RoundLine {
        let filter = RoundFilter { table: Some(self.tables[0].clone()), ..RoundFilter::default() };
        self.casino.house.rounds(&filter).await.unwrap().remove(0)
    }

    /// A royal flush on box 1 of the first table, not verified yet.
    pub(crate) async fn royal(&self) -> Actor {
        let ann = self.casino.player("ann").await;
        self.bets(0, &[&ann]).await;
        self.deal(0, Place::Box(BoxNumber(1)), "Th Jh Qh Kh Ah").await;
        self.deal(0, Place::Dealer, "2c 3d 5s 8s 9c").await;
        self.play_out(0, &[&ann]).await;
        ann
    }
}

fn dollars(amount: i32) -> Money {
    Money::from_dollars(amount)
}

#[tokio::test(flavor = "multi_thread")]
async fn voiding_a_round_returns_its_paid_award_to_the_jackpot() {
    for backend in Backend::ALL {
        let floor = Floor::new(backend, "rws-casino-stud", 1).await;
        let ann = floor.royal().await;
        floor.clear(1).await;
        let line = floor.line().await;
        assert_eq!((line.awarded, line.contributed), (dollars(200_001), Money::from_cents(125)));
        assert_eq!(floor.sign().await.displayed, dollars(50_000));
        // The first host dies between the payment and the report.
        let casino = floor.casino.after_a_crash().await;
        let floor = Floor { casino, ..floor };
        floor.report(IrregularityKind::WrongDealerHand, None).await;
        assert_eq!(cents(&floor.casino, &ann).await, 1_000_000, "every chip goes back, and the award too");
        let sign = floor.sign().await;
        assert_eq!((sign.displayed, sign.hits[0].state), (dollars(200_000), HitStatus::Reversed));
        let line = floor.line().await;
        assert_eq!((line.awarded, line.contributed, line.won), (Money::ZERO, Money::ZERO, Money::ZERO));
        let events = floor.casino.house.significant_events(&floor.pit[0], 20).await.unwrap();
        let reversal = events.iter().find(|event| event.kind == SignificantKind::JackpotReversal).unwrap();
        assert!(
            reversal.words.contains("hit 1 of 200,001.00") && reversal.words.contains("5.8.7"),
            "{reversal:?}"
        );
        clean(&floor.casino).await;
        let script =
            floor.casino.house.export(&RoundId { table: floor.tables[0].clone(), number: 1 }).await.unwrap();
        assert!(script.contains("expect void"), "{script}");
        floor.dealer(0, Command::Open).await;
        let casino = floor.casino.after_a_crash().await;
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pending_award_of_an_invalid_hand_cannot_be_paid() {
    for backend in Backend::ALL {
        let floor = Floor::new(backend, "rws-casino-stud", 1).await;
        let ann = floor.royal().await;
        let early = order(&floor.casino, &floor.dealer, &floor.tables[0], Command::Open).await;
        assert_eq!(early.unwrap_err().code(), "refused", "a hit is pending");
        floor.report(IrregularityKind::WrongPlayerHand, Some(BoxNumber(1))).await;
        let sign = floor.sign().await;
        assert!(sign.pending.is_empty());
        assert_eq!((sign.displayed, sign.hits[0].state), (dollars(200_000), HitStatus::Reversed));
        let verify = floor.casino.house.verify_hit(&floor.pit[0], &floor.jackpot, 1).await;
        assert_eq!(verify.unwrap_err().code(), "jackpot");
        assert_eq!(cents(&floor.casino, &ann).await, 1_000_000);
        clean(&floor.casino).await;
        floor.dealer(0, Command::Open).await;
        clean(&floor.casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_remaining_winners_of_a_pool_are_paid_again() {
    for backend in Backend::ALL {
        let floor = Floor::new(backend, "mbs-megalink-stud", 1).await;
        let (ann, ben) = (floor.casino.player("ann").await, floor.casino.player("ben").await);
        floor.bets(0, &[&ann, &ben]).await;
        floor.deal(0, Place::Box(BoxNumber(1)), "2h 3h 4h 5h 6h").await;
        floor.deal(0, Place::Box(BoxNumber(2)), "2s 3s 4s 5s 6s").await;
        floor.deal(0, Place::Dealer, "Ac Ks 9d 4c 3d").await;
        floor.play_out(0, &[&ann, &ben]).await;
        for hit in [1, 2] {
            floor.clear(hit).await;
        }
        // 200,002: 20,000.20 and 18,000.18, divided.
        let before = cents(&floor.casino, &ben).await;
        assert_eq!(floor.line().await.awarded, Money::from_cents(3_800_038));
        floor.report(IrregularityKind::WrongPlayerHand, Some(BoxNumber(1))).await;
        assert_eq!(cents(&floor.casino, &ann).await, 1_000_000);
        assert_eq!(cents(&floor.casino, &ben).await, before + 2_000_020 - 1_900_019);
        let sign = floor.sign().await;
        assert_eq!(
            sign.displayed,
            Money::from_cents(18_000_080),
            "their tenth alone, and without the wager of box 1"
        );
        assert_eq!(
            sign.hits.iter().map(|hit| hit.state).collect::<Vec<_>>(),
            [HitStatus::Paid, HitStatus::Reversed]
        );
        let line = floor.line().await;
        assert_eq!((line.awarded, line.contributed), (Money::from_cents(2_000_020), Money::from_cents(125)));
        clean(&floor.casino).await;
        let script =
            floor.casino.house.export(&RoundId { table: floor.tables[0].clone(), number: 1 }).await.unwrap();
        assert!(script.contains("expect 2 jackpot win 20000.20"), "{script}");
        floor.dealer(0, Command::Open).await;
        clean(&floor.casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rs_4_5_2_the_full_hand_counts_not_the_table() {
    for backend in Backend::ALL {
        let floor = Floor::new(backend, "rws-casino-stud", 2).await;
        let (ann, zoe) = (floor.casino.player("ann").await, floor.casino.player("zoe").await);
        let ben = floor.casino.player("ben").await;
        floor.bets(0, &[&ann, &zoe]).await;
        floor.bets(1, &[&ben]).await;
        floor.deal(0, Place::Box(BoxNumber(1)), "Th Jh Qh Kh Ah").await;
        floor.deal(1, Place::Box(BoxNumber(1)), "Ts Js Qs Ks As").await;
        floor.deal(1, Place::Dealer, "2c 3d 5h 8h 9c").await;
        floor.deal(0, Place::Box(BoxNumber(2)), "2s 3s 5d 7d 9c").await;
        floor.deal(0, Place::Dealer, "2c 3d 5s 8s 9d").await;
        floor.play_out(1, &[&ben]).await;
        assert_eq!(floor.sign().await.pending[0].amount, dollars(200_003), "nobody earlier has claimed yet");
        floor.play_out(0, &[&ann, &zoe]).await;
        let amounts: Vec<Money> = floor.sign().await.pending.iter().map(|hit| hit.amount).collect();
        assert_eq!(amounts, [dollars(50_000), dollars(200_003)], "Ann had her full hand before Ben");
        for hit in [1, 2] {
            floor.clear(hit).await;
        }
        clean(&floor.casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jackpot_links_games_of_one_operator() {
    let floor = Floor::new(Backend::Sqlite, "rws-casino-stud", 1).await;
    // The order across tables is the same, so only the operator differs.
    let text = Rulebook::builtin_text("rws-casino-stud")
        .unwrap()
        .replace("operator = \"RWS\"", "operator = \"Other\"");
    let book = Rulebook::parse("other", &text).unwrap();
    let config = TableConfig::usual("other-1".parse().unwrap(), &book, Some(floor.jackpot.clone()));
    let refused = floor.casino.house.create_table_of(&Actor::House, config, &text).await.unwrap_err();
    let HouseError::SetUp(why) = refused else { panic!("{refused}") };
    assert!(why.contains("links games of one operator"), "{why}");
    clean(&floor.casino).await;
}
