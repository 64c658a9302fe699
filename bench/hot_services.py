#!/usr/bin/env python3
"""Builds templates in a running OpenStack and compares what happens with `locus check`.

    cargo build --release -p locus-cli
    . openrc                                     # of any cloud with Heat; one to throw away is best
    python3 bench/hot_services.py furnish        # once: what the examples name and do not define
    python3 bench/hot_services.py examples       # every example of every HOT rule, table in bench/hot_services.csv
    python3 bench/hot_services.py probe FILE …   # the given templates, one line each
    python3 bench/hot_services.py mutants --count 1000 TEMPLATE-OR-FOLDER …

The cloud is the one of the variables OS_AUTH_URL, OS_USERNAME, OS_PASSWORD and OS_PROJECT_NAME. `--start COMMAND` runs a
command first (one that starts the services), `--openrc FILE` reads the variables from a file. Needs Python 3.11 and PyYAML.

Each template is created as a stack and deleted again. What happens is one of

- `refused`: Heat does not take it, and nothing is made;
- `failed`: a resource fails while the stack is created (or, `deletion`, while it is deleted);
- `created`: it is created and deleted;
- `unavailable`: it uses a type whose service this cloud does not have.

`examples` takes the `bad` and `good` template of each rule, and the `break` and `near` files of the rules about structure.
A `bad` one must be refused or fail, unless the rule says under `@openstack` that nothing happens; a `good` one must be
created and deleted. What differs is printed at the end, and the exit status is then 1.

`mutants` breaks valid templates by chance (`hot_mutants.py` has the changes; it wants a Python with Heat in it), builds each,
and compares the outcome with the errors of `locus check`. Parameters without a default get one that the cloud accepts.
"""

import argparse
import concurrent.futures
import contextlib
import csv
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# Beside this file stands a `yaml.py`, which is not the one that reads YAML.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != HERE]


class Cloud:
    """Requests to Keystone and Heat."""

    def __init__(self):
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        user = {"name": os.environ["OS_USERNAME"], "password": os.environ["OS_PASSWORD"],
                "domain": {"id": os.environ.get("OS_USER_DOMAIN_ID", "default")}}
        project = {"name": os.environ["OS_PROJECT_NAME"],
                   "domain": {"id": os.environ.get("OS_PROJECT_DOMAIN_ID", "default")}}
        self.auth = {"auth": {"identity": {"methods": ["password"], "password": {"user": user}},
                              "scope": {"project": project}}}
        self.token = None
        self.log_in()

    def log_in(self):
        url = os.environ["OS_AUTH_URL"].rstrip("/") + "/auth/tokens"
        status, body, headers = self.ask("POST", url, self.auth)
        if status >= 300:
            sys.exit(f"no token: {status} {body}")
        self.token = headers["X-Subject-Token"]
        self.urls = {service["type"]: next(one["url"] for one in service["endpoints"] if one["interface"] == "public")
                     for service in body["token"]["catalog"] if service["endpoints"]}

    def ask(self, method, url, body=None):
        """(status, decoded body, headers), whatever the status."""
        headers = {"Content-Type": "application/json", **({"X-Auth-Token": self.token} if self.token else {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            answer = self.opener.open(request, timeout=300)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read()
        try:
            return answer.status, json.loads(text) if text else {}, answer.headers
        except ValueError:
            return answer.status, {"explanation": text.decode(errors="replace")}, answer.headers

    def heat(self, method, path, body=None):
        for _ in range(2):
            status, answer, _ = self.ask(method, self.urls["orchestration"].rstrip("/") + "/" + path, body)
            if status != 401:
                break
            self.log_in()
        if status >= 300:
            answer = plain((answer.get("error") or {}).get("message") or answer.get("explanation") or answer)
        return status, answer


def plain(message):
    """One line, without request numbers, ids and module paths."""
    message = re.sub(r"Neutron server returns request_ids: \[.*?\]|\(Request-ID: [^)]*\)", "", str(message))
    message = re.sub(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "ID", message)
    message = re.sub(r"<module '([\w.]+)' from '[^']*'>", r"\1", message)
    message = re.sub(r"\blocus-[0-9a-f]{12}\b[\w-]*", "NAME", message)
    return " ".join(message.split())


class Stack:
    """One template, from its creation to its deletion."""

    def __init__(self, cloud, timeout):
        self.cloud, self.timeout, self.path = cloud, timeout, None
        self.name = "locus-" + uuid.uuid4().hex[:12]

    def build(self, text, files=None, environment=None):
        """(outcome, resource, message)"""
        # Heat takes JSON for a map and text for a template that it has to read itself.
        body = {"template": text, "files": files or {}, "disable_rollback": True, "stack_name": self.name}
        if environment:
            body["environment"] = environment
        status, answer = self.cloud.heat("POST", "stacks", body)
        if status >= 300:
            away = re.search(r"[Ss]ervice \w+ is not available|endpoint is not in service catalog", answer)
            return ("unavailable" if away else "refused"), "", answer
        self.path = f"stacks/{self.name}/{answer['stack']['id']}"
        failure = self.wait("CREATE")
        deletion = self.delete()
        if failure:
            return ("failed", *failure)
        return ("deletion", *deletion) if deletion else ("created", "", "")

    def wait(self, action):
        until, state = time.time() + self.timeout, "?"
        while time.time() < until:
            status, answer = self.cloud.heat("GET", self.path)
            if status == 404:
                return None if action == "DELETE" else ("", "the stack is gone")
            if status < 300:
                state = answer["stack"]["stack_status"]
                if state == action + "_COMPLETE":
                    return None
                if state == action + "_FAILED":
                    return self.culprit(answer["stack"]["stack_status_reason"])
            time.sleep(0.25)
        return "", f"not finished after {self.timeout} s: {state}"

    def culprit(self, reason):
        """The first resource that failed by itself, innermost in nested stacks."""
        status, answer = self.cloud.heat("GET", self.path + "/resources?nested_depth=5")
        failed = [one for one in answer["resources"] if one["resource_status"].endswith("FAILED")] if status < 300 else []
        parents = {one.get("parent_resource") for one in failed}
        failed.sort(key=lambda one: ("aborted" in (one["resource_status_reason"] or ""),
                                     one["resource_name"] in parents, one["updated_time"]))
        if not failed:
            return "", plain(reason)
        return failed[0]["resource_name"], plain(failed[0]["resource_status_reason"])

    def delete(self):
        """Nothing if the stack is gone, else why not. A second attempt only clears up."""
        first = self.try_delete()
        return first if first is None or self.try_delete() is None else (first[0], first[1] + f" ({self.name} is still there)")

    def try_delete(self):
        status, answer = self.cloud.heat("DELETE", self.path)
        return ("", answer) if status >= 300 and status != 404 else self.wait("DELETE")


def named_files(path):
    """The files that a template names, under the names that it uses."""
    text = path.read_text()
    names = re.findall(r"(?:get_file:|type:)\s*['\"]?([\w./-]+)", text)
    found = {}
    for name in names:
        other = path.parent / name
        if name not in found and other.is_file():
            found[name] = other.read_text()
    return found


def build(cloud, path, timeout):
    environment = path.with_name(path.name.replace(".yaml", ".env.yaml"))
    environment = environment.read_text() if environment.is_file() else None
    return Stack(cloud, timeout).build(path.read_text(), named_files(path), environment)


def check(locus, path):
    """The codes that Locus finds, by their severity."""
    environment = path.with_name(path.name.replace(".yaml", ".env.yaml"))
    more = ["-e", environment] if environment.is_file() else []
    done = subprocess.run([locus, "check", path, *more, "--format", "json"], capture_output=True, text=True)
    found = {"error": [], "warning": []}
    for one in json.loads(done.stdout)["findings"]:
        found.setdefault(one["severity"], []).append(one["code"])
    return {severity: sorted(set(codes)) for severity, codes in found.items()}


# ---- what the examples name --------------------------------------------------------------------------------------

NETWORKS = ["inside", "blue", "green", "private", "elsewhere", "an-object"]


def furnish(args):
    """Makes what the examples of the rules name and do not define. What is there already is left as it is."""
    cloud = Cloud()

    def make(service, path, kind, body):
        root = cloud.urls[service].rstrip("/")
        status, answer, _ = cloud.ask("GET", f"{root}{path}")
        found = next((one for one in next(iter(answer.values())) if isinstance(one, dict)
                      and (one.get("name") == body["name"])), None) if status < 300 else None
        if found is None:
            status, answer, _ = cloud.ask("POST", f"{root}{path}", {kind: body})
            if status >= 300:
                print(f"{kind} {body['name']}: {status} {answer}")
                return None
            found = answer[kind]
        return found["id"]

    neutron = lambda kind, **body: make("network", f"/v2.0/{kind}s", kind, body)
    networks = {name: neutron("network", name=name) for name in NETWORKS}
    for at, name in enumerate(NETWORKS):
        neutron("subnet", name=f"{name}-subnet", network_id=networks[name], cidr=f"10.20{at}.0.0/24", ip_version=4)
    neutron("subnet", name="a-subnet", network_id=networks["inside"], cidr="10.210.0.0/24", ip_version=4)
    for name in ("a-port", "another-port"):
        neutron("port", name=name, network_id=networks["private"])
    for name in ("inside", "inside-too", "private"):
        neutron("subnet", name=name, network_id=networks["inside"], cidr=f"10.{220 + len(name)}.0.0/24", ip_version=4)
    for name in ("a-router", "one", "another"):
        neutron("router", name=name)
    make("network", "/v2.0/security-groups", "security_group", {"name": "a-group"})
    make("network", "/v2.0/qos/policies", "policy", {"name": "a-policy"})
    version = "" if "/v3" in cloud.urls["identity"] else "/v3"
    make("identity", version + "/projects", "project", {"name": "red"})
    make("identity", version + "/users", "user", {"name": "alice"})
    make("identity", version + "/domains", "domain", {"name": "other"})
    volumes = cloud.urls.get("volumev3") and {name: make("volumev3", "/volumes", "volume", {"name": name, "size": 1})
                                              for name in ("shared", "other")}
    if volumes and volumes["other"]:
        make("volumev3", "/snapshots", "snapshot", {"name": "monday", "volume_id": volumes["other"]})
    return 0


# ---- the examples of the rules ------------------------------------------------------------------------------------


def rules():
    """(code, severity, what `@openstack` says) of the rules in Alloy."""
    for file in sorted((ROOT / "rules" / "hot").glob("*.als")):
        for comment in re.findall(r"/\*\*(.*?)\*/", file.read_text(), re.S):
            text = re.sub(r"\n \*", "\n", comment)
            head = re.match(r"\s*(HOT\d+) ([\w-]+):", text)
            if head and "@native" not in text:
                tag = lambda name: (re.search(rf"@{name} ([^@]*)", text) or [None, ""])[1]
                yield head[1], tag("severity").strip() or "error", " ".join(tag("openstack").split())


def cases():
    """(code, kind, severity, what is said to happen, path)"""
    for code, severity, fate in sorted(rules()):
        for kind in ("bad", "good"):
            path = ROOT / "rules" / "hot" / "examples" / f"{code}.{kind}.yaml"
            yield code, kind, severity, fate, path
    for path in sorted((ROOT / "crates" / "hot" / "tests" / "rules").glob("HOT*.yaml")):
        code, kind, *rest = path.name.split(".")
        if kind in ("break", "near") and rest == ["yaml"]:
            yield code, kind, "", "", path


# What a good example needs and the cloud at hand may not have: other agents, an image to download, another zone.
NOT_HERE = r"Agent \S+ could not be found|does not pass filtering|availability zone is not available"
# What an example names and `furnish` did not make: the outcome says nothing of the rule.
NOT_MADE = (r"Unable to find \w+ with name or id|\(\w+\) could not be found|No Flavor matching|is not a valid UUID")


def judge(kind, severity, fate, outcome, found):
    """What is to be said of an outcome: nothing if all is well."""
    if outcome == "unavailable":
        return "service not there"
    happens = outcome in ("refused", "failed", "deletion")
    if kind in ("good", "near"):
        return "differs" if happens and kind == "good" else ""
    if happens:
        return "" if "error" not in found or found["error"] or found["warning"] else "differs"
    if severity in ("warning", "note"):
        return "a warning"
    return "explained" if fate.startswith("nothing") or "," in fate else "differs"


def examples(args):
    cloud = Cloud()
    wanted = [case for case in cases() if not args.only or case[0] in args.only]

    # Two stacks cannot have the same physical network or name at the same time.
    alone = threading.Lock()

    def run(case):
        shares = re.search(r"physical_network|^ +name: ", case[4].read_text(), re.M)
        with alone if shares else contextlib.nullcontext():
            began = time.time()
            return case, build(cloud, case[4], args.timeout), time.time() - began, check(args.locus, case[4])

    rows = []
    with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        for case, (outcome, resource, message), seconds, found in pool.map(run, wanted):
            code, kind, severity, fate, path = case
            verdict = judge(kind, severity, fate, outcome, found)
            if kind == "good" and re.search(NOT_HERE, message):
                verdict = "not in this cloud"
            if kind in ("bad", "good") and re.search(NOT_MADE, message):
                verdict = "names what is not there"
            rows.append([code, kind, " ".join(found["error"] + found["warning"]), outcome, verdict,
                         resource, message[:200]])
            print(f"{code} {kind:5} {outcome:11} {verdict:17} {seconds:5.1f} s  {message[:160]}", flush=True)
    if not args.only:
        with open(HERE / "hot_services.csv", "w", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["rule", "example", "found by locus", "in the services", "comparison", "resource", "message"])
            table.writerows(rows)
    differs = [row for row in rows if row[4] == "differs"]
    print(f"\n{len(rows)} examples, {len(differs)} differ")
    for row in differs:
        print("  ", *row)
    return 1 if differs else 0


def probe(args):
    cloud = Cloud()
    paths = [path for name in args.templates for path in ([pathlib.Path(name)] if not pathlib.Path(name).is_dir()
             else sorted(pathlib.Path(name).glob("*.yaml"))) if not path.name.endswith(".env.yaml")]
    with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        for path, (outcome, resource, message) in zip(paths, pool.map(lambda path: build(cloud, path, args.timeout), paths)):
            found = check(args.locus, path) if args.locus.exists() else {"error": ["?"], "warning": []}
            print(f"{path.stem:32} {outcome:11} {' '.join(found['error']) or '-':16} "
                  f"{' '.join(found['warning']) or '-':10} {resource} {message[:300]}", flush=True)
    return 0


# ---- mutants ------------------------------------------------------------------------------------------------------


def usable(text):
    """The template, if it can be changed and needs nothing but the cloud."""
    import yaml
    try:
        template = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return None
    resources = template.get("resources") if isinstance(template, dict) else None
    if not isinstance(resources, dict) or not 0 < len(resources) <= 12:
        return None
    if any(not isinstance(one, dict) or str(one.get("type")).endswith((".yaml", ".template")) for one in resources.values()):
        return None
    return template


# Values of parameters, by the constraint that they must satisfy or, without one, by their name. The cloud has these.
THERE = [
    ("glance.image", r"image", "cirros"),
    ("nova.flavor", r"flavor|instance_type", "m1.small"),
    ("nova.keypair", r"key", "default"),
    ("neutron.subnet", r"subnet", "private-subnet"),
    ("neutron.network", r"(public|ext|float).*(net|pool)|(net|pool).*(public|ext|float)", "public"),
    ("neutron.network", r"net(work)?(_?(id|name))?$", "private"),
]


def furnished(template):
    """Gives parameters that have no default, or that name something of a cloud, a default that this cloud accepts."""
    parameters = template.get("parameters")
    for name, one in parameters.items() if isinstance(parameters, dict) else ():
        if not isinstance(one, dict):
            continue
        constraints = [each for each in one.get("constraints") or () if isinstance(each, dict)]
        custom = {each.get("custom_constraint") for each in constraints} - {None}
        there = [value for constraint, pattern, value in THERE if constraint in custom and re.search(pattern, name, re.I)]
        there += [value for constraint, _, value in THERE if constraint in custom]
        if not custom:
            there += [value for _, pattern, value in THERE if one.get("type") == "string" and re.search(pattern, name, re.I)]
        allowed = [value for each in constraints for value in each.get("allowed_values") or ()]
        if there and not allowed:
            one["default"] = there[0]
        elif "default" not in one:
            least = [each["range"].get("min") for each in constraints if isinstance(each.get("range"), dict)]
            length = [each["length"].get("min") for each in constraints if isinstance(each.get("length"), dict)]
            by_type = {"number": next((value for value in least if value), 1), "boolean": True, "json": {},
                       "comma_delimited_list": "one,two"}
            one["default"] = allowed[0] if allowed else by_type.get(one.get("type"), "text".ljust(max(length, default=0) or 0, "x"))
    return template


def mutants(args):
    """Builds mutants of templates that the services and Locus accept, until there are `--count`."""
    sys.path.append(str(HERE))
    import hot_mutants
    import yaml

    rng = random.Random(args.seed)
    cloud = Cloud()
    files = list(hot_mutants.candidates(args.templates))
    rng.shuffle(files)
    rows, misses, alarms, used = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        folder = pathlib.Path(folder)

        def run(job):
            kind, path = job
            return kind, path, check(args.locus, path)["error"], build(cloud, path, args.timeout)

        for path, text in files:
            if len(rows) >= args.count:
                break
            template = usable(text)
            original = folder / "original.yaml"
            if template is None:
                continue
            furnished(template)
            original.write_text(yaml.safe_dump(template, sort_keys=False))
            if check(args.locus, original)["error"] or build(cloud, original, args.timeout)[0] != "created":
                continue
            used += 1
            jobs = []
            for number, (kind, mutant) in enumerate(hot_mutants.mutants(rng, template, args.each)):
                file = folder / f"{used}-{number}.yaml"
                file.write_text(yaml.safe_dump(mutant, sort_keys=False))
                jobs.append((kind, file))
            for kind, file, errors, (outcome, resource, message) in pool.map(run, jobs):
                if outcome == "unavailable":
                    continue
                rows.append((kind, outcome, bool(errors)))
                if bool(errors) != (outcome != "created"):
                    (misses if not errors else alarms).append((path, kind, outcome, errors, resource, message))
                    if args.keep:
                        args.keep.mkdir(exist_ok=True)
                        (args.keep / f"{'miss' if not errors else 'alarm'}-{len(misses) + len(alarms)}-{path.name}").write_text(
                            f"# {path}: {kind}: {outcome} {resource} {message} {errors}\n" + file.read_text())
            print(f"{used} templates, {len(rows)} mutants, {len(misses)} missed, {len(alarms)} by Locus alone", flush=True)
    table(rows, misses, alarms)
    return 0


def table(rows, misses, alarms):
    print("| change | mutants | refused | fail when built | fail when deleted | found | share |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for kind in [*dict.fromkeys(row[0] for row in rows), "all"]:
        some = [row for row in rows if kind in (row[0], "all")]
        bad = [row for row in some if row[1] != "created"]
        found = sum(row[2] for row in bad)
        count = lambda outcome: sum(row[1] == outcome for row in some)
        share = f"{100 * found / len(bad):.1f} %" if bad else "–"
        print(f"| {kind} | {len(some)} | {count('refused')} | {count('failed')} | {count('deletion')} | {found} | {share} |")
    for name, some in (("Missed", misses), ("Found by Locus alone", alarms)):
        print(f"\n# {name}")
        for path, kind, outcome, errors, resource, message in some:
            print(f"{path}: {kind}: {outcome} {' '.join(errors)} {resource} {message[:200]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--locus", type=pathlib.Path, default=ROOT / "target" / "release" / "locus")
    parser.add_argument("--start", help="a command that starts the services")
    parser.add_argument("--openrc", type=pathlib.Path, help="a file with the variables of the cloud")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each stage")
    parser.add_argument("--parallel", type=int, default=4, help="stacks at a time")
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("examples")
    one.add_argument("only", nargs="*", help="only these rules")
    one.set_defaults(run=examples)
    one = kinds.add_parser("mutants")
    one.add_argument("templates", nargs="+")
    one.add_argument("--count", type=int, default=1000)
    one.add_argument("--each", type=int, default=2, help="mutants of each kind for each template")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--keep", type=pathlib.Path, help="a folder for the mutants about which they differ")
    one.set_defaults(run=mutants)
    one = kinds.add_parser("furnish")
    one.set_defaults(run=furnish)
    one = kinds.add_parser("probe")
    one.add_argument("templates", nargs="+")
    one.set_defaults(run=probe)
    args = parser.parse_args()
    if args.start:
        subprocess.run(args.start, shell=True, check=True)
    if args.openrc:
        os.environ.update(re.findall(r"export (\w+)=(\S+)", args.openrc.read_text()))
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
