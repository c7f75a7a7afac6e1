//! Metrics that are read from the house when they are requested.

use baize_house::{JackpotView, TableInfo};
use baize_table::PhaseName;

use super::app::App;

/// A value at the moment of asking.
pub(crate) struct Gauge {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    /// Labels in braces, and the value.
    pub(crate) values: Vec<(String, String)>,
}

fn one(name: &'static str, help: &'static str, value: impl ToString) -> Gauge {
    Gauge { name, help, values: vec![(String::new(), value.to_string())] }
}

/// All values. What cannot be read now is left out.
pub(crate) async fn read(app: &App, answers: bool) -> Vec<Gauge> {
    let mut gauges = vec![
        one("baize_database_up", "Whether the database takes what is written.", u8::from(answers)),
        one(
            "baize_database_behind",
            "Whether the database has less than this host knows: an older copy was restored or promoted.",
            u8::from(app.house.behind().is_some()),
        ),
        one("baize_draining", "Whether the server is about to stop.", u8::from(app.phase.is_draining())),
        one("baize_rounds_under_way", "Tables with chips in play.", app.house.rounds_under_way()),
    ];
    if let Ok(tables) = app.house.tables().await {
        gauges.extend(of_tables(&tables));
    }
    if let Ok(jackpots) = app.house.jackpots().await {
        gauges.extend(of_jackpots(&jackpots));
    }
    if let (true, Ok(standbys)) = (answers, app.house.standbys().await) {
        let values = standbys
            .by_state
            .iter()
            .map(|(state, count)| (format!("{{state=\"{state}\"}}"), count.to_string()));
        gauges.push(Gauge {
            name: "baize_database_standbys",
            help: "Standbys of the PostgreSQL server by how they follow.",
            values: values.collect(),
        });
        let behind = standbys.behind_bytes.unwrap_or(0);
        let help = "Bytes of its log that the slowest standby has not replayed.";
        gauges.push(one("baize_database_standby_behind_bytes", help, behind));
    }
    gauges
}

fn of_tables(tables: &[TableInfo]) -> Vec<Gauge> {
    let phase = |phase: PhaseName| {
        let count = tables.iter().filter(|table| table.phase == phase).count();
        (format!("{{phase=\"{phase}\"}}"), count.to_string())
    };
    let count = |wanted: fn(&TableInfo) -> bool| tables.iter().filter(|table| wanted(table)).count();
    vec![
        Gauge {
            name: "baize_tables",
            help: "Tables by the phase of their round.",
            values: PhaseName::ALL.map(phase).into(),
        },
        one(
            "baize_guests",
            "Players at tables.",
            tables.iter().map(|table| table.guests.len()).sum::<usize>(),
        ),
        one(
            "baize_tables_waiting",
            "Tables that wait for a ruling or for choices.",
            count(|table| table.waiting),
        ),
        one(
            "baize_tables_halted",
            "Tables that are halted because of their record.",
            count(|table| table.halted.is_some()),
        ),
        one(
            "baize_tables_closed",
            "Tables that are closed or close after this round.",
            count(|table| table.closed || table.notice.is_some()),
        ),
    ]
}

fn of_jackpots(jackpots: &[JackpotView]) -> Vec<Gauge> {
    let each = |name, help, value: fn(&JackpotView) -> String| Gauge {
        name,
        help,
        values: jackpots
            .iter()
            .map(|jackpot| (format!("{{jackpot=\"{}\"}}", jackpot.id), value(jackpot)))
            .collect(),
    };
    vec![
        each("baize_jackpot_dollars", "What the signs show.", |jackpot| jackpot.displayed.to_string()),
        each("baize_jackpot_hits_pending", "Hits that wait to be verified or confirmed.", |jackpot| {
            jackpot.pending.len().to_string()
        }),
        each("baize_jackpot_stopped", "Whether no jackpot wagers are taken.", |jackpot| {
            u8::from(jackpot.stopped.is_some()).to_string()
        }),
    ]
}
