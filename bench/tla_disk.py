#!/usr/bin/env python3
"""State spaces larger than memory: counters that grow one at a time, whose counts are known beforehand.

    bench/tla_disk.py LOCUS [--counters 6] [--values 26] [--max-memory 1G] [--workers 1] [--timeout S]
    bench/tla_disk.py LOCUS --beside [...]
    bench/tla_disk.py LOCUS --live [...]

Explores V^C states (C counters with V values each: 26^6 is 309 million) within --max-memory, and compares the counts with
the formulas. Prints wall time, processor time and peak memory. With --beside the same model is explored without a limit
first, and the ratio of the processor times is printed. With --live, the counters are fair, and that all of them reach their
greatest value is checked as a temporal property, for which the state graph is needed. Exit code 1 if a count is wrong or no
answer came.
"""

import argparse
import pathlib
import sys
import tempfile

from tla import Run, answer

MODULE = """---- MODULE Counters ----
EXTENDS Naturals
CONSTANTS C, V
VARIABLE n
Init == n = [i \\in 1..C |-> 0]
Next == \\E i \\in 1..C : n[i] < V - 1 /\\ n' = [n EXCEPT ![i] = @ + 1]
Spec == Init /\\ [][Next]_n /\\ WF_n(Next)
Full == <>(\\A i \\in 1..C : n[i] = V - 1)
====
"""


def run(options, directory, limits):
    path = pathlib.Path(directory, "Counters.tla")
    path.write_text(MODULE, encoding="utf-8")
    behaviour = "SPECIFICATION Spec\nPROPERTY Full" if options.live else "INIT Init\nNEXT Next"
    cfg = f"{behaviour}\nCHECK_DEADLOCK FALSE\nCONSTANTS C = {options.counters} V = {options.values}\n"
    path.with_suffix(".cfg").write_text(cfg, encoding="utf-8")
    command = [options.locus, "tla", "check", str(path), "--format", "json", "--workers", options.workers, *limits]
    found = Run(command, options.timeout)
    verdict, message, counts = answer(found.text)
    distinct = options.values**options.counters
    steps = options.counters * (options.values - 1) * options.values ** (options.counters - 1)
    expected = (str(1 + steps), str(distinct))
    is_right = verdict == "ok" and tuple(map(str, counts)) == expected
    remark = "" if is_right else f"  {verdict}: {message}, counts {counts}, expected {expected}"
    print(
        f"{' '.join(limits) or 'no limit':20} {distinct:,} states: {found.wall:.1f} s, processor {found.cpu:.1f} s,"
        f" {found.megabytes:.0f} MB{remark}",
        flush=True,
    )
    return found, is_right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("locus")
    parser.add_argument("--counters", type=int, default=6)
    parser.add_argument("--values", type=int, default=26)
    parser.add_argument("--max-memory", default="1G")
    parser.add_argument("--workers", default="1")
    parser.add_argument("--timeout", type=float, default=36000.0)
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--live", action="store_true")
    options = parser.parse_args()
    right = True
    with tempfile.TemporaryDirectory() as directory:
        if options.beside:
            memory, right = run(options, directory, [])
        disk, is_right = run(options, directory, ["--max-memory", options.max_memory])
        if options.beside:
            print(f"on disk it takes {disk.cpu / memory.cpu:.2f} times the processor time, {disk.wall / memory.wall:.2f} the wall time")
    return 0 if right and is_right else 1


if __name__ == "__main__":
    sys.exit(main())
