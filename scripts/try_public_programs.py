#!/usr/bin/env python3
"""try_public_programs.py WARPLENS LIST FOLDER [WORD]: opens every program of LIST (lines `collection
path`, as docs/public-programs.txt has them; only those that hold WORD) in FOLDER/collection, where
the slash of the collection's name is a plus, and prints one line for each:

  traced     all its launches; it returned 0 and printed no word of failure
  begun      launches were traced until something that cannot be
  cut        it was still running when its time was up; the launches until then were traced
  refused    and the words it was refused with
  nothing    it launched no kernel and returned 0: what it printed last
  argument   it returned a failure and said how it is to be called
  failed     it returned something else, was ended, or printed a word of failure
  wrong      the program that opens it failed

Fetching the collections is the caller's. Programs run one at a time, 45 seconds each.
"""
import collections
import json
import os
import re
import signal
import subprocess
import sys

SECONDS = 45
FAILURE = re.compile(r"(?<!no )(?<!0 )\b(fail(ed|ure)?|errors?|mismatch(es)?|incorrect|wrong|not match)\b(?! ?[:=]? ?0)", re.I)


def open_program(warplens, folder, path):
    """The exit status, the document and the words of one run of `warplens predict`."""
    command = ["nice", "-n", "10", warplens, "predict", path, "--json"]
    # The vendor's samples share the headers of one folder, and others borrow them.
    command += ["-I", os.path.join(os.path.dirname(folder), "NVIDIA+cuda-samples", "Common")]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=os.path.dirname(path))
    try:
        output, words = process.communicate(timeout=SECONDS)
        late = False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        output, words = process.communicate()
        late = True
    try:
        document = json.loads(output.decode(errors="replace"))
    except ValueError:
        document = {}
    return process.returncode, document, words.decode(errors="replace"), late


def first_line(text):
    for line in text.splitlines():
        if "error" in line or "undefined" in line:
            return line.strip()
    lines = text.strip().splitlines()
    return lines[0].strip() if lines else ""


def without_folder(text, folder):
    return text.replace(folder + "/", "").strip()


def outcome(status, document, words, late):
    launches = document.get("launches", [])
    findings = document.get("findings", [])
    refusals = [each["words"] for each in findings if each["kind"] == "not_supported"]
    ending = document.get("exit", {})
    printed = ending.get("output", "")
    if status == 3 and refusals:
        return "refused", refusals[0]
    if late:
        return "cut", "not done after %d s" % SECONDS
    if status != 0:
        message = document.get("error", {}).get("message", "") if document else ""
        return ("failed" if status == 2 or status == 1 else "wrong"), "exit %d: %s" % (
            status, first_line(message or words))
    if refusals and not launches:
        return "refused", refusals[0]
    told = ", ".join(sorted({each["kind"] for each in findings}))
    told = "; found: " + told if told else ""
    traced = sum(1 for launch in launches if launch["traced"])
    count = "launches: %d%s" % (traced, told)
    if refusals:
        return "begun", count + "; " + refusals[0]
    if ending.get("stopped"):
        return "cut", count + "; ended: " + ending["stopped"]
    if ending.get("signal"):
        return "failed", count + "; ended by " + ending["signal"]
    if ending.get("status", 0) != 0:
        last = printed.strip().splitlines()
        usage = next((line for line in last if re.search(r"usage|e\.g\.\)", line, re.I)), None)
        if usage:
            return "argument", usage.strip()
        return "failed", count + "; returned %d: %s" % (ending["status"], last[-1] if last else "")
    if not launches:
        return "nothing", printed.strip().splitlines()[-1] if printed.strip() else ""
    failure = next((line for line in printed.splitlines()
                    if FAILURE.search(line) and "as expected" not in line), None)
    if failure:
        return "failed", count + "; printed: " + failure.strip()
    return "traced", count


def main():
    if len(sys.argv) not in (4, 5):
        print(__doc__, file=sys.stderr)
        return 2
    warplens = os.path.abspath(sys.argv[1])
    counts = collections.Counter()
    with open(sys.argv[2]) as programs:
        for line in programs:
            line = line.rstrip("\n")
            if not line or (len(sys.argv) == 5 and sys.argv[4] not in line):
                continue
            collection, path = line.split(" ", 1)
            folder = os.path.abspath(os.path.join(sys.argv[3], collection.replace("/", "+", 1)))
            kind, words = outcome(*open_program(warplens, folder, os.path.join(folder, path)))
            counts[kind] += 1
            print("%s: %s, %s" % (line, kind, without_folder(words, folder)), flush=True)
    print(", ".join("%s %d" % each for each in sorted(counts.items())))
    return 0 if counts else 1


if __name__ == "__main__":
    sys.exit(main())
