//! Parses how a round is played: boxes, areas, betting, decisions, dealing procedures.

use super::source::{At, Place, Table};
use crate::procedure::{DealTo, Step};
use crate::schedule::{Scheduled, schedule};
use crate::{
    Area, AreaRule, Betting, BoxNumber, BoxRange, Cited, Cites, DecisionRule, Otherwise, Procedure,
    ProcedureName, Reveal, Role, WhoMayBet,
};

/// The areas by name.
pub(super) fn area_names() -> impl Iterator<Item = (&'static str, Area)> {
    Area::ALL.into_iter().map(|area| (area.code(), area))
}

/// The positions by name.
pub(super) fn role_names() -> impl Iterator<Item = (&'static str, Role)> {
    Role::ALL.into_iter().map(|role| (role.code(), role))
}

/// Who decides, in a table `{ decided_by = "pit-manager", cites = "3.4.3" }`.
pub(super) fn decided_by(table: &Table<'_, '_>) -> Option<Cited<Role>> {
    let role = table.need("decided_by").and_then(|node| node.choice("a position", role_names()));
    let cites = table.cites();
    Some(Cited { value: role?, cites: cites? })
}

pub(super) fn boxes(table: &Table<'_, '_>) -> Option<Cited<BoxRange>> {
    let count = |key| table.need(key).and_then(|n| n.number(1..=26)).and_then(|n| u8::try_from(n).ok());
    let (fewest, most, cites) = (count("fewest"), count("most"), table.cites());
    let value = BoxRange { fewest: fewest?, most: most? };
    if value.fewest > value.most {
        table.source().inconsistent(
            table.place(),
            format!("the fewest boxes are {}, the most {}", value.fewest, value.most),
            "`most` must not be under `fewest`",
        );
    }
    Some(Cited { value, cites: cites? })
}

/// An area; `times_ante` is filled in from the decisions.
pub(super) fn area(table: &Table<'_, '_>) -> Option<AreaRule> {
    let area = table.need("area").and_then(|n| n.choice("an area", area_names()));
    let cites = table.cites();
    Some(AreaRule { area: area?, times_ante: None, cites: cites? })
}

pub(super) fn decision(table: &Table<'_, '_>) -> Option<DecisionRule> {
    let choices = [("fold", Otherwise::Fold), ("check", Otherwise::Check)];
    let area = table.need("raise").and_then(|n| n.choice("an area", area_names()));
    let times_ante = table.need("times_ante").and_then(|n| n.number(1..=100));
    let otherwise = table.need("otherwise").and_then(|n| n.choice("what else a player does", choices));
    let cites = table.cites();
    Some(DecisionRule { area: area?, times_ante: times_ante?, otherwise: otherwise?, cites: cites? })
}

pub(super) fn betting(table: &Table<'_, '_>) -> Option<Betting> {
    let open = table.need_cites("open");
    let close = table.need_cites("close");
    let limits = table.need_cites("limits");
    let ante_needed = table.need_cites("ante_needed");
    let who = table.need_table("who").and_then(|who| {
        let choices =
            [("seated-player", WhoMayBet::SeatedPlayer), ("several-players", WhoMayBet::SeveralPlayers)];
        let value = who.need("may_bet").and_then(|n| n.choice("who may bet", choices));
        let cites = who.cites();
        Some(Cited { value: value?, cites: cites? })
    });
    let several_boxes = table.need_cites("several_boxes");
    let one_hand_viewed = table.need_cites("one_hand_viewed");
    let bonus_needs_ante = table.get_cites("bonus_needs_ante");
    let jackpot_needs_ante = table.need_cites("jackpot_needs_ante");
    let jackpot_own_box = table.need_cites("jackpot_own_box");
    let jackpot_multiples = table.need_table("jackpot_multiples").and_then(|multiples| {
        let value = multiples.need("most").and_then(|n| n.number(1..=100));
        let cites = multiples.cites();
        Some(Cited { value: value?, cites: cites? })
    });
    let restrict = table.get("restrict").and_then(|n| decided_by(&n.table()?));
    let staff_places = table.need_cites("staff_places");
    let late_placing = table.need_cites("late_placing");
    let late_withdrawal = table.need_table("late_withdrawal").and_then(|late| {
        let still_plays = late.need("still_plays").and_then(|n| n.flag());
        let cites = late.cites();
        Some((still_plays?, cites?))
    });
    let (withdrawn_still_plays, late_withdrawal) = late_withdrawal?;
    Some(Betting {
        open: open?,
        close: close?,
        limits: limits?,
        ante_needed: ante_needed?,
        who: who?,
        several_boxes: several_boxes?,
        one_hand_viewed: one_hand_viewed?,
        bonus_needs_ante,
        jackpot_needs_ante: jackpot_needs_ante?,
        jackpot_own_box: jackpot_own_box?,
        jackpot_multiples: jackpot_multiples?,
        restrict,
        staff_places: staff_places?,
        late_placing: late_placing?,
        late_withdrawal,
        withdrawn_still_plays,
    })
}

/// A procedure with the positions of its steps.
pub(super) struct ProcedureDraft {
    pub(super) name: ProcedureName,
    cites: Cites,
    steps: Vec<At<Cited<Step>>>,
}

impl ProcedureDraft {
    /// The acts of a round with these boxes, each with the position of its step in the text.
    pub(super) fn schedule(&self, boxes: &[BoxNumber]) -> Vec<(Scheduled, &Place)> {
        let steps: Vec<Cited<Step>> = self.steps.iter().map(|step| step.value).collect();
        let acts = schedule(&steps, boxes).into_iter();
        acts.map(|scheduled| (scheduled, &self.steps[scheduled.step].place)).collect()
    }

    pub(super) fn finish(self) -> Procedure {
        let steps = self.steps.into_iter().map(|step| step.value).collect();
        Procedure { name: self.name, cites: self.cites, steps }
    }
}

pub(super) fn procedure(table: &Table<'_, '_>) -> Option<ProcedureDraft> {
    let names = ProcedureName::ALL.into_iter().map(|name| (name.code(), name));
    let name = table.need("name").and_then(|n| n.choice("a dealing procedure", names));
    let cites = table.cites();
    let steps = table.need("steps").and_then(|n| n.each(|n| step(&n.table()?).map(|step| n.at(step))));
    Some(ProcedureDraft { name: name?, cites: cites?, steps: steps? })
}

fn step(table: &Table<'_, '_>) -> Option<Cited<Step>> {
    type ReadStep = for<'s, 't> fn(&Table<'s, 't>) -> Option<Step>;
    let kinds: [(&str, ReadStep); 4] = [
        ("burn", |_| Some(Step::Burn)),
        ("deal", deal),
        ("decide", |table| {
            let area = table.need("raise").and_then(|n| n.choice("an area", area_names()));
            let otherwise = table.need_cites("otherwise");
            Some(Step::Decide { area: area?, otherwise: otherwise? })
        }),
        ("reveal", |table| {
            let names = Reveal::ALL.into_iter().map(|what| (what.code(), what));
            let what = table.need("what").and_then(|n| n.choice("a group of cards", names));
            Some(Step::Reveal { what: what? })
        }),
    ];
    let read = table.need("do").and_then(|n| n.choice("a step", kinds));
    let cites = table.cites();
    let Some(read) = read else {
        // The kind of step is unknown, so its other keys cannot be checked.
        for key in
            ["to", "cards", "one_at_a_time", "last_face_up", "security_card", "raise", "otherwise", "what"]
        {
            table.get(key);
        }
        return None;
    };
    let step = read(table);
    Some(Cited { value: step?, cites: cites? })
}

fn deal(table: &Table<'_, '_>) -> Option<Step> {
    let places = [
        ("boxes", DealTo::Boxes),
        ("dealer", DealTo::Dealer),
        ("boxes-and-dealer", DealTo::BoxesAndDealer),
        ("board", DealTo::Board),
    ];
    let to = table.need("to").and_then(|n| n.choice("a place for cards", places));
    let cards = table.need("cards").and_then(|n| n.number(1..=5)).and_then(|n| u8::try_from(n).ok());
    let one_at_a_time = table.flag("one_at_a_time");
    let last_face_up = table.flag("last_face_up");
    let security_card = table.flag("security_card");
    let (to, one_at_a_time, last_face_up, security_card) =
        (to?, one_at_a_time?, last_face_up?, security_card?);
    let fault = |what: &str, hint: &str| table.source().inconsistent(table.place(), what, hint);
    if last_face_up && !matches!(to, DealTo::Dealer | DealTo::BoxesAndDealer) {
        fault(NOT_FACE_UP.0, NOT_FACE_UP.1);
    }
    if security_card && !matches!(to, DealTo::Dealer | DealTo::Board) {
        fault(
            "a security card lies under the board's or the dealer's cards only",
            "leave `security_card` out",
        );
    }
    if to == DealTo::BoxesAndDealer && !one_at_a_time {
        fault(
            "boxes and dealer get their cards in turn, one at a time",
            "add `one_at_a_time = true`, or deal to the boxes and to the dealer in two steps",
        );
    }
    Some(Step::Deal { to, cards: cards?, one_at_a_time, last_face_up, security_card })
}

/// The fault of a step with a face-up card where none is allowed, and the hint.
pub(super) const NOT_FACE_UP: (&str, &str) =
    ("no card of this step lies face up", "`last_face_up` is for the dealer's last card in a stud game");
