#!/usr/bin/env python3
"""The update of `locus plan OLD NEW` beside that of a running Heat, on random pairs of templates.

    . openrc                                     # of any cloud with Heat; one to throw away is best
    python3 bench/plan_update.py --locus target/release/locus --pairs 200 [--seed 1] [--answers FILE]

For each pair the old template is created as a stack, and Heat is asked for the dry run of an update to the new one (the request
`preview`). Then the update is done, and what became of each resource is read off: replaced, if it has another id in the
cloud; updated, if Heat has an event that says so. `locus plan` is asked before any of that. Compared are the fates of all resources
that are in both templates, with the dry run and with the update that was done.

The dry run does not resolve references: in Heat 24 a resource with a property that refers to another is told to be replaced (or
updated), whether anything changes or not. So the dry run counts for resources without references, and the update that was done
for all.

The cloud is the one of the variables OS_AUTH_URL, OS_USERNAME, OS_PASSWORD and OS_PROJECT_NAME. Needs Python 3.11 alone.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import random
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def services():
    spec = importlib.util.spec_from_file_location("hot_services", HERE / "hot_services.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def word(random):
    return "".join(random.choice("abcdefgh") for _ in range(6))


def to(kind):
    """A reference to a resource of a type, filled in later."""
    return lambda random: ("ref", kind)


def one_of(*values):
    return lambda random: random.choice(values)


def address(random):
    return f"10.{random.randrange(1, 250)}.{random.randrange(1, 250)}.0/24"


# Types with their properties: (name, how a value is made, whether it must be given).
TYPES = {
    "OS::Neutron::Net": [
        ("name", word, False), ("admin_state_up", one_of(True, False), False), ("shared", one_of(True, False), False),
        ("port_security_enabled", one_of(True, False), False)],
    "OS::Neutron::Subnet": [
        ("network", to("OS::Neutron::Net"), True), ("cidr", address, True), ("name", word, False),
        ("enable_dhcp", one_of(True, False), False), ("dns_nameservers", one_of(["8.8.8.8"], ["8.8.4.4", "1.1.1.1"]), False),
        ("ip_version", one_of(4, "4"), False)],
    "OS::Neutron::Port": [
        ("network", to("OS::Neutron::Net"), True), ("name", word, False), ("admin_state_up", one_of(True, False), False),
        ("device_owner", one_of("network:a", "network:b"), False), ("mac_address", one_of("fa:16:3e:00:00:01", "fa:16:3e:00:00:02"), False),
        ("replacement_policy", one_of("AUTO", "REPLACE_ALWAYS"), False)],
    "OS::Neutron::Router": [("name", word, False), ("admin_state_up", one_of(True, False), False)],
    "OS::Neutron::SecurityGroup": [
        ("name", word, False), ("description", word, False),
        ("rules", one_of([{"protocol": "tcp", "port_range_min": 22, "port_range_max": 22}], [{"protocol": "icmp"}]), False)],
    "OS::Neutron::SubnetPool": [
        ("prefixes", one_of(["10.0.0.0/16"], ["10.0.0.0/15"]), True), ("name", word, False),
        ("default_prefixlen", one_of(24, 26), False), ("description", word, False)],
    "OS::Neutron::AddressScope": [("name", word, False), ("ip_version", one_of(4, 6), False)],
    "OS::Cinder::Volume": [
        ("size", one_of(1, 2, 3), True), ("name", word, False), ("description", word, False),
        ("metadata", one_of({"a": "1"}, {"b": "2"}), False)],
    "OS::Nova::ServerGroup": [("name", word, False), ("policies", one_of(["affinity"], ["anti-affinity"]), False)],
    "OS::Nova::Flavor": [("ram", one_of(64, 128), True), ("vcpus", one_of(1, 2), True), ("disk", one_of(1, 2), False),
                         ("extra_specs", one_of({"a": "1"}, {"b": "2"}), False)],
    "OS::Nova::Server": [
        ("image", one_of("cirros", "debian"), True), ("flavor", one_of("m1.tiny", "m1.small"), True),
        ("networks", lambda random: ("ports", None), True), ("name", word, False), ("metadata", one_of({"a": "1"}, {"b": "2"}), False),
        ("user_data", one_of("one", "two"), False), ("config_drive", one_of(True, False), False),
        ("flavor_update_policy", one_of("RESIZE", "REPLACE"), False), ("image_update_policy", one_of("REBUILD", "REPLACE"), False)],
    "OS::Heat::RandomString": [
        ("length", one_of(8, 16, 32), False), ("salt", word, False),
        ("character_classes", one_of([{"class": "digits", "min": 1}], [{"class": "lowercase", "min": 2}]), False)],
    "OS::Heat::Value": [("value", word, True), ("type", one_of("string"), False)],
    "OS::Heat::TestResource": [
        ("value", word, False), ("update_replace", one_of(True, False), False), ("action_wait_secs", one_of({}, {"create": 0}), False)],
    "OS::Heat::SoftwareConfig": [("config", word, False), ("group", one_of("script", "ansible"), False)],
    "OS::Heat::UpdateWaitConditionHandle": [],
    "OS::Heat::WaitConditionHandle": [],
}
# How often a type is taken.
WEIGHTS = {"OS::Neutron::Net": 3, "OS::Neutron::Subnet": 3, "OS::Neutron::Port": 3, "OS::Nova::Server": 1}


class Pair:
    """A template and another that differs from it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.resources, self.count = {}, 0
        for _ in range(self.random.randrange(2, 6)):
            self.add(self.random.choices(list(TYPES), [WEIGHTS.get(one, 1) for one in TYPES])[0])
        self.old = self.template()
        for _ in range(self.random.randrange(1, 4)):
            self.change()
        self.new = self.template()

    def template(self):
        return json.loads(json.dumps({"heat_template_version": "2018-08-31", "resources": self.resources}))

    def of_type(self, kind):
        return [name for name, made in self.resources.items() if made["type"] == kind]

    def value(self, make):
        value = make(self.random)
        if not isinstance(value, tuple):
            return value
        kind = value[1] or "OS::Neutron::Port"
        if value[0] == "ports" and not self.of_type("OS::Neutron::Subnet"):
            self.add("OS::Neutron::Subnet")
        name = self.random.choice(self.of_type(kind)) if self.of_type(kind) and value[0] == "ref" else self.add(kind)
        return {"get_resource": name} if value[0] == "ref" else [{"port": {"get_resource": name}}]

    def add(self, kind):
        properties = {}
        for name, make, must in TYPES[kind]:
            if must or self.random.random() < 0.4:
                properties[name] = self.value(make)
        if kind == "OS::Neutron::Port":
            # Two with the same address are refused.
            properties.pop("mac_address", None)
            networks = [self.resources[name]["properties"]["network"] for name in self.of_type("OS::Neutron::Subnet")]
            if networks:
                properties["network"] = self.random.choice(networks)
        self.count += 1
        name = f"r{self.count}"
        self.resources[name] = {"type": kind, **({"properties": properties} if properties else {})}
        return name

    def change(self):
        name = self.random.choice(list(self.resources))
        made = self.resources[name]
        known = TYPES[made["type"]]
        kind = self.random.choice(["property"] * 6 + ["remove", "add", "aside"])
        if kind == "property" and known:
            key, make, must = self.random.choice(known)
            given = made.setdefault("properties", {})
            if key in given and not must and self.random.random() < 0.3:
                del given[key]
            elif not isinstance(make(self.random), tuple) or must:
                given[key] = self.value(make)
        elif kind == "remove" and not any(f'"{name}"' in json.dumps(other) for other in self.resources.values()):
            if len(self.resources) > 2:
                del self.resources[name]
        elif kind == "add":
            self.add(self.random.choice(list(TYPES)))
        elif kind == "aside":
            what = self.random.choice(["metadata", "deletion_policy", "depends_on"])
            earlier = list(self.resources)[: list(self.resources).index(name)]
            if what == "metadata":
                made[what] = self.random.choice([{"a": "1"}, {"a": "2"}])
            elif what == "deletion_policy":
                made[what] = "Delete"
            elif earlier:
                made[what] = [self.random.choice(earlier)]


def ours(locus, folder, pair):
    """The fate of each resource; nothing and why, if there is no plan."""
    for name, template in (("old", pair.old), ("new", pair.new)):
        (folder / f"{name}.yaml").write_text(json.dumps(template, indent=1))
    done = subprocess.run([locus, "plan", folder / "old.yaml", folder / "new.yaml", "--format", "json", "--no-config", "--language", "hot"],
                          capture_output=True, text=True, timeout=60)
    answer = json.loads(done.stdout) if done.stdout.strip() else {"verdict": "error", "reason": done.stderr}
    if answer["verdict"] != "plan":
        return None, answer.get("reason")
    words = {"keep": "unchanged", "change": "updated", "replace": "replaced", "add": "added", "remove": "deleted", "leave": "deleted"}
    return {change["name"]: words[change["change"]] for change in answer["changes"]}, None


class Update:
    """A stack, its dry run and its update."""

    def __init__(self, services, cloud, timeout):
        self.stack = services.Stack(cloud, timeout)
        self.cloud = cloud

    def create(self, template):
        status, answer = self.cloud.heat("POST", "stacks", {"template": template, "disable_rollback": True, "stack_name": self.stack.name})
        if status >= 300:
            return answer
        self.stack.path = f"stacks/{self.stack.name}/{answer['stack']['id']}"
        return self.stack.wait("CREATE")

    def preview(self, template):
        status, answer = self.cloud.heat("PUT", self.stack.path + "/preview", {"template": template})
        if status >= 300:
            return None, answer
        changes = answer["resource_changes"]
        return {one["resource_name"]: fate for fate, all in changes.items() for one in all}, None

    def resources(self):
        _, answer = self.cloud.heat("GET", self.stack.path + "/resources")
        return {one["resource_name"]: one["physical_resource_id"] for one in answer["resources"]}

    def update(self, template):
        """What became of each resource; nothing and why, if the update failed."""
        before = self.resources()
        _, events = self.cloud.heat("GET", self.stack.path + "/events")
        seen = {one["id"] for one in events["events"]}
        status, answer = self.cloud.heat("PUT", self.stack.path, {"template": template, "disable_rollback": True})
        if status >= 300:
            return None, answer
        failure = self.stack.wait("UPDATE")
        if failure:
            return None, failure
        after = self.resources()
        _, events = self.cloud.heat("GET", self.stack.path + "/events?limit=10000")
        events = [one for one in events["events"] if one["id"] not in seen]
        made = {one["resource_name"] for one in events if one["resource_status"].startswith("CREATE")}
        updated = {one["resource_name"] for one in events if one["resource_status"].startswith("UPDATE")}
        found = {}
        for name in before.keys() | after.keys():
            if name not in after:
                found[name] = "deleted"
            elif name not in before:
                found[name] = "added"
            elif name in made:
                found[name] = "replaced"
            else:
                found[name] = "updated" if name in updated else "unchanged"
        return found, None


def ask_heat(module, cloud, pair, timeout):
    """What Heat says and does: `dry` and `done`, or why not."""
    run = Update(module, cloud, timeout)
    try:
        failure = run.create(pair.old)
        if failure:
            return {"not created": failure}
        dry, refused = run.preview(pair.new)
        done, failed = run.update(pair.new) if dry is not None else (None, refused)
        return {"dry": dry, "done": done, "why": failed}
    finally:
        if run.stack.path:
            run.stack.delete()


def answers(options):
    """Pairs with what Heat says of them: those of the file first, then others, until there are enough."""
    known = {}
    if options.answers and options.answers.exists():
        known = {one["seed"]: one["answer"] for one in map(json.loads, options.answers.read_text().splitlines())}
    module = cloud = None
    seed, pairs = options.seed * 1_000_000, 0
    while pairs < options.pairs:
        seed += 1
        pair = Pair(seed)
        if pair.old == pair.new:
            continue
        if seed not in known:
            if cloud is None:
                module = services()
                cloud = module.Cloud()
            known[seed] = ask_heat(module, cloud, pair, options.timeout)
            if options.answers:
                with options.answers.open("a") as file:
                    print(json.dumps({"seed": seed, "answer": known[seed]}), file=file)
        if "not created" not in known[seed]:
            pairs += 1
            yield seed, pair, known[seed]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--locus", required=True)
    options.add_argument("--pairs", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--timeout", type=float, default=120)
    options.add_argument("--answers", type=pathlib.Path, help="a file to which the answers of Heat are added, and from which they are read")
    options = options.parse_args()
    counts = collections.Counter()
    for seed, pair, heat in answers(options):
        with tempfile.TemporaryDirectory() as folder:
            said, why = ours(options.locus, pathlib.Path(folder), pair)
        dry, done = heat["dry"], heat["done"]
        if said is None or dry is None:
            agree = said is None and done is None
            counts["pairs that both refuse" if agree else "pairs that one refuses"] += 1
            if not agree:
                print(f"{seed}: ours: {why}; Heat: {heat['why']}", flush=True)
            continue
        counts["pairs updated" if done is not None else "pairs whose update failed in the cloud"] += 1
        for name in sorted(pair.old["resources"].keys() | pair.new["resources"].keys()):
            fate = said.get(name, "nothing")
            versions = [one["resources"].get(name) for one in (pair.old, pair.new)]
            for other, what in ((dry, "dry run"), (done, "update")):
                if other is None or what == "dry run" and "get_resource" in json.dumps(versions):
                    continue
                counts[f"{what}: {other.get(name)}"] += 1
                if other.get(name) != fate:
                    counts[f"{what}: Locus says otherwise"] += 1
                    print(f"{seed} {name}: {fate}, {what}: {other.get(name)}: {json.dumps(versions)}", flush=True)
    for what, number in sorted(counts.items()):
        print(f"{what}: {number}")


if __name__ == "__main__":
    main()
