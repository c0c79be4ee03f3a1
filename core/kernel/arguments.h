#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// The problem sizes a kernel is launched with: what `--set n=512` sets. Ordered as the kernel
/// declares them.
class Arguments final {
  public:
    using Entry = std::pair<std::string, std::int64_t>;

    Arguments() = default;
    Arguments(std::initializer_list<Entry> entries) : entries_(entries) {}

    /// Value of `name`; the name must be one the kernel declares (std::out_of_range otherwise).
    [[nodiscard]] std::int64_t at(std::string_view name) const;
    [[nodiscard]] bool contains(std::string_view name) const;
    /// Replaces the value of `name`, or appends it.
    void set(std::string_view name, std::int64_t value);
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

    friend bool operator==(const Arguments&, const Arguments&) = default;

  private:
    std::vector<Entry> entries_;
};

/// `n=512 stride=2`; empty without arguments.
[[nodiscard]] std::string toString(const Arguments& arguments);

}  // namespace warplens
