//! `baize health`: whether the server of these settings takes orders, for health checks of containers.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use clap::Args;

use crate::serve::listen_address;
use crate::{Failure, page};

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// How a server that speaks TLS begins its answer to one who does not.
const TLS_ALERT: [u8; 2] = [0x15, 0x03];

/// Ask the server on this machine whether it takes orders. Exit 0 when it does, 1 when it does not.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The address and port that the server listens on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", env = "BAIZE_LISTEN", value_parser = listen_address)]
    listen: SocketAddr,
    /// The server speaks TLS: only that it listens is checked.
    #[arg(long)]
    tls: bool,
}

/// Asks.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut address = arguments.listen;
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    match asked(address, arguments.tls) {
        Ok(answer) if arguments.tls || answer.starts_with("HTTP/1.1 200") => page::print("ok\n"),
        Ok(answer) => {
            let why = answer.split_once("\r\n\r\n").map_or(answer.as_str(), |(_, body)| body);
            Err(Failure::Unhealthy(why.trim().to_owned()))
        }
        Err(error) => Err(Failure::Unhealthy(format!("{address}: {error}"))),
    }
}

fn asked(address: SocketAddr, tls: bool) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    let mut answer = Vec::new();
    if !tls {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        stream.read_to_end(&mut answer)?;
    }
    if answer.starts_with(&TLS_ALERT) {
        return Err(std::io::Error::other("the server speaks TLS: add --tls"));
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
