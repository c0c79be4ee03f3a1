#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

/// What must be known of a request to hand it on, without reading it.
struct RequestHead final {
    std::uint64_t id = 0;
    std::string request;           ///< `measure`; empty of a line that is none
    std::uint64_t target = 0;      ///< of a cancel
    std::uint64_t frameBytes = 0;  ///< that follow the line
};

/// Of a line of the protocol (worker_protocol.h); empty for other text.
[[nodiscard]] RequestHead requestHead(std::string_view line);

}  // namespace warplens
