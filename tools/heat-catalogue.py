#!/usr/bin/env python3
"""Turns the facts about Heat's resource types into the compact form that crates/hot embeds.

    tools/heat-catalogue.py > crates/hot/src/catalogue/heat.txt

The input is `heat-types.json.gz` beside this program: a dump of the schemata of an installed Heat 27.0.1, with for every
resource type its class, client, properties, attributes and support status. What a dump does not tell, and the
documentation or the code of Heat and its services does, are the tables below. The output is documented in
crates/hot/src/catalogue/mod.rs, which reads it.
"""

import gzip
import json
import pathlib

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
    ("OS::Aodh::LBMemberHealthAlarm", "autoscaling_group_id"): "heat.group",
    ("OS::Aodh::LBMemberHealthAlarm", "pool"): "octavia.pool",
    ("OS::Cinder::VolumeAttachment", "instance_uuid"): "nova.server",
    ("OS::Heat::ScalingPolicy", "auto_scaling_group_id"): "heat.group",
    ("OS::Heat::SoftwareDeployment", "server"): "nova.server",
    ("OS::Heat::StructuredDeployment", "server"): "nova.server",
    ("OS::Heat::WaitCondition", "handle"): "heat.handle",
    ("OS::Neutron::Firewall", "firewall_policy_id"): "neutron.firewall_policy",
    ("OS::Neutron::FirewallPolicy", "firewall_rules"): "neutron.firewall_rule",
    ("OS::Neutron::FloatingIPAssociation", "floatingip_id"): "neutron.floatingip",
    ("OS::Neutron::IPsecSiteConnection", "ikepolicy_id"): "neutron.ikepolicy",
    ("OS::Neutron::IPsecSiteConnection", "ipsecpolicy_id"): "neutron.ipsecpolicy",
    ("OS::Neutron::IPsecSiteConnection", "vpnservice_id"): "neutron.vpnservice",
    ("OS::Neutron::L2GatewayConnection", "l2_gateway_id"): "neutron.l2_gateway",
    ("OS::Neutron::MeteringRule", "metering_label_id"): "neutron.metering_label",
    ("OS::Neutron::Port", "security_groups"): "neutron.security_group",
    ("OS::Neutron::Router", "external_gateway_info/network"): "neutron.network",
    ("OS::Nova::Server", "networks/*/floating_ip"): "neutron.floatingip",
    ("OS::Nova::Server", "networks/*/subnet"): "neutron.subnet",
    ("OS::Nova::Server", "security_groups"): "neutron.security_group",
}

# What `update_policy` of a resource may have. The dump has it not.
BATCH = {
    "max_batch_size": ("i", "r:1..", "d:1"),
    "pause_time": ("n", "r:0..", "d:0"),
}
MEMBERS = {"MaxBatchSize": ("i", "d:1"), "MinInstancesInService": ("i", "d:0"), "PauseTime": ("s", 'd:"PT0S"')}
DEPLOYMENTS = {"batch_create": BATCH, "rolling_update": BATCH}
POLICIES = {
    "AWS::AutoScaling::AutoScalingGroup": {"AutoScalingRollingUpdate": MEMBERS},
    "OS::Heat::InstanceGroup": {"RollingUpdate": MEMBERS},
    "OS::Heat::ResourceGroup": {
        "batch_create": BATCH,
        "rolling_update": {**BATCH, "min_in_service": ("i", "r:0..", "d:0")},
    },
    "OS::Heat::SoftwareDeploymentGroup": DEPLOYMENTS,
    "OS::Heat::SoftwareDeployments": DEPLOYMENTS,
    "OS::Heat::StructuredDeploymentGroup": DEPLOYMENTS,
    "OS::Heat::StructuredDeployments": DEPLOYMENTS,
}

# The kinds of thing that resources of a type are, as custom constraints name them, where client and entity do not tell.
PROVIDES = {
    "OS::Barbican::CertificateContainer": "barbican.container",
    "OS::Barbican::GenericContainer": "barbican.container",
    "OS::Barbican::RSAContainer": "barbican.container",
    "OS::Barbican::Secret": "barbican.secret",
    "OS::Blazar::Lease": "blazar.reservation",
    "OS::Cinder::EncryptedVolumeType": "cinder.vtype",
    "OS::Cinder::QoSSpecs": "cinder.qos_specs",
    "OS::Cinder::Volume": "cinder.volume",
    "OS::Cinder::VolumeType": "cinder.vtype",
    "OS::Glance::Image": "glance.image",
    "OS::Glance::WebImage": "glance.image",
    "OS::Heat::AutoScalingGroup": "heat.group",
    "OS::Heat::UpdateWaitConditionHandle": "heat.handle",
    "OS::Heat::WaitConditionHandle": "heat.handle",
    "OS::Magnum::BayModel": "magnum.cluster_template",
    "OS::Magnum::ClusterTemplate": "magnum.cluster_template",
    "OS::Neutron::FirewallPolicy": "neutron.firewall_policy",
    "OS::Neutron::FirewallRule": "neutron.firewall_rule",
    "OS::Neutron::FloatingIP": "neutron.floatingip",
    # Only another way to make one of Neutron.
    "OS::Nova::FloatingIP": "neutron.floatingip",
    "OS::Neutron::FlowClassifier": "neutron.flow_classifier",
    "OS::Neutron::IKEPolicy": "neutron.ikepolicy",
    "OS::Neutron::IPsecPolicy": "neutron.ipsecpolicy",
    "OS::Neutron::L2Gateway": "neutron.l2_gateway",
    "OS::Neutron::MeteringLabel": "neutron.metering_label",
    "OS::Neutron::PortPair": "neutron.port_pair",
    "OS::Neutron::PortPairGroup": "neutron.port_pair_group",
    "OS::Neutron::Segment": "neutron.segment",
    "OS::Neutron::TaaS::TapFlow": "neutron.taas.tap_flow",
    "OS::Neutron::TaaS::TapService": "neutron.taas.tap_service",
    "OS::Neutron::VPNService": "neutron.vpnservice",
    "OS::Nova::Flavor": "nova.flavor",
    "OS::Nova::KeyPair": "nova.keypair",
    "OS::Nova::Server": "nova.server",
    "OS::Octavia::AvailabilityZone": "octavia.availabilityzone",
    "OS::Octavia::AvailabilityZoneProfile": "octavia.availabilityzoneprofile",
    "OS::Octavia::Flavor": "octavia.flavor",
    "OS::Octavia::FlavorProfile": "octavia.flavorprofile",
    "OS::Octavia::L7Policy": "octavia.l7policy",
    "OS::Octavia::Listener": "octavia.listener",
    "OS::Octavia::LoadBalancer": "octavia.loadbalancer",
    "OS::Octavia::Pool": "octavia.pool",
    "OS::Zaqar::Queue": "zaqar.queue",
}

# Types with attributes that no schema lists: those of the members of a group, the outputs of a stack or of a deployment.
OPEN = {
    "AWS::AutoScaling::AutoScalingGroup",
    "AWS::CloudFormation::Stack",
    "OS::Heat::AutoScalingGroup",
    "OS::Heat::InstanceGroup",
    "OS::Heat::ResourceChain",
    "OS::Heat::ResourceGroup",
    "OS::Heat::SoftwareDeployment",
    "OS::Heat::SoftwareDeploymentGroup",
    "OS::Heat::SoftwareDeployments",
    "OS::Heat::Stack",
    "OS::Heat::StructuredDeployment",
    "OS::Heat::StructuredDeploymentGroup",
    "OS::Heat::StructuredDeployments",
}

# Types whose resources have an id that a service makes, or Heat of the name of the stack: neither a number nor a truth value.
MADE = ("OS::Cinder::", "OS::Designate::", "OS::Heat::AutoScalingGroup", "OS::Magnum::", "OS::Manila::", "OS::Neutron::", "OS::Nova::Server", "OS::Octavia::")

# Types whose resources are one thing in a service, whose id is of no use as that of another thing. What a group, a value or a
# stack refers to may be anything.
THINGS = ("OS::Neutron::", "OS::Nova::", "OS::Cinder::", "OS::Glance::", "OS::Octavia::", "OS::Keystone::")

# The types for which the deletion policy `Snapshot` does something.
SNAPSHOT = {"AWS::EC2::Volume", "OS::Cinder::Volume", "OS::Heat::DeployedServer", "OS::Nova::Server"}


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


def provides(name, type_, constraints):
    """The kind of thing that resources of a type are, or none."""
    if name in PROVIDES:
        return PROVIDES[name]
    client, entity = type_["client"], type_["entity"]
    if not client or not entity:
        return None
    kinds = ["%s.%s" % (client, one) for one in (entity, entity.removesuffix("s"))]
    return next((kind for kind in kinds if kind in constraints), None)


def main():
    with gzip.open(pathlib.Path(__file__).with_name("heat-types.json.gz"), "rt", encoding="utf-8") as file:
        facts = json.load(file)
    print("#\tHeat %s" % facts["heat"])
    for alias in sorted(facts["aliases"]):
        print("~%s\t%s" % (alias, facts["aliases"][alias]))
    for name in sorted(facts["custom_constraints"]):
        print("%%%s\t%s" % (name, facts["custom_constraints"][name]["resource_client_name"] or ""))
    for name in sorted(facts["types"]):
        type_ = facts["types"][name]
        fields = [name, type_["client"] or "", type_["entity"] or ""]
        kind = provides(name, type_, facts["custom_constraints"])
        flags = ["p:" + kind] if kind else []
        flags += ["snapshot"] if name in SNAPSHOT else []
        flags += ["open"] if name in OPEN else []
        flags += ["made"] if name.startswith(MADE) else []
        flags += ["thing"] if name.startswith(THINGS) else []
        print("\t".join(["=" + fields[0]] + fields[1:] + status(type_["support_status"]) + flags))
        for attribute in sorted(type_["attributes"]):
            schema = type_["attributes"][attribute]
            fields = ["@" + attribute, TYPES[schema["type"]] if schema["type"] else "a"]
            print("\t".join(fields + status(schema["support_status"])))
        for policy, parts in sorted(POLICIES.get(name, {}).items()):
            print("!." + policy + "\tm")
            for part, fields in sorted(parts.items()):
                print("\t".join(["!.." + part, *fields]))
        for line in properties(name, type_["properties"], 1, []):
            print(line)


if __name__ == "__main__":
    main()
