//! The paragraphs that a rule text has, to check citations against.

use crate::Paragraph;

/// The paragraphs of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Register {
    /// The id of the rulebook whose text it is.
    pub(crate) id: String,
    /// Its paragraphs, in order.
    paragraphs: Vec<Paragraph>,
}

impl Register {
    /// Whether the text has this paragraph.
    pub(crate) fn has(&self, paragraph: Paragraph) -> bool {
        self.paragraphs.contains(&paragraph)
    }

    /// The paragraphs above or below this one, as a hint.
    pub(crate) fn near(&self, paragraph: Paragraph) -> String {
        let above = self.paragraphs.iter().filter(|p| p.covers(paragraph)).max();
        match above {
            Some(above) => format!("it has {above}"),
            None => String::new(),
        }
    }

    /// The register of the built-in rulebook of this id.
    pub(crate) fn of(id: &str) -> Option<&'static Register> {
        let _ = id;
        None
    }
}
