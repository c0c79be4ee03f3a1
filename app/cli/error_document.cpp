#include "app/cli/error_document.h"

#include <nlohmann/json.hpp>

#include "app/cli/output.h"

namespace warplens {
namespace {

std::string documentOf(const Trouble& trouble) {
    using Json = nlohmann::ordered_json;
    Json object{{"exit_code", static_cast<int>(trouble.code)},
                {"message", trouble.message},
                {"problems", Json::array()}};
    for (const LimitViolation& problem : trouble.problems) {
        object["problems"].push_back(
            {{"name", problem.name}, {"value", problem.value}, {"limit", problem.limit}});
    }
    return objectText(object);
}

}  // namespace

void tell(const Trouble& trouble, bool json) {
    complain(trouble.message);
    if (!trouble.advice.empty()) complain(trouble.advice);
    if (json && !outputBegun()) printDocument(Document::error, documentOf(trouble));
}

}  // namespace warplens
