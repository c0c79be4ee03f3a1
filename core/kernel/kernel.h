#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/kernel/element_type.h"
#include "core/kernel/formula.h"
#include "core/launch/launch.h"

/// A kernel as one plain .cu file: the kernel as it stands on a slide, and above it a comment that
/// says what it is, what sizes it has and which scenarios show it (core/library/kernel_file.h).
namespace warplens {

/// `size n: 512, 1 to 46340, rows and columns`: a whole number that can be set. The bounds are
/// inclusive.
struct KernelSize final {
    std::string name;
    std::int64_t initial = 0;
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    std::vector<std::int64_t> oneOf{};  ///< where only some values are allowed
    std::string meaning;
};

enum class ArrayRole : std::uint8_t { input, output };

/// `array a: in, n * n, rows of n`: a pointer of the kernel's. `filled with FORMULA` where its
/// values decide what is accessed.
struct KernelArray final {
    std::string name;
    ArrayRole role = ArrayRole::input;
    ElementType type = ElementType::float32;
    Formula length;   ///< elements the kernel may touch
    Formula columns;  ///< elements of a row; empty where it is no matrix stored by rows
    Formula filled;   ///< the value of `element`; empty: any (core/kernel/element_type.h)
};

/// An array in shared memory: as declared, or a named part of one (`shared tile_b: tiles, n * n`).
struct KernelShared final {
    std::string name;
    std::string of;  ///< of a part: the array; empty for one that is declared
    Formula begin;   ///< of a part: its first element
    std::uint32_t elementBytes = 4;
    Formula columns{};  ///< elements of a row; empty where the array has one extent
};

/// `branch inside: the thread has an element`, and the line that is named so.
struct KernelBranch final {
    std::string name;
    std::string meaning;
    std::uint32_t line = 0;
    std::uint32_t lastLine = 0;  ///< of the loop that it is the condition of; 0: of none
};

/// A loop whose rounds are told: `// step: k` at the line where it begins.
struct KernelLoop final {
    std::string variable;
    std::uint32_t line = 0;
    std::uint32_t lastLine = 0;
};

/// `block must be: blockDim.y == 1, one row`: what a launch is refused for.
struct KernelRule final {
    std::string subject;  ///< `block` or `grid`
    Formula holds;
    std::string words;
};

/// Which of `allKernels`.
enum class KernelIndex : std::uint16_t {};

/// `scenario C1: matadd-coalesced` with what follows it: a named situation to look at and measure,
/// the kernel with the launch and sizes it starts from. Window, command line, recordings and tests
/// all use these ids.
struct Scenario final {
    std::string id;
    char group = 'A';  ///< A threads and warps, B threads on data, C coalescing, D divergence,
                       ///< E memory, F scheduling; courseGroup (core/course/course.h)
    std::uint32_t order = 0;  ///< within its group
    std::string title;
    std::string lookFor;            ///< one sentence: what to notice
    Extents block;                  ///< to start from
    std::optional<Extents> grid{};  ///< to start from where the grid itself is the problem
    std::vector<std::pair<std::string, std::int64_t>> set{};  ///< sizes that start otherwise
    std::string comparedWith;        ///< id of the scenario that shows the contrast; may be empty
    std::string figure = "threads";  ///< what a slide of it is about (app/figure)
    std::uint32_t line = 0;          ///< of the file
    KernelIndex kernel{};
};

/// One parameter of the kernel.
struct CallParameter final {
    std::string name;
    bool isArray = false;
    std::size_t which = 0;  ///< of the arrays, or of the sizes
    ElementType type{};     ///< of the array's elements, or that the size is passed as
};

/// Position of a thread in the whole grid, in threads along each axis.
struct GridPosition final {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    std::uint64_t z = 0;
    friend bool operator==(const GridPosition&, const GridPosition&) = default;
};

/// All that a kernel's file says. Those of `allKernels` live as long as the program.
struct Kernel final {
    std::string name;    ///< the function's
    std::string file;    ///< its name, for messages
    std::string text;    ///< of the file, word for word
    std::string course;  ///< whose it is; empty for a built-in one
    std::string folder;  ///< that the course's file lies in
    std::string about;   ///< what the comment says before anything else
    std::vector<CallParameter> parameters;
    std::vector<KernelSize> sizes;
    std::vector<KernelArray> arrays;
    std::vector<KernelShared> shared;
    std::vector<KernelBranch> branches;  ///< in the order of the header
    std::vector<KernelLoop> loops;
    std::vector<KernelLoop> computing;  ///< marked `only computes`
    std::vector<KernelRule> rules;
    ExtentsFormula blockFor;    ///< the only block it runs with; empty where the launch chooses
    std::string blockForWords;  ///< `, the tile's size`; may be empty
    std::string elementNoun;    ///< what an element of the output is; empty: an element
    ExtentsFormula work;        ///< elements along x, y, z; empty: the grid is the problem
    Formula elementIs;          ///< the element of the output array that a thread writes
    Formula elementIf;          ///< whether it writes one; empty: always
    /// Inverse of `elementIs`: x, y, z of the thread in the grid; empty where several threads write
    /// one element.
    std::vector<Formula> writtenBy;
    /// Bytes the algorithm must move between memory and the SMs: each input value it needs read
    /// once, each output value written once.
    Formula algorithmBytes;
    /// Floating-point additions and multiplications of the whole problem, a multiply-add as two;
    /// empty for a kernel that is not about arithmetic.
    Formula flops;
    Formula stepsPerElement;        ///< arithmetic steps behind one element; empty: a handful
    Formula dynamicSharedBytes;     ///< empty: none
    std::string templateParameter;  ///< of a kernel with one
    std::string templateSize;       ///< the size that it is instantiated with
    bool usesBarriers = false;
    std::vector<Scenario> scenarios;

    /// Element of the output array a thread writes; nullopt for a thread that writes none.
    [[nodiscard]] std::optional<std::uint64_t> element(const Arguments& arguments,
                                                       const Launch& launch, Index3 block,
                                                       Index3 thread) const;
    /// The thread that writes the element, where `writtenBy` says so.
    [[nodiscard]] GridPosition threadOf(const Arguments& arguments, const Launch& launch,
                                        std::uint64_t element) const;
    /// What the kernel asks of its launch beyond CUDA's limits, and of sizes beyond their bounds.
    [[nodiscard]] std::vector<LimitViolation> violations(const Arguments& arguments,
                                                         const Launch& launch) const;
    /// The name of the function that runs with these arguments: `scan<16>` of a template.
    [[nodiscard]] std::string instance(const Arguments& arguments) const;
    /// The names that its template is instantiated with; the kernel's own where it is none.
    [[nodiscard]] std::vector<std::string> instances() const;
    /// Makes it one of a course's: scenarios are called `COURSE/ID` from now on.
    void enterCourse(const std::string& name);
};

/// The built-in kernels, by file, and after them those that were added.
[[nodiscard]] std::span<const Kernel> allKernels();
/// Adds a course's. Before anybody has asked for kernels or scenarios: those never change.
void addKernels(std::vector<Kernel> kernels);
[[nodiscard]] const Kernel& kernelOf(KernelIndex index);
/// The kernel whose function has that name, which must be one of them.
[[nodiscard]] const Kernel& kernelNamed(std::string_view name);

/// The arguments a kernel has when nothing is set.
[[nodiscard]] Arguments initialArguments(const Kernel& kernel);

/// Every argument out of its bounds or unknown to the kernel.
[[nodiscard]] std::vector<LimitViolation> validate(const Kernel& kernel,
                                                   const Arguments& arguments);

/// What keeps a legal launch with valid arguments from being run: arrays and thread positions that
/// the kernel's 32-bit indices could not address (2^31-1), and the kernel's own launch rule.
[[nodiscard]] std::vector<LimitViolation> validateRun(const Kernel& kernel,
                                                      const Arguments& arguments,
                                                      const Launch& launch);

/// Whether the launch has the thread that writes `element` of the output array, or, where that
/// may be any, covers the problem.
[[nodiscard]] bool reaches(const Kernel& kernel, const Arguments& arguments, const Launch& launch,
                           std::uint64_t element);

/// Bytes of all arrays together; the arguments must be valid.
[[nodiscard]] std::uint64_t arrayBytes(const Kernel& kernel, const Arguments& arguments,
                                       const Launch& launch);

}  // namespace warplens
