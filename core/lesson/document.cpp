#include "core/lesson/document.h"

#include <algorithm>
#include <array>

namespace warplens {
namespace {

constexpr std::array<SourceDocument, 7> documents{{
    {"linearized", "Peter Chng", "How are 2D and 3D thread blocks linearized into warps in CUDA?"},
    {"mapping", "K Hari Babu, BITS Pilani", "Thread mapping in 2D Grids & 2D Blocks"},
    {"execution", "CUDA Freshman", "3.2 Understanding the Essence of Warp Execution (Part I)"},
    {"partitioning", "Part B, CUDA Programming Model", "Warp Partitioning"},
    {"memory", "CUDA series", "Part 3: CUDA Memory"},
    {"warplens", "Warplens", "beyond the documents"},
    {"course", "", "this course"},
}};

}  // namespace

const SourceDocument* findDocument(std::string_view id) {
    const auto found = std::ranges::find(documents, id, &SourceDocument::id);
    return found == documents.end() ? nullptr : &*found;
}

}  // namespace warplens
