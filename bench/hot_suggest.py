#!/usr/bin/env python3
"""What `locus check --suggest` proposes for examples that break a rule, as a list to be judged by hand.

    cargo build --release -p locus-cli
    python3 bench/hot_suggest.py --first 2 --step 4

Goes through the files `rules/hot/examples/*.bad.yaml` in the order of their names, from the one with the number `first` on, each
`step`-th. Each suggestion is judged as one of: right (what a person would do), formal (the finding is gone, but a person
would do something else), harmful (it removes protection, or changes what the author certainly meant), none.
"""

import argparse
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--locus", default=ROOT / "target/release/locus")
    options.add_argument("--first", type=int, default=2)
    options.add_argument("--step", type=int, default=4)
    options = options.parse_args()
    files = sorted((ROOT / "rules/hot/examples").glob("*.bad.yaml"))[options.first :: options.step]
    offered = 0
    for file in files:
        command = [options.locus, "check", "--suggest", "--format", "json", file]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False, timeout=300).stdout)
        print(f"== {file.name}")
        for finding in answer["findings"]:
            print(f"   {finding['code']} {finding['message']}")
        for suggestion in answer["suggestions"]:
            changes = [line for line in suggestion["diff"].splitlines()[2:] if line[:1] in "+-"]
            offered += bool(changes)
            print("\n".join(f"      {line}" for line in changes) or "      (none)")
    print(f"{len(files)} files, {offered} with a suggestion")


main()
