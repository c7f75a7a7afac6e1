//! Event streams: the first event, events after changes, reconnecting.

use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use tokio_stream::StreamExt as _;

use crate::client::{Client, TestCasino};
use crate::html;

/// An open event stream.
pub(crate) struct Reader {
    body: axum::body::BodyDataStream,
    text: String,
}

/// One event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) data: String,
}

impl Reader {
    pub(crate) async fn open(client: &mut Client, path: &str, last: Option<&str>) -> Reader {
        let mut request = client.request(Method::GET, path);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = client.open(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/event-stream", "{path}");
        Reader { body: response.into_body().into_data_stream(), text: String::new() }
    }

    /// Whether the stream ends; skips events. False after five seconds of silence.
    pub(crate) async fn ends(&mut self) -> bool {
        loop {
            match tokio::time::timeout(Duration::from_secs(5), self.body.next()).await {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    /// The next event, if one comes soon.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let of = event
                        .lines()
                        .filter_map(|line| line.strip_prefix(name))
                        .map(|v| v.strip_prefix(' ').unwrap_or(v));
                    of.collect::<Vec<_>>().join("\n")
                };
                let event = Event { id: field("id:"), data: field("data:") };
                self.text = rest.to_owned();
                if event.data.is_empty() {
                    continue;
                }
                if event.data.starts_with('<') {
                    html::check(&event.data);
                }
                return Some(event);
            }
            let more = tokio::time::timeout(Duration::from_millis(1_500), self.body.next()).await.ok()??;
            self.text.push_str(&String::from_utf8_lossy(&more.unwrap()));
        }
    }
}

async fn bet(client: &mut Client, seat: &str) {
    let answer = client
        .form("/table/rh-1", "/table/rh-1/do", &[("do", "bet"), ("seat", seat), ("ante", "10.00")])
        .await;
    assert!(answer.status.is_redirection(), "{}", answer.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_reaches_other_readers() {
    let casino = TestCasino::open().await;
    let (mut ann, mut bob) = (casino.player("ann").await, casino.player("bob").await);
    for path in [
        "/events/table/rh-1",
        "/events/lobby",
        "/events/sign/RWS",
        "/api/v1/tables/rh-1/events",
        "/api/v1/events",
    ] {
        let mut reader = Reader::open(&mut bob, path, None).await;
        assert!(reader.next().await.is_some(), "{path}: the current state comes first");
    }
    let mut reader = Reader::open(&mut bob, "/events/table/rh-1", None).await;
    reader.next().await.unwrap();
    bet(&mut ann, "3").await;
    let event = reader.next().await.unwrap();
    assert!(event.data.contains("id=\"rail\"") && event.data.contains("ann"), "{}", event.data);
    assert!(event.id.parse::<u64>().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_who_reconnects_gets_the_current_state() {
    let casino = TestCasino::open().await;
    let (mut ann, mut bob) = (casino.player("ann").await, casino.player("bob").await);
    bet(&mut ann, "3").await;
    let mut reader = Reader::open(&mut bob, "/events/table/rh-1", None).await;
    let seen = reader.next().await.unwrap();
    drop(reader);
    // Tables are written concurrently, so no id proves that nothing was missed: the state always comes first.
    let mut reader = Reader::open(&mut bob, "/events/table/rh-1", Some(&seen.id)).await;
    assert!(reader.next().await.is_some(), "the current state");
    drop(reader);
    bet(&mut bob, "4").await;
    let mut reader = Reader::open(&mut bob, "/events/table/rh-1", Some(&seen.id)).await;
    let missed = reader.next().await.unwrap();
    assert!(
        missed.data.contains("bob") && missed.id.parse::<u64>().unwrap() > seen.id.parse::<u64>().unwrap()
    );
    // Unknown and invalid ids are accepted.
    for last in ["0", "99999999999", "-5", "x", ""] {
        Reader::open(&mut bob, "/events/table/rh-1", Some(last)).await;
    }
}

/// The `#change` of a page or an event: the run of the server, and the number of changes it had received.
fn version(html: &str) -> (String, u64) {
    let (_, rest) = html.split_once("id=\"change\" value=\"").unwrap_or_else(|| panic!("{html}"));
    let (run, number) = rest.split('"').next().unwrap().split_once('.').unwrap();
    (run.to_owned(), number.parse().unwrap())
}

/// The script uses it to ignore outdated regions.
#[tokio::test(flavor = "multi_thread")]
async fn pages_and_events_have_increasing_versions() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let page = ann.get("/table/rh-1").await.text();
    let before = version(&page);
    let start = page.find("data-events=\"").unwrap() + 13;
    let address = page[start..].split('"').next().unwrap().to_owned();
    let mut reader = Reader::open(&mut ann, &address, None).await;
    assert_eq!(version(&reader.next().await.unwrap().data).0, before.0);
    bet(&mut ann, "3").await;
    let after = loop {
        let event = reader.next().await.expect("an event for the bet");
        if event.data.contains("You have") {
            break version(&event.data);
        }
    };
    assert!(after.0 == before.0 && after.1 > before.1, "{before:?} {after:?}");
    for path in ["/", "/sign/RWS"] {
        assert!(version(&ann.get(path).await.text()).1 >= after.1, "{path}");
    }
}
