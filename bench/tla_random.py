#!/usr/bin/env python3
"""Compares random expressions and small specifications with TLC.

    bench/tla_random.py LOCUS --tlc CLASSPATH [--minutes N] [--seed N] [--specs | --large] [--size N]

LOCUS is the command `locus`, CLASSPATH has TLC. Expressions are closed and of known type; some fail on purpose, such as a
division by zero in a part that need not be evaluated. With --specs, small specifications are checked by both: verdict,
and where nothing is violated, states generated and distinct; with --large, some that have thousands of states, so that they
are packed, with variables of all shapes. Prints what differs and the sums, round by round, until the
time is up. Exit code 1 if something differs.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import tla_modules


class Expressions:
    """Random expressions; names in scope have a type."""

    def __init__(self, chance):
        self.chance = chance
        self.names = []
        self.count = 0

    def fresh(self):
        self.count += 1
        return f"v{self.count}"

    def of(self, sort, depth):
        known = [name for name, has in self.names if has == sort]
        if known and self.chance.random() < 0.35:
            return self.chance.choice(known)
        if depth <= 0:
            return getattr(self, f"{sort}_leaf")()
        return getattr(self, sort)(depth - 1)

    def bound(self, depth, body):
        """A name over a set of numbers, its set, and a body in which it is known."""
        name, over = self.fresh(), self.of("set", depth)
        self.names.append((name, "int"))
        text = body(name)
        self.names.pop()
        return name, over, text

    def int_leaf(self):
        return self.chance.choice(["(-3)", "(-1)", "0", "0", "1", "1", "2", "3", "5"])

    def int(self, depth):
        of = lambda sort: self.of(sort, depth)
        match self.chance.randrange(13):
            case 0 | 1:
                return f"({of('int')} {self.chance.choice(['+', '-', '*'])} {of('int')})"
            case 2:
                divisor = self.chance.choice(["1", "2", "3", "3", of("int")])
                return f"({of('int')} {self.chance.choice(['%', chr(92) + 'div'])} {divisor})"
            case 3:
                return f"(IF {of('bool')} THEN {of('int')} ELSE {of('int')})"
            case 4:
                return f"Cardinality({of('set')})"
            case 5:
                return f"Len({of('seq')})"
            case 6:
                return self.applied(of("seq"), of("int"))
            case 7:
                return self.applied(of("fun"), of("int"))
            case 8:
                name, over, test = self.bound(depth, lambda _: self.of("bool", depth))
                if self.chance.random() < 0.15:
                    return f"(CHOOSE {name} \\in {over} : {test})"
                return f"(CHOOSE {name} \\in {{7}} \\cup {over} : {name} = 7 \\/ {test})"
            case 9:
                return f"(CASE {of('bool')} -> {of('int')} [] {of('bool')} -> {of('int')} [] OTHER -> {of('int')})"
            case 10:
                return self.let("int", depth)
            case 11:
                return self.guarded("Head", of("seq"), "0")
            case _:
                return f"({of('record')}).a"

    def applied(self, function, argument):
        """A function applied, mostly within its domain."""
        if self.chance.random() < 0.15:
            return f"({function})[{argument}]"
        f, i = self.fresh(), self.fresh()
        return f"(LET {f} == {function} {i} == {argument} IN IF {i} \\in DOMAIN {f} THEN {f}[{i}] ELSE {i})"

    def guarded(self, operator, sequence, other):
        """An operator on a sequence that is mostly not empty."""
        if self.chance.random() < 0.15:
            return f"{operator}({sequence})"
        s = self.fresh()
        return f"(LET {s} == {sequence} IN IF {s} = <<>> THEN {other} ELSE {operator}({s}))"

    def let(self, sort, depth):
        name, has = self.fresh(), self.chance.choice(["int", "set", "fun", "bool", "seq"])
        value = self.of(has, depth)
        self.names.append((name, has))
        body = self.of(sort, depth)
        self.names.pop()
        return f"(LET {name} == {value} IN {body})"

    def bool_leaf(self):
        return self.chance.choice(["TRUE", "FALSE"])

    def bool(self, depth):
        of = lambda sort: self.of(sort, depth)
        match self.chance.randrange(11):
            case 0:
                return f"({of('bool')} {self.chance.choice(['/' + chr(92), chr(92) + '/', '=>', '<=>'])} {of('bool')})"
            case 1:
                return f"(~{of('bool')})"
            case 2 | 3:
                return f"({of('int')} {self.chance.choice(['=', '#', '<', '>', '<=', '>='])} {of('int')})"
            case 4:
                return f"({of('int')} {self.chance.choice([chr(92) + 'in', chr(92) + 'notin'])} {of('set')})"
            case 5:
                return f"({of('set')} {self.chance.choice([chr(92) + 'subseteq', '=', '#'])} {of('set')})"
            case 6 | 7:
                name, over, test = self.bound(depth, lambda _: self.of("bool", depth))
                return f"({self.chance.choice([chr(92) + 'A', chr(92) + 'E'])} {name} \\in {over} : {test})"
            case 8:
                return f"({of('seq')} = {of('seq')})"
            case 9:
                return f"({of('fun')} \\in [{of('set')} -> {of('set')}])"
            case _:
                return f"({of('set')} \\in SUBSET {of('set')})"

    def set_leaf(self):
        return self.chance.choice(["{}", "{0, 1}", "1..3", "{2}", "0..1"])

    def set(self, depth):
        of = lambda sort: self.of(sort, depth)
        match self.chance.randrange(10):
            case 0:
                return "{" + ", ".join(of("int") for _ in range(self.chance.randint(0, 3))) + "}"
            case 1 | 2:
                return f"({of('set')} {self.chance.choice([chr(92) + 'cup', chr(92) + 'cap', chr(92)])} {of('set')})"
            case 3 | 4:
                name, over, test = self.bound(depth, lambda _: self.of("bool", depth))
                return f"{{{name} \\in {over} : {test}}}"
            case 5:
                name, over, value = self.bound(depth, lambda _: self.of("int", depth))
                return f"{{{value} : {name} \\in {over}}}"
            case 6:
                return f"({of('int')}..{of('int')})"
            case 7:
                return f"(DOMAIN {of('fun')})"
            case 8:
                name, over, value = self.bound(depth, lambda _: self.of("set", depth))
                return f"(UNION {{{value} : {name} \\in {over}}})"
            case _:
                return self.let("set", depth)

    def fun_leaf(self):
        name = self.fresh()
        return f"[{name} \\in {self.set_leaf()} |-> {self.int_leaf()}]"

    def fun(self, depth):
        of = lambda sort: self.of(sort, depth)
        match self.chance.randrange(5):
            case 0 | 1:
                name, over, value = self.bound(depth, lambda _: self.of("int", depth))
                return f"[{name} \\in {over} |-> {value}]"
            case 2:
                return f"[{of('fun')} EXCEPT ![{of('int')}] = {self.chance.choice(['@ + 1', of('int')])}]"
            case 3:
                return f"({of('int')} :> {of('int')} @@ {of('fun')})"
            case _:
                return f"(IF {of('bool')} THEN {of('fun')} ELSE {of('fun')})"

    def seq_leaf(self):
        return self.chance.choice(["<<>>", "<<1>>", "<<2, 0>>", "<<1, 2, 3>>"])

    def seq(self, depth):
        of = lambda sort: self.of(sort, depth)
        match self.chance.randrange(6):
            case 0:
                return "<<" + ", ".join(of("int") for _ in range(self.chance.randint(0, 3))) + ">>"
            case 1:
                return f"Append({of('seq')}, {of('int')})"
            case 2:
                return f"({of('seq')} \\o {of('seq')})"
            case 3:
                return self.guarded("Tail", of("seq"), "<<>>")
            case 4:
                s, n = self.fresh(), self.fresh()
                return f"(LET {s} == {of('seq')} {n} == {of('int')} IN SubSeq({s}, 1, IF {n} \\in 0..Len({s}) THEN {n} ELSE 0))"
            case _:
                name = self.fresh()
                self.names.append((name, "int"))
                test = self.of("bool", depth)
                self.names.pop()
                return f"SelectSeq({of('seq')}, LAMBDA {name} : {test})"

    def record_leaf(self):
        return f"[a |-> {self.int_leaf()}, b |-> {self.bool_leaf()}]"

    def record(self, depth):
        return f"[{self.of('record', depth)} EXCEPT !.a = {self.of('int', depth)}]" if self.chance.random() < 0.5 else (
            f"[a |-> {self.of('int', depth)}, b |-> {self.of('bool', depth)}]")


def expressions(options, chance):
    calls = []
    for _ in range(options.size):
        sort = chance.choice(["int", "bool", "set", "fun", "seq"])
        calls.append(Expressions(chance).of(sort, chance.randint(2, 5)))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        theirs = tla_modules.ask_tlc(options, folder, "Naturals", calls)
        # What fails takes a process of its own here: of what TLC refuses, some are tried.
        asked = [(text, answer) for text, answer in zip(calls, theirs) if answer[0] == "=" or chance.random() < 0.1]
        calls, theirs = [text for text, _ in asked], [answer for _, answer in asked]
        assumptions = [
            f"({text}) = ({value})" if mark == "=" else f"LET result == {text} IN result = result"
            for text, (mark, value) in zip(calls, theirs)
        ]
        ours = tla_modules.assume(options, folder, "Naturals", assumptions)
    sums = collections.Counter()
    for text, (mark, value), wrong in zip(calls, theirs, ours):
        if mark == "?":
            outcome = "TLC gives up"
        elif mark == "=":
            outcome = "same" if wrong is None else "differs" if "is false" in wrong else "refused here"
        else:
            outcome = "both refuse" if wrong else "only here"
        sums[outcome] += 1
        if outcome in ("differs", "refused here") or (options.verbose and outcome == "only here"):
            print(f"{outcome}: {text}\n    TLC: {value[:300]}\n    here: {(wrong or '')[:200]}", flush=True)
    return sums


def spec(chance):
    """A module with two variables and a few actions."""
    make = Expressions(chance)
    make.names = [("x", "int"), ("s", "set")]
    actions = []
    for number in range(chance.randint(1, 3)):
        guard = make.of("bool", 2)
        value = f"(({make.of('int', 2)}) % 5)"
        grown = chance.choice([f"s \\cup {{x % 3}}", "s \\ {x}", "s", f"{{n \\in 0..2 : {make.of('bool', 1)}}}"])
        choice = chance.choice(["", "\\E k \\in 0..1 : "])
        if choice:
            value = f"((x + k) % 4)"
        actions.append(f"A{number} == {choice}{guard} /\\ x' = {value} /\\ s' = {grown}")
    lines = [
        "---- MODULE Small ----", "EXTENDS Integers, Sequences, FiniteSets, TLC", "VARIABLES x, s",
        "Init == x \\in 0..1 /\\ s \\in SUBSET {0, 1}", *actions,
        "Next == " + " \\/ ".join(action.split(" ")[0] for action in actions),
        f"Inv == {make.of('bool', 2)} \\/ x \\in 0..4", "====",
    ]
    return "\n".join(lines) + "\n"


def large(chance):
    """A module with variables of all shapes, and thousands of states."""
    make = Expressions(chance)
    changes = {
        "x": ["(x + 1) % 7", "(x + f[0]) % 7", "IF x \\in s THEN 0 ELSE (x + 1) % 5", "Cardinality(s)", "x"],
        "f": ["[f EXCEPT ![x % 3] = (@ + 1) % 4]", "[f EXCEPT ![k % 3] = x % 4]", "[f EXCEPT ![0] = f[1], ![1] = f[0]]",
              "[i \\in 0..2 |-> IF i \\in s THEN f[i] ELSE (f[i] + 1) % 4]", "f"],
        "s": ["s \\cup {x % 4}", "s \\ {f[1]}", "{n \\in s : n # x}", "IF r.b THEN {k} ELSE s", "s"],
        "r": ["[r EXCEPT !.a = (@ + x) % 3]", "[r EXCEPT !.b = ~@]", "[a |-> k % 3, b |-> x \\in s]", "r"],
        "q": ["IF Len(q) < 2 THEN Append(q, x % 3) ELSE Tail(q)", "IF q = <<>> THEN q ELSE Tail(q)", "q", "q"],
        "m": ["m \\cup {[to |-> k, of |-> x % 2]}", "{n \\in m : n.to # k}", "m", "m"],
    }
    actions = []
    for number in range(chance.randint(3, 6)):
        make.names = [("x", "int"), ("s", "set"), ("f[2]", "int"), ("r.a", "int"), ("r.b", "bool"), ("q", "seq"), ("k", "int")]
        over = chance.choice(["0..1", "0..2", "s", "{n.to : n \\in m}", "0..2"])
        guard = chance.choice(["TRUE", "x # k", "k \\in s", "f[k % 3] < 3", make.of("bool", 1), "\\E n \\in m : n.to = k"])
        written = " /\\ ".join(f"{name}' = ({chance.choice(values)})" for name, values in changes.items())
        actions.append(f"A{number} == \\E k \\in {over} : ({guard}) /\\ {written}")
    make.names = [("x", "int"), ("s", "set"), ("f[2]", "int"), ("r.a", "int"), ("r.b", "bool"), ("q", "seq")]
    lines = [
        "---- MODULE Small ----", "EXTENDS Integers, Sequences, FiniteSets, TLC", "VARIABLES x, f, s, r, q, m",
        "Init == x = 0 /\\ f = [i \\in 0..2 |-> 0] /\\ s \\in SUBSET {0} /\\ r = [a |-> 0, b |-> FALSE] /\\ q = <<>> /\\ m = {}",
        *actions,
        "Next == " + " \\/ ".join(action.split(" ")[0] for action in actions) + " \\/ UNCHANGED <<x, f, s, r, q, m>>",
        f"Inv == x \\in 0..6 /\\ s \\subseteq 0..9 /\\ Len(q) <= 2 /\\ ({make.of('bool', 1)} \\/ Cardinality(m) < {chance.randint(3, 7)})",
        "====",
    ]
    return "\n".join(lines) + "\n"


def tlc_answer(text):
    if "No error has been found" in text:
        counts = re.findall(r"(\d+) states generated, (\d+) distinct", text)[-1]
        return ("ok", *counts)
    if "is violated" in text:
        return ("invariant",)
    if "Deadlock reached" in text:
        return ("deadlock",)
    return ("refused",)


def specs(options, chance):
    sums = collections.Counter()
    for _ in range(options.size):
        text = (large if options.large else spec)(chance)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "Small.tla"
            path.write_text(text, encoding="utf-8")
            path.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n", encoding="utf-8")
            command = [options.locus, "tla", "check", str(path), "--format", "json", "--timeout", "60", "--max-states", "50000"]
            document = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
            if document["verdict"] == "incomplete":
                sums["too large"] += 1
                continue
            java = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", options.tlc, "tlc2.TLC", "-workers", "1"]
            done = subprocess.run(java + ["Small.tla"], capture_output=True, text=True, cwd=folder, timeout=300)
            theirs = tlc_answer(done.stdout)
        verdict = document["verdict"]
        ours = (verdict,) if verdict in ("invariant", "deadlock") else ("refused",)
        if verdict == "ok":
            ours = ("ok", str(document["generated"]), str(document["distinct"]))
        sums["packed"] += document.get("distinct", 0) >= 2000
        outcome = "same" if ours == theirs else "only here" if theirs == ("refused",) else "differs"
        sums[outcome if ours != ("refused",) or theirs != ours else "both refuse"] += 1
        if outcome == "differs":
            print(f"differs: TLC {theirs}, here {ours}: {document['message']}\n{text}", flush=True)
    return sums


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("locus")
    parser.add_argument("--tlc", required=True)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--specs", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    end = time.monotonic() + options.minutes * 60
    total, number = collections.Counter(), options.seed
    while time.monotonic() < end:
        total += (specs if options.specs or options.large else expressions)(options, random.Random(number))
        number += 1
        print(f"after seed {number - 1}: " + ", ".join(f"{n} {what}" for what, n in sorted(total.items())), flush=True)
    return 1 if total["differs"] or total["refused here"] else 0


if __name__ == "__main__":
    sys.exit(main())
