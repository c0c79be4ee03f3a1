#include "kernels/programs/remedy_trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "core/program/source_edit.h"
#include "core/text/files.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/trace_program.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using Results = std::vector<std::vector<std::byte>>;

template <typename Number>
bool areClose(const std::vector<std::byte>& a, const std::vector<std::byte>& b, double tolerance) {
    if (a.size() % sizeof(Number) != 0) return false;
    double largest = 0;
    double apart = 0;
    for (std::size_t at = 0; at < a.size(); at += sizeof(Number)) {
        Number x{};
        Number y{};
        std::memcpy(&x, a.data() + at, sizeof x);
        std::memcpy(&y, b.data() + at, sizeof y);
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        if (!std::isfinite(x) || !std::isfinite(y)) return false;
        apart = std::max(apart, std::abs(static_cast<double>(x) - static_cast<double>(y)));
        largest =
            std::max({largest, std::abs(static_cast<double>(x)), std::abs(static_cast<double>(y))});
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
    const Results& results = program.results;
    if (!reads || results.empty()) return reads && program.trace.exit.output.empty();
    constexpr std::size_t word = sizeof(std::uint32_t);
    return std::ranges::all_of(results, [](const auto& bytes) {
        const bool isNothing =
            std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
        const bool repeats =
            bytes.size() > 2 * word && std::equal(bytes.begin() + word, bytes.end(), bytes.begin());
        return isNothing || repeats;
    });
}

/// How the results of two runs compare; empty where they are others.
std::string sameness(const TracedProgram& before, const TracedProgram& after) {
    const ProgramExit& a = before.trace.exit;
    const ProgramExit& b = after.trace.exit;
    if (a.status != b.status || a.signal != b.signal || a.stopped != b.stopped) return {};
    const Results& x = before.results;
    const Results& y = after.results;
    if (x.size() != y.size()) return {};
    std::string words = "the same bytes";
    for (std::size_t at = 0; at < x.size(); ++at) {
        if (x[at] == y[at]) continue;
        if (x[at].size() != y[at].size()) return {};
        if (areClose<float>(x[at], y[at], 1e-5))
            words = "the same to 1e-5 of the largest, as floats are added in another order";
        else if (areClose<double>(x[at], y[at], 1e-12))
            words = "the same to 1e-12 of the largest, as doubles are added in another order";
        else
            return {};
    }
    // What it prints says the rest: times and addresses aside, of which nobody knows.
    if (x.empty() && a.output != b.output) return {};
    return words;
}

/// Whether kernels write as many bytes of global memory as before: a grid that does not fit the
/// shape of its blocks leaves elements out, which a program that looks at none of them never sees.
bool storesAsMuch(const ProgramTrace& before, const ProgramTrace& after) {
    bool isExact = true;
    const auto stored = [&](const ProgramTrace& trace) {
        std::uint64_t bytes = 0;
        for (const LaunchReport& launch : trace.launches) {
            isExact &= launch.exact;
            for (const ProgramLine& line : launch.lines) {
                if (line.kind == AccessKind::store && line.source == Source::predicted)
                    bytes += line.uniqueBytes;
            }
        }
        return bytes;
    };
    const auto [fewer, more] = std::minmax({stored(before), stored(after)});
    return more - fewer <= (isExact ? 0 : more / 20);  // samples differ by chance
}

std::map<FindingKind, std::size_t> countsOf(const ProgramTrace& trace) {
    std::map<FindingKind, std::size_t> counts;
    for (const Finding& finding : trace.findings) ++counts[finding.kind];
    return counts;
}

/// One program, and its copies.
class Trials final {
  public:
    Trials(const TraceRequest& request, const ProgramSources& sources, const RemedySearch& search)
        : request_(request), sources_(sources), search_(search) {
        request_.keepsResults = true;
        request_.shown.reset();
        before_ = trace(request_);
        found_ = countsOf(before_.trace);
    }

    [[nodiscard]] std::vector<TriedRemedy> all() {
        std::vector<TriedRemedy> found;
        std::vector<RemedyCause> causes = causesOf(before_.trace, sources_);
        if (search_.takes)
            std::erase_if(causes, [&](const auto& each) { return !search_.takes(each); });
        for (std::size_t at = 0; at < causes.size(); ++at) {
            if (search_.progress) search_.progress(causes[at], at, causes.size());
            std::optional<TriedRemedy> best;
            for (const RemedyEdit& edit : causes[at].edits) {
                std::optional<TriedRemedy> tried = attempt(causes[at], edit);
                if (!tried || (best && best->after <= tried->after)) continue;
                best = std::move(tried);
                // Shapes are a search; of others the likeliest that helps will do.
                if (edit.remedy != "block-shape") break;
            }
            if (!best && !causes[at].advice.empty()) best = told(causes[at]);
            if (!best) continue;
            const auto same = std::ranges::find_if(found, [&](const TriedRemedy& other) {
                return other.remedy == best->remedy && other.text == best->text &&
                       (!other.text.empty() || other.rule == best->rule);
            });
            if (same == found.end()) {
                found.push_back(*std::move(best));
                continue;
            }
            same->places.insert(same->places.end(), best->places.begin(), best->places.end());
            if (best->text.empty()) same->after -= std::min(same->after, causes[at].excess);
        }
        return found;
    }

  private:
    [[nodiscard]] TracedProgram trace(const TraceRequest& request) const {
        TraceListener listener;
        listener.cancelled = search_.cancelled;
        return traceProgram(request, listener);
    }

    /// The program with the edited file, from a folder of its own: what it includes it finds where
    /// the file was.
    [[nodiscard]] TracedProgram traceWith(const RemedyEdit& edit) const {
        const TemporaryFolder folder(programCache() / "tried");
        TraceRequest request = request_;
        for (fs::path& file : request.source.files) {
            if (file.string() != edit.file) continue;
            const fs::path copy = folder.path() / file.filename();
            writeFileAtomically(copy, edit.text);
            request.source.includes.insert(
                request.source.includes.begin(),
                file.has_parent_path() ? file.parent_path().string() : std::string("."));
            file = copy;
        }
        return trace(request);
    }

    [[nodiscard]] std::optional<TriedRemedy> attempt(const RemedyCause& cause,
                                                     const RemedyEdit& edit) const {
        TracedProgram after;
        try {
            after = traceWith(edit);
        } catch (const CompileFailed&) {
            return std::nullopt;
        } catch (const std::runtime_error&) {
            if (search_.cancelled && search_.cancelled()) throw;
            return std::nullopt;
        }
        TriedRemedy tried = about(cause, edit.remedy);
        const std::map<FindingKind, std::size_t> now = countsOf(after.trace);
        for (const auto& [kind, count] : now) {
            const auto then = found_.find(kind);
            if (count > (then == found_.end() ? 0 : then->second)) return std::nullopt;
        }
        const std::string same = sameness(before_, after);
        if (cause.finding) {
            const auto left = now.find(*cause.finding);
            const std::size_t then = found_.at(*cause.finding);
            const std::size_t still = left == now.end() ? 0 : left->second;
            if (still + cause.places.size() > then && still + 1 > then) return std::nullopt;
            tried.unit = "findings";
            tried.before = before_.trace.findings.size();
            tried.after = after.trace.findings.size();
            const ProgramExit& exit = after.trace.exit;
            if (!exit.signal.empty() || !exit.stopped.empty()) return std::nullopt;
            if (exit.status.value_or(0) != 0 && before_.trace.exit.status.value_or(0) == 0)
                return std::nullopt;
            tried.results = same.empty() ? "changed, as the error is gone" : same;
        } else {
            const bool keepsIndices =
                edit.remedy == "block-shape" || edit.remedy == "pad-shared-array";
            if (same.empty() || (!keepsIndices && couldReadOthers(before_)) ||
                !storesAsMuch(before_.trace, after.trace))
                return std::nullopt;
            tried.before = costOf(before_.trace, cause.metric);
            tried.after = costOf(after.trace, cause.metric);
            if (10 * tried.after > 9 * tried.before) return std::nullopt;
            // Not at the cost of the rest of memory; a tile is to cost less than half of its gain.
            const std::uint64_t gain = tried.before - tried.after;
            for (const CostMetric metric : {CostMetric::sectors, CostMetric::wavefronts}) {
                const std::uint64_t then = costOf(before_.trace, metric);
                const std::uint64_t more =
                    edit.remedy == "tile-in-shared-memory" ? gain / 2 : then / 20;
                if (metric != cause.metric && costOf(after.trace, metric) > then + more)
                    return std::nullopt;
            }
            tried.results = same;
        }
        tried.file = edit.file;
        tried.text = edit.text;
        tried.diff = source::unifiedDiff(edit.file, textOf(sources_, edit.file), edit.text);
        return tried;
    }

    [[nodiscard]] static TriedRemedy about(const RemedyCause& cause, const std::string& remedy) {
        TriedRemedy tried;
        tried.remedy = remedy;
        tried.rule = cause.rule;
        tried.places = cause.places;
        tried.unit = std::string(namesOf(CostMetric{}).at(static_cast<std::size_t>(cause.metric)));
        return tried;
    }
    [[nodiscard]] TriedRemedy told(const RemedyCause& cause) const {
        TriedRemedy only = about(cause, cause.advice);
        if (cause.finding) {
            only.unit = "findings";
            only.before = only.after = before_.trace.findings.size();
        } else {
            only.before = costOf(before_.trace, cause.metric);
            only.after = only.before - std::min(only.before, cause.excess);
        }
        return only;
    }

    TraceRequest request_;
    const ProgramSources& sources_;
    const RemedySearch& search_;
    TracedProgram before_;
    std::map<FindingKind, std::size_t> found_;
};

}  // namespace

std::vector<TriedRemedy> tryRemedies(const TraceRequest& request, const ProgramSources& sources,
                                     const RemedySearch& search) {
    return Trials(request, sources, search).all();
}

}  // namespace warplens
