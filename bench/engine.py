#!/usr/bin/env python3
"""The engine under stress: seeds of the simulation, and real kills on a TOSCA service with programs.

    bench/engine.py seeds [100000]     the simulation, in portions, so that a failing seed is named
    bench/engine.py kills [100]        kill -9 at random moments; every round must end as wanted, with no step done twice
    bench/engine.py size [10000]       time and memory for as many simulated components
    bench/engine.py server [2000]      the same in PostgreSQL at $LOCUS_SERVER (postgres://…), with three more workers

LOCUS names the command [default: target/release/locus].
"""

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCUS = os.environ.get("LOCUS", str(ROOT / "target/release/locus"))


def seeds(count):
    portion = 1000
    for start in range(0, count, portion):
        limits = f"{start}..{min(start + portion, count)}"
        run = subprocess.run(
            ["cargo", "test", "-q", "-p", "locus-drivers", "--test", "simulation"],
            cwd=ROOT,
            env={**os.environ, "LOCUS_SEEDS": limits, "RUST_BACKTRACE": "0"},
            capture_output=True,
            text=True,
        )
        if run.returncode != 0:
            print(run.stdout[-2000:], run.stderr[-2000:])
            sys.exit(f"a seed in {limits} fails")
    print(f"{count} seeds end as they should")


def kills(rounds):
    with tempfile.TemporaryDirectory() as folder:
        for name in ["shop.yaml", "service.sh"]:
            shutil.copy(ROOT / "examples/engine" / name, folder)
        script = Path(folder, "service.sh")
        script.write_text(script.read_text().replace("set -e", "set -e\nsleep 0.03", 1))

        def locus(*args):
            return subprocess.run([LOCUS, *args], cwd=folder, capture_output=True, text=True)

        luck = random.Random(7)
        for number in range(rounds):
            for command in [["up", "shop.yaml", "--yes"], ["down", "shop", "--yes"]]:
                child = subprocess.Popen(
                    [LOCUS, *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                time.sleep(luck.uniform(0, 0.4))
                child.kill()
                child.wait()
                again = locus(*command)
                if again.returncode != 0:
                    sys.exit(f"round {number}: {command} ends with {again.returncode}: {again.stdout}{again.stderr}")
            if locus("events", "shop", "--verify").returncode != 0:
                sys.exit(f"round {number}: the events cannot have happened")
        log = Path(folder, "services/log").read_text().splitlines()
        if len(log) != len(set(log)):
            sys.exit("a step was done twice")
        left = [name for name in os.listdir(Path(folder, "services")) if name != "log"]
        if left:
            sys.exit(f"left over: {left}")
        print(f"{rounds} rounds with two kills each: {len(log)} steps, none twice, nothing left")


def template(folder, count):
    """A tree of components."""
    lines = ["heat_template_version: 2018-08-31", "resources:"]
    for index in range(count):
        lines += [f"  n{index}:", "    type: OS::Heat::RandomString"]
        if index:
            lines += [f"    depends_on: n{(index - 1) // 2}"]
    Path(folder, "big.yaml").write_text("\n".join(lines) + "\n")


def up(folder, count, *more):
    template(folder, count)
    started = time.time()
    run = subprocess.run(
        [LOCUS, "up", "big.yaml", "--simulate", "0", "--yes", "--quiet", "--parallel", "256", *more],
        cwd=folder,
        stdout=subprocess.DEVNULL,
    )
    took = time.time() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{count} components: exit {run.returncode}, {took:.1f} s, {count / took:.0f} steps a second, "
        f"{used.ru_utime + used.ru_stime:.1f} s of processor time, {used.ru_maxrss / 1024:.0f} MB"
    )


def size(count):
    with tempfile.TemporaryDirectory() as folder:
        up(folder, count)


def server(count):
    address = os.environ.get("LOCUS_SERVER") or sys.exit("say in LOCUS_SERVER where PostgreSQL is")
    with tempfile.TemporaryDirectory() as folder:
        engine = [LOCUS, "engine", "--quiet", "--parallel", "64", "--store", address]
        workers = [subprocess.Popen(engine, cwd=folder, stderr=subprocess.DEVNULL) for _ in range(3)]
        try:
            up(folder, count, "--store", address, "--name", f"bench-{os.getpid()}")
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()


if __name__ == "__main__":
    what = {"seeds": (seeds, 100_000), "kills": (kills, 100), "size": (size, 10_000), "server": (server, 2_000)}
    if len(sys.argv) < 2 or sys.argv[1] not in what:
        sys.exit(__doc__)
    function, default = what[sys.argv[1]]
    function(int(sys.argv[2]) if len(sys.argv) > 2 else default)
