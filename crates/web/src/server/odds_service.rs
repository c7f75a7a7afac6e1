//! Exact odds for pages: each game is solved once in the background; the value of a single decision is computed on request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use baize_cards::Card;
use baize_house::TableView;
use baize_odds::advice::{self, Seen, Stakes};
use baize_odds::analysis::{GameAnalysis, Question, StrategyCost};
use baize_odds::rating::Rater;
use baize_odds::strategy::Strategy;
use baize_odds::{Fraction, Solver};
use baize_rules::{Area, BoxNumber, Family, Money, Rulebook};
use baize_table::{BoxView, CardView};
use tokio::sync::watch;

use super::body::Form;
use super::fault::{Fault, sentence};
use crate::pages::odds::cents;
use crate::pages::table_actions::Advice;

struct Inner {
    books: Vec<&'static Rulebook>,
    /// What is solved so far. Cloned for each use, which is cheap, so that it is never locked during a computation.
    solver: Mutex<Solver>,
    rater: Mutex<Rater>,
    /// By rulebook hash.
    games: Mutex<HashMap<String, Arc<GameAnalysis>>>,
    started: AtomicBool,
    progress: watch::Sender<Progress>,
}

/// How much of the background work is done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Progress {
    /// Parts done.
    pub(crate) done: usize,
    /// All parts.
    pub(crate) of: usize,
    /// What is being computed now.
    pub(crate) now: String,
}

impl Progress {
    fn is_complete(&self) -> bool {
        self.of > 0 && self.done == self.of
    }
}

/// The expected result of one unit of a wager, and its deviation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    value: Fraction,
    /// The standard deviation, for charts.
    pub(crate) deviation: f64,
}

impl Expected {
    /// For this stake, to the cent.
    pub(crate) fn of(self, stake: Money) -> Money {
        cents(self.value * Fraction::from(stake.cents()))
    }

    /// For one unit, for charts.
    pub(crate) fn value_of_one(self) -> f64 {
        self.value.decimal(12).parse().unwrap_or(0.0)
    }
}

/// Solves games and answers questions about them. Cheap to clone.
#[derive(Clone)]
pub(crate) struct OddsService(Arc<Inner>);

impl OddsService {
    /// A service for these games, which are solved on first use or by [`OddsService::start`].
    pub(crate) fn new(books: Vec<&'static Rulebook>) -> OddsService {
        OddsService(Arc::new(Inner {
            books,
            solver: Mutex::default(),
            rater: Mutex::default(),
            games: Mutex::default(),
            started: AtomicBool::new(false),
            progress: watch::channel(Progress::default()).0,
        }))
    }

    /// Starts to solve the games on a thread of its own, if that has not begun: best play of every game first, then simple strategies.
    pub(crate) fn start(&self) {
        if self.0.started.swap(true, Ordering::SeqCst) {
            return;
        }
        let inner = Arc::clone(&self.0);
        std::thread::spawn(move || inner.solve());
    }

    /// The progress of the background work, which is started if it has not begun.
    pub(crate) fn progress(&self) -> watch::Receiver<Progress> {
        self.start();
        self.0.progress.subscribe()
    }

    /// The progress; `None` once everything about this game is computed.
    pub(crate) fn missing(&self, book: &Rulebook, game: Option<&GameAnalysis>) -> Option<Progress> {
        let progress = self.0.progress.borrow().clone();
        let missing = game.is_none_or(|game| game.strategies.len() < Strategy::named(book.family).len());
        (missing && !progress.is_complete()).then_some(progress)
    }

    /// The figures of a game: without simple strategies at first, `None` before it is solved. Starts the background work.
    pub(crate) fn analysis(&self, book: &Rulebook) -> Option<Arc<GameAnalysis>> {
        self.start();
        self.computed(book)
    }

    /// As [`OddsService::analysis`], without starting anything.
    pub(crate) fn computed(&self, book: &Rulebook) -> Option<Arc<GameAnalysis>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner).get(&book.hash).cloned()
    }

    /// The expected result of one unit on this area with best play; `None` before the game is solved.
    pub(crate) fn expected(&self, book: &Rulebook, area: Area, meter: Option<Money>) -> Option<Expected> {
        let game = self.computed(book)?;
        let deviation = |text: &str| text.parse().unwrap_or(0.0);
        match area {
            Area::Ante => {
                Some(Expected { value: game.main.ev.value, deviation: deviation(&game.main.std_dev) })
            }
            Area::Bonus => {
                let bonus = game.bonus.as_ref()?;
                Some(Expected { value: bonus.ev, deviation: deviation(&bonus.std_dev) })
            }
            Area::Jackpot => {
                let of = &game.jackpot.single;
                let meters = Fraction::new(i128::from(meter?.cents()), i128::from(of.wager.cents().max(1)));
                let value = of.fixed_return + of.meter_coefficient * meters - Fraction::from(1);
                Some(Expected { value, deviation: 0.0 })
            }
            Area::Flop | Area::Turn | Area::River | Area::Bet => None,
        }
    }

    /// A copy of the solver, with what has been solved so far.
    pub(crate) fn solver(&self) -> Solver {
        self.0.solver()
    }

    /// Runs this on the blocking pool with the shared rater.
    pub(crate) async fn with_rater<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Rater) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let inner = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || {
            let mut rater = inner.rater.lock().unwrap_or_else(PoisonError::into_inner);
            *rater.solver() = inner.solver();
            work(&mut rater)
        });
        done.await.map_err(|_| Fault::Broken)
    }

    /// The progress for the overview of all games; `None` once best play of every game is solved.
    pub(crate) fn overview_progress(&self) -> Option<Progress> {
        let books = self.0.books.iter();
        let unsolved = books.copied().find(|book| self.analysis(book).is_none());
        unsolved.and_then(|book| self.missing(book, None))
    }

    /// The exact value of each decision of a box, given the cards that its player sees.
    pub(crate) async fn advise(
        &self,
        book: &'static Rulebook,
        view: &TableView,
        seat: BoxNumber,
        meter: Option<Money>,
    ) -> Advice {
        let refused = |words: &str| Advice::Refused(words.to_owned());
        let Some(on_box) = view.round.boxes.get(&seat).filter(|_| view.boxes.contains(&seat)) else {
            return refused("This is not your box.");
        };
        let Some(cards) = all_up(&on_box.cards) else { return refused("Look at your cards first.") };
        let up = |cards: &[CardView]| cards.iter().filter_map(CardView::up).collect::<Vec<Card>>();
        let seen = Seen {
            cards,
            up: up(&view.round.dealer).first().copied().filter(|_| book.family == Family::Stud),
            board: up(&view.round.board),
            turn_wagered: on_box.areas.contains_key(&Area::Turn),
        };
        self.value(book, seen, stakes(on_box, meter)).await
    }

    /// The answer of the calculator.
    pub(crate) async fn calculate(&self, book: &'static Rulebook, query: &Form) -> Advice {
        match parse_question(query) {
            Ok((seen, stakes)) => self.value(book, seen, stakes).await,
            Err(words) => Advice::Refused(words),
        }
    }

    async fn value(&self, book: &'static Rulebook, seen: Seen, stakes: Stakes) -> Advice {
        // Before the flop the whole game must be solved; after it, one position is enough.
        let whole_game = book.family == Family::Holdem && seen.board.is_empty();
        if whole_game && self.analysis(book).is_none() {
            return Advice::Refused("The game is being solved. Ask again in a moment.".to_owned());
        }
        let inner = Arc::clone(&self.0);
        let computed = tokio::task::spawn_blocking(move || {
            if whole_game {
                advice::Advice::of(&mut inner.solver(), book, &seen, stakes)
            } else {
                advice::Advice::of(&mut Solver::new(), book, &seen, stakes)
            }
        });
        match computed.await {
            Ok(Ok(advice)) => Advice::Values(advice, stakes),
            Ok(Err(error)) => Advice::Refused(sentence(&error.to_string())),
            Err(_) => Advice::Refused("The position could not be computed.".to_owned()),
        }
    }
}

impl Inner {
    fn solver(&self) -> Solver {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn solve(&self) {
        let mut solver = Solver::new();
        let books = &self.books;
        let strategies = books.iter().map(|book| Strategy::named(book.family).len()).sum::<usize>();
        let of = books.len() + strategies;
        let report = |part: usize, now: String| {
            self.progress
                .send_modify(|progress| *progress = Progress { done: progress.done + part, of, now });
        };
        let keep = |book: &Rulebook, game: GameAnalysis| {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            games.insert(book.hash.clone(), Arc::new(game));
        };
        for &book in books {
            report(0, format!("{}: best play", book.name));
            let solved = GameAnalysis::new(&mut solver, book, Question::default());
            *self.solver.lock().unwrap_or_else(PoisonError::into_inner) = solver.clone();
            if let Ok(game) = solved {
                keep(book, game);
            }
            report(1, String::new());
        }
        for &book in books {
            let solved = self.games.lock().unwrap_or_else(PoisonError::into_inner).get(&book.hash).cloned();
            let mut game = solved.map(|game| (*game).clone());
            for named in Strategy::named(book.family) {
                report(0, format!("{}: “{}”", book.name, named.name));
                let cost = Strategy::read(book.family, named.name).ok().and_then(|strategy| {
                    StrategyCost::of(&mut solver, book, None, named.name, &strategy).ok()
                });
                if let Some(game) = &mut game {
                    game.strategies.extend(cost);
                    keep(book, game.clone());
                }
                report(1, String::new());
            }
        }
    }
}

/// The cards, if this reader may see all of them.
fn all_up(cards: &[CardView]) -> Option<Vec<Card>> {
    cards.iter().map(CardView::up).collect::<Option<Vec<Card>>>().filter(|cards| !cards.is_empty())
}

fn stakes(on_box: &BoxView, meter: Option<Money>) -> Stakes {
    let jackpot_wager = on_box.areas.get(&Area::Jackpot).copied().filter(|_| meter.is_some());
    let meter = meter.filter(|_| jackpot_wager.is_some());
    Stakes { ante: on_box.areas.get(&Area::Ante).copied(), jackpot_wager, meter }
}

/// Reads what was typed into the calculator.
fn parse_question(query: &Form) -> Result<(Seen, Stakes), String> {
    let cards = |text: &str| {
        let card = |word: &str| word.parse::<Card>().map_err(|error| sentence(&error.to_string()));
        text.split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .take(60)
            .map(card)
            .collect::<Result<Vec<Card>, String>>()
    };
    let money = |text: &str| match text.trim() {
        "" => Ok(None),
        amount => {
            amount.replace(',', "").parse::<Money>().map(Some).map_err(|error| sentence(&error.to_string()))
        }
    };
    let seen = Seen {
        cards: cards(query.text("hand"))?,
        up: cards(query.text("up"))?.first().copied(),
        board: cards(query.text("board"))?,
        turn_wagered: false,
    };
    let stakes = Stakes {
        ante: money(query.text("ante"))?,
        jackpot_wager: money(query.text("jackpot"))?,
        meter: money(query.text("meter"))?,
    };
    Ok((seen, stakes))
}
