//! Gauges, read from the house when metrics are requested.

use baize_house::{JackpotView, TableInfo};
use baize_table::PhaseName;

use super::app::App;

/// A gauge.
pub(crate) struct Gauge {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    /// Labels in braces, with the value.
    pub(crate) values: Vec<(String, String)>,
}

fn one(name: &'static str, help: &'static str, value: impl ToString) -> Gauge {
    Gauge { name, help, values: vec![(String::new(), value.to_string())] }
}

/// All gauges; those that cannot be read now are left out. `database_up`: the database is healthy.
pub(crate) async fn read(app: &App, database_up: bool) -> Vec<Gauge> {
    let mut gauges = vec![
        one("baize_database_up", "Whether the database accepts writes.", u8::from(database_up)),
        one(
            "baize_database_behind",
            "Whether the database lacks entries that this host has seen: an older copy was restored or promoted.",
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
    if let (true, Ok(standbys)) = (database_up, app.house.standbys().await) {
        let values = standbys
            .by_state
            .iter()
            .map(|(state, count)| (format!("{{state=\"{state}\"}}"), count.to_string()));
        gauges.push(Gauge {
            name: "baize_database_standbys",
            help: "PostgreSQL standbys by replication state.",
            values: values.collect(),
        });
        let behind = standbys.behind_bytes.unwrap_or(0);
        let help = "Replication lag of the slowest standby, in bytes.";
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
            "Tables waiting for a ruling or for players' choices.",
            count(|table| table.waiting),
        ),
        one(
            "baize_tables_halted",
            "Tables halted because their record is damaged.",
            count(|table| table.halted.is_some()),
        ),
        one(
            "baize_tables_closed",
            "Tables that are closed or closing.",
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
        each("baize_jackpot_dollars", "The displayed jackpot meters.", |jackpot| {
            jackpot.displayed.to_string()
        }),
        each("baize_jackpot_hits_pending", "Hits waiting to be verified or confirmed.", |jackpot| {
            jackpot.pending.len().to_string()
        }),
        each("baize_jackpot_stopped", "Whether jackpot wagers are stopped.", |jackpot| {
            u8::from(jackpot.stopped.is_some()).to_string()
        }),
    ]
}
