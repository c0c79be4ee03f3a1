#pragma once

#include <string_view>

namespace warplens {

/// A text that lessons start from.
struct SourceDocument final {
    std::string_view id;  ///< as lessons name it
    std::string_view author;
    std::string_view title;
};

/// Null when there is no such document.
[[nodiscard]] const SourceDocument* findDocument(std::string_view id);

}  // namespace warplens
