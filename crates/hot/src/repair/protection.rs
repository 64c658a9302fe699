//! Changes that would make a template less safe, which are never suggested: without a filter, without encryption, with
//! a weaker protocol, open to more than before.

use locus_schema::{Content, Property};

use super::slots::Slot;

/// Properties that protect something when they are there.
const PROTECT: &[&str] = &[
    "allowed_cidrs",
    "cipher",
    "client_authentication",
    "client_ca_tls_container_ref",
    "client_crl_container_ref",
    "control_location",
    "default_tls_container_ref",
    "encryption",
    "key_name",
    "key_size",
    "policies",
    "provider",
    "remote_group",
    "remote_group_id",
    "remote_ip_prefix",
    "remote_mode",
    "rules",
    "security_groups",
    "security_services",
    "sni_container_refs",
    "tls_container_ref",
    "tls_enabled",
    "tls_versions",
    "volume_type",
];

/// Properties that protect something when they are true, and that are open when they are false.
const SWITCHES: &[&str] = &["encrypted", "port_security_enabled", "tls_enabled", "read_only", "enable_snat"];

/// Properties that let others in when they are true.
const OPEN: &[&str] = &["is_public", "public", "router_external", "shared"];

/// Protocols of which traffic is encrypted.
const ENCRYPTED: &[&str] = &["HTTPS", "TERMINATED_HTTPS", "TLS-HELLO"];

/// Whether a template is less safe without a value.
pub(super) fn needs(slot: &Slot<'_>) -> bool {
    let name = &*slot.property.name;
    let is_off = matches!(&slot.datum.value, Content::Bool(false))
        || slot.datum.as_str().is_some_and(|text| text.eq_ignore_ascii_case("false"));
    // An item of a list of security groups has no name of its own.
    PROTECT.contains(&name) || (SWITCHES.contains(&name) && !is_off) || guards(slot)
}

/// Whether a template is less safe with another value.
pub(super) fn weakens(slot: &Slot<'_>, new: &str) -> bool {
    let name = &*slot.property.name;
    let from_encrypted = slot.datum.as_str().is_some_and(|now| ENCRYPTED.contains(&now));
    let filters = slot.resource.type_name.text.starts_with("OS::Neutron::SecurityGroup");
    opens(slot.property, new)
        || lowers(slot, new)
        || is_decision(slot)
        || (name == "protocol" && filters)
        // Another protocol with encryption ends it elsewhere, which a person must decide.
        || (name.contains("protocol") && from_encrypted)
        || ["remote_ip_prefix", "remote_mode", "direction", "policies"].contains(&name)
        || guards(slot)
}

/// Whether a secret would be shorter, or have less in it, with another value.
fn lowers(slot: &Slot<'_>, new: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let now = slot.datum.value.to_text().and_then(|text| number(&text));
    &*slot.resource.type_name.text == "OS::Heat::RandomString"
        && ["length", "min"].contains(&&*slot.property.name)
        && now.zip(number(new)).is_none_or(|(now, new)| new < now)
}

/// Whether nobody but the author can say what the value should be: what becomes of traffic, where it goes, who answers
/// queries, what is encrypted.
fn is_decision(slot: &Slot<'_>) -> bool {
    let (name, kind) = (&*slot.property.name, &*slot.resource.type_name.text);
    let servers = slot.resource.property("dns_nameservers");
    ["action", "destination"].contains(&name)
        || (name == "volume_type" && kind == "OS::Cinder::EncryptedVolumeType")
        || servers.is_some_and(|servers| servers.items().iter().any(|one| one.place == slot.datum.place))
}

/// Whether a value lets more in than the property does when it is left out.
pub(super) fn opens(property: &Property, value: &str) -> bool {
    let name = &*property.name;
    (SWITCHES.contains(&name) && value == "false") || (OPEN.contains(&name) && value == "true")
}

/// Whether a value is what guards something: a security group, or the policy of a group of servers.
fn guards(slot: &Slot<'_>) -> bool {
    let kind = slot.property.names_kind();
    &*slot.property.name == "*"
        && (kind == Some("neutron.security_group")
            || &*slot.resource.type_name.text == "OS::Nova::ServerGroup")
}
