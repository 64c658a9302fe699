#!/usr/bin/env python3
"""Builds templates by Heat and by `locus up --cloud` in a running OpenStack, and compares what is there afterwards.

    . openrc                                     # of a cloud with Heat, to throw away; hot_services.py furnish, once
    python3 bench/openstack.py compare --locus L --cloud NAME TEMPLATE-OR-FOLDER …    # a table to standard output
    python3 bench/openstack.py updates --locus L --cloud NAME TEMPLATE-OR-FOLDER …
    python3 bench/openstack.py kill --locus L --cloud NAME TEMPLATE …
    python3 bench/openstack.py share --locus L --cloud NAME TEMPLATE-OR-FOLDER …
    python3 bench/openstack.py time --locus L --cloud NAME [--count 300]

`compare` builds each template by both, one after the other, lists what Keystone, Nova, Neutron, Cinder and Glance
have that they had not before, and compares it: the same things with the same fields. Ids, times, addresses that a
service chose, names that nobody gave, and the mark of Locus are left out. Then both take it down, and nothing may be
left. `updates` also changes the template by chance, and compares again. `kill` kills `locus up` with SIGKILL after
one moment after the other, runs it again, and counts: nothing may be there twice, and after `locus down` nothing may
be left. `share` says of how many templates all can be built, of those whose types belong to these services: nothing
is built for that. `time` builds networks with ports side by side.

Parameters without a default get one that the cloud accepts, for both (`hot_services.py`). Needs Python 3.11 and
PyYAML.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != HERE]
import yaml  # noqa: E402

sys.path.append(str(HERE))
import hot_services as services  # noqa: E402

LISTS = [
    ("network", "/v2.0/networks", "networks"), ("network", "/v2.0/subnets", "subnets"),
    ("network", "/v2.0/routers", "routers"), ("network", "/v2.0/ports", "ports"),
    ("network", "/v2.0/security-groups", "security_groups"), ("network", "/v2.0/floatingips", "floatingips"),
    ("network", "/v2.0/subnetpools", "subnetpools"), ("network", "/v2.0/address-scopes", "address_scopes"),
    ("network", "/v2.0/qos/policies", "policies"), ("network", "/v2.0/rbac-policies", "rbac_policies"),
    ("network", "/v2.0/trunks", "trunks"), ("network", "/v2.0/segments", "segments"),
    ("compute", "/servers/detail", "servers"), ("compute", "/os-keypairs", "keypairs"),
    ("compute", "/flavors/detail?is_public=None", "flavors"), ("compute", "/os-server-groups", "server_groups"),
    ("volumev3", "/volumes/detail", "volumes"), ("volumev3", "/types?is_public=None", "volume_types"),
    ("volumev3", "/qos-specs", "qos_specs"), ("image", "/v2/images", "images"),
    ("identity", "/v3/projects", "projects"), ("identity", "/v3/users", "users"), ("identity", "/v3/roles", "roles"),
    ("identity", "/v3/groups", "groups"), ("identity", "/v3/services", "services"),
    ("identity", "/v3/endpoints", "endpoints"), ("identity", "/v3/regions", "regions"),
]

# What differs from one creation to the next, or belongs to who made it.
LEFT_OUT = {
    "id", "created_at", "updated_at", "revision_number", "links", "mac_address", "locus", "created", "updated",
    "fingerprint",
    "OS-EXT-SRV-ATTR:instance_name", "OS-EXT-SRV-ATTR:hostname", "OS-EXT-SRV-ATTR:user_data", "OS-SRV-USG:launched_at",
    "OS-EXT-SRV-ATTR:reservation_id", "OS-EXT-IPS-MAC:mac_addr", "hostId", "provider:segmentation_id", "public_key",
    "attached_at", "standard_attr_id", "segmentation_id", "attachment_id", "binding:vif_details", "binding:profile",
    "provider_id", "version", "user_id", "status",
    "config_drive", "progress", "default_project_id_", "password_expires_at", "port_details", "ipv4_address_scope",
}


class Both:
    """A cloud, and what is there."""

    def __init__(self, args):
        self.args, self.cloud = args, services.Cloud()
        self.cloud.urls.setdefault("volumev3", self.cloud.urls.get("block-storage", ""))
        self.mine = {}

    def there(self):
        """(list, id) of all that there is, with the object."""
        found = {}
        for service, path, key in LISTS:
            url = self.cloud.urls.get(service, "").rstrip("/")
            part = re.match(r"/v[\d.]+", path)
            if part and url.endswith(part[0]):
                url = url[: -len(part[0])]
            status, answer, _ = self.cloud.ask("GET", url + path)
            if status == 401:
                self.cloud.log_in()
                status, answer, _ = self.cloud.ask("GET", url + path)
            for one in answer.get(key, []) if status < 300 else []:
                one = one.get("keypair", one)
                if key in ("users", "projects") and one.get("domain_id") not in (None, "default"):
                    continue
                found[key, one.get("id") or one["name"]] = one
        return found

    def locus(self, folder, *words, kill_after=None):
        environment = {**os.environ, "LOCUS_STORE": str(folder / "store")}
        command = [self.args.locus, *words]
        process = subprocess.Popen(command, cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            out, _ = process.communicate(timeout=kill_after or self.args.timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
            return -9, out
        return process.returncode, out

    def up(self, folder, path, **more):
        return self.locus(folder, "up", str(path), "--cloud", self.args.cloud, "--yes", "--name", "locus-bench", **more)

    def down(self, folder):
        return self.locus(folder, "down", "locus-bench", "--yes")


def canonical(new, template):
    """What is new, in a form that does not depend on who made it when: a list of texts."""
    text = json.dumps(template)
    kinds = {one_id: f"<{key}>" for (key, one_id) in new}

    def value(one, key=""):
        if isinstance(one, dict):
            fields = {name: value(inner, name) for name, inner in one.items() if name not in LEFT_OUT}
            fields.pop("locus", None)
            return fields
        if one == "" or one == [] or one == {}:
            return None
        if isinstance(one, list):
            return sorted((value(item, key) for item in one), key=json.dumps)
        if isinstance(one, str):
            one = re.sub(r"\s*\[locus:[^\]]*\]$", "", one)
            if not one:
                return None
            if one in kinds:
                return kinds[one]
            for made, kind in kinds.items():
                one = one.replace(made, kind)
            if key == "name" or key.endswith("_name"):
                return one if one in text and not one.startswith("locus-bench-") else "<name>"
            if re.fullmatch(r"\d+\.\d+\.\d+\.\d+|[0-9a-f:]*::?[0-9a-f:]+", one) and one not in text:
                return "<address>"
        return one

    result = []
    for (key, _), one in new.items():
        one = value(one)
        if key == "servers":
            # Networks are called by their names there.
            one["addresses"] = sorted(len(each) for each in one.get("addresses", {}).values())
        if key == "images":
            unlike = ("file", "self", "schema", "owner", "stores")
            one = {name: inner for name, inner in one.items() if name not in unlike}
        result.append(f"{key} {json.dumps(one, sort_keys=True)}")
    return sorted(result)


def difference(one, other):
    """The first fields that differ, for people."""
    left, right = collections.Counter(one), collections.Counter(other)
    only, missing = list((left - right).elements()), list((right - left).elements())
    said = []
    for text in only[:3]:
        key, body = text.split(" ", 1)
        near = next((each for each in missing if each.startswith(key + " ")), None)
        if near is None:
            said.append(f"only Locus: {key}")
            continue
        a, b = json.loads(body), json.loads(near.split(" ", 1)[1])
        def rest(value, beside):
            return [one for one in value if one not in (beside or [])] if isinstance(value, list) else value

        unlike = [name for name in sorted({*a, *b}) if a.get(name) != b.get(name)][:3]
        said += [f"{key}.{name}: {rest(a.get(name), b.get(name))!r}, Heat {rest(b.get(name), a.get(name))!r}"
                 for name in unlike]
    said += [f"only Heat: {text.split(' ', 1)[0]}" for text in missing[:3] if not only]
    return "; ".join(said)[:900]


def outputs_of_heat(stack):
    status, answer = stack.cloud.heat("GET", stack.path)
    return {one["output_key"]: one["output_value"] for one in answer["stack"].get("outputs", [])}


def outputs_of_locus(both, folder):
    _, out = both.locus(folder, "output", "locus-bench", "--format", "json")
    try:
        all_outputs = json.loads(out)
    except ValueError:
        return {}
    return {name.split(".", 1)[1]: value for name, value in all_outputs.items() if name.startswith("outputs.")}


def comparable(outputs, new):
    kinds = {one_id: f"<{key}>" for (key, one_id) in new}

    def text(value):
        value = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
        try:
            value = json.dumps(json.loads(value), sort_keys=True)
        except ValueError:
            pass
        for made, kind in kinds.items():
            value = value.replace(made, kind)
        value = re.sub(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}", "<mac>", value)
        value = re.sub(r"\d+\.\d+\.\d+\.\d+", "<address>", value)
        return re.sub(r"locus-[\w-]+", "<name>", value)

    return {name: text(value) for name, value in outputs.items() if value not in (None, "null", "")}


def templates(arguments):
    for argument in arguments:
        path = pathlib.Path(argument)
        for file in sorted(path.rglob("*.y*ml")) if path.is_dir() else [path]:
            text = file.read_text(errors="replace")
            if re.search(r"^heat_template_version:", text, re.M):
                yield file


# A key that belongs to nobody.
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB nobody@nowhere"


def prepared(path, folder):
    """The template with values for its parameters, in a folder with the files that it names."""
    try:
        template = yaml.load(path.read_text(), Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None, None, {}
    if not isinstance(template, dict) or not isinstance(template.get("resources"), dict):
        return None, None, {}
    template["heat_template_version"] = str(template["heat_template_version"])
    template = services.furnished(template)
    for name, one in (template.get("parameters") or {}).items():
        if isinstance(one, dict) and re.fullmatch("textx*", str(one.get("default"))) and re.search(r"key", name, re.I):
            one["default"] = KEY
    files = services.named_files(path)
    # What those files name in turn is beside the template, too.
    beside = [file for file in path.parent.rglob("*") if file.is_file()]
    for file in beside if len(beside) < 300 else []:
        target = folder / file.relative_to(path.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
    for name, text in files.items():
        target = (folder / name).resolve()
        if folder.resolve() in target.parents:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    written = folder / "template.yaml"
    written.write_text(yaml.safe_dump(json.loads(json.dumps(template, default=str)), sort_keys=False))
    return template, written, files


def by_heat(both, written, files):
    stack = services.Stack(both.cloud, both.args.timeout)
    body = {"template": written.read_text(), "files": files, "disable_rollback": True, "stack_name": stack.name}
    status, answer = both.cloud.heat("POST", "stacks", body)
    if status >= 300:
        return stack, ("refused", answer)
    stack.path = f"stacks/{stack.name}/{answer['stack']['id']}"
    failure = stack.wait("CREATE")
    return stack, ("failed", " ".join(failure)) if failure else ("created", "")


def last(out):
    """The lines that say why, of what Locus says."""
    words = ("failed:", "cannot", "not supported", "nothing of the type", "there is no", "error")
    lines = [line.strip() for line in out.splitlines() if any(word in line for word in words)]
    return " ".join((lines or out.splitlines()[-2:])[:2])[:300]


def compare(args, change=None):
    both, rows = Both(args), []
    print("template\theat\tlocus\tsame\toutputs\tleft\tnote", flush=True)
    for path in templates(args.templates):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            template, written, files = prepared(path, folder)
            if template is None:
                continue
            before = both.there()
            code, out = both.up(folder, written)
            is_refused = any(word in out for word in ("nothing was begun", "not deployed", "cannot be built"))
            built = "created" if code == 0 else "refused" if is_refused else "failed"
            if change and built == "created":
                changed = change(random.Random(args.seed), template)
                second = folder / "changed.yaml"
                second.write_text(yaml.safe_dump(json.loads(json.dumps(changed, default=str)), sort_keys=False))
                code, out = both.up(folder, second)
                built += {0: "+updated"}.get(code, "+failed")
            own_note = "" if code == 0 else last(out)
            mine = {key: one for key, one in both.there().items() if key not in before}
            own_outputs = comparable(outputs_of_locus(both, folder), mine) if code == 0 else {}
            shown = canonical(mine, template) if code == 0 else []
            both.down(folder)
            left = [key for key in both.there() if key not in before]
            if "nothing of the type" in out and args.only_supported:
                rows.append(("unsupported", "unsupported", "", "", "", ""))
                continue
            stack, (fate, note) = by_heat(both, written, files)
            theirs = {}
            their_outputs = {}
            if change and fate == "created" and "+" in built:
                body = {"template": second.read_text(), "files": files}
                status, answer = both.cloud.heat("PUT", stack.path, body)
                failure = stack.wait("UPDATE") if status < 300 else ("", answer)
                fate, note = (fate + "+failed", " ".join(failure)) if failure else (fate + "+updated", "")
            if fate in ("created", "created+updated"):
                theirs = {key: one for key, one in both.there().items() if key not in before}
                their_outputs = comparable(outputs_of_heat(stack), theirs)
            if stack.path:
                stack.delete()
            others = canonical(theirs, template)
            same = outputs = ""
            if built == fate and theirs or built == fate == "created":
                same = "yes" if shown == others else "no"
                outputs = "yes" if own_outputs == their_outputs else "no"
                if same == "no":
                    own_note = difference(shown, others)
                elif outputs == "no":
                    own_note = str({name: (own_outputs.get(name), their_outputs.get(name))
                                    for name in {*own_outputs, *their_outputs}
                                    if own_outputs.get(name) != their_outputs.get(name)})[:300]
            row = (str(path), fate, built, same, outputs, str(len(left)), (own_note or note[:200]).replace("\t", " "))
            rows.append(row)
            print("\t".join(row), flush=True)
            for key, one_id in left:
                print(f"# left: {key} {one_id}", flush=True)
            if leftover := [key for key in both.there() if key not in before]:
                print(f"# left by Heat, too: {len(leftover)}", flush=True)
    counted = collections.Counter((row[1], row[2], row[3], row[4]) for row in rows)
    for (fate, built, same, outputs), count in sorted(counted.items()):
        print(f"# Heat {fate}, Locus {built}, same {same or '-'}, outputs {outputs or '-'}: {count}")
    return 0


CHANGES = {
    ("OS::Neutron::Net", "name"): "renamed", ("OS::Neutron::Net", "admin_state_up"): False,
    ("OS::Neutron::Subnet", "dns_nameservers"): ["9.9.9.9"], ("OS::Neutron::Subnet", "name"): "renamed",
    ("OS::Neutron::Router", "name"): "renamed", ("OS::Neutron::Port", "name"): "renamed",
    ("OS::Neutron::Port", "admin_state_up"): False, ("OS::Neutron::SecurityGroup", "description"): "changed",
    ("OS::Neutron::SecurityGroup", "rules"): [{"protocol": "tcp", "port_range_min": 8080, "port_range_max": 8080}],
    ("OS::Nova::Server", "name"): "renamed", ("OS::Nova::Server", "metadata"): {"changed": "yes"},
    ("OS::Cinder::Volume", "name"): "renamed", ("OS::Cinder::Volume", "description"): "changed",
    ("OS::Keystone::Project", "description"): "changed", ("OS::Keystone::User", "description"): "changed",
    ("OS::Neutron::QoSPolicy", "description"): "changed", ("OS::Nova::Flavor", "ram"): 777,
}


def changed(chance, template):
    """The template with one property of one resource changed."""
    template = json.loads(json.dumps(template, default=str))
    places = [(name, prop, value) for name, one in template["resources"].items()
              for (kind, prop), value in CHANGES.items() if one.get("type") == kind]
    if places:
        name, prop, value = chance.choice(places)
        template["resources"][name].setdefault("properties", {})[prop] = value
    return template


def kill(args):
    """Kills `locus up` at one moment after the other."""
    both, bad, rounds = Both(args), 0, 0
    for path in templates(args.templates):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            template, written, _ = prepared(path, folder)
            before = both.there()
            began = time.time()
            code, out = both.up(folder, written)
            took = time.time() - began
            if code:
                print(f"{path}: not built: {last(out)}")
                continue
            wanted = canonical({key: one for key, one in both.there().items() if key not in before}, template)
            both.down(folder)
            for at in range(args.rounds):
                rounds += 1
                kills = 0
                moment = took * (at + 0.5) / args.rounds
                for _ in range(6):
                    code, out = both.up(folder, written, kill_after=max(0.02, moment))
                    kills += code == -9
                    if code != -9:
                        break
                code, out = both.up(folder, written)
                there = canonical({key: one for key, one in both.there().items() if key not in before}, template)
                _, verified = both.locus(folder, "events", "locus-bench", "--verify")
                both.down(folder)
                left = [key for key in both.there() if key not in before]
                good = code == 0 and there == wanted and not left and "can have happened" in verified
                bad += not good
                word = "as wanted" if good else "NOT as wanted"
                print(f"{path.name}\t{moment:.2f} s\t{kills} kills\t{word}", flush=True)
                if not good:
                    print(f"# {code} {last(out)} {difference(there, wanted)} left {left} {verified.strip()[-200:]}")
    print(f"# {rounds} rounds, {bad} not as wanted")
    return int(bad > 0)


OURS = re.compile(r"OS::(Keystone|Nova|Neutron|Cinder|Glance|Heat)::")
# Types of Neutron's that belong to services of their own.
OTHERS = re.compile(r"Firewall|VPN|IKE|IPsec|L2Gateway|TaaS|PortChain|PortPair|FlowClassifier|NetworkGateway|LBaaS"
                    r"|LoadBalancer|::Pool")


def types(path):
    try:
        template = yaml.load(path.read_text(errors="replace"), Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    resources = template.get("resources") if isinstance(template, dict) else None
    if not isinstance(resources, dict):
        return None
    found = {str(one.get("type")) for one in resources.values() if isinstance(one, dict)}
    return found or None


def share(args):
    """Of how many templates all can be built; `locus up` is asked, and not answered."""
    both, counts, reasons = Both(args), collections.Counter(), collections.Counter()
    for path in templates(args.templates):
        found = types(path)
        plain = [one for one in found or () if not one.endswith((".yaml", ".yml"))]
        if found is None or any(not OURS.match(one) or OTHERS.search(one) for one in plain):
            counts["of other services"] += 1
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            template, written, _ = prepared(path, folder)
            if template is None:
                continue
            code, out = both.locus(folder, "up", str(written), "--cloud", args.cloud, "--name", "locus-bench")
        if "nobody can be asked" in out:
            counts["built"] += 1
            print(f"{path}\tbuilt", flush=True)
            continue
        why = "an error is found in it" if "something is wrong" in out else last(out)
        kind = "wrong" if "something is wrong" in out else "not built"
        counts[kind] += 1
        reasons[re.sub(r"`[^`]*`|\S*/\S*", "…", why)[:160]] += 1
        print(f"{path}\t{kind}\t{why}", flush=True)
    for reason, count in reasons.most_common(25):
        print(f"# {count}: {reason}")
    print(f"# {dict(counts)}")
    whole = counts["built"] + counts["not built"]
    print(f"# {counts['built']} of {whole} can be built: {counts['built'] / max(1, whole):.0%}")
    return 0


def measure(args):
    """Networks with ports, side by side, by both."""
    each = max(1, args.count // 10)
    resources = {}
    for number in range(each):
        net, sub = f"net{number}", f"sub{number}"
        resources[net] = {"type": "OS::Neutron::Net"}
        cidr = f"10.{number % 200}.0.0/24"
        resources[sub] = {"type": "OS::Neutron::Subnet", "properties": {"network": {"get_resource": net}, "cidr": cidr}}
        for port in range(8):
            properties = {"network": {"get_resource": net}}
            resources[f"port{number}x{port}"] = {"type": "OS::Neutron::Port", "properties": properties}
    template = {"heat_template_version": "2018-08-31", "resources": resources}
    both = Both(args)
    print("who\tresources\tup s\tdown s\tprocessor s\tmemory MB", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        written = folder / "template.yaml"
        written.write_text(yaml.safe_dump(template))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.time()
        code, out = both.up(folder, written)
        up = time.time() - began
        began = time.time()
        gone, _ = both.down(folder)
        down = time.time() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        note = "" if code == gone == 0 else last(out)
        row = ["locus", len(resources), f"{up:.1f}", f"{down:.1f}", f"{cpu:.2f}", f"{after.ru_maxrss / 1024:.0f}", note]
        print(*row, sep="\t", flush=True)
        began = time.time()
        stack, (fate, note) = by_heat(both, written, {})
        up = time.time() - began
        began = time.time()
        if stack.path:
            stack.delete()
        down = time.time() - began
        said = "" if fate == "created" else f"{fate} {note[:200]}"
        print("heat", len(resources), f"{up:.1f}", f"{down:.1f}", "", "", said, sep="\t", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["compare", "updates", "kill", "share", "time"])
    parser.add_argument("templates", nargs="*")
    parser.add_argument("--locus", default="target/release/locus")
    parser.add_argument("--cloud", default="here")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only-supported", action="store_true", help="leave out types that Locus does not build")
    args = parser.parse_intermixed_args()
    args.locus = str(pathlib.Path(args.locus).resolve())
    run = {"compare": compare, "updates": lambda args: compare(args, changed), "kill": kill, "share": share,
           "time": measure}
    return run[args.what](args)


if __name__ == "__main__":
    sys.exit(main())
