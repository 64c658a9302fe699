//! Encryption of the connection to PostgreSQL, and whom it trusts: `sslmode` and `sslrootcert` of the address, as
//! `psql` takes them.
//!
//! | `sslmode` | |
//! | --- | --- |
//! | `disable` | never encrypted |
//! | `prefer` (unless one is given) | encrypted where the server can; its certificate is not looked at |
//! | `require` | encrypted; the certificate is looked at if `sslrootcert` is given |
//! | `verify-ca` | encrypted, and its certificate is of an authority of `sslrootcert` |
//! | `verify-full` | and it is for this host |
//!
//! `sslrootcert` is a file of certificates (PEM), or `system` for those that this machine trusts.

use std::sync::Arc;

use postgres::Config;
use postgres::config::SslMode;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::Error;

/// How much of a certificate is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trust {
    Anyone,
    Authority,
    Host,
}

/// An address without what is said of encryption, and how to encrypt.
pub(crate) fn connector(address: &str) -> Result<(Config, MakeRustlsConnect), Error> {
    let (address, mode) = taken(address, "sslmode");
    let (address, roots) = taken(&address, "sslrootcert");
    let (mode, trust) = match mode.as_deref() {
        Some("disable") => (SslMode::Disable, Trust::Anyone),
        None | Some("prefer") => (SslMode::Prefer, Trust::Anyone),
        Some("require") if roots.is_none() => (SslMode::Require, Trust::Anyone),
        Some("require" | "verify-ca") => (SslMode::Require, Trust::Authority),
        Some("verify-full") => (SslMode::Require, Trust::Host),
        Some(other) => {
            return Err(Error::Failed(format!(
                "`sslmode={other}` is none of disable, prefer, require, verify-ca and verify-full"
            )));
        }
    };
    let mut config: Config = address.parse()?;
    config.ssl_mode(mode);
    Ok((config, MakeRustlsConnect::new(client(trust, roots.as_deref())?)))
}

/// An address without one of its settings, and the value of that. It is a URL, or words `name=value`.
fn taken(address: &str, name: &str) -> (String, Option<String>) {
    let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| address.starts_with(scheme));
    let (before, settings, by) = match address.split_once('?') {
        Some((before, settings)) if is_url => (Some(before), settings, '&'),
        _ if is_url => return (address.to_owned(), None),
        _ => (None, address, ' '),
    };
    let mut value = None;
    let mut rest = Vec::new();
    for setting in settings.split(by) {
        match setting.split_once('=') {
            Some((found, given)) if found.trim() == name => value = Some(decoded(given, is_url)),
            _ => rest.push(setting),
        }
    }
    let rest = rest.join(&by.to_string());
    let address = match before {
        Some(before) if rest.is_empty() => before.to_owned(),
        Some(before) => format!("{before}?{rest}"),
        None => rest,
    };
    (address, value)
}

/// A value of an address as it is meant: `%2F` in a URL is a slash.
fn decoded(value: &str, is_url: bool) -> String {
    if !is_url {
        return value.trim_matches('\'').to_owned();
    }
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = std::str::from_utf8(behind.get(..2).unwrap_or_default()).ok();
        let code = code.filter(|_| first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn client(trust: Trust, roots: Option<&str>) -> Result<ClientConfig, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Failed(format!("TLS cannot be set up: {error}"));
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match trust {
        Trust::Anyone => Arc::new(Lenient { provider: Arc::clone(&provider), authority: None }),
        Trust::Authority | Trust::Host => {
            let roots = Arc::new(authorities(roots)?);
            let whole = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider)).build();
            let whole = whole.map_err(|error| failed(&error))?;
            if trust == Trust::Host {
                whole
            } else {
                Arc::new(Lenient { provider: Arc::clone(&provider), authority: Some(whole) })
            }
        }
    };
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.map_err(|error| failed(&error))?;
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// The authorities of a file, or those that this machine trusts.
fn authorities(file: Option<&str>) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    match file {
        Some("system") => {
            for certificate in rustls_native_certs::load_native_certs().certs {
                // Some that machines trust are too old to be read: they serve nobody.
                let _ = roots.add(certificate);
            }
        }
        Some(file) => {
            let said = |error: &dyn std::fmt::Display| {
                Error::Failed(format!("the certificates of `{file}` cannot be read: {error}"))
            };
            for certificate in CertificateDer::pem_file_iter(file).map_err(|error| said(&error))? {
                roots.add(certificate.map_err(|error| said(&error))?).map_err(|error| said(&error))?;
            }
        }
        None => {
            let advice = "sslrootcert=FILE, or sslrootcert=system";
            return Err(Error::Failed(format!("say whose certificates are trusted: {advice}")));
        }
    }
    if roots.is_empty() {
        return Err(Error::Failed(format!("there is no certificate in `{}`", file.unwrap_or_default())));
    }
    Ok(roots)
}

/// A verifier that does not ask for which host a certificate is, and without an authority not for anything. That the
/// server has the key of its certificate is verified in any case.
#[derive(Debug)]
struct Lenient {
    provider: Arc<CryptoProvider>,
    authority: Option<Arc<WebPkiServerVerifier>>,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        match authority.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_taken_out_of_an_address() {
        for (address, rest, value) in [
            ("postgres://a@b/c", "postgres://a@b/c", None),
            ("postgres://a@b/c?sslmode=require", "postgres://a@b/c", Some("require")),
            ("postgresql://b?port=1&sslmode=a%2Fb&user=x", "postgresql://b?port=1&user=x", Some("a/b")),
            ("host=b sslmode=disable user=a", "host=b user=a", Some("disable")),
        ] {
            assert_eq!(taken(address, "sslmode"), (rest.to_owned(), value.map(str::to_owned)));
        }
    }

    #[test]
    fn modes_that_cannot_be_kept_are_refused() {
        for (address, word) in [
            ("postgres://b/c?sslmode=maybe", "none of disable"),
            ("postgres://b/c?sslmode=verify-full", "whose certificates"),
            ("postgres://b/c?sslmode=verify-ca&sslrootcert=/nowhere.pem", "cannot be read"),
        ] {
            let Err(Error::Failed(why)) = connector(address).map(|_| ()) else { panic!("{address}") };
            assert!(why.contains(word), "{why}");
        }
        assert!(connector("postgres://b/c?sslmode=require").is_ok());
    }
}
