//! A client that goes away: its request is dropped between two awaits, as a server drops it when the connection ends.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

struct GoneAfter<T> {
    polls: u64,
    doing: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
}

/// What is done, or nothing where it took more than so many polls.
pub(crate) fn after<T: Send + 'static>(
    polls: u64,
    doing: impl Future<Output = T> + Send + 'static,
) -> impl Future<Output = Option<T>> + Send {
    GoneAfter { polls, doing: Some(Box::pin(doing)) }
}

impl<T> Future for GoneAfter<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(doing) = self.doing.as_mut() else { return Poll::Ready(None) };
        if let Poll::Ready(done) = doing.as_mut().poll(context) {
            return Poll::Ready(Some(done));
        }
        self.polls = self.polls.saturating_sub(1);
        if self.polls == 0 {
            self.doing = None;
            return Poll::Ready(None);
        }
        Poll::Pending
    }
}
