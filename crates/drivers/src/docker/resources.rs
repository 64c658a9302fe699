//! What a container may use: memory, processors, devices, limits.

use serde_json::{Value, json};

use super::part::Part;

/// Adds the resources of a service to the part of a container's configuration that is about the host.
pub(crate) fn add(host: &mut Value, config: Part<'_>) {
    for (name, key) in [
        ("Memory", "mem_limit"),
        ("MemorySwap", "memswap_limit"),
        ("MemoryReservation", "mem_reservation"),
        ("CpuCount", "cpu_count"),
        ("CpuPeriod", "cpu_period"),
        ("CpuQuota", "cpu_quota"),
        ("CpuRealtimePeriod", "cpu_rt_period"),
        ("CpuRealtimeRuntime", "cpu_rt_runtime"),
        ("CpuShares", "cpu_shares"),
    ] {
        host[name] = json!(config.number(key));
    }
    host["OomKillDisable"] = json!(config.flag("oom_kill_disable"));
    host["NanoCpus"] = json!(billionths(config.float("cpus")));
    host["CpuPercent"] = json!((config.float("cpu_percent") as f32 * 100.0) as i64);
    for (name, key) in [("CgroupParent", "cgroup_parent"), ("CpusetCpus", "cpuset")] {
        host[name] = json!(config.text(key));
    }
    for (name, key) in [("MemorySwappiness", "mem_swappiness"), ("PidsLimit", "pids_limit")] {
        if config.number(key) != 0 {
            host[name] = json!(config.number(key));
        }
    }
    if config.part("device_cgroup_rules").is_some() {
        host["DeviceCgroupRules"] = json!(config.texts("device_cgroup_rules"));
    }
    block_devices(host, config);
    let mut requests = Vec::new();
    if let Some(resources) = config.part("deploy").and_then(|deploy| deploy.part("resources")) {
        deployed(host, resources, &mut requests);
    }
    devices(host, config, &mut requests);
    for gpu in config.list("gpus") {
        let mut capabilities = gpu.texts("capabilities");
        capabilities.push("gpu");
        requests.push(request(gpu, &capabilities));
    }
    if !requests.is_empty() {
        host["DeviceRequests"] = json!(requests);
    }
    let limit = |(name, value): (&String, Part<'_>)| {
        let single = value.0.as_i64().unwrap_or_default();
        let of = |key: &str| if value.number(key) == 0 { single } else { value.number(key) };
        json!({ "Name": name, "Soft": of("soft"), "Hard": of("hard") })
    };
    let limits: Vec<Value> = config.entries("ulimits").map(limit).collect();
    if !limits.is_empty() {
        host["Ulimits"] = json!(limits);
    }
}

/// A share of processors in billionths, with the precision that Compose has.
fn billionths(share: f64) -> i64 {
    (share as f32 * 1e9) as i64
}

fn deployed(host: &mut Value, resources: Part<'_>, requests: &mut Vec<Value>) {
    if let Some(limits) = resources.part("limits") {
        if limits.number("memory") != 0 {
            host["Memory"] = json!(limits.number("memory"));
        }
        if limits.float("cpus") != 0.0 {
            host["NanoCpus"] = json!(billionths(limits.float("cpus")));
        }
        if limits.number("pids") > 0 {
            host["PidsLimit"] = json!(limits.number("pids"));
        }
    }
    if let Some(reservations) = resources.part("reservations") {
        if reservations.number("memory") != 0 {
            host["MemoryReservation"] = json!(reservations.number("memory"));
        }
        for device in reservations.list("devices") {
            requests.push(request(device, &device.texts("capabilities")));
        }
    }
}

fn request(device: Part<'_>, capabilities: &[&str]) -> Value {
    let options: serde_json::Map<String, Value> =
        device.entries("options").map(|(key, value)| (key.clone(), value.0.clone())).collect();
    json!({
        "Driver": device.text("driver"),
        "Count": device.number("count"),
        "DeviceIDs": device.texts("device_ids"),
        "Capabilities": [capabilities],
        "Options": options,
    })
}

fn devices(host: &mut Value, config: Part<'_>, requests: &mut Vec<Value>) {
    let (mut mapped, mut named) = (Vec::new(), Vec::new());
    for device in config.list("devices") {
        let (source, target) = (device.text("source"), device.text("target"));
        if source == target && is_qualified(source) {
            named.push(source);
            continue;
        }
        mapped.push(json!({
            "PathOnHost": source,
            "PathInContainer": target,
            "CgroupPermissions": device.text("permissions"),
        }));
    }
    if !mapped.is_empty() {
        host["Devices"] = json!(mapped);
    }
    if !named.is_empty() {
        requests.push(json!({ "Driver": "cdi", "DeviceIDs": named }));
    }
}

/// Whether a device has a name of the container device interface: `vendor.com/class=name`.
fn is_qualified(source: &str) -> bool {
    let Some((kind, name)) = source.split_once('=') else { return false };
    let Some((vendor, class)) = kind.split_once('/') else { return false };
    !vendor.is_empty() && !class.is_empty() && !name.is_empty()
}

fn block_devices(host: &mut Value, config: Part<'_>) {
    let Some(block) = config.part("blkio_config") else { return };
    host["BlkioWeight"] = json!(block.number("weight"));
    for (name, key, field) in [
        ("BlkioWeightDevice", "weight_device", "Weight"),
        ("BlkioDeviceReadBps", "device_read_bps", "Rate"),
        ("BlkioDeviceReadIOps", "device_read_iops", "Rate"),
        ("BlkioDeviceWriteBps", "device_write_bps", "Rate"),
        ("BlkioDeviceWriteIOps", "device_write_iops", "Rate"),
    ] {
        let device = |item: Part<'_>| json!({ "Path": item.text("Path"), field: item.number(field) });
        let devices: Vec<Value> = block.list(key).map(device).collect();
        if !devices.is_empty() {
            host[name] = json!(devices);
        }
    }
}
