//! Exact mathematics for pages: figures of each game, solved once in the background, and the value of a decision at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use baize_cards::{Card, HandClass, Rank};
use baize_house::{JackpotView, TableView};
use baize_odds::advice::{self, Seen, Stakes};
use baize_odds::analysis::{self, GameAnalysis, Question, StrategyCost};
use baize_odds::strategy::Strategy;
use baize_odds::stud::ClassRule;
use baize_odds::{Fraction, Solver};
use baize_rules::{Area, Family, Money, Rulebook, StartingHand};
use baize_table::{BoxView, CardView};

use crate::pages::model::{
    Advice, AdviceLine, Calculator, Exact, HeatCell, JackpotReturn, OddsPage, OutcomeLine, Shell,
    StrategyLine, WagerOdds,
};

/// What is known so far.
#[derive(Default)]
struct Known {
    solver: Mutex<Solver>,
    games: Mutex<HashMap<String, Arc<GameAnalysis>>>,
    started: AtomicBool,
}

/// Computes and remembers.
#[derive(Clone, Default)]
pub(crate) struct OddsDesk(Arc<Known>);

const COMPUTING: &str = "The figures are being counted, deal by deal. Load the page again in a moment.";

impl OddsDesk {
    /// Begins to solve the games, once, on a thread of its own.
    pub(crate) fn start(&self) {
        if self.0.started.swap(true, Ordering::SeqCst) {
            return;
        }
        let known = Arc::clone(&self.0);
        std::thread::spawn(move || {
            for book in Rulebook::builtins() {
                let mut solver = known.solver.lock().unwrap_or_else(PoisonError::into_inner);
                let Ok(mut game) = GameAnalysis::new(&mut solver, book, Question::default()) else {
                    continue;
                };
                for named in Strategy::named(book.family) {
                    let cost = Strategy::read(book.family, named.name).ok().and_then(|strategy| {
                        StrategyCost::of(&mut solver, book, None, named.name, &strategy).ok()
                    });
                    game.strategies.extend(cost);
                }
                drop(solver);
                let mut games = known.games.lock().unwrap_or_else(PoisonError::into_inner);
                games.insert(book.id.clone(), Arc::new(game));
            }
        });
    }

    fn game(&self, book: &Rulebook) -> Option<Arc<GameAnalysis>> {
        self.start();
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner).get(&book.id).cloned()
    }

    /// The figures of a game for the glance at all of them: its wagers and its jackpot. Empty while they are computed.
    pub(crate) fn glance(&self, book: &Rulebook) -> (Vec<WagerOdds>, Option<JackpotReturn>) {
        self.game(book).map_or((Vec::new(), None), |game| (wagers(&game), Some(jackpot(&game, None))))
    }

    /// The figures of a game as its page shows them, or that they are being computed.
    pub(crate) fn page<'a>(&self, book: &'a Rulebook, meter: Option<&JackpotView>) -> OddsPage<'a> {
        let empty = OddsPage {
            shell: Shell::default(),
            book,
            wagers: Vec::new(),
            outcomes: Vec::new(),
            heat: Vec::new(),
            best_play: Vec::new(),
            strategies: Vec::new(),
            jackpot: None,
            calculator: Calculator::default(),
            computing: Some(COMPUTING.to_owned()),
        };
        let Some(game) = self.game(book) else { return empty };
        OddsPage {
            wagers: wagers(&game),
            outcomes: game.main.outcomes.iter().map(outcome).collect(),
            heat: heat(&game),
            best_play: best_play(&game),
            strategies: game.strategies.iter().map(strategy).collect(),
            jackpot: Some(jackpot(&game, meter)),
            computing: None,
            ..empty
        }
    }

    /// The exact value of each decision of a box, from the cards that its player sees.
    pub(crate) async fn advise(&self, view: &TableView, seat: u8, meter: Option<Money>) -> Advice {
        let refused = |words: &str| Advice { seat, refused: Some(words.to_owned()), ..Advice::default() };
        let Some(book) = Rulebook::builtin(&view.info.rulebook) else {
            return refused("This game is not known.");
        };
        let Some(on_box) = view.round.boxes.get(&seat).filter(|_| view.boxes.contains(&seat)) else {
            return refused("This is not your box.");
        };
        let Some(cards) = all_up(&on_box.cards) else { return refused("Look at your cards first.") };
        let up = |cards: &[CardView]| cards.iter().filter_map(open).collect::<Vec<Card>>();
        let seen = Seen {
            cards,
            up: up(&view.round.dealer).first().copied().filter(|_| book.family == Family::Stud),
            board: up(&view.round.board),
            turn_wagered: on_box.areas.contains_key(&Area::Turn),
        };
        self.value(book, seen, stakes(on_box, meter), seat).await
    }

    /// The answer of the calculator.
    pub(crate) async fn calculate(&self, book: &'static Rulebook, asked: &Calculator) -> Advice {
        match question(asked) {
            Ok((seen, stakes)) => self.value(book, seen, stakes, 0).await,
            Err(words) => Advice { refused: Some(words), ..Advice::default() },
        }
    }

    async fn value(&self, book: &'static Rulebook, seen: Seen, stakes: Stakes, seat: u8) -> Advice {
        let refused = |words: String| Advice { seat, refused: Some(words), ..Advice::default() };
        // Before the flop the whole game must be solved; afterwards one position is counted.
        let whole = book.family == Family::Holdem && seen.board.is_empty();
        if whole && self.game(book).is_none() {
            return refused("The game is being solved. Ask again in a moment.".to_owned());
        }
        let known = Arc::clone(&self.0);
        let counted = tokio::task::spawn_blocking(move || {
            if whole {
                let mut solver = known.solver.lock().unwrap_or_else(PoisonError::into_inner);
                advice::Advice::of(&mut solver, book, &seen, stakes)
            } else {
                advice::Advice::of(&mut Solver::new(), book, &seen, stakes)
            }
        });
        match counted.await {
            Ok(Ok(advice)) => lines(&advice, stakes, seat),
            Ok(Err(error)) => refused(crate::server::fault::sentence(&error.to_string())),
            Err(_) => refused("The position could not be counted.".to_owned()),
        }
    }
}

fn open(card: &CardView) -> Option<Card> {
    match card {
        CardView::Up(card) => Some(*card),
        CardView::Down => None,
    }
}

/// The cards, if all of them lie open to this reader.
fn all_up(cards: &[CardView]) -> Option<Vec<Card>> {
    cards.iter().map(open).collect::<Option<Vec<Card>>>().filter(|cards| !cards.is_empty())
}

fn stakes(on_box: &BoxView, meter: Option<Money>) -> Stakes {
    let jackpot_wager = on_box.areas.get(&Area::Jackpot).copied().filter(|_| meter.is_some());
    let meter = meter.filter(|_| jackpot_wager.is_some());
    Stakes { ante: on_box.areas.get(&Area::Ante).copied(), jackpot_wager, meter }
}

/// What somebody asked the calculator.
fn question(asked: &Calculator) -> Result<(Seen, Stakes), String> {
    let cards = |text: &str| {
        let card = |word: &str| {
            word.parse::<Card>().map_err(|error| crate::server::fault::sentence(&error.to_string()))
        };
        text.split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .take(60)
            .map(card)
            .collect::<Result<Vec<Card>, String>>()
    };
    let money = |text: &str| match text.trim() {
        "" => Ok(None),
        amount => amount
            .replace(',', "")
            .parse::<Money>()
            .map(Some)
            .map_err(|error| crate::server::fault::sentence(&error.to_string())),
    };
    let seen = Seen {
        cards: cards(&asked.hand)?,
        up: cards(&asked.up)?.first().copied(),
        board: cards(&asked.board)?,
        turn_wagered: false,
    };
    let stakes = Stakes {
        ante: money(&asked.ante)?,
        jackpot_wager: money(&asked.jackpot)?,
        meter: money(&asked.meter)?,
    };
    Ok((seen, stakes))
}

fn lines(advice: &advice::Advice, stakes: Stakes, seat: u8) -> Advice {
    let ante = stakes.ante.unwrap_or(Money::from_dollars(1));
    let line = |value: &advice::ActionValue| AdviceLine {
        action: value.action.code().to_owned(),
        value: value.ev.decimal(analysis::PLACES.min(10)),
        money: cents(value.ev * Fraction::from(ante.cents())),
        best: value.action == advice.best,
    };
    let note = match (stakes.jackpot_wager, stakes.meter) {
        (Some(wager), Some(meter)) => format!(
            "The jackpot wager of {} is counted, with the meter at {}.",
            wager.grouped(),
            meter.grouped()
        ),
        _ => String::new(),
    };
    Advice { seat, lines: advice.decisions.iter().map(line).collect(), note, refused: None }
}

/// So many cents, to the nearest.
fn cents(value: Fraction) -> Money {
    Money::from_cents(value.decimal(0).parse().unwrap_or(0))
}

fn exact(value: Fraction) -> Exact {
    Exact {
        numerator: value.numerator().to_string(),
        denominator: value.denominator().to_string(),
        decimal: value.decimal(10),
        percent: value.percent(4).replace('%', " %"),
    }
}

fn wagers(game: &GameAnalysis) -> Vec<WagerOdds> {
    let main = &game.main;
    let mut wagers = vec![WagerOdds {
        name: "Main game".to_owned(),
        expectation: exact(main.ev.value),
        house_edge: exact(main.house_edge),
        element_of_risk: Some(exact(main.element_of_risk)),
        deviation: main.std_dev.clone(),
        note: "With best play, for an ante of 1.".to_owned(),
    }];
    wagers.extend(game.bonus.as_ref().map(|bonus| WagerOdds {
        name: "Bonus".to_owned(),
        expectation: exact(bonus.ev),
        house_edge: exact(bonus.house_edge),
        element_of_risk: None,
        deviation: bonus.std_dev.clone(),
        note: format!("Pays in {} of the deals.", bonus.hit_rate.percent(2)),
    }));
    wagers
}

fn outcome(row: &analysis::OutcomeRow) -> OutcomeLine {
    let mut name = row.decisions.to_owned();
    for part in [row.outcome, row.hands.as_deref()].into_iter().flatten() {
        name.push_str(&format!(" · {part}"));
    }
    OutcomeLine {
        name,
        count: grouped(row.rounds),
        percent: row.probability.percent(4).replace('%', " %"),
        pays: format!("{} antes", row.net.decimal(if row.net.denominator() == 1 { 0 } else { 2 })),
        bar: (row.probability * Fraction::from(1_000)).decimal(0).parse().unwrap_or(0),
    }
}

/// A count with its thousands apart.
fn grouped(count: i64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The 169 starting hands as a square: suited above the diagonal, aces first.
fn heat(game: &GameAnalysis) -> Vec<HeatCell> {
    if game.starting_hands.is_empty() {
        return Vec::new();
    }
    let ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    let cell = |row: usize, column: usize| {
        let hand = StartingHand::new(ranks[row], ranks[column], column > row);
        let found = game.starting_hands.iter().find(|one| one.hand == hand)?;
        let shade: i32 = (found.ev * Fraction::from(5)).decimal(0).parse().unwrap_or(0);
        Some(HeatCell {
            hand: hand.to_string(),
            value: found.ev.decimal(6),
            shade: u8::try_from((shade + 10).clamp(0, 20)).unwrap_or(10),
            best: found.best.to_owned(),
        })
    };
    (0..13)
        .flat_map(|row| (0..13).map(move |column| (row, column)))
        .filter_map(|(row, column)| cell(row, column))
        .collect()
}

/// Best play in words, as far as it can be said in a few.
fn best_play(game: &GameAnalysis) -> Vec<String> {
    let ask = |what: &str| format!("{what} depends on all the cards: ask the calculator.");
    if let Some(rule) = &game.raising_rule {
        let all = HandClass::ALL.into_iter().zip(rule.classes);
        let of = |wanted: ClassRule| {
            all.clone()
                .filter(|(_, rule)| *rule == wanted)
                .map(|(class, _)| class)
                .collect::<Vec<HandClass>>()
        };
        let mut lines = Vec::new();
        lines.extend(of(ClassRule::Bet).first().map(|class| format!("Bet every {class} or better.")));
        lines.extend(of(ClassRule::Fold).last().map(|class| format!("Fold every {class} and below.")));
        lines.extend(of(ClassRule::Depends).iter().map(|class| ask(class.name())));
        return lines;
    }
    let folded: Vec<String> =
        game.starting_hands.iter().filter(|one| one.best == "fold").map(|one| one.hand.to_string()).collect();
    vec![
        format!("Place the flop wager with every hand but {}.", folded.join(", ")),
        ask("Whether to place the turn and the river wager"),
    ]
}

fn strategy(cost: &StrategyCost) -> StrategyLine {
    StrategyLine {
        name: cost.words.map_or_else(|| cost.strategy.clone(), ToOwned::to_owned),
        house_edge: cost.house_edge.percent(4).replace('%', " %"),
        cost: cost.cost.percent(4).replace('%', " %"),
    }
}

fn jackpot(game: &GameAnalysis, meter: Option<&JackpotView>) -> JackpotReturn {
    let of = &game.jackpot;
    let wager = of.single.wager;
    let chance = |probability: Fraction| {
        if probability == Fraction::ZERO {
            "never".to_owned()
        } else {
            format!("1 in {}", grouped(probability.reciprocal().decimal(0).parse().unwrap_or(0)))
        }
    };
    JackpotReturn {
        wager,
        fixed: exact(of.single.fixed_return),
        coefficient: exact(of.single.meter_coefficient * Fraction::new(100, wager.cents())),
        break_even: of.single.break_even_meter.map(|dollars| cents(dollars * Fraction::from(100))),
        meter: meter.map_or(Money::from_dollars(100_000), |meter| meter.displayed),
        reset: meter.map_or(Money::from_dollars(100_000), |meter| meter.reset),
        awards: of
            .awards
            .iter()
            .map(|row| (row.award.clone(), row.pays.clone(), chance(row.probability)))
            .collect(),
    }
}
