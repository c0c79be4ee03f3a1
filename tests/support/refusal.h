#pragma once

#include <string>

namespace warplens::tests {

/// What `read` throws as an `Error`, in its words; `accepted` where it throws none.
template <class Error, class Read>
[[nodiscard]] std::string refusal(const Read& read) {
    try {
        read();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace warplens::tests
