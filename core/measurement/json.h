#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement/measurement.h"

/// JSON of measurements, predictions and launches. Text in, text out: the JSON library stays in the
/// .cpp. Reading checks every member it needs and ignores members it does not know.
namespace warplens {

/// The text is not the JSON that was expected; says where and what.
class MalformedJson : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// `{"scenario": .., "launch": {"grid": [x,y,z], "block": [x,y,z], "dynamic_shared_bytes": n},
/// "arguments": {"n": 512}}`.
[[nodiscard]] std::string toJson(const Experiment& experiment, int indent = 2);

/// One object: `scenario`, `launch`, `arguments`, `device`, `taken_at`, `version`, `kernel_digest`,
/// the provenance of the numbers, and `values`: a list of {`metric`, `subject`, `source`, `value`,
/// `unit`} or {`metric`, `subject`, `source`, `unavailable`}, with `variant` where there is one.
[[nodiscard]] std::string toJson(const Measurement& measurement);

/// Throws MalformedJson. Unknown scenarios and metrics are refused, with their names; text over
/// 16 MiB is refused unread.
[[nodiscard]] Measurement measurementFromJson(std::string_view text);

}  // namespace warplens
