#!/usr/bin/env python3
"""Placement: the instances of CSPLib problem 090, a WordPress deployment on offers of virtual machines.

    git clone https://github.com/csplib/csplib
    pip install ortools                       # only for --peer
    python3 bench/plan_place.py --locus target/release/locus --data csplib/Problems/prob090/data [--peer SECONDS]

Each instance becomes an Aeolus document: what WordPress requires are ports with capacities, what may not be together on a
machine are conditions on machines, and the configuration is chosen together with its placement. The model of the library places
a component of each kind at most once on a machine. With --peer, the same model is solved by CP-SAT of OR-Tools, one worker, for
so many seconds; both costs must be the same where both are proven.
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import tempfile
import time

NAMES = ["Wordpress", "MySQL", "DNS", "HTTP", "Varnish"]
CONFLICTS = [("Varnish", "DNS"), ("Varnish", "HTTP"), ("Varnish", "MySQL"), ("DNS", "Wordpress"), ("DNS", "MySQL"),
             ("HTTP", "Wordpress"), ("HTTP", "MySQL")]


def matrix(text, name):
    body = re.search(name + r"\s*=\s*\[\|?(.*?)\|?\s*\];", text, re.S).group(1)
    rows = [[int(n) for n in re.findall(r"\d+", row)] for row in body.split("|")]
    return [row for row in rows if row]


def read(path):
    text = re.sub(r"%.*", "", path.read_text())
    return matrix(text, "VMSpecs"), matrix(text, "CompREQ"), matrix(text, "VMPrice")[0]


def document(specs, needs, prices, wordpress):
    resources = ["cpu", "memory", "storage"]

    def kind(name, provides, requires):
        takes = dict(zip(resources, needs[NAMES.index(name)]))
        return {"cost": 0, "consumes": takes, "states": {"off": {"to": "on"}, "on": {"provides": provides, "requires": requires}}}

    types = {
        "Wordpress": kind("Wordpress", {"wp": "unlimited"}, {"db": 2, "lb": 1}),
        "MySQL": kind("MySQL", {"db": 3, "sql": "unlimited"}, {}),
        "DNS": kind("DNS", {"lb": 7, "dns": "unlimited"}, {}),
        "HTTP": kind("HTTP", {"lb": 3, "http": "unlimited"}, {}),
        "Varnish": kind("Varnish", {"cache": "unlimited"}, {}),
    }
    machines = {
        f"offer{i + 1}": {"resources": dict(zip(resources, spec)), "cost": price, "count": 100}
        for i, (spec, price) in enumerate(zip(specs, prices))
    }
    want = [f"Wordpress@on >= {wordpress}", "Varnish@on >= 2", "MySQL@on >= 2", "DNS <= 1", "(DNS = 0 or HTTP = 0)"]
    want += [f"{name}@off = 0" for name in NAMES]
    want += ["#(_){_ : %s > 0 and %s > 0} = 0" % pair for pair in CONFLICTS]
    want += ["#(_){_ : %s > 1} = 0" % name for name in NAMES]
    return {"aeolus": 1, "types": types, "machines": machines, "want": " and ".join(want)}


def run(locus, folder, made):
    path = folder / "place.aeolus.json"
    path.write_text(json.dumps(made))
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.time()
    done = subprocess.run([locus, "plan", str(path), "--format", "json"], capture_output=True, text=True, timeout=3600)
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    answer = json.loads(done.stdout) if done.stdout else {"verdict": "unknown", "reason": done.stderr.strip()}
    return answer, taken, time.time() - began


def peer(specs, needs, prices, wordpress, seconds):
    from ortools.sat.python import cp_model

    model, machines = cp_model.CpModel(), 3 * wordpress + 4
    put = [[model.new_bool_var("") for _ in range(machines)] for _ in NAMES]
    kind = [[model.new_bool_var("") for _ in prices] for _ in range(machines)]
    total = dict(zip(NAMES, (sum(row) for row in put)))
    for m in range(machines):
        model.add_at_most_one(kind[m])
        for r in range(3):
            load = sum(needs[c][r] * put[c][m] for c in range(5))
            model.add(load <= sum(specs[o][r] * kind[m][o] for o in range(len(prices))))
        for a, b in CONFLICTS:
            model.add(put[NAMES.index(a)][m] + put[NAMES.index(b)][m] <= 1)
    dns, http = model.new_bool_var(""), model.new_bool_var("")
    model.add_exactly_one(dns, http)
    for name, used, most in [("DNS", dns, 1), ("HTTP", http, machines)]:
        model.add(total[name] >= 1).only_enforce_if(used)
        model.add(total[name] == 0).only_enforce_if(used.negated())
        model.add(total[name] <= most)
    model.add(total["Wordpress"] <= 7 * total["DNS"]).only_enforce_if(dns)
    model.add(total["Wordpress"] <= 3 * total["HTTP"]).only_enforce_if(http)
    model.add(2 * total["Wordpress"] <= 3 * total["MySQL"])
    for name, least in [("Wordpress", wordpress), ("Varnish", 2), ("MySQL", 2)]:
        model.add(total[name] >= least)
    model.minimize(sum(prices[o] * kind[m][o] for m in range(machines) for o in range(len(prices))))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = seconds, 1
    status, before = None, time.process_time()
    status = solver.solve(model)
    proven = status == cp_model.OPTIMAL
    return (int(solver.objective_value) if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None), proven, time.process_time() - before


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--locus", required=True)
    options.add_argument("--data", type=pathlib.Path, required=True)
    options.add_argument("--wordpress", type=int, nargs="*", default=[3, 4, 5, 6, 12])
    options.add_argument("--offers", type=int, nargs="*", default=[20, 40, 250, 500])
    options.add_argument("--peer", type=float)
    options = options.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for wordpress in options.wordpress:
            for offers in options.offers:
                specs, needs, prices = read(options.data / f"Wordpress_Offers{offers}.dzn")
                answer, user, wall = run(options.locus, pathlib.Path(folder), document(specs, needs, prices, wordpress))
                placed = answer.get("placement") or {}
                line = f"{wordpress} WordPress, {offers} offers: {answer['verdict']}, cost {answer.get('cost')}, "
                line += f"optimal {answer.get('optimal')}, {len(placed.get('machines', []))} machines, {user:.2f} s of processor time, {wall:.2f} s"
                if answer["verdict"] != "plan":
                    wrong, line = wrong + 1, line + f": {answer.get('reason')}"
                if options.peer:
                    cost, proven, taken = peer(specs, needs, prices, wordpress, options.peer)
                    line += f"; CP-SAT: {cost}{'' if proven else ', not proven'}, {taken:.1f} s"
                    if proven and answer.get("optimal") and cost != answer.get("cost"):
                        wrong, line = wrong + 1, line + " DIFFERENT"
                print(line, flush=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
