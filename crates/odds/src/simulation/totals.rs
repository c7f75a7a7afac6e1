//! Whole-number sums over rounds: they add up to the same whatever the order of work.

use baize_rules::{Area, Claim, Money};
use baize_table::Line;

/// A round in which the jackpot is claimed.
#[derive(Debug, Clone)]
pub(super) struct ClaimRound {
    /// The number of the round in its chunk.
    pub round: u64,
    /// The net result of all boxes before the awards, in cents.
    pub net: i64,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// A sum with the sum of its squares, by rounds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    /// The sum over all rounds, in cents.
    pub sum: i128,
    /// The sum of the squares of the rounds' results.
    pub squares: i128,
}

impl Moments {
    fn add(&mut self, result: i64) {
        self.sum += i128::from(result);
        self.squares += i128::from(result) * i128::from(result);
    }

    fn merge(&mut self, other: &Moments) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// A round's result changes from one amount to another.
    pub(super) fn change(&mut self, from: i64, to: i64) {
        self.sum += i128::from(to) - i128::from(from);
        self.squares += i128::from(to) * i128::from(to) - i128::from(from) * i128::from(from);
    }
}

/// The sums over some rounds.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    /// Rounds settled.
    pub rounds: u64,
    /// Boxes settled.
    pub boxes: u64,
    /// Boxes that folded.
    pub folded: u64,
    /// Boxes with chips on each area.
    pub wagered: [u64; Area::COUNT],
    /// Total staked on each area, in cents.
    pub staked: [i128; Area::COUNT],
    /// Net result of each area, in cents; a jackpot wager counts as lost until its award is paid.
    pub net: [i128; Area::COUNT],
    /// Ante and raises, by rounds.
    pub main: Moments,
    /// The bonus, by rounds.
    pub bonus: Moments,
    /// Everything, jackpot awards aside, by rounds.
    pub all: Moments,
    /// Rounds in which the jackpot is claimed.
    pub claims: Vec<ClaimRound>,
    /// Net result of each area in the current round.
    now: [i64; Area::COUNT],
    /// Stakes on each area in the current round.
    staked_now: [i64; Area::COUNT],
}

impl Totals {
    pub(super) fn begin_round(&mut self) {
        self.now = [0; Area::COUNT];
        self.staked_now = [0; Area::COUNT];
    }

    #[inline]
    pub(super) fn add_box(&mut self, lines: &[Line], stays: bool, stakes: &[Money; Area::COUNT]) {
        self.folded += u64::from(!stays);
        for (area, stake) in stakes.iter().enumerate() {
            self.wagered[area] += u64::from(!stake.is_zero());
            self.staked_now[area] += stake.cents();
        }
        for line in lines {
            self.now[line.area.index()] += line.net().cents();
        }
    }

    /// The net result of the round over all boxes, in cents.
    #[inline]
    pub(super) fn end_round(&mut self, boxes: usize) -> i64 {
        self.rounds += 1;
        self.boxes += u64::try_from(boxes).unwrap_or(0);
        let all: i64 = self.now.iter().sum();
        let (bonus, jackpot) = (self.now[Area::Bonus.index()], self.now[Area::Jackpot.index()]);
        for (sum, now) in self.net.iter_mut().zip(self.now) {
            *sum += i128::from(now);
        }
        for (sum, now) in self.staked.iter_mut().zip(self.staked_now) {
            *sum += i128::from(now);
        }
        self.main.add(all - bonus - jackpot);
        self.bonus.add(bonus);
        self.all.add(all);
        all
    }

    /// Adds the sums of a later chunk. Its claims have been paid by now.
    pub(super) fn add(&mut self, other: &Totals) {
        self.rounds += other.rounds;
        self.boxes += other.boxes;
        self.folded += other.folded;
        for area in 0..Area::COUNT {
            self.wagered[area] += other.wagered[area];
            self.staked[area] += other.staked[area];
            self.net[area] += other.net[area];
        }
        self.main.merge(&other.main);
        self.bonus.merge(&other.bonus);
        self.all.merge(&other.all);
    }
}
