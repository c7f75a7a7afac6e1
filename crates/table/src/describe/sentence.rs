//! A described event: who, what, and the paragraphs.

use std::fmt;

use baize_rules::{BoxNumber, Cites, Role};

use crate::{Player, Staff};

/// The subject of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// No subject: the sentence is complete without one.
    Nobody,
    /// The dealer.
    Dealer,
    /// A box and its player, or another player with chips on it.
    Box {
        /// The box.
        seat: BoxNumber,
        /// The player, if the reader's view has the box.
        player: Option<Player>,
    },
    /// A member of staff.
    Staff {
        /// The position.
        role: Role,
        /// The name, where it is known.
        name: Option<String>,
    },
}

impl Who {
    /// A member of staff who acts.
    #[must_use]
    pub fn of(staff: &Staff) -> Who {
        Who::Staff { role: staff.role, name: staff.name.clone() }
    }

    /// For a column: "Box 3 ann", "Dealer"; empty without a subject.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Who::Nobody => String::new(),
            Who::Dealer => "Dealer".to_owned(),
            Who::Box { seat, player: Some(player) } => format!("Box {seat} {player}"),
            Who::Box { seat, player: None } => format!("Box {seat}"),
            Who::Staff { role, name: Some(name) } => format!("{} {name}", role.name()),
            Who::Staff { role, name: None } => role.name().to_owned(),
        }
    }

    /// As the subject of a sentence: "Box 3 (ann)", "The dealer".
    fn subject(&self) -> String {
        match self {
            Who::Dealer => "The dealer".to_owned(),
            Who::Box { seat, player: Some(player) } => format!("Box {seat} ({player})"),
            Who::Staff { .. } => format!("The {}", self.label()),
            Who::Nobody | Who::Box { player: None, .. } => self.label(),
        }
    }
}

/// How a sentence continues, or that it is an irregularity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentenceKind {
    /// Chips or a look: the same person's next one follows after a comma.
    List,
    /// Cards: the next ones for the same hand follow after a space.
    Cards,
    /// A separate sentence.
    Whole,
    /// An irregularity, a ruling, a void round.
    Warning,
}

/// A described event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its subject.
    pub who: Who,
    /// The paragraphs.
    pub cites: Cites,
    /// Whether it continues.
    pub kind: SentenceKind,
    verb: &'static str,
    rest: String,
}

impl Sentence {
    pub(super) fn whole(who: Who, what: String) -> Sentence {
        Sentence { who, verb: "", rest: what, cites: Cites::NONE, kind: SentenceKind::Whole }
    }

    pub(super) fn list(who: Who, verb: &'static str, rest: String) -> Sentence {
        Sentence { who, verb, rest, cites: Cites::NONE, kind: SentenceKind::List }
    }

    pub(super) fn cards(who: Who, cards: String) -> Sentence {
        Sentence { who, verb: "is dealt", rest: cards, cites: Cites::NONE, kind: SentenceKind::Cards }
    }

    pub(super) fn of_trouble(self) -> Sentence {
        Sentence { kind: SentenceKind::Warning, ..self }
    }

    pub(super) fn citing(self, cites: Cites) -> Sentence {
        Sentence { cites, ..self }
    }

    pub(super) fn by(self, who: Who) -> Sentence {
        Sentence { who, ..self }
    }

    pub(super) fn add(&mut self, more: &str) {
        self.rest.push_str(more);
    }

    /// The words without subject, full stop and paragraphs: "folds".
    #[must_use]
    pub fn what(&self) -> String {
        if self.verb.is_empty() { self.rest.clone() } else { format!("{} {}", self.verb, self.rest) }
    }

    /// The whole sentence, without its paragraphs: "Box 3 (ann) folds." The dealer's announcements are left as they
    /// are.
    #[must_use]
    pub fn sentence(&self) -> String {
        let what = self.what();
        if what.starts_with('"') {
            return what;
        }
        let subject = self.who.subject();
        if subject.is_empty() { format!("{what}.") } else { format!("{subject} {what}.") }
    }

    /// Merges the next description, if it continues the same sentence.
    fn take(&mut self, next: &Sentence) -> bool {
        if self.who != next.who || !self.cites.is_empty() {
            return false;
        }
        let goes_on = match (self.kind, next.kind) {
            (SentenceKind::Cards, SentenceKind::Cards) => format!(" {}", next.rest),
            (SentenceKind::List, _) if self.verb == next.verb => format!(", {}", next.rest),
            (SentenceKind::List, SentenceKind::List | SentenceKind::Whole) => format!(" and {}", next.what()),
            (SentenceKind::List | SentenceKind::Cards | SentenceKind::Whole | SentenceKind::Warning, _) => {
                return false;
            }
        };
        self.rest.push_str(&goes_on);
        (self.kind, self.cites) = (next.kind, next.cites);
        true
    }
}

/// The sentence with its paragraphs: "Box 3 (ann) folds (3.9.1)."
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = self.sentence();
        match (self.cites.is_empty(), sentence.strip_suffix('.')) {
            (true, _) => f.write_str(&sentence),
            (false, Some(sentence)) => write!(f, "{sentence} ({}).", self.cites),
            (false, None) => write!(f, "{sentence} ({})", self.cites),
        }
    }
}

/// The descriptions, with those of one sentence merged.
#[must_use]
pub fn joined(told: impl IntoIterator<Item = Sentence>) -> Vec<Sentence> {
    let mut all: Vec<Sentence> = Vec::new();
    for next in told {
        if !all.last_mut().is_some_and(|last| last.take(&next)) {
            all.push(next);
        }
    }
    all
}
