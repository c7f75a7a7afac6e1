//! The coach: lessons of each reader, and decisions of a round against best play.
//!
//! What was wrong and will come back is kept by the reader's own browser, in a cookie for the page of the game: it outlives this server and needs no
//! account. Their own mistakes come from the record. What is asked now and the score are kept here while the server runs.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use baize_cards::Card;
use baize_house::{CommandId, MoneyKind, RoundFilter, TableView};
use baize_odds::coach::{CloseDrills, Drill, Lesson, Mistake, drills};
use baize_odds::incident::Incident;
use baize_odds::rating::{Choices, Rater, Sight};
use baize_odds::{Fraction, GameError};
use baize_rules::{Area, BoxNumber, Family, Rulebook};
use baize_table::{CardView, Decided, ExposedCard, RoundView};

use super::app::App;
use super::body::Form;
use super::fault::{Fault, html};
use super::rating::costly;
use super::surveillance::again;
use super::view_models;
use super::visitor::{Visitor, kept_lesson, lesson_cookie};
use crate::pages::coach::{self, CoachPage, Verdict};
use crate::pages::decisions::{self, DecisionLine};
use crate::pages::model::Advice;

/// Lessons that are kept at most; the oldest give way.
const LESSONS: usize = 2_000;
/// Rounds that are searched for mistakes, and how many of them are drilled.
const ROUNDS: u32 = 300;
const DRILLS: usize = 40;

/// One reader's lesson in one game.
struct Course {
    lesson: Lesson,
    drills: CloseDrills,
    /// What is asked now: the position, how often it was known, whether it was wrong before.
    now: Option<(Drill, usize, bool)>,
    score: (u32, u32),
    verdict: Option<(bool, String, String)>,
    dearest: Vec<(String, usize, String)>,
    begun: u64,
}

/// All lessons.
#[derive(Default)]
pub(crate) struct Lessons(Mutex<(u64, HashMap<String, Course>)>);

impl Lessons {
    fn with<T>(&self, key: &str, work: impl FnOnce(&mut Course) -> T) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.get_mut(key).map(work)
    }

    fn begin(&self, key: String, mut course: Course) {
        let mut lessons = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lessons.0 += 1;
        course.begun = lessons.0;
        if lessons.1.len() >= LESSONS {
            let oldest = lessons.1.iter().min_by_key(|(_, course)| course.begun).map(|(key, _)| key.clone());
            oldest.map(|key| lessons.1.remove(&key));
        }
        lessons.1.insert(key, course);
    }
}

fn key(visitor: &Visitor, book: &Rulebook) -> String {
    format!("{} {}", visitor.name().unwrap_or(&visitor.csrf), book.hash)
}

/// `GET /coach`
pub(crate) async fn index(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    Ok(html(&coach::index(&view_models::shell(&app, &visitor).await?, &app.library.all())))
}

/// `GET /coach/{id}`
pub(crate) async fn page(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let book = app.library.named(&id)?;
    let shell = view_models::shell(&app, &visitor).await?;
    let empty = CoachPage {
        shell,
        book,
        question: None,
        verdict: None,
        score: (0, 0),
        waiting: 0,
        dearest: Vec::new(),
    };
    if app.odds.whole(book).is_none() {
        return Ok(again(html(&coach::page(&empty)), true));
    }
    let key = key(&visitor, book);
    if app.advantage.lessons.with(&key, |_| ()).is_none() {
        // What a browser sends may be anything: a lesson that cannot be read starts over.
        let kept = kept_lesson(&headers, &visitor).and_then(|kept| kept.parse().ok()).unwrap_or_default();
        let course = course(&app, &visitor, book, kept).await?;
        app.advantage.lessons.begin(key.clone(), course);
    }
    let (lessons, of) = (app.clone(), key.clone());
    let asked =
        app.odds.rated(move |rater| lessons.advantage.lessons.with(&of, |course| course.ask(rater, book)));
    let choices = match asked.await? {
        Some(Ok(choices)) => choices,
        Some(Err(error)) => return Err(Fault::unreadable(error.to_string())),
        None => None,
    };
    let page = app.advantage.lessons.with(&key, |course| CoachPage {
        question: course.now.as_ref().zip(choices).map(|((drill, ..), choices)| {
            (drill.clone(), [choices.instead.code(), choices.raise.code()], drill.to_string())
        }),
        verdict: course.verdict.clone().map(|(right, position, words)| Verdict { right, position, words }),
        score: course.score,
        waiting: course.lesson.waiting(),
        dearest: course.dearest.clone(),
        ..empty
    });
    page.map(|page| html(&coach::page(&page))).ok_or(Fault::NoPage)
}

/// `POST /coach/{id}`
pub(crate) async fn answer(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, Fault> {
    let book = app.library.named(&id)?;
    let (lessons, of) = (app.clone(), key(&visitor, book));
    let (drill, said) = (form.text("drill").to_owned(), form.text("answer").to_owned());
    let answered = app.odds.rated(move |rater| {
        lessons
            .advantage
            .lessons
            .with(&of, |course| course.answer(rater, book, &drill, &said).map(|()| course.lesson.to_string()))
    });
    let path = format!("{}/coach/{id}", visitor.base);
    let mut response = Redirect::to(&path).into_response();
    match answered.await? {
        Some(Ok(lesson)) => {
            let cookie = HeaderValue::from_str(&lesson_cookie(&visitor, &path, &lesson));
            response.headers_mut().append(header::SET_COOKIE, cookie.map_err(|_| Fault::Broken)?);
        }
        Some(Err(error)) => return Err(Fault::unreadable(error.to_string())),
        None => {}
    }
    Ok(response)
}

/// A lesson that was kept, or a new one, with one's own mistakes first.
async fn course(
    app: &App,
    visitor: &Visitor,
    book: &'static Rulebook,
    kept: Lesson,
) -> Result<Course, Fault> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    if let Some(player) = visitor.actor.as_player() {
        let filter =
            RoundFilter { table: None, player: Some(player.clone()), before: None, limit: Some(ROUNDS) };
        let rounds = app.house.past_rounds(&visitor.actor, &filter, None).await?;
        let name = player.to_string();
        let found = app.odds.rated(move |rater| {
            let mut mistakes = Vec::new();
            for round in rounds.iter().filter(|round| round.book.hash == book.hash) {
                let mut hands = rater.round(&round.book, &round.finished)?;
                hands.retain(|hand| hand.player.0 == name);
                mistakes.extend(Mistake::of_round(&round.book, &round.finished, &hands));
            }
            Ok::<_, GameError>(mistakes)
        });
        mistakes = found.await?.map_err(|error| Fault::unreadable(error.to_string()))?;
    }
    let seed = u64::from_str_radix(&CommandId::random().to_string().chars().take(12).collect::<String>(), 16);
    Ok(Course {
        dearest: costly(&mistakes),
        lesson: kept.with(drills(mistakes, DRILLS)),
        drills: CloseDrills::new(seed.unwrap_or(1)),
        now: None,
        score: (0, 0),
        verdict: None,
        begun: 0,
    })
}

impl Course {
    /// What is asked now, or the next question, with its choices.
    fn ask(&mut self, rater: &mut Rater, book: &Rulebook) -> Result<Option<Choices>, GameError> {
        if self.now.is_none() {
            self.now = Some(match self.lesson.question() {
                Some(next) => next,
                None => (self.drills.draw(rater, book, Fraction::new(3, 10))?.0, 0, false),
            });
        }
        let Some((drill, ..)) = &self.now else { return Ok(None) };
        let choices = rater.choices(book, &drill.sight())?;
        if choices.is_none() {
            // A position that the game does not have is not asked again.
            self.now = None;
        }
        Ok(choices)
    }

    /// Takes the answer to the question that is asked now; an answer to another one changes nothing.
    fn answer(
        &mut self,
        rater: &mut Rater,
        book: &Rulebook,
        drill: &str,
        said: &str,
    ) -> Result<(), GameError> {
        let Some((now, known, again)) = self.now.clone().filter(|(now, ..)| now.to_string() == drill) else {
            return Ok(());
        };
        let Some(choices) = rater.choices(book, &now.sight())? else { return Ok(()) };
        if said != choices.raise.code() && said != choices.instead.code() {
            return Ok(());
        }
        let right = said == choices.ordered().0.code();
        self.score = (self.score.0 + 1, self.score.1 + u32::from(right));
        self.verdict = Some((right, now.to_string(), choices.why()));
        self.lesson.answered(now, known, again, right);
        self.now = None;
        Ok(())
    }
}

/// The decisions of these boxes against best play, as far as the view shows their cards.
pub(crate) fn decided(
    rater: &mut Rater,
    book: &Rulebook,
    view: &RoundView,
    seats: &[BoxNumber],
) -> Result<Vec<DecisionLine>, GameError> {
    let mut lines = Vec::new();
    for seat in seats {
        let Some(on_box) = view.boxes.get(seat) else { continue };
        let Some(hand) = on_box.cards.iter().map(CardView::up).collect::<Option<Vec<Card>>>() else {
            continue;
        };
        let board: Vec<Card> = view.board.iter().map_while(CardView::up).collect();
        // The face-up card is the last; one that was exposed in its place is the only one that is seen.
        let up = match book.family {
            Family::Stud => view
                .dealer
                .last()
                .and_then(CardView::up)
                .or_else(|| view.dealer.iter().find_map(CardView::up)),
            Family::Holdem => None,
        };
        for (stage, done) in on_box.decisions.iter().enumerate() {
            let Some(board) = board.get(..if stage == 0 { 0 } else { stage + 2 }) else { break };
            let turn_wagered = stage == 2 && on_box.areas.contains_key(&Area::Turn);
            let sight = Sight { hand: &hand, up, board, turn_wagered };
            let Some(choices) = rater.choices(book, &sight)? else { break };
            let done = if *done == Decided::Raised { choices.raise } else { choices.instead };
            let best = choices.ordered().0 == done;
            lines.push(DecisionLine { seat: *seat, done: done.code(), best, words: choices.why() });
        }
    }
    Ok(lines)
}

/// The decisions of the reader's own box so far, each with what it cost and why: during a round only at a practice table.
pub(crate) async fn at_table(
    app: &App,
    book: &'static Rulebook,
    view: &TableView,
    seat: BoxNumber,
) -> Result<Advice, Fault> {
    let refused = |words: &str| Advice { seat, refused: Some(words.to_owned()), ..Advice::default() };
    if view.info.money != MoneyKind::Practice && view.round.phase.under_way() {
        return Ok(refused(
            "During a round the coach speaks at practice tables only. Ask again when it is over.",
        ));
    }
    let looked = view.round.boxes.get(&seat).is_some_and(|on_box| on_box.looked);
    if !view.boxes.contains(&seat) || !looked {
        return Ok(refused("This is not a hand of yours that you have looked at."));
    }
    if app.odds.whole(book).is_none() {
        return Ok(refused("The game is being solved. Ask again in a moment."));
    }
    let round = view.round.clone();
    let lines = app.odds.rated(move |rater| decided(rater, book, &round, &[seat])).await?;
    let lines = lines.map_err(|error| Fault::unreadable(error.to_string()))?;
    let words = lines.iter().map(|line| {
        format!("{}: {}. {}", line.done, if line.best { "best play" } else { "a mistake" }, line.words)
    });
    Ok(Advice { seat, note: words.collect::<Vec<_>>().join(" "), ..Advice::default() })
}

/// What a round's record says besides: exposed cards, and the decisions of the reader's boxes.
pub(crate) async fn record(
    app: &App,
    visitor: &Visitor,
    book: &'static Rulebook,
    view: &RoundView,
    exposed: &[ExposedCard],
) -> Result<maud::Markup, Fault> {
    let incident = incident(book, view, exposed).await;
    let me = visitor.actor.as_player().map(ToString::to_string);
    let audits = visitor.actor.may(baize_house::Duty::Auditor);
    let seats: Vec<BoxNumber> = view
        .boxes
        .iter()
        .filter(|(_, on_box)| audits || (on_box.looked && Some(&on_box.player.0) == me.as_ref()))
        .map(|(seat, _)| *seat)
        .collect();
    let mut lines = Vec::new();
    // An exposed card may have taken the place of the face-up card: the view does not say which was seen.
    if !seats.is_empty() && exposed.is_empty() && app.odds.counted(book).is_some() {
        let view = view.clone();
        let found = app.odds.rated(move |rater| decided(rater, book, &view, &seats)).await?;
        lines = found.unwrap_or_default();
    }
    Ok(maud::html! {
        @if let Some(incident) = &incident { (decisions::incident(incident)) }
        (decisions::decisions(&lines))
    })
}

/// What exposed cards were worth, as this view shows it.
pub(crate) async fn incident(
    book: &'static Rulebook,
    view: &RoundView,
    exposed: &[ExposedCard],
) -> Option<Incident> {
    if exposed.is_empty() {
        return None;
    }
    let (view, exposed) = (view.clone(), exposed.to_vec());
    let counted = tokio::task::spawn_blocking(move || Incident::of(book, &view, &exposed));
    counted.await.ok().flatten()
}
