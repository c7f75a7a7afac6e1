//! Writing into the house's own chain.

use super::{Answer, House, TRIES};
use crate::facts::{Body, HouseFact};
use crate::journal::{Batch, StoreError, Stream};
use crate::slots::Register;
use crate::snapshots::of_house;
use crate::turn::sealed;
use crate::{Actor, HouseError};

impl House {
    /// Writes facts into the house's own chain. `decide` looks at the register and may refuse; it is asked again when others were faster.
    pub(crate) async fn note<F>(&self, by: &Actor, decide: F) -> Answer<()>
    where
        F: Fn(&Register) -> Answer<Vec<HouseFact>>,
    {
        self.note_with(by, |register, _| Ok((decide(register)?, Batch::default()))).await
    }

    /// As `note`, with entries of other chains in the same transaction.
    pub(crate) async fn note_with<F>(&self, by: &Actor, decide: F) -> Answer<()>
    where
        F: Fn(&Register, &str) -> Answer<(Vec<HouseFact>, Batch)>,
    {
        let mut work = self.inner.register.lock().await;
        for tried in 1..=TRIES {
            if work.stale {
                self.refresh_register(&mut work).await?;
            }
            let now = self.now();
            let (facts, mut batch) = decide(&work.register, &work.head.hash)?;
            if facts.is_empty() && batch.entries.is_empty() {
                return Ok(());
            }
            let body = Body::House(facts.clone());
            let mut entry = sealed(Stream::house(), &work.head, &body, now, by, None, None, Vec::new());
            let after = || {
                let mut register = work.register.clone();
                facts.iter().for_each(|fact| register.apply(fact));
                register
            };
            batch.snapshots.extend(of_house(after, &mut entry));
            let head = entry.head();
            batch.entries.insert(0, entry);
            let streams: Vec<(Stream, u64)> =
                batch.entries.iter().map(|entry| (entry.stream.clone(), entry.version)).collect();
            match self.inner.store.append(batch).await {
                Ok(numbers) => {
                    for fact in &facts {
                        work.register.apply(fact);
                    }
                    work.head = head;
                    self.inner.shown.set(work.register.clone());
                    let new = facts.iter().any(|fact| {
                        matches!(fact, HouseFact::TableCreated { .. } | HouseFact::JackpotCreated { .. })
                    });
                    if new {
                        self.refresh_register(&mut work).await?;
                    }
                    for ((stream, version), number) in streams.into_iter().zip(numbers) {
                        self.announce(&stream, version, number, now);
                    }
                    return Ok(());
                }
                Err(StoreError::Conflict(_)) if tried < TRIES => {
                    work.stale = true;
                    tokio::time::sleep(std::time::Duration::from_millis(u64::from(tried * tried))).await;
                }
                Err(error) => {
                    work.stale = true;
                    return Err(error.into());
                }
            }
        }
        Err(HouseError::Conflict { stream: Stream::house().to_string(), tries: TRIES })
    }
}
