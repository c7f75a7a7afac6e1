//! What is paid: settlement, pay tables, jackpot.

use baize_cards::HandClass;

use super::play::needs;
use super::{Block, Row, Said, list, sentence};
use crate::{
    AcrossTables, AfterFold, Area, Award, AwardCards, AwardPay, BonusAfterLoss, BonusTable, Cited, Cites,
    Fate, HandOdds, NotShown, OpenPoint, OutcomeRule, Rulebook, SeveralWinners,
};

pub(super) fn settlement(rulebook: &Rulebook) -> Vec<Block> {
    let settlement = &rulebook.settlement;
    let ranking: Vec<&str> = HandClass::ALL.into_iter().rev().map(HandClass::name).collect();
    let mut blocks = vec![Block::Text(Said::new(
        format!("Hands rank from the highest: {}. Suits do not count.", ranking.join(", ")),
        settlement.ranking,
    ))];
    if let Some(qualification) = &rulebook.qualification {
        let words = format!("The dealer qualifies with {}, or any higher hand.", needs(qualification.value));
        blocks.push(Block::Text(Said::new(words, qualification.cites)));
    }
    let outcomes = [
        ("The dealer does not qualify", settlement.not_qualified.as_ref()),
        ("The player's hand is higher", Some(&settlement.higher)),
        ("The player's hand is lower", Some(&settlement.lower)),
        ("Both hands are equal", Some(&settlement.equal)),
    ];
    for (name, rule) in outcomes {
        blocks.extend(rule.map(|rule| outcome(name, rule)));
    }
    let mut points = Vec::new();
    let lost: Vec<&str> = settlement.fold_loses.iter().map(|area| area.code()).collect();
    points.push(Said::new(format!("The player folds: {} lost.", is(&lost)), settlement.fold));
    points.push(not_shown(rulebook));
    if let Some(viewed) = settlement.declined_viewed {
        let text = format!("A hand that is not shown may be viewed by the {} or above.", viewed.value.name());
        points.push(Said::new(text, viewed.cites));
    }
    for (area, most) in &settlement.caps {
        points.push(Said::new(
            format!("The {} pays at most SGD {} for each box.", area.code(), most.value.grouped()),
            most.cites,
        ));
    }
    blocks.push(Block::Points(points));
    for area in Area::ALL {
        if let Some(Cited { value: Fate::PaysByHand(odds), cites }) = settlement.higher.of(area) {
            blocks.push(by_hand(area, odds, *cites));
        }
    }
    blocks.extend(rulebook.bonus.as_ref().map(|table| bonus(rulebook, table)));
    blocks
}

/// What a hand that is not shown loses.
fn not_shown(rulebook: &Rulebook) -> Said {
    let settlement = &rulebook.settlement;
    let open = rulebook.leaves_open(OpenPoint::NotShown);
    let reading = if open { " (I-13)" } else { "" };
    if open && rulebook.readings.not_shown == NotShown::Everything {
        let words = format!("A player who does not show the hand loses everything{reading}.");
        return Said::new(words, settlement.declined);
    }
    let community = open && rulebook.jackpot.awards.iter().any(|award| award.cards == AwardCards::Community);
    let mut words = "A player who does not show the hand loses everything, jackpot wager included".to_owned();
    let mut cites = settlement.declined;
    if community {
        words.push_str(", but for an award on the community cards alone");
    }
    if let Some(ante) = settlement.not_qualified.as_ref().and_then(|rule| rule.of(Area::Ante)) {
        words.push_str("; if the dealer does not qualify, the ante is paid all the same");
        cites = cites.and(ante.cites);
        let returned = settlement.not_qualified.as_ref().and_then(|rule| rule.of(Area::Bet));
        if let Some(bet) = returned.filter(|bet| bet.value == Fate::Returned) {
            words.push_str(" and the bet handed back");
            cites = cites.and(bet.cites);
        }
    }
    Said::new(format!("{words}{reading}."), cites)
}

/// "ante and bonus are".
fn is(names: &[&str]) -> String {
    format!("{} {}", list(names), if names.len() == 1 { "is" } else { "are" })
}

/// What happens to the wagers, one point for each group of areas with the same outcome.
fn outcome(name: &str, outcome: &OutcomeRule) -> Block {
    let mut groups: Vec<(Vec<&str>, Cited<Fate>)> = Vec::new();
    for area in Area::ALL {
        if let Some(fate) = outcome.of(area) {
            match groups.iter_mut().find(|(_, other)| other == fate) {
                Some((areas, _)) => areas.push(area.code()),
                None => groups.push((vec![area.code()], *fate)),
            }
        }
    }
    let point = |(areas, fate): &(Vec<&str>, Cited<Fate>)| {
        let areas = is(areas);
        let words = match fate.value {
            Fate::Pays(odds) => format!("{areas} paid {odds}"),
            Fate::PaysFrom { odds, from } => {
                format!("{areas} paid {odds} with a {} or better, and otherwise stands off", from.name())
            }
            Fate::PaysByHand(_) => format!("{areas} paid by the player's hand, as below"),
            Fate::Loses => format!("{areas} lost"),
            Fate::StandsOff => format!("{areas} neither paid nor collected: a stand-off"),
            Fate::Returned => format!("{areas} handed back"),
        };
        Said::new(format!("{}.", sentence(&words)), fate.cites)
    };
    let points = groups.iter().map(point).collect();
    Block::Entry { code: String::new(), title: Said::plain(name), points }
}

/// The odds by hand; neighbours that pay the same share a line.
fn by_hand(area: Area, odds: &HandOdds, cites: Cites) -> Block {
    let mut rows: Vec<Row> = Vec::new();
    for class in HandClass::ALL.into_iter().rev() {
        let pays = odds.of(class).to_string();
        match rows.last_mut() {
            Some(row) if row.right == pays => row.left = format!("{}, {}", row.left, class.name()),
            _ => {
                rows.push(Row { left: class.name().to_owned(), note: None, right: pays, cites: Cites::NONE })
            }
        }
    }
    let title = format!("The {} pays by the player's hand:", area.code());
    Block::Table { title: Said::new(title, cites), rows }
}

fn bonus(rulebook: &Rulebook, table: &BonusTable) -> Block {
    let row = |line: &crate::BonusLine| Row {
        left: line.name.clone(),
        note: None,
        right: line.odds.to_string(),
        cites: Cites::NONE,
    };
    let title = match rulebook.readings.bonus_after_loss {
        BonusAfterLoss::HoleCards => {
            "The bonus pays the player's hole cards whatever the showdown (I-1), by the first line that fits:"
        }
        BonusAfterLoss::LostWithHand => {
            "The bonus pays the player's hole cards unless the hand loses (I-1), by the first line that fits:"
        }
    };
    Block::Table { title: Said::new(title, table.cites), rows: table.lines.iter().map(row).collect() }
}

const fn award_cards(cards: AwardCards) -> &'static str {
    match cards {
        AwardCards::Hand => "the player's five cards",
        AwardCards::HoleAndFlop => "the hole cards and the flop",
        AwardCards::HoleFlopAndTurn => "the hole cards, the flop and the turn",
        AwardCards::SevenWithHole => "all seven cards, at least one hole card among the five",
        AwardCards::BestOfSeven => "the best five of all seven cards",
        AwardCards::Community => "the five community cards",
    }
}

/// The awards. If all use the same cards, the title names them once.
fn awards(rulebook: &Rulebook) -> Block {
    let jackpot = &rulebook.jackpot;
    let same = jackpot.awards.first().map(|award| award.cards);
    let same = same.filter(|cards| jackpot.awards.iter().all(|award| award.cards == *cards));
    let row = |award: &Award| {
        let pays = match award.pays {
            AwardPay::Share(share) => format!("{share} of the jackpot"),
            AwardPay::Fixed(amount) => format!("SGD {}", amount.grouped()),
            AwardPay::ForOne(_) => award.pays.to_string(),
        };
        let note = same.is_none().then(|| award_cards(award.cards).to_owned());
        let cites = if award.cites == jackpot.table { Cites::NONE } else { award.cites };
        Row { left: award.name.clone(), note, right: pays, cites }
    };
    let title = match same {
        Some(cards) => {
            format!("A jackpot wager is paid one award, the first of these that {} make:", award_cards(cards))
        }
        None => "A jackpot wager is paid one award, the first of these that its cards make:".to_owned(),
    };
    let rows = jackpot.awards.iter().map(row).collect();
    Block::Table { title: Said::new(title, jackpot.table), rows }
}

pub(super) fn jackpot(rulebook: &Rulebook) -> Vec<Block> {
    let jackpot = &rulebook.jackpot;
    let mut points = Vec::new();
    if let Some(multiplied) = jackpot.awards.iter().find(|award| award.multiplied) {
        let names: Vec<&str> =
            jackpot.awards.iter().filter(|a| a.multiplied).map(|a| a.name.as_str()).collect();
        let words = format!(
            "A wager of several times the minimum is paid so many times as much for {}; the other awards stay \
            as they are.",
            list(&names)
        );
        points.push(Said::new(words, multiplied.cites));
    }
    points.extend([
        Said::new(
            match jackpot.after_fold.value {
                AfterFold::Everything => "A folded hand can still win all of these.",
                AfterFold::CommunityOnly => "A folded hand can still win on the community cards alone.",
                AfterFold::Nothing => "A folded hand wins none of these.",
            },
            jackpot.after_fold.cites,
        ),
        Said::new(
            "An award is paid on top of everything else, whatever the dealer holds.",
            jackpot.in_addition,
        ),
        match rulebook.settlement.left_face_up {
            Some(cites) => Said::new(
                "A player tells the dealer of a winning hand, and it stays face up until it is paid.",
                cites,
            ),
            None => Said::new("Only a hand that is shown wins.", jackpot.shown),
        },
        Said::new(
            "The jackpot grows with every accepted jackpot wager and restarts at its reset value when won.",
            jackpot.meter,
        ),
        Said::new(
            match jackpot.across_tables.value {
                AcrossTables::EnteredFirst => {
                    "Winners at several tables: the hand entered into the system first is paid first."
                }
                AcrossTables::DealtFirst => "Winners at several tables: the hand dealt first is paid first.",
            },
            jackpot.across_tables.cites,
        ),
    ]);
    let within = &jackpot.within_table;
    // If the text gives no order, the reading of I-4 does.
    let open = rulebook.leaves_open(OpenPoint::SeveralWinners);
    let clockwise =
        within.clockwise.value || (open && rulebook.readings.several_winners == SeveralWinners::Clockwise);
    let order = if clockwise {
        "clockwise in the order of the deal, each at the value then displayed"
    } else {
        "lower awards first, a royal flush last"
    };
    let reading = if open { " (I-4)" } else { "" };
    points.push(Said::new(format!("Winners at one table: {order}{reading}."), within.clockwise.cites));
    for (name, pooled) in
        [("royal flushes", within.royals_pooled), ("straight flushes", within.straight_flushes_pooled)]
    {
        if let Some(cites) = pooled {
            let words = format!(
                "{} at one table: their shares are added and divided equally.",
                sentence(&format!("several {name}"))
            );
            points.push(Said::new(words, cites));
        }
    }
    vec![awards(rulebook), Block::Points(points)]
}
