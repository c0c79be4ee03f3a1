// Every kernel body, in the order of KernelId. Included once by each dialect (plain.cuh, probe.cuh,
// trace_dialect.h), which says what KERNEL, ARRAY and BRANCH mean there.
#include "kernels/bodies/warp_rank.inl"
#include "kernels/bodies/matrix_add.inl"
#include "kernels/bodies/matrix_multiply.inl"
#include "kernels/bodies/branches.inl"
#include "kernels/bodies/copies.inl"
