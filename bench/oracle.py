#!/usr/bin/env python3
"""Compares the answers of two builds of Locus: findings, graphs, plans, Alloy texts and state counts.

    oracle.py OLD NEW [--over FOLDER…] [--sample N] [--show N] [--jobs N] [--log FILE]

OLD and NEW are two `locus` programs. Without `--over`, every file of the repository that Locus reads is asked
about; with it, every such file below the folders, which lie anywhere (collections of templates, say). Each
question is a command; an answer is its exit code, its standard output and its standard error, without times.
A difference is printed as a unified diff, at most `--show` lines of each. Exit code 1 if there is any.

A change that must change nothing has no difference here. One that mends answers has those that it names.
"""

import argparse
import difflib
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENDINGS = (".yaml", ".yml", ".template", ".als", ".tla", ".json", ".csar", ".zip", ".tosca", ".aeolus")
# No answer is worth waiting for longer; that it took longer is an answer too.
PATIENCE = 60
# Times differ from run to run, and names of temporary folders.
VOLATILE = [
    (re.compile(r"\b\d+(\.\d+)? ?(ms|s|µs|min|MB|kB|GB)\b"), "TIME"),
    (re.compile(r'"(seconds|elapsed|duration|time|memory|bytes|\w*[mM]illiseconds)": *[\d.e-]+'), r'"\1": N'),
]


def questions(path, folder):
    """The commands that are asked about a file; the last arguments may name a file of their own in `folder`."""
    name = str(path)
    ending = path.suffix
    if ending == ".tla" and path.with_suffix(".cfg").exists():
        # With several workers, which action found a state depends on who was first.
        limits = ["--workers", "1", "--timeout", "20s", "--max-states", "20000"]
        yield ["tla", "check", "--format", "json", *limits, name]
        return
    yield ["check", "--format", "json", name]
    if ending in (".als", ".tla"):
        return
    yield ["graph", name, "-o", f"{folder}/out.json"]
    yield ["plan", name]
    if "compose" in path.name:
        yield ["graph", name, "-o", f"{folder}/out.als"]


def answer(program, question, folder):
    """Runs a command and returns all that it said, and what it wrote, with nothing that changes from run to run."""
    out = [Path(argument) for argument in question if argument.startswith(folder)]
    try:
        done = subprocess.run(
            [program, *question],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            cwd=ROOT,
            check=False,
        )
        said = f"exit {done.returncode}\n{done.stdout.decode(errors='replace')}\n-- errors\n{done.stderr.decode(errors='replace')}"
    except subprocess.TimeoutExpired:
        said = f"no answer within {PATIENCE} s"
    for written in out:
        if written.exists():
            said += f"\n-- written\n{written.read_text(errors='replace')}"
            written.unlink()
    said = said.replace(folder, "FOLDER")
    for pattern, instead in VOLATILE:
        said = pattern.sub(instead, said)
    return said


def files(folders):
    """All files below the folders that a language of Locus may read, in order; those of git where it is a checkout."""
    for folder in folders:
        folder = Path(folder).resolve()
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, capture_output=True, check=False)
        names = listed.stdout.decode().split("\0") if listed.returncode == 0 else []
        found = [folder / name for name in names if name] or [path for path in folder.rglob("*") if path.is_file()]
        yield from sorted(path for path in found if path.suffix in ENDINGS and path.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--over", nargs="*", default=[ROOT])
    parser.add_argument("--sample", type=int, help="ask only about N files, chosen by the hashes of their names")
    parser.add_argument("--show", type=int, default=12, help="lines of each difference that are printed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--log", help="write all differences in full to this file")
    options = parser.parse_args()
    old, new = (str(Path(program).resolve()) for program in (options.old, options.new))

    asked = list(files(options.over))
    if options.sample:
        asked.sort(key=lambda path: hashlib.sha256(path.name.encode()).digest())
        asked = sorted(asked[: options.sample])

    def compare(path):
        result = []
        with tempfile.TemporaryDirectory() as folder:
            for question in questions(path, folder):
                before, after = answer(old, question, folder), answer(new, question, folder)
                if before != after:
                    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), "old", "new", lineterm="", n=1))
                    result.append((question, lines))
                else:
                    result.append((question, None))
        return result

    questions_asked = different = 0
    log = open(options.log, "w", encoding="utf-8") if options.log else None
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(compare, asked):
            for question, lines in result:
                questions_asked += 1
                if lines is None:
                    continue
                different += 1
                title = "locus " + " ".join(question)
                print(title, *lines[: options.show], "", sep="\n")
                if log:
                    print(title, *lines, "", sep="\n", file=log)
    print(f"{len(asked)} files, {questions_asked} questions, {different} answered differently")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
