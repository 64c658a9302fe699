#!/usr/bin/env python3
"""Breaks valid TOSCA templates in many small ways, and counts how many of them each tool refuses.

    python3 bench/tosca_mutants.py --peer tosca-parser=peers/bin/python … FOLDER …

Each kind of change breaks a demand of the Simple Profile whatever the rest of the template says; the table CHANGES names it.
The templates are those of the folders that have node templates and that Locus accepts, each written anew so
that all tools see the same text. From each, every kind that applies is made once, at a place chosen by chance, the same one for the
same `--seed`. The share of a tool is counted over the templates that this tool accepts when nothing is changed. Files are
changed in a copy of the folder, beside what they import. Needs PyYAML. `bench/tosca.py` says how the peers are called.
"""

import argparse
import collections
import copy
import pathlib
import random
import shutil
import sys
import tempfile

# This folder has a program `yaml.py`, which is not what is meant here.
HERE = sys.path.pop(0)
import yaml

sys.path.insert(0, HERE)
import tosca


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Leaves versions and dates as they are written."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class Template:
    """A template with what the changes need to know of it."""

    def __init__(self, data):
        self.data = data
        # Files that the template imports when it is changed, by name.
        self.files = {}
        self.topology = data.get("topology_template") or data.get("service_template") or {}
        self.nodes = {name: one for name, one in (self.topology.get("node_templates") or {}).items() if isinstance(one, dict)}

    def requirements(self):
        """(node, list, index, name, assignment) of every requirement."""
        for name, node in self.nodes.items():
            listed = node.get("requirements")
            for index, one in enumerate(listed if isinstance(listed, list) else []):
                if isinstance(one, dict) and len(one) == 1:
                    (key, value), = one.items()
                    yield name, listed, index, key, value

    def targets(self):
        """Requirements that name a node template."""
        for name, listed, index, key, value in self.requirements():
            target = value.get("node") if isinstance(value, dict) else value
            if isinstance(target, str) and target in self.nodes:
                yield name, listed, index, key, value, target

    def calls(self, *functions):
        """(parent, key, arguments) of every call of these functions."""
        found = []

        def walk(value):
            if isinstance(value, dict):
                for key, one in value.items():
                    if key in functions and len(value) == 1:
                        found.append((value, key, one))
                    walk(one)
            elif isinstance(value, list):
                for one in value:
                    walk(one)

        walk(self.topology)
        return found

    def own_types(self, section="node_types"):
        return {name: one for name, one in (self.data.get(section) or {}).items() if isinstance(one, dict)}

    def definitions(self, name):
        """The properties that a node type of this file defines or inherits from others of this file."""
        found, types, seen = {}, self.own_types(), set()
        while name in types and name not in seen:
            seen.add(name)
            for key, one in (types[name].get("properties") or {}).items():
                if isinstance(one, dict):
                    found.setdefault(key, one)
            name = types[name].get("derived_from")
        return found

    def properties(self):
        """(properties, name, definition) of every assignment of a property that this file defines."""
        for node in self.nodes.values():
            known = self.definitions(node.get("type"))
            for key in (node.get("properties") or {}) if isinstance(node.get("properties") or {}, dict) else {}:
                if key in known:
                    yield node["properties"], key, known[key]

    def of_type(self, *types):
        return [(name, node) for name, node in self.nodes.items() if node.get("type") in types]


def rename(mapping, old, new):
    items = [(new if key == old else key, value) for key, value in mapping.items()]
    mapping.clear()
    mapping.update(items)


def pick(chance, found):
    found = list(found)
    return chance.choice(found) if found else None


# ---- the changes: each gives True if it applied -------------------------------------------------------------------


def node_type(t, chance):
    chosen = pick(chance, [one for one in t.nodes.values() if isinstance(one.get("type"), str)])
    if chosen:
        chosen["type"] += "Absent"
    return chosen


def no_type(t, chance):
    chosen = pick(chance, [one for one in t.nodes.values() if "type" in one])
    return chosen and chosen.pop("type")


def keyname(t, chance):
    chosen = pick(chance, [(one, key) for one in t.nodes.values() for key in one if key in ("properties", "requirements", "capabilities", "interfaces", "artifacts")])
    if chosen:
        rename(chosen[0], chosen[1], chosen[1] + "s")
    return chosen


def top_keyname(t, chance):
    key = pick(chance, [key for key in t.topology if key in ("node_templates", "inputs", "outputs", "groups", "policies")])
    if key:
        rename(t.topology, key, key[:-1])
    return key


def unknown_property(t, chance):
    chosen = pick(chance, [one for one in t.nodes.values() if isinstance(one.get("type"), str)])
    if chosen is not None:
        chosen["properties"] = {**(chosen.get("properties") or {}), "no_such_property": 1}
    return chosen is not None


def required_property(t, chance):
    found = [(all_, key) for all_, key, one in t.properties() if one.get("required", True) is True and "default" not in one]
    chosen = pick(chance, found)
    if chosen:
        del chosen[0][chosen[1]]
    return chosen


def wrong_value(t, chance):
    wrong = {"integer": "many", "float": "much", "boolean": "maybe", "list": "one", "map": "one", "string": ["a", "list"]}
    found = [(all_, key, one["type"]) for all_, key, one in t.properties() if one.get("type") in wrong]
    chosen = pick(chance, found)
    if chosen:
        chosen[0][chosen[1]] = wrong[chosen[2]]
    return chosen


def host_value(t, chance):
    chosen = pick(chance, t.of_type("tosca.nodes.Compute", "Compute"))
    if chosen:
        key, value = chance.choice([("num_cpus", "many"), ("num_cpus", 0), ("mem_size", "4 XB"), ("disk_size", "-1 GB"), ("mem_size", 4)])
        capabilities = chosen[1].setdefault("capabilities", {})
        if not isinstance(capabilities, dict):
            return None
        host = capabilities.setdefault("host", {})
        host["properties"] = {**(host.get("properties") or {}), key: value}
    return chosen


def constraint(t, chance):
    found = []
    for all_, key, one in t.properties():
        for clause in one.get("constraints") or []:
            if "valid_values" in clause and one.get("type") == "string":
                found.append((all_, key, "not-one-of-them"))
            for name in ("greater_or_equal", "greater_than"):
                if isinstance(clause.get(name), int):
                    found.append((all_, key, clause[name] - 1))
    for one in (t.topology.get("inputs") or {}).values():
        for clause in (one.get("constraints") or []) if isinstance(one, dict) else []:
            if isinstance(clause, dict) and "valid_values" in clause:
                found.append((one, "default", "not-one-of-them" if one.get("type") == "string" else 987654321))
    chosen = pick(chance, found)
    if chosen:
        chosen[0][chosen[1]] = chosen[2]
    return chosen


def clauses(t):
    """The constraints of inputs, and of the properties of the node types of this file."""
    defined = [one for kind in t.own_types().values() for one in (kind.get("properties") or {}).values()]
    for one in [*(t.topology.get("inputs") or {}).values(), *defined]:
        for clause in (one.get("constraints") or []) if isinstance(one, dict) else []:
            if isinstance(clause, dict) and len(clause) == 1:
                yield one, clause


def unknown_constraint(t, chance):
    chosen = pick(chance, [clause for _, clause in clauses(t)])
    if chosen:
        name = next(iter(chosen))
        rename(chosen, name, name[:-1])
    return chosen


def wrong_constraint(t, chance):
    chosen = pick(chance, [clause for one, clause in clauses(t) if one.get("type") in ("integer", "float", "string")])
    if chosen:
        chosen.clear()
        chosen["valid_values"] = [[1]]
    return chosen


def target(t, chance):
    chosen = pick(chance, t.targets())
    if chosen:
        _, listed, index, key, value, name = chosen
        listed[index] = {key: {**value, "node": name + "_absent"} if isinstance(value, dict) else name + "_absent"}
    return chosen


def wrong_target(t, chance):
    """A host that has no capability to host anything."""
    found = [one for one in t.targets() if one[3] == "host" and not isinstance(one[4], dict)]
    others = t.of_type("tosca.nodes.network.Network", "tosca.nodes.network.Port", "tosca.nodes.BlockStorage", "tosca.nodes.ObjectStorage", "tosca.nodes.Storage.BlockStorage")
    chosen, other = pick(chance, found), pick(chance, others)
    if not chosen:
        return None
    if not other:
        t.topology["node_templates"]["a_network"] = {"type": "tosca.nodes.network.Network"}
        other = ("a_network", None)
    chosen[1][chosen[2]] = {"host": other[0]}
    return chosen


def requirement(t, chance):
    chosen = pick(chance, t.requirements())
    if chosen:
        chosen[1][chosen[2]] = {"no_such_requirement": chosen[4]}
    return chosen


def twice(t, chance):
    """Two hosts for one node of a normative type, which has one."""
    single = ("tosca.nodes.WebServer", "tosca.nodes.DBMS", "tosca.nodes.SoftwareComponent", "tosca.nodes.WebApplication", "tosca.nodes.Database")
    found = [one for one in t.targets() if one[3] == "host" and t.nodes[one[0]].get("type") in single]
    chosen = pick(chance, found)
    if chosen:
        chosen[1].append(copy.deepcopy(chosen[1][chosen[2]]))
    return chosen


def capability(t, chance):
    chosen = pick(chance, [one for one in t.nodes.values() if isinstance(one.get("capabilities") or {}, dict)])
    if chosen is not None:
        chosen["capabilities"] = {**(chosen.get("capabilities") or {}), "no_such_capability": {"properties": {"a": 1}}}
    return chosen is not None


def unknown_input(t, chance):
    chosen = pick(chance, [one for one in t.calls("get_input") if isinstance(one[2], str)])
    if chosen:
        chosen[0][chosen[1]] = "no_such_input"
    return chosen


def unknown_node_in_call(t, chance):
    chosen = pick(chance, [one for one in t.calls("get_attribute", "get_property") if isinstance(one[2], list) and one[2] and one[2][0] in t.nodes])
    if chosen:
        chosen[2][0] = "no_such_node"
    return chosen


def unknown_property_in_call(t, chance):
    chosen = pick(chance, [one for one in t.calls("get_property") if isinstance(one[2], list) and len(one[2]) == 2])
    if chosen:
        chosen[2][1] = "no_such_property"
    return chosen


def depend(t, source, other):
    listed = t.nodes[source].setdefault("requirements", [])
    if isinstance(listed, list):
        listed.append({"dependency": other})
    return isinstance(listed, list)


def dependency_cycle(t, chance):
    names = [name for name, one in t.nodes.items() if str(one.get("type")).startswith("tosca.nodes.") and "directives" not in one]
    if len(names) < 2:
        return None
    one, other = chance.sample(names, 2)
    return depend(t, one, other) and depend(t, other, one)


def hosting_cycle(t, chance):
    """Two software components that are each other's host."""
    pair = {}
    for one, other in (("first", "second"), ("second", "first")):
        pair[one] = {"type": "tosca.nodes.DBMS" if one == "first" else "tosca.nodes.Database", "requirements": [{"host": other}]}
    # A container runtime may host anything, so that only the circle is wrong.
    for one, other in (("first", "second"), ("second", "first")):
        pair[one] = {"type": "mutant.Runtime", "requirements": [{"host": other}]}
    t.data.setdefault("node_types", {})
    if not isinstance(t.data["node_types"], dict):
        return None
    t.data["node_types"]["mutant.Runtime"] = {
        "derived_from": "tosca.nodes.Root",
        "capabilities": {"container": {"type": "tosca.capabilities.Container"}},
        "requirements": [{"host": {"capability": "tosca.capabilities.Container", "relationship": "tosca.relationships.HostedOn"}}],
    }
    t.topology["node_templates"].update(pair)
    return True


def network(t, properties):
    found = t.of_type("tosca.nodes.network.Network")
    if found:
        found[0][1]["properties"] = dict(properties)
        return found[0][0]
    t.topology["node_templates"]["a_network"] = {"type": "tosca.nodes.network.Network", "properties": dict(properties)}
    return "a_network"


def pool_reversed(t, chance):
    network(t, {"network_name": "n", "cidr": "10.0.0.0/24", "start_ip": "10.0.0.100", "end_ip": "10.0.0.50"})
    return True


def pool_outside(t, chance):
    network(t, {"network_name": "n", "cidr": "10.0.0.0/24", "start_ip": "10.0.1.10", "end_ip": "10.0.1.50"})
    return True


def ports(t, chance, addresses):
    machines = t.of_type("tosca.nodes.Compute")
    if not machines:
        return None
    name = network(t, {"network_name": "n", "cidr": "10.0.0.0/24"})
    for number, address in enumerate(addresses):
        t.topology["node_templates"][f"a_port{number}"] = {
            "type": "tosca.nodes.network.Port",
            "properties": {"ip_address": address},
            "requirements": [{"binding": machines[0][0]}, {"link": name}],
        }
    return True


def address_outside(t, chance):
    return ports(t, chance, ["192.168.7.7"])


def address_twice(t, chance):
    return ports(t, chance, ["10.0.0.9", "10.0.0.9"])


def ip_version(t, chance):
    network(t, {"network_name": "n", "cidr": "10.0.0.0/24", "ip_version": 5})
    return True


def scalable(t, chance):
    chosen = pick(chance, t.of_type("tosca.nodes.Compute"))
    if chosen and isinstance(chosen[1].setdefault("capabilities", {}), dict):
        chosen[1]["capabilities"]["scalable"] = {"properties": {"min_instances": 5, "max_instances": 2, "default_instances": 3}}
        return True
    return None


def parent(t, chance):
    chosen = pick(chance, [one for one in t.own_types().values() if isinstance(one.get("derived_from"), str)])
    if chosen:
        chosen["derived_from"] += ".Absent"
    return chosen


def derivation_cycle(t, chance):
    chosen = pick(chance, t.own_types().items())
    if chosen:
        chosen[1]["derived_from"] = chosen[0]
    return chosen


def property_type(t, chance):
    found = [one for node in t.own_types().values() for one in (node.get("properties") or {}).values() if isinstance(one, dict) and "type" in one]
    chosen = pick(chance, found)
    if chosen:
        chosen["type"] = "no.such.Type"
    return chosen


def operation(t, chance):
    found = [one["interfaces"]["Standard"] for one in t.nodes.values() if isinstance(one.get("interfaces"), dict) and isinstance(one["interfaces"].get("Standard"), dict)]
    chosen = pick(chance, found)
    if chosen is not None:
        (chosen["operations"] if isinstance(chosen.get("operations"), dict) else chosen)["no_such_operation"] = {"inputs": {"a": 1}}
    return chosen is not None


def interface(t, chance):
    chosen = pick(chance, [one for one in t.nodes.values() if str(one.get("type")).startswith("tosca.nodes.") and isinstance(one.get("interfaces") or {}, dict)])
    if chosen is not None:
        chosen["interfaces"] = {**(chosen.get("interfaces") or {}), "NoSuchInterface": {"create": {"inputs": {"a": 1}}}}
    return chosen is not None


def script(t, chance):
    chosen = pick(chance, [one for one in t.nodes.values() if str(one.get("type")).startswith("tosca.nodes.") and "interfaces" not in one])
    if chosen is not None:
        chosen["interfaces"] = {"Standard": {"create": "scripts/no_such_script.sh"}}
    return chosen is not None


def member(t, chance):
    chosen = pick(chance, [one for one in (t.topology.get("groups") or {}).values() if isinstance(one, dict) and one.get("members")])
    if chosen:
        chosen["members"] = list(chosen["members"]) + ["no_such_node"]
    return chosen


def policy_target(t, chance):
    found = [one for entry in (t.topology.get("policies") or []) if isinstance(entry, dict) for one in entry.values() if isinstance(one, dict) and one.get("targets")]
    chosen = pick(chance, found)
    if chosen:
        chosen["targets"] = list(chosen["targets"]) + ["no_such_node"]
    return chosen


def input_default(t, chance):
    wrong = {"integer": "many", "float": "much", "boolean": "maybe"}
    chosen = pick(chance, [one for one in (t.topology.get("inputs") or {}).values() if isinstance(one, dict) and one.get("type") in wrong])
    if chosen:
        chosen["default"] = wrong[chosen["type"]]
    return chosen


def input_type(t, chance):
    chosen = pick(chance, [one for one in (t.topology.get("inputs") or {}).values() if isinstance(one, dict) and "type" in one])
    if chosen:
        chosen["type"] = "no_such_type"
    return chosen


def missing_import(t, chance):
    t.data["imports"] = list(t.data.get("imports") or []) + ["no_such_file.yaml"]
    return True


def filter_(t, chance):
    found = []
    for one in t.targets():
        host = (t.nodes[one[5]].get("capabilities") or {}) if t.nodes[one[5]].get("type") == "tosca.nodes.Compute" else {}
        cpus = ((host.get("host") or {}).get("properties") or {}).get("num_cpus") if isinstance(host, dict) else None
        if one[3] == "host" and isinstance(cpus, int) and not isinstance(one[4], dict):
            found.append(one)
    chosen = pick(chance, found)
    if chosen:
        wanted = {"capabilities": [{"host": {"properties": [{"num_cpus": {"greater_or_equal": 4096}}]}}]}
        chosen[1][chosen[2]] = {"host": {"node": chosen[5], "node_filter": wanted}}
    return chosen


def definitions_version(t, chance):
    t.data["tosca_definitions_version"] = "tosca_simple_yaml_9_9"
    return True


def relationship(t, chance):
    chosen = pick(chance, [one for one in t.targets()])
    if chosen:
        chosen[1][chosen[2]] = {chosen[3]: {"node": chosen[5], "relationship": "no.such.Relationship"}}
    return chosen


def substitution(t, chance):
    mapping = t.topology.get("substitution_mappings")
    if not isinstance(mapping, dict) or not mapping.get("capabilities"):
        return None
    key = chance.choice(list(mapping["capabilities"]))
    mapping["capabilities"][key] = ["no_such_node", "feature"]
    return True


def artifact_type(t, chance):
    chosen = pick(chance, [one for node in t.nodes.values() if isinstance(node.get("artifacts"), dict) for one in node["artifacts"].values() if isinstance(one, dict) and "type" in one])
    if chosen:
        chosen["type"] += ".Absent"
    return chosen


def output(t, chance):
    t.topology["outputs"] = {**(t.topology.get("outputs") or {}), "no_node": {"value": {"get_attribute": ["no_such_node", "tosca_name"]}}}
    return True


def add_types(t, section, types):
    """Adds types to the file; False if its section is not a map."""
    known = t.data.setdefault(section, {})
    if not isinstance(known, dict):
        return False
    known.update(types)
    return True


def add_nodes(t, nodes):
    t.topology["node_templates"].update(nodes)
    return True


def circle_of_values(t, chance):
    """Two properties, each of which is what the other one is."""
    if not add_types(t, "node_types", {"mutant.Value": {"derived_from": "tosca.nodes.Root", "properties": {"p": {"type": "string"}}}}):
        return None
    values = {one: {"get_property": [other, "p"]} for one, other in (("value_a", "value_b"), ("value_b", "value_a"))}
    return add_nodes(t, {name: {"type": "mutant.Value", "properties": {"p": value}} for name, value in values.items()})


def one_type_twice(t, chance):
    """Two imports, each with its own idea of a type."""
    imports = t.data.setdefault("imports", [])
    if not isinstance(imports, list):
        return None
    version = t.data["tosca_definitions_version"]
    for name, kind in (("mutant-types-a.yaml", "string"), ("mutant-types-b.yaml", "integer")):
        types = {"mutant.Twice": {"derived_from": "tosca.nodes.Root", "properties": {"p": {"type": kind}}}}
        t.files[name] = {"tosca_definitions_version": version, "node_types": types}
        imports.append(name)
    return add_nodes(t, {"a_twice": {"type": "mutant.Twice", "properties": {"p": "text"}}})


def unrelated_capability(t, chance):
    """An endpoint that is mapped to the capability to be scaled."""
    machines = t.of_type("tosca.nodes.Compute")
    if not machines or "substitution_mappings" in t.topology:
        return None
    whole = {"derived_from": "tosca.nodes.Root", "capabilities": {"front": {"type": "tosca.capabilities.Endpoint"}}}
    t.topology["substitution_mappings"] = {"node_type": "mutant.Whole", "capabilities": {"front": [machines[0][0], "scalable"]}}
    return add_types(t, "node_types", {"mutant.Whole": whole})


def operation_with_input(t, chance, given):
    """A node whose operation has an input that is required and has no default."""
    operation_ = {"inputs": {"release": {"type": "string", "required": True}}}
    operations = {"create": operation_}
    interface_ = {"type": "tosca.interfaces.node.lifecycle.Standard"}
    newest = str(t.data["tosca_definitions_version"]).endswith("1_3")
    interface_.update({"operations": operations} if newest else operations)
    kind = {"derived_from": "tosca.nodes.Root", "interfaces": {"Standard": interface_}}
    if not add_types(t, "node_types", {"mutant.Asks": kind}):
        return None
    called = {"create": {"implementation": "create.sh", **({"inputs": given} if given else {})}}
    interfaces = {"Standard": {"operations": called} if newest else called}
    return add_nodes(t, {"asks": {"type": "mutant.Asks", "interfaces": interfaces}})


def operation_without_input(t, chance):
    return operation_with_input(t, chance, {})


def operation_with_misspelt_input(t, chance):
    return operation_with_input(t, chance, {"relaese": "1.0"})


def output_of_no_operation(t, chance):
    """`get_operation_output` of an operation that neither the node nor its type has."""
    chosen = pick(chance, t.of_type("tosca.nodes.Compute", "tosca.nodes.WebServer", "tosca.nodes.DBMS", "tosca.nodes.SoftwareComponent"))
    if chosen:
        value = {"get_operation_output": [chosen[0], "Standard", "no_such_operation", "a_value"]}
        t.topology["outputs"] = {**(t.topology.get("outputs") or {}), "of_no_operation": {"value": value}}
    return chosen


NO_VALUES = (
    ("integer", [{"in_range": [10, 1]}]),
    ("integer", [{"greater_than": 5}, {"less_than": 5}]),
    ("integer", [{"greater_or_equal": 9}, {"less_or_equal": 2}]),
    ("string", [{"min_length": 9}, {"max_length": 3}]),
    ("integer", [{"valid_values": [1, 2]}, {"greater_than": 2}]),
    ("string", [{"equal": "a"}, {"equal": "b"}]),
    ("float", [{"in_range": [0.5, 1.5]}, {"greater_than": 2.5}]),
    ("scalar-unit.size", [{"greater_than": "4 GB"}, {"less_than": "512 MB"}]),
)


def no_value_is_valid(t, chance):
    """A property whose constraints no value satisfies."""
    kind, constraints = chance.choice(NO_VALUES)
    definition = {"type": kind, "required": False, "constraints": constraints}
    return add_types(t, "node_types", {"mutant.NoValue": {"derived_from": "tosca.nodes.Root", "properties": {"p": definition}}})


def workflow_in_1_0(t, chance):
    """Version 1.0 has no workflows."""
    if str(t.data["tosca_definitions_version"]) != "tosca_simple_yaml_1_0" or "workflows" in t.topology:
        return None
    t.topology["workflows"] = {"w": {"steps": {"s": {"target": next(iter(t.nodes)), "activities": [{"set_state": "started"}]}}}}
    return True


def endless_type(t, chance):
    """A data type with a field of its own type that every value needs, at once or by another type."""
    field = {"type": "mutant.Endless", "required": True}
    types = {"mutant.Endless": {"derived_from": "tosca.datatypes.Root", "properties": {"again": field}}}
    if chance.random() < 0.5:
        types["mutant.Endless"]["properties"]["again"] = {"type": "mutant.Other"}
        types["mutant.Other"] = {"derived_from": "tosca.datatypes.Root", "properties": {"back": field}}
    return add_types(t, "data_types", types)


def port_twice(t, chance):
    """Two servers on one machine that listen on one port."""
    machines = t.of_type("tosca.nodes.Compute")
    if not machines:
        return None
    endpoint = {"data_endpoint": {"properties": {"port": 8080, "protocol": "tcp"}}}
    server = {"type": "tosca.nodes.WebServer", "capabilities": endpoint, "requirements": [{"host": machines[0][0]}]}
    return add_nodes(t, {"server_a": copy.deepcopy(server), "server_b": copy.deepcopy(server)})


def place_twice(t, chance):
    """Two disks at one place of a machine."""
    machines = t.of_type("tosca.nodes.Compute")
    if not machines:
        return None
    old = str(t.data["tosca_definitions_version"])[-3:] in ("1_0", "1_1")
    disk = "tosca.nodes.BlockStorage" if old else "tosca.nodes.Storage.BlockStorage"
    listed = machines[0][1].setdefault("requirements", [])
    if not isinstance(listed, list):
        return None
    for name in ("disk_a", "disk_b"):
        attached = {"type": "tosca.relationships.AttachesTo", "properties": {"location": "/data"}}
        listed.append({"local_storage": {"node": name, "relationship": attached}})
    return add_nodes(t, {name: {"type": disk, "properties": {"size": "1 GB", "name": name}} for name in ("disk_a", "disk_b")})


CHANGES = {
    "a node type that does not exist (3.8.3)": node_type,
    "a node template without type (3.8.3)": no_type,
    "an unknown keyname in a node template (3.8.3)": keyname,
    "an unknown keyname in the topology (3.9)": top_keyname,
    "an unknown property (3.6.11)": unknown_property,
    "no value for a required property (3.6.10)": required_property,
    "a value of the wrong type (3.6.10)": wrong_value,
    "a bad value for a normative property (5.5.5)": host_value,
    "a constraint that does not hold (3.6.3)": constraint,
    "a constraint that does not exist (3.6.3)": unknown_constraint,
    "a constraint with a value of another type (3.6.10)": wrong_constraint,
    "a target that does not exist (3.8.2)": target,
    "a target without the capability (3.8.2)": wrong_target,
    "an unknown requirement (3.8.2)": requirement,
    "more relationships than allowed (3.7.3)": twice,
    "an unknown capability (3.8.1)": capability,
    "get_input of an unknown input (4.4.1)": unknown_input,
    "a function of an unknown node (4.4.2)": unknown_node_in_call,
    "get_property of an unknown property (4.4.2)": unknown_property_in_call,
    "a circle of dependencies (5.7.2)": dependency_cycle,
    "a circle of hosting (5.7.4)": hosting_cycle,
    "a reversed address pool (8.5.1)": pool_reversed,
    "an address pool outside the network (8.5.1)": pool_outside,
    "a port outside the network (8.5.2)": address_outside,
    "one address twice (8.5.2)": address_twice,
    "an IP version that is neither 4 nor 6 (8.5.1)": ip_version,
    "scalable out of order (5.5.12)": scalable,
    "a parent type that does not exist (3.7)": parent,
    "a type that derives from itself (3.7)": derivation_cycle,
    "a property of an unknown type (3.6.10)": property_type,
    "an unknown operation (3.6.17)": operation,
    "an unknown interface (3.6.20)": interface,
    "a script that does not exist (3.6.16)": script,
    "a group member that does not exist (3.8.5)": member,
    "a policy target that does not exist (3.8.6)": policy_target,
    "an input with a bad default (3.6.14)": input_default,
    "an input of an unknown type (3.6.14)": input_type,
    "an import that does not exist (3.6.8)": missing_import,
    "a filter that the target does not satisfy (3.6.5)": filter_,
    "an unknown version (3.1)": definitions_version,
    "a relationship type that does not exist (3.8.2)": relationship,
    "a substitution of an absent node (3.8.13)": substitution,
    "an artifact type that does not exist (3.6.7)": artifact_type,
    "an output of an absent node (3.6.14)": output,
    "values in a circle (4.4.2)": circle_of_values,
    "a type that two imports define differently (3.6.8)": one_type_twice,
    "a substitution by an unrelated capability (3.8.9)": unrelated_capability,
    "an operation without an input that it needs (3.6.17)": operation_without_input,
    "an operation with a misspelt input (3.6.17)": operation_with_misspelt_input,
    "an output of an operation that does not exist (4.6.1)": output_of_no_operation,
    "constraints that no value satisfies (3.6.3)": no_value_is_valid,
    "workflows in version 1.0 (3.8)": workflow_in_1_0,
    "a data type that needs itself (3.7.6)": endless_type,
    "one port twice on a machine (5.5.5)": port_twice,
    "two disks at one place (5.7.5)": place_twice,
}


# ---- running them -------------------------------------------------------------------------------------------------


def templates(folder):
    """The files of a folder with node templates, as data."""
    for path in sorted(folder.rglob("*.y*ml")):
        text = path.read_text(errors="replace")
        if "tosca_definitions_version: tosca_simple_yaml" not in text or "node_templates" not in text:
            continue
        try:
            data = yaml.load(text, Loader)
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
        if isinstance(data, dict) and isinstance(data.get("topology_template"), dict) and Template(data).nodes:
            yield path, data


def write(path, data):
    first = {"tosca_definitions_version": data["tosca_definitions_version"]}
    data = {**first, **data}
    path.write_text(yaml.dump(data, Dumper=NoAliases, sort_keys=False, allow_unicode=True, width=1000))
    return path


def make(folder, options):
    """Writes the originals and their mutants; (original, kind or None, path)."""
    made = []
    for number, (path, data) in enumerate(templates(folder)):
        made.append((number, None, write(path.with_name(f"mutant-{number}-original.yaml"), data)))
        for place, (kind, change) in enumerate(CHANGES.items()):
            chance = random.Random(f"{options.seed} {path.name} {kind}")
            template = Template(plain(data))
            try:
                applied = change(template, chance)
            except (AttributeError, TypeError, KeyError):
                continue  # The template is not of the form that the change expects.
            if applied:
                for name, content in template.files.items():
                    write(path.with_name(name), content)
                made.append((number, kind, write(path.with_name(f"mutant-{number}-{place}.yaml"), template.data)))
    return made


def plain(data):
    """A copy in which nothing is shared, so that a change is made once."""
    if isinstance(data, dict):
        return {key: plain(one) for key, one in data.items()}
    return [plain(one) for one in data] if isinstance(data, list) else data


class NoAliases(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Writes everything out."""

    def ignore_aliases(self, data):
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--peer", action="append", default=[], help="NAME=PYTHON[:FOLDER]")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--verdicts", help="the program of the example, if it is not in target/release")
    parser.add_argument("--sample", type=int, help="take this many mutants, chosen by chance, and their originals")
    parser.add_argument("--missed", action="store_true", help="list the mutants that Locus accepts")
    parser.add_argument("--keep", type=pathlib.Path, help="where to leave the mutants")
    options = parser.parse_args()
    tosca.VERDICTS = pathlib.Path(options.verdicts or tosca.VERDICTS)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = options.keep or pathlib.Path(scratch)
        made = []
        for number, folder in enumerate(options.folders):
            copied = scratch / str(number)
            shutil.copytree(folder, copied, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
            made += [((number, original), kind, path) for original, kind, path in make(copied, options)]
        if options.sample:
            made = sample(made, options)
        paths = [path for _, _, path in made]
        found = {"Locus": [one[0] for one in tosca.verdicts(map(str, paths), warnings=SCRIPT)]}
        for name, run in tosca.peer_runners(options.peer):
            found[name] = [one[0] for one in run(paths)]
            if len(found[name]) != len(paths):
                sys.exit(f"{name} stopped after {len(found[name])} of {len(paths)} files")
        show(made, found, options)


def sample(made, options):
    """Some of the mutants of templates that Locus accepts, and the originals that they come from."""
    originals = [(original, path) for original, kind, path in made if kind is None]
    verdicts = tosca.verdicts([str(path) for _, path in originals], warnings=SCRIPT)
    right = {original for (original, _), one in zip(originals, verdicts) if one[0] == "ok"}
    mutants = [one for one in made if one[1] and one[0] in right]
    chosen = random.Random(options.seed).sample(mutants, min(options.sample, len(mutants)))
    wanted, sources = {path for _, _, path in chosen}, {original for original, _, _ in chosen}
    return [one for one in made if one[2] in wanted or one[1] is None and one[0] in sources]


# A missing script is a warning here, since some orchestrators have files of their own.
SCRIPT = ("TSC065",)


def show(made, found, options):
    accepted = {name: {made[at][0] for at in range(len(made)) if made[at][1] is None and all_[at] == "ok"} for name, all_ in found.items()}
    shares = collections.defaultdict(lambda: {name: [0, 0] for name in found})
    for at, (original, kind, path) in enumerate(made):
        if kind is None or original not in accepted["Locus"]:
            continue
        for name, all_ in found.items():
            if original in accepted[name]:
                for row in (kind, "all"):
                    shares[row][name][0] += all_[at] == "error"
                    shares[row][name][1] += 1
        if options.missed and found["Locus"][at] == "ok":
            print(f"missed\t{kind}\t{path}")
    print("| change | " + " | ".join(found) + " |")
    print("| --- |" + " ---: |" * len(found))
    for kind in [*CHANGES, "all"]:
        if kind in shares:
            cells = [f"{right} of {total}" if total else "–" for right, total in shares[kind].values()]
            print(f"| {kind} | " + " | ".join(cells) + " |")
    print(", ".join(f"{name} accepts {len(all_)} originals" for name, all_ in accepted.items()))


if __name__ == "__main__":
    main()
