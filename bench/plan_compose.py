#!/usr/bin/env python3
"""`locus plan` beside Docker Compose v2: the order of a dry run, and what is recreated.

    python3 bench/plan_compose.py --locus target/release/locus --compose docker-compose FOLDER …

Order: every order in which `docker compose up --dry-run` creates and starts containers must be one that the plan allows. A
dry run asks a Docker daemon what there is; a stub of one runs here, which has all images and nothing else.

Recreation: files are changed at random, and what Compose would recreate (its `config --hash` of a service differs) must be
what `locus plan OLD NEW` replaces.
"""

import argparse
import http.server
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import threading


class Daemon(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        path = re.sub(r"^/v[\d.]+", "", self.path.split("?")[0])
        code, body = 200, []
        if path == "/version":
            body = {"Version": "27.0.0", "ApiVersion": "1.46", "MinAPIVersion": "1.24", "Os": "linux", "Arch": "amd64"}
        elif path == "/info":
            body = {"OSType": "linux", "Architecture": "x86_64", "Swarm": {"LocalNodeState": "inactive"}}
        elif re.match(r"/images/.+/json$", path):
            body = {"Id": "sha256:" + "a" * 64, "Config": {}, "Os": "linux", "Architecture": "amd64"}
        elif path == "/volumes":
            body = {"Volumes": []}
        elif re.match(r"/(volumes|networks)/.+|/containers/.+/json$", path):
            code, body = 404, {"message": "there is nothing"}
        text = b"OK" if path == "/_ping" else json.dumps(body).encode()
        self.send_response(code)
        for name, value in [("Content-Type", "application/json"), ("Api-Version", "1.46"), ("Ostype", "linux"), ("Content-Length", str(len(text)))]:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_HEAD = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass


def run(command, host=None):
    env = {**os.environ, "NO_PROXY": "*", "no_proxy": "*", **({"DOCKER_HOST": host} if host else {})}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)
    except subprocess.TimeoutExpired:
        return 1, ""
    return done.returncode, done.stdout + (done.stderr if host else "")


def dry_run(compose, host, path):
    code, text = run([compose, "-p", "x", "-f", str(path), "--dry-run", "--progress", "plain", "up", "-d", "--no-build"], host)
    events = re.findall(r"Container x-(.+?)-\d+\s+(Created|Started|Healthy|Exited)", text)
    return [(name, state.lower()) for name, state in events] if code == 0 else None


def plan(locus, *paths):
    _, text = run([locus, "plan", *map(str, paths), "--format", "json", "--no-config", "--language", "compose"])
    answer = json.loads(text) if text.strip() else None
    return answer if answer and answer["verdict"] == "plan" else None


def service(component):
    return component.split(" #")[0]


def order(options, host, path):
    """How many pairs of events the plan puts in order, and those that Compose has otherwise."""
    events = dry_run(options.compose, host, path)
    answer = plan(options.locus, path) if events else None
    if not answer:
        return None
    first, last = {}, {}
    for index, event in enumerate(events):
        first.setdefault(event, index)
        last[event] = index
    before, of, pairs, wrong = {}, {}, 0, []
    for step in answer["steps"]:
        before[step["id"]] = set().union(*(before[e] | {e} for e in step["after"])) if step["after"] else set()
        if step["action"] == "change":
            change = step["changes"][0]
            of[step["id"]] = (service(change["component"]), change["to"])
    for later in of:
        for earlier in before[later] & of.keys():
            a, b = of[earlier], of[later]
            if a in first and b in first and a[0] != b[0]:
                pairs += 1
                # Compose says again and again that a service is healthy; the first time counts.
                if (first[a] if a[1] == "healthy" else last[a]) > last[b]:
                    wrong.append((a, b))
    return pairs, wrong


CHANGES = [
    lambda s: s.update(image="other:1"),
    lambda s: s.setdefault("environment", {}).update(ADDED="1"),
    lambda s: s.setdefault("labels", {}).update(added="1"),
    lambda s: s.update(command=["other"]),
    lambda s: s.update(restart="on-failure"),
    lambda s: s.update(depends_on={}),
    lambda s: s.update(scale=2) if "container_name" not in s and "deploy" not in s else None,
    lambda s: s.update(pull_policy="always"),
    lambda s: s.setdefault("deploy", {}).setdefault("resources", {}).update(limits={"cpus": "1"}),
    lambda s: s.pop("healthcheck", None),
    lambda s: None,
]


def recreation(options, path, dice):
    code, text = run([options.compose, "-p", "x", "-f", str(path), "config", "--format", "json"])
    if code:
        return None
    old = json.loads(text)
    new = json.loads(text)
    for one in new.get("services", {}).values():
        dice.choice(CHANGES)(one)
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / "old.json", pathlib.Path(folder) / "new.json"]
        hashes = []
        for file, model in zip(paths, (old, new)):
            file.write_text(json.dumps(model))
            code, text = run([options.compose, "-p", "x", "-f", str(file), "config", "--hash", "*"])
            if code:
                return None
            hashes.append(dict(line.split() for line in text.splitlines()))
        answer = plan(options.locus, *paths)
    if not answer:
        return None
    expected = {name for name in hashes[0] if hashes[0][name] != hashes[1].get(name)}
    names = set(old.get("services", {}))
    found = {service(one["name"]) for one in answer["changes"] if one["change"] == "replace"} & names
    return len(names), expected ^ found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--locus", required=True)
    parser.add_argument("--compose", required=True)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Daemon)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"tcp://127.0.0.1:{server.server_port}"
    dice = random.Random(options.seed)
    files = sorted({p for folder in options.folders for end in ("compose.y*ml", "docker-compose.y*ml") for p in folder.rglob(end)})
    ordered = pairs = wrong = changed = services = differ = 0
    for path in files:
        if ordered < options.most and (one := order(options, host, path)):
            ordered, pairs, wrong = ordered + 1, pairs + one[0], wrong + len(one[1])
            for a, b in one[1]:
                print(f"{path}: Compose has {b} before {a}")
        if changed < options.most and (one := recreation(options, path, dice)):
            changed, services, differ = changed + 1, services + one[0], differ + len(one[1])
            if one[1]:
                print(f"{path}: recreated by one of the two only: {', '.join(sorted(one[1]))}")
    print(f"order: {ordered} files, {pairs} pairs that the plan orders, {wrong} of them otherwise in Compose")
    print(f"recreation: {changed} changed files, {services} services, {differ} decided otherwise than Compose")


if __name__ == "__main__":
    main()
