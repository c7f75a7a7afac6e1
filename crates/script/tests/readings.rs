//! What the lines of a slip cite and name: the reading that decided them, and no limit that was only reached.

use baize_rules::Rulebook;
use baize_script::{Script, Transcript, run};
use baize_table::{BoxSettlement, Phase};

fn played(text: &str) -> Transcript {
    let script = Script::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let transcript = run(&script, &|id| Rulebook::builtin(id).cloned());
    assert!(transcript.failures.is_empty(), "{:?}", transcript.failures);
    transcript
}

fn last_slips(transcript: &Transcript) -> &[BoxSettlement] {
    match transcript.rounds.last().map(|record| &record.round.phase) {
        Some(Phase::Finished(finished)) => &finished.boxes,
        other => panic!("{other:?}"),
    }
}

/// The paragraphs of all lines of the latest round's slips, in order; of lines that follow each other with the same paragraphs, one.
fn cited(text: &str) -> Vec<String> {
    let transcript = played(text);
    let lines = last_slips(&transcript).iter().flat_map(|slip| &slip.lines);
    let mut cited: Vec<String> = lines.map(|line| line.cites.to_string()).collect();
    cited.dedup();
    cited
}

/// The areas of the latest round's slips that a reading of an open point decided, in order.
fn read_otherwise(text: &str) -> Vec<String> {
    let transcript = played(text);
    let lines = last_slips(&transcript).iter().flat_map(|slip| &slip.lines);
    lines.filter_map(|line| Some(format!("{} {}", line.area.code(), line.interpretation?.code()))).collect()
}

/// A round on box 1 with a bonus, after the flop decision.
fn with_bonus(hands: &str, then: &str) -> String {
    format!(
        "game mbs-megalink-holdem\nopen\nbet 1 ann ante 10\nbet 1 ann bonus 10\nbet 1 ann jackpot 5\nclose\n\
         deal board Kd Js 7h 4c 2d\n{hands}\n{then}\nsettle"
    )
}

#[test]
fn a_line_names_the_reading_that_decided_it_and_no_other_line_does() {
    let flop = "bet 1 ann flop 20\nreveal flop\ncheck 1\nreveal turn\ncheck 1\nreveal river\nreveal dealer";
    let lower = with_bonus("deal 1 9d 9h\ndeal dealer Ac Ah", flop);
    assert_eq!(read_otherwise(&lower), ["bonus I-1"]);
    let higher = with_bonus("deal 1 9d 9h\ndeal dealer Ac Qh", flop);
    assert_eq!(read_otherwise(&higher), [""; 0]);
    let gone = with_bonus("deal 1 As Ad\ndeal dealer Ac Ah", "absent 1");
    assert_eq!(read_otherwise(&gone), ["bonus I-7"]);
    let wrong = "report wrong-player-hand 1 reconstructable=no";
    let invalid = with_bonus("deal 1 As Ad 3c\ndeal dealer Ac Ah", wrong);
    assert_eq!(read_otherwise(&invalid), [""; 0]);

    let raised = "game rws-progressive-holdem\ndealing shuffler\nopen\nbet 1 ivy ante 75\nbet 1 ivy bonus 10\nclose\n\
                  deal board Ac 8d 5h Td 3s\ndeal 1 Ad Ks\ndeal dealer Qd Jc\nbet 1 ivy flop 150\nreveal flop\n\
                  absent 1\nsettle";
    assert_eq!(read_otherwise(raised), ["flop I-20"]);
    let declined = "game rws-casino-stud\nopen\nbet 1 kai ante 60\nbet 1 kai jackpot 5\nclose\n\
                    deal 1 2h 4h 8h Th Kh\ndeal dealer Qc Jd 9s 6c 5d\nbet 1 kai bet 120\nreveal dealer\ndecline 1\n\
                    settle";
    assert_eq!(read_otherwise(declined), ["ante I-13", "bet I-13"]);
    // The jackpot pays the community award of a hand that is not shown: the line still says by which reading.
    let community = "game rws-progressive-holdem\ndealing shuffler\nopen\nbet 1 ann ante 50\nbet 1 ann jackpot 5\nclose\n\
                     deal board 9h Th Jh Qh Kh\ndeal 1 Ah 2c\ndeal dealer 3c 4c\nbet 1 ann flop 100\nreveal flop\n\
                     check 1\nreveal turn\ncheck 1\ndecline 1\nreveal river\nreveal dealer\nsettle";
    assert_eq!(read_otherwise(community), ["jackpot I-13"]);
    // The player who has box 2 alone shares nothing.
    let shared = "game mbs-megalink-holdem\nlimit ante 25 100\nopen\nbet 1 ann ante 100\nbet 1 ben ante 50 unnoticed\n\
                  bet 1 ann bonus 10\nbet 2 cal ante 150 unnoticed\nclose\ndeal board Tc 8d 7s 4h 2h\n\
                  deal 1 Kd Ts\ndeal 2 3c 9s\ndeal dealer Qc Js\nfold 1\nfold 2\nsettle";
    assert_eq!(read_otherwise(shared), ["ante I-14", "ante I-14"]);
}

#[test]
fn a_limit_that_is_only_reached_is_not_cited() {
    let bonus = |amount: u32| {
        format!(
            "game rws-progressive-holdem\nopen\nbet 4 eva ante 100\nbet 4 eva bonus {amount}\nclose\ndeal 4 Ad Ah\n\
             bet 4 eva flop 200\ndeal board Qs 8c 6h\ncheck 4\ndeal board 4d\ncheck 4\ndeal board 3d\n\
             deal dealer Ac As\nreveal dealer\nsettle"
        )
    };
    // 1000 to 1 on 100 is the maximum payout.
    assert_eq!(cited(&bonus(100)), ["3.15", "4.1, 3.9"]);
    assert_eq!(read_otherwise(&bonus(100)), [""; 0]);
    assert_eq!(cited(&bonus(101)), ["3.15", "4.1, 3.9, 4.1.1"]);
    assert_eq!(read_otherwise(&bonus(101)), ["bonus I-9"]);
    let flop = |limits: &str, ante: &str, flop: &str| {
        format!(
            "game rws-progressive-holdem\nlimit ante {limits}\nopen\nbet 2 jon ante {ante}\nclose\ndeal 2 As Ad\n\
             bet 2 jon flop {flop}\ndeal board Kc 9h 7d\ncheck 2\ndeal board 5c\ncheck 2\ndeal board 2s\n\
             deal dealer Ks Jh\nreveal dealer\nsettle"
        )
    };
    let ante = "3.13, 4.1";
    // The flop is too large, on an ante of exactly the minimum.
    assert_eq!(cited(&flop("50 500", "50", "160 unnoticed")), [ante, "5.3.1", "3.13, 4.1, 5.3.1"]);
    // And on one of exactly the maximum: what is left of the flop is the maximum of a flop.
    assert_eq!(cited(&flop("25 50", "50", "160 unnoticed")), [ante, "5.3.1", "3.13, 4.1, 5.3.1"]);
    // The flop is too small, on an ante of exactly the maximum.
    assert_eq!(cited(&flop("25 50", "50", "90 unnoticed")), [ante, "3.13, 4.1, 5.3.2"]);
    // The ante is too large, and its flop exactly twice that.
    let (back, paid) = ("5.1.1", "3.13, 4.1, 5.1.1");
    assert_eq!(cited(&flop("25 50", "60 unnoticed", "120")), [back, paid, back, paid]);
}
