#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warplens {

class Archive;

/// One thing that is wrong with a request: what, its value, and what is allowed.
struct LimitViolation final {
    std::string name;   ///< `block z`, `threads per block`, `n`
    std::string value;  ///< as given: `65`, `'abc'`
    std::string limit;  ///< `at most 64`, `at least 1`
    friend bool operator==(const LimitViolation&, const LimitViolation&) = default;
};

void describe(Archive& v, LimitViolation& violation);

/// `block z = 65: at most 64`.
[[nodiscard]] inline std::string toString(const LimitViolation& violation) {
    return violation.name + " = " + violation.value + ": " + violation.limit;
}

/// All violations joined by "; ".
[[nodiscard]] inline std::string toString(const std::vector<LimitViolation>& violations) {
    std::string text;
    for (const LimitViolation& violation : violations)
        text += (text.empty() ? "" : "; ") + toString(violation);
    return text;
}

/// Thrown where a request arrives that cannot be carried out as asked (exit code 2).
class InvalidRequest final : public std::runtime_error {
  public:
    explicit InvalidRequest(std::vector<LimitViolation> violations)
        : std::runtime_error(toString(violations)), violations_(std::move(violations)) {}
    [[nodiscard]] const std::vector<LimitViolation>& violations() const { return violations_; }

  private:
    std::vector<LimitViolation> violations_;
};

}  // namespace warplens
