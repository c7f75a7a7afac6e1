//! The preview of a report or a ruling.

use baize_table::{BoxFate, BoxForeseen};
use schemars::JsonSchema;
use serde::Serialize;

/// What a report or a ruling would lead to. Nothing has been carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Preview {
    /// What would happen, step by step, in words.
    pub steps: Vec<String>,
    /// What would become of each box with chips.
    pub boxes: Vec<BoxForeseen>,
}

impl Preview {
    /// Whether chips would move: then the ruling needs a reason.
    #[must_use]
    pub fn moves_money(&self) -> bool {
        let moved = |on_box: &BoxForeseen| !on_box.back.is_zero() || on_box.fate == BoxFate::SettledAnew;
        self.boxes.iter().any(moved)
    }
}
