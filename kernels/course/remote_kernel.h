#pragma once

namespace warplens::course {

/// From now on kernels of a course (core/kernel/kernel.h) are compiled and run in children.
void runKernelsInChildren();

}  // namespace warplens::course
