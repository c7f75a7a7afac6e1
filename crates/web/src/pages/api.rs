//! The API explorer. The script reads the OpenAPI description and makes a form for each operation.

use maud::{Markup, html};

use super::shell;
use super::shell::Shell;

/// The whole page. `description` is the address of the OpenAPI document.
pub(crate) fn page(shell: &Shell, description: &str) -> Markup {
    shell::page(
        shell,
        "API",
        "",
        "api",
        &html! {
            h1 { "The API" }
            p { "Programs can do everything that the pages do. The description is "
                a href=(description) { code { (description) } } " (OpenAPI 3.1); what you send from here goes with your own session." }
            section #api data-openapi=(description) data-csrf=(shell.csrf) aria-label="Operations" {
                p.none { "This page needs JavaScript." }
            }
        },
    )
}
