#include "kernels/trace/assembly/unhooked.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "kernels/trace/assembly/hooks.h"

namespace warplens::assembly {
namespace {

/// One instruction that moves between a register and memory.
struct Move final {
    bool store = false;
    std::uint32_t bytes = 0;
    std::string_view address;
    std::int64_t displacement = 0;
    std::string_view registers;  ///< `(%rax,%rdx,4)`
    bool isFrame = false;        ///< relative to the frame, the thread or the program
};

std::uint32_t bytesOfMove(std::string_view mnemonic) {
    if (mnemonic == "movq" || mnemonic == "movsd" || mnemonic == "movlps") return 8;
    if (mnemonic == "movl" || mnemonic == "movss" || mnemonic == "movslq") return 4;
    if (mnemonic == "pinsrw" || mnemonic == "pextrw" || mnemonic == "movw" ||
        mnemonic.starts_with("movzw") || mnemonic.starts_with("movsw")) {
        return 2;
    }
    if (mnemonic == "movb" || mnemonic.starts_with("movzb") || mnemonic.starts_with("movsb")) {
        return 1;
    }
    if (mnemonic == "movaps" || mnemonic == "movups" || mnemonic == "movdqa" ||
        mnemonic == "movdqu") {
        return 16;
    }
    return 0;
}

std::optional<Move> moveIn(std::string_view line) {
    Move move;
    move.bytes = bytesOfMove(mnemonicOf(line));
    if (move.bytes == 0) return std::nullopt;
    const std::string_view operands = operandsOf(line);
    const std::size_t open = operands.find('(');
    if (open == std::string_view::npos) return std::nullopt;
    const std::size_t close = operands.find(')', open);
    std::size_t begin = open;
    while (begin > 0 && operands[begin - 1] != ' ' && operands[begin - 1] != ',') --begin;
    move.address = operands.substr(begin, close + 1 - begin);
    move.registers = operands.substr(open, close + 1 - open);
    move.displacement =
        std::strtoll(std::string(operands.substr(begin, open - begin)).c_str(), nullptr, 10);
    // `pinsrw $0, (%rax), %xmm0` has a number before the address.
    move.store = mnemonicOf(line) == "pinsrw" ? false : begin != 0;
    move.isFrame = move.registers.starts_with("(%rbp") || move.registers.starts_with("(%rsp") ||
                   move.registers.starts_with("(%rip") ||
                   move.address.find("%fs:") != std::string_view::npos ||
                   move.registers.starts_with("(,");
    return move;
}

/// Looks through a stretch of instructions without labels and jumps.
class Stretch final {
  public:
    Stretch(const Unit& unit, const Function& function,
            std::map<std::size_t, UnhookedAccess>& found)
        : unit_(unit), function_(function), found_(found) {}

    void look(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const std::string_view line = unit_.lines[function_.body[i].line];
            if (mnemonicOf(line) == "call") {
                if (!hookNamed(operandsOf(line)) || !isOfFrame(unit_, function_, i)) {
                    called(operandsOf(line));
                }
            } else if (const std::optional<Move> move = moveIn(line)) {
                moved(i, *move);
            }
        }
    }

  private:
    struct Candidate final {
        std::size_t at;
        Move move;
    };

    void called(std::string_view callee) {
        if (const std::optional<Hook> hook = hookNamed(callee)) {
            // A range's size is not known here: whatever follows is its.
            (hook->store ? hookedStores_ : hookedLoads_) += hook->bytes == 0 ? 4096 : hook->bytes;
            loads_.clear();
            afterCall_ = false;
            return;
        }
        keep(loads_, false);
        loads_.clear();
        hookedLoads_ = 0;
        hookedStores_ = 0;
        afterCall_ = true;
        stores_.clear();
    }

    void moved(std::size_t i, const Move& move) {
        std::uint64_t& hooked = move.store ? hookedStores_ : hookedLoads_;
        if (move.isFrame) {
            if (move.registers.find(',') != std::string_view::npos ||
                move.address.find("%fs:") != std::string_view::npos) {
                hooked -= std::min<std::uint64_t>(hooked, move.bytes);
            }
            return;
        }
        if (hooked >= move.bytes) {
            hooked -= move.bytes;
            return;
        }
        if (!move.store) {
            loads_.push_back({i, move});
        } else if (afterCall_) {
            stores_ = {{i, move}};
            keepStore();
        }
    }

    /// Pieces of one struct, one after another in memory, become one access.
    void keep(const std::vector<Candidate>& candidates, bool store) {
        for (std::size_t first = 0; first < candidates.size();) {
            const Move& move = candidates[first].move;
            UnhookedAccess access{store, std::string(move.address), move.bytes};
            std::size_t next = first + 1;
            while (next < candidates.size() && candidates[next].move.registers == move.registers &&
                   candidates[next].at - candidates[next - 1].at <= 3 &&
                   candidates[next].move.displacement ==
                       move.displacement + static_cast<std::int64_t>(access.bytes)) {
                access.bytes += candidates[next].move.bytes;
                ++next;
            }
            found_[candidates[first].at] = access;
            first = next;
        }
    }
    void keepStore() {
        const Candidate& piece = stores_.front();
        if (!found_.empty()) {
            auto& [at, last] = *std::prev(found_.end());
            const std::optional<Move> begun = moveIn(unit_.lines[function_.body[at].line]);
            if (last.store && begun && begun->registers == piece.move.registers &&
                piece.at - at <= 8 &&
                piece.move.displacement ==
                    begun->displacement + static_cast<std::int64_t>(last.bytes)) {
                last.bytes += piece.move.bytes;
                return;
            }
        }
        keep(stores_, true);
    }

    const Unit& unit_;
    const Function& function_;
    std::map<std::size_t, UnhookedAccess>& found_;
    std::vector<Candidate> loads_;
    std::vector<Candidate> stores_;
    std::uint64_t hookedLoads_ = 0;
    std::uint64_t hookedStores_ = 0;
    bool afterCall_ = false;
};

}  // namespace

std::map<std::size_t, UnhookedAccess> unhookedAccesses(const Unit& unit, const Function& function) {
    std::map<std::size_t, UnhookedAccess> found;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= function.body.size(); ++i) {
        if (i < function.body.size()) {
            const std::string_view line = unit.lines[function.body[i].line];
            const std::string_view mnemonic = mnemonicOf(line);
            if (labelOf(line).empty() && !mnemonic.starts_with('j') && mnemonic != "ret") continue;
            // Labels that only mark ranges for exceptions part nothing.
            if (labelOf(line).starts_with(".LEH") || labelOf(line).starts_with(".LB")) continue;
        }
        Stretch(unit, function, found).look(begin, i);
        begin = i + 1;
    }
    return found;
}

}  // namespace warplens::assembly
