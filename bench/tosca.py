#!/usr/bin/env python3
"""Verdicts on TOSCA files: the conformance suite of OASIS, collections of files that should be right, peers, and times.

    cargo build --release -p locus-tosca --example verdicts
    python3 bench/tosca.py suite  --suite tosca-community-contributions
    python3 bench/tosca.py corpus --suite tosca-community-contributions [--all]
    python3 bench/tosca.py peers  --files FOLDER --peer tosca-parser=peers/bin/python …
    python3 bench/tosca.py chance --suite tosca-community-contributions [--seed 1] [--count 10000]
    python3 bench/tosca.py times  --command target/release/locus --peer tosca-parser=peers/bin/python [--file FILE …]

`suite` runs all cases of `tests/tosca_2_0`: what a test of the suite hands to its processor, with the archive if it builds
one, and as libraries the profiles in the folder of the case. It prints each case, and fails where a verdict is not the
expected one, except for the cases in WRONG, which the text of the standard contradicts. `suite --command
target/release/locus` runs the command itself, a process per case.

The suite is what the reader was tuned on. Held back, and looked at only afterwards, are `tests/tosca_simple_yaml_1_0` (cases
with the expected error in their metadata) and the files under `profiles` and `examples`, which are meant to be right:
`corpus`. `chance` changes files of the suite and the texts of the tests by chance, and looks for a panic. `peers` compares verdicts file by file with those of other tools; `times` measures the
command on generated topologies, and on files that are named, beside the command of tosca-parser.

A peer is given as NAME=PYTHON, where the Python has it: `tosca-parser`, `opera` (the package opera-tosca-parser), `unfurl`
(its fork of tosca-parser), `puccini` (the Go one, as the package puccini has it), `cloudnet` (PyYAML, jsonschema and requests; `cloudnet=PYTHON:FOLDER` with the folder `bin` of a
checkout of Orange-OpenSource/Cloudnet-TOSCA-toolbox).
"""

import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
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
        "6.8.2.2: `/base.yaml` starts at the root of the archive, and the test puts the file into `types/` (the file by itself is accepted)",
    "metadata/invalid_metadata_missing_value.yaml": "5.3.1: metadata values may be null",
    "metadata/invalid_metadata_non_string_values.yaml":
        "5.3.1: metadata values may be numbers (metadata-valid.yaml of the suite has one)",
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


def verdicts(lines, findings=False, warnings=()):
    """What Locus says of files: a list of (verdict, microseconds, number of findings, first error, findings).

    Warnings of the codes in `warnings` count as errors."""
    findings = findings or bool(warnings)
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
        found.append([verdict, int(time_taken), int(count), first, []])
    for one in found:
        counted = [text for text in one[4] if text.split(" ")[1] in warnings]
        if counted and one[0] == "ok":
            one[0], one[3] = "error", counted[0]
    return found


def by_command(command, lines, root=None):
    """The same by the command, a process per file: the verdict is its exit code."""
    found = []
    for line in lines:
        file, *libraries = line.split("\t")
        # A case may import files beside its folder, and the suite names single files as libraries: the command takes folders.
        allowed = str(root or pathlib.Path(file).parent.parent)
        arguments = [command, "check", "--language", "tosca", "--format", "json", "--allow-read", allowed, file]
        with tempfile.TemporaryDirectory() as folder:
            for one in map(pathlib.Path, libraries):
                if one.is_file():
                    shutil.copy(one, pathlib.Path(folder) / f"{one.stem}.yaml")
                else:
                    arguments += ["--library", str(one)]
            arguments += ["--library", folder]
            result = subprocess.run(arguments, capture_output=True, text=True)
        verdict = {0: "ok", 1: "error"}.get(result.returncode, f"exit code {result.returncode}")
        found.append([verdict, 0, 0, " ".join((result.stderr or result.stdout).split())[:300], []])
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
        # A profile need not be in a file that ends in `.yaml`.
        beside = [one for one in sorted(test.parent.glob("*")) if one.is_file() and one.suffix not in (".py", ".zip") and one != file]
        profiles = [one for one in beside if re.search(r"^profile:", one.read_text(errors="replace"), re.M)]
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
    if options.command:
        run = lambda lines: by_command(options.command, lines)
    else:
        run = verdicts
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
        for (name, expected, *_), (got, _, _, first, _) in zip(all_cases, run(lines)):
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


# What a peer does with one file, after its imports. `check` raises an exception or exits if the file is refused.
PEERS = {
    "tosca-parser": """
from toscaparser.tosca_template import ToscaTemplate
def check(path):
    ToscaTemplate(path, None, True)
""",
    "unfurl": """
import os, tosca
sys.path.insert(0, os.path.join(os.path.dirname(tosca.__file__), "vendor"))
from toscaparser.tosca_template import ToscaTemplate
def check(path):
    ToscaTemplate(path, None, True)
""",
    "opera": """
import pathlib, tempfile, zipfile
from opera_tosca_parser.parser import tosca
def check(path):
    path = pathlib.Path(path)
    try:
        if not zipfile.is_zipfile(path):
            tosca.load_service_template(path.parent, pathlib.PurePath(path.name)).get_template({})
            return
        archive = tosca.load_csar(pathlib.PurePath(path))
        with tempfile.TemporaryDirectory() as folder:
            archive.unpackage_csar(folder)
            tosca.load_service_template(pathlib.Path(folder), archive.get_entrypoint()).get_template({})
    except Exception as error:
        # Inputs without a value are not an error of the file.
        if "Missing a required input" not in str(error):
            raise
""",
    "puccini": """
def check(path):
    # Here and not above: what is written in Go does not survive a fork.
    import puccini.tosca
    try:
        puccini.tosca.compile(path)
    except puccini.tosca.Problems as found:
        # Inputs without a value are not an error of the file.
        problems = [one for one in found.problems if "unassigned required input" not in one["message"]]
        if problems:
            raise Exception("; ".join(f"{one.get('item')}: {one['message']}" for one in problems))
""",
    "cloudnet": """
import os
sys.path.insert(0, FOLDER)
import cloudnet.tosca.processors, cloudnet.tosca.tosca2cloudnet as tool
def check(path):
    # It keeps the standard error of when it was loaded.
    said = cloudnet.tosca.processors.stderr = io.StringIO()
    try:
        checked(path)
    except Exception as error:
        errors = [line for line in said.getvalue().splitlines() if "[ERROR]" in line]
        raise Exception(f"{error} {' '.join(errors).replace(cloudnet.tosca.processors.CRED, '').replace(cloudnet.tosca.processors.CEND, '')}")
def checked(path):
    config = tool.configuration.load([tool.configuration.CONFIGURATION_FILE])
    template = tool.importers.imports(path, config.get(tool.ALIASED_TOSCA_SERVICE_TEMPLATES))
    syntax = tool.SyntaxChecker(template, config)
    if syntax.check() is False or syntax.nb_errors:
        raise Exception("syntax")
    types = tool.TypeChecker(template, config, tool.TypeSystem(config))
    if types.check() is False or types.nb_errors:
        raise Exception("types")
""",
}

DRIVER = """
import contextlib, io, json, logging, os, signal, sys, time
logging.disable(logging.CRITICAL)
answers = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
for line in sys.stdin:
    path = line.strip()
    # A process for each file: some tools keep what they have read.
    if os.fork():
        _, status = os.wait()
        if status:
            print(json.dumps(["error", 0, f"ended by {status}"]), file=answers, flush=True)
        continue
    signal.alarm(60)
    start, said = time.process_time(), io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            check(path)
        verdict, why = "ok", ""
    except BaseException as error:
        verdict, why = "error", " ".join(f"{type(error).__name__} {error} {said.getvalue()}".replace(os.path.dirname(path) + "/", "").split())[:1000]
    print(json.dumps([verdict, time.process_time() - start, why]), file=answers, flush=True)
    os._exit(0)
"""


def peer_runners(peers):
    """(name, function from paths to [verdict, seconds, why]) for each NAME=PYTHON[:FOLDER]."""
    for peer in peers:
        name, _, python = peer.partition("=")
        python, _, folder = python.partition(":")

        def run(files, name=name, python=python, folder=folder):
            program = "import sys\n" + PEERS[name].replace("FOLDER", repr(str(pathlib.Path(folder).resolve()))) + DRIVER
            paths = "\n".join(str(pathlib.Path(one).resolve()) for one in files) + "\n"
            # Nothing is fetched: what a tool would load from the network is refused at once, instead of after a minute.
            nowhere = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")}
            environment = {**os.environ, **nowhere, "no_proxy": "", "NO_PROXY": ""}
            result = subprocess.run([python, "-c", program], input=paths, capture_output=True, text=True, env=environment)
            found = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("[")]
            if len(found) != len(files):
                print(f"{name} stopped: {result.stderr[-500:]}", file=sys.stderr)
            return found

        yield name, run


def collection(folder):
    """The TOSCA files and archives of a folder."""
    for one in sorted(pathlib.Path(folder).rglob("*")):
        if one.suffix in (".yaml", ".yml", ".tosca") and one.is_file() and re.search(r"^tosca_definitions_version", one.read_text(errors="replace"), re.M):
            yield one
        elif one.suffix in (".csar", ".zip") and one.is_file() and is_csar(one):
            yield one


def is_csar(path):
    """Whether a zip file has a TOSCA.meta or a YAML file at its root; what is none at all is left to the tools."""
    try:
        names = zipfile.ZipFile(path).namelist()
    except zipfile.BadZipFile:
        return True
    return any(name.endswith("TOSCA.meta") or "/" not in name and name.endswith((".yaml", ".yml")) for name in names)


def kept(keep, name, root, files, run):
    """The verdicts of a peer; with `--keep FOLDER` they are written there, and read from there the next time."""
    path = keep and pathlib.Path(keep) / f"{root.resolve().name}.{name}.json"
    known = json.loads(path.read_text()) if path and path.exists() else {}
    # A peer that does not finish loses one part only.
    missing = [one for one in files if str(one.relative_to(root)) not in known]
    for start in range(0, len(missing), 25):
        part = missing[start:start + 25]
        known.update(zip((str(one.relative_to(root)) for one in part), run(part)))
        if path:
            path.write_text(json.dumps(known))
    return [known.get(str(one.relative_to(root)), ["error", 0, "no answer"]) for one in files]


def peers(options):
    files = list(collection(options.files))
    root = pathlib.Path(options.files)
    theirs = {name: kept(options.keep, name, root, files, run) for name, run in peer_runners(options.peer)}
    own = by_command(options.command, map(str, files), root) if options.command else verdicts(map(str, files))
    print("file\tlocus\t" + "\t".join(theirs) + "\treasons")
    table = {}
    for at, one in enumerate(files):
        found = [own[at][0]] + [all_[at][0] for all_ in theirs.values()]
        table[tuple(found)] = table.get(tuple(found), 0) + 1
        reasons = [own[at][3]] + [f"{name}: {all_[at][2]}" for name, all_ in theirs.items() if all_[at][0] == "error"]
        print("\t".join([str(one.relative_to(root)), *found, " | ".join(reason for reason in reasons if reason)]))
    print("locus, " + ", ".join(theirs))
    for found, count in sorted(table.items()):
        print(f"{', '.join(found)}: {count}")


def texts_of_rules():
    """The texts of `crates/tosca/tests/rules.txt`, which break rules or come close."""
    text = (HERE.parent / "crates/tosca/tests/rules.txt").read_text()
    versions = {"1": "tosca_definitions_version: tosca_simple_yaml_1_3", "2": "tosca_definitions_version: tosca_2_0"}
    for block in text.split("\n== ")[1:]:
        for part in re.split(r"\n-- (?:bad|good)\n", block)[1:]:
            first, _, rest = part.strip().partition("\n")
            yield f"{versions.get(first, first)}\n{rest}\n"


def changed(text, texts, words, chance):
    """A text with up to six changes: words that go, come or change, and parts of other texts."""
    odd = ["[", "{", "]", "}", "-1", "9" * 20, "&a", "*a", "!!binary", "null", "~", "$value", '"', "\t", ": ", "- ", "<<", "UNBOUNDED", "$$"]
    parts = WORD.findall(text) or ["a"]
    for _ in range(chance.randint(1, 6)):
        at, other = chance.randrange(len(parts)), WORD.findall(chance.choice(texts)) or ["a"]
        start = chance.randrange(len(other))
        instead = chance.choice([[chance.choice(words)], [chance.choice(words), parts[at]], [chance.choice(odd)], other[start:start + 20], []])
        parts[at:at + 1] = instead
        parts = parts or ["a"]
    return "".join(parts)


WORD = re.compile(r"[A-Za-z0-9_.$-]+|\s+|.", re.S)


def chance(options):
    texts = list(texts_of_rules())
    texts += [one.read_text(errors="replace") for one in sorted((pathlib.Path(options.suite) / "tests/tosca_2_0").rglob("*.yaml"))]
    words = sorted({word for text in texts for word in WORD.findall(text) if word.strip()})
    dice = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{number}.yaml" for number in range(options.count)]
        for path in paths:
            path.write_text(changed(dice.choice(texts), texts, words, dice))
        found = verdicts(map(str, paths))
    errors = sum(one[0] == "error" for one in found)
    print(f"{len(found)} of {options.count} files read, {errors} with errors, the slowest in {max(one[1] for one in found) / 1e6:.2f} s")


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


def seconds(command, runs):
    """The processor time of a whole process, the least of several runs."""
    least = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run(command, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if result.returncode:
            sys.exit(f"{' '.join(map(str, command))} failed: {(result.stdout + result.stderr)[-1000:]}")
        taken = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        least = taken if least is None else min(least, taken)
    return least


def archive_of_500(path):
    """An archive of 500 files: one with the service, one with a type for each of its nodes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        imports = [f"types/{number}.yaml" for number in range(498)]
        archive.writestr("TOSCA.meta", "CSAR-Version: 2.0\nCreated-By: bench\nEntry-Definitions: main.yaml\n")
        archive.writestr("main.yaml", "tosca_definitions_version: tosca_2_0\nimports:\n" + "".join(f"- {one}\n" for one in imports) + "service_template:\n  node_templates:\n" + "".join(f"    n{number}: {{ type: T{number} }}\n" for number in range(498)))
        for number, one in enumerate(imports):
            archive.writestr(one, f"tosca_definitions_version: tosca_2_0\nnode_types:\n  T{number}: {{ properties: {{ size: {{ type: integer, default: 1 }} }} }}\n")


def times(options):
    """Processor time of whole processes, the least of several runs: the command of Locus and that of tosca-parser."""
    command = options.command or HERE.parent / "target/release/locus"
    peer = next((one.partition("=")[2] for one in options.peer if one.startswith("tosca-parser=")), None)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = [(f"{count} nodes, generated", count, generate(count)) for count in [3, 30, 300, 3000, 10000]]
        files += [(one.name, 0, one.read_text()) for one in map(pathlib.Path, options.file)]
        print("| file | Locus | tosca-parser | ratio |\n| --- | ---: | ---: | ---: |")
        for number, (name, count, text) in enumerate(files):
            path = folder / f"{number}.yaml"
            path.write_text(text)
            runs = options.runs if count < 3000 else 3
            own = seconds([command, "check", path], runs)
            theirs = None
            if peer and count <= options.most:
                tool = pathlib.Path(peer).parent / "tosca-parser"
                theirs = seconds([tool, f"--template-file={path}"], min(runs, 3 if count else 5))
            cells = [f"{theirs:.3f} s", f"{theirs / own:.0f}"] if theirs else ["–", "–"]
            print(f"| {name} | {own:.4f} s | {' | '.join(cells)} |", flush=True)
        path = folder / "500.csar"
        archive_of_500(path)
        print(f"| archive of 500 files | {seconds([command, 'check', path], options.runs):.4f} s | – | – |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["suite", "corpus", "peers", "chance", "times"])
    parser.add_argument("--suite", help="a checkout of oasis-open/tosca-community-contributions")
    parser.add_argument("--files", help="a folder with TOSCA files")
    parser.add_argument("--peer", action="append", default=[], help="NAME=PYTHON[:FOLDER], see above")
    parser.add_argument("--keep", help="in `peers`, a folder where the verdicts of the peers are kept")
    parser.add_argument("--command", help="in `suite` and `peers`, the command to run in place of the library; in `times`, the command to measure")
    parser.add_argument("--file", action="append", default=[], help="in `times`, a file that both accept")
    parser.add_argument("--seed", default="1", help="in `chance`, what the files are made by")
    parser.add_argument("--count", type=int, default=10000, help="in `chance`, how many files")
    parser.add_argument("--runs", type=int, default=20, help="in `times`, how often each file is checked")
    parser.add_argument("--most", type=int, default=3000, help="largest topology for tosca-parser")
    parser.add_argument("--all", action="store_true", help="also the 7,374 files of the profile of DMTF")
    parser.add_argument("--verdicts", help="the program of the example, if it is not in target/release")
    options = parser.parse_args()
    global VERDICTS
    VERDICTS = pathlib.Path(options.verdicts or VERDICTS)
    {"suite": suite, "corpus": corpus, "peers": peers, "chance": chance, "times": times}[options.what](options)


if __name__ == "__main__":
    main()
