//! Automatic play at a table that runs itself: what the house does without an order, and when a clock expires.

use std::collections::{BTreeMap, BTreeSet};

use baize_rules::{BoxNumber, Otherwise, Silence};
use baize_table::{Awaiting, Choice, Command, Due, Phase, due};

use super::{Turn, TurnError};
use crate::facts::TableFact;
use crate::presence::Presence;
use crate::{Actor, HouseError, Pace, PlayerId};

/// Seconds that a host waits before it treats a player as not connected: another host may have shown them the table.
const OTHER_HOSTS_SECONDS: u32 = 3;

impl Turn<'_> {
    /// Continues until someone has to decide something.
    pub(crate) fn advance(&mut self) -> Result<(), TurnError> {
        self.pay_awards()?;
        if !matches!(self.live.config.pace, Pace::Auto { .. }) || !self.live.computer_deals() {
            return Ok(());
        }
        let house = Actor::House;
        self.close_if_ready()?;
        // Every pass deals, turns or settles something, and the deck is finite.
        for _ in 0..400 {
            if self.deal_next(&house)? {
                continue;
            }
            match due(&self.live.book, &self.live.table) {
                Some(Due::Reveal { what, .. }) => self.command(&house, Command::Reveal { what })?,
                Some(Due::Settle) => self.command(&house, Command::Settle)?,
                Some(Due::Decide { .. }) => {
                    self.look_at_single_hands()?;
                    break;
                }
                Some(Due::Burn { .. } | Due::Deal(_) | Due::PutBack { .. } | Due::Report { .. }) | None => {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Lets a player with one hand look at it. A player with several chooses which one.
    fn look_at_single_hands(&mut self) -> Result<(), TurnError> {
        let Phase::Play(play) = &self.live.table.round.phase else { return Ok(()) };
        let mut hands: BTreeMap<&str, Vec<BoxNumber>> = BTreeMap::new();
        for (seat, hand) in &play.hands {
            hands.entry(hand.seated.0.as_str()).or_default().push(*seat);
        }
        let single: Vec<(PlayerId, BoxNumber)> = hands
            .into_iter()
            .filter(|(_, seats)| seats.len() == 1)
            .filter_map(|(name, seats)| Some((name.parse().ok()?, *seats.first()?)))
            .filter(|(_, seat)| {
                play.hands.get(seat).is_some_and(|hand| hand.in_play() && !hand.looked && !hand.absent)
            })
            .collect();
        for (player, seat) in single {
            self.command(&Actor::player(player), Command::Look { seat })?;
        }
        Ok(())
    }

    /// Closes the bets if every player is ready.
    fn close_if_ready(&mut self) -> Result<(), TurnError> {
        if !matches!(self.live.table.round.phase, Phase::Betting(_))
            || self.live.table.round.awaiting.is_some()
        {
            return Ok(());
        }
        if self.live.players().is_empty() || self.live.unready().next().is_some() {
            return Ok(());
        }
        self.command(&Actor::House, Command::Close)
    }

    /// Handles an expired clock. `alone`: no other host can have shown the table to anyone.
    pub(crate) fn clock_expired(&mut self, presence: &Presence, alone: bool) -> Result<(), TurnError> {
        let Some((_, ends)) = self.live.deadline().filter(|(_, ends)| *ends <= self.now) else {
            return Ok(());
        };
        let house = Actor::House;
        match (&self.live.table.round.awaiting, &self.live.table.round.phase) {
            (Some(Awaiting::Options { seats, sharing, allowed, .. }), _) => {
                let silent = if allowed.unchanged {
                    Choice::Continue
                } else if allowed.reconstructed {
                    Choice::Reconstructed
                } else {
                    Choice::Withdraw
                };
                let seated = seats.iter().map(|seat| (*seat, None));
                let sharing = sharing.iter().map(|(seat, player)| (*seat, Some(player.clone())));
                let silent_players: Vec<_> = seated.chain(sharing).collect();
                for (seat, player) in silent_players {
                    match self.command(&house, Command::Choose { seat, player, choice: silent }) {
                        // A choice for one box may have decided the player's other boxes.
                        Ok(()) | Err(TurnError::House(HouseError::Refused(_))) => {}
                        Err(other) => return Err(other),
                    }
                }
            }
            (Some(Awaiting::Ruling { .. } | Awaiting::Reconstruction { .. }), _)
            | (None, Phase::Idle | Phase::Finished(_)) => {}
            (None, Phase::Betting(_)) => self.command(&house, Command::Close)?,
            (None, Phase::Play(_)) => {
                let certain = alone || ends.plus_seconds(OTHER_HOSTS_SECONDS) <= self.now;
                self.handle_timeouts(|player, dealt| presence.since(player, dealt), certain)?;
            }
        }
        self.advance()
    }

    /// Handles players whose time to decide has expired. Those who were connected since the deal fold, or check where possible; those who
    /// were not are absent (I-12). Unless `certain`, a host leaves players whom it does not know to the other hosts.
    fn handle_timeouts(
        &mut self,
        here: impl Fn(&PlayerId, u64) -> bool,
        certain: bool,
    ) -> Result<(), TurnError> {
        let mut asked = BTreeSet::new();
        while let Some((seat, player)) = self.undecided(|seat, _| !asked.contains(&seat)) {
            asked.insert(seat);
            let connected = here(&player, self.live.dealt);
            if !connected && !certain {
                continue;
            }
            self.step(&Actor::House, TableFact::TimeRanOut { player, connected });
            if connected && self.live.table.settings.readings.silence == Silence::Folds {
                self.fold_or_check(seat)?;
            } else {
                self.command(&Actor::House, Command::Absent { seat })?;
            }
        }
        Ok(())
    }

    /// Handles a player who leaves a table that runs itself during a hand. They fold where possible, so that leaving does not return a
    /// losing hand (I-12), and are absent otherwise.
    pub(super) fn abandon_hands(&mut self, player: &PlayerId) -> Result<(), TurnError> {
        while let Some((seat, _)) = self.undecided(|_, other| other == player) {
            if self.may_fold() && self.live.table.settings.readings.silence == Silence::Folds {
                self.fold_or_check(seat)?;
            } else {
                self.command(&Actor::House, Command::Absent { seat })?;
            }
        }
        Ok(())
    }

    /// The next box with an open decision whose player is not absent.
    fn undecided(&self, wanted: impl Fn(BoxNumber, &PlayerId) -> bool) -> Option<(BoxNumber, PlayerId)> {
        let Phase::Play(play) = &self.live.table.round.phase else { return None };
        let present = play.undecided(&self.live.book).filter(|(_, hand)| !hand.absent);
        let mut named = present.filter_map(|(seat, hand)| Some((seat, hand.seated.0.parse().ok()?)));
        named.find(|(seat, player)| wanted(*seat, player))
    }

    /// Whether not raising means folding at the present decision.
    fn may_fold(&self) -> bool {
        let Phase::Play(play) = &self.live.table.round.phase else { return false };
        let decision = self.live.book.decisions.get(play.revealed.len());
        decision.is_some_and(|rule| rule.otherwise == Otherwise::Fold)
    }

    /// Folds or checks for a box.
    fn fold_or_check(&mut self, seat: BoxNumber) -> Result<(), TurnError> {
        let command = if self.may_fold() { Command::Fold { seat } } else { Command::Check { seat } };
        self.command(&Actor::House, command)
    }
}
