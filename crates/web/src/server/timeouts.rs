//! A connection whose other side does not read, or says nothing at first, is closed: nobody holds memory of ours by being silent.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum_server::accept::Accept;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use super::connection_limit::{Gate, Pass};

/// Bytes that a connection must bring in time before anything else watches over it: as many as are looked at to tell HTTP/1 from HTTP/2.
const OPENING: usize = 24;

/// A stream that fails when nothing can be written for too long, and when its first bytes do not come.
pub(crate) struct Patient<S> {
    stream: S,
    patience: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
    /// Runs until the first bytes are there.
    opening: Option<Pin<Box<Sleep>>>,
    read: usize,
    /// Its place among the connections.
    _pass: Pass,
}

fn timed_out(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, what)
}

impl<S> Patient<S> {
    fn new(stream: S, patience: Duration, opening: Duration, pass: Pass) -> Patient<S> {
        let opening = Some(Box::pin(sleep(opening)));
        Patient { stream, patience, waiting: None, opening, read: 0, _pass: pass }
    }

    /// Lets time run while a write waits.
    fn timed<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        if waiting.deadline() <= Instant::now() || waiting.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(timed_out("the other side does not read")));
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.read += buffer.filled().len() - before;
        if self.read >= OPENING {
            self.opening = None;
        }
        if read.is_pending()
            && let Some(opening) = &mut self.opening
            && opening.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(timed_out("the other side says nothing")));
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.timed(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.timed(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Gives every connection this much patience, as long as there is a place for it. `inner` opens it, with TLS or without.
#[derive(Clone)]
pub(crate) struct PatientAcceptor<A> {
    pub(crate) inner: A,
    pub(crate) patience: Duration,
    /// How long a connection may take for its first bytes.
    pub(crate) opening: Duration,
    pub(crate) gate: Gate,
}

impl<A, S> Accept<TcpStream, S> for PatientAcceptor<A>
where
    A: Accept<TcpStream, S> + Clone + Send + 'static,
    A::Future: Send,
    S: Send + 'static,
{
    type Stream = Patient<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Patient<A::Stream>, A::Service)>> + Send>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        // An event is small and must not wait for the next. The reader notices a peer that has gone.
        let _ = stream.set_nodelay(true);
        let place = stream.peer_addr().map(|peer| self.gate.enter(peer.ip()));
        let PatientAcceptor { inner, patience, opening, .. } = self.clone();
        Box::pin(async move {
            let refused = || io::Error::new(io::ErrorKind::ConnectionRefused, "too many connections");
            let pass = place?.ok_or_else(refused)?;
            let (stream, service) = inner.accept(stream, service).await?;
            Ok((Patient::new(stream, patience, opening, pass), service))
        })
    }
}
