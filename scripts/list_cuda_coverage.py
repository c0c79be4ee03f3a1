#!/usr/bin/env python3
"""list_cuda_coverage.py [--check]: writes docs/cuda-coverage.md, what of PTX's instructions and of
CUDA's runtime API the machine runs, from the code itself: instructions as kernels/ptx/steps registers
them, calls as kernels/programs/runtime_api defines them, tested where a program or a test of PTX
names them. With --check nothing is written: it fails where the document is another.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENT = os.path.join(ROOT, "docs", "cuda-coverage.md")
# PTX ISA 9.0, "Instruction Set".
OPCODES = """abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra
brev brkpt brx call clmad clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect
ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24
madc mapa match max mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or
pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt sad selp set setmaxnreg setp shf
shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc suld suq sured sust szext tanh
tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4
vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma
xor""".split()
# Why an instruction, or a form of it, is refused with these words.
REFUSAL = re.compile(r'decoder\.fail\(\s*"([^"]+)"')


def read(pattern):
    texts = {}
    for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
        with open(path, errors="replace") as file:
            texts[os.path.relpath(path, ROOT)] = file.read()
    return texts


def registered(steps):
    """Opcodes that a file of steps names."""
    found = set()
    for path, text in steps.items():
        if not path.endswith("decoder.cpp"):
            found.update(re.findall(r'"([a-z][a-z0-9]*)[."]', text))
    return found.intersection(OPCODES)


def main():
    steps = read("kernels/ptx/steps/*.cpp")
    api = read("kernels/programs/runtime_api/*.cpp")
    rows = read("kernels/programs/runtime_api/names.ld")
    tests = "\n".join(list(read("tests/ptx/**/*.*").values()) +
                      [text for text in read("tests/programs/**/*.cu").values()])
    counted = {"ld", "ldu", "st", "atom", "red", "bra", "brx", "wmma", "ldmatrix", "stmatrix", "cp"}
    known = registered(steps)
    lines = ["# What of CUDA is run", "",
             "Made by `scripts/list_cuda_coverage.py` from the code. Counted: its accesses or branches",
             "are in the numbers of its line; what textures and surfaces access is done and not counted,",
             "for where their elements lie is not public. Tested: a program of tests/programs or a test",
             "of tests/ptx has it.", "", "## Instructions", "",
             "| instruction | | tested |", "|---|---|---|"]
    for name in OPCODES:
        state = "not modelled"
        if name in known:
            state = "run, counted" if name in counted else "run"
        tested = "yes" if name in known and re.search(r"\b%s\." % name, tests) else ""
        lines.append("| `%s` | %s | %s |" % (name, state, tested))
    refusals = sorted({words for text in steps.values() for words in REFUSAL.findall(text)
                       if words.strip() and "'" not in words})
    lines += ["", "Refused by name where they are reached, among forms of the instructions above:",
              ""] + ["- %s" % words for words in refusals]
    calls = {}
    for path, text in api.items():
        for name in re.findall(r"^(?:cuda::)?[\w:]+[ *&]+(cu[a-zA-Z]\w+)\(", text, re.M):
            calls.setdefault(name, path)
    for path, text in rows.items():
        for name in re.findall(r"^(cu\w+) = ", text, re.M):
            calls.setdefault(name, path)
    lines += ["", "## Calls of the host", "",
              "All others of NVIDIA's libraries are named at their call, which returns an error.", "",
              "| call | tested |", "|---|---|"]
    for name in sorted(calls):
        tested = "yes" if re.search(r"\b%s\b" % name.replace("_v2", ""), tests) else ""
        lines.append("| `%s` | %s |" % (name, tested))
    text = "\n".join(lines) + "\n"
    if "--check" in sys.argv:
        with open(DOCUMENT) as document:
            if document.read() != text:
                sys.exit("docs/cuda-coverage.md is not what the code says: run "
                         "scripts/list_cuda_coverage.py")
    else:
        with open(DOCUMENT, "w") as document:
            document.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
