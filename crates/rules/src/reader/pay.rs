//! Parses what is paid: qualification, settlement, bonus, jackpot.

use baize_cards::HandClass;

use super::play::{area_names, decided_by};
use super::source::{At, List, Part, Table};
use crate::{
    AcrossTables, AfterFold, Area, Award, AwardCards, AwardPay, BonusLine, BonusTable, Cited, Cites, Fate,
    HandOdds, JackpotRules, Money, Odds, OutcomeRule, Qualification, Role, SettlementRules, StartingHands,
    WithinTable,
};

fn class_names() -> impl Iterator<Item = (&'static str, HandClass)> {
    HandClass::ALL.into_iter().map(|class| (class.code(), class))
}

pub(super) fn qualification(table: &Table<'_, '_>) -> Option<Cited<Qualification>> {
    let value = table.need("at_least").and_then(|n| n.parse());
    let cites = table.cites();
    Some(Cited { value: value?, cites: cites? })
}

/// An outcome with the positions of its entries.
pub(super) type OutcomeDraft = Vec<At<(Area, Cited<Fate>)>>;

/// The settlement with the positions of what is checked against other parts.
pub(super) struct SettlementDraft {
    /// Each outcome with its name and the position of its table.
    pub(super) higher: At<OutcomeDraft>,
    pub(super) lower: At<OutcomeDraft>,
    pub(super) equal: At<OutcomeDraft>,
    pub(super) not_qualified: Part<OutcomeDraft>,
    pub(super) fold: At<Vec<Area>>,
    fold_cites: Cites,
    declined: Cites,
    declined_viewed: Option<Cited<Role>>,
    deemed_lower: bool,
    left_face_up: Option<Cites>,
    award_without_hand: Cites,
    award_with_hand: Cites,
    pub(super) caps: List<(Area, Cited<Money>)>,
    ranking: Cites,
}

impl SettlementDraft {
    pub(super) fn finish(self) -> SettlementRules {
        let outcome = |draft: OutcomeDraft| {
            let mut fates = [None; Area::COUNT];
            for At { value: (area, fate), .. } in draft {
                fates[area.index()] = Some(fate);
            }
            OutcomeRule { fates }
        };
        SettlementRules {
            higher: outcome(self.higher.value),
            lower: outcome(self.lower.value),
            equal: outcome(self.equal.value),
            not_qualified: self.not_qualified.into_value().map(outcome),
            fold_loses: self.fold.value,
            fold: self.fold_cites,
            declined: self.declined,
            declined_viewed: self.declined_viewed,
            deemed_lower: self.deemed_lower,
            left_face_up: self.left_face_up,
            award_without_hand: self.award_without_hand,
            award_with_hand: self.award_with_hand,
            caps: self.caps.into_values(),
            ranking: self.ranking,
        }
    }
}

pub(super) fn settlement(table: &Table<'_, '_>) -> Option<SettlementDraft> {
    let higher = table.need("higher").and_then(|n| Some(n.at(outcome(&n.table()?)?)));
    let lower = table.need("lower").and_then(|n| Some(n.at(outcome(&n.table()?)?)));
    let equal = table.need("equal").and_then(|n| Some(n.at(outcome(&n.table()?)?)));
    let not_qualified = table.part("not_qualified", outcome);
    let fold = table.need_table("fold").and_then(|fold| {
        let loses =
            fold.need("loses").and_then(|n| Some(n.at(n.each(|area| area.choice("an area", area_names()))?)));
        let cites = fold.cites();
        Some((loses?, cites?))
    });
    let declined_viewed = table.get("declined_viewed").and_then(|n| decided_by(&n.table()?));
    let declined = table.need_table("declined").and_then(|declined| {
        let deemed_lower = declined.flag("deemed_lower");
        let cites = declined.cites();
        Some((deemed_lower?, cites?))
    });
    let left_face_up = table.get_cites("left_face_up");
    let award_without_hand = table.get_cites("award_without_hand").unwrap_or(Cites::NONE);
    let award_with_hand = table.get_cites("award_with_hand").unwrap_or(Cites::NONE);
    let caps = table.tables("caps", false, |cap| {
        let area = cap.need("area").and_then(|n| n.choice("an area", area_names()));
        let most = cap.need("most").and_then(|n| n.parse::<SingaporeDollars>());
        let cites = cap.cites();
        Some((area?, Cited { value: most?.0, cites: cites? }))
    });
    let ranking = table.need_cites("ranking");
    let (fold, fold_cites) = fold?;
    let (deemed_lower, declined) = declined?;
    Some(SettlementDraft {
        higher: higher?,
        lower: lower?,
        equal: equal?,
        not_qualified,
        fold,
        fold_cites,
        declined_viewed,
        declined,
        deemed_lower,
        left_face_up,
        award_without_hand,
        award_with_hand,
        caps,
        ranking: ranking?,
    })
}

/// An amount written `SGD 1,500`.
struct SingaporeDollars(Money);

impl std::str::FromStr for SingaporeDollars {
    type Err = String;

    fn from_str(text: &str) -> Result<SingaporeDollars, String> {
        match text.parse() {
            Ok(AwardPay::Fixed(amount)) => Ok(SingaporeDollars(amount)),
            _ => Err(format!("`{text}` is not an amount: write it like SGD 1,500 or SGD 100,000.00")),
        }
    }
}

fn outcome(table: &Table<'_, '_>) -> Option<OutcomeDraft> {
    let mut fates = Vec::new();
    let mut sound = true;
    for area in Area::ALL {
        if let Some(node) = table.get(area.code()) {
            match node.table().and_then(|t| fate(&t)) {
                Some(fate) => fates.push(node.at((area, fate))),
                None => sound = false,
            }
        }
    }
    sound.then_some(fates)
}

fn fate(table: &Table<'_, '_>) -> Option<Cited<Fate>> {
    type ReadFate = for<'s, 't> fn(&Table<'s, 't>) -> Option<Fate>;
    let kinds: [(&str, ReadFate); 5] = [
        ("pays", |table| {
            let odds = table.need("odds").and_then(|n| n.parse::<Odds>());
            let from = table.get("from").map(|n| n.choice("a hand", class_names()));
            Some(match from {
                None => Fate::Pays(odds?),
                Some(from) => Fate::PaysFrom { odds: odds?, from: from? },
            })
        }),
        ("pays-by-hand", |table| hand_odds(table).map(Fate::PaysByHand)),
        ("loses", |_| Some(Fate::Loses)),
        ("stands-off", |_| Some(Fate::StandsOff)),
        ("returned", |_| Some(Fate::Returned)),
    ];
    let read = table.need("fate").and_then(|n| n.choice("a fate of a wager", kinds));
    let cites = table.cites();
    let Some(read) = read else {
        // The kind of entry is unknown, so its other keys cannot be checked.
        for key in ["odds", "from", "lines"] {
            table.get(key);
        }
        return None;
    };
    let fate = read(table);
    Some(Cited { value: fate?, cites: cites? })
}

/// A pay table by hand: every class once, from the highest down, with odds that never rise on the way.
fn hand_odds(table: &Table<'_, '_>) -> Option<HandOdds> {
    let lines = table.tables("lines", true, |line| {
        let class = line.need("hand").and_then(|n| n.choice("a hand", class_names()));
        let odds = line.need("odds").and_then(|n| n.parse::<Odds>());
        Some((class?, odds?))
    });
    let mut odds = [None; 10];
    let mut before: Option<(HandClass, Odds)> = None;
    for At { value: (class, pays), place } in lines.iter() {
        let slot = &mut odds[*class as usize];
        if slot.is_some() {
            table.source().inconsistent(
                place,
                format!("{} is in this pay table twice", class.name()),
                "name each hand once",
            );
            continue;
        }
        *slot = Some(*pays);
        if let Some((above, more)) = before {
            if *class > above {
                table.source().inconsistent(
                    place,
                    format!("{} stands below {}", class.name(), above.name()),
                    "write the hands from the highest down",
                );
            } else if pays.exceeds(more) {
                table.source().inconsistent(
                    place,
                    format!("{} pays {pays}, but the higher {} only {more}", class.name(), above.name()),
                    "a higher hand must not pay less than a lower one",
                );
            }
        }
        before = Some((*class, *pays));
    }
    let missing: Vec<&str> = HandClass::ALL
        .into_iter()
        .rev()
        .filter(|c| odds[*c as usize].is_none())
        .map(HandClass::code)
        .collect();
    if !missing.is_empty() && lines.whole {
        table.source().inconsistent(
            table.place(),
            format!("this pay table has no line for {}", missing.join(", ")),
            "write one line for each of the ten hands",
        );
    }
    let odds: Option<Vec<Odds>> = odds.into_iter().collect();
    odds.and_then(|odds| <[Odds; 10]>::try_from(odds).ok()).map(HandOdds)
}

/// The bonus table with the positions of its lines.
pub(super) struct BonusDraft {
    pub(super) lines: List<BonusLine>,
    cites: Cites,
}

impl BonusDraft {
    pub(super) fn finish(self) -> BonusTable {
        BonusTable { lines: self.lines.into_values(), cites: self.cites }
    }
}

pub(super) fn bonus(table: &Table<'_, '_>) -> Option<BonusDraft> {
    let lines = table.tables("lines", true, |line| {
        let name = line.need("name").and_then(|n| n.words());
        let holes = line.need("player").and_then(|n| n.parse::<StartingHands>());
        let dealer = line.get("dealer").map(|n| n.parse::<StartingHands>());
        let odds = line.need("odds").and_then(|n| n.parse());
        let dealer = match dealer {
            Some(read) => Some(read?),
            None => None,
        };
        Some(BonusLine { name: name?, holes: holes?, dealer, odds: odds? })
    });
    let cites = table.cites();
    Some(BonusDraft { lines, cites: cites? })
}

/// The jackpot with the positions of its awards.
pub(super) struct JackpotDraft {
    pub(super) awards: List<Award>,
    pub(super) within: At<WithinTable>,
    pub(super) after_fold: At<Cited<AfterFold>>,
    table: Cites,
    in_addition: Cites,
    across_tables: Cited<AcrossTables>,
    meter: Cites,
    shown: Cites,
}

impl JackpotDraft {
    pub(super) fn finish(self) -> JackpotRules {
        JackpotRules {
            awards: self.awards.into_values(),
            table: self.table,
            after_fold: self.after_fold.value,
            in_addition: self.in_addition,
            across_tables: self.across_tables,
            within_table: self.within.value,
            meter: self.meter,
            shown: self.shown,
        }
    }
}

pub(super) fn jackpot(table: &Table<'_, '_>) -> Option<JackpotDraft> {
    let pay_table = table.need_cites("table");
    let awards = table.tables("awards", true, award);
    let after_fold = table.need("after_fold").and_then(|node| {
        let choices = [
            ("everything", AfterFold::Everything),
            ("community-only", AfterFold::CommunityOnly),
            ("nothing", AfterFold::Nothing),
        ];
        let after = node.table()?;
        let value = after.need("can_win").and_then(|n| n.choice("what a folded hand can win", choices));
        let cites = after.cites();
        Some(node.at(Cited { value: value?, cites: cites? }))
    });
    let in_addition = table.need_cites("in_addition");
    let across_tables = table.need_table("across_tables").and_then(|across| {
        let choices =
            [("entered-first", AcrossTables::EnteredFirst), ("dealt-first", AcrossTables::DealtFirst)];
        let value = across.need("first").and_then(|n| n.choice("an order between tables", choices));
        let cites = across.cites();
        Some(Cited { value: value?, cites: cites? })
    });
    let within = table.need("within_table").and_then(|node| {
        let within = node.table()?;
        let clockwise = within.need("clockwise").and_then(|n| n.flag());
        let cites = within.cites();
        let royals_pooled = within.get_cites("royals_pooled");
        let straight_flushes_pooled = within.get_cites("straight_flushes_pooled");
        let clockwise = Cited { value: clockwise?, cites: cites? };
        Some(node.at(WithinTable { clockwise, royals_pooled, straight_flushes_pooled }))
    });
    let meter = table.need_cites("meter");
    let shown = table.need_cites("shown");
    Some(JackpotDraft {
        awards,
        within: within?,
        after_fold: after_fold?,
        table: pay_table?,
        in_addition: in_addition?,
        across_tables: across_tables?,
        meter: meter?,
        shown: shown?,
    })
}

fn award(table: &Table<'_, '_>) -> Option<Award> {
    let cards = [
        ("hand", AwardCards::Hand),
        ("hole-and-flop", AwardCards::HoleAndFlop),
        ("hole-flop-and-turn", AwardCards::HoleFlopAndTurn),
        ("seven-with-hole", AwardCards::SevenWithHole),
        ("best-of-seven", AwardCards::BestOfSeven),
        ("community", AwardCards::Community),
    ];
    let name = table.need("name").and_then(|n| n.words());
    let class = table.need("hand").and_then(|n| n.choice("a hand", class_names()));
    let cards = table.need("cards").and_then(|n| n.choice("the cards that an award looks at", cards));
    let pays = table.need("pays").and_then(|n| n.parse::<AwardPay>());
    let multiplied = table.flag("multiplied");
    let cites = table.cites();
    Some(Award {
        name: name?,
        class: class?,
        cards: cards?,
        pays: pays?,
        multiplied: multiplied?,
        cites: cites?,
    })
}
