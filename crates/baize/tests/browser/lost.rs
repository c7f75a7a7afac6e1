//! A database behind a connection that breaks: the page itself repeats a request with unknown outcome, and a database with
//! missing entries has to be accepted by a Shift Manager.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::casino::Casino;
use crate::driver::{Browser, Driver, http};
use crate::server::Server;

/// Everything comes through.
const WHOLE: u8 = 0;
/// The next order reaches the server, and breaks the line.
const ARMED: u8 = 1;
/// No answers come back, and no connection gets through.
const BROKEN: u8 = 2;

/// The kinds of entries that the orders of these tests write. Only the statement that writes an order names its kind and its id.
const ORDERS: [&[u8]; 2] = [b"wager-placed", b"bought-in"];

/// A line to the server that breaks between an order and its answer.
struct Line {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is: AtomicU8,
    /// The id of the page whose order breaks it.
    id: Mutex<Vec<u8>>,
}

impl Line {
    fn to(server: SocketAddr) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, state) = (listener.local_addr().unwrap(), Arc::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(server) else { continue };
                if shared.is.load(Ordering::SeqCst) == BROKEN {
                    continue;
                }
                carry(&client, &server, &shared, true);
                carry(&server, &client, &shared, false);
            }
        });
        Line { address, state }
    }

    fn set(&self, state: u8) {
        self.state.is.store(state, Ordering::SeqCst);
    }

    /// Breaks when the form of a page with this id is written: the id of its command begins with it.
    fn arm(&self, id: &Value) {
        *self.state.id.lock().unwrap() = id.as_str().unwrap().as_bytes().to_vec();
        self.set(ARMED);
    }

    fn is(&self, state: u8) -> bool {
        self.state.is.load(Ordering::SeqCst) == state
    }
}

fn carry(from: &TcpStream, to: &TcpStream, state: &Arc<State>, up: bool) {
    let (mut from, mut to, state) = (from.try_clone().unwrap(), to.try_clone().unwrap(), Arc::clone(state));
    std::thread::spawn(move || {
        let mut part = [0; 65_536];
        while let Ok(read) = from.read(&mut part) {
            let has = |what: &[u8]| part[..read].windows(what.len()).any(|bytes| bytes == what);
            // The house writes entries of its own too: only this order breaks the line.
            let id = state.id.lock().unwrap().clone();
            if up && !id.is_empty() && has(&id) && ORDERS.iter().any(|kind| has(kind)) {
                let _ = state.is.compare_exchange(ARMED, BROKEN, Ordering::SeqCst, Ordering::SeqCst);
            }
            let lost = !up && state.is.load(Ordering::SeqCst) == BROKEN;
            if read == 0 || lost || to.write_all(&part[..read]).is_err() {
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    });
}

/// A casino on PostgreSQL, and the line between them.
fn behind_a_line() -> (Casino, Line) {
    let database = Server::the().database();
    let place = database.split(['/', '?']).nth(2).unwrap().rsplit('@').next().unwrap().to_owned();
    let line = Line::to(place.parse().unwrap());
    let through = database.replace(&place, &line.address.to_string());
    (Casino::on(Some(through), &["--count-late"]), line)
}

/// Waits for something that is not on a page.
fn wait(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// What the page says is in the purse.
fn purse(browser: &Browser) -> Value {
    browser.ask("return Number(document.querySelector('.purse').innerText.replace(/[^0-9.]/g, ''))")
}

#[test]
fn the_page_repeats_an_order_with_a_lost_answer_and_it_is_done_once() {
    let driver = Driver::start();
    let (casino, line) = behind_a_line();
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rh-1");
    player.wait_for_text("10,000.00");
    for part in ["503", "504", "ERR_INCOMPLETE_CHUNKED", "ERR_NETWORK", "ERR_EMPTY"] {
        player.means(part);
    }
    // What the form will bet, once.
    let once = player.ask(
        "const bets = [...document.querySelectorAll('#rail form.bets :is([name=ante], [name=bonus], [name=jackpot])')];
         return 10000 - bets.reduce((sum, field) => sum + Number(field.value), 0)",
    );
    // A live update gives the form another id: the order is sent with the one that breaks the line.
    line.arm(&player.ask(
        "const id = document.querySelector('#rail form.bets input[name=id]').value;
         const keep = event => { event.target.querySelector('input[name=id]').value = id };
         document.addEventListener('submit', keep, { capture: true, once: true });
         return id",
    ));
    player.click("#rail form.bets button.primary");
    wait("the order to be on its way", || line.is(BROKEN));
    player.wait_for_text("not known yet whether this was done");
    assert!(!player.text().to_lowercase().contains("nothing was changed"), "{}", player.text());
    line.set(WHOLE);
    // By itself, under the same id: the bet was made once, and the cards come.
    player.wait("cards", |browser| browser.has("#rail [data-key=f]") || browser.has("#rail [data-key=l]"));
    player.go(&casino.address("/table/rh-1"));
    assert_eq!(purse(&player), once);
}

#[test]
fn the_cages_form_keeps_its_id_until_it_is_answered() {
    let driver = Driver::start();
    let (casino, line) = behind_a_line();
    let cage = driver.browser(1280, 900);
    casino.open_counter(&cage, "mei");
    for part in ["503", "504", "ERR_INCOMPLETE_CHUNKED", "ERR_NETWORK", "ERR_EMPTY"] {
        cage.means(part);
    }
    cage.type_in("1500.50\u{e007}");
    cage.wait_for("form.confirm");
    let id = cage.ask("return document.querySelector('form.confirm input[name=id]').value");
    line.arm(&id);
    cage.click("form.confirm button[type=submit]");
    wait("the order to be on its way", || line.is(BROKEN));
    cage.wait_for("form[data-again]");
    assert_eq!(cage.ask("return document.querySelector('form[data-again] input[name=id]').value"), id);
    line.set(WHOLE);
    cage.wait_for(".receipt");
    for part in ["1,500.50", "1 movement"] {
        cage.wait_for_text(part);
    }
}

#[test]
fn a_shift_manager_accepts_an_older_database_on_the_pit_board() {
    let driver = Driver::start();
    let server = Server::the();
    let database = server.database();
    let casino = Casino::on(Some(database.clone()), &["--count-late"]);
    let (shift, supervisor) = (driver.browser(1280, 900), driver.browser(1280, 900));
    casino.let_in(&shift, "shift manager");
    casino.let_in(&supervisor, "pit supervisor");
    let name = Server::name(&database).to_owned();
    let copy = format!("{name}_backup");
    server.copy(&name, &copy);
    // What is answered from here on is not in the copy.
    let player = driver.browser(1280, 900);
    casino.sit(&player, "rh-1");
    player.click("#rail form.bets button.primary");
    player.wait("cards", |browser| browser.has("#rail [data-key=f]") || browser.has("#rail [data-key=l]"));
    server.restore(&name, &copy);
    let health = || http(casino.port, "GET", "/healthz", None).unwrap_or_default();
    wait("the host to notice", || health().contains("behind") || health().contains("does not have entry"));
    for browser in [&shift, &supervisor] {
        for part in ["401", "503", "ERR_INCOMPLETE_CHUNKED"] {
            browser.means(part);
        }
        browser.go(&casino.address("/pit"));
        browser.wait_for_text("The database is behind");
    }
    assert!(!supervisor.has("form[action='/pit/database']"), "it is not theirs to decide");
    shift.fill("form[action='/pit/database'] input[name=reason]", "the disk failed");
    shift.click("form[action='/pit/database'] button.danger");
    shift.wait("the board goes on", |browser| !browser.text().contains("The database is behind"));
    shift.wait_for_text("the disk failed");
    wait("the casino is well", || health().contains("\"ok\""));
    // New players can play now.
    let other = driver.browser(1280, 900);
    casino.sit(&other, "rh-1");
    other.click("#rail form.bets button.primary");
    other.wait("cards", |browser| browser.has("#rail [data-key=f]") || browser.has("#rail [data-key=l]"));
}
