#!/usr/bin/env python3
"""Makes crates/compose/src/types/schema/compose.txt from the JSON schema of the Compose Specification.

    tools/compose-schema.py compose-spec.json > crates/compose/src/types/schema/compose.txt

The schema is part of https://github.com/compose-spec/compose-go (schema/compose-spec.json); take the version that the
Compose release has which Locus follows. What the output means is said in crates/compose/src/types/schema/mod.rs. A word of
the schema that this program does not know stops it, so that no constraint is lost in silence.
"""
import json
import sys

IGNORED = {"description", "title", "$schema", "$id", "deprecated", "default", "definitions"}
KNOWN = IGNORED | {"type", "properties", "patternProperties", "additionalProperties", "required", "items",
                   "uniqueItems", "oneOf", "enum", "pattern", "minimum", "maximum", "$ref"}
KEYS = {"^x-": "x-", "^[a-zA-Z0-9._-]+$": "name", "^.+$": "any", ".+": "any", "^[a-z]+$": "lower"}
TEXTS = {"[a-zA-Z0-9][a-zA-Z0-9_.-]+": "container_name",
         "always|never|build|if_not_present|missing|refresh|daily|weekly|every_([0-9]+[wdhms])+": "pull_policy"}


def main():
    schema = json.load(open(sys.argv[1]))
    lines, numbers = [], {}

    def resolve(node):
        while "$ref" in node:
            node = schema["definitions"][node["$ref"].removeprefix("#/definitions/")]
        return node

    def number(node):
        """The number of the line that says what the node allows."""
        line = words(resolve(node))
        if line not in numbers:
            numbers[line] = len(lines)
            lines.append(line)
        return numbers[line]

    def words(node):
        unknown = set(node) - KNOWN
        assert not unknown, unknown
        if "oneOf" in node:
            parts = [words(resolve(part)).split() for part in node["oneOf"]]
            heads = [word.split(":")[0].split("=")[0] for part in parts for word in part if not word.startswith((".", "/"))]
            assert len(set(heads)) == len(heads), ("alternatives of the same type", node)
            return " ".join(" ".join(part) for part in sorted(parts))
        if "type" not in node:
            assert not set(node) - IGNORED, node
            return "anything"
        types = node["type"]
        types = sorted([types] if isinstance(types, str) else types)
        out = []
        for name in types:
            if name == "null":
                out.append("null")
            elif name == "boolean":
                out.append("bool")
            elif name in ("integer", "number"):
                bounds = f":{node['minimum'] if 'minimum' in node else ''}..{node.get('maximum', '')}"
                word = "int" if name == "integer" else "num"
                out.append(word + (bounds if "minimum" in node or "maximum" in node else ""))
            elif name == "string":
                word = "str"
                if "enum" in node:
                    word += "=" + "|".join(node["enum"])
                if "pattern" in node:
                    word += "~" + TEXTS[node["pattern"]]
                out.append(word)
            elif name == "array":
                word = "set" if node.get("uniqueItems") else "list"
                out.append(f"{word}:{number(node.get('items', {}))}")
            elif name == "object":
                closed = node.get("additionalProperties") is False
                entries = ["map!" if closed else "map"]
                required = set(node.get("required", []))
                for key in sorted(node.get("properties", {})):
                    mark = "*" if key in required else ""
                    entries.append(f".{key}{mark}:{number(node['properties'][key])}")
                for pattern, value in sorted(node.get("patternProperties", {}).items()):
                    entries.append(f"/{KEYS[pattern]}:{number(value)}")
                out.append(" ".join(entries))
        return " ".join(out)

    number(schema)
    print("\n".join(lines))


main()
