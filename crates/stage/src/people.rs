//! The people of a script: accounts for its players and for every role that it names, with chips from the cage.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::Card;
use baize_house::{Actor, CommandId, Duty, House, PlayerId, StaffId};
use baize_rules::{Money, Role};
use baize_script::{Script, SetUp, Statement, named_players};
use baize_table::{Command, Player};
use baize_web::Casino;

use crate::StageError;
use crate::client::Client;

/// The maximum that the cage sells at once.
const MAX_BUY_IN: Money = Money::from_dollars(10_000_000);
/// The maximum chips that a player gets: a player who bets more finds the purse empty.
const MAX_CHIPS: Money = Money::from_dollars(100_000_000);

/// A person with a session.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) actor: Actor,
    pub(crate) client: Client,
}

/// Everybody in the casino.
pub(crate) struct People {
    /// By account, not by name in the script.
    pub(crate) players: BTreeMap<PlayerId, Person>,
    staff: BTreeMap<(Role, Option<String>), Person>,
    pub(crate) auditor: Person,
    pub(crate) public: Person,
    /// The account of each name in the script.
    accounts: BTreeMap<String, PlayerId>,
    /// What each player bought at the cage.
    pub(crate) bought: BTreeMap<PlayerId, Money>,
}

/// What a script says about people.
struct Named {
    /// Players, with all that they bet.
    players: BTreeMap<String, Money>,
    staff: BTreeSet<(Role, Option<String>)>,
}

impl Named {
    fn of(script: &Script) -> Named {
        let mut named = Named { players: BTreeMap::new(), staff: BTreeSet::new() };
        for role in [Role::Dealer, Role::PitSupervisor, Role::ShiftManager] {
            named.staff.insert((role, None));
        }
        for line in &script.lines {
            match &line.statement {
                Statement::Step(command) => named.step(command.clone()),
                Statement::SetUp(SetUp::Standing(stands)) => {
                    if let Some(player) = stands.clone().player() {
                        named.players.entry(player.0.clone()).or_default();
                    }
                }
                Statement::SetUp(_) | Statement::Table { .. } | Statement::Expect(_) => {}
            }
        }
        named
    }

    fn step(&mut self, mut command: Command) {
        for player in named_players(&mut command) {
            self.players.entry(player.0.clone()).or_default();
        }
        if let Command::PlaceWager { player, amount, placed_by, .. } = &command {
            let bets = self.players.entry(player.0.clone()).or_default();
            *bets = if *amount > MAX_CHIPS { MAX_CHIPS } else { (*bets + *amount).min(MAX_CHIPS) };
            self.staff.extend(placed_by.map(|role| (role, None)));
        } else if let Command::Report(report) = &command {
            self.staff.insert((report.by.role, report.by.name.clone()));
        } else if let Command::Rule(ruling) = &command {
            self.staff.insert((ruling.by.role, ruling.by.name.clone()));
        }
    }
}

/// A name that the house accepts, as close as possible to the wanted one.
fn account<N: std::str::FromStr>(wanted: &str, taken: &mut BTreeSet<String>) -> Result<N, N::Err> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut name: String = wanted.chars().map(|c| if fits(c) { c } else { '-' }).take(24).collect();
    // A name that looks like a card would be taken for one in the search for cards.
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) || name.parse::<Card>().is_ok() {
        name.insert_str(0, "x-");
    }
    let plain = name.clone();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{plain}-{number}");
    }
    name.parse()
}

/// An id for a table or jackpot of this name.
pub(crate) fn id_like<N: std::str::FromStr>(wanted: &str, taken: &mut BTreeSet<String>) -> Result<N, N::Err> {
    account(wanted, taken)
}

async fn enter(house: &House, casino: &Casino, actor: Actor) -> Result<Person, StageError> {
    let token = house.start_session(&actor).await?.secret;
    Ok(Person { actor, client: Client::new(casino.clone(), Some(token)) })
}

impl People {
    /// Creates everybody whom the script names, and those whom every casino needs. The cage sells each player the chips that they
    /// will bet.
    pub(crate) async fn create(
        script: &Script,
        house: &House,
        casino: &Casino,
    ) -> Result<People, StageError> {
        let named = Named::of(script);
        let mut taken = BTreeSet::new();
        let hire = async |name: StaffId, duty: Duty| -> Result<Person, StageError> {
            house.create_staff(&Actor::House, &name, None, &[duty]).await?;
            enter(house, casino, Actor::staff(name, [duty])).await
        };
        let auditor = hire(named_staff("auditor", &mut taken)?, Duty::Auditor).await?;
        let cage = hire(named_staff("cage", &mut taken)?, Duty::Cage).await?;
        let mut staff = BTreeMap::new();
        for (role, name) in named.staff {
            let duty = duty(role);
            let account = named_staff(name.as_deref().unwrap_or(duty.code()), &mut taken)?;
            staff.insert((role, name), hire(account, duty).await?);
        }
        let mut people = People {
            players: BTreeMap::new(),
            staff,
            auditor,
            public: Person { actor: Actor::Public, client: Client::new(casino.clone(), None) },
            accounts: BTreeMap::new(),
            bought: BTreeMap::new(),
        };
        for (name, bets) in named.players {
            let id: PlayerId = account(&name, &mut taken).map_err(baize_house::HouseError::from)?;
            house.register_player(&cage.actor, &id, None).await?;
            let mut left = bets;
            while left > Money::ZERO {
                let amount = left.min(MAX_BUY_IN);
                house.buy_in(&cage.actor, &id, &CommandId::random(), amount).await?;
                left -= amount;
            }
            let person = enter(house, casino, Actor::player(id.clone())).await?;
            people.players.insert(id.clone(), person);
            people.bought.insert(id.clone(), bets);
            people.accounts.insert(name, id);
        }
        Ok(people)
    }

    /// The account of a player of the script.
    pub(crate) fn account(&self, player: &Player) -> Player {
        self.accounts.get(&player.0).map_or_else(|| player.clone(), Player::from)
    }

    /// The player of this account.
    pub(crate) fn player(&self, account: &Player) -> Option<&Person> {
        self.players.iter().find(|(id, _)| id.as_str() == account.0).map(|(_, person)| person)
    }

    /// A person in this role; the one whom the script names, if it does.
    pub(crate) fn staff(&self, role: Role, name: Option<&str>) -> &Person {
        let named = (role, name.map(ToOwned::to_owned));
        let found = self
            .staff
            .get(&named)
            .or_else(|| self.staff.iter().find(|((of, _), _)| *of >= role).map(|(_, p)| p));
        found.unwrap_or(&self.public)
    }

    /// The accounts of all dealers: the pit assigns them to every table.
    pub(crate) fn dealers(&self) -> Vec<StaffId> {
        let dealers = self.staff.iter().filter(|((role, _), _)| *role == Role::Dealer);
        dealers
            .filter_map(|(_, person)| match &person.actor {
                Actor::Staff { id, .. } => Some(id.clone()),
                Actor::Player { .. } | Actor::House | Actor::Public => None,
            })
            .collect()
    }

    pub(crate) fn dealer(&self) -> &Person {
        self.staff(Role::Dealer, None)
    }
}

fn named_staff(wanted: &str, taken: &mut BTreeSet<String>) -> Result<StaffId, StageError> {
    Ok(account(wanted, taken).map_err(baize_house::HouseError::from)?)
}

const fn duty(role: Role) -> Duty {
    match role {
        Role::Dealer => Duty::Dealer,
        Role::PitSupervisor => Duty::PitSupervisor,
        Role::PitManager => Duty::PitManager,
        Role::ShiftManager => Duty::ShiftManager,
    }
}
