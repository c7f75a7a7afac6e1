//! A connection whose other side does not read is closed: nobody holds memory of ours by not reading.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum_server::accept::Accept;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use super::gate::{Gate, Pass};

/// A stream that fails when nothing can be written for too long.
pub(crate) struct Patient<S> {
    stream: S,
    patience: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
    /// Its place among the connections.
    _pass: Pass,
}

impl<S> Patient<S> {
    fn new(stream: S, patience: Duration, pass: Pass) -> Patient<S> {
        Patient { stream, patience, waiting: None, _pass: pass }
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
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the other side does not read")));
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
        Pin::new(&mut self.stream).poll_read(context, buffer)
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

/// Gives every connection this much patience, as long as there is a place for it.
#[derive(Clone)]
pub(crate) struct PatientAcceptor {
    pub(crate) patience: Duration,
    pub(crate) gate: Gate,
}

impl<S: Send + 'static> Accept<TcpStream, S> for PatientAcceptor {
    type Stream = Patient<TcpStream>;
    type Service = S;
    type Future = std::future::Ready<io::Result<(Patient<TcpStream>, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        // An event is small and must not wait for the next.
        let _ = stream.set_nodelay(true);
        let place = stream.peer_addr().map(|peer| self.gate.enter(peer.ip()));
        std::future::ready(match place {
            Ok(Some(pass)) => Ok((Patient::new(stream, self.patience, pass), service)),
            Ok(None) => Err(io::Error::new(io::ErrorKind::ConnectionRefused, "too many connections")),
            Err(error) => Err(error),
        })
    }
}
