#pragma once

#include <gtest/gtest.h>
#include <memory>

#include "app/platform/desktop/offscreen_surface.h"
#include "app/window/window.h"

namespace warplens::window {

/// Draws into an offscreen surface; skips its tests, saying why, on a machine without OpenGL. A
/// fixture with a SetUp of its own goes on only where this one has a surface.
class GlTest : public testing::Test {
  protected:
    explicit GlTest(PixelSize size) : size_(size) {}

    void SetUp() override {
        try {
            surface_ = std::make_unique<OffscreenSurface>(size_);
        } catch (const WindowUnavailable& unavailable) {
            GTEST_SKIP() << "NO OPENGL, NOTHING TESTED: " << unavailable.what();
        }
    }

    std::unique_ptr<OffscreenSurface> surface_;

  private:
    PixelSize size_;
};

}  // namespace warplens::window
