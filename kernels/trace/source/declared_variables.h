#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warplens::source {

/// Names of variables that are declared with `keyword`, as `__device__`, in a masked text.
[[nodiscard]] std::set<std::string, std::less<>> variablesIn(std::string_view masked,
                                                             std::string_view keyword);

}  // namespace warplens::source
