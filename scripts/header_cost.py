#!/usr/bin/env python3
"""What the project's headers cost to compile, dearest first: lines that the compiler reads for one alone,
the seconds it takes for them, and how many source files include it, directly or not.

scripts/header_cost.py BUILD_FOLDER [COUNT]     a configured and built folder; COUNT rows, 20 if left out
"""

import json
import os
import re
import resource
import shlex
import subprocess
import sys
from collections import Counter

FOLDERS = ("core", "app", "kernels")


def flags_of(build):
    """Include folders and definitions of all targets together, and the source folder."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        source = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", file.read(), re.MULTILINE).group(1)
    flags = {}
    for entry in commands:
        words = iter(shlex.split(entry["command"]))
        for word in words:
            if word == "-isystem":
                folder = next(words)
                if folder != "/usr/include":  # the compiler has it where it belongs
                    flags[word + folder] = None
            elif word.startswith(("-I", "-D")) and not word.startswith("-DNDEBUG"):
                flags[word] = None
    # A definition that targets give different values stays as the first has it.
    names = set()
    kept = []
    for flag in flags:
        name = flag.split("=")[0]
        if flag.startswith("-D") and name in names:
            continue
        names.add(name)
        kept.append(flag)
    return source, ["g++", "-std=c++20", "-O2", "-w", *kept]


def files_below(source, endings):
    return sorted(os.path.relpath(os.path.join(at, name), source) for folder in FOLDERS
                  for at, _, names in os.walk(os.path.join(source, folder)) for name in names
                  if name.endswith(endings))


def preprocessed(compiler, source, text):
    """How many lines are read for `text`, and the project's headers among them; None where it cannot be."""
    done = subprocess.run([*compiler, "-E", "-x", "c++", "-"], input=text, cwd=source, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    if done.returncode != 0:
        return None, set()
    lines = done.stdout.splitlines()
    headers = set()
    for line in lines:
        if line.startswith("# ") and (mark := re.match(r'# \d+ "([^"]+\.h)"', line)):
            headers.add(os.path.relpath(os.path.join(source, mark.group(1)), source))
    return sum(1 for line in lines if line and line[0] != "#"), headers


def seconds_for(compiler, source, text):
    """Processor time to parse and check it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*compiler, "-fsyntax-only", "-x", "c++", "-"], input=text, cwd=source, check=True, text=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main(build, count):
    source, compiler = flags_of(build)
    compiler.append(f"-I{source}")
    users, total, read = Counter(), 0, 0
    for name in files_below(source, (".cpp",)):
        lines, headers = preprocessed(compiler, source, f'#include "{name}"\n')
        if lines is None:
            continue
        read += 1
        total += lines
        users.update(headers)
    alone = {}
    for name in files_below(source, (".h",)):
        if users[name]:
            alone[name] = preprocessed(compiler, source, f'#include "{name}"\n')[0] or 0
    print(f"{read} source files, {total:,} lines read for them, {total // read:,} each")
    print("| header | lines | seconds | source files |\n|---|---|---|---|")
    for name in sorted(alone, key=lambda name: -alone[name] * users[name])[:count]:
        seconds = seconds_for(compiler, source, f'#include "{name}"\n')
        print(f"| `{name}` | {alone[name]:,} | {seconds:.2f} | {users[name]} |")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 20)
