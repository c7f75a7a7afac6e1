//! Surveillance: the value of exposed cards in one position, computed at once, and of seeing cards in every round, computed in the background.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use baize_cards::Card;
use baize_house::Duty;
use baize_odds::Fraction;
use baize_odds::advice::{self, ExposedCards, Seen, Stakes};
use baize_odds::exposure::{Exposed, Exposure, ExposureQuestion};
use baize_rules::{Money, Rulebook};

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, PageResult, html, sentence};
use super::guard::is_live;
use super::odds_service::OddsService;
use super::show;
use super::visitor::Visitor;
use crate::pages::odds::cents;
use crate::pages::paint;
use crate::pages::surveillance::{self, ExposureForm, ExposureResult, Position, SurveillancePage, slots};
use crate::pages::table_actions::Advice;

/// Maximum number of jobs in memory.
const MAX_JOBS: usize = 64;
/// Time limit of a job. The answer is what is known by then, with its margin.
const TIME_LIMIT: Duration = Duration::from_secs(600);

#[derive(Clone)]
enum Job {
    /// Steps done, of how many.
    Running(u64, u64),
    Done(Result<Arc<Exposure>, String>),
}

/// Computes exposures in the background and keeps the results. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Exposures {
    jobs: Arc<Mutex<HashMap<(String, String), Job>>>,
    /// Held by the job that runs: each uses all cores, so there is one at a time.
    running: Arc<Mutex<()>>,
}

impl Exposures {
    /// The state of the job for this exposure, which is started if there is none.
    fn job(&self, odds: &OddsService, book: &'static Rulebook, question: ExposureQuestion) -> Job {
        let key = (book.hash.clone(), format!("{question:?}"));
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = jobs.get(&key) {
            return job.clone();
        }
        if jobs.len() >= MAX_JOBS {
            jobs.retain(|_, job| matches!(job, Job::Running(..)));
        }
        if jobs.len() >= MAX_JOBS {
            return Job::Done(Err("Too many exposures are being computed. Try again later.".to_owned()));
        }
        jobs.insert(key.clone(), Job::Running(0, 1));
        drop(jobs);
        let (this, odds) = (self.clone(), odds.clone());
        std::thread::spawn(move || {
            let _running = this.running.lock().unwrap_or_else(PoisonError::into_inner);
            let mut solver = odds.solver();
            let start = Instant::now();
            let exposure = Exposure::of(&mut solver, book, question, &|done, of| {
                this.put(&key, Job::Running(done, of));
                start.elapsed() < TIME_LIMIT
            });
            let found = exposure.map(Arc::new).map_err(|error| sentence(&error.to_string()));
            this.put(&key, Job::Done(found));
        });
        Job::Running(0, 1)
    }

    fn put(&self, key: &(String, String), job: Job) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), job);
    }
}

/// Fails unless the visitor is an auditor or in the pit.
fn require_officer(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.sees_pit() { Ok(()) } else { Ok(visitor.require(Duty::Auditor)?) }
}

/// `GET /surveillance`
pub(crate) async fn first(State(app): State<App>, visitor: Visitor) -> PageResult {
    require_officer(&visitor)?;
    let book = app.library.all().into_iter().next().ok_or(Fault::NoPage)?;
    Ok(visitor.redirect(&format!("/surveillance/{}", paint::slug(book))))
}

/// `GET /surveillance/{id}`
pub(crate) async fn page(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(query): Query,
    headers: HeaderMap,
) -> PageResult {
    require_officer(&visitor)?;
    let book = app.library.named(&id)?;
    let position = position(book, &query).await;
    if is_live(&headers) && !query.has("ask") {
        return Ok(html(&surveillance::answer(&position)));
    }
    let form = exposure_form(&app, book, &query);
    let computing = matches!(form.result, Some(ExposureResult::Computing(..)));
    let shell = show::shell(&app, &visitor).await?;
    let page = SurveillancePage { shell, books: app.library.all(), book, position, form };
    Ok(refresh_while(computing, html(&surveillance::page(&page))))
}

/// The position in the query, with its values if it is complete.
async fn position(book: &'static Rulebook, query: &Form) -> Position {
    let cards = slots(book).into_iter().map(|(name, ..)| (name, query.text(name).to_owned())).collect();
    let mut position = Position { cards, turn_wagered: query.has("turn_wagered"), ..Position::default() };
    if !query.has("hand") {
        return position;
    }
    let refused = |words: String| Some(Advice::Refused(words));
    let (seen, exposed) = match seen(query, position.turn_wagered) {
        Ok(read) => read,
        Err(words) => {
            position.with = refused(words);
            return position;
        }
    };
    let computed = tokio::task::spawn_blocking(move || {
        let value =
            |exposed: &ExposedCards| advice::Advice::with_exposed(book, &seen, exposed, Stakes::default());
        Ok::<_, advice::AdviceError>((value(&ExposedCards::default())?, value(&exposed)?))
    });
    match computed.await {
        Ok(Ok((without, with))) => {
            position.worth = worth(&without, &with);
            position.without = Some(Advice::Values(without, Stakes::default()));
            position.with = Some(Advice::Values(with, Stakes::default()));
        }
        Ok(Err(error)) => position.with = refused(sentence(&error.to_string())),
        Err(_) => position.with = refused("The position could not be computed.".to_owned()),
    }
    position
}

/// What the exposed cards add: the best decision knowing them compared with the best without, both valued with them.
fn worth(without: &advice::Advice, with: &advice::Advice) -> String {
    let of = |action| with.decisions.iter().find(|value| value.action == action).map(|value| value.ev);
    match (of(with.best), of(without.best)) {
        (Some(_), Some(_)) if with.best == without.best => {
            format!("The exposed cards change nothing here: {} either way.", with.best.code())
        }
        (Some(best), Some(usual)) => format!(
            "The exposed cards turn {} into {}: worth {} antes.",
            without.best.code(),
            with.best.code(),
            (best - usual).decimal(6)
        ),
        _ => String::new(),
    }
}

fn seen(query: &Form, turn_wagered: bool) -> Result<(Seen, ExposedCards), String> {
    let cards = |name: &str| -> Result<Vec<Card>, String> {
        let words = query.text(name).split(|c: char| c.is_whitespace() || c == ',');
        let card = |word: &str| word.parse::<Card>().map_err(|error| sentence(&error.to_string()));
        words.filter(|word| !word.is_empty()).take(60).map(card).collect()
    };
    let board = cards("board")?;
    let seen = Seen {
        cards: cards("hand")?,
        up: cards("up")?.first().copied(),
        turn_wagered: turn_wagered && board.len() == 4,
        board,
    };
    let exposed = ExposedCards {
        dealer: cards("dealer")?,
        flop: cards("flop")?,
        turn: cards("turn")?,
        river: cards("river")?,
        boxes: cards("box")?,
        ..ExposedCards::default()
    };
    Ok((seen, exposed))
}

/// The form for an exposure in every round, with its result if one was requested.
fn exposure_form(app: &App, book: &'static Rulebook, query: &Form) -> ExposureForm {
    let text = |name: &str| query.text(name).trim().to_owned();
    let mut form = ExposureForm {
        dealer: text("see_dealer"),
        flop: text("see_flop"),
        turn: query.has("see_turn"),
        river: query.has("see_river"),
        boxes: text("see_boxes"),
        ranks: text("ranks"),
        rounds: text("rounds"),
        ante: text("ante"),
        ..ExposureForm::default()
    };
    if query.has("ask") {
        form.result = Some(match parse(book, &form) {
            Err(why) => ExposureResult::Refused(why),
            Ok((of, rounds, ante)) => match app.exposures.job(&app.odds, book, of) {
                Job::Running(done, of) => ExposureResult::Computing(done, of),
                Job::Done(Err(why)) => ExposureResult::Refused(why),
                Job::Done(Ok(found)) => {
                    if let Some(worth) = &found.worth {
                        form.hourly_gain = format!(
                            "{} at {rounds} rounds with an ante of {}",
                            cents(worth.earns_an_hour(rounds, ante) * Fraction::from(100))
                                .grouped()
                                .replace('-', "−"),
                            ante.grouped()
                        );
                    }
                    ExposureResult::Found(Box::new((*found).clone()))
                }
            },
        });
    }
    form
}

/// Checks the form: the question, rounds an hour, and the ante.
fn parse(book: &Rulebook, form: &ExposureForm) -> Result<(ExposureQuestion, u32, Money), String> {
    let number = |what: &str, text: &str| match text {
        "" => Ok(0),
        text => text.parse::<usize>().map_err(|_| format!("{what}: `{text}` is not a number of cards.")),
    };
    let seen = Exposed {
        dealer: number("Dealer's face-down cards", &form.dealer)?,
        flop: number("Cards of the flop", &form.flop)?,
        turn: form.turn,
        river: form.river,
        boxes: number("Other boxes", &form.boxes)?,
        ranks: match form.ranks.as_str() {
            "" => None,
            text => Some(
                text.parse()
                    .map_err(|error: baize_odds::exposure::ExposureError| sentence(&error.to_string()))?,
            ),
        },
    };
    let seen = seen.checked(book).map_err(|error| sentence(&error.to_string()))?;
    let rounds = match form.rounds.as_str() {
        "" => 50,
        text => text.parse().map_err(|_| format!("Rounds an hour: `{text}` is not a number."))?,
    };
    // Maximum payouts are only considered if an ante is given.
    let ante = match form.ante.as_str() {
        "" => None,
        text => Some(text.parse::<Money>().map_err(|error| sentence(&format!("ante: {error}")))?),
    };
    let question = ExposureQuestion { seen, ante, deals: None, seed: 1 };
    Ok((question, rounds, ante.unwrap_or(Money::from_dollars(100))))
}

/// `GET /odds/{id}/card`: the strategy card, for everybody.
pub(crate) async fn card(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> PageResult {
    let book = app.library.named(&id)?;
    let shell = show::shell(&app, &visitor).await?;
    Ok(match app.odds.analysis(book) {
        Some(game) => {
            refresh_while(game.strategies.is_empty(), html(&crate::pages::card::page(&shell, &game)))
        }
        None => refresh_while(true, html(&crate::pages::card::waiting(&shell, &book.name))),
    })
}

/// Makes an unfinished page reload itself every two seconds, without the script.
pub(crate) fn refresh_while(unfinished: bool, mut page: Response) -> Response {
    if unfinished {
        page.headers_mut().insert(header::REFRESH, HeaderValue::from_static("2"));
    }
    page
}
