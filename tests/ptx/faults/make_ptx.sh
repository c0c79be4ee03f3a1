#!/bin/sh
# Makes kernels.ptx of kernels.cu: nvcc of CUDA 13.0, without debug sections and with paths from here.
set -e
cd "$(dirname "$0")"
nvcc -G -ptx -arch=sm_90 kernels.cu -o kernels.ptx
sed -i -e "/^\t\.section/,\$d" -e "s|\"$PWD/|\"|" -e "s|\"[^\"]*/include/|\"/usr/local/cuda/include/|" kernels.ptx
