//! From a service to the configuration of its container, as Docker Compose translates it (`pkg/compose/create.go`).
//! The result is the JSON of the engine's API. Nothing here talks to an engine.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::limits;
use super::mounts;
use super::part::Part;
use super::spec::{Container, Service};

/// A version of the engine's API.
pub(crate) type Api = (usize, usize);

/// Since when a container is created with all its networks, and a network can have its own MAC address.
pub(crate) const SEVERAL_NETWORKS: Api = (1, 44);

/// Facts about the engine when a container is translated.
pub(crate) struct Around<'a> {
    pub(crate) api: Api,
    /// The id of the image.
    pub(crate) image_id: &'a str,
    /// Names of this container for others: `CONTAINER:ALIAS`.
    pub(crate) links: Vec<String>,
    /// The mounts of the container that this one replaces which go on: by target.
    pub(crate) inherited: BTreeMap<String, Value>,
    /// The token of the step.
    pub(crate) token: &'a str,
    /// Reads the seccomp profile with this path.
    pub(crate) read: &'a dyn Fn(&str) -> Result<String, String>,
}

/// The label with the token of the step that made something.
pub(crate) const TOKEN: &str = "dev.locus.token";

/// The prefix of the labels of Compose.
pub(crate) const COMPOSE: &str = "com.docker.compose";

/// The label with the hash of the configuration.
pub(crate) const HASH: &str = "com.docker.compose.config-hash";

/// The label with the id of the image.
pub(crate) const IMAGE: &str = "com.docker.compose.image";

/// The body of the call that creates the container.
pub(crate) fn body(spec: &Container, service: &Service, around: &Around<'_>) -> Result<Value, String> {
    let config = Part(&service.config);
    for key in ["provider", "credential_spec"] {
        if config.part(key).is_some() {
            return Err(format!("`{key}` of the service {} is not supported", spec.key));
        }
    }
    if config.flag("use_api_socket") || config.part("models").is_some() {
        return Err(format!("the service {} uses models or the socket of the engine", spec.key));
    }
    let mut exposed = Map::new();
    for port in config.texts("expose") {
        exposed.insert(port.to_owned(), json!({}));
    }
    for port in config.list("ports") {
        exposed.insert(port_name(port), json!({}));
    }
    let environment: Vec<String> = config
        .entries("environment")
        .map(|(name, value)| value.0.as_str().map_or_else(|| name.clone(), |value| format!("{name}={value}")))
        .collect();
    let mut body = json!({
        "Hostname": config.text("hostname"),
        "Domainname": config.text("domainname"),
        "User": config.text("user"),
        "ExposedPorts": exposed,
        "Tty": config.flag("tty"),
        "OpenStdin": config.flag("stdin_open"),
        "AttachStdout": true,
        "AttachStderr": true,
        "Env": environment,
        "Image": spec.image,
        "WorkingDir": config.text("working_dir"),
        "NetworkDisabled": config.text("network_mode") == "disabled",
        "Labels": labels(spec, service, around),
        "HostConfig": host(spec, config, around)?,
    });
    for (key, from) in [("Cmd", "command"), ("Entrypoint", "entrypoint")] {
        if let Some(command) = config.part(from) {
            body[key] = command.0.clone();
        }
    }
    if !config.text("stop_signal").is_empty() {
        body["StopSignal"] = json!(config.text("stop_signal"));
    }
    if let Some(grace) = config.duration("stop_grace_period")? {
        body["StopTimeout"] = json!(grace / 1_000_000_000);
    }
    if let Some(check) = config.part("healthcheck") {
        body["Healthcheck"] = health(check, around.api)?;
    }
    if let Some(endpoints) = endpoints(spec, config, around)? {
        body["NetworkingConfig"] = json!({ "EndpointsConfig": endpoints });
    }
    Ok(body)
}

fn port_name(port: Part<'_>) -> String {
    let protocol = port.text("protocol");
    format!("{}/{}", port.number("target"), if protocol.is_empty() { "tcp" } else { protocol })
}

/// The labels of a container: those of the file, of Compose, and the token.
fn labels(spec: &Container, service: &Service, around: &Around<'_>) -> BTreeMap<String, String> {
    let own = Part(&service.config).entries("labels");
    let mut labels: BTreeMap<String, String> =
        own.map(|(key, value)| (key.clone(), value.0.as_str().unwrap_or_default().to_owned())).collect();
    labels.extend(spec.labels.clone());
    labels.insert(HASH.to_owned(), service.hash.clone());
    labels.insert(format!("{COMPOSE}.container-number"), spec.number.to_string());
    labels.insert(IMAGE.to_owned(), around.image_id.to_owned());
    let dependency = |(name, value): (&String, Part<'_>)| {
        format!("{name}:{}:{}", value.text("condition"), value.flag("restart"))
    };
    let depends: Vec<String> = Part(&spec.rest).entries("depends_on").map(dependency).collect();
    labels.insert(format!("{COMPOSE}.depends_on"), depends.join(","));
    labels.insert(TOKEN.to_owned(), around.token.to_owned());
    labels
}

fn health(check: Part<'_>, api: Api) -> Result<Value, String> {
    let test = if check.flag("disable") { json!(["NONE"]) } else { json!(check.texts("test")) };
    let mut health = json!({
        "Test": test,
        "Interval": check.duration("interval")?.unwrap_or_default(),
        "Timeout": check.duration("timeout")?.unwrap_or_default(),
        "StartPeriod": check.duration("start_period")?.unwrap_or_default(),
        "Retries": check.number("retries"),
    });
    if let Some(interval) = check.duration("start_interval")? {
        if api < SEVERAL_NETWORKS {
            return Err("healthcheck.start_interval needs Docker 25 or later".to_owned());
        }
        if check.part("start_period").is_none() {
            return Err("healthcheck.start_interval needs healthcheck.start_period".to_owned());
        }
        health["StartInterval"] = json!(interval);
    }
    Ok(health)
}

/// The networks of a service, the most important first.
pub(crate) fn networks(config: Part<'_>) -> Vec<(&str, Part<'_>)> {
    let mut networks: Vec<_> = config.entries("networks").map(|(key, value)| (key.as_str(), value)).collect();
    networks.sort_by_key(|(key, value)| (-value.number("priority"), *key));
    networks
}

/// How a container is connected to a network.
pub(crate) fn endpoint(spec: &Container, network: Part<'_>, config: Part<'_>, around: &Around<'_>) -> Value {
    let mut aliases = vec![spec.name.as_str(), spec.key.as_str()];
    aliases.extend(network.texts("aliases"));
    let mut endpoint = json!({ "Aliases": aliases });
    if !around.links.is_empty() {
        endpoint["Links"] = json!(around.links);
    }
    let mut addresses = Map::new();
    for (name, key) in [("IPv4Address", "ipv4_address"), ("IPv6Address", "ipv6_address")] {
        if !network.text(key).is_empty() {
            addresses.insert(name.to_owned(), json!(network.text(key)));
        }
    }
    if network.part("link_local_ips").is_some() {
        addresses.insert("LinkLocalIPs".to_owned(), json!(network.texts("link_local_ips")));
    }
    if !network.0.is_null() {
        endpoint["IPAMConfig"] = Value::Object(addresses);
    }
    let mac =
        [network.text("mac_address"), config.text("mac_address")].into_iter().find(|mac| !mac.is_empty());
    if let Some(mac) = mac {
        endpoint["MacAddress"] = json!(mac);
    }
    let mut options: Map<String, Value> =
        network.entries("driver_opts").map(|(key, value)| (key.clone(), value.0.clone())).collect();
    if !network.text("interface_name").is_empty() {
        let name = options.entry("com.docker.network.endpoint.ifname");
        name.or_insert_with(|| json!(network.text("interface_name")));
    }
    if !options.is_empty() {
        endpoint["DriverOpts"] = Value::Object(options);
    }
    if network.number("gw_priority") != 0 {
        endpoint["GwPriority"] = json!(network.number("gw_priority"));
    }
    endpoint
}

/// The networks that a container is created with, by name; none if it shares those of something else.
fn endpoints(
    spec: &Container,
    config: Part<'_>,
    around: &Around<'_>,
) -> Result<Option<Map<String, Value>>, String> {
    if !config.text("network_mode").is_empty() {
        return Ok(None);
    }
    let all = networks(config);
    let many = if around.api < SEVERAL_NETWORKS { 1 } else { all.len() };
    let mut endpoints = Map::new();
    for (place, (key, network)) in all.into_iter().take(many).enumerate() {
        if around.api < (1, 49) && !network.text("interface_name").is_empty() {
            return Err("interface_name needs Docker 28.1 or later".to_owned());
        }
        let name = spec.networks.get(key).ok_or_else(|| format!("there is no network {key}"))?;
        // The address of the service is that of its first network.
        let service = if place == 0 { config } else { Part(&Value::Null) };
        endpoints.insert(name.clone(), endpoint(spec, network, service, around));
    }
    Ok((!endpoints.is_empty()).then_some(endpoints))
}

/// The configuration of the host for a container.
fn host(spec: &Container, config: Part<'_>, around: &Around<'_>) -> Result<Value, String> {
    let mode = match (config.text("network_mode"), networks(config).first()) {
        ("", None) => "none",
        ("", Some((key, _))) => spec.networks.get(*key).map_or("none", String::as_str),
        (mode, _) => mode,
    };
    let mut bindings: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for port in config.list("ports") {
        let binding = json!({ "HostIp": port.text("host_ip"), "HostPort": port.text("published") });
        bindings.entry(port_name(port)).or_default().push(binding);
    }
    let tmpfs = |entry: &str| match entry.split_once(':') {
        Some((path, options)) => (path.to_owned(), json!(options)),
        None => (entry.to_owned(), json!("")),
    };
    let tmpfs: Map<String, Value> = config.texts("tmpfs").into_iter().map(tmpfs).collect();
    let hosts: Vec<String> =
        config.texts("extra_hosts").iter().map(|host| host.replacen('=', ":", 1)).collect();
    let (security, unconfined) = security(config, around)?;
    let (binds, mounts) = mounts::of(spec, config, around)?;
    let mut host = json!({
        "Binds": binds,
        "Mounts": mounts,
        "NetworkMode": mode,
        "RestartPolicy": restart(config),
        "PortBindings": bindings,
        "Tmpfs": tmpfs,
        "ExtraHosts": hosts,
        "ReadonlyRootfs": config.flag("read_only"),
        "Privileged": config.flag("privileged"),
        "ShmSize": config.number("shm_size"),
        "OomScoreAdj": config.number("oom_score_adj"),
    });
    for (name, key) in [
        ("IpcMode", "ipc"),
        ("CgroupnsMode", "cgroup"),
        ("VolumeDriver", "volume_driver"),
        ("UsernsMode", "userns_mode"),
        ("UTSMode", "uts"),
        ("PidMode", "pid"),
        ("Isolation", "isolation"),
        ("Runtime", "runtime"),
    ] {
        if !config.text(key).is_empty() {
            host[name] = json!(config.text(key));
        }
    }
    for (name, key) in [
        ("Annotations", "annotations"),
        ("Init", "init"),
        ("Sysctls", "sysctls"),
        ("VolumesFrom", "volumes_from"),
        ("Dns", "dns"),
        ("DnsSearch", "dns_search"),
        ("DnsOptions", "dns_opt"),
        ("StorageOpt", "storage_opt"),
        ("GroupAdd", "group_add"),
    ] {
        if let Some(value) = config.part(key) {
            host[name] = value.0.clone();
        }
    }
    for (name, key) in [("CapAdd", "cap_add"), ("CapDrop", "cap_drop")] {
        if config.part(key).is_some() {
            host[name] = json!(capabilities(&config.texts(key)));
        }
    }
    if !security.is_empty() {
        host["SecurityOpt"] = json!(security);
    }
    if !around.links.is_empty() {
        host["Links"] = json!(around.links);
    }
    if let Some(logging) = config.part("logging") {
        let options: Map<String, Value> =
            logging.entries("options").map(|(key, value)| (key.clone(), value.0.clone())).collect();
        host["LogConfig"] = json!({ "Type": logging.text("driver"), "Config": options });
    }
    if unconfined {
        host["MaskedPaths"] = json!([]);
        host["ReadonlyPaths"] = json!([]);
    }
    limits::add(&mut host, config);
    Ok(host)
}

/// Capabilities under their full names, each once.
fn capabilities(names: &[&str]) -> Vec<String> {
    let full = |name: &&str| match name.to_uppercase() {
        all if all == "ALL" || all.starts_with("CAP_") => all,
        short => format!("CAP_{short}"),
    };
    let all: std::collections::BTreeSet<String> = names.iter().map(full).collect();
    if all.contains("ALL") { vec!["ALL".to_owned()] } else { all.into_iter().collect() }
}

fn restart(config: Part<'_>) -> Value {
    let policy = |condition: &str, attempts: i64| {
        let name = match condition {
            "none" => "no",
            "any" => "always",
            other => other,
        };
        json!({ "Name": name, "MaximumRetryCount": attempts })
    };
    if let Some(deploy) = config.part("deploy").and_then(|deploy| deploy.part("restart_policy")) {
        return policy(deploy.text("condition"), deploy.number("max_attempts"));
    }
    let mut parts = config.text("restart").split(':');
    let condition = parts.next().unwrap_or_default();
    policy(condition, parts.next().and_then(|attempts| attempts.parse().ok()).unwrap_or_default())
}

/// The options about security, and whether no paths are hidden.
fn security(config: Part<'_>, around: &Around<'_>) -> Result<(Vec<String>, bool), String> {
    let (mut options, mut unconfined) = (Vec::new(), false);
    for option in config.texts("security_opt") {
        if option == "systempaths=unconfined" {
            unconfined = true;
            continue;
        }
        let pair = option.split_once('=').or_else(|| option.split_once(':'));
        match pair {
            None if option != "no-new-privileges" => {
                return Err(format!("`{option}` is not an option of security_opt"));
            }
            Some(("seccomp", path)) if !["unconfined", "builtin"].contains(&path) => {
                let text = (around.read)(path)?;
                let profile: Value = serde_json::from_str(&text)
                    .map_err(|error| format!("the seccomp profile {path} is not JSON: {error}"))?;
                options.push(format!("seccomp={profile}"));
            }
            _ => options.push(option.to_owned()),
        }
    }
    Ok((options, unconfined))
}
