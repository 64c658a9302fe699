//! Settings that rules judge one by one: which keys they stand under, and their values.

use locus_meaning::{Related, Subject};
use locus_source::Place;

use super::Filling;
use crate::values::datum::{Content, Datum};

/// The settings of a service. A star stands for every key of a mapping and every item of a list.
pub(super) const OF_SERVICE: &[&str] = &[
    "blkio_config.weight",
    "cap_add.*",
    "cap_drop.*",
    "container_name",
    "cpu_period",
    "cpu_quota",
    "cpu_shares",
    "cpus",
    "cpuset",
    "deploy.restart_policy.condition",
    "develop.watch.*.action",
    "dns.*",
    "expose.*",
    "external_links.*",
    "extra_hosts.*",
    "extra_hosts.*.*",
    "hostname",
    "image",
    "ipc",
    "links.*",
    "logging.driver",
    "logging.options.*",
    "mac_address",
    "mem_limit",
    "mem_swappiness",
    "memswap_limit",
    "security_opt.*",
    "shm_size",
    "stop_signal",
    "sysctls.*",
    "tmpfs.*",
    "ulimits.*",
    "ulimits.*.hard",
    "ulimits.*.soft",
    "uts",
    "working_dir",
];

/// The settings of a network.
pub(super) const OF_NETWORK: &[&str] = &["driver", "driver_opts.*", "ipam.driver"];

/// The settings of a volume.
pub(super) const OF_VOLUME: &[&str] = &["driver", "driver_opts.*", "name"];

impl Filling<'_, '_> {
    /// The settings of a location under the given keys.
    pub(super) fn settings(&mut self, location: Subject, value: &Datum, keys: &[&'static str]) {
        for key in keys {
            let parts: Vec<&str> = key.split('.').collect();
            let name = parts.iter().copied().filter(|part| *part != "*").collect::<Vec<_>>().join(".");
            self.below(location, value, &parts, &name, None);
        }
    }

    fn below(
        &mut self,
        location: Subject,
        value: &Datum,
        rest: &[&str],
        key: &str,
        option: Option<(&str, Place)>,
    ) {
        let Some((first, rest)) = rest.split_first() else {
            return self.setting(location, value, key, option);
        };
        match &value.content {
            Content::Map(map) if *first == "*" => {
                for (name, entry) in &map.0 {
                    self.below(location, &entry.value, rest, key, Some((name, entry.key)));
                }
            }
            Content::Map(map) => {
                if let Some(value) = map.get(first) {
                    self.below(location, value, rest, key, option);
                }
            }
            Content::List(items) if *first == "*" => {
                for item in items {
                    self.below(location, item, rest, key, option);
                }
            }
            _ => {}
        }
    }

    fn setting(&mut self, location: Subject, value: &Datum, key: &str, option: Option<(&str, Place)>) {
        // What a variable gives may be another value elsewhere.
        let is_scalar = !matches!(value.content, Content::Null | Content::Map(_) | Content::List(_));
        if !is_scalar || self.written(value.place).replace("$$", "").contains('$') {
            return;
        }
        let printed = value.print();
        let text = value.as_str().unwrap_or(&printed);
        if text.is_empty() {
            return;
        }
        let setting = self.part("Setting", text, value.place);
        self.put(location, "Location", "settings", Related::To(setting), value.place);
        self.put(setting, "Setting", "key", Related::text(key), value.place);
        if let Some((option, place)) = option {
            self.put(setting, "Setting", "option", Related::text(option), place);
        }
        self.put(setting, "Setting", "value", Related::text(text), value.place);
        if let Some(number) = value.as_i64().or_else(|| text.parse().ok()) {
            self.put(setting, "Setting", "number", Related::Int(number), value.place);
        }
    }
}
