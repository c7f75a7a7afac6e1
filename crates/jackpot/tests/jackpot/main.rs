//! The jackpot against its paragraphs and its properties.
#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for what it knows, and stops where it cannot go on"
)]

mod changes;
mod floor;
mod games;
mod linked;
mod order;
mod paying;
mod properties;
mod refusals;
