//! Plays a script in a casino line by line.

use baize_house::HouseError;
use baize_rules::Cites;
use baize_script::{
    Expect, Failure, Happened, Judge, LineResult, Observed, Refused, Script, Statement, Transcript,
};
use baize_table::{Command, Event};

use crate::casino::StagedCasino;
use crate::secrecy::Secrecy;
use crate::{Book, Place, StageError, ending, not_staged, observing};

/// Plays all lines and returns the script's failures.
pub(crate) async fn play(
    script: &Script,
    rehearsed: &Transcript,
    place: &Place,
    lookup: &(dyn Fn(&str) -> Option<Book> + Sync),
) -> Vec<Failure> {
    match StagedCasino::open(script, rehearsed, place, lookup).await {
        Err(error) => vec![not_staged(script, &error)],
        Ok(casino) => {
            let (judge, secrecy) = (Judge::default(), Secrecy::default());
            let mut playing = Playing { casino, judge, secrecy, observed: None, turned: Vec::new() };
            playing.script(script, rehearsed).await;
            playing.judge.end()
        }
    }
}

struct Playing<'s> {
    casino: StagedCasino<'s>,
    judge: Judge,
    secrecy: Secrecy,
    /// What was observed since the last step: the table and what it shows.
    observed: Option<(usize, Observed)>,
    /// Community cards that were turned because a line implies it, by table.
    turned: Vec<(usize, Command)>,
}

/// The cards that the next step at this table implies to be turned: they are open even if an earlier step is
/// refused.
fn due_reveals(entries: &[LineResult], at: usize) -> Vec<Command> {
    let next = entries.iter().filter(|entry| entry.table == at).find_map(|entry| match &entry.happened {
        Happened::Done { implied, .. } => Some(implied),
        Happened::Refused { .. } | Happened::SetUp | Happened::Expected => None,
    });
    let reveals = next.into_iter().flatten().filter(|step| matches!(step, Command::Reveal { .. }));
    reveals.cloned().collect()
}

/// A script may say of each hand of a player that they have gone; a dealer notes it once.
fn said_already(entry: &LineResult) -> bool {
    let Happened::Done { command: Command::Absent { .. }, events, .. } = &entry.happened else {
        return false;
    };
    events.is_empty()
}

impl Playing<'_> {
    async fn script(&mut self, script: &Script, rehearsed: &Transcript) {
        let mut last = 1;
        for (n, (line, entry)) in script.lines.iter().zip(&rehearsed.entries).enumerate() {
            last = line.number;
            let played = match &line.statement {
                Statement::SetUp(_) | Statement::Table { .. } => {
                    let done = match &entry.happened {
                        Happened::Refused { refused, .. } => Err(refused.clone()),
                        Happened::SetUp | Happened::Done { .. } | Happened::Expected => Ok(Cites::NONE),
                    };
                    let next = script.lines.get(n + 1).map(|line| &line.statement);
                    let expected = matches!(next, Some(Statement::Expect(Expect::Refused { .. })));
                    let wrong = done.is_err() && !expected;
                    self.judge.step(line.number, line.statement.to_string(), done);
                    if wrong {
                        // The house is not set up as the script says: nothing that follows would prove
                        // anything.
                        return;
                    }
                    // A table exists from the line that names it: what reaches every table reaches it too.
                    let names = matches!(line.statement, Statement::Table { .. }) && !expected;
                    if names { self.set_up(entry.table).await.map(drop) } else { Ok(()) }
                }
                Statement::Step(_) if said_already(entry) => {
                    self.judge.step(line.number, line.statement.to_string(), Ok(Cites::NONE));
                    Ok(())
                }
                Statement::Step(command) => {
                    let implied = match &entry.happened {
                        Happened::Done { implied, .. } => implied.clone(),
                        Happened::Refused { .. } => due_reveals(&rehearsed.entries[n..], entry.table),
                        Happened::SetUp | Happened::Expected => Vec::new(),
                    };
                    let (full, events): (&Command, &[Event]) = match &entry.happened {
                        Happened::Done { command, events, .. } => (command, events),
                        Happened::Refused { .. } | Happened::SetUp | Happened::Expected => (command, &[]),
                    };
                    self.step(line.number, entry.table, (command, full), &implied, events).await
                }
                Statement::Expect(expect) => match self.observe(entry.table).await {
                    Ok(()) => {
                        if let Some((_, observed)) = &self.observed {
                            self.judge.expect(line.number, &self.in_accounts(expect), observed);
                        }
                        Ok(())
                    }
                    Err(error) => Err(error),
                },
            };
            if let Err(error) = played {
                let expected = format!("the house can stage `{}`", line.statement);
                self.judge.fails(line.number, expected, error.to_string(), true);
                return;
            }
        }
        for (expected, happened) in ending::check(&self.casino, &mut self.secrecy).await {
            self.judge.fails(last, expected, happened, false);
        }
        if let Err(error) = self.casino.house.clone().close().await {
            self.judge.fails(last, "the house closes in good order".to_owned(), error.to_string(), false);
        }
    }

    /// The expectation, with the player's account instead of their name.
    fn in_accounts(&self, expect: &Expect) -> Expect {
        let mut expect = expect.clone();
        if let Expect::PlayerNet { player, .. } = &mut expect {
            *player = self.casino.people.account(player);
        }
        expect
    }

    async fn observe(&mut self, at: usize) -> Result<(), StageError> {
        if self.observed.as_ref().is_none_or(|(of, _)| *of != at) {
            self.casino.set_up(at).await?;
            let taken = |seat| self.secrecy.hand(at, seat);
            self.observed = Some((at, observing::observe(&self.casino, at, taken).await?));
        }
        Ok(())
    }

    /// Sets up a table, if it is not there yet, or returns why it is refused: a jackpot links games of one
    /// operator.
    async fn set_up(&mut self, at: usize) -> Result<Result<(), String>, StageError> {
        match self.casino.set_up(at).await {
            Ok(false) => {}
            Ok(true) => self.secrecy.listen(&self.casino, at).await?,
            Err(StageError::House(HouseError::SetUp(why))) => return Ok(Err(why)),
            Err(error) => return Err(error),
        }
        Ok(Ok(()))
    }

    /// A step: what it implies, then the step itself, each as an order of the person who does it. Then everybody's
    /// data is searched.
    async fn step(
        &mut self,
        line: usize,
        at: usize,
        (written, command): (&Command, &Command),
        implied: &[Command],
        events: &[Event],
    ) -> Result<(), StageError> {
        self.observed = None;
        let text = Statement::Step(written.clone()).to_string();
        if let Err(why) = self.set_up(at).await? {
            self.judge.step(line, text, Err(Refused { why, cites: Cites::NONE }));
            return Ok(());
        }
        if *command == Command::Open {
            self.turned.retain(|(of, _)| *of != at);
        }
        for step in
            implied.iter().filter(|step| !self.turned.contains(&(at, (*step).clone()))).collect::<Vec<_>>()
        {
            if matches!(step, Command::Reveal { .. }) {
                self.turned.push((at, step.clone()));
            }
            if let Err(refused) = self.order(line, at, step, &[]).await? {
                let happened = format!("refused: {}", refused.why);
                self.judge.fails(line, format!("the step is implied: {step:?}"), happened, true);
            }
        }
        let done = self.order(line, at, command, events).await?;
        self.judge.step(line, text, done);
        Ok(())
    }

    async fn order(
        &mut self,
        line: usize,
        at: usize,
        command: &Command,
        events: &[Event],
    ) -> Result<Result<Cites, Refused>, StageError> {
        let command = self.casino.in_accounts(command);
        let doer = self.casino.doer(at, &command).await?.clone();
        let ordered = self.casino.order(at, &doer, &command).await?;
        let mut found = self.secrecy.answered(at, &doer.actor, &command, &ordered.text);
        if ordered.done.is_ok() {
            self.casino.verify_hits().await?;
            self.secrecy.note(&self.casino, at, &command, events).await?;
            // The house asks for every card that moves; if the script does not name them, they are already where
            // it says.
            let asks = matches!(
                command,
                Command::Report(_) | Command::Choose { .. } | Command::Absent { .. } | Command::Rule(_)
            );
            let by_script = events.iter().any(|event| matches!(event, Event::ReconstructionBegun { .. }));
            let put = if asks && !by_script {
                self.casino.put_back(at, |put| self.secrecy.card(at, put)).await?
            } else {
                None
            };
            let version = put.unwrap_or(ordered.version);
            found.extend(self.secrecy.look(&self.casino, at, version).await?);
        }
        for leak in found {
            self.judge.fails(line, leak.expected(), leak.happened(), false);
        }
        Ok(ordered.done)
    }
}
