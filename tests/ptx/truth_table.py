#!/usr/bin/env python3
"""truth_table.py AGREEMENT FOLDER [--earlier FOLDER] [--nvcc NVCC --nvdisasm NVDISASM]: what the machine counts
against what is on file.

AGREEMENT is docs/agreement-programs-h200.txt: totals of launches and differing lines, counted on an H200. FOLDER holds
what run_program printed of each program, NAME.json (all_programs.py makes it). The `compiled` counts are compared with
the counted ones: every total, and every line value of the report. With a compiler and its disassembler each line that
is not foreseen is looked up in the machine code: a line at which ptxas has another number of instructions than the PTX,
or reconverges within a branch, is the assembler's. With `--earlier`, a folder of what an earlier version's
`predict --json` printed, `predicted` is compared with that, line by line, and each difference has a class."""
import argparse
import collections
import json
import pathlib
import re
import subprocess

import machine_code

ROOT = pathlib.Path(__file__).parent.parent / "programs"
KINDS = {"load": {"load"}, "store": {"store"}, "atomic": {"atomic"}, "shared_load": {"shared_load"},
         "shared_store": {"shared_store"}, "shared": {"shared_load", "shared_store"}}
HEAD = re.compile(r"^(\S+\.cu) launch (\d+) (.+?): (?:\d+ )?results ")
TOTAL = re.compile(r"^    (load|store|atomic|shared) (requests|sectors|wavefronts) +predicted +([\d,]+) +probed +([\d,]+) +counted +([\d,]+)")
LINE = re.compile(r"^    line (\d+) (\w+) (requests|sectors|wavefronts): (\w+): (.*)")
UNITS = ("requests", "sectors", "wavefronts")


def number(text):
    return int(text.replace(",", ""))


def counted_of(words):
    """What the hardware counted at the line, from the report's sentence."""
    for sentence in (r"the hardware counted ([\d,]+)", r"\[without the probe: ([\d,]+) counted\]",
                     r"the compiled code for ([\d,]+)"):
        if found := re.search(sentence, words):
            return number(found[1])
    return None


def read_traces(folder):
    """By the program's file name; programs that the report knows are not in to_come."""
    traces = {}
    for path in sorted(folder.glob("*.json")):
        trace = json.loads(path.read_text())
        if not path.name.startswith("to_come_"):
            traces[path.stem] = trace
    return traces


def value(launch, source, kind, unit, line=None):
    return sum(each.get(unit, 0) for each in launch["lines"]
               if each["source"] == source and each["kind"] in KINDS[kind] and line in (None, each["line"]))


def lines_of(launch, line):
    """The lines of the statement that the report has at its first line: those that ask for as much together."""
    first = int(line[1])
    asked = re.search(r"the source asks for ([\d,]+)", line[5])

    def predicted(lines):
        return sum(value(launch, "predicted", line[2], line[3], at) for at in lines)
    for count in (1, 2, 3):
        if asked and predicted(range(first, first + count)) == number(asked[1]):
            return range(first, first + count)
    return range(first, first + 1)


class Compilations:
    """PTX and machine code of programs, each compiled once."""

    def __init__(self, nvcc, nvdisasm):
        self.nvcc, self.nvdisasm, self.known = nvcc, nvdisasm, {}

    def of(self, stem):
        if stem not in self.known:
            path = next(path for path in ROOT.rglob("*.cu") if str(path.relative_to(ROOT)).replace("/", "_")[:-3] == stem)
            self.known[stem] = machine_code.compiled(path, self.nvcc, self.nvdisasm)
        return self.known[stem]

    def reason(self, stem, line, kind):
        """Why a line is not foreseen, as far as the code says."""
        ptx, sass = self.of(stem)

        def total(counts, kind):
            return sum(count for (_, at, of), count in counts.items() if at == line and of == kind)
        written, made, breaks = total(ptx, kind), total(sass, kind), total(sass, "break")
        if written != made:
            return "the assembler", f"{written} in PTX, {made} in machine code"
        if breaks:
            return "the assembler", f"{breaks} times lanes reconverge within a branch"
        if sum(count for (_, _, of), count in ptx.items() if of == "atomic_result"):
            return "order of threads", "what an atomic returns decides"
        return "not explained", f"{written} in PTX and in machine code"


def compare_with_counted(report, traces, compilations):
    tally, classes, rows = collections.Counter(), collections.Counter(), []
    launch = stem = None
    for text in report.read_text().splitlines():
        if head := HEAD.match(text):
            stem = next((name for name in traces if name in (head[1][:-3], "more_" + head[1][:-3],
                                                             "findings_" + head[1][:-3])), None)
            launches = traces[stem]["launches"] if stem else []
            launch = launches[int(head[2])] if int(head[2]) < len(launches) else None
            tally["launches"] += 1
            tally["launches not run here"] += launch is None
        elif launch is not None and (total := TOTAL.match(text)):
            mine, counted = value(launch, "compiled", total[1], total[2]), number(total[5])
            tally["totals"] += 1
            tally["totals equal"] += mine == counted
            if mine != counted:
                rows.append(f"{stem} launch {launch['index']} total {total[1]} {total[2]}: compiled {mine}, "
                            f"counted {counted}")
        elif launch is not None and (line := LINE.match(text)) and (counted := counted_of(line[5])) is not None:
            name = "lines that only the probe changed" if line[4] == "probe" else "differing lines"
            mine = sum(value(launch, "compiled", line[2], line[3], at) for at in lines_of(launch, line))
            tally[name] += 1
            tally[name + ", foreseen"] += mine == counted
            if mine != counted:
                reason = compilations.reason(stem, int(line[1]), line[2]) if compilations else ("", "")
                classes[name + ", not foreseen: " + reason[0]] += 1
                rows.append(f"{stem} launch {launch['index']} line {line[1]} {line[2]} {line[3]}: compiled {mine}, "
                            f"counted {counted}" + (f" - {reason[0]}: {reason[1]}" if compilations else ""))
    return tally + classes, rows


def by_line(trace):
    sums = collections.Counter()
    for launch in trace["launches"]:
        for line in launch["lines"]:
            if line["source"] == "predicted" and line["kind"] != "branch":
                for unit in UNITS:
                    sums[launch["index"], line["line"], line["kind"], unit] += line.get(unit, 0)
    return sums


def class_of(key, mine, theirs, trace, earlier):
    """Why the source's count is another than an earlier version's."""
    launch, line, kind, unit = key
    if not earlier["launches"]:
        return "the earlier version did not run it"
    if trace["exit"]["status"] != 0:
        return "the program crashes where it would with a device"
    if len(trace["launches"]) != len(earlier["launches"]):
        return "the order of threads decides how many launches there are"

    def moved(here, there):
        return here[key] == 0 and any(here[launch, at, kind, unit] == there[key] and there[launch, at, kind, unit] == 0
                                      for at in (line - 1, line + 1))
    if moved(mine, theirs) or moved(theirs, mine):
        return "another line of a statement over several"
    if any(finding["line"] == line for finding in trace["findings"]):
        return "an access that is a fault, counted now"
    requests = mine[launch, line, kind, "requests"], theirs[launch, line, kind, "requests"]
    if kind == "atomic" and requests[0] > requests[1] > 0:
        return "lanes in step try again until each has had its turn"
    if requests[1] and requests[0] % requests[1] == 0 and kind in ("load", "store"):
        return "members of a struct, which -G takes one by one"
    if not requests[1]:
        return "what a library does, counted at its call"
    return "not explained"


def compare_with_earlier(folder, traces):
    tally, classes, rows = collections.Counter(), collections.Counter(), []
    for stem, trace in traces.items():
        try:
            earlier = json.loads((folder / (stem + ".json")).read_text())
            theirs, mine = by_line(earlier), by_line(trace)
        except (OSError, ValueError, KeyError):
            tally["programs without an earlier prediction"] += 1
            continue
        for key in sorted(theirs.keys() | mine.keys()):
            if theirs[key] == mine[key] == 0:
                continue
            tally["predicted values"] += 1
            tally["predicted values, equal"] += theirs[key] == mine[key]
            if theirs[key] != mine[key]:
                reason = class_of(key, mine, theirs, trace, earlier)
                classes["predicted values, another: " + reason] += 1
                rows.append(f"{stem} launch {key[0]} line {key[1]} {key[2]} {key[3]}: now {mine[key]}, "
                            f"earlier {theirs[key]} - {reason}")
    return tally + classes, rows


def version(command):
    return subprocess.run([command, "--version"], capture_output=True, text=True).stdout.strip().splitlines()[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agreement", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--earlier", type=pathlib.Path)
    parser.add_argument("--nvcc")
    parser.add_argument("--nvdisasm")
    arguments = parser.parse_args()
    traces = read_traces(arguments.folder)
    compilations = Compilations(arguments.nvcc, arguments.nvdisasm) if arguments.nvdisasm else None
    print(f"The machine's counts of tests/programs against {arguments.agreement.name}.")
    if compilations:
        print(f"nvcc: {version(arguments.nvcc)}; nvdisasm: {version(arguments.nvdisasm)}")
    parts = [compare_with_counted(arguments.agreement, traces, compilations)]
    if arguments.earlier:
        parts.append(compare_with_earlier(arguments.earlier, traces))
    for tally, _ in parts:
        print()
        print("\n".join(f"{name}: {count}" for name, count in tally.items()))
    for _, rows in parts:
        print()
        print("\n".join(rows))


if __name__ == "__main__":
    main()
