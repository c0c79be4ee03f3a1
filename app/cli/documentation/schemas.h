#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"

namespace warplens {

/// The JSON schema of one document.
struct DocumentSchema final {
    Document document;
    std::string text;
};

/// Of all documents that this program and its worker write.
[[nodiscard]] std::vector<DocumentSchema> documentSchemas();

/// Their members as tables, for docs/json.md.
[[nodiscard]] std::string memberTables();

/// Of documents whose parts are known where they are written.
[[nodiscard]] std::string checkSchema();
[[nodiscard]] std::string explanationSchema();
[[nodiscard]] std::string listSchema();
[[nodiscard]] std::string doctorSchema();
[[nodiscard]] std::string compilerSetupSchema();
[[nodiscard]] std::string descriptionSchema();
[[nodiscard]] std::string progressSchema();
[[nodiscard]] std::string figureSchema();
[[nodiscard]] std::string screenshotSchema();
[[nodiscard]] std::string occupancySchema();
[[nodiscard]] std::string lessonsSchema();
[[nodiscard]] std::string lessonSchema();
[[nodiscard]] std::string mapSchema();
[[nodiscard]] std::string programSweepSchema();

}  // namespace warplens
