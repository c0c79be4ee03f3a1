#!/usr/bin/env python3
"""Every JSON document that the program writes, and those that travel with it, by the published
schemas; and the bytes of one of each kind, as tests/schemas/golden keeps them.

documents_test.py WARPLENS WORKER_STUB SOURCE_FOLDER

With WARPLENS_UPDATE_GOLDEN=1 the kept bytes are written anew: look at what has changed.
Exit code 77: python3-jsonschema is missing.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from schemas import Schemas, described

# Under this heading docs/json.md has the tables that the program writes.
MEMBERS = "## Members\n"

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
    ("check '{source}/docs/brightness.cu'", "check", 1),
    ("check '{source}/docs/example-course'", "course_check", 0),
    ("explain '{source}/docs/brightness.cu' --no-remedies", "explanation", 0),
    ("progress --name Ada", "progress", 0),
    ("setup-compiler --remove", "compiler_setup", 0),
    # Errors, by where they are noticed.
    ("map matadd-coalesced --grid", "error", 2),
    ("map nothing", "error", 2),
    ("map", "error", 2),
    ("map matadd-coalesced --frobnicate", "error", 2),
    ("map matadd-coalesced --block 16 --block 17", "error", 2),
    ("predict matadd-coalesced --grid x --block 33,33,65", "error", 2),
    ("measure matadd-coalesced --worker ''", "error", 3),
    ("measure matadd-coalesced --worker '{stub} faults'", "error", 1),
    ("figure warp-grouping -o /no/such/folder/figure.svg", "error", 1),
    ("lesson warp-speed", "error", 2),
]


# What another machine, another moment or another release writes otherwise.
VOLATILE = [
    (r'"(seconds|compile_seconds|total_s|total_seconds)":( ?)[-0-9.e+]+', r'"\1":\2"?"'),
    (r'"(taken_at|version|digest|kernel_digest|host|job|detail|remedy)":( ?)"(\\.|[^"\\])*"',
     r'"\1":\2"?"'),
    (r'"ok":( ?)(true|false)', r'"ok":\1"?"'),
]
GOLDEN_LINES, GOLDEN_WIDTH = 100, 4000


class Golden:
    """Kept bytes of documents, each by the first lines of it."""

    def __init__(self, source, folder):
        self.passed_over = (source + "/", folder + "/")
        self.folder = os.path.join(source, "tests", "schemas", "golden")
        self.updates = os.environ.get("WARPLENS_UPDATE_GOLDEN") == "1"
        self.seen = set()

    def check(self, name, text):
        """The first document of each name."""
        if name in self.seen:
            return
        self.seen.add(name)
        for pattern, masked in VOLATILE:
            text = re.sub(pattern, masked, text)
        for folder in self.passed_over:
            text = text.replace(folder, "")
        lines = [line[:GOLDEN_WIDTH] for line in text.split("\n")[:GOLDEN_LINES]]
        path = os.path.join(self.folder, name + ".json")
        if self.updates:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
        with open(path, encoding="utf-8") as file:
            kept = file.read().split("\n")
        for number, (now, then) in enumerate(zip(lines, kept), 1):
            assert now == then, f"{path}:{number}: now {now}"
        assert len(lines) == len(kept), f"{path}: {len(kept)} lines, now {len(lines)}"


class Runs:
    """Runs of the program in an empty folder, without a display."""

    def __init__(self, program, folder, words, docs, golden):
        self.docs = docs
        self.golden = golden
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
        self.golden.check(name, done.stdout)
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


def check_file(schemas, path, name, golden=None):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    schemas.check(json.loads(text), name, path)
    if golden:
        golden.check(name, text)


def check_lines(schemas, path, name, golden):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    assert lines, path
    golden.check(name, text)
    for line in lines:
        schemas.check(json.loads(line), name, f"{path}: {line[:80]}")


def written_schemas(program):
    """The folder of those that the program writes of its own documents."""
    folder = tempfile.mkdtemp(prefix="warplens-schemas-")
    subprocess.run([program, "documentation", "schemas", "--output", folder], check=True)
    return folder


def main(program, stub, source):
    schemas = Schemas(os.path.join(source, "assets", "schemas"), written_schemas(program))
    for name, schema in schemas.by_name.items():
        assert described(schema) == [], f"{name}: not described: {described(schema)}"
    for path in glob.glob(os.path.join(source, "assets", "lessons", "*.json")):
        check_file(schemas, path, "lesson_file")
    with open(os.path.join(source, "docs", "json.md"), encoding="utf-8") as file:
        docs = file.read()
    tables = subprocess.run([program, "documentation", "members"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    assert docs.endswith(MEMBERS + tables), (
        "docs/json.md does not end with what `warplens documentation members` prints now")
    for name in schemas.by_name:
        assert f"`warplens.{name}`" in docs, f"docs/json.md does not tell of {name}"
    with tempfile.TemporaryDirectory(prefix="warplens-documents-") as folder:
        requests, events = os.path.join(folder, "requests"), os.path.join(folder, "events")
        logged = f"'tee {requests} | {stub} answers | tee {events}'"
        golden = Golden(source, folder)
        words = {"stub": stub, "logged": logged, "source": source}
        runs = Runs(program, folder, words, docs, golden)
        for arguments, name, code in COMMANDS:
            runs.check(schemas, arguments, name, code)
        check_file(schemas, os.path.join(folder, "recording.json"), "recording", golden)
        check_file(schemas, os.path.join(folder, "sweep.json"), "recorded_sweep", golden)
        check_file(schemas, os.path.join(folder, "own.json"), "program_measurement")
        check_lines(schemas, requests, "worker_request", golden)
        check_lines(schemas, events, "worker_event", golden)
    print(f"{len(schemas.used)} kinds of documents:", *sorted(schemas.used))
    # The window's settings are judged where they are made, in tests/window.
    missing = set(schemas.by_name) - schemas.used - {"settings", "screenshot"}
    assert not missing, f"not judged: {missing}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
