//! Writes to the database that outlive the request which made them.
//!
//! A server drops a request whose client disconnects. A write that is on its way then is carried out all the same, and nobody is left to
//! take its result into memory: it is followed up here.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use tracing::Instrument as _;

use super::open_close::open;
use super::{House, Inner};
use crate::journal::{Batch, StoreError, StoreFuture, Stream, sabotage};

/// A write on its way.
pub(crate) struct Writing {
    /// None once it is answered.
    flush: Option<StoreFuture<'static, Vec<u64>>>,
    streams: Vec<Stream>,
    house: Weak<Inner>,
}

impl House {
    /// Hands a batch to the database. Its place in the queue is taken now.
    pub(crate) fn append(&self, batch: Batch) -> Writing {
        let streams: Vec<Stream> = batch.entries.iter().map(|entry| entry.stream.clone()).collect();
        let span = tracing::debug_span!(target: "baize::journal", "flush", entries = streams.len());
        let (writing, measures, began) =
            (self.inner.store.append(batch), Arc::clone(&self.inner.measures), Instant::now());
        measures.writes_waiting.fetch_add(1, Ordering::Relaxed);
        let flush = async move {
            let went = writing.await;
            measures.writes_waiting.fetch_sub(1, Ordering::Relaxed);
            measures.write_seconds.note(began.elapsed());
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            tracing::debug!(target: "baize::journal", ok = went.is_ok(), ms, "flushed");
            went
        };
        Writing { flush: Some(Box::pin(flush.instrument(span))), streams, house: Arc::downgrade(&self.inner) }
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
        let Some(flush) = self.flush.as_mut() else { return Poll::Pending };
        let went = ready!(flush.as_mut().poll(context));
        self.flush = None;
        Poll::Ready(went)
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        let Some(flush) = self.flush.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (house, streams) = (Weak::clone(&self.house), std::mem::take(&mut self.streams));
        runtime.spawn(async move {
            // Refused or lost, nothing is new: reading the chains shows it.
            let _ = flush.await;
            let Some(house) = open(&house) else { return };
            for stream in &streams {
                house.follow_up(stream).await;
            }
        });
    }
}
