//! What every page must keep: nothing inline that a strict content policy would refuse, ids once, fields labelled, no card that
//! its reader may not see, and little weight.

#[path = "../examples/gallery/all.rs"]
mod all;

use std::collections::BTreeSet;

use all::play;
use baize_cards::Card;
use baize_table::{CardView, RoundView, Viewer};
use baize_web::pages::felt::{Felt, Side, felt};
use baize_web::pages::model::Names;
use baize_web::pages::{assets, story, words};

/// The values of this attribute, in order.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    page.split(&opening).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn nothing_is_inline() {
    for (name, page) in all::pages() {
        assert!(!page.contains(" style=\""), "{name} has an inline style");
        assert!(!page.contains("<style"), "{name} has a style element");
        for script in page.split("<script").skip(1) {
            assert!(script.starts_with(" src=\"/assets/"), "{name} has an inline script");
        }
        for handler in [" onclick=", " onload=", " onsubmit=", " oninput=", "javascript:"] {
            assert!(!page.contains(handler), "{name} has {handler}");
        }
        assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "{name} loads from elsewhere");
    }
}

#[test]
fn ids_are_there_once() {
    for (name, page) in all::pages() {
        let mut met = BTreeSet::new();
        for id in values(&page, "id") {
            assert!(met.insert(id), "{name} has id {id:?} twice");
        }
        assert!(met.contains("main"), "{name} has no main landmark");
    }
}

#[test]
fn every_form_that_posts_carries_the_token() {
    for (name, page) in all::pages() {
        for form in page.split("<form").skip(1) {
            let form = form.split("</form>").next().unwrap_or_default();
            // The colour of the page is nobody's secret.
            if form.contains("method=\"post\"") && !form.contains("action=\"/theme\"") {
                assert!(form.contains("name=\"csrf\"") && form.contains("name=\"id\""), "{name}: {form}");
            }
        }
    }
}

#[test]
fn every_field_has_a_label() {
    for (name, page) in all::pages() {
        for tag in ["<input", "<select", "<textarea"] {
            for (before, field) in page.match_indices(tag).map(|(at, _)| page.split_at(at)) {
                let field = field.split('>').next().unwrap_or_default();
                let labelled = before.rfind("<label").is_some_and(|at| !before[at..].contains("</label>"));
                assert!(labelled || field.contains("type=\"hidden\""), "{name}: {field} has no label");
            }
        }
    }
}

/// Every card that this view shows.
fn shown(view: &RoundView) -> BTreeSet<Card> {
    let piles =
        view.boxes.values().map(|on_box| &on_box.cards).chain([&view.board, &view.dealer, &view.burnt]);
    let up = |card: &CardView| match card {
        CardView::Up(card) => Some(*card),
        CardView::Down => None,
    };
    piles.flatten().filter_map(up).collect()
}

#[test]
fn a_felt_and_its_story_name_no_hidden_card() {
    for game in [
        play::holdem_decision(),
        play::holdem_river(),
        play::holdem_settled(),
        play::stud_decision(),
        play::stud_settled(),
    ] {
        for viewer in [
            Viewer::Public,
            Viewer::Dealer,
            Viewer::Pit,
            Viewer::Player("ann".into()),
            Viewer::Player("mei".into()),
        ] {
            let view = game.view(&viewer);
            let me = "ann".into();
            let drawn = felt(&Felt {
                book: game.book,
                settings: &game.table.settings,
                view: &view,
                side: Side::Players,
                me: Some(&me),
                acting: &BTreeSet::new(),
                meter: None,
                guests: &std::collections::BTreeMap::new(),
                names: &Names::default(),
                bets: None,
            })
            .into_string();
            let told: String = story::story(game.book, &view, &Names::default())
                .into_iter()
                .map(|line| line.words)
                .collect();
            let shown = shown(&view);
            for card in Card::all().filter(|card| !shown.contains(card)) {
                assert!(!drawn.contains(&words::card(card)), "{viewer:?} sees {card} on the felt");
                assert!(!told.contains(&card.to_string()), "{viewer:?} is told of {card}");
            }
        }
    }
}

/// The page, the style sheet and the script together stay under 50 KB on the wire. Text of this kind shrinks to less than a third.
#[test]
fn a_table_page_is_light() {
    let page = all::pages().into_iter().find(|(name, _)| *name == "table-settled").map(|(_, page)| page);
    let page = page.expect("the gallery has it");
    let raw = page.len() + assets::style().len() + assets::script().len();
    assert!(raw < 150_000, "{raw} bytes before compression");
}
