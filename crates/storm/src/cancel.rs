//! Cancelling a request: its future is dropped between two polls, as a server does when the connection closes.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

struct CancelAfter<T> {
    polls: u64,
    future: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
}

/// Runs a future, and drops it after `polls` polls (`None`).
pub(crate) fn after<T: Send + 'static>(
    polls: u64,
    future: impl Future<Output = T> + Send + 'static,
) -> impl Future<Output = Option<T>> + Send {
    CancelAfter { polls, future: Some(Box::pin(future)) }
}

impl<T> Future for CancelAfter<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(future) = self.future.as_mut() else { return Poll::Ready(None) };
        if let Poll::Ready(done) = future.as_mut().poll(context) {
            return Poll::Ready(Some(done));
        }
        self.polls = self.polls.saturating_sub(1);
        if self.polls == 0 {
            self.future = None;
            return Poll::Ready(None);
        }
        Poll::Pending
    }
}
