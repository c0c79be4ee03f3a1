#pragma once

#include "app/figure/numbers.h"
#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "app/figure/subject.h"

namespace warplens::figure {

/// Composes the figure of the subject: title, launch, the picture that its scenario needs, the
/// numbers with their sources, and where these come from. On small pages the secondary parts are
/// left out. Cost: a picture of at most some 10,000 items; kinds that show branches or memory trace
/// one block.
[[nodiscard]] Picture compose(const Subject& subject, const Page& page);

/// The sentence and the numbers that the figure has beside its picture.
struct Caption final {
    std::string statement;  ///< may be empty
    std::vector<Number> numbers;
};
[[nodiscard]] Caption captionOf(const Subject& subject);

}  // namespace warplens::figure
