#!/usr/bin/env python3
"""locus plan on the published inputs of Metis and Zephyrus.

    git clone https://github.com/aeolus-project/metis
    git clone https://github.com/aeolus-project/zephyrus
    python3 bench/plan.py --locus target/release/locus --metis metis --zephyrus zephyrus

With `--metis-program metis/metis.native` Metis itself is run on its inputs, its plans are checked in the same way, and the numbers of
components are compared where its plan is valid.

Every plan is checked here again, by a second reading of definition 3 of the report: in the order in which the steps are
listed, and in random other orders that the partial order allows.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time


def metis_universe(text):
    types = {}
    for kind in json.loads(text):
        states = {s["u_name"]: s for s in kind["u_automaton"]}
        types[kind["u_cname"]] = {
            "initial": kind["u_automaton"][0]["u_name"],
            "states": {
                name: {
                    "to": s["u_successors"],
                    "provides": {p: None for p in s["u_provides"]},
                    "requires": {p: 1 for p in s["u_requires"]},
                }
                for name, s in states.items()
            },
        }
    return types


def zephyrus_universe(text):
    types = {}

    def pairs(value):
        return list(value.items()) if isinstance(value, dict) else [tuple(p) for p in value or []]

    def capacity(value):
        if isinstance(value, list):
            return value[1] if value[0] == "FiniteProvide" else None
        if isinstance(value, str):
            return int(value) if value.isdigit() else None
        return value

    for kind in json.loads(text)["component_types"]:
        requires = {p: n for p, n in pairs(kind.get("require")) if n > 0}
        requires.update({p: 0 for p in kind.get("conflict", [])})
        provides = {p: capacity(n) for p, n in pairs(kind.get("provide"))}
        types[kind["name"]] = {
            "initial": "created",
            "states": {
                "created": {"to": ["deployed"], "provides": {}, "requires": {}},
                "deployed": {"to": [], "provides": provides, "requires": requires},
            },
        }
    return types


def correct(types, components, bindings):
    def state(name):
        kind, current = components[name]
        return types[kind]["states"][current]

    for name in components:
        for port, number in state(name)["requires"].items():
            others = [other for other in components if other != name and port in state(other)["provides"]]
            if number == 0 and others:
                return f"{name} is in conflict with {port} of {others[0]}"
            served = sum((port, name, other) in bindings for other in others)
            if served < number:
                return f"{name} needs {port} from {number} and has it from {served}"
        for port, capacity in state(name)["provides"].items():
            bound = sum(1 for b in bindings if b[0] == port and b[2] == name)
            if capacity is not None and bound > capacity:
                return f"{port} of {name} bears {capacity} and has {bound}"
    return None


def replay(types, plan, order):
    components, bindings = {}, set()
    for step in order:
        action = step["action"]
        if action == "new":
            assert step["component"] not in components
            components[step["component"]] = (step["type"], types[step["type"]]["initial"])
        elif action == "delete":
            del components[step["component"]]
            bindings = {b for b in bindings if step["component"] not in b[1:]}
        elif action == "change":
            for change in step["changes"]:
                kind, current = components[change["component"]]
                assert current == change["from"] and change["to"] in types[kind]["states"][current]["to"]
                components[change["component"]] = (kind, change["to"])
        else:
            binding = (step["port"], step["requirer"], step["provider"])
            assert (binding in bindings) == (action == "unbind")
            assert binding[1] in components and binding[2] in components
            bindings ^= {binding}
        wrong = correct(types, components, bindings)
        assert wrong is None, f"after step {step['id']}: {wrong}"
    if plan is None:
        return components
    end = {(c["name"], c["type"], c["state"]) for c in plan["components"]}
    assert end == {(name, kind, state) for name, (kind, state) in components.items()}, "another end"


def shuffled(plan, dice):
    done, order, left = set(), [], list(plan["steps"])
    while left:
        ready = [s for s in left if all(a in done for a in s["after"])]
        step = dice.choice(ready)
        left.remove(step)
        done.add(step["id"])
        order.append(step)
    return order


def run(locus, path, want):
    began = time.time()
    command = [locus, "plan", str(path), "--want", want, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 1, 2) or not done.stdout:
        return None, time.time() - began, done.stderr
    return json.loads(done.stdout), time.time() - began, done.stderr


def judge(types, plan, dice):
    if len(plan["steps"]) > 700:
        return "too large to check here"
    replay(types, plan, plan["steps"])
    for _ in range(3 if len(plan["steps"]) < 200 else 1):
        replay(types, plan, shuffled(plan, dice))
    return "valid"


def metis_steps(text):
    """The plan that Metis writes, as steps of ours."""
    forms = [
        (r"Create instance (\S+):(\S+)", lambda m: {"action": "new", "component": m[1], "type": m[2]}),
        (r"(\S+) : change state from (\S+) to (\S+)", lambda m: {"action": "change", "changes": [{"component": m[1], "from": m[2], "to": m[3]}]}),
        (r"(\S+) : bind port (\S+) to (\S+)", lambda m: {"action": "bind", "port": m[2], "requirer": m[3], "provider": m[1]}),
        (r"(\S+) : unbind port (\S+) from instance (\S+)", lambda m: {"action": "unbind", "port": m[2], "requirer": m[1], "provider": m[3]}),
        (r"(\S+) : stop", lambda m: {"action": "delete", "component": m[1]}),
    ]
    steps = []
    for line in re.findall(r"Plan\[\d+\] = \[(.*)\]", text.split("The computed PLAN is:")[-1]):
        found = next((make(m) for form, make in forms if (m := re.fullmatch(form, line))), None)
        assert found, line
        steps.append({"id": len(steps) + 1, **found})
    return steps


def metis(program, path, kind, state, types):
    """How many components Metis needs, and whether its plan is valid."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "plan.txt"
        command = [program.resolve(), "-hr", "-u", path.resolve(), "-c", kind, "-s", state, "-o", out]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return None, "no answer in 120 s"
        if done.returncode != 0 or not out.exists():
            return None, "crashes"
        steps = metis_steps(out.read_text())
    if len(steps) > 700:
        return None, "too large to check here"
    made = sum(step["action"] == "new" for step in steps)
    try:
        end = replay(types, None, steps)
        assert (kind, state) in end.values(), "the target is not reached"
    except (AssertionError, KeyError) as error:
        return made, f"invalid: {error}"
    return made, "valid"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--locus", required=True)
    parser.add_argument("--metis", type=pathlib.Path)
    parser.add_argument("--zephyrus", type=pathlib.Path)
    parser.add_argument("--metis-program", type=pathlib.Path)
    args = parser.parse_args()
    dice, failed = random.Random(1), 0
    cases = []
    if args.metis:
        for script in sorted((args.metis / "demo").glob("*.sh")):
            found = re.search(r"-u \.\./(\S+).*? -c (\S+) -s (\S+)", script.read_text())
            if found and (args.metis / found[1]).exists():
                cases.append((f"metis {script.stem}", args.metis / found[1], f'"{found[2]}"@"{found[3]}" >= 1', metis_universe, found))
    if args.zephyrus:
        for path in sorted(args.zephyrus.glob("example-inputs/u-*.json")):
            cases.append((f"zephyrus {path.stem}", path, "#@serious-wordpress = 1", zephyrus_universe, None))
        for path in sorted(args.zephyrus.glob("openstack/u-*artificial.json")):
            cases.append((f"zephyrus {path.stem}", path, "#@glance-api > 0 and #@nova-api > 0", zephyrus_universe, None))
    peer, more = collections.Counter(), 0
    for name, path, want, reader, script in cases:
        answer, seconds, error = run(args.locus, path, want)
        if answer is None:
            print(f"{name}: no answer: {error.strip()}")
            failed += 1
            continue
        verdict = answer["verdict"]
        note = answer.get("reason") or ""
        if verdict == "plan":
            try:
                note = judge(reader(path.read_text()), answer, dice)
            except AssertionError as error:
                note = f"INVALID: {error}"
                failed += 1
            own = len({s["component"] for s in answer["steps"] if s["action"] == "new"})
            note = f"{own} components, {len(answer['steps'])} steps, {note}"
            if args.metis_program and script:
                made, said = metis(args.metis_program, path, script[2], script[3], metis_universe(path.read_text()))
                peer[said.split(":")[0]] += 1
                note += f"; Metis: {made} components, {said}"
                if said == "valid" and made < own:
                    more, note = more + 1, note + " FEWER"
        print(f"{name}: {verdict} in {seconds * 1000:.0f} ms: {note}", flush=True)
    if peer:
        print(f"Metis: {dict(sorted(peer.items()))}; it needs fewer components {more} times")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
