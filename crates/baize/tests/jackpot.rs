//! `baize jackpot`, run as a person or a program runs it.

mod program;

use std::path::PathBuf;

use serde_json::Value;

use program::{baize, err, out};

#[test]
fn the_output_has_frequencies_and_costs() {
    let output =
        baize(&["jackpot", "rws-casino-stud", "--tables", "10", "--take-up", "50", "--meter", "250,000"]);
    assert!(output.status.success(), "{}", err(&output));
    let text = out(&output);
    for words in [
        "1,050 wagers an hour",
        "649,740",
        "mean in the long run, and at the hit",
        "394,600.00",
        "2.92425 cents",
        "19/6497400",
        "break-even",
        "3.0782%",
        "The meter when the top award hits:",
        "█",
    ] {
        assert!(text.contains(words), "`{words}` is missing in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn as_data_it_is_exact() {
    let output = baize(&["jackpot", "mbs-holdem-bonus", "--reserve", "2.5%", "--json"]);
    let data: Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(data["setup"]["reserve"], "2.5%");
    assert_eq!(data["awards"][0]["probability"]["denominator"], "649740");
    assert_eq!(data["awards"][0]["pays"]["share"], "100%");
    assert!(data["distribution"]["quantiles"].as_array().is_some_and(|all| all.len() == 9));
    for field in ["kept", "resets_by_house", "self_funding_reserve"] {
        assert!(data["house"][field]["decimal"].is_string(), "{field}");
    }
}

#[test]
fn a_picture_goes_to_a_file() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("jackpot.svg");
    let name = path.to_str().expect("a plain path");
    assert!(baize(&["jackpot", "mbs-megalink-stud", "--svg", name]).status.success());
    let svg = std::fs::read_to_string(&path).expect("the picture");
    assert!(svg.starts_with("<svg") && svg.contains("break-even"));
    let nothing = baize(&["jackpot", "mbs-megalink-stud", "--rate", "0%", "--svg", name]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(err(&nothing).contains("there is no picture"));
}

#[test]
fn bad_usage_is_named() {
    for (arguments, words) in [
        (vec!["jackpot"], "required"),
        (vec!["jackpot", "baccarat"], "there is no game `baccarat`"),
        (vec!["jackpot", "rws-casino-stud", "--rate", "101%"], "over 100%"),
        (vec!["jackpot", "rws-casino-stud", "--rate", "much"], "is not a percentage"),
        (vec!["jackpot", "rws-casino-stud", "--wager", "0"], "more than 0.00"),
        (vec!["jackpot", "rws-casino-stud", "--boxes", "8"], "at most 7"),
        (vec!["jackpot", "rws-casino-stud", "--tables", "0"], "must all be more than 0"),
        (vec!["jackpot", "rws-casino-stud", "--meter=-5"], "--meter"),
    ] {
        let output = baize(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
}
