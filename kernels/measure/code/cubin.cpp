#include "kernels/measure/code/cubin.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <stdexcept>

namespace warplens {
namespace {

/// Reads structs out of a file, refusing what lies outside it.
class Reader final {
  public:
    explicit Reader(std::span<const char> bytes) : bytes_(bytes) {}

    template <class T>
    [[nodiscard]] T at(std::uint64_t offset) const {
        T value;
        std::memcpy(&value, part(offset, sizeof value).data(), sizeof value);
        return value;
    }
    [[nodiscard]] std::span<const char> part(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset) {
            throw std::runtime_error("cubin: cut off");
        }
        return bytes_.subspan(offset, size);
    }
    [[nodiscard]] std::string text(std::uint64_t offset) const {
        const std::span<const char> rest = part(offset, bytes_.size() - offset);
        return {rest.begin(), std::ranges::find(rest, '\0')};
    }

  private:
    std::span<const char> bytes_;
};

// The container that nvcc's fatbinary writes: a header, then entries of a header and a payload
// each.
constexpr std::uint32_t fatBinaryMagic = 0xba55ed50;
struct FatBinaryHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t headerBytes;
    std::uint64_t entriesBytes;
};
constexpr std::uint16_t cubinKind = 2;
struct FatBinaryEntry {
    std::uint16_t kind;
    std::uint16_t unused;
    std::uint32_t headerBytes;
    std::uint64_t payloadBytes;
    std::array<std::uint32_t, 3> unknown;
    std::uint32_t computeCapability;
};

bool startsWithElf(std::span<const char> bytes) {
    return bytes.size() > SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

}  // namespace

std::vector<SassFunction> functionsOf(std::span<const char> cubin) {
    if (!startsWithElf(cubin)) throw std::runtime_error("cubin: not an ELF file");
    const Reader reader(cubin);
    const auto header = reader.at<Elf64_Ehdr>(0);
    const auto section = [&](std::uint64_t index) {
        return reader.at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr));
    };
    const Elf64_Shdr names = section(header.e_shstrndx);
    constexpr std::string_view prefix = ".text.";
    std::vector<SassFunction> functions;
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
        const Elf64_Shdr code = section(i);
        const std::string name = reader.text(names.sh_offset + code.sh_name);
        if (!name.starts_with(prefix)) continue;
        SassFunction function{name.substr(prefix.size()), {}};
        for (std::uint64_t offset = 0; offset + 16 <= code.sh_size; offset += 16) {
            const auto word = reader.at<std::uint64_t>(code.sh_offset + offset);
            const auto upper = reader.at<std::uint64_t>(code.sh_offset + offset + 8);
            function.instructions.push_back({static_cast<std::uint32_t>(offset),
                                             static_cast<std::uint16_t>(word & 0xfff),
                                             static_cast<std::uint8_t>(word >> 12 & 0xf),
                                             static_cast<std::uint8_t>(upper >> 9 & 7)});
        }
        functions.push_back(std::move(function));
    }
    return functions;
}

std::vector<EmbeddedCubin> cubinsIn(std::span<const char> file) {
    const Reader reader(file);
    std::array<char, sizeof fatBinaryMagic> magic{};
    std::memcpy(magic.data(), &fatBinaryMagic, magic.size());
    std::vector<EmbeddedCubin> cubins;
    auto from = file.begin();
    while (true) {
        const auto found = std::search(from, file.end(), magic.begin(), magic.end());
        if (found == file.end()) return cubins;
        from = found + 1;
        try {
            const auto begin = static_cast<std::uint64_t>(found - file.begin());
            const auto header = reader.at<FatBinaryHeader>(begin);
            std::uint64_t at = begin + header.headerBytes;
            const std::uint64_t end = at + header.entriesBytes;
            while (at < end) {
                const auto entry = reader.at<FatBinaryEntry>(at);
                const auto payload = reader.part(at + entry.headerBytes, entry.payloadBytes);
                if (entry.kind == cubinKind && startsWithElf(payload)) {
                    cubins.push_back({static_cast<int>(entry.computeCapability), payload});
                }
                if (entry.headerBytes == 0) break;
                at += entry.headerBytes + entry.payloadBytes;
            }
        } catch (const std::runtime_error&) {
            // The magic number stood there by chance.
        }
    }
}

}  // namespace warplens
