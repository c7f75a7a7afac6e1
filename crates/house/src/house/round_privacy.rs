//! Whose rounds an actor may read. Its players, the pit, the auditor and dealers of its table see names and amounts of a round.
//! Everybody else sees boxes and cards, unless a player shares the round: then that player's box.

use std::collections::BTreeSet;

use baize_rules::Money;
use baize_table::describe::Who;
use baize_table::{Event, Player, RoundView, Told, describe};

use super::{Answer, House};
use crate::live_table::LiveTable;
use crate::{Actor, Duty, HouseError, PlayerId, RoundFilter, RoundId, RoundLine};

/// Whose names and amounts are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Discretion {
    /// Everybody's.
    Everything,
    /// Of these players alone.
    Only(BTreeSet<PlayerId>),
}

impl Discretion {
    fn tells(&self, player: &Player) -> bool {
        match self {
            Discretion::Everything => true,
            Discretion::Only(players) => players.iter().any(|told| told.as_str() == player.0),
        }
    }

    /// Nobody learns the name or the chips of a player who is not told of: the box stands for them.
    pub(super) fn veil(&self, mut view: RoundView) -> RoundView {
        if *self == Discretion::Everything {
            return view;
        }
        for (seat, on_box) in &mut view.boxes {
            if !self.tells(&on_box.player) {
                on_box.player = Player(format!("box {seat}"));
            }
            on_box.stakes.retain(|stake| self.tells(&stake.player));
            let told: BTreeSet<_> = on_box.stakes.iter().map(|stake| stake.area).collect();
            on_box.areas.retain(|area, _| told.contains(area));
        }
        view.slips.retain(|slip| self.tells(&slip.player));
        view.handed_back.retain(|chips| self.tells(&chips.player));
        view.awaiting = None;
        view.standing.barred.retain(|player| self.tells(player));
        view.standing.stopped.retain(|player| self.tells(player));
        view.standing.restricted.retain(|player| self.tells(player));
        view.standing.under_minimum.retain(|player| self.tells(player));
        view
    }

    /// What an event is to the reader of these views, before it and after it.
    pub(super) fn describe(
        &self,
        live: &LiveTable,
        event: &Event,
        before: &RoundView,
        after: &RoundView,
    ) -> Vec<Told> {
        if *self != Discretion::Everything && self.names_or_amounts(event) {
            return Vec::new();
        }
        let mut told = describe(&live.book, event, before, after);
        for one in &mut told {
            if let Who::Box { player, .. } = &mut one.who
                && player.as_ref().is_some_and(|player| !self.tells(player))
            {
                *player = None;
            }
        }
        told
    }

    /// Whether the words of an event name a player who must stay private.
    fn names_or_amounts(&self, event: &Event) -> bool {
        match event {
            Event::WagerPlaced { player, .. }
            | Event::WagerWithdrawn { player, .. }
            | Event::WagerReturned { player, .. } => !self.tells(player),
            Event::SlipCorrected { slip, .. } => !self.tells(&slip.player),
            Event::RoundSettled { .. }
            | Event::JackpotPaid { .. }
            | Event::IrregularityRuled { .. }
            | Event::RulingAwaited { .. }
            | Event::Ruled { .. }
            | Event::OptionChosen { .. } => true,
            Event::RoundOpened { .. }
            | Event::BetsClosed { .. }
            | Event::CardBurnt { .. }
            | Event::CardsDealt { .. }
            | Event::HandLookedAt { .. }
            | Event::DecisionMade { .. }
            | Event::CardsRevealed { .. }
            | Event::HandShown { .. }
            | Event::HandDeclined { .. }
            | Event::PlayerAbsent { .. }
            | Event::OptionsGiven { .. }
            | Event::HandInvalidated { .. }
            | Event::HandsMoved { .. }
            | Event::ReconstructionBegun { .. }
            | Event::CardPutBack { .. }
            | Event::CardsReconstructed { .. }
            | Event::CardsShifted { .. }
            | Event::CardsTakenOff { .. }
            | Event::DealerFaceUpSet { .. }
            | Event::JackpotFailed
            | Event::RoundVoided { .. } => false,
        }
    }

    /// The words for an event whose details are private.
    pub(super) fn instead(event: &Event) -> Option<&'static str> {
        if let Event::RoundSettled { .. } = event {
            Some("The round is settled.")
        } else if let Event::IrregularityRuled { .. } = event {
            Some("An irregularity is reported.")
        } else if let Event::Ruled { .. } = event {
            Some("A ruling is given.")
        } else {
            None
        }
    }

    /// Strikes out of a line who played and what moved.
    pub(super) fn strike(&self, line: &mut RoundLine) {
        if let Discretion::Only(told) = self {
            line.players.retain(|player| told.contains(player));
            (line.staked, line.won) = (Money::ZERO, Money::ZERO);
            (line.contributed, line.awarded) = (Money::ZERO, Money::ZERO);
        }
    }

    /// Who did a step, if that may be shown.
    pub(super) fn by(&self, actor: &Actor) -> String {
        match (self, actor) {
            (Discretion::Everything, _) | (_, Actor::House | Actor::Public) => actor.label(),
            (Discretion::Only(told), Actor::Player { id }) if told.contains(id) => actor.label(),
            (Discretion::Only(_), Actor::Player { .. }) => "a player".to_owned(),
            (Discretion::Only(_), Actor::Staff { .. }) => "staff".to_owned(),
        }
    }
}

impl House {
    /// What this person may know of a round in which these took part.
    pub(super) fn discretion(&self, actor: &Actor, id: &RoundId, players: &[PlayerId]) -> Discretion {
        let took_part = actor.as_player().is_some_and(|player| players.contains(player));
        let on_duty = actor.may(Duty::PitSupervisor)
            || actor.may(Duty::Auditor)
            || (actor.may(Duty::Dealer) && self.may_deal(actor, &id.table).is_ok());
        if took_part || on_duty { Discretion::Everything } else { Discretion::Only(BTreeSet::new()) }
    }

    /// Finished rounds as this person may know them, newest first. Only those who may read a player's rounds can search by the player's name.
    ///
    /// # Errors
    /// Another player's rounds; those of the database.
    pub async fn rounds_for(&self, actor: &Actor, filter: &RoundFilter) -> Answer<Vec<RoundLine>> {
        let staff = actor.may(Duty::PitSupervisor) || actor.may(Duty::Auditor);
        if filter.player.as_ref().is_some_and(|player| actor.as_player() != Some(player)) && !staff {
            return Err(HouseError::NotYourRound);
        }
        let mut lines = self.rounds(filter).await?;
        for line in &mut lines {
            self.discretion(actor, &line.id, &line.players).strike(line);
        }
        Ok(lines)
    }

    /// The secret of a link that shows this player's box of the round. For the player alone.
    ///
    /// # Errors
    /// No such round, or not theirs.
    pub async fn share(&self, actor: &Actor, id: &RoundId) -> Answer<String> {
        let player = actor.as_player().ok_or(HouseError::NotLoggedIn)?;
        let row = self.inner.store.round(id.table.as_str(), id.number).await?;
        let row = row.ok_or_else(|| HouseError::UnknownRound(id.clone()))?;
        if !row.players.split(',').any(|name| name == player.as_str()) {
            return Err(HouseError::NotYourRound);
        }
        let key = self.inner.vault.key().ok_or(HouseError::NotNow("the key of the house is not here"))?;
        Ok(format!("{player}.{}", key.share(&shared(player, id))))
    }

    /// Whom a link of [`House::share`] tells of.
    pub(super) fn shared_by(&self, id: &RoundId, token: &str) -> Option<PlayerId> {
        let (name, given) = token.rsplit_once('.')?;
        let player: PlayerId = name.parse().ok()?;
        let right = self.inner.vault.key()?.share(&shared(&player, id));
        (right == given).then_some(player)
    }
}

fn shared(player: &PlayerId, id: &RoundId) -> String {
    format!("{player} {id}")
}
