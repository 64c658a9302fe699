#!/usr/bin/env python3
"""Checks public Fractal definitions, and definitions that were broken on purpose.

    python3 bench/fractal.py corpus LOCUS REPOSITORY…
    python3 bench/fractal.py mutants LOCUS [--seed N] REPOSITORY…

REPOSITORY is a clone, or a bare one, with `.fractal` files somewhere in its history: the whole tree of definitions is
taken at each commit before one that removes or moves some, so that every definition is seen beside those that it names.

`corpus` checks each tree as a whole and lists every error, to be looked at. `mutants` makes changes to single definitions
that are without errors and warnings, each of which breaks a demand of the Fractal ADL unless something of it is not
known, and counts how many are found: a change is found if there is an error or a warning that was not there before. The
places are chosen by chance, the same ones for the same seed.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import tempfile


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, check=True).stdout


def trees(repository, folder):
    """Writes the trees of definitions of a repository, and gives their folders."""
    removing = git(repository, "log", "--all", "--diff-filter=DR", "--format=%H", "--", "*.fractal").decode().split()
    commits = [f"{commit}^" for commit in removing] + ["HEAD"]
    seen = set()
    for commit in commits:
        try:
            listed = git(repository, "ls-tree", "-r", commit).decode("utf-8", "replace").splitlines()
        except subprocess.CalledProcessError:
            continue
        files = tuple(sorted(line for line in listed if line.endswith(".fractal")))
        if not files or files in seen:
            continue
        seen.add(files)
        tree = folder / f"{pathlib.Path(repository).parent.name}-{len(seen)}"
        for line in files:
            meta, path = line.split("\t", 1)
            target = tree / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(git(repository, "cat-file", "blob", meta.split()[2]))
        yield tree


def findings(locus, paths, folder):
    """The findings about files, as (file, code, severity, line, message)."""
    command = [locus, "check", "--no-config", "--format", "json", *map(str, paths)]
    ran = subprocess.run(command, capture_output=True, cwd=folder)
    if ran.returncode not in (0, 1):
        return [("", "could not run", "error", 0, ran.stderr.decode("utf-8", "replace")[:400])]
    report = json.loads(ran.stdout)
    found = []
    for one in report["findings"]:
        place = one["primary"]
        found.append((place["file"], one["code"], one["severity"], place["start"]["line"], one["message"]))
    return found


def corpus(locus, repositories):
    texts = set()
    count = collections.Counter()
    errors = {}
    with tempfile.TemporaryDirectory() as scratch:
        for repository in repositories:
            for tree in trees(repository, pathlib.Path(scratch)):
                files = sorted(tree.rglob("*.fractal"))
                texts.update(file.read_bytes() for file in files)
                for file, code, severity, line, message in findings(locus, ["."], tree):
                    count[severity, code] += 1
                    if severity != "note":
                        errors.setdefault((severity, code, file, message), f"{tree.name}:{line}")
    print(f"{len(texts)} different files")
    for (severity, code), number in sorted(count.items()):
        print(f"{number:6} {severity} {code}")
    for (severity, code, file, message), where in sorted(errors.items()):
        print(f"{severity} {code} {file} {where}\n    {message}")


def attribute(tag, name):
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found and found.group(1)


class Text:
    """A definition whose tags can be changed."""

    def __init__(self, text):
        self.text = text

    def tags(self, name):
        spans = [(m.start(), m.end()) for m in re.finditer(rf"<{name}(?=[\s>/])[^>]*>", self.text)]
        comments = [(m.start(), m.end()) for m in re.finditer(r"<!--.*?-->", self.text, re.S)]
        return [s for s in spans if not any(a <= s[0] < b for a, b in comments)]

    def changed(self, span, new):
        return self.text[: span[0]] + new + self.text[span[1] :]

    def each(self, name, change):
        """A text for each tag of this name that `change` makes another of."""
        for span in self.tags(name):
            tag = self.text[span[0] : span[1]]
            new = change(tag)
            if new is not None and new != tag:
                yield self.changed(span, new)


def swap(tag):
    """A binding with its ends exchanged."""
    client, server = attribute(tag, "client"), attribute(tag, "server")
    if not client or not server or "://" in server:
        return None
    return tag.replace(f'client="{client}"', 'client="\0"').replace(f'server="{server}"', f'server="{client}"').replace("\0", server)


def with_value(name, value, only=None):
    def change(tag):
        old = attribute(tag, name)
        if old is None or only and not only(tag, old):
            return None
        return tag.replace(f'{name}="{old}"', f'{name}="{value(old) if callable(value) else value}"')

    return change


def without(name, only=None):
    def change(tag):
        old = attribute(tag, name)
        return None if old is None or only and not only(tag, old) else re.sub(rf'\s*\b{name}="[^"]*"', "", tag)

    return change


def is_empty(tag):
    return tag.endswith("/>")


def twice(tag):
    return tag + tag if is_empty(tag) else None


def local(tag, value):
    return value.startswith("this.") is False and "://" not in value


# Kind of change: the element, and what becomes of it.
CHANGES = {
    "an interface twice": ("interface", twice),
    "an interface without a name": ("interface", without("name")),
    "a role that there is not": ("interface", with_value("role", "provider")),
    "a contingency that there is not": ("interface", with_value("contingency", "maybe")),
    "a cardinality that there is not": ("interface", with_value("cardinality", "many")),
    "a misspelt attribute": ("interface", lambda tag: tag.replace("signature=", "signatur=", 1)),
    "a misspelt element": ("interface", lambda tag: tag.replace("<interface", "<interfase", 1) if is_empty(tag) else None),
    "a binding whose ends are exchanged": ("binding", swap),
    "a binding from a component that there is not": ("binding", with_value("client", lambda v: "nobody." + v.split(".", 1)[-1], local)),
    "a binding to a component that there is not": ("binding", with_value("server", lambda v: "nobody." + v.split(".", 1)[-1], local)),
    "a binding from an interface that there is not": ("binding", with_value("client", lambda v: v.split(".")[0] + ".zzz")),
    "a binding to an interface that there is not": ("binding", with_value("server", lambda v: v.split(".")[0] + ".zzz", lambda t, v: "://" not in v)),
    "a binding without a dot": ("binding", with_value("server", lambda v: v.replace(".", "-"), lambda t, v: "://" not in v)),
    "a binding twice": ("binding", twice),
    "a binding without a server": ("binding", without("server")),
    "a component without a name": ("component", without("name")),
    "a definition whose name is misspelt": (
        "component",
        with_value("definition", lambda v: re.sub(r"(\(.*)?$", r"x\1", v, count=1), lambda t, v: "/" not in v and "," not in v and "." in v),
    ),
    "a path that leads nowhere": ("component", with_value("definition", "nobody/nothing", lambda t, v: "/" in v)),
    "a value too many": ("component", with_value("definition", lambda v: v.split("(")[0] + "(1,2,3,4,5,6)", lambda t, v: "/" not in v and "," not in v)),
    "a content twice": ("content", twice),
    "a content without a class": ("content", without("class")),
    "an attribute without a value": ("attribute", without("value")),
    "an attribute twice": ("attribute", twice),
    "an argument that is not declared": ("attribute", with_value("value", "${zzz}")),
    "an element that is not closed": ("interface", lambda tag: tag[:-2] + ">" if is_empty(tag) else None),
    "a definition that extends itself": ("definition", lambda tag: None if attribute(tag, "extends") else tag[:-1] + f' extends="{attribute(tag, "name")}">'),
    "an entity that is not defined": ("content", with_value("class", "&zzz;")),
    "a text between elements": ("content", lambda tag: tag + " text "),
    "a virtual node of a component that there is not": ("composingVirtualNode", with_value("component", "nobody")),
    "a virtual node that there is not": ("composingVirtualNode", with_value("name", "nobody")),
}


def mutants(locus, repositories, seed):
    chance = random.Random(seed)
    found, missed = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        for repository in repositories:
            texts = set()
            for tree in trees(repository, pathlib.Path(scratch)):
                base = collections.defaultdict(collections.Counter)
                for file, code, severity, _, message in findings(locus, ["."], tree):
                    if severity != "note":
                        base[file][code] += 1
                for path in sorted(tree.rglob("*.fractal")):
                    data = path.read_bytes()
                    name = str(path.relative_to(tree))
                    if data in texts or base[name] or base["./" + name]:
                        continue
                    texts.add(data)
                    text = Text(data.decode("latin-1"))
                    for kind, (element, change) in CHANGES.items():
                        made = list(text.each(element, change))
                        if not made:
                            continue
                        path.write_bytes(chance.choice(made).encode("latin-1"))
                        after = [one for one in findings(locus, [name], tree) if one[2] != "note"]
                        if after:
                            found[kind] += 1
                        else:
                            missed.append((kind, f"{tree.name}/{name}"))
                    path.write_bytes(data)
    everything = sum(found.values()) + len(missed)
    for kind in CHANGES:
        lost = sum(1 for other, _ in missed if other == kind)
        print(f"{found[kind]:5} of {found[kind] + lost:5}  {kind}")
    print(f"{sum(found.values())} of {everything} found")
    for kind, where in missed:
        print(f"missed: {kind}: {where}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["corpus", "mutants"])
    parser.add_argument("locus")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.what == "corpus":
        corpus(arguments.locus, arguments.repositories)
    else:
        mutants(arguments.locus, arguments.repositories, arguments.seed)


if __name__ == "__main__":
    main()
