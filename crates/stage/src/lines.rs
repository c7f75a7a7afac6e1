//! Plays a script in a casino line by line.

use baize_script::{Failure, Happened, Judge, Observed, Refused, Script, Statement, Transcript};
use baize_table::Command;

use crate::casino::Staged;
use crate::secrecy::Secrecy;
use crate::{Book, Place, StageError, ending, observing};

/// Plays all lines and says where the script does not hold.
pub(crate) async fn play(
    script: &Script,
    rehearsed: &Transcript,
    place: &Place,
    lookup: &(dyn Fn(&str) -> Option<Book> + Sync),
) -> Vec<Failure> {
    let mut judge = Judge::default();
    let first = script.lines.first().map_or(1, |line| line.number);
    match Staged::open(script, rehearsed, place, lookup).await {
        Err(error) => {
            judge.fails(first, "the house can stage this script".to_owned(), error.to_string(), true);
        }
        Ok(casino) => {
            let mut playing = Playing { casino, judge, secrecy: Secrecy::default(), observed: None };
            playing.script(script, rehearsed).await;
            judge = playing.judge;
        }
    }
    judge.end()
}

struct Playing<'s> {
    casino: Staged<'s>,
    judge: Judge,
    secrecy: Secrecy,
    /// What was observed since the last step: the table and what it shows.
    observed: Option<(usize, Observed)>,
}

impl Playing<'_> {
    async fn script(&mut self, script: &Script, rehearsed: &Transcript) {
        let mut last = 1;
        for (line, entry) in script.lines.iter().zip(&rehearsed.entries) {
            last = line.number;
            let played = match &line.statement {
                Statement::SetUp(_) | Statement::Table { .. } => {
                    let done = match &entry.happened {
                        Happened::Refused { refused, .. } => Err(refused.clone()),
                        Happened::SetUp | Happened::Done { .. } | Happened::Expected => {
                            Ok(baize_rules::Cites::NONE)
                        }
                    };
                    self.judge.step(line.number, line.statement.to_string(), done);
                    Ok(())
                }
                Statement::Step(command) => {
                    let implied: &[Command] = match &entry.happened {
                        Happened::Done { implied, .. } => implied,
                        Happened::Refused { .. } | Happened::SetUp | Happened::Expected => &[],
                    };
                    self.step(line.number, entry.table, command, implied).await
                }
                Statement::Expect(expect) => match self.observe(entry.table).await {
                    Ok(()) => {
                        if let Some((_, observed)) = &self.observed {
                            self.judge.expect(line.number, expect, observed);
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

    async fn observe(&mut self, at: usize) -> Result<(), StageError> {
        if self.observed.as_ref().is_none_or(|(of, _)| *of != at) {
            self.casino.set_up(at).await?;
            self.observed = Some((at, observing::observe(&self.casino, at).await?));
        }
        Ok(())
    }

    /// A step: what it implies, then the step itself, each an order of whoever does it. Then everybody looks.
    async fn step(
        &mut self,
        line: usize,
        at: usize,
        command: &Command,
        implied: &[Command],
    ) -> Result<(), StageError> {
        self.observed = None;
        if self.casino.set_up(at).await? {
            self.secrecy.listen(&self.casino, at).await?;
        }
        for step in implied {
            if let Err(refused) = self.order(line, at, step).await? {
                let happened = format!("refused: {}", refused.why);
                self.judge.fails(line, format!("the step is implied: {step:?}"), happened, true);
            }
        }
        let text = Statement::Step(command.clone()).to_string();
        let done = self.order(line, at, command).await?;
        self.judge.step(line, text, done);
        Ok(())
    }

    async fn order(
        &mut self,
        line: usize,
        at: usize,
        command: &Command,
    ) -> Result<Result<baize_rules::Cites, Refused>, StageError> {
        let command = self.casino.in_accounts(command);
        let doer = self.casino.doer(at, &command).await?.clone();
        let ordered = self.casino.order(at, &doer, &command).await?;
        let mut found = self.secrecy.answered(at, &doer.actor, &command, &ordered.text);
        if ordered.done.is_ok() {
            self.casino.verify_hits().await?;
            found.extend(self.secrecy.look(&self.casino, at, &command).await?);
        }
        for leak in found {
            self.judge.fails(line, leak.expected(), leak.happened(), false);
        }
        Ok(ordered.done)
    }
}
