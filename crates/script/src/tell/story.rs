//! What happened at a table, event by event, in words.

use std::sync::Arc;

use baize_cards::Card;
use baize_rules::{Cites, Claim, Reveal, Rulebook};
use baize_table::{Decided, Event, JackpotPayment, Phase, Place, Table, evolve};

use super::{phrases, spelled};
use crate::transcript::{dealer_hand, play};

/// Something that is told: who, what, and the paragraphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) who: String,
    pub(super) what: String,
    pub(super) cites: Cites,
    pub(super) kind: Kind,
}

/// Whether the next thing said of the same person can follow in the same sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Chips or a look: the next follows after a comma.
    List,
    /// Cards: the next follow after a space.
    Cards,
    /// A sentence of its own.
    Whole,
    /// Something that was refused or went wrong.
    Warning,
}

/// Tells the events of one table, and keeps the table as they leave it.
pub(super) struct Narrator {
    book: Arc<Rulebook>,
    table: Table,
}

impl Narrator {
    pub(super) fn new(book: Arc<Rulebook>, table: Table) -> Narrator {
        Narrator { book, table }
    }

    /// Tells one event. Some events say nothing that another does not say better.
    pub(super) fn tell(&mut self, event: &Event, story: &mut Vec<Said>) {
        let raising = matches!(self.table.round.phase, Phase::Play(_));
        self.table = evolve(self.table.clone(), event);
        for said in self.words(event, raising) {
            join(story, said);
        }
    }

    fn words(&self, event: &Event, raising: bool) -> Vec<Said> {
        vec![match event {
            Event::RoundOpened { .. } => dealer("\"Place your bets, please.\""),
            Event::WagerPlaced { seat, player, area, amount, unnoticed, placed_by } => {
                let what = phrases::chips(*area, *amount, raising, *unnoticed, *placed_by);
                Said { who: format!("Box {seat} {player}"), what, cites: Cites::NONE, kind: Kind::List }
            }
            Event::WagerWithdrawn { seat, player, area, amount } => {
                let what = format!("takes back {} {}", area.name(), amount.grouped());
                dealer(what).by(&format!("Box {seat} {player}"))
            }
            Event::WagerReturned { seat, player, area, amount, cites } => {
                let what = format!("gets back {} {}", area.name(), amount.grouped());
                dealer(what).by(&format!("Box {seat} {player}")).citing(*cites)
            }
            Event::BetsClosed { .. } => dealer("\"No more bets.\""),
            Event::CardBurnt { card, departs_from } => {
                dealer(format!("burns {card}{}", departing(*departs_from)))
            }
            Event::CardsDealt { to, cards, departs_from } => self.dealt(*to, cards, *departs_from),
            Event::HandLookedAt { seat } => {
                Said { kind: Kind::List, ..self.of_box(*seat, "looks at the hand") }
            }
            // The chips have said it.
            Event::DecisionMade { decided: Decided::Raised, .. } => return Vec::new(),
            Event::DecisionMade { seat, decided, cites } => {
                let what = if *decided == Decided::Folded { "folds" } else { "checks" };
                self.of_box(*seat, what).citing(*cites)
            }
            Event::CardsRevealed { what } => self.revealed(*what),
            Event::HandShown { seat } => self.of_box(*seat, "lays the hand face up"),
            Event::HandDeclined { seat } => self.of_box(*seat, "does not show the hand"),
            Event::PlayerAbsent { seat, cites } => self.of_box(*seat, "has walked away").citing(*cites),
            Event::IrregularityRuled { report, remedied } => {
                let what = format!("{}: {}", phrases::reported(report), phrases::remedy(remedied.remedy));
                warning(what).by(&phrases::staff(&report.by)).citing(remedied.cites)
            }
            Event::RulingAwaited { by, cites, .. } => {
                warning(format!("The round waits for the {}'s ruling.", by.name())).citing(*cites)
            }
            Event::OptionsGiven { seats, allowed, cites, .. } => {
                warning(phrases::options(seats, *allowed)).citing(*cites)
            }
            Event::OptionChosen { seat, player, choice, cites } => {
                let said = self.of_box(*seat, phrases::chosen(*choice)).citing(*cites);
                match player {
                    Some(player) => said.by(&format!("Box {seat} {player}")),
                    None => said,
                }
            }
            Event::Ruled { ruling, cites } => {
                warning(phrases::ruled(ruling)).by(&phrases::staff(&ruling.by)).citing(*cites)
            }
            Event::HandInvalidated { seat, cites } => {
                self.of_box(*seat, "the hand is invalid; its wagers go back").citing(*cites)
            }
            Event::HandsMoved { moves } => dealer(phrases::moves(moves)),
            Event::CardsShifted { burnt, piles } => {
                let piles: Vec<String> =
                    piles.iter().map(|(place, cards)| format!("{place} {}", spaced(cards))).collect();
                dealer(format!("burns {burnt} and moves the cards up: {}", piles.join("; ")))
            }
            Event::CardsTakenOff { from, cards } => dealer(format!("takes {} off {from}", spaced(cards))),
            Event::DealerFaceUpSet { card } => {
                dealer(format!("lays {card} face up instead of the last card"))
            }
            Event::JackpotFailed => warning("The jackpot has failed."),
            Event::RoundVoided { cites, .. } => {
                warning("The round is void: every wager goes back.").citing(*cites)
            }
            Event::RoundSettled { claims, .. } => return self.settled(claims),
            Event::SlipCorrected { slip, cites } => {
                self.of_box(slip.seat, "the settlement is put right").citing(*cites)
            }
            Event::JackpotPaid { payments } => {
                let paid = |payment: &JackpotPayment| {
                    let what = format!("is paid {} by the jackpot", payment.amount.grouped());
                    self.of_box(payment.seat, what).citing(payment.cites)
                };
                return payments.iter().map(paid).collect();
            }
        }]
    }

    fn settled(&self, claims: &[Claim]) -> Vec<Said> {
        let claimed = |claim: &Claim| {
            let award = self.book.jackpot.awards.get(claim.award);
            let name = award.map_or("an award", |award| award.name.as_str());
            let said = self.of_box(claim.seat, format!("claims the jackpot award for {name}"));
            said.citing(award.map_or(Cites::NONE, |award| award.cites))
        };
        [dealer("settles")].into_iter().chain(claims.iter().map(claimed)).collect()
    }

    fn dealt(&self, to: Place, cards: &[Card], departs_from: Cites) -> Said {
        let mut what = spaced(cards);
        if to == Place::Dealer
            && self.book.board_size() == 0
            && let Some(dealer) = play(&self.table.round).map(|play| &play.dealer)
            && dealer.len() == self.book.hand_size()
            && let Some(face_up) = dealer.last()
        {
            what.push_str(&format!(" ({face_up} face up)"));
        }
        let mut said = match to {
            Place::Box(seat) => self.of_box(seat, what),
            Place::Board => dealer(what).by("Board"),
            Place::Dealer => dealer(what),
        };
        said.what.push_str(&departing(departs_from));
        Said { kind: Kind::Cards, ..said }
    }

    fn revealed(&self, what: Reveal) -> Said {
        let play = play(&self.table.round);
        let Some((from, to)) = what.board_cards() else {
            let hand = play.and_then(|play| dealer_hand(&self.book, play));
            let cards = play.map_or(String::new(), |play| spaced(&play.dealer));
            let Some((hand, _, qualifies)) = hand else { return dealer(format!("reveals {cards}")) };
            let mut said = dealer(format!("reveals {cards}: {}", spelled(hand)));
            if let Some(qualification) = &self.book.qualification {
                said.what.push_str(if qualifies { ", which qualifies" } else { ", which does not qualify" });
                said.cites = qualification.cites;
            }
            return said;
        };
        let board = play.and_then(|play| play.board.get(from..to)).unwrap_or_default();
        dealer(format!("reveals the {}: {}", what.code(), spaced(board)))
    }

    fn of_box(&self, seat: u8, what: impl Into<String>) -> Said {
        let seated = self.table.seated();
        let who =
            seated.get(&seat).map_or_else(|| format!("Box {seat}"), |player| format!("Box {seat} {player}"));
        Said { who, what: what.into(), cites: Cites::NONE, kind: Kind::Whole }
    }
}

impl Said {
    fn citing(self, cites: Cites) -> Said {
        Said { cites, ..self }
    }

    fn by(self, who: &str) -> Said {
        Said { who: who.to_owned(), ..self }
    }
}

fn dealer(what: impl Into<String>) -> Said {
    Said { who: "Dealer".to_owned(), what: what.into(), cites: Cites::NONE, kind: Kind::Whole }
}

/// A step that was refused, or something that went wrong.
pub(super) fn warning(what: impl Into<String>) -> Said {
    Said { who: String::new(), what: what.into(), cites: Cites::NONE, kind: Kind::Warning }
}

/// Adds what is said, to the same sentence where it goes on.
fn join(story: &mut Vec<Said>, said: Said) {
    match story.last_mut() {
        Some(last) if last.who == said.who && last.cites.is_empty() && last.kind == Kind::List => {
            last.what = format!("{}, {}", last.what, said.what);
            (last.kind, last.cites) = (said.kind, said.cites);
        }
        Some(last) if last.who == said.who && last.kind == Kind::Cards && said.kind == Kind::Cards => {
            last.what = format!("{} {}", last.what, said.what);
        }
        _ => story.push(said),
    }
}

pub(super) fn spaced(cards: &[Card]) -> String {
    let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
    cards.join(" ")
}

/// What is added to cards that came at another moment or in another order than the procedure says.
fn departing(departs_from: Cites) -> String {
    if departs_from.is_empty() { String::new() } else { format!(" (departs from {departs_from})") }
}
