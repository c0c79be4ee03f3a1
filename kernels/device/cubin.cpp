#include "kernels/device/cubin.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <map>
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

/// The sections of an ELF file.
class Elf final {
  public:
    explicit Elf(std::span<const char> bytes)
        : reader_(checked(bytes)),
          header_(reader_.at<Elf64_Ehdr>(0)),
          names_(section(header_.e_shstrndx)) {}

    [[nodiscard]] const Reader& reader() const { return reader_; }
    [[nodiscard]] std::uint64_t sectionCount() const { return header_.e_shnum; }
    [[nodiscard]] Elf64_Shdr section(std::uint64_t index) const {
        return reader_.at<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
    }
    [[nodiscard]] std::string nameOf(const Elf64_Shdr& section) const {
        return reader_.text(names_.sh_offset + section.sh_name);
    }
    /// All zero where there is none.
    [[nodiscard]] Elf64_Shdr sectionNamed(std::string_view name) const {
        for (std::uint64_t i = 0; i < sectionCount(); ++i) {
            if (nameOf(section(i)) == name) return section(i);
        }
        return {};
    }
    [[nodiscard]] std::string symbol(std::uint64_t index) const {
        const auto symbol =
            reader_.at<Elf64_Sym>(sectionNamed(".symtab").sh_offset + index * sizeof(Elf64_Sym));
        return reader_.text(sectionNamed(".strtab").sh_offset + symbol.st_name);
    }

  private:
    static std::span<const char> checked(std::span<const char> bytes) {
        if (bytes.size() <= SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
            throw std::runtime_error("cubin: not an ELF file");
        }
        return bytes;
    }

    Reader reader_;
    Elf64_Ehdr header_;
    Elf64_Shdr names_;
};

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

std::vector<SassFunction> functionsOf(std::span<const char> cubin) {
    const Elf elf(cubin);
    const Reader& reader = elf.reader();
    constexpr std::string_view prefix = ".text.";
    std::vector<SassFunction> functions;
    for (std::uint64_t i = 0; i < elf.sectionCount(); ++i) {
        const Elf64_Shdr code = elf.section(i);
        const std::string name = elf.nameOf(code);
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
    std::map<std::uint64_t, SassFunction*> functionAt;
    // With addends, or before compute capability 9.0 without: both begin alike.
    for (const char* const name : {".rela.debug_line", ".rel.debug_line"}) {
        const Elf64_Shdr relocations = elf.sectionNamed(name);
        const std::uint64_t each =
            relocations.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (std::uint64_t at = 0; at + each <= relocations.sh_size; at += each) {
            const auto relocation = reader.at<Elf64_Rel>(relocations.sh_offset + at);
            const std::string function = elf.symbol(ELF64_R_SYM(relocation.r_info));
            const auto found = std::ranges::find(functions, function, &SassFunction::name);
            if (found != functions.end()) functionAt[relocation.r_offset] = &*found;
        }
    }
    const Elf64_Shdr lines = elf.sectionNamed(".debug_line");
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

KernelResources resourcesOf(std::span<const char> cubin, const std::string& symbol) {
    const Elf elf(cubin);
    // Entries of `.nv.info`: those of this format have bytes, which name a function and a number.
    constexpr std::uint8_t longEntry = 4;
    constexpr std::uint8_t registerCount = 0x2f;
    constexpr std::uint8_t stackBytes = 0x12;
    KernelResources resources;
    bool found = false;
    const Elf64_Shdr info = elf.sectionNamed(".nv.info");
    for (std::uint64_t at = info.sh_offset; at + 4 <= info.sh_offset + info.sh_size;) {
        struct Entry final {
            std::uint8_t format;
            std::uint8_t kind;
            std::uint16_t bytes;
        };
        const auto entry = elf.reader().at<Entry>(at);
        at += sizeof entry;
        if (entry.format != longEntry) continue;
        if (entry.bytes == 8 && (entry.kind == registerCount || entry.kind == stackBytes) &&
            elf.symbol(elf.reader().at<std::uint32_t>(at)) == symbol) {
            const auto value = elf.reader().at<std::uint32_t>(at + 4);
            if (entry.kind == registerCount) {
                resources.registersPerThread = value;
                found = true;
            } else {
                resources.localBytesPerThread = value;
            }
        }
        at += entry.bytes;
    }
    if (!found) throw std::runtime_error("cubin: no registers of " + symbol);
    // From compute capability 9.0 on what the driver keeps of a block's is counted there, too.
    constexpr std::uint64_t keptByDriver = 1024;
    const std::uint64_t shared = elf.sectionNamed(".nv.shared." + symbol).sh_size;
    const bool countsKept = elf.sectionNamed(".nv.shared.reserved.0").sh_type != SHT_NULL;
    resources.staticSharedBytes = shared - (countsKept ? std::min(shared, keptByDriver) : 0);
    return resources;
}

CompiledKernel compiledKernel(std::span<const char> cubin, const std::string& symbol,
                              const Kernel& file) {
    const std::vector<SassFunction> functions = functionsOf(cubin);
    const auto function = std::ranges::find(functions, symbol, &SassFunction::name);
    if (function == functions.end()) throw std::runtime_error("no compiled kernel " + symbol);
    CompiledKernel result;
    for (const KernelBranch& branch : file.branches) {
        result.branches.push_back({branch.name, BranchForm::predicated});
    }
    for (const SassInstruction& instruction : function->instructions) {
        result.mergedSharedLoads |= instruction.isWideSharedLoad();
        result.incrementsShared |= instruction.isSharedIncrement();
        if (!instruction.conditional() || (!instruction.isBranch() && !instruction.isExit())) {
            continue;
        }
        for (std::size_t i = 0; i < file.branches.size(); ++i) {
            BranchForm& form = result.branches[i].form;
            if (instruction.line != file.branches[i].line || form == BranchForm::branch) continue;
            form = instruction.isBranch() ? BranchForm::branch : BranchForm::exit;
        }
    }
    return result;
}

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
