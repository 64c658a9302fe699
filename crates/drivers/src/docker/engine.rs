//! The connection to a Docker engine: blocking calls, and what goes wrong with them. The asynchronous client has a
//! runtime on a thread of its own.

use std::future::Future;

use bollard::errors::Error;
use bollard::{API_DEFAULT_VERSION, Docker};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::translate::Api;
use crate::Variable;

/// How long a call may take, in seconds: stopping a container waits for its grace period.
const TIMEOUT: u64 = 600;

/// Where the engine listens if nothing else is said.
pub const DEFAULT_HOST: &str = "unix:///var/run/docker.sock";

/// The address of the engine that the environment names.
pub(crate) fn host(variable: Variable<'_>) -> Result<String, String> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if set("DOCKER_TLS_VERIFY").is_some() {
        return Err("a Docker engine cannot be reached with TLS yet (DOCKER_TLS_VERIFY is set)".to_owned());
    }
    Ok(set("DOCKER_HOST").unwrap_or_else(|| DEFAULT_HOST.to_owned()))
}

/// A connection to an engine.
pub(crate) struct Engine {
    pub(crate) client: Docker,
    pub(crate) api: Api,
    runtime: Handle,
    /// The runtime ends when this is dropped.
    _alive: oneshot::Sender<()>,
}

/// Why a call gave no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// There is no such thing.
    Missing(String),
    /// Something else has the name, or is about to change the thing.
    Conflict(String),
    /// The engine refused.
    Refused(String),
    /// The engine cannot do it now.
    Busy(String),
    /// The call did not reach the engine.
    NotSent(String),
    /// There was no answer.
    Lost(String),
}

impl Trouble {
    /// In words.
    pub(crate) fn reason(&self) -> &str {
        let (Trouble::Missing(reason)
        | Trouble::Conflict(reason)
        | Trouble::Refused(reason)
        | Trouble::Busy(reason)
        | Trouble::NotSent(reason)
        | Trouble::Lost(reason)) = self;
        reason
    }
}

impl From<String> for Trouble {
    /// Something is wrong with what was asked for.
    fn from(reason: String) -> Self {
        Trouble::Refused(reason)
    }
}

pub(crate) type Answer<T> = Result<T, Trouble>;

impl Engine {
    /// Connects to the engine at `unix:///path`, or `tcp://address:port` without encryption.
    pub(crate) fn connect(host: &str) -> Result<Self, String> {
        let client = if host.starts_with("unix://") {
            Docker::connect_with_unix(host, TIMEOUT, API_DEFAULT_VERSION)
        } else if host.starts_with("tcp://") || host.starts_with("http://") {
            Docker::connect_with_http(host, TIMEOUT, API_DEFAULT_VERSION)
        } else {
            return Err(format!(
                "`{host}` is not the address of a Docker engine: use unix://PATH or tcp://HOST:PORT"
            ));
        };
        let client = client.map_err(|error| format!("there is no Docker engine at {host}: {error}"))?;
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
        let handle = runtime.handle().clone();
        let (alive, ended) = oneshot::channel::<()>();
        std::thread::spawn(move || runtime.block_on(ended));
        let client = handle
            .block_on(client.negotiate_version())
            .map_err(|error| format!("the Docker engine at {host} does not answer: {error}"))?;
        let version = client.client_version();
        let api = (version.major_version, version.minor_version);
        Ok(Self { client, api, runtime: handle, _alive: alive })
    }

    /// Waits for the answer to a call.
    pub(crate) fn ask<T>(&self, call: impl Future<Output = Result<T, Error>>) -> Answer<T> {
        self.runtime.block_on(call).map_err(trouble)
    }

    /// Waits for something that may not answer.
    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

pub(crate) fn trouble(error: Error) -> Trouble {
    match error {
        Error::DockerResponseServerError { status_code, message } => match status_code {
            404 => Trouble::Missing(message),
            409 => Trouble::Conflict(message),
            403 if message.contains("active endpoints") => Trouble::Busy(message),
            429 | 503 => Trouble::Busy(message),
            _ => Trouble::Refused(message),
        },
        Error::DockerStreamError { error } => Trouble::Refused(error),
        Error::JsonSerdeError { err } => Trouble::Refused(err.to_string()),
        Error::HyperLegacyError { err } if err.is_connect() => Trouble::NotSent(deepest(&err)),
        Error::SocketNotFoundError(path) => Trouble::NotSent(format!("there is no socket {path}")),
        other => Trouble::Lost(deepest(&other)),
    }
}

/// The message of the first cause.
fn deepest(error: &(dyn std::error::Error + 'static)) -> String {
    let mut last = error;
    while let Some(next) = last.source() {
        last = next;
    }
    last.to_string()
}

/// An answer in which what is not there is none.
pub(crate) fn if_there<T>(answer: Answer<T>) -> Answer<Option<T>> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Trouble::Missing(_)) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}
