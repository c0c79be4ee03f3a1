#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/device/cubin.h"

namespace warplens {
namespace {

using LineRow = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;

std::vector<LineRow> rowsOf(const std::string& section) {
    std::vector<LineRow> rows;
    readLineTable(section, [&](std::uint64_t place, std::uint64_t offset, std::uint32_t line) {
        rows.emplace_back(place, offset, line);
    });
    return rows;
}

std::string littleEndian(std::uint64_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
    return text;
}

/// A unit of DWARF 2 as NVIDIA's assembler writes it, with this program.
std::string lineUnit(const std::string& program) {
    const std::string header = littleEndian(1, 1) + littleEndian(1, 1) + littleEndian(0xfb, 1) +
                               littleEndian(14, 1) + littleEndian(10, 1) +
                               std::string("\0\1\1\1\1\0\0\0\1", 9) + std::string("\0", 1) +
                               "a.cu" + std::string("\0\1\0\0\0", 5);
    const std::string body = littleEndian(2, 2) + littleEndian(header.size(), 4) + header + program;
    return littleEndian(body.size(), 4) + body;
}

const std::string setAddress = std::string("\0\x09\x02", 3) + littleEndian(0, 8);
const std::string endSequence = std::string("\0\x01\x01", 3);

TEST(LineTable, readsStepsForwardAndBackward) {
    // Line 24, then by one opcode 16 bytes on and a line down, then 64 bytes on and 3 lines up.
    const std::string section =
        lineUnit(setAddress + "\x03\x17\x01" + littleEndian(240, 1) + "\x03\x7d\x02" +
                 littleEndian(64, 1) + "\x01" + endSequence);
    const std::uint64_t place = section.find(setAddress) + 3;
    EXPECT_EQ(
        rowsOf(section),
        (std::vector<LineRow>{{place, 0, 24}, {place, 16, 25}, {place, 80, 22}, {place, 80, 0}}));
}

TEST(LineTable, readsOneUnitAfterTheOtherAndPassesByWhatItDoesNotKnow) {
    const std::string unknown = std::string("\0\x03\x90\x01\x02", 5);  // of NVIDIA: an inlined call
    const std::string section = lineUnit(setAddress + unknown + "\x01" + endSequence) +
                                lineUnit(setAddress + "\x01" + endSequence);
    EXPECT_EQ(rowsOf(section).size(), 4u);
}

TEST(LineTable, refusesWhatIsCutOff) {
    const std::string section = lineUnit(setAddress + "\x03\x17\x01" + endSequence);
    for (std::size_t length = 1; length < section.size(); ++length) {
        EXPECT_THROW((void)rowsOf(section.substr(0, length)), std::runtime_error) << length;
    }
    EXPECT_TRUE(rowsOf("").empty());
}

}  // namespace
}  // namespace warplens
