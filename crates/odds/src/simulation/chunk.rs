//! Some rounds, dealt, decided and settled.

use arrayvec::ArrayVec;
use baize_cards::Card;
use baize_rules::{AllFold, Area, BoxNumber, Claim, Family, Money, Rulebook};
use baize_table::{BoxLines, BoxStanding, BoxWagers, Terms, judge, settle_box_into};

use super::player::Player;
use super::shuffle::Shuffler;
use super::totals::{ClaimRound, Totals};
use super::{Plan, SimulationError};

/// Rounds in a chunk. Changing it changes what a seed gives.
pub(super) const CHUNK_ROUNDS: u64 = 1 << 14;

/// Maximum number of boxes played at once: more than any layout has.
pub(super) const BOXES_MAX: usize = 16;

/// Plays one chunk.
pub(super) fn play_chunk(plan: &Plan<'_>, player: &Player, chunk: u64) -> Result<Totals, SimulationError> {
    let rounds = CHUNK_ROUNDS.min(plan.rounds.saturating_sub(chunk * CHUNK_ROUNDS));
    let mut shuffler = Shuffler::new(plan.seed, chunk);
    let table = Table::new(plan);
    let (mut totals, mut lines) = (Totals::default(), BoxLines::default());
    for round in 0..rounds {
        let cards = shuffler.deal(table.cards);
        match plan.rulebook.family {
            Family::Holdem => table.holdem(player, cards, round, &mut totals, &mut lines)?,
            Family::Stud => table.stud(player, cards, round, &mut totals, &mut lines)?,
        }
    }
    Ok(totals)
}

/// What stays the same from round to round.
struct Table<'a> {
    book: &'a Rulebook,
    terms: Terms,
    boxes: usize,
    /// The chips of a box that adds nothing.
    start: [Money; Area::COUNT],
    /// The raises by area.
    raises: [Money; Area::COUNT],
    /// Cards for a round.
    cards: usize,
    fold: BoxStanding,
}

impl<'a> Table<'a> {
    fn new(plan: &Plan<'a>) -> Table<'a> {
        let book = plan.rulebook;
        let boxes = usize::from(plan.boxes).min(BOXES_MAX);
        let mut start = [Money::ZERO; Area::COUNT];
        start[Area::Ante.index()] = plan.ante;
        start[Area::Bonus.index()] = plan.bonus.unwrap_or(Money::ZERO);
        start[Area::Jackpot.index()] = plan.jackpot.map_or(Money::ZERO, |jackpot| jackpot.wager);
        let mut raises = [Money::ZERO; Area::COUNT];
        for decision in &book.decisions {
            let raise = plan.ante.cents().saturating_mul(i64::from(decision.times_ante));
            raises[decision.area.index()] = Money::from_cents(raise);
        }
        Table {
            book,
            terms: plan.terms(),
            boxes,
            start,
            raises,
            cards: book.board_size() + (boxes + 1) * book.hand_size(),
            fold: BoxStanding::Folded(book.settlement.fold),
        }
    }

    /// Board, dealer, boxes: in which order cards come out of a random deck does not matter.
    fn holdem(
        &self,
        player: &Player,
        cards: &[Card],
        round: u64,
        totals: &mut Totals,
        lines: &mut BoxLines,
    ) -> Result<(), SimulationError> {
        let (board, rest) = cards.split_at(5);
        let (dealer, hands) = rest.split_at(2);
        let decide = |hand: &[Card], stakes: &mut [Money; Area::COUNT]| {
            let stays = <[Card; 2]>::try_from(hand).ok().and_then(|hole| player.stays(hole, board));
            if let Some([turn, river]) = stays {
                stakes[Area::Flop.index()] = self.raises[Area::Flop.index()];
                for (area, wagered) in [(Area::Turn, turn), (Area::River, river)] {
                    if wagered {
                        stakes[area.index()] = self.raises[area.index()];
                    }
                }
            }
            stays.is_some()
        };
        self.settle((board, dealer, hands), round, totals, lines, decide)
    }

    fn stud(
        &self,
        player: &Player,
        cards: &[Card],
        round: u64,
        totals: &mut Totals,
        lines: &mut BoxLines,
    ) -> Result<(), SimulationError> {
        let (dealer, hands) = cards.split_at(5);
        let decide = |hand: &[Card], stakes: &mut [Money; Area::COUNT]| {
            let bets = player.bets(hand, dealer[4]);
            if bets {
                stakes[Area::Bet.index()] = self.raises[Area::Bet.index()];
            }
            bets
        };
        self.settle((&[], dealer, hands), round, totals, lines, decide)
    }

    fn settle(
        &self,
        (board, dealer, hands): (&[Card], &[Card], &[Card]),
        round: u64,
        totals: &mut Totals,
        lines: &mut BoxLines,
        decide: impl Fn(&[Card], &mut [Money; Area::COUNT]) -> bool,
    ) -> Result<(), SimulationError> {
        let mut boxes: ArrayVec<([Money; Area::COUNT], bool), BOXES_MAX> = ArrayVec::new();
        for hand in hands.chunks_exact(self.book.hand_size()) {
            let mut stakes = self.start;
            let stays = decide(hand, &mut stakes);
            boxes.push((stakes, stays));
        }
        let judged = judge(self.book, board, dealer);
        let hidden =
            self.terms.readings.all_fold == AllFold::NotRevealed && boxes.iter().all(|(_, stays)| !stays);
        let judged = if hidden { judge(self.book, &[], &[]) } else { judged };
        let mut claims: ArrayVec<Claim, BOXES_MAX> = ArrayVec::new();
        totals.begin_round();
        for (seat, (hand, (stakes, stays))) in
            (1..).zip(hands.chunks_exact(self.book.hand_size()).zip(&boxes))
        {
            let standing = if *stays { BoxStanding::Plays } else { self.fold };
            let wagers = BoxWagers { seat: BoxNumber(seat), stakes: *stakes, cards: hand, standing };
            settle_box_into(self.book, &self.terms, &judged, &wagers, lines)?;
            totals.add_box(&lines.lines, *stays, stakes);
            claims.extend(lines.claim);
        }
        let net = totals.end_round(self.boxes);
        if !claims.is_empty() {
            totals.claims.push(ClaimRound { round, net, claims: claims.to_vec() });
        }
        Ok(())
    }
}
