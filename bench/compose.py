#!/usr/bin/env python3
"""Docker Compose and Locus side by side: verdicts and canonical forms, times, and mutants.

    cargo build --release -p locus-cli
    python3 bench/compose.py corpus  --compose docker-compose FOLDER …
    python3 bench/compose.py merges  --compose docker-compose FOLDER …
    python3 bench/compose.py mutants --compose docker-compose [--dclint dclint] [--compose1 docker-compose] FOLDER …
    python3 bench/compose.py times   --compose docker-compose

`docker-compose` is the program of Docker Compose 2.40.3 (in Debian's package `docker-compose` of forky; it needs no
engine for `config`). Every YAML file in the folders with a key at the top that Compose knows is given to both, alone, in
its folder, with an environment of only PATH, HOME and PWD.

`corpus` compares `docker compose config --format json` with `locus compose config --format json`, as data, and says for
each folder how often both are equal, both refuse, or they differ, and then on which files and where. `merges` does the
same for every pair of files in one folder, given with `-f A -f B`.

`mutants` breaks files that both accept, in ways that Docker would refuse or that make the project not work, and counts
how many of each kind `docker compose config`, dclint and `locus check` find: a mutant is found if there is a finding at
the level of errors or warnings that the unbroken file does not have. What Locus misses is listed, with the peers that
find it.

`times` measures whole processes on generated files of 20 and of 10,000 services, the best of several runs.
"""

import argparse
import collections
import copy
import functools
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ENVIRONMENT = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
KEYS = re.compile(rb"^(services|include|networks|volumes|secrets|configs)\s*:", re.MULTILINE)


def compose_files(folder):
    for path in sorted(pathlib.Path(folder).resolve().rglob("*")):
        if path.suffix in (".yaml", ".yml") and path.is_file() and ".git" not in path.parts:
            if KEYS.search(path.read_bytes()):
                yield path


def run(command, folder, timeout=900):
    ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=timeout, check=False,
                         env={**ENVIRONMENT, "PWD": str(folder)})
    return ran.returncode, ran.stdout, ran.stderr


def differences(theirs, ours, path=""):
    """Where two pieces of data differ."""
    if theirs == ours:
        return
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(set(theirs) | set(ours)):
            yield from differences(theirs.get(key, "(absent)"), ours.get(key, "(absent)"), f"{path}.{key}")
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for at, (one, other) in enumerate(zip(theirs, ours)):
            yield from differences(one, other, f"{path}[{at}]")
    else:
        yield f"{path}: Compose has {json.dumps(theirs)[:120]}, Locus {json.dumps(ours)[:120]}"


def alone(folder):
    """Each file by itself."""
    return [[path] for path in compose_files(folder)]


def merged(folder):
    """Each pair of files that are in one folder, in both orders."""
    beside = collections.defaultdict(list)
    for path in compose_files(folder):
        beside[path.parent].append(path)
    return [list(pair) for paths in beside.values() for pair in itertools.permutations(paths, 2)]


def corpus(options, cases=alone):
    failed = False
    for folder in options.folders:
        counts, notes = collections.Counter(), []
        for paths in cases(folder)[::options.every]:
            path = " + ".join(map(str, paths))
            theirs = run([options.compose, *(word for one in paths for word in ("-f", str(one))), "config",
                          "--format", "json"], paths[0].parent)
            ours = run([options.locus, "compose", "config", "-q", "--format", "json", *map(str, paths)], paths[0].parent)
            if theirs[0] == 0 and ours[0] == 0:
                found = list(differences(json.loads(theirs[1]), json.loads(ours[1])))
                counts["differ" if found else "equal"] += 1
                notes += [f"  {path}", *(f"    {line}" for line in found)] if found else []
            elif theirs[0] != 0 and ours[0] != 0:
                counts["both refuse"] += 1
            elif theirs[0] == 0:
                counts["only Locus refuses"] += 1
                notes += [f"  {path}: Locus refuses", "    " + "\n    ".join(ours[2].splitlines()[:6])]
            else:
                counts["only Compose refuses"] += 1
                notes.append(f"  {path}: Compose refuses: {theirs[2].strip().splitlines()[-1:]}")
        failed |= bool(notes)
        shown = ", ".join(f"{counts[what]} {what}" for what in
                          ("equal", "both refuse", "differ", "only Locus refuses", "only Compose refuses"))
        print(f"{folder}: {sum(counts.values())} cases: {shown}", flush=True)
        print("\n".join(notes), end="\n" if notes else "")
    sys.exit(failed)


# Mutants: each takes the canonical form of a project and gives what is then wrong, or None.

def services(project):
    return sorted(project["services"].items())


def same_port(project):
    ports = [(name, port) for name, service in services(project) for port in service.get("ports", [])
             if re.fullmatch(r"\d+", port.get("published", ""))]
    others = [name for name, service in services(project) if ports and name != ports[0][0] and "network_mode" not in service]
    if not others:
        return False
    project["services"][others[0]].setdefault("ports", []).append(
        {"target": 9, "published": ports[0][1]["published"], "protocol": ports[0][1]["protocol"]})
    return True


def replicas(project):
    for _, service in services(project):
        if "container_name" not in service and any(
                re.fullmatch(r"\d+", port.get("published", "")) for port in service.get("ports", [])):
            service["deploy"] = {"replicas": 2}
            return True
    return False


def healthy(project):
    for _, service in services(project):
        for target, dependency in service.get("depends_on", {}).items():
            project["services"][target].pop("healthcheck", None)
            dependency["condition"] = "service_healthy"
            return True
    return False


def completed(project):
    for _, service in services(project):
        for target, dependency in service.get("depends_on", {}).items():
            project["services"][target]["restart"] = "always"
            dependency["condition"] = "service_completed_successfully"
            return True
    return False


def cycle(project):
    for name, service in services(project):
        for target in service.get("depends_on", {}):
            project["services"][target].setdefault("depends_on", {})[name] = {"condition": "service_started"}
            return True
    return False


def misspelt_dependency(project):
    for _, service in services(project):
        for target in list(service.get("depends_on", {})):
            service["depends_on"][target + "x"] = service["depends_on"].pop(target)
            return True
    return False


def misspelt_key(project):
    for _, service in services(project):
        for key in ("environment", "volumes", "depends_on"):
            if key in service:
                service[key + "s"] = service.pop(key)
                return True
    return False


def dropped_volume(project):
    used = [mount["source"] for _, service in services(project) for mount in service.get("volumes", [])
            if mount["type"] == "volume" and "source" in mount]
    return bool(used) and project["volumes"].pop(used[0], None) is not None


def dropped_network(project):
    names = [name for name in project.get("networks", {}) if name != "default"]
    return bool(names) and project["networks"].pop(names[0]) is not None


def outside_subnet(project):
    for _, service in services(project):
        if set(service.get("networks", {})) == {"default"}:
            service["networks"] = {"default": {"ipv4_address": "10.99.1.7"}}
            project["networks"]["default"] = {"ipam": {"config": [{"subnet": "10.99.0.0/24"}]}}
            return True
    return False


def overlapping_pools(project):
    name, service = services(project)[0]
    if "network_mode" in service:
        return False
    for network, subnet in (("m1", "10.98.0.0/16"), ("m2", "10.98.7.0/24")):
        service.setdefault("networks", {})[network] = None
        project.setdefault("networks", {})[network] = {"ipam": {"config": [{"subnet": subnet}]}}
    return True


def no_common_network(project):
    for name, service in services(project):
        for other, _ in services(project):
            text = json.dumps(service.get("environment", {}))
            if other != name and re.search(rf"//(\w+(:\w+)?@)?{re.escape(other)}[:/\"]", text) and "network_mode" not in service:
                service["networks"] = {"alone": None}
                project.setdefault("networks", {})["alone"] = None
                return True
    return False


def missing_context(project):
    for _, service in services(project):
        if "build" in service:
            service.pop("image", None)
            service["build"] = {"context": "./moved"}
            return True
    return False


def missing_secret(project):
    name, service = services(project)[0]
    service.setdefault("secrets", []).append({"source": "mutant"})
    project.setdefault("secrets", {})["mutant"] = {"file": "./not-there.txt"}
    return True


def reservation(project):
    _, service = services(project)[0]
    service["deploy"] = {"resources": {"limits": {"memory": "64M"}, "reservations": {"memory": "1G"}}}
    return "mem_limit" not in service


def same_container(project):
    names = [name for name, service in services(project) if "deploy" not in service and "scale" not in service]
    for name in names[:2]:
        project["services"][name]["container_name"] = "mutant"
    return len(names) >= 2


def unset_variable(project):
    _, service = services(project)[0]
    service.setdefault("environment", {})["MUTANT"] = "${MUTANT_UNSET}"
    return True


def shadowing_alias(project):
    names = [name for name, service in services(project) if "default" in service.get("networks", {})]
    if len(names) < 2:
        return False
    project["services"][names[0]]["networks"]["default"] = {"aliases": [names[1]]}
    return True


def moved_port(project):
    """The port of the container in a URL becomes the one on the host."""
    for name, service in services(project):
        for other, target in services(project):
            for port in target.get("ports", []):
                published = port.get("published", "")
                if other == name or not published.isdigit() or int(published) == port["target"]:
                    continue
                if any(p["target"] == int(published) for p in target["ports"]):
                    continue
                service.setdefault("environment", {})["MUTANT_URL"] = f"http://{other}:{published}/"
                for one in (service, target):
                    if "network_mode" in one:
                        return False
                    one.setdefault("networks", {})["shared"] = None
                project.setdefault("networks", {})["shared"] = None
                return True
    return False


def misspelt_host(project):
    for name, service in services(project):
        for other, target in services(project):
            if other != name and len(other) >= 4 and "network_mode" not in service and "network_mode" not in target:
                slip = other[0] + other[2] + other[1] + other[3:]
                if slip == other or slip in project["services"]:
                    continue
                service.setdefault("environment", {})["MUTANT_URL"] = f"http://{slip}:80/"
                return True
    return False


def localhost(project):
    for name, service in services(project):
        for other, target in services(project):
            ports = [port["target"] for port in target.get("ports", [])]
            own = [port["target"] for port in service.get("ports", [])]
            published = {port.get("published") for _, one in services(project) for port in one.get("ports", [])}
            if other == name or "network_mode" in service or "network_mode" in target:
                continue
            for port in ports:
                if port not in own and str(port) not in published:
                    service.setdefault("environment", {})["MUTANT_URL"] = f"http://localhost:{port}/"
                    return True
    return False


def twice_address(project):
    names = [name for name, service in services(project) if set(service.get("networks", {})) == {"default"}]
    for name in names[:2]:
        project["services"][name]["networks"] = {"default": {"ipv4_address": "10.99.0.7"}}
    project.setdefault("networks", {})["default"] = {"ipam": {"config": [{"subnet": "10.99.0.0/24"}]}}
    return len(names) >= 2


def address_of_gateway(project):
    for _, service in services(project):
        if set(service.get("networks", {})) == {"default"}:
            service["networks"] = {"default": {"ipv4_address": "10.99.0.1"}}
            project["networks"]["default"] = {"ipam": {"config": [{"subnet": "10.99.0.0/24"}]}}
            return True
    return False


def same_target(project):
    for _, service in services(project):
        for mount in service.get("volumes", []):
            service["tmpfs"] = [mount["target"]]
            return True
    return False


def lost_profile(project):
    for _, service in services(project):
        for target in service.get("depends_on", {}):
            project["services"][target]["profiles"] = ["mutant"]
            return True
    return False


def small_range(project):
    for _, service in services(project):
        if "container_name" not in service and "network_mode" not in service:
            service["ports"] = [{"target": 80, "published": "28080-28081", "protocol": "tcp"}]
            service["deploy"] = {"replicas": 3}
            return "scale" not in service
    return False


def number_in_environment(project):
    """Written by hand below, since JSON has no such number."""
    _, service = services(project)[0]
    service.setdefault("environment", {})["MUTANT"] = Bare("3.10")
    return True


class Bare(str):
    """A text that is written without quotes."""


def short_port(port):
    host = port.get("host_ip", "")
    published = (f"[{host}]:" if ":" in host else host and f"{host}:") + (f"{port['published']}:" if "published" in port else "")
    return f"{published}{port['target']}/{port['protocol']}"


def short_mount(mount):
    if mount["type"] != "bind" or set(mount.get("bind", {})) - {"create_host_path"}:
        return mount
    return f"{mount['source']}:{mount['target']}" + ":ro" * bool(mount.get("read_only"))


def written(project):
    """In a form that Compose 1.29 can read too, as far as there is one."""
    project = copy.deepcopy(project)
    project.pop("name", None)
    for service in project["services"].values():
        for dependency in service.get("depends_on", {}).values():
            dependency.pop("required", None)
        if "ports" in service:
            service["ports"] = [short_port(port) for port in service["ports"]]
        if "volumes" in service:
            service["volumes"] = [short_mount(mount) for mount in service["volumes"]]
    for section in ("networks", "volumes"):
        for resource in project.get(section, {}).values():
            if resource and resource.get("ipam") == {}:
                del resource["ipam"]
            if resource and resource.get("external"):
                resource["external"] = {"name": resource.pop("name")} if "name" in resource else True
    text = json.dumps(project)
    return re.sub(r'"MUTANT": "3\.10"', '"MUTANT": 3.10', text)


MUTATIONS = [same_port, replicas, healthy, completed, cycle, misspelt_dependency, misspelt_key, dropped_volume,
             dropped_network, outside_subnet, overlapping_pools, no_common_network, missing_context, missing_secret,
             reservation, same_container, unset_variable, shadowing_alias, moved_port, misspelt_host, localhost,
             twice_address, address_of_gateway, same_target, lost_profile, small_range, number_in_environment]


def by_compose(options, path):
    code, _, errors = run([options.compose, "-f", str(path), "config", "-q"], path.parent)
    return {"refused"} if code else set(re.findall(r'The \\"(\w+)\\" variable is not set', errors))


def by_locus(options, path):
    _, out, _ = run([options.locus, "check", "--language", "compose", "--format", "json", str(path)], path.parent)
    findings = json.loads(out)["findings"] if out.startswith("{") else []
    return {(finding["code"], finding["message"]) for finding in findings if finding["severity"] != "note"}


# What `docker-compose config -q` of 1.29 does, for many files in one process: it starts slowly.
COMPOSE1 = """
import json, logging, os, sys
from compose.config import config
from compose.config.environment import Environment
said = []
class Keep(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())
logging.getLogger().addHandler(Keep())
found = {}
for path in json.load(sys.stdin):
    del said[:]
    folder = os.path.dirname(path)
    os.chdir(folder)
    environment = Environment.from_env_file(folder)
    try:
        config.load(config.find(folder, [path], environment))
        found[path] = list(said)
    except Exception as error:
        found[path] = ["refused"]
json.dump(found, sys.stdout)
"""


def by_compose1(options, paths):
    """By path."""
    python = pathlib.Path(options.compose1).read_text().splitlines()[0].removeprefix("#!")
    ran = subprocess.run([python, "-c", COMPOSE1], input=json.dumps([str(path) for path in paths]), capture_output=True,
                         text=True, check=True, env=ENVIRONMENT)
    variable = re.compile(r"The (\w+) variable is not set")
    return {pathlib.Path(path): {"refused"} if said == ["refused"] else set(variable.findall("\n".join(said)))
            for path, said in json.loads(ran.stdout).items()}


def by_dclint(options, folder):
    """dclint starts slowly, so it is given all files at once; by path."""
    # It does not wait until a pipe has taken all of its output, so it writes to a file.
    out = folder / "dclint.json"
    run([options.dclint, "--recursive", "--formatter", "json", "--output-file", str(out), str(folder)], folder, timeout=1800)
    said = collections.defaultdict(set)
    for report in json.loads(out.read_text()):
        said[pathlib.Path(report["filePath"]).resolve()] = {
            (message["rule"], message["message"]) for message in report["messages"]}
    return said


def plain(out):
    """The canonical form, to be read again."""
    project = json.loads(out.replace("$$", "$$$$"))
    for service in project["services"].values():
        for key in ("command", "entrypoint"):
            if service.get(key, 0) is None:
                del service[key]
    return project


def mutants(options):
    tools = ["compose", "locus"] + ["compose1"] * bool(options.compose1) + ["dclint"] * bool(options.dclint)
    by = {"compose": by_compose, "locus": by_locus}
    made, found, missed = collections.Counter(), collections.defaultdict(collections.Counter), []
    refused = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        scratch, files, paths = pathlib.Path(scratch).resolve(), [], []
        for folder in options.folders:
            taken = list(compose_files(folder))[::options.every]
            for path in taken:
                code, out, _ = run([options.compose, "-f", str(path), "config", "--format", "json"], path.parent)
                if code == 0 and json.loads(out).get("services"):
                    files.append((path, plain(out)))
        for number, (_, project) in enumerate(files):
            for mutate in [None, *MUTATIONS]:
                changed = copy.deepcopy(project)
                if mutate and not mutate(changed):
                    continue
                target = scratch / f"{number}-{mutate.__name__ if mutate else 'original'}" / "compose.yaml"
                target.parent.mkdir()
                target.write_text(written(changed))
                paths.append((number, mutate, target))
        at_once = {}
        if options.dclint:
            at_once["dclint"] = by_dclint(options, scratch)
        if options.compose1:
            at_once["compose1"] = by_compose1(options, [target for _, _, target in paths])
        before = {}
        for number, mutate, target in paths:
            said = {tool: at_once[tool][target] if tool in at_once else by[tool](options, target) for tool in tools}
            if mutate is None:
                before = said
                refused.update(tool for tool in tools if "refused" in said[tool])
                continue
            made[mutate.__name__] += 1
            for tool in tools:
                # What a tool refuses already cannot become worse.
                found[tool][mutate.__name__] += bool(said[tool] - before[tool])
            finders = [tool for tool in tools if said[tool] - before[tool]]
            if "locus" not in finders:
                missed.append(f"- {mutate.__name__} of {files[number][0]}: {', '.join(finders) or 'nobody'}")
    print("| mutation | mutants | " + " | ".join(tools) + " |")
    print("| --- | ---: |" + " ---: |" * len(tools))
    for mutate in MUTATIONS:
        name = mutate.__name__
        print(f"| {name.replace('_', ' ')} | {made[name]} | " + " | ".join(str(found[t][name]) for t in tools) + " |")
    print(f"| all | {sum(made.values())} | " + " | ".join(str(sum(found[tool].values())) for tool in tools) + " |")
    print(f"\n{len(files)} files; refused before they were broken, so that nothing can be found: {dict(refused)}")
    print("\n".join(["", "Missed by Locus, and who finds it:", "", *(missed or ["none"])]))


def generated(count):
    lines = ["services:"]
    for number in range(count):
        lines += [f"  s{number}:", "    image: nginx:1.27", "    ports:", f'      - "{20000 + number}:80"',
                  "    environment:", f"      NEXT: http://s{(number + 1) % count}:80/", "      LEVEL: info",
                  "    volumes:", f"      - data{number % 10}:/data", "    networks: [front]"]
        if number:
            lines += ["    depends_on:", f"      - s{number // 2}"]
    lines += ["networks:", "  front:", "volumes:"] + [f"  data{number}:" for number in range(min(10, count))]
    return "\n".join(lines) + "\n"


def times(options):
    print("| services | docker compose config -q | locus compose config | locus check |")
    print("| ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "compose.yaml"
        for count, runs in ((20, 20), (10_000, 3)):
            path.write_text(generated(count))
            best = []
            for command in ([options.compose, "-f", str(path), "config", "-q"],
                            [options.locus, "compose", "config", str(path)],
                            [options.locus, "check", "--language", "compose", str(path)]):
                taken = []
                for _ in range(runs):
                    start = time.perf_counter()
                    run(command, path.parent)
                    taken.append(time.perf_counter() - start)
                best.append(min(taken))
            print(f"| {count} | " + " | ".join(f"{seconds * 1000:.1f} ms" for seconds in best) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["corpus", "merges", "mutants", "times"])
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--compose", required=True)
    parser.add_argument("--locus", default=str(pathlib.Path(__file__).resolve().parents[1] / "target/release/locus"))
    parser.add_argument("--dclint")
    parser.add_argument("--compose1", help="docker-compose 1.29")
    parser.add_argument("--every", type=int, default=1, help="take only every so many files, or pairs of files")
    options = parser.parse_intermixed_args()
    merges = functools.partial(corpus, cases=merged)
    {"corpus": corpus, "merges": merges, "mutants": mutants, "times": times}[options.what](options)


main()
