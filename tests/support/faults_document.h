#pragma once

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "core/text/files.h"

namespace warplens::tests {

/// The words as they are documented: `lab-gpu` stands for whatever this machine is called.
inline std::string onLabGpu(std::string words) {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    for (const char* before : {"on ", "of "}) {
        const std::string here = std::string(before) + name.data();
        const std::size_t at = words.find(here);
        if (at != std::string::npos)
            words.replace(at, here.size(), std::string(before) + "lab-gpu");
    }
    return words;
}

/// Whether the tables of docs/faults.md have these words.
inline testing::AssertionResult isDocumented(const std::string& said) {
    const std::string words = onLabGpu(said);
    if (readFile(SOURCE_FOLDER "/docs/faults.md").find('`' + words) != std::string::npos) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "docs/faults.md has no `" << words;
}

}  // namespace warplens::tests
