//! A session with a cloud: a token that is renewed, the catalogue, and calls to services.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::{Map, Value, json};

use crate::cloud::{Auth, Cloud};
use crate::transport::{Answer, Transport};
use crate::trouble::{Kind, Trouble};

/// The services that resources are made by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Service {
    /// Keystone.
    Identity,
    /// Nova.
    Compute,
    /// Neutron.
    Network,
    /// Cinder.
    Volume,
    /// Glance.
    Image,
    /// Heat, to read a stack that is taken over.
    Orchestration,
}

impl Service {
    /// The types in catalogues, the newest first.
    fn types(self) -> &'static [&'static str] {
        match self {
            Service::Identity => &["identity"],
            Service::Compute => &["compute"],
            Service::Network => &["network"],
            Service::Volume => &["block-storage", "block-store", "volumev3", "volume"],
            Service::Image => &["image"],
            Service::Orchestration => &["orchestration"],
        }
    }

    /// The name of its project.
    pub fn name(self) -> &'static str {
        match self {
            Service::Identity => "Keystone",
            Service::Compute => "Nova",
            Service::Network => "Neutron",
            Service::Volume => "Cinder",
            Service::Image => "Glance",
            Service::Orchestration => "Heat",
        }
    }

    /// The ends that addresses of catalogues have or have not, and that paths begin with.
    fn version(self) -> &'static str {
        match self {
            Service::Network => "/v2.0",
            Service::Image => "/v2",
            Service::Identity => "/v3",
            Service::Compute | Service::Volume | Service::Orchestration => "",
        }
    }
}

/// A call to a service.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// The service.
    pub service: Service,
    /// The method.
    pub method: &'static str,
    /// The path, behind the version.
    pub path: &'a str,
    /// The body.
    pub body: Option<&'a Value>,
    /// The microversion, if it is not the first.
    pub version: Option<&'static str>,
}

impl<'a> Ask<'a> {
    /// A call that reads.
    pub fn get(service: Service, path: &'a str) -> Self {
        Self { service, method: "GET", path, body: None, version: None }
    }

    /// A call with a body.
    pub fn send(service: Service, method: &'static str, path: &'a str, body: &'a Value) -> Self {
        Self { body: Some(body), method, ..Self::get(service, path) }
    }

    /// A call that deletes.
    pub fn delete(service: Service, path: &'a str) -> Self {
        Self { method: "DELETE", ..Self::get(service, path) }
    }
}

/// All that Keystone said.
#[derive(Clone)]
struct Granted {
    token: String,
    project: String,
    user: String,
    endpoints: BTreeMap<Service, String>,
    regions: Vec<String>,
}

/// A session with a cloud.
pub struct Session {
    cloud: Cloud,
    transport: Arc<dyn Transport>,
    granted: RwLock<Option<Granted>>,
    /// One thread at a time authenticates.
    asking: Mutex<()>,
    /// Answers that were read once and do not change: names and their ids, extensions.
    kept: Mutex<BTreeMap<String, Value>>,
}

impl Session {
    /// A session that asks nothing yet.
    pub fn new(cloud: Cloud, transport: Arc<dyn Transport>) -> Self {
        let (granted, asking, kept) = (RwLock::default(), Mutex::default(), Mutex::default());
        Self { cloud, transport, granted, asking, kept }
    }

    /// The id of the project.
    ///
    /// # Errors
    /// If Keystone does not grant a token.
    pub fn project(&self) -> Result<String, Trouble> {
        self.granted().map(|granted| granted.project)
    }

    /// The id of the user.
    ///
    /// # Errors
    /// As [`Session::project`].
    pub fn user(&self) -> Result<String, Trouble> {
        self.granted().map(|granted| granted.user)
    }

    /// The region that is asked: that which is configured, or the first of the catalogue.
    ///
    /// # Errors
    /// As [`Session::project`].
    pub fn region(&self) -> Result<String, Trouble> {
        let granted = self.granted()?;
        let first = granted.regions.into_iter().next().unwrap_or_default();
        Ok(self.cloud.region.clone().unwrap_or(first))
    }

    /// Whether the catalogue has a service.
    ///
    /// # Errors
    /// As [`Session::project`].
    pub fn has(&self, service: Service) -> Result<bool, Trouble> {
        Ok(self.granted()?.endpoints.contains_key(&service))
    }

    fn granted(&self) -> Result<Granted, Trouble> {
        let known = || self.granted.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(granted) = known() {
            return Ok(granted);
        }
        let _turn = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(granted) = known() {
            return Ok(granted);
        }
        let granted = self.authenticate()?;
        *self.granted.write().unwrap_or_else(PoisonError::into_inner) = Some(granted.clone());
        Ok(granted)
    }

    /// Forgets a token that is not accepted any more, unless there is another one by now.
    fn forget(&self, token: &str) {
        let mut granted = self.granted.write().unwrap_or_else(PoisonError::into_inner);
        if granted.as_ref().is_some_and(|granted| granted.token == token) {
            *granted = None;
        }
    }

    fn authenticate(&self) -> Result<Granted, Trouble> {
        let url = format!("{}/auth/tokens", self.cloud.auth_url);
        let answer = self.transport.call("POST", &url, &[], Some(&self.request()))?;
        let Answer { status: 201, token: Some(token), body, .. } = answer else {
            let trouble = Trouble::of(answer.status, &answer.body, answer.retry_after);
            // What may not be is not tried again; nothing of what was sent is repeated.
            let kind = if answer.status == 401 || trouble.kind == Kind::Missing {
                Kind::Refused
            } else {
                trouble.kind
            };
            return Err(Trouble { kind, reason: format!("Keystone: {}", trouble.reason), ..trouble });
        };
        let said = &body["token"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (endpoints, regions) = self.endpoints(&said["catalog"]);
        Ok(Granted {
            token,
            project: text(&said["project"]["id"]),
            user: text(&said["user"]["id"]),
            endpoints,
            regions,
        })
    }

    /// The body of the request for a token.
    fn request(&self) -> Value {
        let domain =
            |from: &BTreeMap<&str, String>, id: &str, name: &str| match (from.get(id), from.get(name)) {
                (Some(id), _) => json!({ "id": id }),
                (None, Some(name)) => json!({ "name": name }),
                (None, None) => Value::Null,
            };
        let identity = match &self.cloud.auth {
            Auth::Password(given) => {
                let user = match given.get("id") {
                    Some(id) => json!({ "id": id, "password": given["password"] }),
                    None => json!({
                        "name": given.get("name"),
                        "domain": domain(given, "domain_id", "domain_name"),
                        "password": given["password"],
                    }),
                };
                json!({ "methods": ["password"], "password": { "user": user } })
            }
            Auth::Application(given) => {
                let credential = if let Some(id) = given.get("id") {
                    json!({ "id": id, "secret": given["secret"] })
                } else {
                    let user = match given.get("user_id") {
                        Some(id) => json!({ "id": id }),
                        None => json!({
                            "name": given.get("username"),
                            "domain": domain(given, "domain_id", "domain_name"),
                        }),
                    };
                    json!({ "name": given.get("name"), "user": user, "secret": given["secret"] })
                };
                json!({ "methods": ["application_credential"], "application_credential": credential })
            }
            Auth::Token(token) => json!({ "methods": ["token"], "token": { "id": token } }),
        };
        let mut auth = Map::from_iter([("identity".to_owned(), identity)]);
        let scope = &self.cloud.scope;
        let scoped = if let Some(id) = scope.get("project_id") {
            Some(json!({ "project": { "id": id } }))
        } else if let Some(name) = scope.get("project_name") {
            let domain = domain(scope, "project_domain_id", "project_domain_name");
            Some(json!({ "project": { "name": name, "domain": domain } }))
        } else if scope.contains_key("domain_id") || scope.contains_key("domain_name") {
            Some(json!({ "domain": domain(scope, "domain_id", "domain_name") }))
        } else {
            scope.get("system").map(|_| json!({ "system": { "all": true } }))
        };
        auth.extend(scoped.map(|scope| ("scope".to_owned(), scope)));
        json!({ "auth": auth })
    }

    /// The address of each service in the region, and all regions.
    fn endpoints(&self, catalogue: &Value) -> (BTreeMap<Service, String>, Vec<String>) {
        let all = [
            Service::Identity,
            Service::Compute,
            Service::Network,
            Service::Volume,
            Service::Image,
            Service::Orchestration,
        ];
        let (mut endpoints, mut regions) = (BTreeMap::new(), Vec::new());
        let entries = catalogue.as_array().map_or(&[][..], Vec::as_slice);
        for entry in entries {
            for endpoint in entry["endpoints"].as_array().into_iter().flatten() {
                let region = endpoint["region_id"]
                    .as_str()
                    .or_else(|| endpoint["region"].as_str())
                    .unwrap_or_default();
                if !regions.iter().any(|known| known == region) {
                    regions.push(region.to_owned());
                }
            }
        }
        let wanted = self.cloud.region.as_ref().or(regions.first());
        for service in all {
            let given = service.types().iter().find_map(|name| self.cloud.endpoints.get(*name));
            let listed = || {
                service.types().iter().find_map(|name| {
                    let entry = entries.iter().find(|entry| entry["type"] == **name)?;
                    let endpoint = entry["endpoints"].as_array()?.iter().find(|endpoint| {
                        let region = endpoint["region_id"].as_str().or_else(|| endpoint["region"].as_str());
                        endpoint["interface"] == *self.cloud.interface
                            && (region == wanted.map(String::as_str) || region.is_none())
                    })?;
                    endpoint["url"].as_str().map(str::to_owned)
                })
            };
            let own = (service == Service::Identity).then(|| self.cloud.auth_url.clone());
            if let Some(url) = given.cloned().or(own).or_else(listed) {
                let mut url = url.trim_end_matches('/').to_owned();
                let version = service.version();
                if !version.is_empty() && !url.ends_with(version) {
                    // Some catalogues have `/v2`, some have nothing.
                    if let Some((before, last)) = url.rsplit_once('/')
                        && last.starts_with('v')
                        && last[1..].starts_with(|c: char| c.is_ascii_digit())
                    {
                        url.truncate(before.len());
                    }
                    url.push_str(version);
                }
                endpoints.insert(service, url);
            }
        }
        (endpoints, regions)
    }

    /// Makes a call. A token that is not accepted any more is renewed, once.
    ///
    /// # Errors
    /// If there is no answer, or one that is not wanted.
    pub fn ask(&self, ask: &Ask<'_>) -> Result<Value, Trouble> {
        let mut renewed = false;
        loop {
            let granted = self.granted()?;
            let Some(endpoint) = granted.endpoints.get(&ask.service) else {
                let region =
                    self.cloud.region.as_ref().map_or_else(String::new, |region| format!(" in {region}"));
                return Err(Trouble::refused(format!("the cloud has no {}{region}", ask.service.name())));
            };
            let url = format!("{endpoint}{}", ask.path);
            let mut headers = vec![("X-Auth-Token", granted.token.as_str()), ("Accept", "application/json")];
            let microversion;
            if let Some(version) = ask.version {
                let (name, word) = match ask.service {
                    Service::Volume => ("OpenStack-API-Version", "volume "),
                    _ => ("X-OpenStack-Nova-API-Version", ""),
                };
                microversion = format!("{word}{version}");
                headers.push((name, &microversion));
            }
            let answer = self.transport.call(ask.method, &url, &headers, ask.body)?;
            match answer.status {
                200..=299 => return Ok(answer.body),
                401 if !renewed && !matches!(self.cloud.auth, Auth::Token(_)) => {
                    renewed = true;
                    self.forget(&granted.token);
                }
                status => {
                    let trouble = Trouble::of(status, &answer.body, answer.retry_after);
                    let reason = format!("{}: {}", ask.service.name(), trouble.reason);
                    return Err(Trouble { reason, ..trouble });
                }
            }
        }
    }

    /// All of a list that a service gives in pages, below a key.
    ///
    /// # Errors
    /// As [`Session::ask`].
    pub fn all(&self, service: Service, path: &str, key: &str) -> Result<Vec<Value>, Trouble> {
        let (mut all, mut next): (Vec<Value>, Option<String>) = (Vec::new(), Some(path.to_owned()));
        while let Some(path) = next {
            let mut page = self.ask(&Ask::get(service, &path))?;
            let Value::Array(items) = page[key].take() else { return Ok(all) };
            let is_last = items.is_empty();
            all.extend(items);
            next = following(&page, key)
                .filter(|_| !is_last)
                .map(|link| self.behind(service, &link))
                .transpose()?;
            if all.len() > MOST {
                return Err(Trouble::refused(format!("{} lists more than {MOST} of {key}", service.name())));
            }
        }
        Ok(all)
    }

    /// The path behind the address of a service: links have the whole address, or a path with the version.
    fn behind(&self, service: Service, link: &str) -> Result<String, Trouble> {
        let granted = self.granted()?;
        let endpoint = granted.endpoints.get(&service).map_or("", String::as_str);
        if let Some(path) = link.strip_prefix(endpoint) {
            return Ok(path.to_owned());
        }
        let rest = link.split_once("://").map_or(link, |(_, rest)| rest);
        let path = if link.starts_with('/') { link } else { rest.find('/').map_or("", |at| &rest[at..]) };
        let own = endpoint.split_once("://").map_or(endpoint, |(_, rest)| rest);
        let own = own.find('/').map_or("", |at| &own[at..]);
        Ok(path.strip_prefix(own).unwrap_or(path).to_owned())
    }

    /// The value that a name stands for, asked once.
    ///
    /// # Errors
    /// As `find`.
    pub fn once(&self, key: &str, find: impl FnOnce() -> Result<Value, Trouble>) -> Result<Value, Trouble> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = kept().get(key).cloned() {
            return Ok(value);
        }
        let value = find()?;
        kept().insert(key.to_owned(), value.clone());
        Ok(value)
    }
}

/// The most things of a list.
const MOST: usize = 200_000;

/// Where the next page is, in the words of the different services.
fn following(page: &Value, key: &str) -> Option<String> {
    let links = page.get(format!("{key}_links")).or_else(|| page.get("links"));
    let listed = links.and_then(Value::as_array).and_then(|links| {
        let next = links.iter().find(|link| link["rel"] == "next")?;
        next["href"].as_str()
    });
    let own = page.get("next").and_then(Value::as_str);
    let keystone = page.get("links").and_then(|links| links.get("next")).and_then(Value::as_str);
    listed.or(own).or(keystone).map(str::to_owned)
}

#[cfg(test)]
mod tests;
