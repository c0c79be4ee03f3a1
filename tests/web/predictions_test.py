#!/usr/bin/env python3
"""The page's engine in node predicts what the program does, byte for byte.

predictions_test.py PREDICTIONS PREDICTIONS.js [COUNT [SEED]]
COUNT random launches of each scenario beside the one it begins with, 2 if left out. Exit code 77: node or the page's
engine (scripts/build_page.sh) is missing.
"""

import os
import shutil
import subprocess
import sys
import tempfile


def main(program, engine, count="2", seed="20261124"):
    missing = [] if shutil.which("node") else ["node"]
    if not os.path.exists(engine):
        missing.append("the page's engine (scripts/build_page.sh)")
    if missing:
        print("skipped: missing:", ", ".join(missing))
        return 77
    with tempfile.TemporaryDirectory(prefix="warplens-web-") as folder:
        launches = os.path.join(folder, "launches")
        with open(launches, "wb") as file:
            subprocess.run([program, "list", count, seed], check=True, stdout=file)
        here = subprocess.run([program, launches], check=True, stdout=subprocess.PIPE).stdout.splitlines()
        there = subprocess.run(["node", engine, launches], check=True, stdout=subprocess.PIPE).stdout.splitlines()
    assert len(here) == len(there) > 40, (len(here), len(there))
    different = [number for number, (a, b) in enumerate(zip(here, there)) if a != b]
    for number in different[:5]:
        print(here[number].decode()[:400], there[number].decode()[:400], sep="\n")
    print(f"{len(here)} launches, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
