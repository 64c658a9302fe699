"""Writes documents with what PyYAML makes of them: `python3 pyyaml_documents.py > pyyaml-documents.jsonl`.

Each line is a JSON object with a text and the list of the documents in it. Half are written by hand, for anchors and merge
keys; the others are made by PyYAML from random values, in all its styles.
"""

import json
import random

import yaml

WRITTEN = [
    "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n",
    "a: &a {x: 1, y: 2}\nb: {y: 3, <<: *a}\n",
    "a: &a {x: 1}\nb: &b {x: 2, z: 3}\nc: {<<: [*a, *b]}\nd: {<<: [*b, *a]}\n",
    "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n",
    "a: &a {x: 1}\nb: &b {<<: *a, x: 2}\nc: {<<: [*a, *b]}\nd: {<<: [*b, *a]}\n",
    "a: &a {x: 1}\nb: {<<: {x: 2, w: 0}, x: 3}\nc: {<<: [{x: 4}, *a], q: 1}\n",
    "l: &l [{x: 1}, {x: 2, y: 3}]\nm: {<<: *l}\n",
    "a: &a {x: 1, x2: {y: 1}}\nb:\n  <<: *a\n  x2: {z: 1}\n",
    "a: &a {}\nb: {<<: *a}\nc: {<<: []}\n",
    "a: &a {x: 1}\nb: {\"<<\": 5, y: 2}\nc: {'<<': *a}\n",
    "a: &a {x: 1}\nouter: &o\n  <<: *a\n  inner: &i\n    <<: *a\n    y: 2\nlast: {<<: [*i, *o]}\n",
    "a: &a\n  k: &k [1, 2]\nb: [*a, *k, *a]\n",
    "&a a: 1\nb: *a\n",
    "- &n\n- *n\n- &s text\n- *s\n",
    "a: 1\na: 2\n",
    "a: |\n  one\n   two\n\n  three\n\nb: |-\n  x\nc: |+\n  y\n\nd: >\n  f\n  g\n\n  h\n   i\n  j\ne: >-\n  k\n\n",
    "a: |2\n    two more\n  text\nb: 1\n",
    "a: 'it''s'\nb: \"a\\tb\\n\\x41\\u00e9\\U0001F600\\\\ \\\" \\/\"\nc: 'two\n  lines\n\n  more'\nd: \"fold\\\n   ed\"\n",
    "a: plain words # comment\nb: not#comment\nc: http://x.y/z:80\nd: a:b\n",
    "--- 1\n--- [2]\n...\n---\n{a: 3}\n",
    "%YAML 1.1\n---\nx: yes\n",
    "? a\n: b\n? c\n",
    "[a, [b, {c: d, e: [f]}], ]\n",
    "a:\n- b\n-\n  - c\n  - d: e\n    f: g\n",
    "a: !!str 12\nb: !!int '12'\nc: !!float 3\nd: !!bool 'yes'\ne: !!null ''\nf: !!str\n",
    "- 0440\n- 22:22\n- yes\n- 1_000\n- .inf\n- 0x1F\n- 1e3\n- ~\n- \n- 'yes'\n- \"0440\"\n",
    "a: {b: , c: }\n",
    "a: b\\n\nc: 'd\\n'\n",
    "key with spaces: v\n\"quoted: key\": w\n'k2' : x\n",
    "a: >\n\n  leading\n\n\n  gaps\n\nb: end\n",
    "a: one\n  two\n\n  three\nb: four\n",
]


def value(source, depth):
    """A random value that JSON has too."""
    kind = source.randrange(9 if depth else 6)
    if kind == 0:
        return source.choice([None, True, False])
    if kind == 1:
        return source.choice([0, 1, -1, 8, 440, 2**31, -(2**63), 2**63 - 1, 1342])
    if kind == 2:
        return source.choice([0.5, -1.25, 1e300, 1e-7, 3.0])
    if kind <= 5:
        pieces = ["yes", "0440", "22:22", "a", "b c", " ", "\n", ": ", "#", "'", '"', "\\", "é", "\t", "- ", "<<", "~", "1", "{", "%",
                  "long words that go on and on", "😀", "|", "!x", "&a", "*b", "2024-01-02", "=", "null"]
        return "".join(source.choice(pieces) for _ in range(source.randint(0, 4)))
    count = source.randint(0, 4)
    if kind <= 6:
        return [value(source, depth - 1) for _ in range(count)]
    return {source.choice(["a", "b c", "yes", "1", "<<", "k: v", "", "x" * 20, "é\n"]): value(source, depth - 1) for _ in range(count)}


def made(count):
    source = random.Random(2)
    for _ in range(count):
        style = source.choice([None, None, "'", '"', "|", ">"])
        yield yaml.safe_dump(
            value(source, 4),
            default_flow_style=source.choice([None, True, False]),
            default_style=style,
            width=source.choice([20, 80]),
            indent=source.choice([2, 4]),
            allow_unicode=source.choice([True, False]),
            explicit_start=source.choice([True, False]),
        )


for text in WRITTEN + list(made(250)):
    documents = list(yaml.safe_load_all(text))
    print(json.dumps({"yaml": text, "documents": documents}, ensure_ascii=False).replace("Infinity", '"inf"'))
