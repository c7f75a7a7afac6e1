//! Events of rounds, version 1.

use baize_rules::Claim;
use baize_table::{Allowed, BoxSettlement, Draw, Event, Line, Remedied, Stake};
use std::collections::BTreeSet;

use baize_cards::{Card, HandClass};
use baize_rules::{Area, Cites, IrregularityKind, Money, Remedy, Reveal, Role};
use baize_table::{Choice, Decided, OpenPoint, Place, Player, ResultKind};

use super::command_v1::{JackpotPaymentV1, ReportV1, RulingV1};

struct_shape!(DrawV1 for Draw { #[serde(default, skip_serializing_if = "Option::is_none")] to: Option<Place>, cards: Vec<Card> });

struct_shape!(StakeV1 for Stake { player: Player, area: Area, amount: Money });

struct_shape!(LineV1 for Line {
    area: Area,
    staked: Money,
    result: ResultKind,
    amount: Money,
    cites: Cites,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interpretation: Option<OpenPoint>,
});

struct_shape!(SlipV1 for BoxSettlement {
    seat: u8,
    player: Player,
    hand: Option<HandClass>,
    lines: Vec<LineV1>,
    stakes: Vec<StakeV1>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<StakeV1>,
});

struct_shape!(ClaimV1 for Claim { seat: u8, award: usize, #[serde(default)] made: u32, wager: Money, multiple: u32 });

struct_shape!(AllowedV1 for Allowed { unchanged: bool, reconstructed: bool, all_boxes: bool });

struct_shape!(RemediedV1 for Remedied { kind: IrregularityKind, remedy: Remedy, cites: Cites });

enum_shape!(EventV1 for Event as "event" {
    plain JackpotFailed;
    with RoundOpened { number: u32, rulebook: String, hash: String };
    with WagerPlaced {
        seat: u8,
        player: Player,
        area: Area,
        amount: Money,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unnoticed: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        placed_by: Option<Role>,
    };
    with WagerWithdrawn { seat: u8, player: Player, area: Area, amount: Money };
    with WagerReturned { seat: u8, player: Player, area: Area, amount: Money, cites: Cites };
    with BetsClosed { jackpot: Vec<(u8, Money)> };
    with CardBurnt {
        card: Card,
        #[serde(default, skip_serializing_if = "Cites::is_empty")]
        departs_from: Cites,
    };
    with CardsDealt { to: Place, cards: Vec<Card>, departs_from: Cites };
    with HandLookedAt { seat: u8 };
    with DecisionMade { seat: u8, decided: Decided, cites: Cites };
    with CardsRevealed { what: Reveal };
    with HandShown { seat: u8 };
    with HandDeclined { seat: u8 };
    with PlayerAbsent { seat: u8, cites: Cites };
    with IrregularityRuled { report: ReportV1, remedied: RemediedV1 };
    with RulingAwaited { kind: IrregularityKind, seat: Option<u8>, by: Role, cites: Cites };
    with OptionsGiven {
        seats: BTreeSet<u8>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sharing: Vec<(u8, Player)>,
        allowed: AllowedV1,
        cites: Cites,
    };
    with OptionChosen {
        seat: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<Player>,
        choice: Choice,
        cites: Cites,
    };
    with Ruled { ruling: RulingV1, cites: Cites };
    with HandInvalidated { seat: u8, cites: Cites };
    with HandsMoved { moves: Vec<(u8, u8)> };
    with CardsReconstructed { drawn: Vec<DrawV1> };
    with CardsShifted { burnt: Card, piles: Vec<(Place, Vec<Card>)> };
    with CardsTakenOff { from: Place, cards: Vec<Card> };
    with DealerFaceUpSet { card: Card };
    with RoundVoided { cites: Cites, because: Option<IrregularityKind>, boxes: Vec<SlipV1> };
    with RoundSettled { boxes: Vec<SlipV1>, claims: Vec<ClaimV1>, under_minimum: BTreeSet<Player> };
    with SlipCorrected { slip: SlipV1, cites: Cites };
    with JackpotPaid { payments: Vec<JackpotPaymentV1> };
});
