#include "kernels/programs/remedy_trial.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/program/line_costs.h"
#include "core/program/reasons.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "core/text/lines.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/trace_program.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

template <typename Number>
bool areClose(const std::vector<std::byte>& a, const std::vector<std::byte>& b, double tolerance) {
    const auto numberAt = [](const std::vector<std::byte>& bytes, std::size_t at) {
        Number number{};
        std::memcpy(&number, bytes.data() + at, sizeof number);
        return static_cast<double>(number);
    };
    if (a.size() % sizeof(Number) != 0) return false;
    double largest = 0;
    double apart = 0;
    for (std::size_t at = 0; at < a.size(); at += sizeof(Number)) {
        const double x = numberAt(a, at);
        const double y = numberAt(b, at);
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        if (!std::isfinite(x) || !std::isfinite(y)) return false;
        apart = std::max(apart, std::abs(x - y));
        largest = std::max({largest, std::abs(x), std::abs(y)});
    }
    // Whole numbers read as fractions are tiny or huge.
    return apart <= largest * tolerance && largest > 1e-20 && largest < 1e20;
}

/// Whether other elements could have been read, and nobody would see it: there are no results, or
/// all of them are nothing, or one value again and again.
bool couldReadOthers(const TracedProgram& program) {
    const bool reads = std::ranges::any_of(program.trace.launches, [](const LaunchReport& launch) {
        return std::ranges::any_of(launch.lines, [](const ProgramLine& line) {
            return line.sectors != 0 && line.kind != AccessKind::store;
        });
    });
    const auto& results = program.results;
    if (!reads || results.empty()) return reads && program.trace.exit.output.empty();
    constexpr std::size_t word = sizeof(std::uint32_t);
    return std::ranges::all_of(results, [](const ProgramResult& result) {
        const std::vector<std::byte>& bytes = result.bytes;
        const bool isNothing =
            std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
        const bool repeats =
            bytes.size() > 2 * word && std::equal(bytes.begin() + word, bytes.end(), bytes.begin());
        return isNothing || repeats;
    });
}

constexpr std::string_view theSame = "the same bytes";
constexpr std::string_view stillEnds = "; the program still ends with ";

/// How the results of two runs compare; empty where they are others. Atomics that many threads add
/// to one float have no order of their own, and its sum few digits.
std::string sameness(const TracedProgram& before, const TracedProgram& after, bool isOfAtomics) {
    const ProgramExit& a = before.trace.exit;
    const ProgramExit& b = after.trace.exit;
    if (a.status != b.status || a.signal != b.signal || a.stopped != b.stopped) return {};
    const auto& results = before.results;
    const auto& others = after.results;
    if (results.size() != others.size()) return {};
    std::string words(theSame);
    for (std::size_t at = 0; at < results.size(); ++at) {
        const std::vector<std::byte>& x = results[at].bytes;
        const std::vector<std::byte>& y = others[at].bytes;
        if (x == y) continue;
        if (x.size() != y.size()) return {};
        // Of two floats beside each other the one alone would say how large the double is.
        const std::uint32_t element = results[at].elementBytes;
        const bool mayBeDoubles = element != 0 && element % sizeof(double) == 0;
        if (areClose<float>(x, y, isOfAtomics ? 1e-4 : 1e-5))
            words = "the same to " + std::string(isOfAtomics ? "1e-4" : "1e-5") +
                    " of the largest, as floats are added in another order";
        else if (mayBeDoubles && areClose<double>(x, y, 1e-12))
            words = "the same to 1e-12 of the largest, as doubles are added in another order";
        else
            return {};
    }
    // What it prints says the rest: times and addresses aside, of which nobody knows.
    if (results.empty() && a.output != b.output) return {};
    return words;
}

bool isExact(const ProgramTrace& trace) {
    return std::ranges::all_of(trace.launches, &LaunchReport::exact);
}

/// How many lanes load from global memory.
std::uint64_t lanesThatLoad(const ProgramTrace& trace) {
    std::uint64_t lanes = 0;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.source == Source::predicted && line.kind == AccessKind::load)
                lanes += line.activeLanes;
        }
    }
    return lanes;
}

/// Whether an edit leaves out no load: results may not show it.
bool loadsAsMuch(const ProgramTrace& before, const ProgramTrace& after) {
    const std::uint64_t then = lanesThatLoad(before);
    return lanesThatLoad(after) + (isExact(before) && isExact(after) ? 0 : then / 20) >= then;
}

/// Whether kernels write as many bytes of global memory as before: a grid that does not fit the
/// shape of its blocks leaves elements out, which a program that looks at none of them never sees.
bool storesAsMuch(const ProgramTrace& before, const ProgramTrace& after) {
    const auto [fewer, more] =
        std::minmax({costOf(before, CostMetric::stored), costOf(after, CostMetric::stored)});
    // Samples differ by chance.
    return more - fewer <= (isExact(before) && isExact(after) ? 0 : more / 20);
}

/// Wavefronts of shared memory beyond those that its accesses need.
std::uint64_t conflictsIn(const ProgramTrace& trace) {
    std::uint64_t sum = 0;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.source == Source::predicted && isShared(line.kind) && !isAtomic(line.kind))
                sum += excessOf(line);
        }
    }
    return sum;
}

/// `; but gemm<float, 32>: 1,152 -> 2,304`: the launch that pays most for what the others gain.
std::string whoPays(const ProgramTrace& before, const ProgramTrace& after, CostMetric metric) {
    if (before.launches.size() != after.launches.size()) return {};
    std::string words;
    std::uint64_t most = 0;
    // Samples differ by chance.
    const std::uint64_t part = isExact(before) && isExact(after) ? 1000 : 20;
    for (std::size_t at = 0; at < before.launches.size(); ++at) {
        const std::uint64_t then = costOf(before.launches[at], metric);
        const std::uint64_t now = costOf(after.launches[at], metric);
        if (now <= then + then / part || now - then <= most) continue;
        most = now - then;
        words = "; but " + before.launches[at].kernel + ": " + groupedDigits(then) + " -> " +
                groupedDigits(now);
    }
    return words;
}

bool isLeftOut(FindingKind kind) {
    return kind == FindingKind::notReached || kind == FindingKind::unwrittenMemory;
}

std::ptrdiff_t countOf(const ProgramTrace& trace, FindingKind kind) {
    return std::ranges::count(trace.findings, kind, &Finding::kind);
}

/// Where each line of a text, from 1, is in a changed one: from, to. As many lines that are in the
/// place of others are one for one, else each may be any.
std::vector<std::array<std::size_t, 2>> linesAfter(std::string_view before,
                                                   std::string_view after) {
    std::vector<DiffLine> all = lineDiff(splitLines(before), splitLines(after));
    all.emplace_back();
    std::vector<std::array<std::size_t, 2>> lines{{}};
    std::size_t at = 1;
    std::size_t removed = 0;
    std::size_t added = 0;
    for (const DiffLine& line : all) {
        removed += line.sign == '-' ? 1 : 0;
        added += line.sign == '+' ? 1 : 0;
        if (line.sign != ' ') continue;
        for (std::size_t i = 0; i < removed; ++i) {
            if (removed == added)
                lines.push_back({at + i, at + i});
            else
                lines.push_back({at, at + added});
        }
        at += added;
        lines.push_back({at, at});
        ++at;
        removed = added = 0;
    }
    return lines;
}

/// A text with what others change in it; what several of them change has the first one's change.
std::string merged(std::string_view base, std::span<const std::string> changed) {
    const std::vector<std::string_view> lines = splitLines(base);
    struct Change final {
        std::size_t end = 0;  ///< of the lines from its begin on that it takes the place of
        std::string text;
    };
    std::map<std::size_t, Change> all;
    for (const std::string& text : changed) {
        std::map<std::size_t, Change> own;
        std::size_t at = 0;
        auto now = own.end();
        for (const DiffLine& line : lineDiff(lines, splitLines(text))) {
            if (line.sign == ' ') {
                now = own.end();
                ++at;
                continue;
            }
            if (now == own.end()) now = own.insert({at, {at, {}}}).first;
            if (line.sign == '-') now->second.end = ++at;
            if (line.sign == '+') now->second.text += std::string(line.text) + '\n';
        }
        const bool isFree = std::ranges::none_of(own, [&](const auto& each) {
            const auto next = all.lower_bound(each.first);
            return (next != all.end() &&
                    (next->first == each.first || next->first < each.second.end)) ||
                   (next != all.begin() && std::prev(next)->second.end > each.first);
        });
        if (isFree) all.merge(own);
    }
    std::string text;
    for (std::size_t at = 0; at <= lines.size();) {
        const auto change = all.find(at);
        if (change != all.end()) text += change->second.text;
        if (change != all.end() && change->second.end != at)
            at = change->second.end;
        else if (at++ < lines.size())
            text += std::string(lines[at - 1]) + '\n';
    }
    return text;
}

/// One program, and its copies.
class Trials final {
  public:
    Trials(const TraceRequest& request, const RemedySearch& search)
        : request_(request), search_(search) {
        request_.keepsResults = true;
        request_.shown.reset();
        before_ = trace(request_);
    }

    [[nodiscard]] std::vector<TriedRemedy> all() {
        std::vector<TriedRemedy> found;
        causes_ = causesOf(before_.trace, before_.sources);
        std::vector<RemedyCause>& causes = causes_;
        // What costs next to nothing is tried where it is asked for: each edit is a compilation.
        for (RemedyCause& each : causes)
            if (each.excess != 0 && !isWorthTelling(each)) each.edits.clear();
        // Behind those that are asked for: what costs the same, and may have the cure of both.
        const auto others = std::ranges::stable_partition(
            causes, [&](const RemedyCause& each) { return isAsked(each); });
        std::set<CostMetric> metrics;
        for (auto at = causes.begin(); at != others.begin(); ++at) {
            if (!at->finding) metrics.insert(at->metric);
        }
        std::erase_if(causes, [&](RemedyCause& each) {
            if (isAsked(each)) return false;
            // Other axes are better or worse for both kinds of memory.
            if (!metrics.contains(each.metric) && !each.finding &&
                std::ranges::any_of(bothMemories,
                                    [&](CostMetric metric) { return metrics.contains(metric); })) {
                std::erase_if(each.edits, [](const TriedRemedy& edit) {
                    return !edit.remedy.starts_with("exchange-");
                });
                return each.edits.empty();
            }
            return each.finding || !metrics.contains(each.metric);
        });
        std::set<std::string> exchanged;
        for (RemedyCause& each : causes) {
            if (isAsked(each)) continue;
            std::erase_if(each.edits, [&](const TriedRemedy& edit) {
                return edit.remedy.starts_with("exchange-") && !exchanged.insert(edit.text).second;
            });
        }
        metrics_ = std::move(metrics);
        copies_.emplace([this](const TriedRemedy& edit) { return run(edit); }, causes,
                        search_.workers);
        try {
            search(causes, found);
        } catch (const std::runtime_error&) {
            if (!isCancelled() || !search_.stopped) throw;
            const auto [left, of] = copies_->count();
            isOver_ = true;
            copies_.reset();
            finish(found, causes, causes.size());
            search_.stopped(left, of);
            return found;
        }
        finish(found, causes, causes.size());
        return found;
    }

    ~Trials() { isOver_ = true; }
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

  private:
    void search(std::vector<RemedyCause>& causes, std::vector<TriedRemedy>& found) {
        for (std::size_t at = 0; at < causes.size(); ++at) {
            if (!causes[at].finding) proveTogether(found);
            finish(found, causes, at);
            copies_->comeTo(at);
            if (!isAsked(causes[at]) && metrics_.contains(causes[at].metric) && isEachCured(found))
                continue;
            if (search_.progress) search_.progress(causes[at], at, causes.size());
            std::optional<TriedRemedy> best;
            bool isMended = false;
            if (causes[at].finding) addMending(found, causes[at]);
            for (const TriedRemedy& edit : causes[at].edits) {
                // Another way, for a block that stays as it is.
                if (best && edit.remedy == "swizzle-shared-array") {
                    addOnce(found, *std::exchange(best, {}), causes[at].excess);
                    isMended = true;
                }
                if (causes[at].finding ||
                    (best && (!isSearch(edit.remedy) || best->remedy != edit.remedy)))
                    break;  // of others than a search the likeliest that helps will do
                std::optional<TriedRemedy> tried = attempt(causes[at], edit);
                if (!tried || (best && best->after <= tried->after)) continue;
                best = std::move(tried);
            }
            const bool isOpen = !best && !isMended && isAsked(causes[at]);
            // What was tried and is not proved is told in its place.
            const bool isTried = unproved_ && unproved_->remedy == causes[at].advice;
            if (isOpen && !causes[at].advice.empty() && !isTried && isWorthTelling(causes[at]))
                best = told(causes[at], {.remedy = causes[at].advice, .detail = causes[at].detail});
            if (best) addOnce(found, *std::move(best), causes[at].excess);
            if (isOpen && unproved_) addOnce(found, *std::move(unproved_), 0);
            unproved_.reset();
        }
        proveTogether(found);
    }

    /// Where the program finds its own results wrong, and with no edit alone right: whether it does
    /// with all edits against findings.
    void proveTogether(std::vector<TriedRemedy>& found) {
        if (std::exchange(isProved_, true)) return;
        const auto isOpen = [](const TriedRemedy& each) { return each.isWrongYet; };
        if (std::ranges::count_if(found, isOpen) < 2 ||
            std::ranges::any_of(found, &TriedRemedy::makesRight))
            return;
        std::map<std::string, std::vector<std::string>> texts;
        for (const TriedRemedy& each : found)
            if (isOpen(each)) texts[each.file].push_back(each.text);
        TraceRequest request = request_;
        for (const auto& [file, changed] : texts)
            replaceText(request, file, merged(textOf(before_.sources, file), changed));
        try {
            if (trace(request).trace.exit.status != 0) return;
        } catch (const std::runtime_error&) {
            if (isCancelled()) throw;
            return;
        }
        for (TriedRemedy& each : found) {
            if (!std::exchange(each.isWrongYet, false)) continue;
            each.results.resize(each.results.rfind(stillEnds));
            each.results += "; with the other edits, too, the program ends with 0";
        }
    }

    /// Whether nothing that the causes from `next` on have can change the remedy, drop it or come
    /// before it.
    [[nodiscard]] static bool isSettled(const TriedRemedy& remedy,
                                        const std::vector<RemedyCause>& causes, std::size_t next) {
        // What saves sectors may save wavefronts, too.
        const auto groupOf = [](std::string_view unit) {
            return unit == toString(CostMetric::wavefronts) ? toString(CostMetric::sectors) : unit;
        };
        const auto begin = causes.begin() + static_cast<std::ptrdiff_t>(next);
        return std::none_of(begin, causes.end(), [&](const RemedyCause& cause) {
            const std::string_view unit = cause.finding ? "findings" : toString(cause.metric);
            return groupOf(unit) == groupOf(remedy.unit) ||
                   std::ranges::find(cause.edits, remedy.text, &TriedRemedy::text) !=
                       cause.edits.end();
        });
    }

    /// Puts in order what was found before the cause `next` and was not told yet, and tells what
    /// is settled of it. Of lines that are asked for all is in order at the end alone.
    void finish(std::vector<TriedRemedy>& found, const std::vector<RemedyCause>& causes,
                std::size_t next) {
        if (next != causes.size() && !search_.lines.empty()) return;
        std::erase_if(found, [&](const TriedRemedy& each) { return !isAsked(each); });
        dropCured(found, causes);
        for (TriedRemedy& each : found) {
            if (metrics_.empty() || search_.lines.empty()) break;
            const auto isMeant = [&](const std::string& unit) {
                return std::ranges::any_of(
                    metrics_, [&](CostMetric metric) { return toString(metric) == unit; });
            };
            const auto other = std::ranges::find_if(each.also, isMeant, &RemedyGain::unit);
            if (other != each.also.end() && !isMeant(each.unit))
                each = withUnitFirst(std::move(each), std::string(other->unit));
        }
        putBestFirst(found, told_);
        for (; told_ < found.size() && isSettled(found[told_], causes, next); ++told_) {
            if (search_.found) search_.found(found[told_]);
        }
    }

    static constexpr std::array bothMemories{CostMetric::sectors, CostMetric::wavefronts};

    /// Of tried edits for one line from `begin` on, and of what can only be told of it, that first
    /// which leaves least of what the other is for; what is harder to read has to leave much less.
    static void putBestFirst(std::vector<TriedRemedy>& found, std::size_t begin) {
        const auto isBetter = [](const TriedRemedy& edit, const TriedRemedy& other) {
            const TriedRemedy same = withUnitFirst(edit, other.unit);
            return edit.diff.empty() == other.diff.empty() && other.unit != "findings" &&
                   same.unit == other.unit && same.after < other.after &&
                   (edit.remedy != "swizzle-shared-array" || 4 * same.after < 3 * other.after) &&
                   std::ranges::any_of(other.places, [&](const SourcePlace& place) {
                       return isAt(edit.places, place);
                   });
        };
        const auto first = found.begin() + static_cast<std::ptrdiff_t>(begin);
        std::ranges::stable_partition(first, found.end(), std::identity(),
                                      &TriedRemedy::makesRight);
        for (auto at = first; at != found.end(); ++at) {
            const auto worse = std::find_if(
                first, at, [&](const TriedRemedy& other) { return isBetter(*at, other); });
            std::rotate(worse, at, at + 1);
        }
    }
    /// Edits against findings: that after which the program finds its results right first, then
    /// that which leaves fewest of all, of such of a kind the smallest; others for the places that
    /// it does not put right, which are all that is left of the cause's.
    void addMending(std::vector<TriedRemedy>& found, RemedyCause& cause) {
        std::vector<TriedRemedy> mending;
        for (const TriedRemedy& edit : cause.edits) {
            if (auto tried = attempt(cause, edit)) mending.push_back(*std::move(tried));
        }
        std::ranges::stable_sort(mending, {}, [&](const TriedRemedy& tried) {
            // A kind that was thought of first is likelier what is meant, however long; of guards
            // that by which a thread does nothing else, too.
            const bool isGuard = tried.remedy == "guard-the-tail";
            return std::tuple(tried.isWrongYet, tried.after,
                              std::ranges::find(cause.edits, tried.remedy, &TriedRemedy::remedy) -
                                  cause.edits.begin(),
                              isGuard ? 0 : tried.text.size());
        });
        for (TriedRemedy& tried : mending) {
            if (!isAsked(cause)) return;
            const auto isMended = [&](const SourcePlace& place) {
                return std::ranges::find(tried.places, place) != tried.places.end();
            };
            if (std::erase_if(cause.places, isMended) != 0) addOnce(found, std::move(tried), 0);
        }
    }
    /// Of a line that is asked for, or a hundredth of what the program costs and more.
    [[nodiscard]] bool isWorthTelling(const RemedyCause& cause) const {
        return !search_.lines.empty() || cause.finding ||
               100 * cause.excess >= costOf(before_.trace, cause.metric);
    }

    /// All lines that are asked for and cost too much have a change that was tried.
    [[nodiscard]] bool isEachCured(const std::vector<TriedRemedy>& found) const {
        return std::ranges::all_of(search_.lines, [&](const SourcePlace& line) {
            return std::ranges::any_of(found, [&](const TriedRemedy& each) {
                return !each.diff.empty() && isAt(each.places, line);
            });
        });
    }
    /// Findings of a kind and kernel of which none is left; of elements that have no value or no
    /// thread, of which others may be told then, none of either kind.
    using Ended = std::vector<const Finding*>;
    [[nodiscard]] Ended endedBy(const ProgramTrace& after) const {
        Ended all;
        for (const Finding& each : before_.trace.findings) {
            if (std::ranges::none_of(after.findings, [&](const Finding& other) {
                    return isLeftOut(each.kind)
                               ? isLeftOut(other.kind)
                               : other.kind == each.kind && other.kernel == each.kernel;
                }))
                all.push_back(&each);
        }
        return all;
    }
    /// Whether all that the remedy is for ends with these.
    [[nodiscard]] bool isEndedBy(const Ended& ended, const TriedRemedy& remedy) const {
        return std::ranges::all_of(before_.trace.findings, [&](const Finding& each) {
            return ruleOf(each.kind).id != remedy.rule || !isAt(remedy.places, each.place) ||
                   std::ranges::find(ended, &each) != ended.end();
        });
    }
    /// Leaves out what is only told of places that an edit puts right: that saves most of what all
    /// of these cost too much; and what is for findings that are gone with another edit.
    void dropCured(std::vector<TriedRemedy>& found, const std::vector<RemedyCause>& causes) const {
        const auto cures = [&](const TriedRemedy& edit, const TriedRemedy& other) {
            if (edit.diff.empty() || edit.unit != other.unit) return false;
            if (edit.unit == "findings")
                return other.rule != edit.rule &&
                       (other.diff.empty() || std::pair(edit.isWrongYet, edit.after) <
                                                  std::pair(other.isWrongYet, other.after)) &&
                       isEndedBy(endedBy_.at(edit.text), other);
            const bool isThere = std::ranges::all_of(
                other.places, [&](const SourcePlace& place) { return isAt(edit.places, place); });
            std::uint64_t excess = 0;
            for (const RemedyCause& cause : causes) {
                const bool isOfIt = std::ranges::any_of(
                    cause.places,
                    [&](const SourcePlace& place) { return isAt(edit.places, place); });
                if (!cause.finding && isOfIt && toString(cause.metric) == edit.unit)
                    excess += cause.excess;
            }
            return 4 * (edit.before - std::min(edit.before, edit.after)) >= 3 * excess && isThere;
        };
        std::erase_if(found, [&](const TriedRemedy& other) {
            return (other.file.empty() || other.unit == "findings") &&
                   std::ranges::any_of(found,
                                       [&](const TriedRemedy& edit) { return cures(edit, other); });
        });
    }
    static void addOnce(std::vector<TriedRemedy>& found, TriedRemedy tried, std::uint64_t excess) {
        const auto same = std::ranges::find_if(found, [&](const TriedRemedy& other) {
            return other.remedy == tried.remedy && other.text == tried.text &&
                   (!other.text.empty() || other.rule == tried.rule ||
                    tried.remedy == "structure-of-arrays" || tried.remedy == "block-shape");
        });
        if (same == found.end()) return found.push_back(std::move(tried));
        const auto add = [](std::vector<std::string>& to, const std::string& one) {
            if (std::ranges::find(to, one) == to.end()) to.push_back(one);
        };
        for (const std::string& array : tried.arrays) add(same->arrays, array);
        if (tried.rule != same->rule) add(same->alsoRules, tried.rule);
        for (const SourcePlace& place : tried.places) {
            if (!isAt(same->places, place)) same->places.push_back(place);
        }
        if (tried.text.empty()) same->after -= std::min(same->after, excess);
        // Each is a fact and what to do, which is said once.
        constexpr std::size_t mostBytes = 400;
        const std::size_t fact = std::min(tried.detail.find(". "), tried.detail.size());
        if (tried.detail.empty() || same->detail.size() > mostBytes ||
            same->detail.find(tried.detail.substr(0, fact)) != std::string::npos)
            return;
        const std::size_t advice = same->detail.find(tried.detail.substr(fact));
        if (advice == std::string::npos)
            same->detail += (same->detail.empty() ? "" : " ") + tried.detail;
        else
            same->detail.insert(advice, "; " + tried.detail.substr(0, fact));
    }
    /// One of its places, if any is left.
    [[nodiscard]] bool isAsked(const auto& cause) const {
        return (search_.lines.empty() && !cause.places.empty()) ||
               std::ranges::any_of(search_.lines, [&](const SourcePlace& line) {
                   return isAt(cause.places, line);
               });
    }
    [[nodiscard]] static bool isAt(const std::vector<SourcePlace>& places,
                                   const SourcePlace& line) {
        return std::ranges::any_of(places, [&](const SourcePlace& place) {
            return place.line == line.line && place.file == line.file;
        });
    }
    /// What lines in all their places cost by a metric.
    using Costs = std::map<std::uint32_t, std::uint64_t>;
    [[nodiscard]] static Costs costsIn(const ProgramTrace& trace, CostMetric metric,
                                       const std::string& file, std::string_view rule) {
        Costs costs;
        for (const LaunchReport& launch : trace.launches) {
            for (const ProgramLine& line : launch.lines) {
                const bool isOne =
                    isOfRules(line) &&
                    fs::path(line.place.file).filename() == fs::path(file).filename() &&
                    metricOf(line) == metric && breaksCostRule(line, launch) &&
                    (rule.empty() || costRule(line.kind).id == rule);
                if (isOne) costs[line.place.line] += excessOf(line);
            }
        }
        return costs;
    }
    /// `; but line 9: 64 -> 66`: the line of its file that pays most for what others gain.
    [[nodiscard]] std::string whichLinePays(const TriedRemedy& tried, const std::string& text,
                                            CostMetric metric, const ProgramTrace& after) const {
        const auto costs = [&](const ProgramTrace& trace) {
            Costs all;
            for (const LaunchReport& launch : trace.launches) {
                for (const ProgramLine& line : launch.lines) {
                    if (fs::path(line.place.file).filename() != fs::path(tried.file).filename())
                        continue;
                    LaunchReport alone;
                    alone.lines = {line};
                    all[line.place.line] += costOf(alone, metric);
                }
            }
            return all;
        };
        const auto lines = linesAfter(textOf(before_.sources, tried.file), text);
        Costs now = costs(after);
        std::string words;
        std::uint64_t most = tried.isSampled ? (tried.before - tried.after) / 20 : 0;
        for (const auto& [line, then] : costs(before_.trace)) {
            if (line >= lines.size() || lines[line][0] != lines[line][1]) continue;
            const std::uint64_t next = now[static_cast<std::uint32_t>(lines[line][0])];
            if (then == 0 || next <= then + most) continue;
            most = next - then;
            words = "; but line " + std::to_string(line) + ": " + groupedDigits(then) + " -> " +
                    groupedDigits(next);
        }
        return words;
    }
    /// The lines of its file that it makes cheaper by half and more, of all rules or of one.
    [[nodiscard]] std::vector<SourcePlace> halvedBy(const TriedRemedy& tried, CostMetric metric,
                                                    const ProgramTrace& after,
                                                    std::string_view rule = {}) const {
        std::vector<SourcePlace> halved;
        const auto lines = linesAfter(textOf(before_.sources, tried.file), tried.text);
        const Costs now = costsIn(after, metric, tried.file, rule);
        for (const auto& [line, cost] : costsIn(before_.trace, metric, tried.file, rule)) {
            if (line >= lines.size()) continue;
            std::uint64_t left = 0;
            for (auto at = now.lower_bound(static_cast<std::uint32_t>(lines[line][0]));
                 at != now.end() && at->first <= lines[line][1]; ++at)
                left += at->second;
            if (2 * left <= cost) halved.push_back({tried.file, line, 0});
        }
        return halved;
    }
    /// Those that it is not for yet, and the other rule of global memory that it keeps then.
    void addOtherPlaces(TriedRemedy& tried, CostMetric metric, const ProgramTrace& after) const {
        for (const SourcePlace& place : halvedBy(tried, metric, after)) {
            if (!isAt(tried.places, place)) tried.places.push_back(place);
        }
        for (const AccessKind kind : {AccessKind::load, AccessKind::store}) {
            const std::string& rule = costRule(kind).id;
            if (rule != tried.rule && metric == CostMetric::sectors &&
                !halvedBy(tried, metric, after, rule).empty())
                tried.alsoRules.push_back(rule);
        }
    }
    [[nodiscard]] TracedProgram trace(const TraceRequest& request) const {
        TraceListener listener;
        listener.cancelled = [this] { return isCancelled(); };
        return traceProgram(request, listener);
    }
    [[nodiscard]] bool isCancelled() const {
        return isOver_ || (search_.cancelled && search_.cancelled());
    }

    /// The program with the edited file.
    [[nodiscard]] TriedCopy run(const TriedRemedy& edit) const {
        TraceRequest request = request_;
        replaceText(request, edit.file, edit.text);
        TracedProgram changed = trace(request);
        std::string results = sameness(before_, changed, edit.remedy == "aggregate-atomics");
        return {std::move(changed.trace), std::move(results), std::move(changed.written),
                changed.bytesReached};
    }

    [[nodiscard]] std::optional<TriedRemedy> attempt(const RemedyCause& cause,
                                                     const TriedRemedy& edit) {
        std::shared_ptr<const TriedCopy> copy;
        try {
            copy = copies_->of(edit);
        } catch (const std::runtime_error&) {
            if (isCancelled()) throw;
            return std::nullopt;
        }
        const TriedCopy& changed = *copy;
        const ProgramTrace& before = before_.trace;
        const ProgramTrace& after = changed.trace;
        // What is left allocated is only told of a program that ends well.
        const bool tells = isRunWhole(before) && isRunWhole(after);
        const bool endsWellNow =
            tells && before.exit.status.value_or(0) != 0 && after.exit.status.value_or(0) == 0;
        // What did not run before may have faults of its own, which are told then.
        const bool runsNow = cause.finding == FindingKind::launchRefused ||
                             cause.finding == FindingKind::hostPointer;
        for (const Finding& finding : after.findings) {
            if ((endsWellNow && finding.kind == FindingKind::neverFreed) || runsNow ||
                finding.kind == FindingKind::mayBeWhy)
                continue;
            if (finding.kind == FindingKind::notReached && edit.remedy == "byte-count") continue;
            if (countOf(after, finding.kind) > countOf(before, finding.kind)) return std::nullopt;
        }
        TriedRemedy tried = told(cause, edit);
        tried.results = changed.results;
        tried.isWrongYet = tells && after.exit.status.value_or(0) != 0;
        tried.makesRight = endsWellNow;
        if (cause.finding) {
            if (countOf(after, *cause.finding) >= countOf(before, *cause.finding))
                return std::nullopt;
            const auto lines = linesAfter(textOf(before_.sources, edit.file), edit.text);
            std::erase_if(tried.places, [&](const SourcePlace& place) {
                std::array<std::size_t, 2> now{place.line, place.line};
                if (place.file == edit.file && place.line < lines.size()) now = lines[place.line];
                return std::ranges::any_of(after.findings, [&](const Finding& finding) {
                    return finding.kind == *cause.finding && finding.place.line >= now[0] &&
                           finding.place.line <= now[1] &&
                           fs::path(finding.place.file).filename() ==
                               fs::path(place.file).filename();
                });
            });
            if (tried.places.empty()) return std::nullopt;
            const auto lineBefore = [&](const SourcePlace& now) -> std::size_t {
                const auto found = std::ranges::find_if(
                    lines, [&](const auto& line) { return line[1] >= now.line; });
                const bool isOfFile =
                    fs::path(now.file).filename() == fs::path(edit.file).filename();
                return isOfFile && found != lines.end()
                           ? static_cast<std::size_t>(found - lines.begin())
                           : now.line;
            };
            // What was a consequence of it has no cause of its own.
            std::string ended;
            const auto name = [](std::string& all, const Finding& each, std::size_t line) {
                const std::string one = kindInWords(each.kind) + " in line " + std::to_string(line);
                if (all.find(one) == std::string::npos) all += (all.empty() ? "" : ", ") + one;
            };
            for (const Finding* each : endedBy_[edit.text] = endedBy(after)) {
                if (each->kind == *cause.finding || each->place.line == 0) continue;
                name(ended, *each, each->place.line);
                if (!isAt(tried.places, each->place)) tried.places.push_back(each->place);
            }
            // Of what lost its value by it others may have none now.
            std::string left;
            for (const Finding& each : after.findings) {
                const bool wasThere = std::ranges::any_of(before.findings, [&](const Finding& one) {
                    return one.kind == each.kind && one.array() == each.array();
                });
                const bool isHeldBack = endsWellNow && each.kind == FindingKind::neverFreed;
                if ((isLeftOut(each.kind) || runsNow || isHeldBack) && !wasThere)
                    name(left, each, lineBefore(each.place));
            }
            if (!ended.empty() || !left.empty())
                tried.detail = wordsOf(tried) +
                               (ended.empty() ? "" : " Gone with this edit: " + ended + '.') +
                               (left.empty() ? "" : " Told then: " + left + '.');
            // One that crashed before is compared up to there.
            const bool crashes = !after.exit.signal.empty() || !after.exit.stopped.empty();
            if (crashes && (after.exit.signal != before.exit.signal ||
                            after.exit.stopped != before.exit.stopped))
                return std::nullopt;
            if (tried.isWrongYet && before.exit.status.value_or(0) == 0) return std::nullopt;
            // Beyond the end nothing is left out that counts; a row's other length leaves out
            // nothing.
            const bool losesNothing =
                edit.remedy == "row-length" || edit.remedy == "stay-beyond-the-end";
            const std::uint64_t least = losesNothing ? before_.bytesReached
                                        : edit.remedy == "guard-the-tail"
                                            ? before_.bytesReached / 10 * 9
                                            : 0;
            if (isExact(before) && isExact(after) && changed.bytesReached < least)
                return std::nullopt;
            if (cause.finding == FindingKind::oneThreadWorks) {
                if (tried.results.empty()) return std::nullopt;
                tried.also.push_back({std::string(toString(CostMetric::sectors)),
                                      costOf(before, CostMetric::sectors),
                                      costOf(after, CostMetric::sectors)});
            }
            // Who has an element of his own comes to more of them.
            if (cause.finding == FindingKind::repeatedWork && isExact(before) && isExact(after) &&
                changed.bytesReached <= before_.bytesReached)
                return std::nullopt;
            // What may be why is told where nothing else is.
            tried.after =
                after.findings.size() -
                (endsWellNow ? countOf(after, FindingKind::neverFreed) : 0) -
                (cause.finding == FindingKind::mayBeWhy ? 0
                                                        : countOf(after, FindingKind::mayBeWhy));
            // What is copied now others are to reach, whose grid was too short before, too.
            if (edit.remedy == "byte-count")
                tried.after -=
                    std::max<std::ptrdiff_t>(0, countOf(after, FindingKind::notReached) -
                                                    countOf(before, FindingKind::notReached));
            // By whatever order it is run here, the bytes are those of this order alone; those of
            // a program with an error are no measure of one without.
            const auto isOfOrder = [](FindingKind kind) {
                return isRace(kind) || kind == FindingKind::warpOrder ||
                       kind == FindingKind::unsynchronisedRead;
            };
            if (std::ranges::any_of(after.findings, isOfOrder, &Finding::kind))
                tried.results = "not to be compared yet, as a race is left";
            else if (std::ranges::any_of(before.findings, isOfOrder, &Finding::kind))
                tried.results = "no longer left to a race";
            else if (tried.results.empty())
                tried.results = countOf(after, *cause.finding) != 0
                                    ? "changed, as the error is gone here; others of its kind stay"
                                    : "changed, as the error is gone";
            else if (tried.results == theSame && !leavesResults(*cause.finding))
                tried.results += edit.remedy == "initialise"
                                     ? " as with the error: what had no value was 0 here by luck"
                                     : " as with the error";
            if (crashes) tried.results += "; up to where the program ends too early, as before";
            const std::string status = std::to_string(after.exit.status.value_or(0));
            const bool isOtherwise =
                changed.results.empty() &&
                std::ranges::none_of(before.findings, isOfOrder, &Finding::kind);
            if (isOtherwise && !crashes && !tried.isWrongYet && !endsWellNow)
                tried.results += "; the program ends with 0 either way: see that they are right";
            // What makes no more than the message go away is no cure.
            if (tried.isWrongYet && !hasCause(after) &&
                (isOtherwise || edit.remedy == "initialise")) {
                tried.results =
                    "nothing is found any more, but the program still ends with " + status;
                if (!unproved_) unproved_ = std::move(tried);
                return std::nullopt;
            }
        } else {
            const bool isOtherMemory = edit.remedy == "constant-to-global";
            const bool keepsIndices = isOtherMemory || edit.remedy == "align-structure" ||
                                      edit.remedy == "copy-as-vector" ||
                                      (edit.remedy == "block-shape" && !edit.asksShape) ||
                                      edit.remedy == "pad-shared-array" ||
                                      edit.remedy == "unroll-loop";
            tried.after = costOf(after, cause.metric);
            tried.isSampled |= !isExact(after);
            // One that loads four at once has fewer lanes that do.
            const bool isOrderOnly = edit.remedy == "stride-by-block" ||
                                     edit.remedy.starts_with("exchange-") ||
                                     edit.remedy == "block-shape";
            // Tiles of other sides have fewer elements in common, which each of them loads.
            const bool mayLoadLess =
                edit.remedy == "block-shape" && isExact(before) && isExact(after);
            if (isOrderOnly && !mayLoadLess && !loadsAsMuch(before, after)) return std::nullopt;
            // Values that repeat hide that others are read.
            if (isOrderOnly && isExact(before) && isExact(after) &&
                changed.bytesReached < before_.bytesReached)
                return std::nullopt;
            // Of a program with other kernels, half of what this costs too much will do.
            const bool isMuch = 10 * tried.after <= 9 * tried.before ||
                                (cause.excess != 0 && tried.after < tried.before &&
                                 2 * (tried.before - tried.after) >= cause.excess);
            if (!storesAsMuch(before, after) || !isMuch) return std::nullopt;
            if (tried.results.empty()) {
                const bool races = std::ranges::any_of(
                    before.findings, [](const Finding& each) { return isRace(each.kind); });
                if (races && keepsIndices && !unproved_) {
                    tried.results =
                        "threads race, so that results are not the same from one order "
                        "to another; mend that first";
                    unproved_ = std::move(tried);
                }
                return std::nullopt;
            }
            // Not at the cost of the rest of memory; what moves to another kind is to cost less
            // there than its gain, a tile than half of that.
            for (const CostMetric metric : {CostMetric::sectors, CostMetric::wavefronts}) {
                const std::uint64_t then = costOf(before, metric);
                const std::uint64_t gain = tried.before - tried.after;
                const std::uint64_t more = isOtherMemory                            ? gain - 1
                                           : edit.remedy == "tile-in-shared-memory" ? gain / 2
                                                                                    : then / 20;
                // What banks add to a tile is mended in the next step.
                const std::uint64_t next =
                    edit.remedy == "tile-in-shared-memory" && metric == CostMetric::wavefronts
                        ? conflictsIn(after)
                        : 0;
                if (metric != cause.metric && costOf(after, metric) - next > then + more)
                    return std::nullopt;
            }
            // Of other values that a launch left, the program's results show nothing.
            const bool isHidden = tried.results == theSame && before_.written != changed.written;
            if (!keepsIndices && (isHidden || couldReadOthers(before_))) {
                tried.results =
                    isHidden
                        ? "a launch leaves other values then, which the program's results do "
                          "not show; copy them to the host"
                        : "all its results are the same value, so that wrong ones would not be "
                          "noticed: fill the arrays with values that differ";
                if (!unproved_) unproved_ = withPrice(std::move(tried), changed);
                return std::nullopt;
            }
            tried = withPrice(std::move(tried), changed);
        }
        if (!cause.finding) {
            addOtherPlaces(tried, cause.metric, after);
            std::string others;
            for (const CostMetric metric : bothMemories) {
                const std::uint64_t then = costOf(before, metric);
                const std::uint64_t now = costOf(after, metric);
                if (metric == cause.metric || 10 * now >= 9 * then) continue;
                addOtherPlaces(tried, metric, after);
                tried.also.push_back({std::string(toString(metric)), then, now});
                if (const std::string pays = whoPays(before, after, metric); !pays.empty())
                    others += pays + " " + std::string(toString(metric));
            }
            if (edit.remedy == "constant-to-global")
                tried.results +=
                    "; sectors: " + groupedDigits(costOf(before, CostMetric::sectors)) + " -> " +
                    groupedDigits(costOf(after, CostMetric::sectors));
            if (tried.results == theSame) tried.results += faultOf(tried);
            const std::string pays = whoPays(before, after, cause.metric);
            tried.results +=
                (pays.empty() ? whichLinePays(tried, edit.text, cause.metric, after) : pays) +
                others;
        }
        if (tried.makesRight)
            tried.results += "; the program ends with 0 then, no longer with " +
                             std::to_string(before.exit.status.value_or(0));
        if (tried.isWrongYet)
            tried.results += std::string(stillEnds) + std::to_string(*after.exit.status) +
                             ": its results are not right yet";
        tried.diff = unifiedDiff(edit.file, textOf(before_.sources, edit.file), edit.text);
        return tried;
    }

    /// ` as with the fault of line 6 (not-reached)`: that the kernel of a cost's remedy has, and
    /// keeps with the same results; empty where it has none.
    [[nodiscard]] std::string faultOf(const TriedRemedy& tried) const {
        for (const Finding& fault : before_.trace.findings) {
            const auto hasIt = [&](const LaunchReport& launch) {
                return launch.kernel == fault.kernel &&
                       std::ranges::any_of(launch.lines, [&](const ProgramLine& line) {
                           return isAt(tried.places, line.place);
                       });
            };
            if (!leavesResults(fault.kind) && fault.place.line != 0 &&
                std::ranges::any_of(before_.trace.launches, hasIt))
                return " as with the fault of line " + std::to_string(fault.place.line) + " (" +
                       std::string(ruleOf(fault.kind).id) + "), which stays: mend that first";
        }
        return {};
    }

    /// With what adding up before the atomic costs, which is not in its own number.
    [[nodiscard]] TriedRemedy withPrice(TriedRemedy tried, const TriedCopy& after) const {
        if (tried.remedy != "aggregate-atomics") return tried;
        std::uint64_t requests = 0;
        bool isOfBins = false;
        for (const LaunchReport& launch : before_.trace.launches) {
            for (const ProgramLine& line : launch.lines) {
                if (line.source == Source::predicted && isAtomic(line.kind) &&
                    isAt(tried.places, line.place)) {
                    requests += line.requests;
                    isOfBins |= isGlobal(line.kind) && line.decidedBy == CostDecider::data;
                }
            }
        }
        tried.detail = std::string(remedyNamed(tried.remedy).words) +
                       " Its price: votes and shuffles among the lanes of " +
                       counted(requests, "request") + "; divergent warps " +
                       groupedDigits(costOf(before_.trace, CostMetric::divergent)) + " -> " +
                       groupedDigits(costOf(after.trace, CostMetric::divergent)) + '.' +
                       (isOfBins ? " Or let each block have bins of its own in shared memory, and "
                                   "add those up at its end."
                                 : "");
        return tried;
    }
    /// With what it is for, and what it could come to at best.
    [[nodiscard]] TriedRemedy told(const RemedyCause& cause, TriedRemedy only) const {
        only.rule = cause.rule;
        only.places = cause.places;
        if (!cause.array.empty()) only.arrays = {cause.array};
        if (cause.finding) {
            only.unit = "findings";
            only.before = only.after = before_.trace.findings.size();
        } else {
            only.unit = toString(cause.metric);
            only.before = costOf(before_.trace, cause.metric);
            only.isSampled = !isExact(before_.trace);
            only.after = only.before - std::min(only.before, cause.excess);
        }
        return only;
    }

    TraceRequest request_;
    const RemedySearch& search_;
    TracedProgram before_;
    std::optional<TriedRemedy> unproved_{};   ///< that helps the cause in hand, if it is right
    std::map<std::string, Ended> endedBy_{};  ///< the edited text
    std::set<CostMetric> metrics_{};          ///< of the lines that are asked for
    std::size_t told_ = 0;                    ///< that were told of what was found
    bool isProved_ = false;                   ///< all edits against findings were tried together
    std::atomic<bool> isOver_ = false;
    std::vector<RemedyCause> causes_{};
    std::optional<TriedCopies> copies_{};
};

}  // namespace

std::vector<TriedRemedy> tryRemedies(const TraceRequest& request, const RemedySearch& search) {
    return Trials(request, search).all();
}

void replaceText(TraceRequest& request, const std::string& name, const std::string& text) {
    std::vector<fs::path>& files = request.source.files;
    const auto isIt = [&](const fs::path& file) { return sameFile(file.string(), name); };
    if (std::ranges::none_of(files, isIt)) files.emplace_back(name);  // that was found, not named
    for (fs::path& file : files) {
        if (!isIt(file)) continue;
        const fs::path copy = keptText(file, text);
        request.source.includes.insert(
            request.source.includes.begin(),
            file.has_parent_path() ? file.parent_path().string() : std::string("."));
        file = copy;
    }
}

}  // namespace warplens
