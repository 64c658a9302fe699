#!/usr/bin/env python3
"""The engine under stress: seeds of the simulation, real kills on a TOSCA service with programs, and large deployments.

    bench/engine.py seeds [100000]     the simulation, in portions, so that a failing seed is named
    bench/engine.py kills [100]        kill -9 at random moments of creations, updates, rollbacks and two commands at once;
                                       every round must end as wanted, with no step done twice
    bench/engine.py shared [30]        three workers that share PostgreSQL: in each round one is paused past its lease, one is
                                       killed, or the server is, at random moments; the same must hold
    bench/engine.py size [10000]       time and memory for as many simulated components
    bench/engine.py server [2000]      the same in PostgreSQL, with three more workers

LOCUS names the command [default: target/release/locus]. PostgreSQL is a server of its own in a folder that goes away, made with
the programs in PATH or where Debian has them.
"""

import contextlib
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCUS = os.environ.get("LOCUS", str(ROOT / "target/release/locus"))


def seeds(count):
    portion = 1000
    build = ["cargo", "test", "-p", "locus-drivers", "--test", "simulation", "--no-run", "--message-format=json"]
    built = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    program = [line["executable"] for line in map(json.loads, built) if line.get("executable")][-1]
    for start in range(0, count, portion):
        limits = f"{start}..{min(start + portion, count)}"
        run = subprocess.run(
            [program],
            cwd=ROOT,
            env={**os.environ, "LOCUS_SEEDS": limits, "RUST_BACKTRACE": "0"},
            capture_output=True,
            text=True,
        )
        if run.returncode != 0:
            print(run.stdout[-2000:], run.stderr[-2000:])
            sys.exit(f"a seed in {limits} fails")
    print(f"{count} seeds end as they should")


def shop(folder, pause):
    """The example, whose programs take a while."""
    for name in ["shop.yaml", "service.sh"]:
        shutil.copy(ROOT / "examples/engine" / name, folder)
    script = Path(folder, "service.sh")
    script.write_text(script.read_text().replace("set -e", f"set -e\nsleep {pause}", 1))


def judge(folder):
    """The programs' own log: how many steps there were, after looking that none was done twice and nothing is left."""
    log = Path(folder, "services/log").read_text().splitlines()
    if len(log) != len(set(log)):
        sys.exit("a step was done twice")
    left = [name for name in os.listdir(Path(folder, "services")) if name != "log"]
    if left:
        sys.exit(f"left over: {left}")
    return len(log)


def kills(rounds):
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        shop(folder, 0.03)
        program = Path(folder, "service.sh")
        fails = '[ "$LOCUS_OPERATION $LOCUS_NODE" != "start web" ] || [ ! -e broken ] || exit 3'
        program.write_text(program.read_text().replace("set -e", f"set -e\n{fails}", 1))
        description, broken = Path(folder, "shop.yaml"), Path(folder, "broken")
        luck = random.Random(7)
        port = 8080

        def begin(command):
            return subprocess.Popen(
                [LOCUS, *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

        def kill(*children):
            time.sleep(luck.uniform(0, 0.4))
            at_work = 0
            for child in children:
                at_work += child.poll() is None
                child.kill()
                child.wait()
            return at_work

        def must(number, command, wanted):
            again = subprocess.run([LOCUS, *command], cwd=folder, capture_output=True, text=True)
            if again.returncode != wanted:
                said = again.stdout + again.stderr
                sys.exit(f"round {number}: {command} ends with {again.returncode}: {said}")

        def change():
            nonlocal port
            description.write_text(description.read_text().replace(f"port: {port}", f"port: {port + 1}"))
            port += 1

        up, down = ["up", "shop.yaml", "--yes"], ["down", "shop", "--yes"]
        for number in range(rounds):
            # Two commands create it at once.
            killed += kill(begin(up), begin(up))
            must(number, up, 0)
            # An update.
            change()
            killed += kill(begin(up))
            must(number, up, 0)
            # An update that fails is undone.
            change()
            broken.write_text("")
            killed += kill(begin(up))
            # Undoing it starts what it had stopped.
            broken.unlink()
            must(number, up, 0)
            # Somebody takes it down while another one changes it.
            change()
            killed += kill(begin(up), begin(down))
            must(number, down, 0)
            if subprocess.run([LOCUS, "events", "shop", "--verify"], cwd=folder, capture_output=True).returncode != 0:
                sys.exit(f"round {number}: the events cannot have happened")
        steps = judge(folder)
        print(f"{rounds} rounds, {killed} processes killed at work: {steps} steps, none twice, nothing left")


class Postgres:
    """A server of its own, as a user that it does not refuse."""

    def __init__(self, folder):
        found = shutil.which("initdb")
        # A link to one program has not the others beside it.
        bins = [os.path.dirname(os.path.realpath(found))] if found else sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.bin = bins[-1] if bins else sys.exit("PostgreSQL is not installed here")
        self.folder = folder
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        self.run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "locus", "--no-sync")
        self.start()

    def run(self, program, *args):
        subprocess.run([*self.user, f"{self.bin}/{program}", *args], check=True, capture_output=True, cwd=self.folder)

    def start(self):
        while True:
            command = [f"{self.bin}/postgres", "-D", f"{self.folder}/data", "-c", "listen_addresses="]
            command += ["-c", f"unix_socket_directories={self.folder}"]
            self.process = subprocess.Popen(
                [*self.user, *command], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while self.process.poll() is None:
                with contextlib.suppress(subprocess.CalledProcessError):
                    self.run("pg_isready", "-q", "-h", self.folder)
                    return
                time.sleep(0.1)
            # Processes of the one before are still there.
            time.sleep(0.2)

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def address(self):
        return f"postgres://locus@{self.folder.replace('/', '%2F')}/postgres"


@contextlib.contextmanager
def postgres():
    with tempfile.TemporaryDirectory() as folder:
        server = Postgres(folder)
        try:
            yield server
        finally:
            server.kill()


def shared(rounds):
    lease = 2
    happened = dict.fromkeys(["paused", "killed", "server killed"], 0)
    with postgres() as server, tempfile.TemporaryDirectory() as folder:
        shop(folder, 0.3)
        store = ["--store", server.address, "--lease", str(lease)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}

        def worker():
            return subprocess.Popen([LOCUS, "engine", "--parallel", "1", *store], **quiet)

        def locus(*args):
            return subprocess.run([LOCUS, *args, *store], cwd=folder, capture_output=True, text=True)

        luck = random.Random(7)
        workers = [worker() for _ in range(3)]
        try:
            for number in range(rounds):
                what = list(happened)[number % 3]
                for command in [["up", "shop.yaml", "--yes"], ["down", "shop", "--yes"]]:
                    # Whoever asked goes away, so that the workers have all of it.
                    asked = subprocess.Popen([LOCUS, *command, *store], **quiet)
                    time.sleep(luck.uniform(0.3, 1.2))
                    asked.kill()
                    asked.wait()
                    place = luck.randrange(3)
                    if what == "paused":
                        workers[place].send_signal(signal.SIGSTOP)
                        time.sleep(lease * 2.5)
                        workers[place].send_signal(signal.SIGCONT)
                    elif what == "killed":
                        workers[place].kill()
                        workers[place].wait()
                        workers[place] = worker()
                    else:
                        server.kill()
                        time.sleep(luck.uniform(0, 1))
                        server.start()
                    happened[what] += 1
                    run = locus(*command)
                    if run.returncode != 0:
                        sys.exit(f"round {number}: {command} ends with {run.returncode}: {run.stdout}{run.stderr}")
                    for place, one in enumerate(workers):
                        if one.poll() is not None:
                            workers[place] = worker()
                if locus("events", "shop", "--verify").returncode != 0:
                    sys.exit(f"round {number}: the events cannot have happened")
        finally:
            for one in workers:
                one.kill()
                one.wait()
        steps = judge(folder)
        said = ", ".join(f"{count} times {what}" for what, count in happened.items())
        print(f"{rounds} rounds ({said}): {steps} steps, none twice, nothing left")


def template(folder, count):
    """A tree of components."""
    lines = ["heat_template_version: 2018-08-31", "resources:"]
    for index in range(count):
        lines += [f"  n{index}:", "    type: OS::Heat::RandomString"]
        if index:
            lines += [f"    depends_on: n{(index - 1) // 2}"]
    Path(folder, "big.yaml").write_text("\n".join(lines) + "\n")


def measured(folder, *command):
    """Runs a command; its exit code, seconds, seconds of processor time and megabytes."""
    started = time.time()
    child = subprocess.Popen([LOCUS, *command], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), time.time() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def said(what, count, figures):
    code, took, processor, memory = figures
    print(
        f"{what}: {count} components: exit {code}, {took:.1f} s, {count / took:.0f} steps a second, "
        f"{processor:.1f} s of processor time ({processor / count * 1000:.2f} ms a step), {memory:.0f} MB"
    )


UP = ["up", "big.yaml", "--simulate", "0", "--yes", "--quiet", "--parallel", "64"]


def size(count):
    with tempfile.TemporaryDirectory() as folder:
        template(folder, count)
        said("locus up", count, measured(folder, *UP))
    with tempfile.TemporaryDirectory() as folder:
        # The engine alone, without the reading and planning of the file: another process goes on with it.
        template(folder, count)
        asked = subprocess.Popen([LOCUS, *UP], cwd=folder, stdout=subprocess.DEVNULL)
        while not Path(folder, ".locus/cloud-big.jsonl").exists():
            time.sleep(0.01)
        asked.kill()
        asked.wait()
        said("locus engine", count, measured(folder, "engine", "--once", "--quiet", "--parallel", "64"))


def server(count):
    with postgres() as database, tempfile.TemporaryDirectory() as folder:
        template(folder, count)
        engine = [LOCUS, "engine", "--quiet", "--parallel", "64", "--store", database.address]
        workers = [subprocess.Popen(engine, cwd=folder, stderr=subprocess.DEVNULL) for _ in range(3)]
        try:
            said("locus up and three workers", count, measured(folder, *UP, "--store", database.address))
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()


if __name__ == "__main__":
    what = {
        "seeds": (seeds, 100_000),
        "kills": (kills, 100),
        "shared": (shared, 30),
        "size": (size, 10_000),
        "server": (server, 2_000),
    }
    if len(sys.argv) < 2 or sys.argv[1] not in what:
        sys.exit(__doc__)
    function, default = what[sys.argv[1]]
    function(int(sys.argv[2]) if len(sys.argv) > 2 else default)
