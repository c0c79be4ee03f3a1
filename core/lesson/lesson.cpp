#include "core/lesson/lesson.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/course/course.h"
#include "core/lesson/resolved_lesson.h"

namespace warplens {
namespace {

constexpr std::array<SourceDocument, 7> documents{{
    {"linearized", "Peter Chng", "How are 2D and 3D thread blocks linearized into warps in CUDA?"},
    {"mapping", "K Hari Babu, BITS Pilani", "Thread mapping in 2D Grids & 2D Blocks"},
    {"execution", "CUDA Freshman", "3.2 Understanding the Essence of Warp Execution (Part I)"},
    {"partitioning", "Part B, CUDA Programming Model", "Warp Partitioning"},
    {"memory", "CUDA series", "Part 3: CUDA Memory"},
    {"warplens", "Warplens", "beyond the documents"},
    {"course", "", "this course"},
}};

}  // namespace

const SourceDocument* findDocument(std::string_view id) {
    const auto found = std::ranges::find(documents, id, &SourceDocument::id);
    return found == documents.end() ? nullptr : &*found;
}

namespace {

constexpr std::array terms{
    Term{"kernel", "A function that many threads of the GPU run at once."},
    Term{"thread", "One run of the kernel, with its own threadIdx and its own variables."},
    Term{"block", "Threads that run on the same SM, can share memory and can wait for each other."},
    Term{"grid", "All the blocks of one launch."},
    Term{"rank", "A thread's place in its block, counted along x first, then y, then z."},
    Term{"warp", "32 threads of neighbouring ranks, which the GPU runs together: rank / 32."},
    Term{"lane", "A thread's place in its warp, 0 to 31: rank % 32."},
    Term{"request", "One load or store of a warp, for all of its lanes at once."},
    Term{"sector", "32 neighbouring bytes of memory, the least that the GPU fetches."},
    Term{"cache line", "Four neighbouring sectors, 128 bytes: what a cache keeps together."},
    Term{"coalesced", "Of an access: its lanes need few sectors, and use all of their bytes."},
    Term{"stride",
         "How many values two of them are apart: neighbouring lanes of a load, partners of a sum."},
    Term{"offset", "How many values past the start the first lane's address lies."},
    Term{"bank", "One of 32 parts of shared memory. Each gives one word of 4 bytes at a time."},
    Term{"wavefront",
         "One pass over the banks. A request takes as many as its busiest bank has "
         "different words to give."},
    Term{"divergence",
         "Lanes of one warp that go different ways at a branch: the warp walks both, "
         "one after the other."},
    Term{"diverges", "A warp diverges where its lanes go different ways: it walks both."},
    Term{"path", "What stands behind an if, or behind its else."},
    Term{"predicated",
         "Of an instruction: every lane goes through it, and it takes effect only in "
         "those whose condition holds. No branch is needed."},
    Term{"predicted", "Said of a number: it follows from the source, without a GPU."},
    Term{"compiled",
         "Said of a number: what the code asks for that the compiler made of the source."},
    Term{"counted", "Said of a number: read from the GPU's own counters."},
    Term{"timed", "Said of a number: measured around plain launches, by the device's own clock."},
    Term{"SM", "A streaming multiprocessor: one of the GPU's processors. It takes whole blocks."},
    Term{"occupancy", "The warps that an SM holds, as a share of those that it could hold."},
    Term{"wave", "The blocks that the SMs hold at once; when they are done the next wave comes."},
    Term{"tile", "A square piece of a matrix that a block keeps in shared memory."},
    Term{"phase", "The block's threads load one pair of tiles, wait for each other, and use them."},
    Term{"atomic", "Reads, changes and writes a value in one go: nobody comes in between."},
    Term{"barrier",
         "__syncthreads(): each thread waits there until all threads of its block have come."},
    Term{"race",
         "Two threads use the same place in memory, at least one writes, and nothing says which "
         "comes first: the result is left to chance."},
    Term{"halo", "What a block needs of its neighbours' data to work on its own."},
    Term{"shuffle", "A lane takes a value from another lane of its warp: no memory in between."},
    Term{"register", "The fastest memory, private to a thread."},
    Term{"L2", "The cache that all SMs share."},
    Term{"bandwidth", "Bytes moved in a second."},
};

char small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameWord(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, small, small);
}

}  // namespace

std::span<const Term> glossary() {
    return terms;
}

const Term* findTerm(std::string_view word) {
    for (const Term& term : terms) {
        const bool plural = word.size() == term.word.size() + 1 && small(word.back()) == 's' &&
                            sameWord(word.substr(0, term.word.size()), term.word);
        if (plural || sameWord(word, term.word)) return &term;
    }
    return nullptr;
}

std::string_view shownLessonGroups() {
    constexpr std::string_view all = "ABCDEFK";
    static_assert(all.ends_with(courseGroup) && all.starts_with(lessonGroups));
    return openedCourse() == nullptr ? lessonGroups : all;
}

std::string_view groupTitle(char group) {
    switch (group) {
        case 'A':
            return "Threads into warps";
        case 'B':
            return "Threads on data";
        case 'C':
            return "Coalescing";
        case 'D':
            return "Divergence";
        case 'E':
            return "Memory hierarchy";
        case 'F':
            return "Scheduling";
        case courseGroup:
            return openedCourse() == nullptr ? "More" : std::string_view(openedCourse()->name);
        default:
            return "More";
    }
}

std::string groupHeading(char group) {
    const std::string title(groupTitle(group));
    return group == courseGroup ? title : std::string(1, group) + "  " + title;
}

namespace {

constexpr std::array<std::string_view, aspectCount> aspectNames{
    "warps",  "elements", "coverage", "requests", "branches", "counters",
    "totals", "times",    "slots",    "waves",    "compiled"};

/// Facts that tell something; the others are the launch's own sizes.
constexpr std::array<std::pair<std::string_view, Aspect>, 13> tellingFacts{{
    {"warps_per_block", Aspect::warps},
    {"idle_lanes", Aspect::warps},
    {"last_warp_lanes", Aspect::warps},
    {"thread", Aspect::warps},
    {"writes", Aspect::elements},
    {"grid", Aspect::coverage},
    {"elements", Aspect::coverage},
    {"spare_threads", Aspect::coverage},
    {"blocks_that_lie", Aspect::coverage},
    {"sm", Aspect::slots},
    {"lane_loads", Aspect::totals},
    {"compiled", Aspect::compiled},
    {"working_set", Aspect::totals},
}};

Aspect aspectOfMetric(const ValueQuantity& value) {
    // What the compiled code does at a branch is another matter than what the source says.
    const bool bySource = !value.source || *value.source == Source::predicted;
    switch (metricInfo(value.metric).group) {
        case MetricGroup::divergence:
            return bySource ? Aspect::branches : Aspect::counters;
        case MetricGroup::bandwidth:
        case MetricGroup::time:
            return Aspect::times;
        case MetricGroup::occupancy:
            return Aspect::slots;
        case MetricGroup::check:
            return Aspect::warps;
        case MetricGroup::coalescing:
        case MetricGroup::sharedMemory:
        case MetricGroup::atomics:
            break;
    }
    return Aspect::requests;
}

std::vector<LessonQuantity> quantitiesOf(const Expression& expression) {
    std::vector<LessonQuantity> found;
    for (const Expression::Part& part : expression.parts()) {
        if (const auto* quantity = std::get_if<LessonQuantity>(&part)) found.push_back(*quantity);
    }
    return found;
}

}  // namespace

std::string_view toString(Aspect aspect) {
    return aspectNames.at(static_cast<std::size_t>(aspect));
}

std::optional<Aspect> aspectFromString(std::string_view word) {
    const auto found = std::ranges::find(aspectNames, word);
    if (found == aspectNames.end()) return std::nullopt;
    return static_cast<Aspect>(found - aspectNames.begin());
}

std::optional<Aspect> aspectOf(const LessonQuantity& quantity) {
    if (const auto* value = std::get_if<ValueQuantity>(&quantity.what)) {
        return aspectOfMetric(*value);
    }
    const std::string& name = std::get<FactQuantity>(quantity.what).name;
    const auto found =
        std::ranges::find(tellingFacts, name, [](const auto& fact) { return fact.first; });
    if (found == tellingFacts.end()) return std::nullopt;
    return found->second;
}

void Cover::add(Aspect aspect, const Experiment& experiment) {
    if (!hides(aspect, experiment)) parts_.push_back({aspect, experiment});
}

bool Cover::hides(Aspect aspect, const Experiment& experiment) const {
    return std::ranges::find(parts_, Part{aspect, experiment}) != parts_.end();
}

bool Cover::hidesAny(std::span<const Aspect> aspects, const Experiment& experiment) const {
    return std::ranges::any_of(aspects, [&](Aspect aspect) { return hides(aspect, experiment); });
}

Cover coverOf(const Lesson& lesson) {
    std::vector<LessonQuantity> resolved;
    for (const Placeholder& place : placeholdersOf(lesson.question.ask)) {
        std::ranges::copy(quantitiesOf(place.expression), std::back_inserter(resolved));
    }
    Cover cover;
    for (const LessonQuantity& quantity : quantitiesOf(lesson.question.answer)) {
        const auto aspect = aspectOf(quantity);
        if (!aspect || std::ranges::find(resolved, quantity) != resolved.end()) continue;
        cover.add(*aspect, lesson.launches.at(quantity.launch));
    }
    for (const CoveredPart& part : lesson.covers) {
        cover.add(part.aspect, lesson.launches.at(part.launch));
    }
    return cover;
}

}  // namespace warplens
