#!/usr/bin/env python3
"""Heat and `locus check` side by side on collections of templates.

    cargo build --release -p locus-cli
    python3 bench/hot_corpus.py --heat heatenv/bin/python FOLDER …

Every file in the folders that has a `heat_template_version` is given to both, with the same values for its parameters:
those of a file `NAME.env` beside `NAME.yaml`, and a value that fits for each parameter that still has none. Heat's
verdict is that of the check before a stack is created (`bench/heat_validate.py` says how that is asked, and how Heat is
installed); ours is "refused" if there is a finding at the level of errors.

For each folder a line says how often both accept, both refuse, or one alone refuses; then come the files on which they
differ, with the reasons. `--answers FILE` keeps what Heat said, and takes it from there the next time.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.compile(rb"^\s*[\"']?heat_template_version[\"']?\s*:", re.MULTILINE)


def templates(folder):
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix in (".yaml", ".yml", ".template", ".hot", ".json") and path.is_file():
            if ".j2" not in path.suffixes and VERSION.search(path.read_bytes()):
                yield path


def environments(path):
    beside = path.with_suffix(".env")
    return [str(beside)] if beside.exists() else []


def ask_heat(python, paths):
    """What Heat says, by path."""
    jobs = [{"template": str(path), "environments": environments(path), "fill": True} for path in paths]
    with tempfile.TemporaryFile("w+") as lines:
        lines.writelines(json.dumps(job) + "\n" for job in jobs)
        lines.seek(0)
        command = [python, HERE / "heat_validate.py"]
        ran = subprocess.run(command, stdin=lines, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    return {answer["template"]: answer for answer in answers if "template" in answer}


def ask_locus(locus, path, filled):
    """Our findings at the level of errors, and whether the file could be checked at all."""
    command = [locus, "check", "--format", "json", str(path)]
    for environment in environments(path):
        command += ["-e", environment]
    for name, value in filled.items():
        command += ["-P", f"{name}={value}"]
    ran = subprocess.run(command, capture_output=True, check=False)
    try:
        report = json.loads(ran.stdout)
    except ValueError:
        return None, ran.stderr.decode(errors="replace")[-300:]
    if report["errors"]:
        return None, report["errors"][0]
    return [one for one in report["findings"] if one["severity"] == "error"], None


def kind(words):
    """Heat's words without what differs from file to file."""
    words = re.sub(r"^\w+(Failed|Error|Exception|Missing|Conflict): ", "", words)
    words = re.sub(r"<[^>]*>|\([^)]*\)|\"[^\"]*\"|'[^']*'|resources(\.[\w\[\]{}-]+)+|\d+", "…", words)
    return words[:110].replace("\n", " ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--heat", default=sys.executable, help="the Python in whose environment Heat is")
    parser.add_argument("--locus", default=HERE.parent / "target/release/locus")
    parser.add_argument("--answers", type=pathlib.Path, help="where Heat's answers are kept")
    options = parser.parse_args()
    paths = {folder: list(templates(folder)) for folder in options.folders}
    if options.answers and options.answers.exists():
        heat = json.loads(options.answers.read_text())
    else:
        heat = ask_heat(options.heat, [path for some in paths.values() for path in some])
        if options.answers:
            options.answers.write_text(json.dumps(heat))
    print("| collection | templates | both accept | both refuse | ours alone | Heat alone | not checked |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    ours_alone, heat_alone, unchecked = [], [], []
    for folder, some in paths.items():
        count = collections.Counter()
        for path in some:
            answer = heat[str(path)]
            findings, failure = ask_locus(options.locus, path, answer["filled"])
            if findings is None:
                count["not checked"] += 1
                unchecked.append((path, failure))
                continue
            refused = bool(answer["create"])
            count[(refused, bool(findings))] += 1
            if findings and not refused:
                ours_alone.append((path, findings))
            elif refused and not findings:
                heat_alone.append((path, answer["create"]))
        cells = [len(some)] + [count[key] for key in ((False, False), (True, True), (False, True), (True, False))]
        print("|", pathlib.Path(folder).name, "|", " | ".join(map(str, [*cells, count["not checked"]])), "|", flush=True)
    print("\n# Ours alone")
    for path, findings in ours_alone:
        for one in findings:
            start = one["place"]["start"]
            print(f"{one['code']} {path}:{start['line']}:{start['column']}: {one['message']}")
    print("\n# Heat alone")
    groups = collections.defaultdict(list)
    for path, words in heat_alone:
        groups[kind(words)].append((path, words))
    for group, members in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"{len(members)} × {group}")
        for path, words in members:
            print(f"    {path}: {words[:400]!r}")
    print("\n# Not checked")
    for path, failure in unchecked:
        print(f"{path}: {failure}")


if __name__ == "__main__":
    main()
