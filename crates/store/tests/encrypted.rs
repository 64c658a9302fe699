//! A store on a PostgreSQL server that is reached over TLS, and whom it trusts.

mod common;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::Server;
use locus_store::{Error, Postgres, Store};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

/// An authority, and a certificate of it for a host.
fn certificates(folder: &Path, host: &str) {
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority =
        CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("signed");
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new(vec![host.to_owned()]).expect("a name");
    let certificate = params.signed_by(&key, &authority).expect("signed");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("it can be written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    };
    write("server.pem", &certificate.pem());
    write("server.key", &key.serialize_pem());
    write("authority.pem", &authority.pem());
    // Nobody is let in whose connection is not encrypted.
    write("hba.conf", "local all all trust\nhostssl all all 127.0.0.1/32 trust\n");
}

#[test]
fn a_server_is_reached_over_tls_and_trusted_as_far_as_asked() {
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
    let mut folder = None;
    let server = Server::prepared(|path| {
        // The name that the certificate is for is not the address that it is reached by.
        certificates(path, "localhost");
        folder = Some(path.to_owned());
        let inside = |name: &str| path.join(name).display().to_string();
        let settings = vec![
            "listen_addresses=127.0.0.1".to_owned(),
            "ssl=on".to_owned(),
            format!("hba_file={}", inside("hba.conf")),
            format!("ssl_cert_file={}", inside("server.pem")),
            format!("ssl_key_file={}", inside("server.key")),
        ];
        (settings, Some(port))
    });
    let (Some(_server), Some(folder)) = (server, folder) else { return };
    let roots = folder.join("authority.pem").display().to_string().replace('/', "%2F");
    let address = |host: &str, settings: &str| format!("postgres://locus@{host}:{port}/postgres?{settings}");
    let trusted = |mode: &str| format!("sslmode={mode}&sslrootcert={roots}");
    for (host, settings) in [
        ("127.0.0.1", "sslmode=prefer".to_owned()),
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", trusted("verify-ca")),
        ("localhost", trusted("verify-full")),
    ] {
        let store =
            Postgres::connect(&address(host, &settings)).unwrap_or_else(|why| panic!("{settings}: {why}"));
        assert!(store.all().expect("it can be read").is_empty());
    }
    for (host, settings) in [
        ("127.0.0.1", "sslmode=disable".to_owned()),
        ("127.0.0.1", trusted("verify-full")),
        ("localhost", "sslmode=verify-full&sslrootcert=system".to_owned()),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert=system".to_owned()),
    ] {
        let refused = Postgres::connect(&address(host, &settings)).map(|_| ());
        assert!(matches!(refused, Err(Error::Failed(_))), "{settings}: {refused:?}");
    }
}
