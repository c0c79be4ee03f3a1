#pragma once

#include <gtest/gtest.h>

#include "kernels/measure/device/device_query.h"

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
    Device device_;
};

}  // namespace warplens
