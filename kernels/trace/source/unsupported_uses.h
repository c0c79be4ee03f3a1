#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/masked_text.h"

namespace warplens::source {

/// Something that cannot be traced.
struct UnsupportedUse final {
    std::string words;
    TextPlace place;
};

/// The first of each kind; `masked` is the masked `text`.
[[nodiscard]] std::vector<UnsupportedUse> unsupportedUsesIn(std::string_view text,
                                                            std::string_view masked);

}  // namespace warplens::source
