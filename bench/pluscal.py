#!/usr/bin/env python3
"""Compares translations of PlusCal algorithms with those of the TLA+ tools.

    bench/pluscal.py LOCUS --tlc CLASSPATH [--verbose] FOLDER...

LOCUS is the command `locus`, CLASSPATH has the TLA+ tools. Every module under the folders that has an algorithm is
translated by both, from the same text, and the translations are compared token for token: white space, comments and
checksums do not count. Prints one line for each that differs, and the sums: `same`, `both refuse`, `differs`,
`refused here`, `only here`. Exit code 1 if something differs or is refused here only.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def modules(folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.tla")):
            text = path.read_bytes()
            if b"--algorithm" in text or b"--fair" in text:
                yield path


def translation(text):
    """The tokens between the marks; strings stay as they are."""
    begin = re.search(r"^.*BEGIN\s+TRANSLATION.*$", text, re.M)
    end = begin and re.search(r"^.*END\s+TRANSLATION.*$", text[begin.end() :], re.M)
    if not end:
        return None
    text = text[begin.end() : begin.end() + end.start()]
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|\\\*[^\n]*|\(\*.*?\*\)|\w+|\S', text, re.S)
    return [token for token in tokens if not token.startswith(("\\*", "(*"))]


def theirs(options, path, folder):
    copy = folder / path.name
    shutil.copy(path, copy)
    command = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", options.tlc, "pcal.trans", "-nocfg", str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if "Translation completed." not in done.stdout:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        return None, " ".join(lines[1:4])
    return translation(copy.read_text(encoding="utf-8", errors="replace")), ""


def ours(options, path):
    done = subprocess.run([options.locus, "tla", "translate", "--print", str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr + done.stdout).strip().split("\n")[0]
    return translation(done.stdout), ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("locus")
    parser.add_argument("--tlc", required=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    sums = collections.Counter()
    for path in modules(options.folders):
        with tempfile.TemporaryDirectory() as folder:
            expected, why = theirs(options, path, pathlib.Path(folder))
        found, message = ours(options, path)
        if expected is None or found is None:
            outcome = "both refuse" if expected is found else "refused here" if found is None else "only here"
        else:
            outcome = "same" if expected == found else "differs"
        sums[outcome] += 1
        if outcome == "differs":
            at = next((i for i, pair in enumerate(zip(expected, found)) if pair[0] != pair[1]), min(len(expected), len(found)))
            print(f"differs: {path}\n    theirs: {' '.join(expected[max(0, at - 8):at + 12])}")
            print(f"    ours:   {' '.join(found[max(0, at - 8):at + 12])}", flush=True)
        elif outcome != "same" and (options.verbose or outcome != "both refuse"):
            print(f"{outcome}: {path}\n    theirs: {why}\n    ours: {message}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(sums.items())))
    return 1 if sums["differs"] or sums["refused here"] else 0


if __name__ == "__main__":
    sys.exit(main())
