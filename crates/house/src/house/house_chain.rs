//! Writes to the house's own chain.

use super::people::verify_password;
use super::{Answer, Boxed, House, MAX_ATTEMPTS};
use crate::boxed;
use crate::facts::{Body, HouseFact};
use crate::journal::{Batch, StoreError, Stream};
use crate::register::Register;
use crate::snapshots::of_house;
use crate::stored;
use crate::turn::new_entry;
use crate::{Actor, CommandId, HouseError};

type Decide<'a> = dyn Fn(&Register, &str) -> Answer<(Vec<HouseFact>, Batch)> + Send + Sync + 'a;
type IsSame<'a> = dyn Fn(&HouseFact) -> bool + Send + Sync + 'a;

impl House {
    /// Appends facts to the house's own chain. `decide` gets the register and may refuse; it is called again after a version conflict.
    pub(crate) fn append_facts<'a, F>(&'a self, by: &'a Actor, decide: F) -> Boxed<'a, ()>
    where
        F: Fn(&Register) -> Answer<Vec<HouseFact>> + Send + Sync + 'a,
    {
        self.append_facts_with(by, move |register, _| Ok((decide(register)?, Batch::default())))
    }

    /// As `append_facts`, with entries of other chains in the same transaction.
    pub(crate) fn append_facts_with<'a, F>(&'a self, by: &'a Actor, decide: F) -> Boxed<'a, ()>
    where
        F: Fn(&Register, &str) -> Answer<(Vec<HouseFact>, Batch)> + Send + Sync + 'a,
    {
        self.append_decided(by, Box::new(decide))
    }

    /// Makes a request idempotent. If its id was used before, returns whether `same` accepts the recorded fact, and the password, if any,
    /// is the same; otherwise the id was reused for something else. Returns whether the request had been carried out before.
    pub(crate) fn idempotent<'a>(
        &'a self,
        by: &'a Actor,
        password: Option<&'a str>,
        same: impl Fn(&HouseFact) -> bool + Send + Sync + 'a,
        request: impl Future<Output = Answer<()>> + Send + 'a,
    ) -> Boxed<'a, bool> {
        self.run_once(by, password, Box::new(same), Box::pin(request))
    }

    #[boxed]
    async fn run_once<'a>(
        &'a self,
        by: &'a Actor,
        password: Option<&'a str>,
        same: Box<IsSame<'a>>,
        request: Boxed<'a, ()>,
    ) -> Answer<bool> {
        let Some(id) = &self.request.id else { return request.await.map(|()| false) };
        match self.was_done(id, by, password, &*same).await {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(HouseError::Unavailable(why)) => {
                return Err(HouseError::NotKnown { id: Some(id.clone()), why });
            }
            Err(other) => return Err(other),
        }
        match request.await {
            Ok(()) => Ok(false),
            // The same request may have arrived twice at the same time.
            Err(error) => match self.was_done(id, by, password, &*same).await {
                Ok(true) => Ok(true),
                Ok(false) => Err(error),
                // The outcome cannot be looked up.
                Err(HouseError::Unavailable(why)) => Err(HouseError::NotKnown { id: Some(id.clone()), why }),
                Err(other) => Err(other),
            },
        }
    }

    /// Adds the id of the request to [`HouseError::NotKnown`].
    pub(super) fn with_id(&self, error: HouseError) -> HouseError {
        if let HouseError::NotKnown { id: None, why } = error {
            return HouseError::NotKnown { id: self.request.id.clone(), why };
        }
        error
    }

    async fn was_done(
        &self,
        id: &CommandId,
        by: &Actor,
        password: Option<&str>,
        same: &IsSame<'_>,
    ) -> Answer<bool> {
        let Some(entry) = self.inner.store.by_command(id.as_str()).await? else { return Ok(false) };
        let reused = HouseError::CommandReused(id.clone());
        let Body::House(facts) = stored::read(&entry.body, &entry.place())? else { return Err(reused) };
        let Some(fact) = facts.first().filter(|fact| entry.actor == by.label() && same(fact)) else {
            return Err(reused);
        };
        let (HouseFact::PlayerCreated { password: kept, .. }
        | HouseFact::StaffCreated { password: kept, .. }) = fact
        else {
            return Ok(true);
        };
        let agree = match (password, kept) {
            (Some(password), Some(kept)) => verify_password(password, Some(kept)).await,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if agree { Ok(true) } else { Err(reused) }
    }

    #[boxed]
    async fn append_decided<'a>(&'a self, by: &'a Actor, decide: Box<Decide<'a>>) -> Answer<()> {
        self.not_behind()?;
        let mut work = self.inner.register.lock().await;
        for tried in 1..=MAX_ATTEMPTS {
            if work.stale {
                self.refresh_register(&mut work).await?;
            }
            let now = self.now();
            let (facts, mut batch) = decide(&work.register, &work.head.hash)?;
            if facts.is_empty() && batch.entries.is_empty() {
                return Ok(());
            }
            let body = Body::House(facts.clone());
            let command = self.request.id.as_ref().map(ToString::to_string);
            let mut entry = new_entry(Stream::house(), &work.head, &body, now, by, command, None, Vec::new());
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
            match self.append(batch).await {
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
                Err(StoreError::Conflict(_)) if tried < MAX_ATTEMPTS => {
                    work.stale = true;
                    tokio::time::sleep(std::time::Duration::from_millis(u64::from(tried * tried))).await;
                }
                Err(error) => {
                    work.stale = true;
                    return Err(self.with_id(error.into()));
                }
            }
        }
        Err(HouseError::Conflict { stream: Stream::house().to_string(), tries: MAX_ATTEMPTS })
    }
}
