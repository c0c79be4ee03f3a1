// Every kernel body. Included once by each dialect (plain_dialect.cuh, probe_dialect.cuh,
// trace_dialect.h), which says what these words mean there:
//   KERNEL, ARRAY(T)               a kernel; a pointer to global memory
//   BRANCH(name, condition)        an if's condition, named
//   WHILE(name, condition)         a loop whose number of rounds may differ between lanes, named
//   ROUND(variable)                a loop begins a round, with this value of its variable
//   ARRIVED(value)                 what the round asked memory for is there
//   SHARED_1D(T, name, count), SHARED_2D(T, name, rows, columns)
//                                  an array in static shared memory
//   DYNAMIC_SHARED(T, name)        the launch's dynamic shared memory
//   SHARED_PART(T, name, of, at)   the part of it that begins at element `at`
#include "kernels/bodies/branches.inl"
#include "kernels/bodies/copies.inl"
#include "kernels/bodies/layouts.inl"
#include "kernels/bodies/matrix_add.inl"
#include "kernels/bodies/matrix_multiply.inl"
#include "kernels/bodies/memory_spaces.inl"
#include "kernels/bodies/reductions.inl"
#include "kernels/bodies/scheduling.inl"
#include "kernels/bodies/transposes.inl"
#include "kernels/bodies/warp_rank.inl"
