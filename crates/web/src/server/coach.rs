//! The coach: drills for each reader, and the decisions of a round compared with best play.
//!
//! The lesson, which is the positions to repeat, is stored in the reader's browser, in a cookie for the game's page: it survives restarts and needs
//! no account. The reader's own mistakes come from their finished rounds. The current question and the score are in memory only.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
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
use super::fault::{Fault, PageResult, html};
use super::rating::costliest_kinds;
use super::show;
use super::surveillance::refresh_while;
use super::visitor::{Visitor, lesson_cookie, stored_lesson};
use crate::pages::coach::{self, CoachPage, Verdict};
use crate::pages::decisions::{self, DecisionLine};
use crate::pages::table_actions::Advice;

/// Maximum number of sessions in memory; the oldest is dropped.
const MAX_SESSIONS: usize = 2_000;
/// Rounds that are searched for the reader's own mistakes.
const ROUNDS: u32 = 300;
/// Maximum number of drills made from them.
const MAX_DRILLS: usize = 40;

/// One reader's session in one game.
struct CoachSession {
    lesson: Lesson,
    drills: CloseDrills,
    /// The current question: the position, how often it was answered correctly, whether it was answered wrongly before.
    question: Option<(Drill, usize, bool)>,
    /// Questions answered, and how many of them correctly.
    score: (u32, u32),
    verdict: Option<(bool, String, String)>,
    costliest: Vec<(String, usize, String)>,
    number: u64,
}

/// All sessions.
#[derive(Default)]
pub(crate) struct CoachSessions(Mutex<Sessions>);

#[derive(Default)]
struct Sessions {
    started: u64,
    by_key: HashMap<String, CoachSession>,
}

impl CoachSessions {
    fn with<T>(&self, key: &str, work: impl FnOnce(&mut CoachSession) -> T) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by_key.get_mut(key).map(work)
    }

    fn insert(&self, key: String, mut session: CoachSession) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.started += 1;
        session.number = sessions.started;
        let Sessions { by_key, .. } = &mut *sessions;
        if by_key.len() >= MAX_SESSIONS {
            let oldest = by_key.iter().min_by_key(|(_, session)| session.number).map(|(key, _)| key.clone());
            oldest.map(|key| by_key.remove(&key));
        }
        by_key.insert(key, session);
    }
}

fn key(visitor: &Visitor, book: &Rulebook) -> String {
    format!("{} {}", visitor.name().unwrap_or(&visitor.csrf), book.hash)
}

/// `GET /coach`
pub(crate) async fn index(State(app): State<App>, visitor: Visitor) -> PageResult {
    Ok(html(&coach::index(&show::shell(&app, &visitor).await?, &app.library.all())))
}

/// `GET /coach/{id}`
pub(crate) async fn page(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> PageResult {
    let book = app.library.named(&id)?;
    let shell = show::shell(&app, &visitor).await?;
    let empty = CoachPage {
        shell,
        book,
        question: None,
        verdict: None,
        score: (0, 0),
        waiting: 0,
        costliest: Vec::new(),
    };
    if app.odds.analysis(book).is_none() {
        return Ok(refresh_while(true, html(&coach::page(&empty))));
    }
    let key = key(&visitor, book);
    if app.coach_sessions.with(&key, |_| ()).is_none() {
        // A cookie can contain anything: a lesson that does not parse starts over.
        let lesson = stored_lesson(&headers, &visitor).and_then(|text| text.parse().ok()).unwrap_or_default();
        let session = new_session(&app, &visitor, book, lesson).await?;
        app.coach_sessions.insert(key.clone(), session);
    }
    let (this, of) = (app.clone(), key.clone());
    let asked =
        app.odds.with_rater(move |rater| this.coach_sessions.with(&of, |session| session.ask(rater, book)));
    let choices = match asked.await? {
        Some(Ok(choices)) => choices,
        Some(Err(error)) => return Err(Fault::unreadable(error.to_string())),
        None => None,
    };
    let page = app.coach_sessions.with(&key, |session| CoachPage {
        question: session.question.as_ref().zip(choices).map(|((drill, ..), choices)| {
            (drill.clone(), [choices.instead.code(), choices.raise.code()], drill.to_string())
        }),
        verdict: session.verdict.clone().map(|(right, position, words)| Verdict { right, position, words }),
        score: session.score,
        waiting: session.lesson.waiting(),
        costliest: session.costliest.clone(),
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
) -> PageResult {
    let book = app.library.named(&id)?;
    let (this, of) = (app.clone(), key(&visitor, book));
    let (drill, answer) = (form.text("drill").to_owned(), form.text("answer").to_owned());
    let answered = app.odds.with_rater(move |rater| {
        this.coach_sessions.with(&of, |session| {
            session.answer(rater, book, &drill, &answer).map(|()| session.lesson.to_string())
        })
    });
    let path = format!("{}/coach/{id}", visitor.base);
    let mut response = visitor.redirect(&format!("/coach/{id}"));
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

/// A session that continues this lesson, with drills on the reader's own mistakes first.
async fn new_session(
    app: &App,
    visitor: &Visitor,
    book: &'static Rulebook,
    lesson: Lesson,
) -> Result<CoachSession, Fault> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    if let Some(player) = visitor.actor.as_player() {
        let filter =
            RoundFilter { table: None, player: Some(player.clone()), before: None, limit: Some(ROUNDS) };
        let rounds = app.house.past_rounds(&visitor.actor, &filter, None).await?;
        let name = player.to_string();
        let found = app.odds.with_rater(move |rater| {
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
    Ok(CoachSession {
        costliest: costliest_kinds(&mistakes),
        lesson: lesson.with(drills(mistakes, MAX_DRILLS)),
        drills: CloseDrills::new(seed.unwrap_or(1)),
        question: None,
        score: (0, 0),
        verdict: None,
        number: 0,
    })
}

impl CoachSession {
    /// The choices of the current question; draws the next question if there is none.
    fn ask(&mut self, rater: &mut Rater, book: &Rulebook) -> Result<Option<Choices>, GameError> {
        if self.question.is_none() {
            self.question = Some(match self.lesson.question() {
                Some(next) => next,
                None => (self.drills.draw(rater, book, Fraction::new(3, 10))?.0, 0, false),
            });
        }
        let Some((drill, ..)) = &self.question else { return Ok(None) };
        let choices = rater.choices(book, &drill.sight())?;
        if choices.is_none() {
            // Skip a position that cannot occur in this game.
            self.question = None;
        }
        Ok(choices)
    }

    /// Scores an answer to the current question. An answer to another question is ignored.
    fn answer(
        &mut self,
        rater: &mut Rater,
        book: &Rulebook,
        drill: &str,
        answer: &str,
    ) -> Result<(), GameError> {
        let Some((now, known, again)) = self.question.clone().filter(|(now, ..)| now.to_string() == drill)
        else {
            return Ok(());
        };
        let Some(choices) = rater.choices(book, &now.sight())? else { return Ok(()) };
        if answer != choices.raise.code() && answer != choices.instead.code() {
            return Ok(());
        }
        let right = answer == choices.ordered().0.code();
        self.score = (self.score.0 + 1, self.score.1 + u32::from(right));
        self.verdict = Some((right, now.to_string(), choices.why()));
        self.lesson.answered(now, known, again, right);
        self.question = None;
        Ok(())
    }
}

/// Compares the decisions of these boxes with best play, as far as the view shows their cards.
fn review_decisions(
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
        // The face-up card is dealt last. If a card was exposed in its place, that is the only one that is visible.
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

/// Reviews the decisions of the reader's own box so far. During a round only at practice tables.
pub(crate) async fn review_at_table(
    app: &App,
    book: &'static Rulebook,
    view: &TableView,
    seat: BoxNumber,
) -> Result<Advice, Fault> {
    let refused = |words: &str| Advice::Refused(words.to_owned());
    if view.info.money != MoneyKind::Practice && view.round.phase.under_way() {
        return Ok(refused(
            "The coach helps during a round only at practice tables. Ask again when the round is over.",
        ));
    }
    let looked = view.round.boxes.get(&seat).is_some_and(|on_box| on_box.looked);
    if !view.boxes.contains(&seat) || !looked {
        return Ok(refused("Look at your own cards first."));
    }
    if app.odds.analysis(book).is_none() {
        return Ok(refused("The game is being solved. Ask again in a moment."));
    }
    let round = view.round.clone();
    let lines = app.odds.with_rater(move |rater| review_decisions(rater, book, &round, &[seat])).await?;
    let lines = lines.map_err(|error| Fault::unreadable(error.to_string()))?;
    let words = lines.iter().map(|line| {
        format!("{}: {}. {}", line.done, if line.best { "best play" } else { "a mistake" }, line.words)
    });
    Ok(Advice::Review(words.collect::<Vec<_>>().join(" ")))
}

/// For the page of a finished round: what exposed cards were worth, and a review of the reader's decisions.
pub(crate) async fn review_round(
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
    // With exposed cards the view does not say which face-up card the player saw.
    if !seats.is_empty() && exposed.is_empty() && app.odds.computed(book).is_some() {
        let view = view.clone();
        let found = app.odds.with_rater(move |rater| review_decisions(rater, book, &view, &seats)).await?;
        lines = found.unwrap_or_default();
    }
    Ok(maud::html! {
        @if let Some(incident) = &incident { (decisions::incident(incident)) }
        (decisions::decisions(&lines))
    })
}

/// What exposed cards were worth, as far as this view shows the cards.
pub(crate) async fn incident(
    book: &'static Rulebook,
    view: &RoundView,
    exposed: &[ExposedCard],
) -> Option<Incident> {
    if exposed.is_empty() {
        return None;
    }
    let (view, exposed) = (view.clone(), exposed.to_vec());
    let computed = tokio::task::spawn_blocking(move || Incident::of(book, &view, &exposed));
    computed.await.ok().flatten()
}
