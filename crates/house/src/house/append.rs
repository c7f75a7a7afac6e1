//! Writes that outlive the request which made them.
//!
//! A server drops a request when its client disconnects. A write already handed to the database is carried out nevertheless, so the chains
//! are read again here to take its result into memory.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use tracing::Instrument as _;

use super::open_close::upgrade;
use super::{House, Inner};
use crate::journal::{Batch, StoreError, StoreFuture, Stream, sabotage};

/// A write handed to the database.
pub(crate) struct PendingWrite {
    /// `None` once it is answered.
    flush: Option<StoreFuture<'static, Vec<u64>>>,
    streams: Vec<Stream>,
    house: Weak<Inner>,
}

impl House {
    /// Hands a batch to the database. It is queued before this returns.
    pub(crate) fn append(&self, batch: Batch) -> PendingWrite {
        let streams: Vec<Stream> = batch.entries.iter().map(|entry| entry.stream.clone()).collect();
        let span = tracing::debug_span!(target: "baize::journal", "flush", entries = streams.len());
        let (writing, metrics, began) =
            (self.inner.store.append(batch), Arc::clone(&self.inner.metrics), Instant::now());
        metrics.writes_waiting.fetch_add(1, Ordering::Relaxed);
        let flush = async move {
            let result = writing.await;
            metrics.writes_waiting.fetch_sub(1, Ordering::Relaxed);
            metrics.write_seconds.note(began.elapsed());
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            tracing::debug!(target: "baize::journal", ok = result.is_ok(), ms, "flushed");
            result
        };
        PendingWrite {
            flush: Some(Box::pin(flush.instrument(span))),
            streams,
            house: Arc::downgrade(&self.inner),
        }
    }

    /// Reads and announces the new entries of a chain whose writer was dropped.
    async fn follow_up(&self, stream: &Stream) {
        if sabotage::is("a table that has gone on is not read again") {
            return;
        }
        // The state in memory may be ahead of the journal.
        if let Some(id) = stream.after("jackpot/").and_then(|name| name.parse().ok())
            && let Ok(slot) = self.jackpot_slot(&id)
        {
            slot.work.lock().await.stale = true;
        }
        // The next writer meets the same failure.
        if let Err(error) = self.follow(stream).await {
            tracing::warn!(target: "baize::house", %stream, %error, "the entries of a dropped request could not be read");
        }
    }
}

impl Future for PendingWrite {
    type Output = Result<Vec<u64>, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(flush) = self.flush.as_mut() else { return Poll::Pending };
        let result = ready!(flush.as_mut().poll(context));
        self.flush = None;
        Poll::Ready(result)
    }
}

impl Drop for PendingWrite {
    fn drop(&mut self) {
        let Some(flush) = self.flush.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (house, streams) = (Weak::clone(&self.house), std::mem::take(&mut self.streams));
        runtime.spawn(async move {
            // Whatever the outcome, reading the chains shows it.
            let _ = flush.await;
            let Some(house) = upgrade(&house) else { return };
            for stream in &streams {
                house.follow_up(stream).await;
            }
        });
    }
}
