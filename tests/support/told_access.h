#pragma once

#include <regex>
#include <string>

#include "core/program/program_trace.h"

namespace warplens {

/// The access that words are about, as a run that tells of it has it: `store to shared t[7], which
/// has 32 elements`; `about`: what else is known of it.
inline AccessedBytes accessTold(const std::string& words, AccessedBytes about = {}) {
    static const std::regex form(
        R"((load from|store to|atomic on)( shared)? (?:byte \d+ of )?([^\[]+?)(?:\[(-?\d+)\]|, which)(?:.*which has (\d+) elements)?.*)");
    std::smatch found;
    if (!std::regex_match(words, found, form)) return about;
    const bool isOfShared = found[2].matched;
    about.kind = found.str(1) == "load from"  ? AccessKind::load
                 : found.str(1) == "store to" ? AccessKind::store
                                              : AccessKind::atomic;
    if (isOfShared)
        about.kind = static_cast<AccessKind>(static_cast<int>(about.kind) +
                                             static_cast<int>(AccessKind::sharedLoad));
    about.array = found.str(3);
    about.element = std::atoll(found.str(4).c_str());
    about.elements = std::atoll(found.str(5).c_str());
    return about;
}

}  // namespace warplens
