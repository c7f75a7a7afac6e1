//! The style sheet, the one script and the icon, built into the program. Their addresses carry a hash, so that they can be
//! cached for ever.

use std::sync::{LazyLock, OnceLock};

/// The style sheet as it is written.
pub const STYLE: &str = concat!(
    include_str!("../../assets/css/tokens.css"),
    include_str!("../../assets/css/base.css"),
    include_str!("../../assets/css/shell.css"),
    include_str!("../../assets/css/cards.css"),
    include_str!("../../assets/css/felt.css"),
    include_str!("../../assets/css/rail.css"),
    include_str!("../../assets/css/lobby.css"),
    include_str!("../../assets/css/boards.css"),
    include_str!("../../assets/css/cage.css"),
    include_str!("../../assets/css/house.css"),
    include_str!("../../assets/css/staff.css"),
    include_str!("../../assets/css/report.css"),
    include_str!("../../assets/css/books.css"),
    include_str!("../../assets/css/odds.css"),
    include_str!("../../assets/css/card.css"),
    include_str!("../../assets/css/sign.css"),
);

/// The script as it is written: live regions, forms, keys, meters, clocks, the calculator, the proof of the shuffle, the API page.
pub const SCRIPT: &str = concat!(
    include_str!("../../assets/js/start.js"),
    include_str!("../../assets/js/live.js"),
    include_str!("../../assets/js/forms.js"),
    include_str!("../../assets/js/motion.js"),
    include_str!("../../assets/js/bets.js"),
    include_str!("../../assets/js/spoken.js"),
    include_str!("../../assets/js/keys.js"),
    include_str!("../../assets/js/meters.js"),
    include_str!("../../assets/js/calculator.js"),
    include_str!("../../assets/js/proof.js"),
    include_str!("../../assets/js/api.js"),
    include_str!("../../assets/js/end.js"),
);

/// The icon of the site.
pub const ICON: &str = include_str!("../../assets/icon.svg");

/// The same in 32 pixels, for browsers that want no drawing.
pub const FAVICON: &[u8] = include_bytes!("../../assets/favicon.ico");

/// A text without its indentation and without the lines that are nothing but a comment: a tenth less to load. No string of ours goes over
/// several lines.
fn stripped(text: &str, comment: fn(&str) -> bool) -> String {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !comment(line))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The style sheet as it is sent.
#[must_use]
pub fn style() -> &'static str {
    static SENT: LazyLock<String> = LazyLock::new(|| {
        let comment = |line: &str| line.starts_with("/*") && line.find("*/") == Some(line.len() - 2);
        // Spaces around these say nothing in a style sheet.
        let spaces = [
            ("; ", ";"),
            (" {", "{"),
            ("{ ", "{"),
            (" }", "}"),
            (";}", "}"),
            (": ", ":"),
            (", ", ","),
            (" > ", ">"),
            ("\n", ""),
        ];
        spaces.iter().fold(stripped(STYLE, comment), |text, (long, short)| text.replace(long, short))
    });
    &SENT
}

/// The script as it is sent.
#[must_use]
pub fn script() -> &'static str {
    static SENT: LazyLock<String> = LazyLock::new(|| stripped(SCRIPT, |line| line.starts_with("//")));
    &SENT
}

/// FNV-1a: tells versions of a file apart; nothing here is secret.
const fn fingerprint(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

fn versioned(cell: &'static OnceLock<String>, path: &str, text: &str) -> &'static str {
    cell.get_or_init(|| format!("{path}?v={:016x}", fingerprint(text)))
}

/// The address of the style sheet.
#[must_use]
pub fn style_href() -> &'static str {
    static HREF: OnceLock<String> = OnceLock::new();
    versioned(&HREF, "/assets/baize.css", STYLE)
}

/// The address of the script.
#[must_use]
pub fn script_href() -> &'static str {
    static HREF: OnceLock<String> = OnceLock::new();
    versioned(&HREF, "/assets/baize.js", SCRIPT)
}
