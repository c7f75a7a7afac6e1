//! Every kind of fault: one edit of a built-in rulebook, and the message with its line.

use baize_rules::{Faults, Rulebook};

const RH: &str = "rws-progressive-holdem";
const MH: &str = "mbs-megalink-holdem";
const MB: &str = "mbs-holdem-bonus";
const MS: &str = "mbs-megalink-stud";
const RS: &str = "rws-casino-stud";

/// The text of a rulebook with the first `from` replaced by `to`.
fn edited(id: &str, from: &str, to: &str) -> String {
    let text = Rulebook::builtin_text(id).expect("a built-in rulebook");
    assert!(text.contains(from), "{id} has no `{from}`");
    text.replacen(from, to, 1)
}

/// The line of the first `anchor`, from 1.
fn line_of(text: &str, anchor: &str) -> usize {
    let at = text.find(anchor).unwrap_or_else(|| panic!("no `{anchor}`"));
    text[..at].matches('\n').count() + 1
}

fn faults(text: &str) -> Faults {
    match Rulebook::parse("own.toml", text) {
        Ok(_) => panic!("no fault was found"),
        Err(faults) => faults,
    }
}

/// One edit makes exactly one fault, on the line of `anchor`, whose message contains `words`.
#[track_caller]
fn check(id: &str, from: &str, to: &str, anchor: &str, words: &str) {
    let text = edited(id, from, to);
    let faults = faults(&text);
    let shown = faults.to_string();
    assert_eq!(faults.faults.len(), 1, "`{from}` → `{to}`:\n{shown}");
    assert!(shown.contains(words), "`{words}` is not in:\n{shown}");
    assert_eq!(faults.faults[0].line, line_of(&text, anchor), "wrong line:\n{shown}");
    assert!(shown.starts_with(&format!("own.toml:{}:", faults.faults[0].line)));
}

/// One edit makes these faults, in this order: for each the line of its anchor, and its message.
#[track_caller]
fn check_all(id: &str, from: &str, to: &str, expected: &[(&str, &str)]) {
    let text = edited(id, from, to);
    let found = faults(&text);
    let shown = found.to_string();
    assert_eq!(found.faults.len(), expected.len(), "`{from}` → `{to}`:\n{shown}");
    for (fault, (anchor, words)) in found.faults.iter().zip(expected) {
        let alone = Faults { file: "own.toml".to_owned(), faults: vec![fault.clone()] }.to_string();
        assert!(alone.contains(words), "`{words}` is not in:\n{alone}\nAll:\n{shown}");
        assert_eq!(fault.line, line_of(&text, anchor), "wrong line:\n{alone}");
    }
}

#[test]
#[rustfmt::skip]
fn the_text_is_not_toml() {
    check(RH, "short = \"RH\"", "short = \"RH", "short =", "this is not TOML");
    check(RH, "fewest = 1", "fewest = 1\nfewest = 2", "fewest = 2", "duplicate key");
}

#[test]
#[rustfmt::skip]
fn keys() {
    check(RH, "operator = \"RWS\"", "operator = \"RWS\"\nlimits = 5", "limits = 5", "`limits` is not a key here");
    check(RH, "version = \"6\"", "verison = \"6\"", "verison", "did you mean `version`?");
    check(RH, "one_at_a_time = true", "one_at_the_time = true", "one_at_the_time", "did you mean `one_at_a_time`?");
    check(RH, "most = 7\n", "", "[boxes]", "`most` is missing");
    check(RH, "[betting.open]\ncites = \"3.2\"\n", "", "[betting.close]", "`open` is missing");
    check(RS, "cites = \"1.16\"\n", "", "[round_of_play]", "`cites` is missing");
}

#[test]
#[rustfmt::skip]
fn types_and_words() {
    check(RH, "most = 7", "most = \"7\"", "most = \"7\"", "boxes.most: a whole number is needed here, not a text");
    check(RH, "most = 7", "most = -7", "most = -7", "-7 is not a whole number from 1 to 26");
    check(RH, "most = 7", "most = 7.5", "most = 7.5", "not a number with a point");
    check(RH, "name = \"shoe\"", "name = 1", "name = 1", "a text in quotes is needed here");
    check(RH, "still_plays = false", "still_plays = \"no\"", "still_plays = \"no\"", "true or false is needed");
    check(RH, "[boxes]\nfewest = 1\nmost = 7\ncites = \"2.1.1a\"", "[[boxes]]", "[[boxes]]", "a table is needed here, not a list");
    check(RH, "id = \"rws-progressive-holdem\"", "id = \"Own Game\"", "Own Game", "`Own Game` is no id");
    check(RH, "short = \"RH\"", "short = \" \"", "short =", "this text is empty");
    check(RH, "short = \"RH\"", "short = \"RH\"\nbased_on = \"rws-casino-studs\"", "based_on", "did you mean `rws-casino-stud`?");
    check(RH, "to = \"boxes\"", "to = \"box\"", "to = \"box\"", "`box` is not a place for cards");
    check(RH, "do = \"burn\"", "do = \"bum\"", "do = \"bum\"", "did you mean `burn`?");
    check(RH, "fate = \"loses\"", "fate = \"lost\"", "fate = \"lost\"", "did you mean `loses`?");
    check(RS, "hand = \"full-house\", odds", "hand = \"boat\", odds", "\"boat\"", "`boat` is not a hand");
    check(RH, "remedy = \"void\"", "remedy = \"avoid\"", "\"avoid\"", "did you mean `void`?");
    check(RH, "decided_by = \"shift-manager\"", "decided_by = \"boss\"", "\"boss\"", "it may be `dealer`");
    check(RH, "asks = [\"count\", \"seen\"]", "asks = [\"count\", \"seen\", \"viewed\"]", "\"viewed\"", "`viewed` is not a fact");
    check(RH, "reading = \"hole-cards\"", "reading = \"hole\"", "reading = \"hole\"", "it may be `hole-cards`, `lost-with-hand`");
}

#[test]
#[rustfmt::skip]
fn odds_amounts_and_paragraphs() {
    check(RH, "odds = \"25 to 1\"", "odds = \"25:1\"", "25:1", "write it like 20 to 1");
    check(RH, "odds = \"25 to 1\"", "odds = \"25 to 0\"", "25 to 0", "`25 to 0` is not valid odds");
    check(RH, "pays = \"25%\"", "pays = \"a quarter\"", "a quarter", "write it like 10%, SGD 1,500 or 400 for 1");
    check(RH, "pays = \"25%\"", "pays = \"12.345%\"", "12.345%", "`12.345%` is no award");
    check(RH, "pays = \"SGD 10,000\"", "pays = \"SGD 10,00\"", "SGD 10,00\"", "`10,00` is not an amount");
    check(RH, "most = \"SGD 100,000.00\"", "most = \"10%\"", "most = \"10%\"", "write it like SGD 1,500");
    check(RH, "player = \"AKs\"", "player = \"AK\"", "\"AK\"", "write AKs, AKo or TT");
    check(RH, "player = \"AKs\"", "player = \"\"", "player = \"\"", "no hole cards are named");
    check(MS, "at_least = \"A-K\"", "at_least = \"K-A\"", "K-A", "the higher one first");
    check(MS, "at_least = \"A-K\"", "at_least = \"a king\"", "a king", "nor a hand, such as one-pair");
    check(RH, "cites = \"1.24\"", "cites = \"1,24\"", "1,24", "write it like 3.13, 3.11.2a or Appendix A");
    check(RH, "cites = \"1.24\"", "cites = []", "cites = []", "0 paragraphs are cited: name one to four");
    check(RH, "cites = \"1.24\"", "cites = 1.24", "cites = 1.24", "a text in quotes is needed here");
    check(RH, "cites = \"1.24\"", "cites = [\"1.24\", \"1.24\"]", "cites = [\"1.24\"", "cited twice");
}

/// A house's own rulebook is checked against the text that it is based on; without one its paragraphs are its
/// own.
#[test]
#[rustfmt::skip]
fn paragraphs_that_the_text_does_not_have() {
    check(RH, "cites = \"1.24\"", "cites = \"1.99\"", "1.99", "the text of rws-progressive-holdem has no paragraph 1.99");
    check(RH, "cites = \"5.8.1\"", "cites = \"5.8.9\"", "5.8.9", "5.8 has 5.8.1, 5.8.2, 5.8.3, 5.8.4, 5.8.5, 5.8.6, 5.8.7");
    check(MB, "cites = \"3.4\"", "cites = [\"3.4\", \"3.4.1a\"]", "3.4.1a", "3.4.1 has no paragraphs below it");
    let own = edited(RH, "id = \"rws-progressive-holdem\"", "id = \"own\"").replacen("1.24", "7.7", 1);
    assert!(Rulebook::parse("own.toml", &own).is_ok());
    let based = own.replacen("id = \"own\"", "id = \"own\"\nbased_on = \"rws-progressive-holdem\"", 1);
    assert!(faults(&based).to_string().contains("no paragraph 7.7"));
}

#[test]
#[rustfmt::skip]
fn areas_and_decisions() {
    let bonus = "[[areas]]\narea = \"bonus\"\ncites = \"3.9\"";
    let jackpot = "[[areas]]\narea = \"jackpot\"\ncites = [\"2.1.1b\", \"3.8\"]";
    check(RH, "fewest = 1", "fewest = 8", "[boxes]", "the fewest boxes are 8, the most 7");
    check(RH, bonus, &format!("{bonus}\n\n[[areas]] # again\narea = \"bonus\"\ncites = \"3.9\""), "[[areas]] # again", "the area bonus is here twice");
    check(RS, jackpot, "", "[[areas]]", "there is no area jackpot");
    check(RS, "[betting.jackpot_needs_ante]", "[betting.bonus_needs_ante]\ncites = \"3.8\"\n[betting.jackpot_needs_ante]", "[betting.open]", "there is no bonus");
    check(RH, "[betting.bonus_needs_ante]\ncites = \"3.9\"\n", "", "[betting.open]", "`bonus_needs_ante` is missing");
    check(RH, "times_ante = 2\notherwise = \"fold\"", "times_ante = 2\notherwise = \"check\"", "[[decisions]]", "the first decision is not to fold");
    check(RH, "times_ante = 1\notherwise = \"check\"", "times_ante = 1\notherwise = \"fold\"", "[[decisions]]\nraise = \"turn\"", "a player could fold after a raise");
    check(RH, "times_ante = 2", "times_ante = 0", "times_ante = 0", "0 is not a whole number from 1");
}

#[test]
#[rustfmt::skip]
fn procedures() {
    let dealer = "{ do = \"reveal\", what = \"dealer\", cites = \"3.11.6\" },";
    let turn = "{ do = \"decide\", raise = \"turn\", cites = \"3.11.3\", otherwise = { cites = \"3.11.3\" } },";
    let flop = "  { do = \"reveal\", what = \"flop\", cites = \"3.12.4\" },\n  { do = \"decide\", raise = \"turn\", cites = \"3.12.4\", otherwise = { cites = \"3.12.4\" } },\n";
    check(RH, dealer, "", "[[procedures]]", "the dealer never turns the dealer's cards");
    check(RH, dealer, &format!("{dealer}\n{} # again", dealer), "# again", "the dealer turns the dealer's cards twice");
    check(RH, turn, "", "[[procedures]]", "the players never decide on turn");
    check(RH, turn, &format!("{turn}\n{} # again", turn), "# again", "turn is decided on twice");
    check(RH, "to = \"boxes\", cards = 2", "to = \"boxes\", cards = 3", "[[procedures]]", "each box gets 3 cards");
    check(RH, "to = \"board\", cards = 3", "to = \"board\", cards = 4", "[[procedures]]", "the board gets 6 cards");
    check(RH, "name = \"shuffler\"", "name = \"shoe\"", "[[procedures]]\nname = \"shoe\"\ncites = \"3.12\"", "the procedure shoe is here twice");
    check(RH, flop, &format!("{}\n", flop.lines().rev().collect::<Vec<_>>().join("\n")), "raise = \"turn\", cites = \"3.12.4\"", "it comes just before the dealer turns the turn card");
    check(RH, "{ do = \"deal\", to = \"dealer\", cards = 2, cites = \"3.11.6\" },\n  { do = \"reveal\", what = \"dealer\", cites = \"3.11.6\" },", "{ do = \"reveal\", what = \"dealer\", cites = \"3.11.6\" },\n  { do = \"deal\", to = \"dealer\", cards = 2, cites = \"3.11.6\" },", "what = \"dealer\"", "2 cards must lie there; 0 do");
    check(RH, "to = \"dealer\", cards = 2,", "to = \"dealer\", cards = 2, last_face_up = true,", "last_face_up", "no card of this step lies face up");
    check(MH, "to = \"boxes\", cards = 2,", "to = \"boxes\", cards = 2, security_card = true,", "security_card", "a security card lies under");
    check(MS, "cards = 5, last_face_up = true", "cards = 5", "[[procedures]]", "none of the dealer's cards lies face up");
    check(RS, "one_at_a_time = true, last_face_up", "last_face_up", "last_face_up", "in turn, one at a time");
    check_all(RS, "most = 7", "most = 10", &[
        ("[[procedures]]\nname = \"shoe\"", "with 10 boxes this procedure needs 56 cards; the deck has 52"),
        ("[[procedures]]\nname = \"shuffler\"", "needs 55 cards"),
    ]);
}

#[test]
#[rustfmt::skip]
fn settlement() {
    check(RS, "{ hand = \"flush\", odds = \"5 to 1\" },\n", "", "[settlement.higher.bet]", "this pay table has no line for flush");
    check_all(RS, "hand = \"flush\", odds", "hand = \"straight\", odds", &[
        ("[settlement.higher.bet]", "no line for flush"),
        ("odds = \"4 to 1\"", "Straight is in this pay table twice"),
    ]);
    check_all(RS, "  { hand = \"flush\", odds = \"5 to 1\" },\n  { hand = \"straight\", odds = \"4 to 1\" },", "  { hand = \"straight\", odds = \"4 to 1\" },\n  { hand = \"flush\", odds = \"5 to 1\" },", &[
        ("hand = \"flush\"", "write the hands from the highest down"),
    ]);
    check_all(RS, "[settlement.not_qualified]\nante = { fate = \"pays\", odds = \"1 to 1\", cites = \"3.13\" }\nbet = { fate = \"returned\", cites = \"3.13\" }", "", &[
        ("[qualification]", "add [settlement.not_qualified]"),
    ]);
    check_all(RS, "[qualification]\nat_least = \"A-K\"\ncites = \"1.14\"", "", &[
        ("[settlement.not_qualified]", "every hand of this dealer plays"),
    ]);
    check(RS, "odds = \"7 to 1\"", "odds = \"3 to 1\"", "odds = \"5 to 1\"", "Flush pays 5 to 1, but the higher Full House only 3 to 1");
    check(RH, "turn = { fate = \"loses\", cites = \"3.14\" }\n", "", "[settlement.lower]", "no rule says what happens to turn");
    check(RH, "[settlement.lower]", "[settlement.lower]\nbonus = { fate = \"loses\", cites = \"3.14\" }", "bonus = {", "the bonus is settled by [bonus]");
    check(RH, "ante = { fate = \"loses\"", "ante = { fate = \"pays\", odds = \"1 to 1\", from = \"flush\"", "from = \"flush\"", "there is no winning hand to pay by here");
    check(RH, "loses = [\"ante\", \"bonus\"]", "loses = [\"ante\", \"flop\"]", "loses = [", "nothing lies on flop when a player folds");
    check(RH, "loses = [\"ante\", \"bonus\"]", "loses = [\"ante\", \"jackpot\"]", "loses = [", "say it in [jackpot.after_fold]");
    check(RH, "loses = [\"ante\", \"bonus\"]", "loses = [\"ante\", \"ante\"]", "loses = [", "ante is here twice");
    check(RH, "area = \"bonus\"\nmost", "area = \"jackpot\"\nmost", "[[settlement.caps]]", "jackpot awards have no maximum payout");
    check(RH, "most = \"SGD 100,000.00\"", "most = \"SGD 0\"", "[[settlement.caps]]", "the maximum payout is nothing");
}

#[test]
#[rustfmt::skip]
fn bonus_lines() {
    check(MB, "odds = \"30 to 1\"", "odds = \"20 to 1\"", "odds = \"25 to 1\"", "this line pays 25 to 1, the one above it 20 to 1");
    check(MB, "player = \"TT-22\"", "player = \"JJ-22\"", "JJ-22", "a line above this one already pays JJ");
    check(MB, "name = \"A-K unsuited\"", "name = \"A-K suited\"", "player = \"AKo\"", "the line \"A-K suited\" is here twice");
}

#[test]
#[rustfmt::skip]
fn jackpot_awards() {
    check(RH, "pays = \"5%\"", "pays = \"50%\"", "[[jackpot.awards]]\nname = \"Royal Flush on the River\"", "the higher \"Royal Flush on the Turn\" only 25%");
    check_all(RS, "hand = \"flush\"\ncards", "hand = \"straight-flush\"\ncards", &[
        ("[[jackpot.awards]]\nname = \"Flush\"", "an award for straight-flush on these cards is here twice"),
        ("[[jackpot.awards]]\nname = \"Flush\"", "Straight Flush stands below Four of a Kind"),
    ]);
    check_all(RS, "clockwise = true", "clockwise = true\nstraight_flushes_pooled = { cites = \"4.2\" }", &[
        ("[jackpot.within_table]", "say one of the two"),
        ("[[interpretations]]", "I-3 is not listed, but it concerns this game: it pools straight flushes"),
    ]);
    check(RS, "name = \"Flush\"", "name = \"Full House\"", "[[jackpot.awards]]\nname = \"Full House\"\nhand = \"flush\"", "the award \"Full House\" is here twice");
    check(RS, "cards = \"hand\"", "cards = \"best-of-seven\"", "[[jackpot.awards]]", "a stud game has no such cards");
    check(RS, "pays = \"100%\"", "pays = \"101%\"", "[[jackpot.awards]]", "101% of the jackpot cannot be paid");
    check(RS, "pays = \"SGD 100\"", "pays = \"SGD 0\"", "[[jackpot.awards]]\nname = \"Flush\"", "the award pays nothing");
    check(RS, "pays = \"SGD 100\"", "pays = \"SGD 100\"\nmultiplied = true", "[[jackpot.awards]]\nname = \"Flush\"", "nothing multiplies this award");
    check(MH, "pays = \"10%\"", "pays = \"10%\"\nmultiplied = true", "[[jackpot.awards]]\nname = \"Straight Flush\"", "a share of the jackpot is not multiplied");
    check_all(RH, "clockwise = false", "clockwise = false\nstraight_flushes_pooled = { cites = \"4.2\" }", &[
        ("[jackpot.within_table]", "no award pays straight-flush a share that could be pooled"),
        ("[[interpretations]]", "I-3 is not listed"),
    ]);
    check(MH, "can_win = \"everything\"", "can_win = \"community-only\"", "[jackpot.after_fold]", "no award looks at the community cards alone");
}

#[test]
#[rustfmt::skip]
fn irregularities() {
    check(RH, "kind = \"card-count\"", "kind = \"foreign-card\"", "[[irregularities.reports]]\nkind = \"foreign-card\"\ncases = [{ remedy = \"void\", cites = \"5.8.3\"", "the report foreign-card is here twice");
    check(RH, "kind = \"card-count\"", "kind = \"other\"", "[[irregularities.reports]]\nkind = \"other\"", "it is [irregularities.anything_else]");
    check(MS, "kind = \"card-count\"", "kind = \"wrong-board\"", "[[irregularities.reports]]\nkind = \"wrong-board\"", "a stud game has no community cards");
    check(MS, "kind = \"card-count\"", "kind = \"missed-burn\"", "[[irregularities.reports]]\nkind = \"missed-burn\"", "no procedure of this game burns a card");
    check(MS, "kind = \"card-count\"", "kind = \"simultaneous-draw\"", "[[irregularities.reports]]\nkind = \"simultaneous-draw\"", "add [irregularities.first_card]");
    check_all(RH, "asks = [\"count\", \"seen\"]", "asks = [\"count\"]", &[
        ("{ when = { count_at_least = 2, seen = false }", "this case depends on `seen`"),
        ("{ when = { seen = true }, remedy = \"continue\"", "add \"seen\" to `asks`"),
    ]);
    check(RH, "asks = [\"box\", \"reconstructable\"]", "asks = [\"reconstructable\"]", "remedy = \"invalid\", cites = \"5.15\"", "add \"box\" to `asks`");
    check(RH, "  { remedy = \"options\", cites = \"5.10\" },\n", "", "[[irregularities.reports]]\nkind = \"exposed-cards\"", "no case fits exposed-cards with count = 1, seen = false");
    check(RH, "  { when = { count_at_least = 2, seen = false }, remedy = \"void\", cites = \"5.8.2\" },\n  { when = { seen = true }", "  { when = { seen = false }, remedy = \"void\", cites = \"5.8.2\" },\n  { when = { seen = true }", "  { remedy = \"options\", cites = \"5.10\" },", "this case can never be reached");
    check(RH, "remedy = \"continue\", cites = \"5.13\"", "remedy = \"becomes-face-up\", cites = \"5.13\"", "becomes-face-up", "a hold'em dealer has no face-up card");
    check(RH, "remedy = \"continue\", cites = \"5.13\"", "remedy = \"continue-at-registered\", cites = \"5.13\"", "cites = \"5.13\"", "only a jackpot fault");
    check_all(RH, "reconstructed = { cites = \"5.10.2\" }\n", "", &[
        ("remedy = \"reconstruct-then-options\", cites = \"5.10\"", "add `reconstructed` to [irregularities.options]"),
        ("remedy = \"reconstruct-then-options\", cites = [\"5.9\"", "add `reconstructed` to [irregularities.options]"),
    ]);
    check(RH, "undecided = { becomes = \"folds\"", "undecided = { becomes = \"checks\"", "[irregularities.absent]", "a player cannot check before");
}

#[test]
#[rustfmt::skip]
fn interpretations() {
    check_all(RH, "id = \"I-2\"\nreading = \"highest-ranking\"", "id = \"I-1\"\nreading = \"hole-cards\"", &[
        ("[[interpretations]]", "I-2 is not listed"),
        ("[[interpretations]]\nid = \"I-1\"\nreading = \"hole-cards\"\ncites = \"4.2\"", "the open point I-1 is here twice"),
    ]);
    check(RH, "[[interpretations]]\nid = \"I-9\"\nreading = \"winnings\"\ncites = \"4.1.1\"\n", "", "[[interpretations]]", "the open point I-9 is not listed, but it concerns this game: it has a maximum payout");
}

#[test]
#[rustfmt::skip]
fn areas_that_do_not_belong() {
    check_all(RS, "area = \"bet\"\ncites", "area = \"bonus\"\ncites", &[
        ("[[areas]]\narea = \"bonus\"", "a stud game has no area bonus"),
        ("[[areas]]\narea = \"bonus\"", "the bonus has no pay table"),
        ("[betting.open]", "`bonus_needs_ante` is missing"),
        ("[[decisions]]", "the layout has no area bet"),
        ("bet = { fate = \"returned\"", "bet is not settled here"),
        ("[settlement.higher.bet]", "bet is not settled here"),
        ("bet = { fate = \"loses\"", "bet is not settled here"),
        ("bet = { fate = \"stands-off\"", "bet is not settled here"),
        ("[[settlement.caps]]", "the layout has no area bet"),
        ("[[interpretations]]", "I-1 is not listed"),
    ]);
}

#[test]
fn every_fault_at_once() {
    let text = Rulebook::builtin_text(RH).unwrap();
    let text = text
        .replacen("most = 7", "most = true", 1)
        .replacen("25 to 1", "25/1", 1)
        .replacen("operator", "operater", 1)
        .replacen("cites = \"5.23\"", "cites = \"5..23\"", 1)
        .replacen("reading = \"up\"", "reading = \"sideways\"", 1);
    let shown = faults(&text).to_string();
    for words in ["`operater`", "`operator` is missing", "a whole number", "25/1", "5..23", "sideways"] {
        assert!(shown.contains(words), "`{words}` is not in:\n{shown}");
    }
    assert_eq!(faults(&text).faults.len(), 6, "{shown}");
}

#[test]
#[rustfmt::skip]
fn parts_that_do_not_fit_each_other() {
    let river = "[[decisions]]\nraise = \"river\"\ntimes_ante = 1\notherwise = \"check\"\ncites = \"3.9.2\"\n";
    check_all(MB, river, "", &[
        ("[[areas]]\narea = \"river\"", "nothing decides on the raise river"),
        ("{ do = \"decide\", raise = \"river\"", "there is no decision on river"),
        ("{ do = \"decide\", raise = \"river\", cites = \"3.9.2\", otherwise = { cites = \"3.9.2\" } },\n  { do = \"reveal\", what = \"river\", cites = \"3.9.2\" },\n  { do = \"reveal\", what = \"dealer\", cites = \"3.10\" },\n]\n\n# ---", "there is no decision on river"),
    ]);
    check_all(RS, "raise = \"bet\"\ntimes_ante", "raise = \"flop\"\ntimes_ante", &[
        ("[[areas]]\narea = \"bet\"", "nothing decides on the raise bet"),
        ("[[decisions]]", "flop is not a raise of a stud game"),
        ("[[decisions]]", "there is no decision on bet"),
        ("[[procedures]]\nname = \"shoe\"", "the players never decide on flop"),
        ("raise = \"bet\", cites = \"3.12.2\"", "there is no decision on bet"),
        ("[[procedures]]\nname = \"shuffler\"", "the players never decide on flop"),
        ("raise = \"bet\", cites = \"3.12.2\", otherwise = { cites = \"3.12.1\" } },\n  { do = \"reveal\", what = \"dealer\", cites = \"3.13\" },\n]\n\n# ---", "there is no decision on bet"),
    ]);
    check(RS, "{ do = \"reveal\", what = \"dealer\"", "{ do = \"reveal\", what = \"flop\", cites = \"3.13\" },\n  { do = \"reveal\", what = \"dealer\"", "what = \"flop\"", "a stud game does not have the flop cards");
    check(MH, "  { do = \"deal\", to = \"boxes\", cards = 2, cites = \"3.7.1.1\" },\n  { do = \"deal\", to = \"dealer\", cards = 2, cites = \"3.7.1.1\" },\n  { do = \"decide\", raise = \"flop\", cites = \"3.9.2\", otherwise = { cites = \"3.9.1\" } },", "  { do = \"deal\", to = \"dealer\", cards = 2, cites = \"3.7.1.1\" },\n  { do = \"decide\", raise = \"flop\", cites = \"3.9.2\", otherwise = { cites = \"3.9.1\" } },\n  { do = \"deal\", to = \"boxes\", cards = 2, cites = \"3.7.1.1\" },", "{ do = \"decide\"", "the players decide on 0 of their 2 cards");
    check(MS, "[irregularities.bar_player]\ndecided_by = \"shift-manager\"\ncites = \"5.9\"", "", "[[irregularities.reports]]\nkind = \"confidentiality\"", "add [irregularities.bar_player]");
    check(RS, "[irregularities.intentional]\ndecided_by = \"pit-supervisor\"\ncites = \"5.19\"", "", "[[irregularities.reports]]\nkind = \"looked-at-second-hand\"", "add [irregularities.intentional]");
    let swapped = edited(RH, "what = \"turn\", cites = \"3.12.5\"", "what = \"river\", cites = \"3.12.5\"");
    let shown = faults(&swapped).to_string();
    assert!(shown.contains("the dealer turns the river card out of order\n    the order is flop, turn, river, dealer"), "{shown}");
}
