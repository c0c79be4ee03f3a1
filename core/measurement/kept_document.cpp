#include "core/measurement/kept_document.h"

#include "core/text/digest.h"
#include "core/text/format.h"

namespace warplens::json_reader {
namespace {

/// The format's number, whichever way the file says it.
int formatOf(const Kept& kind, const Json& file) {
    if (!file.contains("schema") && file.contains(kind.formatOne)) {
        return count<int>(file, kind.formatOne);
    }
    const std::string schema = text(file, "schema");
    const std::optional<int> number = schemaNumberFrom(kind.document, schema);
    if (!number) {
        throw MalformedJson("'" + schema + "' instead of '" + schemaOf(kind.document) + "'");
    }
    return *number;
}

}  // namespace

Json keptHead(const Kept& kind, std::string_view body) {
    return {
        {"schema", schemaOf(kind.document)}, {"version", version()}, {"digest", digestOf(body)}};
}

const Json& keptIn(const Kept& kind, const Json& file) {
    const int format = formatOf(kind, file);
    const int newest = schemaNumber(kind.document);
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
