#include "kernels/measure/code/cubin.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <map>
#include <stdexcept>

#include "kernels/measure/code/line_table.h"

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
    const auto nameOf = [&](const Elf64_Shdr& each) {
        return reader.text(names.sh_offset + each.sh_name);
    };
    const auto sectionNamed = [&](std::string_view name) {
        for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
            if (nameOf(section(i)) == name) return section(i);
        }
        return Elf64_Shdr{};
    };
    constexpr std::string_view prefix = ".text.";
    std::vector<SassFunction> functions;
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
        const Elf64_Shdr code = section(i);
        const std::string name = nameOf(code);
        if (!name.starts_with(prefix)) continue;
        SassFunction function{name.substr(prefix.size()), {}};
        for (std::uint64_t offset = 0; offset + 16 <= code.sh_size; offset += 16) {
            const auto word = reader.at<std::uint64_t>(code.sh_offset + offset);
            const auto upper = reader.at<std::uint64_t>(code.sh_offset + offset + 8);
            function.instructions.push_back({static_cast<std::uint32_t>(offset),
                                             static_cast<std::uint16_t>(word & 0xfff),
                                             static_cast<std::uint8_t>(word >> 12 & 0xf),
                                             static_cast<std::uint8_t>(upper >> 9 & 7), 0});
        }
        functions.push_back(std::move(function));
    }

    // Each function's line numbers begin with its address, which a relocation names.
    const Elf64_Shdr symbols = sectionNamed(".symtab");
    const Elf64_Shdr strings = sectionNamed(".strtab");
    std::map<std::uint64_t, SassFunction*> functionAt;
    // With addends, or before compute capability 9.0 without: both begin alike.
    for (const char* const name : {".rela.debug_line", ".rel.debug_line"}) {
        const Elf64_Shdr relocations = sectionNamed(name);
        const std::uint64_t each =
            relocations.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (std::uint64_t at = 0; at + each <= relocations.sh_size; at += each) {
            const auto relocation = reader.at<Elf64_Rel>(relocations.sh_offset + at);
            const auto symbol = reader.at<Elf64_Sym>(
                symbols.sh_offset + ELF64_R_SYM(relocation.r_info) * sizeof(Elf64_Sym));
            const std::string function = reader.text(strings.sh_offset + symbol.st_name);
            const auto found = std::ranges::find(functions, function, &SassFunction::name);
            if (found != functions.end()) functionAt[relocation.r_offset] = &*found;
        }
    }
    const Elf64_Shdr lines = sectionNamed(".debug_line");
    readLineTable(reader.part(lines.sh_offset, lines.sh_size),
                  [&](std::uint64_t place, std::uint64_t offset, std::uint32_t line) {
                      const auto found = functionAt.find(place);
                      if (found == functionAt.end()) return;
                      auto& instructions = found->second->instructions;
                      for (std::uint64_t i = offset / 16; i < instructions.size(); ++i) {
                          instructions[i].line = line;
                      }
                  });
    return functions;
}

bool haveYield(const std::vector<SassFunction>& functions) {
    return std::ranges::any_of(functions, [](const SassFunction& function) {
        return std::ranges::any_of(function.instructions, &SassInstruction::isYield);
    });
}

}  // namespace warplens
