//! Surveillance: exposed cards in one position at once, and exposures in every round, counted in the background one after another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_cards::Card;
use baize_house::{Duty, HouseError};
use baize_odds::Fraction;
use baize_odds::advice::{self, ExposedCards, Seen, Stakes};
use baize_odds::exposure::{Exposed, Exposure, ExposureQuestion};
use baize_rules::{BoxNumber, Cites, Money, Rulebook};

use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, html, sentence};
use super::figures::cents;
use super::guard::is_live;
use super::odds_desk::{OddsDesk, lines};
use super::view_models;
use super::visitor::Visitor;
use crate::pages::model::Advice;
use crate::pages::paint;
use crate::pages::surveillance::{self, Asked, Position, Question, SurveillancePage, slots};

/// Exposures that are remembered.
const KEPT: usize = 64;
/// How long one is counted at most, so that one question cannot keep the cores and the officers who wait for a day. What is known by then is the answer.
const LONGEST: Duration = Duration::from_secs(600);

#[derive(Clone)]
enum Work {
    Counting(u64, u64),
    Done(Result<Arc<Exposure>, String>),
}

/// Exposures that were asked for. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Exposures {
    known: Arc<Mutex<HashMap<(String, String), Work>>>,
    /// One is counted at a time: each takes all cores.
    turn: Arc<Mutex<()>>,
}

impl Exposures {
    /// What is known of an exposure. Asked for the first time, it begins to be counted.
    fn ask(&self, odds: &OddsDesk, book: &'static Rulebook, question: ExposureQuestion) -> Work {
        let key = (book.hash.clone(), format!("{question:?}"));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = known.get(&key) {
            return work.clone();
        }
        if known.len() >= KEPT {
            known.retain(|_, work| matches!(work, Work::Counting(..)));
        }
        if known.len() >= KEPT {
            return Work::Done(Err("Many exposures are being counted. Ask again later.".to_owned()));
        }
        known.insert(key.clone(), Work::Counting(0, 1));
        drop(known);
        let (this, odds) = (self.clone(), odds.clone());
        std::thread::spawn(move || {
            let _turn = this.turn.lock().unwrap_or_else(PoisonError::into_inner);
            let mut solver = odds.solver();
            let began = Instant::now();
            let exposure = Exposure::of(&mut solver, book, question, &|done, of| {
                this.put(&key, Work::Counting(done, of));
                began.elapsed() < LONGEST
            });
            let found = exposure.map(Arc::new).map_err(|error| sentence(&error.to_string()));
            this.put(&key, Work::Done(found));
        });
        Work::Counting(0, 1)
    }

    fn put(&self, key: &(String, String), work: Work) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), work);
    }
}

/// Only surveillance and the pit come here.
fn may(visitor: &Visitor) -> Result<(), Fault> {
    if visitor.actor.may(Duty::Auditor) || visitor.pit() {
        return Ok(());
    }
    Err(HouseError::Forbidden { needs: Duty::Auditor, cites: Cites::NONE }.into())
}

/// `GET /surveillance`
pub(crate) async fn first(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    may(&visitor)?;
    let book = app.library.all().into_iter().next().ok_or(Fault::NoPage)?;
    Ok(Redirect::to(&format!("{}/surveillance/{}", visitor.base, paint::rulebook(book))).into_response())
}

/// `GET /surveillance/{id}`
pub(crate) async fn page(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    may(&visitor)?;
    let book = app.library.named(&id)?;
    let position = position(book, &asked).await;
    if is_live(&headers) && !asked.has("ask") {
        return Ok(html(&surveillance::answer(&position)));
    }
    let question = question(&app, book, &asked);
    let counting = matches!(question.asked, Some(Asked::Counting(..)));
    let shell = view_models::shell(&app, &visitor).await?;
    let page = SurveillancePage { shell, books: app.library.all(), book, position, question };
    Ok(again(html(&surveillance::page(&page)), counting))
}

/// A position with exposed cards, and its answer if one was asked for.
async fn position(book: &'static Rulebook, asked: &Form) -> Position {
    let cards = slots(book).into_iter().map(|(name, ..)| (name, asked.text(name).to_owned())).collect();
    let mut position = Position { cards, turn_wagered: asked.has("turn_wagered"), ..Position::default() };
    if !asked.has("hand") {
        return position;
    }
    let refused = |words: String| Some(Advice { refused: Some(words), ..Advice::default() });
    let (seen, exposed) = match seen(asked, position.turn_wagered) {
        Ok(read) => read,
        Err(words) => {
            position.with = refused(words);
            return position;
        }
    };
    let counted = tokio::task::spawn_blocking(move || {
        let value =
            |exposed: &ExposedCards| advice::Advice::with_exposed(book, &seen, exposed, Stakes::default());
        Ok::<_, advice::AdviceError>((value(&ExposedCards::default())?, value(&exposed)?))
    });
    match counted.await {
        Ok(Ok((without, with))) => {
            position.worth = worth(&without, &with);
            position.without = Some(lines(&without, Stakes::default(), BoxNumber::default()));
            position.with = Some(lines(&with, Stakes::default(), BoxNumber::default()));
        }
        Ok(Err(error)) => position.with = refused(sentence(&error.to_string())),
        Err(_) => position.with = refused("The position could not be counted.".to_owned()),
    }
    position
}

/// What the exposed cards add: the best decision with them against the best without, both valued with them.
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

fn seen(asked: &Form, turn_wagered: bool) -> Result<(Seen, ExposedCards), String> {
    let cards = |name: &str| -> Result<Vec<Card>, String> {
        let words = asked.text(name).split(|c: char| c.is_whitespace() || c == ',');
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

/// An exposure in every round, if one was asked for.
fn question(app: &App, book: &'static Rulebook, asked: &Form) -> Question {
    let text = |name: &str| asked.text(name).trim().to_owned();
    let mut question = Question {
        dealer: text("see_dealer"),
        flop: text("see_flop"),
        turn: asked.has("see_turn"),
        river: asked.has("see_river"),
        boxes: text("see_boxes"),
        ranks: text("ranks"),
        rounds: text("rounds"),
        ante: text("ante"),
        ..Question::default()
    };
    if asked.has("ask") {
        question.asked = Some(match read(book, &question) {
            Err(why) => Asked::Refused(why),
            Ok((of, rounds, ante)) => match app.advantage.exposures.ask(&app.odds, book, of) {
                Work::Counting(done, of) => Asked::Counting(done, of),
                Work::Done(Err(why)) => Asked::Refused(why),
                Work::Done(Ok(found)) => {
                    if let Some(worth) = &found.worth {
                        question.earns = format!(
                            "{} at {rounds} rounds with an ante of {}",
                            cents(worth.earns_an_hour(rounds, ante) * Fraction::from(100))
                                .grouped()
                                .replace('-', "−"),
                            ante.grouped()
                        );
                    }
                    Asked::Found(Box::new((*found).clone()))
                }
            },
        });
    }
    question
}

/// What was typed, checked before anything is counted.
fn read(book: &Rulebook, of: &Question) -> Result<(ExposureQuestion, u32, Money), String> {
    let number = |what: &str, text: &str| match text {
        "" => Ok(0),
        text => text.parse::<usize>().map_err(|_| format!("{what}: `{text}` is not a number of cards.")),
    };
    let seen = Exposed {
        dealer: number("Dealer's face-down cards", &of.dealer)?,
        flop: number("Cards of the flop", &of.flop)?,
        turn: of.turn,
        river: of.river,
        boxes: number("Other boxes", &of.boxes)?,
        ranks: match of.ranks.as_str() {
            "" => None,
            text => Some(
                text.parse()
                    .map_err(|error: baize_odds::exposure::ExposureError| sentence(&error.to_string()))?,
            ),
        },
    };
    let seen = seen.checked(book).map_err(|error| sentence(&error.to_string()))?;
    let rounds = match of.rounds.as_str() {
        "" => 50,
        text => text.parse().map_err(|_| format!("Rounds in an hour: `{text}` is not a number."))?,
    };
    // With an ante of the officer's own, maximum payouts count.
    let ante = match of.ante.as_str() {
        "" => None,
        text => Some(text.parse::<Money>().map_err(|error| sentence(&format!("ante: {error}")))?),
    };
    let question = ExposureQuestion { seen, ante, deals: None, seed: 1 };
    Ok((question, rounds, ante.unwrap_or(Money::from_dollars(100))))
}

/// `GET /odds/{id}/card`: the strategy card. For everybody.
pub(crate) async fn card(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let book = app.library.named(&id)?;
    let shell = view_models::shell(&app, &visitor).await?;
    Ok(match app.odds.whole(book) {
        Some(game) => again(html(&crate::pages::card::page(&shell, &game)), game.strategies.is_empty()),
        None => again(html(&crate::pages::card::waiting(&shell, &book.name)), true),
    })
}

/// A page that is not whole yet loads itself again, without a script.
pub(crate) fn again(mut page: Response, unfinished: bool) -> Response {
    if unfinished {
        page.headers_mut().insert(header::REFRESH, HeaderValue::from_static("2"));
    }
    page
}
