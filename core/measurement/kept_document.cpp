#include "core/measurement/kept_document.h"

#include "core/text/digest.h"
#include "core/text/format.h"

namespace warplens::json_reader {
namespace {

/// The format's number, whichever way the file says it.
std::uint64_t formatOf(const Kept& kind, const Json& file) {
    if (!file.contains("schema") && file.contains(kind.formatOne)) {
        return count(file, kind.formatOne);
    }
    const std::string schema = text(file, "schema");
    const std::optional<int> number = schemaNumberFrom(kind.document, schema);
    if (!number) {
        throw MalformedJson("'" + schema + "' instead of '" + schemaOf(kind.document) + "'");
    }
    return static_cast<std::uint64_t>(*number);
}

std::uint64_t newestFormat(const Kept& kind) {
    return static_cast<std::uint64_t>(*schemaNumberFrom(kind.document, schemaOf(kind.document)));
}

}  // namespace

Json keptHead(const Kept& kind, std::string_view body) {
    return {
        {"schema", schemaOf(kind.document)}, {"version", version()}, {"digest", digestOf(body)}};
}

const Json& keptIn(const Kept& kind, const Json& file) {
    const std::uint64_t format = formatOf(kind, file);
    const std::uint64_t newest = newestFormat(kind);
    if (format < 1 || format > newest) {
        throw MalformedJson(std::string(kind.word) + " format " + std::to_string(format) +
                            ", this version reads formats 1 to " + std::to_string(newest));
    }
    const Json& body = member(file, kind.member);
    if (digestOf(toText(body)) != text(file, "digest")) {
        throw MalformedJson("changed since it was written; record it again");
    }
    return body;
}

}  // namespace warplens::json_reader
