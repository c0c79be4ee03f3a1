#!/usr/bin/env python3
"""Holds the times that Warplens measures against others of the same kernels and launches: the
activity records of a program that has nothing of Warplens in it (plain_times.cu), and ncu's
gpu__time_duration of that program's launches. Prints a table; ends with 1 where Warplens is off.

  tests/gpu/device_time.py WARPLENS PLAIN_TIMES [NCU]
"""
import csv
import json
import statistics
import subprocess
import sys
import tempfile

CASES = {  # of plain_times.cu, as Warplens is asked for them; the empty kernel is for ncu alone
    "matadd-coalesced": ["matadd-coalesced", "--set", "n=512"],
    "matadd-swapped": ["matadd-swapped", "--set", "n=512"],
    "matmul-global": ["matmul-global"],
    "access-stride stride=2": ["access-stride", "--set", "stride=2"],
    "reduce-sequential": ["reduce-sequential"],
    "matadd-coalesced n=16384": ["matadd-coalesced"],
    "matadd-swapped n=16384": ["matadd-swapped"],
}
KINDS = ["concurrent", "serial", "event"]
RUNS = 200
PROFILED_RUNS = 20
SHARE = 0.05  # times agree within this share ..
LEAST = 200  # .. or within as many nanoseconds


def agree(one, other):
    return abs(one - other) <= max(SHARE * other, LEAST)


def plain_times(program):
    """Median of the runs of each case, in ns: by the program's own activity records or events."""
    lines = subprocess.run([program, str(RUNS)], check=True, capture_output=True, text=True).stdout
    cases = [json.loads(line) for line in lines.splitlines()]
    return {case["case"]: {kind: statistics.median(case[kind + "_ns"]) for kind in KINDS}
            for case in cases}


def ncu_times(ncu, program):
    """Median of the profiled runs of each case, in ns. The program launches nothing else."""
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
        command = [ncu, "--clock-control", "none", "--cache-control", "none", "--metrics",
                   "gpu__time_duration.sum", "--csv", "--log-file", log.name, "--force-overwrite",
                   program, "--no-records", str(PROFILED_RUNS)]
        plan = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        lines = [line for line in open(log.name) if line.startswith('"')]
    scale = {"ns": 1, "us": 1e3, "ms": 1e6}
    times = [float(row["Metric Value"].replace(",", "")) * scale[row["Metric Unit"]]
             for row in csv.DictReader(lines)]
    medians = {}
    for case in (json.loads(line) for line in plan.splitlines() if line.startswith("{")):
        launches = case["warm_up_runs"] + case["runs"]
        of_case, times = times[:launches], times[launches:]
        medians[case["case"]] = statistics.median(of_case[case["warm_up_runs"]:])
    if times:
        sys.exit("ncu saw launches that the program did not tell of")
    return medians


def warplens_time(warplens, arguments):
    """The timing of one measurement and its timed values by metric, NaN where there is none."""
    command = [warplens, "measure", *arguments, "--no-counters", "--no-predict", "--json"]
    measured = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    values = {value["metric"]: value.get("value", float("nan")) for value in measured["values"]
              if value["source"] == "timed" and "variant" not in value}
    return measured["device"]["name"], measured["taken_at"], measured["timing"], values


def main():
    warplens, program = sys.argv[1:3]
    plain = plain_times(program)
    ncu = ncu_times(sys.argv[3], program) if len(sys.argv) > 3 else {}
    markers = ncu["empty"] - plain["empty"]["concurrent"] if ncu else 0
    off = []
    rows = []
    for case, arguments in CASES.items():
        device, moment, timing, values = warplens_time(warplens, arguments)
        ours = 1e9 * values["time"]
        told = plain[case]
        # One kind of record slows down kernels of many blocks, the other adds a constant: whichever
        # is less is nearer to what the kernel takes alone.
        theirs = min(told["concurrent"], told["serial"])
        row = [case, ours, timing["spread_percent"], *(told[kind] for kind in KINDS),
               100 * (ours / theirs - 1)]
        if timing["time_from"] != "device_stamps":
            off.append(f"{case}: timed from {timing['time_from']}: {timing['time_from_reason']}")
        elif not agree(ours, theirs):
            off.append(f"{case}: {ours:.0f} ns, plain {theirs:.0f} ns")
        if ncu:
            row += [ncu[case], 100 * (ours / (ncu[case] - markers) - 1)]
            if not agree(ours, ncu[case] - markers):
                off.append(f"{case}: {ours:.0f} ns, ncu {ncu[case]:.0f} ns, of them {markers:.0f} "
                           "its markers")
        rows.append(row + [1e9 * values["launch_overhead"], values["effective_bandwidth"] / 1e9])
    print(f"{device}, {moment}; medians in ns: {RUNS} runs of the plain program, "
          f"{PROFILED_RUNS} under ncu")
    head = ["launch", "Warplens", "spread %", "concurrent", "serial", "events", "off by %"]
    head += ["ncu", "off by %"] if ncu else []
    head += ["overhead", "GB/s"]
    print(f"{head[0]:26}" + "".join(f"{name:>12}" for name in head[1:]))
    for row in rows:
        print(f"{row[0]:26}" + "".join(f"{number:12.1f}" for number in row[1:]))
    print("concurrent, serial: the plain program's activity records of the two kinds; the less of "
          "the two counts")
    if ncu:
        print(f"an empty kernel: {plain['empty']['concurrent']:.0f} by its record, "
              f"{ncu['empty']:.0f} by ncu: {markers:.0f} lie between ncu's markers beside a kernel, "
              "and are taken off")
    times = {row[0]: row[1] for row in rows}
    print(f"swapped over coalesced sum: {times['matadd-swapped'] / times['matadd-coalesced']:.3f} "
          f"at n=512, {times['matadd-swapped n=16384'] / times['matadd-coalesced n=16384']:.3f} "
          "at n=16384")
    for problem in off:
        print("OFF:", problem)
    print("agrees" if not off else f"{len(off)} differences")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
