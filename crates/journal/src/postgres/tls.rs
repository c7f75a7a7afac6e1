//! PostgreSQL over TLS: the options in the address, and certificate verification.
//!
//! `sslmode` means what it means to libpq: `disable` never encrypts, `prefer` (the default) encrypts if the server supports it, `require`
//! always. With `sslrootcert=FILE`, the server's certificate must be issued by an authority in that file; `verify-full` requires the file
//! and also checks the server's name. `sslcert=FILE` and `sslkey=FILE` are the client certificate.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::StoreError;

/// TLS options of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TlsOptions {
    /// The address without these options.
    pub(super) rest: String,
    pub(super) mode: SslMode,
    /// The server's name must be in its certificate.
    full: bool,
    root: Option<String>,
    /// Files of the client certificate and its key.
    own: Option<(String, String)>,
}

fn wrong(what: impl Into<String>) -> StoreError {
    StoreError::Option(what.into())
}

impl TlsOptions {
    /// Removes `sslmode`, `sslrootcert`, `sslcert` and `sslkey` from an address.
    pub(super) fn of(address: &str) -> Result<TlsOptions, StoreError> {
        let (place, query) = address.split_once('?').unwrap_or((address, ""));
        let (mut mode, mut full, mut root) = (SslMode::Prefer, false, None);
        let (mut certificate, mut key) = (None, None);
        let mut kept = Vec::new();
        for option in query.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", word)) => {
                    (mode, full) = match word {
                        "disable" => (SslMode::Disable, false),
                        "prefer" => (SslMode::Prefer, false),
                        "require" => (SslMode::Require, false),
                        "verify-full" => (SslMode::Require, true),
                        _ => {
                            return Err(wrong(format!(
                                "sslmode={word} is not supported: use disable, prefer, require or verify-full"
                            )));
                        }
                    }
                }
                Some(("sslrootcert", file)) => root = Some(decoded(file)),
                Some(("sslcert", file)) => certificate = Some(decoded(file)),
                Some(("sslkey", file)) => key = Some(decoded(file)),
                _ => kept.push(option),
            }
        }
        if full && root.is_none() {
            return Err(wrong(
                "sslmode=verify-full needs sslrootcert=FILE: the certificates of trusted authorities, in PEM",
            ));
        }
        let own = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(wrong(
                    "sslcert=FILE and sslkey=FILE belong together: the client certificate and its key, in PEM",
                ));
            }
        };
        let rest = if kept.is_empty() { place.to_owned() } else { format!("{place}?{}", kept.join("&")) };
        Ok(TlsOptions { rest, mode, full, root, own })
    }

    /// The connector for these options.
    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, StoreError> {
        let provider = Arc::new(ring::default_provider());
        let trusted = match &self.root {
            None => None,
            Some(file) => {
                let verifier = WebPkiServerVerifier::builder_with_provider(
                    Arc::new(roots(file)?),
                    Arc::clone(&provider),
                );
                Some(verifier.build().map_err(|error| wrong(format!("sslrootcert {file}: {error}")))?)
            }
        };
        let verifier = Verifier { provider: Arc::clone(&provider), trusted, full: self.full };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(format!("TLS: {error}")))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let config = match &self.own {
            None => config.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = certificates("sslcert", certificate)?;
                let secret = PrivateKeyDer::from_pem_file(key)
                    .map_err(|error| wrong(format!("sslkey {key}: {error}")))?;
                let both = |error| wrong(format!("sslcert {certificate} and sslkey {key}: {error}"));
                config.with_client_auth_cert(chain, secret).map_err(both)?
            }
        };
        Ok(MakeRustlsConnect::new(config))
    }
}

/// Decodes percent-encoding.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match (*first, hex.and_then(|pair| u8::from_str_radix(pair, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            (byte, _) => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn roots(file: &str) -> Result<RootCertStore, StoreError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates("sslrootcert", file)? {
        roots.add(certificate).map_err(|error| wrong(format!("sslrootcert {file}: {error}")))?;
    }
    Ok(roots)
}

/// The certificates in the file of an option: at least one.
fn certificates(option: &str, file: &str) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    let unread = |error| wrong(format!("{option} {file}: {error}"));
    let read = CertificateDer::pem_file_iter(file).map_err(unread)?;
    let found: Vec<CertificateDer<'static>> = read.collect::<Result<_, _>>().map_err(unread)?;
    if found.is_empty() {
        return Err(wrong(format!("{option} {file}: no certificate found")));
    }
    Ok(found)
}

/// Verifies the server's certificate. Without `sslrootcert` any certificate is accepted: the connection is encrypted, but the server is not
/// authenticated.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    trusted: Option<Arc<WebPkiServerVerifier>>,
    full: bool,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(trusted) = &self.trusted else { return Ok(ServerCertVerified::assertion()) };
        match trusted.verify_server_cert(end_entity, intermediates, server_name, ocsp, now) {
            // The name is checked last, so everything else is valid.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.full => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> Result<(String, SslMode, bool, Option<String>), String> {
        let asked =
            TlsOptions::of(&format!("postgres://ann@db/baize{query}")).map_err(|error| error.to_string())?;
        Ok((asked.rest.replace("postgres://ann@db/baize", ""), asked.mode, asked.full, asked.root))
    }

    #[test]
    fn options_are_removed_from_the_address() {
        let none = String::new;
        assert_eq!(asked(""), Ok((none(), SslMode::Prefer, false, None)));
        assert_eq!(asked("?sslmode=disable"), Ok((none(), SslMode::Disable, false, None)));
        assert_eq!(
            asked("?sslmode=require&connect_timeout=3"),
            Ok(("?connect_timeout=3".to_owned(), SslMode::Require, false, None))
        );
        assert_eq!(
            asked("?sslrootcert=%2Fetc%2Fca.pem&sslmode=verify-full"),
            Ok((none(), SslMode::Require, true, Some("/etc/ca.pem".to_owned())))
        );
    }

    #[test]
    fn invalid_options_are_reported() {
        assert!(asked("?sslmode=maybe").unwrap_err().contains("disable, prefer, require or verify-full"));
        assert!(asked("?sslmode=verify-full").unwrap_err().contains("sslrootcert"));
        assert!(asked("?sslkey=own.key").unwrap_err().contains("belong together"));
        assert!(asked("?sslcert=own.pem").unwrap_err().contains("belong together"));
        let missing = TlsOptions::of("postgres://db/x?sslmode=require&sslrootcert=no-such-file.pem").unwrap();
        assert!(missing.connector().err().unwrap().to_string().contains("no-such-file.pem"));
    }
}
