#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/kernel.h"
#include "kernels/ptx/run/program.h"

namespace warplens {

/// One line of a kernel's file, word for word.
struct KernelLine final {
    std::uint32_t line = 0;  ///< from 1
    std::string_view text;
    friend bool operator==(const KernelLine&, const KernelLine&) = default;
};

/// The kernel's .cu file from the end of its header on.
[[nodiscard]] std::vector<KernelLine> codeLines(const Kernel& kernel);

/// One line of the kernel's file, from 1, without the blanks around it and its mark.
[[nodiscard]] std::string_view sourceLine(const Kernel& kernel, std::uint32_t line);

/// Line of the kernel's file that bears the name; 0 when there is none.
[[nodiscard]] std::uint32_t namedLine(const Kernel& kernel, std::string_view name);

/// A loop of the kernel whose rounds are told.
struct LoopMark final {
    std::string_view name;       ///< of the loop's variable, or of its condition
    std::uint32_t line = 0;      ///< where it begins
    std::uint32_t lastLine = 0;  ///< of the loop
    bool counted = false;        ///< its rounds have numbers, and no variable
    friend bool operator==(const LoopMark&, const LoopMark&) = default;
};
/// In the order of their lines.
[[nodiscard]] std::vector<LoopMark> loopMarks(const Kernel& kernel);

}  // namespace warplens

namespace warplens::library {

/// Which PTX of a kernel.
enum class PtxKind : std::uint8_t {
    source,     ///< of `nvcc -G`: what the source asks for
    optimized,  ///< what the compiled code asks for
};

/// `mirror.debug.ptx`: the name of its file, beside those of the others.
[[nodiscard]] std::string ptxFile(const Kernel& kernel, PtxKind kind);

/// What stands for the kernel, made of the same text: of a built-in one kernels/library/ptx, of a
/// course's what is provided, once. Throws TraceFault (predict.h) where nobody does, and what the
/// provider throws.
[[nodiscard]] std::string_view ptxOf(const Kernel& kernel, PtxKind kind);
using CoursePtx = std::function<std::string(const Kernel&, PtxKind)>;
/// Who provides PTX for kernels of courses; before the first is needed.
void setCoursePtx(CoursePtx provide);
/// Whether there is, or may be, PTX of the kernel.
[[nodiscard]] bool hasPtx(const Kernel& kernel);

/// What a branch of the PTX decides.
struct Decision final {
    const KernelBranch* branch = nullptr;  ///< the condition's name; null: it has none
    const KernelLoop* loop = nullptr;      ///< whose iterations are told; null: of none
    bool jumpsWhereItHolds = false;
    ptx::Slot variable{};  ///< of the loop
    bool isWide = false;   ///< the variable has 8 bytes
};

/// A kernel's PTX, ready to be run by one thread of the host at a time.
class KernelProgram final {
  public:
    /// `ptx` is of the kernel's text. Unless it `computes`, loops that only compute are passed by.
    /// Throws TraceFault.
    KernelProgram(const Kernel& kernel, std::string_view ptx, bool computes);

    /// The function that is launched under that name, `scan<16>`, decoded.
    [[nodiscard]] const ptx::Function& instance(const std::string& name);
    [[nodiscard]] ptx::Program& program() { return program_; }
    [[nodiscard]] ptx::Memory& memory() { return memory_; }
    /// By site; of functions that were asked for.
    [[nodiscard]] const Decision& decisionAt(std::uint32_t site) const { return decisions_[site]; }
    /// Whether the functions that were asked for have a branch that is named so.
    [[nodiscard]] bool decides(const KernelBranch& branch) const;

  private:
    void findDecisions(const ptx::Code& code);

    const Kernel& kernel_;
    ptx::Memory memory_;
    ptx::Program program_{memory_};
    std::vector<Decision> decisions_;
};

/// One that nobody else uses at the time; it goes back to be used again.
class TakenProgram final {
  public:
    /// `ptx` is copied.
    TakenProgram(const Kernel& kernel, std::string_view ptx, bool computes);
    TakenProgram(TakenProgram&&) = delete;
    ~TakenProgram();
    [[nodiscard]] KernelProgram* operator->() const { return program_.get(); }

  private:
    struct Key final {
        const Kernel* kernel;
        std::size_t text;  ///< hash of its PTX: texts come and go, and others take their place
        bool computes;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Spare;
    static Spare& spare();

    Key key_;
    std::unique_ptr<KernelProgram> program_;
};

}  // namespace warplens::library
