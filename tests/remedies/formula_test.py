#!/usr/bin/env python3
"""The formula of an address against the one that is written: random affine accesses.

formula_test.py WARPLENS [ACCESSES]
"""

import json
import random
import subprocess
import sys
import tempfile

WARPLENS = sys.argv[1]
ACCESSES = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
EACH = 50  # accesses of a kernel
TYPES = {"char": 1, "float": 4, "double": 8}


def coefficient():
    return random.choice((0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 33, random.randrange(1, 400)))


class Access:
    """Of a loop around a loop."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.type = random.choice(list(TYPES))
        self.thread = [coefficient() for _ in "xyz"]
        self.block = [coefficient() for _ in "xyz"]
        self.loops = [coefficient(), coefficient()]  # the outer one first
        self.start = random.randrange(1000)

    def text(self):
        terms = [f"{self.start}"]
        for name, factors in (("threadIdx", self.thread), ("blockIdx", self.block)):
            terms += [f"{factor} * {name}.{axis}" for factor, axis in zip(factors, "xyz")]
        terms += [f"{self.loops[0]} * i", f"{self.loops[1]} * j"]
        random.shuffle(terms)
        return f"        sum += of_{self.type}[{' + '.join(terms)}];"

    def expected(self):
        size = TYPES[self.type]
        inner, outer = self.loops[1] * size, self.loops[0] * size
        # Passes of loops that go on as the inner one does are no loop of their own.
        loops = [(inner, 0)] if outer == 4 * inner else [(inner, 4), (outer, 0)]
        return {"thread": [factor * size for factor in self.thread],
                "block": [factor * size for factor in self.block],
                "start": self.start * size, "loops": loops, "element_bytes": size}


def found(line):
    address = line["address"]
    assert not address["of_lanes"] and "thread_x_each_pass" not in address, line
    return {"thread": [address["thread"][axis] for axis in "xyz"],
            "block": [address["block"][axis] for axis in "xyz"], "start": address["start"],
            "loops": [(loop["bytes"], loop["passes"]) for loop in address["loops"]],
            "element_bytes": address["element_bytes"]}


def predicted(lines):
    """The launches of a program of these lines."""
    with tempfile.NamedTemporaryFile("w", suffix=".cu", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        done = subprocess.run([WARPLENS, "predict", file.name, "--source", "predicted", "--json"],
                              check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)["launches"]


CLAMPED = {"in[min(i + 1, n - 1)]": (4, 4), "in[max(i - 3, 0)]": (4, -12),
           "in[max(0, min(i + 2, n - 1))]": (4, 8), "in[min(i, n - 1)]": (4, 0)}


def clamped():
    """Indices that are kept within the array: affine but for its edges."""
    lines = ["__global__ void k(const int* in, const int* of, int* out, int n) {",
             "    int i = blockIdx.x * blockDim.x + threadIdx.x;", "    if (i >= n) return;"]
    expected = {}
    for access, formula in CLAMPED.items():
        lines.append(f"    out[i] += {access};")
        expected[len(lines)] = formula
    lines += ["    out[i] += in[of[i]];", "}", "int main() {", "    int *in, *of, *out;",
              "    for (int** p : {&in, &of, &out}) {", "        cudaMalloc((void**)p, 4000);",
              "        cudaMemset(*p, 0, 4000);", "    }", "    int h[1000];",
              "    for (int i = 0; i < 1000; ++i) h[i] = i * 7919 % 1000;",
              "    cudaMemcpy(of, h, 4000, cudaMemcpyHostToDevice);",
              "    k<<<8, 128>>>(in, of, out, 1000);", "}"]
    launch, = predicted(lines)
    told = {}
    for line in launch["lines"]:
        if line["kind"] == "load" and line.get("array") == "in":
            told[line["line"]] = line.get("address")
    by_data = told.pop(max(told))
    assert by_data is None, by_data
    for number, (step, start) in expected.items():
        address = told[number]
        assert address is not None, lines[number - 1]
        assert address["thread"]["x"] == step and address["block"]["x"] == 128 * step, address
        assert address["start"] == start, (lines[number - 1], address)
        assert address.get("clamped", False) == ("in[min(i, n" not in lines[number - 1]), address
    print(f"{len(expected)} clamped indices are told as such")


CALLED = """#include <cuda_fp16.h>
struct Row {
    const int* in;
    __device__ int at(int i) const { return in[i]; }  // called twice
};
__global__ void calls(Row row, int* out) {
    int i = threadIdx.x;
    out[i] = row.at(i) + row.at(5 * i);
}
__global__ void products(const __half2* in, const __half2* factors, __half2* out) {
    __half2 sum = out[threadIdx.x];
    for (int c = 0; c < 4; ++c)
        sum = __hadd2(sum, __hmul2(in[threadIdx.x * 16 + c], factors[c]));  // one array twice
    out[threadIdx.x] = sum;
}
__global__ void walk(const int* in, int* out) {
    int at = threadIdx.x;
    for (int k = 0; k < 3; ++k)
        at = in[at];  // by data but for the first pass
    out[threadIdx.x] = at;
}
int main() {
    int h[1024], *in, *out;
    for (int i = 0; i < 1024; ++i) h[i] = i * 619 % 1024;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    calls<<<1, 64>>>({in}, out);
    products<<<1, 64>>>((__half2*)in, (__half2*)in, (__half2*)out);
    walk<<<1, 64>>>(in, out);
}""".split("\n")


def called():
    """Calls of one function are accesses of their own: the one that costs most is told."""
    told = {}
    for launch in predicted(CALLED):
        for line in launch["lines"]:
            words = CALLED[line["line"] - 1].partition("// ")[2]
            if line["kind"] == "load" and words:
                told[words] = line.get("address")
    assert told["called twice"]["thread"]["x"] == 20, told
    assert "thread_x_each_pass" not in told["called twice"], told
    assert not told["called twice"].get("loops"), told
    factors = told["one array twice"]
    assert factors["thread"]["x"] == 64 and factors["loops"][0]["bytes"] == 4, told
    assert told["by data but for the first pass"] is None, told
    print(f"{len(told)} calls and walks are told as such")


# Which blocks do nothing.
IDLE = ("false", "blockIdx.x == 0 || blockIdx.y == 0 || blockIdx.z == 0",
        "blockIdx.x > 1 || blockIdx.y > 1 || blockIdx.z > 1",
        "(blockIdx.x + blockIdx.y + blockIdx.z) % 2 == 0", "blockIdx.x % 2 == 0 || blockIdx.y != 1 + blockIdx.z % 2")


def main():
    random.seed(20)
    lines, accesses, launches = [], {}, []
    for kernel in range(-(-ACCESSES // EACH)):
        lines += [f"__global__ void k{kernel}(const char* of_char, const float* of_float, "
                  "const double* of_double, float* out) {", "    float sum = 0;",
                  f"    if ({IDLE[kernel % len(IDLE)]}) return;",
                  "    for (int i = 0; i < 3; ++i) for (int j = 0; j < 4; ++j) {"]
        for _ in range(min(EACH, ACCESSES - kernel * EACH)):
            access = Access(kernel)
            lines.append(access.text())
            accesses[len(lines)] = access
        lines += ["    }", "    out[threadIdx.x] = sum;", "}"]
        block = random.choice(("8, 4, 2", "32, 2, 2", "5, 7, 3", "64, 2, 2"))
        launches.append(f"    k{kernel}<<<dim3(4, 3, 3), dim3({block})>>>(c, f, d, o);")
    lines += ["int main() {", "    char* c; float *f, *o; double* d;",
              "    for (void** p : {(void**)&c, (void**)&f, (void**)&d, (void**)&o}) {",
              "        cudaMalloc(p, 1 << 21);", "        cudaMemset(*p, 0, 1 << 21);", "    }",
              *launches, "}"]
    wrong = []
    seen = set()
    for launch in predicted(lines):
        for line in launch["lines"]:
            access = accesses.get(line["line"])
            if access is None or line["kind"] != "load":
                continue
            seen.add(line["line"])
            if "address" not in line or found(line) != access.expected():
                wrong.append(f"{access.text()}: {line.get('address')}, not {access.expected()}")
    assert seen == set(accesses), f"{len(seen)} of {len(accesses)} were seen"
    assert not wrong, f"{len(wrong)} wrong:\n" + "\n".join(wrong[:5])
    print(f"{len(seen)} of {len(accesses)} formulas are those written")


clamped()
called()
main()
