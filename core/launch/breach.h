#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warplens {

/// One thing that is wrong with a request: what, its value, and what is allowed.
struct Breach final {
    std::string name;   ///< `block z`, `threads per block`, `n`
    std::string value;  ///< as given: `65`, `'abc'`
    std::string limit;  ///< `at most 64`, `at least 1`
    friend bool operator==(const Breach&, const Breach&) = default;
};

/// `block z = 65: at most 64`.
[[nodiscard]] inline std::string toString(const Breach& breach) {
    return breach.name + " = " + breach.value + ": " + breach.limit;
}

/// All breaches joined by "; ".
[[nodiscard]] inline std::string toString(const std::vector<Breach>& breaches) {
    std::string text;
    for (const Breach& breach : breaches) text += (text.empty() ? "" : "; ") + toString(breach);
    return text;
}

/// Thrown where a request arrives that cannot be carried out as asked (exit code 2).
class InvalidRequest final : public std::runtime_error {
  public:
    explicit InvalidRequest(std::vector<Breach> breaches)
        : std::runtime_error(toString(breaches)), breaches_(std::move(breaches)) {}
    [[nodiscard]] const std::vector<Breach>& breaches() const { return breaches_; }

  private:
    std::vector<Breach> breaches_;
};

}  // namespace warplens
