//! The betting rule of best play in a memorable form: by class of the hand, face-up card, and whether the player holds a card of its rank.

use baize_cards::{HandClass, HandValue, Rank};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{StudSolution, StudTable};

/// What best play does with the hands of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassRule {
    /// It bets all of them, against any face-up card.
    Bet,
    /// It folds all of them.
    Fold,
    /// It depends.
    Depends,
}

/// The hands of a class that are bet against one face-up card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BetFrom {
    /// Nothing lower is ever bet.
    pub some: HandValue,
    /// From here on all hands are bet; `None` if some are folded up to the highest hand of the class. In between it depends on suits and
    /// small cards.
    pub all: Option<HandValue>,
}

/// The bets of a class against one rank of the face-up card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpCardRule {
    /// The rank of the face-up card.
    pub up: Rank,
    /// Without a card of that rank: lowest hands bet; `None` for never.
    pub other: Option<BetFrom>,
    /// Holding a card of that rank.
    pub matching: Option<BetFrom>,
    /// Deals of the class with this face-up card that are folded, and that are bet.
    pub deals: [i64; 2],
}

/// The rule by which best play bets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaisingRule {
    /// What is done with each class, lowest first.
    pub classes: [ClassRule; 10],
    /// For each class where it depends: by face-up card.
    pub by_up_card: Vec<(HandClass, Vec<UpCardRule>)>,
}

/// Folded and bet deals by value, rank of the face-up card, and whether the player holds that rank.
type Seen = Vec<[[[i64; 2]; 2]; 13]>;

impl RaisingRule {
    /// Best play and its rule.
    #[must_use]
    pub fn of(table: &StudTable) -> (StudSolution, RaisingRule) {
        let mut seen: Seen = vec![[[[0; 2]; 2]; 13]; usize::from(HandValue::MAX.number()) + 1];
        for (value, row) in &table.rows {
            let ranks = value.ranks();
            for (up, cells) in Rank::ALL.into_iter().zip(row) {
                let matching = usize::from(ranks.contains(&up));
                seen[usize::from(value.number())][up.index()][matching] = cells.map(|cell| cell.deals);
            }
        }
        let solution = table.solution(|_, _, best| best);
        let mut by_up_card = Vec::new();
        let classes = HandClass::ALL.map(|class| {
            let totals = &solution.classes[class as usize];
            match (totals.folded > 0, totals.bets() > 0) {
                (true, true) => {
                    by_up_card.push((class, Rank::ALL.map(|up| up_card(&seen, class, up)).to_vec()));
                    ClassRule::Depends
                }
                (true, false) => ClassRule::Fold,
                (false, _) => ClassRule::Bet,
            }
        });
        (solution, RaisingRule { classes, by_up_card })
    }

    /// The lowest class from which on everything is bet.
    #[must_use]
    pub fn always_from(&self) -> Option<HandClass> {
        let folded = self.classes.iter().rposition(|rule| *rule != ClassRule::Bet);
        HandClass::ALL.get(folded.map_or(0, |folded| folded + 1)).copied()
    }

    /// The lowest hand that is ever bet.
    #[must_use]
    pub fn never_below(&self) -> Option<HandValue> {
        let lowest = |(class, rule): (HandClass, &ClassRule)| match rule {
            ClassRule::Fold => None,
            ClassRule::Bet => Some(class.lowest()),
            ClassRule::Depends => {
                let (_, by_up_card) = self.by_up_card.iter().find(|(of, _)| *of == class)?;
                by_up_card
                    .iter()
                    .flat_map(|rule| [rule.other, rule.matching])
                    .flatten()
                    .map(|bet| bet.some)
                    .min()
            }
        };
        HandClass::ALL.into_iter().zip(&self.classes).find_map(lowest)
    }
}

fn up_card(seen: &Seen, class: HandClass, up: Rank) -> UpCardRule {
    let numbers = class.lowest().number()..=class.highest().number();
    let mut deals = [0; 2];
    let mut from = [None::<BetFrom>; 2];
    for number in numbers {
        let Some(value) = HandValue::from_number(number) else { continue };
        for (matching, from) in from.iter_mut().enumerate() {
            let [folded, bet] = seen[usize::from(number)][up.index()][matching];
            deals[0] += folded;
            deals[1] += bet;
            if bet > 0 {
                let from = from.get_or_insert(BetFrom { some: value, all: None });
                if folded == 0 && from.all.is_none() {
                    from.all = Some(value);
                }
            }
            if folded > 0
                && let Some(from) = from
            {
                from.all = None;
            }
        }
    }
    UpCardRule { up, other: from[0], matching: from[1], deals }
}

/// The ranks of a hand: `A-K-Q-4-3`.
fn ranks_of(value: HandValue) -> String {
    value.ranks().map(Rank::short).join("-")
}

impl Serialize for BetFrom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("some_from", &ranks_of(self.some))?;
        map.serialize_entry("all_from", &self.all.map(ranks_of))?;
        map.end()
    }
}

impl Serialize for UpCardRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("up", self.up.short())?;
        map.serialize_entry("matching", &self.matching)?;
        map.serialize_entry("other", &self.other)?;
        map.serialize_entry("folded_deals", &self.deals[0].to_string())?;
        map.serialize_entry("bet_deals", &self.deals[1].to_string())?;
        map.end()
    }
}

impl Serialize for RaisingRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("always_from", &self.always_from())?;
        map.serialize_entry("never_below", &self.never_below().map(ranks_of))?;
        let classes: Vec<(HandClass, ClassRule)> = HandClass::ALL.into_iter().zip(self.classes).collect();
        map.serialize_entry("classes", &Classes(&classes))?;
        map.serialize_entry("by_up_card", &ByUpCard(&self.by_up_card))?;
        map.end()
    }
}

struct Classes<'a>(&'a [(HandClass, ClassRule)]);

impl Serialize for Classes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(class, rule)| (class.code(), rule)))
    }
}

struct ByUpCard<'a>(&'a [(HandClass, Vec<UpCardRule>)]);

impl Serialize for ByUpCard<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(class, rules)| (class.code(), rules)))
    }
}
