//! Exact mathematics for pages: figures of each game, solved once in the background, and the value of a decision at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use baize_cards::Card;
use baize_house::{JackpotView, TableView};
use baize_odds::advice::{self, Seen, Stakes};
use baize_odds::analysis::{self, GameAnalysis, Question, StrategyCost};
use baize_odds::rating::Rater;
use baize_odds::strategy::Strategy;
use baize_odds::{Fraction, Solver};
use baize_rules::{Area, BoxNumber, Family, Money, Rulebook};
use baize_table::{BoxView, CardView};
use tokio::sync::watch;

use super::fault::Fault;
use super::figures::{best_play, cents, heat, jackpot, outcome, strategy, wagers};
use crate::pages::model::{
    Advice, AdviceLine, Calculator, Counting, JackpotReturn, OddsPage, Shell, WagerOdds,
};

/// What is known so far.
struct Known {
    books: Vec<&'static Rulebook>,
    /// What is solved so far. Nobody keeps it while they count: a copy is cheap.
    solver: Mutex<Solver>,
    rater: Mutex<Rater>,
    /// By the hash of the rulebook.
    games: Mutex<HashMap<String, Arc<GameAnalysis>>>,
    started: AtomicBool,
    /// How much of the work is done; listeners get every part.
    done: watch::Sender<Progress>,
}

/// How far the counting is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Progress {
    /// Parts that are done.
    pub(crate) done: usize,
    /// All parts.
    pub(crate) of: usize,
    /// What is being counted now.
    pub(crate) now: String,
}

impl Progress {
    fn over(&self) -> bool {
        self.of > 0 && self.done == self.of
    }
}

/// What one unit of a wager brings on average, and how far it strays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    value: Fraction,
    /// The standard deviation, for pictures.
    pub(crate) deviation: f64,
}

impl Expected {
    /// Of so much staked, to the cent.
    pub(crate) fn of(self, stake: Money) -> Money {
        cents(self.value * Fraction::from(stake.cents()))
    }

    /// Of one unit, for pictures.
    pub(crate) fn value_of_one(self) -> f64 {
        self.value.decimal(12).parse().unwrap_or(0.0)
    }
}

/// Computes and remembers.
#[derive(Clone)]
pub(crate) struct OddsDesk(Arc<Known>);

impl OddsDesk {
    /// A desk for these games.
    pub(crate) fn new(books: Vec<&'static Rulebook>) -> OddsDesk {
        OddsDesk(Arc::new(Known {
            books,
            solver: Mutex::default(),
            rater: Mutex::default(),
            games: Mutex::default(),
            started: AtomicBool::new(false),
            done: watch::channel(Progress::default()).0,
        }))
    }

    /// Begins to solve the games, once, on a thread of its own: best play of every game first, simple ways to play after that.
    pub(crate) fn start(&self) {
        if self.0.started.swap(true, Ordering::SeqCst) {
            return;
        }
        let known = Arc::clone(&self.0);
        std::thread::spawn(move || known.solve());
    }

    /// How far the counting is, and whatever comes of it.
    pub(crate) fn listen(&self) -> watch::Receiver<Progress> {
        self.start();
        self.0.done.subscribe()
    }

    /// How far the counting of this game is; nothing when all is counted.
    fn counting(&self, book: &Rulebook, game: Option<&GameAnalysis>) -> Option<Counting> {
        let progress = self.0.done.borrow().clone();
        let missing = game.is_none_or(|game| game.strategies.len() < Strategy::named(book.family).len());
        (missing && !progress.over()).then(|| Counting {
            words: if progress.now.is_empty() { "The games".to_owned() } else { progress.now },
            done: progress.done,
            of: progress.of.max(1),
        })
    }

    /// The exact figures of a game, once they are there. Asking begins the counting.
    pub(crate) fn solved(&self, book: &Rulebook) -> Option<Arc<GameAnalysis>> {
        self.game(book)
    }

    fn game(&self, book: &Rulebook) -> Option<Arc<GameAnalysis>> {
        self.start();
        self.counted(book)
    }

    /// A game that has been counted already. Does not start counting.
    pub(crate) fn counted(&self, book: &Rulebook) -> Option<Arc<GameAnalysis>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner).get(&book.hash).cloned()
    }

    /// What one unit on this area was to bring, with best play; nothing while the game is not counted.
    pub(crate) fn expected(&self, book: &Rulebook, area: Area, meter: Option<Money>) -> Option<Expected> {
        let game = self.counted(book)?;
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

    /// A game that is solved, with its simple ways to play as far as they are counted. `None` while it is being solved.
    pub(crate) fn whole(&self, book: &Rulebook) -> Option<Arc<GameAnalysis>> {
        self.game(book)
    }

    /// What has been solved so far, to go on from: what it solves itself stays its own.
    pub(crate) fn solver(&self) -> Solver {
        self.0.solved()
    }

    /// Works with the rater on a thread of its own.
    pub(crate) async fn rated<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Rater) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        let known = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || {
            let mut rater = known.rater.lock().unwrap_or_else(PoisonError::into_inner);
            *rater.solver() = known.solved();
            work(&mut rater)
        });
        done.await.map_err(|_| Fault::Broken)
    }

    /// How far the counting of all games is, as far as a glance at them needs it.
    pub(crate) fn counting_all(&self) -> Option<Counting> {
        let books = self.0.books.iter();
        books.copied().find(|book| self.game(book).is_none()).and_then(|book| self.counting(book, None))
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
            counting: None,
        };
        let game = self.game(book);
        let counting = self.counting(book, game.as_deref());
        let Some(game) = game else { return OddsPage { counting, ..empty } };
        OddsPage {
            wagers: wagers(&game),
            outcomes: game.main.outcomes.iter().map(outcome).collect(),
            heat: heat(&game),
            best_play: best_play(&game),
            strategies: game.strategies.iter().map(strategy).collect(),
            jackpot: Some(jackpot(&game, meter)),
            counting,
            ..empty
        }
    }

    /// The exact value of each decision of a box, from the cards that its player sees.
    pub(crate) async fn advise(
        &self,
        book: &'static Rulebook,
        view: &TableView,
        seat: BoxNumber,
        meter: Option<Money>,
    ) -> Advice {
        let refused = |words: &str| Advice { seat, refused: Some(words.to_owned()), ..Advice::default() };
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
            Ok((seen, stakes)) => self.value(book, seen, stakes, BoxNumber::default()).await,
            Err(words) => Advice { refused: Some(words), ..Advice::default() },
        }
    }

    async fn value(&self, book: &'static Rulebook, seen: Seen, stakes: Stakes, seat: BoxNumber) -> Advice {
        let refused = |words: String| Advice { seat, refused: Some(words), ..Advice::default() };
        // Before the flop the whole game must be solved; afterwards one position is counted.
        let whole = book.family == Family::Holdem && seen.board.is_empty();
        if whole && self.game(book).is_none() {
            return refused("The game is being solved. Ask again in a moment.".to_owned());
        }
        let known = Arc::clone(&self.0);
        let counted = tokio::task::spawn_blocking(move || {
            if whole {
                advice::Advice::of(&mut known.solved(), book, &seen, stakes)
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

impl Known {
    /// What is solved so far.
    fn solved(&self) -> Solver {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn solve(&self) {
        let mut solver = Solver::new();
        let books = &self.books;
        let ways = books.iter().map(|book| Strategy::named(book.family).len()).sum::<usize>();
        let of = books.len() + ways;
        let tell = |part: usize, now: String| {
            self.done.send_modify(|progress| *progress = Progress { done: progress.done + part, of, now });
        };
        let keep = |book: &Rulebook, game: GameAnalysis| {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            games.insert(book.hash.clone(), Arc::new(game));
        };
        for &book in books {
            tell(0, format!("{}: best play", book.name));
            let solved = GameAnalysis::new(&mut solver, book, Question::default());
            *self.solver.lock().unwrap_or_else(PoisonError::into_inner) = solver.clone();
            if let Ok(game) = solved {
                keep(book, game);
            }
            tell(1, String::new());
        }
        for &book in books {
            let known = self.games.lock().unwrap_or_else(PoisonError::into_inner).get(&book.hash).cloned();
            let mut game = known.map(|game| (*game).clone());
            for named in Strategy::named(book.family) {
                tell(0, format!("{}: “{}”", book.name, named.name));
                let cost = Strategy::read(book.family, named.name).ok().and_then(|strategy| {
                    StrategyCost::of(&mut solver, book, None, named.name, &strategy).ok()
                });
                if let Some(game) = &mut game {
                    game.strategies.extend(cost);
                    keep(book, game.clone());
                }
                tell(1, String::new());
            }
        }
    }
}

fn open(card: &CardView) -> Option<Card> {
    match card {
        CardView::Up(card) => Some(*card),
        CardView::Down => None,
    }
}

/// The cards, if this reader may see all of them.
fn all_up(cards: &[CardView]) -> Option<Vec<Card>> {
    cards.iter().map(open).collect::<Option<Vec<Card>>>().filter(|cards| !cards.is_empty())
}

fn stakes(on_box: &BoxView, meter: Option<Money>) -> Stakes {
    let jackpot_wager = on_box.areas.get(&Area::Jackpot).copied().filter(|_| meter.is_some());
    let meter = meter.filter(|_| jackpot_wager.is_some());
    Stakes { ante: on_box.areas.get(&Area::Ante).copied(), jackpot_wager, meter }
}

/// A question to the calculator.
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

pub(super) fn lines(advice: &advice::Advice, stakes: Stakes, seat: BoxNumber) -> Advice {
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
