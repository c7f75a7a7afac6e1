//! The preview of a report or a ruling.

use baize_table::{BoxFate, BoxForeseen};
use schemars::JsonSchema;
use serde::Serialize;

/// The consequences of a report or ruling, without carrying it out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Preview {
    /// What would happen, in words, step by step.
    pub steps: Vec<String>,
    /// The fate of each box with chips.
    pub boxes: Vec<BoxForeseen>,
}

impl Preview {
    /// Whether chips would move, in which case the ruling needs a reason.
    #[must_use]
    pub fn moves_money(&self) -> bool {
        let moved = |on_box: &BoxForeseen| !on_box.back.is_zero() || on_box.fate == BoxFate::SettledAnew;
        self.boxes.iter().any(moved)
    }
}
