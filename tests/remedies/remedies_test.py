#!/usr/bin/env python3
"""Remedies: of programs with a planted cause the one that helps, of good ones none.

remedies_test.py WARPLENS planted.txt|good.txt [PART/OF | NAME]
"""

import json
import os
import re
import subprocess
import sys
import tempfile

WARPLENS, TABLE = map(os.path.abspath, sys.argv[1:3])
ONLY = sys.argv[3] if len(sys.argv) > 3 else ""


def programs():
    """Name, what is expected, text."""
    with open(TABLE, encoding="utf-8") as file:
        parts = re.split(r"^=== (.*)\n", file.read(), flags=re.MULTILINE)[1:]
    rows = [([field.strip() for field in head.split("|")], text)
            for head, text in zip(parts[::2], parts[1::2])]
    if re.fullmatch(r"\d+/\d+", ONLY):
        part, of = map(int, ONLY.split("/"))
        rows = rows[part - 1::of]
    elif ONLY:
        rows = [row for row in rows if row[0][0] == ONLY]
    assert rows, f"no program {ONLY}"
    assert len({head[0] for head, _ in rows}) == len(rows), "a name twice"
    return rows


def rows_without_program():
    """Of the table in docs/check.md, those that no planted program is for."""
    docs = os.path.join(os.path.dirname(TABLE), "..", "..", "docs", "check.md")
    with open(docs, encoding="utf-8") as file:
        table = file.read().split("| remedy | what | lesson |")[1].split("\n\n")[0]
    with open(TABLE, encoding="utf-8") as file:
        planted = set(re.findall(r"^=== [^|]*\| \(?([\w-]+)\)? \|", file.read(), re.MULTILINE))
    return set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)) - planted


def warplens(folder, *words, code=0):
    done = subprocess.run([WARPLENS, *words], cwd=folder, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def explained(folder):
    return json.loads(warplens(folder, "explain", "p.cu", "--json"))


def check_planted(head, folder):
    """The remedy is offered, its diff applies, and what it is for is gone or less afterwards."""
    _, remedy, expected = head
    unit = re.sub(r"^\d+ -> \d+ ", "", expected)
    document = explained(folder)
    offered = document["remedies"]
    named = [one for one in offered if one["remedy"] == remedy.strip("()") and one["unit"] == unit]
    assert named, f"{remedy} is not among {[one['remedy'] for one in offered]}"
    tried = named[0]
    if unit != "findings" and tried["places"][0]["line"]:
        lines = [line for line in document["lines"] if line["line"] == tried["places"][0]["line"]]
        assert any(line.get("reason") for line in lines), f"no reason: {lines}"
    if remedy.startswith("("):
        assert tried["diff"] == "", tried["diff"]
        return "told"
    assert tried["after"] < tried["before"], tried
    if unit != expected:
        assert f"{tried['before']} -> {tried['after']} {unit}" == expected, tried
    before = open(os.path.join(folder, "p.cu"), encoding="utf-8").read()
    warplens(folder, "explain", "p.cu", "--apply", str(offered.index(tried) + 1))
    after = open(os.path.join(folder, "p.cu"), encoding="utf-8").read()
    with open(os.path.join(folder, "p.diff"), "w", encoding="utf-8") as file:
        file.write(tried["diff"])
    with open(os.path.join(folder, "p.cu"), "w", encoding="utf-8") as file:
        file.write(before)
    subprocess.run(["patch", "-s", "-p0", "-i", "p.diff"], cwd=folder, check=True)
    patched = open(os.path.join(folder, "p.cu"), encoding="utf-8").read()
    assert patched == after, "the diff is not what --apply writes"
    check_pair(folder, before, tried)
    # The numbers are those of the changed program.
    again = explained(folder)
    left = [one for one in again["remedies"] if one["remedy"] == remedy and one["diff"]
            and one["rule"] == tried["rule"] and one["before"] >= tried["before"]]
    assert not left, f"the same is offered again: {left[0]['diff']}"
    conflicts = [line for line in again["lines"] if line["array"] == "tile"]
    if remedy == "tile-in-shared-memory" and conflicts:
        # A warp has several rows of the block: the next step is there, for either end.
        assert "2 wavefronts where 1 would do" in tried["words"], conflicts
        # First is the one that is easy to read, though at the edges of the matrix it may leave a
        # few wavefronts more.
        next_steps = [one["remedy"] for one in again["remedies"] if one["diff"]]
        assert next_steps[0] == "block-shape", next_steps
        assert set(next_steps) == {"block-shape", "swizzle-shared-array"}, next_steps
    return f"{tried['before']:,} -> {tried['after']:,} {unit}, {tried['results']}"


# What the page of both programs says that makes the difference, by what the remedy saves.
DIFFERENCE = {"sectors": "sectors|requests", "wavefronts": "wavefronts",
              "turns": "turns at constant memory", "atomics": "turns of atomics|wavefronts",
              "divergent warps": "divergent branches|lane rounds lost",
              "findings": "on the left alone|Not the same work"}


def check_pair(folder, before, tried):
    """Beside the program as it was before the changed one shows what was mended."""
    # Local memory is of the compiled code, which a pair does not draw; nor an order of streams.
    undrawn = ("never-freed", "launch-refused", "meeting-by-data", "warp-order", "local-memory",
               "launch-race", "may-be-why")
    if tried["rule"] in undrawn or (tried["unit"] == "findings" and tried["after"] != 0):
        return
    with open(os.path.join(folder, "before.cu"), "w", encoding="utf-8") as file:
        file.write(before)
    warplens(folder, "figure", "p.cu", "--against", "before.cu", "-o", "pair.svg")
    with open(os.path.join(folder, "pair.svg"), encoding="utf-8") as file:
        said = re.search(r'<text class="s"[^>]*>([^<]*)', file.read())[1]
    # Nothing is wrong where one thread works: its warp asks for one element at a time.
    of = "sectors" if tried["rule"] == "one-thread-works" else tried["unit"]
    assert re.search(DIFFERENCE[of], said), f"the pair says: {said}"


def check_good(_, folder):
    offered = explained(folder)["remedies"]
    assert offered == [], "\n".join(one["remedy"] + "\n" + one["diff"] for one in offered)
    return "none offered"


def main():
    is_planted = os.path.basename(TABLE) == "planted.txt"
    check = check_planted if is_planted else check_good
    if is_planted:
        assert not rows_without_program(), rows_without_program()
    wrong = 0
    rows = programs()
    for head, text in rows:
        with tempfile.TemporaryDirectory(prefix="warplens-remedies-") as folder:
            with open(os.path.join(os.path.dirname(TABLE), "common.h"), encoding="utf-8") as file:
                common = file.read()
            with open(os.path.join(folder, "common.h"), "w", encoding="utf-8") as file:
                file.write(common)
            with open(os.path.join(folder, "p.cu"), "w", encoding="utf-8") as file:
                file.write('#include "common.h"\n' + text)
            try:
                told = check(head, folder)
            except (AssertionError, subprocess.CalledProcessError) as error:
                wrong += 1
                told = f"WRONG: {error}"
            print(f"{head[0]}: {told}", flush=True)
    print(f"{len(rows) - wrong} of {len(rows)} programs as expected")
    return 1 if wrong else 0


sys.exit(main())
