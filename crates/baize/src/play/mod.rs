//! `baize play`: a game in the terminal, in a temporary casino with one table.
//!
//! The house deals, settles and keeps the journal as usual; this module only shows the table and reads the player's input. Input comes from
//! standard input, so a program can play too.

mod felt;
mod prompt;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use baize_house::{
    Actor, Chips, CommandId, House, HouseError, JackpotConfig, JackpotId, Order, PlayerId, RoundId,
    TableConfig, TableId, TableView,
};
use baize_odds::Solver;
use baize_odds::advice::{Advice, Seen, Stakes};
use baize_rules::{Area, BoxNumber, Money, Rulebook};
use baize_script::{Look, Script, tell_settlement};
use baize_table::{Command, PhaseName, Player};
use clap::Args;

use self::prompt::Input;
use crate::audit::wait;
use crate::temporary_casino::TemporaryCasino;
use crate::{Failure, interrupt, page, progress, rulebook};

/// Play a game in the terminal, for play chips.
///
/// The hash of the shuffled deck is shown before you bet; every payment names its paragraph. Nothing is kept unless you ask for it with --save.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The game.
    #[arg(value_name = "ID", required_unless_present = "rulebook", conflicts_with = "rulebook")]
    id: Option<String>,
    /// A rulebook file of your own, in place of ID.
    #[arg(long, value_name = "FILE")]
    rulebook: Option<PathBuf>,
    /// Chips to begin with.
    #[arg(long, value_name = "AMOUNT", default_value = "1000")]
    chips: Money,
    /// Write every round as a round script into this folder.
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
}

/// The player's box: the middle one.
const SEAT: BoxNumber = BoxNumber(4);

const HELP_BETS: &str = "  25               an ante of 25
  25 bonus 5       with a bonus of 5
  25 jackpot       with the jackpot wager
  Enter            the bets that are offered
  q                leave
";

const HELP_ROUND: &str = "  b   bet: place the wager that is open now
  f   fold        c   check
  a   advice: the exact value of each decision
  q   leave
";

/// Plays until the player leaves or cannot afford an ante.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (text, book) = match (&arguments.rulebook, &arguments.id) {
        (Some(file), _) => rulebook::text_and_rulebook(file)?,
        (None, id) => {
            let book = rulebook::built_in(id.as_deref().unwrap_or_default())?;
            (Rulebook::builtin_text(&book.id).unwrap_or_default().to_owned(), book.clone())
        }
    };
    if let Some(folder) = &arguments.save {
        std::fs::create_dir_all(folder).map_err(Failure::of_file(folder))?;
    }
    let casino = TemporaryCasino::new("play")?;
    interrupt::end_with(casino.remover());
    wait(async {
        let house = House::open(&casino.database()).await?;
        let mut game = Game::set_up(house, book, &text, arguments).await?;
        let played = game.play().await;
        game.house.close().await?;
        played
    })
}

/// A player at a table.
struct Game<'a> {
    house: House,
    book: Rulebook,
    actor: Actor,
    player: PlayerId,
    table: TableId,
    jackpot: JackpotId,
    look: Look,
    solver: Solver,
    began_with: Money,
    save: Option<&'a Path>,
}

/// The player has left.
struct Left;

impl<'a> Game<'a> {
    async fn set_up(
        house: House,
        book: Rulebook,
        text: &str,
        arguments: &'a Arguments,
    ) -> Result<Game<'a>, Failure> {
        let jackpot: JackpotId = book.operator.parse()?;
        let table: TableId = format!("{}-1", book.short.to_lowercase()).parse()?;
        // No second person can confirm a large award here, so one verification is enough.
        let meter = JackpotConfig {
            confirm_above: Money::from_dollars(1_000_000_000),
            ..JackpotConfig::usual(jackpot.clone())
        };
        house.create_jackpot(&Actor::House, meter).await?;
        let set_up = TableConfig::usual(table.clone(), &book, Some(jackpot.clone()));
        house.create_table_of(&Actor::House, set_up, text).await?;
        let player: PlayerId = "you".parse()?;
        house.create_player(&player, None, arguments.chips).await?;
        let (width, colour) = page::stdout();
        Ok(Game {
            house,
            book,
            actor: Actor::player(player.clone()),
            player,
            table,
            jackpot,
            look: Look { width: width.min(100), colour },
            solver: Solver::new(),
            began_with: arguments.chips,
            save: arguments.save.as_deref(),
        })
    }

    async fn play(&mut self) -> Result<(), Failure> {
        let view = self.view().await?;
        page::print(&felt::welcome(&self.book, &view, self.meter().await?, self.look))?;
        page::print("? for help, q to leave.\n")?;
        let mut last = vec![(Area::Ante, view.info.ante.least)];
        loop {
            let view = self.view().await?;
            let purse = view.purse.unwrap_or(Money::ZERO);
            if purse < view.info.ante.least {
                page::print(&format!("\nYou have {} left: not enough for an ante.\n", purse.grouped()))?;
                break;
            }
            let Ok(bets) = self.bets(&view, &last).await? else { break };
            last = bets;
            if self.decisions().await?.is_err() {
                page::print("The round is abandoned; nothing of it is kept.\n")?;
                break;
            }
            self.settled().await?;
        }
        let purse = self.view().await?.purse.unwrap_or(Money::ZERO);
        let net = purse - self.began_with;
        page::print(&format!("You leave with {}: {}.\n", purse.grouped(), self.signed(net)))
    }

    /// Asks for bets until some are accepted.
    async fn bets(
        &mut self,
        view: &TableView,
        last: &[(Area, Money)],
    ) -> Result<Result<Vec<(Area, Money)>, Left>, Failure> {
        let mut offer = vec![(Area::Ante, view.info.ante.least)];
        offer.extend(view.info.bonus.map(|bonus| (Area::Bonus, bonus.least)));
        offer.extend(view.info.jackpot_wager.map(|wager| (Area::Jackpot, wager)));
        let round = view.commitment.as_ref().map_or(1, |promise| promise.round);
        let fixed = view.commitment.as_ref().map_or("", |promise| promise.hash.get(..16).unwrap_or_default());
        let purse = view.purse.unwrap_or(Money::ZERO);
        page::print(&format!(
            "\n{} {}\n",
            self.look.bold(&format!("Round {round}")),
            self.look.dim(&format!("· {} in chips · deck fixed as {fixed}…", purse.grouped()))
        ))?;
        loop {
            let asked = format!("Your bets [{}]: ", felt::bets(last));
            let Some(line) = self.ask(&asked)? else { return Ok(Err(Left)) };
            let bets = match prompt::before_round(&line, &offer) {
                Ok(Input::Offered) => last.to_vec(),
                Ok(Input::Bets(bets)) => bets,
                Ok(Input::Quit) => return Ok(Err(Left)),
                Ok(Input::Help | Input::Raise(_) | Input::Fold | Input::Check | Input::Advice) => {
                    page::print(HELP_BETS)?;
                    continue;
                }
                Err(wrong) => {
                    self.say(&wrong)?;
                    continue;
                }
            };
            let wagers = bets.iter().map(|(area, amount)| Chips { seat: SEAT, area: *area, amount: *amount });
            if self.order(Order::Bet { wagers: wagers.collect() }).await? && self.order(Order::Ready).await? {
                return Ok(Ok(bets));
            }
        }
    }

    /// Asks for decisions until the round is over.
    async fn decisions(&mut self) -> Result<Result<(), Left>, Failure> {
        let mut shown = 0;
        loop {
            let view = self.view().await?;
            if view.round.phase == PhaseName::Finished {
                return Ok(Ok(()));
            }
            if view.legal.looks.contains(&SEAT) && self.order(Command::Look { seat: SEAT }.into()).await? {
                continue;
            }
            // Do not repeat the cards after invalid input.
            if view.info.version != shown {
                page::print(&felt::cards(&self.book, &view, SEAT, self.look))?;
                shown = view.info.version;
            }
            let wager = view.legal.wagers.iter().find(|wager| wager.seat == SEAT);
            let (folds, checks) = (view.legal.folds.contains(&SEAT), view.legal.checks.contains(&SEAT));
            let mut options = Vec::new();
            options.extend(wager.map(|wager| {
                let amount = felt::short(wager.amounts.from);
                let name = if wager.area == Area::Bet { "" } else { wager.area.code() };
                if name.is_empty() { format!("[b]et {amount}") } else { format!("[b]et the {name} {amount}") }
            }));
            options.extend(folds.then(|| "[f]old".to_owned()));
            options.extend(checks.then(|| "[c]heck".to_owned()));
            let Some(line) = self.ask(&format!("{}, [a]dvice: ", options.join(", ")))? else {
                return Ok(Err(Left));
            };
            let command = match (prompt::in_round(&line), wager) {
                (Ok(Input::Raise(amount)), Some(wager)) => Command::PlaceWager {
                    seat: SEAT,
                    player: Player::from(&self.player),
                    area: wager.area,
                    amount: amount.unwrap_or(wager.amounts.from),
                    unnoticed: false,
                    placed_by: None,
                },
                (Ok(Input::Fold), _) if folds => Command::Fold { seat: SEAT },
                (Ok(Input::Check), _) if checks => Command::Check { seat: SEAT },
                (Ok(Input::Quit), _) => return Ok(Err(Left)),
                (Ok(Input::Advice), _) => {
                    self.advise(&view).await?;
                    continue;
                }
                (Ok(Input::Help | Input::Offered | Input::Bets(_)), _) => {
                    page::print(HELP_ROUND)?;
                    continue;
                }
                (Ok(Input::Raise(_) | Input::Fold | Input::Check), _) => {
                    self.say("you cannot do that now")?;
                    continue;
                }
                (Err(wrong), _) => {
                    self.say(&wrong)?;
                    continue;
                }
            };
            self.order(command.into()).await?;
        }
    }

    /// Shows the slip of the round that is over, by replaying the round's own script.
    async fn settled(&self) -> Result<(), Failure> {
        let view = self.view().await?;
        let round = RoundId { table: self.table.clone(), number: view.round.number };
        let text = self.house.export(&round).await?;
        if let Some(folder) = self.save {
            let path = folder.join(format!("{}-{}.round", round.table, round.number));
            page::replace(&path, &text)?;
        }
        let script = Script::parse(&text)
            .map_err(|errors| Failure::Script(errors.iter().map(|error| format!("{error}\n")).collect()))?;
        let transcript = baize_script::run(&script, &|_| Some(self.book.clone()));
        let net: Money = view.round.slips.iter().map(baize_table::BoxSettlement::net).sum();
        page::print(&format!("\n{}", tell_settlement(&transcript, self.look)))?;
        let words = match net.cmp(&Money::ZERO) {
            std::cmp::Ordering::Greater => "You win",
            std::cmp::Ordering::Less => "You lose",
            std::cmp::Ordering::Equal => "You are even",
        };
        let amount = if net == Money::ZERO { String::new() } else { format!(" {}", net.max(-net).grouped()) };
        page::print(&format!("{}\n", self.look.net(net, &format!("{words}{amount}."))))
    }

    /// The exact value of each decision, as `baize advise` gives it.
    async fn advise(&mut self, view: &TableView) -> Result<(), Failure> {
        let Some(own) = view.round.boxes.get(&SEAT) else { return Ok(()) };
        let jackpot_wager = own.areas.get(&Area::Jackpot).copied();
        let meter = if jackpot_wager.is_some() { self.meter().await? } else { None };
        let seen = Seen {
            cards: own.cards.iter().filter_map(felt::up).collect(),
            up: view.round.dealer.iter().find_map(felt::up),
            board: view.round.board.iter().filter_map(felt::up).collect(),
            turn_wagered: own.areas.contains_key(&Area::Turn),
        };
        let stakes = Stakes { ante: own.areas.get(&Area::Ante).copied(), jackpot_wager, meter };
        let note = progress::note("solving the game");
        let advice = Advice::of(&mut self.solver, &self.book, &seen, stakes);
        note.finish_and_clear();
        let advice = advice?;
        for decision in &advice.decisions {
            let best = if decision.action == advice.best { "   best" } else { "" };
            let value = decision.ev.decimal(6);
            let line = format!("  {:<6} {value:>12} antes{best}", decision.action.code());
            page::print(&format!("{}\n", if best.is_empty() { line } else { self.look.bold(&line) }))?;
        }
        Ok(())
    }

    /// Sends an order; returns false if it was refused, after printing why.
    async fn order(&self, order: Order) -> Result<bool, Failure> {
        match self.house.act(&self.actor, &self.table, &CommandId::random(), order).await {
            Ok(_) => Ok(true),
            Err(error @ (HouseError::Refused(_) | HouseError::NotNow(_) | HouseError::Purse { .. })) => {
                self.say(&error.to_string())?;
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn view(&self) -> Result<TableView, Failure> {
        Ok(self.house.view(&self.actor, &self.table).await?)
    }

    async fn meter(&self) -> Result<Option<Money>, Failure> {
        let all = self.house.jackpots().await?;
        Ok(all.into_iter().find(|jackpot| jackpot.id == self.jackpot).map(|jackpot| jackpot.displayed))
    }

    fn say(&self, words: &str) -> Result<(), Failure> {
        page::print(&format!("  {}\n", self.look.warning(words)))
    }

    fn signed(&self, net: Money) -> String {
        let sign = if net > Money::ZERO { "+" } else { "" };
        self.look.net(net, &format!("{sign}{}", net.grouped()))
    }

    /// Reads a line from standard input; `None` at its end.
    fn ask(&self, question: &str) -> Result<Option<String>, Failure> {
        page::print(question)?;
        io::stdout().flush().map_err(Failure::Output)?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        if read.map_err(|error| Failure::File { path: PathBuf::from("standard input"), error })? == 0 {
            page::print("\n")?;
            return Ok(None);
        }
        Ok(Some(line))
    }
}
