//! The settlement slip: for each box, what happens to each area and why.

use baize_cards::HandClass;
use baize_rules::{Area, BoxNumber, Cites, Money, OpenPoint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::round::on_area;
use crate::{Player, Stake};

/// What happened to a stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResultKind {
    /// Paid on top of the stake.
    Win,
    /// Collected.
    Lose,
    /// A stand-off: neither paid nor collected.
    // RS 1.19; RH 1.27; MH, MB 1.1.14; MS 1.1.8: neither paid nor collected.
    Push,
    /// Returned for another reason.
    Returned,
    /// A jackpot claim that the jackpot has not decided yet.
    Pending,
}

impl ResultKind {
    /// The name in scripts and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["win", "lose", "push", "returned", "pending"][self as usize]
    }
}

/// One line of a slip. An area with two outcomes has two lines, whose stakes add up to the whole stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The area.
    pub area: Area,
    /// The part of the stake that this line is about.
    pub staked: Money,
    /// What happened to it.
    pub result: ResultKind,
    /// `win`: paid on top; `lose`: collected; `push`, `returned`: returned.
    pub amount: Money,
    /// The paragraphs.
    pub cites: Cites,
    /// The open point that decided it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpretation: Option<OpenPoint>,
}

impl Line {
    /// Whether a jackpot award was paid here.
    #[must_use]
    pub fn is_award(&self) -> bool {
        self.area == Area::Jackpot && self.result == ResultKind::Win
    }

    /// What this line adds to the player's result. The house keeps a jackpot wager even when it wins.
    #[must_use]
    #[inline]
    pub fn net(&self) -> Money {
        match self.result {
            ResultKind::Win if self.area == Area::Jackpot => self.amount - self.staked,
            ResultKind::Win => self.amount,
            ResultKind::Lose => -self.amount,
            ResultKind::Pending => -self.staked,
            ResultKind::Push | ResultKind::Returned => Money::ZERO,
        }
    }

    /// What the table hands to the player: returned stake and winnings.
    #[must_use]
    pub fn handed_over(&self) -> Money {
        self.staked + self.net()
    }
}

/// The slip of one box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoxSettlement {
    /// The box.
    pub seat: BoxNumber,
    /// The seated player.
    pub player: Player,
    /// The class of their best hand, if five of its cards are known at the table.
    pub hand: Option<HandClass>,
    /// What happened to each area.
    pub lines: Vec<Line>,
    /// Who staked what, in the order in which the chips were placed.
    pub stakes: Vec<Stake>,
    /// Chips that were returned to their owner alone, whatever happened to the rest of the area.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<Stake>,
}

/// What one of several players who share a wager gets of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlayerShare {
    /// The player.
    pub player: Player,
    /// What is handed to them over all lines of the box.
    pub handed_over: Money,
    /// What they staked over all areas of the box.
    pub staked: Money,
}

impl BoxSettlement {
    /// Everything the box got back less everything it staked.
    #[must_use]
    pub fn net(&self) -> Money {
        self.lines.iter().map(Line::net).sum()
    }

    /// Whether chips of this area were returned for another reason than a stand-off.
    #[must_use]
    pub fn returns(&self, area: Area) -> bool {
        self.lines.iter().any(|line| line.area == area && line.result == ResultKind::Returned)
    }

    /// What each player with chips on the box is handed: chips set aside go to their owner, and every other line is
    /// divided in proportion to the chips on that area. A cent that does not divide goes to the players who bet first,
    /// so that the parts add up.
    #[must_use]
    pub fn shares(&self) -> Vec<PlayerShare> {
        let mut shares: Vec<PlayerShare> = Vec::new();
        for stake in &self.stakes {
            match shares.iter_mut().find(|share| share.player == stake.player) {
                Some(share) => share.staked += stake.amount,
                None => shares.push(PlayerShare {
                    player: stake.player.clone(),
                    handed_over: Money::ZERO,
                    staked: stake.amount,
                }),
            }
        }
        // Two lines of an area that return the same amount are divided identically: the first can stand for the other.
        let mut aside: Vec<Area> = Vec::new();
        for line in &self.lines {
            let alone = !aside.contains(&line.area)
                && line.result == ResultKind::Returned
                && line.staked == on_area(&self.set_aside, line.area);
            if alone {
                aside.push(line.area);
            }
            let on_area: Vec<Stake> = if alone {
                self.set_aside.iter().filter(|stake| stake.area == line.area).cloned().collect()
            } else {
                self.in_play(line.area)
            };
            let total: Money = on_area.iter().map(|s| s.amount).sum();
            let mut placed = Money::ZERO;
            let mut given = Money::ZERO;
            for stake in on_area {
                placed += stake.amount;
                // Rounding the running total keeps every cent: the last player's running total is the whole.
                let so_far = portion(line.handed_over(), placed, total);
                if let Some(share) = shares.iter_mut().find(|share| share.player == stake.player) {
                    share.handed_over += so_far - given;
                }
                given = so_far;
            }
        }
        shares
    }

    /// The chips on an area without those set aside: of each player the ones that were placed first.
    fn in_play(&self, area: Area) -> Vec<Stake> {
        let mut stakes: Vec<Stake> = self.stakes.iter().filter(|stake| stake.area == area).cloned().collect();
        for aside in self.set_aside.iter().filter(|aside| aside.area == area) {
            let mut left = aside.amount;
            for stake in stakes.iter_mut().rev().filter(|stake| stake.player == aside.player) {
                let amount = left.min(stake.amount);
                stake.amount -= amount;
                left -= amount;
            }
        }
        stakes.retain(|stake| !stake.amount.is_zero());
        stakes
    }
}

/// `amount × part / whole`, rounded up to the cent.
fn portion(amount: Money, part: Money, whole: Money) -> Money {
    assert!(Money::ZERO < part && part <= whole, "{part} is no part of {whole}");
    let product = i128::from(amount.cents()) * i128::from(part.cents());
    let whole = i128::from(whole.cents());
    let cents = (product + whole - 1).div_euclid(whole);
    Money::from_cents(i64::try_from(cents).expect("a part of an amount is no larger than the amount"))
}
