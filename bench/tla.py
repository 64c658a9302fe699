#!/usr/bin/env python3
"""Runs the TLA+ checker on the models of tlaplus/Examples and compares it with TLC's recorded results.

    bench/tla.py CHECKER EXAMPLES MODELS.csv [--max-tlc SECONDS] [--timeout SECONDS] [--only TEXT] [--workers N]

CHECKER is the command to run; it is called as `CHECKER SPEC.tla CONFIG.cfg WORKERS` and prints a line
`verdict: WORD [NAME]` and a line `generated N distinct N depth N seconds S`. EXAMPLES is a checkout of
tlaplus/Examples. MODELS.csv has the columns module, cfg, mode, tlc_here, tlc_distinct, tlc_generated and
tlc_wall_s, one model a row. Prints a table with every difference, then the sums. Exit code 1 if anything differs.
"""

import argparse
import csv
import math
import re
import subprocess
import sys
import time

# What TLC's verdicts are called here.
SAME = {
    "success": {"ok"},
    "safety failure": {"invariant", "property", "evaluation"},
    "liveness failure": {"property"},
    "deadlock failure": {"deadlock"},
    "assumption failure": {"assumption"},
}


def run(arguments, timeout):
    start = time.time()
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout)
        return done.stdout + done.stderr, time.time() - start
    except subprocess.TimeoutExpired:
        return None, time.time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checker")
    parser.add_argument("examples")
    parser.add_argument("models")
    parser.add_argument("--max-tlc", type=float, default=10.0, help="skip models that take TLC longer")
    parser.add_argument("--min-tlc", type=float, default=0.0, help="skip models that take TLC less")
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--workers", default="1")
    options = parser.parse_args()
    counts = {}
    ratios = []
    with open(options.models, newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    for row in rows:
        wall = float(row["tlc_wall_s"] or "inf")
        if row["mode"] != "exhaustive search" or not options.min_tlc <= wall <= options.max_tlc:
            continue
        if options.only not in row["cfg"]:
            continue
        name = row["cfg"].removeprefix("specifications/")
        command = [options.checker, f"{options.examples}/{row['module']}", f"{options.examples}/{row['cfg']}"]
        output, seconds = run(command + [options.workers], options.timeout)
        if output is None:
            outcome, detail = "timeout", f"TLC {wall} s"
        else:
            verdict = re.search(r"^verdict: (\w+)", output, re.M)
            figures = re.search(r"^generated (\d+) distinct (\d+)", output, re.M)
            message = re.search(r"^message: (.*)$", output, re.M)
            verdict = verdict[1] if verdict else "crash"
            detail = message[1][:150] if message else output.strip().split("\n")[0][:150]
            same = verdict in SAME.get(row["tlc_here"], set())
            ours = (figures[1], figures[2]) if figures else ("", "")
            theirs = (row["tlc_generated"], row["tlc_distinct"])
            if verdict in ("evaluation", "parse", "crash") and not same:
                outcome = verdict
            elif not same:
                outcome, detail = "verdict", f"{verdict}, TLC {row['tlc_here']}; {detail}"
            elif row["tlc_here"] == "success" and theirs[0] and ours != theirs:
                outcome, detail = "counts", f"generated, distinct {ours}, TLC {theirs}"
            else:
                outcome, detail = "same", ""
                ratios.append(wall / max(seconds, 0.001))
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{outcome:10} {seconds:7.2f} s  TLC {wall:7.2f} s  {name}  {detail}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    if ratios:
        mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
        print(f"TLC's recorded time over ours, geometric mean of {len(ratios)}: {mean:.1f}")
    return 0 if set(counts) <= {"same"} else 1


if __name__ == "__main__":
    sys.exit(main())
