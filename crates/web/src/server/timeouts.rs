//! Closes connections whose peer does not read, or sends nothing at first, so that silent peers hold no memory.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum_server::accept::Accept;
use axum_server::tls_rustls::RustlsAcceptor;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use super::connection_limit::{ConnectionLimiter, ConnectionPermit};

/// Bytes after which hyper's own timeouts apply: it reads this many to tell HTTP/1 from HTTP/2.
const FIRST_BYTES: usize = 24;

/// A connection with TLS or without. One type for both, so that the server's state machines are compiled once.
trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Connection for S {}

/// A stream that fails if a write waits longer than `write_timeout`, or if its first bytes do not arrive in time.
pub(crate) struct TimeoutStream {
    stream: Box<dyn Connection>,
    write_timeout: Duration,
    /// Runs while a write waits.
    write_timer: Option<Pin<Box<Sleep>>>,
    /// Runs until the first bytes have arrived.
    first_bytes_timer: Option<Pin<Box<Sleep>>>,
    read: usize,
    _permit: ConnectionPermit,
}

fn timed_out(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, what)
}

impl TimeoutStream {
    /// Passes on the result of a write, or fails if it has been pending for too long.
    fn check_write<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.write_timer = None;
            return result;
        }
        let timeout = self.write_timeout;
        let timer = self.write_timer.get_or_insert_with(|| Box::pin(sleep(timeout)));
        if timer.deadline() <= Instant::now() || timer.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(timed_out("the peer does not read")));
        }
        Poll::Pending
    }
}

impl AsyncRead for TimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.read += buffer.filled().len() - before;
        if self.read >= FIRST_BYTES {
            self.first_bytes_timer = None;
        }
        if result.is_pending()
            && let Some(timer) = &mut self.first_bytes_timer
            && timer.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(timed_out("the peer sends nothing")));
        }
        result
    }
}

impl AsyncWrite for TimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check_write(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.check_write(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        self.check_write(context, result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Accepts connections within the limits, with timeouts, and with TLS if there is a certificate.
#[derive(Clone)]
pub(crate) struct TimeoutAcceptor {
    pub(crate) tls: Option<RustlsAcceptor>,
    pub(crate) write_timeout: Duration,
    pub(crate) first_bytes_timeout: Duration,
    pub(crate) limiter: ConnectionLimiter,
}

impl<S: Send + 'static> Accept<TcpStream, S> for TimeoutAcceptor {
    type Stream = TimeoutStream;
    type Service = S;
    type Future = Pin<Box<dyn Future<Output = io::Result<(TimeoutStream, S)>> + Send>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        // Events are small and must not wait for the next. If the peer is gone, the next read fails.
        let _ = stream.set_nodelay(true);
        let permit = stream.peer_addr().map(|peer| self.limiter.acquire(peer.ip()));
        let TimeoutAcceptor { tls, write_timeout, first_bytes_timeout, .. } = self.clone();
        Box::pin(async move {
            let refused = || io::Error::new(io::ErrorKind::ConnectionRefused, "too many connections");
            let permit = permit?.ok_or_else(refused)?;
            let stream: Box<dyn Connection> = match tls {
                Some(tls) => Box::new(tls.accept(stream, ()).await?.0),
                None => Box::new(stream),
            };
            let stream = TimeoutStream {
                stream,
                write_timeout,
                write_timer: None,
                first_bytes_timer: Some(Box::pin(sleep(first_bytes_timeout))),
                read: 0,
                _permit: permit,
            };
            Ok((stream, service))
        })
    }
}
