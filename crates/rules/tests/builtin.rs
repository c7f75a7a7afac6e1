//! The five rulebooks that come with the program.
use baize_rules::Rulebook;

#[test]
fn every_built_in_rulebook_is_read() {
    for id in [
        "rws-progressive-holdem",
        "mbs-megalink-holdem",
        "mbs-holdem-bonus",
        "mbs-megalink-stud",
        "rws-casino-stud",
    ] {
        assert_eq!(Rulebook::builtin(id).map(|r| r.id.as_str()), Some(id));
    }
    assert_eq!(Rulebook::builtins().len(), 5);
}
