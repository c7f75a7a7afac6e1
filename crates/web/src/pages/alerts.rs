//! The pit's alert that a player's departures from best play fit hidden cards too often. A person judges it.

use maud::{Markup, html};

/// The players to look at, with the addresses of their ratings for those who may read them.
#[must_use]
pub fn section(players: &[(String, Option<String>)]) -> Markup {
    html! {
        div #alerts {
            @if !players.is_empty() {
                section.notice.bad aria-label="Too good to be true" {
                    h2 { "Too good to be true" }
                    p { "These players' departures from best play agree with cards that they could not see, more often than chance allows in one honest player of 10,000. Have the record looked at; nothing else follows from this." }
                    ul { @for (player, link) in players { li {
                        @if let Some(link) = link { a href=(link) { (player) } } @else { (player) }
                    } } }
                }
            }
        }
    }
}
