//! Hosts that the environment or the command of a service names: what stands where a host stands in a URL, before a
//! port, or in a variable whose name says so.

use locus_source::Place;

use crate::values::datum::{Datum, Map};

/// A host that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) host: String,
    pub(crate) port: Option<u16>,
    pub(crate) place: Place,
    /// Whether it stands in a URL of a protocol of the network.
    pub(crate) in_url: bool,
}

impl Mention {
    /// Whether it is the machine itself.
    pub(crate) fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.host.starts_with("127.")
    }
}

/// The hosts that a service names.
pub(crate) fn mentions(service: &Datum) -> Vec<Mention> {
    let mut found = Vec::new();
    if let Some(environment) = service.get("environment").and_then(Datum::as_map) {
        for (name, value) in environment.iter() {
            let Some(text) = value.as_str() else { continue };
            let before = found.len();
            in_text(text, value.place, &mut found);
            if is_for_browsers(name) {
                // It is not the service that looks for it.
                let own = found.split_off(before);
                found.extend(own.into_iter().filter(|mention| !mention.is_loopback()));
                continue;
            }
            if found.len() == before && is_host_variable(name) && is_host(text) {
                let port = port_beside(environment, name);
                found.push(Mention { host: text.to_owned(), port, place: value.place, in_url: false });
            }
        }
    }
    for key in ["command", "entrypoint"] {
        for word in service.get(key).and_then(Datum::as_list).unwrap_or_default() {
            in_text(word.as_str().unwrap_or_default(), word.place, &mut found);
        }
    }
    found
}

/// Whether a variable with this name holds a host.
fn is_host_variable(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["HOST", "HOSTNAME", "SERVER", "ADDR", "ADDRESS"]
        .iter()
        .any(|end| name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')))
}

/// Whether a variable with this name holds an address that browsers get, or come from.
fn is_for_browsers(name: &str) -> bool {
    const WORDS: [&str; 16] = [
        "PUBLIC", "EXTERNAL", "BROWSER", "FRONTEND", "ORIGIN", "ORIGINS", "CORS", "CSRF", "CALLBACK",
        "REDIRECT", "WEBSITE", "SITE", "VITE", "LOGOUT", "ISSUER", "HOMEPAGE",
    ];
    let name = name.to_ascii_uppercase();
    let is_of_framework =
        ["REACT_APP_", "VUE_APP_", "NG_APP_", "GATSBY_"].iter().any(|start| name.starts_with(start));
    is_of_framework || name.split('_').any(|word| WORDS.contains(&word))
}

/// The port in the variable beside one that holds a host: `DB_PORT` beside `DB_HOST`.
fn port_beside(environment: &Map, name: &str) -> Option<u16> {
    let stem = name.rfind('_').map_or("", |at| &name[..=at]);
    environment.get(&format!("{stem}PORT"))?.as_str()?.parse().ok()
}

fn is_host(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
}

/// Hosts in a text: after `://` in URLs, and before a colon and a port.
fn in_text(text: &str, place: Place, found: &mut Vec<Mention>) {
    let mut add = |host: &str, port: &str, in_url: bool| {
        let digits: String = port.chars().take_while(char::is_ascii_digit).collect();
        if is_host(host) && host.bytes().any(|b| b.is_ascii_alphabetic()) || host.starts_with("127.") {
            found.push(Mention { host: host.to_owned(), port: digits.parse().ok(), place, in_url });
        }
    };
    let is_end = |c: char| c.is_whitespace() || "/?#,;\"'<>|&()".contains(c);
    if text.contains("://") {
        for (at, _) in text.match_indices("://") {
            let authority = &text[at + 3..];
            let end = authority.find(is_end).unwrap_or(authority.len());
            let authority = authority[..end].rsplit('@').next().unwrap_or_default();
            let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
            add(host, port, is_of_network(&text[..at]));
        }
        return;
    }
    // `host:port`, several of them perhaps between commas.
    for part in text.split([',', ' ', ';']) {
        if let Some((host, port)) = part.rsplit_once(':')
            && !port.is_empty()
            && port.len() <= 5
            && port.bytes().all(|b| b.is_ascii_digit())
            && is_host(host)
        {
            add(host, port, false);
        }
    }
}

/// Whether a text ends with the scheme of a protocol that looks a host up by its name.
fn is_of_network(before: &str) -> bool {
    let start =
        before.rfind(|c: char| !c.is_ascii_alphanumeric() && !"+-".contains(c)).map_or(0, |at| at + 1);
    // `jdbc:postgresql`, `postgresql+asyncpg`
    let scheme = before[start..].split('+').next().unwrap_or_default().to_ascii_lowercase();
    SCHEMES.contains(&scheme.as_str())
}

const SCHEMES: [&str; 36] = [
    "amqp",
    "amqps",
    "bolt",
    "clickhouse",
    "elasticsearch",
    "ftp",
    "grpc",
    "http",
    "https",
    "kafka",
    "ldap",
    "ldaps",
    "mariadb",
    "memcached",
    "mongodb",
    "mqtt",
    "mqtts",
    "mssql",
    "mysql",
    "nats",
    "neo4j",
    "plaintext",
    "postgis",
    "postgres",
    "postgresql",
    "psql",
    "pulsar",
    "redis",
    "rediss",
    "smtp",
    "smtps",
    "sqlserver",
    "tcp",
    "udp",
    "ws",
    "wss",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(text: &str) -> Vec<String> {
        let place = locus_source::Sources::new().add("t", "").place(locus_source::Span::point(0));
        let mut found = Vec::new();
        in_text(text, place, &mut found);
        found.iter().map(|m| format!("{}:{}", m.host, m.port.map_or(0, u32::from))).collect()
    }

    #[test]
    fn hosts_are_found_where_hosts_stand() {
        assert_eq!(hosts("postgres://u:p@db:5432/x"), ["db:5432"]);
        assert_eq!(hosts("http://web"), ["web:0"]);
        assert_eq!(hosts("kafka1:9092,kafka2:9092"), ["kafka1:9092", "kafka2:9092"]);
        assert_eq!(hosts("a:b"), [""; 0]);
        assert_eq!(hosts("10:30"), [""; 0]);
        assert_eq!(hosts("nginx:1.27"), [""; 0]);
        assert_eq!(hosts("http://localhost:80/"), ["localhost:80"]);
    }

    #[test]
    fn names_of_variables_tell_addresses_for_browsers() {
        for name in
            ["CORS_ALLOWED_ORIGINS", "NEXT_PUBLIC_API_URL", "VITE_API", "REACT_APP_API", "OAUTH_REDIRECT_URI"]
        {
            assert!(is_for_browsers(name), "{name}");
        }
        for name in ["DATABASE_URL", "API_URL", "REDIS_HOST", "ORIGINAL_DB", "PUBLICATION_URL"] {
            assert!(!is_for_browsers(name), "{name}");
        }
    }

    #[test]
    fn names_of_variables_tell_hosts() {
        assert!(is_host_variable("DB_HOST") && is_host_variable("HOST") && is_host_variable("redis_server"));
        assert!(!is_host_variable("GHOST") && !is_host_variable("DB_NAME"));
    }
}
