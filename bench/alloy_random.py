#!/usr/bin/env python3
"""Random commands about integers and sets, answered here and by the Alloy Analyzer.

Usage: alloy_random.py LOCUS --jar JAR [--commands N] [--seed S] [--prevent-overflow] [--keep FOLDER] [--per-file N]

LOCUS    the binary `locus`.
--jar    Alloy's jar (`org.alloytools.alloy.dist.jar`, 6.2); `java` 17 or later runs `AlloyVerdicts.java` beside this file.
--keep   where models with a difference are kept, one command each.

Every command is a formula of random shape over two signatures with fields, integers of 0 to 5 bits and up to 3 atoms. Prints
how many were compared and how many were satisfiable, then each difference with its text. Exits with 1 if there is one.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

HEADER = """sig A { n: Int, m: set Int, r: set A }
sig B extends A { }
one sig C { k: Int }
"""


class Maker:
    """Makes formulas. `ints` and `atoms` are the variables that can be used."""

    def __init__(self, chance):
        self.chance = chance
        self.count = 0

    def pick(self, *ways):
        return self.chance.choice(ways)

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def literal(self):
        if self.chance.random() < 0.12:
            return str(self.chance.choice([8, 15, 16, 31, 100, -17, -9]))
        return str(self.chance.randint(-4, 7))

    def number(self, depth, ints, atoms):
        """An integer."""
        if depth <= 0:
            ways = [self.literal, lambda: "C.k", lambda: "#A", lambda: "#B"]
            if ints:
                ways += [lambda: self.chance.choice(ints)] * 4
            if atoms:
                ways += [lambda: self.chance.choice(atoms) + ".n"] * 2
            return self.pick(*ways)()
        deeper = lambda: self.number(depth - 1, ints, atoms)

        def operation():
            return f"{self.pick('plus', 'minus', 'mul', 'div', 'rem')}[{deeper()}, {deeper()}]"

        def shift():
            return f"({deeper()} {self.pick('<<', '>>', '>>>')} {deeper()})"

        def total():
            variable = self.name()
            if self.chance.random() < 0.3:
                body = self.number(depth - 1, ints + [variable], atoms)
                return f"(sum {variable}: {self.domain(depth - 1, ints, atoms)} | {body})"
            body = self.number(depth - 1, ints, atoms + [variable])
            return f"(sum {variable}: {self.things(depth - 1, atoms)} | {body})"

        def choice():
            return f"({self.formula(depth - 1, ints, atoms)} => {deeper()} else {deeper()})"

        return self.pick(
            operation, operation, operation, shift, total,
            lambda: f"(sum ({self.numbers(depth - 1, ints, atoms)}))",
            lambda: f"#({self.things(depth - 1, atoms)})",
            lambda: f"#({self.numbers(depth - 1, ints, atoms)})",
            lambda: self.number(0, ints, atoms),
            choice,
        )()

    def numbers(self, depth, ints, atoms):
        """A set of integers."""
        if depth <= 0:
            ways = [lambda: "A.n", lambda: "A.m", lambda: "C.k", lambda: "Int", lambda: f"({self.number(0, ints, atoms)})"]
            if atoms:
                ways.append(lambda: self.chance.choice(atoms) + ".m")
            return self.pick(*ways)()

        def comprehension():
            variable = self.name()
            return f"{{ {variable}: Int | {self.formula(depth - 1, ints + [variable], atoms)} }}"

        return self.pick(
            lambda: f"({self.numbers(depth - 1, ints, atoms)} {self.pick('+', '&', '-')} {self.numbers(depth - 1, ints, atoms)})",
            lambda: f"({self.number(depth - 1, ints, atoms)})",
            lambda: self.numbers(0, ints, atoms),
            comprehension,
        )()

    def domain(self, depth, ints, atoms):
        """A set of integers that a variable can range over: to Alloy, `#A` is none."""
        return f"({self.pick('A.n', 'A.m', 'C.k')} {self.pick('+', '&', '-')} {self.numbers(depth, ints, atoms)})"

    def things(self, depth, atoms):
        """A set of atoms of A."""
        if depth <= 0:
            return self.pick("A", "B", "A.r", "r.A", *(atoms or ["A"]))
        return self.pick(
            f"({self.things(depth - 1, atoms)} {self.pick('+', '&', '-')} {self.things(depth - 1, atoms)})",
            f"({self.things(depth - 1, atoms)}).r",
            f"({self.things(depth - 1, atoms)}).^r",
            self.things(0, atoms),
        )

    def formula(self, depth, ints, atoms):
        deeper = lambda: self.formula(depth - 1, ints, atoms)

        def compare():
            left, right = self.number(depth - 1, ints, atoms), self.number(depth - 1, ints, atoms)
            return f"({left} {self.pick('=', '!=', '<', '=<', '>', '>=')} {right})"

        def sets():
            left, right = self.numbers(depth - 1, ints, atoms), self.numbers(depth - 1, ints, atoms)
            return f"({left} {self.pick('in', '=', '!in', '!=')} {right})"

        def multiplicity():
            what = self.pick(lambda: self.numbers(depth - 1, ints, atoms), lambda: self.things(depth - 1, atoms))()
            return f"({self.pick('some', 'no', 'one', 'lone')} ({what}))"

        if depth <= 0:
            return self.pick(compare, compare, sets, multiplicity)()

        def quantified():
            variable = self.name()
            quantifier = self.pick("all", "all", "some", "some", "no", "one", "lone")
            kind = self.chance.random()
            if kind < 0.5:
                return f"({quantifier} {variable}: Int | {self.formula(depth - 1, ints + [variable], atoms)})"
            if kind < 0.65:
                domain = self.domain(depth - 1, ints, atoms)
                return f"({quantifier} {variable}: {domain} | {self.formula(depth - 1, ints + [variable], atoms)})"
            domain = self.things(depth - 1, atoms)
            return f"({quantifier} {variable}: {domain} | {self.formula(depth - 1, ints, atoms + [variable])})"

        def joined():
            return f"({deeper()} {self.pick('and', 'or', '=>', '<=>')} {deeper()})"

        return self.pick(
            compare, compare, sets, multiplicity, quantified, quantified, quantified, joined, joined,
            lambda: f"(not {deeper()})",
            lambda: f"({deeper()} => {deeper()} else {deeper()})",
        )()


def command(chance):
    maker = Maker(chance)
    formula = maker.formula(chance.randint(1, 3), [], [])
    bits = chance.choice([0, 1, 2, 3, 3, 3, 4, 4, 5])
    return f"{chance.choice(['run', 'check'])} {{ {formula} }} for {chance.randint(1, 3)} but {bits} Int, 1 C"


def ours(options, path):
    args = [options.locus, "alloy", "run", path, "--format", "json", "--timeout", "60s"]
    if options.prevent_overflow:
        args.append("--prevent-overflow")
    run = subprocess.run(args, capture_output=True, check=False)
    try:
        said = json.loads(run.stdout)
        return [one["verdict"] for one in said["commands"]] or ["error"]
    except (ValueError, KeyError):
        return ["error"]


def theirs(options, paths):
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "AlloyVerdicts.java")
    args = ["java", "-cp", options.jar, program]
    if options.prevent_overflow:
        args.append("--prevent-overflow")
    run = subprocess.run(args + paths, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
    verdicts = {}
    for line in run.stdout.splitlines():
        path, *rest = line.split(" ")
        verdicts[path] = rest
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("locus")
    parser.add_argument("--jar", required=True)
    parser.add_argument("--commands", type=int, default=1000)
    parser.add_argument("--per-file", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prevent-overflow", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    counts, different = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for at in range(-(-options.commands // options.per_file)):
            commands = [command(chance) for _ in range(options.per_file)]
            path = os.path.join(folder, f"m{at}.als")
            with open(path, "w", encoding="utf-8") as file:
                file.write(HEADER + "\n".join(commands) + "\n")
            files[path] = commands
        known = theirs(options, list(files))
        for path, commands in files.items():
            here, there = ours(options, path), known.get(path, ["error"])
            if len(here) != len(commands) or len(there) != len(commands):
                counts["models that one of them refuses"] += 1
                different.append((f"{len(commands)} commands", " ".join(here)[:200], " ".join(there)[:300]))
                continue
            for text, mine, other in zip(commands, here, there):
                counts["commands"] += 1
                counts[other] += 1
                if mine != other:
                    different.append((text, mine, other))
    for at, (text, mine, other) in enumerate(different):
        print(f"{text}\n    here {mine}, Alloy {other}")
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            with open(os.path.join(options.keep, f"d{options.seed}_{at}.als"), "w", encoding="utf-8") as file:
                file.write(f"{HEADER}{text}\n")
    print(", ".join(f"{what}: {count}" for what, count in sorted(counts.items())), f"; {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
