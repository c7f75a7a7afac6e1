//! Every point that the texts leave open: its readings, the default first, and why it is the default, with an example.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::interpretation::{Point, open_points, unknown};

open_points! {
    "I-1" "The bonus after a lost hand"
    bonus_after_loss: BonusAfterLoss {
        #[default]
        HoleCards "hole-cards" "the bonus is settled on the hole cards whatever the showdown; only a fold loses it",
        LostWithHand "lost-with-hand" "the bonus is lost with a hand that ranks lower than the dealer's",
    }
    why "The settlement says that a lower hand loses all wagers but the jackpot's. The definition makes the bonus a wager on the hole cards \
        alone, and its top line, A-A against A-A, is paid most often to a hand that does not win. Example: a bonus of 10 on K-K, beaten at the \
        showdown, is paid 100 on the hole cards and loses 10 with the hand."

    "I-2" "One award for each jackpot wager"
    award_choice: AwardChoice {
        #[default]
        HighestRanking "highest-ranking" "the highest-ranking award that the cards make is paid, even where a lower one would pay more",
        HighestPaying "highest-paying" "the award that pays most at the meter then displayed is paid",
    }
    why "The pay table lists hands by rank, and a hand is what it ranks as. Example: seven cards hold a royal flush, complete on \
        the river, and a straight flush. At a meter of 10,000 the royal flush pays 5%, SGD 500; the other reading pays SGD 1,500 for the straight \
        flush. Five cards are one hand only, and both readings pay it alike."

    "I-3" "Pooled straight flushes"
    pooled_straight_flush: PooledStraightFlush {
        #[default]
        Sequential "sequential" "each winner draws a share from the meter as the draw before left it; the draws are added and divided equally",
        Reset "reset" "one share of the displayed meter and one share of the reset value for each further winner are added and divided equally; only the first lowers the meter",
    }
    why "The letter, 10% of each subsequent reset amount, is nearer to `reset`. But a 10% award resets nothing, the pay table promises each \
        winner 10% of the jackpot, and winners at one table should not get less than the same hands at two. Example: two straight flushes at a \
        meter of 200,000 with a reset value of 100,000 draw 20,000 and 18,000 and get 19,000 each; by `reset` they draw 20,000 and 10,000 \
        and get 15,000 each."

    "I-4" "Several winners at one table where the text names no order"
    several_winners: SeveralWinners {
        #[default]
        LowerFirst "lower-first" "lower awards first, a royal last; among equals clockwise, each at the meter then displayed",
        Clockwise "clockwise" "clockwise from the dealer's left, whatever the award",
    }
    why "The sister games pay a royal flush after the lower hands, so that it does not empty the meter before them. Example: box 1 has a \
        royal flush on the flop and box 2 four of a kind: box 2 is paid first; clockwise, box 1 is. That changes an amount only where fixed awards \
        come out of the meter too (I-10)."

    "I-5" "Awards \"for 1\""
    for_one: ForOne {
        #[default]
        StakeKept "stake-kept" "the stated multiple of the wager is paid, and the house keeps the wager",
        StakeIncluded "stake-included" "the stated multiple includes the wager, so one wager less is paid",
    }
    why "A jackpot wager is never handed back, so \"400 for 1\" is what is paid for it. Example: a wager of 5 with four of a kind is paid 2,000; \
        the other reading pays 1,995."

    "I-6" "Fractions of a cent"
    rounding: Rounding {
        #[default]
        Up "up" "a payout is rounded up to the cent and lowers the meter by what is paid",
        Down "down" "a payout is rounded down to the cent; the fraction stays in the meter",
    }
    why "The texts do not speak of fractions; a player is not paid less than the pay table says. Example: 10% of 123,456.78 is 12,345.678: \
        12,345.68 is paid, or 12,345.67."

    "I-7" "The bonus of an invalid hand"
    bonus_of_invalid: BonusOfInvalid {
        #[default]
        Returned "returned" "an invalid hand returns its bonus too",
        Collected "collected" "only the wagers that the paragraph names are returned; the bonus is collected",
    }
    why "The paragraph names ante and jackpot, but a hand that is invalid has neither won nor lost. Example: a player who is not there for the \
        flop decision gets a bonus of 10 back, or loses it."

    "I-8" "When everybody folds"
    all_fold: AllFold {
        #[default]
        Revealed "revealed" "the community cards are still revealed when a jackpot wager could win on them",
        NotRevealed "not-revealed" "the round ends with the last fold and the community cards stay face down",
    }
    why "A folded jackpot wager can still win, and nobody can tell without the cards. Example: a folded wager that the community \
        cards make win is paid; with the cards face down it is collected."

    "I-9" "The maximum payout"
    cap_on: CapOn {
        #[default]
        Winnings "winnings" "the maximum is on the winnings, not on the returned stake",
        Total "total" "the maximum includes the returned stake",
    }
    why "A payout is what the house pays; the stake was the player's before. Example: a wager of 2,000 that would win more is paid \
        100,000 and its stake goes back; the other reading pays 98,000 beside the stake."

    "I-10" "Who pays which award"
    paid_by: PaidBy {
        #[default]
        PercentFromMeter "percent-from-meter" "only percentage awards come out of the meter; fixed and \"for 1\" awards are paid by the house",
        AllFromMeter "all-from-meter" "every award comes out of the meter as far as it reaches",
    }
    why "Only a percentage speaks of the jackpot's amount. Example: after a fixed award of 500 the meter stands where it stood, or 500 lower."

    "I-11" "Contributions of wagers that are returned"
    contribution: Contribution {
        #[default]
        TakenOut "taken-out" "a wager that is returned later is taken out of the meter again unless the meter has been won in between",
        Kept "kept" "what was added to the meter when bets closed stays there",
    }
    why "The meter grows with accepted wagers, and one that goes back was not played. Example: a void round with one wager of 5 at a rate of 20% \
        lowers the meter by 1.00 again."

    "I-12" "A player who lets the time run out"
    silence: Silence {
        #[default]
        Folds "folds" "a player who was shown the cards and lets the time run out folds, or checks where that is possible; only a player who was not connected at all is absent",
        Absent "absent" "a player who lets the time run out is absent",
    }
    why "The paragraph speaks of a player who is not there. Where an absent player's hand is invalid, any losing hand could otherwise be handed \
        back by waiting. Example: a player at the table sees a poor hand and waits: the ante of 50 is lost by the fold; the other reading returns it \
        where an absent player's hand is invalid."

    "I-13" "A hand that is not shown"
    not_shown: NotShown {
        #[default]
        OwnHand "own-hand" "what depends on the ranking of the player's own hand is lost; community awards, and ante and bet when the dealer does not qualify, are settled",
        Everything "everything" "every bet is lost, the jackpot bet included",
    }
    why "Players establish the ranking of their own hands; what does not depend on that ranking needs no hand. Example: four of a kind \
        among the community cards pays a jackpot bet SGD 300, and a dealer who does not qualify pays the ante, whether the hand is shown or \
        not; by the other reading both are lost."

    "I-14" "A shared wager over the maximum"
    shared_excess: SharedExcess {
        #[default]
        LastPlaced "last-placed" "the excess is that of the chips that were placed last; a raise follows its ante",
        InProportion "in-proportion" "every player's part is cut in proportion",
    }
    why "Nobody's lawful chips are put out of play by what another added. Example: at a maximum of 100 Ann has 100 on the ante and Ben adds 50. \
        Ben's 50 go back and Ann is paid 100; in proportion Ann plays 66.67 and Ben 33.33."

    "I-15" "\"One time only\" under the minimum"
    one_time_only: OneTimeOnly {
        #[default]
        SettledRound "settled-round" "the first settled round with a wager under the minimum is the one time at that table, whatever its outcome",
        PaidOrCollected "paid-or-collected" "only a round in which such a wager was paid or collected counts",
    }
    why "A stand-off is an outcome too, and the player has been warned. Example: an ante of 20 under a minimum of 25 stands off; the next one of 20 \
        is returned whatever the cards. By the other reading it plays once more."

    "I-16" "How far a bar from further play reaches"
    bar_reach: BarReach {
        #[default]
        WholeHouse "whole-house" "a bar holds in the whole house until a Shift Manager lifts it; a restriction and a stop hold at the table",
        Table "table" "a bar holds at the table where it was ruled",
    }
    why "Further play is not limited to a table, and a player who does not keep a hand confidential at one table will not at the next. Example: Ann is \
        barred at table 1; an ante of hers at table 2 is refused, or taken."

    "I-17" "Who acts for the House"
    house_acts: HouseActs {
        #[default]
        ShiftManager "shift-manager" "the House acts through its Table Game Shift Manager or above",
        PitManager "pit-manager" "the House acts through a Pit Manager or above",
    }
    why "What the text leaves to the discretion of the House it nowhere gives to a Pit Employee, and whatever it does not provide for goes to \
        the Shift Manager. Example: after a jackpot fault a Pit Manager cannot decide to play on without the jackpot; by the other reading \
        a Pit Manager can."

    "I-18" "Rounding in a pool"
    pool_rounding: PoolRounding {
        #[default]
        EachDraw "each-draw" "each percentage is rounded to the cent as it is drawn, and each equal share again",
        Once "once" "the pool is worked out exactly and only the equal share is rounded",
    }
    why "A percentage of the jackpot is an amount of money before it is pooled. Example: two straight flushes at 100,000.21 draw 10,000.03 \
        and 9,000.02 and get 9,500.03 each; worked out exactly they divide 19,000.0399 and get 9,500.02 each."

    "I-19" "Cards put right under 5.8"
    put_right: PutRight {
        #[default]
        WithoutOptions "without-options" "a round that 5.8 saves by reconstruction goes on without options",
        WithOptions "with-options" "every player has the options of 5.10 after the reconstruction",
    }
    why "5.10 is for dealing errors that 5.8 does not describe, and these it describes. Example: two hands went to each other's boxes and nobody \
        has looked: they change places and play goes on. By the other reading a player may also take the bets back."

    "I-20" "The raises of a player who walks away"
    raises_of_absent: RaisesOfAbsent {
        #[default]
        Lost "lost" "flop, turn and river bets are lost with the ante",
        Returned "returned" "only what a fold loses is lost; flop, turn and river bets go back",
    }
    why "A player who has folded takes no further part, and chips in for the finish are not taken back. The paragraph of the fold names ante and \
        bonus because nothing else lies there then. Example: a player with 50 on the ante and 100 on the flop walks away before the turn and \
        loses 150; by the other reading 50."

    "I-21" "A wrong hand found after the settlement"
    found_settled: FoundSettled {
        #[default]
        SettledAnew "settled-anew" "a hand that can be put right is settled anew as it should have been",
        Returned "returned" "its bets go back, as the player could have chosen before",
    }
    why "5.10 lets a player go on with the hand or take the bets back while nobody knows who wins. A hand that was played to its end was gone on \
        with, and a choice after the settlement would be one between winning and nothing. Example: a sixth card is found in a hand that won \
        500; it is taken off and the hand paid as the five cards say. By the other reading the bets go back."
}
