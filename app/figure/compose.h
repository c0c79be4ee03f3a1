#pragma once

#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "app/figure/subject.h"

namespace warplens::figure {

/// Composes the figure of the subject: title, launch, the picture that its scenario needs, the
/// numbers with their sources, and where these come from. On small pages the secondary parts are
/// left out. Cost: a picture of at most some 10,000 items; kinds that show branches or memory trace
/// one block.
[[nodiscard]] Picture compose(const Subject& subject, const Page& page);

}  // namespace warplens::figure
