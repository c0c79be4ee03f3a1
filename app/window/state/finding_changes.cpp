#include <algorithm>

#include "app/window/state/program_changes.h"
#include "core/program/warnings.h"
#include "core/text/lines.h"

namespace warplens::window {
namespace {

/// `bins[7]` of what a finding says; empty where it names no element.
std::string_view elementIn(std::string_view words) {
    const std::size_t open = words.find('[');
    if (open == words.npos) return {};
    const std::size_t begin = words.rfind(' ', open) + 1;  // 0 where there is no blank
    const std::size_t end = words.find_first_of(" ,:;.", open);
    return words.substr(begin, end == words.npos ? end : end - begin);
}

/// Each line's number, from 1, in a text that both versions of the open file are edits of: what
/// one of them alone has stands in it, too, and lines that took the place of as many are these.
struct CommonLines final {
    std::vector<std::uint32_t> before{0};
    std::vector<std::uint32_t> now{0};
};

CommonLines commonLines(const ProgramVersion& before, const ProgramVersion& now) {
    const std::vector<std::string_view> a(before.lines.begin(), before.lines.end());
    const std::vector<std::string_view> b(now.lines.begin(), now.lines.end());
    CommonLines common;
    std::uint32_t last = 0;
    std::uint32_t gone = 0;
    std::uint32_t come = 0;
    const auto endEdit = [&] {
        for (std::uint32_t at = 1; at <= gone; ++at) common.before.push_back(last + at);
        const std::uint32_t shift = gone == come ? 0 : gone;
        for (std::uint32_t at = 1; at <= come; ++at) common.now.push_back(last + shift + at);
        last += shift + come;
        gone = come = 0;
    };
    for (const DiffLine& line : lineDiff(a, b)) {
        (line.sign == '-' ? gone : come) += line.sign == ' ' ? 0 : 1;
        if (line.sign != ' ') continue;
        endEdit();
        common.before.push_back(++last);
        common.now.push_back(last);
    }
    endEdit();
    return common;
}

/// The lines that a finding is about, the lesser first, in the numbers of both versions.
std::pair<std::uint32_t, std::uint32_t> linesOf(const Finding& finding, const std::string& file,
                                                const std::vector<std::uint32_t>& numbers) {
    const auto numberOf = [&](std::uint32_t line) {
        return finding.place.file == file && line < numbers.size() ? numbers[line] : line;
    };
    const std::uint32_t one = numberOf(finding.place.line);
    return std::minmax({one, numberOf(finding.otherLine.value_or(finding.place.line))});
}

/// One mistake, though other words may tell it: what touches an unwritten element first.
bool isTold(const Finding& a, const Finding& b) {
    if (a.kind != b.kind || a.kernel != b.kernel) return false;
    if (a.kind == FindingKind::notReached) return true;  // more of the elements, or fewer
    // Of an array that nobody has written it is left to chance which element is read first.
    if (a.kind == FindingKind::unwrittenMemory && !arrayOf(a).empty())
        return arrayOf(a) == arrayOf(b);
    const std::string_view element = elementIn(a.words);
    return a.words == b.words || (!element.empty() && element == elementIn(b.words));
}

/// One index beyond the end, of several arrays: `c[i] = a[i] + b[i]`.
bool hasOneIndex(const Finding& first, const Finding& other) {
    const auto indexOf = [](const Finding& finding) {
        return elementIn(finding.words).substr(arrayOf(finding).size());
    };
    return first.kind == FindingKind::outOfBounds && other.kind == first.kind &&
           first.kernel == other.kernel && first.place.file == other.place.file &&
           first.place.line == other.place.line && !indexOf(first).empty() &&
           indexOf(first) == indexOf(other);
}

bool hasOneCause(const Finding& first, const Finding& other) {
    if (hasOneIndex(first, other)) return true;
    const auto isOfOrder = [](const Finding& finding) {
        return isRace(finding.kind) || finding.isWrittenLater;
    };
    // What nobody gives a value needs one, wherever it is read.
    const auto isNeverSet = [](const Finding& finding) {
        return finding.kind == FindingKind::uninitialisedShared && !finding.isWrittenLater;
    };
    const bool areNeverSet = isNeverSet(first) && isNeverSet(other);
    if ((!areNeverSet && (!isOfOrder(first) || !isOfOrder(other))) ||
        first.kernel != other.kernel || first.place.file != other.place.file ||
        arrayOf(first).empty() || arrayOf(first) != arrayOf(other))
        return false;
    const std::uint32_t a = first.otherLine.value_or(first.place.line);
    const std::uint32_t b = other.otherLine.value_or(other.place.line);
    if (first.otherLine && other.otherLine)
        return std::minmax(a, first.place.line) == std::minmax(b, other.place.line);
    return areNeverSet || other.place.line == first.place.line || other.place.line == a ||
           b == first.place.line;
}

/// Grid, block and shared memory of each launch of the kernel.
std::vector<Launch> launchesOf(const ProgramTrace& trace, const std::string& kernel) {
    std::vector<Launch> all;
    for (const LaunchReport& launch : trace.launches) {
        if (launch.kernel == kernel) all.push_back(launch.launch);
    }
    return all;
}

/// Whether what was found before would be found now, were it there: in what is of the host, or of a
/// launch itself, or of a kernel that is launched as before; what no thread reaches is mended by
/// another launch.
bool isTried(const Finding& finding, const ProgramVersion& before, const ProgramVersion& now) {
    if (finding.kernel.empty() || finding.kind == FindingKind::launchRefused) return true;
    const std::vector<Launch> launches = launchesOf(now.trace, finding.kernel);
    if (before.proposed != now.proposed) return false;
    // A program whose own check fails may hide it.
    if (finding.kind == FindingKind::notReached)
        return !launches.empty() && now.trace.exit.status.value_or(0) == 0;
    return launchesOf(before.trace, finding.kernel) == launches;
}

}  // namespace

std::string_view arrayOf(const Finding& finding) {
    const std::string_view element = elementIn(finding.words);
    return element.substr(0, element.find('['));
}

std::vector<std::vector<std::size_t>> findingsByCause(const std::vector<Finding>& findings) {
    std::vector<std::vector<std::size_t>> causes;
    for (std::size_t at = 0; at < findings.size(); ++at) {
        const auto found = std::ranges::find_if(causes, [&](const auto& cause) {
            return std::ranges::any_of(
                cause, [&](std::size_t each) { return hasOneCause(findings[each], findings[at]); });
        });
        if (found == causes.end())
            causes.push_back({at});
        else
            found->push_back(at);
    }
    return causes;
}

FindingChanges findingChangesOf(const ProgramState& program) {
    if (!program.now || !program.now->failure.empty() || !program.ran ||
        wasEnded(program.now->trace.exit)) {
        return {};
    }
    FindingChanges changes;
    for (const Finding& finding : program.ran->trace.findings) changes.gone.push_back(&finding);
    for (const Finding& finding : program.now->trace.findings) changes.come.push_back(&finding);
    if (changes.gone.empty() && changes.come.empty()) return changes;
    // Each is there still that one of the other version is the same as: first by its lines, then,
    // of those left, by what is told.
    const auto leaveOut = [&](auto&& isSame) {
        const auto without = [](const auto& findings, const auto& others, const auto& same) {
            std::vector<const Finding*> left;
            for (const Finding* finding : findings) {
                const auto isIt = [&](const Finding* other) { return same(*finding, *other); };
                if (std::ranges::none_of(others, isIt)) left.push_back(finding);
            }
            return left;
        };
        std::vector<const Finding*> gone = without(changes.gone, changes.come, isSame);
        changes.come =
            without(changes.come, changes.gone,
                    [&](const Finding& now, const Finding& before) { return isSame(before, now); });
        changes.gone = std::move(gone);
    };
    const CommonLines common = commonLines(*program.ran, *program.now);
    leaveOut([&](const Finding& before, const Finding& now) {
        return before.kind == now.kind && before.kernel == now.kernel &&
               before.place.file == now.place.file && arrayOf(before) == arrayOf(now) &&
               !arrayOf(now).empty() &&
               linesOf(before, program.path, common.before) ==
                   linesOf(now, program.path, common.now);
    });
    leaveOut(isTold);
    const auto notTried = std::ranges::stable_partition(changes.gone, [&](const Finding* finding) {
        return isTried(*finding, *program.ran, *program.now);
    });
    changes.notTried.assign(notTried.begin(), notTried.end());
    changes.gone.erase(notTried.begin(), notTried.end());
    return changes;
}

}  // namespace warplens::window
