#include "core/trace/line_tally.h"

#include <algorithm>

namespace warplens::trace {

LineTally& LineTallies::at(std::uint32_t line, EventKind kind, std::uint16_t subject) {
    const auto found = std::ranges::find_if(entries_, [&](const LineTally& entry) {
        return entry.line == line && entry.kind == kind && entry.subject == subject;
    });
    if (found != entries_.end()) return *found;
    entries_.push_back({line, kind, subject, {}, {}, {}, {}});
    return entries_.back();
}

void LineTallies::add(const LineTallies& other, std::uint64_t times) {
    for (const LineTally& entry : other.entries_) {
        LineTally& mine = at(entry.line, entry.kind, entry.subject);
        mine.access.add(entry.access, times);
        mine.shared.add(entry.shared, times);
        mine.branch.add(entry.branch, times);
        mine.atomic.add(entry.atomic, times);
    }
}

std::vector<LineTally> LineTallies::sorted() const {
    std::vector<LineTally> lines = entries_;
    std::ranges::stable_sort(lines, {}, &LineTally::line);
    return lines;
}

LaunchTally launchTallyOf(const Kernel& kernel, std::span<const LineTally> lines) {
    LaunchTally tally(kernel);
    for (const LineTally& line : lines) {
        switch (line.kind) {
            case EventKind::load:
                tally.loads.at(line.subject).add(line.access);
                break;
            case EventKind::store:
                tally.stores.at(line.subject).add(line.access);
                break;
            case EventKind::atomic:
                tally.atomics.at(line.subject).add(line.atomic);
                break;
            case EventKind::sharedLoad:
            case EventKind::sharedStore:
            case EventKind::sharedAtomic:
                tally.shared.at(line.subject).add(line.shared);
                tally.sharedAtomics.at(line.subject).add(line.atomic);
                break;
            case EventKind::branch:
                tally.branches.at(line.subject).add(line.branch);
        }
    }
    return tally;
}

LineSum sumOfLine(std::span<const LineTally> lines, std::uint32_t line) {
    LineSum sum;
    for (const LineTally& entry : lines) {
        if (entry.line != line) continue;
        sum.access.add(entry.access);
        sum.shared.add(entry.shared);
        sum.branch.add(entry.branch);
        sum.atomic.add(entry.atomic);
    }
    return sum;
}

}  // namespace warplens::trace
