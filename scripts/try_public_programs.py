#!/usr/bin/env python3
"""try_public_programs.py WARPLENS LIST FOLDER [WORD]: opens every program of LIST (lines `collection
path`, as docs/public-programs.txt has them; only those that hold WORD) in FOLDER/collection, where
the slash of the collection's name is a plus, and prints one line for each:

  traced      all its launches; it returned 0 and printed no word of failure
  sampled     the same, but a launch was too large to be run whole, so that its own check means nothing
  found       it fails as it would on a GPU, and was told why: a finding with its line
  begun       launches were traced until something that cannot be
  outside     refused, for what is stated to be out of scope: textures, inline PTX, tensor cores,
              dynamic parallelism, libraries (Thrust, cuBLAS and their like)
  refused     for something else; and the words it was refused with
  unfinished  an exercise with FIXME in it, which no compiler takes
  declined    it asked for a device that is not there, and ended itself
  cut         it was still running after the time that the program itself allows
  failed      it returned something else, was ended, or printed a word of failure
  wrong       the program that opens it failed

What calls functions that are not in the file is opened once more with the other .cu and .cpp files of
its folder that have no main; what wants arguments, with those that its words name (`N` is 2).
Fetching the collections is the caller's. Programs run one at a time.
"""
import collections
import json
import os
import re
import signal
import subprocess
import sys

SECONDS = 150  # the product itself gives a program 120
OUTSIDE = re.compile(
    "texture|surface|inline PTX|tensor-core|launches from kernels|CUDA arrays|"
    r"(Thrust|CUB|cuBLAS|cuFFT|cuRAND|cuSPARSE|cuSOLVER|cuDNN|NCCL|libcu\+\+|NVRTC|NPP|MPI) cannot")
# What makes a program fail on a device, too.
FAULTS = {"out_of_bounds", "wild_pointer", "host_pointer", "device_pointer", "use_after_free",
          "launch_refused", "failed_assertion", "misaligned", "barrier_mismatch"}
DECLINES = re.compile(r"at least two|at least 2|two or more|more than one|requires? .*devices?|waiv",
                      re.I)
FAILURE = re.compile(r"(?<!no )(?<!0 )\b(fail(ed|ure)?|errors?|mismatch(es)?|incorrect|wrong|not match)\b(?! ?(?:amount)? ?[:=]? ?0)", re.I)


def siblings(path):
    """The other files of the program: those of its folder without a main."""
    folder = os.path.dirname(path)
    found = []
    for name in sorted(os.listdir(folder)):
        other = os.path.join(folder, name)
        if other == path or not name.endswith((".cu", ".cpp")):
            continue
        with open(other, errors="replace") as text:
            if not re.search(r"\bmain\s*\(", text.read()):
                found.append(other)
    return found


def run(warplens, folder, files, arguments):
    """The exit status, the document and the words of one run of `warplens predict`."""
    command = ["nice", "-n", "10", warplens, "predict", files[0], "--json"]
    # The vendor's samples share the headers of one folder, and others borrow them.
    command += ["-I", os.path.join(os.path.dirname(folder), "NVIDIA+cuda-samples", "Common")]
    command += files[1:]
    if arguments:
        command += ["--"] + arguments
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=os.path.dirname(files[0]))
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


def usage_of(document):
    """The arguments that the program's words name."""
    for line in document.get("exit", {}).get("output", "").splitlines():
        example = re.search(r"(?:usage:?|e\.g\.\)|example:?)\s+\S+((?: +[\w.]+)+)\s*$", line, re.I)
        if example:
            return ["2" if word == "N" else word for word in example.group(1).split()]
    return []


def open_program(warplens, folder, path):
    files, arguments = [path], []
    result = run(warplens, folder, files, arguments)
    said = json.dumps(result[1]) + result[2]
    if ("undefined reference" in said or "not linked" in said) and siblings(path):
        files += siblings(path)
        result = run(warplens, folder, files, arguments)
    if result[1].get("exit", {}).get("status", 0) != 0 and usage_of(result[1]):
        result = run(warplens, folder, files, usage_of(result[1]))
    return result


def first_line(text):
    for line in text.splitlines():
        if "error" in line or "undefined" in line:
            return line.strip()
    lines = text.strip().splitlines()
    return lines[0].strip() if lines else ""


def without_folder(text, folder):
    return text.replace(folder + "/", "").replace("warplens: ", "").strip()


def outcome(status, document, words, late):
    launches = document.get("launches", [])
    findings = document.get("findings", [])
    refusals = [each["words"] for each in findings if each["kind"] == "not_supported"]
    ending = document.get("exit", {})
    printed = ending.get("output", "")
    told = sorted({each["kind"] for each in findings})
    count = "launches: %d" % sum(1 for launch in launches if launch["traced"])
    count += "; found: " + ", ".join(told) if told else ""
    if refusals and not launches:
        outside = next((each for each in refusals if OUTSIDE.search(each)), None)
        return ("outside", outside) if outside else ("refused", refusals[0])
    if late:
        return "cut", "not done after %d s" % SECONDS
    if status != 0:
        message = (document.get("error", {}).get("message", "") if document else "") or words
        if "FIXME" in message:
            return "unfinished", first_line(message)
        return ("failed" if status in (1, 2) else "wrong"), "exit %d: %s" % (
            status, first_line(message))
    if refusals:
        return "begun", count + "; " + refusals[0]
    if ending.get("stopped"):
        return "cut", count + "; ended: " + ending["stopped"]
    failure = None
    last = printed.strip().splitlines()[-1:] or [""]
    if ending.get("signal"):
        failure = "ended by " + ending["signal"]
    elif ending.get("status", 0) != 0:
        failure = "returned %d: %s" % (ending["status"], last[0])
    else:
        failing = next((line for line in printed.splitlines()
                        if FAILURE.search(line) and "as expected" not in line), None)
        failure = failing and "printed: " + failing.strip()
    if not launches and DECLINES.search(printed):
        return "declined", last[0]
    if failure is None and launches:
        return "traced", count
    if any("not all blocks were run" in note for note in document.get("notes", [])):
        return "sampled", count + "; " + failure
    if failure and FAULTS.intersection(told):
        return "found", count + "; " + failure
    return "failed", count + "; " + (failure or "it launched nothing: " + last[0])


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
