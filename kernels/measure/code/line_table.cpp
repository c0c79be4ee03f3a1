#include "kernels/measure/code/line_table.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace warplens {
namespace {

// DWARF 2, 6.2.5.2 and 6.2.5.3.
constexpr std::uint8_t opCopy = 1;
constexpr std::uint8_t opAdvanceAddress = 2;
constexpr std::uint8_t opAdvanceLine = 3;
constexpr std::uint8_t opConstAddAddress = 8;
constexpr std::uint8_t opFixedAdvanceAddress = 9;
constexpr std::uint8_t extendedEndSequence = 1;
constexpr std::uint8_t extendedSetAddress = 2;

class LineReader final {
  public:
    explicit LineReader(std::span<const char> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool atEnd() const { return at_ == bytes_.size(); }
    [[nodiscard]] std::uint64_t at() const { return at_; }
    void skip(std::uint64_t count) {
        if (count > bytes_.size() - at_) throw std::runtime_error("cubin: line numbers cut off");
        at_ += count;
    }
    template <class T>
    T take() {
        T value;
        const std::uint64_t from = at_;
        skip(sizeof value);
        std::memcpy(&value, bytes_.data() + from, sizeof value);
        return value;
    }
    std::uint64_t unsignedNumber() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = take<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
    }
    std::int64_t signedNumber() {
        const std::uint64_t begin = at_;
        const std::uint64_t value = unsignedNumber();
        const auto bits = static_cast<unsigned>(7 * (at_ - begin));
        if (bits >= 64 || (value >> (bits - 1) & 1) == 0) return static_cast<std::int64_t>(value);
        return static_cast<std::int64_t>(value | ~std::uint64_t{0} << bits);
    }
    [[nodiscard]] std::span<const char> part(std::uint64_t size) {
        const std::uint64_t from = at_;
        skip(size);
        return bytes_.subspan(from, size);
    }

  private:
    std::span<const char> bytes_;
    std::uint64_t at_ = 0;
};

}  // namespace

void readLineTable(std::span<const char> section,
                   const std::function<void(std::uint64_t, std::uint64_t, std::uint32_t)>& add) {
    LineReader units(section);
    while (!units.atEnd()) {
        const auto length = units.take<std::uint32_t>();
        const std::uint64_t unitBegin = units.at();
        LineReader in(units.part(length));
        in.skip(2);  // version
        const auto headerLength = in.take<std::uint32_t>();
        const std::uint64_t program = in.at() + headerLength;
        const auto step = in.take<std::uint8_t>();
        in.skip(1);  // is_stmt
        const auto lineBase = in.take<std::int8_t>();
        const auto lineRange = std::max<std::uint8_t>(in.take<std::uint8_t>(), 1);
        const auto opcodeBase = in.take<std::uint8_t>();
        std::vector<std::uint8_t> operands(1);
        for (unsigned i = 1; i < opcodeBase; ++i) operands.push_back(in.take<std::uint8_t>());
        in.skip(program - in.at());

        std::uint64_t place = 0;
        std::uint64_t address = 0;
        std::int64_t line = 1;
        const auto row = [&] { add(place, address, static_cast<std::uint32_t>(line)); };
        while (!in.atEnd()) {
            const auto opcode = in.take<std::uint8_t>();
            if (opcode >= opcodeBase) {
                const unsigned special = opcode - opcodeBase;
                address += std::uint64_t{step} * (special / lineRange);
                line += lineBase + static_cast<int>(special % lineRange);
                row();
            } else if (opcode == 0) {
                const std::uint64_t size = in.unsignedNumber();
                const std::uint64_t end = in.at() + size;
                const auto extended = in.take<std::uint8_t>();
                if (extended == extendedSetAddress) {
                    place = unitBegin + in.at();
                    address = in.take<std::uint64_t>();
                }
                if (extended == extendedEndSequence) {
                    add(place, address, 0);
                    address = 0;
                    line = 1;
                }
                if (end < in.at()) throw std::runtime_error("cubin: line numbers cut off");
                in.skip(end - in.at());
            } else if (opcode == opCopy) {
                row();
            } else if (opcode == opAdvanceAddress) {
                address += step * in.unsignedNumber();
            } else if (opcode == opAdvanceLine) {
                line += in.signedNumber();
            } else if (opcode == opConstAddAddress) {
                address += std::uint64_t{step} * ((255u - opcodeBase) / lineRange);
            } else if (opcode == opFixedAdvanceAddress) {
                address += in.take<std::uint16_t>();
            } else {
                for (unsigned i = 0; i < operands[opcode]; ++i) in.unsignedNumber();
            }
        }
    }
}

}  // namespace warplens
