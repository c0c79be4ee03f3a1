#!/usr/bin/env python3
"""Every JSON document that the program writes, and those that travel with it, by the published
schemas.

documents_test.py WARPLENS WORKER_STUB SOURCE_FOLDER
Exit code 77: python3-jsonschema is missing.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

from schemas import Schemas, described

# What is asked, what comes of it, and with which exit code.
COMMANDS = [
    ("list", "list", 0),
    ("doctor", "doctor", 0),
    ("doctor --worker {stub}", "doctor", 0),
    ("map matadd-swapped --grid 2 --block 3,2 --set n=5", "map", 0),
    ("map warp-grouping", "map", 0),
    ("predict matadd-swapped", "prediction", 0),
    ("predict branch-odd-even", "prediction", 0),
    ("predict matmul-tiled --set n=64", "prediction", 0),
    ("predict access-aligned --array-offset 1", "prediction", 0),
    ("measure matadd-coalesced --worker {logged}", "measurement", 0),
    ("measure access-aligned --array-offset 3 --worker {stub} --no-predict", "measurement", 0),
    ("measure matadd-coalesced --worker {stub} --save recording.json", "measurement", 0),
    ("sweep access-stride --over stride=1..3", "sweep", 0),
    ("sweep access-stride --over stride=1..3 --worker {stub} --save sweep.json", "sweep", 0),
    # It says what it has, and on standard error why that is not all.
    ("sweep access-stride --over stride=1..3 --worker '{stub} faults'", "sweep", 1),
    ("sweep matadd-coalesced --over block=64 --predict-only", "sweep", 0),
    ("roofline", "roofline", 0),
    ("occupancy", "occupancy", 0),
    ("occupancy matmul-tiled --cc 9.0", "occupancy", 0),
    ("occupancy --block 1024 --registers 128 --carveout 50", "occupancy", 0),
    ("lesson", "lessons", 0),
    ("lesson matadd-swapped", "lesson", 0),
    ("lesson occupancy", "lesson", 0),
    ("figure warp-grouping -o figure.svg", "figure", 0),
    ("screenshot warp-grouping -o shot.png --size 640x360", "screenshot", 0),
    ("describe warp-grouping --block 5,7,3", "description", 0),
    ("describe branch-long-arms --view request --warp 1 --step 1", "description", 0),
    ("predict '{source}/tests/programs/vector_add.cu'", "program_prediction", 0),
    ("measure '{source}/tests/programs/vector_add.cu' --worker {stub} --save own.json",
     "program_measurement", 0),
    ("screenshot '{source}/tests/programs/more/matvec_warp_per_row.cu' --line 10 -o own.png "
     "--measured '{source}/docs/matvec-h200.json'", "screenshot", 0),
    ("sweep '{source}/tests/programs/vector_add.cu' --over block.x=64,128", "program_sweep", 0),
    ("figure '{source}/tests/programs/vector_add.cu' -o own.svg", "figure", 0),
    # Errors, by where they are noticed.
    ("map nothing", "error", 2),
    ("map", "error", 2),
    ("map matadd-coalesced --grid", "error", 2),
    ("map matadd-coalesced --frobnicate", "error", 2),
    ("map matadd-coalesced --block 16 --block 17", "error", 2),
    ("predict matadd-coalesced --grid x --block 33,33,65", "error", 2),
    ("measure matadd-coalesced --worker ''", "error", 3),
    ("measure matadd-coalesced --worker '{stub} faults'", "error", 1),
    ("figure warp-grouping -o /no/such/folder/figure.svg", "error", 1),
    ("lesson warp-speed", "error", 2),
]


class Runs:
    """Runs of the program in an empty folder, without a display."""

    def __init__(self, program, folder, words, docs):
        self.docs = docs
        self.program = program
        self.folder = folder
        self.words = words

    def run(self, arguments):
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.folder,
                       "LIBGL_ALWAYS_SOFTWARE": "1"}
        return subprocess.run(f"'{self.program}' {arguments.format(**self.words)} --json",
                              shell=True, cwd=self.folder, env=environment, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def check(self, schemas, arguments, name, code):
        done = self.run(arguments)
        if name == "screenshot" and done.returncode == 3:
            print("no OpenGL here: no screenshot to judge")
            name, code = "error", 3
        what = f"warplens {arguments} --json"
        assert done.returncode == code, f"{what}: exit code {done.returncode}\n{done.stderr}"
        document = json.loads(done.stdout)
        schemas.check(document, name, what)
        undocumented = {metric for metric in metrics_in(document) if f"`{metric}`" not in self.docs}
        assert not undocumented, f"{what}: docs/json.md does not tell of {undocumented}"
        if name == "error":
            assert document["exit_code"] == code, what
            words = "".join(f"warplens: {line}\n" for line in document["message"].split("\n"))
            assert done.stderr.startswith(words), f"{what}:\n{done.stderr}"


def metrics_in(document):
    """The metrics of every list of values."""
    if isinstance(document, list):
        return {metric for entry in document for metric in metrics_in(entry)}
    if not isinstance(document, dict):
        return set()
    own = {document["metric"]} if "subject" in document and "metric" in document else set()
    return own.union(*(metrics_in(part) for part in document.values()))


def check_file(schemas, path, name):
    with open(path, encoding="utf-8") as file:
        schemas.check(json.load(file), name, path)


def check_lines(schemas, path, name):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert lines, path
    for line in lines:
        schemas.check(json.loads(line), name, f"{path}: {line[:80]}")


def main(program, stub, source):
    schemas = Schemas(os.path.join(source, "assets", "schemas"))
    for name, schema in schemas.by_name.items():
        assert described(schema) == [], f"{name}: not described: {described(schema)}"
    for path in glob.glob(os.path.join(source, "assets", "lessons", "*.json")):
        check_file(schemas, path, "lesson_file")
    with open(os.path.join(source, "docs", "json.md"), encoding="utf-8") as file:
        docs = file.read()
    for name in set(schemas.by_name) - {"common"}:
        assert f"`warplens.{name}`" in docs, f"docs/json.md does not tell of {name}"
    with tempfile.TemporaryDirectory(prefix="warplens-documents-") as folder:
        requests, events = os.path.join(folder, "requests"), os.path.join(folder, "events")
        logged = f"'tee {requests} | {stub} answers | tee {events}'"
        runs = Runs(program, folder, {"stub": stub, "logged": logged, "source": source}, docs)
        for arguments, name, code in COMMANDS:
            runs.check(schemas, arguments, name, code)
        check_file(schemas, os.path.join(folder, "recording.json"), "recording")
        check_file(schemas, os.path.join(folder, "sweep.json"), "recorded_sweep")
        check_file(schemas, os.path.join(folder, "own.json"), "program_measurement")
        check_lines(schemas, requests, "worker_request")
        check_lines(schemas, events, "worker_event")
    print(f"{len(schemas.used)} kinds of documents:", *sorted(schemas.used))
    # The window's settings are judged where they are made, in tests/window.
    missing = set(schemas.by_name) - schemas.used - {"common", "settings", "screenshot"}
    assert not missing, f"not judged: {missing}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
