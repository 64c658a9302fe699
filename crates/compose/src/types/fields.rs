//! The types that Compose gives the parts of its model, in the order in which it prints them.

/// The type of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    /// A string; left out if it is empty.
    Text,
    /// A truth value; left out if it is false.
    Flag,
    /// A truth value; printed if it is given.
    FlagIfGiven,
    /// A whole number; left out if it is 0.
    Whole,
    /// A whole number that is not negative; left out if it is 0.
    Count,
    /// A whole number; printed if it is given.
    WholeIfGiven,
    /// A whole number that is not negative; printed if it is given.
    CountIfGiven,
    /// A number of 32 bits; left out if it is 0.
    Float,
    /// A number of bytes, printed as a string; left out if it is 0.
    Bytes,
    /// A duration; left out if it is 0.
    Duration,
    /// A duration; printed if it is given.
    DurationIfGiven,
    /// Strings in a list.
    Texts,
    /// Strings in a list, which one string may stand for.
    TextOrTexts,
    /// Strings or numbers in a list, printed as strings.
    TextsOrNumbers,
    /// Strings by name, also given as `NAME=VALUE`.
    Mapping,
    /// The same, where a name may have no value.
    Variables,
    /// Strings by name, where nothing is an empty string.
    Options,
    /// Lists of strings by name.
    MultiOptions,
    /// Addresses by host, printed as `HOST=ADDRESS`.
    Hosts,
    /// A command: a string that is split into words, or a list of them.
    Command,
    /// A health check: a string for a shell, or a list.
    Test,
    /// A limit: a number, or two.
    Ulimit,
    /// The mode of a file, printed in octal digits.
    Mode,
    /// A number of devices, or all.
    Devices,
    /// Keys for SSH by name.
    Ssh,
    /// Files of variables, which are read and not printed.
    Files,
    /// A part with parts of its own, always there: as JSON, it is printed even if it is empty.
    Part(&'static Parts),
    /// A part with parts of its own, printed if it is given.
    PartIfGiven(&'static Parts),
    /// A list of parts.
    List(&'static Parts),
    /// Parts by name, each of which may be nothing.
    Map(&'static Parts),
    /// Of each value by name, the type.
    Each(&'static Type),
    /// Read, but not part of what is printed.
    Silent,
}

/// A part with parts of its own.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) fields: &'static [(&'static str, Type)],
    /// Whether keys that start with `x-` are kept.
    pub(crate) extensions: bool,
    /// Keys that are printed even if they are empty.
    pub(crate) always: &'static [&'static str],
    /// Whether JSON has the keys with a capital letter, which is how Compose writes those it has no name for.
    pub(crate) capitals: bool,
}

const fn parts(fields: &'static [(&'static str, Type)]) -> Parts {
    Parts { fields, extensions: true, always: &[], capitals: false }
}

use Type::{
    Bytes, Command, Count, CountIfGiven, Devices, Duration, DurationIfGiven, Each, Files, Flag, FlagIfGiven,
    Float, Hosts, List, Map, Mapping, Mode, MultiOptions, Options, Part, PartIfGiven, Silent, Ssh, Test,
    Text, TextOrTexts, Texts, TextsOrNumbers, Ulimit, Variables, Whole, WholeIfGiven,
};

/// A project.
pub(crate) static PROJECT: Parts = parts(&[
    ("name", Text),
    ("services", Map(&SERVICE)),
    ("networks", Map(&NETWORK)),
    ("volumes", Map(&VOLUME)),
    ("secrets", Map(&SECRET)),
    ("configs", Map(&CONFIG)),
    ("models", Map(&MODEL)),
]);

/// A service.
pub(crate) static SERVICE: Parts = parts(&[
    ("profiles", Texts),
    ("annotations", Mapping),
    ("attach", FlagIfGiven),
    ("build", PartIfGiven(&BUILD)),
    ("develop", PartIfGiven(&DEVELOP)),
    ("blkio_config", PartIfGiven(&BLKIO)),
    ("cap_add", Texts),
    ("cap_drop", Texts),
    ("cgroup_parent", Text),
    ("cgroup", Text),
    ("cpu_count", Whole),
    ("cpu_percent", Float),
    ("cpu_period", Whole),
    ("cpu_quota", Whole),
    ("cpu_rt_period", Whole),
    ("cpu_rt_runtime", Whole),
    ("cpus", Float),
    ("cpuset", Text),
    ("cpu_shares", Whole),
    ("command", Command),
    ("configs", List(&FILE_REFERENCE)),
    ("container_name", Text),
    ("credential_spec", PartIfGiven(&CREDENTIAL_SPEC)),
    ("depends_on", Map(&DEPENDENCY)),
    ("deploy", PartIfGiven(&DEPLOY)),
    ("device_cgroup_rules", Texts),
    ("devices", List(&DEVICE)),
    ("dns", TextOrTexts),
    ("dns_opt", Texts),
    ("dns_search", TextOrTexts),
    ("domainname", Text),
    ("entrypoint", Command),
    ("provider", PartIfGiven(&PROVIDER)),
    ("environment", Variables),
    ("env_file", Files),
    ("expose", TextsOrNumbers),
    ("extends", Silent),
    ("external_links", Texts),
    ("extra_hosts", Hosts),
    ("group_add", Texts),
    ("gpus", List(&DEVICE_REQUEST)),
    ("hostname", Text),
    ("healthcheck", PartIfGiven(&HEALTHCHECK)),
    ("image", Text),
    ("init", FlagIfGiven),
    ("ipc", Text),
    ("isolation", Text),
    ("labels", Mapping),
    ("label_file", Files),
    ("links", Texts),
    ("logging", PartIfGiven(&LOGGING)),
    ("mem_limit", Bytes),
    ("mem_reservation", Bytes),
    ("memswap_limit", Bytes),
    ("mem_swappiness", Bytes),
    ("mac_address", Text),
    ("models", Map(&SERVICE_MODEL)),
    ("network_mode", Text),
    ("networks", Map(&SERVICE_NETWORK)),
    ("oom_kill_disable", Flag),
    ("oom_score_adj", Whole),
    ("pid", Text),
    ("pids_limit", Whole),
    ("platform", Text),
    ("ports", List(&PORT)),
    ("privileged", Flag),
    ("pull_policy", Text),
    ("pull_refresh_after", Silent),
    ("read_only", Flag),
    ("restart", Text),
    ("runtime", Text),
    ("scale", WholeIfGiven),
    ("secrets", List(&FILE_REFERENCE)),
    ("security_opt", Texts),
    ("shm_size", Bytes),
    ("stdin_open", Flag),
    ("stop_grace_period", DurationIfGiven),
    ("stop_signal", Text),
    ("storage_opt", Options),
    ("sysctls", Mapping),
    ("tmpfs", TextOrTexts),
    ("tty", Flag),
    ("ulimits", Each(&Ulimit)),
    ("use_api_socket", Flag),
    ("user", Text),
    ("userns_mode", Text),
    ("uts", Text),
    ("volumes", List(&MOUNT)),
    ("volumes_from", Texts),
    ("working_dir", Text),
    ("post_start", List(&HOOK)),
    ("pre_stop", List(&HOOK)),
]);

static BUILD: Parts = parts(&[
    ("context", Text),
    ("dockerfile", Text),
    ("dockerfile_inline", Text),
    ("entitlements", Texts),
    ("args", Variables),
    ("provenance", Text),
    ("sbom", Text),
    ("ssh", Ssh),
    ("labels", Mapping),
    ("cache_from", TextOrTexts),
    ("cache_to", TextOrTexts),
    ("no_cache", Flag),
    ("additional_contexts", Mapping),
    ("pull", Flag),
    ("extra_hosts", Hosts),
    ("isolation", Text),
    ("network", Text),
    ("target", Text),
    ("secrets", List(&FILE_REFERENCE)),
    ("shm_size", Bytes),
    ("tags", TextOrTexts),
    ("ulimits", Each(&Ulimit)),
    ("platforms", TextOrTexts),
    ("privileged", Flag),
]);

static BLKIO: Parts = parts(&[
    ("weight", Count),
    ("weight_device", List(&WEIGHT_DEVICE)),
    ("device_read_bps", List(&THROTTLE_DEVICE)),
    ("device_read_iops", List(&THROTTLE_DEVICE)),
    ("device_write_bps", List(&THROTTLE_DEVICE)),
    ("device_write_iops", List(&THROTTLE_DEVICE)),
]);

static WEIGHT_DEVICE: Parts = Parts {
    fields: &[("path", Text), ("weight", Count)],
    extensions: true,
    always: &["path", "weight"],
    capitals: true,
};

static THROTTLE_DEVICE: Parts = Parts {
    fields: &[("path", Text), ("rate", Bytes)],
    extensions: true,
    always: &["path", "rate"],
    capitals: true,
};

static CREDENTIAL_SPEC: Parts = parts(&[("config", Text), ("file", Text), ("registry", Text)]);

static DEPENDENCY: Parts = Parts {
    fields: &[("condition", Text), ("restart", Flag), ("required", Flag)],
    extensions: true,
    always: &["required"],
    capitals: false,
};

static DEPLOY: Parts = parts(&[
    ("mode", Text),
    ("replicas", WholeIfGiven),
    ("labels", Mapping),
    ("update_config", PartIfGiven(&UPDATE)),
    ("rollback_config", PartIfGiven(&UPDATE)),
    ("resources", Part(&RESOURCES)),
    ("restart_policy", PartIfGiven(&RESTART_POLICY)),
    ("placement", Part(&PLACEMENT)),
    ("endpoint_mode", Text),
]);

static UPDATE: Parts = parts(&[
    ("parallelism", CountIfGiven),
    ("delay", Duration),
    ("failure_action", Text),
    ("monitor", Duration),
    ("max_failure_ratio", Float),
    ("order", Text),
]);

static RESOURCES: Parts =
    parts(&[("limits", PartIfGiven(&RESOURCE)), ("reservations", PartIfGiven(&RESOURCE))]);

static RESOURCE: Parts = parts(&[
    ("cpus", Float),
    ("memory", Bytes),
    ("pids", Whole),
    ("devices", List(&DEVICE_REQUEST)),
    ("generic_resources", List(&GENERIC_RESOURCE)),
]);

static GENERIC_RESOURCE: Parts = parts(&[("discrete_resource_spec", PartIfGiven(&DISCRETE_RESOURCE))]);

static DISCRETE_RESOURCE: Parts = Parts {
    fields: &[("kind", Text), ("value", Whole)],
    extensions: true,
    always: &["kind", "value"],
    capitals: false,
};

static RESTART_POLICY: Parts = parts(&[
    ("condition", Text),
    ("delay", DurationIfGiven),
    ("max_attempts", CountIfGiven),
    ("window", DurationIfGiven),
]);

static PLACEMENT: Parts =
    parts(&[("constraints", Texts), ("preferences", List(&PREFERENCE)), ("max_replicas_per_node", Count)]);

static PREFERENCE: Parts = parts(&[("spread", Text)]);

static DEVICE: Parts = parts(&[("source", Text), ("target", Text), ("permissions", Text)]);

static DEVICE_REQUEST: Parts = Parts {
    fields: &[
        ("capabilities", Texts),
        ("driver", Text),
        ("count", Devices),
        ("device_ids", Texts),
        ("options", Mapping),
    ],
    extensions: false,
    always: &[],
    capitals: false,
};

static PROVIDER: Parts = parts(&[("type", Text), ("options", MultiOptions)]);

static HEALTHCHECK: Parts = parts(&[
    ("test", Test),
    ("timeout", DurationIfGiven),
    ("interval", DurationIfGiven),
    ("retries", CountIfGiven),
    ("start_period", DurationIfGiven),
    ("start_interval", DurationIfGiven),
    ("disable", Flag),
]);

static LOGGING: Parts = parts(&[("driver", Text), ("options", Options)]);

static SERVICE_MODEL: Parts = parts(&[("endpoint_var", Text), ("model_var", Text)]);

static SERVICE_NETWORK: Parts = parts(&[
    ("aliases", Texts),
    ("driver_opts", Options),
    ("gw_priority", Whole),
    ("interface_name", Text),
    ("ipv4_address", Text),
    ("ipv6_address", Text),
    ("link_local_ips", Texts),
    ("mac_address", Text),
    ("priority", Whole),
]);

pub(crate) static PORT: Parts = parts(&[
    ("name", Text),
    ("mode", Text),
    ("host_ip", Text),
    ("target", Count),
    ("published", Text),
    ("protocol", Text),
    ("app_protocol", Text),
]);

static FILE_REFERENCE: Parts =
    parts(&[("source", Text), ("target", Text), ("uid", Text), ("gid", Text), ("mode", Mode)]);

static MOUNT: Parts = parts(&[
    ("type", Text),
    ("source", Text),
    ("target", Text),
    ("read_only", Flag),
    ("consistency", Text),
    ("bind", PartIfGiven(&BIND)),
    ("volume", PartIfGiven(&VOLUME_OPTIONS)),
    ("tmpfs", PartIfGiven(&TMPFS)),
    ("image", PartIfGiven(&IMAGE)),
]);

static BIND: Parts =
    parts(&[("selinux", Text), ("propagation", Text), ("create_host_path", Flag), ("recursive", Text)]);

static VOLUME_OPTIONS: Parts = parts(&[("labels", Mapping), ("nocopy", Flag), ("subpath", Text)]);

static TMPFS: Parts = parts(&[("size", Bytes), ("mode", Count)]);

static IMAGE: Parts = parts(&[("subpath", Text)]);

static HOOK: Parts = parts(&[
    ("command", Command),
    ("user", Text),
    ("privileged", Flag),
    ("working_dir", Text),
    ("environment", Variables),
]);

static DEVELOP: Parts = parts(&[("watch", List(&WATCH))]);

static WATCH: Parts = Parts {
    fields: &[
        ("path", Text),
        ("action", Text),
        ("target", Text),
        ("exec", Part(&HOOK)),
        ("include", Texts),
        ("ignore", Texts),
        ("initial_sync", Flag),
    ],
    extensions: true,
    always: &["path", "action"],
    capitals: false,
};

pub(crate) static NETWORK: Parts = parts(&[
    ("name", Text),
    ("driver", Text),
    ("driver_opts", Options),
    ("ipam", Part(&IPAM)),
    ("external", Flag),
    ("internal", Flag),
    ("attachable", Flag),
    ("labels", Mapping),
    ("enable_ipv4", FlagIfGiven),
    ("enable_ipv6", FlagIfGiven),
]);

static IPAM: Parts = parts(&[("driver", Text), ("config", List(&POOL)), ("options", Silent)]);

static POOL: Parts =
    parts(&[("subnet", Text), ("gateway", Text), ("ip_range", Text), ("aux_addresses", Mapping)]);

pub(crate) static VOLUME: Parts = parts(&[
    ("name", Text),
    ("driver", Text),
    ("driver_opts", Options),
    ("external", Flag),
    ("labels", Mapping),
]);

pub(crate) static SECRET: Parts = parts(&[
    ("name", Text),
    ("file", Text),
    ("environment", Text),
    ("external", Flag),
    ("labels", Mapping),
    ("driver", Text),
    ("driver_opts", Options),
    ("template_driver", Text),
]);

pub(crate) static CONFIG: Parts = parts(&[
    ("name", Text),
    ("file", Text),
    ("environment", Text),
    ("content", Text),
    ("external", Flag),
    ("labels", Mapping),
    ("template_driver", Text),
]);

static MODEL: Parts =
    parts(&[("name", Text), ("model", Text), ("context_size", Whole), ("runtime_flags", Texts)]);
