//! Exact game mathematics: solvers, adviser, simulation, jackpot economics.
