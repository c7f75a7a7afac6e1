//! Turns an order into commands, and checks who may give it. The house fills in who acts, so nobody can act in another's name.

use baize_rules::{BoxNumber, Cites, Money};
use baize_table::{Command, Limits, Phase, Player, Settings, next_cards};

use super::{Stuck, Turn};
use crate::facts::TableFact;
use crate::order::MOST_WAGERS;
use crate::{Actor, Chips, Duty, HouseError, Order, Pace, PlayerId, Shoe};

/// The longest request of a player that is kept.
const LONGEST_REQUEST: usize = 200;

/// The most that is brought to a float at once.
const MOST_FILL: Money = Money::from_dollars(100_000_000);

fn forbidden(needs: Duty) -> Stuck {
    Stuck::No(HouseError::Forbidden { needs, cites: Cites::NONE })
}

fn not_now(why: &'static str) -> Stuck {
    Stuck::No(HouseError::NotNow(why))
}

impl Turn<'_> {
    /// Carries out an order and what follows from it.
    pub(crate) fn order(&mut self, actor: &Actor, order: &Order) -> Result<(), Stuck> {
        match order {
            Order::Table { command } => self.table_command(actor, command)?,
            Order::Bet { wagers } => {
                let player = actor.as_player().ok_or(not_now("only a player bets their own chips"))?;
                if wagers.is_empty() || wagers.len() > MOST_WAGERS {
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
                self.needs(actor, Duty::PitSupervisor)?;
                if self.live.dealers.contains(dealer) {
                    return Err(not_now("this dealer is assigned to the table already"));
                }
                self.step(actor, TableFact::DealerAssigned { dealer: dealer.clone() });
            }
            Order::Relieve { dealer } => {
                self.needs(actor, Duty::PitSupervisor)?;
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
                self.needs(actor, Duty::Dealer)?;
                self.live.dealt_by(actor)?;
                let command = next_cards(&self.live.book, &self.live.table, cards)?;
                self.staff_command(actor, &command)?;
            }
            Order::TakeBack => {
                self.needs(actor, Duty::Dealer)?;
                self.live.dealt_by(actor)?;
                self.run_by_a_person()?;
                if !self.live.entered {
                    return Err(not_now(
                        "play has gone on since the last card was entered: report it to the pit",
                    ));
                }
                self.step(actor, TableFact::EntryTakenBack);
            }
            Order::Sit { seat } => self.sit(actor, *seat)?,
            Order::Leave => self.leave(actor)?,
            Order::GiveNotice { reason } => {
                self.needs(actor, Duty::PitManager)?;
                if self.live.notice.is_some() {
                    return Err(not_now("the notice is given already"));
                }
                self.step(actor, TableFact::NoticeGiven { reason: reason.chars().take(200).collect() });
            }
            Order::Reopen => {
                self.needs(actor, Duty::PitManager)?;
                if self.live.notice.is_none() && !self.live.table.standing.closed {
                    return Err(not_now("the table is open"));
                }
                let by = crate::house::person(actor)?;
                self.on_floor(actor, |at, table| baize_floor::reopen(at, table, by))?;
                self.step(actor, TableFact::Reopened);
            }
            Order::SetPace { pace } => self.set_pace(actor, *pace)?,
            Order::SetShoe { shoe } => self.set_shoe(actor, *shoe)?,
            Order::SetLimits { ante, bonus } => self.set_limits(actor, *ante, *bonus)?,
            Order::FillFloat { amount } => {
                self.needs(actor, Duty::PitManager)?;
                if *amount <= Money::ZERO || *amount > MOST_FILL {
                    return Err(HouseError::Amount(*amount).into());
                }
                self.step(actor, TableFact::FloatFilled { amount: *amount });
            }
        }
        self.advance()
    }

    fn needs(&self, actor: &Actor, duty: Duty) -> Result<(), Stuck> {
        if actor.may(duty) { Ok(()) } else { Err(forbidden(duty)) }
    }

    /// A dealer at a table that a person runs with the computer's shoe.
    fn dealer_with_computer(&self, actor: &Actor) -> Result<(), Stuck> {
        self.needs(actor, Duty::Dealer)?;
        self.live.dealt_by(actor)?;
        if !self.live.computer_deals() {
            return Err(not_now("the cards of this table are entered one by one"));
        }
        self.run_by_a_person()
    }

    fn run_by_a_person(&self) -> Result<(), Stuck> {
        match self.live.config.pace {
            Pace::Dealer => Ok(()),
            Pace::Auto { .. } => Err(not_now("this table runs itself")),
        }
    }

    fn between_rounds(&self) -> Result<(), Stuck> {
        if self.live.under_way() {
            Err(not_now("a round is under way: wait until it is settled"))
        } else {
            Ok(())
        }
    }

    fn open_round(&mut self, by: &Actor) -> Result<(), Stuck> {
        if self.live.notice.is_some() {
            return Err(not_now("the table is closed: no further round is opened"));
        }
        self.command(by, Command::Open)
    }

    fn table_command(&mut self, actor: &Actor, command: &Command) -> Result<(), Stuck> {
        match actor {
            Actor::Player { id } => self.player_command(actor, id, command),
            Actor::Staff { .. } => self.staff_command(actor, command),
            Actor::House => self.command(actor, command.clone()),
            Actor::Public => Err(Stuck::No(HouseError::NotLoggedIn)),
        }
    }

    fn own_wager(
        &mut self,
        actor: &Actor,
        player: &PlayerId,
        seat: BoxNumber,
        area: baize_rules::Area,
        amount: baize_rules::Money,
    ) -> Result<(), Stuck> {
        self.made_of_chips(area, amount)?;
        // A table that runs itself opens its round with the first chips.
        let auto = matches!(self.live.config.pace, Pace::Auto { .. });
        if auto && matches!(self.live.table.round.phase, Phase::Idle | Phase::Finished(_)) {
            self.open_round(&Actor::House)?;
        }
        let held = self.live.guests.iter().any(|(other, guest)| guest.seat == seat && other != player);
        let empty = !self.live.table.seated().contains_key(&seat);
        if held && empty {
            return Err(Stuck::No(HouseError::NotYourBox { seat }));
        }
        let player = Player::from(player);
        self.command(
            actor,
            Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None },
        )
    }

    /// Every ante and bonus is a multiple of the table's smallest chip. Later wagers and the jackpot's follow from them.
    fn made_of_chips(&self, area: baize_rules::Area, amount: baize_rules::Money) -> Result<(), Stuck> {
        let chip = self.live.config.chip;
        let by_choice = matches!(area, baize_rules::Area::Ante | baize_rules::Area::Bonus);
        if by_choice && amount.cents() % chip.cents().max(1) != 0 {
            return Err(Stuck::No(HouseError::Chip { amount, chip }));
        }
        Ok(())
    }

    /// Staff place a wager for a player who asked for it: chips are the player's, and a table that runs itself asks the player.
    fn bet_for(
        &mut self,
        actor: &Actor,
        player: &PlayerId,
        Chips { seat, area, amount }: Chips,
        request: &str,
        unnoticed: bool,
    ) -> Result<(), Stuck> {
        self.needs(actor, Duty::Dealer)?;
        self.live.dealt_by(actor)?;
        self.run_by_a_person()?;
        self.made_of_chips(area, amount)?;
        let request: String = request.chars().filter(|c| !c.is_control()).take(LONGEST_REQUEST).collect();
        if request.trim().is_empty() {
            return Err(not_now("say what the player asked for: the request stays on record"));
        }
        if !self.live.guests.contains_key(player) {
            return Err(not_now("this player does not sit at the table"));
        }
        let placed = self.live.placed_for.get(player).copied().unwrap_or_default();
        if amount > self.live.config.bets_by_staff - placed {
            return Err(not_now(
                "staff place no more for this player in this round: it is above the table's limit",
            ));
        }
        let request = TableFact::BetRequested { player: player.clone(), amount, request };
        self.step(actor, request);
        let (player, placed_by) = (Player::from(player), actor.role());
        self.command(actor, Command::PlaceWager { seat, player, area, amount, unnoticed, placed_by })
    }

    fn player_command(&mut self, actor: &Actor, id: &PlayerId, command: &Command) -> Result<(), Stuck> {
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
                    return Err(Stuck::No(HouseError::NotYourBox { seat: *seat }));
                }
                self.command(actor, command.clone())
            }
            // A player chooses for their own chips, also for those on another's box.
            Command::Choose { seat, choice, .. } => {
                let me = Player::from(id);
                if !self.live.table.round.has_chips(*seat, &me) {
                    return Err(Stuck::No(HouseError::NotYourBox { seat: *seat }));
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

    fn staff_command(&mut self, actor: &Actor, command: &Command) -> Result<(), Stuck> {
        self.needs(actor, Duty::Dealer)?;
        self.live.dealt_by(actor)?;
        let Some(staff) = actor.as_staff() else { return Err(forbidden(Duty::Dealer)) };
        match command {
            Command::Open => {
                self.run_by_a_person()?;
                self.open_round(actor)
            }
            Command::Close | Command::Reveal { .. } | Command::Settle | Command::Absent { .. } => {
                self.run_by_a_person()?;
                self.command(actor, command.clone())
            }
            Command::Burn { .. } | Command::Deal { .. } => {
                self.run_by_a_person()?;
                if self.live.computer_deals() {
                    return Err(not_now("the computer deals at this table: draw from its shoe"));
                }
                self.command(actor, command.clone())
            }
            Command::PlaceWager { .. } => {
                self.run_by_a_person()?;
                Err(not_now("chips are the player's: place a wager with the player's request (bet-for)"))
            }
            // A dealer enters what players without a screen do.
            Command::Withdraw { .. }
            | Command::Look { .. }
            | Command::Fold { .. }
            | Command::Check { .. }
            | Command::Show { .. }
            | Command::Decline { .. }
            | Command::Choose { .. } => {
                self.run_by_a_person()?;
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

    fn ready(&mut self, actor: &Actor) -> Result<(), Stuck> {
        let player = actor.as_player().ok_or(not_now("only a player says that they are ready"))?.clone();
        if !matches!(self.live.config.pace, Pace::Auto { .. }) {
            return Err(not_now("the dealer of this table closes the betting"));
        }
        if !matches!(self.live.table.round.phase, Phase::Betting(_)) {
            return Err(not_now("no bets are open"));
        }
        if self.live.ready.contains(&player) {
            return Err(not_now("you have said so already"));
        }
        if !self.live.players().contains(&player) && !self.live.guests.contains_key(&player) {
            return Err(not_now("you are not at this table"));
        }
        self.step(actor, TableFact::ReadySaid { player });
        Ok(())
    }

    fn sit(&mut self, actor: &Actor, wanted: Option<BoxNumber>) -> Result<(), Stuck> {
        let player = actor.as_player().ok_or(not_now("only a player sits down"))?.clone();
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
            Some(seat) if taken(seat) => return Err(not_now("somebody sits there")),
            Some(seat) => seat,
            None => BoxNumber::all(boxes).find(|seat| !taken(*seat)).ok_or(not_now("every box is taken"))?,
        };
        if self.live.guests.get(&player).is_some_and(|guest| wanted.is_none() || guest.seat == seat) {
            return Err(not_now("you sit here already"));
        }
        self.step(actor, TableFact::Sat { player, seat });
        Ok(())
    }

    fn leave(&mut self, actor: &Actor) -> Result<(), Stuck> {
        let player = actor.as_player().ok_or(not_now("only a player leaves"))?.clone();
        if !self.live.guests.contains_key(&player) {
            return Err(not_now("you do not sit here"));
        }
        self.step(actor, TableFact::Left { player: player.clone() });
        if !matches!(self.live.config.pace, Pace::Auto { .. }) || self.live.table.round.awaiting.is_some() {
            return Ok(());
        }
        self.leaves_hands(&player)
    }

    fn set_pace(&mut self, actor: &Actor, pace: Pace) -> Result<(), Stuck> {
        self.needs(actor, Duty::PitSupervisor)?;
        self.between_rounds()?;
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

    fn set_limits(&mut self, actor: &Actor, ante: Limits, bonus: Option<Limits>) -> Result<(), Stuck> {
        self.needs(actor, Duty::PitManager)?;
        let now = &self.live.config.settings;
        let (ante_before, bonus_before) = (now.ante, now.bonus);
        let settings = Settings { ante, bonus: bonus.unwrap_or(now.bonus), ..now.clone() };
        if settings == *now {
            return Err(not_now("those are the limits already"));
        }
        let Settings { ante, bonus, .. } =
            settings.checked(&self.live.book).map_err(|fault| HouseError::SetUp(fault.to_string()))?;
        self.step(actor, TableFact::LimitsSet { ante, bonus, ante_before, bonus_before });
        Ok(())
    }

    fn set_shoe(&mut self, actor: &Actor, shoe: Shoe) -> Result<(), Stuck> {
        self.needs(actor, Duty::PitSupervisor)?;
        self.between_rounds()?;
        if shoe == Shoe::Entered && matches!(self.live.config.pace, Pace::Auto { .. }) {
            return Err(not_now("a table that runs itself needs the computer's shoe"));
        }
        if shoe == self.live.config.shoe {
            return Err(not_now("that is the shoe already"));
        }
        let before = Some(self.live.config.shoe);
        self.step(actor, TableFact::ShoeSet { shoe, before });
        if shoe == Shoe::Computer {
            self.prepare_shuffle();
        }
        Ok(())
    }
}
