#!/usr/bin/env python3
"""The order of `locus plan` beside the dependencies that Heat's engine finds.

    heatenv/bin/python bench/plan_heat.py --locus target/release/locus FOLDER …

Heat is installed as bench/heat_validate.py says. For each template that Heat accepts, every dependency between two resources
that is in the `Dependencies` of the parsed stack must be in the order of the plan, too: the one that requires becomes
present after the one that is required. And a template that Heat accepts has a plan, since Heat finds no circle in it.
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.path.pop(0)
HERE = pathlib.Path(__file__).resolve().parent

import importlib.util


def heat():
    spec = importlib.util.spec_from_file_location("heat_validate", HERE / "heat_validate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def edges(heat, engine, path):
    """Pairs of names, the one that requires first; None if Heat does not accept the template."""
    try:
        template, files, env = heat.gather({"template": str(path)})
        given = heat.fill(template, env, {})
        env = {**env, "parameters": {**(env.get("parameters") or {}), **given}}
        stack = engine._parse_template_and_validate_stack(heat.context(), "stack", template, env, files, None, None, {})
        graph = stack.dependencies.graph()
        # What exists already is not part of a plan.
        made = lambda resource: resource is not None and resource.external_id is None
        found = [(a.name, b.name) for a, b in graph.edges() if made(a) and made(b)]
        return given, found, len(stack.resources)
    except AssertionError:
        raise
    except BaseException:
        return None


def plan(locus, path, given):
    command = [locus, "plan", str(path), "--format", "json", "--no-config", "--language", "hot"]
    for name, value in given.items():
        command += ["-P", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return (json.loads(done.stdout) if done.stdout.strip() else None), done.stderr


def order(answer):
    """For each resource the set of those that are present before it."""
    before, at = {}, {}
    for step in answer["steps"]:
        mine = 0
        for earlier in step["after"]:
            mine |= before[earlier] | 1 << earlier
        before[step["id"]] = mine
        if step["action"] == "change":
            at[step["changes"][0]["component"]] = step["id"]
    return lambda requirer, required: requirer in at and required in at and before[at[requirer]] >> at[required] & 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--locus", required=True)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    module = heat()
    engine = module.start()
    for folder in options.folders:
        accepted = planned = dependencies = missing = 0
        for path in sorted(p for end in ("*.yaml", "*.yml") for p in folder.rglob(end)):
            if "heat_template_version" not in path.read_text(errors="replace"):
                continue
            found = edges(module, engine, path)
            if found is None:
                continue
            given, pairs, _ = found
            accepted += 1
            answer, error = plan(options.locus, path, given)
            if not answer or answer["verdict"] != "plan":
                why = answer["reason"] if answer else error.strip()[-200:]
                print(f"{path}: no plan: {why}")
                continue
            planned += 1
            is_before = order(answer)
            for requirer, required in sorted(set(pairs)):
                dependencies += 1
                if not is_before(requirer, required):
                    missing += 1
                    if options.verbose:
                        print(f"{path}: {requirer} does not wait for {required}")
        print(f"{folder.name}: {accepted} templates that Heat accepts, {planned} planned, {dependencies} dependencies of Heat, {missing} missing")


if __name__ == "__main__":
    main()
