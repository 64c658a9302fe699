#!/usr/bin/env python3
"""Turns the limits of the services' APIs into the table that crates/hot embeds.

    tools/openstack-limits.py > crates/hot/src/catalogue/limits.txt
    PYTHON-WITH-OPENSTACK tools/openstack-limits.py dump    # writes openstack-limits.json.gz anew

The input is `openstack-limits.json.gz` beside this program: the JSON schemas of Nova, Cinder, Keystone and Glance for the
requests that Heat makes, Nova's validators of extra specs, and Neutron's maps of attributes, with the versions of the
packages that they are from. A schema is the one of the microversion that Heat asks for: the newest of the service for Nova and
Cinder (`MicroversionMixin` of Heat), and version 3 and 2 of Keystone and Glance, which have none.

The tables below say to which field of which request Heat gives a property: that is in the classes of Heat's resources.
A property that they do not name goes to the field of its own name. The output is documented in crates/hot/src/limits/table.rs.
"""

import gzip
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
DUMP = HERE / "openstack-limits.json.gz"

# Type of Heat: (what it is about, {property: field}). A field that is None is one that Heat makes something else of.
JSON_SCHEMAS = {
    "OS::Cinder::EncryptedVolumeType": [("cinder.encryption", {"volume_type": None})],
    "OS::Cinder::QoSSpecs": [("cinder.qos_specs", {"specs": None})],
    "OS::Cinder::Volume": [
        ("cinder.volume", {"image": None, "read_only": None, "backup_id": None, "snapshot_id": None, "source_volid": None,
                           "scheduler_hints": None}),
        ("cinder.hints", {"scheduler_hints": "OS-SCH-HNT:scheduler_hints"}),
    ],
    "OS::Cinder::VolumeType": [
        ("cinder.volume_type", {"is_public": "os-volume-type-access:is_public", "metadata": None, "projects": None}),
        ("cinder.extra_specs", {"metadata": ""}),
    ],
    "OS::Glance::WebImage": [("glance.image", {"location": None, "tags": "tags", "extra_properties": None, "architecture": None})],
    "OS::Keystone::Domain": [("keystone.domain", {})],
    "OS::Keystone::Endpoint": [("keystone.endpoint", {"service": None, "region": None})],
    "OS::Keystone::Group": [("keystone.group", {"domain": None, "roles": None})],
    "OS::Keystone::Project": [("keystone.project", {"domain": None, "parent": None})],
    "OS::Keystone::Region": [("keystone.region", {"parent_region": None})],
    "OS::Keystone::Role": [("keystone.role", {"domain": None})],
    "OS::Keystone::Service": [("keystone.service", {})],
    "OS::Keystone::User": [("keystone.user", {"domain": None, "default_project": None, "groups": None, "roles": None})],
    "OS::Nova::Flavor": [
        ("nova.flavor", {"flavorid": "id", "ephemeral": "OS-FLV-EXT-DATA:ephemeral", "extra_specs": None, "tenants": None}),
        ("nova.extra_specs", {"extra_specs": ""}),
    ],
    "OS::Nova::HostAggregate": [
        ("nova.aggregate", {"metadata": None, "hosts": None}),
        ("nova.aggregate_metadata", {"metadata": "metadata"}),
    ],
    "OS::Nova::KeyPair": [("nova.keypair", {"user": None})],
    "OS::Nova::Quota": [("nova.quotas", {"project": None})],
    "OS::Nova::Server": [
        ("nova.server", {"admin_pass": "adminPass", "image": None, "flavor": None, "key_name": None, "networks": None,
                         "user_data": None, "security_groups": None, "personality": None, "diskConfig": None,
                         "block_device_mapping": None, "block_device_mapping_v2": None, "config_drive": None, "tags": None,
                         "availability_zone": "availability_zone", "scheduler_hints": None}),
        ("nova.hints", {"scheduler_hints": ""}),
        ("nova.tags", {"tags": ""}),
        ("nova.networks", {"networks": ""}),
        ("nova.devices", {"block_device_mapping_v2": ""}),
    ],
    "OS::Nova::ServerGroup": [("nova.server_group", {"policies": None})],
}

# What the schemas of lists of maps say, under the names of Heat.
RENAMED = {
    "nova.networks": {"tag": "tag"},
    "nova.devices": {"device_name": "device_name", "tag": "tag", "volume_size": "volume_size", "disk_bus": "disk_bus",
                     "delete_on_termination": "delete_on_termination"},
}

# Type of Heat: (collection of Neutron, {property: attribute}). For `gateway_ip` an empty text means none; that, and which MAC
# addresses a port can have, are rules of their own (HOT119, HOT432).
NEUTRON = {
    "OS::Neutron::AddressScope": ("address_scopes", {}),
    "OS::Neutron::FloatingIP": ("floatingips", {"floating_network": None, "floating_subnet": None, "floating_network_id": None,
                                                "port_id": None}),
    "OS::Neutron::MeteringLabel": ("metering_labels", {}),
    "OS::Neutron::MeteringRule": ("metering_label_rules", {"metering_label_id": None}),
    "OS::Neutron::Net": ("networks", {"qos_policy": None, "dhcp_agent_ids": None}),
    "OS::Neutron::Port": ("ports", {"network": None, "network_id": None, "fixed_ips": None, "security_groups": None,
                                    "qos_policy": None, "allowed_address_pairs": None, "mac_address": None}),
    "OS::Neutron::ProviderNet": ("networks", {"network_type": "provider:network_type",
                                              "physical_network": "provider:physical_network",
                                              "segmentation_id": "provider:segmentation_id",
                                              "router_external": "router:external"}),
    "OS::Neutron::QoSBandwidthLimitRule": ("policies/bandwidth_limit_rules", {"policy": None}),
    "OS::Neutron::QoSDscpMarkingRule": ("policies/dscp_marking_rules", {"policy": None}),
    "OS::Neutron::QoSMinimumBandwidthRule": ("policies/minimum_bandwidth_rules", {"policy": None}),
    "OS::Neutron::QoSMinimumPacketRateRule": ("policies/minimum_packet_rate_rules", {"policy": None}),
    "OS::Neutron::QoSPolicy": ("policies", {}),
    "OS::Neutron::RBACPolicy": ("rbac_policies", {"object_id": None}),
    "OS::Neutron::Router": ("routers", {"external_gateway_info": None, "l3_agent_id": None, "l3_agent_ids": None}),
    "OS::Neutron::SecurityGroup": ("security_groups", {"rules": None}),
    "OS::Neutron::SecurityGroupRule": ("security_group_rules", {"security_group": None, "remote_group": None}),
    "OS::Neutron::Segment": ("segments", {"network": None}),
    "OS::Neutron::Subnet": ("subnets", {"network": None, "network_id": None, "subnetpool": None, "segment": None,
                                        "allocation_pools": None, "cidr": None, "gateway_ip": None}),
    "OS::Neutron::SubnetPool": ("subnetpools", {"address_scope": None}),
    "OS::Neutron::Trunk": ("trunks", {"port": None, "sub_ports": None}),
}
# Attributes of a security group's rules, which Heat gives to Neutron one by one.
WITHIN = {"OS::Neutron::SecurityGroup": ("rules/*", "security_group_rules", {"remote_group_id": None})}

# What a service's code says beside its schemas.
BESIDE = {
    # `cinder.objects.qos_specs`: `check_string_length`, which takes texts only.
    "OS::Cinder::QoSSpecs": ["specs/*\tc:text\tl:..255"],
    # A configured limit of Neutron, with this default: max_allowed_address_pair.
    "OS::Neutron::Port": ["allowed_address_pairs\ti:..10"],
}

# Longer patterns are classes of all letters of Unicode.
LONGEST = 160


# ---- what the packages say ---------------------------------------------------------------------------------------


def plain(value):
    """A schema as JSON has it."""
    if isinstance(value, dict):
        return {str(getattr(key, "pattern", key)): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [plain(one) for one in value]
        return sorted(items, key=str) if isinstance(value, (set, frozenset)) else items
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    # A regular expression with its reason, or what gettext makes of a text.
    return str(getattr(value, "regex", None) or getattr(value, "pattern", None) or value)


def of_nova():
    from nova.api.openstack.compute.schemas import (aggregates, flavors, flavors_extraspecs, keypairs, quota_sets,
                                                    server_groups, server_tags, servers)
    from nova.api.validation.extra_specs import validators

    server = servers.create_v294["properties"]["server"]
    networks = server["properties"]["networks"]
    schemas = {
        "nova.server": server,
        "nova.hints": servers.create_v294["properties"]["os:scheduler_hints"],
        "nova.networks": next(one for one in networks["oneOf"] if one.get("type") == "array"),
        "nova.devices": server["properties"]["block_device_mapping_v2"],
        "nova.flavor": flavors.create_v255["properties"]["flavor"],
        "nova.extra_specs": flavors_extraspecs.create["properties"]["extra_specs"],
        "nova.keypair": keypairs.create_v292["properties"]["keypair"],
        "nova.server_group": server_groups.create_v264["properties"]["server_group"],
        "nova.aggregate": aggregates.create["properties"]["aggregate"],
        "nova.aggregate_metadata": aggregates.set_metadata["properties"]["set_metadata"],
        "nova.tags": server_tags.update_all["properties"]["tags"],
        "nova.quotas": quota_sets.update_v257["properties"]["quota_set"],
    }
    validators.load_validators()
    specs = [{"name": one.name, "value": one.value, "free": bool(one.parameters)} for one in validators.VALIDATORS.values()]
    return {"schemas": schemas, "extra_specs": sorted(specs, key=lambda one: one["name"])}


def of_cinder():
    from cinder.api.schemas import (qos_specs, scheduler_hints, types_extra_specs, volume_type_encryption,
                                    volume_types, volumes)

    return {"schemas": {
        "cinder.volume": volumes.create_volume_v353["properties"]["volume"],
        "cinder.hints": scheduler_hints.create,
        "cinder.volume_type": volume_types.create["properties"]["volume_type"],
        "cinder.extra_specs": types_extra_specs.create["properties"]["extra_specs"],
        "cinder.qos_specs": qos_specs.create["properties"]["qos_specs"],
        "cinder.encryption": volume_type_encryption.create["properties"]["encryption"],
    }}


def of_keystone():
    from keystone.assignment import schema as assignment
    from keystone.catalog import schema as catalog
    from keystone.identity import schema as identity
    from keystone.resource import schema as resource
    bodies = {
        "domain": resource.domain_create_request_body,
        "project": resource.project_create_request_body,
        "user": identity.user_create_request,
        "group": identity.group_create_request_body,
        "role": assignment.role_create_request_body,
        "service": catalog.service_create_request_body,
        "endpoint": catalog.endpoint_create_request_body,
    }
    found = {"keystone." + name: body.get("properties", body).get(name, body) for name, body in bodies.items()}
    found["keystone.region"] = catalog.region_create
    # Keystone compares each text with the column that it is to be kept in.
    from keystone.assignment.role_backends.sql_model import RoleTable
    from keystone.catalog.backends.sql import Region, Service
    from keystone.identity.backends.sql_model import Group
    from keystone.resource.backends.sql_model import Project
    tables = {"domain": Project, "project": Project, "group": Group, "role": RoleTable, "region": Region, "service": Service}
    columns = {"keystone." + name: {column.name: column.type.length for column in table.__table__.columns
                                    if getattr(column.type, "length", None)} for name, table in tables.items()}
    return {"schemas": found, "columns": columns}


def of_glance():
    from glance.api.v2 import images
    return {"schemas": {"glance.image": {"type": "object", "properties": images.get_base_properties()}}}


# One process for each: their configurations do not go together.
SERVICES = {"nova": of_nova, "cinder": of_cinder, "keystone": of_keystone, "glance": of_glance,
            "neutron": lambda: {"neutron": neutron()}}


def dump():
    from importlib.metadata import version
    facts = {"schemas": {}, "versions": {name: version(name) for name in (*SERVICES, "neutron-lib")}}
    for name in SERVICES:
        done = subprocess.run([sys.executable, __file__, "dump", name], stdout=subprocess.PIPE, check=True)
        found = json.loads(done.stdout)
        facts["schemas"].update(found.pop("schemas", {}))
        facts.update(found)
    DUMP.write_bytes(gzip.compress(json.dumps(facts, sort_keys=True).encode(), mtime=0))


def neutron():
    """{collection: {attribute: what is said of it}}, of all extensions that Neutron itself brings."""
    import importlib
    import pkgutil

    import neutron.extensions
    from neutron.db import models_v2  # noqa: F401
    from neutron.db.models import l3, securitygroup, segment  # noqa: F401
    from neutron.db.qos import models as qos_models  # noqa: F401
    from neutron.extensions import standardattrdescription, tagging
    from neutron.services.trunk import models as trunk_models  # noqa: F401
    from neutron_lib.api import definitions
    from neutron_lib.db import standard_attr

    collections = {}

    def add(where, attributes):
        known = collections.setdefault(where, {})
        for name, one in attributes.items():
            before = known.setdefault(name, {"post": False, "validate": {}, "convert": None})
            before["post"] |= bool(one.get("allow_post"))
            before["convert"] = getattr(one.get("convert_to"), "__name__", None) or before["convert"]
            for kind, what in (one.get("validate") or {}).items():
                old = before["validate"].get(kind)
                # An extension says what may be there beside what was there before.
                before["validate"][kind] = [*old, *(v for v in what if v not in old)] if kind == "type:values" and old else what

    own = [importlib.import_module(f"neutron.extensions.{one.name}") for one in pkgutil.iter_modules(neutron.extensions.__path__)]
    shared = sorted(definitions._ALL_API_DEFINITIONS, key=lambda one: (len(one.REQUIRED_EXTENSIONS), one.ALIAS))
    for module in [*shared, *own]:
        maps = [getattr(module, name, None) for name in ("RESOURCE_ATTRIBUTE_MAP", "EXTENDED_ATTRIBUTES_2_0")]
        for collection, attributes in (pair for one in maps if isinstance(one, dict) for pair in one.items()):
            add(collection, attributes)
        for name, sub in (getattr(module, "SUB_RESOURCE_ATTRIBUTE_MAP", None) or {}).items():
            parent = (sub.get("parent") or {}).get("collection_name", "policies")
            add(f"{parent}/{name}", sub.get("parameters", {}))
    for collection in standard_attr.get_standard_attr_resource_model_map():
        add(collection, standardattrdescription.DESCRIPTION_BODY)
    add("tags", tagging.RESOURCE_ATTRIBUTE_MAP if "tags" in getattr(tagging, "RESOURCE_ATTRIBUTE_MAP", {}) else
        {"tags": {"allow_post": True, "validate": {"type:list_of_unique_strings": tagging.MAX_TAG_LEN}}})
    return collections


# ---- the table ---------------------------------------------------------------------------------------------------


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def ends(schema, least, most):
    low, high = schema.get(least), schema.get(most)
    return None if low is None and high is None else "%s..%s" % ("" if low is None else low, "" if high is None else high)


# What the code of a service makes of a format that its schemas name.
FORMS = {
    "name": ["f:name"],
    "az_name": ["f:zone"],
    "uri": ["f:uri"],
    "uuid": ["f:uuid"],
    "keypair_name_292": ["f:key-name"],
    # Cinder: `_validate_name` and `check_string_length`, after taking blanks from the ends.
    "name_skip_leading_trailing_spaces": ["l:1..255", "f:letters"],
    "name_non_mandatory_remove_white_spaces": ["l:..255"],
    "description_non_mandatory_remove_white_spaces": ["l:..255"],
}


def json_lines(path, schema):
    """The lines of a JSON schema."""
    if "allOf" in schema:
        schema = {key: value for part in schema["allOf"] for key, value in part.items()}
    if "anyOf" in schema or "oneOf" in schema:
        if {one.get("format") for one in schema.get("oneOf", ())} == {"ipv4", "ipv6"}:
            yield path + "\tf:ip"
            return
        branches = [one for one in schema.get("anyOf") or schema["oneOf"] if one.get("type") != "null"]
        kinds = [one.get("type") for one in branches]
        # One thing, or a list of such things.
        if len(branches) == 1 or sorted(map(str, kinds)) == ["array", "string"]:
            for branch in branches:
                yield from json_lines(path, branch)
        return
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    number = "integer" in kinds or "number" in kinds
    fields = []
    if "array" in kinds:
        count = ends(schema, "minItems", "maxItems")
        fields += ["i:" + count] if count else []
        fields += ["u"] if schema.get("uniqueItems") else []
    elif "object" not in kinds:
        if schema.get("enum"):
            values = [one for one in schema["enum"] if isinstance(one, str)]
            fields += ["v:" + compact(sorted(set(values)))] if len(values) == len([e for e in schema["enum"] if e is not None]) else []
        length = ends(schema, "minLength", "maxLength")
        limits = ends(schema, "minimum", "maximum")
        if schema.get("exclusiveMinimum") == 0:
            limits = "0<..%s" % schema.get("maximum", "")
        fields += ["r:" + limits] if limits else []
        fields += ["l:" + length] if length and "string" in kinds and not limits else []
        pattern = schema.get("pattern")
        if pattern and not (number and limits) and len(pattern) < LONGEST and "\t" not in pattern:
            fields.append("p:" + pattern)
        fields += FORMS.get(schema.get("format"), [])
    elif schema.get("additionalProperties") is False and schema.get("patternProperties"):
        fields += ["k:" + key for key in schema["patternProperties"] if len(key) < LONGEST]
    if fields:
        yield "\t".join([path, *fields])
    if "array" in kinds and isinstance(schema.get("items"), dict):
        yield from json_lines(path + "/*", schema["items"])
    if "object" in kinds:
        for one in (schema.get("patternProperties") or {}).values():
            yield from json_lines(path + "/*", one)
        if isinstance(schema.get("additionalProperties"), dict):
            yield from json_lines(path + "/*", schema["additionalProperties"])
        for name, one in sorted((schema.get("properties") or {}).items()):
            yield from json_lines(path + "/" + name, one)


def of_schemas(facts, type_, catalogue):
    for about, fields in JSON_SCHEMAS[type_]:
        schema = facts["schemas"][about]
        if about in RENAMED:
            (prop, _), = fields.items()
            for inner, field in sorted(RENAMED[about].items()):
                one = schema["items"]["properties"].get(field)
                if one and inner in catalogue.get(prop + "/*", ()):
                    yield from json_lines(f"{prop}/*/{inner}", one)
            continue
        names = fields if "" in fields.values() or len(JSON_SCHEMAS[type_]) > 1 and about != JSON_SCHEMAS[type_][0][0] else catalogue[""]
        for prop in sorted(names):
            field = fields.get(prop, prop)
            if field is None:
                continue
            if field == "":
                one = schema if prop not in schema.get("properties", {}) else schema["properties"][prop]
            else:
                one = schema.get("properties", {}).get(field)
            if one:
                column = facts["columns"].get(about, {}).get(field)
                if column and column < one.get("maxLength", column + 1):
                    one = {**one, "maxLength": column}
                yield from json_lines(prop, one)
    if type_ == "OS::Nova::Flavor":
        for one in facts["extra_specs"]:
            if not one["free"]:
                value = dict(one["value"])
                kind = {"type": {str: "string"}.get(value.get("type"), value.get("type"))}
                line = extra_spec(value)
                if line:
                    yield "\t".join([f"extra_specs/{one['name']}", *line])


def extra_spec(value):
    """What Nova's validator says of the value of an extra spec."""
    kind = value.get("type")
    if "int" in str(kind):
        return ["c:int"] + (["r:%s..%s" % (value.get("min", ""), value.get("max", ""))]
                            if value.get("min") is not None or value.get("max") is not None else [])
    if "bool" in str(kind):
        return ["c:bool"]
    if value.get("enum"):
        return ["v:" + compact(value["enum"])]
    if value.get("pattern") and len(value["pattern"]) < LONGEST:
        return ["p:^(?:%s)$" % value["pattern"]]
    return []


def neutron_fields(one):
    """What a validator of Neutron says, as fields; what it says of the items of a list or of a map is not here."""
    fields = []
    convert = one.get("convert") or ""
    for kind, what in sorted(one["validate"].items()):
        kind = kind.removeprefix("type:")
        if kind in ("string", "string_or_none", "name_not_default") and isinstance(what, int):
            fields.append("l:..%d" % what)
        elif kind in ("not_empty_string", "not_empty_string_or_none") and isinstance(what, int):
            fields.append("l:1..%d" % what)
        elif kind in ("range", "range_or_none"):
            fields.append("r:%s..%s" % tuple(what))
        elif kind == "non_negative":
            fields.append("r:0..")
        elif kind == "values" and not convert and all(isinstance(v, (str, type(None))) for v in what):
            fields.append("v:" + compact([v for v in what if v is not None]))
        elif kind in ("regex", "regex_or_none") and len(what) < LONGEST:
            fields.append("p:^(?:%s)" % what)
        elif kind in ("ip_address", "ip_address_or_none"):
            fields.append("f:ip")
        elif kind in ("subnet", "subnet_or_none"):
            fields.append("f:cidr")
        elif kind in ("mac_address", "mac_address_or_none"):
            fields.append("f:mac")
        # That each is there once, rules say already: HOT424 and HOT426.
        elif kind == "nameservers":
            fields.append("i:f:ip")
        elif kind in ("list_of_unique_strings",) and isinstance(what, int):
            fields += ["u", "i:l:..%d" % what]
    if "boolean" in convert:
        fields.append("c:bool")
    elif convert in ("convert_to_int", "convert_to_int_if_not_none"):
        fields.append("c:int")
    return fields


def lines_of(path, fields):
    """The fields of a value, and in a line of its own those of its items."""
    items = [field[2:] for field in fields if field.startswith(("i:f:", "i:l:"))]
    own = [field for field in fields if not field.startswith(("i:f:", "i:l:"))]
    if own:
        yield "\t".join([path, *own])
    if items:
        yield "\t".join([path + "/*", *items])


def of_neutron(facts, type_, catalogue):
    collection, fields = NEUTRON[type_]
    attributes = facts["neutron"][collection]
    used = set()
    for prop in sorted(catalogue[""]):
        field = fields.get(prop, prop)
        if prop in ("tags", "value_specs") or field is None:
            continue
        one = attributes.get(field)
        if one:
            used.add(field)
            # Heat has seen to what is a number and what is true or false.
            yield from lines_of(prop, [f for f in neutron_fields(one) if not f.startswith("c:")])
            if "type:hostroutes" in one["validate"]:
                yield prop + "/*/destination\tf:route"
                yield prop + "/*/nexthop\tf:ip"
    if type_ in WITHIN:
        path, other, renamed = WITHIN[type_]
        for prop in sorted(catalogue[path]):
            one = facts["neutron"][other].get(renamed.get(prop, prop) or "")
            if one:
                yield from lines_of(f"{path}/{prop}", [f for f in neutron_fields(one) if not f.startswith("c:")])
    if "tags" in catalogue[""]:
        yield from lines_of("tags", neutron_fields(facts["neutron"]["tags"]["tags"]))
    if "value_specs" in catalogue[""]:
        given = sorted(name for name, one in attributes.items() if one["post"])
        yield "value_specs\tn:" + compact(given)
        for name in sorted(set(given) - catalogue[""]):
            yield from lines_of("value_specs/" + name, neutron_fields(attributes[name]))


def catalogue():
    """{type: {path of a map, or "": the properties there}}, of the dump of Heat's types."""
    with gzip.open(HERE / "heat-types.json.gz", "rt", encoding="utf-8") as file:
        types = json.load(file)["types"]

    def paths(schemata, at):
        found = {at: set(schemata)}
        for name, one in schemata.items():
            nested = one.get("schema")
            if nested:
                found.update(paths(nested, f"{at}/{name}".lstrip("/")))
        return found

    return {name: paths(one["properties"], "") for name, one in types.items()}


def main():
    if sys.argv[1:] == ["dump"]:
        return dump()
    if sys.argv[1:2] == ["dump"]:
        return print(json.dumps(plain(SERVICES[sys.argv[2]]())))
    with gzip.open(DUMP, "rt", encoding="utf-8") as file:
        facts = json.load(file)
    known = catalogue()
    print("#\t" + ", ".join("%s %s" % one for one in sorted(facts["versions"].items())))
    for type_ in sorted({*JSON_SCHEMAS, *NEUTRON}):
        lines = of_schemas if type_ in JSON_SCHEMAS else of_neutron
        found = dict.fromkeys([*lines(facts, type_, known[type_]), *BESIDE.get(type_, [])])
        print("=" + type_)
        for line in found:
            print(line)


if __name__ == "__main__":
    sys.exit(main())
