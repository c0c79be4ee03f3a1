#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/lesson/expression.h"
#include "core/scenario/scenario.h"

/// What can be seen of a launch, in the parts that a question may ask for. Until a question is
/// answered the parts that its answer follows from are covered, wherever they would be shown.
namespace warplens {

struct Lesson;

enum class Aspect : std::uint8_t {
    warps,     ///< which warp and lane a thread is in, and how many warps there are
    elements,  ///< which element a thread writes
    coverage,  ///< the grid, and the threads that it has too many
    requests,  ///< sectors, lines, banks and wavefronts of a warp's accesses
    branches,  ///< by the source: the way that each lane takes
    counters,  ///< by the compiled code: branches and active lanes
    totals,    ///< values loaded by the whole launch
    times,     ///< how long it takes, when and where its blocks run
    slots,     ///< what an SM holds of it
    waves,     ///< the blocks dealt to the SMs
    compiled,  ///< registers, local and shared bytes
};
inline constexpr std::size_t aspectCount = 11;

/// `requests`, as lessons write it.
[[nodiscard]] std::string_view toString(Aspect aspect);
[[nodiscard]] std::optional<Aspect> aspectFromString(std::string_view word);

/// What a quantity tells; nothing for what the launch itself says, such as its block and sizes.
[[nodiscard]] std::optional<Aspect> aspectOf(const LessonQuantity& quantity);

/// What is not to be seen: aspects of launches.
class Cover final {
  public:
    struct Part final {
        Aspect aspect{};
        Experiment experiment;
        friend bool operator==(const Part&, const Part&) = default;
    };

    void add(Aspect aspect, const Experiment& experiment);
    [[nodiscard]] bool hides(Aspect aspect, const Experiment& experiment) const;
    /// Whether any of several is covered.
    [[nodiscard]] bool hidesAny(std::span<const Aspect> aspects,
                                const Experiment& experiment) const;
    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

  private:
    std::vector<Part> parts_;
};

/// What the answer to the lesson's question follows from: the quantities of its expression but for
/// those that the question itself tells, and what the lesson says besides.
[[nodiscard]] Cover coverOf(const Lesson& lesson);

}  // namespace warplens
