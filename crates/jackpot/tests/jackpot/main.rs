//! The jackpot against its paragraphs and its properties.
#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on should stop"
)]

mod changes;
mod floor;
mod games;
mod linked;
mod order;
mod paying;
mod properties;
mod refusals;
mod undoing;
