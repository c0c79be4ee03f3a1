#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/measurement/metric.h"

/// What a lesson may ask of its launches. A lesson holds no numbers of its own: it names
/// quantities, and what they are is looked up (lesson_evidence.h).
namespace warplens {

/// `predicted sectors_per_request load a`: a metric from one source, or from `any`; then its
/// variant and its subject where it has them.
struct ValueQuantity final {
    std::optional<Source> source;  ///< none: the one that the reader asks for
    Metric metric{};
    Variant variant = Variant::none;
    std::string subject = "kernel";
    friend bool operator==(const ValueQuantity&, const ValueQuantity&) = default;
};

/// What follows from a launch by rule, or what the device or the compiler says of it: a word and
/// its operands (the list is in expression.cpp).
struct FactQuantity final {
    std::string name;
    std::vector<std::string> operands;
    friend bool operator==(const FactQuantity&, const FactQuantity&) = default;
};

struct LessonQuantity final {
    std::variant<ValueQuantity, FactQuantity> what;
    std::string launch = "here";  ///< which of the lesson's launches: `@swapped`
    friend bool operator==(const LessonQuantity&, const LessonQuantity&) = default;
};

/// Quantities and numbers joined by + - * / and parentheses:
/// `timed time @swapped / timed time`, `thread 3 5 1 warp`.
class Expression final {
  public:
    using Part = std::variant<double, LessonQuantity, char>;

    /// Throws MalformedExpression, which says what is wrong and where.
    explicit Expression(std::string_view text);

    /// Operands before their operator.
    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Whether it asks for `any` source.
    [[nodiscard]] bool asksAnySource() const;
    /// The launches it speaks of.
    [[nodiscard]] std::vector<std::string> launches() const;
    friend bool operator==(const Expression&, const Expression&) = default;

  private:
    std::string text_;
    std::vector<Part> parts_;
};
inline constexpr std::size_t longestExpression = 240;

class MalformedExpression final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// How a fact is written.
struct FactForm final {
    std::string_view name;
    std::size_t numbers = 0;                    ///< operands that are numbers, before the word
    std::vector<std::string_view> lastWords{};  ///< one of these closes it; none where empty
    bool anyWord = false;                       ///< a name closes it that the form does not know
};
[[nodiscard]] const std::vector<FactForm>& factForms();

}  // namespace warplens
