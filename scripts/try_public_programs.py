#!/usr/bin/env python3
"""try_public_programs.py WARPLENS LIST FOLDER [WORD] [--kept FILE] [--time-limit SECONDS]: opens
every program of LIST (lines `collection path`, as docs/public-programs.txt has them; only those that
hold WORD) in FOLDER/collection, where the slash of the collection's name is a plus, and prints one
line for each:

  traced      all its launches; it returned 0 and printed no word of failure
  sampled     the same, but a launch was too large to be run whole, so that its own check means nothing
  found       it fails as it would on a GPU, and was told why: a finding with its line
  begun       launches were traced until something that cannot be
  refused     nothing was traced; and the words it was refused with
  unfinished  an exercise with FIXME in it, which no compiler takes
  library     it has no kernel of its own, and what it calls was done
  declined    it asked for a device that is not there, and ended itself
  host        all its launches are told; its own code on the host was at work when the time was over
  cut         it was still running after the time that the program itself allows
  failed      it returned something else, was ended, or printed a word of failure
  wrong       the program that opens it failed

Behind ` -- ` a line has the program's arguments. What calls functions that are not in the file is
opened once more with the other .cu and .cpp files of its folder that have no main; what wants
arguments, with those that its words name (`N` is 2); what asks for more devices, with two and then four. Where
the path is a folder, its Makefile says what is compiled and how, and what `make run`, or a file
`run`, gives to the program first.
Results are kept in FILE by program and version of WARPLENS, and what is there is not run again.
Fetching the collections is the caller's. Programs run one at a time.
"""
import argparse
import collections
import glob
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys

# What makes a program fail on a device, too.
FAULTS = {"out_of_bounds", "wild_pointer", "host_pointer", "device_pointer", "use_after_free",
          "launch_refused", "failed_assertion", "misaligned", "barrier_mismatch"}
DECLINES = re.compile(r"at least two|at least 2|two or more|more than one|requires? .*devices?|waiv|"
                      r"two gpus|invalid device ordinal", re.I)
FAILURE = re.compile(r"(?<!no )(?<!0 )\b(fail(ed|ure)?|errors?|mismatch(es)?|incorrect|wrong|not match)\b(?! ?(?:amount)? ?[:=]? ?0| took)", re.I)


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


class Program:
    """Files, what nvcc is given beside them, the program's own arguments, and where it runs."""

    def __init__(self, files, options=(), arguments=(), folder=None):
        self.files, self.options, self.arguments = files, list(options), list(arguments)
        self.folder = folder or os.path.dirname(files[0])


def from_makefile(folder):
    """What `make run` would do in the folder, or its file `run` says; where its Makefile is
    further below, there."""
    below = sorted(glob.glob(os.path.join(folder, "**", "Makefile"), recursive=True), key=len)
    folder = os.path.dirname(below[0]) if below else folder
    listed, runs_in = "", ""
    for target in (["run"], []):
        listed = listed or subprocess.run(
            ["make", "-n", "-B", "-k", *target, "CC=nvcc", "NVCC=nvcc"], cwd=folder,
            capture_output=True, text=True, errors="replace", check=False).stdout
        listed = listed if "nvcc" in listed else ""
    files, options, arguments = [], [], None
    for line in listed.replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue
        # By itself, or by mpirun.
        where = words[1] if words[:1] == ["cd"] and words[2:3] == ["&&"] else ""
        words = words[3:] if where else words
        own = next((at for at, word in enumerate(words) if word.startswith(("./", "../"))), None)
        if own is not None and arguments is None and (own == 0 or "mpi" in words[0]):
            stop = next((at for at, word in enumerate(words) if word in ("&&", ";")), None)
            arguments, runs_in = words[own + 1:stop], where
        if not any(os.path.basename(word) in ("nvcc", "g++", "gcc", "cc", "c++") for word in words[:2]):
            continue
        for at, word in enumerate(words):
            if word.endswith((".cu", ".cpp", ".cc", ".c")):
                files += [name for name in sorted(glob.glob(word, root_dir=folder)) or [word]
                          if name not in files]
            elif re.match("-[IDO]|-std=|--std=|-l|-rdc|--extended-lambda|--expt|-Xcompiler=?-fopenmp", word):
                both = word in ("-I", "-D") and at + 1 < len(words)
                option = word + (words[at + 1] if both else "")
                if option.startswith("-I"):
                    option = "-I" + os.path.join(folder, option[2:])
                options += [] if option in options else [option]
    said = os.path.join(folder, "run")
    if arguments is None and os.path.isfile(said):
        with open(said, errors="replace") as text:
            arguments = next((line.split()[1:] for line in text if line.startswith("./")), None)
    return Program([os.path.join(folder, name) for name in files], options, arguments or [],
                   os.path.join(folder, runs_in))


def words_of(folder, program, seconds, devices=1):
    """What a command of warplens is told of the program, its first file left out."""
    command = ["--time-limit", str(seconds), "--devices", str(devices)]
    # The vendor's samples share the headers of one folder, and others borrow them.
    command += ["-I", os.path.join(os.path.dirname(folder), "NVIDIA+cuda-samples", "Common")]
    # Where Debian has MPI's headers.
    for header in glob.glob("/usr/include/**/mpi.h", recursive=True)[:1]:
        command += ["-I", os.path.dirname(header)]
    standards = [option.split("=")[1] for option in program.options if "-std=" in option]
    command += ["--std", max(standards)] if standards else []
    for option in program.options:
        if "-std=" in option:
            continue
        if option in ("-O1", "-O2", "-O3"):
            command += ["-O", option[2:]]
        if option.startswith(("-I", "-D", "-l")):
            command += [option[:2], option[2:]]
    command += program.files[1:]
    return command + (["--"] + program.arguments if program.arguments else [])


def run(warplens, folder, program, seconds, devices=1):
    """The exit status, the document and the words of one run of `warplens predict`."""
    command = ["nice", "-n", "10", warplens, "predict", program.files[0], "--json"]
    command += words_of(folder, program, seconds, devices)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=program.folder)
    try:
        output, words = process.communicate(timeout=seconds + 200)  # and compiling it
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


def open_program(warplens, folder, path, seconds):
    """The program, and what run() gives of it."""
    path, _, arguments = path.partition(" -- ")
    if os.path.isdir(path):
        program = from_makefile(path)
        program.arguments = arguments.split() or program.arguments
        if not program.files:
            return program, (2, {}, "its Makefile compiles nothing", False)
        result = run(warplens, folder, program, seconds)
        for note in result[1].get("notes", []):
            beside = re.search(r"lies outside of what it may read: -I (\S+) lets it", note)
            if beside:
                program.options.append("-I" + beside.group(1))
                result = run(warplens, folder, program, seconds)
        if result[0] == 0 and not result[1].get("launches"):
            result = run(warplens, folder, program, seconds, 2)
        return program, result
    program = Program([path], arguments=arguments.split())
    result = run(warplens, folder, program, seconds)
    said = json.dumps(result[1]) + result[2]
    if ("undefined reference" in said or "not linked" in said) and siblings(path):
        program.files += siblings(path)
        result = run(warplens, folder, program, seconds)
    if result[1].get("exit", {}).get("status", 0) != 0 and usage_of(result[1]):
        program.arguments = usage_of(result[1])
        result = run(warplens, folder, program, seconds)
    for devices in (2, 4):
        if not result[1].get("launches") and DECLINES.search(
                result[1].get("exit", {}).get("output", "")):
            result = run(warplens, folder, program, seconds, devices)
    return program, result


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
        return "refused", refusals[0]
    if late:
        return "cut", "not done in time"
    if status != 0:
        message = (document.get("error", {}).get("message", "") if document else "") or words
        if "FIXME" in message:
            return "unfinished", first_line(message)
        return ("failed" if status in (1, 2) else "wrong"), "exit %d: %s" % (
            status, first_line(message))
    if refusals:
        return "begun", count + "; " + refusals[0]
    if ending.get("stopped") and any(
            "its own code on the host" in note for note in document.get("notes", [])):
        return "host", count + "; ended: " + ending["stopped"]
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
                        if FAILURE.search(line) and "as expected" not in line
                        and not re.search(r"[:=] *0$", line.strip())), None)
        failure = failing and "printed: " + failing.strip()
    if not launches and DECLINES.search(printed):
        return "declined", last[0]
    library = [note for note in document.get("notes", []) if "a library's work" in note]
    if failure is None and not launches and library:
        return "library", "no kernel of its own: " + last[0]
    if failure is None and launches:
        return "traced", count
    if any("means nothing" in note for note in document.get("notes", [])):
        return "sampled", count + "; " + failure
    # Of its own code on the host, at its line.
    crashes = any(each["kind"] == "crash" and each.get("line") for each in findings)
    if failure and (FAULTS.intersection(told) or crashes):
        return "found", count + "; " + failure
    return "failed", count + "; " + (failure or "it launched nothing: " + last[0])


def kept_results(path, version):
    """Kind and words by line of the list, of this version."""
    kept = {}
    if path and os.path.exists(path):
        with open(path) as lines:
            for line in lines:
                entry = json.loads(line)
                if entry["version"] == version:
                    kept[entry["program"]] = (entry["kind"], entry["words"])
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("warplens", "list", "folder"):
        parser.add_argument(name)
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--kept")
    parser.add_argument("--time-limit", type=int, default=120)
    options = parser.parse_args()
    warplens = os.path.abspath(options.warplens)
    with open(warplens, "rb") as binary:
        version = hashlib.sha256(binary.read()).hexdigest()[:12]
    kept = kept_results(options.kept, version)
    counts = collections.Counter()
    with open(options.list) as programs:
        lines = [line.rstrip("\n") for line in programs]
    for line in lines:
        if not line or line.startswith("#") or options.word not in line:
            continue
        collection, path = line.split(" ", 1)
        folder = os.path.abspath(os.path.join(options.folder, collection.replace("/", "+", 1)))
        if line not in kept:
            _, result = open_program(warplens, folder, os.path.join(folder, path),
                                     options.time_limit)
            kind, words = outcome(*result)
            kept[line] = kind, without_folder(words, folder)
            if options.kept:
                with open(options.kept, "a") as keeping:
                    keeping.write(json.dumps({"version": version, "program": line, "kind": kind,
                                              "words": kept[line][1]}) + "\n")
        counts[kept[line][0]] += 1
        print("%s: %s, %s" % (line, *kept[line]), flush=True)
    print(", ".join("%s %d" % each for each in sorted(counts.items())))
    return 0 if counts else 1


if __name__ == "__main__":
    sys.exit(main())
