#!/usr/bin/env python3
"""Verdicts on TOSCA files: the conformance suite of OASIS, collections of files that should be right, peers, and times.

    cargo build --release -p locus-tosca --example verdicts
    python3 bench/tosca.py suite  --suite tosca-community-contributions
    python3 bench/tosca.py corpus --suite tosca-community-contributions [--all]
    python3 bench/tosca.py peers  --files FOLDER --python peers/bin/python
    python3 bench/tosca.py times  --python peers/bin/python

`suite` runs all cases of `tests/tosca_2_0`: what a test of the suite hands to its processor, with the archive if it builds
one, and as libraries the profiles in the folder of the case. It prints each case, and fails where a verdict is not the
expected one, except for the cases in WRONG, which the text of the standard contradicts.

The suite is what the reader was tuned on. Held back, and looked at only afterwards, are `tests/tosca_simple_yaml_1_0` (cases
with the expected error in their metadata) and the files under `profiles` and `examples`, which are meant to be right:
`corpus`. `peers` compares verdicts file by file with tosca-parser and opera (a Python that has them); `times` measures
generated topologies beside tosca-parser.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
VERDICTS = HERE.parent / "target/release/examples/verdicts"

# Cases that the text of the standard contradicts: the section, and why.
WRONG = {
    "call-operation-activity-definition/call-operation-undefined-workflow-input.yaml":
        "10.2.1.1: get_input names an input that is defined, and `location` is not",
    "description/s5.yaml":
        "YAML 1.2, production 185: the second line of a quoted text within a map needs a space in front",
    "examples/s29.yaml":
        "6.8.2.2: `/base.yaml` starts at the root of the archive, and the test puts the file into `types/`",
    "metadata/invalid_metadata_missing_value.yaml": "5.3.1: metadata values may be null",
    "metadata/invalid_metadata_non_string_values.yaml":
        "5.3.1: metadata values may be numbers (metadata-valid.yaml of the suite has one)",
    "namespaces/s35.yaml": "6.8.2.1: the profile `io.kubernetes:1.30` with the type Pod is nowhere in the suite",
    "namespaces/s36.yaml": "6.8.4: `my:k8s:Pod` is not defined: namespaces-k8s.yaml has no types",
    "node-filter-definition/node-filter-select.yaml":
        "6.7.1: a file with a profile MUST NOT define a service template (and 8.8: Compute has no property num_cpus)",
    "node-template/node-template-filter.yaml":
        "7.2: a node template needs a type; `node_filter` is indented as if it were a template",
    "profiles/profiles-profile-tree.yaml":
        "9.4: the type defines further_additional_property only, and the template assigns two others",
    "requirement-assignment-grammar/requirement-assignment-attribute.yaml":
        "9.6: an attribute assignment has no keynames, and `uptime` is an integer",
    "scalar/scalar-invalid-prefixes-with-multiple-units.yaml":
        "9.1.2.2 does not say it, and time/s70.yaml of the suite, a snippet of the standard, has prefixes with two units",
    "schema-definition/schema-definition-map-bad-entry-schema-inv.yaml":
        "9.1.3.2: the entries of a map may be integers (map/s76.yaml of the suite); only its keys are strings",
}


def verdicts(lines, findings=False):
    """What Locus says of files: a list of (verdict, microseconds, number of findings, first error)."""
    command = [str(VERDICTS)] + (["--findings"] if findings else [])
    result = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"verdicts failed: {result.stderr[-2000:]}")
    found = []
    for line in result.stdout.splitlines():
        if line.startswith("\t"):
            found[-1][4].append(line[1:])
            continue
        verdict, _, time_taken, count, first = line.split("\t", 4)
        found.append((verdict, int(time_taken), int(count), first, []))
    return found


def cases(suite):
    """The cases: name, expected verdict, file, libraries, files of the archive if there is one."""
    root = pathlib.Path(suite) / "tests/tosca_2_0"
    for test in sorted(root.rglob("*_test.py")):
        text = test.read_text()
        expected = re.findall(r"assertEqual\(result\.returncode,\s*(\d)", text)
        if not expected:
            continue
        own = re.findall(r"^tosca_file_path\s*=\s*here \+ '/([^']+)'\s*$", text, re.M)
        file = test.parent / own[-1] if own else test.with_name(test.name.replace("_test.py", ".yaml"))
        profiles = [one for one in sorted(test.parent.glob("*.yaml")) if one != file and re.search(r"^profile:", one.read_text(), re.M)]
        members = None
        if "zipfile" in text:
            members = {file.name: file}
            for listed in re.findall(r"extra_files = \[(.*?)\]", text, re.S):
                for name in re.findall(r"'([^']+)'", listed):
                    members[name] = test.parent / name
            for parts, target in re.findall(r"extras_path = os\.path\.join\(here, ([^)]*)\)(?:(?!extras_path =).)*?arcname=os\.path\.join\(([^)]*)\)", text, re.S):
                source = test.parent.joinpath(*re.findall(r"'([^']+)'", parts))
                folder = re.findall(r"'([^']+)'", target)
                members["/".join(folder + [source.name])] = source
            if "mytypes1" in text and "mytypes2" in text:
                members["types/examples-mytypes1.yaml"] = test.parent / "types/examples-mytypes1.yaml"
            if not all(source.exists() for source in members.values()):
                members = None  # The test looks for files that the suite has not: the archive would not be what it means.
        name = str(file.relative_to(root))
        yield name, "ok" if expected[0] == "0" else "error", file, profiles, members


def suite(options):
    with tempfile.TemporaryDirectory() as folder:
        all_cases, lines = list(cases(options.suite)), []
        for number, (name, _, file, profiles, members) in enumerate(all_cases):
            if members is not None:
                path = pathlib.Path(folder) / f"{number}.csar"
                with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                    archive.writestr("TOSCA.meta", f"CSAR-Version: 2.0\nCreated-By: bench\nEntry-Definitions: {file.name}\n")
                    for member, source in members.items():
                        if source.exists():
                            archive.write(source, member)
                file = path
            lines.append("\t".join(map(str, [file, *profiles])))
        counts = {"ok": [0, 0], "error": [0, 0]}
        failed = []
        for (name, expected, *_), (got, _, _, first, _) in zip(all_cases, verdicts(lines)):
            right = got == expected
            counts[expected][0] += right
            counts[expected][1] += 1
            note = "" if right else WRONG.get(name, first or "nothing was found")
            if not right and name not in WRONG:
                failed.append(name)
            if right and name in WRONG:
                failed.append(f"{name} (listed as wrong, and passes)")
            print(f"{'pass' if right else 'wrong case' if name in WRONG else 'FAIL'}\t{expected}\t{name}\t{note}")
        for expected, (right, total) in counts.items():
            print(f"{'valid' if expected == 'ok' else 'invalid'}: {right} of {total}")
        print(f"{len(WRONG)} cases contradict the standard; {len(failed)} others fail")
        sys.exit(bool(failed))


def corpus(options):
    """Files that should be right, and those of the older suite with what is expected of them."""
    root = pathlib.Path(options.suite)
    files = sorted((root / "profiles").rglob("*.y*ml")) + sorted((root / "examples").rglob("*.y*ml"))
    files = [one for one in files if "tosca_definitions_version" in one.read_text(errors="replace")]
    if not options.all:
        files = [one for one in files if "dmtf" not in one.parts]
    library = str(root / "profiles")
    named = [str(one) for one in sorted((root / "profiles").rglob("profile.yaml")) if "dmtf" not in one.parts]
    found = verdicts(["\t".join([str(one), library, *named]) for one in files])
    wrong = [(one, first) for one, (verdict, _, _, first, _) in zip(files, found) if verdict != "ok"]
    for one, first in wrong:
        print(f"error\t{one.relative_to(root)}\t{first}")
    print(f"{len(files) - len(wrong)} of {len(files)} files without error")
    older = sorted((root / "tests/tosca_simple_yaml_1_0").glob("*.yml"))
    right = 0
    for one, (verdict, _, _, first, _) in zip(older, verdicts(map(str, older))):
        expected = "error" if "testAssertion.tags.errors:" in one.read_text() else "ok"
        right += verdict == expected
        if verdict != expected:
            print(f"expected {expected}, got {verdict}\t{one.name}\t{first}")
    print(f"tosca_simple_yaml_1_0: {right} of {len(older)} as their metadata says")


PARSER = """
import sys, json, time
from toscaparser.tosca_template import ToscaTemplate
for line in sys.stdin:
    path = line.strip()
    start = time.process_time()
    try:
        ToscaTemplate(path, None, True)
        verdict, why = "ok", ""
    except BaseException as error:
        verdict, why = "error", " ".join(str(error).split())[:200]
    print(json.dumps([verdict, time.process_time() - start, why]), flush=True)
"""


def tosca_parser(python, files):
    result = subprocess.run([python, "-c", PARSER], input="\n".join(map(str, files)) + "\n", capture_output=True, text=True)
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("[")]


def peers(options):
    files = [one for one in sorted(pathlib.Path(options.files).rglob("*.y*ml")) if "tosca_definitions_version" in one.read_text(errors="replace")]
    theirs = tosca_parser(options.python, files)
    table = {}
    for one, (verdict, _, _, first, _), (peer, _, why) in zip(files, verdicts(map(str, files)), theirs):
        table[verdict, peer] = table.get((verdict, peer), 0) + 1
        if verdict != peer:
            print(f"locus {verdict}, tosca-parser {peer}\t{one}\t{first if verdict == 'error' else why}")
    for (verdict, peer), count in sorted(table.items()):
        print(f"locus {verdict}, tosca-parser {peer}: {count}")


def generate(count):
    """A topology of this many nodes: machines with a server and an application each."""
    lines = ["tosca_definitions_version: tosca_simple_yaml_1_0", "topology_template:", "  node_templates:"]
    for number in range((count + 2) // 3):
        lines += [
            f"    machine{number}:", "      type: tosca.nodes.Compute",
            "      capabilities:", "        host:", "          properties: { num_cpus: 2, mem_size: 4 GB }",
            f"    server{number}:", "      type: tosca.nodes.WebServer",
            f"      requirements: [ host: machine{number} ]",
            f"    application{number}:", "      type: tosca.nodes.WebApplication",
            f"      properties: {{ context_root: /app{number} }}",
            f"      requirements: [ host: server{number} ]",
        ]
    return "\n".join(lines) + "\n"


def times(options):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        print("nodes\tlocus\ttosca-parser\tratio")
        for count in [3, 30, 300, 3000, 10000]:
            path = folder / f"{count}.yaml"
            path.write_text(generate(count))
            own = statistics.median(verdicts([str(path)] * 5)[at][1] for at in range(5)) / 1e6
            peer = None
            if options.python and count <= options.most:
                peer = tosca_parser(options.python, [path])[0][1]
            ratio = f"{peer / own:.0f}" if peer else "-"
            print(f"{count}\t{own:.4f} s\t{f'{peer:.2f} s' if peer else '-'}\t{ratio}")
        path = folder / "500.csar"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            imports = [f"types/{number}.yaml" for number in range(498)]
            archive.writestr("TOSCA.meta", "CSAR-Version: 2.0\nCreated-By: bench\nEntry-Definitions: main.yaml\n")
            archive.writestr("main.yaml", "tosca_definitions_version: tosca_2_0\nimports:\n" + "".join(f"- {one}\n" for one in imports) + "service_template:\n  node_templates:\n" + "".join(f"    n{number}: {{ type: T{number} }}\n" for number in range(498)))
            for number, one in enumerate(imports):
                archive.writestr(one, f"tosca_definitions_version: tosca_2_0\nnode_types:\n  T{number}: {{ properties: {{ size: {{ type: integer, default: 1 }} }} }}\n")
        found = verdicts([str(path)] * 5)
        print(f"archive of 500 files\t{statistics.median(one[1] for one in found) / 1e6:.4f} s\t({found[0][0]})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["suite", "corpus", "peers", "times"])
    parser.add_argument("--suite", help="a checkout of oasis-open/tosca-community-contributions")
    parser.add_argument("--files", help="a folder with TOSCA files")
    parser.add_argument("--python", help="a Python with tosca-parser")
    parser.add_argument("--most", type=int, default=3000, help="largest topology for tosca-parser")
    parser.add_argument("--all", action="store_true", help="also the 7,374 files of the profile of DMTF")
    parser.add_argument("--verdicts", help="the program of the example, if it is not in target/release")
    options = parser.parse_args()
    global VERDICTS
    VERDICTS = pathlib.Path(options.verdicts or VERDICTS)
    {"suite": suite, "corpus": corpus, "peers": peers, "times": times}[options.what](options)


if __name__ == "__main__":
    main()
