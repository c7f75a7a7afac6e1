//! Writes to the database that outlive the request which made them.
//!
//! A server drops a request whose client disconnects. A write that is on its way then is carried out all the same, and nobody is left to
//! take its result into memory: it is followed up here.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use super::opening::open;
use super::{House, Inner};
use crate::Measures;
use crate::journal::{Batch, Doing, StoreError, Stream, sabotage};

/// A write on its way.
pub(crate) struct Writing {
    /// None once it is answered.
    writing: Option<Doing<'static, Vec<u64>>>,
    streams: Vec<Stream>,
    house: Weak<Inner>,
    measures: Arc<Measures>,
    began: Instant,
}

impl House {
    /// Hands a batch to the database. Its place in the queue is taken now.
    pub(crate) fn append(&self, batch: Batch) -> Writing {
        let streams = batch.entries.iter().map(|entry| entry.stream.clone()).collect();
        let (house, measures) = (Arc::downgrade(&self.inner), Arc::clone(&self.inner.measures));
        measures.writes_waiting.fetch_add(1, Ordering::Relaxed);
        let writing = Some(self.inner.store.append(batch));
        Writing { writing, streams, house, measures, began: Instant::now() }
    }

    /// Reads a chain whose writer is gone, and announces what is new.
    async fn follow_up(&self, stream: &Stream) {
        if sabotage::is("a table that has gone on is not read again") {
            return;
        }
        // What is in memory may be ahead of what was written.
        if let Some(id) = stream.after("jackpot/").and_then(|name| name.parse().ok())
            && let Ok(slot) = self.jackpot_slot(&id)
        {
            slot.work.lock().await.stale = true;
        }
        // A failure here is found again by whoever writes next.
        if let Err(error) = self.follow(stream).await {
            tracing::warn!(target: "baize::house", %stream, %error, "what a dropped request wrote could not be read");
        }
    }
}

impl Future for Writing {
    type Output = Result<Vec<u64>, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(writing) = self.writing.as_mut() else { return Poll::Pending };
        let went = ready!(writing.as_mut().poll(context));
        self.writing = None;
        self.measures.writes_waiting.fetch_sub(1, Ordering::Relaxed);
        self.measures.write_seconds.note(self.began.elapsed());
        Poll::Ready(went)
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        let Some(writing) = self.writing.take() else { return };
        self.measures.writes_waiting.fetch_sub(1, Ordering::Relaxed);
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (house, streams) = (Weak::clone(&self.house), std::mem::take(&mut self.streams));
        runtime.spawn(async move {
            // Refused or lost, nothing is new: reading the chains shows it.
            let _ = writing.await;
            let Some(house) = open(&house) else { return };
            for stream in &streams {
                house.follow_up(stream).await;
            }
        });
    }
}
