//! `baize check`: runs round scripts and reports which pass, by the rules alone or in a whole casino.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use baize_script::{Failure as Fails, LooseEnd, Script, VERBS};
use baize_stage::{Places, StageError};
use clap::Args;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::database::without_password;
use crate::scripts::{self, Library};
use crate::{Failure, page};

/// Run round scripts and report which pass.
///
/// For each script that fails: the file and line, what was expected and what happened. The last line is
/// `N passed, M failed`. Exit 0 when all pass, 1 when one fails, 2 when a file cannot be read
/// or is not a valid script.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Scripts, folders with *.round files, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A rulebook of your own that scripts may name; may be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
    /// Run each script in a whole casino: a house on a fresh database, accounts for its people, orders to the API. Expectations are
    /// checked against what the house shows; at the end the audit must be clean, every purse must be right, every finished round must
    /// pass again as exported, and nobody may have been shown a hidden card.
    #[arg(long)]
    house: bool,
    /// With --house: a postgres:// address, on whose server each script gets a temporary database; or an SQLite file
    /// for a single script, which is kept. The database must be empty. Without it: SQLite files in /dev/shm if it exists,
    /// otherwise in the temporary folder.
    #[arg(long, value_name = "URL", requires = "house")]
    database: Option<String>,
    /// Count a script that expects nothing, or that ends in the middle of a round, as failed; otherwise it is a warning.
    #[arg(long)]
    strict: bool,
    /// List the lines that may follow the last one of a script, instead of checking it.
    #[arg(long, conflicts_with_all = ["house", "json", "quiet", "verbose", "strict"])]
    next: bool,
    /// Print the results as JSON.
    #[arg(long, conflicts_with_all = ["quiet", "verbose"])]
    json: bool,
    /// Print the last line only.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print every failure of a script, and the scripts that pass.
    #[arg(short, long)]
    verbose: bool,
}

/// A script that was read.
struct Read {
    name: String,
    text: String,
}

/// The result of a script.
struct Checked {
    read: Read,
    /// The faults of its text, if it is not a valid script.
    faults: Option<Failure>,
    failures: Vec<Fails>,
    loose_ends: Vec<LooseEnd>,
}

impl Checked {
    fn holds(&self) -> bool {
        self.faults.is_none() && self.failures.is_empty()
    }
}

/// Runs all scripts.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let library = Library::with(&arguments.rulebook)?;
    let (all, unread) = read(&arguments.files);
    if arguments.next {
        return next(&all, unread, &library);
    }
    if let (Some(database), true) = (&arguments.database, all.len() > 1)
        && !database.starts_with("postgres")
    {
        return Err(Failure::Usage(
            "an SQLite file is for one script: name one script, or omit --database".to_owned(),
        ));
    }
    let mut results = Results::default();
    if arguments.house {
        let started = Instant::now();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Output)?;
        runtime.block_on(stage(arguments, all, library, &mut results))?;
        if arguments.verbose {
            eprintln!("{:.1} s", started.elapsed().as_secs_f64());
        }
    } else {
        for read in all {
            let script = scripts::parse(&read.name, &read.text);
            let ran = script.map(|script| baize_script::run(&script, &|id| library.find(id)));
            results.add(arguments, checked(read, ran.map(|ran| (ran.loose_ends(), ran.failures))))?;
        }
    }
    results.end(arguments)?;
    match (unread || results.unreadable, results.failed) {
        (true, _) => Err(Failure::FilesUnread),
        (false, 0) => Ok(()),
        (false, _) => Err(Failure::ScriptsFailed),
    }
}

/// Lists what may follow each script's last line.
fn next(all: &[Read], unread: bool, library: &Library) -> Result<(), Failure> {
    for read in all {
        let transcript = scripts::run(&read.name, &read.text, library)?;
        if !transcript.holds() {
            page::print(&scripts::failures(&read.name, &read.text, &transcript.failures, false))?;
            return Err(Failure::ScriptsFailed);
        }
        let mut lines = baize_script::next_lines(&transcript);
        let is_open = |line: &str| line.split_whitespace().next() == Some("open");
        if !read.text.lines().any(is_open) {
            lines.extend(set_up());
        }
        let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
        let mut text = if all.len() > 1 { format!("# {}\n", read.name) } else { String::new() };
        for (line, remark) in &lines {
            let remark = if remark.is_empty() { String::new() } else { format!("  # {remark}") };
            text.push_str(format!("{line:width$}{remark}").trim_end());
            text.push('\n');
        }
        page::print(&text)?;
    }
    if unread { Err(Failure::FilesUnread) } else { Ok(()) }
}

/// The lines that are accepted only before the first `open`, each with its syntax.
fn set_up() -> impl Iterator<Item = (String, String)> {
    let verbs = VERBS.iter().skip_while(|verb| verb.word == "game").take_while(|verb| verb.word != "open");
    verbs.map(|verb| (format!("{} …", verb.word), verb.usage.to_owned()))
}

/// Reads all files, and returns whether one could not be read.
fn read(arguments: &[PathBuf]) -> (Vec<Read>, bool) {
    let (mut all, mut unread) = (Vec::new(), false);
    for argument in arguments {
        let files = scripts::files(argument).unwrap_or_else(|failure| {
            failure.tell();
            unread = true;
            Vec::new()
        });
        for file in files {
            match scripts::read(&file) {
                Ok(text) => all.push(Read { name: file.display().to_string(), text }),
                Err(failure) => {
                    failure.tell();
                    unread = true;
                }
            }
        }
    }
    (all, unread)
}

fn checked(read: Read, ran: Result<(Vec<LooseEnd>, Vec<Fails>), Failure>) -> Checked {
    match ran {
        Ok((loose_ends, failures)) => Checked { read, faults: None, failures, loose_ends },
        Err(faults) => Checked { read, faults: Some(faults), failures: Vec::new(), loose_ends: Vec::new() },
    }
}

/// Stages the scripts, several at a time, and reports the results in order.
async fn stage(
    arguments: &Arguments,
    all: Vec<Read>,
    library: Library,
    results: &mut Results,
) -> Result<(), Failure> {
    // Without a database, none of them can be staged.
    let database = arguments.database.as_deref();
    let places = Places::at(database).await.map_err(|error| match (error, database) {
        (StageError::House(error), Some(database)) if error.code() != "database-address" => {
            Failure::Usage(format!("{}: {error}", without_password(database)))
        }
        (error, _) => error.into(),
    })?;
    let places = Arc::new(places);
    let library = Arc::new(library);
    // One more than cores: while one waits for its database, another can work.
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let at_once = Arc::new(Semaphore::new(cores + 1));
    let mut staging = Vec::new();
    for read in all {
        let (places, library, at_once) = (Arc::clone(&places), Arc::clone(&library), Arc::clone(&at_once));
        staging.push(tokio::spawn(async move {
            let _turn = at_once.acquire_owned().await;
            let ran = match scripts::parse(&read.name, &read.text) {
                Ok(script) => staged(&script, &places, &library).await,
                Err(faults) => Err(faults),
            };
            checked(read, ran)
        }));
    }
    for one in staging {
        let checked = one.await.map_err(|error| Failure::Output(std::io::Error::other(error)))?;
        results.add(arguments, checked)?;
    }
    Ok(())
}

async fn staged(
    script: &Script,
    places: &Places,
    library: &Library,
) -> Result<(Vec<LooseEnd>, Vec<Fails>), Failure> {
    let place = places.make().await?;
    let staged = baize_stage::stage(script, &place, &|id| library.book(id)).await;
    places.clear(place).await?;
    Ok((staged.rehearsed.loose_ends(), staged.failures))
}

/// The results so far.
#[derive(Default)]
struct Results {
    passed: usize,
    failed: usize,
    /// A text was not a valid script.
    unreadable: bool,
    scripts: Vec<Value>,
}

impl Results {
    fn add(&mut self, arguments: &Arguments, mut checked: Checked) -> Result<(), Failure> {
        if arguments.strict {
            let fails = |end: &LooseEnd| Fails {
                line: end.line,
                expected: "a complete script with expectations (--strict)".to_owned(),
                happened: end.what.to_owned(),
                refusal: false,
            };
            checked.failures.extend(checked.loose_ends.iter().map(fails));
        }
        let holds = checked.holds();
        let counted = if holds { &mut self.passed } else { &mut self.failed };
        *counted += 1;
        self.unreadable |= checked.faults.is_some();
        if arguments.json {
            self.scripts.push(data(&checked));
            return Ok(());
        }
        let Checked { read: Read { name, text }, faults, failures, loose_ends } = &checked;
        if !arguments.strict && !arguments.quiet {
            for end in loose_ends {
                eprintln!("{name}:{}: warning: {}", end.line, end.what);
            }
        }
        match faults {
            Some(_) | None if arguments.quiet => Ok(()),
            Some(faults) => page::print(&faults.to_string()),
            None if !holds => page::print(&scripts::failures(name, text, failures, arguments.verbose)),
            None if arguments.verbose => page::print(&format!("{name}: passed\n")),
            None => Ok(()),
        }
    }

    fn end(&self, arguments: &Arguments) -> Result<(), Failure> {
        let (passed, failed) = (self.passed, self.failed);
        if arguments.json {
            let all = json!({ "passed": passed, "failed": failed, "scripts": self.scripts });
            return page::print(&format!("{all:#}\n"));
        }
        page::print(&format!("{passed} passed, {failed} failed\n"))
    }
}

/// The result of a script, as JSON.
fn data(checked: &Checked) -> Value {
    let Checked { read: Read { name, text }, faults, failures, loose_ends } = checked;
    let failure = |fails: &Fails| {
        json!({
            "line": fails.line,
            "text": scripts::line(text, fails.line),
            "expected": fails.expected,
            "happened": fails.happened,
        })
    };
    json!({
        "file": name,
        "holds": checked.holds(),
        "unreadable": faults.as_ref().map(|faults| faults.to_string().trim_end().to_owned()),
        "failures": failures.iter().map(failure).collect::<Vec<_>>(),
        "warnings": loose_ends.iter().map(|end| json!({ "line": end.line, "what": end.what })).collect::<Vec<_>>(),
    })
}
