#!/usr/bin/env python3
"""Runs the TLA+ checker on the models of tlaplus/Examples and compares it with TLC's recorded results.

    bench/tla.py LOCUS EXAMPLES MODELS.csv [--max-tlc SECONDS] [--timeout SECONDS] [--only TEXT] [--workers N]

LOCUS is the command `locus`, built for release. EXAMPLES is a checkout of
tlaplus/Examples. MODELS.csv has the columns module, cfg, mode, tlc_here, tlc_distinct, tlc_generated and
tlc_wall_s, one model a row. Prints a table with every difference, then the sums. Exit code 1 if anything differs.
"""

import argparse
import csv
import json
import math
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
        return done, time.time() - start
    except subprocess.TimeoutExpired:
        return None, time.time() - start


def answer(done):
    """The verdict, the message and the counts, generated and distinct, of a run."""
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return "crash", done.stderr.strip()[:150], ("", "")
    message = document["message"]
    if document["verdict"] is None and document["findings"]:
        message = document["findings"][0]["message"]
    counts = (str(document["generated"]), str(document["distinct"]))
    return document["verdict"] or "parse", message[:150], counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("locus")
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
        spec, config = f"{options.examples}/{row['module']}", f"{options.examples}/{row['cfg']}"
        command = [options.locus, "tla", "check", spec, "--config", config, "--format", "json"]
        done, seconds = run(command + ["--workers", options.workers], options.timeout)
        if done is None:
            outcome, detail = "timeout", f"TLC {wall} s"
        else:
            verdict, detail, ours = answer(done)
            same = verdict in SAME.get(row["tlc_here"], set())
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
