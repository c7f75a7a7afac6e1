//! What the server counts about itself, in the text format of Prometheus. No name of a person is in it.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of the latency buckets, in thousandths of a second.
const BOUNDS_MS: [u64; 9] = [1, 5, 10, 25, 50, 100, 250, 1_000, 5_000];

/// Counters.
#[derive(Default)]
pub(crate) struct Metrics {
    statuses: [AtomicU64; 5],
    latencies: [AtomicU64; BOUNDS_MS.len() + 1],
    latency_micros: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) limited: AtomicU64,
    pub(crate) forged: AtomicU64,
    pub(crate) streams: AtomicI64,
    pub(crate) streams_dropped: AtomicU64,
    pub(crate) events_sent: AtomicU64,
}

impl Metrics {
    /// Notes an answered request.
    pub(crate) fn answered(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.statuses[class].fetch_add(1, Relaxed);
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let place = BOUNDS_MS.iter().position(|bound| ms < *bound).unwrap_or(BOUNDS_MS.len());
        self.latencies[place].fetch_add(1, Relaxed);
        self.latency_micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
    }

    /// All counters, with gauges that the house gave: name, help, labelled values.
    pub(crate) fn text(&self, gauges: &[Gauge]) -> String {
        let mut text = String::new();
        heading(&mut text, "baize_http_requests_total", "counter", "Answered requests by class of status.");
        for (n, count) in self.statuses.iter().enumerate() {
            let _ =
                writeln!(text, "baize_http_requests_total{{status=\"{}xx\"}} {}", n + 1, count.load(Relaxed));
        }
        let name = "baize_http_request_duration_seconds";
        heading(&mut text, name, "histogram", "Time from request to answer; event streams are not counted.");
        let mut sum = 0;
        for (bound, count) in BOUNDS_MS.iter().zip(&self.latencies) {
            sum += count.load(Relaxed);
            let _ = writeln!(text, "{name}_bucket{{le=\"{}.{:03}\"}} {sum}", bound / 1_000, bound % 1_000);
        }
        sum += self.latencies[BOUNDS_MS.len()].load(Relaxed);
        let micros = self.latency_micros.load(Relaxed);
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {sum}");
        let _ = writeln!(text, "{name}_sum {}.{:06}", micros / 1_000_000, micros % 1_000_000);
        let _ = writeln!(text, "{name}_count {sum}");
        let counters = [
            ("baize_orders_refused_total", "Orders that the rules or the house refused.", &self.refused),
            ("baize_rate_limited_total", "Requests over a rate limit.", &self.limited),
            ("baize_forged_requests_total", "State changes without a good token or origin.", &self.forged),
            (
                "baize_event_streams_dropped_total",
                "Event streams closed because nobody read them.",
                &self.streams_dropped,
            ),
            ("baize_events_sent_total", "Events sent to browsers.", &self.events_sent),
        ];
        for (name, help, count) in counters {
            heading(&mut text, name, "counter", help);
            let _ = writeln!(text, "{name} {}", count.load(Relaxed));
        }
        heading(&mut text, "baize_event_streams", "gauge", "Open event streams.");
        let _ = writeln!(text, "baize_event_streams {}", self.streams.load(Relaxed));
        for gauge in gauges {
            heading(&mut text, gauge.name, "gauge", gauge.help);
            for (labels, value) in &gauge.values {
                let _ = writeln!(text, "{}{labels} {value}", gauge.name);
            }
        }
        text
    }
}

/// A value of the house at the moment of asking.
pub(crate) struct Gauge {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    /// Labels in braces, and the value.
    pub(crate) values: Vec<(String, String)>,
}

fn heading(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}
