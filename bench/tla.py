#!/usr/bin/env python3
"""Runs the TLA+ checker on models of tlaplus/Examples, and compares it with TLC: its answers, or its times.

    bench/tla.py answers LOCUS EXAMPLES MODELS.csv [--max-tlc S] [--only TEXT] [--table FILE.md [--missing]]
    bench/tla.py times LOCUS EXAMPLES TIMINGS.csv [--jar tla2tools.jar] [--workers 1,2] [--repeat N] [--csv FILE]
    bench/tla.py times LOCUS EXAMPLES second --jar tla2tools.jar [--raft RAFT] [...]
    bench/tla.py workers LOCUS EXAMPLES TIMINGS.csv|second|third [--repeat N] [--seconds S]

LOCUS is the command `locus`, built for release; EXAMPLES a checkout of tlaplus/Examples.

`answers` compares verdicts and counts with what TLC was recorded to answer. MODELS.csv has one model a row:
module, cfg, mode, the manifest's expected, distinct and generated, and where TLC was run, tlc_here (its verdict),
tlc_distinct, tlc_generated and tlc_wall_s. Prints a line a model, then the sums; with --table also writes them
as Markdown. Exit code 1 if anything differs.

`times` measures from file to verdict: wall time, processor time and peak memory; of several runs the best counts.
TIMINGS.csv has model, module, cfg, workers, tlc_wall_s, tlc_cpu_s, generated, distinct and tlc_rss_mb, one run of
TLC a row. With --jar TLC is run here, beside each of ours, and its record is not used; with --tla-checker that
command is run too. Prints ratios and their geometric mean. `second` in place of the table stands for the second set of
models, SECOND below, which has no record, and `third` for THIRD. RAFT is a checkout of etcd-io/raft.

`workers` compares two workers with one, by the clock: with one worker that has the machine to itself, and with one beside
another run of the same model, since cores share memory and cache. The best of N rounds, in each of which all three are run, and
of as many more as begin within S seconds: where the machine is slow at times, small models need many.
"""

import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# What TLC's verdicts are called here.
SAME = {
    "success": {"ok"},
    "safety failure": {"invariant", "property", "evaluation"},
    "liveness failure": {"property"},
    "deadlock failure": {"deadlock"},
    "assumption failure": {"assumption"},
}

UPDATE_CLUSTER = pathlib.Path(__file__).resolve().parent.parent / "specs/update/UpdateCluster.tla"

# The second set of models for `times`, chosen before the work on packed states began, so that what is gained on the first
# set is not gained on that alone: models that an independent comparison had found slow here, and of each kind of
# specification that the first set has little of some of the largest that TLC finishes within five minutes.
SECOND = [
    # name, module, cfg (both below specifications/ of tlaplus/Examples), why it is here
    ("KVSSmall", "KeyValueStore/MCKVS.tla", "KeyValueStore/MCKVSSafetySmall.cfg", "functions of functions; was 2.9"),
    ("Bakery", "Bakery-Boulangerie/MCBakery.tla", "Bakery-Boulangerie/MCBakery.cfg", "many initial states; was 3.3"),
    ("Boulanger", "Bakery-Boulangerie/MCBoulanger.tla", "Bakery-Boulangerie/MCBoulanger.cfg", "PlusCal, a constraint"),
    (
        "Checkpoint",
        "CheckpointCoordination/MCCheckpointCoordination.tla",
        "CheckpointCoordination/MCCheckpointCoordination.cfg",
        "symmetry, sequences",
    ),
    ("EtcdRaft", "", "", "a real system: bags of messages, a view; with smaller limits"),
    ("GameOfLife", "GameOfLife/GameOfLife.tla", "GameOfLife/GameOfLife.cfg", "a large function, all of it read"),
    ("FastPaxos", "SimplifiedFastPaxos/FastPaxos.tla", "SimplifiedFastPaxos/FastPaxos.cfg", "sets of messages, symmetry"),
    ("BcastByz", "bcastByz/bcastByz.tla", "bcastByz/bcastByz.cfg", "sets of pairs, SUBSET in actions"),
    ("TokenRing", "ewd426/TokenRing.tla", "ewd426/TokenRing.cfg", "liveness, arithmetic"),
    ("Barriers", "barriers/Barriers.tla", "barriers/Barriers.cfg", "refinement, liveness"),
    ("AtomicCommit", "acp/ACP_SB_TLC.tla", "acp/ACP_SB_TLC.cfg", "records in functions, liveness"),
    ("NonBlockingCommit", "nbacg_guer01/nbacg_guer01.tla", "nbacg_guer01/nbacg_guer01.cfg", "sets, liveness"),
    ("Crdt", "FiniteMonotonic/MCCRDT.tla", "FiniteMonotonic/MCCRDT.cfg", "liveness, counters in matrices"),
    ("EWD998Small", "ewd998/EWD998.tla", "ewd998/EWD998Small.cfg", "sums over functions, a constraint"),
    ("PaxosSmall", "PaxosHowToWinATuringAward/MCPaxos.tla", "PaxosHowToWinATuringAward/MCPaxosSmall.cfg", "refinement"),
    ("Allocator", "allocator/AllocatorImplementation.tla", "allocator/AllocatorImplementation.cfg", "refinement, fairness"),
]
# The third set, for `workers`, chosen before the last work on several workers began: all other models of tlaplus/Examples that have an answer
# and states, leave nothing to chance, and took one worker between a tenth of a second and ten seconds.
THIRD = [
    ("Huang", "Huang/Huang.tla", "Huang/Huang.cfg"),
    ("KVsnap", "KeyValueStore/MCKVsnap.tla", "KeyValueStore/MCKVsnap.cfg"),
    (
        "LeastCircular",
        "LeastCircularSubstring/MCLeastCircularSubstring.tla",
        "LeastCircularSubstring/MCLeastCircularSubstringMedium.cfg",
    ),
    ("BinarySearch", "LoopInvariance/MCBinarySearch.tla", "LoopInvariance/MCBinarySearch.cfg"),
    ("Quicksort", "LoopInvariance/MCQuicksort.tla", "LoopInvariance/MCQuicksort.cfg"),
    ("Elevator", "MultiCarElevator/Elevator.tla", "MultiCarElevator/ElevatorLivenessLarge.cfg"),
    ("Voting", "PaxosHowToWinATuringAward/MCVoting.tla", "PaxosHowToWinATuringAward/MCVoting.cfg"),
    ("ReadersWriters", "ReadersWriters/MC.tla", "ReadersWriters/MC.cfg"),
    ("SingleLaneBridge", "SingleLaneBridge/MC.tla", "SingleLaneBridge/MC.cfg"),
    ("SlushMedium", "SlushProtocol/Slush.tla", "SlushProtocol/SlushMedium.cfg"),
    ("TestGraphs", "TLC/TestGraphs.tla", "TLC/TestGraphs.cfg"),
    ("YoYo", "YoYo/YoYoAllGraphs.tla", "YoYo/YoYoAllGraphs.cfg"),
    ("Bosco", "bosco/bosco.tla", "bosco/bosco.cfg"),
    ("BufferedFile", "braf/BufferedRandomAccessFile.tla", "braf/BufferedRandomAccessFile.cfg"),
    ("VoteProof", "byzpaxos/VoteProof.tla", "byzpaxos/VoteProof.cfg"),
    ("EWD687a", "ewd687a/MCEWD687a.tla", "ewd687a/MCEWD687a.cfg"),
]
# What is written in the configuration of etcd's raft in place of what stands there. As it stands, it has infinitely many states:
# candidates ask for votes, and leaders answer themselves, as often as they like, and the bags of messages count how often. So
# there is a limit on the messages under way. These limits are such that TLC ends within a few minutes, with three servers.
RAFT_LIMITS = {
    r"Server      = .*": "Server      = {s1, s2, s3}",
    r"ReconfigurationLimit    = .*": "ReconfigurationLimit    = 0",
    r"MaxTermLimit            = .*": "MaxTermLimit            = 2",
    r"RequestLimit            = .*": "RequestLimit            = 0",
}
RAFT_CONSTRAINT = "\nCONSTRAINT Bounded\n"
RAFT_MODULE = """---- MODULE BoundedRaft ----
EXTENDS MCetcdraft
Bounded == BagCardinality(messages) + BagCardinality(pendingMessages) <= 1
====
"""


class Run:
    """A command that was run to its end, or to its time limit."""

    def __init__(self, arguments, timeout, directory=None):
        with tempfile.TemporaryFile() as out:
            start = time.monotonic()
            process = subprocess.Popen(arguments, stdout=out, stderr=subprocess.STDOUT, cwd=directory)
            # Waited for rather than asked for now and then, since some models take a few hundredths of a second.
            with open(os.pidfd_open(process.pid)) as descriptor:
                self.done = bool(select.select([descriptor], [], [], timeout)[0])
            self.wall = time.monotonic() - start
            if not self.done:
                process.kill()
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0
            self.cpu = used.ru_utime + used.ru_stime
            self.megabytes = used.ru_maxrss / 1024
            out.seek(0)
            self.text = out.read().decode("utf-8", "replace")


def geometric(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


# Answers.


def answer(text):
    """The verdict, the message and the counts, generated and distinct, of a run."""
    try:
        document = json.loads(text[text.index("{") :])
    except ValueError:
        return "crash", text.strip()[-150:], ("", "")
    message = document["message"]
    if document["verdict"] is None and document["findings"]:
        message = document["findings"][0]["message"]
    counts = (str(document["generated"]), str(document["distinct"]))
    return document["verdict"] or "refused", message.splitlines()[0][:150], counts


def record(row):
    """TLC's verdict and counts for a model: as measured, or what the manifest expects."""
    if row["tlc_here"] and row["tlc_here"] != "timeout":
        return row["tlc_here"], (row["tlc_generated"], row["tlc_distinct"])
    return row["expected"], (row["generated"], row["distinct"])


def judge(run, row):
    """How our answer stands to TLC's, in a word, and what there is to say about it."""
    if not run.done:
        return "timeout", "", ("", "")
    verdict, message, ours = answer(run.text)
    expected, theirs = record(row)
    same = verdict in SAME.get(expected, set())
    if message.startswith("not supported"):
        return "refused", message, ours
    # A violation that is an evaluation which failed is one only if the specification asserts something.
    same = same and (verdict != "evaluation" or message.startswith("assertion"))
    if verdict in ("evaluation", "refused", "crash", None) and not same:
        return verdict, message, ours
    if not same:
        return "verdict", f"{verdict}, TLC {expected}; {message}", ours
    # Where something is violated, the search stops somewhere within a level.
    if expected != "success":
        return "same", verdict, ours
    if not row["generated"]:
        return "same", "the manifest has no counts: they vary from run to run" if ours != theirs else "", ours
    if ours != theirs:
        return "counts", f"generated, distinct {', '.join(ours)}, TLC {', '.join(theirs)}", ours
    return "same", "", ours


def name_of(row):
    return row["cfg"].removeprefix("specifications/").removesuffix(".cfg")


def answers(options):
    outcomes, ratios = {}, []
    with open(options.models, newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    table = Table(options.table, [name_of(row) for row in rows]) if options.table else None
    for row in rows:
        name = name_of(row)
        # What was not run to its end here has a record if the manifest has counts.
        wall = float(row["tlc_wall_s"] or ("inf" if not row["generated"] else options.max_tlc))
        if row["mode"] != "exhaustive search" or not options.min_tlc <= wall <= options.max_tlc:
            continue
        if options.only not in name or (options.missing and table and name in table.lines):
            continue
        # In the folder of the repository, as TLC was: one model reads a log by its path from there.
        locus = os.path.abspath(options.locus)
        command = [locus, "tla", "check", row["module"], "--config", row["cfg"], "--format", "json"]
        run = Run(command + ["--workers", options.workers], options.timeout, options.examples)
        outcome, detail, ours = judge(run, row)
        if outcome == "same" and wall < math.inf:
            ratios.append(wall / max(run.cpu, 0.001))
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        print(f"{outcome:10} {run.cpu:7.2f} s  TLC {wall:7.2f} s  {name}  {detail}", flush=True)
        if table:
            expected, theirs = record(row)
            table.add(name, [expected, *theirs, *ours, outcome, detail])
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    if ratios:
        print(f"TLC's recorded time over our processor time, mean of {len(ratios)}: {geometric(ratios):.1f}")
    return 0 if set(outcomes) <= {"same"} else 1


class Table:
    """The table of all answers. What is in it already stays until the model is run again."""

    TEXT = """# Models of tlaplus/Examples: TLC's answers and ours

Written by `bench/tla.py answers`. TLC's verdict and counts are those measured, or where it was not run to its end,
those of the manifest of the repository. Counts are compared where nothing is violated and the manifest has them.

"""
    HEAD = """
| model | TLC | generated | distinct | generated here | distinct here | answer | remark |
| --- | --- | ---: | ---: | ---: | ---: | --- | --- |
"""

    def __init__(self, path, order):
        self.path, self.order, self.lines = path, order, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file.readlines():
                    cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
                    if line.startswith("| ") and cells[0] in order:
                        self.lines[cells[0]] = line

    def add(self, name, cells):
        self.lines[name] = "| " + " | ".join([name] + cells).strip() + " |\n"
        ordered = [self.lines[other] for other in self.order if other in self.lines]
        answers = [line.split(" | ")[6] for line in ordered]
        sums = ", ".join(f"{answers.count(answer)} {answer}" for answer in sorted(set(answers)))
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(f"{self.TEXT}In sum: {sums}.\n{self.HEAD}{''.join(ordered)}")


# Times.


def timing_models(options, directory):
    """The models to be timed, as (name, module, cfg, rows by number of workers)."""
    if options.models in ("second", "third"):
        yield from set_models(options, directory)
        return
    with open(options.models, newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    names = dict.fromkeys(row["model"] for row in rows if options.only in row["model"])
    for name in names:
        by_workers = {row["workers"]: row for row in rows if row["model"] == name}
        row = next(iter(by_workers.values()))
        if name.startswith("UpdateCluster"):
            requests, live = name.removeprefix("UpdateCluster")[0], name.endswith("live")
            module, cfg = str(UPDATE_CLUSTER), f"{directory}/{name}.cfg"
            text = UPDATE_CLUSTER.with_name("UpdateCluster3.cfg").read_text(encoding="utf-8")
            text = text.replace("{r1,r2,r3}", "{" + ",".join(f"r{i + 1}" for i in range(int(requests))) + "}")
            kept = [line for line in text.splitlines() if live or not line.startswith("PROPERTIES")]
            pathlib.Path(cfg).write_text("\n".join(kept) + "\n", encoding="utf-8")
        else:
            module = f"{options.examples}/specifications/{row['module (under specifications/ of tlaplus/Examples)']}"
            cfg = f"{options.examples}/specifications/{row['cfg']}"
        yield name, module, cfg, by_workers


def set_models(options, directory):
    for name, module, cfg, *_ in SECOND if options.models == "second" else THIRD:
        if options.only not in name:
            continue
        specifications = f"{options.examples}/specifications"
        module, cfg = f"{specifications}/{module}", f"{specifications}/{cfg}"
        if name == "EtcdRaft":
            if not options.raft:
                continue
            beside = pathlib.Path(directory, "raft")
            shutil.copytree(f"{options.raft}/tla", beside)
            module, cfg = str(beside / "BoundedRaft.tla"), str(beside / "BoundedRaft.cfg")
            pathlib.Path(module).write_text(RAFT_MODULE, encoding="utf-8")
            text = pathlib.Path(beside, "MCetcdraft.cfg").read_text(encoding="utf-8")
            for old, new in RAFT_LIMITS.items():
                text = re.sub(old, new, text)
            pathlib.Path(cfg).write_text(text + RAFT_CONSTRAINT, encoding="utf-8")
        yield name, module, cfg, {}


def best(make, repeat):
    """Of several runs, the one that took the least wall time."""
    return min((make() for _ in range(repeat)), key=lambda run: run.wall)


def run_tlc(options, module, cfg, workers, directory):
    # Old versions of TLC look for the configuration beside the module only, and have neither of the two statements
    # taken out here; the first has an option instead.
    module, beside = pathlib.Path(module), pathlib.Path(directory, "beside")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    for file in module.parent.glob("*.tla"):
        shutil.copy(file, beside)
    text = pathlib.Path(cfg).read_text(encoding="utf-8")
    plain = re.sub(r"CHECK_DEADLOCK\s+\w+|ALIAS\s+\w+", "", text)
    pathlib.Path(beside, "plain.cfg").write_text(plain, encoding="utf-8")
    deadlock = ["-deadlock"] if re.search(r"CHECK_DEADLOCK\s+FALSE", text) else []
    # Several jars, as for the community modules, are given as a class path is.
    jars = os.pathsep.join(os.path.abspath(jar) for jar in options.jar.split(os.pathsep))
    command = [options.java, "-XX:+UseParallelGC", "-Xmx8g", "-cp", jars, "tlc2.TLC", *deadlock]
    command += ["-workers", workers, "-metadir", f"{directory}/states", "-cleanup", "-config", "plain.cfg", module.name]
    run = Run(command, options.timeout, beside)
    found = re.findall(r"(\d+) states generated, (\d+) distinct states found", run.text)
    run.counts = found[-1] if found and "No error has been found" in run.text else ("", "")
    return run


def run_ours(options, module, cfg, workers):
    command = [options.locus, "tla", "check", module, "--config", cfg, "--format", "json", "--workers", workers]
    run = Run(command, options.timeout)
    verdict, message, counts = answer(run.text)
    run.counts = counts if verdict == "ok" else ("", "")
    run.remark = "" if verdict == "ok" else f"{verdict}: {message}"
    return run


def run_tla_checker(options, module, cfg, ours):
    # One that has not answered in our time and a fifth more is slower; nobody waits for the rest.
    limit = min(options.timeout, max(5, 1.2 * ours.wall))
    command = [options.tla_checker, module, "--config", cfg, "--check-liveness"]
    run = Run(command + ["--max-states", "1000000000", "--max-depth", "1000000"], limit)
    tail = run.text.strip().splitlines()
    run.remark = "" if "No errors found" in run.text else (tail[-1][:60] if tail else "no answer")
    if not run.done:
        run.remark = f"none in {limit:.0f} s"
    return run


class Recorded:
    """A run of TLC as it stands in the table."""

    def __init__(self, row):
        self.wall, self.cpu = float(row["tlc_wall_s"]), float(row["tlc_cpu_s"])
        self.megabytes, self.done = float(row["tlc_rss_mb"]), True
        self.counts = (row["generated"], row["distinct"])


COLUMNS = ["model", "workers", "seconds", "cpu", "megabytes", "tlc_seconds", "tlc_cpu", "tlc_megabytes"]
COLUMNS += ["ratio", "cpu_ratio", "bytes_per_state", "tlc_bytes_per_state", "tla_checker_seconds", "remark"]


def times(options):
    found, one = [], {}
    with tempfile.TemporaryDirectory() as directory:
        for name, module, cfg, recorded in timing_models(options, directory):
            for workers in options.workers.split(","):
                tlc = Recorded(recorded[workers]) if workers in recorded else None
                ours = best(lambda: run_ours(options, module, cfg, workers), options.repeat)
                if options.jar:
                    tlc = best(lambda: run_tlc(options, module, cfg, workers, directory), options.repeat)
                line = time_line(name, workers, ours, tlc)
                if options.tla_checker and workers == "1":
                    other = run_tla_checker(options, module, cfg, ours)
                    line["tla_checker_seconds"] = other.remark or f"{other.wall:.2f}"
                if workers == "1":
                    one[name] = ours
                elif name in one:
                    line["gain"] = one[name].wall / ours.wall
                print_time(line)
                found.append(line)
    summary(found)
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS + ["gain"], extrasaction="ignore")
            writer.writeheader()
            writer.writerows({k: round(v, 3) if isinstance(v, float) else v for k, v in line.items()} for line in found)
    return 1 if any(line["remark"] for line in found) else 0


def time_line(name, workers, ours, tlc):
    line = {"model": name, "workers": workers, "seconds": ours.wall, "cpu": ours.cpu, "megabytes": ours.megabytes}
    line["remark"] = ours.remark
    distinct = int(ours.counts[1] or 0)
    if distinct:
        line["bytes_per_state"] = ours.megabytes * (1 << 20) / distinct
    if tlc is None:
        return line
    line |= {"tlc_seconds": tlc.wall, "tlc_cpu": tlc.cpu, "tlc_megabytes": tlc.megabytes}
    if not tlc.counts[0]:
        line["remark"] = line["remark"] or "TLC gave no answer"
        return line
    line |= {"ratio": tlc.wall / ours.wall, "cpu_ratio": tlc.cpu / ours.cpu}
    if distinct:
        line["tlc_bytes_per_state"] = tlc.megabytes * (1 << 20) / distinct
    if not line["remark"] and tlc.counts != ours.counts:
        line["remark"] = f"counts {ours.counts}, TLC {tlc.counts}"
    return line


def print_time(line):
    figures = "".join(
        f" {label} {line[key]:.{digits}f}"
        for key, label, digits in [
            ("seconds", "s", 2),
            ("tlc_seconds", "TLC", 2),
            ("ratio", "ratio", 1),
            ("cpu", " cpu", 2),
            ("tlc_cpu", "TLC", 2),
            ("cpu_ratio", "ratio", 1),
            ("bytes_per_state", " bytes a state", 0),
            ("tlc_bytes_per_state", "TLC", 0),
            ("gain", " gain over 1 worker", 2),
        ]
        if key in line
    )
    other = f"  tla-checker {line['tla_checker_seconds']}" if "tla_checker_seconds" in line else ""
    print(f"{line['model']:20} x{line['workers']}{figures}{other}  {line['remark']}", flush=True)


def summary(found):
    for workers in dict.fromkeys(line["workers"] for line in found):
        lines = [line for line in found if line["workers"] == workers and "ratio" in line]
        if not lines:
            continue
        wall, cpu = [line["ratio"] for line in lines], [line["cpu_ratio"] for line in lines]
        print(f"{workers} workers, {len(lines)} models: TLC over ours {geometric(wall):.2f} in the geometric mean,", end="")
        print(f" at least {min(wall):.2f}; of processor time {geometric(cpu):.2f}, at least {min(cpu):.2f}")
    gains = [line["gain"] for line in found if "gain" in line]
    if gains:
        print(f"more workers over one: {geometric(gains):.2f} in the geometric mean, at least {min(gains):.2f}")


def workers(options):
    gains, beside = [], []
    with tempfile.TemporaryDirectory() as directory:
        for name, module, cfg, _ in timing_models(options, directory):
            def run(number):
                return run_ours(options, module, cfg, number)

            def both():
                with concurrent.futures.ThreadPoolExecutor() as pool:
                    return min(one.wall for one in pool.map(run, "11"))

            rounds, begin = [], time.monotonic()
            while len(rounds) < options.repeat or time.monotonic() - begin < options.seconds:
                rounds.append((run("1").wall, both(), run("2").wall))
            alone, one, two = (min(column) for column in zip(*rounds))
            gains.append(alone / two)
            beside.append(one / two)
            print(f"{name:20} one {alone:.2f} s, beside another {one:.2f} s, two workers {two:.2f} s:", end=" ")
            print(f"{gains[-1]:.2f} times as fast as one, {beside[-1]:.2f} as one beside another", flush=True)
    print(f"geometric mean {geometric(gains):.2f}, beside another {geometric(beside):.2f}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("answers", "times", "workers"):
        command = commands.add_parser(name)
        command.add_argument("locus")
        command.add_argument("examples")
        command.add_argument("models")
        command.add_argument("--only", default="", help="only models whose name has this in it")
        command.add_argument("--timeout", type=float, default=300.0)
        if name == "answers":
            command.add_argument("--max-tlc", type=float, default=300.0, help="skip models that take TLC longer")
            command.add_argument("--min-tlc", type=float, default=0.0, help="skip models that take TLC less")
            command.add_argument("--workers", default="1")
            command.add_argument("--table", help="keep a Markdown table here")
            command.add_argument("--missing", action="store_true", help="only models that the table does not have")
        elif name == "workers":
            command.add_argument("--repeat", type=int, default=3)
            command.add_argument("--seconds", type=float, default=0.0)
            command.add_argument("--raft", help="a checkout of etcd-io/raft, for the second set")
        else:
            command.add_argument("--workers", default="1,2")
            command.add_argument("--jar", help="tla2tools.jar, to run TLC; more jars after a colon")
            command.add_argument("--java", default="java")
            command.add_argument("--raft", help="a checkout of etcd-io/raft, for the second set")
            command.add_argument("--tla-checker", help="the command `tla` of the crate tla-checker")
            command.add_argument("--repeat", type=int, default=1)
            command.add_argument("--csv", help="write the figures here")
    options = parser.parse_args()
    return {"answers": answers, "times": times, "workers": workers}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
