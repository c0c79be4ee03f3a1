#pragma once

#include "app/figure/canvas.h"
#include "app/figure/numbers.h"
#include "app/figure/subject.h"

/// What the picture in the middle of a figure shows. Each kind draws into the room it is given and
/// says what matters in one sentence.
namespace warplens::figure {

/// The threads of a block by warp, and the lanes of each warp.
[[nodiscard]] std::string threadsStatement(const Subject& subject);
void drawThreads(Canvas& canvas, const Subject& subject, const Box& room);

/// The problem under the threads of the grid: the kinds of block, and what sticks out.
[[nodiscard]] std::string coverageStatement(const Subject& subject);
void drawCoverage(Canvas& canvas, const Subject& subject, const Box& room);

}  // namespace warplens::figure
