#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/kernel/kernel.h"
#include "core/library/formula.h"

/// A kernel as one plain .cu file: the kernel as it stands on a slide, and above it a comment that
/// says what it is, what sizes it has and which scenarios show it.
namespace warplens {

/// What is wrong with a kernel's file; what() is `file:line: words`.
class MalformedKernelFile final : public std::runtime_error {
  public:
    MalformedKernelFile(const std::string& file, std::uint32_t at, const std::string& words)
        : std::runtime_error(file + ':' + std::to_string(at) + ": " + words), line(at) {}
    std::uint32_t line;
};

/// `size n: 512, 1 to 46340, rows and columns`: a whole number that can be set.
struct FileSize final {
    std::string name;
    std::int64_t initial = 0;
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    std::vector<std::int64_t> oneOf{};  ///< where only some values are allowed
    std::string meaning;
};

/// `array a: in, n * n, rows of n`: a pointer of the kernel's. `filled with FORMULA` where its
/// values decide what is accessed.
struct FileArray final {
    std::string name;
    ArrayRole role = ArrayRole::input;
    ElementType type = ElementType::float32;
    Formula length;   ///< elements the kernel may touch
    Formula columns;  ///< elements of a row; empty where it is no matrix stored by rows
    Formula filled;   ///< the value of `element`; empty: any (core/kernel/input_data.h)
};

/// An array in shared memory: as declared, or a named part of one (`shared tile_b: tiles, n * n`).
struct FileShared final {
    std::string name;
    std::string of;  ///< of a part: the array; empty for one that is declared
    Formula begin;   ///< of a part: its first element
    std::uint32_t elementBytes = 4;
    Formula columns{};  ///< elements of a row; empty where the array has one extent
};

/// `branch inside: the thread has an element`, and the line that is named so.
struct FileBranch final {
    std::string name;
    std::string meaning;
    std::uint32_t line = 0;
    std::uint32_t lastLine = 0;  ///< of the loop that it is the condition of; 0: of none
};

/// A loop whose rounds are told: `// step: k` at the line where it begins.
struct FileLoop final {
    std::string variable;
    std::uint32_t line = 0;
    std::uint32_t lastLine = 0;
};

/// `block must be: blockDim.y == 1, one row`: what a launch is refused for.
struct FileRule final {
    std::string subject;  ///< `block` or `grid`
    Formula holds;
    std::string words;
};

/// `scenario C1: matadd-coalesced` with what follows it.
struct FileScenario final {
    std::string id;
    char group = 'A';
    std::uint32_t order = 0;  ///< within its group
    std::string title;
    std::string lookFor;
    Extents block;
    std::optional<Extents> grid{};  ///< where the grid itself is the problem
    std::vector<std::pair<std::string, std::int64_t>> set{};
    std::string comparedWith;
    std::string figure = "threads";  ///< what a slide of it is about (app/figure)
    std::uint32_t line = 0;
};

/// One parameter of the kernel.
struct FileParameter final {
    std::string name;
    bool isArray = false;
    std::size_t which = 0;  ///< of the arrays, or of the sizes
};

/// All that a kernel's file says.
struct KernelFile final {
    std::string file;    ///< name, for messages
    std::string text;    ///< word for word
    std::string course;  ///< whose it is; empty for a built-in one
    std::string folder;  ///< that the course's file lies in
    std::string about;   ///< what the comment says before anything else
    std::string kernel;  ///< the function's name
    std::vector<FileParameter> parameters;
    std::vector<FileSize> sizes;
    std::vector<FileArray> arrays;
    std::vector<FileShared> shared;
    std::vector<FileBranch> branches;  ///< in the order of the header
    std::vector<FileLoop> loops;
    std::vector<FileLoop> computing;  ///< marked `only computes`
    std::vector<FileRule> rules;
    std::vector<Formula> blockIs;  ///< the only block it runs with; else empty
    std::string blockIsWords;      ///< `the tile's size, `; may be empty
    std::string elementNoun;       ///< what an element of the output is; empty: an element
    std::vector<Formula> work;     ///< elements along x, y, z; empty: the grid is the problem
    Formula element;               ///< the element of the output array that a thread writes
    Formula elementIf;             ///< whether it writes one; empty: always
    /// Inverse of `element`: x, y, z of the thread in the grid; empty where several threads write
    /// one element.
    std::vector<Formula> writtenBy;
    Formula moves;                  ///< bytes the algorithm must move
    Formula computes;               ///< its floating-point operations; empty: not about arithmetic
    Formula steps;                  ///< arithmetic steps for one element; empty: a handful
    Formula dynamicShared;          ///< bytes; empty: none
    std::string templateParameter;  ///< of a kernel with one
    std::string templateSize;       ///< the size that it is instantiated with
    bool usesBarriers = false;
    std::vector<FileScenario> scenarios;

    /// The name of the function that runs with these arguments: `scan<16>` of a template.
    [[nodiscard]] std::string instance(const Arguments& arguments) const;
    /// Makes it one of a course's: scenarios are called `COURSE/ID` from now on.
    void enterCourse(const std::string& name);
    /// The names that its template is instantiated with; the kernel's own where it is none.
    [[nodiscard]] std::vector<std::string> instances() const;
};

/// Reads a kernel's file. Throws MalformedKernelFile.
[[nodiscard]] KernelFile parseKernelFile(const std::string& file, std::string text);

}  // namespace warplens
