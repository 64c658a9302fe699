#!/usr/bin/env python3
"""Runs Alloy's sample models side by side with Alloy's own verdicts and times.

Usage: alloy.py RESULTS MODELS COMMAND [--timeout SECONDS] [--jar JAR] [--only TEXT]

RESULTS  a CSV of commands with Alloy's verdicts: columns `model (…)` (a path below MODELS), `index`, `command`,
         `alloy_6_2` (SAT or UNSAT), `temporal` (1 to leave it out) and `alloy_cpu_ms`.
MODELS   a checkout of the public repository AlloyTools/org.alloytools.alloy.
COMMAND  the binary of `cargo build --release -p locus-alloy --example alsrun`.
--jar    Alloy's jar (`org.alloytools.alloy.dist.jar`); if given, Alloy runs each model on this machine too, and its
         time for the whole process is shown instead of the figure in RESULTS.

Prints one line per command: verdicts, milliseconds of ours (from the resolved model to the verdict, best of three), those of
Alloy, and their ratio; then the number of differences, the geometric mean of the ratios and the commands that are slower here.
Exits with 1 if a verdict differs.
"""

import argparse
import collections
import csv
import math
import os
import subprocess
import sys
import time


def ours(command, path, timeout):
    """Verdict and milliseconds of every command of a model, the best of three runs."""
    found = {}
    for _ in range(3):
        args = [command, "--format", "tsv", "--no-vacuity", "--timeout", str(timeout), path]
        run = subprocess.run(args, capture_output=True, text=True, check=False)
        slow = False
        for line in run.stdout.splitlines():
            parts = line.split("\t")
            if len(parts) == 5:
                index, verdict, took = int(parts[1]), parts[3], float(parts[4])
                before = found.get(index, (verdict, took))
                found[index] = (verdict, min(took, before[1]))
                slow = slow or took > 5000
        if slow:
            break
    return found


def theirs(jar, path, index):
    """Milliseconds of the whole Alloy process for one command."""
    start = time.monotonic()
    args = ["java", "-jar", jar, "exec", "-c", str(index), "-t", "none", "-f", "-o", "-", path]
    subprocess.run(args, capture_output=True, check=False)
    return (time.monotonic() - start) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("models")
    parser.add_argument("command")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jar")
    parser.add_argument("--only", default="")
    options = parser.parse_args()

    by_model = collections.OrderedDict()
    with open(options.results, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            model = next(value for key, value in row.items() if key.startswith("model"))
            by_model.setdefault(model, []).append(row)

    same = different = left_out = 0
    ratios = []
    slower = []
    for model, rows in by_model.items():
        if options.only not in model:
            continue
        path = os.path.join(options.models, model)
        found = ours(options.command, path, options.timeout)
        for row in rows:
            if row["temporal"] == "1":
                left_out += 1
                continue
            index = int(row["index"])
            verdict, took = found.get(index, ("missing", 0.0))
            alloy = theirs(options.jar, path, index) if options.jar else float(row["alloy_cpu_ms"] or 0)
            if verdict.upper() == row["alloy_6_2"]:
                same += 1
                mark = ""
            else:
                different += 1
                mark = "  DIFFERENT"
            ratio = alloy / took if took > 0 and alloy > 0 else None
            if ratio is not None:
                ratios.append(math.log(ratio))
                if ratio < 1 / 1.1:
                    slower.append((ratio, model, index, took, alloy))
            shown = f"{ratio:8.2f}x" if ratio is not None else "        -"
            name = f"{os.path.basename(model)} {index} {row['command'][:40]}"
            print(f"{name:<64} {verdict:<8} {row['alloy_6_2']:<6} {took:10.1f} ms {alloy:10.1f} ms {shown}{mark}")
    print(f"\n{same} verdicts are the same, {different} differ, {left_out} temporal commands were left out")
    if ratios:
        print(f"geometric mean of Alloy's time over ours: {math.exp(sum(ratios) / len(ratios)):.2f}")
    for ratio, model, index, took, alloy in sorted(slower):
        print(f"slower here: {os.path.basename(model)} {index}: {took:.1f} ms against {alloy:.1f} ms ({ratio:.2f}x)")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
