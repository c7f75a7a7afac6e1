//! The round script: parse, run, check, print.
