#include "kernels/ptx/check/shadow.h"

#include <algorithm>
#include <bit>

namespace warplens::ptx::check {
namespace {

// Vectors of stamps may go over the end.
constexpr std::uint64_t spare = 4;

Stamps zeroed(std::uint64_t count) {
    return Stamps(static_cast<Stamp*>(std::calloc(count + spare, sizeof(Stamp))));
}

}  // namespace

bool Shadow::allocate() {
    const std::uint64_t count = (bytes + (1u << shift) - 1) >> shift;
    writes = zeroed(count);
    reads = zeroed(count);
    return writes != nullptr && reads != nullptr;
}

void Shadow::narrow(std::uint32_t width) {
    const auto narrower = static_cast<std::uint32_t>(std::countr_zero(width));
    if (narrower >= shift) return;
    const std::uint32_t parts = shift - narrower;
    Stamps oldWrites = std::move(writes);
    Stamps oldReads = std::move(reads);
    shift = narrower;
    if (!allocate()) {
        bytes = 0;
        return;
    }
    // What is known of a word holds for each of its parts.
    for (std::uint64_t word = 0; word < words(); ++word) {
        if (const Stamp stamp = oldWrites[word >> parts]; stamp != 0) writes[word] = stamp;
        if (const Stamp stamp = oldReads[word >> parts]; stamp != 0) reads[word] = stamp;
    }
}

void Shadow::markWritten(std::uint64_t offset, std::uint64_t count) {
    if (offset <= writtenTo) {
        writtenTo = std::max(writtenTo, offset + count);
        return;
    }
    for (std::uint64_t word = offset >> shift; word << shift < offset + count; ++word) {
        if (writes[word] == 0) writes[word] = hostStamp;
    }
}

void Shadow::renumber(Stamp serial) {
    for (std::uint64_t word = 0; word < words(); ++word) {
        if (serialOf(writes[word]) == serial) writes[word] &= ~timeMask;
        if (serialOf(reads[word]) == serial) reads[word] &= ~timeMask;
    }
}

}  // namespace warplens::ptx::check
