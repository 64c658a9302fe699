#!/usr/bin/env python3
"""Runs commands of Alloy models here and in the Alloy Analyzer, side by side.

Usage: alloy.py LOCUS MODEL… [--jar JAR] [--solvers LIST] [--results CSV] [--runs N] [--timeout SECONDS] [--only TEXT] [--cpu]
       alloy.py LOCUS --ground N [--jar JAR] …

LOCUS      the binary of `cargo build --release -p locus-cli`.
MODEL      files, or folders to be searched for `.als` files (a checkout of AlloyTools/org.alloytools.alloy, `specs/report/`).
--jar      Alloy's jar (`org.alloytools.alloy.dist.jar`): each command runs there as well, in a process of its own.
--solvers  solvers of Alloy, with commas between them; the fastest counts. Default: sat4j,minisat
--results  a CSV with verdicts to compare with instead of, or besides, those of the jar: columns `model (…)` (how a path
           ends), `index`, `alloy_6_2` (SAT or UNSAT), `temporal` (1 to leave it out). Only its commands are run.
--ground   a model of N `one sig`s with a constant relation between them, in which nothing is left to be found.
--cpu      processor time instead of time by the clock: for a machine that does other things too.

Both are timed as whole processes, from file to verdict, one command each; the best of `--runs` counts. Prints one line per
command: both verdicts, both times, Alloy's time over ours; then differences, the geometric mean, and what is slower here.
Exits with 1 if a verdict differs.
"""

import argparse
import collections
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import time

Run = collections.namedtuple("Run", "verdict milliseconds")


def process(args, timeout, cpu):
    """Milliseconds and output of a process; no milliseconds if time was up."""
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        child = subprocess.Popen(args, stdout=out, stderr=subprocess.DEVNULL)
        while True:
            pid, _, used = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - start > timeout:
                child.kill()
                os.wait4(child.pid, 0)
                child.returncode = -9
                return None, b""
            time.sleep(0.0005 if time.monotonic() - start < 0.2 else 0.01)
        wall = time.monotonic() - start
        child.returncode = 0
        out.seek(0)
        return 1e3 * (used.ru_utime + used.ru_stime if cpu else wall), out.read()


def listed(locus, path):
    """The commands of a model, none of them given time to be solved. None if the model cannot be read."""
    run = subprocess.run([locus, "alloy", "run", path, "--format", "json", "--timeout", "0s"], capture_output=True, check=False)
    try:
        return [(one["index"], one["name"]) for one in json.loads(run.stdout)["commands"]]
    except (ValueError, KeyError):
        return []


def ours(options, path, index):
    args = [options.locus, "alloy", "run", path, "-c", str(index), "--format", "json", "--timeout", f"{options.timeout}s"]
    took, out = process(args, options.timeout + 10, options.cpu)
    if took is None:
        return Run("unknown", None)
    try:
        return Run(json.loads(out)["commands"][0]["verdict"], took)
    except (ValueError, KeyError, IndexError):
        return Run("error", None)


def theirs(options, path, index, solver):
    with tempfile.TemporaryDirectory() as folder:
        args = ["java", "-jar", options.jar, "exec", "-q", "-c", str(index), "-s", solver, "-t", "none", "-f", "-o", folder, path]
        took, _ = process(args, options.timeout, options.cpu)
        if took is None:
            return Run("unknown", None)
        try:
            with open(os.path.join(folder, "receipt.json"), encoding="utf-8") as file:
                (command,) = json.load(file)["commands"].values()
        except (OSError, ValueError, KeyError):
            return Run("error", None)
        return Run("sat" if command.get("solution") else "unsat", took)


def best(run, times):
    """The fastest of some runs; one that gives an answer is better than one that does not."""
    found = []
    for _ in range(times):
        found.append(run())
        if found[-1].milliseconds is None or found[-1].milliseconds > 10_000:
            break
    return fastest(found)


def fastest(runs):
    return min(runs, key=lambda one: math.inf if one.milliseconds is None else one.milliseconds)


def expected(path):
    """Verdicts by the end of the model's path, in the order of the file; none for what is to be left out."""
    by_model = collections.defaultdict(dict)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            model = next(value for key, value in row.items() if key.startswith("model"))
            by_model[model][int(row["index"])] = None if row["temporal"] == "1" else row["alloy_6_2"].lower()
    return by_model


def models(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".als"))
        else:
            yield path


def ground(count, folder):
    """The file of a model in which everything is given: a chain of `count` nodes, and that it is no circle."""
    nodes = "".join(f"one sig N{i} extends Node {{}}\n" for i in range(count))
    edges = " + ".join(f"N{i}->N{i + 1}" for i in range(count - 1))
    path = os.path.join(folder, f"ground-{count}.als")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"abstract sig Node {{ edges: set Node }}\n{nodes}fact {{ edges = {edges} }}\n")
        file.write("assert Acyclic { no n: Node | n in n.^edges }\ncheck Acyclic\nrun { some n: Node | one n.edges }\n")
    return path


def shown(run):
    return f"{run.verdict:<8}" + (f"{run.milliseconds:10.1f} ms" if run.milliseconds is not None else " " * 12 + "-")


class Totals:
    def __init__(self):
        self.same = self.different = self.left_out = 0
        self.ratios = []
        self.slower = []

    def add(self, name, mine, alloy, known):
        answers = {verdict for verdict in (known, alloy.verdict) if verdict in ("sat", "unsat")}
        mark = ""
        if answers == {mine.verdict}:
            self.same += 1
        elif answers:
            self.different += 1
            mark = "  DIFFERENT"
        ratio = alloy.milliseconds / mine.milliseconds if mine.milliseconds and alloy.milliseconds else None
        if ratio is not None:
            self.ratios.append(ratio)
            if ratio < 1 / 1.1:
                self.slower.append((ratio, name, mine, alloy))
        over = f"{ratio:8.2f}x" if ratio is not None else " " * 8 + "-"
        print(f"{name:<72.72} {shown(mine)}  {shown(alloy)} {over}{mark}", flush=True)

    def report(self):
        print(f"\n{self.same} verdicts are the same, {self.different} differ, {self.left_out} commands were left out")
        if self.ratios:
            mean = math.exp(sum(map(math.log, self.ratios)) / len(self.ratios))
            print(f"geometric mean of Alloy's time over ours, {len(self.ratios)} commands: {mean:.2f}")
        for ratio, name, mine, alloy in sorted(self.slower, key=lambda one: one[0]):
            print(f"slower here: {name}: {mine.milliseconds:.1f} ms against {alloy.milliseconds:.1f} ms ({ratio:.2f}x)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("locus")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--jar")
    parser.add_argument("--solvers", default="sat4j,minisat")
    parser.add_argument("--results")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--ground", type=int)
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        if options.ground:
            options.models.append(ground(options.ground, folder))
        totals = compare(options)
    totals.report()
    sys.exit(1 if totals.different else 0)


def compare(options):
    """Runs every command of every model here and there, and prints a line for each."""
    known = expected(options.results) if options.results else {}
    totals = Totals()
    for path in models(options.models):
        verdicts = next((rows for model, rows in known.items() if path.endswith(model)), None)
        if options.results and verdicts is None:
            continue
        commands = listed(options.locus, path) or [(index, "") for index in verdicts or [0]]
        for index, command in commands:
            name = f"{os.path.basename(path)} {index} {command}"
            if options.only not in name:
                continue
            if verdicts is not None and verdicts.get(index) is None:
                totals.left_out += 1
                continue
            alloy = Run("-", None)
            if options.jar:
                solvers = options.solvers.split(",")
                runs = [best(lambda s=solver: theirs(options, path, index, s), options.runs) for solver in solvers]
                alloy = fastest(runs)
            mine = best(lambda: ours(options, path, index), options.runs)
            totals.add(name, mine, alloy, (verdicts or {}).get(index))
    return totals


if __name__ == "__main__":
    main()
