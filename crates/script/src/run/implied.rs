//! The steps that a step implies before it.
//!
//! A single-box player who decides has looked at their hand. Community cards dealt in their own turn have been turned
//! when play continues. The script format defines both; everything else must be written.

use baize_rules::{Area, BoxNumber, IrregularityKind, Reveal, Rulebook};
use baize_table::{Awaiting, Command, HandStatus, Place, Table, ready_to_turn};

use crate::transcript::play;

/// The community cards being dealt in their own turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct InTurn {
    /// The group being dealt, if its first card came when everything before it was decided and turned.
    group: Option<Reveal>,
    /// The group is complete.
    complete: bool,
}

impl InTurn {
    /// The state after this step: `before` is the table before it, `after` the table after it.
    pub(crate) fn after(self, command: &Command, book: &Rulebook, before: &Table, after: &Table) -> InTurn {
        let (Some(then), Some(now)) = (play(&before.round), play(&after.round)) else {
            return InTurn::default();
        };
        let put_back = matches!(before.round.awaiting, Some(Awaiting::Reconstruction { .. }));
        if put_back || !matches!(command, Command::Deal { to: Place::Board, .. }) {
            let Some((group, (_, end))) = self.group.and_then(|group| Some((group, group.board_cards()?)))
            else {
                return InTurn::default();
            };
            if now.revealed.contains(&group) {
                return InTurn::default();
            }
            // Too many cards came with the group, and a reconstruction has put them where they belong.
            let put_right = then.board.len() > now.board.len() && now.board.len() >= end;
            return InTurn { complete: self.complete || put_right, ..self };
        }
        let (from, to) = (then.board.len(), now.board.len());
        let Some((group, first, end)) = groups().find(|(_, first, end)| (*first..*end).contains(&from))
        else {
            return InTurn::default();
        };
        let begun =
            if from == first { ready_to_turn(book, before, group) } else { self.group == Some(group) };
        if begun { InTurn { group: Some(group), complete: to == end } } else { InTurn::default() }
    }

    /// The cards that have been turned when this step is done.
    fn turned_before(self, command: &Command) -> Option<Reveal> {
        let group = self.group.filter(|_| self.complete)?;
        let goes_on = match command {
            Command::PlaceWager { .. }
            | Command::Fold { .. }
            | Command::Check { .. }
            | Command::Burn { .. }
            | Command::Deal { .. }
            | Command::Show { .. }
            | Command::Decline { .. }
            | Command::Absent { .. }
            | Command::Settle => true,
            Command::Reveal { what } => *what != group,
            Command::Open
            | Command::Withdraw { .. }
            | Command::Close
            | Command::Look { .. }
            | Command::Report(_)
            | Command::Choose { .. }
            | Command::Rule(_)
            | Command::PayJackpot { .. } => false,
        };
        goes_on.then_some(group)
    }
}

/// The groups of community cards, with the first position of each and the one after its last.
fn groups() -> impl Iterator<Item = (Reveal, usize, usize)> {
    Reveal::ALL.into_iter().filter_map(|group| group.board_cards().map(|(first, end)| (group, first, end)))
}

/// The steps that this one implies, in order.
pub(crate) fn before(command: &Command, in_turn: InTurn, book: &Rulebook, table: &Table) -> Vec<Command> {
    // Cards that are put back are not the cards that come next.
    if matches!(table.round.awaiting, Some(Awaiting::Reconstruction { .. })) {
        return Vec::new();
    }
    let reveal = in_turn.turned_before(command).map(|what| Command::Reveal { what });
    let look = decides(command).filter(|seat| looks(*seat, book, table)).map(|seat| Command::Look { seat });
    reveal.into_iter().chain(look).collect()
}

/// The step, completed from the lines before it: cards that left the shoe together without a count are the two dealt last, if
/// each has its own line.
pub(super) fn in_full(command: &Command, table: &Table) -> Command {
    let mut full = command.clone();
    if let (Command::Report(report), Some(play)) = (&mut full, play(&table.round))
        && report.kind == IrregularityKind::SimultaneousDraw
        && report.facts.count.is_none()
        && let [.., first, second] = play.drawn.as_slice()
        && first.cards.len() == 1
        && second.cards.len() == 1
    {
        report.facts.count = Some(2);
    }
    full
}

/// The box for which this step decides.
fn decides(command: &Command) -> Option<BoxNumber> {
    match command {
        Command::PlaceWager { seat, area: Area::Flop | Area::Turn | Area::River | Area::Bet, .. }
        | Command::Fold { seat }
        | Command::Check { seat } => Some(*seat),
        Command::Open
        | Command::PlaceWager { .. }
        | Command::Withdraw { .. }
        | Command::Close
        | Command::Burn { .. }
        | Command::Deal { .. }
        | Command::Look { .. }
        | Command::Reveal { .. }
        | Command::Show { .. }
        | Command::Decline { .. }
        | Command::Absent { .. }
        | Command::Report(_)
        | Command::Choose { .. }
        | Command::Rule(_)
        | Command::Settle
        | Command::PayJackpot { .. } => None,
    }
}

/// Whether the player of this box has only one box, with a complete hand that they have not looked at.
fn looks(seat: BoxNumber, book: &Rulebook, table: &Table) -> bool {
    let Some(play) = play(&table.round) else { return false };
    let Some(hand) = play.hands.get(&seat) else { return false };
    let his = play.hands.values().filter(|other| other.seated == hand.seated);
    let boxes = his.filter(|other| other.status != HandStatus::NoAnte).count();
    boxes == 1 && !hand.looked && hand.cards.len() >= book.hand_size()
}
