//! The progressive jackpot: contributions, awards, order of payment, resets.
