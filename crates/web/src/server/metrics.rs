//! Metrics in the Prometheus text format. They contain no names of people.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use baize_house::{Histogram, HouseMetrics};

use super::gauges::Gauge;
use super::health::HEALTH;

/// The server's counters.
#[derive(Default)]
pub(crate) struct Metrics {
    statuses: [AtomicU64; 5],
    seconds: Histogram,
    faults: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) limited: AtomicU64,
    pub(crate) forged: AtomicU64,
    pub(crate) streams: AtomicI64,
    pub(crate) streams_dropped: AtomicU64,
    pub(crate) events_sent: AtomicU64,
}

impl Metrics {
    /// Counts a response and its duration. A health check that answers 503 is no fault: a planned stop must not raise an alert.
    pub(crate) fn count_response(&self, path: &str, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.statuses[class].fetch_add(1, Relaxed);
        if status >= 500 && path != HEALTH {
            self.faults.fetch_add(1, Relaxed);
        }
        self.seconds.note(took);
    }

    /// All metrics of the server and the house, with these gauges.
    pub(crate) fn text(&self, house: &HouseMetrics, gauges: &[Gauge]) -> String {
        let mut text = String::new();
        heading(&mut text, "baize_http_requests_total", "counter", "Answered requests by status class.");
        for (n, count) in self.statuses.iter().enumerate() {
            let _ =
                writeln!(text, "baize_http_requests_total{{status=\"{}xx\"}} {}", n + 1, count.load(Relaxed));
        }
        histogram(
            &mut text,
            "baize_http_request_duration_seconds",
            "Time from request to response, without event streams.",
            &self.seconds,
        );
        heading(&mut text, "baize_orders_total", "counter", "Orders at tables by outcome.");
        for (outcome, count) in house.orders() {
            let _ = writeln!(text, "baize_orders_total{{outcome=\"{outcome}\"}} {count}");
        }
        histogram(
            &mut text,
            "baize_order_duration_seconds",
            "Time from an order to its response.",
            &house.order_seconds,
        );
        histogram(
            &mut text,
            "baize_write_duration_seconds",
            "Time until a write is durable in the database.",
            &house.write_seconds,
        );
        let counters = [
            ("baize_orders_refused_total", "Requests that the rules or the house refused.", &self.refused),
            ("baize_rate_limited_total", "Requests refused by a rate limit.", &self.limited),
            ("baize_forged_requests_total", "State changes refused for their token or origin.", &self.forged),
            (
                "baize_event_streams_dropped_total",
                "Event streams closed because the reader did not read.",
                &self.streams_dropped,
            ),
            ("baize_events_sent_total", "Events sent to browsers.", &self.events_sent),
            ("baize_conflicts_total", "Orders retried after a version conflict.", &house.conflicts),
            ("baize_faults_total", "Responses with a 5xx status, without health checks.", &self.faults),
        ];
        for (name, help, count) in counters {
            heading(&mut text, name, "counter", help);
            let _ = writeln!(text, "{name} {}", count.load(Relaxed));
        }
        heading(&mut text, "baize_event_streams", "gauge", "Open event streams.");
        let _ = writeln!(text, "baize_event_streams {}", self.streams.load(Relaxed));
        heading(&mut text, "baize_writes_waiting", "gauge", "Writes that are not durable yet.");
        let _ = writeln!(text, "baize_writes_waiting {}", house.writes_waiting.load(Relaxed));
        for gauge in gauges {
            heading(&mut text, gauge.name, "gauge", gauge.help);
            for (labels, value) in &gauge.values {
                let _ = writeln!(text, "{}{labels} {value}", gauge.name);
            }
        }
        text
    }
}

fn heading(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn histogram(text: &mut String, name: &str, help: &str, histogram: &Histogram) {
    heading(text, name, "histogram", help);
    let (buckets, micros) = histogram.read();
    for (bound, count) in &buckets {
        let bound = bound.map_or("+Inf".to_owned(), |ms| format!("{}.{:03}", ms / 1_000, ms % 1_000));
        let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {count}");
    }
    let count = buckets.last().map_or(0, |(_, count)| *count);
    let _ =
        writeln!(text, "{name}_sum {}.{:06}\n{name}_count {count}", micros / 1_000_000, micros % 1_000_000);
}
