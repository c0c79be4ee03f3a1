#!/usr/bin/env python3
"""`warplens check`: rules, comments, baseline and formats, and the examples of docs/check.md.

check_test.py WARPLENS SOURCE_FOLDER [TEST]
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

WARPLENS, SOURCE = map(os.path.abspath, sys.argv[1:3])

PROGRAM = """#include <cstdio>
__global__ void sum(const float* picture, float* sums, int width) {
    int row = threadIdx.x;
    float total = 0;
    for (int x = 0; x < width; ++x)
        total += picture[row * width + x];%s
%s    sums[row] = total;
}
int main() {
    float *picture, *sums;
    cudaMalloc(&picture, 128 * 64 * sizeof(float));
    cudaMalloc(&sums, 128 * sizeof(float));
    cudaMemset(picture, 0, 128 * 64 * sizeof(float));
    sum<<<1, 128>>>(picture, sums, 64);
    cudaFree(picture);
    cudaFree(sums);
}
"""
ROWS = """#include <cstdio>
__global__ void rows(const float* in, float* out) {
    __shared__ float a[16][32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int i = t; i < 512; i += 256) a[i / 32][i % 32] = in[blockIdx.x * 512 + i];
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 32; ++k) s += a[threadIdx.y][k] * (k + threadIdx.x);
    out[blockIdx.x * 256 + t] = s;
}
int main() {
    static float h[2048];
    for (int i = 0; i < 2048; ++i) h[i] = i % 7 + i / 100;
    float *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h / 2);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    rows<<<4, dim3(16, 16)>>>(in, out);
    cudaMemcpy(h, out, sizeof h / 2, cudaMemcpyDeviceToHost);
    printf("%g %g\\n", h[3], h[1023]);
    cudaFree(in);
    cudaFree(out);
}
"""

LOAD = ("sum.cu:6:9: warning: picture: 8,192 sectors where 1,024 would do; "
        "`picture[row * width + x]`: neighbouring lanes are 256 bytes apart, because threadIdx.x "
        "is multiplied by width [uncoalesced-load]\n")

BINS = """#include <cuda_runtime.h>
__global__ void count(const int* keys, int* bins) {
    __shared__ int local[26];
    if (threadIdx.x < 26) local[threadIdx.x] = 0;
    local[keys[threadIdx.x]] = local[keys[threadIdx.x]] + 1;
    if (threadIdx.x < 26)
        bins[threadIdx.x] = local[threadIdx.x];
}
int main() {
    int *keys, *bins, host[256];
    for (int i = 0; i < 256; ++i) host[i] = (i * 7 + i / 13) % 26;
    cudaMalloc(&keys, sizeof host);
    cudaMalloc(&bins, 26 * sizeof(int));
    cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<1, 256>>>(keys, bins);
    cudaMemcpy(host, bins, 26 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(keys);
    cudaFree(bins);
}
"""


REVERSED = """#include <cuda_runtime.h>
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < n) {
        out[t] = s[255 - t];
    }
}
__global__ void next(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = in[i] + in[i + 1];
}
template <int N> __global__ void apart(int* out) { out[threadIdx.x * 2 * N] = N; }
int main() {
    int *in, *out, host[256];
    for (int i = 0; i < 256; ++i) host[i] = i * 7 % 31;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 256>>>(in, out, 256);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    next<<<2, 256>>>(in, out, 256);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    apart<1><<<1, 16>>>(out);
    apart<2><<<1, 16>>>(out);
    cudaFree(in);
    cudaFree(out);
}
"""

STRUCTURES = """struct Stat { float a, b; };
__global__ void sum(const Stat* x, Stat* y) {
    __shared__ Stat parts[32];
    Stat s = x[blockIdx.x * blockDim.x + threadIdx.x];
    if ((threadIdx.x & 31) == 0) parts[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : Stat{0, 0};
        for (int lanes = 16; lanes > 0; lanes /= 2) s.a += __shfl_xor_sync(~0u, s.a, lanes);
        if (threadIdx.x == 0) y[blockIdx.x] = s;
    }
}
int main() {
    Stat *x = (Stat*)filled<float>(2048), *y = (Stat*)zeros<float>(16);
    sum<<<8, 128>>>(x, y);
    show((float*)y, 16);
    cudaFree(x);
}
"""

PIPELINE = """#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void twice(const float* x, float* y, int passes) {
    __shared__ float buffer[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int c = 0, f = 0; c < passes; ++c) {
        for (; f < passes && f < c + 2; ++f) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[f % 2], x + (blockIdx.x + f * gridDim.x) * 128,
                               cuda::aligned_size_t<16>(512), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        y[(blockIdx.x + c * gridDim.x) * 128 + threadIdx.x] = 2 * buffer[c % 2][127 - threadIdx.x];
        pipe.consumer_release();
    }
}
int main() {
    float *x = filled<float>(2048), *y = zeros<float>(2048);
    twice<<<4, 128>>>(x, y, 4);
    show(y, 2048);
    cudaFree(x);
}
"""

PACKED = """__device__ unsigned ticket;
__global__ void chain(volatile unsigned long long* states, int* out) {
    if (threadIdx.x == 0) {
        unsigned own = atomicAdd(&ticket, 1u), before = 0;
        if (own > 0) {
            unsigned long long state;
            do state = states[own - 1];
            while (state >> 32 == 0);
            before = unsigned(state);
        }
        states[own] = 1ull << 32 | (before + 1);
        out[own] = before;
    }
}
int main() {
    auto* states = zeros<unsigned long long>(40);
    int* out = zeros<int>(40);
    chain<<<40, 32>>>(states, out);
    show(out, 40);
    cudaFree((void*)states);
}
"""


class InFolder(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warplens-check-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def check(self, words, code):
        done = subprocess.run([WARPLENS, "check", *words.split()], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code != 2 else done.stderr

    def explained(self, *words, code=None):
        done = subprocess.run([WARPLENS, "explain", *words], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr


class Check(InFolder):
    def test_warns_as_compilers_do_and_leaves_out_what_is_turned_off(self):
        self.write("sum.cu", PROGRAM % ("", ""))
        self.assertEqual(self.check("sum.cu", 1), LOAD + "1 program: 1 warning\n")
        self.assertEqual(self.check("sum.cu -Wno-uncoalesced-load", 0),
                         "1 program: nothing found\n")
        self.check("sum.cu -Wno-uncoalesced-load -Wuncoalesced-load", 1)
        self.assertIn("-W = 'no-such'", self.check("sum.cu -Wno-such", 2))

    def test_names_a_brace_that_nothing_closes_and_no_header_behind_it(self):
        for name, rest in (("kernel.cu", ""), ("program.cu", "}\nint main() {\n    return 0;\n")):
            self.write(name, "__global__ void k(int* p) {\n    p[threadIdx.x] = 1;\n" + rest)
            line = 4 if rest else 1
            self.assertEqual(self.check(name, 1),
                             f'{name}:{line}: error: expected a "}}" somewhere below, to match '
                             'this "{" [failed-program]\n1 program: 1 error\n')

    def test_tells_lines_of_files_that_a_program_has_besides_the_named_one(self):
        kernel, host = (PROGRAM % ("", "")).split("int main", 1)
        self.write("sum.cu", kernel + "void run(float* picture, float* sums) {\n"
                   "    sum<<<1, 128>>>(picture, sums, 64);\n}\n")
        self.write("main.cu", "void run(float*, float*);\nint main" +
                   host.replace("sum<<<1, 128>>>(picture, sums, 64);", "run(picture, sums);"))
        for files in ("main.cu", "sum.cu main.cu", "main.cu sum.cu"):
            self.assertEqual(self.check(files, 1), LOAD + "1 program: 1 warning\n")

    def test_takes_a_named_file_before_one_that_lies_beside_the_program(self):
        for folder in ("src", "other"):
            os.makedirs(os.path.join(self.folder, folder), exist_ok=True)
        one = ("__global__ void {0}(float* a) {{ a[0] = 1; }}\n"
               "void run(float* a) {{ {0}<<<1, 2>>>(a); }}\n")
        self.write("src/one.cu", one.format("beside"))
        self.write("other/two.cu", one.format("named"))
        self.write("src/main.cu", "void run(float*);\nint main() {\n    float* a;\n"
                   "    cudaMalloc(&a, 4);\n    run(a);\n    cudaFree(a);\n}\n")
        self.assertIn("src/one.cu:1", self.check("src/main.cu", 1))
        said = self.check("other/two.cu src/main.cu", 1)
        self.assertIn("other/two.cu:1", said)
        self.assertIn("1 program:", said)
        self.assertNotIn("one.cu", said)

    def test_takes_functions_of_the_device_from_a_file_beside_it(self):
        kernel, host = (PROGRAM % ("", "")).split("int main", 1)
        self.write("twice.cu", "__device__ float twice(float x) { return 2 * x; }\n")
        self.write("unused.cu", "__device__ float thrice(float x) { return 3 * x; }\n")
        self.write("main.cu", kernel + "__device__ float twice(float);\n"
                   "__global__ void two(float* x) { *x = twice(*x); }\nint main" +
                   host.replace("sum<<<1, 128>>>(picture, sums, 64);", "two<<<1, 1>>>(picture);\n"
                                "    sum<<<1, 128>>>(picture, sums, 64);"))
        for files in ("main.cu", "twice.cu main.cu", "main.cu twice.cu unused.cu", "."):
            said = self.check(files, 1)
            self.assertTrue(said.endswith("1 program: 1 warning\n"), said)
        self.assertIn("must hold a main", self.check("unused.cu", 2))
        self.assertIn("'nowhere.cu': No such file", self.check("main.cu nowhere.cu", 2))

    def test_tells_what_is_allowed_in_vain_where_it_was_run(self):
        self.write("sum.cu", PROGRAM % ("", "    // warplens: allow(bank-conflict) none\n") +
                   "__global__ void never(float* a) {\n    a[0] = 1;  // warplens: allow(block-race) ?\n}\n")
        told = self.check("sum.cu -Wno-uncoalesced-load", 0)
        self.assertIn("note: allow(bank-conflict): this line does not break that rule [unused-allowance]\n", told)
        self.assertNotIn("block-race", told)

    def test_has_the_compilers_words_for_a_broken_main(self):
        self.write("broken.cu", "template <class T> __global__ void k(T a) { *a = 1; }\n"
                   "int main) {\n    k<<<1, 1>>>((int*)0);\n}\n")
        self.assertRegex(self.check("broken.cu", 1), r"^broken.cu:2: error: .*\[failed-program\]\n")

    def test_names_what_a_linker_misses(self):
        self.write("open.cu", "void missing();\nint main() { missing(); }\n")
        self.assertIn("undefined reference to `missing()'", self.check("open.cu", 1))

    def test_counts_into_how_many_a_request_to_constant_memory_is_split(self):
        self.write("table.cu", """__constant__ float table[64];
__global__ void look(float* out) {
    float each = table[threadIdx.x];
    float eight = table[threadIdx.x / 8];
    out[threadIdx.x] = each + eight + table[blockIdx.x];
}
int main() {
    float* out;
    float values[64] = {1};
    cudaMalloc(&out, 256);
    cudaMemcpyToSymbol(table, values, sizeof values);
    look<<<1, 64>>>(out);
    cudaFree(out);
}
""")
        why = ("; the lanes of a warp ask for %s different addresses, and constant memory serves "
               "one at a time [constant-divergence]")
        self.assertEqual(self.check("table.cu", 1).splitlines(), [
            "table.cu:3:5: warning: table: 64 turns where 2 would do" + why % 32,
            "table.cu:4:5: warning: table: 8 turns where 2 would do" + why % 4,
            "1 program: 2 warnings"])

    def test_offers_a_remedy_only_to_those_lines_whose_fault_it_cures(self):
        self.write("bins.cu", BINS)
        done = subprocess.run([WARPLENS, "explain", "bins.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True)
        self.assertIn("remedy 1 for bins.cu:5, bins.cu:7, shared-race:\n  Both are needed: an atomic",
                      done.stdout)
        self.assertIn("whole program: 2 -> 0 findings, results: no longer left to a race\n", done.stdout)
        self.assertIn("\n  lesson: warplens lesson histogram-shared\n", done.stdout)
        self.write("last.cu", BINS.replace("= 0;\n    local[keys[threadIdx.x]] =", "= 0;\n    __syncthreads();\n"
                                           "    const int all = atomicAdd(&local[keys[threadIdx.x]], 1); //"))
        self.assertIn(" 1 -> 0 findings, results: no longer left to a race\n", self.explained("last.cu"))

    def test_puts_barriers_where_all_threads_come_and_mends_the_sign_of_a_guard(self):
        self.write("reverse.cu", REVERSED)
        done = subprocess.run([WARPLENS, "explain", "reverse.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True)
        self.assertIn("    +    __syncthreads();\n         if (t < n) {\n", done.stdout)
        self.assertIn("    +    if (i < n)\n"
                      "    +        out[i] = in[i] + (i + 1 < n ? in[i + 1] : 0);\n", done.stdout)
        told = re.findall(r"^reverse.cu:15: store .*", done.stdout, re.MULTILINE)
        self.assertEqual(told, ["reverse.cu:15: store of out in apart<2> <<<1, 16>>>, in the "
                                "costliest of 2 launches"])

    def test_pads_rows_by_as_much_as_the_assembler_loads_at_once(self):
        self.write("rows.cu", ROWS)
        predicted = subprocess.run([WARPLENS, "predict", "rows.cu", "--source", "compiled"],
                                   cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True)
        self.assertRegex(predicted.stdout, r"rows.cu:8:5 +shared_load +a +compiled +1,024 +2,048 wavefronts")
        self.assertIn("  rows.cu:8:5 shared_load of a: the assembler may load 4 of these at once, "
                      "in one request, which is not counted here\n", predicted.stdout)
        done = subprocess.run([WARPLENS, "explain", "rows.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("  1,024 requests, 2,048 wavefronts where 1,024 would do; the assembler may "
                      "load 4 of these at once\n", done)
        self.assertIn("  4 elements more in each row of the shared array: its columns lie in "
                      "different banks then. The assembler may load 4 elements of it at once, in "
                      "fewer requests than are counted here, which a pad of one element "
                      "prevents.\n", done)
        self.assertIn("\n    +    __shared__ float a[16][32 + 4];\n", done)

    def test_pads_rows_by_one_element_where_more_leave_lanes_in_the_same_banks(self):
        self.write("part.cu", """__global__ void part(int* total) {
    __shared__ int part[64][26];
    int t = threadIdx.x;
    for (int k = 0; k < 26; ++k) part[t][k] = t + k;
    __syncthreads();
    if (t < 26) {
        int sum = 0;
        for (int r = 0; r < 64; ++r) sum += part[r][t];
        total[t] = sum;
    }
}
int main() {
    static int h[26];
    int* total;
    cudaMalloc(&total, sizeof h);
    part<<<1, 64>>>(total);
    cudaMemcpy(h, total, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(total);
}
""")
        done = subprocess.run([WARPLENS, "explain", "part.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("  One element more in each row of the shared array: its columns lie in different banks "
                      "then. The assembler may store 2 elements of it at once", done)
        self.assertIn("\n    +    __shared__ int part[64][26 + 1];\n", done)

    def test_names_the_line_that_pays_for_a_pad(self):
        self.write("pays.cu", """__global__ void turn(const float* in, float* out, int n) {
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    int x2 = blockIdx.y * 16 + threadIdx.x, y2 = blockIdx.x * 16 + threadIdx.y;
    out[y2 * n + x2] = tile[threadIdx.x][threadIdx.y];
}
int main() {
    const int n = 64;
    static float h[n * n];
    for (int i = 0; i < n * n; ++i) h[i] = i;
    float *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    turn<<<dim3(4, 4), dim3(16, 16)>>>(in, out, n);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
""")
        done = subprocess.run([WARPLENS, "explain", "pays.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertRegex(done, r"pad-shared-array|a multiple|element more in each row")
        self.assertIn(", results: the same bytes; but line 4: 128 -> 256\n", done)

    def test_exchanges_the_indices_of_an_element_that_is_written_the_other_way_round(self):
        self.write("turn.cu", """__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
    __syncthreads();
    int r2 = blockIdx.y * 16 + threadIdx.x, c2 = blockIdx.x * 16 + threadIdx.y;
    if (r2 < rows && c2 < cols) out[c2 * rows + r2] = tile[threadIdx.y][threadIdx.x];
}
int main() {
    const int rows = 50, cols = 72;
    static float h[rows * cols];
    for (int i = 0; i < rows * cols; ++i) h[i] = i;
    float *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    turn<<<dim3(5, 4), dim3(16, 16)>>>(in, out, rows, cols);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
""")
        done = subprocess.run([WARPLENS, "explain", "turn.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("for turn.cu:7, uninitialised-shared:\n  Exchange the two indices of the shared array", done)
        self.assertIn("out[c2 * rows + r2] = tile[threadIdx.x][threadIdx.y];\n", done)
        self.assertNotIn("barrier", done)

    def test_says_how_many_elements_an_array_lacks(self):
        self.write("half.cu", "__global__ void fill(int* a, const int* keys) { a[keys[threadIdx.x]] = 1; }\n"
                   "int main() {\n    int *a, *keys, host[64];\n    for (int i = 0; i < 64; ++i) host[i] = i;\n"
                   "    cudaMalloc(&a, 32 * sizeof(int));\n    cudaMalloc(&keys, sizeof host);\n"
                   "    cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);\n"
                   "    fill<<<1, 64>>>(a, keys);\n    cudaFree(a);\n    cudaFree(keys);\n}\n")
        done = subprocess.run([WARPLENS, "explain", "half.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("The index keys[threadIdx.x] is read from memory", done)
        self.assertIn("a has 32 elements, and 64 are reached: where all are meant, allocate as many.", done)

    def test_tries_nothing_for_a_hundredth_of_the_cost_but_where_it_is_asked_for(self):
        kernel = ("__global__ void %s(float* a, int n) {\n    int row = blockIdx.x * 32 + threadIdx.x;\n"
                  "    int column = blockIdx.y * 8 + threadIdx.y;\n    a[row * n + column] = row;\n}\n")
        self.write("two.cu", "#include <cstdio>\n" + kernel % "large" + kernel % "small" + "int main() {\n"
                   "    float* a;\n    static float host[640 * 640];\n    cudaMalloc(&a, sizeof host);\n"
                   "    large<<<dim3(20, 80), dim3(32, 8)>>>(a, 640);\n"
                   "    small<<<dim3(1, 4), dim3(32, 8)>>>(a, 32);\n"
                   "    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);\n"
                   "    printf(\"%g\", host[640 * 640 - 1]);\n    cudaFree(a);\n}\n")
        for file, lines in (("two.cu", [5]), ("two.cu:10", [10])):
            done = subprocess.run([WARPLENS, "explain", file, "--json"], cwd=self.folder, check=False,
                                  stdout=subprocess.PIPE, text=True).stdout
            tried = [one["places"][0]["line"] for one in json.loads(done)["remedies"] if one["diff"]]
            self.assertEqual(tried, lines, file)

    def test_names_the_files_of_a_folder_as_they_lie_in_it(self):
        self.write("sum.cu", PROGRAM % ("", ""))
        self.assertEqual(self.check(".", 1), LOAD + "1 program: 1 warning\n")

    def test_holds_lines_to_what_comments_say(self):
        for load, store, told in (
                ("  // warplens: allow(uncoalesced-load) read once", "", []),
                ("  // warplens: allow(uncoalesced-store) another", "",
                 ["unused-allowance", "uncoalesced-load"]),
                ("  // warplens: allow(uncoalesced-lod) once", "",
                 ["unreadable-comment", "uncoalesced-load"]),
                ("  // warplens: allow(uncoalesced-load)", "",
                 ["unreadable-comment", "uncoalesced-load"]),
                ("  // warplens: sectors_per_request <= 32", "", ["uncoalesced-load"]),
                ("  // warplens: sectors_per_request <= 31.5", "", ["budget", "uncoalesced-load"]),
                ("", "    // warplens: requests <= 3\n", ["uncoalesced-load", "budget"]),
                ("", "    // warplens: requests <= 3\n    // of all\n\n"
                     "    // warplens: wavefronts <= 9\n", ["uncoalesced-load", "budget"]),
                ("", "    // warplens: kernel(sum) requests <= 259\n",
                 ["uncoalesced-load", "budget"]),
                ("", "    // warplens: kernel(sum) requests <= 260\n", ["uncoalesced-load"]),
                ("", "    // warplens: kernel(other) sectors <= 1\n",
                 ["uncoalesced-load", "unreadable-comment"]),
                ("", "    // warplens: shared_wavefronts <= 9\n", ["uncoalesced-load"]),
                ("", "    // warplens: sector_per_request <= 3\n",
                 ["uncoalesced-load", "unreadable-comment"]),
                ("", "    // warplens: speed <= 3\n", ["uncoalesced-load", "unreadable-comment"])):
            self.write("sum.cu", PROGRAM % (load, store))
            report = json.loads(self.check("sum.cu --json", 1 if told else 0))
            self.assertEqual([one["rule"] for one in report["warnings"]], told, load + store)
            if "sector_per_request" in store:
                self.assertIn("did you mean 'sectors_per_request'", report["warnings"][1]["words"])
            if "lod)" in load:
                self.assertIn("did you mean 'uncoalesced-load'", report["warnings"][0]["words"])

    def test_holds_compiled_lines_to_the_rules_where_they_alone_are_told(self):
        self.write("sum.cu", PROGRAM % (
            "", "    if ((row & 31) == 0) *(volatile float*)(sums + row) = 0;  // a guard\n"))
        report = json.loads(self.check("sum.cu --source compiled --json", 1))
        self.assertEqual([one["rule"] for one in report["warnings"]], ["uncoalesced-load"])
        self.assertEqual(report["warnings"][0]["cost"], 8192)

    def test_holds_a_kernel_to_what_the_last_line_of_the_file_says(self):
        lines = PROGRAM.count("\n")
        for last, told in (
                ("// warplens: kernel(sum) requests <= 259", "all of sum: 260 requests, and its "
                 "comment allows 259 [budget]"),
                ("// warplens: kernel(sum) requests <= 259\n\n", "[budget]"),
                ("// warplens: kernel(other) requests <= 1\n", "no kernel 'other' was launched"),
                ("// warplens: requests <= 1\n", "no line of code stands behind it"),
                ("// warplens: allow(uncoalesced-load) once", "no line of code stands behind it")):
            self.write("sum.cu", PROGRAM % ("", "") + last)
            told_lines = self.check("sum.cu -Wno-uncoalesced-load", 1)
            self.assertIn("sum.cu:%d:1: error: " % (lines + 1), told_lines)
            self.assertIn(told, told_lines)

    def test_takes_a_line_with_another_name_and_the_same_numbers_for_that_of_the_baseline(self):
        text = PROGRAM % ("", "")
        self.write("sum.cu", text)
        self.write("names.json", self.check("sum.cu --json", 1))
        self.write("sum.cu", text.replace("width", "columns").replace("picture", "image"))
        report = json.loads(self.check("sum.cu --json --baseline names.json", 0))
        self.assertEqual((report["warnings"], report["known"]), ([], 1))
        # Another number is another line's.
        self.write("sum.cu", text.replace("width", "columns").replace("64", "60"))
        self.check("sum.cu --baseline names.json", 1)

    def test_holds_launches_to_a_budget_above_a_head_or_a_launch_and_no_other_line(self):
        of_all = "all of sum: 260 requests, and its comment allows 259 [budget]"
        for line, told in (("__global__", of_all), ("    sum<<<", of_all),
                           ("    float *picture", "neither accesses memory in a kernel nor launches one"),
                           ("    int row", "neither accesses memory in a kernel nor launches one")):
            text = PROGRAM % ("", "")
            at = text.index(line)
            self.write("sum.cu", text[:at] + "// warplens: requests <= 259\n" + text[at:])
            self.assertIn(told, self.check("sum.cu -Wno-uncoalesced-load", 1))
            if told == of_all:
                self.write("sum.cu", text[:at] + "// warplens: requests <= 260\n" + text[at:])
                self.check("sum.cu -Wno-uncoalesced-load", 0)

    def test_gives_one_block_of_rows_as_many_blocks_as_a_warp_has_lanes(self):
        self.write("rows.cu", """__global__ void rows(const float* m, float* out, int rows, int columns) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) { float s = 0; for (int c = 0; c < columns; c++) s += m[r * columns + c]; out[r] = s; }
}
int main() {
    static float h[64 * 70];
    for (int i = 0; i < 64 * 70; ++i) h[i] = i % 17;
    float *m, *out;
    cudaMalloc(&m, sizeof h);
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemcpy(m, h, sizeof h, cudaMemcpyHostToDevice);
    rows<<<1, 64>>>(m, out, 64, 70);
    cudaMemcpy(h, out, 64 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(m);
    cudaFree(out);
}
""")
        self.assertIn("    +    rows<<<32, 64>>>(m, out, 64, 70);\n", self.explained("rows.cu"))

    def test_says_of_what_costs_that_no_edit_and_no_advice_was_found(self):
        self.write("cases.cu", """__global__ void cases(const int* keys, float* out) {
    int i = threadIdx.x;
    switch (keys[i] & 3) { case 0: out[i] = sqrtf(i); break; case 1: out[i] = expf(i); break; default: out[i] = i; }
}
int main() {
    int h[64], *keys;
    float* out;
    for (int i = 0; i < 64; ++i) h[i] = i * 37 % 11;
    cudaMalloc(&keys, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice);
    cases<<<1, 64>>>(keys, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(keys);
    cudaFree(out);
}
""")
        told = self.explained("cases.cu")
        self.assertIn("cases.cu:3: no edit was found against divergent-branch, and no advice is known\n", told)

    def test_tells_with_a_baseline_only_what_is_new(self):
        self.write("sum.cu", PROGRAM % ("", ""))
        self.write("baseline.json", self.check("sum.cu --json", 1))
        # The same warning, some lines below, and a new one.
        moved = "// A sum of each row.\n\n" + PROGRAM % ("", "")
        moved = moved.replace("total += picture[row * width + x];", "total  += picture[row*width + x];  // a row")
        self.write("sum.cu", moved)
        self.assertEqual(self.check("sum.cu --baseline baseline.json", 0),
                         "1 program: nothing found, 1 more in the baseline\n")
        self.write("sum.cu", moved.replace("    cudaFree(sums);\n", ""))
        told = self.check("sum.cu --baseline baseline.json", 1)
        self.assertEqual(told, "sum.cu:14:5: warning: sums (512 bytes) is never freed [never-freed]\n"
                         "1 program: 1 warning, 1 more in the baseline\n")
        # The compiler puts cudaMalloc<T> into main.
        self.assertEqual(told, self.check("sum.cu --baseline baseline.json -O 2", 1))
        self.assertIn("--baseline = 'none.json'", self.check("sum.cu --baseline none.json", 2))

    def test_tells_with_a_baseline_lines_that_cost_more_than_in_it(self):
        self.write("step.cu", """#ifndef S
#define S 4
#endif
__global__ void put(float* a) {
    a[(blockIdx.x * blockDim.x + threadIdx.x) * S] = 1;
}
int main() {
    float* a;
    cudaMalloc(&a, 64 * 32 * 32 * 4);
    put<<<64, 32>>>(a);
    cudaFree(a);
}
""")
        self.write("baseline.json", self.check("step.cu --json", 1))
        self.assertEqual(self.check("step.cu --baseline baseline.json", 0),
                         "1 program: nothing found, 1 more in the baseline\n")
        self.assertEqual(self.check("step.cu -D S=1 --baseline baseline.json", 0),
                         "1 program: nothing found; 1 of the baseline found no more: make it anew\n")
        # What cannot be compiled was not looked at.
        told = self.check("step.cu -D float=none --baseline baseline.json", 1)
        self.assertIn("[failed-program]", told)
        self.assertTrue(told.endswith("; 1 of the baseline not looked at, as their program failed\n"), told)
        self.assertEqual(self.check("step.cu -D S=32 --baseline baseline.json", 1),
                         "step.cu:5:5: warning: a: 2,048 sectors where 256 would do; "
                         "`a[(blockIdx.x * blockDim.x + threadIdx.x) * S]`: neighbouring lanes are "
                         "128 bytes apart, because threadIdx.x is multiplied by S; in all launches "
                         "it costs 2,048, in the baseline 1,024 [uncoalesced-store]\n"
                         "1 program: 1 warning\n")
        # A larger problem makes it no other one, and what is told of both says which is which.
        with open(os.path.join(self.folder, "step.cu"), encoding="utf-8") as file:
            self.write("step.cu", file.read().replace("<<<64, 32>>>", "<<<M, 32>>>").replace("64 *", "M *"))
        self.assertEqual(self.check("step.cu -D M=640 --baseline baseline.json", 0),
                         "1 program: nothing found, 1 more in the baseline, 1 of them grown, no further "
                         "from what would do\n")
        told = json.loads(self.check("step.cu -D M=640 -D S=32 --baseline baseline.json --json", 1))
        self.assertEqual((told["warnings"][0]["cost"], told["warnings"][0]["baseline_cost"]), (20480, 1024))
        self.assertIn("it costs 20,480, in the baseline 1,024 where 256 would do", told["warnings"][0]["words"])
        told = json.loads(self.check("step.cu -D M=640 --baseline baseline.json --json", 0))
        self.assertEqual((told["known"], told["grown"]), (1, 1))

    def test_tells_instances_of_a_template_apart_where_one_of_them_costs_too_much(self):
        self.write("scale.cu", """template <typename T, int S> __global__ void scale(T* a) {
    a[threadIdx.x * S] *= 2;  // warplens: sectors_per_request <= 6
}
int main() {
    float* a;
    cudaMalloc(&a, 32 * 4 * 8);
    cudaMemset(a, 0, 32 * 4 * 8);
    scale<float, 4><<<1, 32>>>(a);
    scale<double, 1><<<1, 32>>>((double*)a);
    cudaFree(a);
}
""")
        told = self.check("scale.cu -Wno-budget", 1)
        self.assertEqual(re.findall(r"warning: (.*?): 16 sectors where 4", told), ["scale<float, 4>: a"] * 2)
        told = self.check("scale.cu", 1)
        self.assertEqual(set(re.findall(r"error: (.*?) sectors_per_request", told)),
                         {"scale<float, 4>: a: 16", "scale<double, 1>: a: 8"})

    def test_annotates_with_one_reason_for_all_accesses_that_have_it(self):
        self.write("move.cu", """__global__ void move(const float* a, float* b) {
    int i = threadIdx.x * 4;
    b[i] = a[i];
}
int main() {
    float *a, *b;
    cudaMalloc(&a, 2048);
    cudaMalloc(&b, 2048);
    cudaMemset(a, 0, 2048);
    move<<<1, 128>>>(a, b);
    cudaFree(a);
    cudaFree(b);
}
""")
        told = subprocess.run([WARPLENS, "annotate", "move.cu"], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(told.count("neighbouring lanes are 16 bytes apart"), 1, told)
        self.assertIn("?   `a[i]`, `b[i]` (2 accesses): neighbouring lanes are 16 bytes apart", told)
        with open(os.path.join(self.folder, "move.cu"), encoding="utf-8") as file:
            text = file.read()
        self.write("move.cu", text.replace("= a[i];", "= a[i] + a[i + 2];"))
        told = subprocess.run([WARPLENS, "annotate", "move.cu"], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("?   `a`, `b[i]` (2 accesses): neighbouring lanes are 16 bytes apart", told)

    def test_counts_local_memory_of_compiled_code(self):
        # Where lanes are apart, an H200 counted these instructions and sectors.
        self.write("look.cu", """__global__ void look(const int* in, float* out, int n) {
    float table[32];
    for (int k = 0; k < 32; ++k) table[k] = in[k];
    float sum = 0;
#pragma unroll 1
    for (int t = 0; t < n; ++t) sum += table[(in[t] + APART * threadIdx.x) & 31];
    out[threadIdx.x] = sum;
}
int main() {
    int *in;
    float* out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    look<<<1, 64>>>(in, out, 64);
    cudaFree(in);
    cudaFree(out);
}
""")
        for apart, sectors in ((0, 512), (1, 4096)):
            told = subprocess.run([WARPLENS, "explain", "look.cu:6", "-D", f"APART={apart}"],
                                  cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True).stdout
            self.assertIn(f"  128 requests, {sectors:,} sectors of local memory, as compiled\n", told)
            self.assertEqual("sectors of their own" in told, apart == 1)
        self.assertRegex(self.check("look.cu -D APART=1", 1), r"look.cu:6:.*4,096 sectors.*\[local-memory\]\n")
        # It is unrolled, and no register has an index that the thread is in.
        self.write("pick.cu", """__global__ void pick(const float* x, float* o) {
    float acc[6];
    for (int k = 0; k < 6; ++k) acc[k] = x[threadIdx.x] * (k + 1);
    o[threadIdx.x] = acc[threadIdx.x % 6];
}
int main() {
    float *x, *o;
    cudaMalloc(&x, 512);
    cudaMalloc(&o, 512);
    cudaMemset(x, 0, 512);
    pick<<<1, 128>>>(x, o);
    cudaFree(x);
    cudaFree(o);
}
""")
        told = subprocess.run([WARPLENS, "explain", "pick.cu"], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("`acc[k]`: acc lies in local memory, which is in the device's memory: the index of "
                      "`acc[threadIdx.x % 6]` in line 4 depends on the thread", told)
        self.assertNotIn("#pragma unroll", told)
        # What printf takes lies there, too, and there is nothing to be done about it.
        self.write("hello.cu", """#include <cstdio>
__global__ void hello(int* a) {
    a[threadIdx.x] = 1;
    printf("hello from %d\\n", threadIdx.x);
}
int main() {
    int* a;
    cudaMalloc(&a, 256);
    hello<<<1, 64>>>(a);
    cudaFree(a);
}
""")
        self.check("hello.cu", 0)
        with open(os.path.join(self.folder, "look.cu"), encoding="utf-8") as file:
            program = file.read()
        for comment, code, rules in (("allow(local-memory) short", 1, []),
                                     ("local_sectors <= 511", 1, ["budget", "local-memory"])):
            self.write("look.cu", program.replace("& 31];", "& 31];  // warplens: " + comment))
            told = self.check("look.cu -D APART=0 -Wno-unwritten-memory", code)
            self.assertEqual(sorted(set(re.findall(r"^look.cu:6:.*\[([\w-]+)\]$", told, re.MULTILINE))), rules, told)

    def test_tells_with_a_baseline_of_arrays_that_take_more_within_a_factor_of_two(self):
        program = """__global__ void copy(const float* a, float* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}
int main() {
    float *a, *b;
    cudaMalloc(&a, 128 * N * 4);
    cudaMalloc(&b, 128 * N * 4);
    cudaMemset(a, 0, 128 * N * 4);
    copy<<<N, 64>>>(a, b);
    cudaFree(a);
    cudaFree(b);
}
"""
        self.write("copy.cu", program)
        self.write("baseline.json", self.check("copy.cu -D N=8 --json", 0))
        self.assertIn("nothing found", self.check("copy.cu -D N=32 --baseline baseline.json", 0))
        self.write("copy.cu", program.replace("a[i]", "a[i + 3]"))
        self.assertIn("nothing found", self.check("copy.cu -D N=8", 0))
        self.assertEqual(self.check("copy.cu -D N=8 --baseline baseline.json", 1),
                         "copy.cu:3:5: warning: a in copy: 80 sectors where 64 would do; in the baseline 64, as few as "
                         "would do; `a[i + 3]`: neighbouring lanes are neighbours in memory, but the first of them 12 "
                         "bytes past a multiple of 32 [more-than-baseline]\n1 program: 1 warning\n")
        told = subprocess.run([WARPLENS, "explain", "copy.cu", "-D", "N=8", "--no-remedies"], cwd=self.folder,
                              check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("breaks a rule of check on what it costs, and no branch diverges; below what a rule tells, "
                      "more than would do is taken here:\ncopy.cu:3: load of a in copy", told)
        self.assertIn("80 sectors where 64 would do", told)
        told = json.loads(self.check("copy.cu -D N=8 --baseline baseline.json --format sarif", 1))
        self.assertRegex(told["runs"][0]["results"][0]["partialFingerprints"]["warplens/v1"],
                         "^[0-9a-f]{16}$")
        self.check("copy.cu -D N=8 --baseline baseline.json -Wno-more-than-baseline", 0)
        # As well as before, but eight times; by atomics; from an array that a thread has for itself.
        for code, words in [
                ("for (int k = 0; k < 8; ++k) b[i] += a[(i + 32 * k) % (N * 64)];",
                 "a in copy: 512 sectors; in the baseline 64 for as many threads"),
                ("float t[4]; for (int k = 0; k < 4; ++k) t[k] = a[i]; b[i] = t[int(t[3]) & 3];",
                 "warning: 64 sectors of local memory, as compiled")]:
            self.write("copy.cu", program.replace("b[i] = a[i];", code))
            self.assertIn(words,
                          self.check("copy.cu -D N=8 --baseline baseline.json", 1))
        self.write("copy.cu", program.replace("a[i]", "a[4 * i / 3 + i / 32]"))
        told = self.check("copy.cu -D N=8 --baseline baseline.json", 1)
        self.assertEqual(told.count("warning:"), 1)

    def test_tells_with_a_baseline_what_exceeds_its_budget_by_more(self):
        self.write("step.cu", """#ifndef S
#define S 4
#endif
__global__ void put(float* a) {
    a[threadIdx.x * S] = 1;  // warplens: sectors_per_request <= 4
}
int main() {
    float* a;
    cudaMalloc(&a, 32 * 32 * 4);
    put<<<1, 32>>>(a);
    cudaFree(a);
}
""")
        self.write("baseline.json", self.check("step.cu -W no-uncoalesced-store --json", 1))
        self.assertIn("nothing found", self.check(
            "step.cu -W no-uncoalesced-store --baseline baseline.json", 0))
        self.assertIn("a: 32 sectors_per_request, and its comment allows 4, in the baseline 16",
                      self.check("step.cu -W no-uncoalesced-store -D S=32 --baseline baseline.json", 1))

    def test_finds_what_threads_of_several_elements_each_leave_at_the_end(self):
        program = """__global__ void twice(const float* x, float* y, int n) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) { y[i] += x[i]; y[i + 1] += x[i + 1]; }%s
}
int main() {
    static float f[1001];
    for (int i = 0; i < 1001; ++i) f[i] = i;
    float *x, *y;
    cudaMalloc(&x, sizeof f);
    cudaMalloc(&y, sizeof f);
    cudaMemcpy(x, f, sizeof f, cudaMemcpyHostToDevice);
    cudaMemset(y, 0, sizeof f);
    twice<<<4, 128>>>(x, y, 1001);
    cudaMemcpy(f, y, sizeof f, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
}
"""
        self.write("tail.cu", program % "")
        self.assertIn("tail.cu:3:32: warning: no thread reaches element 1000 of y, which has 1001: each takes 2 "
                      "side by side, and no more than 1 is left [not-reached]\n",
                      re.sub(r"3:\d+: warning: no", "3:32: warning: no", self.check("tail.cu", 1)))
        told = self.explained("tail.cu")
        self.assertRegex(told, r"remedy 1 for tail.cu:3, not-reached:\n  Let the thread whose group is not whole do "
                               r"what is left, one element after the other.\n  whole program: \d -> 0 findings")
        self.assertIn("    +    else if (i < n) y[i] += x[i];\n", told)
        # What costs is beside it, and keeps the fault.
        self.assertRegex(told, r"(?s)remedy 2 .*the same bytes as with the fault of line 3 \(not-reached\), which "
                               r"stays: mend that first")
        self.write("tail.cu", program % "\n    if (i + 1 == n) y[i] += x[i];")
        costs = " -Wno-divergent-branch -Wno-uncoalesced-load -Wno-uncoalesced-store"
        self.assertNotIn("[not-reached]", self.check("tail.cu" + costs, 0))

    def test_tells_arrays_for_members_with_the_sectors_of_the_lanes_that_take_part(self):
        program = """struct alignas(16) Body { float x, y, z, mass, vx, vy, vz, age, ax, ay, az, kind; };
__global__ void move(%s* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i %% 3 != 0) %s;
}
struct Wide { float4 a, b, c; };
__global__ void sum(const Wide* w, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float4 a = w[i].a; out[i] = a.x + a.y + a.z + a.w; }
}
int main() {
    const int n = 4000;
    %s* p;
    cudaMalloc(&p, 4000 * 48);
    cudaMemset(p, 0, 4000 * 48);
    move<<<(n + 127) / 128, 128>>>(p, n);
#ifdef WIDE
    Wide* w;
    float* out;
    cudaMalloc(&w, 4000 * 48);
    cudaMalloc(&out, 4000 * 4);
    cudaMemset(w, 0, 4000 * 48);
    sum<<<(n + 127) / 128, 128>>>(w, out, n);
    cudaFree(w);
    cudaFree(out);
#endif
    cudaFree(p);
}
"""
        def run(*words):
            return json.loads(subprocess.run([WARPLENS, *words, "--json"], cwd=self.folder, check=True,
                                             stdout=subprocess.PIPE, text=True).stdout)
        self.write("body.cu", program % ("Body", "p[i].x += p[i].vx", "Body"))
        told = [each for each in run("explain", "body.cu")["remedies"] if each["remedy"] == "structure-of-arrays"]
        self.assertEqual(len(told), 1, told)
        self.assertIn("Elements of lanes that take no part still lie between the others.", told[0]["words"])
        self.assertEqual(told[0]["words"], told[0]["words"].strip())
        self.write("apart.cu", program % ("float", "p[i] += p[4000 + i]", "float"))
        apart = sum(line.get("sectors", 0) for line in run("predict", "apart.cu")["launches"][0]["lines"]
                    if line["source"] == "predicted")
        self.assertEqual(told[0]["after"], apart)
        # What is taken as a vector already needs no word of it.
        wide = [each["words"] for each in run("explain", "body.cu:9", "-DWIDE")["remedies"]
                if each["remedy"] == "structure-of-arrays"]
        self.assertEqual(len(wide), 1)
        self.assertNotIn("Less work", wide[0])

    def test_explains_what_another_shape_of_the_block_gives_below_a_rule(self):
        self.write("box.cu", """__global__ void box(const float* in, float* out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x];
}
int main() {
    const int nx = 45, ny = 37, nz = 29;
    float *in, *out;
    cudaMalloc(&in, nx * ny * nz * 4);
    cudaMalloc(&out, nx * ny * nz * 4);
    cudaMemset(in, 0, nx * ny * nz * 4);
    dim3 block(X, 128 / X / Z, Z);
    box<<<dim3((nx + X - 1) / X, (ny + block.y - 1) / block.y, (nz + Z - 1) / Z), block>>>(in, out, nx, ny, nz);
}
""")
        def explained(*words):
            return subprocess.run([WARPLENS, "explain", "box.cu", *words], cwd=self.folder, check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
        told = explained("-DX=8", "-DZ=4")
        found = re.search(r"box.cu:5: \w+ takes ([\d,]+) sectors where ([\d,]+) would do, less than a rule tells: "
                          r"blockDim.x is 8, so that a warp has threads of 4 rows. With blocks of 32,4, and a grid "
                          r"that covers as many threads, the launch's ([\d,]+) sectors are ([\d,]+)\.\n", told)
        self.assertTrue(found, told)
        predicted = subprocess.run([WARPLENS, "predict", "box.cu", "-DX=8", "-DZ=4", "--block", "32,4", "--json"],
                                   cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True).stdout
        sectors = sum(line.get("sectors", 0) for line in json.loads(predicted)["launches"][0]["lines"]
                      if line["source"] == "predicted")
        self.assertEqual(int(found[4].replace(",", "")), sectors)
        self.assertLess(10 * sectors, 9 * int(found[3].replace(",", "")))
        self.assertNotIn("less than a rule tells", explained("-DX=32", "-DZ=1"))
        self.assertNotIn("less than a rule tells", explained("-DX=8", "-DZ=4", "--no-remedies"))

    def test_tells_what_the_shape_of_a_launch_leaves_without_work(self):
        self.write("shape.cu", """__global__ void step(float* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;  // warplens: sectors <= 1200
}
__global__ void energy(const float* p, float* e, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    e[i] = p[i];
}
__global__ void strides(float* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = 0;
    for (; i < n; i += gridDim.x * blockDim.x) p[i] += 1;
}
__global__ void alone(float* p, int n) {
    for (int i = 1; i < n; ++i) p[i] += p[i - 1];
}
__global__ void rest(float* p, int n) { p[n + threadIdx.x] = 1; }
__global__ void sum(const float* p, float* e) {
    int i = threadIdx.x;
    atomicAdd(e, 2 * p[i]);
}
int main() {
    const int n = 30000;
    float *p, *e;
    cudaMalloc(&p, n * 4);
    cudaMalloc(&e, n * 4);
    cudaMemset(p, 0, n * 4);
    step<<<(n + 48) / 49, 49>>>(p, n);
    step<<<(n + 127) / 128, 128>>>(p, n);
    energy<<<n / 128, 128>>>(p, e, n);
    strides<<<n / 128, 128>>>(p, n);
    sum<<<1, 64>>>(p, e);
    alone<<<1, 1>>>(p, 41);
    alone<<<1, 1>>>(p, 3);
    cudaFree(p);
    cudaFree(e);
}
""")
        told = self.check("shape.cu -W no-divergent-branch", 1)
        self.assertRegex(told, r"p: [345],\d{3} sectors, and its comment allows 1,200 \[budget\]")
        self.assertIn("shape.cu:7:1: warning: no thread has i = 29,952 to 29,999, though n is 30,000: the grid "
                      "has 29,952 threads, its number of blocks rounded down [not-reached]", told)
        self.assertEqual(told.count("[not-reached]"), 1)
        self.assertIn("note: shape.cu:29: step <<<613, 49>>>: 15 of the 64 lanes of each block never have a "
                      "thread, as it has 49 threads: the next whole number of warps is 64 threads\n", told)
        self.assertIn(" alone <<<1, 1>>>: 1 of the 32 lanes of a warp has a thread, and it takes 40 steps one "
                      "after the other\n", told)
        self.assertEqual(told.count("note: "), 2)
        predicted = subprocess.run([WARPLENS, "predict", "shape.cu"], cwd=self.folder, check=False,
                                   stdout=subprocess.PIPE, text=True).stdout
        explained = subprocess.run([WARPLENS, "explain", "shape.cu"], cwd=self.folder, check=False,
                                   stdout=subprocess.PIPE, text=True).stdout
        # By the atomic's own array, not by what is added.
        self.assertIn("sum <<<1, 64>>>", explained)
        self.assertNotIn("why: `p[i]`: up to", explained)
        for text in (predicted, explained):
            self.assertIn("15 of the 64 lanes", text)
        self.assertIn("+    energy<<<(n + 128 - 1) / 128, 128>>>(p, e, n);", explained)
        # What is left is another launch's, whose arguments say where it begins, or how much it is.
        with open(os.path.join(self.folder, "shape.cu"), encoding="utf-8") as file:
            text = file.read()
        for other in ("rest<<<1, 48>>>(e, n - 48);", "rest<<<1, 16>>>(e, 29952);"):
            self.write("both.cu", text.replace("    strides<<<", "    " + other + "\n    strides<<<"))
            self.assertNotIn("[not-reached]", self.check("both.cu", 1))

    def test_takes_no_guard_and_no_joined_atomic_for_a_fault(self):
        self.write("keep.cu", """__global__ void keep(const int* v, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] >= 3) {
        int at = atomicAdd(count, 1);
        out[at] = i;  // no more than there are
    }
}
int main() {
    int h[1000], *v, *out, *count;
    for (int i = 0; i < 1000; ++i) h[i] = i * i % 7;
    cudaMalloc(&v, 4000);
    cudaMalloc(&out, 4000);
    cudaMalloc(&count, 4);
    cudaMemset(count, 0, 4);
    cudaMemcpy(v, h, 4000, cudaMemcpyHostToDevice);
    keep<<<8, 128>>>(v, out, count, 1000);
    cudaFree(v);
    cudaFree(out);
    cudaFree(count);
}
""")
        self.check("keep.cu", 0)
        self.write("edge.cu", """__global__ void edge(float* a, int* count, int n, int m) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1) return;
    a[y * n + x] += 1;
    atomicAdd(count, 1);
}
__global__ void data(float* a, float* sum) {
    if (a[threadIdx.x] > 1) return;
    atomicAdd(sum, 1.0f);
}
int main() {
    static float h[1024];
    for (int i = 0; i < 1024; ++i) h[i] = i % 3;
    float *a, *sum;
    int* count;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&sum, 4);
    cudaMalloc(&count, 4);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(sum, 0, 4);
    cudaMemset(count, 0, 4);
    edge<<<dim3(2, 2), dim3(16, 16)>>>(a, count, 32, 32);
    data<<<2, 64>>>(a, sum);
    cudaFree(a);
    cudaFree(sum);
    cudaFree(count);
}
""")
        self.assertEqual([(one["line"], one["rule"]) for one in
                          json.loads(self.check("edge.cu --json", 1))["warnings"]],
                         [(9, "divergent-branch"), (10, "atomic-contention"), (10, "repeated-work")])

    def check_right(self, program):
        common = os.path.join(os.path.dirname(os.path.abspath(__file__)), "common.h")
        with open(common, encoding="utf-8") as file:
            self.write("right.cu", file.read() + program)
        self.check("right.cu", 0)

    def test_takes_no_constant_of_a_structure_and_no_end_of_a_librarys_object_for_a_fault(self):
        self.check_right(STRUCTURES)
        self.check_right(PIPELINE)

    def test_takes_value_and_flag_in_one_word_for_no_race(self):
        self.check_right(PACKED)

    def test_takes_no_store_that_data_keep_lanes_from_for_a_fault(self):
        for comes, body, rules in (
                ("in[i] > 4", "{ int at = atomicAdd(count, 1); out[at] = i; }", []),
                ("in[i] > 4", "out[i] = in[i];", []),
                ("in[i] == 4", "out[i] = 2 * in[i];", []),
                ("in[i] == 4", "out[2 * i] = in[i];", ["uncoalesced-store"]),
                ("i % 10 == 4", "out[i] = in[i];",
                 ["divergent-branch", "uncoalesced-load", "uncoalesced-store"]),
                ("in[i] > 4", "{ for (int k = 0; k < in[i]; ++k) out[k] = i; }",
                 ["divergent-branch"])):
            self.write("keep.cu", """__global__ void keep(const int* in, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (%s)
        %s
}
int main() {
    static int h[256];
    for (int i = 0; i < 256; ++i) h[i] = i * 7919 %% 10;
    int *in, *out, *count;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 2 * sizeof h);
    cudaMalloc(&count, 4);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, 4);
    keep<<<4, 64>>>(in, out, count);
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
}
""" % (comes, body))
            told = json.loads(self.check("keep.cu --json -W no-not-reached -W no-block-race",
                                         1 if rules else 0))
            self.assertEqual([one["rule"] for one in told["warnings"]
                              if one["line"] in (3, 4)
                              and one["rule"].startswith(("divergent-", "uncoalesced-"))], rules)

    def test_says_what_keeps_elements_without_a_value(self):
        text = """__global__ void transpose(const float* a, float* b, int rows, int cols) {
    int c = blockIdx.x * 16 + threadIdx.x;
    int r = blockIdx.y * 16 + threadIdx.y;
    int br = blockIdx.x * 16 + threadIdx.y;
    int bc = blockIdx.y * 16 + threadIdx.x;
    if (r < rows && c < cols)
        b[br * rows + bc] = a[bc * cols + br];
}
int main() {
    const int rows = 200, cols = 330;
    static float h[rows * cols];
    float *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    transpose<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(a, b, rows, cols);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
}
"""
        self.write("guard.cu", text)
        told = self.check("guard.cu", 1)
        self.assertRegex(told, r"guard.cu:6:1: warning: \d+ of the 66000 elements copied from b.* were never "
                               r"written.*; the grid has the threads, and the condition of this line keeps "
                               r"them out: it asks of c and r, which `b\[br \* rows \+ bc\]` is not made "
                               r"of \[not-reached\]")
        explained = subprocess.run([WARPLENS, "explain", "guard.cu"], cwd=self.folder, check=False,
                                   stdout=subprocess.PIPE, text=True).stdout
        self.assertNotIn("cover-the-problem", explained)
        self.assertIn("Let the condition ask of br and bc, which `b[br * rows + bc]` is made of, in place of "
                      "c and r.", explained)
        self.assertIn("+    if (br < cols && bc < rows)\n", explained)
        predicted = subprocess.run([WARPLENS, "predict", "guard.cu", "--json"], cwd=self.folder, check=False,
                                   stdout=subprocess.PIPE, text=True).stdout
        one = next(each for each in json.loads(predicted)["findings"] if each["kind"] == "not_reached")
        self.assertEqual((one["block"], one["thread"]), ([0, 12, 0], [0, 8, 0]))  # r = 200
        # A guard that is right, by the other axis of a square block: the grid is the cause.
        short = text.replace("(cols + 15) / 16, (rows + 15) / 16", "(rows + 15) / 16, (cols + 15) / 16")
        self.write("right.cu", short.replace("r < rows && c < cols", "bc < rows && br < cols"))
        explained = subprocess.run([WARPLENS, "explain", "right.cu"], cwd=self.folder, check=False,
                                   stdout=subprocess.PIPE, text=True).stdout
        self.assertRegex(explained, r"right.cu:17: .* copied from b.* never written.*; the grid ends at "
                                    r"br = 207 along x, though cols is 330 ")
        self.assertNotIn("keeps them out", explained)
        self.assertIn("Exchange the grid's two numbers of blocks: the first is along x.", explained)
        self.assertIn("+    transpose<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>", explained)
        self.write("tile.cu", short.replace("    if (r < rows", "    __shared__ float tile[16][17];\n    if (r < rows")
                   .replace("        b[br", "        tile[threadIdx.y][threadIdx.x] = a[r * cols + c];\n"
                            "    __syncthreads();\n    if (bc < rows && br < cols)\n        b[br")
                   .replace("= a[bc * cols + br]", "= tile[threadIdx.x][threadIdx.y]")
                   .replace("rows = 200, cols = 330", "rows = 150, cols = 420"))
        told = self.check("tile.cu", 1)
        self.assertRegex(told, r"tile.cu:8:\d+: warning: no thread reaches .* the grid ends at c = 159 along x, "
                               r"though cols is 420")
        self.assertRegex(told, r"never written.* the grid ends at br = 159 along x, though cols is 420")
        self.write("leaves.cu", short.replace("if (r < rows && c < cols)",
                                              "if (bc >= rows || br >= cols) return;"))
        self.assertIn("the grid ends at br = 207 along x, though cols is 330", self.check("leaves.cu", 1))
        swapped = text.replace("(cols + 15) / 16, (rows + 15) / 16", "(rows + 15) / 16, (cols + 15) / 16")
        self.write("axis.cu", swapped.replace("b[br * rows + bc] = a[bc * cols + br]",
                                              "b[c * rows + r] = a[r * cols + c]"))
        self.assertIn("the grid ends at c = 207 along x, though cols is 330", self.check("axis.cu", 1))

    def test_tells_as_a_note_who_would_meet_with_other_data(self):
        keys = "for (int i = 0; i < 256; ++i) host[i] = %s;"
        differing = BINS.replace(keys % "(i * 7 + i / 13) % 26", keys % "i * 37 % 256").replace("26", "256")
        differing = differing.replace("= 0;\n    local", "= 0;\n    __syncthreads();\n    local").replace(
            "+ 1;\n", "+ 1;\n    __syncthreads();\n")
        self.write("bins.cu", differing)
        told = self.check("bins.cu", 0)
        self.assertRegex(told, r"bins.cu:6:\d+: note: which threads meet in local\[keys\[threadIdx.x\]\] depends on "
                               r"the data: .* an atomic keeps it right with any \[meeting-by-data\]\n"
                               r"1 program: 1 note\n")
        self.assertIn("::notice file=bins.cu,line=6,", self.check("bins.cu --format github", 0))
        self.assertNotIn("<failure", self.check("bins.cu --format junit", 0))
        self.assertEqual(self.check("bins.cu -W no-meeting-by-data", 0), "1 program: nothing found\n")

    def test_names_the_cure_of_what_no_barrier_cures(self):
        self.write("sums.cu", """__global__ void sums(const int* in, int* out, int n) {
    __shared__ int s[32];
    int i = threadIdx.x;
    if (i < n) s[i] = in[i];
    __syncthreads();
    int v = s[i];
    s[i] = v + 1;
    if (i < n) out[i] = v + __shfl_down_sync(0xffffffff, v, 1);
}
int main() {
    int h[24] = {1, 2, 3}, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, 32>>>(in, out, 24);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
""")
        done = subprocess.run([WARPLENS, "explain", "sums.cu"], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, text=True)
        self.assertIn("for sums.cu:6, uninitialised-shared:\n  Give the memory a value", done.stdout)
        self.assertIn("for sums.cu:8, barrier-mismatch:\n  Let all lanes that the mask names come",
                      done.stdout)
        self.assertNotIn("Put a barrier", done.stdout)

    def test_tells_what_is_gone_with_another_finding_as_its_consequence(self):
        self.write("keep.cu", """__global__ void keep(const int* in, int* out, int* count) {
    __shared__ int mine, base;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    int v = in[blockIdx.x * blockDim.x + threadIdx.x], at = v > 3 ? atomicAdd(&mine, 1) : -1;
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(count, mine);
    if (at >= 0) out[base + at] = v;
}
int main() {
    int h[1024], *in, *out, *count;
    for (int i = 0; i < 1024; ++i) h[i] = i % 7;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&count, 4);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, 4);
    keep<<<8, 128>>>(in, out, count);
    cudaMemcpy(h, count, 4, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
}
""")
        told = self.explained("keep.cu")
        self.assertIn("[block-race]\n", told)
        self.assertIn(" Gone with this edit: race between blocks in line 8, uninitialised shared in line 8.\n", told)
        self.assertEqual(re.findall(r"^remedy.*", told, re.MULTILINE),
                         ["remedy 1 for keep.cu:7, keep.cu:8, shared-race, uninitialised-shared:"])

    def test_takes_the_index_of_a_pointer_into_dynamic_shared_memory_for_the_index(self):
        self.write("dynamic.cu", """__global__ void k(const float* in, float* out, int n) {
    extern __shared__ float room[];
    float* tile = room + 64;
    int t = threadIdx.x, part = t % 4;
    float factor = in[t], o[16] = {};
    for (int i = t; i < 1024; i += 32) tile[i] = in[i];
    __syncthreads();
    for (int c = 0; c < n; ++c)
        for (int i = 0; i < 16; ++i) o[i] = o[i] * factor + tile[c * 64 + part * 16 + i];
    for (int i = 0; i < 16; ++i) out[i * 32 + t] = o[i];
}
int main() {
    float *a, *o;
    cudaMalloc(&a, 4096);
    cudaMalloc(&o, 2048);
    cudaMemset(a, 0, 4096);
    k<<<1, 32, 4352>>>(a, o, 16);
    cudaFree(a);
    cudaFree(o);
}
""")
        said = self.check("dynamic.cu", 1)
        self.assertIn("16 words apart, but where `%` wraps", said)
        self.assertNotIn("depends on data", said)

    def test_gives_the_distance_of_lanes_that_an_index_wraps_and_of_those_that_take_part(self):
        self.write("lanes.cu", """#include <cuda_runtime.h>
__global__ void lanes(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(i * 17) % n];
    int p = i ^ 4;
    if (p > i)
        out[p] = 1;
    if (i % 8 == 3)
        out[i] = 2;
}
__global__ void scan(int* out) {
    __shared__ int s[512];
    int t = threadIdx.x, off = 512;
    s[2 * t] = s[2 * t + 1] = t;
    for (int d = 1; d < 512; d *= 2) {
        off >>= 1;
        __syncthreads();
        if (t < d)
            s[off * (2 * t + 1) - 1] += 1;
    }
    __syncthreads();
    out[t] = s[t];
}
__global__ void vectors(const int4* in, int4* out) {
    __shared__ int4 s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[(t * 2) & 127];
}
int main() {
    int *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    lanes<<<8, 128>>>(in, out, 1024);
    scan<<<1, 256>>>(out);
    vectors<<<1, 128>>>((int4*)in, (int4*)out);
    cudaFree(in);
    cudaFree(out);
}
""")
        reasons = {one["line"]: one["words"].split("; ")[-1] for one in
                   json.loads(self.check("lanes.cu --json", 1))["warnings"]}
        self.assertEqual(reasons[4], "`in[(i * 17) % n]`: neighbouring lanes are 68 bytes apart, "
                         "but where `%` wraps")
        self.assertIn("only 16 of 32 lanes take part", reasons[7])
        self.assertEqual(reasons[8],
                         "threads whose threadIdx.x % 8 is 3 go another way than the rest")
        self.assertIn("256, then 128, then 64 words apart", reasons[19])
        self.assertIn("in 16 of the 32 banks", reasons[29])

    def test_changes_no_order_that_counts(self):
        self.write("scan.cu", """constexpr int kItems = 4;
__global__ void scan(const int* in, int* out, int n) {
    const int base = (blockIdx.x * blockDim.x + threadIdx.x) * kItems;
    int item[kItems], total = 0;
    for (int i = 0; i < kItems; ++i) {
        item[i] = base + i < n ? in[base + i] : 0;
        total += item[i];
    }
    for (int i = 0; i < kItems; ++i) {
        total += item[i];
        if (base + i < n) out[base + i] = total;
    }
}
int main() {
    int *in, *out;
    cudaMalloc(&in, 4000);
    cudaMalloc(&out, 4000);
    cudaMemset(in, 0, 4000);
    scan<<<1, 256>>>(in, out, 1000);
    cudaFree(in);
    cudaFree(out);
}
""")
        words = [one["words"] for one in json.loads(subprocess.run(
            [WARPLENS, "explain", "--json", "scan.cu"], cwd=self.folder, check=True,
            stdout=subprocess.PIPE, text=True).stdout)["remedies"]]
        self.assertEqual(len(words), 2)
        for one in words:
            self.assertNotIn("Exchange", one)
            self.assertIn("4 of them at once, as one int4", one)
            self.assertIn("into shared memory", one)
        self.assertIn("those behind the first have them from L1", words[0])
        self.assertNotIn("L1", words[1])

    def test_explains_ways_callers_and_indices_that_the_compiler_does_not_know(self):
        self.write("ways.cu", """struct Half {
    short bits;
    __device__ Half() {}
    __device__ Half(const Half& other) : bits(other.bits) {}
};
struct Cell { Half a, b, c, d; };
struct View { const float* p; int pitch; __device__ float at(int i, int j) const { return p[i * pitch + j]; } };
__global__ void ways(float* a, View v, const Cell* cells, int n, int step) {
    int t = threadIdx.x;
    float w[16], s = a[t];
    if (t < 8) s += 1; else if (t < 16) s *= 2; else if (t < 24) s -= 3; else s /= 4;
    for (int j = 0; j < n; ++j) s += v.at(t, j);
    Cell cell = cells[t];
    for (int j = 0; j < n; ++j) w[j] = s * j;
    for (int j = 0; j < n; ++j) s += w[n - 1 - j];
    if (t * step % 32 < 8) s += cell.a.bits + cell.d.bits;
    a[t] = sinf(1e6f + s);
}
int main() {
    float* a;
    Cell* cells;
    cudaMalloc(&a, 8192);
    cudaMalloc(&cells, 256);
    cudaMemset(a, 0, 8192);
    cudaMemset(cells, 0, 256);
    for (int step = 1; step < 4; ++step) ways<<<2, 32>>>(a, View{a, 64}, cells, 12, step);
    cudaFree(a);
    cudaFree(cells);
}
""")
        def told(subject):
            return subprocess.run([WARPLENS, "explain", "--no-remedies", subject], cwd=self.folder,
                                  check=True, stdout=subprocess.PIPE, text=True).stdout
        text = told("ways.cu:11") + told("ways.cu")
        for words in ("lanes 0 to 7, lanes 8 to 15, lanes 16 to 23 and lanes 24 to 31 of a warp go ways",
                      "`p[i * pitch + j]`, called in line 12: neighbouring lanes are 256 bytes apart, "
                      "because threadIdx.x is multiplied by pitch",
                      "ways.cu:13: load of cells", "`sinf` has an array at indices",
                      "`w[n - 1 - j]`: w lies in local memory, which is in the device's memory: how often "
                      "the loop over j in line "):
            self.assertIn(words, text)
        self.assertNotIn("ways.cu:6:", text)
        self.assertNotIn("it only keeps threads out", told("ways.cu:16"))
        self.assertIn("ways.cu:16: branch in ways <<<2, 32>>>, in", told("ways.cu:16"))

    def test_names_members_called_functions_and_what_compiled_code_has_already(self):
        self.write("members.cu", """struct Particle { float x, y, z, vx, vy, vz; };
__global__ void energy(const Particle* p, const float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    float e = p[i].x + p[i].y * p[i].vz;
    float first = a[8 * i] * 2;
    float again = a[8 * i] + 1;
    out[i] = e + first + again + sinf(a[8 * i + 1]);
}
int main() {
    Particle* p;
    float *a, *out, host[1024];
    for (int i = 0; i < 1024; ++i) host[i] = i * 1000.0f;
    cudaMalloc(&p, 128 * sizeof(Particle));
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(p, 0, 128 * sizeof(Particle));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    energy<<<3, 64>>>(p, a, out, 128);
    cudaFree(p);
    cudaFree(a);
    cudaFree(out);
}
""")
        def told(*arguments):
            return subprocess.run([WARPLENS, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                  text=True).stdout
        errors = told("check", "members.cu")
        for words in (":5:5: error: load from p[128].x, which has 128 elements",
                      ":6:5: error: load from a[1024], which has 1024 elements",
                      ":8:5: error: load from a[1025], which has 1024 elements",
                      ":8:5: error: store to out[128], which has 128 elements"):
            self.assertIn(words, errors)
        text = told("explain", "members.cu", "--no-remedies")
        for words in ("address in bytes of p[i].", "as compiled: no request: what line 6 loads is still",
                      "why: `sinf` goes another way", "`sinf` has an array at indices"):
            self.assertIn(words, text)
        compiled = told("explain", "members.cu", "--no-remedies", "--source", "compiled")
        for words in ("members.cu:6: load of a in energy", "because threadIdx.x is multiplied by 8"):
            self.assertIn(words, compiled)

    def test_explains_a_line_of_a_header_and_what_a_line_calls(self):
        self.write("include/cell.cuh", """#pragma once
struct Cell {
    float t, k, r, s;
    __device__ void heat() { t += k; }
};
""")
        self.write("main.cu", """#include "cell.cuh"
__global__ void step(Cell* cells) { cells[threadIdx.x].heat(); }
int main() {
    Cell* cells;
    cudaMalloc(&cells, 64 * sizeof(Cell));
    cudaMemset(cells, 0, 64 * sizeof(Cell));
    step<<<1, 64>>>(cells);
    cudaFree(cells);
}
""")
        for words in ("include/cell.cuh:4 main.cu", "cell.cuh:4 main.cu", "main.cu:2"):
            done = subprocess.run([WARPLENS, "explain", *words.split(), "-I", "include"],
                                  cwd=self.folder, check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            if words.startswith("cell"):
                self.assertEqual(done.returncode, 2)
                self.assertIn("cell.cuh:4", done.stderr)
                continue
            self.assertIn("include/cell.cuh:4: store of cells in step", done.stdout, words)
            if words.startswith("include"):
                self.assertIn("remedy 1 for include/cell.cuh:4, uncoalesced-load, uncoalesced-store:\n"
                              "  An array for each member", done.stdout)
        annotated = subprocess.run(
            [WARPLENS, "annotate", "include/cell.cuh", "main.cu", "-I", "include"],
            cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertRegex(annotated, r"\n4 .*t \+= k.*\n=  96 sectors \(24 at best\)")

    def test_explains_several_lines_and_offers_what_cures_another_one_of_the_fault(self):
        self.write("blur.cu", """template <typename T> struct View {
    T* data; int w, h;
    __device__ T& at(int x, int y) const { return data[y * w + x]; }
};
__global__ void blur(View<const float> in, View<float> out) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.w || y >= out.h) return;
    float sum = 0;
    for (int d = -2; d <= 2; ++d) {
        const int xx = min(max(x + d, 0), in.w - 1);
        sum += in.at(xx, y);
    }
    out.at(x, y) = sum;
}
int main() {
    const int w = 192, h = 96;
    static float picture[w * h];
    for (int i = 0; i < w * h; ++i) picture[i] = i % 17;
    float *in, *out;
    cudaMalloc(&in, w * h * sizeof(float));
    cudaMalloc(&out, w * h * sizeof(float));
    cudaMemcpy(in, picture, w * h * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(32, 8), grid((h + 31) / 32, (w + 7) / 8);
    blur<<<grid, block>>>({in, w, h}, {out, w, h});
    cudaMemcpy(picture, out, w * h * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
""")
        for words in ("blur.cu:12 blur.cu:14", "blur.cu:12", "blur.cu:14"):
            done = subprocess.run([WARPLENS, "explain", *words.split()], cwd=self.folder,
                                  check=False, stdout=subprocess.PIPE, text=True)
            self.assertIn("Exchange threadIdx.x and threadIdx.y", done.stdout, words)
            for line in words.split():
                self.assertIn(line + ": ", done.stdout)
                self.assertRegex(done.stdout, "remedy 1 for [^:]*" + ".*" + line)

    def test_names_what_is_the_cause_where_it_stands_elsewhere(self):
        self.write("early.cu", """#include <cuda_runtime.h>
__global__ void add(const float* x, float* y, int n) {
    __shared__ float xs[128];
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    xs[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 128; ++k) sum += xs[k];
    y[r] = sum;
}
__global__ void fold(const float* x, float* y) {
    float sum = x[threadIdx.x];
    sum += __shfl_down_sync(0xffffffff, sum, 16);
    y[threadIdx.x] = sum;
}
__global__ void kinds(const int* kind, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (kind[i] % 2 == 0) {
        for (int k = 0; k < 9; ++k) y[i] = sqrtf(y[i] + k);
    } else {
        for (int k = 0; k < 9; ++k) y[i] = cosf(y[i] + k);
    }
}
int main() {
    static float numbers[512];
    static int kind[512];
    for (int i = 0; i < 512; ++i) numbers[i] = kind[i] = i;
    float *x, *y;
    int* k;
    cudaMalloc(&x, sizeof numbers);
    cudaMalloc(&y, sizeof numbers);
    cudaMalloc(&k, sizeof kind);
    cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(y, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(k, kind, sizeof kind, cudaMemcpyHostToDevice);
    add<<<3, 128>>>(x, y, 300);
    fold<<<1, 100>>>(x, y);
    kinds<<<2, 256>>>(k, y);
    cudaMemcpy(numbers, y, sizeof numbers, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    cudaFree(k);
}
""")
        told = self.explained("early.cu")
        self.assertRegex(told, r"early.cu:9: .*; threads that leave at the return in line 5 give")
        self.assertIn("Let threads beyond the end stay: 0 in place of what they would load", told)
        self.assertNotIn("leave out elements that have no value", told)
        self.assertIn("A block of 100 threads has 4 lanes in its last warp", told)
        self.assertIn("`kind[i] % 2 == 0` depends on data; here threads whose threadIdx.x", told)

    def test_says_that_nothing_was_launched(self):
        self.write("idle.cu", """#include <cstdio>
__global__ void set(int* a) { a[threadIdx.x] = 1; }
int main(int count, char**) {
    if (count < 2) return puts("usage: idle N"), 0;
    int* a;
    cudaMalloc(&a, 256);
    set<<<1, 64>>>(a);
    cudaFree(a);
}
""")
        told = self.check("idle.cu", 1)
        self.assertRegex(told, r"^idle.cu: warning: no kernel was launched, .*\[nothing-launched\]\n")
        self.assertIn("nothing found", self.check("idle.cu -Wno-nothing-launched", 0))
        self.assertIn("nothing found", self.check("idle.cu -- 3", 0))
        self.assertEqual(self.explained("idle.cu", code=0),
                         "warplens: idle.cu: no kernel was launched, so that no line has a cost; "
                         "what it is to be called with goes after --\n")

    def test_tells_first_at_each_line_what_makes_it_best(self):
        self.write("batch.cu", """#include <cuda_runtime.h>
__global__ void multiply(const float* A, const float* B, float* C) {
    __shared__ float a[32][32], b[32][32];
    int r = threadIdx.x, c = threadIdx.y;
    a[r][c] = A[r * 32 + c];
    b[r][c] = B[r * 32 + c];
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 32; ++k) s += a[r][k] * b[k][c];
    C[r * 32 + c] = s;
}
int main() {
    static float numbers[1024];
    for (int i = 0; i < 1024; ++i) numbers[i] = i % 13;
    float *a, *b, *c;
    cudaMalloc(&a, sizeof numbers);
    cudaMalloc(&b, sizeof numbers);
    cudaMalloc(&c, sizeof numbers);
    cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(b, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    multiply<<<1, dim3(32, 32)>>>(a, b, c);
    cudaMemcpy(numbers, c, sizeof numbers, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
""")
        for line, units in (("", "sectors and .* wavefronts"), (":9", "wavefronts and .* sectors")):
            told = self.explained("batch.cu" + line)
            first = told.split("remedy 1 for", 1)[1].split("remedy 2 for")[0]
            self.assertIn("batch.cu:9", first)
            self.assertIn("Exchange threadIdx.x and threadIdx.y", first)
            self.assertRegex(first, "whole program: .* -> .* " + units + ", results: the same bytes")

    def test_tells_first_what_could_save_most_where_nothing_is_proved(self):
        self.write("alike.cu", """#include <cuda_runtime.h>
__global__ void scale(const float* in, float* out) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * 64 + col] = 2 * in[row * 64 + col];
}
int main() {
    static float ones[64 * 64];
    for (float& one : ones) one = 1;
    float *in, *out;
    cudaMalloc(&in, sizeof ones);
    cudaMalloc(&out, sizeof ones);
    cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice);
    scale<<<dim3(2, 8), dim3(32, 8)>>>(in, out);
    cudaMemcpy(ones, out, sizeof ones, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
""")
        told = self.explained("alike.cu")
        self.assertIn("all its results are the same value", told)
        self.assertLess(told.index("Exchange threadIdx.x"), told.index("Bring a tile"))

    def test_says_the_same_in_every_format_and_each_time(self):
        self.write("kernels/sum.cu", PROGRAM % ("", ""))
        self.write("kernels/right.cu", PROGRAM.replace("row * width + x", "x * 128 + row") %
                   ("", ""))
        for form in ("text", "sarif", "junit", "github", "json"):
            told = self.check("kernels --format " + form, 1)
            self.assertEqual(told, self.check("kernels --format " + form, 1))
            if form == "sarif":
                run = json.loads(told)["runs"][0]
                self.assertEqual([rule["id"] for rule in run["tool"]["driver"]["rules"]][0],
                                 "uncoalesced-load")
                self.assertEqual(len(run["results"]), 1)
                place = run["results"][0]["locations"][0]["physicalLocation"]
                self.assertEqual(place, {"artifactLocation": {"uri": "kernels/sum.cu",
                                                              "uriBaseId": "%SRCROOT%"},
                                         "region": {"startLine": 6, "startColumn": 9}})
            if form == "junit":
                suites = xml.etree.ElementTree.fromstring(told)
                self.assertEqual([(one.get("name"), one.get("tests"), one.get("failures"))
                                  for one in suites],
                                 [("kernels/right.cu", "1", "0"), ("kernels/sum.cu", "1", "1")])
            if form == "github":
                self.assertTrue(told.startswith(
                    "::warning file=kernels/sum.cu,line=6,col=9,title=uncoalesced-load::picture"))

    def test_an_edit_after_which_the_program_still_fails_is_no_cure(self):
        halo = """#include <cstdio>
__global__ void blur(const int* in, int* out) {
    __shared__ int win[66];
    int i = blockIdx.x * 64 + threadIdx.x;
    win[threadIdx.x + 1] = in[i + 1];
    if (threadIdx.x == 0) win[0] = in[i];
    __syncthreads();
    out[i] = win[threadIdx.x] + win[threadIdx.x + 1] + win[threadIdx.x + 2];
}
int main() {
    int h[130], got[128], *a, *b, wrong = 0;
    for (int i = 0; i < 130; ++i) h[i] = i;
    cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof got);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    blur<<<2, 64>>>(a, b);
    cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i) wrong += got[i] != 3 * i + 3;
    printf("%d wrong\\n", wrong);
    cudaFree(a), cudaFree(b);
    return wrong != 0;
}
"""
        self.write("halo.cu", halo)
        told = self.explained("halo.cu")
        self.assertIn("  Load what is left out, too, as line 5 and line 6 load the others: no line "
                      "stores to win[65]. Zeroes would be no more than other wrong values.\n"
                      "  No edit was found for it: do it by hand.\n", told)
        self.assertTrue(told.endswith("halo.cu: the program returned 1; its last line: 2 wrong\n"),
                        told)

    def test_numbers_the_lines_of_what_is_told_then_as_the_file_has_them(self):
        self.write("turns.cu", """__global__ void turn(const int* in, int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int h[64], *in, *out;
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    turn<<<1, 64>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    return h[0] != 63;
}
""")
        told = self.explained("turns.cu")
        self.assertIn("+    __syncthreads();\n", told)
        self.assertIn(" Told then: never freed in line 9, never freed in line 10.\n", told)
        self.assertIn("; the program ends with 0 then, no longer with 1\n", told)

    def test_says_what_may_be_why_of_a_program_that_fails_by_its_own_word(self):
        self.write("sum.cu", """__global__ void sum(const int* in, int* out) {
    __shared__ int s[96];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = 48; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}
int main(int count, char**) {
    int h[96], *in, *out;
    for (int i = 0; i < 96; ++i) h[i] = 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 4);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 96>>>(in, out);
    cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return count == 1 && *h != 96;
}
""")
        told = self.explained("sum.cu")
        self.assertIn("sum.cu:6: shared s[2] is stored here and not read after that, though others "
                      "of s are, in line 9 [may-be-why]\n", told)
        self.assertNotIn("no advice is known", told)
        # Of one that does not say so it is none.
        self.assertNotIn("may-be-why", self.explained("sum.cu", "--", "right"))

    def test_places_all_that_it_tells_and_no_leak_of_what_ended_by_an_error(self):
        self.write("leak.cu", """#include <cstdlib>
__global__ void set(int* a) { a[threadIdx.x] = 1; }
int main(int count, char** words) {
    int* a;
    cudaMalloc(&a, 256);
    if (count > 1) exit(1);
    set<<<1, 64>>>(a);
}
""")
        for options in ("", " -O 2"):  # which makes cudaMalloc a part of main
            self.assertEqual(self.check("leak.cu" + options, 1),
                             "leak.cu:5:5: warning: a (256 bytes) is never freed [never-freed]\n"
                             "1 program: 1 warning\n")
        words = "the program returned 1"
        self.assertEqual(self.check("leak.cu -- 1", 1),
                         "leak.cu: error: " + words + " [failed-program]\n1 program: 1 error\n")
        self.assertEqual(self.check("leak.cu --format github -- 1", 1),
                         "::error file=leak.cu,line=1,title=failed-program::" + words + "\n")
        result = json.loads(self.check("leak.cu --format sarif -- 1", 1))["runs"][0]["results"][0]
        self.assertEqual(result["locations"][0]["physicalLocation"],
                         {"artifactLocation": {"uri": "leak.cu", "uriBaseId": "%SRCROOT%"},
                          "region": {"startLine": 1}})

    def test_places_what_make_builds_below_the_folder_and_names_who_calls_a_header(self):
        self.write("include dir/vec.cuh", """#pragma once
__device__ inline float scaled(const float* v, int i) { return v[i] * 2; }
__device__ inline float twice(const float* v, int i) { return scaled(v, i) + 1; }
""")
        for name, calls in (("saxpy", "scaled"), ("other", "twice")):
            self.write(f"src/{name}.cu", f"""#include "vec.cuh"
__global__ void {name}(const float* x, float* y, int n) {{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n) y[blockIdx.x * blockDim.x + threadIdx.x] = {calls}(x, i);
}}
int main() {{
    float *x, *y;
    cudaMalloc(&x, 20480);
    cudaMalloc(&y, 20480);
    cudaMemset(x, 0, 20480);
    {name}<<<20, 256>>>(x, y, 5120);
    cudaFree(x);
    cudaFree(y);
}}
""")
        self.write("Makefile", 'all:\n\tnvcc "-Iinclude dir" -o saxpy src/saxpy.cu\n'
                   '\tnvcc "-Iinclude dir" -o other src/other.cu\n')
        cost = "x: 5,120 sectors where 640 would do; `v[i]`"
        apart = "neighbouring lanes are 80 bytes apart, "
        by_grid = "because threadIdx.x is multiplied by gridDim.x [uncoalesced-load]"
        for folder in ("", self.folder + "/"):
            told = self.check(f"{folder}src/saxpy.cu {folder}src/other.cu --build make", 1)
            self.assertIn(f"include dir/vec.cuh:2:38: warning: saxpy: {cost}, called in "
                          f"src/saxpy.cu:4: {apart}{by_grid}\n", told)
            self.assertIn(f"include dir/vec.cuh:2:38: warning: other in src/other.cu: {cost}: "
                          f"{apart}", told)
            self.assertNotIn(self.folder, told)
        sarif = json.loads(self.check("src/saxpy.cu --build make --format sarif", 1))
        self.assertEqual(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
                         ["artifactLocation"],
                         {"uri": "include%20dir/vec.cuh", "uriBaseId": "%SRCROOT%"})
        for form in ("github", "json"):
            self.assertNotIn(self.folder,
                             self.check("src/saxpy.cu --build make --format " + form, 1))
        # Outside of the working folder it is whole.
        os.makedirs(os.path.join(self.folder, "ci"))
        outside = subprocess.run([WARPLENS, "check", self.folder + "/src/saxpy.cu", "--format",
                                  "sarif", "-I", self.folder + "/include dir"],
                                 cwd=self.folder + "/ci", check=False, stdout=subprocess.PIPE)
        self.assertEqual(json.loads(outside.stdout)["runs"][0]["results"][0]["locations"][0]
                         ["physicalLocation"]["artifactLocation"],
                         {"uri": "file://" + self.folder + "/include%20dir/vec.cuh"})

    def test_says_of_what_does_not_compile_what_the_compiler_says(self):
        self.write("sum.cu", "__global__ void k() { nothing; }\n")
        self.write("other.cu", PROGRAM % ("", ""))
        told = self.check("sum.cu other.cu", 1)
        self.assertIn('sum.cu:1: error: identifier "nothing" is undefined [failed-program]\n', told)
        self.assertIn("other.cu:6:9: warning: ", told)
        # All of them, to a limit.
        self.write("sum.cu", "".join(f"__global__ void k{i}() {{ n{i}; }}\n" for i in range(23)))
        told = self.check("sum.cu", 1)
        for line in range(1, 21):
            self.assertIn(f'sum.cu:{line}: error: identifier "n{line - 1}" is undefined [', told)
        self.assertIn("sum.cu: error: and 3 more errors [failed-program]\n"
                      "1 program: 21 errors\n", told)


class Regressions(InFolder):
    """regressions.txt as a repository."""

    def test_are_found_with_a_baseline_and_nothing_else_is(self):
        here = os.path.join(SOURCE, "tests", "remedies")
        with open(os.path.join(here, "regressions.txt"), encoding="utf-8") as file:
            parts = re.split(r"^=== (.*)\n", file.read(), flags=re.MULTILINE)[1:]
        with open(os.path.join(here, "common.h"), encoding="utf-8") as file:
            self.write("kernels/common.h", file.read())
        expected = {}
        for head, text in zip(parts[::2], parts[1::2]):
            name, rules = (field.strip() for field in head.split("|"))
            expected["kernels/" + name] = set(rules.split())
            self.assertIn("// regression:", text, name)
            self.write("kernels/" + name, '#include "common.h"\n' +
                       re.sub(r" *// regression:.*", "", text))
        self.assertEqual(len(expected), 10)
        self.write("baseline.json", self.check("kernels --json", 0))
        self.assertEqual(self.check("kernels --baseline baseline.json", 0),
                         "10 programs: nothing found\n")
        for head, text in zip(parts[::2], parts[1::2]):
            self.write("kernels/" + head.split("|")[0].strip(), '#include "common.h"\n' +
                       re.sub(r"^( *).*// regression: ?(.*)", r"\1\2", text, flags=re.MULTILINE))
        told = self.check("kernels --baseline baseline.json --json", 1)
        found = {}
        for one in json.loads(told)["warnings"]:
            found.setdefault(one["program"], set()).add(one["rule"])
        self.assertEqual(found, expected, self.check("kernels --baseline baseline.json", 1))
        self.assertEqual(told, self.check("kernels --baseline baseline.json --json", 1))


class Documentation(InFolder):
    """docs/check.md: its table of rules, and its examples as they are written."""

    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "docs", "check.md"), encoding="utf-8") as file:
            self.text = file.read()
        os.symlink(WARPLENS, os.path.join(self.folder, "warplens"))
        self.write("src/sum.cu", PROGRAM % ("", ""))
        self.path = self.folder + ":" + os.environ["PATH"]

    def example(self, heading, language):
        part = self.text.split(f"### {heading}\n")[1]
        return re.search(rf"```{language}\n(.*?)```", part, re.DOTALL).group(1)

    def run_in_folder(self, script):
        return subprocess.run(["bash", "-ec", script], cwd=self.folder, check=False,
                              env=dict(os.environ, PATH=self.path), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def keep_baseline(self):
        self.write("baseline.json", self.check("src/sum.cu --json", 1))

    def add_regression(self):
        self.write("src/sum.cu", (PROGRAM % ("", "")).replace("    cudaFree(sums);\n", ""))

    def test_has_every_rule(self):
        self.assertIn(self.check("--rules", 0), self.text)

    def test_workflow_checks(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        steps = yaml.safe_load(self.example("GitHub Actions", "yaml"))["jobs"]["check"]["steps"]
        step = next(step for step in steps if step.get("name") == "Check")["run"]
        self.keep_baseline()
        self.assertEqual(self.run_in_folder(step).returncode, 0)
        self.add_regression()
        done = self.run_in_folder(step)
        self.assertEqual(done.returncode, 1)
        self.assertIn("::warning file=src/sum.cu,line=12,col=5,title=never-freed::", done.stdout)

    def test_hook_checks(self):
        entry = re.search(r"entry: (.*)", self.example("pre-commit", "yaml")).group(1)
        self.keep_baseline()
        self.assertEqual(self.run_in_folder(entry + " src/sum.cu").returncode, 0)
        self.add_regression()
        self.assertEqual(self.run_in_folder(entry + " src/sum.cu").returncode, 1)

    def test_ctest_checks(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\n"
                   "project(kernels NONE)\nenable_testing()\n" + self.example("CTest", "cmake"))
        build = "cmake -S . -B build > log && ctest --test-dir build"
        self.assertIn("0% tests passed", self.run_in_folder(build).stdout)
        self.write("src/sum.cu", (PROGRAM % ("", "")).replace("row * width + x", "x * 128 + row"))
        self.assertIn("100% tests passed", self.run_in_folder(build).stdout)

    def test_pytest_checks(self):
        try:
            import pytest  # noqa: F401
        except ImportError:
            self.skipTest("python3-pytest is not installed")
        self.write("test_memory.py", self.example("pytest", "python"))
        self.keep_baseline()
        run = f"'{sys.executable}' -m pytest -q test_memory.py"
        self.assertIn("1 passed", self.run_in_folder(run).stdout)
        self.add_regression()
        self.assertIn("1 failed", self.run_in_folder(run).stdout)


if __name__ == "__main__":
    os.environ.setdefault("XDG_CACHE_HOME", os.path.join(tempfile.gettempdir(),
                                                         f"warplens-check-{os.getuid()}"))
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
