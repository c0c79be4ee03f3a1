#include "app/drawing/warp_memory.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/elements.h"
#include "app/drawing/plot.h"
#include "app/drawing/warp_memory_parts.h"
#include "core/access/line_cost.h"
#include "core/measurement/measurement.h"
#include "core/program/joined_atomics.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// Of a store to shared memory, where one of them stays; 0 of all else.
std::uint32_t mostWritersOfAWord(const WarpStep& step) {
    return step.kind == StepKind::sharedStore ? mostAtOneAddress(ActiveOffsets(step).all()) : 0;
}

/// Of an atomic whose lanes meet and that one of them does for all, or that counts them.
CostWords joinedWords(const WarpStep& step, std::uint32_t lanes) {
    const std::string met = std::to_string(lanes) + " lanes at one address";
    return {.full = met + ": " + joinedInWords(step.kind),
            .brief = met + (isShared(step.kind) ? ", done at once" : ", done by one of them")};
}

CostWords sectorWords(const WarpStep& step) {
    const LineCost cost = costOf(step);
    const std::string used = formatNumber(100.0 * static_cast<double>(cost.uniqueBytes) /
                                              (static_cast<double>(cost.sectors) * bytesPerSector),
                                          Unit::percent);
    CostWords words;
    words.full = counted(cost.sectors, "sector") + " of 32 bytes in " +
                 counted(cost.cacheLines, "line") + " of 128 bytes; " + used +
                 (step.isStore() ? " of their bytes written" : " of the fetched bytes used");
    words.brief = counted(cost.sectors, "sector") + ", " + counted(cost.cacheLines, "line") + ", " +
                  used + " used";
    words.wasteful =
        cost.uniqueBytes < cost.sectors * bytesPerSector && cost.sectors > cost.idealSectors;
    if (!step.isAtomic()) return words;
    const std::uint32_t lanes = cost.mostSameAddress;
    const std::string met = lanes == 1 ? "no two lanes at one address"
                                       : std::to_string(lanes) + " lanes at one address";
    if (step.isJoined && lanes > 1) return joinedWords(step, lanes);
    words.full = lanes == 1 ? met + "; " + words.full
                            : met + ", one after another; " + counted(cost.sectors, "sector");
    words.brief =
        lanes == 1 ? counted(cost.sectors, "sector") : std::to_string(lanes) + " at one address";
    words.wasteful = lanes > 1;
    return words;
}

CostWords bankWords(const WarpStep& step) {
    const ActiveOffsets offsets(step);
    const LineCost cost = costOf(step);
    CostWords words;
    words.wasteful = cost.wavefronts > cost.idealWavefronts;
    if (step.isJoined && cost.mostSameAddress > 1 && !words.wasteful)
        return joinedWords(step, cost.mostSameAddress);
    const bool inTurns = step.isAtomic() && !step.isJoined;
    words.brief = counted(cost.wavefronts, "wavefront");
    if (!words.wasteful) {
        words.full = words.brief + (inTurns ? ": no two lanes are at one bank"
                                            : ": no two lanes want different words of one bank");
        const std::uint32_t writers = mostWritersOfAWord(step);
        if (writers > 1)
            words.full = words.brief + "; up to " + std::to_string(writers) +
                         " lanes write one word at once";
        return words;
    }
    words.brief += ", fewest " + std::to_string(cost.idealWavefronts);
    std::array<std::uint32_t, sharedBanks> wanted{};
    for (const BankWord& word :
         bankWordsOf(offsets.all(), step.bytes, kindOfBanks(step), step.active)) {
        ++wanted.at(word.bank());
    }
    const auto most = std::ranges::max_element(wanted);
    const std::string bank = ": bank " + std::to_string(most - wanted.begin());
    words.full =
        words.brief + bank +
        (inTurns ? " serves " + std::to_string(*most) + " lanes one after another"
                 : " must give " + std::to_string(*most) + " different words one after another");
    return words;
}

CostWords constantWords(const WarpStep& step) {
    const LineCost cost = costOf(step);
    if (cost.wavefronts == 1)
        return {.full = "one address for all lanes: one turn", .brief = "one turn"};
    const std::string turns = std::to_string(cost.wavefronts);
    return {.full = turns + " different addresses, one after the other: " + turns + " turns",
            .brief = turns + " turns",
            .wasteful = true};
}

CostWords armWords(const WarpTrace& trace, const WarpStep& step) {
    std::string meaning = trace.subjects.branches.at(step.subject).meaning;
    std::erase(meaning, '`');
    const int active = std::popcount(step.active);
    const int taken = std::popcount(step.taken);
    CostWords words;
    const bool parts = taken != 0 && taken != active;
    words.wasteful = parts && !step.isGuard;
    if (parts) {
        words.brief = std::to_string(taken) + " yes, " + std::to_string(active - taken) + " no";
        words.full = meaning + ": " + words.brief +
                     (step.isGuard ? ", with nothing on the other side"
                                   : ", so by the source the warp diverges");
    } else {
        words.brief =
            (active == 1 ? "1" : "all " + std::to_string(active)) + (taken == 0 ? " no" : " yes");
        words.full = meaning + ": " + words.brief;
    }
    return words;
}

/// Title and cost; returns where they end.
float heading(MemoryDrawing& drawing) {
    const DrawArea& area = drawing.area;
    const float wordSize = area.textSize * 1.08F;
    const Box& box = area.box;
    const std::string& rounds = drawing.trace.rounds.at(drawing.step.rounds);
    const std::string whole = titleOf(drawing.trace, drawing.step);
    const auto wide = [&](float of) { return drawing.widthOf(whole, of, Face::strong); };
    // A long title is a little smaller, and has its line to itself.
    const float size = area.textSize * (wide(1.2F * area.textSize) > box.width() ? 1 : 1.2F);
    const float taken = rounds.empty() ? 0 : drawing.widthOf(rounds, wordSize, Face::words);
    const bool isBelow = taken > 0 && wide(size) + taken + drawing.u(10) > box.width();
    const float behind = isBelow ? 0 : taken;
    const std::string title = cutTo(area, whole, Face::strong, size, box.width());
    const CostWords words = costWords(drawing.trace, drawing.step);
    const Rgb ink = words.wasteful ? area.colors.warning : area.colors.muted;
    drawing.add(Text{{box.left, box.top}, title, Face::strong, size, area.colors.text});
    float left = box.left + drawing.widthOf(title, size, Face::strong) + drawing.u(10);
    if (!rounds.empty()) {
        const Point at = isBelow ? Point{box.right, box.top + size + drawing.u(3)}
                                 : Point{left, box.top + (size - wordSize) * 0.8F};
        drawing.add(
            Text(at, rounds, Face::words, wordSize, area.colors.accent, isBelow ? 1.0F : 0.0F));
    }
    left += behind + drawing.u(12);
    const auto fits = [&](const std::string& text, float from) {
        return from + drawing.widthOf(text, wordSize, Face::words) <= box.right;
    };
    std::vector<std::string> ways{words.full, words.brief};
    // Pictures beside each other begin at one height.
    if (area.leastText > 0 && behind == 0)
        ways.push_back(words.brief.substr(0, words.brief.find(", fewest ")));
    for (const std::string& text : ways) {
        if (isBelow || !fits(text, left)) continue;
        drawing.add(Text{
            {box.right, box.top + (size - wordSize) * 0.8F}, text, Face::words, wordSize, ink, 1});
        return box.top + size + drawing.u(7);
    }
    const float beside = isBelow ? taken + drawing.u(10) : 0;
    const std::string& text = fits(words.full, box.left + beside) ? words.full : words.brief;
    drawing.add(Text{{box.left, box.top + size + drawing.u(3)}, text, Face::words, wordSize, ink});
    return box.top + size + wordSize + drawing.u(9);
}

/// Why a lane takes no part in the step: the last mark at which it went another way than the lanes
/// that do.
std::string whyIdle(const MemoryDrawing& drawing, std::uint32_t lane) {
    const std::vector<WarpStep>& steps = drawing.trace.steps;
    const auto here = static_cast<std::size_t>(&drawing.step - steps.data());
    const std::uint32_t bit = 1u << lane;
    for (std::size_t back = 1; back <= std::min<std::size_t>(here, 256); ++back) {
        const WarpStep& mark = steps[here - back];
        if (mark.kind != StepKind::branch || (mark.active & bit) == 0) continue;
        const bool yes = (mark.taken & bit) != 0;
        const std::uint32_t others = yes ? mark.active & ~mark.taken : mark.taken;
        if ((drawing.step.active & others) != drawing.step.active) continue;
        return "takes no part: at " + drawing.trace.subjects.branches.at(mark.subject).name +
               " its answer was " + (yes ? "yes" : "no");
    }
    return "takes no part in this step";
}

/// What lane the pointer is over, and in words.
void pointAtLane(MemoryDrawing& drawing) {
    const auto& [experiment, block, warp, program] = drawing.trace.place;
    const std::uint32_t threads = threadCountInWarp(warp, experiment.launch.block);
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        if (!drawing.pointsAt(drawing.laneBox(lane))) continue;
        std::string& words = drawing.result.pointed;
        words = "lane " + std::to_string(lane);
        if (lane >= threads) {
            words += ": idle, there is no thread for it";
            return;
        }
        drawing.lit = 1u << lane;
        words += ", thread " + toText(threadIndexInBlock({firstThreadOfWarp(warp).value + lane},
                                                         experiment.launch.block));
        const WarpStep& step = drawing.step;
        if ((step.refused >> lane & 1) != 0) {
            words += "\nfaults: " + elementAt(drawing, step.offsets.at(lane)) +
                     (step.isStore() || step.isAtomic() ? " is not there, and nothing is written"
                                                        : " is not there, and nothing is loaded");
            return;
        }
        if ((step.active >> lane & 1) == 0) {
            words += '\n' + whyIdle(drawing, lane);
            return;
        }
        if (step.kind == StepKind::branch) {
            words += (step.taken >> lane & 1) != 0 ? "\nyes: it goes in" : "\nno: it stays out";
            return;
        }
        const std::uint64_t first = step.offsets.at(lane);
        words += step.isAtomic() ? "\nadds to " : step.isStore() ? "\nstores " : "\nloads ";
        words +=
            elementAt(drawing, first) + "\nbytes " + groupedDigits(first) + " – " +
            groupedDigits(first + step.bytes - 1) +
            (step.isShared() ? " of shared memory\nbank " +
                                   std::to_string(first / bytesPerBankWord % sharedBanks)
             : step.isConstant() ? " of " + nameOfArray(drawing.trace, step) + " in constant memory"
                                 : " of " + nameOfArray(drawing.trace, step) + "\nsector " +
                                       groupedDigits(first / bytesPerSector) + ", line " +
                                       groupedDigits(first / bytesPerCacheLine));
        return;
    }
}

}  // namespace

void drawLanes(MemoryDrawing& drawing) {
    const WarpPlace& place = drawing.trace.place;
    const ColorRoles& colors = drawing.area.colors;
    const std::uint32_t threads = threadCountInWarp(place.warp, place.experiment.launch.block);
    // Where not all have room, every second stands over its neighbour, or fewer.
    const std::uint32_t every = drawing.numberedEvery();
    const bool someNumbers = every != 1;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const Box box = drawing.laneBox(lane);
        const std::uint32_t bit = 1u << lane;
        if (lane >= threads) {
            drawing.add(Frame{box, colors.faint, drawing.u(1)});
        } else if (((drawing.step.active | drawing.step.refused) & bit) == 0) {
            drawing.add(Fill{box, mixed(colors.background, drawing.warpColor(), 0.22F)});
            if (!someNumbers)
                drawing.label(box, std::to_string(lane), drawing.numberSize(), colors.faint);
        } else {
            drawing.cell(box, bit, !someNumbers);
        }
        if ((drawing.lit & bit) != 0) drawing.add(Frame{box, colors.text, drawing.u(1.5F)});
    }
    if (!someNumbers) return;
    for (std::uint32_t lane = 0; lane < threads; lane += every) {
        const Box box = drawing.laneBox(lane);
        const bool active = ((drawing.step.active | drawing.step.refused) >> lane & 1) != 0;
        const std::string number = std::to_string(lane);
        const float wide =
            drawing.area.textWidth(number, Face::numbers, drawing.numberSize()) + drawing.u(1);
        // On a ground of its own: the gap to its neighbour would go through it.
        if (active && wide > box.width()) {
            const float middle = (box.left + box.right) / 2;
            drawing.add(Fill{{middle - wide / 2, box.top, middle + wide / 2, box.bottom},
                             drawing.colorOfLanes(1U << lane)});
        }
        drawing.add(
            Text({(box.left + box.right) / 2, (box.top + box.bottom - drawing.numberSize()) / 2},
                 number, Face::numbers, drawing.numberSize(),
                 active ? inkOn(drawing.colorOfLanes(1U << lane)) : colors.muted, 0.5F));
    }
}

Rgb MemoryDrawing::colorOfLanes(std::uint32_t lanes) const {
    if ((lanes & step.refused) != 0) return area.colors.bad;
    if (step.kind == StepKind::branch && (lanes & step.active) != 0) {
        return (lanes & step.taken) != 0 ? armYes : armNo;
    }
    if (!std::has_single_bit(lanes)) return warpColor();
    return laneShade(trace.place.warp, {static_cast<std::uint32_t>(std::countr_zero(lanes))});
}

Box MemoryDrawing::laneBox(std::uint32_t lane) const {
    const float width = strip.width() / lanesPerWarp;
    const auto edge = [&](std::uint32_t l) {
        return std::round(strip.left + static_cast<float>(l) * width);
    };
    return {edge(lane), strip.top, edge(lane + 1) - u(1), strip.bottom};
}

void MemoryDrawing::label(const Box& box, std::string words, float size, Rgb color, Face face) {
    const float shrunk = std::min(size, box.height());
    // Half a pixel: what was made to fit is not lost to rounding.
    if (shrunk < size * 0.7F || widthOf(words, shrunk, face) > box.width() + 0.5F) return;
    add(Text({(box.left + box.right) / 2, (box.top + box.bottom - shrunk) / 2}, std::move(words),
             face, shrunk, color, 0.5F));
}

void MemoryDrawing::cell(const Box& box, std::uint32_t lanes, bool named) {
    const Rgb full = colorOfLanes(lanes);
    const Rgb color = stands(lanes) ? full : mixed(area.colors.background, full, 0.3F);
    add(Fill{box, color});
    const Rgb ink = !stands(lanes) ? area.colors.muted : inkOn(color);
    if (!named) return;
    if (!std::has_single_bit(lanes)) {
        label(box, lanesShort(lanes), numberSize(), ink);
    } else if (const float size = laneNumberSize(box); size > 0) {
        label(box, lanesShort(lanes), size, ink);
    }
}

float MemoryDrawing::laneNumberSize(const Box& box) const {
    // A window's lanes are of whole pixels, some a pixel wider: one size for all.
    const float lane = std::floor(strip.width() / lanesPerWarp);
    const float width = std::abs(box.width() - lane) < u(1) + 1 ? lane : box.width();
    const float share = width / widthOf("31", numberSize());
    // A little less than the cell is wide: numbers do not touch its frame.
    return share < 0.7F ? 0 : numberSize() * std::clamp(0.84F * share, 0.7F, 1.0F);
}

std::uint32_t MemoryDrawing::numberedEvery() const {
    // A window's lanes are of whole pixels, some a pixel narrower.
    constexpr float textOfSlides = 21.5F;
    const float width = widthOf("31", numberSize()) + u(area.textSize < textOfSlides ? 3 : 1);
    std::uint32_t every = 1;
    while (every < 8 && width > laneBox(every).left - strip.left) every *= 2;
    return every;
}

void MemoryDrawing::link(std::uint32_t lane, Point to) {
    const Box box = laneBox(lane);
    const bool bright = lit != 0 && stands(1u << lane);
    add(Line({(box.left + box.right) / 2, box.bottom}, to, colorOfLanes(1u << lane),
             u(bright ? 2.0F : 1.2F), stands(1u << lane) ? 0.85F : 0.15F));
}

std::string lanesShort(std::uint32_t lanes) {
    const int first = std::countr_zero(lanes);
    const int count = std::popcount(lanes);
    if (count == 1) return std::to_string(first);
    const int last = 31 - std::countl_zero(lanes);
    if (last - first + 1 == count) return std::to_string(first) + "–" + std::to_string(last);
    return "×" + std::to_string(count);
}

std::string lanesLong(std::uint32_t lanes) {
    const int count = std::popcount(lanes);
    const int first = std::countr_zero(lanes);
    const int last = 31 - std::countl_zero(lanes);
    if (count == 0) return "no lane";
    if (count == 1 || last - first + 1 == count) {
        return (count == 1 ? "lane " : "lanes ") + lanesShort(lanes);
    }
    std::string words = "lanes ";
    int named = 0;
    for (std::uint32_t left = lanes; left != 0 && named < 6; left &= left - 1, ++named) {
        words += (named == 0 ? "" : ", ") + std::to_string(std::countr_zero(left));
    }
    return count > named ? words + " … (" + std::to_string(count) + ")" : words;
}

std::string nameOfArray(const WarpTrace& trace, const WarpStep& step) {
    return step.isShared() ? trace.subjects.shared.at(step.subject).name
                           : trace.subjects.arrays.at(step.subject).name;
}

std::string elementAt(const MemoryDrawing& drawing, std::uint64_t offset) {
    const std::string name = nameOfArray(drawing.trace, drawing.step);
    const StepSubjects& subjects = drawing.trace.subjects;
    // A lane that faults may mean one before the first.
    const auto element = [&](std::uint64_t columns, std::int64_t start, std::int64_t bytes) {
        const std::int64_t from = static_cast<std::int64_t>(offset) - start;
        if (from >= 0) return elementName(name, columns, static_cast<std::uint64_t>(from / bytes));
        return name + "[" + std::to_string((from + 1) / bytes - 1) + "]";
    };
    if (drawing.step.isShared()) {
        const trace::SharedPlace& place = subjects.shared.at(drawing.step.subject).place;
        return element(place.columns, place.offset, place.elementBytes);
    }
    const StepSubjects::Array& array = subjects.arrays.at(drawing.step.subject);
    return element(array.columns, array.lead, static_cast<std::int64_t>(array.elementBytes));
}

std::string titleOf(const WarpTrace& trace, const WarpStep& step) {
    const std::string warp = "Warp " + std::to_string(trace.place.warp.value);
    if (step.kind == StepKind::branch) {
        // `if (a && b)` is a branch for each of its parts.
        const auto& branches = trace.subjects.branches;
        const auto isSame = [&](const auto& other) {
            return other.name == branches.at(step.subject).name &&
                   other.meaning == branches.at(step.subject).meaning;
        };
        const auto parts = std::ranges::count_if(branches, isSame);
        const auto part =
            std::count_if(branches.begin(),
                          branches.begin() + static_cast<std::ptrdiff_t>(step.subject) + 1, isSame);
        // Of a long loop's head what is asked.
        std::string name = branches.at(step.subject).name;
        const std::size_t first = name.find(';');
        const std::size_t last = name.rfind(';');
        if (name.starts_with("for (") && first < last && name.size() > 32)
            name = "for (…" + name.substr(first, last + 1 - first) + " …)";
        return warp + " at " +
               (parts == 1 ? std::string("branch ")
                           : "part " + std::to_string(part) + " of " + std::to_string(parts) +
                                 " of branch ") +
               name;
    }
    return warp +
           (step.isAtomic()  ? " adds atomically to "
            : step.isStore() ? " stores to "
                             : " loads from ") +
           nameOfArray(trace, step);
}

CostWords costWords(const WarpTrace& trace, const WarpStep& step) {
    if (step.kind == StepKind::branch) return armWords(trace, step);
    CostWords words;
    if (step.active != 0)
        words = step.isConstant() ? constantWords(step)
                : step.isShared() ? bankWords(step)
                                  : sectorWords(step);
    if (step.refused == 0) return words;
    const bool isOne = std::has_single_bit(step.refused);
    const std::string faults = lanesLong(step.refused) + (isOne ? " faults" : " fault");
    words.full = faults + (words.full.empty() ? "" : "; " + words.full);
    words.brief = faults + (words.brief.empty() ? "" : "; " + words.brief);
    words.wasteful = true;
    return words;
}

WarpMemory prepareWarpMemory(const WarpTrace& trace, std::size_t step, const DrawArea& area,
                             const Pointed& pointed) {
    MemoryDrawing drawing{.trace = trace, .step = trace.steps.at(step), .area = area};
    drawing.pointer = pointed.at;
    const Box& box = area.box;
    const float top = std::round(heading(drawing));
    drawing.strip = {box.left, top, box.right, top + std::round(drawing.u(19))};
    if (drawing.step.isShared() && box.width() > drawing.u(260)) nameRow(drawing, "lane");
    const float edge = drawing.u(3);
    drawing.body = {box.left + edge, drawing.strip.bottom, box.right - edge, box.bottom - edge};
    if (pointed.lane) drawing.lit = 1u << *pointed.lane;
    pointAtLane(drawing);
    if (drawing.step.kind == StepKind::branch) {
        drawArms(drawing);
    } else if (drawing.step.active == 0) {
        // Nothing is fetched.
    } else if (drawing.step.isConstant()) {
        drawTurns(drawing);
    } else if (drawing.step.isShared()) {
        drawBanks(drawing);
    } else {
        drawSectors(drawing);
    }
    drawLanes(drawing);
    return std::move(drawing.result);
}

void drawLanes(WarpRank warp, Extents block, const Box& first, float pitch, const LanesLook& look,
               Items& items) {
    const std::uint32_t threads = threadCountInWarp(warp, block);
    const Rgb color = mixed(look.background, colorOf(warp), look.strength);
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const float along = pitch * static_cast<float>(lane);
        const Box box{first.left + along, first.top, first.right + along, first.bottom};
        const bool hatched = (look.hatched >> lane & 1) != 0;
        if (lane >= threads) {
            items.emplace_back(
                Frame{box, mixed(look.background, look.outline, look.strength), look.outlineWidth});
        } else {
            items.emplace_back(Fill{box, hatched ? mixed(look.background, color, 0.2F) : color, 1});
        }
        if (lane < threads && hatched) items.emplace_back(Hatch{box, color, 6});
    }
}

}  // namespace warplens::drawing
