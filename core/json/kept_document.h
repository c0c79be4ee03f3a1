#pragma once

#include <string>
#include <string_view>

#include "core/json/archive.h"
#include "core/json/json.h"

/// Documents that are kept in a file, with what stands around them there, so that damage, changes
/// made by hand and other formats are noticed.
namespace warplens {

/// One kind of kept document.
struct KeptDocument final {
    Document document;
    const char* word;               ///< `recording`, for messages
    const char* formatOne;          ///< the member that held the number of its first format
    const char* member;             ///< that holds what is kept
    const char* about;              ///< it, for the schema
    const char* linesOf = nullptr;  ///< its last member, a list with a line for each entry
};

/// The members before the one that holds what is kept.
void describeKept(Archive& v, const std::string& digest);

/// The file's text: `schema`, `version` of the program, `digest` of the text of what is kept on one
/// line, and what is kept.
[[nodiscard]] std::string keptText(const KeptDocument& kind, const Members& members);

/// Reads what is kept in the file. Throws MalformedJson for another document, a format that this
/// version does not know, and a text that is not what its digest was taken of.
void readKept(const KeptDocument& kind, std::string_view text, const Members& members,
              std::size_t most = largestJson);

template <class T>
[[nodiscard]] std::string keptSchema(const KeptDocument& kind) {
    return schemaText(kind.document, [&](Archive& v) {
        T value{};
        describeKept(v, "");
        v(kind.member, value, kind.about);
    });
}

}  // namespace warplens
