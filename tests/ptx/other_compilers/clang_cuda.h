#pragma once
// What the CUDA headers would bring, as far as it is used here: clang takes no toolkit later than
// its own.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define threadX __nvvm_read_ptx_sreg_tid_x()
#define blockX __nvvm_read_ptx_sreg_ctaid_x()
#define threadsX __nvvm_read_ptx_sreg_ntid_x()
