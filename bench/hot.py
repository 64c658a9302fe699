#!/usr/bin/env python3
"""How long `locus check` takes for Heat templates, beside Heat's own validation, in one run.

    cargo build --release -p locus-cli
    python3 bench/hot.py --heat heatenv/bin/python

(`bench/heat_validate.py` says how Heat is installed.) Measured are the two machines of the report's section 7.3.2 and
generated templates: racks of a network, a subnet, a router with its interface, and machines with a port each. Of Locus
the whole process is measured, from its start to its end: the time on the wall, the time of the processor, and the most
memory that it had; the median of several runs. Of Heat, the time of the processor for what the engine does once it runs is
measured: reading the template and checking it as before the creation of a stack; starting the engine comes on top, once.
The report's own tool took 22 s to translate the two machines and 3.9 s to solve them.

The last column is how many times more of the processor Heat takes. The run fails where Locus misses a target: 10 ms for two machines,
1 s and 300 MB for 10,000 resources, 10 s for 100,000, and near linear from the one to the other; and 0.3 ms on the wall, as for the
others, for each of 300 small templates of one call beyond the first, of 32 different sets of types.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TWO = HERE.parent / "crates/hot/tests/templates/two-vms.yaml"


def generate(count):
    """A template with this many resources: racks with 98 machines and their ports."""
    lines = ["heat_template_version: 2018-08-31", "resources:"]
    made, rack = 0, 0

    def add(name, kind, *properties):
        nonlocal made
        if made < count:
            made += 1
            lines.append(f"  {name}:\n    type: OS::{kind}")
            if properties:
                lines.append("    properties:")
            lines.extend(f"      {one}" for one in properties)

    while made < count:
        a, b = divmod(rack, 256)
        add(f"net{rack}", "Neutron::Net")
        add(f"subnet{rack}", "Neutron::Subnet", f"network: {{ get_resource: net{rack} }}", f"cidr: 10.{a}.{b}.0/24")
        add(f"router{rack}", "Neutron::Router", "external_gateway_info: { network: public }")
        add(f"interface{rack}", "Neutron::RouterInterface", f"router: {{ get_resource: router{rack} }}", f"subnet: {{ get_resource: subnet{rack} }}")
        for i in range(98):
            port = f"port{rack}_{i}"
            add(
                port,
                "Neutron::Port",
                f"network: {{ get_resource: net{rack} }}",
                f"fixed_ips: [ {{ subnet: {{ get_resource: subnet{rack} }}, ip_address: 10.{a}.{b}.{i + 10} }} ]",
            )
            add(
                f"server{rack}_{i}",
                "Nova::Server",
                "image: ubuntu",
                "flavor: small",
                f"networks: [ {{ port: {{ get_resource: {port} }} }} ]",
            )
        rack += 1
    return "\n".join(lines) + "\n"


def write(count, path):
    path.write_text(generate(count))


# What small templates are made of: some of these each, so that not all use the same types.
PIECES = [
    "  keys:\n    type: OS::Nova::KeyPair\n    properties: { name: keys-NUMBER, public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5Q3r8l0m5oLk0m9b1m2cG7hQm7fJk3Yp0Zt8xV4aKd }",
    "  disk:\n    type: OS::Cinder::Volume\n    properties: { size: NUMBER }",
    "  rules:\n    type: OS::Neutron::SecurityGroup\n    properties: { rules: [ { protocol: tcp, port_range_min: 22, port_range_max: 22 } ] }",
    "  word:\n    type: OS::Heat::RandomString\n    properties: { length: 12 }",
    "  group:\n    type: OS::Nova::ServerGroup\n    properties: { policies: [ anti-affinity ] }",
]


def small(number):
    """One of many small templates: a network with a machine, and some more things, depending on the number."""
    lines = generate(6).rstrip("\n").splitlines()
    lines += [piece.replace("NUMBER", str(number + 1)) for at, piece in enumerate(PIECES) if number >> at & 1]
    return "\n".join(lines) + "\n"


def many(locus, folder, count):
    """Milliseconds of the processor, and on the wall, for each template of a folder beyond the first, in one run; and megabytes.

    The kernel tells when a template is done no better than a run with one and a run with all do."""
    alone, whole = folder / "alone", folder / "whole"
    for place, numbers in [(alone, range(count - 1, count)), (whole, range(count))]:
        place.mkdir()
        for number in numbers:
            (place / f"stack{number}.yaml").write_text(small(number))
    first, all_ = (median(locus, place, 5) for place in (alone, whole))
    each, wall = ((all_[column] - first[column]) / (count - 1) * 1000 for column in (1, 0))
    return each, wall, all_[2]


def run(locus, path):
    """Seconds from start to end, seconds of the processor, megabytes, and the exit code.

    The kernel counts what this program had when it started the other, so less than that cannot be seen."""
    began = time.perf_counter()
    process = subprocess.Popen([locus, "check", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode


def median(locus, path, times):
    runs = [run(locus, path) for _ in range(times)]
    if any(one[3] != 0 for one in runs):
        sys.exit(f"{path}: locus does not accept it")
    return [statistics.median(column) for column in list(zip(*runs))[:3]]


def ask_heat(python, paths):
    """For each path the seconds of the engine; and how long it took to start."""
    jobs = "".join(json.dumps({"template": str(path), "mode": "create"}) + "\n" for path in paths)
    command = [python, HERE / "heat_validate.py"]
    ran = subprocess.run(command, input=jobs.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    first, *answers = map(json.loads, ran.stdout.splitlines())
    for answer in answers:
        if answer["create"]:
            sys.exit(f"{answer['template']}: Heat does not accept it: {answer['create']}")
    return [one["create_seconds"] for one in answers], first["started_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--heat", help="the Python in whose environment Heat is; without it, only Locus is measured")
    parser.add_argument("--locus", default=HERE.parent / "target/release/locus")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000, 100_000])
    parser.add_argument("--heat-most", type=int, default=100, help="the largest size that Heat is asked for; its time grows with the square")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        templates = [("two machines", 13, TWO)]
        for size in options.sizes:
            path = pathlib.Path(folder) / f"{size}.yaml"
            # In a process of its own: what this one ever had counts as memory of the processes that it starts.
            maker = multiprocessing.Process(target=write, args=(size, path))
            maker.start()
            maker.join()
            templates.append((f"{size:,} resources", size, path))
        asked = [one for one in templates if options.heat and one[1] <= options.heat_most]
        # The first template is asked twice, since the engine reads its plug-ins when it first needs them.
        seconds, started = ask_heat(options.heat, [TWO, *(one[2] for one in asked)]) if asked else ([], None)
        heat = dict(zip((one[0] for one in asked), seconds[1:]))
        print("| template | wall | processor | memory | Heat's processor | times |\n| --- | ---: | ---: | ---: | ---: | ---: |")
        walls, failed = {}, []
        for name, size, path in templates:
            wall, processor, memory = median(options.locus, path, 31 if size < 100 else 3 if size <= 10_000 else 1)
            walls[size] = processor
            peer = heat.get(name)
            cells = [f"{wall * 1000:.1f} ms", f"{processor * 1000:.1f} ms", f"{memory:.0f} MB"]
            cells += [f"{peer * 1000:.0f} ms", f"{peer / processor:.0f}"] if peer else ["–", "–"]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
            limit = {13: 0.010, 10_000: 1, 100_000: 10}.get(size)
            if limit and wall > limit or size == 10_000 and memory > 300:
                failed.append(name)
        count = 300
        each, wall, memory = many(options.locus, pathlib.Path(folder), count)
        print(
            f"\n{count} small templates in one call: {each:.2f} ms of the processor for each beyond the first, "
            f"{wall:.2f} ms on the wall, {memory:.0f} MB."
        )
        if wall > 0.3:
            failed.append(f"{count} templates")
    if started:
        print(f"\nStarting Heat's engine takes {started:.1f} s of the processor.")
    if 10_000 in walls and 100_000 in walls:
        print(f"From 10,000 to 100,000 resources: {walls[100_000] / walls[10_000]:.1f} times the time.")
    sys.exit(f"over the target: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
