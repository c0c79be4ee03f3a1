#!/bin/sh
# Makes the .ptx files here: clang's by clang 14 (Debian 12), optimised and not, Triton's by what `pip install triton` brings.
set -e
cd "$(dirname "$0")"
for name in sums bins bodies; do
    for level in 0 2; do
        clang++-14 -x cuda --cuda-device-only -S -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature \
            -Xclang +ptx70 -O$level clang_$name.cu -o clang_$name.O$level.ptx
    done
done
python3 triton_kernels.py
