//! `baize odds`, `baize advise` and `baize simulate`, run as a person or a program runs them.

mod program;

use baize_rules::Rulebook;
use serde_json::Value;

use program::{file, json, text, usage};

/// A copy of a built-in rulebook under an id of its own.
fn of_ones_own(id: &str) -> String {
    let text = Rulebook::builtin_text(id).expect("it is built in");
    text.replacen(&format!("id = \"{id}\""), &format!("id = \"own\"\nbased_on = \"{id}\""), 1)
}

fn number(value: &Value) -> f64 {
    value.as_str().and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{value} is no decimal"))
}

#[test]
fn all_games_in_one_command() {
    let all = json(&["odds", "--json", "--strategy", "always"]);
    let games = all["games"].as_array().expect("a list of games");
    let ids: Vec<&str> = games.iter().filter_map(|game| game["id"].as_str()).collect();
    assert_eq!(ids, Rulebook::builtins().iter().map(|book| book.id.as_str()).collect::<Vec<_>>());
    for game in games {
        let main = &game["main"];
        let ev = number(&main["ev"]["decimal"]);
        assert!((number(&main["ev"]["numerator"]) / number(&main["ev"]["denominator"]) - ev).abs() < 1e-12);
        assert!((number(&main["house_edge"]) + ev).abs() < 1e-12);
        assert!(number(&main["element_of_risk"]) < number(&main["house_edge"]));
        assert!(number(&main["std_dev"]) > 1.0);
        let frequencies = &main["frequencies"];
        let stays = number(frequencies.get("flop").unwrap_or(&frequencies["bet"]));
        assert!((number(&frequencies["fold"]) + stays - 1.0).abs() < 1e-12);
        let rounds: f64 = main["outcomes"].as_array().unwrap().iter().map(|row| number(&row["rounds"])).sum();
        assert_eq!(rounds, number(&main["cycle"]));
        let jackpot = &game["jackpot"];
        for key in ["fixed_return", "meter_coefficient", "break_even_meter"] {
            assert!(number(&jackpot[key]) > 0.0, "{key}");
        }
        assert!(
            jackpot["awards"].as_array().unwrap().iter().all(|award| number(&award["probability"]) > 0.0)
        );
        if frequencies.get("flop").is_some() {
            assert_eq!(&main["ev"]["numerator"], "-1133091156680");
            assert_eq!(game["bonus"]["ev"]["numerator"], "-13873");
            assert_eq!(game["bonus"]["ev"]["denominator"], "162435");
            let hands = game["starting_hands"].as_array().unwrap();
            assert_eq!(hands.len(), 169);
            let folded: Vec<&str> = hands
                .iter()
                .filter(|row| row["best"] == "fold")
                .filter_map(|row| row["hand"].as_str())
                .collect();
            assert_eq!(folded, ["32o", "42o", "52o", "62o", "72o"]);
            let combinations: u64 = hands.iter().filter_map(|row| row["combinations"].as_u64()).sum();
            assert_eq!(combinations, 1326);
        } else {
            assert!(game.get("bonus").is_none() && game.get("starting_hands").is_none());
            assert_eq!(jackpot["exact"]["meter_coefficient"]["numerator"], "19");
            assert_eq!(jackpot["exact"]["meter_coefficient"]["denominator"], "6497400");
            assert_eq!(game["raising_rule"]["always_from"], "one-pair");
        }
    }
}

#[test]
fn published_figures_of_a_rulebook_of_ones_own() {
    let own = of_ones_own("rws-casino-stud").replacen("250 to 1", "100 to 1", 1);
    let path = file("royal-100.toml", &own);
    let game = json(&["odds", "--rulebook", &path, "--json"]);
    assert_eq!(game["main"]["ev"]["numerator"], "-1041372912372");
    assert_eq!(game["main"]["ev"]["denominator"], "19933230517200");
    assert!((number(&game["main"]["element_of_risk"]) - 0.02555).abs() < 0.000_01);
    let strategies = game["strategies"].as_array().unwrap();
    for (name, net) in
        [("ace-king-jack", "-1059715400580"), ("pair", "-1090272101460"), ("always", "-3310360338060")]
    {
        let found = strategies.iter().find(|row| row["strategy"] == name).unwrap();
        assert_eq!(found["ev"]["numerator"], net);
    }
    let rules = json(&["odds", "--rulebook", &path, "--json", "--strategy", "raise: pair+ or A-K-J-8-3+"]);
    assert_eq!(rules["strategies"][0]["ev"]["numerator"], "-1059715400580");
}

#[test]
fn a_page_for_people_fits_the_width_and_has_no_colours_in_a_pipe() {
    let page = text(&[
        "odds",
        "rws-casino-stud",
        "--what-if",
        "--ante",
        "300",
        "--jackpot-wager",
        "5",
        "--meter",
        "900000",
    ]);
    for wanted in [
        "house edge",
        "WHEN TO BET",
        "SIMPLER WAYS TO PLAY",
        "dealer qualifies with a pair",
        "fair at a meter of",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(!page.contains('\x1b'));
    let wide: Vec<&str> = page.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn a_picture_is_written() {
    let path = file("stud.svg", "");
    text(&["odds", "rws-casino-stud", "--strategy", "pair", "--svg", &path]);
    let picture = std::fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("fair at 1,503,053"));
    assert!(usage(&["odds", "--svg", &path]).contains("one game"));
}

#[test]
fn bad_questions_about_odds() {
    assert!(usage(&["odds", "rws-stud"]).contains("there is no game `rws-stud`"));
    let unknown = usage(&["odds", "rws-casino-stud", "--strategy", "brave"]);
    assert!(unknown.contains("ace-king-jack") && unknown.contains("raise: pair+"));
    assert!(usage(&["odds", "--strategy", "bluff: always"]).contains("not a decision"));
    assert!(usage(&["odds", "rws-casino-stud", "--ante", "0"]).contains("ante"));
    assert!(usage(&["odds", "rws-casino-stud", "--ante", "five"]).contains("amount"));
    assert!(usage(&["odds", "rws-casino-stud", "--jackpot-wager", "0"]).contains("jackpot wager"));
    // A pay table by which a bet cannot gain.
    let text = of_ones_own("mbs-holdem-bonus");
    let from = text.find("[settlement.higher]").unwrap();
    let turn = from + text[from..].find("\nturn = ").unwrap() + 1;
    let end = turn + text[turn..].find('\n').unwrap();
    let cites = &text[turn..end][text[turn..end].find("cites").unwrap()..];
    let own = format!("{}turn = {{ fate = \"stands-off\", {cites}{}", &text[..turn], &text[end..]);
    let path = file("no-turn.toml", &own);
    let told = usage(&["odds", "--rulebook", &path]);
    assert!(told.contains("the turn wager decides nothing"), "{told}");
}

#[test]
fn advice_is_data() {
    let stud = json(&["advise", "rws-casino-stud", "Ah Kd Jc 8s 3h", "--up", "4c", "--json"]);
    assert_eq!(stud["decisions"][0]["action"], "fold");
    assert_eq!(stud["decisions"][0]["ev"], "-1");
    assert_eq!(stud["decisions"][1]["action"], "bet");
    assert_eq!(stud["decisions"][1]["ev"], "-1.032833900174648");
    assert_eq!(stud["best"], "fold");
    let flop = json(&["advise", "mbs-holdem-bonus", "7c2d", "--board", "Kh7d4s", "--json"]);
    assert_eq!(flop["decisions"][0]["action"], "check");
    assert_eq!(flop["best"], "turn");
    let river = json(&["advise", "mbs-holdem-bonus", "7c", "2d", "--board", "Kh 7d 4s 9s", "--json"]);
    assert_eq!(river["best"], "river");
    assert_eq!(river["turn_wagered"], false);
    let before = json(
        &["advise", "mbs-holdem-bonus", "72o", "--json"]
            .map(|word| if word == "72o" { "7h2d" } else { word }),
    );
    assert_eq!(before["decisions"][1]["action"], "flop");
    assert_eq!(before["best"], "fold");
}

#[test]
fn bad_questions_for_advice() {
    for (arguments, told) in [
        (&["mbs-holdem-bonus", "7c"][..], "1 card in hand"),
        (&["mbs-holdem-bonus", "7c7c"], "named twice"),
        (&["mbs-holdem-bonus", "7c2d", "--board", "Kh7d"], "a board of 2"),
        (&["mbs-holdem-bonus", "7c2d", "--board", "Kh7d4s5s6s"], "a board of 5"),
        (&["mbs-holdem-bonus", "7c2d", "--board", "Kh7c4s"], "named twice"),
        (&["mbs-holdem-bonus", "7c2d", "--up", "Kh"], "no face-up card"),
        (&["mbs-holdem-bonus", "7c2d", "--meter", "5"], "give the ante and the jackpot wager too"),
        (&["mbs-holdem-bonus", "7c2x"], "not a suit"),
        (&["rws-casino-stud", "AhKdJc8s3h"], "face-up card is missing"),
        (&["rws-casino-stud", "AhKdJc8s3h", "--up", "4c5c"], "the dealer shows one"),
        (&["rws-casino-stud", "AhKdJc8s3h", "--up", "Ah"], "named twice"),
        (&["rws-stud", "AhKd"], "there is no game"),
    ] {
        let error = usage(&[&["advise"], arguments].concat());
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
}

#[test]
fn a_simulation_repeats_itself_whatever_the_threads() {
    let play = |threads: &str, seed: &str| {
        text(&[
            "simulate",
            "rws-casino-stud",
            "--rounds",
            "40000",
            "--seed",
            seed,
            "--boxes",
            "2",
            "--strategy",
            "pair",
            "--jackpot-wager",
            "5",
            "--threads",
            threads,
            "--json",
        ])
    };
    let one = play("1", "7");
    assert_eq!(one, play("3", "7"));
    assert_ne!(one, play("1", "8"));
    let result: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(result["settled_boxes"], 80_000);
    assert!(result["main"]["exact"].is_string() && result["main"]["margin"].is_f64());
    let page = text(&["simulate", "rws-casino-stud", "--rounds", "1000", "--seed", "7"]);
    assert!(page.contains("simulated") && page.contains("exact"));
}

#[test]
fn bad_simulations() {
    for (arguments, told) in [
        (&["rws-casino-stud", "--rounds", "0"][..], "at least one round"),
        (&["rws-casino-stud", "--rounds", "5", "--boxes", "9"], "1 to 7"),
        (&["rws-casino-stud", "--rounds", "5", "--bonus", "5"], "has no bonus"),
        (&["rws-casino-stud", "--rounds", "5", "--strategy", "brave"], "there is no strategy"),
        (&["rws-casino-stud", "--rounds", "5", "--limits", "5"], "25-1000"),
        (&["rws-casino-stud", "--rounds", "5", "--limits", "50-10"], "minimum"),
        (&["rws-casino-stud", "--rounds", "5", "--jackpot-wager", "5", "--rate", "120%"], "at most 100%"),
        (&["rws-casino-stud"], "--rounds"),
    ] {
        let error = usage(&[&["simulate"], arguments].concat());
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
}
