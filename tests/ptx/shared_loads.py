#!/usr/bin/env python3
"""shared_loads.py > shared_loads_h100.txt: how many wavefronts a GPU's counters (ncu) see of loads of 8 and 16 bytes a
lane from shared memory, for random lanes at random places. A row: bytes, active lanes in hexadecimal, the place of each
lane in units of its bytes, wavefronts."""
import csv
import pathlib
import random
import subprocess
import tempfile

SOURCE = """
#include <cstdio>
__global__ void load(const unsigned* request, unsigned* out, unsigned bytes) {
    __shared__ __align__(16) char s[2048];
    const unsigned at = (unsigned)__cvta_generic_to_shared(s) + request[1 + threadIdx.x] * bytes;
    unsigned x = 0, y = 0, z = 0, w = 0;
    if (request[0] >> threadIdx.x & 1) {
        if (bytes == 8) asm volatile("ld.shared.v2.u32 {%0,%1},[%2];" : "=r"(x), "=r"(y) : "r"(at));
        if (bytes == 16)
            asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
    }
    if (x + y + z + w == 12345) *out = 1;
}
const unsigned requests[][33] = {REQUESTS};
int main() {
    unsigned *device, *out;
    cudaMalloc(&device, sizeof requests);
    cudaMalloc(&out, 4);
    cudaMemcpy(device, requests, sizeof requests, cudaMemcpyHostToDevice);
    for (unsigned bytes : {8u, 16u})
        for (unsigned i = 0; i < sizeof requests / sizeof *requests; ++i) load<<<1, 32>>>(device + 33 * i, out, bytes);
    return cudaDeviceSynchronize();
}
"""
COUNTER = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"


def requests_of(count):
    random.seed(7)
    for kind in range(count):
        spread = random.choice([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128])
        at = [random.randrange(spread) for _ in range(32)]
        place = [lambda l: at[l], lambda l: at[l >> 1], lambda l: at[l >> 2], lambda l: at[l & ~2], lambda l: at[l & 7],
                 lambda l: l * spread % 128, lambda l: at[l >> 3] + l % 2, lambda l: at[l & 15]][kind % 8]
        active = random.choice([0xffffffff] * 3 + [random.getrandbits(32) | 1,
                                                   random.getrandbits(32) & random.getrandbits(32) | 1,
                                                   0xffff, 0xff00ff, 0x55555555])
        yield active, [place(lane) for lane in range(32)]


def main():
    requests = list(requests_of(72))
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "load.cu"), pathlib.Path(folder, "load")
        rows = (",".join(map(str, [active, *places])) for active, places in requests)
        source.write_text(SOURCE.replace("REQUESTS", ",".join("{" + row + "}" for row in rows)))
        subprocess.run(["nvcc", "-arch=native", source, "-o", program], check=True)
        table = subprocess.run(["ncu", "--csv", "--metrics", COUNTER, program], check=True, capture_output=True, text=True)
    counts = [row[-1] for row in csv.reader(table.stdout.splitlines()) if row and row[0].isdigit()]
    for at, count in enumerate(counts):
        active, places = requests[at % len(requests)]
        print(8 if at < len(requests) else 16, f"{active:08x}", *places, count)


if __name__ == "__main__":
    main()
