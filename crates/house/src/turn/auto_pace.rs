//! A table that runs itself: what the house does without an order, and when a clock runs out.

use std::collections::{BTreeMap, BTreeSet};

use baize_rules::{BoxNumber, Otherwise, Silence};
use baize_table::{Awaiting, Choice, Command, Due, Phase, due};

use super::{Stuck, Turn};
use crate::facts::TableFact;
use crate::presence::Presence;
use crate::{Actor, HouseError, Pace, PlayerId};

/// Seconds that a host which did not show the table to a player waits for one that did.
const OTHER_HOSTS: u32 = 3;

impl Turn<'_> {
    /// Goes on as far as nobody has to decide anything.
    pub(crate) fn advance(&mut self) -> Result<(), Stuck> {
        self.pay_awards()?;
        if !matches!(self.live.config.pace, Pace::Auto { .. }) || !self.live.computer_deals() {
            return Ok(());
        }
        let house = Actor::House;
        self.close_if_ready()?;
        // Every pass deals, turns or settles something, and a deck is finite.
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

    /// A player with one hand looks at it; one with several chooses which.
    fn look_at_single_hands(&mut self) -> Result<(), Stuck> {
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

    /// Everybody has placed what they want.
    fn close_if_ready(&mut self) -> Result<(), Stuck> {
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

    /// A clock has run out. `alone`: no other host can have shown the table to anybody.
    pub(crate) fn time_is_up(&mut self, presence: &Presence, alone: bool) -> Result<(), Stuck> {
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
                        // A choice for one box may have settled the others of its player.
                        Ok(()) | Err(Stuck::No(HouseError::Refused(_))) => {}
                        Err(other) => return Err(other),
                    }
                }
            }
            (Some(Awaiting::Ruling { .. } | Awaiting::Reconstruction { .. }), _)
            | (None, Phase::Idle | Phase::Finished(_)) => {}
            (None, Phase::Betting(_)) => self.command(&house, Command::Close)?,
            (None, Phase::Play(_)) => {
                let certain = alone || ends.plus_seconds(OTHER_HOSTS) <= self.now;
                self.silent(|player, dealt| presence.since(player, dealt), certain)?;
            }
        }
        self.advance()
    }

    /// Players have let the time to decide run out. Those who were there for the deal fold, or check where they can; only those who were not
    /// connected at all are absent (I-12). While that is not `certain`, a host that does not know them leaves them to the others.
    fn silent(&mut self, here: impl Fn(&PlayerId, u64) -> bool, certain: bool) -> Result<(), Stuck> {
        let mut asked = BTreeSet::new();
        while let Some((seat, player)) = self.undecided(|seat, _| !asked.contains(&seat)) {
            asked.insert(seat);
            let connected = here(&player, self.live.dealt);
            if !connected && !certain {
                continue;
            }
            self.step(&Actor::House, TableFact::TimeRanOut { player, connected });
            if connected && self.live.table.settings.readings.silence == Silence::Folds {
                self.go_on_without(seat)?;
            } else {
                self.command(&Actor::House, Command::Absent { seat })?;
            }
        }
        Ok(())
    }

    /// A player leaves a table that runs itself in the middle of a hand: nobody else would note it. They fold what can be folded, so that
    /// leaving hands no losing hand back (I-12), and are absent from the rest.
    pub(super) fn leaves_hands(&mut self, player: &PlayerId) -> Result<(), Stuck> {
        while let Some((seat, _)) = self.undecided(|_, other| other == player) {
            if self.may_fold() && self.live.table.settings.readings.silence == Silence::Folds {
                self.go_on_without(seat)?;
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

    /// Whether not raising now is a fold.
    fn may_fold(&self) -> bool {
        let Phase::Play(play) = &self.live.table.round.phase else { return false };
        let decision = self.live.book.decisions.get(play.revealed.len());
        decision.is_some_and(|rule| rule.otherwise == Otherwise::Fold)
    }

    /// The box does not raise.
    fn go_on_without(&mut self, seat: BoxNumber) -> Result<(), Stuck> {
        let command = if self.may_fold() { Command::Fold { seat } } else { Command::Check { seat } };
        self.command(&Actor::House, command)
    }
}
