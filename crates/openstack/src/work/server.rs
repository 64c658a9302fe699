//! The body of a server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::Work;
use crate::kinds::Names;
use crate::trouble::Trouble;

impl Work<'_> {
    fn named(&self, names: Names, value: &Value) -> Result<String, Trouble> {
        match value {
            Value::String(name) => self.session.id_of(names, name),
            Value::Number(number) => self.session.id_of(names, &number.to_string()),
            other => Err(Trouble::refused(format!("{other} names nothing"))),
        }
    }

    /// The request for a server, around the fields that are as in the template.
    pub(super) fn server(&self, mut server: Map<String, Value>) -> Result<Value, Trouble> {
        let given = |name: &str| self.property(name);
        if let Some(flavor) = given("flavor") {
            server.insert("flavorRef".to_owned(), Value::from(self.named(Names::Flavor, flavor)?));
        }
        let image = given("image").map(|image| self.named(Names::Image, image)).transpose()?;
        if let Some(image) = &image {
            server.insert("imageRef".to_owned(), Value::from(image.as_str()));
        }
        let text =
            given("user_data").map(|data| data.as_str().map_or_else(|| data.to_string(), str::to_owned));
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            server.insert("user_data".to_owned(), Value::from(STANDARD.encode(text)));
        }
        if let Some(groups) =
            given("security_groups").and_then(Value::as_array).filter(|groups| !groups.is_empty())
        {
            let groups = groups.iter().map(|group| json!({ "name": group }));
            server.insert("security_groups".to_owned(), groups.collect());
        }
        if let Some(networks) = given("networks").and_then(Value::as_array).filter(|all| !all.is_empty()) {
            let networks: Vec<Value> =
                networks.iter().map(|network| self.network(network)).collect::<Result<_, _>>()?;
            server.insert("networks".to_owned(), Value::Array(networks));
        }
        let mut devices = Vec::new();
        for device in given("block_device_mapping_v2").and_then(Value::as_array).into_iter().flatten() {
            devices.push(self.device(device)?);
        }
        for device in given("block_device_mapping").and_then(Value::as_array).into_iter().flatten() {
            let mut device = self.device(device)?;
            if let Some(map) = device.as_object_mut() {
                let is_first =
                    map.get("device_name").and_then(Value::as_str).is_some_and(|name| name.ends_with("da"));
                map.insert("boot_index".to_owned(), Value::from(if is_first { 0 } else { -1 }));
            }
            devices.push(device);
        }
        if !devices.is_empty() {
            if let Some(image) = image {
                devices.insert(
                    0,
                    json!({
                        "uuid": image,
                        "source_type": "image",
                        "destination_type": "local",
                        "boot_index": 0,
                        "delete_on_termination": true,
                    }),
                );
            }
            server.insert("block_device_mapping_v2".to_owned(), Value::Array(devices));
        }
        let mut request = Map::from_iter([("server".to_owned(), Value::Object(server))]);
        if let Some(hints) =
            given("scheduler_hints").and_then(Value::as_object).filter(|hints| !hints.is_empty())
        {
            request.insert("os:scheduler_hints".to_owned(), Value::Object(hints.clone()));
        }
        Ok(Value::Object(request))
    }

    fn network(&self, network: &Value) -> Result<Value, Trouble> {
        let get = |key: &str| network.get(key).filter(|value| !value.is_null());
        let mut made = Map::new();
        if let Some(port) = get("port") {
            made.insert("port".to_owned(), Value::from(self.named(Names::Port, port)?));
        } else if let Some(name) = get("network") {
            made.insert("uuid".to_owned(), Value::from(self.named(Names::Network, name)?));
            made.extend(get("fixed_ip").map(|address| ("fixed_ip".to_owned(), address.clone())));
        }
        Ok(Value::Object(made))
    }

    fn device(&self, device: &Value) -> Result<Value, Trouble> {
        let get = |key: &str| device.get(key).filter(|value| !value.is_null());
        let mut made = Map::new();
        for key in
            ["boot_index", "delete_on_termination", "device_name", "device_type", "disk_bus", "volume_size"]
        {
            made.extend(get(key).map(|value| (key.to_owned(), value.clone())));
        }
        let (source, id) = if let Some(volume) = get("volume_id") {
            ("volume", Some(self.named(Names::Volume, volume)?))
        } else if let Some(image) = get("image") {
            ("image", Some(self.named(Names::Image, image)?))
        } else if let Some(snapshot) = get("snapshot_id") {
            ("snapshot", snapshot.as_str().map(str::to_owned))
        } else {
            ("blank", None)
        };
        made.insert("source_type".to_owned(), Value::from(source));
        made.extend(id.map(|id| ("uuid".to_owned(), Value::from(id))));
        let local = get("swap_size").or_else(|| get("ephemeral_size"));
        made.insert(
            "destination_type".to_owned(),
            Value::from(if local.is_some() { "local" } else { "volume" }),
        );
        if let Some(size) = local {
            made.insert("volume_size".to_owned(), size.clone());
            made.insert("boot_index".to_owned(), Value::from(-1));
            let form = get("ephemeral_format").cloned();
            let form = if get("swap_size").is_some() { Some(Value::from("swap")) } else { form };
            made.extend(form.map(|form| ("guest_format".to_owned(), form)));
        }
        made.entry("boot_index").or_insert_with(|| Value::from(-1));
        Ok(Value::Object(made))
    }
}
