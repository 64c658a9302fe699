"""What each further file costs: 300 identical files in one call, and one of them alone, in every language.

    cargo build --release -p locus-cli
    python3 bench/files.py [--locus PROGRAM] [--write DATE COMMIT]

Prints for each language the wall and the processor time of a check of one file, and of each file beyond the first of 300.
The files are examples of the repository, each in a folder of its own with those that it names; the least of 5 runs
counts. With `--write`, the rows of `results/files.tsv` for this machine are written anew. The goal is 0.3 ms of wall.
"""

import argparse
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results/files.tsv"
COUNT = 300
RUNS = 5
GOAL = 0.3
# The file that is checked, and the others that lie beside it.
CASES = {
    "aeolus": ("examples/engine/site.aeolus.yaml", []),
    "cloudformation": ("examples/cloudformation/web.yaml", []),
    "compose": ("examples/compose/shop.yaml", []),
    "fractal": ("examples/fractal/shop/Shop.fractal", ["Front.fractal", "Store.fractal"]),
    "hot": ("examples/hot/stack.yaml", []),
    "location-graph": ("examples/web.lg.yaml", []),
    "occi": ("examples/occi/shop.occi.json", []),
    "tosca": ("examples/shop.tosca.yaml", []),
}


def measured(locus, paths):
    """The least wall time of some runs, with the processor time of that run, in milliseconds."""
    best = None
    for _ in range(RUNS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run([locus, "check", "--no-config", "--quiet", *paths], capture_output=True, check=False)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == 2:
            sys.exit(f"{paths[0]}: {done.stderr.decode()}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best or (wall, cpu), (wall, cpu))
    return best[0] * 1000, best[1] * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--locus", default=str(ROOT / "target/release/locus"))
    parser.add_argument("--write", nargs=2, metavar=("DATE", "COMMIT"))
    arguments = parser.parse_args()
    rows, slow = [], False
    with tempfile.TemporaryDirectory() as top:
        for language, (main_file, others) in CASES.items():
            source = ROOT / main_file
            paths = []
            for number in range(COUNT):
                folder = pathlib.Path(top) / language / f"{number:03}"
                folder.mkdir(parents=True)
                for name in [source.name, *others]:
                    shutil.copy(source.parent / name, folder)
                paths.append(str(folder / source.name))
            one, all_of_them = measured(arguments.locus, paths[:1]), measured(arguments.locus, paths)
            wall, cpu = ((more - first) / (COUNT - 1) for more, first in zip(all_of_them, one))
            slow |= wall > GOAL
            print(f"{language:15} one {one[0]:6.1f} ms   each further {wall:.3f} ms wall, {cpu:.3f} ms processor", flush=True)
            rows.append([language, main_file, f"{one[0]:.1f}", f"{wall:.3f}", f"{cpu:.3f}"])
    if arguments.write:
        date, commit = arguments.write
        machine = f"{os.cpu_count()} cores, {platform.machine()}"
        head = ["date", "commit", "machine", "language", "file", "one ms", "each ms wall", "each ms processor"]
        text = "".join("\t".join(cells) + "\n" for cells in [head, *([date, commit, machine, *row] for row in rows)])
        RESULTS.write_text(text)
    sys.exit("a further file costs more than 0.3 ms" if slow else 0)


main()
