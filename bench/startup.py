"""What starting costs: the command on small files, from the start of the process to its end.

    cargo build --release -p locus-cli
    python3 bench/startup.py

Prints the least and the median of 50 runs each. Start-up must stay under 20 ms.
"""

import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOCUS = ROOT / "target/release/locus"
COMMANDS = {
    "version": ["--version"],
    "help": ["check", "--help"],
    "location graph": ["check", "examples/web.lg.yaml"],
    "HOT, two VMs": ["check", "crates/hot/tests/templates/two-vms.yaml"],
    "picture": ["graph", "examples/web.lg.yaml", "--to", "svg"],
    "TLA+, 17 states": ["tla", "check", "specs/cloudformation/StackStatus.tla"],
    "Alloy, 4 commands": ["alloy", "run", "specs/report/OCCI_Core.als"],
}


def main():
    slow = False
    for name, arguments in COMMANDS.items():
        times = []
        for _ in range(50):
            start = time.perf_counter()
            subprocess.run([LOCUS, *arguments], cwd=ROOT, capture_output=True, check=False)
            times.append((time.perf_counter() - start) * 1000)
        median = statistics.median(times)
        slow |= name == "version" and median > 20
        print(f"{name:20} least {min(times):6.1f} ms   median {median:6.1f} ms", flush=True)
    sys.exit("starting takes more than 20 ms" if slow else 0)


main()
