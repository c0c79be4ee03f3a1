#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "app/drawing/warp_memory_parts.h"
#include "core/access/shared_access.h"
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
    Banks(const MemoryScene& scene, std::uint32_t wavefronts) : scene_(scene) {
        const float names = scene.numberSize() + scene.u(5);
        const float room = scene.body.height() - names;
        const auto rows = static_cast<float>(wavefronts);
        row_ = std::clamp((room - scene.u(8)) / rows, scene.u(1), scene.u(22));
        const float above = std::clamp(room - rows * row_, scene.u(6), scene.u(60));
        top_ = std::round(scene.body.top + above);
        bottom_ = top_ + rows * row_;
    }
    [[nodiscard]] Box column(std::uint32_t bank) const {
        const Box lane = scene_.laneBox(bank);
        return {lane.left, top_, lane.right, bottom_};
    }
    [[nodiscard]] Box cell(std::uint32_t bank, std::uint32_t wavefront) const {
        const Box all = column(bank);
        const float top = top_ + row_ * static_cast<float>(wavefront);
        return {all.left, top, all.right, top + row_ - (row_ >= scene_.u(5) ? scene_.u(1) : 0)};
    }

  private:
    const MemoryScene& scene_;
    float row_ = 0;
    float top_ = 0;
    float bottom_ = 0;
};

std::string bankText(const std::vector<BankWord>& words, std::uint32_t bank, std::uint32_t active) {
    std::uint32_t lanes = 0;
    std::size_t different = 0;
    for (const BankWord& word : words) {
        if (word.bank() != bank) continue;
        lanes |= lanesOf(word, active);
        ++different;
    }
    if (different == 0) return "bank " + std::to_string(bank) + ": nobody asks";
    return "bank " + std::to_string(bank) + ": " + lanesLong(lanes) + ": " +
           (different == 1 ? "1 word → 1 wavefront"
                           : std::to_string(different) + " different words → " +
                                 std::to_string(different) + " wavefronts");
}

void pointAtBanks(MemoryScene& scene, const Banks& banks, const std::vector<BankWord>& words) {
    const std::uint32_t active = scene.step.active;
    for (const BankWord& word : words) {
        if (!scene.pointsAt(banks.cell(word.bank(), word.wavefront))) continue;
        const std::uint32_t lanes = lanesOf(word, active);
        scene.lit = lanes;
        scene.result.pointed = elementAt(scene, word.word * bytesPerBankWord) + ", for " +
                               lanesLong(lanes) + "\nwavefront " +
                               std::to_string(word.wavefront + 1) + '\n' +
                               bankText(words, word.bank(), active);
        return;
    }
    for (std::uint32_t bank = 0; bank < sharedBanks; ++bank) {
        Box column = banks.column(bank);
        column.bottom = scene.body.bottom;
        if (!scene.pointsAt(column)) continue;
        for (const BankWord& word : words) {
            if (word.bank() == bank) scene.lit |= lanesOf(word, active);
        }
        scene.result.pointed = bankText(words, bank, active);
    }
}

/// Beside a tower, where its neighbours stand empty.
void nameTower(MemoryScene& scene, const Banks& banks, const std::vector<BankWord>& words) {
    const std::uint32_t bank = words.back().bank();
    const bool alone =
        std::ranges::all_of(words, [&](const BankWord& word) { return word.bank() == bank; });
    if (!alone || words.size() < 2) return;
    const Box column = banks.column(bank);
    const std::string text = bankText(words, bank, scene.step.active);
    const float size = scene.sheet.textSize;
    const float width = scene.widthOf(text, size, Face::words);
    const bool right = column.right + scene.u(10) + width <= scene.body.right;
    scene.add(Text{{right ? column.right + scene.u(10) : column.left - scene.u(10),
                    (column.top + column.bottom - size) / 2},
                   text,
                   Face::words,
                   size,
                   scene.sheet.inks.warning,
                   right ? 0.0F : 1.0F});
}

}  // namespace

void drawBanks(MemoryScene& scene) {
    const Inks& inks = scene.sheet.inks;
    const std::vector<BankWord> words =
        bankWordsOf(ActiveOffsets(scene.step).all(), scene.step.bytes);
    const std::uint32_t wavefronts = words.back().wavefront + 1;
    const Banks banks(scene, wavefronts);
    pointAtBanks(scene, banks, words);
    for (std::uint32_t bank = 0; bank < sharedBanks; ++bank) {
        const Box column = banks.column(bank);
        scene.add(Fill{column, inks.raised});
        const float size = scene.numberSize();
        scene.label({column.left, column.bottom + scene.u(2), column.right,
                     column.bottom + scene.u(2) + size},
                    std::to_string(bank), size, inks.faint);
    }
    for (const BankWord& word : words) {
        const Box cell = banks.cell(word.bank(), word.wavefront);
        const std::uint32_t lanes = lanesOf(word, scene.step.active);
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            if (wavefronts > 4 && (scene.lit >> lane & 1) == 0) continue;
            scene.link(lane, {(cell.left + cell.right) / 2, cell.top});
        }
    }
    for (const BankWord& word : words) {
        const Box cell = banks.cell(word.bank(), word.wavefront);
        const std::uint32_t lanes = lanesOf(word, scene.step.active);
        scene.cell(cell, lanes);
        if ((scene.lit & lanes) != 0) scene.add(Frame{cell, inks.text, scene.u(1)});
    }
    nameTower(scene, banks, words);
}

}  // namespace warplens::drawing
