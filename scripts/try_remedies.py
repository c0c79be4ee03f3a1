#!/usr/bin/env python3
"""try_remedies.py WARPLENS PROGRAM.cu... [-I FOLDER] [--list LIST FOLDER] [--word WORD] [--every N]
[--seconds S]

Of all lines of the programs that take at least twice the fewest sectors or wavefronts, how many got
a reason, and how many a remedy that was tried. Each tried remedy is made in the program's file by
patch, compiled by nvcc and run again: its own check must say what it said before; then it is taken
out again. Programs are copies of those named, or each N-th of LIST in FOLDER, as
try_public_programs.py opens them: files there are written to, so FOLDER is better a copy. Prints one line for each program, and the counts. Exit code 1 where a remedy broke a program.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

from try_public_programs import Program, first_line, open_program, outcome, run, words_of


def is_costly(line):
    """At least twice the fewest sectors or wavefronts."""
    return any(line.get("ideal_" + unit, 0) and line[unit] >= 2 * line["ideal_" + unit]
               for unit in ("sectors", "wavefronts"))


def explain(warplens, folder, program, options):
    command = [warplens, "explain", program.files[0], "--json"]
    command += words_of(folder, program, options.time_limit)
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=options.seconds, check=False,
                              cwd=os.path.dirname(program.files[0]))
        return json.loads(done.stdout.decode(errors="replace"))
    except (subprocess.TimeoutExpired, ValueError):
        return None


def compiles(folder, program):
    """Whether nvcc takes the file as it stands."""
    words = words_of(folder, program, 1)
    words = words[:words.index("--")] if "--" in words else words
    flags = []
    for at, word in enumerate(words):
        if word in ("-I", "-D"):
            flags += [word, words[at + 1]]
        elif word == "--std":
            flags.append("-std=" + words[at + 1])
    done = subprocess.run([shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc", "-arch=sm_90", "-c",
                           "-o", os.devnull, *flags, program.files[0]], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          cwd=os.path.dirname(program.files[0]))
    return done.returncode == 0


def holds(warplens, folder, program, remedy, options):
    """Whether the remedy compiles and leaves the program's own check as it was; the words of it."""
    with open(remedy["file"], "rb") as file:
        text = file.read()
    before = outcome(*run(warplens, folder, program, options.time_limit))[0]
    try:
        subprocess.run(["patch", "-s", remedy["file"]], input=remedy["diff"].encode(), check=True)
        if not compiles(folder, program):
            return "does not compile"
        after, words = outcome(*run(warplens, folder, program, options.time_limit))
        is_late = {before, after} <= {"cut", "host"}  # wherever it was when its time was up
        return "" if is_late or after in (before, "traced") else "is " + after + ", was " + before + ": " + words
    except subprocess.CalledProcessError:
        return "its diff does not apply"
    finally:
        with open(remedy["file"], "wb") as file:
            file.write(text)


def programs(options, scratch):
    """Name, folder and file of each; a folder where a Makefile says what is compiled."""
    found = [(os.path.basename(path), scratch, shutil.copy(path, scratch))
             for path in options.programs]
    if options.list:
        with open(options.list[0], encoding="utf-8") as lines:
            for line in lines.read().splitlines():
                if line and not line.startswith("#") and options.word in line:
                    collection, path = line.split(" ", 1)
                    folder = os.path.abspath(
                        os.path.join(options.list[1], collection.replace("/", "+", 1)))
                    found.append((line, folder, os.path.join(folder, path)))
    return found[::options.every]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warplens")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--list", nargs=2)
    parser.add_argument("--word", default="")
    parser.add_argument("-I", action="append", default=[], dest="includes",
                        help="where a program of PROGRAM.cu finds headers; may be repeated")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=600, help="for all remedies of a program")
    parser.add_argument("--time-limit", type=int, default=30, help="for a run of the program")
    options = parser.parse_args()
    warplens = os.path.abspath(options.warplens)
    counts = collections.Counter()
    scratch = tempfile.TemporaryDirectory()
    for name, folder, path in programs(options, scratch.name):
        if options.list:
            program, result = open_program(warplens, folder, path, options.time_limit)
        else:
            program = Program([path], ["-I" + each for each in options.includes])
            result = run(warplens, folder, program, options.time_limit)
        kind = outcome(*result)[0]
        document = explain(warplens, folder, program, options) if result[1].get("launches") else None
        if document is None or "lines" not in document:
            counts["programs that are not explained"] += 1
            print(f"{name}: {kind}, not explained: {first_line(result[2])}", flush=True)
            continue
        costly = [line for line in document["lines"] if is_costly(line)]
        tried = [remedy for remedy in document["remedies"] if remedy["diff"]]
        places = {(place["file"], place["line"]) for remedy in tried for place in remedy["places"]}
        bad = [f"{remedy['remedy']} {words}" for remedy in tried
               if (words := holds(warplens, folder, program, remedy, options))]
        here = collections.Counter({
            "programs": 1, "costly lines": len(costly),
            "of them with a formula": sum("address" in line for line in costly),
            "with a formula and no reason":
                sum("address" in line and not line.get("reason") for line in costly),
            "with a reason": sum(bool(line.get("reason")) for line in costly),
            "with a tried remedy": sum((line["file"], line["line"]) in places for line in costly),
            "tried remedies": len(tried), "tried remedies that break a program": len(bad)})
        counts += here
        for line in costly:
            if not line.get("reason"):
                print(f"  no reason: {line['file']}:{line['line']} {line['code']}")
        print(f"{name}: {kind}, {len(costly)} lines, {here['with a reason']} with a reason, "
              f"{here['with a tried remedy']} with a tried remedy; "
              + ", ".join(f"{one['remedy']} {one['before']} -> {one['after']} {one['unit']}"
                          for one in tried) + "".join("; WRONG: " + one for one in bad), flush=True)
    for what, count in counts.items():
        print(f"{what}: {count}")
    return 1 if counts["tried remedies that break a program"] or not counts["programs"] else 0


if __name__ == "__main__":
    sys.exit(main())
