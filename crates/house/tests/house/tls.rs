//! PostgreSQL over TLS, with generated certificates.

use baize_house::House;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

use crate::server::Server;
use crate::support::{Casino, Folder, chips, clean, order};

/// A certificate authority.
fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A server with a certificate for `localhost`, with the access rules `hba`.
fn server(authority: &CertifiedIssuer<'static, KeyPair>, hba: &str) -> Server {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, authority).unwrap();
    Server::start_with(&[
        ("server.crt", &certificate.pem()),
        ("server.key", &key.serialize_pem()),
        ("root.crt", &authority.pem()),
        ("postgresql.auto.conf", "ssl = on\nssl_ca_file = 'root.crt'\n"),
        ("pg_hba.conf", hba),
    ])
}

/// Writes a file and returns its path.
fn file(folder: &Folder, name: &str, pem: String) -> String {
    let path = folder.0.join(name);
    std::fs::write(&path, pem).unwrap();
    path.display().to_string()
}

async fn refused(address: &str) -> String {
    match House::open(address).await {
        Ok(_) => panic!("{address} was opened"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn encryption_and_verification_follow_sslmode() {
    let folder = Folder::new();
    let (trusted, stranger) = (authority(), authority());
    let file = |name: &str, pem: String| file(&folder, name, pem);
    let (root, other) = (file("root.pem", trusted.pem()), file("other.pem", stranger.pem()));
    let only_tls = "hostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\nlocal all all trust\n";
    let server = server(&trusted, only_tls);
    let by_number = server.database();
    let by_name = by_number.replace("127.0.0.1", "localhost");

    let casino = Casino::on(format!("{by_name}&sslmode=verify-full&sslrootcert={root}"), None).await;
    let ann = casino.player("ann").await;
    let table = casino.tables().await.remove(0);
    let bet = baize_house::Order::Bet { wagers: vec![chips(1, baize_rules::Area::Ante, 50)] };
    order(&casino, &ann, &table, bet).await.unwrap();
    clean(&casino).await;
    let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'baize'";
    assert_eq!(server.sql(&by_number, encrypted), "t");
    casino.house.close().await.unwrap();

    for good in [
        by_number.clone(),
        format!("{by_number}&sslmode=prefer"),
        format!("{by_number}&sslmode=require"),
        format!("{by_number}&sslmode=require&sslrootcert={root}"),
    ] {
        House::look_at(&good).await.unwrap_or_else(|error| panic!("{good}: {error}"));
    }

    let plain = refused(&format!("{by_number}&sslmode=disable")).await;
    assert!(plain.contains("no encryption") || plain.contains("pg_hba"), "{plain}");
    for wrong in [
        format!("{by_name}&sslmode=verify-full&sslrootcert={other}"),
        format!("{by_name}&sslmode=require&sslrootcert={other}"),
        format!("{by_number}&sslmode=verify-full&sslrootcert={root}"),
    ] {
        let told = refused(&wrong).await;
        assert!(told.contains("certificate was rejected") && told.contains("sslrootcert"), "{wrong}: {told}");
    }
    let nothing = file("nothing.pem", "no certificate\n".to_owned());
    for (wrong, words) in [
        (format!("{by_name}&sslmode=verify-full"), "needs sslrootcert"),
        (format!("{by_name}&sslmode=verify-ca"), "disable, prefer, require or verify-full"),
        (format!("{by_name}&sslmode=require&sslrootcert={nothing}"), "no certificate found"),
        (format!("{by_name}&sslmode=require&sslrootcert=missing.pem"), "missing.pem"),
    ] {
        let told = refused(&wrong).await;
        assert!(told.contains(words), "{wrong}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_tls_is_refused_where_it_is_required() {
    let address = Server::the().database();
    let told = refused(&format!("{address}&sslmode=require")).await;
    assert!(told.contains("TLS"), "{told}");
    House::open(&format!("{address}&sslmode=prefer")).await.unwrap();
}

/// A server may require a client certificate of its authority.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_for_a_certificate_gets_it() {
    let folder = Folder::new();
    let (trusted, stranger) = (authority(), authority());
    let file = |name: &str, pem: String| file(&folder, name, pem);
    let own = |issuer: &CertifiedIssuer<'static, KeyPair>, name: &str| {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec!["baize".to_owned()]).unwrap();
        // With its issuer's name it would look self-signed.
        params.distinguished_name.push(DnType::CommonName, "baize");
        let certificate = params.signed_by(&key, issuer).unwrap();
        let (certificate, secret) = (
            file(&format!("{name}.pem"), certificate.pem()),
            file(&format!("{name}.key"), key.serialize_pem()),
        );
        (format!("sslcert={certificate}&sslkey={secret}"), certificate, secret)
    };
    let root = file("root.pem", trusted.pem());
    let only_known = "hostssl postgres all 127.0.0.1/32 trust
hostssl all all 127.0.0.1/32 trust clientcert=verify-ca
local all all trust
";
    let server = server(&trusted, only_known);
    let address = format!("{}&sslmode=require&sslrootcert={root}", server.database());
    let (good, certificate, _) = own(&trusted, "own");
    let (bad, _, strange_key) = own(&stranger, "strange");
    let casino = Casino::on(format!("{address}&{good}"), None).await;
    let ann = casino.player("ann").await;
    let table = casino.tables().await.remove(0);
    let bet = baize_house::Order::Bet { wagers: vec![chips(1, baize_rules::Area::Ante, 50)] };
    order(&casino, &ann, &table, bet).await.unwrap();
    clean(&casino).await;
    casino.house.close().await.unwrap();
    refused(&address).await;
    refused(&format!("{address}&{bad}")).await;
    let mixed = refused(&format!("{address}&sslcert={certificate}&sslkey={strange_key}")).await;
    assert!(mixed.contains("sslcert") && mixed.contains("sslkey"), "{mixed}");
    let missing = refused(&format!("{address}&sslcert={certificate}&sslkey=missing.key")).await;
    assert!(missing.contains("sslkey missing.key"), "{missing}");
}
