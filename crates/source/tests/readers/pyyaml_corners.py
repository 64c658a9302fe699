"""Writes short texts with what PyYAML's C loader makes of them: `python3 pyyaml_corners.py > pyyaml-corners.jsonl`.

Each line is a JSON object with a text and the list of the documents in it, or null where libyaml or the safe loader refuses
it, and whether it was written by hand; the others are pieces of YAML put together by chance, `--count` of them.
"""

import argparse
import json
import random

import yaml

WRITTEN = [
    "a: [-, [a, b]]\n", "[-]\n", "[a, -]\n", "{a: -}\n", "{-: 1}\n", "[-a, - ]\n", "[- a]\n", "[--]\n", "[-,-,-]\n",
    "a: 'x\ny'\n", "k:\n  a: 'x\n  y'\n  b: 1\n", "a: \"x\n\ny\"\nb: \"\\\nz\"\n", "a:\n  - 'x\nz'\n  - b\n",
    "a: \"x\n# no comment\ny\"\n", "a: 'x\n---\ny'\n", "a: 'x\n  y\nz'\nb: 'p\nq'\n", "a: \"é\né\"\nb: [\"ü\n\"]\n",
    "a: [a,# c\n b]\n", "a: {b: 1,# c\n c: 2}\n", "a: 'x'# c\n", "a: [x]# c\nb: 1\n", "a: [x#c]\n", "a: [# c\n]\n",
    "\t# c\na: 1\n", "a: 1\n\t# c\nb: 2\n", "a: 1\n \t# c\nb: 2\n", "a: \"1\"\n \t# c\nb: 2\n", "a: b\t# c\n", "a:\t# c\n  b: 1\n",
    "a: 1\n\t\nb: 2\n", "a: 'x'\n\t\nb: 2\n", "-\ta\n", "- \ta\n", "- a\t\n- b\n", "?\ta\n", "a: x\n\ty\n", "a: x\n \ty\n",
    "k:\n  a: x\n \ty\n", "k:\n  a: x\n   \ty\n", "a: [\n\tb,\n\tc ]\n", "a: {\n\tb: c }\n", "a: |\n  x\n\ty\n", "a: |\n  x\n  \ty\n",
    "a: \"x\n\ty\"\n", "\ta: b\n", "a:\n \tb: c\n", "a: \tb\n", "a:\tb\n", "- - \ta\n", "a: # c\n\t\n  b\n",
    "a: !Ref b\n", "a: !!python/tuple [1]\n", "a: ! b\n", "a: !!str 1\n", "a: !x [1]\n", "!x a: 1\n", "a: !<tag:yaml.org,2002:str> 1\n",
    "a: &x 1\nb: &x 2\n", "a: &x 1\n--- \nb: &x 2\n", "a: &x [&y 1]\nb: &y 2\n", "a: =\n", "=: a\n", "a: <<\n", "- <<\n", "a: '='\n",
    "{[a]: b}\n", "? [a]\n: b\n", "? {a: b}\n: c\n", "a: {{ b }}\n", "[{a: b}: c]\n", "a: {b: {c}}\n", "&k [a]: b\n",
    "a: {b:1}\n", "a: [b:1]\n", "a: {\"b\":1}\n", "a: {'b':1, c: 2}\n", "[a: b, c]\n", "a: b: c\n", "a: @b\n", "a: `b\n", "a: %b\n",
    "a: *b\n", "a: |x\n", "a: |2\n  x\n", "a: |0\n x\n", "a: - b\n", "a: 'b' c\n", "- a\nb: c\n", "a\nb\n", "a: x\nb\n", "a: \"\\q\"\n",
    "a: \x07\n", "\ufeffa: b\n", "a: b\n...\nc: d\n", "a: b\n--- x\n", "%YAML 1.2\n---\na: 1\n", "a: [1,2\n", "a: [1]]\n",
    "? a\n", "? a\n: b\n? c\n: d\n", "a: ? b\n", "- ? a\n  : b\n", "- a: b\n  c: d\n - e\n", "a:\n- b\n c: d\n", "a: 'b\n", "# c\n", "",
    "a: {b:[c, d]}\n", "a: {b:{c: d}}\n", "a: {b:[c], d:{e:[f]}}\n", "[a:[b]]\n", "[a:{b: c}]\n", "{a:[b]: c}\n", "a: {b:]}\n",
    "a:[b]\n", "a: {'b':[c]}\n", "a: {? b:[c]}\n", "a: {b\n:[c]}\n", "a: {b:[c:[d]]} # {e:[f]}\n",
    "--- |\n x\n...\n", "---\n---\na\n", "a: b # c\n  d\n", "a: b\n # c\n  d\n", "a:\n  b\n c\n", "a: [b\nc]\n", "a: [\nb\n]\n", "a: {\nb: c\n}\n",
    "a: ''''\n", "a: \"\\x41\\u00e9\"\n", "a: !!int 'x'\n", "a: !!bool maybe\n", "<<: {a: b}\n", "a: {<<: 1}\n", "a: {<<: [1]}\n", "!!set {a, b}\n",
]

PIECES = [
    "a: ", "b: ", "- ", "-", "[", "]", "{", "}", ", ", ",", ":", ": ", "? ", "\n", "\n", "\n", "  ", "    ", " ", "\t", "# c", "#", "'", '"', "x", "y z",
    "1", "é", "|\n", ">-\n", "&p ", "*p", "!t ", "!!str ", "'q'", '"r"', "'s\n", "---\n", "...\n", "<<: ", "=", "@", "%", "\\n", "k:\n",
    "  m: ", "  - ", "~", "yes",
]


def read(text):
    try:
        documents = list(yaml.load_all(text, Loader=yaml.CSafeLoader))
        json.dumps(documents, allow_nan=False)
        if any(not isinstance(key, str) for one in documents for key in keys(one)):
            return False
        return documents
    except (yaml.YAMLError, ValueError, KeyError) as error:
        # What is too deep or too large for JSON is not compared; what PyYAML fails on, it refuses.
        return False if "Out of range float" in str(error) else None
    except TypeError:
        return False
    except RecursionError:
        return False


def keys(value):
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from keys(one)
    elif isinstance(value, list):
        for one in value:
            yield from keys(one)


parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, default=1500)
parser.add_argument("--seed", type=int, default=7)
args = parser.parse_args()
source = random.Random(args.seed)
texts = list(WRITTEN)
while len(texts) < len(WRITTEN) + args.count:
    if source.random() < 0.5:
        text = "".join(source.choice(PIECES) for _ in range(source.randint(2, 10)))
    else:
        text = source.choice(WRITTEN)
        for _ in range(source.randint(1, 3)):
            at = source.randint(0, len(text))
            text = text[:at] + source.choice(PIECES) + text[at + source.choice([0, 0, 1]):]
    texts.append(text)
for text in dict.fromkeys(texts):
    documents = read(text)
    if documents is not False:
        print(json.dumps({"yaml": text, "documents": documents, "written": text in WRITTEN}, ensure_ascii=False))
