#!/usr/bin/env python3
"""Compares `locus check` with cfn-lint on CloudFormation templates.

    pip install cfn-lint
    cargo build --release -p locus-cli
    python3 bench/cloudformation.py verdicts FOLDER-OR-FILE …
    python3 bench/cloudformation.py mutants [--count 500] [--seed 1] FOLDER-OR-FILE …

`verdicts` asks both whether each template has an error, and prints the counts, the templates that only one of them
refuses (with the codes), and the processor time of both. Templates that Locus does not judge to the end (macros, the
Serverless Application Model) are counted apart.

`mutants` takes templates in which neither finds an error, breaks each by one change that AWS refuses or that keeps the
thing from working, and prints the share that each finds, by kind of change.

`--locus FILE` names the command, `--half 0` or `--half 1` takes the templates whose path has a digest of that parity,
so that one half can be held out.
"""

import argparse
import collections
import copy
import hashlib
import json
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

ENDINGS = {".yaml", ".yml", ".json", ".template"}
BATCH = 40


def templates(paths, half):
    found = []
    for path in map(pathlib.Path, paths):
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if not file.is_file() or file.suffix not in ENDINGS:
                continue
            text = file.read_text(errors="replace")
            at_top = re.search(r"^\s*\"?(AWSTemplateFormatVersion|Resources)\"?\s*:", text, re.M)
            digest = hashlib.sha1("/".join(file.parts[-4:]).encode()).digest()[0] % 2
            if at_top and "AWS::" in text and (half is None or digest == half):
                found.append(str(file))
    return found


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_locus(command, files):
    """For each file the codes of errors; nothing for those that were not judged to the end."""
    found, unchecked = {file: set() for file in files}, set()
    for at in range(0, len(files), BATCH):
        call = [command, "check", "--format", "json", "--language", "cloudformation", *files[at : at + BATCH]]
        run = subprocess.run(call, capture_output=True, text=True)
        answer = json.loads(run.stdout)
        unchecked.update(one["file"] for one in answer["unchecked"])
        for finding in answer["findings"]:
            if finding["severity"] == "error":
                found.setdefault(finding["place"]["file"], set()).add(finding["code"])
    return found, unchecked


def by_cfn_lint(files):
    found = {file: set() for file in files}
    for at in range(0, len(files), BATCH):
        call = [sys.executable, "-m", "cfnlint", "--format", "json", "--non-zero-exit-code", "none", "--"]
        run = subprocess.run(call + files[at : at + BATCH], capture_output=True, text=True)
        for match in json.loads(run.stdout or "[]"):
            if match["Rule"]["Id"].startswith("E"):
                found.setdefault(match["Filename"], set()).add(match["Rule"]["Id"])
    return found


def verdicts(arguments):
    files = templates(arguments.paths, arguments.half)
    start = cpu()
    locus, unchecked = by_locus(arguments.locus, files)
    middle = cpu()
    peer = by_cfn_lint(files)
    end = cpu()
    counts = collections.Counter()
    for file in files:
        kind = "not judged to the end" if file in unchecked else ""
        kind = kind or f"{'error' if locus[file] else 'fine'} / {'error' if peer[file] else 'fine'}"
        counts[kind] += 1
        if kind in ("error / fine", "fine / error"):
            print(f"{kind}\t{file}\t{' '.join(sorted(locus[file] | peer[file]))}")
    print(f"{len(files)} templates; Locus / cfn-lint: {dict(sorted(counts.items()))}")
    print(f"processor time: Locus {middle - start:.2f} s, cfn-lint {end - middle:.2f} s")


def resources(template, *types):
    return [
        (name, one)
        for name, one in template.get("Resources", {}).items()
        if isinstance(one, dict) and str(one.get("Type", "")).startswith(types or "AWS::")
    ]


def properties(template):
    return [(name, one["Properties"]) for name, one in resources(template) if isinstance(one.get("Properties"), dict)]


def unknown_property(template, rng):
    _, given = rng.choice(properties(template))
    key = rng.choice([key for key in given if len(key) > 3])
    given[key[:-2] + key[-1] + key[-2] + "x"] = given.pop(key)


def wrong_type(template, rng):
    _, one = rng.choice(resources(template))
    one["Type"] += "s"


def unknown_reference(template, rng):
    found = []

    def walk(node):
        if isinstance(node, dict):
            if list(node) == ["Ref"] and isinstance(node["Ref"], str) and not node["Ref"].startswith("AWS::"):
                found.append(node)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(template.get("Resources", {}))
    rng.choice(found)["Ref"] += "Q"


def unknown_attribute(template, rng):
    found = []

    def walk(node):
        if isinstance(node, dict):
            value = node.get("Fn::GetAtt")
            if isinstance(value, list) and len(value) == 2 and isinstance(value[1], str):
                found.append(value)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(template)
    known = {name for name, _ in resources(template)}
    rng.choice([value for value in found if value[0] in known])[1] += "Zz"


def map_for_text(template, rng):
    _, given = rng.choice(properties(template))
    key = rng.choice([key for key, value in given.items() if isinstance(value, str)])
    given[key] = {"Zz": given[key]}


def circle(template, rng):
    name, one = rng.choice(resources(template))
    users = [user for user, other in resources(template) if json.dumps({"Ref": name}) in json.dumps(other)]
    one["DependsOn"] = rng.choice([user for user in users if user != name])


def bad_range(template, rng):
    _, one = rng.choice(resources(template, "AWS::EC2::Subnet", "AWS::EC2::VPC"))
    if not isinstance(one["Properties"].get("CidrBlock"), str):
        raise IndexError
    one["Properties"]["CidrBlock"] = rng.choice(["10.0.0.0/40", "10.0.0/24", "10.300.0.0/16"])


def wrong_kind(template, rng):
    vpcs = [name for name, one in resources(template) if one["Type"] == "AWS::EC2::VPC"]
    users = [one for _, one in properties(template) if isinstance(one.get("SubnetId"), dict)]
    rng.choice(users)["SubnetId"] = {"Ref": rng.choice(vpcs)}


def no_attachment(template, rng):
    names = [
        name
        for name, one in resources(template, "AWS::EC2::VPCGatewayAttachment")
        if "InternetGatewayId" in one.get("Properties", {})
    ]
    name = rng.choice(names)
    if not any("GatewayId" in one for _, one in properties(template)):
        raise IndexError
    del template["Resources"][name]
    for _, one in resources(template):
        needed = one.get("DependsOn")
        if needed == name:
            del one["DependsOn"]
        elif isinstance(needed, list) and name in needed:
            one["DependsOn"] = [other for other in needed if other != name]
    if f'"{name}"' in json.dumps(template):
        raise IndexError


def wrong_trust(template, rng):
    text = json.dumps(template)
    if '"lambda.amazonaws.com"' not in text:
        raise IndexError
    role = rng.choice([one for _, one in resources(template, "AWS::Lambda::Function")])["Properties"]["Role"]
    name = role["Fn::GetAtt"][0]
    trust = template["Resources"][name]["Properties"]
    changed = json.dumps(trust["AssumeRolePolicyDocument"]).replace('"lambda.amazonaws.com"', '"glue.amazonaws.com"')
    if changed == json.dumps(trust["AssumeRolePolicyDocument"]):
        raise IndexError
    trust["AssumeRolePolicyDocument"] = json.loads(changed)


CHANGES = [
    unknown_property, wrong_type, unknown_reference, unknown_attribute, map_for_text, circle, bad_range, wrong_kind,
    no_attachment, wrong_trust,
]


def mutants(arguments):
    import cfnlint.decode

    files = templates(arguments.paths, arguments.half)
    locus, unchecked = by_locus(arguments.locus, files)
    peer = by_cfn_lint(files)
    fine = [file for file in files if not locus[file] and not peer[file] and file not in unchecked]
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for attempt in range(arguments.count * 60):
            if len(made) == arguments.count:
                break
            template, faults = cfnlint.decode.decode(rng.choice(fine))
            if faults:
                continue
            template = json.loads(json.dumps(template, default=str))
            change = CHANGES[attempt % len(CHANGES)]
            before = copy.deepcopy(template)
            try:
                change(template, rng)
            except (IndexError, KeyError, TypeError, AttributeError, ValueError):
                continue
            if template == before:
                continue
            target = pathlib.Path(folder) / f"{len(made)}.json"
            target.write_text(json.dumps(template, indent=1))
            made[str(target)] = change.__name__
        files = list(made)
        locus, _ = by_locus(arguments.locus, files)
        peer = by_cfn_lint(files)
        table = collections.defaultdict(lambda: [0, 0, 0])
        for file, change in made.items():
            for row in (table[change], table["all"]):
                row[0] += 1
                row[1] += bool(locus[file])
                row[2] += bool(peer[file])
        print("change\tmutants\tLocus\tcfn-lint")
        for change, row in sorted(table.items()):
            print(change, *row, sep="\t")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["verdicts", "mutants"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--locus", default="target/release/locus")
    parser.add_argument("--half", type=int, choices=[0, 1])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    {"verdicts": verdicts, "mutants": mutants}[arguments.what](arguments)


if __name__ == "__main__":
    main()
