//! A casino for each test, and clients that keep cookies like browsers. They check all HTML that they read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use baize_house::{Actor, Clock, CommandId, Duty, House, MoneyKind, Order, TableId, WallClock};
use baize_web::{Casino, Config, Rate};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::html;

/// A casino on its own database, which is deleted with it.
pub(crate) struct TestCasino {
    pub(crate) service: Casino,
    pub(crate) house: House,
    folder: PathBuf,
}

impl Drop for TestCasino {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub(crate) const NO_LIMIT: Rate = Rate { per_second: 0, burst: 0 };

impl TestCasino {
    /// Five tables, two jackpots, staff for every duty, no rate limits.
    pub(crate) async fn open() -> TestCasino {
        let config = Config {
            address_rate: NO_LIMIT,
            account_rate: NO_LIMIT,
            log_in_rate: NO_LIMIT,
            ..Config::default()
        };
        TestCasino::with(config).await
    }

    pub(crate) async fn with(config: Config) -> TestCasino {
        TestCasino::at(config, Arc::new(WallClock)).await
    }

    /// With this clock.
    pub(crate) async fn at(config: Config, clock: Arc<dyn Clock>) -> TestCasino {
        TestCasino::on(config, clock, None).await
    }

    /// On this database, or on a new file.
    pub(crate) async fn on(config: Config, clock: Arc<dyn Clock>, database: Option<String>) -> TestCasino {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("baize-web-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let file = || folder.join("casino.sqlite").display().to_string();
        let house = House::open_with(&database.unwrap_or_else(file), clock).await.unwrap();
        let money = if config.play_chips.is_zero() { MoneyKind::Cash } else { MoneyKind::Practice };
        house.set_up_for(money).await.unwrap();
        for duty in Duty::ALL {
            house.create_staff(&Actor::House, &duty.code().parse().unwrap(), None, &[duty]).await.unwrap();
        }
        for table in house.tables().await.unwrap() {
            assign(&house, &table.id, "dealer").await;
        }
        TestCasino { service: baize_web::casino(house.clone(), config), house, folder }
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("casino.sqlite")
    }

    /// A new browser.
    pub(crate) fn client(&self) -> Client {
        Client { service: self.service.clone(), cookies: BTreeMap::new(), base: String::new() }
    }

    /// A browser with a new player logged in.
    pub(crate) async fn player(&self, name: &str) -> Client {
        let mut client = self.client();
        let answer = client.form("/", "/join", &[("name", name)]).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        client
    }

    /// A browser with a member of staff logged in by a one-time link.
    pub(crate) async fn staff(&self, duty: Duty) -> Client {
        let whom = Actor::staff(duty.code().parse().unwrap(), [duty]);
        let link = self.house.one_time_link(&Actor::House, &whom).await.unwrap();
        let mut client = self.client();
        let path = format!("/in/{}", link.secret);
        let answer = client.form(&path, &path, &[]).await;
        assert_eq!(answer.status, StatusCode::OK);
        client
    }
}

/// Assigns a dealer to a table.
pub(crate) async fn assign(house: &House, table: &TableId, dealer: &str) {
    let assign = Order::Assign { dealer: dealer.parse().unwrap() };
    house.act(&Actor::House, table, &CommandId::random(), assign).await.unwrap();
}

/// A browser: sends requests and keeps cookies.
#[derive(Clone)]
pub(crate) struct Client {
    service: Casino,
    pub(crate) cookies: BTreeMap<String, String>,
    pub(crate) base: String,
}

/// A complete response.
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Response {
    /// Reads a response to its end and checks HTML.
    pub(crate) async fn read(response: axum::response::Response) -> Response {
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, 64 << 20).await.unwrap();
        let response = Response { status: parts.status, headers: parts.headers, body };
        // What is compressed is checked elsewhere.
        if response.header("content-type").starts_with("text/html")
            && response.header("content-encoding").is_empty()
        {
            html::check(&response.text());
        }
        response
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

/// The value of a hidden field on a page.
pub(crate) fn field(page: &str, name: &str) -> String {
    let mark = format!("name=\"{name}\" value=\"");
    let start = page.find(&mark).unwrap_or_else(|| panic!("no field {name} in {page}")) + mark.len();
    page[start..].split('"').next().unwrap().to_owned()
}

pub(crate) fn encoded(fields: &[(&str, &str)]) -> String {
    let escape = |text: &str| {
        text.bytes()
            .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
            .collect::<String>()
    };
    fields
        .iter()
        .map(|(name, value)| format!("{}={}", escape(name), escape(value)))
        .collect::<Vec<_>>()
        .join("&")
}

impl Client {
    pub(crate) fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let builder = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(header::HOST, "casino.test");
        if cookies.is_empty() { builder } else { builder.header(header::COOKIE, cookies.join("; ")) }
    }

    /// The same browser at another host of the casino.
    pub(crate) fn at(&self, host: &Casino) -> Client {
        Client { service: host.clone(), ..self.clone() }
    }

    /// Sends a request and returns the response unread, for event streams.
    pub(crate) async fn open(&mut self, request: Request<Body>) -> axum::response::Response {
        let response = self.service.clone().oneshot(request).await.unwrap();
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if rest.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        response
    }

    pub(crate) async fn send(&mut self, request: Request<Body>) -> Response {
        Response::read(self.open(request).await).await
    }

    pub(crate) async fn get(&mut self, path: &str) -> Response {
        let request = self.request(Method::GET, path).body(Body::empty()).unwrap();
        self.send(request).await
    }

    /// Posts these fields.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Response {
        let request = self
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header("origin", "http://casino.test")
            .body(Body::from(encoded(fields)))
            .unwrap();
        self.send(request).await
    }

    /// Loads a page and posts a form with the page's token and id.
    pub(crate) async fn form(&mut self, page: &str, action: &str, fields: &[(&str, &str)]) -> Response {
        let page = self.get(page).await.text();
        let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
        let mut all = vec![("csrf", csrf.as_str()), ("id", id.as_str())];
        all.extend_from_slice(fields);
        self.post(action, &all).await
    }

    /// Sends JSON with a CSRF token.
    pub(crate) async fn json(&mut self, method: Method, path: &str, body: Option<&Value>) -> Response {
        let page = self.get("/login").await.text();
        let mut request = self.request(method, path).header("x-csrf-token", field(&page, "csrf"));
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.send(request.body(body).unwrap()).await
    }
}
