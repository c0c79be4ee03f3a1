#pragma once

#include <gtest/gtest.h>
#include <string>

#include "core/text/atomic_file.h"

namespace warplens::tests {

/// Whether the tables of docs/faults.md have these words.
inline testing::AssertionResult isDocumented(const std::string& words) {
    if (readFile(SOURCE_FOLDER "/docs/faults.md").find('`' + words) != std::string::npos) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "docs/faults.md has no `" << words;
}

}  // namespace warplens::tests
