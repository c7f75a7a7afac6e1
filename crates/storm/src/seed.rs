//! Seeds, written together with the program that found them, because another program may behave differently.

use std::fmt;
use std::str::FromStr;

use baize_house::Program;

/// A seed and its program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// The number.
    pub number: u64,
    /// Version and first digits of the hash of the program; `None` if only a number was given.
    pub program: Option<String>,
}

/// This program's name in seeds.
#[must_use]
pub fn program() -> String {
    let this = Program::this();
    let hash = this.hash.as_deref().and_then(|hash| hash.get(..8)).unwrap_or("unknown");
    format!("{}-{hash}", this.version)
}

impl Seed {
    /// A seed of this program.
    #[must_use]
    pub fn own(number: u64) -> Seed {
        Seed { number, program: Some(program()) }
    }

    /// A warning if the seed is another program's.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let own = program();
        let other = self.program.as_ref().filter(|other| **other != own)?;
        Some(format!("the seed is from program {other}, but this is {own}: the run may differ"))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.program {
            Some(program) => write!(f, "{program}:{}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Seed, String> {
        let (program, number) = match text.rsplit_once(':') {
            Some((program, number)) => (Some(program.to_owned()), number),
            None => (None, text),
        };
        let number =
            number.parse().map_err(|_| format!("`{text}` is not a seed: a number, or PROGRAM:NUMBER"))?;
        Ok(Seed { number, program })
    }
}
