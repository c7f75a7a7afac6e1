//! What an event at a table means to its jackpot.

use baize_jackpot::{Command as Request, OpenRound, Person, Wager};
use baize_rules::{Area, BoxNumber, Cites, Claim, Money, Role};
use baize_table::{BoxSettlement, Event, Phase, Place, ResultKind, Ruling, RulingKind};

use crate::act::Work;
use crate::{Stop, Verification, wagered};

/// What an event at a table means to its jackpot.
pub(crate) enum News<'e> {
    /// These wagers count from now on.
    BetsClosed(&'e [(BoxNumber, Money)]),
    /// A hand may have become complete.
    Dealt,
    /// The jackpot wager of a box is returned while the round continues.
    WagerReturned(BoxNumber),
    /// The jackpot wager of a settled box is returned.
    SlipCorrected(BoxNumber, Cites),
    /// Every wager is returned.
    RoundVoided(Cites),
    /// Slips and claims of the round.
    RoundSettled(&'e [BoxSettlement], &'e [Claim]),
    /// The jackpot system failed.
    Failed,
    /// The table may take jackpot wagers again.
    Restored(&'e Ruling),
}

impl Work<'_> {
    /// What an event means to the jackpot. Every event is listed: a new one does not compile until this is decided. Most rounds
    /// have no jackpot wager, and the jackpot is then not needed.
    pub(crate) fn news<'e>(&self, event: &'e Event) -> Option<News<'e>> {
        let news = match event {
            Event::Ruled { ruling, .. } => return restores(&ruling.kind).then_some(News::Restored(ruling)),
            Event::BetsClosed { jackpot } => {
                return (!jackpot.is_empty()).then_some(News::BetsClosed(jackpot));
            }
            Event::CardsDealt { to: Place::Box(_), .. }
            | Event::HandsMoved { .. }
            | Event::CardsReconstructed { .. }
            | Event::CardsShifted { .. } => self.at.dealt_first().then_some(News::Dealt)?,
            Event::HandInvalidated { seat, .. } | Event::WagerReturned { area: Area::Jackpot, seat, .. } => {
                News::WagerReturned(*seat)
            }
            Event::SlipCorrected { slip, cites } => {
                slip.returns(Area::Jackpot).then_some(News::SlipCorrected(slip.seat, *cites))?
            }
            Event::RoundVoided { cites, .. } => News::RoundVoided(*cites),
            Event::RoundSettled { boxes, claims, .. } => News::RoundSettled(boxes, claims),
            Event::JackpotFailed => News::Failed,
            Event::RoundOpened { .. }
            | Event::WagerPlaced { .. }
            | Event::WagerWithdrawn { .. }
            | Event::WagerReturned { .. }
            | Event::CardBurnt { .. }
            | Event::CardsDealt { .. }
            | Event::HandLookedAt { .. }
            | Event::DecisionMade { .. }
            | Event::CardsRevealed { .. }
            | Event::HandShown { .. }
            | Event::HandDeclined { .. }
            | Event::PlayerAbsent { .. }
            | Event::IrregularityRuled { .. }
            | Event::RulingAwaited { .. }
            | Event::OptionsGiven { .. }
            | Event::OptionChosen { .. }
            | Event::ReconstructionBegun { .. }
            | Event::CardPutBack { .. }
            | Event::CardsTakenOff { .. }
            | Event::DealerFaceUpSet { .. }
            | Event::JackpotPaid { .. } => return None,
        };
        wagered(&self.table).then_some(news)
    }

    /// Reports to the jackpot what has just happened.
    pub(crate) fn tell(&mut self, news: News<'_>) -> Result<(), Stop> {
        match news {
            News::BetsClosed(jackpot) => {
                let wagers = jackpot.iter().map(|&(seat, amount)| Wager { seat, amount }).collect();
                self.ask(Request::CloseBets { table: self.name(), round: self.round(), wagers }).map(drop)
            }
            News::Dealt => self.dealt(),
            News::WagerReturned(seat) => self.take_out(|made| made == seat),
            News::SlipCorrected(seat, cites) => self.undo(Some(seat), cites),
            News::RoundVoided(_) if self.open_round()?.is_some() => {
                self.ask(Request::VoidRound { table: self.name(), round: self.round() }).map(drop)
            }
            News::RoundVoided(cites) => self.undo(None, cites),
            News::RoundSettled(slips, claims) => self.settle(slips, claims),
            News::Failed => self.failed(),
            News::Restored(ruling) => self.restore(ruled_by(ruling)),
        }
    }

    pub(crate) fn name(&self) -> String {
        self.at.name.to_owned()
    }

    /// The round's number at the jackpot, if it counts wagers of the round.
    fn open_round(&self) -> Result<Option<&OpenRound>, Stop> {
        let round = self.round();
        let open = self.linked()?.and_then(|linked| linked.open.as_ref());
        Ok(open.filter(|open| open.round == round))
    }

    /// Boxes with a counted wager and a full hand take their place among all deals, unless they already have one (RH 4.5, RS
    /// 4.5.2).
    fn dealt(&mut self) -> Result<(), Stop> {
        let Phase::Play(play) = &self.table.round.phase else { return Ok(()) };
        let size = self.at.book.hand_size();
        let complete = |seat: BoxNumber| play.hands.get(&seat).is_some_and(|hand| hand.cards.len() >= size);
        let seats = self.without_place(complete)?;
        self.take_places(seats)
    }

    /// The boxes with a counted wager and no place among the deals yet.
    fn without_place(&self, wanted: impl Fn(BoxNumber) -> bool) -> Result<Vec<BoxNumber>, Stop> {
        let Some(open) = self.open_round()? else { return Ok(Vec::new()) };
        let made = open.contributions.iter().map(|made| made.seat);
        Ok(made.filter(|seat| wanted(*seat) && open.dealt_at(*seat).is_none()).collect())
    }

    fn take_places(&mut self, seats: Vec<BoxNumber>) -> Result<(), Stop> {
        for seat in seats {
            let (table, round, order) = (self.name(), self.round(), self.at.order);
            self.ask(Request::DealHands { table, round, order, seat: Some(seat) })?;
        }
        Ok(())
    }

    /// Counted wagers are returned before or with the settlement.
    fn take_out(&mut self, back: impl Fn(BoxNumber) -> bool) -> Result<(), Stop> {
        let Some(open) = self.open_round()? else { return Ok(()) };
        let made = open.contributions.iter().map(|made| made.seat);
        let seats: Vec<BoxNumber> = made.filter(|seat| back(*seat)).collect();
        if seats.is_empty() {
            return Ok(());
        }
        self.ask(Request::TakeOut { table: self.name(), round: self.round(), seats }).map(drop)
    }

    fn settle(&mut self, slips: &[BoxSettlement], claims: &[Claim]) -> Result<(), Stop> {
        self.take_out(|seat| {
            let lines = slips.iter().filter(|slip| slip.seat == seat).flat_map(|slip| &slip.lines);
            let mut on_jackpot = lines.filter(|line| line.area == Area::Jackpot);
            on_jackpot.all(|line| line.result == ResultKind::Returned)
        })?;
        // A round that ended before bets closed never reached the jackpot.
        if self.open_round()?.is_none() {
            return Ok(());
        }
        if !claims.is_empty() && self.at.dealt_first() {
            let seats = self.without_place(|seat| claims.iter().any(|claim| claim.seat == seat))?;
            self.take_places(seats)?;
            // Hands not yet dealt, at any table, are dealt after those that claim now.
            self.ask(Request::CountDeals { order: self.at.order })?;
        }
        let (table, round) = (self.name(), self.round());
        self.ask(Request::SettleRound { table, round, claims: claims.to_vec() })?;
        self.verify()
    }

    /// A verifier who is present verifies at once.
    fn verify(&mut self) -> Result<(), Stop> {
        let (by, most) = match &self.at.verification {
            Verification::AtOnce(by) => (by.clone(), None),
            Verification::SmallAtOnce(by) => (by.clone(), Some(self.jackpot()?.parameters.confirm_above)),
            Verification::ByPeople => return Ok(()),
        };
        let (table, round) = (self.at.name, self.round());
        let ours = self.jackpot()?.pending().filter(|hit| hit.table == table && hit.round == round);
        let hits: Vec<u64> = ours
            .filter(|hit| hit.verified_by.is_none() && most.is_none_or(|most| hit.amount() <= most))
            .map(|hit| hit.id)
            .collect();
        for hit in hits {
            self.ask(Request::Verify { hit, by: by.clone() })?;
        }
        Ok(())
    }

    /// The jackpot system failed: if the round continues, its awards are paid at the amount registered now, and no wager is taken
    /// from the table until it is restored (RH 5.17, RS 5.18).
    fn failed(&mut self) -> Result<(), Stop> {
        if self.open_round()?.is_none_or(|open| open.registered.is_some()) {
            return Ok(());
        }
        let cites = self.table.round.ruled.as_ref().map(|ruled| ruled.cites).unwrap_or_default();
        let (table, round, registered) = (self.name(), self.round(), self.registered);
        self.ask(Request::ReportFault { table, round, cites, registered }).map(drop)
    }

    /// The jackpot takes wagers from the table again.
    pub(crate) fn restore(&mut self, by: Person) -> Result<(), Stop> {
        if self.linked()?.is_some_and(|linked| linked.suspended) {
            self.ask(Request::Restore { table: self.name(), by })?;
        }
        Ok(())
    }
}

/// With the faulty box barred, or when it works again, the table's other boxes may bet on the jackpot (RH 5.17.2, RS 5.18.2).
const fn restores(ruling: &RulingKind) -> bool {
    match ruling {
        RulingKind::BarBox(_) | RulingKind::JackpotRestored => true,
        RulingKind::Void
        | RulingKind::Continue
        | RulingKind::FirstCard(_)
        | RulingKind::NoJackpot
        | RulingKind::CloseTable
        | RulingKind::Restrict(_)
        | RulingKind::Bar(_)
        | RulingKind::Stop(_)
        | RulingKind::Lift(_)
        | RulingKind::PermitWithdrawal
        | RulingKind::Intentional
        | RulingKind::NotIntentional => false,
    }
}

/// The person who ruled, in a position that may restore: the rulebook has judged the ruling.
fn ruled_by(ruling: &Ruling) -> Person {
    let name = ruling.by.name.clone().unwrap_or_else(|| ruling.by.role.name().to_owned());
    Person { name, role: ruling.by.role.max(Role::PitManager) }
}
