//! Writes a script: the output parses back to the same script.

use std::fmt::{self, Display, Formatter};

use baize_rules::{Money, Paragraph, Role, Whose};
use baize_table::{Command, Facts, Place, Report, Ruling, RulingKind, Staff};

use crate::{Expect, Script, SetUp, Stands, Statement};

/// The heading, then each line; a blank line before each round, each table and the first expectation after a step.
impl Display for Script {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for line in &self.heading {
            writeln!(f, "{}", format!("# {line}").trim_end())?;
        }
        let mut before: Option<&Statement> = None;
        for line in &self.lines {
            if before.is_some_and(|before| part_begins(before, &line.statement)) {
                writeln!(f)?;
            }
            writeln!(f, "{}", line.statement)?;
            before = Some(&line.statement);
        }
        Ok(())
    }
}

fn part_begins(before: &Statement, now: &Statement) -> bool {
    let table = matches!(before, Statement::Table { .. });
    match now {
        Statement::Table { .. } => true,
        Statement::Step(Command::Open) => !table,
        Statement::Expect(expect) => {
            matches!(before, Statement::Step(_))
                && !matches!(expect, Expect::Refused { .. } | Expect::Departs { .. } | Expect::Ruled { .. })
        }
        Statement::SetUp(_) | Statement::Step(_) => false,
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Statement::SetUp(set_up) => set_up.fmt(f),
            Statement::Table { name, game: None } => write!(f, "table {name}"),
            Statement::Table { name, game: Some(game) } => write!(f, "table {name} {game}"),
            Statement::Step(command) => step(command, f),
            Statement::Expect(expect) => expect.fmt(f),
        }
    }
}

impl SetUp {
    /// The first word of its line.
    pub(crate) const fn verb(&self) -> &'static str {
        match self {
            SetUp::Game(_) => "game",
            SetUp::Dealing(_) => "dealing",
            SetUp::Boxes(_) => "boxes",
            SetUp::Limit { .. } => "limit",
            SetUp::JackpotWager(_)
            | SetUp::JackpotMeter(_)
            | SetUp::JackpotReset(_)
            | SetUp::JackpotRate(_) => "jackpot",
            SetUp::Interpret { .. } => "interpret",
            SetUp::Standing(_) => "standing",
        }
    }
}

impl Display for SetUp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.verb())?;
        match self {
            SetUp::Game(id) => f.write_str(id),
            SetUp::Dealing(name) => f.write_str(name.code()),
            SetUp::Boxes(boxes) => write!(f, "{boxes}"),
            SetUp::Limit { area, least, most } => {
                write!(f, "{} {} {}", area.code(), chips(*least), chips(*most))
            }
            SetUp::JackpotWager(amount) => write!(f, "wager {}", chips(*amount)),
            SetUp::JackpotMeter(amount) => write!(f, "meter {amount}"),
            SetUp::JackpotReset(amount) => write!(f, "reset {amount}"),
            SetUp::JackpotRate(rate) => write!(f, "rate {rate}"),
            SetUp::Interpret { point, reading } => write!(f, "{point} {reading}"),
            SetUp::Standing(stands) => stands.fmt(f),
        }
    }
}

impl Display for Stands {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Stands::NoJackpot | Stands::JackpotFault => Ok(()),
            Stands::BarredBox(seat) => write!(f, " {seat}"),
            Stands::Rounds(played) => write!(f, " {played}"),
            Stands::Restricted(player)
            | Stands::Barred(player)
            | Stands::Stopped(player)
            | Stands::UnderMinimum(player) => write!(f, " {player}"),
        }
    }
}

/// Chip amounts are mostly whole dollars and then need no cents.
fn chips(amount: Money) -> String {
    let text = amount.to_string();
    text.strip_suffix(".00").map_or_else(|| text.clone(), str::to_owned)
}

fn step(command: &Command, f: &mut Formatter<'_>) -> fmt::Result {
    match command {
        Command::Open => f.write_str("open"),
        Command::PlaceWager { seat, player, area, amount, unnoticed, placed_by } => {
            write!(f, "bet {seat} {player} {} {}", area.code(), chips(*amount))?;
            f.write_str(if *unnoticed { " unnoticed" } else { "" })?;
            placed_by.map_or(Ok(()), |role| write!(f, " by {}", role.code()))
        }
        Command::Withdraw { seat, player, area } => write!(f, "withdraw {seat} {player} {}", area.code()),
        Command::Close => f.write_str("close"),
        Command::Burn { card } => write!(f, "burn {}", card.code()),
        Command::Deal { to, cards } => {
            match to {
                Place::Box(seat) => write!(f, "deal {seat}")?,
                Place::Board => f.write_str("deal board")?,
                Place::Dealer => f.write_str("deal dealer")?,
            }
            cards.iter().try_for_each(|card| write!(f, " {}", card.code()))
        }
        Command::Look { seat } => write!(f, "look {seat}"),
        Command::Fold { seat } => write!(f, "fold {seat}"),
        Command::Check { seat } => write!(f, "check {seat}"),
        Command::Reveal { what } => write!(f, "reveal {}", what.code()),
        Command::Show { seat } => write!(f, "show {seat}"),
        Command::Decline { seat } => write!(f, "decline {seat}"),
        Command::Absent { seat } => write!(f, "absent {seat}"),
        Command::Report(report) => self::report(report, f),
        Command::Choose { seat, player: None, choice } => write!(f, "option {seat} {}", choice.code()),
        Command::Choose { seat, player: Some(player), choice } => {
            write!(f, "option {seat} {player} {}", choice.code())
        }
        Command::Rule(ruling) => self::ruling(ruling, f),
        Command::Settle => f.write_str("settle"),
        // What the jackpot pays follows from the settlement: it is reported, not written.
        Command::PayJackpot { payments } => {
            f.write_str("# the jackpot pays")?;
            payments.iter().try_for_each(|payment| write!(f, " box {} {}", payment.seat, payment.amount))
        }
    }
}

fn staff(by: &Staff, f: &mut Formatter<'_>) -> fmt::Result {
    match &by.name {
        None if by.role == Role::Dealer => Ok(()),
        None => write!(f, " by {}", by.role.code()),
        Some(name) => write!(f, " by {} {name}", by.role.code()),
    }
}

fn report(report: &Report, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "report {}", report.kind.code())?;
    if let Some(seat) = report.seat {
        write!(f, " {seat}")?;
    }
    let Facts {
        count,
        seen,
        reconstructable,
        intentional,
        whose,
        card,
        player,
        boxes,
        moves,
        shift,
        card_by_card,
        dealing,
        scope,
        previous_round,
    } = &report.facts;
    if let Some(count) = count {
        write!(f, " count={count}")?;
    }
    let answers = [
        ("seen", seen),
        ("reconstructable", reconstructable),
        ("intentional", intentional),
        ("dealing", dealing),
    ];
    for (name, value) in answers {
        if let Some(value) = value {
            write!(f, " {name}={}", if *value { "yes" } else { "no" })?;
        }
    }
    match whose {
        Some(Whose::Dealer) => f.write_str(" whose=dealer")?,
        Some(Whose::Other) => f.write_str(" whose=other")?,
        None => {}
    }
    if let Some(card) = card {
        write!(f, " card={}", card.code())?;
    }
    if let Some(player) = player {
        write!(f, " player={player}")?;
    }
    if !boxes.is_empty() {
        let boxes: Vec<String> = boxes.iter().map(ToString::to_string).collect();
        write!(f, " boxes={}", boxes.join(","))?;
    }
    if !moves.is_empty() {
        let moves: Vec<String> = moves.iter().map(|(from, to)| format!("{from}>{to}")).collect();
        write!(f, " moves={}", moves.join(","))?;
    }
    if *shift {
        f.write_str(" shift=yes")?;
    }
    if *card_by_card {
        f.write_str(" card-by-card=yes")?;
    }
    if let Some(scope) = scope {
        write!(f, " scope={}", scope.code())?;
    }
    if *previous_round {
        f.write_str(" round=previous")?;
    }
    staff(&report.by, f)
}

fn ruling(ruling: &Ruling, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("decide ")?;
    match &ruling.kind {
        RulingKind::Void => f.write_str("void")?,
        RulingKind::Continue => f.write_str("continue")?,
        RulingKind::FirstCard(card) => write!(f, "first-card {card}")?,
        RulingKind::NoJackpot => f.write_str("no-jackpot")?,
        RulingKind::CloseTable => f.write_str("close-table")?,
        RulingKind::BarBox(seat) => write!(f, "bar-box {seat}")?,
        RulingKind::JackpotRestored => f.write_str("jackpot-restored")?,
        RulingKind::Restrict(player) => write!(f, "restrict {player}")?,
        RulingKind::Bar(player) => write!(f, "bar {player}")?,
        RulingKind::Stop(player) => write!(f, "stop {player}")?,
        RulingKind::Lift(player) => write!(f, "lift {player}")?,
        RulingKind::PermitWithdrawal => f.write_str("permit-withdrawal")?,
        RulingKind::Intentional => f.write_str("intentional")?,
        RulingKind::NotIntentional => f.write_str("not-intentional")?,
    }
    staff(&ruling.by, f)?;
    ruling.reason.as_ref().map_or(Ok(()), |reason| write!(f, " because {reason}"))
}

impl Display for Expect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expect::Area { seat, area, result, amount, citing } => {
                write!(f, "expect {seat} {} {}", area.code(), result.code())?;
                amount.map_or(Ok(()), |amount| write!(f, " {}", chips(amount)))?;
                self::citing(*citing, f)
            }
            Expect::Net { seat, amount } => {
                let sign = if *amount > Money::ZERO { "+" } else { "" };
                write!(f, "expect {seat} net {sign}{}", chips(*amount))
            }
            Expect::PlayerNet { seat, player, amount } => {
                let sign = if *amount > Money::ZERO { "+" } else { "" };
                write!(f, "expect {seat} {player} net {sign}{}", chips(*amount))
            }
            Expect::Hand { seat, class } => write!(f, "expect {seat} hand {}", class.code()),
            Expect::DealerHand(class) => write!(f, "expect dealer hand {}", class.code()),
            Expect::DealerQualifies => f.write_str("expect dealer qualifies"),
            Expect::DealerNoHand => f.write_str("expect dealer no-hand"),
            Expect::Meter(amount) => write!(f, "expect jackpot meter {amount}"),
            Expect::Void { citing } => {
                f.write_str("expect void")?;
                self::citing(*citing, f)
            }
            Expect::Settled => f.write_str("expect settled"),
            Expect::Refused { citing } => {
                f.write_str("expect refused")?;
                self::citing(*citing, f)
            }
            Expect::Departs { citing } => {
                f.write_str("expect departs")?;
                self::citing(*citing, f)
            }
            Expect::Ruled { name, citing } => {
                write!(f, "expect ruled {}", name.code())?;
                self::citing(*citing, f)
            }
        }
    }
}

fn citing(paragraph: Option<Paragraph>, f: &mut Formatter<'_>) -> fmt::Result {
    paragraph.map_or(Ok(()), |paragraph| write!(f, " citing {paragraph}"))
}
