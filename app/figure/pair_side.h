#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/kinds/kind.h"

/// What one of two launches beside each other comes to, before it is drawn.
namespace warplens::figure {

/// What a side comes to.
struct PairSide final {
    const Subject& subject;
    CauseKind cause{};
    bool chosen = false;    ///< what is drawn was asked for; the cause is told below
    bool bySms = false;     ///< as of the subject that is drawn
    bool pictured = false;  ///< as its scenario is: both sides have the same code
    RequestsTo requests = RequestsTo::global;
    std::size_t mostRequests = 0;  ///< of both, whose squares are as large
    std::size_t mostSectors = 0;   ///< of both, whose boxes are as large; 0 where they are as many
    bool drawsOneRequest = false;  ///< as both sides' warps do as many, of more or fewer bytes
    std::optional<Telling> telling{};
    std::optional<WarpsAtBranch> branch{};  ///< of a program whose branches are told of
    std::vector<std::uint32_t> warps{};     ///< of them those that are drawn, of both sides
    std::string headline{};                 ///< `16 sectors`
    double units = 0;  ///< of the step that is drawn: sectors, wavefronts; or divergent branches
    std::vector<std::string>
        captions{};       ///< `25.0 % of the bytes are used`; later ones are shorter
    std::string worse{};  ///< what else those lines cost more of than the other side's
    /// `N = 64`: those that the other side has not; of one scenario its sizes.
    std::string options{};
    std::string sizes{};                   ///< `stride 8`: of these, too
    std::vector<CodeLine> lines{};         ///< that the other side has not, next to the step
    std::vector<std::uint32_t> own{};      ///< the numbers of all of them
    std::vector<const Finding*> faults{};  ///< that the other has not, of each kind the first
    const Value* time = nullptr;
};

/// The step of one warp that shows the cause.
[[nodiscard]] bool drawsStep(CauseKind cause);
/// What differs is what the code does after what, which its lines show.
[[nodiscard]] bool drawsSource(CauseKind cause);

/// `1 turn of atomics`, `128 atomic requests`
[[nodiscard]] std::string amountInWords(double amount, std::string units);

/// Whether it accesses an array or calls an intrinsic.
[[nodiscard]] bool accesses(const CodeLine& line);

struct PairSides final {
    PairSide a;
    PairSide b;
};
/// `changed`: the lines that the other has not. Of files of one's own, both draw requests of the
/// same line, that of the side that costs more.
[[nodiscard]] PairSides sidesOf(const Subject& a, const Subject& b, const Cause& cause,
                                const ChangedLines& changed);

/// Says of the side that costs less by what is drawn what the lines that are shown cost more of
/// than the other side's, of another array or memory: `Line 13 also loads from t: 32 wavefronts,
/// fewest 1`. Nothing where it costs no more.
void tellWorse(PairSide& side, const PairSide& other);

/// Where fewer requests are of warps that do as many, which then carry more: one of each is drawn,
/// with its bytes.
void tellOneRequest(PairSide& a, PairSide& b);

/// Where both draw a request to global memory, a sector is as large on both sides.
void tellScale(PairSide& a, PairSide& b);

}  // namespace warplens::figure
