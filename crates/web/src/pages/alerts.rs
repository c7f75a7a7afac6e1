//! The pit board's alert about players whose departures from best play fit hidden cards too often.

use maud::{Markup, html};

/// The alert; empty if there are no such players.
pub(crate) fn section(players: &[String]) -> Markup {
    html! {
        div #alerts {
            @if !players.is_empty() {
                section.notice.bad aria-label="Too good to be true" {
                    h2 { "Too good to be true" }
                    p { "These players' departures from best play fit cards that they could not see, more often than for one honest player in 10,000. Review their rounds; this is not proof." }
                    ul { @for player in players { li { (player) } } }
                }
            }
        }
    }
}
