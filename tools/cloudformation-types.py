#!/usr/bin/env python3
"""Makes the table of CloudFormation's resource types that the command carries with it.

    pip install cfn-lint
    python3 tools/cloudformation-types.py crates/cloudformation/src/types/registry.bin

The facts are the registry's schemas as the Python package `cfn-lint` has them (licence MIT-0), with its patches and the
further schemas of its rules for errors. Descriptions and what nothing here asks for are left out.

The file begins with lines of text: its form, the version of the package, the date of its schemas, their licence, how
many types there are and how many bytes the index and the dictionary have. Then come the index (a line for each type:
its name, where its data begin, how many bytes they have, and how many once they are inflated), the dictionary, and the
data: JSON for each type, deflated by itself with the dictionary before it, so that a type is read without any other.
"""

import collections
import json
import sys
import zlib
from importlib import metadata

import cfnlint.core
import cfnlint.helpers
import cfnlint.rules
from cfnlint.rules.jsonschema.CfnLintJsonSchema import CfnLintJsonSchema
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER as MANAGER

# Keywords of schemas that nothing here looks at.
ASIDE = {
    "description", "title", "examples", "$comment", "insertionOrder", "default", "sourceUrl", "documentationUrl",
    "tagging", "handlers", "$schema", "typeName", "readOnlyProperties", "writeOnlyProperties", "createOnlyProperties",
    "conditionalCreateOnlyProperties", "primaryIdentifier", "additionalIdentifiers", "deprecatedProperties", "$id",
    "propertyTransform", "lifecycle", "replacementStrategy", "resourceLink", "typeConfiguration", "nonPublicProperties",
    "nonPublicDefinitions", "arrayType", "uniqueKeys",
}
# Keywords whose keys are names and not keywords.
NAMES = {"properties", "patternProperties", "definitions", "dependentRequired", "dependentExcluded", "dependencies"}
# A further schema with one of these asks for more than the properties of the resource.
ELSEWHERE = {"cfnGather", "cfnContext", "$data", "$lookup", "cfnLint"}
DICTIONARY = 32 * 1024


def stripped(schema, names=False):
    if isinstance(schema, dict):
        return {
            key: stripped(value, not names and key in NAMES)
            for key, value in schema.items()
            if names or key not in ASIDE
        }
    if isinstance(schema, list):
        return [stripped(value) for value in schema]
    return schema


def mentions(schema, words):
    if isinstance(schema, dict):
        return any(key in words or mentions(value, words) for key, value in schema.items())
    return isinstance(schema, list) and any(mentions(value, words) for value in schema)


def paths(schema, key):
    return sorted({path.removeprefix("/properties/") for path in schema.get(key, [])})


def extensions():
    """The further schemas, by type: of each rule for errors that does nothing but compare with a schema."""
    found = collections.defaultdict(list)
    rules = cfnlint.core.get_rules([], [], ["I", "E", "W"])
    for rule in sorted(rules.rules.values(), key=lambda rule: rule.id):
        if not isinstance(rule, CfnLintJsonSchema) or not rule.id.startswith("E") or not rule.schema:
            continue
        own = type(rule).validate is not CfnLintJsonSchema.validate
        if own or mentions(rule.schema, ELSEWHERE):
            continue
        for keyword in rule.keywords:
            parts = keyword.split("/")
            if len(parts) >= 3 and parts[0] == "Resources" and parts[2] == "Properties":
                # What is about the whole of the properties, and about one within them, which is named by its path.
                found[parts[1]].append([rule.id, rule.shortdesc, "/".join(parts[3:]), stripped(rule.schema)])
    return found


def type_of(name, regions, further):
    region = "us-east-1" if "us-east-1" in regions else regions[0]
    known = MANAGER.get_resource_schema(region, name)
    schema = known.schema
    handlers = schema.get("handlers", {})
    data = {
        "schema": stripped(schema),
        "read_only": paths(schema, "readOnlyProperties"),
        "write_only": paths(schema, "writeOnlyProperties"),
        "create_only": paths(schema, "createOnlyProperties"),
        "maybe_create_only": paths(schema, "conditionalCreateOnlyProperties"),
        "identifier": [path.removeprefix("/properties/") for path in schema.get("primaryIdentifier", [])],
        "replacement": schema.get("replacementStrategy"),
        "permissions": {
            action: sorted(handlers[action].get("permissions", []))
            for action in ("create", "update", "delete")
            if action in handlers
        },
        "further": further,
        "attributes": attributes(known),
        "ref": known.ref.get("format") if isinstance(known.ref, dict) else None,
    }
    if len(regions) < len(cfnlint.helpers.REGIONS):
        data["regions"] = regions
    return {key: value for key, value in data.items() if value}


def attributes(known):
    """What `Fn::GetAtt` gives: for each name the type of the value, and its format."""
    found = {}
    for name, pointer in known.get_atts.data.items():
        value = {}
        if isinstance(pointer, str) and pointer.startswith("/"):
            try:
                value = known.resolver.resolve_cfn_pointer(pointer)
            except Exception:  # The pointer leads to nothing that the schema says.
                value = {}
        kind = value.get("type", "") if isinstance(value, dict) else ""
        form = value.get("format", "") if isinstance(value, dict) else ""
        found[name] = [kind if isinstance(kind, str) else "", form]
    return found


def dictionary(texts):
    """Pieces that many types have, the most frequent last: those are found nearest."""
    counts = collections.Counter()
    for text in texts:
        for word in set(text.replace("},", "},\0").replace("],", "],\0").split("\0")):
            if 12 <= len(word) <= 400:
                counts[word] += 1
    words, size = [], 0
    for word, count in sorted(counts.items(), key=lambda item: (-item[1] * len(item[0]), item[0])):
        if count < 8 or size + len(word) > DICTIONARY:
            continue
        words.append(word)
        size += len(word)
    return "".join(reversed(words)).encode()


def main(target):
    regions = collections.defaultdict(list)
    for region in cfnlint.helpers.REGIONS:
        for name in MANAGER.get_resource_types(region):
            if name.startswith("AWS::") and not name.startswith("AWS::Serverless::"):
                regions[name].append(region)
    further = extensions()
    texts = {}
    for name in sorted(regions):
        data = type_of(name, sorted(regions[name]), further.get(name))
        texts[name] = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    common = dictionary(texts.values())
    index, data = [], b""
    for name, text in texts.items():
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, common)
        raw = text.encode()
        deflated = squeeze.compress(raw) + squeeze.flush()
        index.append(f"{name}\t{len(data)}\t{len(deflated)}\t{len(raw)}\n")
        data += deflated
    index = "".join(index).encode()
    with open(f"{cfnlint.__path__[0]}/data/schemas/version.json", encoding="utf-8") as file:
        date = json.load(file)["schema_date"][:10]
    head = (
        "locus-cloudformation-types 1\n"
        f"cfn-lint {metadata.version('cfn-lint')}\n{date}\nMIT-0\n{len(texts)}\n{len(index)}\n{len(common)}\n"
    )
    with open(target, "wb") as file:
        file.write(head.encode() + index + common + data)
    print(f"{len(texts)} types, {sum(map(len, further.values()))} further schemas, {len(data)} bytes of data")


if __name__ == "__main__":
    main(sys.argv[1])
