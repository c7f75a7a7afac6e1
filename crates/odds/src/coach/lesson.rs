//! A lesson: which questions are asked next and which are repeated. It can be stored as text.
//!
//! A question answered wrongly is repeated after three other questions; if then answered rightly, after eight, then after twenty, then no
//! more. The player's own mistakes are asked until answered rightly.
//!
//! As text, a lesson is a list without spaces, suitable for a file or a cookie: `3.0.AhKdJc8s3h.4c.` is asked after three more questions,
//! was answered rightly 0 times since it was last wrong, and is A♥ K♦ J♣ 8♠ 3♥ against 4♣; `1f03c2a9` is a position that need not be asked
//! again.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use baize_cards::Card;
use thiserror::Error;

use super::Drill;

/// Number of other questions before a repeat, by how often it was answered rightly since it was last wrong.
const SPACES: [usize; 3] = [3, 8, 20];

/// Maximum entries stored, newest first: the text must fit into a cookie.
const MAX_WAITING: usize = 60;
const MAX_KNOWN: usize = 150;

/// Questions in the order in which they are asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lesson {
    /// Questions to repeat: after how many others, and how often answered rightly since last wrong.
    waiting: Vec<(usize, usize, Drill)>,
    fresh: VecDeque<Drill>,
    /// Hashes of positions answered rightly, newest last.
    known: Vec<u32>,
}

impl Lesson {
    /// Adds questions, unless they are waiting or were answered rightly before.
    #[must_use]
    pub fn with(mut self, drills: impl IntoIterator<Item = Drill>) -> Lesson {
        let new = drills.into_iter().filter(|drill| {
            !self.known.contains(&mark(drill)) && self.waiting.iter().all(|(.., waiting)| waiting != drill)
        });
        self.fresh = new.collect();
        self
    }

    /// The next question: one that is due, otherwise one not asked yet, with how often it was answered rightly and whether it was wrong
    /// before. `None`: draw a new one.
    pub fn question(&mut self) -> Option<(Drill, usize, bool)> {
        for (left, ..) in &mut self.waiting {
            *left = left.saturating_sub(1);
        }
        if let Some(due) = self.waiting.iter().position(|(left, ..)| *left == 0) {
            let (_, known, drill) = self.waiting.remove(due);
            return Some((drill, known, true));
        }
        self.fresh.pop_front().map(|drill| (drill, 0, false))
    }

    /// Records an answer; `known` and `again` come from the question. A question answered rightly at once is not repeated.
    pub fn answered(&mut self, drill: Drill, known: usize, again: bool, right: bool) {
        let mark = mark(&drill);
        self.known.retain(|known| *known != mark);
        let place = match (right, again) {
            (false, _) => Some(0),
            (true, true) => Some(known + 1).filter(|place| *place < SPACES.len()),
            (true, false) => None,
        };
        match place {
            Some(place) => self.waiting.push((SPACES[place], place, drill)),
            None => self.known.push(mark),
        }
    }

    /// Number of questions to repeat.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

/// Hash of a position: FNV-1a over its cards. A collision only means that one question is not asked.
fn mark(drill: &Drill) -> u32 {
    written(drill).bytes().fold(0x811C_9DC5, |mark, byte| (mark ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn written(drill: &Drill) -> String {
    let list = |cards: &[Card]| cards.iter().map(|card| card.code()).collect::<String>();
    format!("{}.{}.{}", list(&drill.hand), list(drill.up.as_slice()), list(&drill.board))
}

/// The text of a lesson; questions not asked yet are not included.
impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let newest = |all: usize, most: usize| all.saturating_sub(most);
        let waiting = self.waiting.iter().skip(newest(self.waiting.len(), MAX_WAITING));
        let known = self.known.iter().skip(newest(self.known.len(), MAX_KNOWN));
        let waiting = waiting.map(|(left, place, drill)| format!("{left}.{place}.{}", written(drill)));
        let parts: Vec<String> = waiting.chain(known.map(|mark| format!("{mark:08x}"))).collect();
        f.pad(&parts.join("~"))
    }
}

/// A text that is not a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not part of a saved lesson")]
pub struct LessonError(String);

impl FromStr for Lesson {
    type Err = LessonError;

    fn from_str(text: &str) -> Result<Lesson, LessonError> {
        let mut lesson = Lesson::default();
        for part in text.trim().split('~').filter(|part| !part.is_empty()) {
            let wrong = || LessonError(part.chars().take(40).collect());
            if part.contains('.') {
                lesson.waiting.push(waiting(part).ok_or_else(wrong)?);
            } else {
                lesson.known.push(u32::from_str_radix(part, 16).map_err(|_| wrong())?);
            }
        }
        Ok(lesson)
    }
}

fn waiting(part: &str) -> Option<(usize, usize, Drill)> {
    let fields: Vec<&str> = part.split('.').collect();
    let [left, place, hand, up, board] = fields[..] else { return None };
    let up = cards(up)?;
    let drill =
        Drill { hand: cards(hand)?, up: up.first().copied().filter(|_| up.len() == 1), board: cards(board)? };
    let place: usize = place.parse().ok().filter(|place| *place < SPACES.len())?;
    let left = left.parse::<usize>().ok()?.min(SPACES[place]);
    (up.len() <= 1 && drill.hand.len() <= 5 && drill.board.len() <= 4).then_some((left, place, drill))
}

fn cards(text: &str) -> Option<Vec<Card>> {
    let pairs = text.is_ascii().then(|| text.as_bytes().chunks(2))?;
    pairs.map(|pair| std::str::from_utf8(pair).ok()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drill(card: &str) -> Drill {
        Drill { hand: vec![card.parse().unwrap()], up: None, board: Vec::new() }
    }

    /// The next question, and when it is the given one.
    fn until(lesson: &mut Lesson, wanted: &Drill) -> (usize, usize, bool) {
        for between in 0.. {
            let (next, known, again) = lesson.question().unwrap_or_else(|| (drill("9s"), 0, false));
            if next == *wanted {
                return (between, known, again);
            }
            lesson.answered(next, known, again, true);
        }
        unreachable!()
    }

    #[test]
    fn wrong_answers_are_repeated_less_and_less_often() {
        let mut lesson = Lesson::default().with(["2c", "3c", "4c", "5c", "6c", "7c"].map(drill));
        let (first, known, again) = lesson.question().unwrap();
        lesson.answered(first.clone(), known, again, false);
        for (place, between) in [2, 7, 19].into_iter().enumerate() {
            assert_eq!(until(&mut lesson, &first), (between, place, true));
            lesson.answered(first.clone(), place, true, true);
        }
        assert_eq!(lesson.waiting(), 0);
    }

    /// A stored lesson asks the same questions: those answered rightly are not asked again, those not asked yet are.
    #[test]
    fn a_stored_lesson_continues() {
        let all = ["2c", "3c", "4c", "5c"].map(drill);
        let mut lesson = Lesson::default().with(all.clone());
        for right in [false, true] {
            let (drill, known, again) = lesson.question().unwrap();
            lesson.answered(drill, known, again, right);
        }
        let text = lesson.to_string();
        let mut kept: Lesson = text.parse::<Lesson>().unwrap().with(all.clone());
        assert_eq!(kept, lesson);
        let asked: Vec<Drill> =
            std::iter::from_fn(|| kept.question()).map(|(drill, ..)| drill).take(3).collect();
        assert_eq!(asked, [all[2].clone(), all[0].clone(), all[3].clone()]);
    }

    #[test]
    fn positions_of_both_families_are_read_as_they_were_written() {
        let cards = |text: &str| text.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<Card>>();
        let stud = Drill { hand: cards("Ah Kd Jc 8s 10h"), up: Some("4c".parse().unwrap()), board: vec![] };
        let holdem = Drill { hand: cards("7c 2d"), up: None, board: cards("Kh 7d 4s Th") };
        let mut lesson = Lesson::default();
        lesson.answered(stud, 0, false, false);
        lesson.answered(holdem, 1, true, true);
        assert_eq!(lesson.to_string(), "3.0.AhKdJc8sTh.4c.~20.2.7c2d..Kh7d4sTh");
        assert_eq!(lesson.to_string().parse::<Lesson>().unwrap(), lesson);
    }

    #[test]
    fn invalid_lessons_are_refused_and_long_ones_cut() {
        for wrong in ["x", "1.0.Ah", "1.9.Ah..", "1.0.Zz..", "1.0.Ah.KcKd.", "1.0.é..", "1.0.AhKdJc8s3h4c.."]
        {
            assert!(wrong.parse::<Lesson>().is_err(), "{wrong}");
        }
        let mut lesson = Lesson::default();
        for card in baize_cards::Deck::ordered().cards().iter().cycle().take(600) {
            lesson.answered(Drill { hand: vec![*card; 5], up: Some(*card), board: vec![] }, 0, false, false);
            lesson.known.push(7);
        }
        assert!(lesson.to_string().len() < 3_600);
    }
}
