#!/usr/bin/env python3
"""How long `locus plan` takes as a whole command, on large inputs that are made here.

    python3 bench/plan_speed.py --locus target/release/locus

Zephyrus's table has 30,301 components and 90,300 bindings without placement in 3.0 s; the document of that size here has 30,000
applications, each bound to three of 300 databases, which are bound to one master. The other goals are those of docs/plan.md.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import tempfile
import time


def zephyrus():
    def kind(**on):
        return {"states": {"off": {"to": "on"}, "on": on}}

    types = {
        "app": kind(requires={"db": 3}),
        "database": kind(requires={"master": 1}, provides={"db": 300}),
        "master": kind(provides={"master": "unlimited"}),
    }
    return {"aeolus": 1, "types": types, "want": "app@on = 30000"}


def hot(resources):
    made = {}
    for n in range(resources // 4):
        made[f"net{n}"] = {"type": "OS::Neutron::Net"}
        made[f"subnet{n}"] = {"type": "OS::Neutron::Subnet", "properties": {"network": {"get_resource": f"net{n}"}, "cidr": "10.0.0.0/24"}}
        made[f"port{n}"] = {"type": "OS::Neutron::Port", "properties": {"network": {"get_resource": f"net{n}"}, "fixed_ips": [{"subnet": {"get_resource": f"subnet{n}"}}]}}
        made[f"server{n}"] = {"type": "OS::Nova::Server", "properties": {"flavor": "m1.small", "image": "cirros", "networks": [{"port": {"get_resource": f"port{n}"}}]}}
    return {"heat_template_version": "2021-04-16", "resources": made}


def one_network(resources):
    made = {"net": {"type": "OS::Neutron::Net"}}
    for n in range(resources // 3):
        made[f"subnet{n}"] = {"type": "OS::Neutron::Subnet", "properties": {"network": {"get_resource": "net"}, "cidr": f"10.{n // 256}.{n % 256}.0/24"}}
    for n in range(resources - resources // 3 - 1):
        made[f"port{n}"] = {"type": "OS::Neutron::Port", "properties": {"network": {"get_resource": "net"}}}
    return {"heat_template_version": "2021-04-16", "resources": made}


def compose(services):
    made = {}
    for n in range(services // 2):
        made[f"db{n}"] = {"image": "postgres:16", "healthcheck": {"test": ["CMD", "pg_isready"]}}
        made[f"web{n}"] = {"image": "nginx:1", "depends_on": {f"db{n}": {"condition": "service_healthy"}}}
    return {"services": made}


def replicas(containers):
    half = containers // 2
    return {"services": {"db": {"image": "postgres:16", "scale": half}, "web": {"image": "nginx:1", "scale": half, "depends_on": ["db"]}}}


def tosca(nodes):
    made = {}
    for n in range(nodes // 3):
        made[f"host{n}"] = {"type": "tosca.nodes.Compute"}
        made[f"db{n}"] = {"type": "tosca.nodes.DBMS", "requirements": [{"host": f"host{n}"}]}
        made[f"web{n}"] = {"type": "tosca.nodes.WebServer", "requirements": [{"host": f"host{n}"}, {"dependency": f"db{n}"}]}
    return {"tosca_definitions_version": "tosca_simple_yaml_1_3", "topology_template": {"node_templates": made}}


def servers(number):
    made = {"net": {"type": "OS::Neutron::Net"}}
    for n in range(number - 1):
        made[f"port{n}"] = {"type": "OS::Neutron::Port", "properties": {"network": {"get_resource": "net"}}}
    return {"heat_template_version": "2021-04-16", "resources": made}


def run(locus, path, *options):
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    done = subprocess.run([locus, "plan", str(path), "--format", "json", *options], capture_output=True, text=True, timeout=1800)
    wall = time.time() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = json.loads(done.stdout) if done.stdout else {"verdict": "unknown", "reason": done.stderr.strip()[:200]}
    return answer, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--locus", required=True)
    options = options.parse_args()
    cases = [
        ("30,301 components, 90,300 bindings (Zephyrus: 3.0 s)", "a.aeolus.json", zephyrus(), []),
        ("HOT template of 10,000 resources (goal: 1 s)", "t.yaml", hot(10_000), []),
        ("HOT template of 10,000 resources, taken down", "t.yaml", hot(10_000), ["--down"]),
        ("HOT template of 100,000 resources", "t.yaml", hot(100_000), []),
        ("HOT template of 10,000 resources, a third of them subnets of one network", "t.yaml", one_network(10_000), []),
        ("Compose file of 10,000 services", "compose.yaml", compose(10_000), []),
        ("Compose file of two services with 5,000 replicas each", "compose.yaml", replicas(10_000), []),
        ("TOSCA file of 10,000 nodes", "s.yaml", tosca(10_000), ["--language", "tosca"]),
        ("--verify, 30 resources with retry and rollback (goal: 10 s)", "v.yaml", servers(30), ["--verify"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for title, name, made, more in cases:
            path = pathlib.Path(folder) / name
            path.write_text(json.dumps(made))
            answer, user, wall = run(options.locus, path, *more)
            verified = answer.get("verified") or {}
            print(f"{title}: {answer['verdict']}, {len(answer.get('components', []))} components, {len(answer.get('bindings', []))} bindings, "
                  f"{len(answer.get('steps', []))} steps{', ' + verified['verdict'] if verified else ''}: {user:.2f} s of processor time, {wall:.2f} s "
                  f"{answer.get('reason') or ''}", flush=True)


if __name__ == "__main__":
    main()
