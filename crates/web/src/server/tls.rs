//! The certificate and its key for TLS. A fault names the file that is wrong and what is wrong with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fmt, io};

use baize_house::Instant;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{InconsistentKeys, ServerConfig};
use x509_cert::der::Decode as _;

/// Why a certificate and its key cannot be used.
#[derive(Debug)]
pub struct TlsFault {
    file: PathBuf,
    of_key: bool,
    why: Why,
}

#[derive(Debug)]
enum Why {
    Unread(io::Error),
    NoCertificate,
    KeyOnly,
    NoKey,
    CertificateOnly,
    Encrypted,
    NotTheKeyOf(PathBuf),
    Refused(rustls::Error),
}

impl TlsFault {
    /// Whether the fault is in the file of the key, not in that of the certificate.
    #[must_use]
    pub const fn is_of_key(&self) -> bool {
        self.of_key
    }
}

impl fmt::Display for TlsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot use {} for TLS: ", self.file.display())?;
        match &self.why {
            Why::Unread(why) => write!(f, "{why}"),
            Why::NoCertificate => f.write_str("it has no certificate in PEM (BEGIN CERTIFICATE)"),
            Why::KeyOnly => f.write_str(
                "it has a key and no certificate: name the certificate as tls-cert and the key as tls-key",
            ),
            Why::NoKey => f.write_str("it has no key in PEM (BEGIN PRIVATE KEY)"),
            Why::CertificateOnly => f.write_str(
                "it has a certificate and no key: name the certificate as tls-cert and the key as tls-key",
            ),
            Why::Encrypted => {
                f.write_str("the key is encrypted: remove its password, for example with `openssl pkey`")
            }
            Why::NotTheKeyOf(certificate) => {
                write!(f, "it is not the key of the certificate {}", certificate.display())
            }
            Why::Refused(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for TlsFault {}

/// Reads both files.
pub(super) fn read(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsFault> {
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let of_certificate = |why| TlsFault { file: certificate.to_owned(), of_key: false, why };
    let of_key = |why| TlsFault { file: key.to_owned(), of_key: true, why };
    let certificates = std::fs::read(certificate).map_err(|why| of_certificate(Why::Unread(why)))?;
    let keys = std::fs::read(key).map_err(|why| of_key(Why::Unread(why)))?;
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&certificates).filter_map(Result::ok).collect();
    if chain.is_empty() {
        let only_key = PrivateKeyDer::from_pem_slice(&certificates).is_ok();
        return Err(of_certificate(if only_key { Why::KeyOnly } else { Why::NoCertificate }));
    }
    let private = PrivateKeyDer::from_pem_slice(&keys).map_err(|_| {
        of_key(if has(&keys, b"ENCRYPTED") {
            Why::Encrypted
        } else if CertificateDer::from_pem_slice(&keys).is_ok() {
            Why::CertificateOnly
        } else {
            Why::NoKey
        })
    })?;
    let matched = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, private);
    let mut config = matched.map_err(|why| {
        if why == InconsistentKeys::KeyMismatch.into() {
            of_key(Why::NotTheKeyOf(certificate.to_owned()))
        } else if matches!(why, rustls::Error::InvalidCertificate(_)) {
            of_certificate(Why::Refused(why))
        } else {
            of_key(Why::Refused(why))
        }
    })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn has(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part == word)
}

/// A warning about a certificate that browsers refuse now because of its dates. The server uses it all the same: a casino that does not start would
/// be worse. `None` if its dates cannot be read.
pub(super) fn date_warning(certificate: &Path) -> Option<String> {
    let first = CertificateDer::pem_file_iter(certificate).ok()?.next()?.ok()?;
    let validity = x509_cert::Certificate::from_der(&first).ok()?.tbs_certificate.validity;
    let (from, until) = (validity.not_before.to_system_time(), validity.not_after.to_system_time());
    let now = SystemTime::now();
    let (words, date) = match () {
        () if now > until => ("expired on", until),
        () if now < from => ("is not valid before", from),
        () => return None,
    };
    let since = date.duration_since(UNIX_EPOCH).unwrap_or_default();
    let date = Instant(i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
    Some(format!("the certificate {} {words} {date}: browsers refuse it", certificate.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_the_file_and_what_is_wrong_with_it() {
        let folder = std::env::temp_dir().join(format!("baize-tls-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let made = || rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let (own, other) = (made(), made());
        let certificate = file("certificate.pem", &own.cert.pem());
        let key = file("key.pem", &own.signing_key.serialize_pem());
        let foreign = file("foreign.pem", &other.signing_key.serialize_pem());
        let (text, none) = (file("text.pem", "no certificate\n"), folder.join("none.pem"));
        let sealed = file(
            "sealed.pem",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n",
        );
        let garbage = file("garbage.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assert!(read(&certificate, &key).is_ok() && date_warning(&certificate).is_none());
        for (certificate, key, of_key, words) in [
            (&none, &key, false, "none.pem for TLS: No such file"),
            (&certificate, &none, true, "none.pem for TLS: No such file"),
            (&folder, &key, false, "Is a directory"),
            (&certificate, &folder, true, "Is a directory"),
            (&text, &key, false, "text.pem for TLS: it has no certificate in PEM"),
            (&certificate, &text, true, "text.pem for TLS: it has no key in PEM"),
            (&key, &certificate, false, "key.pem for TLS: it has a key and no certificate"),
            (&certificate, &certificate, true, "certificate.pem for TLS: it has a certificate and no key"),
            (&certificate, &sealed, true, "sealed.pem for TLS: the key is encrypted"),
            (&certificate, &foreign, true, "foreign.pem for TLS: it is not the key of the certificate"),
            (&garbage, &key, false, "garbage.pem for TLS: invalid peer certificate"),
        ] {
            let fault = read(certificate, key).unwrap_err();
            assert!(fault.to_string().contains(words), "{fault}");
            assert_eq!(fault.is_of_key(), of_key, "{fault}");
        }
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_certificate_with_dates_that_browsers_refuse_is_told() {
        let file = std::env::temp_dir().join(format!("baize-expired-{}.pem", std::process::id()));
        for (years, words) in
            [((1999, 2020), "expired on 2020-01-01"), ((2990, 2999), "is not valid before 2990-01-01")]
        {
            let mut parameters = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
            parameters.not_before = rcgen::date_time_ymd(years.0, 1, 1);
            parameters.not_after = rcgen::date_time_ymd(years.1, 1, 1);
            let signed = parameters.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap();
            std::fs::write(&file, signed.pem()).unwrap();
            let warning = date_warning(&file).unwrap_or_default();
            assert!(warning.contains(words), "{warning}");
        }
        let _ = std::fs::remove_file(file);
    }
}
