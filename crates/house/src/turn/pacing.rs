//! A table that runs itself: what the house does without being asked, and what it does when a clock runs out.

use std::collections::BTreeMap;

use baize_table::{Awaiting, Choice, Command, Due, Phase, due};

use super::{Stuck, Turn};
use crate::{Actor, HouseError, Pace, PlayerId};

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
                Some(Due::Burn { .. } | Due::Deal(_) | Due::Report { .. }) | None => break,
            }
        }
        Ok(())
    }

    /// A player with one hand looks at it; one with several chooses which.
    fn look_at_single_hands(&mut self) -> Result<(), Stuck> {
        let Phase::Play(play) = &self.live.table.round.phase else { return Ok(()) };
        let mut hands: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
        for (seat, hand) in &play.hands {
            hands.entry(hand.seated.0.as_str()).or_default().push(*seat);
        }
        let single: Vec<(PlayerId, u8)> = hands
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

    /// Everybody has placed what he wants.
    fn close_if_ready(&mut self) -> Result<(), Stuck> {
        if !matches!(self.live.table.round.phase, Phase::Betting(_))
            || self.live.table.round.awaiting.is_some()
        {
            return Ok(());
        }
        let players = self.live.players();
        let all = players.iter().chain(self.live.guests.keys());
        let mut nobody = true;
        for player in all {
            if !self.live.ready.contains(player) {
                return Ok(());
            }
            nobody = false;
        }
        if nobody || players.is_empty() {
            return Ok(());
        }
        self.command(&Actor::House, Command::Close)
    }

    /// A clock has run out.
    pub(crate) fn time_is_up(&mut self) -> Result<(), Stuck> {
        let Some((_, ends)) = self.live.deadline().filter(|(_, ends)| *ends <= self.now) else {
            return Ok(());
        };
        let _ = ends;
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
            (Some(Awaiting::Ruling { .. }), _) | (None, Phase::Idle | Phase::Finished(_)) => {}
            (None, Phase::Betting(_)) => self.command(&house, Command::Close)?,
            (None, Phase::Play(play)) => {
                let silent: Vec<u8> = play
                    .undecided(&self.live.book)
                    .filter(|(_, hand)| !hand.absent)
                    .map(|(seat, _)| seat)
                    .collect();
                for seat in silent {
                    self.command(&house, Command::Absent { seat })?;
                }
            }
        }
        self.advance()
    }
}
