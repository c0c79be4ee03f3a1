#include "app/cli/error_document.h"

#include "app/cli/output.h"
#include "core/json/archive.h"

namespace warplens {

void describe(Archive& v, Trouble& trouble) {
    describeVersion(v);
    auto code = static_cast<int>(trouble.code);
    v("exit_code", code, "1: failed; 2: the request is wrong; 3: not possible on this machine.",
      {.least = 1, .most = 3});
    v("message", trouble.message, "One or more lines, as on standard error.", {.notEmpty = true});
    v("problems", trouble.problems, "Of a wrong request, one for each line; else empty.");
}

void tell(const Trouble& trouble, bool json) {
    complain(trouble.message);
    if (!trouble.advice.empty()) complain(trouble.advice);
    if (json && !outputBegun()) printDocument(Document::error, trouble);
}

}  // namespace warplens
