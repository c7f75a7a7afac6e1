//! What could be done now, and by whom: drives buttons, prompts and fuzzers.
//!
//! Finite questions are put to [`decide`] itself; amounts and cards are given as ranges. A property test keeps the
//! two consistent: a command is accepted exactly when [`Legal::contains`] it.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::CardSet;
use baize_rules::{
    Area, BoxNumber, Case, Cites, FactKind, IrregularityKind, Money, Reveal, Role, Rulebook, WhoMayBet,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::decide::{decide, decision_open, drawn_together, reportable_now, rule_here, wager_amounts};
use crate::round::{Betting, Phase, Play};
use crate::schedule::{Due, due};
use crate::{Awaiting, Choice, Command, Place, Player, Ruling, RulingKind, Staff, Table};

/// Who may do it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Players {
    /// Anybody except these.
    AnyoneBut(BTreeSet<Player>),
    /// This player.
    Only(Player),
}

impl Players {
    /// Whether this player is one of them.
    #[must_use]
    pub fn include(&self, player: &Player) -> bool {
        match self {
            Players::AnyoneBut(others) => !others.contains(player),
            Players::Only(only) => only == player,
        }
    }
}

/// Amounts: minimum, maximum, step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Amounts {
    /// The minimum that may be added.
    pub from: Money,
    /// The maximum that may be added.
    pub to: Money,
    /// The step.
    pub step: Money,
}

impl Amounts {
    fn include(&self, amount: Money) -> bool {
        (self.from..=self.to).contains(&amount)
            && (amount - self.from).cents() % self.step.cents().max(1) == 0
    }
}

/// A wager that may be placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WagerChoice {
    /// The box.
    pub seat: BoxNumber,
    /// The area.
    pub area: Area,
    /// By whom.
    pub players: Players,
    /// How much.
    pub amounts: Amounts,
}

/// Where cards may be dealt, and which are left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deals {
    /// Where.
    pub places: Vec<Place>,
    /// The cards that are not dealt yet.
    pub cards: CardSet,
}

/// A question that a report asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Question {
    /// The fact.
    pub fact: FactKind,
    /// The question in plain words.
    pub words: &'static str,
    /// Whether the table answers it when it is omitted.
    pub optional: bool,
}

/// Something that can be reported now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reportable {
    /// What.
    pub kind: IrregularityKind,
    /// Plain words for a busy supervisor.
    pub words: &'static str,
    /// What it asks.
    pub questions: Vec<Question>,
    /// The possible outcomes: conditions, remedy, who may rule, paragraphs.
    pub cases: Vec<Case>,
    /// Who decides if no case applies, and the paragraphs.
    pub otherwise: (Role, Cites),
}

/// Everything that would be accepted now. The default is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Legal {
    /// "Place your bets, please."
    pub open: bool,
    /// "No more bets."
    pub close: bool,
    /// Settling.
    pub settle: bool,
    /// Wagers, raises included.
    pub wagers: Vec<WagerChoice>,
    /// Chips that may be taken back.
    pub withdrawals: Vec<(BoxNumber, Player, Area)>,
    /// What is due now, by the dealing procedure.
    pub due: Option<Due>,
    /// Dealing.
    pub deals: Option<Deals>,
    /// Hands that may be examined.
    pub looks: Vec<BoxNumber>,
    /// Boxes that may fold.
    pub folds: Vec<BoxNumber>,
    /// Boxes that may check.
    pub checks: Vec<BoxNumber>,
    /// Cards that may be turned.
    pub reveals: Vec<Reveal>,
    /// Hands that may be shown.
    pub shows: Vec<BoxNumber>,
    /// Hands that may be kept hidden.
    pub declines: Vec<BoxNumber>,
    /// Players who may be noted as absent.
    pub absences: Vec<BoxNumber>,
    /// Choices of boxes, by their seated players.
    pub choices: Vec<(BoxNumber, Choice)>,
    /// Choices of players for their chips on another player's box.
    pub shared_choices: Vec<(BoxNumber, Player, Choice)>,
    /// The players of this round, and those with a standing restriction.
    pub players: BTreeSet<Player>,
    /// The seated player of each box.
    pub seated: BTreeMap<BoxNumber, Player>,
    /// Rulings and the lowest position that may give them.
    pub rulings: Vec<(RulingKind, Role)>,
    /// What can be reported.
    pub reports: Vec<IrregularityKind>,
}

impl Legal {
    /// Whether this command would be accepted. It gives no answer for reports (which depend on their facts), payments (on the
    /// jackpot), cards that are put back (on face-down cards), chips that the dealer did not notice, and a restriction of a
    /// player who has not bet yet.
    #[must_use]
    pub fn contains(&self, command: &Command) -> Option<bool> {
        Some(match command {
            Command::Open => self.open,
            Command::Close => self.close,
            Command::Settle => self.settle,
            Command::PlaceWager { unnoticed: true, .. } | Command::Report(_) | Command::PayJackpot { .. } => {
                return None;
            }
            Command::PlaceWager { seat, player, area, amount, .. } => self.wagers.iter().any(|wager| {
                wager.seat == *seat
                    && wager.area == *area
                    && wager.players.include(player)
                    && wager.amounts.include(*amount)
            }),
            Command::Withdraw { seat, player, area } => {
                self.withdrawals.contains(&(*seat, player.clone(), *area))
            }
            // The card is face down.
            Command::Burn { .. } | Command::Deal { .. } if matches!(self.due, Some(Due::PutBack { .. })) => {
                return None;
            }
            Command::Burn { card } => self.deals.as_ref().is_some_and(|deals| deals.cards.contains(*card)),
            Command::Deal { to, cards } => self.deals.as_ref().is_some_and(|deals| {
                let distinct: CardSet = cards.iter().copied().collect();
                deals.places.contains(to)
                    && !cards.is_empty()
                    && distinct.len() == cards.len()
                    && distinct.difference(deals.cards).is_empty()
            }),
            Command::Look { seat } => self.looks.contains(seat),
            Command::Fold { seat } => self.folds.contains(seat),
            Command::Check { seat } => self.checks.contains(seat),
            Command::Reveal { what } => self.reveals.contains(what),
            Command::Show { seat } => self.shows.contains(seat),
            Command::Decline { seat } => self.declines.contains(seat),
            Command::Absent { seat } => self.absences.contains(seat),
            Command::Choose { seat, player: None, choice } => self.choices.contains(&(*seat, *choice)),
            Command::Choose { seat, player: Some(player), choice } => {
                self.shared_choices.contains(&(*seat, player.clone(), *choice))
                    || self.seated.get(seat) == Some(player) && self.choices.contains(&(*seat, *choice))
            }
            Command::Rule(Ruling { kind: RulingKind::Restrict(player), .. })
                if !self.players.contains(player) =>
            {
                return None;
            }
            Command::Rule(ruling) => {
                self.rulings.iter().any(|(kind, role)| *kind == ruling.kind && *role <= ruling.by.role)
            }
        })
    }
}

/// Everything that would be accepted now.
#[must_use]
pub fn legal(book: &Rulebook, table: &Table) -> Legal {
    let accepted = |command: Command| decide(book, table, &command).is_ok();
    let seats = BoxNumber::all(table.settings.boxes);
    Legal {
        open: accepted(Command::Open),
        close: accepted(Command::Close),
        settle: accepted(Command::Settle),
        due: due(book, table),
        deals: match &table.round.phase {
            Phase::Play(play) if table.round.awaiting.is_none() => Some(deals(book, table, play)),
            Phase::Play(_) if table.round.awaiting.as_ref().is_some_and(|a| a.cards_left() > 0) => {
                Some(Deals { places: Vec::new(), cards: CardSet::EMPTY })
            }
            Phase::Idle | Phase::Finished(_) | Phase::Betting(_) | Phase::Play(_) => None,
        },
        reveals: Reveal::ALL.into_iter().filter(|what| accepted(Command::Reveal { what: *what })).collect(),
        absences: seats.filter(|seat| accepted(Command::Absent { seat: *seat })).collect(),
        rulings: rulings(book, table),
        reports: reports(book, table),
        ..legal_to_players(book, table)
    }
}

/// Of all that would be accepted now, what players do themselves: wagers, looks, decisions, choices.
#[must_use]
pub fn legal_to_players(book: &Rulebook, table: &Table) -> Legal {
    let accepted = |command: Command| decide(book, table, &command).is_ok();
    let seats = || BoxNumber::all(table.settings.boxes);
    let boxes = |command: fn(BoxNumber) -> Command| seats().filter(|seat| accepted(command(*seat))).collect();
    let waiting = table.round.awaiting.is_some();
    Legal {
        wagers: match &table.round.phase {
            Phase::Betting(betting) if !waiting => opening_wagers(book, table, betting),
            Phase::Play(play) if !waiting => raises(book, table, play),
            Phase::Idle | Phase::Finished(_) | Phase::Betting(_) | Phase::Play(_) => Vec::new(),
        },
        withdrawals: withdrawals(table).into_iter().filter(|w| accepted(withdraw(w))).collect(),
        looks: boxes(|seat| Command::Look { seat }),
        folds: boxes(|seat| Command::Fold { seat }),
        checks: boxes(|seat| Command::Check { seat }),
        shows: boxes(|seat| Command::Show { seat }),
        declines: boxes(|seat| Command::Decline { seat }),
        choices: seats()
            .flat_map(|seat| Choice::ALL.map(|choice| (seat, choice)))
            .filter(|(seat, choice)| accepted(Command::Choose { seat: *seat, player: None, choice: *choice }))
            .collect(),
        shared_choices: shared_choices(table).into_iter().filter(|c| accepted(choose(c))).collect(),
        players: table.known_players(),
        seated: table.round.seated(),
        ..Legal::default()
    }
}

fn withdraw((seat, player, area): &(BoxNumber, Player, Area)) -> Command {
    Command::Withdraw { seat: *seat, player: player.clone(), area: *area }
}

fn choose((seat, player, choice): &(BoxNumber, Player, Choice)) -> Command {
    Command::Choose { seat: *seat, player: Some(player.clone()), choice: *choice }
}

fn shared_choices(table: &Table) -> Vec<(BoxNumber, Player, Choice)> {
    let Some(Awaiting::Options { sharing, .. }) = &table.round.awaiting else { return Vec::new() };
    let of_player =
        |(seat, player): &(BoxNumber, Player)| Choice::ALL.map(|choice| (*seat, player.clone(), choice));
    sharing.iter().flat_map(of_player).collect()
}

fn withdrawals(table: &Table) -> Vec<(BoxNumber, Player, Area)> {
    let Phase::Betting(betting) = &table.round.phase else { return Vec::new() };
    let stakes =
        betting.boxes.iter().flat_map(|(seat, on_box)| on_box.stakes.iter().map(move |stake| (*seat, stake)));
    let each: BTreeSet<_> = stakes.map(|(seat, stake)| (seat, stake.player.clone(), stake.area)).collect();
    each.into_iter().collect()
}

fn opening_wagers(book: &Rulebook, table: &Table, betting: &Betting) -> Vec<WagerChoice> {
    let standing = &table.standing;
    let mut wagers = Vec::new();
    for seat in BoxNumber::all(table.settings.boxes) {
        let on_box = betting.boxes.get(&seat);
        for rule in book.areas.iter().filter(|rule| book.decision(rule.area).is_none()) {
            let area = rule.area;
            let refused =
                standing.barred_boxes.contains(&seat) || (area == Area::Jackpot && standing.no_jackpot);
            let Some((from, to, step)) = wager_amounts(book, table, on_box, area).filter(|_| !refused) else {
                continue;
            };
            let seated_only = book.betting.who.value == WhoMayBet::SeatedPlayer || area == Area::Jackpot;
            let elsewhere = |player: &Player| {
                betting
                    .boxes
                    .iter()
                    .any(|(s, b)| *s != seat && b.stakes.iter().any(|stake| stake.player == *player))
            };
            let restricted = standing.restricted.iter().filter(|player| elsewhere(player));
            let others: BTreeSet<Player> =
                standing.barred.iter().chain(&standing.stopped).chain(restricted).cloned().collect();
            let amounts = Amounts { from, to, step };
            let Some(on_box) = on_box.filter(|_| seated_only || area != Area::Ante) else {
                wagers.push(WagerChoice { seat, area, players: Players::AnyoneBut(others), amounts });
                continue;
            };
            // Except for the ante, only players with an ante of their own.
            let players: BTreeSet<&Player> = on_box.stakes.iter().map(|stake| &stake.player).collect();
            let may = |player: &&Player| {
                !others.contains(*player)
                    && (!seated_only || **player == on_box.seated)
                    && (area == Area::Ante || on_box.has_ante(player))
            };
            wagers.extend(players.into_iter().filter(may).map(|player| WagerChoice {
                seat,
                area,
                players: Players::Only(player.clone()),
                amounts,
            }));
        }
    }
    wagers
}

fn raises(book: &Rulebook, table: &Table, play: &Play) -> Vec<WagerChoice> {
    let mut wagers = Vec::new();
    for (seat, hand) in &play.hands {
        let Ok(stage) = decision_open(book, table, play, *seat) else { continue };
        let rule = book.decisions[stage];
        let (ante, lies) = (hand.on(Area::Ante), hand.on(rule.area));
        let Ok(exact) = ante.times(rule.times_ante) else { continue };
        let players: BTreeSet<&Player> =
            hand.stakes.iter().filter(|stake| stake.area == Area::Ante).map(|stake| &stake.player).collect();
        for player in players.into_iter().filter(|player| !play.gone.contains(*player)) {
            let of = |area| -> Money {
                let own = hand.stakes.iter().filter(|stake| stake.area == area && stake.player == *player);
                own.map(|stake| stake.amount).sum()
            };
            let mut amounts = BTreeSet::from([exact - lies]);
            if of(Area::Ante) < ante
                && let Ok(part) = of(Area::Ante).times(rule.times_ante)
                && part > of(rule.area)
                && lies + part - of(rule.area) < exact
            {
                amounts.insert(part - of(rule.area));
            }
            wagers.extend(amounts.into_iter().map(|amount| WagerChoice {
                seat: *seat,
                area: rule.area,
                players: Players::Only(player.clone()),
                amounts: Amounts { from: amount, to: amount, step: Money::from_cents(1) },
            }));
        }
    }
    wagers
}

fn deals(book: &Rulebook, table: &Table, play: &Play) -> Deals {
    let cards = CardSet::FULL.difference(play.cards_out());
    let places = BoxNumber::all(table.settings.boxes).map(Place::Box).chain([Place::Board, Place::Dealer]);
    let probe = |to: &Place| {
        let card = cards.iter().next();
        card.is_some_and(|card| decide(book, table, &Command::Deal { to: *to, cards: vec![card] }).is_ok())
    };
    Deals { places: places.filter(probe).collect(), cards }
}

fn rulings(book: &Rulebook, table: &Table) -> Vec<(RulingKind, Role)> {
    let mut kinds = vec![
        RulingKind::Void,
        RulingKind::Continue,
        RulingKind::Intentional,
        RulingKind::NotIntentional,
        RulingKind::PermitWithdrawal,
        RulingKind::NoJackpot,
        RulingKind::CloseTable,
        RulingKind::JackpotRestored,
    ];
    kinds.extend(BoxNumber::all(table.settings.boxes).map(RulingKind::BarBox));
    kinds.extend((1..=drawn_together(table)).map(RulingKind::FirstCard));
    for player in table.known_players() {
        kinds.extend([
            RulingKind::Restrict(player.clone()),
            RulingKind::Bar(player.clone()),
            RulingKind::Lift(player.clone()),
            RulingKind::Stop(player),
        ]);
    }
    let lowest = |kind: RulingKind| {
        let may = |role: Role| {
            let ruling = Ruling { kind: kind.clone(), by: Staff::of(role), reason: None };
            decide(book, table, &Command::Rule(ruling)).is_ok()
        };
        // What the highest position may not rule, nobody may.
        if !may(Role::ShiftManager) {
            return None;
        }
        let role = Role::ALL.into_iter().find(|role| may(*role));
        role.map(|role| (kind.clone(), role))
    };
    kinds.into_iter().filter_map(lowest).collect()
}

fn reports(book: &Rulebook, table: &Table) -> Vec<IrregularityKind> {
    let waiting_for_person = matches!(table.round.awaiting, Some(Awaiting::Ruling { .. }));
    IrregularityKind::ALL
        .into_iter()
        .filter(|kind| !waiting_for_person && reportable_now(book, table, *kind).is_ok())
        .collect()
}

/// What a person in this position can report now, with the questions that each report asks; the irregularity desk
/// uses it. Everybody may report; `cases` says who may rule.
#[must_use]
pub fn reportable(book: &Rulebook, table: &Table) -> Vec<Reportable> {
    let rules = &book.irregularities;
    reports(book, table)
        .into_iter()
        .map(|kind| {
            let rule = rule_here(book, table, kind);
            let asks = rule.map(|rule| rule.asks.as_slice()).unwrap_or_default();
            let questions = asks.iter().map(|fact| Question {
                fact: *fact,
                words: question(kind, *fact),
                optional: rule.is_none_or(|rule| !rule.must_state(*fact)),
            });
            Reportable {
                kind,
                words: kind.words(),
                questions: questions.collect(),
                cases: rule.map(|rule| rule.cases.clone()).unwrap_or_default(),
                otherwise: (rules.anything_else.value, rules.anything_else.cites),
            }
        })
        .collect()
}

/// The question in plain words. Cards that left the shoe together may not be on the table yet: cards already there must not be
/// mistaken for them.
fn question(kind: IrregularityKind, fact: FactKind) -> &'static str {
    if kind == IrregularityKind::SimultaneousDraw && fact == FactKind::Count {
        "How many of the cards dealt last are they? Left out, they are not on the table yet."
    } else {
        fact.question()
    }
}
