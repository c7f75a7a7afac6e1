//! What a viewer may know. A card that they may not see is absent from the data, not merely hidden by a page.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use baize_cards::{Card, CardSet};
use baize_rules::{Area, BoxNumber, Cites, Money, Rulebook};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::round::{Finished, HandInPlay, HandStatus, Outcome, Phase, PhaseName, Play};
use crate::schedule::{Due, deciding, due};
use crate::{Awaiting, BoxSettlement, Decided, Player, Remedied, ResultKind, Stake, Standing, Table};

/// The viewer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// A player with their boxes.
    Player(Player),
    /// The dealer.
    Dealer,
    /// Pit staff.
    Pit,
    /// An auditor: sees every card of a finished round, and before that no more than the public.
    Auditor,
    /// Anybody.
    Public,
}

/// A card as a viewer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardView {
    /// Face up, or their own.
    Up(Card),
    /// Face down: the data does not say which card it is.
    Down,
}

impl CardView {
    /// The card, if the viewer sees it.
    #[must_use]
    pub const fn up(&self) -> Option<Card> {
        match self {
            CardView::Up(card) => Some(*card),
            CardView::Down => None,
        }
    }
}

impl Serialize for CardView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            CardView::Up(card) => card.serialize(serializer),
            CardView::Down => serializer.serialize_none(),
        }
    }
}

impl JsonSchema for CardView {
    fn schema_name() -> Cow<'static, str> {
        "CardView".into()
    }

    /// A card that the viewer may not see is null.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<Card>::json_schema(generator)
    }
}

/// A box as a viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoxView {
    /// The seated player.
    pub player: Player,
    /// The chips.
    pub stakes: Vec<Stake>,
    /// The chips on each area.
    pub areas: BTreeMap<Area, Money>,
    /// The cards.
    pub cards: Vec<CardView>,
    /// The player has examined them.
    pub looked: bool,
    /// What was decided so far.
    pub decisions: Vec<Decided>,
    /// The status of the hand; `None` before the close.
    pub status: Option<HandStatus>,
    /// The player is noted as absent.
    pub absent: bool,
    /// The player does not show their hand.
    pub declined: bool,
}

/// Chips that were returned to their owner before the settlement: no slip has a line for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HandedBack {
    /// The box.
    pub seat: BoxNumber,
    /// Whose chips they were.
    pub player: Player,
    /// Where they were.
    pub area: Area,
    /// How much.
    pub amount: Money,
    /// The paragraphs.
    pub cites: Cites,
}

impl HandedBack {
    /// All chips of the round that were returned before the settlement, in order.
    #[must_use]
    pub fn all(play: &Play) -> Vec<HandedBack> {
        let one = |(seat, stake, cites): &(BoxNumber, Stake, Cites)| HandedBack {
            seat: *seat,
            player: stake.player.clone(),
            area: stake.area,
            amount: stake.amount,
            cites: *cites,
        };
        play.handed_back.iter().map(one).collect()
    }
}

/// The round as a viewer sees it: pages and API answers are built only from this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundView {
    /// The round's number.
    pub number: u32,
    /// Its phase.
    pub phase: PhaseName,
    /// The boxes with chips.
    pub boxes: BTreeMap<BoxNumber, BoxView>,
    /// The community cards.
    pub board: Vec<CardView>,
    /// The dealer's cards.
    pub dealer: Vec<CardView>,
    /// The burnt cards.
    pub burnt: Vec<CardView>,
    /// The boxes whose players decide now.
    pub deciding: BTreeSet<BoxNumber>,
    /// Chips that were returned before the settlement.
    pub handed_back: Vec<HandedBack>,
    /// What the round waits for.
    pub awaiting: Option<Awaiting>,
    /// The latest report's remedy.
    pub ruled: Option<Remedied>,
    /// How the round ended.
    pub outcome: Option<Outcome>,
    /// The slips of a finished round.
    pub slips: Vec<BoxSettlement>,
    /// What carries over from round to round: notices, barred boxes.
    pub standing: Standing,
}

impl RoundView {
    /// All cards that the viewer sees.
    #[must_use]
    pub fn cards_open(&self) -> CardSet {
        let boxes = self.boxes.values().flat_map(|on_box| &on_box.cards);
        let all = boxes.chain(&self.board).chain(&self.dealer).chain(&self.burnt);
        all.filter_map(CardView::up).collect()
    }
}

/// The round as this viewer may know it.
#[must_use]
pub fn view(book: &Rulebook, table: &Table, viewer: &Viewer) -> RoundView {
    seen(book, table, Some(viewer))
}

/// The round with every card: for scripts, which have no secrets. Nobody at a table sees this.
#[must_use]
pub fn view_open(book: &Rulebook, table: &Table) -> RoundView {
    seen(book, table, None)
}

/// The round as a viewer may know it, or with every card.
fn seen(book: &Rulebook, table: &Table, viewer: Option<&Viewer>) -> RoundView {
    let mut seen = RoundView {
        number: table.round.number,
        phase: table.round.phase.name(),
        boxes: BTreeMap::new(),
        board: Vec::new(),
        dealer: Vec::new(),
        burnt: Vec::new(),
        deciding: BTreeSet::new(),
        handed_back: Vec::new(),
        awaiting: table.round.awaiting.clone(),
        ruled: table.round.ruled.clone(),
        outcome: None,
        slips: Vec::new(),
        standing: table.standing.clone(),
    };
    match &table.round.phase {
        Phase::Idle => {}
        Phase::Betting(betting) => {
            seen.boxes = betting
                .boxes
                .iter()
                .map(|(seat, on_box)| {
                    let view = BoxView {
                        player: on_box.seated.clone(),
                        areas: areas(&on_box.stakes),
                        stakes: on_box.stakes.clone(),
                        cards: Vec::new(),
                        looked: false,
                        decisions: Vec::new(),
                        status: None,
                        absent: false,
                        declined: false,
                    };
                    (*seat, view)
                })
                .collect();
        }
        Phase::Play(play) => {
            if !deciding(book, play).is_empty()
                && let Some(Due::Decide { seats, .. }) = due(book, table)
            {
                seen.deciding = seats;
            }
            cards(book, play, None, viewer, &mut seen);
        }
        Phase::Finished(finished) => {
            cards(book, &finished.play, Some(finished), viewer, &mut seen);
            seen.outcome = Some(finished.outcome.clone());
            seen.slips = finished.boxes.clone();
            hide_hands(book, finished, viewer, &mut seen);
        }
    }
    seen
}

fn areas(stakes: &[Stake]) -> BTreeMap<Area, Money> {
    let mut areas = BTreeMap::new();
    for stake in stakes {
        *areas.entry(stake.area).or_insert(Money::ZERO) += stake.amount;
    }
    areas
}

fn cards(
    book: &Rulebook,
    play: &Play,
    finished: Option<&Finished>,
    viewer: Option<&Viewer>,
    seen: &mut RoundView,
) {
    let everything = sees_everything(finished, viewer);
    let turned = |cards: &[Card], up: &dyn Fn(usize, Card) -> bool| -> Vec<CardView> {
        let one = |(n, card): (usize, &Card)| if up(n, *card) { CardView::Up(*card) } else { CardView::Down };
        cards.iter().enumerate().map(one).collect()
    };
    seen.handed_back = HandedBack::all(play);
    let shown = play.board_shown().len();
    seen.board = turned(&play.board, &|n, _| everything || n < shown);
    let face_up = play.face_up(book);
    seen.dealer = turned(&play.dealer, &|_, card| everything || play.dealer_shown() || face_up == Some(card));
    seen.burnt = turned(&play.burnt, &|_, _| everything);
    for (seat, hand) in &play.hands {
        let open = everything || viewer.is_some_and(|viewer| hand_open(book, *seat, hand, finished, viewer));
        let view = BoxView {
            player: hand.seated.clone(),
            areas: areas(&hand.stakes),
            stakes: hand.stakes.clone(),
            cards: turned(&hand.cards, &|_, _| open),
            looked: hand.looked,
            decisions: hand.decisions.clone(),
            status: Some(hand.status),
            absent: hand.absent,
            declined: hand.declined,
        };
        seen.boxes.insert(*seat, view);
    }
}

/// Whether every card is shown: to a script (no viewer), and to an auditor of a finished round.
fn sees_everything(finished: Option<&Finished>, viewer: Option<&Viewer>) -> bool {
    viewer.is_none_or(|viewer| finished.is_some() && *viewer == Viewer::Auditor)
}

/// Whether this viewer may see the cards of this hand.
// MBS 3.10.1; RWS 4.4: who may see a hand.
fn hand_open(
    book: &Rulebook,
    seat: BoxNumber,
    hand: &HandInPlay,
    finished: Option<&Finished>,
    viewer: &Viewer,
) -> bool {
    if hand.shown || matches!(viewer, Viewer::Player(player) if *player == hand.seated && hand.looked) {
        return true;
    }
    let Some(finished) = finished.filter(|finished| finished.outcome == Outcome::Settled) else {
        return false;
    };
    // Compared hands are open after the settlement, and so are hands that claim the jackpot.
    let compared = hand.in_play() && !hand.declined;
    let claims =
        finished.boxes.iter().filter(|slip| slip.seat == seat).flat_map(|slip| &slip.lines).any(|line| {
            line.area == Area::Jackpot && matches!(line.result, ResultKind::Win | ResultKind::Pending)
        });
    // MBS 3.10.1: a Pit Supervisor may view a hand that was not shown.
    let viewed = hand.declined && *viewer == Viewer::Pit && book.settlement.declined_viewed.is_some();
    compared || (claims && !hand.declined) || viewed
}

/// The class of a hand that this viewer may not see is hidden too.
fn hide_hands(book: &Rulebook, finished: &Finished, viewer: Option<&Viewer>, seen: &mut RoundView) {
    for slip in &mut seen.slips {
        let hand = finished.play.hands.get(&slip.seat);
        let open = sees_everything(Some(finished), viewer)
            || viewer
                .zip(hand)
                .is_some_and(|(viewer, hand)| hand_open(book, slip.seat, hand, Some(finished), viewer));
        if !open {
            slip.hand = None;
        }
    }
}
