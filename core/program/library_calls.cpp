#include "core/program/library_calls.h"

#include <algorithm>
#include <map>
#include <regex>

#include "core/program/cuda_tokens.h"

namespace warplens {
namespace {

/// The first name of another namespace than std in a line, else the first function that it calls.
std::string callIn(const std::string& line) {
    static const std::regex qualified(R"(\b(?!std::)(?:\w+::)+\w+)");
    static const std::regex called(R"((\w+)\s*\()");
    std::smatch found;
    if (std::regex_search(line, found, qualified)) return found.str();
    if (std::regex_search(line, found, called)) return found.str(1);
    return "a library";
}

}  // namespace

std::vector<LaunchGroup> launchGroups(const ProgramTrace& trace, const std::string& path,
                                      const std::vector<std::string>& lines) {
    std::map<std::string_view, bool> named;  // in the text, by kernel
    const auto isLibrarys = [&](const LaunchReport& launch) {
        const std::uint32_t line = launch.place.line;
        if (launch.place.file != path || line == 0 || line > lines.size()) return false;
        const auto [known, isNew] = named.try_emplace(launch.kernel, true);
        const std::string name = shortKernelName(launch.kernel);
        if (isNew && name != launch.kernel)
            known->second = std::ranges::any_of(lines, [&](const std::string& text) {
                return source::findWord(text, name) != source::nowhere;
            });
        return !known->second;
    };
    std::vector<LaunchGroup> groups;
    for (std::size_t at = 0; at < trace.launches.size(); ++at) {
        const LaunchReport& launch = trace.launches[at];
        const bool isOwn = !isLibrarys(launch);
        const bool goesOn = !isOwn && at != 0 && !groups.back().call.empty() &&
                            trace.launches[at - 1].place == launch.place;
        if (!goesOn)
            groups.push_back({.first = at,
                              .count = 0,
                              .call = isOwn ? "" : callIn(lines[launch.place.line - 1])});
        LaunchGroup& group = groups.back();
        ++group.count;
        for (const ProgramLine& line : launch.lines) {
            const bool isCounted = line.source == Source::predicted && !isOwn;
            group.requests += isCounted && line.kind != AccessKind::branch ? line.requests : 0;
        }
    }
    return groups;
}

}  // namespace warplens
