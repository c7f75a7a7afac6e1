//! Load benchmark: 200 viewers of one table and 100 busy tables dealt by the house, over real sockets in one process. Prints the latency of
//! requests, the time for an action to reach other browsers, and page sizes.
//!
//! `cargo bench -p baize-web --bench floor -- [SECONDS] [TABLES] [VIEWERS]`

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use baize_house::{Actor, House, TableConfig, TableId};
use baize_rules::{Money, Rulebook};
use baize_web::{Config, Rate};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// All viewers and robots connect at once, which no real casino sees; propagation is measured only after this time.
const WARM_UP: Duration = Duration::from_secs(2);

/// Time between two actions of a robot.
const THINKING: Duration = Duration::from_millis(250);

type AnyResult<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A keep-alive connection.
struct Connection {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Connection {
    async fn open(address: SocketAddr, token: &str) -> AnyResult<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream), token: token.to_owned() })
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
        encoding: &str,
    ) -> AnyResult<(u16, Vec<u8>)> {
        let bearer = if self.token.is_empty() {
            String::new()
        } else {
            format!("Authorization: Bearer {}\r\n", self.token)
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{bearer}Content-Type: application/json\r\nAccept-Encoding: {encoding}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(head.as_bytes()).await?;
        self.answer().await
    }

    async fn answer(&mut self) -> AnyResult<(u16, Vec<u8>)> {
        let (mut status, mut length, mut chunked) = (0, 0, false);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the connection was closed".into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.split(' ').next().unwrap_or_default().parse()?;
            } else if let Some(rest) = line.strip_prefix("content-length:") {
                length = rest.trim().parse()?;
            } else if line.starts_with("transfer-encoding:") {
                chunked = true;
            }
        }
        let mut body = Vec::new();
        if !chunked {
            body.resize(length, 0);
            self.stream.read_exact(&mut body).await?;
            return Ok((status, body));
        }
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await?;
            let size = usize::from_str_radix(line.trim(), 16)?;
            let start = body.len();
            body.resize(start + size + 2, 0);
            self.stream.read_exact(&mut body[start..]).await?;
            body.truncate(start + size);
            if size == 0 {
                return Ok((status, body));
            }
        }
    }
}

type Times = Arc<Mutex<Vec<Duration>>>;

fn record(times: &Times, took: Duration) {
    times.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(took);
}

/// The next orders of a robot, from its view of the table.
fn next(view: &Value, table: &str, number: u64) -> Vec<Value> {
    let legal = &view["legal"];
    let seat = |name: &str| legal[name].get(0).cloned().filter(|seat| !seat.is_null());
    let order = |n: u64, order: Value| json!({ "id": format!("{table}.{number}.{n}"), "order": order });
    let command = |name: &str, seat: Value| {
        order(0, json!({ "order": "table", "command": { "command": name, "seat": seat } }))
    };
    match view["round"]["phase"].as_str() {
        Some("idle" | "finished") => vec![
            order(
                0,
                json!({ "order": "bet", "wagers": [{ "seat": 1, "area": "ante", "amount": "10.00" }, { "seat": 1, "area": "jackpot", "amount": "5.00" }] }),
            ),
            order(1, json!({ "order": "ready" })),
        ],
        Some("betting") => vec![order(1, json!({ "order": "ready" }))],
        _ => {
            let look = seat("looks").map(|seat| command("look", seat));
            let fold = seat("folds").map(|seat| command("fold", seat));
            let check = seat("checks").map(|seat| command("check", seat));
            let raise = legal["wagers"].get(0).map(|wager| {
                order(0, json!({ "order": "table", "command": { "command": "place-wager", "seat": wager["seat"], "player": wager["players"]["only"],
                    "area": wager["area"], "amount": wager["amounts"]["to"], "unnoticed": false, "placed_by": null } }))
            });
            look.or(raise).or(check).or(fold).into_iter().collect()
        }
    }
}

/// Plays at a table until the deadline; returns the number of orders carried out.
async fn robot(
    address: SocketAddr,
    table: String,
    token: String,
    until: Instant,
    requests: Times,
    acted: Option<Arc<Mutex<Vec<Instant>>>>,
) -> AnyResult<u64> {
    let mut connection = Connection::open(address, &token).await?;
    let (mut number, mut carried_out) = (0, 0);
    while Instant::now() < until {
        let start = Instant::now();
        let (status, body) =
            connection.send("GET", &format!("/api/v1/tables/{table}/view"), "", "identity").await?;
        record(&requests, start.elapsed());
        if status != 200 {
            return Err(format!("view: {status}").into());
        }
        number += 1;
        for order in next(&serde_json::from_slice(&body)?, &table, number) {
            let start = Instant::now();
            let (status, body) = connection
                .send("POST", &format!("/api/v1/tables/{table}/orders"), &order.to_string(), "identity")
                .await?;
            record(&requests, start.elapsed());
            if status == 200 {
                carried_out += 1;
                if let Some(acted) = &acted {
                    acted.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(start);
                }
            } else if status >= 500 {
                return Err(format!("order: {status} {}", String::from_utf8_lossy(&body)).into());
            }
        }
        tokio::time::sleep(THINKING).await;
    }
    Ok(carried_out)
}

/// Watches a table and records when events arrive.
async fn viewer(address: SocketAddr, until: Instant, received: Arc<Mutex<Vec<Instant>>>) -> AnyResult<()> {
    let mut connection = Connection::open(address, "").await?;
    connection
        .stream
        .get_mut()
        .write_all(b"GET /events/table/watched HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .await?;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = tokio::time::timeout_at(until.into(), connection.stream.read_until(b'\n', &mut line));
        let Ok(read) = read.await else { return Ok(()) };
        if read? == 0 {
            return Err("the stream was closed".into());
        }
        if line.starts_with(b"id:") {
            received.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(Instant::now());
        }
    }
}

fn print_latencies(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |per_mille: usize| {
        times
            .get((times.len() * per_mille / 1_000).min(times.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1_000.0);
    println!(
        "{name:<44} {:>8}   p50 {:>9}   p99 {:>9}   max {:>9}",
        times.len(),
        ms(at(500)),
        ms(at(990)),
        ms(at(1_000))
    );
}

async fn sizes(address: SocketAddr) -> AnyResult<()> {
    println!("\npage sizes, compressed with gzip:");
    let mut connection = Connection::open(address, "").await?;
    let (_, page) = connection.send("GET", "/table/watched", "", "identity").await?;
    let page = String::from_utf8_lossy(&page).into_owned();
    let asset = |name: &str| page.split('"').find(|part| part.starts_with(name)).unwrap_or(name).to_owned();
    let mut sum = 0;
    for path in ["/table/watched".to_owned(), asset("/assets/baize.css"), asset("/assets/baize.js")] {
        let (_, body) = connection.send("GET", &path, "", "gzip").await?;
        sum += body.len();
        println!("  {:<40} {:>7} bytes", path.split('?').next().unwrap_or_default(), body.len());
    }
    println!("  {:<40} {sum:>7} bytes", "the table page with its assets");
    for path in ["/", "/rules", "/history", "/odds"] {
        let (_, body) = connection.send("GET", path, "", "gzip").await?;
        println!("  {path:<40} {:>7} bytes", body.len());
    }
    Ok(())
}

async fn bench(seconds: u64, tables: usize, viewers: usize) -> AnyResult<()> {
    let folder = std::env::temp_dir().join(format!("baize-floor-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let house = House::open(&folder.join("casino.sqlite").display().to_string()).await?;
    house.set_up_default().await?;
    let books = Rulebook::builtins();
    let mut names = vec!["watched".to_owned()];
    names.extend((1..=tables).map(|n| format!("busy-{n}")));
    let mut seats = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let (id, book): (TableId, &Rulebook) = (name.parse()?, &books[n % books.len()]);
        house.create_table(&Actor::House, TableConfig::usual(id, book, Some(book.operator.parse()?))).await?;
        let player: baize_house::PlayerId = format!("p-{name}").parse()?;
        house.create_player(&player, None, Money::from_dollars(1_000_000)).await?;
        seats.push((name.clone(), house.start_session(&Actor::player(player)).await?.secret));
    }
    let no_limit = Rate { per_second: 0, burst: 0 };
    let config = Config {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        address_rate: no_limit,
        account_rate: no_limit,
        log_in_rate: no_limit,
        ..Config::default()
    };
    let (sender, bound) = tokio::sync::oneshot::channel();
    let server = baize_web::Server::bind(&config).await?;
    tokio::spawn(server.run(house, config, async move |address| {
        let _ = sender.send(address);
    }));
    let address = bound.await?;
    println!("{viewers} viewers of one table, {tables} busy tables, {seconds} s at {address}");
    let counted_from = Instant::now() + WARM_UP;
    let until = counted_from + Duration::from_secs(seconds);
    let received: Vec<Arc<Mutex<Vec<Instant>>>> = (0..viewers).map(|_| Arc::default()).collect();
    let watching: Vec<_> = received
        .iter()
        .map(|received| {
            tokio::spawn(viewer(address, until + Duration::from_millis(500), Arc::clone(received)))
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let (requests, acted): (Times, Arc<Mutex<Vec<Instant>>>) = (Times::default(), Arc::default());
    let playing: Vec<_> = seats
        .into_iter()
        .enumerate()
        .map(|(n, (table, token))| {
            tokio::spawn(robot(
                address,
                table,
                token,
                until,
                Arc::clone(&requests),
                (n == 0).then(|| Arc::clone(&acted)),
            ))
        })
        .collect();
    let mut carried_out = 0;
    for one in playing {
        carried_out += one.await??;
    }
    for one in watching {
        one.await??;
    }
    let mut acted = acted.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    acted.retain(|at| *at >= counted_from);
    let mut reached = Vec::new();
    for received in &received {
        let received = received.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        reached.extend(acted.iter().filter_map(|at| {
            received.iter().find(|received| *received >= at).map(|received| *received - *at)
        }));
    }
    let requests = std::mem::take(&mut *requests.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    let per_second = |count: f64| count / (WARM_UP.as_secs() + seconds) as f64;
    println!(
        "{:.0} requests per second, {:.0} of them orders carried out",
        per_second(requests.len() as f64),
        per_second(carried_out as f64)
    );
    print_latencies("requests", requests);
    print_latencies("from an action to another browser", reached);
    sizes(address).await?;
    let _ = std::fs::remove_dir_all(folder);
    Ok(())
}

fn main() -> AnyResult<()> {
    let mut numbers = std::env::args().skip(1).filter_map(|text| text.parse::<usize>().ok());
    let (seconds, tables, viewers) =
        (numbers.next().unwrap_or(15), numbers.next().unwrap_or(100), numbers.next().unwrap_or(200));
    tokio::runtime::Runtime::new()?.block_on(bench(u64::try_from(seconds)?, tables, viewers))
}
