//! Translates orders into commands and checks who may give them. The house fills in who acts, so nobody can act in another's name.

use baize_rules::{BoxNumber, Cites, Money};
use baize_table::{Command, Limits, Phase, Player, Settings, next_cards};

use super::{Turn, TurnError};
use crate::facts::TableFact;
use crate::order::MAX_WAGERS;
use crate::{Actor, Chips, Duty, HouseError, Order, Pace, PlayerId, Shoe};

/// Maximum length of a player's recorded request, in characters.
const MAX_REQUEST_LEN: usize = 200;

/// Maximum amount added to a float by one order.
const MAX_FILL: Money = Money::from_dollars(100_000_000);

fn forbidden(needs: Duty) -> TurnError {
    TurnError::House(HouseError::Forbidden { needs, cites: Cites::NONE })
}

fn not_now(why: &'static str) -> TurnError {
    TurnError::House(HouseError::NotNow(why))
}

impl Turn<'_> {
    /// Carries out an order and what follows from it.
    pub(crate) fn order(&mut self, actor: &Actor, order: &Order) -> Result<(), TurnError> {
        match order {
            Order::Table { command } => self.table_command(actor, command)?,
            Order::Bet { wagers } => {
                let player = actor.as_player().ok_or(not_now("only players place their own wagers"))?;
                if wagers.is_empty() || wagers.len() > MAX_WAGERS {
                    return Err(not_now("name 1 to 64 wagers"));
                }
                for Chips { seat, area, amount } in wagers {
                    self.own_wager(actor, player, *seat, *area, *amount)?;
                }
            }
            Order::BetFor { player, wager, request, unnoticed } => {
                self.bet_for(actor, player, *wager, request, *unnoticed)?;
            }
            Order::Assign { dealer } => {
                actor.require(Duty::PitSupervisor)?;
                if self.live.dealers.contains(dealer) {
                    return Err(not_now("this dealer is already assigned to the table"));
                }
                self.step(actor, TableFact::DealerAssigned { dealer: dealer.clone() });
            }
            Order::Relieve { dealer } => {
                actor.require(Duty::PitSupervisor)?;
                if !self.live.dealers.contains(dealer) {
                    return Err(not_now("this dealer is not assigned to the table"));
                }
                self.step(actor, TableFact::DealerRelieved { dealer: dealer.clone() });
            }
            Order::Ready => self.ready(actor)?,
            Order::DealNext => {
                self.dealer_with_computer(actor)?;
                if !self.deal_next(actor)? {
                    return Err(not_now("no card is due now"));
                }
            }
            Order::DealAll => {
                self.dealer_with_computer(actor)?;
                if !self.deal_next(actor)? {
                    return Err(not_now("no card is due now"));
                }
                while self.deal_next(actor)? {}
            }
            Order::EnterCards { cards } => {
                actor.require(Duty::Dealer)?;
                self.live.dealt_by(actor)?;
                let command = next_cards(&self.live.book, &self.live.table, cards)?;
                self.staff_command(actor, &command)?;
            }
            Order::TakeBack => {
                actor.require(Duty::Dealer)?;
                self.live.dealt_by(actor)?;
                self.require_human_dealer()?;
                if !self.live.entered {
                    return Err(not_now("play has continued since the last card was entered: call the pit"));
                }
                self.step(actor, TableFact::EntryTakenBack);
            }
            Order::Sit { seat } => self.sit(actor, *seat)?,
            Order::Leave => self.leave(actor)?,
            Order::GiveNotice { reason } => {
                actor.require(Duty::PitManager)?;
                if self.live.notice.is_some() {
                    return Err(not_now("the notice has already been given"));
                }
                self.step(actor, TableFact::NoticeGiven { reason: reason.chars().take(200).collect() });
            }
            Order::Reopen => {
                actor.require(Duty::PitManager)?;
                if self.live.notice.is_none() && !self.live.table.standing.closed {
                    return Err(not_now("the table is already open"));
                }
                let by = crate::house::person(actor)?;
                self.on_floor(actor, |at, table| baize_floor::reopen(at, table, by))?;
                self.step(actor, TableFact::Reopened);
            }
            Order::SetPace { pace } => self.set_pace(actor, *pace)?,
            Order::SetShoe { shoe } => self.set_shoe(actor, *shoe)?,
            Order::SetLimits { ante, bonus } => self.set_limits(actor, *ante, *bonus)?,
            Order::FillFloat { amount } => {
                actor.require(Duty::PitManager)?;
                if *amount <= Money::ZERO || *amount > MAX_FILL {
                    return Err(HouseError::Amount(*amount).into());
                }
                self.step(actor, TableFact::FloatFilled { amount: *amount });
            }
        }
        self.advance()
    }

    /// Requires a dealer at a table with a human dealer and the computer's shoe.
    fn dealer_with_computer(&self, actor: &Actor) -> Result<(), TurnError> {
        actor.require(Duty::Dealer)?;
        self.live.dealt_by(actor)?;
        if !self.live.computer_deals() {
            return Err(not_now("the cards of this table are entered one by one"));
        }
        self.require_human_dealer()
    }

    fn require_human_dealer(&self) -> Result<(), TurnError> {
        match self.live.config.pace {
            Pace::Dealer => Ok(()),
            Pace::Auto { .. } => Err(not_now("this table runs itself")),
        }
    }

    fn require_between_rounds(&self) -> Result<(), TurnError> {
        if self.live.under_way() {
            Err(not_now("a round is in progress: wait until it is settled"))
        } else {
            Ok(())
        }
    }

    fn open_round(&mut self, by: &Actor) -> Result<(), TurnError> {
        if self.live.notice.is_some() {
            return Err(not_now("the table is closed: no new round can be opened"));
        }
        self.command(by, Command::Open)
    }

    fn table_command(&mut self, actor: &Actor, command: &Command) -> Result<(), TurnError> {
        match actor {
            Actor::Player { id } => self.player_command(actor, id, command),
            Actor::Staff { .. } => self.staff_command(actor, command),
            Actor::House => self.command(actor, command.clone()),
            Actor::Public => Err(TurnError::House(HouseError::NotLoggedIn)),
        }
    }

    fn own_wager(
        &mut self,
        actor: &Actor,
        player: &PlayerId,
        seat: BoxNumber,
        area: baize_rules::Area,
        amount: baize_rules::Money,
    ) -> Result<(), TurnError> {
        self.check_chips(area, amount)?;
        // A table that runs itself opens its round with the first chips.
        let auto = matches!(self.live.config.pace, Pace::Auto { .. });
        if auto && matches!(self.live.table.round.phase, Phase::Idle | Phase::Finished(_)) {
            self.open_round(&Actor::House)?;
        }
        let held = self.live.guests.iter().any(|(other, guest)| guest.seat == seat && other != player);
        let empty = !self.live.table.seated().contains_key(&seat);
        if held && empty {
            return Err(TurnError::House(HouseError::NotYourBox { seat }));
        }
        let player = Player::from(player);
        self.command(
            actor,
            Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None },
        )
    }

    /// Requires antes and bonus wagers to be multiples of the table's smallest chip. Later wagers and the jackpot's follow from them.
    fn check_chips(&self, area: baize_rules::Area, amount: baize_rules::Money) -> Result<(), TurnError> {
        let chip = self.live.config.chip;
        let by_choice = matches!(area, baize_rules::Area::Ante | baize_rules::Area::Bonus);
        if by_choice && amount.cents() % chip.cents().max(1) != 0 {
            return Err(TurnError::House(HouseError::Chip { amount, chip }));
        }
        Ok(())
    }

    /// Places a wager at a player's request, at a table with a human dealer.
    fn bet_for(
        &mut self,
        actor: &Actor,
        player: &PlayerId,
        Chips { seat, area, amount }: Chips,
        request: &str,
        unnoticed: bool,
    ) -> Result<(), TurnError> {
        actor.require(Duty::Dealer)?;
        self.live.dealt_by(actor)?;
        self.require_human_dealer()?;
        self.check_chips(area, amount)?;
        let request: String = request.chars().filter(|c| !c.is_control()).take(MAX_REQUEST_LEN).collect();
        if request.trim().is_empty() {
            return Err(not_now("enter the player's request: it is recorded"));
        }
        if !self.live.guests.contains_key(player) {
            return Err(not_now("this player does not sit at the table"));
        }
        let placed = self.live.placed_for.get(player).copied().unwrap_or_default();
        if amount > self.live.config.bets_by_staff - placed {
            return Err(not_now("this exceeds what staff may place for one player in one round"));
        }
        let request = TableFact::BetRequested { player: player.clone(), amount, request };
        self.step(actor, request);
        let (player, placed_by) = (Player::from(player), actor.role());
        self.command(actor, Command::PlaceWager { seat, player, area, amount, unnoticed, placed_by })
    }

    fn player_command(&mut self, actor: &Actor, id: &PlayerId, command: &Command) -> Result<(), TurnError> {
        match command {
            Command::PlaceWager { seat, area, amount, .. } => {
                self.own_wager(actor, id, *seat, *area, *amount)
            }
            Command::Withdraw { seat, area, .. } => {
                self.command(actor, Command::Withdraw { seat: *seat, player: id.into(), area: *area })
            }
            Command::Look { seat }
            | Command::Fold { seat }
            | Command::Check { seat }
            | Command::Show { seat }
            | Command::Decline { seat } => {
                let seated = self.live.table.seated();
                if seated.get(seat).is_some_and(|player| player.0 != id.as_str()) {
                    return Err(TurnError::House(HouseError::NotYourBox { seat: *seat }));
                }
                self.command(actor, command.clone())
            }
            // A player decides about their own chips, also those on another player's box.
            Command::Choose { seat, choice, .. } => {
                let me = Player::from(id);
                if !self.live.table.round.has_chips(*seat, &me) {
                    return Err(TurnError::House(HouseError::NotYourBox { seat: *seat }));
                }
                self.command(actor, Command::Choose { seat: *seat, player: Some(me), choice: *choice })
            }
            Command::Open
            | Command::Close
            | Command::Burn { .. }
            | Command::Deal { .. }
            | Command::Reveal { .. }
            | Command::Absent { .. }
            | Command::Settle
            | Command::Report(_)
            | Command::Rule(_)
            | Command::PayJackpot { .. } => Err(forbidden(Duty::Dealer)),
        }
    }

    fn staff_command(&mut self, actor: &Actor, command: &Command) -> Result<(), TurnError> {
        actor.require(Duty::Dealer)?;
        self.live.dealt_by(actor)?;
        let Some(staff) = actor.as_staff() else { return Err(forbidden(Duty::Dealer)) };
        match command {
            Command::Open => {
                self.require_human_dealer()?;
                self.open_round(actor)
            }
            Command::Close | Command::Reveal { .. } | Command::Settle | Command::Absent { .. } => {
                self.require_human_dealer()?;
                self.command(actor, command.clone())
            }
            Command::Burn { .. } | Command::Deal { .. } => {
                self.require_human_dealer()?;
                if self.live.computer_deals() {
                    return Err(not_now("the computer deals at this table: use its shoe"));
                }
                self.command(actor, command.clone())
            }
            Command::PlaceWager { .. } => {
                self.require_human_dealer()?;
                Err(not_now("staff place wagers only at a player's request: use bet-for"))
            }
            // The dealer enters the actions of players who play at the physical table.
            Command::Withdraw { .. }
            | Command::Look { .. }
            | Command::Fold { .. }
            | Command::Check { .. }
            | Command::Show { .. }
            | Command::Decline { .. }
            | Command::Choose { .. } => {
                self.require_human_dealer()?;
                self.command(actor, command.clone())
            }
            Command::Report(report) => {
                let mut report = baize_table::Report { by: staff, ..report.clone() };
                self.live.reconstructs(&mut report);
                self.command(actor, Command::Report(report))
            }
            Command::Rule(ruling) => {
                let ruling = baize_table::Ruling { by: staff, ..ruling.clone() };
                self.command(actor, Command::Rule(ruling))
            }
            Command::PayJackpot { .. } => Err(not_now("the jackpot pays when a hit is verified")),
        }
    }

    fn ready(&mut self, actor: &Actor) -> Result<(), TurnError> {
        let player = actor.as_player().ok_or(not_now("only players can say that they are ready"))?.clone();
        if !matches!(self.live.config.pace, Pace::Auto { .. }) {
            return Err(not_now("the dealer closes the bets at this table"));
        }
        if !matches!(self.live.table.round.phase, Phase::Betting(_)) {
            return Err(not_now("bets are not open"));
        }
        if self.live.ready.contains(&player) {
            return Err(not_now("you have already said that you are ready"));
        }
        if !self.live.players().contains(&player) && !self.live.guests.contains_key(&player) {
            return Err(not_now("you are not at this table"));
        }
        self.step(actor, TableFact::ReadySaid { player });
        Ok(())
    }

    fn sit(&mut self, actor: &Actor, wanted: Option<BoxNumber>) -> Result<(), TurnError> {
        let player = actor.as_player().ok_or(not_now("only players can take a box"))?.clone();
        if self.live.notice.is_some() || self.live.table.standing.closed {
            return Err(not_now("the table is closed"));
        }
        let seated = self.live.table.seated();
        let taken = |seat: BoxNumber| {
            let guest = self.live.guests.iter().any(|(other, guest)| guest.seat == seat && *other != player);
            let chips = self.live.under_way() && seated.get(&seat).is_some_and(|on| on.0 != player.as_str());
            guest || chips || self.live.table.standing.barred_boxes.contains(&seat)
        };
        let boxes = self.live.config.settings.boxes;
        let seat = match wanted {
            Some(seat) if !seat.is_on(boxes) => return Err(not_now("the layout has no such box")),
            Some(seat) if taken(seat) => return Err(not_now("this box is taken")),
            Some(seat) => seat,
            None => BoxNumber::all(boxes).find(|seat| !taken(*seat)).ok_or(not_now("all boxes are taken"))?,
        };
        if self.live.guests.get(&player).is_some_and(|guest| wanted.is_none() || guest.seat == seat) {
            return Err(not_now("you already sit here"));
        }
        self.step(actor, TableFact::Sat { player, seat });
        Ok(())
    }

    fn leave(&mut self, actor: &Actor) -> Result<(), TurnError> {
        let player = actor.as_player().ok_or(not_now("only players can leave"))?.clone();
        if !self.live.guests.contains_key(&player) {
            return Err(not_now("you do not sit here"));
        }
        self.step(actor, TableFact::Left { player: player.clone() });
        if !matches!(self.live.config.pace, Pace::Auto { .. }) || self.live.table.round.awaiting.is_some() {
            return Ok(());
        }
        self.abandon_hands(&player)
    }

    fn set_pace(&mut self, actor: &Actor, pace: Pace) -> Result<(), TurnError> {
        actor.require(Duty::PitSupervisor)?;
        self.require_between_rounds()?;
        if let Pace::Auto { betting_seconds, decision_seconds } = pace {
            if !self.live.computer_deals() {
                return Err(not_now("a table that runs itself needs the computer's shoe"));
            }
            let good = 1..=3_600;
            if !good.contains(&betting_seconds) || !good.contains(&decision_seconds) {
                return Err(not_now("clocks run for 1 to 3600 seconds"));
            }
        }
        let before = Some(self.live.config.pace);
        self.step(actor, TableFact::PaceSet { pace, before });
        Ok(())
    }

    fn set_limits(&mut self, actor: &Actor, ante: Limits, bonus: Option<Limits>) -> Result<(), TurnError> {
        actor.require(Duty::PitManager)?;
        let now = &self.live.config.settings;
        let (ante_before, bonus_before) = (now.ante, now.bonus);
        let settings = Settings { ante, bonus: bonus.unwrap_or(now.bonus), ..now.clone() };
        if settings == *now {
            return Err(not_now("these are already the limits"));
        }
        let Settings { ante, bonus, .. } =
            settings.checked(&self.live.book).map_err(|fault| HouseError::SetUp(fault.to_string()))?;
        self.step(actor, TableFact::LimitsSet { ante, bonus, ante_before, bonus_before });
        Ok(())
    }

    fn set_shoe(&mut self, actor: &Actor, shoe: Shoe) -> Result<(), TurnError> {
        actor.require(Duty::PitSupervisor)?;
        self.require_between_rounds()?;
        if shoe == Shoe::Entered && matches!(self.live.config.pace, Pace::Auto { .. }) {
            return Err(not_now("a table that runs itself needs the computer's shoe"));
        }
        if shoe == self.live.config.shoe {
            return Err(not_now("this is already the shoe"));
        }
        let before = Some(self.live.config.shoe);
        self.step(actor, TableFact::ShoeSet { shoe, before });
        if shoe == Shoe::Computer {
            self.prepare_shuffle();
        }
        Ok(())
    }
}
