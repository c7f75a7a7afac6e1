//! What the server counts about itself, in the text format of Prometheus. No name of a person is in it.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use baize_house::{Histogram, HouseMetrics};

use super::gauges::Gauge;

/// Counters.
#[derive(Default)]
pub(crate) struct Metrics {
    statuses: [AtomicU64; 5],
    seconds: Histogram,
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
        self.seconds.note(took);
    }

    /// All counters of the server and of the house, with gauges: name, help, labelled values.
    pub(crate) fn text(&self, house: &HouseMetrics, gauges: &[Gauge]) -> String {
        let mut text = String::new();
        heading(&mut text, "baize_http_requests_total", "counter", "Answered requests by class of status.");
        for (n, count) in self.statuses.iter().enumerate() {
            let _ =
                writeln!(text, "baize_http_requests_total{{status=\"{}xx\"}} {}", n + 1, count.load(Relaxed));
        }
        histogram(
            &mut text,
            "baize_http_request_duration_seconds",
            "Time from request to answer; event streams are not counted.",
            &self.seconds,
        );
        heading(&mut text, "baize_orders_total", "counter", "Orders at tables by outcome: done, or why not.");
        for (outcome, count) in house.orders() {
            let _ = writeln!(text, "baize_orders_total{{outcome=\"{outcome}\"}} {count}");
        }
        histogram(
            &mut text,
            "baize_order_duration_seconds",
            "Time from an order to its answer.",
            &house.order_seconds,
        );
        histogram(
            &mut text,
            "baize_write_duration_seconds",
            "Time until the database has flushed what it was handed.",
            &house.write_seconds,
        );
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
            (
                "baize_conflicts_total",
                "Orders worked out again because others were faster.",
                &house.conflicts,
            ),
            ("baize_faults_total", "Requests that the program failed to answer (5xx).", &self.statuses[4]),
        ];
        for (name, help, count) in counters {
            heading(&mut text, name, "counter", help);
            let _ = writeln!(text, "{name} {}", count.load(Relaxed));
        }
        heading(&mut text, "baize_event_streams", "gauge", "Open event streams.");
        let _ = writeln!(text, "baize_event_streams {}", self.streams.load(Relaxed));
        heading(
            &mut text,
            "baize_writes_waiting",
            "gauge",
            "What was handed to the database and is not durable yet.",
        );
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
