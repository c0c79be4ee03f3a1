#include <map>

#include "app/drawing/elements.h"
#include "app/drawing/occupancy_slots.h"
#include "app/figure/compose.h"
#include "app/figure/kinds/kind.h"
#include "core/access/line_cost.h"
#include "core/launch/mapping.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"

namespace warplens::figure {
namespace {

constexpr std::size_t mostSteps = 40;  ///< that are told one by one

/// `lanes 0 to 15`, `lanes 0, 2, 4`.
std::string lanesInWords(std::uint32_t lanes) {
    std::string words;
    int count = 0;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        std::uint32_t last = lane;
        while (last + 1 < lanesPerWarp && (lanes >> (last + 1) & 1) != 0) ++last;
        addWords(words, ", ", std::to_string(lane));
        if (last > lane) words += (last == lane + 1 ? ", " : " to ") + std::to_string(last);
        count += static_cast<int>(last - lane) + 1;
        lane = last;
    }
    return (count == 1 ? "lane " : "lanes ") + words;
}

class Teller final {
  public:
    explicit Teller(const Subject& subject)
        : subject_(subject), launch_(subject.view.experiment.launch) {}

    void opening() {
        say(titleOf(subject_));
        if (subject_.kernel.empty()) {
            const Scenario& scenario = scenarioNamed(subject_.view.experiment.scenario);
            say(std::string(scenario.id) + " " + toOptions(subject_.view.experiment));
            if (!scenario.lookFor.empty()) say(std::string(scenario.lookFor));
        }
        if (const std::string words = captionOf(subject_).statement; !words.empty()) say(words);
    }

    void threads() {
        heading("Threads");
        const std::uint64_t count = launch_.block.count();
        const std::uint32_t warps = warpCountPerBlock(launch_.block);
        say("The grid has " + counted(launch_.grid.count(), "block") + shapeOf(launch_.grid) +
            "; a block has " + counted(count, "thread") + shapeOf(launch_.block) + ", in " +
            counted(warps, "warp") + " of 32 lanes.");
        for (WarpRank warp; warp.value < warps; ++warp.value) {
            const ThreadRank first = firstThreadOfWarp(warp);
            const std::uint32_t lanes = threadCountInWarp(warp, launch_.block);
            std::string words =
                "Warp " + std::to_string(warp.value) + ": threads " +
                toText(threadIndexInBlock(first, launch_.block)) + " to " +
                toText(threadIndexInBlock({first.value + lanes - 1}, launch_.block));
            if (lanes < lanesPerWarp)
                words += ", " + counted(lanesPerWarp - lanes, "lane") + " idle";
            say(words + '.');
        }
    }

    void request() {
        const WarpRank warp = subject_.view.warp.value_or(WarpRank{0});
        heading("Warp " + std::to_string(warp.value) + " of block " + toText(subject_.view.block));
        const WarpTrace trace =
            traceWarp({subject_.view.experiment, subject_.view.block, warp, subject_.program});
        if (!trace.failure.empty()) say("Not traced: " + trace.failure);
        if (subject_.view.step && *subject_.view.step < trace.steps.size()) {
            step(trace, *subject_.view.step);
            return;
        }
        for (std::size_t i = 0; i < std::min(trace.steps.size(), mostSteps); ++i) step(trace, i);
        if (trace.total > mostSteps) {
            say("And " + counted(trace.total - mostSteps, "further step") + ".");
        }
    }

    void slots() {
        const DrawnSm sm = drawnSmOf(subject_);
        heading("On an SM of compute capability " + toString(sm.limits.capability));
        const std::string limit = drawing::limitInWords(sm.limits, sm.demand, sm.grid);
        say(slotsStatement(subject_) + (limit.starts_with("Room") ? ". " : ", ") + limit + '.');
    }

    void times() {
        heading("Blocks over time");
        if (!subject_.schedule) {
            say("Not recorded for this launch.");
            return;
        }
        for (const std::string& words : inWords(*subject_.schedule)) say(words);
        for (const std::string& words : warpsInWords(*subject_.schedule)) say(words);
    }

    void source() {
        heading("Source");
        const Kernel& kernel = kernelOf(subject_.view.experiment);
        for (const KernelLine& line : codeLines(kernel)) {
            say(std::to_string(line.line) + "  " + std::string(line.text));
        }
    }

    void numbers() {
        heading("Numbers");
        for (const Number& number : captionOf(subject_).numbers) {
            for (const Number::Line& line : number.lines) {
                say(number.name + ": " + line.value + ", " + line.sources +
                    (number.remark.empty() ? "" : "; " + number.remark) + '.');
            }
        }
        for (const std::string& words : subject_.provenance) say(words);
    }

    Description take() && { return std::move(description_); }

  private:
    void say(std::string words) { description_.parts.back().lines.push_back(std::move(words)); }
    void heading(std::string words) {
        description_.parts.push_back({.heading = std::move(words), .lines = {}});
    }
    /// `, 5 x 7 x 3`; nothing where its count says it all.
    static std::string shapeOf(Extents extents) {
        if (extents.y == 1 && extents.z == 1) return "";
        std::string shape = ", " + groupedDigits(extents.x) + " x " + groupedDigits(extents.y);
        return extents.z == 1 ? shape : shape + " x " + groupedDigits(extents.z);
    }
    void step(const WarpTrace& trace, std::size_t at) {
        const WarpStep& step = trace.steps[at];
        const std::string& rounds = trace.rounds.at(step.rounds);
        say("Step " + std::to_string(at + 1) + " of " + groupedDigits(trace.total) +
            (rounds.empty() ? "" : ", " + rounds) + ": " + drawing::titleOf(trace, step) + ": " +
            drawing::costWords(trace, step).full + '.');
        if (step.kind == StepKind::branch) {
            if (step.taken != 0) say("  Yes: " + lanesInWords(step.taken) + '.');
            if (const std::uint32_t past = step.active & ~step.taken; past != 0) {
                say("  No: " + lanesInWords(past) + '.');
            }
            return;
        }
        if (step.active == 0) return;
        if (!step.isGlobal()) {
            say("  By " + lanesInWords(step.active) + '.');
            return;
        }
        std::map<std::uint64_t, std::uint32_t> sectors;  // byte of each, and its lanes
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            if ((step.active >> lane & 1) == 0) continue;
            const std::uint64_t offset = step.offsets.at(lane);
            for (std::uint64_t sector = offset / bytesPerSector;
                 sector <= (offset + step.bytes - 1) / bytesPerSector; ++sector) {
                sectors[sector * bytesPerSector] |= 1U << lane;
            }
        }
        for (const auto& [byte, lanes] : sectors) {
            say("  Sector at byte " + groupedDigits(byte) + ": " + lanesInWords(lanes) + '.');
        }
    }

    const Subject& subject_;
    const Launch& launch_;
    Description description_{{{}}};
};

}  // namespace

Description describe(const Subject& subject) {
    Teller teller(subject);
    teller.opening();
    const auto shows = [&](PictureKind picture) {
        return subject.view.picture == picture || subject.view.picture == PictureKind::scenario;
    };
    if (shows(PictureKind::threads) || subject.view.picture == PictureKind::block3d)
        teller.threads();
    if (shows(PictureKind::request)) teller.request();
    if (shows(PictureKind::slots)) teller.slots();
    if (shows(PictureKind::times)) teller.times();
    if (shows(PictureKind::source) && subject.kernel.empty()) teller.source();
    teller.numbers();
    return std::move(teller).take();
}

std::string toText(const Description& description) {
    std::string text;
    for (const Description::Part& part : description.parts) {
        if (!part.heading.empty()) text += '\n' + part.heading + '\n';
        for (const std::string& line : part.lines) text += line + '\n';
    }
    return text;
}

}  // namespace warplens::figure
