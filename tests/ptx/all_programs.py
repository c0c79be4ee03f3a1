#!/usr/bin/env python3
"""all_programs.py RUN_PROGRAM OUT_FOLDER [FOLDER]: every program of tests/programs through run_program; what it prints
goes to OUT_FOLDER/NAME.json, and a line for each to standard output: whether it passes its own check."""
import concurrent.futures
import json
import pathlib
import subprocess
import sys

tool, out = sys.argv[1], pathlib.Path(sys.argv[2])
root = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else pathlib.Path(__file__).parent.parent / "programs")
out.mkdir(parents=True, exist_ok=True)


def run(path):
    name = str(path.relative_to(root)).replace("/", "_")[:-3]
    done = subprocess.run([tool, str(path)], capture_output=True, text=True, timeout=600)
    try:
        trace = json.loads(done.stdout)
    except ValueError:
        return name, "not compiled: " + (done.stderr.strip().splitlines() or [""])[0]
    (out / (name + ".json")).write_text(done.stdout)
    words = []
    if done.returncode != 0 or "ok" not in trace["exit"].get("output", ""):
        words.append(f"exit {done.returncode} {trace['exit'].get('output', '').strip()[-80:]!r}")
    words += [f"{f['kind']} {f['line']}: {f['words']}" for f in trace["findings"]]
    words += [note for note in trace["notes"] if "optimisation" in note or "early" in note]
    return name, "; ".join(words) or "ok"


with concurrent.futures.ThreadPoolExecutor() as pool:
    for done in concurrent.futures.as_completed([pool.submit(run, path) for path in sorted(root.rglob("*.cu"))]):
        print(": ".join(done.result()), flush=True)
