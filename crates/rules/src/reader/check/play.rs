//! Areas, decisions and dealing procedures: the schedule must be playable.

use crate::reader::Draft;
use crate::reader::play::{NOT_FACE_UP, ProcedureDraft};
use crate::reader::source::{self, At, Part, Source};
use crate::schedule::lies;
use crate::{Act, Area, BoxNumber, Family, Otherwise, Place, Reveal, Scheduled};

use super::duplicates;

/// The raises of a family, in their order.
pub(super) const fn raises(family: Family) -> &'static [Area] {
    match family {
        Family::Holdem => &[Area::Flop, Area::Turn, Area::River],
        Family::Stud => &[Area::Bet],
    }
}

pub(super) fn areas(source: &Source<'_>, draft: &Draft) {
    duplicates(source, &draft.areas, |rule| rule.area, |rule| format!("the area {}", rule.area.code()));
    let Some(family) = draft.family else { return };
    let has = |area: Area| draft.areas.iter().any(|rule| rule.value.area == area);
    for rule in draft.areas.iter() {
        let area = rule.value.area;
        let raise = raises(family).contains(&area);
        if raise && draft.decisions.whole && !draft.decisions.iter().any(|d| d.value.area == area) {
            source.inconsistent(
                &rule.place,
                format!("nothing decides on the raise {}", area.code()),
                format!(
                    "add a [[decisions]] entry with `raise = \"{}\"`, or leave the area out",
                    area.code()
                ),
            );
        }
        let bonus = area == Area::Bonus && family == Family::Holdem;
        if !raise && !bonus && !matches!(area, Area::Ante | Area::Jackpot) {
            source.inconsistent(
                &rule.place,
                format!("a {} game has no area {}", family.name(), area.code()),
                "hold'em has ante, bonus, flop, turn, river, jackpot; stud has ante, bet, jackpot",
            );
        }
        if area == Area::Bonus && matches!(draft.bonus, Part::Absent) {
            source.inconsistent(&rule.place, "the bonus has no pay table", "add a [bonus] table");
        }
    }
    // An entry that could not be parsed may be the one that seems to be missing.
    if draft.areas.whole {
        for area in [Area::Ante, Area::Jackpot].into_iter().filter(|area| !has(*area)) {
            source.inconsistent(
                &draft.areas.place,
                format!("there is no area {}", area.code()),
                format!("add an [[areas]] entry with `area = \"{}\"`", area.code()),
            );
        }
        if let Some(bonus) = draft.bonus.read().filter(|_| !has(Area::Bonus)) {
            source.inconsistent(
                &bonus.place,
                "this pay table has no area on the layout",
                "add an [[areas]] entry with `area = \"bonus\"`",
            );
        }
    }
    if let Some(betting) = &draft.betting {
        let needs_ante = betting.value.bonus_needs_ante.is_some();
        if needs_ante != has(Area::Bonus) && draft.areas.whole {
            let (what, hint) = if needs_ante {
                ("`bonus_needs_ante` stands here, but there is no bonus", "leave it out")
            } else {
                ("there is a bonus, but `bonus_needs_ante` is missing", "add [betting.bonus_needs_ante]")
            };
            source.inconsistent(&betting.place, what, hint);
        }
    }
}

pub(super) fn decisions(source: &Source<'_>, draft: &Draft) {
    duplicates(source, &draft.decisions, |d| d.area, |d| format!("the decision on {}", d.area.code()));
    let Some(family) = draft.family else { return };
    let rank = |area: Area| raises(family).iter().position(|raise| *raise == area);
    let names: Vec<&str> = raises(family).iter().map(|area| area.code()).collect();
    let mut before = None;
    for (n, At { value: decision, place }) in draft.decisions.iter().enumerate() {
        let Some(rank) = rank(decision.area) else {
            source.inconsistent(
                place,
                format!("{} is not a raise of a {} game", decision.area.code(), family.name()),
                format!("its raises are {}", names.join(", ")),
            );
            continue;
        };
        if draft.areas.whole && !draft.areas.iter().any(|rule| rule.value.area == decision.area) {
            source.inconsistent(
                place,
                format!("the layout has no area {}", decision.area.code()),
                "add it to [[areas]]",
            );
        }
        if before.is_some_and(|before| rank < before) {
            source.inconsistent(
                place,
                format!("the decision on {} comes too late", decision.area.code()),
                format!("the order is {}", names.join(", ")),
            );
        }
        before = Some(rank);
        match (n, decision.otherwise) {
            (0, Otherwise::Fold) | (1.., Otherwise::Check) => {}
            _ if !draft.decisions.whole => {}
            (0, Otherwise::Check) => source.inconsistent(
                place,
                "the first decision is not to fold",
                "a player who does not make the first raise folds: `otherwise = \"fold\"`",
            ),
            (1.., Otherwise::Fold) => source.inconsistent(
                place,
                "a player could fold after a raise",
                "a player who has raised stays in: `otherwise = \"check\"`",
            ),
        }
    }
    if draft.decisions.whole && !draft.decisions.iter().any(|d| rank(d.value.area) == Some(0)) {
        source.inconsistent(
            &draft.decisions.place,
            format!("there is no decision on {}", names[0]),
            "it is the one by which a player stays in",
        );
    }
}

pub(super) fn procedures(source: &Source<'_>, draft: &Draft) {
    duplicates(source, &draft.procedures, |p| p.name, |p| format!("the procedure {}", p.name.code()));
    let Some(family) = draft.family else { return };
    for procedure in draft.procedures.iter() {
        order(source, draft, family, procedure);
        deals(source, draft, family, procedure);
    }
}

/// Every decision once and in order, every reveal once and in order, each decision just before its reveal.
fn order(source: &Source<'_>, draft: &Draft, family: Family, procedure: &At<ProcedureDraft>) {
    let mut decided: Vec<Area> = Vec::new();
    let mut revealed: Vec<Reveal> = Vec::new();
    let decisions: Vec<Area> = draft.decisions.iter().map(|d| d.value.area).collect();
    for (scheduled, place) in procedure.value.schedule(&[]) {
        match scheduled.act {
            Act::Decide { area, .. } => {
                if decided.contains(&area) {
                    source.inconsistent(place, format!("{} is decided on twice", area.code()), "");
                } else if draft.decisions.whole && !decisions.contains(&area) {
                    source.inconsistent(
                        place,
                        format!("there is no decision on {}", area.code()),
                        "add it to [[decisions]], or leave the step out",
                    );
                } else if let Some(at) = raises(family).iter().position(|raise| *raise == area)
                    && at != revealed.len()
                {
                    source.inconsistent(
                        place,
                        format!("{} is decided on at the wrong moment", area.code()),
                        format!("it comes just before the dealer turns {}", family.reveals()[at].name()),
                    );
                }
                decided.push(area);
            }
            Act::Reveal(what) => {
                let next = family.reveals().get(revealed.len()).copied();
                if revealed.contains(&what) {
                    source.inconsistent(place, format!("the dealer turns {} twice", what.name()), "");
                } else if !family.reveals().contains(&what) {
                    let what = format!("a {} game does not have {}", family.name(), what.name());
                    source.inconsistent(place, what, "leave the step out");
                } else {
                    if next != Some(what) {
                        let names: Vec<&str> = family.reveals().iter().map(|r| r.code()).collect();
                        source.inconsistent(
                            place,
                            format!("the dealer turns {} out of order", what.name()),
                            format!("the order is {}", names.join(", ")),
                        );
                    }
                    revealed.push(what);
                }
            }
            Act::Burn | Act::Deal(_) => {}
        }
    }
    let missing = decisions.iter().filter(|area| !decided.contains(area)).map(|area| area.code());
    for name in missing {
        source.inconsistent(
            &procedure.place,
            format!("the players never decide on {name}"),
            format!("add the step {{ do = \"decide\", raise = \"{name}\", … }}"),
        );
    }
    for what in family.reveals().iter().filter(|what| !revealed.contains(what)) {
        source.inconsistent(
            &procedure.place,
            format!("the dealer never turns {}", what.name()),
            format!("add the step {{ do = \"reveal\", what = \"{}\", … }}", what.code()),
        );
    }
}

/// Everybody gets the right number of cards before they are needed, and the deck is large enough.
fn deals(source: &Source<'_>, draft: &Draft, family: Family, procedure: &At<ProcedureDraft>) {
    // What applies to one box applies to each.
    let most = draft.boxes.as_ref().map_or(1, |boxes| boxes.value.value.most.max(1));
    let boxes: Vec<BoxNumber> = BoxNumber::all(most).collect();
    let (acts, places): (Vec<Scheduled>, Vec<&source::Place>) =
        procedure.value.schedule(&boxes).into_iter().unzip();
    let a_box = Place::Box(BoxNumber(1));
    for (n, (scheduled, at)) in acts.iter().zip(places).enumerate() {
        let before = &acts[..n];
        match scheduled.act {
            Act::Deal(dealt) if dealt.last_face_up && family == Family::Holdem => {
                source.inconsistent(at, NOT_FACE_UP.0, NOT_FACE_UP.1);
            }
            Act::Decide { .. } if lies(before, a_box) < family.hand_size() => source.inconsistent(
                at,
                format!(
                    "the players decide on {} of their {} cards",
                    lies(before, a_box),
                    family.hand_size()
                ),
                "deal to the boxes first",
            ),
            Act::Reveal(what) => {
                let (has, needs) = match what.board_cards() {
                    Some((_, to)) => (lies(before, Place::Board), to),
                    None => (lies(before, Place::Dealer), family.hand_size()),
                };
                if has < needs && family.reveals().contains(&what) {
                    source.inconsistent(
                        at,
                        format!("the dealer turns {} too early", what.name()),
                        format!("{needs} cards must lie there; {has} do"),
                    );
                }
            }
            Act::Burn | Act::Deal(_) | Act::Decide { .. } => {}
        }
    }
    let counts = [
        ("each box", a_box, family.hand_size()),
        ("the dealer", Place::Dealer, family.hand_size()),
        ("the board", Place::Board, family.board_size()),
    ];
    for (whom, place, needs) in counts {
        let has = lies(&acts, place);
        if has != needs {
            source.inconsistent(
                &procedure.place,
                format!("{whom} gets {has} cards"),
                format!("in a {} game {whom} gets {needs}", family.name()),
            );
        }
    }
    let face_up = |scheduled: &Scheduled| matches!(scheduled.act, Act::Deal(dealt) if dealt.last_face_up);
    if family == Family::Stud && !acts.iter().any(face_up) {
        source.inconsistent(
            &procedure.place,
            "none of the dealer's cards lies face up",
            "add `last_face_up = true` to the step that deals to the dealer",
        );
    }
    if draft.boxes.is_some() {
        let drawn = |scheduled: &Scheduled| match scheduled.act {
            Act::Burn => 1,
            Act::Deal(dealt) => dealt.until - dealt.from,
            Act::Decide { .. } | Act::Reveal(_) => 0,
        };
        let cards: usize = acts.iter().map(drawn).sum();
        if cards > 52 {
            source.inconsistent(
                &procedure.place,
                format!("with {most} boxes this procedure needs {cards} cards; the deck has 52"),
                "fewer boxes, cards or burnt cards",
            );
        }
    }
}
