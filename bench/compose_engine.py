#!/usr/bin/env python3
"""Faults of Compose files and files that come close, judged by a real Docker engine, and what Locus says of them.

    bench/compose_engine.py engine --compose PATH [NAME...]   brings each case up with Docker Compose v2, and writes what
                                                              happened to bench/results/compose_engine.tsv
    bench/compose_engine.py locus [-v] [NAME...]              counts what `locus check` finds, and finds falsely
    bench/compose_engine.py config --compose PATH             counts what `docker compose config` refuses
    bench/compose_engine.py write FOLDER                      writes the cases as files

The cases are bench/compose_engine.txt: `== NAME fault|right CLASS`, the Compose file, and after `-- PATH` further
files. A fault is one that `docker compose up` refuses, or after which the commands under `-- probe` fail; `right`
ones come up and their probe succeeds. The cases were chosen, and brought up, before the rules about them were
written. With `--later` before the command, they are those of bench/compose_engine_later.txt, which were written after
the first rules.

The images are made here, of busybox: `box:1` waits, `shell:1` runs its command in a shell, and those with the names of well-known
images answer at the ports of those. BUSYBOX is a busybox [default: that of the PATH]; LOCUS the command [default:
target/release/locus]. The engine is the one of bench/docker.py.
"""

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
from collections import Counter
from pathlib import Path

from docker import LOCUS, ROOT, ask

CASES = ROOT / "bench/compose_engine.txt"
ANSWERS = ROOT / "bench/results/compose_engine.tsv"
SHARED = "locus-shared"
SERVERS = {"postgres:17": 5432, "redis:7": 6379, "nginx:1.27": 80, "rabbitmq:3": 5672}


def cases(only):
    """(name, whether it is a fault, class, files by path) of each case."""
    for block in ("\n" + CASES.read_text()).split("\n== ")[1:]:
        head, text = block.split("\n", 1)
        name, kind, topic = head.split()
        if only and name not in only:
            continue
        parts = ("-- compose.yaml\n" + text).rstrip("\n").split("\n-- ")
        parts[0] = parts[0].removeprefix("-- ")
        files = dict(part.split("\n", 1) for part in parts)
        yield name, kind == "fault", topic, files


def write(files, folder):
    for path, text in files.items():
        if path != "probe":
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text + "\n")


def make_image(name, changes):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        busybox = shutil.which(os.environ.get("BUSYBOX", "busybox"))
        tar.add(busybox, "bin/busybox")
        # A static busybox does not look names up, so this is one with its libraries.
        needed = subprocess.run(["ldd", busybox], capture_output=True, text=True, check=True).stdout.split()
        for library in [word for word in needed if word.startswith("/")]:
            tar.add(os.path.realpath(library), library.lstrip("/"))
        for link in ["sh", "sleep", "nc", "wget", "env", "touch", "grep", "echo", "find", "awk", "ping", "httpd", "cat", "id"]:
            entry = tarfile.TarInfo(f"bin/{link}")
            entry.type, entry.linkname = tarfile.SYMTYPE, "busybox"
            tar.addfile(entry)
        folders = ["tmp", "run", "etc/nginx/conf.d", "docker-entrypoint-initdb.d", "www"]
        for folder in folders:
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o777
            tar.addfile(entry)
        texts = {"etc/nginx/nginx.conf": "", "www/index.html": "hello\n", "etc/passwd": "root:x:0:0::/root:/bin/sh\n"}
        for path, text in texts.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    repo, tag = name.split(":")
    wanted = "&".join(f"changes={urllib.parse.quote(change)}" for change in changes)
    status, body = ask("POST", f"/images/create?fromSrc=-&repo={repo}&tag={tag}&{wanted}", archive.getvalue())
    assert status < 300, body


def make_images():
    path = "ENV PATH=/bin"
    make_image("box:1", [path, 'CMD ["sleep", "1000"]'])
    make_image("shell:1", [path, 'ENTRYPOINT ["sh", "-c"]'])
    for name, port in SERVERS.items():
        serve = ["httpd", "-f", "-p", str(port), "-h", "/www"]
        make_image(name, [path, f"EXPOSE {port}", f"CMD {json.dumps(serve)}"])


def judged(name, files, compose):
    """Whether a case comes up and its probe succeeds, and if not, why."""
    with tempfile.TemporaryDirectory() as folder:
        write(files, folder)
        project = f"le-{name}" if "name:" not in files["compose.yaml"].split("\n")[0] else None
        base = [compose] + (["-p", project] if project else [])

        def run(command, **more):
            return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, **more)

        try:
            up = run([*base, "up", "-d", "--quiet-pull", "--pull", "missing"])
            if up.returncode != 0:
                lines = [line.strip() for line in (up.stderr + up.stdout).splitlines() if line.strip()]
                marked = [line for line in lines if "rror" in line or "ailed" in line]
                return False, (marked or lines or ["?"])[-1][-160:]
            if "probe" not in files:
                return True, ""
            environment = {**os.environ, "C": " ".join(base)}
            probe = run(["sh", "-c", "sleep 0.5\n" + files["probe"]], env=environment)
            said = (probe.stderr + probe.stdout).strip().splitlines()
            return probe.returncode == 0, "" if probe.returncode == 0 else "comes up; " + (said or ["the probe fails"])[-1][-120:]
        finally:
            run([*base, "down", "-t", "0", "-v", "--remove-orphans"])


def engine(compose, only):
    make_images()
    ask("POST", "/networks/create", json.dumps({"Name": SHARED}), {"Content-Type": "application/json"})
    helper = ["docker", "run", "-d", "--rm", "--name", "locus-elsewhere", "--network", SHARED, "--network-alias", "elsewhere"]
    subprocess.run([*helper, "postgres:17"], capture_output=True)
    rows, wrong = [], 0
    try:
        for name, is_fault, topic, files in cases(only):
            is_right, said = judged(name, files, compose)
            wrong += is_right == is_fault
            print(f"{'?? ' if is_right == is_fault else ''}{name} {topic}: {'right' if is_right else said}", flush=True)
            rows.append(f"{name}\t{topic}\t{'right' if is_right else 'wrong'}\t{said}")
    finally:
        subprocess.run(["docker", "rm", "-f", "locus-elsewhere"], capture_output=True)
        ask("DELETE", f"/networks/{SHARED}")
    if not only:
        ANSWERS.write_text("case\tclass\tengine\twhat it says\n" + "\n".join(rows) + "\n")
    print(f"{len(rows)} cases; of {wrong} the engine thinks otherwise than the file of cases")


def codes(files):
    with tempfile.TemporaryDirectory() as folder:
        write(files, folder)
        run = subprocess.run([LOCUS, "check", "--format", "json", "compose.yaml"], cwd=folder, capture_output=True, text=True)
        assert run.returncode in (0, 1), run.stderr
        report = json.loads(run.stdout)
        return [(one["severity"], one["code"]) for one in report["findings"]]


def locus(only, is_loud):
    answers = dict(line.split("\t")[0:3:2] for line in ANSWERS.read_text().splitlines()[1:])
    found, falsely, seen = Counter(), Counter(), Counter()
    for name, _, topic, files in cases(only):
        is_fault = answers[name] == "wrong"
        said = [(severity, code) for severity, code in codes(files) if severity in ("error", "warning")]
        seen[is_fault] += 1
        errors = [code for severity, code in said if severity == "error"]
        if is_fault:
            found["error" if errors else "warning" if said else "none"] += 1
        elif said:
            falsely["error" if errors else "warning"] += 1
        if is_loud or (not said) == is_fault or (errors and not is_fault):
            print(name, topic, answers[name], said)
    print(f"{seen[True]} faults: found {seen[True] - found['none']} ({found['error']} as errors), missed {found['none']}")
    print(f"{seen[False]} right: errors in {falsely['error']}, warnings in {falsely['warning']}")


def config(compose):
    refused = Counter()
    for _, is_fault, _, files in cases([]):
        with tempfile.TemporaryDirectory() as folder:
            write(files, folder)
            refused[is_fault] += subprocess.run([compose, "config", "-q"], cwd=folder, capture_output=True).returncode != 0
    print(f"refused: {refused[True]} of the faults, {refused[False]} of the right ones")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--later"]:
        CASES, ANSWERS = CASES.with_stem("compose_engine_later"), ANSWERS.with_stem("compose_engine_later")
        arguments = arguments[1:]
    match arguments:
        case ["engine", "--compose", compose, *only]:
            engine(os.path.abspath(compose), only)
        case ["config", "--compose", compose]:
            config(os.path.abspath(compose))
        case ["locus", "-v", *only]:
            locus(only, True)
        case ["locus", *only]:
            locus(only, False)
        case ["write", folder]:
            for name, _, _, files in cases([]):
                write(files, Path(folder, name))
        case _:
            sys.exit(__doc__)
