#pragma once

#include <gtest/gtest.h>

#include "kernels/measure/device/device_query.h"
#include "kernels/measure/measuring.h"

namespace warplens {

/// Skips its tests, saying why, on a machine without a usable GPU.
class GpuTest : public testing::Test {
  protected:
    void SetUp() override {
        try {
            device_ = queryDevice();
        } catch (const NoDevice& error) {
            GTEST_SKIP() << "GPU test not run: " << error.what();
        }
    }
    /// The one of this process: CUPTI's profiler is opened once in a process's life.
    static Measuring& measuring() {
        static Measuring instance;
        return instance;
    }
    Device device_;
};

}  // namespace warplens
