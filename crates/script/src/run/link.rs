//! stub

use baize_rules::{Money, Percent};
use baize_table::{Event, JackpotPayment, Table};

use super::TableRun;
use crate::transcript::Refused;

#[derive(Debug, Clone)]
pub(super) struct Link {
    meter: Money,
}
impl Default for Link {
    fn default() -> Link {
        Link { meter: Money::from_dollars(100_000) }
    }
}
impl Link {
    pub(super) fn set_meter(&mut self, meter: Money) {
        self.meter = meter;
    }
    pub(super) fn set_reset(&mut self, _: Money) {}
    pub(super) fn set_wager(&mut self, _: Money) {}
    pub(super) fn set_rate(&mut self, _: Percent) -> Result<(), Refused> {
        Ok(())
    }
    pub(super) fn displayed(&self) -> Money {
        self.meter
    }
    pub(super) fn record(&mut self, _: usize, _: &TableRun, _: &Table, _: &[Event]) -> Result<(), Refused> {
        Ok(())
    }
    pub(super) fn take_payments(&mut self) -> Vec<(usize, Vec<JackpotPayment>)> {
        Vec::new()
    }
}
