//! A rulebook in our own words, made from its data: play, settlement, pay tables, jackpot.

use baize_rules::{AfterFold, Area, Award, Cites, Fate, Otherwise, OutcomeRule, Procedure, Rulebook, Step, WhoMayBet};
use maud::{Markup, html};

use super::model::Shell;
use super::{paint, rulebook_trouble, shell, words};

/// The list of rulebooks.
#[must_use]
pub fn index(of: &Shell, books: &[&Rulebook]) -> Markup {
    shell::page(of, "Rules", "rules", "rules narrow", &html! {
        h1 { "The games" }
        p.lead { "Each game as its operator's approved text has it, in our words. Every statement names its paragraph." }
        ul.choose { @for book in books { li { a href=(format!("/rules/{}", book.id)) {
            b { (book.name) } span.state { (book.operator) @if let Some(version) = &book.version { " · version " (version) } }
        } } } }
    })
}

/// One rulebook.
#[must_use]
pub fn page(of: &Shell, book: &Rulebook) -> Markup {
    shell::page(of, &book.name, "rules", "rules", &html! {
        p.operator { (book.operator) @if let Some(version) = &book.version { " · version " (version) } @if let Some(from) = &book.effective { " · from " (from) }
            " · " a href=(format!("/odds/{}", book.id)) { "Odds" } " · " a href="/rules" { "All games" } }
        h1 { (book.name) }
        nav.toc aria-label="On this page" {
            a href="#play" { "Play" } a href="#settlement" { "Settlement" } @if book.bonus.is_some() { a href="#bonus" { "Bonus" } }
            a href="#jackpot" { "Jackpot" } a href="#dealing" { "Dealing" } a href="#trouble" { "When things go wrong" } a href="#readings" { "Open points" }
        }
        (play(book)) (settlement(book)) (bonus(book)) (jackpot(book)) (dealing(book))
        (rulebook_trouble::irregularities(book)) (rulebook_trouble::readings(book))
        p.hint { "Rulebook data " code.hash { (book.hash) } }
    })
}

/// Paragraphs as anchors and links to themselves: where slips and sentences point.
pub(super) fn cited(cites: &Cites) -> Markup {
    html! { @for p in cites.iter() { " " span.cite id=(format!("p-{}", paint::anchor(&p.to_string()))) { "§ " (p) } } }
}

fn play(book: &Rulebook) -> Markup {
    let betting = &book.betting;
    let boxes = book.boxes.value;
    html! {
        section #play aria-label="Play" {
            h2 { "Play" }
            p { "A round begins with “Place your bets, please” and ends when every wager is settled." (cited(&book.round_of_play)) }
            ul.rules-list {
                li { "The layout has " (boxes.fewest) " to " (boxes.most) " boxes. " (match betting.who.value {
                        WhoMayBet::SeatedPlayer => "One seated player bets on a box.",
                        WhoMayBet::SeveralPlayers => "Several players may make up the wager of one box.",
                    }) (cited(&book.boxes.cites)) (cited(&betting.who.cites)) }
                li { "A player may bet on several boxes and look at one hand; the others are played blind." (cited(&betting.several_boxes)) (cited(&betting.one_hand_viewed)) }
                li { "To take part one places an ante within the table's limits." (cited(&betting.ante_needed)) (cited(&betting.limits)) }
                @if let Some(cites) = &betting.bonus_needs_ante { li { "With an ante one may bet on the bonus." (cited(cites)) } }
                li { "With an ante one may bet on the jackpot: the prescribed amount"
                    @if betting.jackpot_multiples.value > 1 { ", up to " (betting.jackpot_multiples.value) " times" } ", on one's own box only."
                    (cited(&betting.jackpot_needs_ante)) (cited(&betting.jackpot_own_box)) (cited(&betting.jackpot_multiples.cites)) }
                li { "Each hand has " (book.hand_size()) " cards" @if book.board_size() > 0 { "; " (book.board_size()) " community cards belong to everybody" } "." }
                @for decision in &book.decisions {
                    li { b { (decision.area.name()) ": " } "bet " (decision.times_ante) " × the ante, or "
                        (match decision.otherwise { Otherwise::Fold => "fold.", Otherwise::Check => "check." }) (cited(&decision.cites)) }
                }
                li { "After “No more bets” nothing is placed, raised or taken back." (cited(&betting.close)) (cited(&betting.late_placing)) (cited(&betting.late_withdrawal)) }
            }
        }
    }
}

fn fate(fate: &Fate) -> Markup {
    match fate {
        Fate::Pays(odds) => html! { "pays " b { (odds) } },
        Fate::PaysFrom { odds, from } => html! { "pays " b { (odds) } " with a " (from.name()) " or higher, otherwise stands off" },
        Fate::PaysByHand(_) => html! { "pays by the hand, below" },
        Fate::Loses => html! { "loses" },
        Fate::StandsOff => html! { "stands off" },
        Fate::Returned => html! { "goes back" },
    }
}

fn settlement(book: &Rulebook) -> Markup {
    let rules = &book.settlement;
    let main: Vec<Area> = book.areas.iter().map(|rule| rule.area).filter(|a| !matches!(a, Area::Bonus | Area::Jackpot)).collect();
    let mut outcomes: Vec<(String, &OutcomeRule)> = vec![
        ("The player's hand is higher".to_owned(), &rules.higher),
        ("The player's hand is lower".to_owned(), &rules.lower),
        ("The hands are equal".to_owned(), &rules.equal),
    ];
    if let Some(not_qualified) = &rules.not_qualified {
        outcomes.insert(0, ("The dealer does not qualify".to_owned(), not_qualified));
    }
    let by_hand = main.iter().find_map(|area| match rules.higher.of(*area).map(|cited| cited.value) {
        Some(Fate::PaysByHand(odds)) => Some((*area, odds)),
        _ => None,
    });
    html! {
        section #settlement aria-label="Settlement" {
            h2 { "Settlement" }
            p { "Hands are compared by rank." (cited(&rules.ranking)) @if let Some(q) = &book.qualification { " " (super::felt::printed(book).to_lowercase()) "." (cited(&q.cites)) } }
            div.scroll tabindex="0" role="region" aria-label="Outcomes" { table.lines {
                thead { tr { th scope="col" { "Outcome" } @for area in &main { th scope="col" { (area.name()) } } } }
                tbody {
                    @for (name, rule) in &outcomes { tr { th scope="row" { (name) }
                        @for area in &main { td { @if let Some(of) = rule.of(*area) { (fate(&of.value)) (cited(&of.cites)) } } }
                    } }
                }
            } }
            ul.rules-list {
                li { "A fold loses " (words::list(rules.fold_loses.iter().map(|a| a.name().to_lowercase()))) "." (cited(&rules.fold)) }
                li { "A hand that is not shown cannot win." (cited(&rules.declined)) }
                @for (area, cap) in &rules.caps { li { "The " (area.name().to_lowercase()) " pays at most " b { "SGD " (cap.value.grouped()) } " a box." (cited(&cap.cites)) } }
            }
            @if let Some((area, odds)) = by_hand {
                table.lines.pays { caption { (area.name()) " pays" }
                    tbody { @for class in baize_cards::HandClass::ALL.into_iter().rev() { tr { th scope="row" { (class.name()) } td.n { (odds.of(class)) } } } } }
            }
        }
    }
}

fn bonus(book: &Rulebook) -> Markup {
    let Some(bonus) = &book.bonus else { return html! {} };
    html! {
        section #bonus aria-label="Bonus" {
            h2 { "Bonus" }
            p { "A wager on the player's two hole cards." (cited(&bonus.cites)) }
            table.lines.pays { caption { "Bonus pays" } tbody { @for line in &bonus.lines { tr { th scope="row" { (line.name) } td.n { (line.odds) } } } } }
        }
    }
}

fn jackpot(book: &Rulebook) -> Markup {
    let rules = &book.jackpot;
    let row = |award: &Award| html! { tr { th scope="row" { (award.name) } td.n { (award.pays) @if award.multiplied { " × multiple" } } td { (cited(&award.cites)) } } };
    html! {
        section #jackpot aria-label="Progressive jackpot" {
            h2 { "Progressive jackpot" }
            p { "The meter grows with every accepted jackpot wager and goes back to its reset value when it is won." (cited(&rules.meter)) }
            table.lines.pays { caption { "The highest award that the cards make is paid" (cited(&rules.table)) } tbody { @for award in &rules.awards { (row(award)) } } }
            ul.rules-list {
                li { "It is paid besides everything else, whatever the dealer holds." (cited(&rules.in_addition)) }
                li { (match rules.after_fold.value {
                    AfterFold::Everything => "After a fold the wager can still win everything.",
                    AfterFold::CommunityOnly => "After a fold only awards on the community cards are left.",
                    AfterFold::Nothing => "A fold gives the jackpot wager up.",
                }) (cited(&rules.after_fold.cites)) }
                li { "A winning hand stays face up until it is paid." (cited(&rules.shown)) }
            }
        }
    }
}

fn dealing(book: &Rulebook) -> Markup {
    html! {
        section #dealing aria-label="Dealing" {
            h2 { "Dealing" }
            @for procedure in &book.procedures {
                details.more id=(format!("dealing-{}", procedure.name.code())) {
                    summary { (capital(procedure.name.name())) (cited(&procedure.cites)) }
                    ol.rules-list { @for step in steps(procedure) { li { (step.0) (cited(&step.1)) } } }
                }
            }
        }
    }
}

fn steps(procedure: &Procedure) -> Vec<(String, Cites)> {
    use baize_rules::DealTo;
    let words = |step: &Step| match step {
        Step::Burn => "A card is burnt.".to_owned(),
        Step::Deal { to, cards, one_at_a_time, last_face_up, .. } => {
            let to = match to {
                DealTo::Boxes => "to each box with a wager, clockwise from the dealer's left",
                DealTo::Dealer => "to the dealer",
                DealTo::BoxesAndDealer => "to each box with a wager and the dealer",
                DealTo::Board => "to the board",
            };
            let how = if *one_at_a_time { ", one at a time" } else { "" };
            let up = if *last_face_up { "; the dealer's last card lies face up" } else { "" };
            format!("{cards} {} {to}{how}{up}.", if *cards == 1 { "card" } else { "cards" })
        }
        Step::Decide { area, .. } => format!("Players decide on the {}.", area.name().to_lowercase()),
        Step::Reveal { what } => match what.board_cards() {
            Some(_) => format!("The {} is turned.", what.code()),
            None => "The dealer's hand is turned.".to_owned(),
        },
    };
    procedure.steps.iter().map(|step| (words(&step.value), step.cites)).collect()
}

fn capital(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map(|first| first.to_uppercase().chain(signs).collect()).unwrap_or_default()
}
