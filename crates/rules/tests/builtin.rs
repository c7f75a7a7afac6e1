//! The five built-in rulebooks: what they say, and a house's own made from one.

use baize_cards::{HandClass, Rank};
use baize_rules::{
    Act, AfterFold, Area, AwardPay, Fate, IrregularityKind, Money, Odds, ProcedureName, Qualification,
    Remedy, Rulebook, WhoMayBet,
};

const IDS: [&str; 5] = [
    "rws-progressive-holdem",
    "mbs-megalink-holdem",
    "mbs-holdem-bonus",
    "mbs-megalink-stud",
    "rws-casino-stud",
];

fn rulebook(short: &str) -> &'static Rulebook {
    Rulebook::builtins().iter().find(|r| r.short == short).expect("a built-in rulebook")
}

#[test]
fn all_five_are_read() {
    assert_eq!(Rulebook::builtins().iter().map(|r| r.id.as_str()).collect::<Vec<_>>(), IDS);
    for id in IDS {
        let rulebook = Rulebook::builtin(id).unwrap();
        assert_eq!(rulebook.hash.len(), 64);
        let text = Rulebook::builtin_text(id).unwrap();
        assert_eq!(Rulebook::parse("again", text).unwrap(), *rulebook);
    }
    assert_eq!(Rulebook::builtin("no-such-game"), None);
    assert_eq!(Rulebook::builtin_text("no-such-game"), None);
}

/// Every point that the texts leave open is in the rulebooks that it concerns: the readings I-1 to I-21, game by game.
#[test]
fn each_game_names_the_points_that_its_text_leaves_open() {
    let named = |short: &str| -> Vec<u8> {
        let number = |id: &str| id.strip_prefix("I-").and_then(|number| number.parse().ok()).unwrap();
        rulebook(short).interpretations.iter().map(|point| number(point.id.code())).collect()
    };
    assert_eq!(named("RH"), [1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 17, 19, 20, 21]);
    assert_eq!(named("MH"), [1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 14, 15, 16, 18]);
    assert_eq!(named("MB"), [1, 2, 4, 6, 7, 8, 10, 11, 12, 14, 15, 16]);
    assert_eq!(named("MS"), [2, 3, 5, 6, 10, 11, 12, 14, 15, 16, 18]);
    assert_eq!(named("RS"), [2, 6, 9, 10, 11, 12, 13, 17, 19, 21]);
}

/// The comparison of the five games, row by row: RH, MH, MB, MS, RS.
#[test]
fn the_games_side_by_side() {
    fn row<T: PartialEq + std::fmt::Debug>(what: &str, expected: [T; 5], of: impl Fn(&Rulebook) -> T) {
        for (short, expected) in ["RH", "MH", "MB", "MS", "RS"].into_iter().zip(expected) {
            assert_eq!(of(rulebook(short)), expected, "{what} of {short}");
        }
    }
    let holdem = vec![Area::Ante, Area::Bonus, Area::Flop, Area::Turn, Area::River, Area::Jackpot];
    let stud = vec![Area::Ante, Area::Bet, Area::Jackpot];
    row("areas", [holdem.clone(), holdem.clone(), holdem, stud.clone(), stud], |r| {
        r.areas.iter().map(|a| a.area).collect::<Vec<_>>()
    });
    row("boxes", [(1, 7), (1, 7), (4, 7), (1, 7), (1, 7)], |r| (r.boxes.value.fewest, r.boxes.value.most));
    let (seated, several) = (WhoMayBet::SeatedPlayer, WhoMayBet::SeveralPlayers);
    row("who may bet", [seated, several, several, several, seated], |r| r.betting.who.value);
    row("jackpot multiples", [1, 5, 1, 1, 1], |r| r.betting.jackpot_multiples.value);
    row("restriction", [false, true, true, true, false], |r| r.betting.restrict.is_some());
    row(
        "procedures",
        [
            vec![ProcedureName::Shoe, ProcedureName::Shuffler],
            vec![
                ProcedureName::AutomatedA,
                ProcedureName::AutomatedB,
                ProcedureName::AutomatedC,
                ProcedureName::Manual,
            ],
            vec![ProcedureName::Automated, ProcedureName::Manual],
            vec![ProcedureName::Automated, ProcedureName::Manual],
            vec![ProcedureName::Shoe, ProcedureName::Shuffler],
        ],
        |r| r.procedures.iter().map(|p| p.name).collect::<Vec<_>>(),
    );
    row("burns of the first procedure", [4, 0, 0, 0, 1], |r| {
        r.procedures[0].schedule(&[]).iter().filter(|s| s.act == Act::Burn).count()
    });
    let ace_king = Some(Qualification::TwoCards((Rank::Ace, Rank::King)));
    row("qualification", [None, None, None, ace_king, ace_king], |r| r.qualification.map(|q| q.value));
    let community = AfterFold::CommunityOnly;
    row(
        "jackpot after a fold",
        [community, AfterFold::Everything, community, AfterFold::Everything, AfterFold::Nothing],
        |r| r.jackpot.after_fold.value,
    );
    let cap = Some((Area::Bonus, Money::from_dollars(100_000)));
    let bet_cap = Some((Area::Bet, Money::from_dollars(100_000)));
    row("maximum payout", [cap, None, None, None, bet_cap], |r| {
        r.settlement.caps.first().map(|(area, most)| (*area, most.value))
    });
    row("awards", [8, 6, 8, 6, 5], |r| r.jackpot.awards.len());
    row("reports", [16, 11, 11, 10, 15], |r| r.irregularities.reports.len());
}

#[test]
fn pay_tables() {
    for short in ["RH", "MH", "MB"] {
        let bonus = rulebook(short).bonus.as_ref().unwrap();
        let odds: Vec<u32> = bonus.lines.iter().map(|line| line.odds.win).collect();
        assert_eq!(odds, [1000, 30, 25, 20, 15, 10, 5, 3]);
    }
    for short in ["MS", "RS"] {
        let fate = rulebook(short).settlement.higher.of(Area::Bet).unwrap();
        let Fate::PaysByHand(odds) = fate.value else { panic!("the bet is paid by hand") };
        assert_eq!(odds.0.map(|odds| odds.win), [1, 1, 2, 3, 4, 5, 7, 20, 50, 250]);
    }
    let pays = |short: &str| -> Vec<String> {
        rulebook(short).jackpot.awards.iter().map(|award| award.pays.to_string()).collect()
    };
    let fixed = ["SGD 10,000.00", "SGD 1,500.00", "SGD 1,500.00", "SGD 300.00", "SGD 300.00"];
    let megalink = ["100%", "10%", "400 for 1", "80 for 1", "40 for 1", "20 for 1"];
    assert_eq!(pays("RH"), [&["100%", "25%", "5%"][..], &fixed[..]].concat());
    assert_eq!(pays("MB"), pays("RH"));
    assert_eq!(pays("MH"), megalink);
    assert_eq!(pays("MS"), megalink);
    assert_eq!(pays("RS"), ["100%", "10%", "SGD 500.00", "SGD 200.00", "SGD 100.00"]);
    let multiplied =
        rulebook("MH").jackpot.awards.iter().filter(|a| a.multiplied).map(|a| a.class).collect::<Vec<_>>();
    assert_eq!(
        multiplied,
        [HandClass::FourOfAKind, HandClass::FullHouse, HandClass::Flush, HandClass::Straight]
    );
}

/// Not only the value but also the paragraph behind it is the text's.
#[test]
fn paragraphs() {
    let cites = |short: &str, area, of: fn(&Rulebook) -> &baize_rules::OutcomeRule| {
        of(rulebook(short)).of(area).unwrap().cites.to_string()
    };
    assert_eq!(cites("RH", Area::Ante, |r| &r.settlement.higher), "3.13, 4.1");
    assert_eq!(cites("MB", Area::Flop, |r| &r.settlement.higher), "3.10.2, 4.1.1");
    assert_eq!(cites("RS", Area::Ante, |r| r.settlement.not_qualified.as_ref().unwrap()), "3.13");
    assert_eq!(cites("MS", Area::Bet, |r| r.settlement.not_qualified.as_ref().unwrap()), "3.10.2.1");
    assert_eq!(rulebook("RH").irregularities.anything_else.cites.to_string(), "5.23");
    assert_eq!(rulebook("RS").irregularities.anything_else.cites.to_string(), "5.24");
    assert_eq!(rulebook("MH").irregularities.anything_else.cites.to_string(), "6.1");
}

/// One exposed dealer's card becomes the face-up card in RS only (5.16); two unseen cards void the round everywhere.
#[test]
fn exposed_cards() {
    for rulebook in Rulebook::builtins() {
        let report = |kind| rulebook.irregularities.reports.iter().find(|r| r.kind == kind);
        let cases = &report(IrregularityKind::ExposedCards).unwrap().cases;
        assert_eq!((cases[0].when.count_at_least, cases[0].remedy), (Some(2), Remedy::Void));
        let face_up = cases.iter().find(|case| case.remedy == Remedy::BecomesFaceUp);
        assert_eq!(
            face_up.map(|case| case.cites.to_string()),
            (rulebook.short == "RS").then(|| "5.16".into())
        );
        assert!(report(IrregularityKind::Other).is_none());
    }
}

/// In JSON every value has the name that it has in the rulebook file.
#[test]
fn json() {
    let json = serde_json::to_value(rulebook("RS")).unwrap();
    assert_eq!(json["family"], "stud");
    assert_eq!(json["boxes"]["value"]["most"], 7);
    assert_eq!(json["boxes"]["cites"][0], "2.1.1a");
    assert_eq!(json["qualification"]["value"]["two-cards"], "A-K");
    assert_eq!(json["settlement"]["higher"]["bet"]["value"]["pays-by-hand"]["full-house"], "7 to 1");
    assert_eq!(json["settlement"]["not_qualified"]["bet"]["value"], "returned");
    assert_eq!(json["settlement"]["higher"]["ante"]["cites"], serde_json::json!(["3.14.1", "4.1"]));
    assert_eq!(json["settlement"]["caps"]["bet"]["value"], "100000.00");
    assert_eq!(json["jackpot"]["awards"][1]["pays"]["share"], "10%");
    assert_eq!(json["procedures"][0]["steps"][1]["value"]["to"], "boxes-and-dealer");
    assert_eq!(json["irregularities"]["reports"][0]["cases"][0]["remedy"], "void");
    assert_eq!(json["interpretations"][0]["reading"], "highest-ranking");
    let holdem = serde_json::to_value(rulebook("MH")).unwrap();
    assert_eq!(holdem["bonus"]["lines"][2]["holes"], serde_json::json!(["AKs"]));
    assert_eq!(holdem["settlement"]["higher"]["ante"]["value"]["pays-from"]["from"], "straight");
}

/// A changed copy cannot pass for the approved game by a name that only looks like its name.
#[test]
fn a_copy_under_a_similar_name_is_marked() {
    let text = Rulebook::builtin_text("rws-casino-stud").unwrap();
    let own = |name: &str| {
        let own = text.replacen("id = \"rws-casino-stud\"", "id = \"own\"", 1);
        Rulebook::parse("own.toml", &own.replacen("Casino Stud Poker\"", &format!("{name}\""), 1)).unwrap()
    };
    for name in ["CASINO STUD POKER", "Casino  Stud Poker", "Casino Stud Poker (Version 6)"] {
        assert_eq!(own(name).name, format!("{name} (altered from Casino Stud Poker, RWS version 6)"));
    }
    let other = own("Casino Stud P0ker");
    assert_eq!(other.name, "Casino Stud P0ker (not an approved game)");
    assert_eq!((other.version.as_deref(), other.effective.as_deref()), (None, None));
    assert_eq!((other.edition().as_str(), other.is_approved()), ("not an approved version", false));
    // The longer name decides: one approved name contains another.
    let bonus = Rulebook::builtin_text("mbs-megalink-holdem").unwrap();
    let bonus = bonus.replacen("id = \"mbs-megalink-holdem\"", "id = \"own\"", 1);
    let bonus = Rulebook::parse("own.toml", &bonus).unwrap();
    assert_eq!(bonus.based_on.as_deref(), Some("mbs-megalink-holdem"));
    assert!(Rulebook::builtins().iter().all(Rulebook::is_approved));
}

/// A house copies a rulebook, changes the pay table, and gets the new odds.
#[test]
fn a_house_makes_its_own() {
    let text = Rulebook::builtin_text("rws-casino-stud").unwrap();
    let own = text
        .replacen("id = \"rws-casino-stud\"", "id = \"house-stud\"\nbased_on = \"rws-casino-stud\"", 1)
        .replacen("odds = \"250 to 1\"", "odds = \"100 to 1\"", 1)
        .replacen("pays = \"SGD 500\"", "pays = \"SGD 750.50\"", 1)
        .replacen("most = 7", "most = 5", 1);
    let own = Rulebook::parse("house-stud.toml", &own).unwrap();
    assert_eq!(own.id, "house-stud");
    assert_eq!(own.based_on.as_deref(), Some("rws-casino-stud"));
    assert_eq!(own.name, "Casino Stud Poker (altered from Casino Stud Poker, RWS version 6)");
    assert_eq!((own.version.as_deref(), own.edition().as_str()), (None, "not an approved version"));
    assert_eq!(own.boxes.value.most, 5);
    let Fate::PaysByHand(odds) = own.settlement.higher.of(Area::Bet).unwrap().value else {
        panic!("the bet is paid by hand")
    };
    assert_eq!(odds.of(HandClass::RoyalFlush), Odds { win: 100, stake: 1 });
    assert_eq!(odds.of(HandClass::StraightFlush), Odds { win: 50, stake: 1 });
    assert_eq!(own.jackpot.awards[2].pays, AwardPay::Fixed(Money::from_cents(75_050)));
    assert_ne!(own.hash, rulebook("RS").hash);
}
