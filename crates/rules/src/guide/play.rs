//! How a round is played: the game in short, the wagers, the dealing procedures.

use super::{Block, Row, Said, cards, list, sentence};
use crate::{
    Act, Area, BoxNumber, Cites, Dealt, DecisionRule, Family, Otherwise, Place, Procedure, Qualification,
    Reveal, Role, Rulebook, Scheduled, WhoMayBet,
};

/// "2 × the ante".
fn times(n: u32) -> String {
    format!("{n} × the ante")
}

/// "a Pit Manager or above".
pub(super) fn or_above(role: Role) -> String {
    match role {
        Role::Dealer => "the dealer".to_owned(),
        Role::PitSupervisor | Role::PitManager | Role::ShiftManager => format!("a {} or above", role.name()),
    }
}

/// "an Ace", "a King".
pub(super) fn article(name: &str) -> String {
    format!("{} {name}", if name.starts_with(['A', 'E']) { "an" } else { "a" })
}

/// "at least an Ace and a King".
pub(super) fn needs(qualification: Qualification) -> String {
    match qualification {
        Qualification::TwoCards((one, other)) => {
            format!("at least {} and {}", article(one.name()), article(other.name()))
        }
        Qualification::Class(class) => format!("at least {}", class.name()),
    }
}

pub(super) fn in_short(rulebook: &Rulebook) -> Vec<Block> {
    let mut words = match rulebook.family {
        Family::Holdem => {
            "Each player and the dealer have two hole cards and share five community cards. The \
            better five-card hand out of the seven wins. "
                .to_owned()
        }
        Family::Stud => {
            "Each player and the dealer have five cards, one of the dealer's face up. The better hand \
            wins. "
                .to_owned()
        }
    };
    words.push_str("A player puts up an ante. ");
    let raise =
        |decision: &DecisionRule| format!("{} on {}", times(decision.times_ante), decision.area.name());
    let raises = |otherwise: Otherwise| -> Vec<String> {
        rulebook.decisions.iter().filter(|d| d.otherwise == otherwise).map(raise).collect()
    };
    let (stay, more) = (raises(Otherwise::Fold), raises(Otherwise::Check));
    words.push_str(&format!("Having seen the cards, the player puts {} or folds. ", list(&stay)));
    if !more.is_empty() {
        words.push_str(&format!("Later the player may put {}, or check. ", list(&more)));
    }
    if let Some(qualification) = &rulebook.qualification {
        words.push_str(&format!("The dealer plays only with {}. ", needs(qualification.value)));
    }
    let side: Vec<&str> = [Area::Bonus, Area::Jackpot]
        .into_iter()
        .filter(|area| rulebook.has_area(*area))
        .map(|area| if area == Area::Bonus { "a bonus on the hole cards" } else { "a progressive jackpot" })
        .collect();
    words.push_str(&format!("On the side there is {}. ", list(&side)));
    let round = "A round of play begins with \"Place your bets, please\" and ends when everybody is settled.";
    vec![
        Block::Text(Said::plain(words.trim_end())),
        Block::Text(Said::new("One deck of 52 cards is used.", rulebook.deck)),
        Block::Text(Said::new(round, rulebook.round_of_play)),
    ]
}

pub(super) fn wagers(rulebook: &Rulebook) -> Vec<Block> {
    let betting = &rulebook.betting;
    let boxes = rulebook.boxes.value;
    let rows = rulebook.areas.iter().map(|rule| {
        let size = match (rule.times_ante, rule.area) {
            (Some(n), _) => times(n),
            (None, Area::Ante) => "to take part".to_owned(),
            (None, Area::Bonus) => "on the hole cards".to_owned(),
            (None, Area::Jackpot) if betting.jackpot_multiples.value > 1 => {
                format!("1 to {} × the minimum", betting.jackpot_multiples.value)
            }
            (None, Area::Jackpot) => "the prescribed amount".to_owned(),
            (None, Area::Flop | Area::Turn | Area::River | Area::Bet) => "within the limits".to_owned(),
        };
        Row { left: rule.area.name().to_owned(), note: None, right: size, cites: rule.cites }
    });
    let layout = format!("A layout has {} boxes.", range(boxes.fewest, boxes.most));
    let (title, rows) = cite_once("Each box has these areas:", rows.collect());
    let mut points = vec![
        Said::new("Wagers are placed from \"Place your bets, please\"…", betting.open),
        Said::new("…until \"No more bets\".", betting.close),
        Said::new("The limits are displayed at the table, and a wager keeps within them.", betting.limits),
        Said::new("Nobody takes part without an ante.", betting.ante_needed),
        Said::new(
            match betting.who.value {
                WhoMayBet::SeatedPlayer => "Only the player seated at a box bets on it: one player a box.",
                WhoMayBet::SeveralPlayers => {
                    "One wager on each area; several players may make it up together."
                }
            },
            betting.who.cites,
        ),
        Said::new("A player may bet on several boxes…", betting.several_boxes),
        Said::new("…but look at one hand only. The others are played blind.", betting.one_hand_viewed),
    ];
    if let Some(cites) = betting.bonus_needs_ante {
        points.push(Said::new("The bonus needs an ante on the same box.", cites));
    }
    points.push(Said::new("The jackpot wager needs an ante on the same box.", betting.jackpot_needs_ante));
    points.push(Said::new("Nobody bets on the jackpot of another player's box.", betting.jackpot_own_box));
    if betting.jackpot_multiples.value > 1 {
        points.push(Said::new(
            format!("The jackpot wager is 1 to {} times the minimum.", betting.jackpot_multiples.value),
            betting.jackpot_multiples.cites,
        ));
    }
    if let Some(restrict) = &betting.restrict {
        points.push(Said::new(
            format!("{} may restrict a player to one box.", sentence(&or_above(restrict.value))),
            restrict.cites,
        ));
    }
    points.push(Said::new("Staff may place wagers for a player who asks.", betting.staff_places));
    points.push(Said::new("After \"No more bets\" nothing is placed or raised.", betting.late_placing));
    points.push(Said::new(
        if betting.withdrawn_still_plays {
            "Nor is anything withdrawn: chips that were taken back all the same still win or lose."
        } else {
            "Nor is anything withdrawn: the chips stay where they lie."
        },
        betting.late_withdrawal,
    ));
    vec![
        Block::Text(Said::new(layout, rulebook.boxes.cites)),
        Block::Table { title, rows },
        Block::Points(points),
    ]
}

/// If every row cites the same paragraphs, the title cites them once.
fn cite_once(title: &str, mut rows: Vec<Row>) -> (Said, Vec<Row>) {
    let cites = rows.first().map_or(Cites::NONE, |row| row.cites);
    if rows.iter().any(|row| row.cites != cites) {
        return (Said::plain(title), rows);
    }
    rows.iter_mut().for_each(|row| row.cites = Cites::NONE);
    (Said::new(title, cites), rows)
}

/// "1 to 7", or "7".
fn range(fewest: u8, most: u8) -> String {
    if fewest == most { most.to_string() } else { format!("{fewest} to {most}") }
}

pub(super) fn procedures(rulebook: &Rulebook) -> Vec<Block> {
    let one = |procedure: &Procedure| {
        let title = format!("With the {}", procedure.name.name());
        let open = Said::new("Announce \"Place your bets, please\".", rulebook.betting.open);
        let close = Said::new("Announce \"No more bets\".", rulebook.betting.close);
        let settle = Said::new("Compare the hands and settle box by box.", Cites::NONE);
        // A step does the same at every box.
        let acts = procedure.schedule(&[BoxNumber(1)]);
        let steps = acts.chunk_by(|one, next| one.step == next.step).map(|acts| step(rulebook, acts));
        let steps = [open, close].into_iter().chain(steps).chain([settle]).collect();
        Block::Steps { title: Said::new(title, procedure.cites), steps }
    };
    rulebook.procedures.iter().map(one).collect()
}

/// A step with its acts, at least one.
fn step(rulebook: &Rulebook, acts: &[Scheduled]) -> Said {
    let Scheduled { act, cites, .. } = acts[0];
    match act {
        Act::Burn => Said::new("Burn a card.", cites),
        Act::Deal(_) => Said::new(deal(acts), cites),
        Act::Decide { area, otherwise } => {
            let words =
                rulebook.decision(area).map_or_else(String::new, |at| decide(&rulebook.decisions[at]));
            Said::new(words, cites.and(otherwise))
        }
        Act::Reveal(Reveal::Dealer) => Said::new("Turn your own cards.", cites),
        Act::Reveal(what) => Said::new(format!("Turn {}.", what.name()), cites),
    }
}

fn deal(acts: &[Scheduled]) -> String {
    let dealt = acts.iter().filter_map(|scheduled| match scheduled.act {
        Act::Deal(dealt) => Some(dealt),
        Act::Burn | Act::Decide { .. } | Act::Reveal(_) => None,
    });
    let dealt: Vec<Dealt> = dealt.collect();
    let to = |place: Place| dealt.iter().filter(move |dealt| dealt.to == place);
    let (each_box, dealer) = (to(Place::Box(BoxNumber(1))).count() > 0, to(Place::Dealer).count() > 0);
    let first = dealt[0].to;
    let count = to(first).map(|dealt| dealt.until - dealt.from).sum();
    let whom = match (first, dealer) {
        (Place::Box(_), true) => "each box with a wager and to yourself",
        (Place::Box(_), false) => "each box with a wager",
        (Place::Dealer, _) => "yourself",
        (Place::Board, _) => "the board",
    };
    let mut words = format!("Deal {} to {whom}", cards(count));
    if each_box {
        words.push_str(", clockwise from your left");
    }
    if each_box && count > 1 {
        words.push_str(if dealt[0].one_at_a_time { ", one at a time" } else { ", each set at once" });
    }
    words.push_str(", face down");
    if dealt.iter().any(|dealt| dealt.last_face_up) {
        words.push_str("; your last card lies face up");
    }
    if dealt[0].security_card {
        words.push_str(", with a security card at the bottom");
    }
    format!("{words}.")
}

fn decide(decision: &DecisionRule) -> String {
    let raise = format!("{} on {}", times(decision.times_ante), decision.area.name());
    match decision.otherwise {
        Otherwise::Fold => format!("Each player puts {raise}, or folds."),
        Otherwise::Check => format!("Each player still in the round puts {raise}, or checks."),
    }
}

#[cfg(test)]
mod tests {
    use super::super::number;
    use super::*;

    #[test]
    fn words_for_numbers() {
        assert_eq!(range(4, 7), "4 to 7");
        assert_eq!(range(7, 7), "7");
        assert_eq!(number(11), "11");
        assert_eq!(cards(1), "one card");
        assert_eq!(article("Ace"), "an Ace");
    }
}
