//! The jackpot against its paragraphs and its properties.

mod games;
mod paying;
