#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figure/subject.h"

/// What makes the difference between two launches.
namespace warplens::figure {

enum class CauseKind : std::uint8_t {
    code,        ///< nothing that is counted here: what differs is the code
    sectors,     ///< of global memory, by request
    requests,    ///< to global memory
    wavefronts,  ///< of shared memory, by request
    sharedRequests,
    divergence,  ///< branches at which a warp diverges
    atomics,     ///< turns that lanes take at one address of global memory
    fragments,   ///< lanes without a thread, and threads without an element
    residency,   ///< blocks for each SM
};

/// Found from the numbers of the whole launches, of the same source on both sides.
struct Cause final {
    CauseKind kind = CauseKind::code;
    double a = 0;
    double b = 0;
    std::string unit{};    ///< `sectors`, of both
    std::string array{};   ///< of sectors: the one whose sectors differ most; may be empty
    bool explains = true;  ///< it is larger where it took longer, or the times are alike
};

/// Of the quantities that differ by a twentieth and more, and where both launches were timed are
/// larger where it took longer: the one that the scenario is about if it is among them, else the
/// one that differs most. Cost: that of the subjects' evidence.
[[nodiscard]] Cause causeOf(const Subject& a, const Subject& b);

/// The time of the timed runs; null where there is none.
[[nodiscard]] const Value* timeOf(const Subject& subject);

/// A line of a subject's source.
struct CodeLine final {
    std::uint32_t number = 0;  ///< in its file, from 1
    std::string text{};        ///< without comments and the blanks in front of it
    std::string line{};        ///< word for word
};

/// The lines of the two that the other has not, in their order, without braces alone and comments.
struct ChangedLines final {
    std::vector<CodeLine> a;
    std::vector<CodeLine> b;
};

/// By the longest common subsequence of the lines. Cost: lines times lines, of at most 1,000 each.
[[nodiscard]] ChangedLines changedLines(const Subject& a, const Subject& b);

/// All of its kernel, or of its file.
[[nodiscard]] std::vector<CodeLine> linesOf(const Subject& subject);

}  // namespace warplens::figure
