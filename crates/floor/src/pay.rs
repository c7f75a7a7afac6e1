//! Hands over at the table what the jackpot has decided on claims.

use baize_jackpot::{Hit, HitState, Jackpot};
use baize_rules::{BoxNumber, Cites, Claim, Money};
use baize_table::{Command, JackpotPayment, Outcome, Phase, Table, decide, record};

use crate::act::Work;
use crate::{AwardTransfer, Fact, Stop};

/// Whether the jackpot has decided on a claim that the table has not handed over yet.
#[must_use]
pub fn owes(name: &str, table: &Table, jackpot: &Jackpot) -> bool {
    decided(name, table, jackpot).next().is_some()
}

/// The claims that the jackpot has not decided, as far as the table knows.
fn claims(table: &Table) -> &[Claim] {
    match &table.round.phase {
        Phase::Finished(finished) if finished.outcome == Outcome::Settled => &finished.claims,
        Phase::Finished(_) | Phase::Idle | Phase::Betting(_) | Phase::Play(_) => &[],
    }
}

/// The hits of this round that are decided and not handed over.
fn decided<'a>(name: &'a str, table: &'a Table, jackpot: &'a Jackpot) -> impl Iterator<Item = &'a Hit> {
    let round = u64::from(table.round.number);
    let open = |hit: &&Hit| claims(table).iter().any(|claim| claim.seat == hit.claim.seat);
    let ours = jackpot.hits.iter().filter(move |hit| hit.table == name && hit.round == round);
    ours.filter(open).filter(|hit| match hit.state {
        HitState::Paid | HitState::Rejected { .. } => true,
        HitState::Pending | HitState::Reversed { .. } => false,
    })
}

/// The award of a hit that is paid.
pub(crate) fn award(hit: &Hit) -> Option<AwardTransfer> {
    let payment = hit.payment.as_ref().filter(|_| hit.state == HitState::Paid)?;
    let (amount, from_meter) = (payment.amount, payment.from_meter);
    Some(AwardTransfer { hit: hit.id, seat: payment.seat, amount, from_meter })
}

impl Work<'_> {
    /// Hands over what is decided on the round's claims.
    pub(crate) fn pay_due(&mut self) -> Result<(), Stop> {
        if claims(&self.table).is_empty() || !self.at.is_linked() {
            return Ok(());
        }
        let hits: Vec<Hit> = decided(self.at.name, &self.table, self.jackpot()?).cloned().collect();
        self.hand_over(&hits)
    }

    /// Hands over what is left of a partly undone round.
    pub(crate) fn pay_again(&mut self) -> Result<(), Stop> {
        let ids = std::mem::take(&mut self.again);
        if ids.is_empty() {
            return Ok(());
        }
        let jackpot = self.jackpot()?;
        let hit = |id: u64| jackpot.hit(id).cloned().ok_or(baize_jackpot::Refusal::NoSuchHit { hit: id });
        let hits: Vec<Hit> = ids.into_iter().map(hit).collect::<Result<_, _>>()?;
        self.hand_over(&hits)
    }

    fn hand_over(&mut self, hits: &[Hit]) -> Result<(), Stop> {
        if hits.is_empty() {
            return Ok(());
        }
        let payments = hits.iter().map(|hit| self.payment(hit)).collect();
        let command = Command::PayJackpot { payments };
        let events = decide(self.at.book, &self.table, &command)?;
        self.begin(command);
        for award in hits.iter().filter_map(award) {
            self.note(Fact::AwardDrawn(award));
        }
        for event in events {
            record(self.table.to_mut(), &event);
            self.note(Fact::Table(event));
        }
        Ok(())
    }

    /// For an award that is paid again: the paragraph that pays it with or without the dealer's hand, which still applies.
    fn paid_by(&self, seat: BoxNumber) -> Cites {
        let Phase::Finished(finished) = &self.table.round.phase else { return Cites::NONE };
        let lines = finished.boxes.iter().filter(|slip| slip.seat == seat).flat_map(|slip| &slip.lines);
        let settlement = &self.at.book.settlement;
        let either = settlement.award_with_hand.and(settlement.award_without_hand);
        let paid = lines.filter(|line| line.is_award()).flat_map(|line| line.cites.iter());
        paid.filter(|cited| either.iter().any(|paragraph| paragraph == *cited)).collect()
    }

    /// What a hit means to the table: its amount, or that it does not qualify.
    fn payment(&self, hit: &Hit) -> JackpotPayment {
        match hit.payment.as_ref().filter(|_| hit.state == HitState::Paid) {
            Some(payment) => JackpotPayment {
                seat: payment.seat,
                amount: payment.amount,
                cites: payment.cites.and(self.paid_by(payment.seat)),
                interpretation: payment.interpretation,
            },
            None => JackpotPayment {
                seat: hit.claim.seat,
                amount: Money::ZERO,
                cites: self.at.book.jackpot.table,
                interpretation: None,
            },
        }
    }
}
