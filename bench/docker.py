#!/usr/bin/env python3
"""Compose projects on a real Docker engine: real kills, and time beside Docker Compose.

    bench/docker.py kills [100]                  kill -9 at random moments of up, update and down; every round must end as
                                                 wanted, and the engine's own events show no token twice
    bench/docker.py up [20] --compose PATH       as many services, up and down, beside Docker Compose v2
    bench/docker.py works                        whether the engine can make a network and run a container in it; exit code 0 or 1

The engine is the one at /var/run/docker.sock, or where DOCKER_HOST (unix://) says. Images need not be fetched: one with two
programs of a few bytes is made. LOCUS names the command [default: target/release/locus].
"""

import http.client
import io
import json
import os
import random
import socket
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.parse
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCUS = os.path.abspath(os.environ.get("LOCUS", str(ROOT / "target/release/locus")))
SOCKET = os.environ.get("DOCKER_HOST", "").removeprefix("unix://") or "/var/run/docker.sock"
IMAGE = "locus-bench:1"


class Engine(http.client.HTTPConnection):
    def __init__(self):
        super().__init__("docker")

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(SOCKET)


def ask(method, path, body=None, headers=None):
    engine = Engine()
    engine.request(method, path, body, headers or {})
    answer = engine.getresponse()
    return answer.status, answer.read()


def filters(**wanted):
    return urllib.parse.quote(json.dumps(wanted))


def program(code):
    base = 0x400000
    size = 120 + len(code)
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base + 120, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    return head + struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 4096) + code


def make_image():
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, code in [("wait", b"\xb8\x22\0\0\0\x0f\x05\xeb\xf7"), ("end", b"\x31\xff\xb8\x3c\0\0\0\x0f\x05")]:
            content = program(code)
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            tar.addfile(entry, io.BytesIO(content))
    name, tag = IMAGE.split(":")
    status, body = ask("POST", f"/images/create?fromSrc=-&repo={name}&tag={tag}", archive.getvalue())
    assert status < 300, body


def containers(project):
    wanted = filters(label=[f"com.docker.compose.project={project}"])
    return json.loads(ask("GET", f"/containers/json?all=1&filters={wanted}")[1])


def networks(project):
    wanted = filters(label=[f"com.docker.compose.project={project}"])
    return json.loads(ask("GET", f"/networks?filters={wanted}")[1])


class Creations(threading.Thread):
    """Hears from the engine which containers are created, and with which tokens. It remembers only a few events itself."""

    def __init__(self, project):
        super().__init__(daemon=True)
        self.tokens = Counter()
        self.engine = Engine()
        wanted = filters(label=[f"com.docker.compose.project={project}"], type=["container"], event=["create"])
        self.engine.request("GET", f"/events?filters={wanted}")

    def run(self):
        answer = self.engine.getresponse()
        while line := answer.readline():
            self.tokens[json.loads(line)["Actor"]["Attributes"]["dev.locus.token"]] += 1


STACK = """name: locuskills
services:
  db:
    image: IMAGE
    command: [/wait]
    stop_grace_period: 0s
    volumes: ['data:/data']
    environment: {A: 'VALUE'}
    healthcheck: {test: [CMD, /end], interval: 200ms, retries: 100}
  migrate:
    image: IMAGE
    command: [/end]
    depends_on: {db: {condition: service_healthy}}
  web:
    image: IMAGE
    command: [/wait]
    stop_grace_period: 0s
    environment: {A: 'VALUE'}
    networks: [default, back]
    scale: 2
    depends_on: {migrate: {condition: service_completed_successfully}}
networks: {back: {internal: true}}
volumes: {data: {}}
"""


def kills(rounds):
    make_image()
    luck = random.Random(7)
    made = Creations("locuskills")
    made.start()
    killed = 0
    with tempfile.TemporaryDirectory() as folder:

        def locus(*args):
            return subprocess.run([LOCUS, *args], cwd=folder, capture_output=True, text=True)

        def disturbed(*args):
            nonlocal killed
            for _ in range(luck.randrange(1, 4)):
                child = subprocess.Popen(
                    [LOCUS, *args], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                time.sleep(luck.uniform(0, 2))
                killed += child.poll() is None
                child.kill()
                child.wait()
            run = locus(*args)
            if run.returncode != 0:
                sys.exit(f"{args} ended with {run.returncode}:\n{run.stdout}{run.stderr}")

        for number in range(rounds):
            for version in ["one", "two"]:
                text = STACK.replace("IMAGE", IMAGE).replace("VALUE", f"{version} {number}")
                Path(folder, "compose.yaml").write_text(text)
                disturbed("up", "compose.yaml", "--yes")
                found = sorted((one["Names"][0], one["State"]) for one in containers("locuskills"))
                wanted = [
                    ("/locuskills-db-1", "running"),
                    ("/locuskills-migrate-1", "exited"),
                    ("/locuskills-web-1", "running"),
                    ("/locuskills-web-2", "running"),
                ]
                assert found == wanted, found
                assert len(networks("locuskills")) == 2, networks("locuskills")
                verified = locus("events", "locuskills", "--verify")
                assert verified.returncode == 0, verified.stdout + verified.stderr
            disturbed("down", "locuskills", "--yes")
            assert not containers("locuskills") and not networks("locuskills")
            twice = {token: count for token, count in made.tokens.items() if count > 1}
            assert not twice, twice
            if (number + 1) % 10 == 0 or number + 1 == rounds:
                print(
                    f"{number + 1} rounds with {killed} kills: all ended as wanted; {len(made.tokens)} containers, none twice",
                    flush=True,
                )
        ask("DELETE", "/volumes/locuskills_data")


def up(count, compose):
    make_image()
    services = "".join(
        f"  s{n}:\n    image: {IMAGE}\n    command: [/wait]\n    stop_grace_period: 0s\n"
        + (f"    depends_on: [s{n // 2}]\n" if n else "")
        for n in range(count)
    )
    commands = {
        "locus": ([LOCUS, "up", "compose.yaml", "--yes"], [LOCUS, "down", "locusspeed", "--yes"]),
        "docker compose": ([compose, "up", "-d"], [compose, "down"]),
    }
    times = {name: ([], []) for name in commands}
    runs = 3
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "compose.yaml").write_text(f"name: locusspeed\nservices:\n{services}")
        for _ in range(runs):
            for name, both in commands.items():
                for command, kept in zip(both, times[name]):
                    began = time.perf_counter()
                    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                    kept.append(time.perf_counter() - began)
                    assert run.returncode == 0, run.stderr
    for name, (ups, downs) in times.items():
        print(f"{name:>15}: up {sorted(ups)[runs // 2]:.2f} s, down {sorted(downs)[runs // 2]:.2f} s (median of {runs})")


def works():
    """Whether all that the tests need can be done. An engine may answer and not be allowed to make networks or to run anything."""

    def made(kind, body):
        status, answer = ask("POST", f"/{kind}/create", json.dumps(body), {"Content-Type": "application/json"})
        assert status < 300, answer
        return json.loads(answer)["Id"]

    make_image()
    network = made("networks", {"Name": "locus-works", "CheckDuplicate": True})
    try:
        body = {"Image": IMAGE, "Cmd": ["/end"], "HostConfig": {"NetworkMode": "locus-works"}}
        container = made("containers", body)
        try:
            assert ask("POST", f"/containers/{container}/start")[0] == 204
            ended = json.loads(ask("POST", f"/containers/{container}/wait")[1])
            assert ended["StatusCode"] == 0, ended
        finally:
            ask("DELETE", f"/containers/{container}?force=1")
    finally:
        ask("DELETE", f"/networks/{network}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    peer = None
    if "--compose" in arguments:
        at = arguments.index("--compose")
        peer = os.path.abspath(arguments[at + 1])
        del arguments[at : at + 2]
    number = int(arguments[1]) if len(arguments) > 1 else None
    match arguments[:1]:
        case ["works"]:
            works()
        case ["kills"]:
            kills(number or 100)
        case ["up"] if peer:
            up(number or 20, peer)
        case _:
            sys.exit(__doc__)
