"""What reading YAML costs: our trees beside the bare event parser underneath and PyYAML's C loader.

    python3 bench/yaml.py

Needs Linux, cargo, and PyYAML with libyaml. Makes files of about 4 MB, reads each several times, and prints the
best times and the memory as multiples of the text (for PyYAML, what the process has grown by). A tree must take
at most twice the time of the bare events, and at most 12 times the memory of its text.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZE = 4_000_000


def repeat(piece):
    """Pieces made from a counter until there are enough bytes."""
    pieces, total, i = [], 0, 0
    while total < SIZE:
        pieces.append(piece(i))
        total += len(pieces[-1])
        i += 1
    return pieces


def files():
    """The files by name."""
    template = lambda i: (
        f"  server_{i}:\n    type: OS::Nova::Server\n    properties:\n      name: web-{i}\n"
        f"      image: {{ get_param: image_{i % 7} }}\n      flavor: m1.small\n      networks:\n"
        f"        - port: {{ get_resource: port_{i} }}\n      user_data: |\n        #!/bin/sh\n        echo {i}\n"
    )
    service = lambda i: (
        f"---\n# Service {i}\napiVersion: v1\nkind: Service\nmetadata: {{name: s{i}, labels: {{app: a{i % 9}}}}}\n"
        f"spec:\n  ports:\n  - port: {i % 65536}\n    name: 'http'\n  selector: &sel\n    app: \"a{i % 9}\"\n  again: *sel\n"
    )
    values = lambda i: json.dumps({"id": i, "name": f"n{i}", "tags": ["a", "b"], "ratio": i / 7, "ok": True, "none": None})
    return {
        "template.yaml": "heat_template_version: 2016-10-14\nresources:\n" + "".join(repeat(template)),
        "services.yaml": "".join(repeat(service)),
        "one-mapping.yaml": "".join(repeat(lambda i: f"key{i}: value {i}\n")),
        "text.yaml": "".join(repeat(lambda i: f"- >\n  some words of prose {i}\n  that go on for a while,\n  folded\n")),
        "flow.yaml": "[" + ", ".join(repeat(values)) + "]",
        "values.json": "[" + ", ".join(repeat(values)) + "]",
        "tiny-items.yaml": "[" + "1," * (SIZE // 2) + "]",
        "tiny-nulls.yaml": "\n".join(["-"] * (SIZE // 2)) + "\n",
        "tiny-documents.yaml": "---\n" * (SIZE // 4),
    }


def pyyaml(path):
    """Seconds of PyYAML's C loader and bytes that its values keep, in a process of its own."""
    program = (
        "import sys, time, yaml\n"
        "text = open(sys.argv[1]).read()\n"
        "resident = lambda: int(open('/proc/self/statm').read().split()[1]) * 4096\n"
        "before = resident()\n"
        "start = time.perf_counter()\n"
        "value = list(yaml.load_all(text, Loader=yaml.CSafeLoader))\n"
        "print(time.perf_counter() - start, resident() - before)\n"
    )
    result = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)
    if result.returncode != 0:
        return None
    seconds, size = result.stdout.split()
    return float(seconds), int(size)


def main():
    subprocess.run(
        ["cargo", "build", "-q", "--release", "-p", "locus-source", "--example", "tree_cost"], cwd=ROOT, check=True
    )
    print(f"{'file':20} {'MB':>5} {'events':>9} {'tree':>9} {'ratio':>6} {'MB/s':>6} {'kept':>6} {'peak':>6}"
          f" {'PyYAML C':>10} {'ratio':>6} {'kept':>6}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files().items():
            path = pathlib.Path(folder) / name
            path.write_text(text)
            command = [ROOT / "target/release/examples/tree_cost", path]
            row = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            size, _, events, tree, kept, most = (float(figure) for figure in row.split("\t")[1:])
            other = pyyaml(path)
            peer = f"{other[0]:9.3f}s {other[0] / tree:5.0f}x {other[1] / size:5.1f}x" if other else "       refused"
            print(
                f"{name:20} {size / 1e6:5.1f} {events:8.3f}s {tree:8.3f}s {tree / events:5.2f}x {size / 1e6 / tree:6.1f}"
                f" {kept / size:5.1f}x {most / size:5.1f}x {peer}",
                flush=True,
            )
            failed |= tree > 2 * events or kept > 12 * size
    sys.exit("a bound is broken" if failed else 0)


main()
