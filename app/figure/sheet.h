#pragma once

#include <string>
#include <vector>

#include "app/figure/canvas.h"
#include "app/figure/output/render.h"
#include "app/figure/page.h"

namespace warplens::figure {

/// The page that a figure is composed on, in units (style.h).
class Sheet final {
  public:
    explicit Sheet(const Page& page);

    Canvas canvas;
    Box body;          ///< the page without its margins
    float height = 0;  ///< of the page

    /// What was drawn, in the units of the page.
    [[nodiscard]] Picture picture(std::string title) &&;

  private:
    PageSize size_;
    float unit_;
};

/// Where the numbers come from, to the bottom of `room`: on one line where it fits, else a line
/// each. Returns where it begins; in a low room nothing is drawn.
float drawProvenance(Canvas& canvas, const std::vector<std::string>& lines, const Box& room);

}  // namespace warplens::figure
