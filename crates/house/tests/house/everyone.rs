//! Random orders by all roles at tables of all games that share jackpots; afterwards the audit must be clean.

use std::collections::BTreeMap;

use baize_cards::Card;
use baize_house::{
    Actor, Chips, CommandId, Duty, HouseError, JackpotConfig, JackpotId, JournalFilter, Order, OrderKind,
    Pace, Shoe, TableId, TableView,
};
use baize_rules::{Area, BoxNumber, Family, IrregularityKind, Money, Percent, Role};
use baize_table::{Command, Facts, Limits, Place, Player, Players, Report, Ruling, RulingKind, Staff};
use proptest::prelude::*;

use crate::support::{Backend, Casino, clean, order, table_of};

/// A seeded random number generator (splitmix64), so that a failing seed can be run again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % sides.max(1) as u64).unwrap()
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.roll(items.len())].clone()) }
    }

    fn bool(&mut self) -> bool {
        self.roll(2) == 0
    }
}

/// A casino full of people.
struct Crowd {
    casino: Casino,
    players: Vec<Actor>,
    dealer: Actor,
    supervisor: Actor,
    manager: Actor,
    boss: Actor,
    second: Actor,
    cage: Actor,
    tables: Vec<TableId>,
    jackpots: usize,
}

/// Whether there was something to do.
type Done = Result<bool, HouseError>;

impl Crowd {
    async fn new(backend: Backend, dice: &mut Dice) -> Crowd {
        let casino = Casino::new(backend).await;
        let mut players = Vec::new();
        for name in ["ann", "ben", "cal"] {
            players.push(casino.player(name).await);
        }
        let dealer = casino.staff("dora", Duty::Dealer).await;
        let supervisor = casino.staff("pete", Duty::PitSupervisor).await;
        let manager = casino.staff("mia", Duty::PitManager).await;
        let boss = casino.staff("sue", Duty::ShiftManager).await;
        let second = casino.staff("max", Duty::ShiftManager).await;
        let cage = casino.staff("carl", Duty::Cage).await;
        let id = "rita".parse().unwrap();
        casino.house.register_player(&cage, &id, None).await.unwrap();
        casino.house.buy_in(&cage, &id, &CommandId::random(), Money::from_dollars(2_000)).await.unwrap();
        let all = casino.tables().await;
        // Few enough tables that rounds end; some with a human dealer, with either shoe. At stud, whole winning hands are dealt.
        let stud =
            [table_of(&casino, "RWS", Family::Stud).await, table_of(&casino, "MBS", Family::Stud).await];
        let mut tables: Vec<TableId> = stud.to_vec();
        while tables.len() < 4 {
            let table = dice.pick(&all).unwrap();
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        for (at, table) in tables.iter().enumerate() {
            if at < 3 {
                let pace = Order::SetPace { pace: Pace::Dealer };
                order(&casino, &supervisor, table, pace).await.unwrap();
            }
            if at < 2 {
                let shoe = Order::SetShoe { shoe: Shoe::Entered };
                order(&casino, &supervisor, table, shoe).await.unwrap();
            }
        }
        Crowd { casino, players, dealer, supervisor, manager, boss, second, cage, tables, jackpots: 0 }
    }

    async fn act(&self, actor: &Actor, table: &TableId, what: impl Into<Order>) -> Done {
        order(&self.casino, actor, table, what).await.map(|_| true)
    }

    /// A random person does something.
    async fn something(&mut self, dice: &mut Dice) {
        let table = dice.pick(&self.tables).unwrap();
        let (what, done) = match dice.roll(100) {
            0..76 => ("play", self.play_on(&table, dice).await),
            76..78 => ("report", self.report(&table, dice).await),
            78..81 => ("ruling", self.rule(&table, dice).await),
            81..89 => ("hit", self.look_at_hit(dice).await),
            89..92 => {
                self.casino.clock.advance_seconds(u32::try_from(dice.roll(40)).unwrap());
                ("clock", self.casino.house.tick().await.map(|()| true))
            }
            92..95 => ("table changed", self.change_table(&table, dice).await),
            95..97 => ("jackpot changed", self.change_jackpot(dice).await),
            97..99 => ("cage", self.at_cage(dice).await),
            _ => ("staff", self.change_staff(dice).await),
        };
        if let Err(error) = done {
            let known = [
                "refused",
                "not-now",
                "forbidden",
                "purse",
                "jackpot",
                "jackpot-away",
                "practice",
                "other-money",
                "owes",
                "set-up",
                "amount",
            ];
            assert!(known.contains(&error.code()), "{what} at {table}: {error}");
        }
    }

    /// Acts for the first of a few people who has something to do.
    async fn play_on(&self, table: &TableId, dice: &mut Dice) -> Done {
        for _ in 0..6 {
            let done = match dice.roll(3) {
                0 => self.dealer_acts(table, dice).await,
                _ => self.player_acts(table, dice).await,
            };
            if !matches!(done, Ok(false)) {
                return done;
            }
        }
        Ok(false)
    }

    async fn player_acts(&self, table: &TableId, dice: &mut Dice) -> Done {
        let actor = dice.pick(&self.players).unwrap();
        let TableView { legal, orders, .. } = self.casino.house.view(&actor, table).await.unwrap();
        if dice.roll(30) == 0
            && let Some(other) = dice.pick(&orders)
        {
            let order = if other == OrderKind::Sit {
                Order::Sit { seat: None }
            } else if other == OrderKind::Leave {
                Order::Leave
            } else {
                Order::Ready
            };
            return self.act(&actor, table, order).await;
        }
        let choose = |(seat, choice)| Command::Choose { seat, player: None, choice };
        if let Some(choice) = dice.pick(&legal.choices) {
            return self.act(&actor, table, choose(choice)).await;
        }
        if let Some((seat, player, choice)) = dice.pick(&legal.shared_choices) {
            let player = Some(player);
            return self.act(&actor, table, Command::Choose { seat, player, choice }).await;
        }
        let decided = [(&legal.folds, 0), (&legal.checks, 1), (&legal.looks, 2), (&legal.declines, 3)];
        let (seats, kind) = decided[dice.roll(4)];
        if let (true, Some(seat)) = (dice.roll(3) == 0, dice.pick(seats)) {
            let command = match kind {
                0 => Command::Fold { seat },
                1 => Command::Check { seat },
                2 => Command::Look { seat },
                _ => Command::Decline { seat },
            };
            return self.act(&actor, table, command).await;
        }
        if dice.roll(20) == 0
            && let Some((seat, player, area)) = dice.pick(&legal.withdrawals)
        {
            return self.act(&actor, table, Command::Withdraw { seat, player, area }).await;
        }
        let jackpots: Vec<_> =
            legal.wagers.iter().filter(|wager| wager.area == Area::Jackpot).cloned().collect();
        let wager = if dice.bool() { dice.pick(&jackpots) } else { dice.pick(&legal.wagers) };
        if let Some(wager) = wager {
            let chips = Chips { seat: wager.seat, area: wager.area, amount: wager.amounts.from };
            return self.act(&actor, table, Order::Bet { wagers: vec![chips] }).await;
        }
        if orders.contains(&OrderKind::Ready) {
            self.act(&actor, table, Order::Ready).await
        } else {
            Ok(false)
        }
    }

    async fn dealer_acts(&self, table: &TableId, dice: &mut Dice) -> Done {
        let view = self.casino.house.view(&self.dealer, table).await.unwrap();
        let legal = &view.legal;
        if legal.open {
            return self.act(&self.dealer, table, Command::Open).await;
        }
        if view.orders.contains(&OrderKind::DealAll) {
            let order = if dice.roll(4) == 0 { Order::DealNext } else { Order::DealAll };
            return self.act(&self.dealer, table, order).await;
        }
        if let Some(command) = self.next_cards(&view, table, dice) {
            return self.act(&self.dealer, table, command).await;
        }
        if legal.settle {
            self.act(&self.dealer, table, Command::Settle).await?;
            // A report before the next round can undo the last one, or one of its boxes.
            return if dice.roll(3) == 0 { self.report(table, dice).await } else { Ok(true) };
        }
        if let Some(what) = dice.pick(&legal.reveals) {
            return self.act(&self.dealer, table, Command::Reveal { what }).await;
        }
        if let (true, Some(seat)) = (dice.roll(15) == 0, dice.pick(&legal.absences)) {
            return self.act(&self.dealer, table, Command::Absent { seat }).await;
        }
        // The dealer places a wager for a player, noticed or unnoticed.
        if let (true, Some(wager)) = (dice.roll(4) == 0, dice.pick(&legal.wagers)) {
            let anybody = self.players[dice.roll(3)].as_player().unwrap();
            let player = match wager.players {
                Players::Only(player) => player,
                Players::AnyoneBut(_) => Player::from(anybody),
            };
            let (seat, area, amount) = (wager.seat, wager.area, wager.amounts.from);
            let unnoticed = dice.roll(4) == 0;
            let placed = Command::PlaceWager { seat, player, area, amount, unnoticed, placed_by: None };
            return self.act(&self.dealer, table, placed).await;
        }
        if legal.close && dice.bool() {
            return self.act(&self.dealer, table, Command::Close).await;
        }
        Ok(false)
    }

    /// The next cards to enter, often winning ones. The view does not say which cards are out: each place uses cards of its own.
    fn next_cards(&self, view: &TableView, table: &TableId, dice: &mut Dice) -> Option<Command> {
        let deals = view.legal.deals.as_ref().filter(|_| view.info.shoe == Shoe::Entered)?;
        let book = self.casino.house.rulebook(table).unwrap();
        let boxes = view.round.boxes.iter().map(|(seat, on_box)| {
            (Place::Box(*seat), book.hand_size(), on_box.cards.len(), 5 * usize::from(seat.0 - 1))
        });
        let rest = [
            (Place::Dealer, book.hand_size(), view.round.dealer.len(), 35),
            (Place::Board, book.board_size(), view.round.board.len(), 40),
        ];
        let due = boxes.chain(rest).find(|(to, size, has, _)| has < size && deals.places.contains(to));
        let (to, size, has, from) = due?;
        // Alternates between five cards of a suit in sequence and cards of all suits.
        let suited = |at: usize| (at / 13, at % 13);
        let mixed = |at: usize| (at % 4, at / 4);
        let place = |at: usize| if view.round.number.is_multiple_of(3) { mixed(at) } else { suited(at) };
        let card = |at: usize| {
            let (suit, rank) = place(at);
            let ranks = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"];
            format!("{}{}", ranks[rank], ["c", "d", "h", "s"][suit]).parse::<Card>().unwrap()
        };
        let count = if dice.roll(8) == 0 { 1 } else { size - has };
        Some(Command::Deal { to, cards: (from + has..from + has + count).map(card).collect() })
    }

    async fn report(&self, table: &TableId, dice: &mut Dice) -> Done {
        let actor = if dice.roll(4) == 0 { &self.supervisor } else { &self.boss };
        let view = self.casino.house.view(actor, table).await.unwrap();
        let kinds: Vec<IrregularityKind> = view.reportable.iter().map(|what| what.kind).collect();
        let Some(kind) = dice.pick(&kinds) else { return Ok(false) };
        let seats: Vec<BoxNumber> = view.round.boxes.keys().copied().collect();
        let facts = Facts {
            count: Some(1 + u32::try_from(dice.roll(2)).unwrap()),
            reconstructable: Some(dice.bool()),
            intentional: Some(dice.bool()),
            previous_round: dice.roll(10) == 0,
            ..Facts::default()
        };
        let report = Report { kind, seat: dice.pick(&seats), facts, by: Staff::of(Role::Dealer) };
        self.act(actor, table, Command::Report(report)).await
    }

    async fn rule(&self, table: &TableId, dice: &mut Dice) -> Done {
        let view = self.casino.house.view(&self.boss, table).await.unwrap();
        let hard = |kind: &RulingKind| {
            matches!(kind, RulingKind::Bar(_) | RulingKind::Stop(_) | RulingKind::CloseTable)
        };
        let kinds: Vec<RulingKind> = view.legal.rulings.iter().map(|(kind, _)| kind.clone()).collect();
        let open: Vec<RulingKind> = kinds.iter().filter(|kind| !hard(kind)).cloned().collect();
        let kind = if dice.roll(8) == 0 { dice.pick(&kinds) } else { dice.pick(&open) };
        let Some(kind) = kind else { return Ok(false) };
        let ruling = Ruling { kind, by: Staff::of(Role::Dealer), reason: Some("as seen".to_owned()) };
        self.act(&self.boss, table, Command::Rule(ruling)).await
    }

    async fn look_at_hit(&self, dice: &mut Dice) -> Done {
        let house = &self.casino.house;
        let jackpots = house.jackpots().await.unwrap();
        let pending: Vec<_> = jackpots
            .iter()
            .flat_map(|jackpot| jackpot.pending.iter().map(|hit| (jackpot.id.clone(), hit.clone())))
            .collect();
        let Some((jackpot, hit)) = dice.pick(&pending) else { return Ok(false) };
        if dice.roll(6) == 0 {
            return house.reject_hit(&self.supervisor, &jackpot, hit.number, "no").await.map(|()| true);
        }
        match hit.verified_by {
            None => house.verify_hit(&self.boss, &jackpot, hit.number).await.map(|()| true),
            Some(_) => house.confirm_hit(&self.second, &jackpot, hit.number).await.map(|()| true),
        }
    }

    async fn change_table(&self, table: &TableId, dice: &mut Dice) -> Done {
        let info = self.casino.house.table(table).await.unwrap();
        let dollars = |least: i32, most: i32| Limits {
            least: Money::from_dollars(least),
            most: Money::from_dollars(most),
        };
        let auto = Pace::Auto { betting_seconds: 20, decision_seconds: 20 };
        let (actor, order) = match dice.roll(8) {
            0 => (&self.manager, Order::SetLimits { ante: dollars(5, 500), bonus: Some(dollars(5, 100)) }),
            1 => (&self.manager, Order::SetLimits { ante: dollars(10, 1_000), bonus: None }),
            2 => (&self.supervisor, Order::SetPace { pace: auto }),
            3 => (&self.supervisor, Order::SetPace { pace: Pace::Dealer }),
            4 => (&self.supervisor, Order::SetShoe { shoe: Shoe::Entered }),
            5 => (&self.supervisor, Order::SetShoe { shoe: Shoe::Computer }),
            6 if info.notice.is_none() => (&self.manager, Order::GiveNotice { reason: "a leak".to_owned() }),
            _ => (&self.manager, Order::Reopen),
        };
        self.act(actor, table, order).await
    }

    async fn change_jackpot(&mut self, dice: &mut Dice) -> Done {
        let house = self.casino.house.clone();
        let ids: Vec<JackpotId> =
            house.jackpots().await.unwrap().into_iter().map(|jackpot| jackpot.id).collect();
        let (one, other) = (dice.pick(&ids).unwrap(), dice.pick(&ids).unwrap());
        match dice.roll(12) {
            0..4 => {
                let (mut wanted, _) = house.jackpot_parameters(&self.boss, &one).unwrap();
                wanted.increment = Percent::from_hundredths(u32::try_from(dice.roll(3_000)).unwrap());
                house.propose_change(&self.manager, &one, wanted).await.map(|()| true)
            }
            4..7 => house.approve_change(&self.boss, &one).await.map(|()| true),
            7 => house.withdraw_change(&self.second, &one).await.map(|()| true),
            8..11 if self.jackpots < 3 => {
                self.jackpots += 1;
                let id: JackpotId = format!("more-{}", self.jackpots).parse().unwrap();
                house.create_jackpot(&self.boss, JackpotConfig::usual(id.clone())).await?;
                let table = dice.pick(&self.tables).unwrap();
                let book = house.rulebook(&table).unwrap();
                let name = format!("new-{}", self.jackpots).parse().unwrap();
                let config = baize_house::TableConfig::usual(name, &book, Some(id));
                self.tables.push(config.id.clone());
                house.create_table(&self.boss, config).await.map(|()| true)
            }
            _ => house.close_jackpot(&self.boss, &one, &other).await.map(|()| true),
        }
    }

    async fn at_cage(&self, dice: &mut Dice) -> Done {
        let player = &"rita".parse().unwrap();
        let (house, id) = (&self.casino.house, CommandId::random());
        let amount = Money::from_cents(1 + i64::try_from(dice.roll(50_000)).unwrap());
        match dice.roll(4) {
            0 | 1 => house.buy_in(&self.cage, player, &id, amount).await,
            2 => house.cash_out(&self.cage, player, &id, amount).await,
            _ => house.collect(&self.cage, player, &id, amount).await,
        }
        .map(|_| true)
    }

    /// The number of events in the journal, by kind.
    async fn kinds(&self) -> BTreeMap<String, u32> {
        let auditor = self.casino.staff("ada", Duty::Auditor).await;
        let (mut kinds, mut after) = (BTreeMap::new(), 0);
        loop {
            let filter = JournalFilter { after: Some(after), limit: Some(500), ..JournalFilter::default() };
            let lines = self.casino.house.journal(&auditor, &filter).await.unwrap();
            let Some(last) = lines.iter().map(|line| line.number).max() else { return kinds };
            after = last;
            for kind in lines.into_iter().flat_map(|line| line.kinds) {
                *kinds.entry(kind).or_default() += 1;
            }
        }
    }

    async fn change_staff(&self, dice: &mut Dice) -> Done {
        let (house, id) = (&self.casino.house, "dora".parse().unwrap());
        match dice.roll(3) {
            0 => house.suspend(&self.boss, &id, "late").await.map(|()| true),
            1 => house.reinstate(&self.boss, &id).await.map(|()| true),
            _ => house.end_sessions(&self.boss, &self.dealer).await.map(|()| true),
        }
    }
}

async fn crowd_plays(backend: Backend, seed: u64, orders: usize) -> Crowd {
    let mut dice = Dice(seed);
    let mut crowd = Crowd::new(backend, &mut dice).await;
    for _ in 0..orders {
        crowd.something(&mut dice).await;
        if dice.roll(400) == 0 {
            crowd.casino = crowd.casino.after_a_crash().await;
        }
    }
    clean(&crowd.casino).await;
    crowd
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    /// The audit is clean whatever people do.
    #[test]
    fn the_audit_is_clean_whatever_people_do(seed: u64) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(crowd_plays(Backend::Sqlite, seed, 600));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_is_clean_on_postgres_too() {
    crowd_plays(Backend::Postgres, 7, 300).await;
}

/// Checks that the random orders reach all these kinds of events.
#[tokio::test(flavor = "multi_thread")]
async fn random_orders_cover_all_kinds_of_events() {
    let mut kinds = BTreeMap::new();
    for seed in 0..4 {
        let crowd = crowd_plays(Backend::Sqlite, seed, 600).await;
        for (kind, count) in crowd.kinds().await {
            *kinds.entry(kind).or_insert(0) += count;
        }
    }
    let wanted = [
        "round-settled",
        "round-voided",
        "ruled",
        "irregularity-ruled",
        "hits-entered",
        "contribution-taken-out",
        "limits-set",
        "pace-set",
        "table-created",
        "jackpot-created",
        "change-proposed",
        "suspended",
        "bought-in",
        "cashed-out",
    ];
    for kind in wanted {
        assert!(kinds.contains_key(kind), "no {kind}: {kinds:?}");
    }
}

/// A ruling between two rounds belongs to the first of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_between_rounds_is_not_reported_as_a_fault() {
    let rulings = [
        RulingKind::CloseTable,
        RulingKind::Bar(Player::from("ann")),
        RulingKind::NoJackpot,
        RulingKind::BarBox(BoxNumber(1)),
    ];
    for kind in rulings {
        let casino = Casino::new(Backend::Sqlite).await;
        let table: TableId = "rs-1".parse().unwrap();
        let (ann, boss) = (casino.player("ann").await, casino.staff("sue", Duty::ShiftManager).await);
        let mut robot = baize_house::load::Robot::new(
            casino.house.clone(),
            ann.as_player().unwrap().clone(),
            table.clone(),
            3,
        );
        robot.round().await.unwrap();
        drop(robot);
        let by = Staff::of(Role::ShiftManager);
        if !matches!(kind, RulingKind::Bar(_) | RulingKind::CloseTable) {
            let kind = IrregularityKind::JackpotFault;
            let report = Report { kind, seat: None, facts: Facts::default(), by: by.clone() };
            order(&casino, &boss, &table, Command::Report(report)).await.unwrap();
        }
        let ruling = Ruling { kind, by, reason: None };
        order(&casino, &boss, &table, Command::Rule(ruling)).await.unwrap();
        clean(&casino).await;
        let casino = casino.after_a_crash().await;
        clean(&casino).await;
    }
}
