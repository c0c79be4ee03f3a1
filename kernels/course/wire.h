#pragma once

#include <cstdint>

/// What is said between this program and the child that runs a course's kernel. The parent writes
/// lines of JSON: first the kernel's text, then what to run; the child answers in records.
namespace warplens::course {

enum class RecordKind : std::uint8_t {
    request,  ///< Record, then an address for each active lane
    branch,   ///< Record
    round,    ///< Record
    done,     ///< `value`: events. Ends the answer.
    fault,    ///< `value`: bytes of words that follow. Ends the answer.
    shared,  ///< `value`: bytes of static shared memory, `lanes`: arrays, then a SharedRecord each.
             ///< Ends the answer.
};

struct Record final {
    RecordKind kind = RecordKind::done;
    std::uint8_t event = 0;     ///< trace::EventKind
    std::uint16_t subject = 0;  ///< array, or branch by its place in the file
    std::uint32_t line = 0;
    std::uint32_t bytes = 0;
    std::uint32_t lanes = 0;
    std::uint64_t value = 0;  ///< of a round; of a branch the lanes that take it
};

struct SharedRecord final {
    std::uint32_t offset = 0;
    std::uint32_t elementBytes = 0;
    std::uint32_t columns = 0;
};

inline constexpr std::uint64_t mostFaultBytes = 1 << 16;
inline constexpr std::uint32_t mostSharedArrays = 256;

}  // namespace warplens::course
