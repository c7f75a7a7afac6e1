//! `baize health`: whether the server accepts orders, for container health checks.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::serve::listen_address;
use crate::{Failure, config, page};

/// Timeout for the server's answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// First bytes of a TLS server's answer to plain text.
const TLS_ALERT: [u8; 2] = [0x15, 0x03];

/// Ask the server on this machine whether it takes orders. Exit 0 if it does, 1 if not.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The address and port that the server listens on; without it, BAIZE_LISTEN, or that of the configuration file, or 127.0.0.1:8080.
    #[arg(long, value_name = "ADDRESS", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    /// The configuration file of the server; without it, /etc/baize/baize.toml if it exists.
    #[arg(long, value_name = "FILE", env = "BAIZE_CONFIG", hide_env_values = true)]
    config: Option<PathBuf>,
    /// The server uses TLS: check only that it accepts connections. Implied by the setting tls-cert.
    #[arg(long)]
    tls: bool,
}

/// Asks.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let set = |setting| config::value_of(setting, arguments.config.as_deref());
    let (mut address, tls) = match arguments.listen {
        Some(listen) => (listen, arguments.tls),
        None => (config::listens(arguments.config.as_deref())?, arguments.tls || set("tls-cert")?.is_some()),
    };
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    match asked(address, tls) {
        Ok(answer) if tls || answer.starts_with("HTTP/1.1 200") => page::print("ok\n"),
        Ok(answer) => {
            let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
            // A casino answers in one line; anything else is another server.
            let why = match body.trim() {
                line if !line.is_empty() && !line.contains('\n') => line.to_owned(),
                _ => {
                    format!(
                        "{address} is not a casino: it answers {}",
                        head.lines().next().unwrap_or("nothing")
                    )
                }
            };
            Err(Failure::Unhealthy(why))
        }
        Err(error) => Err(Failure::Unhealthy(format!("{address}: {error}"))),
    }
}

fn asked(address: SocketAddr, tls: bool) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    let mut answer = Vec::new();
    if !tls {
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        stream.read_to_end(&mut answer)?;
    }
    if answer.starts_with(&TLS_ALERT) {
        return Err(std::io::Error::other("the server uses TLS: add --tls"));
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
