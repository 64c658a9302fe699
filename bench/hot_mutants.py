#!/usr/bin/env python3
"""Breaks valid templates in many small ways, and counts how many of those that OpenStack refuses `locus check` finds.

    cargo build --release -p locus-cli
    heatenv/bin/python bench/hot_mutants.py TEMPLATE-OR-FOLDER …

(`bench/heat_validate.py` says how Heat is installed, whose Python this needs.) A template is taken if Heat and Locus
both accept it, and if it names no files. From each, mutants are made by chance, the same ones for the same `--seed`. A
mutant counts if it is refused by

- Heat: the check before a stack is created, or
- the services: a table of what Neutron, Nova and Cinder refuse when the stack is built, as far as it follows from
  the template alone (`services` below). Each entry names the exception.

It is found if `locus check` has a finding at the level of errors; the original has none. Printed are the shares by the
kind of change and by who refuses, then what was missed, then findings on mutants that nobody refuses.
"""

import heat_validate  # first: it sees to it that the right `yaml` is found

import argparse
import collections
import copy
import ipaddress
import itertools
import json
import pathlib
import random
import subprocess
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent if "__file__" in globals() else pathlib.Path(".")

# Which types provide what a constraint names.
KINDS = {
    "neutron.network": {"OS::Neutron::Net", "OS::Neutron::ProviderNet"},
    "neutron.subnet": {"OS::Neutron::Subnet"},
    "neutron.port": {"OS::Neutron::Port"},
    "neutron.router": {"OS::Neutron::Router"},
    "neutron.security_group": {"OS::Neutron::SecurityGroup"},
    "nova.server": {"OS::Nova::Server"},
    "nova.keypair": {"OS::Nova::KeyPair"},
    "nova.flavor": {"OS::Nova::Flavor"},
    "cinder.volume": {"OS::Cinder::Volume"},
    "glance.image": {"OS::Glance::WebImage"},
}


# ---- values -------------------------------------------------------------------------------------------------------


class Ref(str):
    """The id of a resource of the template."""


UNKNOWN = object()


class World:
    """A template with its values, as far as they are simple."""

    def __init__(self, template, parameters):
        self.resources = {
            name: one for name, one in (template.get("resources") or {}).items()
            if isinstance(one, dict) and isinstance(one.get("type"), str) and "condition" not in one
        }
        self.parameters = {
            name: one.get("default") for name, one in (template.get("parameters") or {}).items() if isinstance(one, dict)
        }
        self.parameters.update(parameters)

    def value(self, written):
        if isinstance(written, dict) and len(written) == 1:
            (name, argument), = written.items()
            if name == "get_resource" and isinstance(argument, str):
                return Ref(argument)
            if name == "get_param" and isinstance(argument, str):
                found = self.parameters.get(argument)
                return UNKNOWN if found is None else found
            if name in ("get_attr", "get_file", "if", "str_replace", "list_join", "repeat", "yaql", "get_param", "digest"):
                return UNKNOWN
        if isinstance(written, dict):
            return {key: self.value(one) for key, one in written.items()}
        if isinstance(written, list):
            return [self.value(one) for one in written]
        return written

    def of(self, *types):
        """The resources of these types, with their properties."""
        for name, one in self.resources.items():
            if one["type"] in types and isinstance(one.get("properties") or {}, dict):
                yield name, self.value(one.get("properties") or {})

    def type(self, ref):
        return self.resources.get(ref, {}).get("type") if isinstance(ref, Ref) else None


def items(value):
    return value if isinstance(value, list) else []


def network(text):
    try:
        return ipaddress.ip_network(text, strict=False)
    except (ValueError, TypeError):
        return None


def address(text):
    try:
        return ipaddress.ip_address(text)
    except (ValueError, TypeError):
        return None


# ---- what the services refuse -------------------------------------------------------------------------------------


def services(template, parameters, schemata):
    """Why the stack cannot be built, each with the exception that the service has for it."""
    world = World(template, parameters)
    return sorted({reason for check in CHECKS for reason in check(world, schemata)})


def wrong_kinds(world, schemata):
    def walk(schema, value):
        if isinstance(value, Ref):
            for constraint in schema.constraints:
                wanted = KINDS.get(getattr(constraint, "name", None))
                found = world.type(value)
                if wanted and found and found not in wanted and any(found in some for some in KINDS.values()):
                    yield "NotFound: a reference to a resource of another kind"
        elif isinstance(value, dict) and schema.schema:
            for key, one in value.items():
                if key in schema.schema:
                    yield from walk(schema.schema[key], one)
        elif isinstance(value, list):
            inner = schema.schema["*"] if schema.schema else schema
            for one in value:
                yield from walk(inner, one)

    for name, one in world.resources.items():
        schema = schemata(one["type"])
        properties = world.value(one.get("properties") or {})
        for key, value in properties.items() if isinstance(properties, dict) and schema else ():
            if key in schema:
                yield from walk(schema[key], value)


def subnets(world):
    for name, one in world.of("OS::Neutron::Subnet"):
        net = network(one.get("cidr"))
        if net is not None:
            yield name, one, net, one.get("network", one.get("network_id"))


def gateway(one, net):
    """What the gateway is: by default the first address."""
    given = one.get("gateway_ip")
    if given in (None, "") and "gateway_ip" in one:
        return None
    if given is UNKNOWN:
        return None
    return address(given) if given is not None else net.network_address + 1


def usable(ip, net):
    """Whether a host may have it."""
    if ip is None or ip.version != net.version or ip not in net:
        return False
    return net.version == 6 or net.prefixlen >= 31 or ip not in (net.network_address, net.broadcast_address)


def bad_subnets(world, _):
    for name, one, net, _ in subnets(world):
        version = one.get("ip_version", 4)
        if version is not UNKNOWN and str(version) != str(net.version):
            yield "InvalidInput: ip_version and cidr differ"
        gate = gateway(one, net)
        if gate is not None and gate.version == net.version and gate in net and not usable(gate, net):
            yield "InvalidInput: the gateway is the network's own or its broadcast address"
        pools = []
        for pool in items(one.get("allocation_pools")):
            start, end = (address(pool.get(key)) if isinstance(pool, dict) else None for key in ("start", "end"))
            if start is None or end is None or start.version != end.version:
                continue
            if end < start:
                yield "InvalidAllocationPool: reversed"
            elif not usable(start, net) or not usable(end, net):
                yield "OutOfBoundsAllocationPool"
            else:
                if gate is not None and gate.version == start.version and start <= gate <= end:
                    yield "GatewayConflictWithAllocationPools"
                if any(start <= other_end and other_start <= end for other_start, other_end in pools):
                    yield "OverlappingAllocationPools"
                pools.append((start, end))


def overlaps(world, _):
    by_net = collections.defaultdict(list)
    for name, one, net, of in subnets(world):
        if isinstance(of, str):
            by_net[str(of)].append(net)
    for nets in by_net.values():
        if any(a.version == b.version and a.overlaps(b) for a, b in itertools.combinations(nets, 2)):
            yield "InvalidInput: subnets of one network overlap"
    known = {name: net for name, _, net, _ in subnets(world)}
    by_router = collections.defaultdict(list)
    for name, one in world.of("OS::Neutron::RouterInterface"):
        subnet, router = one.get("subnet", one.get("subnet_id")), one.get("router", one.get("router_id"))
        if isinstance(subnet, str) and isinstance(router, str):
            by_router[str(router)].append(str(subnet))
    for attached in by_router.values():
        if len(set(attached)) < len(attached):
            yield "BadRequest: a router has a port on the subnet already"
        nets = [known[one] for one in set(attached) if one in known]
        if any(a.version == b.version and a.overlaps(b) for a, b in itertools.combinations(nets, 2)):
            yield "BadRequest: subnets behind one router overlap"


def fixed_addresses(world, _):
    known = {name: (net, of) for name, _, net, of in subnets(world)}
    taken = collections.Counter()
    for name, one in world.of("OS::Neutron::Port"):
        of = one.get("network", one.get("network_id"))
        for fixed in items(one.get("fixed_ips")):
            if not isinstance(fixed, dict):
                continue
            subnet, ip = fixed.get("subnet", fixed.get("subnet_id")), address(fixed.get("ip_address"))
            if subnet in known:
                net, home = known[subnet]
                if isinstance(of, Ref) and isinstance(home, Ref) and of != home:
                    yield "InvalidInput: a subnet of another network"
                if ip is not None and not usable(ip, net):
                    yield "InvalidIpForSubnet"
            elif subnet is None and ip is not None and isinstance(of, Ref):
                homes = [net for net, home in known.values() if home == of]
                unread = [1 for _, one in world.of("OS::Neutron::Subnet") if not network(one.get("cidr"))]
                if homes and not unread and not any(usable(ip, net) for net in homes):
                    yield "InvalidIpForNetwork"
            if ip is not None and isinstance(of, str):
                taken[(str(of), ip)] += 1
    if any(count > 1 for count in taken.values()):
        yield "IpAddressInUse"


def external(world, ref):
    """Whether a network of the template is external; nothing if it is none, or if that is not known."""
    kind = world.type(ref)
    if kind == "OS::Neutron::Net":
        specs = world.value((world.resources[ref].get("properties") or {}).get("value_specs") or {})
        return None if "router:external" in specs else False
    if kind == "OS::Neutron::ProviderNet":
        given = world.value((world.resources[ref].get("properties") or {}).get("router_external"))
        return None if given is UNKNOWN else str(given).lower() == "true"
    return None


def outside(world, _):
    for name, one in world.of("OS::Neutron::FloatingIP"):
        if external(world, one.get("floating_network", one.get("floating_network_id"))) is False:
            yield "BadRequest: the floating network is not external"
    for name, one in world.of("OS::Neutron::Router"):
        info = one.get("external_gateway_info")
        if isinstance(info, dict) and external(world, info.get("network")) is False:
            yield "BadRequest: the gateway's network is not external"
    yield from unreachable(world)


def unreachable(world):
    """Floating addresses for ports that no router joins with the outside."""
    interfaces, opaque = collections.defaultdict(set), False
    for name, one in world.of("OS::Neutron::RouterInterface"):
        subnet, router = one.get("subnet", one.get("subnet_id")), one.get("router", one.get("router_id"))
        opaque |= not isinstance(subnet, Ref) or not isinstance(router, str)
        if isinstance(subnet, Ref) and isinstance(router, str):
            interfaces[str(subnet)].add(router)
    gates = {}
    for name, one in world.of("OS::Neutron::Router"):
        info = one.get("external_gateway_info")
        gates[name] = info.get("network", UNKNOWN) if isinstance(info, dict) else (UNKNOWN if info is UNKNOWN else None)
    if any(True for _ in world.of("OS::Neutron::RouterGateway")) or opaque:
        return
    homes = collections.defaultdict(list)
    for name, one in world.of("OS::Neutron::Subnet"):
        homes[one.get("network", one.get("network_id"))].append(name)
    for name, one in world.of("OS::Neutron::FloatingIP"):
        port, out = one.get("port_id"), one.get("floating_network", one.get("floating_network_id"))
        if world.type(port) != "OS::Neutron::Port" or not isinstance(out, str):
            continue
        properties = world.value(world.resources[port].get("properties") or {})
        fixed = [one.get("subnet") for one in items(properties.get("fixed_ips")) if isinstance(one, dict)]
        candidates = fixed if fixed else homes.get(properties.get("network"), [])
        if not candidates or not all(world.type(Ref(one)) == "OS::Neutron::Subnet" for one in candidates if isinstance(one, str)):
            continue
        if not all(isinstance(one, str) for one in candidates):
            continue
        routers = {router for one in candidates for router in interfaces.get(str(one), ())}
        if all(isinstance(router, Ref) and leads_elsewhere(gates.get(router, UNKNOWN), out) for router in routers):
            yield "ExternalGatewayForFloatingIPNotFound"


def leads_elsewhere(gate, out):
    """Whether a router's gateway is certainly not to this network: two names of what exists already may mean one thing."""
    if gate is None:
        return True
    return gate is not UNKNOWN and (isinstance(gate, Ref) or isinstance(out, Ref)) and gate != out


def security_rules(world, _):
    def rules():
        for name, one in world.of("OS::Neutron::SecurityGroup"):
            yield from (rule for rule in items(one.get("rules")) if isinstance(rule, dict))
        for name, one in world.of("OS::Neutron::SecurityGroupRule"):
            yield one

    for rule in rules():
        low, high, protocol = rule.get("port_range_min"), rule.get("port_range_max"), rule.get("protocol")
        family = rule.get("ethertype", "IPv4")
        if UNKNOWN in (low, high, protocol, family):
            continue
        prefix = network(rule.get("remote_ip_prefix"))
        if prefix is not None and str(family) != f"IPv{prefix.version}":
            yield "SecurityGroupRuleParameterConflict: ethertype and prefix differ"
        try:
            low, high = (None if one is None else int(one) for one in (low, high))
        except (TypeError, ValueError):
            continue
        if protocol in ("tcp", "udp", 6, 17, "6", "17") and low is not None and high is not None and low > high:
            yield "SecurityGroupInvalidPortRange"
        if protocol in (None, "") and (low is not None or high is not None):
            yield "SecurityGroupProtocolRequiredWithPorts"


def shared_things(world, _):
    ports = collections.Counter()
    for name, one in world.of("OS::Nova::Server"):
        for net in items(one.get("networks")):
            if isinstance(net, dict) and isinstance(net.get("port"), Ref):
                ports[net["port"]] += 1
    if any(count > 1 for count in ports.values()):
        yield "PortInUse"
    volumes = collections.Counter()
    for name, one in world.of("OS::Cinder::VolumeAttachment"):
        if isinstance(one.get("volume_id"), Ref):
            volumes[one["volume_id"]] += 1
    if any(count > 1 for count in volumes.values()):
        yield "InvalidVolume: attached already"


CHECKS = [wrong_kinds, bad_subnets, overlaps, fixed_addresses, outside, security_rules, shared_things]


# ---- mutants ------------------------------------------------------------------------------------------------------


def paths(value, here=()):
    """All places in a value."""
    yield here, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from paths(one, (*here, key))


def put(template, path, value):
    at = template
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value


def with_properties(template):
    return [
        name for name, one in template["resources"].items()
        if isinstance(one, dict) and isinstance(one.get("properties"), dict) and one["properties"]
    ]


def calls(template, name):
    """The places of the calls of a function in the resources."""
    return [
        (("resources", *path), one[name]) for path, one in paths(template["resources"])
        if isinstance(one, dict) and len(one) == 1 and name in one
    ]


def texts(template, test):
    return [
        (("resources", *path), one) for path, one in paths(template["resources"])
        if "properties" in path and isinstance(one, str) and test(one)
    ]


def remove_property(rng, template):
    name = rng.choice(with_properties(template))
    del template["resources"][name]["properties"][rng.choice(list(template["resources"][name]["properties"]))]


def remove_resource(rng, template):
    del template["resources"][rng.choice(list(template["resources"]))]


def swap_values(rng, template):
    name = rng.choice([one for one in with_properties(template) if len(template["resources"][one]["properties"]) > 1])
    properties = template["resources"][name]["properties"]
    a, b = rng.sample(list(properties), 2)
    properties[a], properties[b] = properties[b], properties[a]


def duplicate_resource(rng, template):
    name = rng.choice(list(template["resources"]))
    template["resources"][name + "_again"] = copy.deepcopy(template["resources"][name])


def change_reference(rng, template):
    path, name = rng.choice([one for one in calls(template, "get_resource") if isinstance(one[1], str)])
    kind = template["resources"][name]["type"]
    others = [other for other, one in template["resources"].items() if one.get("type") != kind]
    put(template, path, {"get_resource": rng.choice(others)})


def misspell_reference(rng, template):
    function = rng.choice(["get_resource", "get_param", "get_attr"])
    path, argument = rng.choice(calls(template, function))
    if isinstance(argument, list):
        at = 0 if rng.random() < 0.5 or len(argument) < 2 else 1
        argument = [*argument[:at], str(argument[at]) + "x", *argument[at + 1:]]
    else:
        argument = str(argument) + "x"
    put(template, path, {function: argument})


def change_address(rng, template):
    path, text = rng.choice(texts(template, lambda text: address(text) is not None))
    ip = address(text)
    shift = rng.choice([256, 65536, -256, 1 << 24])
    put(template, path, str(type(ip)((int(ip) + shift) % (1 << ip.max_prefixlen))))


def change_cidr(rng, template):
    found = texts(template, lambda text: "/" in text and network(text) is not None)
    path, text = rng.choice(found)
    others = [other for _, other in found if other != text]
    put(template, path, rng.choice([*others, "10.0.0.0/33", "fd00::/64", "300.0.0.0/8", "192.168.77.0/30"]))


def change_type(rng, template):
    name = rng.choice(list(template["resources"]))
    kinds = {one["type"] for one in template["resources"].values()}
    template["resources"][name]["type"] = rng.choice(
        [template["resources"][name]["type"] + "s", *sorted(kinds - {template["resources"][name]["type"]})]
    )


def change_version(rng, template):
    template["heat_template_version"] = rng.choice(["stein", "2019-01-01", "2013-05-23", "2014-10-16", "train"])


def change_kind(rng, template):
    name = rng.choice(with_properties(template))
    properties = template["resources"][name]["properties"]
    key = rng.choice(list(properties))
    properties[key] = rng.choice([{"a": "b"}, ["a"], "text", 3, True, -1, 99999])


def misspell_property(rng, template):
    name = rng.choice(with_properties(template))
    properties = template["resources"][name]["properties"]
    key = rng.choice(list(properties))
    properties[key + "s"] = properties.pop(key)


def misspell_key(rng, template):
    name = rng.choice(list(template["resources"]))
    one = template["resources"][name]
    key = rng.choice([key for key in one if key != "condition"])
    one[key + "s"] = one.pop(key)


def depend_in_circle(rng, template):
    path, target = rng.choice([one for one in calls(template, "get_resource") if isinstance(one[1], str)])
    template["resources"][target]["depends_on"] = path[1]


MUTATIONS = {
    "remove a property": remove_property,
    "remove a resource": remove_resource,
    "swap two values": swap_values,
    "duplicate a resource": duplicate_resource,
    "refer to another kind": change_reference,
    "misspell a reference": misspell_reference,
    "move an address": change_address,
    "change a network": change_cidr,
    "change a type": change_type,
    "change the version": change_version,
    "change a value's kind": change_kind,
    "misspell a property": misspell_property,
    "misspell a key": misspell_key,
    "depend in a circle": depend_in_circle,
}


def mutants(rng, template, count):
    """`count` of each kind, as far as there are that many different ones."""
    seen = {json.dumps(template, default=str)}
    for kind, mutate in MUTATIONS.items():
        for _ in range(count):
            mutant = copy.deepcopy(template)
            try:
                mutate(rng, mutant)
            except (IndexError, KeyError, TypeError, AttributeError, ValueError):
                continue
            text = json.dumps(mutant, default=str)
            if text not in seen:
                seen.add(text)
                yield kind, mutant


# ---- the run ------------------------------------------------------------------------------------------------------


def schemata():
    from heat.engine import environment, properties, resources

    known = {}

    def of(kind):
        if kind not in known:
            try:
                known[kind] = properties.schemata(resources.global_env().get_class(kind).properties_schema)
            except Exception:  # no such type
                known[kind] = None
        return known[kind]

    return of


def errors(locus, paths_, filled):
    """The findings at the level of errors, by file."""
    command = [locus, "check", "--format", "json", *map(str, paths_)]
    for name, value in filled.items():
        command += ["-P", f"{name}={value}"]
    ran = subprocess.run(command, capture_output=True, check=False)
    report = json.loads(ran.stdout)
    if report["errors"]:
        raise SystemExit(f"locus: {report['errors'][0]}")
    found = collections.defaultdict(list)
    for one in report["findings"]:
        if one["severity"] == "error":
            found[pathlib.Path(one["place"]["file"]).name].append(one)
    return found


def candidates(arguments):
    for argument in map(pathlib.Path, arguments):
        some = sorted(argument.rglob("*.yaml")) if argument.is_dir() else [argument]
        # In our own folders, files that are wrong say so in their names.
        for path in (path for path in some if not {".bad", ".break"} & set(path.suffixes)):
            text = path.read_text(errors="replace")
            if "heat_template_version" in text and "get_file" not in text:
                yield path, text


def write(folder, name, template):
    path = folder / name
    path.write_text(yaml.safe_dump(template, sort_keys=False))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("templates", nargs="+")
    parser.add_argument("--locus", default=HERE.parent / "target/release/locus")
    parser.add_argument("--each", type=int, default=4, help="mutants of each kind for each template")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=60, help="templates at most")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the mutants that were missed")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    engine = heat_validate.start()
    schema = schemata()
    from heat.common import template_format

    used, rows, misses, alarms = 0, [], [], []
    files = list(candidates(options.templates))
    rng.shuffle(files)
    for path, text in files:
        if used >= options.most:
            break
        try:
            template = template_format.simple_parse(text)
        except ValueError:
            continue
        resources = template.get("resources")
        if not isinstance(resources, dict) or not resources:
            continue
        if any(not isinstance(one, dict) or str(one.get("type")).endswith((".yaml", ".template")) for one in resources.values()):
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            original = write(folder, "original.yaml", template)
            answer = heat_validate.judge(engine, {"template": str(original), "fill": True, "mode": "create"})
            filled = answer["filled"]
            if answer["create"] or services(template, filled, schema) or errors(options.locus, [original], filled):
                continue
            used += 1
            made = []
            for number, (kind, mutant) in enumerate(mutants(rng, template, options.each)):
                made.append((kind, mutant, write(folder, f"m{number}.yaml", mutant)))
            found = errors(options.locus, [one[2] for one in made], filled)
            for kind, mutant, file in made:
                job = {"template": str(file), "parameters": filled, "mode": "create"}
                heat = heat_validate.judge(engine, job)["create"]
                built = [] if heat else services(mutant, filled, schema)
                here = found.get(file.name, [])
                rows.append((kind, "Heat" if heat else "services" if built else None, built, bool(here)))
                if (heat or built) and not here:
                    misses.append((path, kind, heat or "; ".join(built)))
                    if options.keep:
                        options.keep.mkdir(exist_ok=True)
                        (options.keep / f"{len(misses)}-{path.name}").write_text(file.read_text())
                elif here and not heat and not built:
                    alarms.append((path, kind, here[0]))
    report(used, rows, misses, alarms)


def share(rows):
    refused = [row for row in rows if row[1]]
    found = sum(row[3] for row in refused)
    return f"{len(rows)} | {len(refused)} | {found} | {100 * found / len(refused):.1f} %" if refused else f"{len(rows)} | 0 | – | –"


def report(used, rows, misses, alarms):
    print(f"{used} templates, {len(rows)} mutants\n")
    print("| change | mutants | refused | found | share |\n| --- | ---: | ---: | ---: | ---: |")
    for kind in MUTATIONS:
        print(f"| {kind} | {share([row for row in rows if row[0] == kind])} |")
    print(f"| all | {share(rows)} |")
    print("\n| refused by | mutants | refused | found | share |\n| --- | ---: | ---: | ---: | ---: |")
    print(f"| Heat, before it creates | {share([row for row in rows if row[1] == 'Heat'])} |")
    for reason in sorted({reason for row in rows for reason in row[2]}):
        print(f"| {reason} | {share([row for row in rows if reason in row[2]])} |")
    print("\n# Missed")
    for path, kind, why in misses:
        print(f"{path}: {kind}: {' '.join(why.split())[:250]}")
    print("\n# Found by Locus alone")
    for path, kind, one in alarms:
        print(f"{path}: {kind}: {one['code']} {one['message']}")


if __name__ == "__main__":
    main()
