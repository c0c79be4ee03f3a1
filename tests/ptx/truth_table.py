#!/usr/bin/env python3
"""truth_table.py AGREEMENT FOLDER [PREDICTOR]: what the machine counts against what is on file.

AGREEMENT is docs/agreement-programs-h200.txt: totals of launches and differing lines, counted on an H200. FOLDER holds
what run_program printed of each program, NAME.json (all_programs.py makes it). The `compiled` counts are compared with
the counted ones: every total, and every line value of the report. With PREDICTOR, an earlier warplens, `predicted` is
compared with what that predicts, line by line."""
import collections
import json
import pathlib
import re
import subprocess
import sys

report, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
predictor = sys.argv[3] if len(sys.argv) > 3 else None
root = pathlib.Path(__file__).parent.parent / "programs"
KINDS = {"load": {"load"}, "store": {"store"}, "atomic": {"atomic"}, "shared_load": {"shared_load"},
         "shared_store": {"shared_store"}, "shared": {"shared_load", "shared_store"}}
HEAD = re.compile(r"^(\S+\.cu) launch (\d+) (.+?): (?:\d+ )?results ")
TOTAL = re.compile(r"^    (load|store|atomic|shared) (requests|sectors|wavefronts) +predicted +([\d,]+) +probed +([\d,]+) +counted +([\d,]+)")
LINE = re.compile(r"^    line (\d+) (\w+) (requests|sectors|wavefronts): (\w+): (.*)")


def number(text):
    return int(text.replace(",", ""))


def counted_of(cause, words):
    """What the hardware counted at the line, from the report's sentence."""
    if found := re.search(r"the hardware counted ([\d,]+)", words):
        return number(found[1])
    if found := re.search(r"\[without the probe: ([\d,]+) counted\]", words):
        return number(found[1])
    if found := re.search(r"the compiled code for ([\d,]+)", words):
        return number(found[1])
    return None


traces = {}
for path in folder.glob("*.json"):
    trace = json.loads(path.read_text())
    traces[pathlib.Path(trace["program"]).name] = trace


def value(launch, source, kind, unit, line=None):
    return sum(each.get(unit, 0) for each in launch["lines"]
               if each["source"] == source and each["kind"] in KINDS[kind] and line in (None, each["line"]))


tally = collections.Counter()
differing = []
launch = program = None
for text in report.read_text().splitlines():
    if head := HEAD.match(text):
        program, index = head[1], int(head[2])
        launches = traces.get(program, {"launches": []})["launches"]
        launch = launches[index] if index < len(launches) else None
        tally["launches"] += 1
        tally["launches not run here"] += launch is None
    elif launch is not None and (total := TOTAL.match(text)):
        kind, unit, counted = total[1], total[2], number(total[5])
        mine = value(launch, "compiled", kind, unit)
        tally["totals"] += 1
        tally["totals equal"] += mine == counted
        if mine != counted:
            differing.append(f"{program} launch {launch['index']} total {kind} {unit}: compiled {mine}, counted {counted}")
    elif launch is not None and (line := LINE.match(text)):
        counted = counted_of(line[4], line[5])
        if counted is None:
            continue
        artefact = line[4] == "probe"
        name = "lines of the probe's own" if artefact else "differing lines"
        mine = value(launch, "compiled", line[2], line[3], int(line[1]))
        tally[name] += 1
        tally[name + " foreseen"] += mine == counted
        if mine != counted:
            differing.append(f"{program} launch {launch['index']} line {line[1]} {line[2]} {line[3]} ({line[4]}): "
                             f"compiled {mine}, counted {counted}")


def by_line(trace):
    sums = collections.Counter()
    for launch in trace["launches"]:
        for line in launch["lines"]:
            if line["source"] == "predicted" and line["kind"] != "branch":
                for unit in ("requests", "sectors", "wavefronts"):
                    sums[launch["index"], line["line"], line["kind"], unit] += line.get(unit, 0)
    return sums


if predictor:
    for name, trace in sorted(traces.items()):
        path = next(root.rglob(name))
        done = subprocess.run([predictor, "predict", str(path), "--json"], capture_output=True, text=True)
        try:
            theirs, mine = by_line(json.loads(done.stdout)), by_line(trace)
        except (ValueError, KeyError):
            tally["programs without an earlier prediction"] += 1
            continue
        for key in sorted(theirs.keys() | mine.keys()):
            if theirs[key] == mine[key] == 0:
                continue
            tally["predicted values"] += 1
            tally["predicted values equal"] += theirs[key] == mine[key]
            if theirs[key] != mine[key]:
                differing.append(f"{name} launch {key[0]} line {key[1]} {key[2]} {key[3]}: -G {mine[key]}, "
                                 f"earlier prediction {theirs[key]}")

for name, count in tally.items():
    print(f"{name}: {count}")
print("\n".join(differing))
