//! SIGHUP reads limits and certificates again; a fault leaves those of before.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};

use crate::casino::{Casino, Folder};

/// Waits until something is so.
fn until(casino: &Casino, what: &str, mut so: impl FnMut() -> bool) {
    for _ in 0..600 {
        if so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what}: {}", casino.log());
}

fn count(casino: &Casino, words: &str) -> usize {
    casino.log().matches(words).count()
}

#[test]
fn limits_are_read_again() {
    let folder = Folder::new("reload");
    let file = folder.file("baize.toml");
    std::fs::write(&file, "address-rate = 0\n").unwrap();
    let casino = Casino::start(&folder, &folder.file("casino.sqlite"), &["--config", &file]);
    until(&casino, "it answers", || casino.try_get("/").is_some());
    let refused = || (0..400).any(|_| casino.get("/").starts_with("HTTP/1.1 429"));
    assert!(!refused(), "there is no limit yet");
    std::fs::write(&file, "address-rate = oops\n").unwrap();
    casino.signal("HUP");
    until(&casino, "the fault is told", || count(&casino, "the old settings stay in use") == 1);
    assert!(!refused(), "what held before holds");
    // Nothing of a reload is applied if its certificate is none.
    std::fs::write(&file, format!("address-rate = 1\ntls-cert = '{file}'\ntls-key = '{file}'\n")).unwrap();
    casino.signal("HUP");
    until(&casino, "the second fault is told", || count(&casino, "the old settings stay in use") == 2);
    assert!(!refused(), "what held before still holds");
    std::fs::write(&file, "address-rate = 1\nplay-chips = 5\n").unwrap();
    casino.signal("HUP");
    until(&casino, "it is read again", || count(&casino, "settings and certificates reloaded") == 1);
    assert!(refused(), "the new limit holds");
    assert_eq!(count(&casino, "it takes effect after a restart"), 1, "{}", casino.log());
    assert!(casino.log().contains("play-chips"), "{}", casino.log());
    casino.stop();
}

/// Makes a certificate for localhost in these files.
fn certify(certificate: &str, key: &str) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(certificate, made.cert.pem()).unwrap();
    std::fs::write(key, made.signing_key.serialize_pem()).unwrap();
    CertificateDer::from_pem_slice(made.cert.pem().as_bytes()).unwrap()
}

/// A client that trusts only this certificate.
struct Trusting {
    tls: rustls::ClientConnection,
    socket: TcpStream,
}

impl Trusting {
    fn connect(casino: &Casino, certificate: &CertificateDer<'static>) -> Option<Trusting> {
        let mut roots = rustls::RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let mut tls = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
        let mut socket = TcpStream::connect(casino.address).ok()?;
        while tls.is_handshaking() {
            tls.complete_io(&mut socket).ok()?;
        }
        Some(Trusting { tls, socket })
    }

    /// One request on the open connection.
    fn answers(&mut self) -> bool {
        let mut stream = rustls::Stream::new(&mut self.tls, &mut self.socket);
        let (mut answer, mut part) = (Vec::new(), [0; 1_024]);
        if stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").is_err() {
            return false;
        }
        while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
            match stream.read(&mut part) {
                Ok(length) if length > 0 => answer.extend_from_slice(&part[..length]),
                _ => return false,
            }
        }
        answer.starts_with(b"HTTP/1.1 200")
    }
}

#[test]
fn certificates_are_reloaded_without_dropping_connections() {
    let folder = Folder::new("certificates");
    let (certificate, key) = (folder.file("certificate.pem"), folder.file("key.pem"));
    let first = certify(&certificate, &key);
    let database = folder.file("casino.sqlite");
    let casino = Casino::start(&folder, &database, &["--tls-cert", &certificate, "--tls-key", &key]);
    until(&casino, "it answers", || Trusting::connect(&casino, &first).is_some());
    let mut early = Trusting::connect(&casino, &first).unwrap();
    assert!(early.answers());

    let second = certify(&certificate, &key);
    assert!(Trusting::connect(&casino, &second).is_none(), "nobody has asked for it yet");
    casino.signal("HUP");
    until(&casino, "it is read again", || count(&casino, "settings and certificates reloaded") == 1);
    assert!(Trusting::connect(&casino, &second).is_some_and(|mut late| late.answers()));
    assert!(Trusting::connect(&casino, &first).is_none(), "the old one is gone");
    assert!(early.answers(), "whoever was connected stays so");

    std::fs::write(&certificate, "no certificate").unwrap();
    casino.signal("HUP");
    until(&casino, "the fault is told", || count(&casino, "the old settings stay in use") == 1);
    assert_eq!(count(&casino, &certificate), 1, "the file is named");
    assert!(Trusting::connect(&casino, &second).is_some_and(|mut late| late.answers()), "it holds on");
    casino.stop();
}
