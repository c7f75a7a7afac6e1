//! Privacy of rounds. A round's players, the pit, auditors and dealers of its table see names and amounts. Everyone else sees boxes and
//! cards, plus one player's box if that player shares the round.

use std::collections::BTreeSet;

use baize_rules::Money;
use baize_table::describe::Who;
use baize_table::{Event, Player, RoundView, Sentence, TellsOf, describe};

use super::{Answer, House};
use crate::boxed;
use crate::live_table::LiveTable;
use crate::{Actor, Duty, HouseError, PlayerId, RoundFilter, RoundId, RoundLine};

/// Whose names and amounts a reader may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Privacy {
    /// Everyone's.
    Everything,
    /// Only those of these players.
    Only(BTreeSet<PlayerId>),
}

impl Privacy {
    fn allows(&self, player: &Player) -> bool {
        match self {
            Privacy::Everything => true,
            Privacy::Only(players) => players.iter().any(|told| told.as_str() == player.0),
        }
    }

    /// Removes names and chips of private players from a view: the box number replaces the name.
    pub(super) fn redact(&self, mut view: RoundView) -> RoundView {
        if *self == Privacy::Everything {
            return view;
        }
        for (seat, on_box) in &mut view.boxes {
            if !self.allows(&on_box.player) {
                on_box.player = Player(format!("box {seat}"));
            }
            on_box.stakes.retain(|stake| self.allows(&stake.player));
            let told: BTreeSet<_> = on_box.stakes.iter().map(|stake| stake.area).collect();
            on_box.areas.retain(|area, _| told.contains(area));
        }
        view.slips.retain(|slip| self.allows(&slip.player));
        view.handed_back.retain(|chips| self.allows(&chips.player));
        view.awaiting = None;
        view.standing.barred.retain(|player| self.allows(player));
        view.standing.stopped.retain(|player| self.allows(player));
        view.standing.restricted.retain(|player| self.allows(player));
        view.standing.under_minimum.retain(|player| self.allows(player));
        view
    }

    /// Describes an event to the reader of these views, before and after it.
    pub(super) fn describe(
        &self,
        live: &LiveTable,
        event: &Event,
        before: &RoundView,
        after: &RoundView,
    ) -> Vec<Sentence> {
        if *self != Privacy::Everything && self.is_private(event) {
            return Vec::new();
        }
        let mut told = describe(&live.book, event, before, after);
        for one in &mut told {
            if let Who::Box { player, .. } = &mut one.who
                && player.as_ref().is_some_and(|player| !self.allows(player))
            {
                *player = None;
            }
        }
        told
    }

    /// Whether the description of an event would name a private player or their amounts.
    fn is_private(&self, event: &Event) -> bool {
        match event.tells_of() {
            TellsOf::Nobody => false,
            TellsOf::Player(player) => !self.allows(player),
            TellsOf::Several => true,
        }
    }

    /// A neutral description of an event with private details.
    pub(super) fn neutral_words(event: &Event) -> Option<&'static str> {
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

    /// Removes private players and all amounts from a listed round.
    pub(super) fn redact_line(&self, line: &mut RoundLine) {
        if let Privacy::Only(told) = self {
            line.players.retain(|player| told.contains(player));
            (line.staked, line.won) = (Money::ZERO, Money::ZERO);
            (line.contributed, line.awarded) = (Money::ZERO, Money::ZERO);
        }
    }

    /// The actor of a step, made anonymous if private.
    pub(super) fn by(&self, actor: &Actor) -> String {
        match (self, actor) {
            (Privacy::Everything, _) | (_, Actor::House | Actor::Public) => actor.label(),
            (Privacy::Only(told), Actor::Player { id }) if told.contains(id) => actor.label(),
            (Privacy::Only(_), Actor::Player { .. }) => "a player".to_owned(),
            (Privacy::Only(_), Actor::Staff { .. }) => "staff".to_owned(),
        }
    }
}

impl House {
    /// What this actor may know of a round with these players.
    pub(super) fn privacy(&self, actor: &Actor, id: &RoundId, players: &[PlayerId]) -> Privacy {
        let took_part = actor.as_player().is_some_and(|player| players.contains(player));
        let on_duty = actor.may(Duty::PitSupervisor)
            || actor.may(Duty::Auditor)
            || (actor.may(Duty::Dealer) && self.may_deal(actor, &id.table).is_ok());
        if took_part || on_duty { Privacy::Everything } else { Privacy::Only(BTreeSet::new()) }
    }

    /// Finished rounds as this actor may see them, newest first. Only a player's own rounds, or with pit or auditor duty anyone's, can be
    /// searched by player.
    ///
    /// # Errors
    /// Another player's rounds.
    #[boxed]
    pub async fn rounds_for(&self, actor: &Actor, filter: &RoundFilter) -> Answer<Vec<RoundLine>> {
        let staff = actor.may(Duty::PitSupervisor) || actor.may(Duty::Auditor);
        if filter.player.as_ref().is_some_and(|player| actor.as_player() != Some(player)) && !staff {
            return Err(HouseError::NotYourRound);
        }
        let mut lines = self.rounds(filter).await?;
        for line in &mut lines {
            self.privacy(actor, &line.id, &line.players).redact_line(line);
        }
        Ok(lines)
    }

    /// Creates the secret of a link that shows this player's box of a round. For the player alone.
    ///
    /// # Errors
    /// No such round; the player did not take part in it.
    #[boxed]
    pub async fn share(&self, actor: &Actor, id: &RoundId) -> Answer<String> {
        let player = actor.as_player().ok_or(HouseError::NotLoggedIn)?;
        let row = self.inner.store.round(id.table.as_str(), id.number).await?;
        let row = row.ok_or_else(|| HouseError::UnknownRound(id.clone()))?;
        if !row.players.split(',').any(|name| name == player.as_str()) {
            return Err(HouseError::NotYourRound);
        }
        let key = self.inner.vault.key().ok_or(HouseError::NotNow("the house's key is not available"))?;
        Ok(format!("{player}.{}", key.share(&shared(player, id))))
    }

    /// The player whose box a link of [`House::share`] shows.
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
