//! What a line of a script says, as values.
//!
//! Every value here can be written as a line and parsed back: see [`Script::parse`] and the `Display` of [`Statement`].
//! Whether a line makes sense at the table is for the runner to decide.

use baize_cards::HandClass;
use baize_rules::{Area, BoxNumber, Money, OpenPoint, Paragraph, Percent, ProcedureName};
use baize_table::{Command, Player, ResultKind, Table};

/// A script: its description and its lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// The comment at the top: what the script shows.
    pub heading: Vec<String>,
    /// The statements, in order.
    pub lines: Vec<ScriptLine>,
}

/// A statement with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptLine {
    /// Its number in the text; the first is 1.
    pub number: usize,
    /// What it says.
    pub statement: Statement,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// How the table is set up.
    SetUp(SetUp),
    /// The lines from here on belong to this table.
    Table {
        /// Its name.
        name: String,
        /// Its game, if it is not the script's.
        game: Option<String>,
    },
    /// Something that happens. Never [`Command::PayJackpot`]: that follows from the settlement.
    Step(Command),
    /// Something that must hold.
    Expect(Expect),
}

/// How the table is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetUp {
    /// The rulebook.
    Game(String),
    /// The dealing procedure.
    Dealing(ProcedureName),
    /// Boxes on the layout.
    Boxes(u8),
    /// The limits of an area: ante or bonus.
    Limit {
        /// The area.
        area: Area,
        /// The minimum.
        least: Money,
        /// The maximum.
        most: Money,
    },
    /// The prescribed jackpot wager, or the minimum if multiples are allowed.
    JackpotWager(Money),
    /// The meter now.
    JackpotMeter(Money),
    /// The reset value of the meter.
    JackpotReset(Money),
    /// The share of each accepted jackpot wager that is added to the meter.
    JackpotRate(Percent),
    /// Another reading of an open point.
    Interpret {
        /// `I-3`.
        point: OpenPoint,
        /// The name of the reading.
        reading: &'static str,
    },
    /// What carries over from earlier rounds.
    Standing(Stands),
}

/// What carries over at a table from rounds before the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stands {
    /// This many rounds were played before: the next one has the number after it.
    Rounds(u32),
    /// The notice that no jackpot wagers are accepted is displayed.
    NoJackpot,
    /// The jackpot does not work, and nobody has decided yet how rounds continue.
    JackpotFault,
    /// No bets are accepted on this box.
    BarredBox(BoxNumber),
    /// This player is restricted to one position.
    Restricted(Player),
    /// This player is barred from play.
    Barred(Player),
    /// This player's action was stopped.
    Stopped(Player),
    /// A wager of this player under the minimum was settled once.
    UnderMinimum(Player),
}

impl Stands {
    /// The script words, in order.
    pub(crate) const WORDS: [&'static str; 8] = [
        "no-jackpot",
        "jackpot-fault",
        "barred-box",
        "restricted",
        "barred",
        "stopped",
        "under-minimum",
        "rounds",
    ];

    /// Adds to what carries over at a table.
    pub fn put_up(&self, table: &mut Table) {
        let standing = &mut table.standing;
        match self.clone() {
            Stands::Rounds(played) => table.round.number = played,
            Stands::NoJackpot => standing.no_jackpot = true,
            Stands::JackpotFault => standing.jackpot_fault = true,
            Stands::BarredBox(seat) => {
                standing.barred_boxes.insert(seat);
            }
            Stands::Restricted(player) => {
                standing.restricted.insert(player);
            }
            Stands::Barred(player) => {
                standing.barred.insert(player);
            }
            Stands::Stopped(player) => {
                standing.stopped.insert(player);
            }
            Stands::UnderMinimum(player) => {
                standing.under_minimum.insert(player);
            }
        }
    }

    /// The player it concerns, if any.
    pub fn player(&mut self) -> Option<&mut Player> {
        match self {
            Stands::Restricted(player)
            | Stands::Barred(player)
            | Stands::Stopped(player)
            | Stands::UnderMinimum(player) => Some(player),
            Stands::Rounds(_) | Stands::NoJackpot | Stands::JackpotFault | Stands::BarredBox(_) => None,
        }
    }

    /// The script word.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Stands::NoJackpot => Stands::WORDS[0],
            Stands::JackpotFault => Stands::WORDS[1],
            Stands::BarredBox(_) => Stands::WORDS[2],
            Stands::Restricted(_) => Stands::WORDS[3],
            Stands::Barred(_) => Stands::WORDS[4],
            Stands::Stopped(_) => Stands::WORDS[5],
            Stands::UnderMinimum(_) => Stands::WORDS[6],
            Stands::Rounds(_) => Stands::WORDS[7],
        }
    }
}

/// Something that must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// What happened to an area.
    Area {
        /// The box.
        seat: BoxNumber,
        /// The area.
        area: Area,
        /// The result.
        result: ResultKind,
        /// The amount, if it matters.
        amount: Option<Money>,
        /// The paragraph, if it matters.
        citing: Option<Paragraph>,
    },
    /// Everything the box got back less everything it staked.
    Net {
        /// The box.
        seat: BoxNumber,
        /// The difference.
        amount: Money,
    },
    /// The same for the chips of one player on the box.
    PlayerNet {
        /// The box.
        seat: BoxNumber,
        /// The player.
        player: Player,
        /// The difference.
        amount: Money,
    },
    /// The class of the box's hand.
    Hand {
        /// The box.
        seat: BoxNumber,
        /// The class.
        class: HandClass,
    },
    /// The class of the dealer's hand.
    DealerHand(HandClass),
    /// The dealer has a qualifying hand.
    DealerQualifies,
    /// The dealer has no qualifying hand.
    DealerNoHand,
    /// The jackpot meter as displayed.
    Meter(Money),
    /// The round is void.
    Void {
        /// The paragraph, if it matters.
        citing: Option<Paragraph>,
    },
    /// The round is settled.
    Settled,
    /// The step before was refused.
    Refused {
        /// The paragraph, if it matters.
        citing: Option<Paragraph>,
    },
    /// The step before dealt cards at another moment than the procedure says.
    Departs {
        /// The paragraph of the procedure, if it matters.
        citing: Option<Paragraph>,
    },
    /// The latest report's remedy.
    Ruled {
        /// The remedy.
        name: RuledName,
        /// The paragraph, if it matters.
        citing: Option<Paragraph>,
    },
}

/// The script name of a remedy. One remedy may have several names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the script")]
pub enum RuledName {
    Void,
    Continue,
    Options,
    Invalid,
    Reconstruct,
    Refer,
}

impl RuledName {
    /// All names.
    pub const ALL: [RuledName; 6] = [
        RuledName::Void,
        RuledName::Continue,
        RuledName::Options,
        RuledName::Invalid,
        RuledName::Reconstruct,
        RuledName::Refer,
    ];

    /// The name in scripts.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["void", "continue", "options", "invalid", "reconstruct", "refer"][self as usize]
    }
}
