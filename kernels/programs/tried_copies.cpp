#include "kernels/programs/tried_copies.h"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

namespace warplens {
namespace {

/// Whether the edit is tried whatever became of the cause's others.
bool isLikely(const RemedyCause& cause, const TriedRemedy& edit) {
    const TriedRemedy& first = cause.edits.front();
    return cause.finding || &edit == &first ||
           (isSearch(first.remedy) && edit.remedy == first.remedy);
}

}  // namespace

bool isSearch(std::string_view remedy) {
    return remedy == "block-shape" || remedy == "pad-shared-array" ||
           remedy.starts_with("exchange-");
}

struct TriedCopies::Entry final {
    std::shared_ptr<const TriedCopy> copy{};
    std::exception_ptr failure{};
    [[nodiscard]] bool isFilled() const { return copy || failure; }
};

TriedCopies::TriedCopies(Run run, const std::vector<RemedyCause>& causes, unsigned workers)
    : run_(std::move(run)), causes_(causes) {
    for (unsigned i = 0; i < workers; ++i)
        workers_.emplace_back([this](const std::stop_token& ending) { runAhead(ending); });
}

unsigned TriedCopies::workersHere() {
    constexpr unsigned most = 8;
    return std::min(std::max(2u, std::thread::hardware_concurrency()) / 2 - 1, most);
}

TriedCopies::~TriedCopies() {
    for (std::jthread& worker : workers_) worker.request_stop();
    workers_.clear();
}

TriedCopies::Key TriedCopies::keyOf(const TriedRemedy& edit) {
    return edit.remedy + '\0' + edit.file + '\0' + edit.text;
}

void TriedCopies::fill(Entry& entry, const TriedRemedy& edit) {
    std::shared_ptr<const TriedCopy> copy;
    std::exception_ptr failure;
    try {
        copy = std::make_shared<const TriedCopy>(run_(edit));
    } catch (...) {
        failure = std::current_exception();
    }
    {
        const std::lock_guard lock(mutex_);
        entry = {std::move(copy), std::move(failure)};
    }
    isFilled_.notify_all();
}

std::shared_ptr<const TriedCopy> TriedCopies::of(const TriedRemedy& edit) {
    std::unique_lock lock(mutex_);
    auto [at, isNew] = known_.try_emplace(keyOf(edit));
    if (isNew) at->second = std::make_unique<Entry>();
    Entry& entry = *at->second;
    if (isNew) {
        lock.unlock();
        fill(entry, edit);
        lock.lock();
    }
    isFilled_.wait(lock, [&] { return entry.isFilled(); });
    if (entry.failure) std::rethrow_exception(entry.failure);
    return entry.copy;
}

void TriedCopies::runAhead(const std::stop_token& ending) {
    while (!ending.stop_requested()) {
        const TriedRemedy* next = nullptr;
        Entry* entry = nullptr;
        {
            const std::lock_guard lock(mutex_);
            for (std::size_t at = cause_; at < causes_.size() && next == nullptr; ++at) {
                for (const TriedRemedy& edit : causes_[at].edits) {
                    if (!isLikely(causes_[at], edit)) continue;
                    const auto [place, isNew] = known_.try_emplace(keyOf(edit));
                    if (!isNew) continue;
                    place->second = std::make_unique<Entry>();
                    entry = place->second.get();
                    next = &edit;
                    break;
                }
            }
        }
        if (next == nullptr) return;
        fill(*entry, *next);
    }
}

void TriedCopies::comeTo(std::size_t cause) {
    const std::lock_guard lock(mutex_);
    cause_ = cause;
}

TriedCopies::Count TriedCopies::count() const {
    const std::lock_guard lock(mutex_);
    std::set<Key> left;
    for (std::size_t at = cause_; at < causes_.size(); ++at) {
        for (const TriedRemedy& edit : causes_[at].edits) {
            const auto known = known_.find(keyOf(edit));
            if (known == known_.end() || !known->second->copy) left.insert(keyOf(edit));
        }
    }
    const auto tried = std::ranges::count_if(
        known_, [](const auto& each) { return static_cast<bool>(each.second->copy); });
    return {left.size(), left.size() + static_cast<std::size_t>(tried)};
}

}  // namespace warplens
