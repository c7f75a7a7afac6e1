//! A cashier with nothing but a keyboard: a new player, chips for cash, a receipt.

use crate::casino::Casino;
use crate::driver::Driver;

const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";

#[test]
fn a_cashier_sells_chips_from_the_keyboard() {
    let driver = Driver::start();
    let casino = Casino::open();
    let cage = driver.browser(390, 844);
    casino.open_counter(&cage, "mei");
    // The field for the cash has the focus. Enter asks; only the button after it confirms.
    cage.type_in(&format!("1500.50{ENTER}"));
    cage.wait_for("form.confirm");
    cage.type_in(ENTER);
    assert!(cage.has("form.confirm"), "an Enter that is held down confirms nothing");
    cage.type_in(&format!("{TAB}{ENTER}"));
    cage.wait_for(".receipt");
    for part in ["1,500.50", "mei", "UTC+08:00", "1 movement"] {
        cage.wait_for_text(part);
    }
    let wider =
        cage.ask("return document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assert_eq!(wider, false, "nothing sticks out of a phone");
    cage.console_is_clean();
}
