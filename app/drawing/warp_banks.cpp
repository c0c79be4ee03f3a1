#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// The lanes of a request by the bits of a `BankWord`, which counts the active ones alone.
std::uint32_t lanesOf(const BankWord& word, std::uint32_t active) {
    std::uint32_t lanes = 0;
    std::uint32_t place = 0;
    for (std::uint32_t left = active; left != 0; left &= left - 1, ++place) {
        if ((word.lanes >> place & 1) != 0) lanes |= 1u << std::countr_zero(left);
    }
    return lanes;
}

/// A column for each bank, a row for each wavefront.
class Banks final {
  public:
    Banks(const MemoryDrawing& drawing, std::uint32_t wavefronts) : drawing_(drawing) {
        const float names = drawing.numberSize() + drawing.u(5);
        const float room = drawing.body.height() - names;
        const auto rows = static_cast<float>(wavefronts);
        // Lines from the lanes need some height to be told apart.
        const float lines = wavefronts > most
                                ? std::clamp(0.28F * room, drawing.u(8), drawing.u(60))
                                : std::clamp(0.4F * room, drawing.u(8), drawing.u(22));
        row_ = std::clamp((room - lines) / rows, drawing.u(1), drawing.u(22));
        const float above = std::clamp(room - rows * row_, drawing.u(6), drawing.u(60));
        top_ = std::round(drawing.body.top + above);
        bottom_ = top_ + rows * row_;
    }
    [[nodiscard]] Box column(std::uint32_t bank) const {
        const Box lane = drawing_.laneBox(bank);
        return {lane.left, top_, lane.right, bottom_};
    }
    /// Of more wavefronts than these the lines end at the top of their bank's column, and cross no
    /// cell.
    static constexpr std::uint32_t most = 4;

    [[nodiscard]] Box cell(std::uint32_t bank, std::uint32_t wavefront) const {
        const Box all = column(bank);
        const float top = top_ + row_ * static_cast<float>(wavefront);
        return {all.left, top, all.right, top + row_ - (row_ >= drawing_.u(5) ? drawing_.u(1) : 0)};
    }

  private:
    const MemoryDrawing& drawing_;
    float row_ = 0;
    float top_ = 0;
    float bottom_ = 0;
};

std::string bankText(const std::vector<BankWord>& words, std::uint32_t bank, std::uint32_t active) {
    std::uint32_t lanes = 0;
    std::size_t wavefronts = 0;
    std::set<std::uint64_t> different;
    for (const BankWord& word : words) {
        if (word.bank() != bank) continue;
        lanes |= lanesOf(word, active);
        different.insert(word.word);
        ++wavefronts;
    }
    if (wavefronts == 0) return "bank " + std::to_string(bank) + ": nobody asks";
    // Atomics at one address come one after the other.
    return "bank " + std::to_string(bank) + ": " + lanesLong(lanes) + ": " +
           (different.size() == 1 ? "1 word → "
                                  : std::to_string(different.size()) + " different words → ") +
           counted(wavefronts, "wavefront");
}

void pointAtBanks(MemoryDrawing& drawing, const Banks& banks, const std::vector<BankWord>& words) {
    const std::uint32_t active = drawing.step.active;
    for (const BankWord& word : words) {
        if (!drawing.pointsAt(banks.cell(word.bank(), word.wavefront))) continue;
        const std::uint32_t lanes = lanesOf(word, active);
        drawing.lit = lanes;
        drawing.result.pointed = elementAt(drawing, word.word * bytesPerBankWord) + ", for " +
                                 lanesLong(lanes) + "\nwavefront " +
                                 std::to_string(word.wavefront + 1) + '\n' +
                                 bankText(words, word.bank(), active);
        return;
    }
    for (std::uint32_t bank = 0; bank < sharedBanks; ++bank) {
        Box column = banks.column(bank);
        column.bottom += drawing.u(4) + drawing.numberSize();  // with its number
        if (!drawing.pointsAt(column)) continue;
        for (const BankWord& word : words) {
            if (word.bank() == bank) drawing.lit |= lanesOf(word, active);
        }
        drawing.result.pointed = bankText(words, bank, active);
    }
}

/// Beside a tower, where its neighbours stand empty.
void nameTower(MemoryDrawing& drawing, const Banks& banks, const std::vector<BankWord>& words) {
    const std::uint32_t bank = words.back().bank();
    const bool alone =
        std::ranges::all_of(words, [&](const BankWord& word) { return word.bank() == bank; });
    if (!alone || words.size() < 2) return;
    const Box column = banks.column(bank);
    const std::string text = bankText(words, bank, drawing.step.active);
    const float size = drawing.area.textSize;
    const float gap = drawing.u(10);
    const float room = std::max(column.left - drawing.body.left, drawing.body.right - column.right);
    const bool right = drawing.body.right - column.right >= room;
    // On two lines where one is too long: who asks, and for what.
    std::vector<std::string> lines{text};
    if (const std::size_t colon = text.rfind(": ");
        drawing.widthOf(text, size, Face::words) + gap > room && colon != text.npos &&
        column.height() > 2.4F * size)
        lines = {text.substr(0, colon + 1), text.substr(colon + 2)};
    float top = (column.top + column.bottom - size * 1.2F * static_cast<float>(lines.size())) / 2;
    for (std::string& line : lines) {
        drawing.add(Text({right ? column.right + gap : column.left - gap, top}, std::move(line),
                         Face::words, size, drawing.area.colors.warning, right ? 0.0F : 1.0F));
        top += size * 1.2F;
    }
}

/// A row's name, in front of its boxes.
void nameAt(MemoryDrawing& drawing, float top, std::string_view name) {
    drawing.add(Text({drawing.strip.left - drawing.u(8), top}, std::string(name), Face::words,
                     drawing.numberSize(), drawing.area.colors.muted, 1));
}

/// The array's words in shared memory, a column for each bank, and those asked for filled: why a
/// column more or less puts a column of the array into one bank or into all. Takes its room from
/// below the body.
void drawWordsByBank(MemoryDrawing& drawing, const std::vector<BankWord>& words) {
    const StepShared& array = drawing.trace.subjects.shared.at(drawing.step.subject);
    const trace::SharedPlace& place = array.place;
    const float head = drawing.u(28);
    const std::uint32_t begin = place.offset / bytesPerBankWord;
    std::uint32_t banks = 0;
    std::map<std::uint64_t, std::uint32_t> lanes;
    for (const BankWord& word : words) {
        banks |= 1U << word.bank();
        lanes[word.word - begin] |= lanesOf(word, drawing.step.active);
    }
    // All rows that are asked for where they can be told apart.
    // On a slide they may be lower.
    const bool isSlide = drawing.area.leastText > 0;
    const float room = drawing.body.height() * (isSlide ? 0.6F : 0.55F) - head;
    const float needed =
        std::max(32.0F, static_cast<float>(lanes.rbegin()->first / sharedBanks + 1));
    const float row = std::clamp(room / needed, drawing.u(isSlide ? 1.25F : 1.75F), drawing.u(7));
    const float rows = std::min(needed, std::floor(room / row + 0.01F));
    const std::uint32_t columns = place.columns;
    if (columns < sharedBanks || columns > 40 || place.elementBytes != bytesPerBankWord ||
        rows * row < drawing.u(isSlide ? 40 : 56)) {
        return;
    }
    const ColorRoles& colors = drawing.area.colors;
    drawing.body.bottom -= head + rows * row;
    const float top = drawing.body.bottom + head;
    const std::string name = array.name + "[…][" + std::to_string(columns) + ']';
    const std::string count = std::to_string(words.size());
    const std::string inBanks = counted(std::popcount(banks), "bank");
    std::string told =
        name + ", a column for each bank: these " + count + " words lie in " + inBanks;
    if (drawing.widthOf(told, drawing.area.textSize, Face::words) > drawing.strip.width()) {
        told = name + ", a column a bank: " + count + " words in " + inBanks;
    }
    if (drawing.widthOf(told, drawing.area.textSize, Face::words) > drawing.strip.width())
        told = name + ": " + count + " words in " + inBanks;
    if (rows < needed) {
        const auto drawn = static_cast<std::uint32_t>(rows);
        told = name + ": the first " + std::to_string(drawn) + " rows …";
        nameAt(drawing, top + row * rows - drawing.numberSize(), "…");
    }
    drawing.add(Text({drawing.strip.left, drawing.body.bottom + drawing.u(9)}, std::move(told),
                     Face::words, drawing.area.textSize, colors.text));
    for (std::uint32_t at = 0; at < static_cast<std::uint32_t>(rows) * sharedBanks; ++at) {
        const Box lane = drawing.laneBox((begin + at) % sharedBanks);
        const float y = top + row * static_cast<float>(at / sharedBanks);
        const Box cell{lane.left, y, lane.right,
                       y + row - drawing.u(row < drawing.u(5) ? 0.5F : 1)};
        const auto asked = lanes.find(at);
        drawing.add(
            Fill{cell, asked == lanes.end() ? colors.raised : drawing.colorOfLanes(asked->second)});
        // The column that only pads.
        if (at % columns >= sharedBanks) drawing.add(Hatch{cell, colors.muted, drawing.u(3)});
    }
}

struct Arm final {
    std::string_view name;
    std::uint32_t lanes = 0;
};

/// The lanes that go on where nothing is on the other side: those of the next step, of `if (i >= n)
/// return;` the others.
std::uint32_t lanesOn(const MemoryDrawing& drawing) {
    const WarpStep& guard = drawing.step;
    const std::uint32_t past = guard.active & ~guard.taken;
    const std::span<const WarpStep> steps = drawing.trace.steps;
    const auto here = static_cast<std::size_t>(&guard - steps.data());
    for (const WarpStep& next : steps.subspan(here + 1)) {
        const std::uint32_t lanes = next.active | next.refused;
        if ((lanes & ~guard.taken) == 0) return guard.taken;
        if ((lanes & ~past) == 0) return past;
    }
    return guard.taken;
}

/// `yes: lanes 0, 2 … (16) ran, 16 waited`, where both sides have something to run.
std::string wordsOf(const MemoryDrawing& drawing, const Arm& arm, bool parts) {
    std::string words = std::string(arm.name) + ": " + lanesLong(arm.lanes);
    if (!parts || arm.lanes == 0) return words;
    if (drawing.step.isOneWay)
        return words + (arm.lanes == lanesOn(drawing) ? " ran" : " are off meanwhile");
    const int waiting = std::popcount(drawing.step.active & ~arm.lanes);
    return words + " ran, " + std::to_string(waiting) + " waited";
}

/// The lanes that take part, by the arm's colour; those that wait for it are hatched.
void drawMask(MemoryDrawing& drawing, const Arm& arm, float top, float height) {
    const ColorRoles& colors = drawing.area.colors;
    const bool isOff = drawing.step.isOneWay && arm.lanes != lanesOn(drawing);
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        Box cell = drawing.laneBox(lane);
        cell.top = top;
        cell.bottom = top + height;
        const std::uint32_t bit = 1U << lane;
        if ((arm.lanes & bit) == 0) {
            drawing.add(Fill{cell, colors.raised});
            if (!isOff && arm.lanes != 0 && (drawing.step.active & bit) != 0) {
                drawing.add(Hatch{cell, colors.faint, drawing.u(5)});
            }
        } else if (isOff) {
            drawing.add(Frame{cell, drawing.colorOfLanes(bit), drawing.u(1)});
            drawing.label(cell, std::to_string(lane), drawing.numberSize(), colors.muted);
        } else {
            drawing.cell(cell, bit);
        }
    }
}

}  // namespace

void nameRow(MemoryDrawing& drawing, std::string_view name) {
    const float room = drawing.widthOf("bank", drawing.numberSize(), Face::words) + drawing.u(8);
    drawing.strip.left += room;
    nameAt(drawing, (drawing.strip.top + drawing.strip.bottom - drawing.numberSize()) / 2, name);
}

void drawBanks(MemoryDrawing& drawing) {
    const ColorRoles& colors = drawing.area.colors;
    const std::vector<BankWord> words =
        bankWordsOf(ActiveOffsets(drawing.step).all(), drawing.step.bytes,
                    kindOfBanks(drawing.step), drawing.step.active);
    drawWordsByBank(drawing, words);
    const std::uint32_t wavefronts = words.back().wavefront + 1;
    const Banks banks(drawing, wavefronts);
    pointAtBanks(drawing, banks, words);
    if (drawing.strip.left > drawing.area.box.left) {
        nameAt(drawing, banks.column(0).bottom + drawing.u(2), "bank");
    }
    for (std::uint32_t bank = 0; bank < sharedBanks; ++bank) {
        const Box column = banks.column(bank);
        drawing.add(Fill{column, colors.raised});
        if (bank % drawing.numberedEvery() != 0) continue;
        drawing.add(Text({(column.left + column.right) / 2, column.bottom + drawing.u(2)},
                         std::to_string(bank), Face::numbers, drawing.numberSize(), colors.muted,
                         0.5F));
    }
    for (const BankWord& word : words) {
        const Box cell = banks.cell(word.bank(), word.wavefront);
        const std::uint32_t lanes = lanesOf(word, drawing.step.active);
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            const float end = wavefronts > Banks::most ? banks.column(word.bank()).top : cell.top;
            drawing.link(lane, {(cell.left + cell.right) / 2, end});
        }
    }
    for (const BankWord& word : words) {
        const Box cell = banks.cell(word.bank(), word.wavefront);
        const std::uint32_t lanes = lanesOf(word, drawing.step.active);
        drawing.cell(cell, lanes);
        // Of several that write it one stays.
        if (drawing.step.kind == StepKind::sharedStore && drawing.step.bytes >= bytesPerBankWord &&
            std::popcount(lanes) > 1)
            drawing.add(Frame{cell, colors.warning, drawing.u(2)});
        if ((drawing.lit & lanes) != 0) drawing.add(Frame{cell, colors.text, drawing.u(1)});
    }
    nameTower(drawing, banks, words);
}

/// Each lane falls into the row of its answer; the rows run one after the other.
void drawArms(MemoryDrawing& drawing) {
    const ColorRoles& colors = drawing.area.colors;
    const float gap = drawing.u(8);
    const float words = drawing.area.textSize + drawing.u(4);
    // The lanes above have the colours of both.
    if (drawing.body.height() < 2 * (gap + words + drawing.u(8))) return;
    const float height = std::round(
        std::clamp((drawing.body.height() - 2 * gap) / 2 - words, drawing.u(8), drawing.u(32)));
    const std::uint32_t past = drawing.step.active & ~drawing.step.taken;
    const bool parts = drawing.step.taken != 0 && past != 0;
    float top = drawing.body.top + gap;
    for (const Arm& arm : {Arm{"yes", drawing.step.taken}, Arm{"no", past}}) {
        drawing.add(Text({drawing.body.left, top}, wordsOf(drawing, arm, parts), Face::words,
                         drawing.area.textSize, arm.lanes == 0 ? colors.faint : colors.text));
        top = std::round(top + words);
        drawMask(drawing, arm, top, height);
        top += height + gap;
    }
}

void drawTurns(MemoryDrawing& drawing) {
    const WarpStep& step = drawing.step;
    std::map<std::uint64_t, std::uint32_t> byAddress;  // and its lanes
    for (std::uint32_t left = step.active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        byAddress[step.offsets.at(lane)] |= 1U << lane;
    }
    // As many columns as have room for an element's name; where that takes too many rows, one row
    // in which some are named, by their index alone where the array's name has no room, and
    // without their turn where a second line has none.
    const float size = drawing.numberSize();
    const Box& body = drawing.body;
    const auto count = static_cast<float>(byAddress.size());
    const auto nameOf = [&](std::uint64_t address, bool isWhole) {
        std::string name = elementAt(drawing, address);
        return isWhole ? name : name.substr(std::min(name.find('['), name.size()));
    };
    const auto pitchOf = [&](bool isWhole) {
        float widest = drawing.widthOf("turn 32", size, Face::words);
        for (const auto& [address, lanes] : byAddress)
            widest = std::max(widest, drawing.widthOf(nameOf(address, isWhole), size));
        return widest + drawing.u(10);
    };
    float least = drawing.u(14);  // for links
    float pitch = pitchOf(true);
    float words = 2 * size + drawing.u(9);  // and the gap below them
    float columns = std::clamp(std::floor(body.width() / pitch), 1.0F, count);
    const float rows = std::ceil(count / columns);
    float room = (body.height() - least) / rows - words;
    const bool isRow = rows == 1 || room < drawing.u(6);
    const bool isWhole = !isRow || pitch * std::min(count, 4.0F) <= body.width();
    if (!isWhole) pitch = pitchOf(false);
    if (isRow) columns = count, room = body.height() - least - words;
    const bool hasTurns = room >= drawing.u(6);
    if (!hasTurns) {
        words = size + drawing.u(3);
        if (body.height() - least - words < drawing.u(4)) least = drawing.u(8);
        room = body.height() - least - words;
    }
    const bool isNamed = room >= drawing.u(4) && pitch <= body.width();
    const float height = std::clamp(room, drawing.u(4), drawing.u(22));
    const float links = std::clamp(least + room - height, least, drawing.u(isRow ? 40 : 14));
    const float width = std::min(body.width() / columns, 2 * pitch);
    const auto every = static_cast<std::size_t>(std::ceil(pitch / width - 0.01F));
    const float top = std::min(body.top + links, body.bottom - height);

    std::vector<Box> cells;
    for (const auto& [address, lanes] : byAddress) {
        const auto at = static_cast<float>(cells.size());
        const float left = body.left + width * std::fmod(at, columns);
        const float above = top + (height + words) * std::floor(at / columns);
        cells.push_back({left, above, left + width - drawing.u(2), above + height});
        if (!drawing.pointsAt(cells.back())) continue;
        drawing.lit = lanes;
        drawing.result.pointed = elementAt(drawing, address) + " in constant memory, for " +
                                 lanesLong(lanes) + "\nturn " + std::to_string(cells.size()) +
                                 " of " + std::to_string(byAddress.size());
    }
    std::size_t turn = 0;
    for (const auto& [address, lanes] : byAddress) {
        const Box& cell = cells[turn++];
        for (std::uint32_t left = lanes; left != 0 && isRow; left &= left - 1) {
            drawing.link(static_cast<std::uint32_t>(std::countr_zero(left)),
                         {(cell.left + cell.right) / 2, cell.top});
        }
        drawing.cell(cell, lanes);
        if ((drawing.lit & lanes) != 0)
            drawing.add(Frame{cell, drawing.area.colors.text, drawing.u(1)});
        if (!isNamed || (turn - 1) % every != 0 || cell.left + pitch > body.right + 1) continue;
        const float below = cell.bottom + drawing.u(2);
        drawing.add(Text({cell.left, below}, nameOf(address, isWhole), Face::numbers, size,
                         drawing.area.colors.text));
        if (!hasTurns) continue;
        drawing.add(Text({cell.left, below + size + drawing.u(1)}, "turn " + std::to_string(turn),
                         Face::words, size, drawing.area.colors.muted));
    }
}

}  // namespace warplens::drawing
