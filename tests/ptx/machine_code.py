"""What ptxas made of optimised PTX, line by line: memory instructions of the PTX and of the machine code (SASS), and
whether it lets lanes reconverge within a branch (BREAK), which PTX does not say."""
import collections
import pathlib
import re
import subprocess
import tempfile

LIBRARY = re.compile(r"^/usr/|(/cuda|/nvidia/|/targets/|/cccl).*/include/|cuda_runtime|_generated_|tmpxft")
LOC = re.compile(r"\.loc\s+(\d+) (\d+) \d+(?:.*inlined_at (\d+) (\d+) \d+)?")
FILE = re.compile(r'\.file\s+(\d+) "([^"]*)"')
ACCESS = re.compile(r"^(?:@!?%\w+\s+)?(ld|st|atom|red)\.(\S+)")
SASS_LINE = re.compile(r'//## File "([^"]*)", line (\d+)( inlined at)?')
SASS_CODE = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\d\s+)?([A-Z][A-Z0-9_.]*)")
SASS_KINDS = {"LDG": "load", "LD": "load", "STG": "store", "ST": "store", "LDS": "shared_load", "LDSM": "shared_load",
              "STS": "shared_store", "ATOM": "atomic", "ATOMG": "atomic", "ATOMS": "atomic", "RED": "atomic",
              "REDG": "atomic", "BREAK": "break"}


def kind_in_ptx(opcode, words):
    words = words.split(".")
    if {"param", "local", "const"} & set(words):
        return None
    if opcode in ("atom", "red"):
        return "atomic"
    shared = any(word.startswith("shared") for word in words)
    return ("shared_" if shared else "") + {"ld": "load", "st": "store"}[opcode]


def of_ptx(text):
    """Accesses by kernel, line and kind; a library's at the line that it was inlined at."""
    files = {number: path for number, path in FILE.findall(text)}
    counts, line, kernel, callers = collections.Counter(), 0, "", {}
    for row in text.splitlines():
        row = row.strip()
        if found := re.search(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)", row):
            kernel, line, callers = found[1], 0, {}
        elif found := LOC.match(row):
            here, caller = (found[1], found[2]), (found[3], found[4])
            if found[3]:
                callers[here] = caller
            while here in callers and LIBRARY.search(files.get(here[0], "")):
                here = callers[here]
            if here[1] != "0" and not LIBRARY.search(files.get(here[0], "")):
                line = int(here[1])
        elif found := ACCESS.match(row):
            if kind := kind_in_ptx(found[1], found[2]):
                counts[kernel, line, kind] += 1
                counts[kernel, line, "atomic_result"] += found[1] == "atom"
    return +counts


def of_sass(text):
    counts, line, kernel, inlined = collections.Counter(), 0, "", False
    for row in text.splitlines():
        if found := re.match(r"\s*\.section\s+\.text\.([\w$]+)", row):
            kernel, line = found[1], 0
        elif found := SASS_LINE.search(row):
            # The chain of callers, innermost first: the person's first file counts.
            if not (inlined and line):
                line = 0 if LIBRARY.search(found[1]) else int(found[2])
            inlined = bool(found[3])
        elif found := SASS_CODE.search(row):
            inlined = False
            if kind := SASS_KINDS.get(found[1].split(".")[0]):
                counts[kernel, line, kind] += 1
    return counts


def compiled(source, nvcc, nvdisasm):
    """Both counts of a program."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "a.ptx"), pathlib.Path(folder, "a.cubin")
        for option, to in (("-ptx", ptx), ("-cubin", cubin)):
            subprocess.run([nvcc, "-std=c++17", "-arch=sm_90", "-lineinfo", option, str(source), "-o", str(to)],
                           check=True, capture_output=True)
        sass = subprocess.run([nvdisasm, "-c", "-gi", str(cubin)], check=True, capture_output=True, text=True).stdout
        return of_ptx(ptx.read_text()), of_sass(sass)
