//! Every script that can be written parses back to itself, and no text makes the parser panic.

use baize_cards::{Card, HandClass};
use baize_rules::{
    Area, BoxNumber, FaultScope, IrregularityKind, Money, OpenPoint, Paragraph, Percent, ProcedureName,
    Reveal, Role, Whose,
};
use baize_script::{Expect, RuledName, Script, ScriptLine, SetUp, Stands, Statement, VERBS};
use baize_table::{Choice, Command, Facts, Place, Player, Report, ResultKind, Ruling, RulingKind, Staff};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn money() -> impl Strategy<Value = Money> {
    (0i64..100_000_000_000).prop_map(Money::from_cents)
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9é_-]{0,8}".prop_filter("`because` ends a name", |name| name != "because" && name != "by")
}

fn player() -> impl Strategy<Value = Player> {
    name().prop_map(Player)
}

fn seat() -> impl Strategy<Value = BoxNumber> {
    (1u8..=99).prop_map(BoxNumber)
}

fn card() -> impl Strategy<Value = Card> {
    select(Card::all().collect::<Vec<_>>())
}

fn paragraph() -> impl Strategy<Value = Option<Paragraph>> {
    option::of(
        "([1-6]\\.[1-9][0-9]?(\\.[1-9]){0,2}[a-d]?|Appendix [A-D])"
            .prop_map(|text| text.parse().expect("the pattern writes paragraphs")),
    )
}

fn staff() -> impl Strategy<Value = Staff> {
    (select(Role::ALL.to_vec()), option::of(name())).prop_map(|(role, name)| Staff { role, name })
}

fn stands() -> impl Strategy<Value = Stands> {
    prop_oneof![
        Just(Stands::NoJackpot),
        Just(Stands::JackpotFault),
        (0..1_000_000_000_u32).prop_map(Stands::Rounds),
        seat().prop_map(Stands::BarredBox),
        player().prop_map(Stands::Restricted),
        player().prop_map(Stands::Barred),
        player().prop_map(Stands::Stopped),
        player().prop_map(Stands::UnderMinimum),
    ]
}

fn set_up() -> impl Strategy<Value = SetUp> {
    let readings: Vec<(OpenPoint, &str)> = OpenPoint::ALL
        .iter()
        .flat_map(|point| point.readings().iter().map(|(reading, _)| (*point, *reading)))
        .collect();
    prop_oneof![
        select(ProcedureName::ALL.to_vec()).prop_map(SetUp::Dealing),
        any::<u8>().prop_map(SetUp::Boxes),
        (select(vec![Area::Ante, Area::Bonus]), money(), money())
            .prop_map(|(area, least, most)| SetUp::Limit { area, least, most }),
        money().prop_map(SetUp::JackpotWager),
        money().prop_map(SetUp::JackpotMeter),
        money().prop_map(SetUp::JackpotReset),
        (0u32..20_000).prop_map(|rate| SetUp::JackpotRate(Percent::from_hundredths(rate))),
        select(readings).prop_map(|(point, reading)| SetUp::Interpret { point, reading }),
        stands().prop_map(SetUp::Standing),
    ]
}

fn facts() -> impl Strategy<Value = Facts> {
    let yes_no = || option::of(any::<bool>());
    (
        (option::of(any::<u32>()), yes_no(), yes_no(), yes_no()),
        option::of(select(vec![Whose::Dealer, Whose::Other])),
        option::of(card()),
        option::of(player()),
        vec(seat(), 0..3),
        vec((seat(), seat()), 0..3),
        (any::<[bool; 3]>(), yes_no(), option::of(select(FaultScope::ALL.to_vec()))),
    )
        .prop_map(
            |(
                (count, seen, reconstructable, intentional),
                whose,
                card,
                player,
                boxes,
                moves,
                ([shift, card_by_card, previous], dealing, scope),
            )| {
                Facts {
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
                    previous_round: previous,
                }
            },
        )
}

fn ruling() -> impl Strategy<Value = Ruling> {
    let kind = prop_oneof![
        select(vec![
            RulingKind::Void,
            RulingKind::Continue,
            RulingKind::NoJackpot,
            RulingKind::CloseTable,
            RulingKind::JackpotRestored,
            RulingKind::PermitWithdrawal,
            RulingKind::Intentional,
            RulingKind::NotIntentional,
        ]),
        (1u8..=99).prop_map(RulingKind::FirstCard),
        seat().prop_map(RulingKind::BarBox),
        player().prop_map(RulingKind::Restrict),
        player().prop_map(RulingKind::Bar),
        player().prop_map(RulingKind::Stop),
        player().prop_map(RulingKind::Lift),
    ];
    let reason = option::of(vec(name(), 1..4).prop_map(|words| words.join(" ")));
    (kind, staff(), reason).prop_map(|(kind, by, reason)| Ruling { kind, by, reason })
}

fn command() -> impl Strategy<Value = Command> {
    let areas = || select(Area::ALL.to_vec());
    let place = prop_oneof![seat().prop_map(Place::Box), Just(Place::Board), Just(Place::Dealer)];
    prop_oneof![
        Just(Command::Open),
        Just(Command::Close),
        Just(Command::Settle),
        (seat(), player(), areas(), money(), any::<bool>(), option::of(select(Role::ALL.to_vec()))).prop_map(
            |(seat, player, area, amount, unnoticed, placed_by)| Command::PlaceWager {
                seat,
                player,
                area,
                amount,
                unnoticed,
                placed_by
            }
        ),
        (seat(), player(), areas()).prop_map(|(seat, player, area)| Command::Withdraw { seat, player, area }),
        card().prop_map(|card| Command::Burn { card }),
        (place, vec(card(), 1..7)).prop_map(|(to, cards)| Command::Deal { to, cards }),
        (seat(), 0usize..6).prop_map(|(seat, which)| match which {
            0 => Command::Look { seat },
            1 => Command::Fold { seat },
            2 => Command::Check { seat },
            3 => Command::Show { seat },
            4 => Command::Decline { seat },
            _ => Command::Absent { seat },
        }),
        select(Reveal::ALL.to_vec()).prop_map(|what| Command::Reveal { what }),
        (select(IrregularityKind::ALL.to_vec()), option::of(seat()), facts(), staff())
            .prop_map(|(kind, seat, facts, by)| Command::Report(Report { kind, seat, facts, by })),
        (seat(), proptest::option::of(player()), select(Choice::ALL.to_vec()))
            .prop_map(|(seat, player, choice)| Command::Choose { seat, player, choice }),
        ruling().prop_map(Command::Rule),
    ]
}

fn expect() -> impl Strategy<Value = Expect> {
    let results = [ResultKind::Win, ResultKind::Lose, ResultKind::Push, ResultKind::Returned];
    let hands = || select(HandClass::ALL.to_vec());
    prop_oneof![
        (seat(), select(Area::ALL.to_vec()), select(results.to_vec()), option::of(money()), paragraph())
            .prop_map(|(seat, area, result, amount, citing)| Expect::Area {
                seat,
                area,
                result,
                amount,
                citing
            }),
        (seat(), money(), any::<bool>()).prop_map(|(seat, amount, lost)| Expect::Net {
            seat,
            amount: if lost { -amount } else { amount }
        }),
        (seat(), hands()).prop_map(|(seat, class)| Expect::Hand { seat, class }),
        hands().prop_map(Expect::DealerHand),
        Just(Expect::DealerQualifies),
        Just(Expect::DealerNoHand),
        money().prop_map(Expect::Meter),
        paragraph().prop_map(|citing| Expect::Void { citing }),
        Just(Expect::Settled),
        paragraph().prop_map(|citing| Expect::Refused { citing }),
        paragraph().prop_map(|citing| Expect::Departs { citing }),
        (select(RuledName::ALL.to_vec()), paragraph())
            .prop_map(|(name, citing)| Expect::Ruled { name, citing }),
    ]
}

fn script() -> impl Strategy<Value = Script> {
    let body = prop_oneof![
        6 => command().prop_map(Statement::Step),
        3 => expect().prop_map(Statement::Expect),
        1 => (name(), option::of(name())).prop_map(|(name, game)| Statement::Table { name, game }),
    ];
    (vec("[a-zA-Z0-9:,.]{1,12}", 0..3), name(), vec(set_up(), 0..6), vec(body, 0..40)).prop_map(
        |(heading, game, set_up, body)| {
            let set_up = [SetUp::Game(game)].into_iter().chain(set_up).map(Statement::SetUp);
            let lines = set_up.chain(body).map(|statement| ScriptLine { number: 0, statement }).collect();
            Script { heading, lines }
        },
    )
}

/// The same script without the numbers of its lines.
fn unnumbered(mut script: Script) -> Script {
    script.lines.iter_mut().for_each(|line| line.number = 0);
    script
}

/// Words that scripts are made of, and some that they are not.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        select(VERBS.to_vec()).prop_map(|verb| verb.word.to_owned()),
        select(vec![
            "dealer",
            "board",
            "citing",
            "by",
            "unnoticed",
            "net",
            "hand",
            "ante",
            "jackpot",
            "meter"
        ])
        .prop_map(str::to_owned),
        "[0-9.,%+-]{1,6}",
        "[2-9TJQKA][cdhs♠]",
        "[a-z-]{1,9}=[a-z0-9,>]{0,6}",
        "\\PC{0,8}",
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(script in script()) {
        let text = script.to_string();
        let back = Script::parse(&text).map_err(|errors| TestCaseError::fail(format!("{errors:?} in\n{text}")))?;
        prop_assert_eq!(&unnumbered(back.clone()), &script);
        prop_assert_eq!(back.to_string(), text);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = Script::parse(&text);
    }

    #[test]
    fn no_words_panic(lines in vec(vec(word(), 0..7), 0..12)) {
        let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        if let Err(errors) = Script::parse(&format!("game g\n{}", lines.join("\n"))) {
            for error in errors {
                prop_assert!(error.line >= 1 && error.column >= 1);
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn a_mutilated_script_is_read_or_refused(script in script(), cut in any::<prop::sample::Index>(), with in "\\PC{0,3}") {
        let mut characters: Vec<char> = script.to_string().chars().collect();
        let at = cut.index(characters.len());
        characters.splice(at..=at, with.chars());
        let text: String = characters.into_iter().collect();
        if let Ok(script) = Script::parse(&text) {
            let back = Script::parse(&script.to_string());
            prop_assert_eq!(back.map(unnumbered).ok(), Some(unnumbered(script)));
        }
    }
}
