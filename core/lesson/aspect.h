#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/lesson/expression.h"
#include "core/scenario/scenario.h"
#include "core/view/picture.h"

/// Until a question is answered the aspects that its answer follows from are covered, wherever they
/// would be shown.
namespace warplens {

struct Lesson;

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
