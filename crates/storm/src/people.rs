//! Simulated people: mostly they do what the house offers them, sometimes what it must refuse.

use baize_house::{
    Actor, Chips, House, HouseError, JackpotId, Order, OrderKind, Pace, Shoe, TableId, TableView,
};
use baize_rules::{Area, BoxNumber, FaultScope, IrregularityKind, Money, Role};
use baize_table::{
    Command, Due, Facts, Limits, PhaseName, Player, Players, Report, Ruling, RulingKind, Staff,
};

use crate::act::Act;
use crate::cast::Cast;
use crate::dice::Dice;
use crate::oracle::SeenCards;
use crate::shoe;

/// What a person wants to do, if anything.
pub(crate) type Wanted = Result<Option<(Actor, Act)>, HouseError>;

/// A person connected to a host.
pub(crate) struct Person<'a> {
    /// The host.
    pub(crate) house: &'a House,
    /// Everyone in the casino.
    pub(crate) cast: &'a Cast,
    /// Source of decisions.
    pub(crate) dice: Dice,
    /// Cards they were shown, by table and version.
    pub(crate) seen: Vec<(TableId, u64, SeenCards)>,
}

fn at(table: &TableId, order: impl Into<Order>) -> Act {
    Act::Table(table.clone(), Box::new(order.into()), None)
}

impl Person<'_> {
    async fn view(&mut self, actor: &Actor, table: &TableId) -> Result<TableView, HouseError> {
        let view = self.house.view(actor, table).await?;
        let seen = SeenCards::of(actor, &view);
        self.seen.extend(seen.map(|seen| (view.info.id.clone(), view.info.version, seen)));
        Ok(view)
    }

    /// Picks an action of any person.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn any_action(&mut self, device_fails: bool) -> Wanted {
        let Some(table) = self.dice.pick(&self.cast.tables) else { return Ok(None) };
        if device_fails {
            return self.device_fails(&table).await;
        }
        match self.dice.roll(100) {
            0..76 => self.play_on(&table).await,
            76 | 77 => {
                // What the table's own dealer would do next, by a dealer who may not be assigned there.
                let wanted = self.dealer_acts(&table).await?;
                Ok(wanted.map(|(_, act)| (self.cast.other_dealer.clone(), act)))
            }
            78..80 => self.report(&table, None).await,
            80..84 => self.rule(&table).await,
            84..88 => self.look_at_hit().await,
            88..90 => self.change_table(&table).await,
            90..94 => Ok(self.at_cage()),
            94 => Ok(self.change_staff()),
            95 => self.look_around(&table).await,
            _ => Ok(Some(self.wild(&table))),
        }
    }

    /// Picks an action that advances the table: mostly by a player who has to decide, or by the dealer of a table that has one.
    async fn play_on(&mut self, table: &TableId) -> Wanted {
        let info = self.house.table(table).await?;
        let by_dealer = info.pace == Pace::Dealer;
        // While bets are open: half of the time a player who has bet says they are ready, otherwise anyone may bet.
        let asked = match info.phase {
            PhaseName::Play => true,
            PhaseName::Betting => self.dice.once_in(2),
            PhaseName::Idle | PhaseName::Finished => false,
        };
        let deciding: Vec<Actor> = if asked {
            let TableView { round, waiting_for, .. } = self.view(&Actor::Public, table).await?;
            let boxes = round.deciding.iter().filter_map(|seat| round.boxes.get(seat));
            let deciding = boxes.filter_map(|on_box| on_box.player.0.parse().ok());
            deciding
                .chain(waiting_for.into_iter().filter(|_| info.phase == PhaseName::Betting))
                .map(Actor::player)
                .collect()
        } else {
            Vec::new()
        };
        for _ in 0..6 {
            let dealer = match info.phase {
                PhaseName::Betting => self.dice.once_in(if by_dealer { 3 } else { 20 }),
                PhaseName::Play if !deciding.is_empty() => self.dice.once_in(if by_dealer { 6 } else { 20 }),
                PhaseName::Idle | PhaseName::Play | PhaseName::Finished => self.dice.once_in(8) != by_dealer,
            };
            let decides = self.dice.pick(&deciding).filter(|_| self.dice.roll(6) > 0);
            let wanted = match decides {
                _ if dealer => self.dealer_acts(table).await,
                Some(player) => self.this_player_acts(player, table).await,
                None => self.player_acts(table).await,
            }?;
            if wanted.is_some() {
                return Ok(wanted);
            }
        }
        Ok(None)
    }

    /// An action offered to any player.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn player_acts(&mut self, table: &TableId) -> Wanted {
        let Some(actor) = self.dice.pick(&self.cast.players) else { return Ok(None) };
        self.this_player_acts(actor, table).await
    }

    /// An action offered to this player.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn this_player_acts(&mut self, actor: Actor, table: &TableId) -> Wanted {
        let TableView { legal, orders, info, round, .. } = self.view(&actor, table).await?;
        let dice = &mut self.dice;
        if dice.once_in(30)
            && let Some(other) = dice.pick(&orders)
        {
            let order = if other == OrderKind::Sit {
                Order::Sit { seat: None }
            } else if other == OrderKind::Leave {
                Order::Leave
            } else {
                Order::Ready
            };
            return Ok(Some((actor, at(table, order))));
        }
        if let Some((seat, choice)) = dice.pick(&legal.choices) {
            return Ok(Some((actor, at(table, Command::Choose { seat, player: None, choice }))));
        }
        if let Some((seat, player, choice)) = dice.pick(&legal.shared_choices) {
            let player = Some(player);
            return Ok(Some((actor, at(table, Command::Choose { seat, player, choice }))));
        }
        if let (true, Some(seat)) = (dice.once_in(4), dice.pick(&legal.folds)) {
            return Ok(Some((actor, at(table, Command::Fold { seat }))));
        }
        let (seats, kind) =
            [(&legal.folds, 0), (&legal.checks, 1), (&legal.looks, 2), (&legal.declines, 3)][dice.roll(4)];
        if let (true, Some(seat)) = (dice.once_in(3), dice.pick(seats)) {
            let command = match kind {
                0 => Command::Fold { seat },
                1 => Command::Check { seat },
                2 => Command::Look { seat },
                _ => Command::Decline { seat },
            };
            return Ok(Some((actor, at(table, command))));
        }
        if let (true, Some((seat, player, area))) = (dice.once_in(20), dice.pick(&legal.withdrawals)) {
            return Ok(Some((actor, at(table, Command::Withdraw { seat, player, area }))));
        }
        let name = actor.as_player().map(|player| Player(player.to_string()));
        let has_chips = round.boxes.values().any(|on_box| Some(&on_box.player) == name.as_ref());
        if info.phase == PhaseName::Betting && has_chips && dice.roll(5) > 0 {
            // Most players bet once.
            return Ok(orders.contains(&OrderKind::Ready).then(|| (actor, at(table, Order::Ready))));
        }
        let antes: Vec<_> = legal.wagers.iter().filter(|wager| wager.area == Area::Ante).cloned().collect();
        if let (true, Some(ante)) = (dice.roll(4) > 0, dice.pick(&antes)) {
            // Most players place all their wagers at once.
            let chips = |area: Area, amount: Money| Chips { seat: ante.seat, area, amount };
            let mut wagers = vec![chips(Area::Ante, ante.amounts.from)];
            let bonus = info.bonus.filter(|_| dice.once_in(3)).map(|bonus| chips(Area::Bonus, bonus.least));
            let jackpot = info.jackpot_wager.filter(|_| dice.once_in(2));
            wagers.extend(bonus.into_iter().chain(jackpot.map(|amount| chips(Area::Jackpot, amount))));
            return Ok(Some((actor, at(table, Order::Bet { wagers }))));
        }
        let jackpots: Vec<_> =
            legal.wagers.iter().filter(|wager| wager.area == Area::Jackpot).cloned().collect();
        let wager = if dice.once_in(2) { dice.pick(&jackpots) } else { dice.pick(&legal.wagers) };
        if let Some(wager) = wager {
            let chips = Chips { seat: wager.seat, area: wager.area, amount: wager.amounts.from };
            let version = dice.once_in(6).then_some(info.version);
            let bet = Order::Bet { wagers: vec![chips] };
            return Ok(Some((actor, Act::Table(table.clone(), Box::new(bet), version))));
        }
        Ok(orders.contains(&OrderKind::Ready).then(|| (actor, at(table, Order::Ready))))
    }

    /// An action of this player that advances the round: decisions only, no further wagers.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn finishes(&mut self, actor: Actor, table: &TableId) -> Wanted {
        let TableView { legal, orders, info, .. } = self.view(&actor, table).await?;
        let command: Option<Order> = if let Some((seat, choice)) = legal.choices.first().copied() {
            Some(Command::Choose { seat, player: None, choice }.into())
        } else if let Some((seat, player, choice)) = legal.shared_choices.first().cloned() {
            Some(Command::Choose { seat, player: Some(player), choice }.into())
        } else if let Some(seat) = legal.folds.first().copied() {
            Some(Command::Fold { seat }.into())
        } else if let Some(seat) = legal.checks.first().copied() {
            Some(Command::Check { seat }.into())
        } else if let Some(seat) = legal.declines.first().copied() {
            Some(Command::Decline { seat }.into())
        } else if let (true, Some(seat)) = (info.phase == PhaseName::Play, legal.looks.first().copied()) {
            Some(Command::Look { seat }.into())
        } else {
            (info.phase == PhaseName::Betting && orders.contains(&OrderKind::Ready)).then_some(Order::Ready)
        };
        Ok(command.map(|order| (actor, at(table, order))))
    }

    /// An action of the dealer that advances the round. `refused`: consecutive refused orders so far. Misdealt cards are reported.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn dealer_finishes(&mut self, table: &TableId, refused: usize) -> Wanted {
        let dealer = self.cast.dealer.clone();
        let view = self.view(&dealer, table).await?;
        let legal = &view.legal;
        if matches!(legal.due, Some(Due::Report { .. })) {
            return self.report(table, None).await;
        }
        if let Some(order) = shoe::next(&view, &mut self.dice, refused) {
            return Ok(Some((dealer, Act::Table(table.clone(), Box::new(order), Some(view.info.version)))));
        }
        let order: Option<Order> = if view.orders.contains(&OrderKind::DealAll) {
            Some(Order::DealAll)
        } else if legal.settle {
            Some(Command::Settle.into())
        } else if let Some(what) = legal.reveals.first().copied() {
            Some(Command::Reveal { what }.into())
        } else if legal.close {
            Some(Command::Close.into())
        } else {
            legal.absences.first().map(|seat| Command::Absent { seat: *seat }.into())
        };
        Ok(order.map(|order| (dealer, at(table, order))))
    }

    /// The dealer's next action.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn dealer_acts(&mut self, table: &TableId) -> Wanted {
        let dealer = self.cast.dealer.clone();
        let view = self.view(&dealer, table).await?;
        let (legal, does) = (&view.legal, |order: Order| Ok(Some((dealer.clone(), at(table, order)))));
        if legal.open {
            return does(Command::Open.into());
        }
        if view.orders.contains(&OrderKind::DealAll) {
            return does(if self.dice.once_in(4) { Order::DealNext } else { Order::DealAll });
        }
        if let Some(order) = shoe::next(&view, &mut self.dice, 0) {
            // The dealer's page states the version it shows; other clients may not.
            let version = (self.dice.roll(12) > 0).then_some(view.info.version);
            return Ok(Some((dealer, Act::Table(table.clone(), Box::new(order), version))));
        }
        if legal.settle {
            return does(Command::Settle.into());
        }
        if let Some(what) = self.dice.pick(&legal.reveals) {
            return does(Command::Reveal { what }.into());
        }
        if let (true, Some(seat)) = (self.dice.once_in(15), self.dice.pick(&legal.absences)) {
            return does(Command::Absent { seat }.into());
        }
        if let (true, Some(wager)) = (self.dice.once_in(6), self.dice.pick(&legal.wagers)) {
            let anybody = self.dice.pick(&self.cast.players);
            let player = match (&wager.players, anybody.as_ref().and_then(Actor::as_player)) {
                (Players::AnyoneBut(_), Some(anybody)) => Some(anybody.clone()),
                (Players::Only(player), _) => player.0.parse().ok(),
                (Players::AnyoneBut(_), None) => None,
            };
            if let Some(player) = player {
                let wager = Chips { seat: wager.seat, area: wager.area, amount: wager.amounts.from };
                let (request, unnoticed) = ("as before, please".to_owned(), self.dice.once_in(4));
                return does(Order::BetFor { player, wager, request, unnoticed });
            }
        }
        if legal.close && !view.round.boxes.is_empty() && self.dice.once_in(2) {
            return does(Command::Close.into());
        }
        Ok(None)
    }

    /// The betting device or the jackpot fails.
    async fn device_fails(&mut self, table: &TableId) -> Wanted {
        let kinds = [IrregularityKind::JackpotFault, IrregularityKind::PowerFailure, IrregularityKind::Other];
        self.report(table, Some(&kinds)).await
    }

    async fn report(&mut self, table: &TableId, only: Option<&[IrregularityKind]>) -> Wanted {
        let actor = if self.dice.once_in(4) { self.cast.supervisor.clone() } else { self.cast.boss.clone() };
        let view = self.view(&actor, table).await?;
        let kinds: Vec<IrregularityKind> = view
            .reportable
            .iter()
            .map(|what| what.kind)
            .filter(|kind| only.is_none_or(|only| only.contains(kind)))
            .collect();
        let Some(kind) = self.dice.pick(&kinds) else { return Ok(None) };
        let seats: Vec<BoxNumber> = view.round.boxes.keys().copied().collect();
        let facts = Facts {
            count: Some(if self.dice.once_in(2) { 1 } else { 2 }),
            reconstructable: Some(self.dice.once_in(2)),
            intentional: Some(self.dice.once_in(2)),
            previous_round: self.dice.once_in(10),
            scope: self
                .dice
                .pick(&[None, Some(FaultScope::Box), Some(FaultScope::Table), Some(FaultScope::System)])
                .flatten(),
            ..Facts::default()
        };
        let report = Report { kind, seat: self.dice.pick(&seats), facts, by: Staff::of(Role::Dealer) };
        Ok(Some((actor, at(table, Command::Report(report)))))
    }

    /// A ruling of the Shift Manager, if one is possible.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn rule(&mut self, table: &TableId) -> Wanted {
        let boss = self.cast.boss.clone();
        let view = self.view(&boss, table).await?;
        let hard = |kind: &RulingKind| {
            matches!(kind, RulingKind::Bar(_) | RulingKind::Stop(_) | RulingKind::CloseTable)
        };
        let kinds: Vec<RulingKind> = view.legal.rulings.iter().map(|(kind, _)| kind.clone()).collect();
        let open: Vec<RulingKind> = kinds.iter().filter(|kind| !hard(kind)).cloned().collect();
        let kind = if self.dice.once_in(12) { self.dice.pick(&kinds) } else { self.dice.pick(&open) };
        let Some(kind) = kind else { return Ok(None) };
        let ruling = Ruling { kind, by: Staff::of(Role::Dealer), reason: Some("staff saw it".to_owned()) };
        Ok(Some((boss, at(table, Command::Rule(ruling)))))
    }

    /// Staff verify, confirm or reject a winning hand.
    ///
    /// # Errors
    /// The database is away.
    pub(crate) async fn look_at_hit(&mut self) -> Wanted {
        let jackpots = self.house.jackpots().await?;
        let pending: Vec<(JackpotId, u64, bool)> = jackpots
            .iter()
            .flat_map(|jackpot| {
                jackpot.pending.iter().map(|hit| (jackpot.id.clone(), hit.number, hit.verified_by.is_some()))
            })
            .collect();
        let Some((jackpot, hit, verified)) = self.dice.pick(&pending) else { return Ok(None) };
        if self.dice.once_in(6) {
            return Ok(Some((self.cast.supervisor.clone(), Act::Reject(jackpot, hit))));
        }
        Ok(Some(if verified {
            (self.cast.second.clone(), Act::Confirm(jackpot, hit))
        } else {
            (self.cast.boss.clone(), Act::Verify(jackpot, hit))
        }))
    }

    async fn change_table(&mut self, table: &TableId) -> Wanted {
        let info = self.house.table(table).await?;
        let dollars =
            |min: i32, max: i32| Limits { least: Money::from_dollars(min), most: Money::from_dollars(max) };
        let auto = Pace::Auto { betting_seconds: 20, decision_seconds: 20 };
        let (manager, supervisor) = (self.cast.manager.clone(), self.cast.supervisor.clone());
        let (actor, order) = match self.dice.roll(9) {
            0 => (manager, Order::SetLimits { ante: dollars(5, 500), bonus: Some(dollars(5, 100)) }),
            1 => (manager, Order::SetLimits { ante: dollars(10, 1_000), bonus: None }),
            2 => (supervisor, Order::SetPace { pace: auto }),
            3 => (supervisor, Order::SetPace { pace: Pace::Dealer }),
            4 => (supervisor, Order::SetShoe { shoe: Shoe::Entered }),
            5 => (supervisor, Order::SetShoe { shoe: Shoe::Computer }),
            6 if info.notice.is_none() => (manager, Order::GiveNotice { reason: "a leak".to_owned() }),
            7 => (manager, Order::FillFloat { amount: Money::from_dollars(100) }),
            _ => (manager, Order::Reopen),
        };
        Ok(Some((actor, at(table, order))))
    }

    fn at_cage(&mut self) -> Option<(Actor, Act)> {
        let cage = self.cast.cage.clone();
        let player = self.dice.pick(&self.cast.players)?.as_player().cloned()?;
        let cents =
            |max: u64, dice: &mut Dice| Money::from_cents(i64::try_from(dice.between(1, max)).unwrap_or(1));
        let act = match self.dice.roll(6) {
            0..3 => Act::BuyIn(player, cents(400_000, &mut self.dice)),
            3 | 4 => Act::CashOut(player, cents(100_000, &mut self.dice)),
            _ => Act::Collect(player, cents(50_000, &mut self.dice)),
        };
        Some((cage, act))
    }

    fn change_staff(&mut self) -> Option<(Actor, Act)> {
        let Actor::Staff { id, .. } = self.cast.other_dealer.clone() else { return None };
        let act = if self.dice.once_in(2) { Act::Suspend(id) } else { Act::Reinstate(id) };
        Some((self.cast.boss.clone(), act))
    }

    /// Everyone views a table, and nobody acts.
    async fn look_around(&mut self, table: &TableId) -> Wanted {
        let mut everybody = self.cast.players.clone();
        everybody.extend([Actor::Public, self.cast.auditor.clone(), self.cast.supervisor.clone()]);
        for actor in everybody {
            self.view(&actor, table).await?;
        }
        Ok(None)
    }

    /// An arbitrary order, mostly refused.
    fn wild(&mut self, table: &TableId) -> (Actor, Act) {
        let cast = self.cast;
        let mut everybody = cast.players.clone();
        everybody.extend([
            Actor::Public,
            cast.dealer.clone(),
            cast.other_dealer.clone(),
            cast.cage.clone(),
            cast.auditor.clone(),
            cast.manager.clone(),
        ]);
        let dice = &mut self.dice;
        let actor = dice.pick(&everybody).unwrap_or(Actor::Public);
        let seat = BoxNumber(u8::try_from(dice.roll(8)).unwrap_or(0));
        let amount = Money::from_cents([0, -500, 1, 333, 2_500, 99_999_999][dice.roll(6)]);
        let area = [Area::Ante, Area::Bonus, Area::Jackpot, Area::Bet][dice.roll(4)];
        let player = Player("ann".to_owned());
        let order: Order = match dice.roll(12) {
            0 | 1 => Order::Bet { wagers: vec![Chips { seat, area, amount }] },
            2 => Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None }.into(),
            3 => Command::Withdraw { seat, player, area }.into(),
            4 => Command::Fold { seat }.into(),
            5 => Command::Settle.into(),
            6 => Command::Close.into(),
            7 => Order::DealAll,
            8 => Order::TakeBack,
            9 => Command::Show { seat }.into(),
            10 => Order::FillFloat { amount },
            _ => Order::Sit { seat: Some(seat) },
        };
        let version = dice.once_in(4).then_some(dice.roll(40) as u64);
        (actor, Act::Table(table.clone(), Box::new(order), version))
    }
}
