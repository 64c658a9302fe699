#!/usr/bin/env python3
"""Builds the templates of a list in a running OpenStack, and compares what happened with `locus check`.

    . openrc
    python3 bench/hot_built.py build               # in the services: writes bench/hot/outcomes.tsv
    python3 bench/hot_built.py compare --locus L   # with the errors of `locus check`: found, missed, found falsely
    python3 bench/hot_built.py write FOLDER        # the templates as files

The list is `bench/hot/built.tsv`: a name and the resources, each `[type, properties, depends_on]`, of which the last two may
be left out. `$name` refers to a resource, `x*9` is nine times the letter, and `"*9"` after an item of a list repeats the
item until there are nine: numbers in it count up. `hot_services.py` has what it means to build. Needs PyYAML.

The list was written, and its outcomes recorded, before the rules that it measures. `--list bench/hot/later.tsv --outcomes
bench/hot/later-outcomes.tsv` is a second one, `third.tsv` and `fourth.tsv` with their outcomes are a third and a
fourth, written after them, the last by another author. The claims are of the first measurement of each: what was mended
afterwards because of one of them is in `bench/log/`.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != HERE]
import yaml  # noqa: E402

sys.path.append(str(HERE))
import hot_services as services  # noqa: E402

OUTCOMES = HERE / "hot" / "outcomes.tsv"


def grown(value):
    """A value with its abbreviations written out."""
    if isinstance(value, dict):
        return {grown(key): grown(one) for key, one in value.items()}
    if isinstance(value, list):
        items = []
        for one in value:
            again = isinstance(one, str) and re.fullmatch(r"\*(\d+)", one)
            if again:
                items += [counted(items[-1], number) for number in range(1, int(again[1]) - len(items) + 1)]
            else:
                items.append(grown(one))
        return items
    if isinstance(value, str):
        many = re.fullmatch(r"(\w)\*(\d+)", value)
        if many:
            return many[1] * int(many[2])
        if re.fullmatch(r"\$\w+", value):
            return {"get_resource": value[1:]}
    return value


def counted(item, number):
    """Another item like this one: its last number is greater."""
    if isinstance(item, dict):
        (first, value), *rest = item.items()
        if "/" in str(value):
            return {first: re.sub(r"(\d+)(\.\d+/)", lambda m: f"{int(m[1]) + number}{m[2]}", value), **dict(rest)}
        return {first: counted(value, number), **dict(rest)}
    return re.sub(r"\d+$", lambda m: str(int(m[0]) + number), str(item))


def templates(path):
    """(name, template) of a list."""
    for line in path.read_text().splitlines():
        name, text = line.split("\t")
        resources = {}
        for key, (kind, *rest) in yaml.safe_load("{" + text + "}").items():
            one = {"type": "OS::" + kind.replace(".", "::")}
            if rest and rest[0]:
                one["properties"] = grown(rest[0])
            if len(rest) > 1:
                one["depends_on"] = rest[1]
            resources[key] = one
        yield name, yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": resources}, sort_keys=False)


def build(args):
    cloud = services.Cloud()

    def run(case):
        name, text = case
        outcome, resource, message = services.Stack(cloud, args.timeout).build(text)
        # An extension, or a service plug-in, that this cloud does not have.
        if re.search(r"Unrecognized attribute\(s\) 'dns_|The resource could not be found|does not pass filtering", message):
            outcome = "unavailable"
        # A certificate of a moment, an id or a very long text says nothing that a later reader needs.
        return name, outcome, resource, re.sub(r"(\w)\1{20,}", r"\1…", message)[:400]

    wanted = [case for case in templates(args.list) if not args.only or case[0] in args.only]
    with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        new = {row[0]: row for row in pool.map(run, wanted)}
    before = [line.split("\t") for line in args.outcomes.read_text().splitlines()] if args.only else []
    new = {**{row[0]: row for row in before}, **new}
    rows = [new[name] for name, _ in templates(args.list) if name in new]
    args.outcomes.write_text("".join("\t".join(row) + "\n" for row in rows))
    for outcome in sorted({row[1] for row in rows}):
        print(outcome, sum(row[1] == outcome for row in rows))


def errors(locus, folder):
    """The codes of errors by name of a template."""
    done = subprocess.run([locus, "check", *sorted(folder.glob("*.yaml")), "--format", "json"], capture_output=True, text=True)
    found = {}
    for one in json.loads(done.stdout)["findings"]:
        if one["severity"] == "error":
            found.setdefault(pathlib.Path(one["place"]["file"]).stem, set()).add(one["code"])
    return found


def compare(args):
    outcomes = {row[0]: row[1:] for row in (line.split("\t") for line in args.outcomes.read_text().splitlines())}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, text in templates(args.list):
            (folder / f"{name}.yaml").write_text(text)
        found = errors(args.locus, folder)
    built = {name: row for name, row in outcomes.items() if row[0] != "unavailable"}
    bad = [name for name in built if built[name][0] != "created"]
    missed = [name for name in bad if name not in found]
    false = [name for name in built if built[name][0] == "created" and name in found]
    for title, names in (("missed", missed), ("found falsely", false)):
        for name in names:
            print(f"{title}: {name}: {' '.join(sorted(found.get(name, [])))} {' '.join(built[name])[:220]}")
    print(f"{len(built)} templates, {len(bad)} refused or failed: {len(bad) - len(missed)} found, {len(missed)} missed;"
          f" {len(built) - len(bad)} built: {len(false)} found falsely")


def write(args):
    args.folder.mkdir(parents=True, exist_ok=True)
    for name, text in templates(args.list):
        (args.folder / f"{name}.yaml").write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "hot" / "built.tsv")
    parser.add_argument("--outcomes", type=pathlib.Path, default=OUTCOMES)
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("build")
    one.add_argument("only", nargs="*", help="only these; the outcomes of the others stay")
    one.add_argument("--timeout", type=float, default=60, help="seconds for each stage")
    one.add_argument("--parallel", type=int, default=3, help="stacks at a time")
    one.set_defaults(run=build)
    one = kinds.add_parser("compare")
    one.add_argument("--locus", type=pathlib.Path, default=services.ROOT / "target" / "release" / "locus")
    one.set_defaults(run=compare)
    one = kinds.add_parser("write")
    one.add_argument("folder", type=pathlib.Path)
    one.set_defaults(run=write)
    args = parser.parse_args()
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
