//! What a settled round takes back from the jackpot when it, or one of its boxes, is undone.

use baize_jackpot::{Command as Request, Event as Answer, Hit, HitState, Jackpot, Refusal};
use baize_rules::{BoxNumber, Cites};
use baize_table::{Phase, Table};

use crate::act::Work;
use crate::pay::award;
use crate::{Fact, Stop, wagered};

impl Work<'_> {
    /// The round, or one of its boxes, is undone after its settlement. Awards already handed over go back, and the round's
    /// remaining awards are paid again when the command is done.
    pub(crate) fn undo(&mut self, seat: Option<BoxNumber>, cites: Cites) -> Result<(), Stop> {
        let (table, round) = (self.name(), self.round());
        let held = self.linked()?.and_then(|linked| linked.held.as_ref());
        // A round that was void before bets closed never reached the jackpot.
        let counts = held.filter(|held| held.played.round == round).is_some_and(|held| {
            seat.is_none_or(|seat| held.played.contributions.iter().any(|made| made.seat == seat))
        });
        if !counts {
            return Ok(());
        }
        let stood = self.jackpot()?.clone();
        let seats = seat.map(|seat| vec![seat]);
        for event in self.ask(Request::UndoRound { table, round, seats, cites })? {
            if let Answer::HitReversed { hit, paid: true, .. } = event {
                self.award_back(&stood, hit);
            } else if let Answer::HitsPriced { prices, .. } = event {
                for price in prices {
                    if self.award_back(&stood, price.hit) {
                        self.again.push(price.hit);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns an award that was handed over to the jackpot. Returns whether there was one.
    fn award_back(&mut self, stood: &Jackpot, hit: u64) -> bool {
        // What is paid at this table has already been handed over: that comes before every command.
        let handed = |hit: &&Hit| hit.state == HitState::Paid && hit.table == self.at.name;
        let back = stood.hit(hit).filter(handed).and_then(award);
        back.map(|back| self.note(Fact::AwardReturned(back))).is_some()
    }
}

/// Whether a jackpot may close with these tables: not while a table has wagers that the jackpot would no longer be there to
/// accept.
///
/// # Errors
/// A round is in progress.
pub fn may_close<'t>(tables: impl IntoIterator<Item = (&'t str, &'t Table)>) -> Result<(), Refusal> {
    for (name, table) in tables {
        let under_way = matches!(table.round.phase, Phase::Betting(_) | Phase::Play(_));
        if under_way && wagered(table) {
            let (table, round) = (name.to_owned(), u64::from(table.round.number));
            return Err(Refusal::RoundUnderWay { table, round });
        }
    }
    Ok(())
}
