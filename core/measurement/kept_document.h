#pragma once

#include <string>

#include "core/json/schema.h"
#include "core/measurement/json_reader.h"

/// For the .cpp files that keep a document in a file: what stands around it there, so that damage,
/// changes made by hand and other formats are noticed.
namespace warplens::json_reader {

/// One kind of kept document.
struct Kept final {
    Document document;
    const char* word;       ///< `recording`, for messages
    const char* formatOne;  ///< the member that held the number of its first format, which is read
    const char* member;     ///< that holds what is kept
};

/// The members before the one that holds what is kept: `schema`, `version` of the program, `digest`
/// of `body`, which is the JSON text of what is kept, on one line.
[[nodiscard]] Json keptHead(const Kept& kind, std::string_view body);

/// What is kept in the file. Throws MalformedJson for another document, a format that this version
/// does not know, and a text that is not what its digest was taken of.
[[nodiscard]] const Json& keptIn(const Kept& kind, const Json& file);

}  // namespace warplens::json_reader
