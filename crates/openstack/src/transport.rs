//! One call over HTTP, and what comes back. Tests put recorded answers in its place.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Timeout};

use crate::trouble::{Kind, Trouble};

/// How long a call may take: a service that starts a server answers late.
const LONGEST: Duration = Duration::from_mins(2);

/// How long it may take to be connected.
const CONNECTING: Duration = Duration::from_secs(20);

/// The largest answer that is read.
const LARGEST: u64 = 64 << 20;

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body: JSON, a text that is not JSON, or null if there is none.
    pub body: Value,
    /// `Retry-After`, in seconds.
    pub retry_after: Option<u64>,
    /// `X-Subject-Token`, which Keystone answers with.
    pub token: Option<String>,
}

/// Makes calls.
pub trait Transport: Send + Sync {
    /// Makes a call, and waits for the answer.
    ///
    /// # Errors
    /// If there is none: [`Kind::NotSent`] or [`Kind::Lost`].
    fn call(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<Answer, Trouble>;
}

/// Calls over HTTP and HTTPS.
pub struct Http(Agent);

impl Http {
    /// Calls that trust these certificates, in PEM; all, if `verify` is false.
    ///
    /// # Errors
    /// If they cannot be read; in words.
    pub fn new(roots: &[u8], verify: bool) -> Result<Self, String> {
        let certificates: Vec<Certificate<'static>> = parse_pem(roots)
            .filter_map(|item| match item {
                Ok(PemItem::Certificate(one)) => Some(one),
                _ => None,
            })
            .collect();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::new_with_certs(&certificates))
            .disable_verification(!verify)
            .unversioned_rustls_crypto_provider(provider)
            .build();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .tls_config(tls)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(LONGEST))
            .timeout_connect(Some(CONNECTING))
            .max_idle_connections(32)
            .max_idle_connections_per_host(16)
            // Services close connections that nothing is sent over, and a call that meets that has no answer.
            .max_idle_age(Duration::from_secs(4))
            .build();
        Ok(Self(Agent::new_with_config(config)))
    }
}

/// Whether nothing can have reached the service.
fn was_not_sent(error: &ureq::Error) -> bool {
    use std::io::ErrorKind;
    match error {
        ureq::Error::Io(error) => {
            matches!(
                error.kind(),
                ErrorKind::ConnectionRefused | ErrorKind::AddrNotAvailable | ErrorKind::HostUnreachable
            )
        }
        ureq::Error::Timeout(which) => matches!(which, Timeout::Connect | Timeout::Resolve),
        ureq::Error::HostNotFound
        | ureq::Error::ConnectionFailed
        | ureq::Error::BadUri(_)
        | ureq::Error::Tls(_)
        | ureq::Error::Rustls(_)
        | ureq::Error::TlsRequired => true,
        _ => false,
    }
}

impl Transport for Http {
    fn call(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<Answer, Trouble> {
        let mut request = ureq::http::Request::builder().method(method).uri(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let bad = |_| Trouble::refused(format!("`{url}` is no address of a service"));
        let answer = match body {
            Some(body) => {
                // Only Glance is sent a list: of operations on an image.
                let is_list = body.is_array();
                let kind =
                    if is_list { "application/openstack-images-v2.1-json-patch" } else { "application/json" };
                let request = request.header("Content-Type", kind);
                self.0.run(request.body(body.to_string()).map_err(bad)?)
            }
            None => self.0.run(request.body(()).map_err(bad)?),
        };
        let mut answer = answer.map_err(|error| {
            let kind = if was_not_sent(&error) { Kind::NotSent } else { Kind::Lost };
            Trouble::new(kind, format!("{}: {error}", host(url)))
        })?;
        let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
        let retry_after = header("retry-after").and_then(|text| text.trim().parse().ok());
        let token = header("x-subject-token").map(str::to_owned);
        let status = answer.status().as_u16();
        let text = answer.body_mut().with_config().limit(LARGEST).read_to_string();
        let text = text.map_err(|error| Trouble::new(Kind::Lost, format!("{}: {error}", host(url))))?;
        let body = match text.trim() {
            "" => Value::Null,
            text => serde_json::from_str(text).unwrap_or_else(|_| Value::String(plain(text))),
        };
        Ok(Answer { status, body, retry_after, token })
    }
}

/// The service that an address is at.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or(rest)
}

/// The text of a page without its tags: proxies answer with such.
fn plain(text: &str) -> String {
    let mut inside = false;
    let outside = text.chars().filter(|&c| {
        let keeps = !inside && c != '<';
        inside = (inside || c == '<') && c != '>';
        keeps
    });
    outside.take(2000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_pages_are_said_briefly() {
        assert_eq!(host("https://cloud.example:5000/v3/auth?x=1"), "cloud.example:5000");
        assert_eq!(plain("<html><h1>503</h1> later</html>"), "503 later");
    }

    #[test]
    fn a_service_that_does_not_listen_was_asked_nothing() {
        let http = Http::new(b"", true).expect("it needs nothing");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let url = format!("http://{}/", listener.local_addr().expect("it is bound"));
        drop(listener);
        let trouble = http.call("GET", &url, &[], None).expect_err("it is closed");
        assert_eq!(trouble.kind, Kind::NotSent);
    }
}
