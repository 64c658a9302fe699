"""Writes the table of what PyYAML makes of plain scalars: `python3 pyyaml_scalars.py > pyyaml-scalars.tsv`.

Each line has a scalar, its type and its value. `error` means that PyYAML's safe loader raises one.
"""

import random
import sys

import yaml

WRITTEN = """
~ null Null NULL nULL nil None true True TRUE tRUE false False FALSE yes Yes YES yEs no No NO on On ON oN off Off OFF
y Y n N t f T F truee nope only often yesterday
0 00 01 07 08 09 0440 0o17 0o9 0777 -0440 +0440 0_7 0_ 0__ 07_8 010 1 -1 +1 12 123456789 1_000 1__0 1_ _1 -_1 +_1
0b1 0b101 0b2 0b_1 0b_ 0b -0b11 0B1 0x1F 0xff 0xFG 0x_f 0x_ 0x -0x1f +0x1F 0X1F
9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615
123456789012345678901234567890 0x7fffffffffffffff 0x8000000000000000 0xffffffffffffffffff 01777777777777777777777
22:22 1:30 1:60 1:59 60:00 190:20:30 0:30 00:30 01:30 -1:30 +1:30 1_0:30 1:5 1:05 1:005 1:2:3:4 1: :1 1:: 1:30: 22:22:22
153722867280912930:07 153722867280912930:08 99999999999999999999:30
1.0 1. .5 -.5 +.5 0.5 1.5e3 1.5e+3 1.5e-3 1.5E+3 1e3 1e+3 1.e+3 1.e3 .5e+3 .5e3 -1.5 +1.5 1_0.5_0 1_.5 1._5 ._5 . .. ...
1.5e+ 1.5e 1.5e+3_0 1.2.3 6.8523015e+5 685.230_15e+03 685_230.15 190:20:30.15 1:30. 1:30.5 1:60.5 -1:30.5 1:3.5 0:0.5
190:20:30.1_5 1e400 1.0e+400 -1.0e+400 1.0e-400 0.1 0.30000000000000004 123456789.123456789
.inf .Inf .INF .iNF -.inf +.inf -.INF .nan .NaN .NAN .Nan +.nan -.nan inf nan Infinity NaN
2024-01-02 2024-1-2 2024-1-02 2024-13-45 20240102 2024-01-02T03:04:05Z 2024-01-02T03:04:05 2024-1-2T3:04:05
2024-01-02t03:04:05.678 2024-01-02T03:04:05.678+01:00 2024-01-02T03:04:05-5 2024-01-02T03:04 2024-01 2024 24-01-02
2024-01-02T03:04:05.Z 2024-01-02T03:04:05+1:0 2024-01-02T3:4:5 2024-01-02T 2013-05-23 2014-10-16 2015-04-30 2016-10-14
<< = < == <<< - -- + ++ +- -+1 1-1 1+1 1-800-555 10.0.0.1 10.0.0.0/24 1.2.3.4 ::1 fe80::1 a:b 80:80 8080:80 127.0.0.1:80
8000:8000 22:22/tcp 5432:5432 53:53/udp 0.0.0.0 1,000 1k 1m 10% 1/2 $1 3rd 1st 0d 1e 1d 0e0 e1 1E5 1.5f 0.0 -0 -0.0 +0
v1 1.0.0 3.8 "3.10" 012345678 0123456 19:05:40 12:30:45.678 ½ ١ é true. true, no! on-premise offset yes1 nulls
""".split()
SPACED = [
    "2024-01-02 03:04:05", "2024-01-02  03:04:05 Z", "2024-01-02 03:04:05.5 +01:00", "2024-01-02 03:04:05 -5",
    "2024-01-02 3:04:05", "1 000", "yes no", "null null", "1 .5", "on fire", "0x 1", "- 1", "2024-01-02 03:04",
    "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "2001-12-15 2:59:43.10",
]


def made(count):
    """Scalars that look like numbers and times, nearly or quite."""
    source = random.Random(1)
    pieces = ["0", "1", "7", "8", "59", "60", "12", "_", ".", ":", "-", "+", "e", "E", "e+", "0x", "0b", "0o", "f", "2024",
              "-01", "T", "Z", ".inf"]
    for _ in range(count):
        yield "".join(source.choice(pieces) for _ in range(source.randint(1, 6)))


def reading(text):
    """Type and value of a plain scalar, or nothing if the text is not one."""
    document = "- " + text
    try:
        node = yaml.compose(document, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    items = node.value
    if len(items) != 1 or not isinstance(items[0], yaml.ScalarNode):
        return None
    if items[0].value != text or items[0].style is not None:
        return None
    kind = items[0].tag.rsplit(":", 1)[1]
    if kind == "timestamp":
        return kind, text
    try:
        value = yaml.safe_load(document)[0]
    except (yaml.YAMLError, ValueError):
        return "error", ""
    return kind, {"null": "", "bool": str(value).lower(), "str": value}.get(kind, repr(value))


def main():
    seen = set()
    for text in WRITTEN + SPACED + list(made(1200)):
        result = reading(text)
        if result is not None and text not in seen:
            seen.add(text)
            sys.stdout.write("\t".join((text, *result)) + "\n")


main()
