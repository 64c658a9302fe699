#!/usr/bin/env python3
"""Turns the facts about Heat's resource types into the compact form that crates/hot embeds.

    tools/heat-catalogue.py heat-types.json > crates/hot/src/catalogue/heat.txt

The input is a dump of the schemata of an installed Heat: for every resource type its class, client, properties,
attributes and support status. The output is documented in crates/hot/src/catalogue/mod.rs, which reads it.
"""

import json
import sys

TYPES = {"String": "s", "Integer": "i", "Number": "n", "Boolean": "b", "Map": "m", "List": "l", "Any": "a"}

# What Heat's translation rules of kind REPLACE say: the first name is an old one for the second. A template that
# gives the old one need not give the new one, even where that is required. (Type, path of the new, old name.)
REPLACED = {
    ("OS::Cinder::Volume", "image"): "imageRef",
    ("OS::Designate::Zone", "primaries"): "masters",
    ("OS::Neutron::FloatingIP", "floating_network"): "floating_network_id",
    ("OS::Neutron::NetworkGateway", "connections/*/network"): "network_id",
    ("OS::Neutron::Port", "network"): "network_id",
    ("OS::Neutron::Port", "fixed_ips/*/subnet"): "subnet_id",
    ("OS::Neutron::RouterGateway", "network"): "network_id",
    ("OS::Neutron::RouterInterface", "port"): "port_id",
    ("OS::Neutron::RouterInterface", "router"): "router_id",
    ("OS::Neutron::RouterInterface", "subnet"): "subnet_id",
    ("OS::Neutron::Subnet", "network"): "network_id",
    ("OS::Neutron::VPNService", "router"): "router_id",
    ("OS::Neutron::VPNService", "subnet"): "subnet_id",
    ("OS::Nova::Server", "networks/*/network"): "uuid",
    ("OS::Nova::Server", "block_device_mapping_v2/*/image"): "image_id",
}

# Properties that name something of a kind, which Heat looks up, though no constraint says so.
KINDS = {
    ("OS::Cinder::VolumeAttachment", "instance_uuid"): "nova.server",
    ("OS::Heat::ScalingPolicy", "auto_scaling_group_id"): "heat.group",
    ("OS::Heat::SoftwareDeployment", "server"): "nova.server",
    ("OS::Heat::StructuredDeployment", "server"): "nova.server",
    ("OS::Heat::WaitCondition", "handle"): "heat.handle",
    ("OS::Neutron::FloatingIPAssociation", "floatingip_id"): "neutron.floatingip",
    ("OS::Neutron::Router", "external_gateway_info/network"): "neutron.network",
    ("OS::Nova::Server", "networks/*/floating_ip"): "neutron.floatingip",
    ("OS::Nova::Server", "networks/*/subnet"): "neutron.subnet",
}


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def status(support):
    """A field for a support status other than the usual one, or none."""
    if support["status"] == "SUPPORTED":
        return []
    message = " ".join((support["message"] or "").split())
    return ["S:%s|%s|%s" % (support["status"], support["version"] or "", message)]


def interval(limits):
    end = lambda key: "" if limits.get(key) is None else json.dumps(limits[key])
    return "%s..%s" % (end("min"), end("max"))


def constraint(one):
    (kind, what), = one.items()
    if kind == "custom_constraint":
        return "c:" + what
    if kind == "range":
        return "r:" + interval(what)
    if kind == "length":
        return "l:" + interval(what)
    if kind == "allowed_values":
        return "v:" + compact(what)
    if kind == "allowed_pattern":
        return "p:" + what
    raise ValueError("no such constraint: %s" % kind)


def properties(type_name, schemata, depth, path):
    for name in sorted(schemata):
        schema = schemata[name]
        here = path + [name]
        flags = "".join(
            flag
            for flag, is_set in [
                ("r", schema["required"]),
                ("u", schema["update_allowed"]),
                ("f", schema["immutable"]),
                ("x", not schema["implemented"]),
                ("v", schema["allow_conversion"]),
            ]
            if is_set
        )
        fields = ["." * depth + name, TYPES[schema["type"]] + flags]
        fields += [constraint(one) for one in schema["constraints"] or []]
        if schema["default"] is not None:
            fields.append("d:" + compact(schema["default"]))
        fields += status(schema["support_status"])
        old = REPLACED.get((type_name, "/".join(here)))
        if old is not None:
            fields.append("o:" + old)
        kind = KINDS.get((type_name, "/".join(here)))
        if kind is not None:
            fields.append("k:" + kind)
        line = "\t".join(fields)
        if "\n" in line:
            raise ValueError("a line break in %s.%s" % (type_name, name))
        yield line
        nested = schema.get("schema")
        if nested:
            yield from properties(type_name, nested, depth + 1, here)


def main(path):
    with open(path, encoding="utf-8") as file:
        facts = json.load(file)
    print("#\tHeat %s" % facts["heat"])
    for alias in sorted(facts["aliases"]):
        print("~%s\t%s" % (alias, facts["aliases"][alias]))
    for name in sorted(facts["custom_constraints"]):
        print("%%%s\t%s" % (name, facts["custom_constraints"][name]["resource_client_name"] or ""))
    for name in sorted(facts["types"]):
        type_ = facts["types"][name]
        fields = [name, type_["client"] or "", type_["entity"] or ""]
        print("\t".join(["=" + fields[0]] + fields[1:] + status(type_["support_status"])))
        for attribute in sorted(type_["attributes"]):
            schema = type_["attributes"][attribute]
            fields = ["@" + attribute, TYPES[schema["type"]] if schema["type"] else "a"]
            print("\t".join(fields + status(schema["support_status"])))
        for line in properties(name, type_["properties"], 1, []):
            print(line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: heat-catalogue.py heat-types.json > crates/hot/src/catalogue/heat.txt")
    main(sys.argv[1])
