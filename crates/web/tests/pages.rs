//! Checks every page of the gallery: nothing inline that the content security policy would block, unique ids, labelled fields, no hidden cards,
//! small size.

#[path = "../examples/gallery/all.rs"]
mod all;

use std::collections::BTreeSet;

use all::play;
use baize_cards::Card;
use baize_table::{CardView, RoundView, Viewer};
use baize_web::pages::felt::{Felt, Side, felt};
use baize_web::pages::model::Names;
use baize_web::pages::{assets, round_log, words};

/// All values of an attribute, in order.
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
fn ids_are_unique() {
    for (name, page) in all::pages() {
        let mut met = BTreeSet::new();
        for id in values(&page, "id") {
            assert!(met.insert(id), "{name} has id {id:?} twice");
        }
        assert!(met.contains("main"), "{name} has no main landmark");
    }
}

#[test]
fn every_post_form_has_a_token_and_an_id() {
    for (name, page) in all::pages() {
        for form in page.split("<form").skip(1) {
            let form = form.split("</form>").next().unwrap_or_default();
            // The theme form needs no token.
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

/// All face-up cards of a view.
fn shown(view: &RoundView) -> BTreeSet<Card> {
    let piles =
        view.boxes.values().map(|on_box| &on_box.cards).chain([&view.board, &view.dealer, &view.burnt]);
    piles.flatten().filter_map(CardView::up).collect()
}

#[test]
fn the_felt_and_the_log_name_no_hidden_card() {
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
            let log: String = round_log::round_log(game.book, &view, &Names::default())
                .into_iter()
                .map(|line| line.words)
                .collect();
            let shown = shown(&view);
            for card in Card::all().filter(|card| !shown.contains(card)) {
                assert!(!drawn.contains(&words::card(card)), "{viewer:?} sees {card} on the felt");
                assert!(!log.contains(&card.to_string()), "{viewer:?} reads {card} in the log");
            }
        }
    }
}

/// Compressed, page, style sheet and script must stay under 50 KB; such text compresses to less than a third.
#[test]
fn the_table_page_is_small() {
    let page = all::pages().into_iter().find(|(name, _)| *name == "table-settled").map(|(_, page)| page);
    let page = page.expect("the gallery has it");
    let raw = page.len() + assets::style().len() + assets::script().len();
    assert!(raw < 150_000, "{raw} bytes before compression");
}
