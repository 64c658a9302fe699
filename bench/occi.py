#!/usr/bin/env python3
"""Checks public models and documents of OCCI, and says where Locus differs from what is known of them.

    python3 bench/occi.py models LOCUS FOLDER…
    python3 bench/occi.py documents LOCUS FOLDER…
    python3 bench/occi.py pocci LOCUS FOLDER

`models` reads every `.occie` and `.occic` of checkouts of OCCIware's repositories, with all folders of extensions of the same
checkout as libraries: how many are read, how many name extensions that are nowhere, and every error, to be looked at.
`documents` does so with the JSON documents of a folder. `pocci` compares verdicts with those that the names of pOCCI's test
files say (a checkout of CESNET's pOCCI): `ok`, `test` and `basic` are right, the others are not.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile


def check(locus, path, libraries=(), name=None):
    """(exit code, findings) of a file, which may be given another name."""
    command = [locus, "check", "--no-config", "--format", "json", "--language", "occi"]
    for library in libraries:
        command += ["--library", str(library), "--allow-read", str(library)]
    if name:
        folder = tempfile.mkdtemp()
        target = pathlib.Path(folder) / name
        target.write_bytes(pathlib.Path(path).read_bytes())
        path = target
    ran = subprocess.run([*command, str(path)], capture_output=True)
    if ran.returncode not in (0, 1):
        return ran.returncode, [{"code": "-", "severity": "error", "message": ran.stderr.decode("utf-8", "replace")[:300]}]
    return ran.returncode, json.loads(ran.stdout)["findings"]


def listed(locus, files, libraries):
    count = collections.Counter()
    of_code = collections.Counter()
    lines = []
    for file in files:
        code, findings = check(locus, file, libraries(file))
        errors = [one for one in findings if one["severity"] == "error"]
        count["files"] += 1
        count["with an error"] += bool(errors)
        count["with an extension that is nowhere"] += any(one["code"] == "OCC008" for one in findings)
        count["could not run"] += code not in (0, 1)
        for one in findings:
            of_code[one["severity"], one["code"]] += 1
            if one["severity"] != "note":
                line = one.get("primary", {}).get("start", {}).get("line", 0)
                lines.append(f"{one['severity']} {one['code']} {file}:{line}\n    {one['message']}")
    for what, number in count.items():
        print(f"{number:5} {what}")
    for (severity, code), number in sorted(of_code.items()):
        print(f"{number:5} {severity} {code}")
    print("\n".join(lines))


def models(locus, folders):
    files = sorted(file for folder in folders for end in ("occie", "occic") for file in pathlib.Path(folder).rglob(f"*.{end}"))
    roots = {str(folder): sorted({file.parent for file in pathlib.Path(folder).rglob("*.occie")}) for folder in folders}
    listed(locus, files, lambda file: next(libraries for root, libraries in roots.items() if str(file).startswith(root)))


def documents(locus, folders):
    files = sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*.json"))
    listed(locus, files, lambda file: [])


def pocci(locus, folders):
    same = 0
    files = sorted(file for file in pathlib.Path(folders[0]).rglob("*.txt"))
    for file in files:
        name = file.name
        is_right = any(word in name for word in ("-ok-", "-test-")) or file.parent.name == "basic"
        code, findings = check(locus, file, name="a.occi.txt")
        errors = [one for one in findings if one["severity"] == "error"]
        is_read = code in (0, 1) and not any(one["code"] in ("OCC001", "OCC003", "OCC004", "OCC005", "OCC006", "OCC101") for one in errors)
        same += is_read == is_right
        if is_read != is_right:
            said = "; ".join(f"{one['code']} {one['message']}" for one in errors[:3])
            print(f"{file.parent.name}/{name}: {'read' if is_read else 'refused'}: {said}")
    print(f"{same} of {len(files)} verdicts are the same")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["models", "documents", "pocci"])
    parser.add_argument("locus")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    globals()[arguments.what](arguments.locus, arguments.folders)


if __name__ == "__main__":
    main()
