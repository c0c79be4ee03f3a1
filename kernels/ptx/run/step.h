#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/read/flow.h"
#include "kernels/ptx/run/site.h"

namespace warplens::ptx {

class Warp;
struct Step;
struct Code;

/// Does what a step says for the warp's active lanes. Returns the step to go on with, or null where
/// the warp cannot: it waits, or has ended.
using HandlerFunction = const Step*(Warp&, const Step*);
using Handler = HandlerFunction*;

/// Where a step's values come from. Values lie lane beside lane, 4 bytes each or 8.
enum class Bank : u8 {
    frame,     ///< registers of the function that runs
    function,  ///< constants in the function's text
    launch,    ///< the same for all blocks: extents, parameters, what follows from them
    warp,      ///< the same for the n-th warp of every block: threadIdx
    block,     ///< the same for all threads of a block: blockIdx, what follows from it
};
inline constexpr std::size_t bankCount = 5;

struct alignas(64) CacheLine final {
    std::byte bytes[64];
};

/// A value: its bank, and its first byte in it.
struct Slot final {
    u32 offset : 28 = 0xfffffff;
    u32 bank : 4 = 15;
    friend bool operator==(const Slot&, const Slot&) = default;
};
inline constexpr Slot noSlot{};

/// Bytes of a value: of 32 lanes, or one bit of each.
inline constexpr u32 narrowBytes = 128;
inline constexpr u32 wideBytes = 256;
inline constexpr u32 predicateBytes = 64;  // of which 4 are used
[[nodiscard]] constexpr u32 bytesOfRegister(Type type) {
    return type == Type::pred ? predicateBytes : bytesOf(type) == 8 ? wideBytes : narrowBytes;
}
template <class T>
[[nodiscard]] constexpr T roundedUp(T value, T to) {
    return (value + to - 1) / to * to;
}
/// Lines behind a bank's last value: text that takes a narrow register for a wide one ends in them.
inline constexpr std::size_t spareLines = wideBytes / sizeof(CacheLine);

/// Special registers (PTX ISA, "Special Registers") that have a value of their own in a bank, in
/// the order in which they lie there.
inline constexpr std::array<std::string_view, 24> launchSpecials{
    "%ntid.x",           "%ntid.y",       "%ntid.z",           "%nctaid.x",
    "%nctaid.y",         "%nctaid.z",     "%cluster_nctaid.x", "%cluster_nctaid.y",
    "%cluster_nctaid.z", "%nclusterid.x", "%nclusterid.y",     "%nclusterid.z",
    "%nwarpid",          "%nsmid",        "%cluster_nctarank", "%is_explicit_cluster",
    "%envreg1",          "%envreg2",      "%total_smem_size",  "%dynamic_smem_size",
    "%gridid",           "%clock_hi",     "%globaltimer_hi",   "%aggr_smem_size"};
inline constexpr std::array<std::string_view, 11> warpSpecials{
    "%tid.x",       "%tid.y",       "%tid.z",       "%laneid",      "%warpid", "%lanemask_eq",
    "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%zero"};
inline constexpr std::array<std::string_view, 11> blockSpecials{
    "%ctaid.x",         "%ctaid.y",     "%ctaid.z",     "%cluster_ctaid.x", "%cluster_ctaid.y",
    "%cluster_ctaid.z", "%clusterid.x", "%clusterid.y", "%clusterid.z",     "%smid",
    "%cluster_ctarank"};

/// Where the register's value is; absent for those that change while a kernel runs, and unknown
/// ones.
[[nodiscard]] std::optional<Slot> specialSlot(std::string_view name);

/// What is known of a call: where arguments and results lie in the caller's frame.
struct Call final {
    std::string name;
    const Code* code = nullptr;
    struct Bytes final {
        u32 offset = 0;  ///< of the frame
        u32 bytes = 0;   ///< of a lane
    };
    std::vector<Bytes> arguments;
    std::vector<Bytes> results;
};

/// One decoded instruction, or a part of one.
struct Step final {
    Handler run = nullptr;
    Slot d{};
    Slot a{};
    Slot b{};
    Slot c{};
    Slot extra[4]{};  ///< of vectors; more operands
    s64 immediate = 0;
    s64 secondOffset = 0;            ///< of a second address
    u32 mode = 0;                    ///< as the handler reads it
    u32 option = 0;                  ///< likewise
    s32 jump = 0;                    ///< steps from this one
    u32 index = 0;                   ///< of this step in its code
    u32 reconverge = 0;              ///< index of the step where lanes that part here meet again
    ControlFlow::Leaving leaving{};  ///< lanes that do not come there
    u32 site = 0;                    ///< index of the first of its sites, from the code's first one
    const void* more = nullptr;      ///< a `Call`, or a table of targets
    const Instruction* instruction = nullptr;
};

inline constexpr u32 noStep = 0xffffffffu;

/// A function, ready to run.
struct Code final {
    const Function* function = nullptr;
    /// Of a library's function: where the person called it, maybe through others. Each such place
    /// has code of its own.
    Origin caller;
    std::vector<Step> steps;
    u32 frameBytes = 0;
    u32 localOffset = 0;  ///< of the frame: the function's own local memory
    u32 localBytes = 0;   ///< of a lane
    std::vector<CacheLine> constants;
    std::vector<Call::Bytes> parameters;  ///< in the frame
    std::vector<Call::Bytes> results;
    std::vector<std::unique_ptr<Call>> calls;
    std::vector<std::unique_ptr<std::vector<u32>>> tables;
    std::vector<std::shared_ptr<const void>> kept;  ///< what steps point to beside these
    /// Steps done once for a launch, and once for a block: their values are in these banks.
    std::vector<Step> launchSteps;
    std::vector<Step> blockSteps;
    u32 launchBytes = 0;
    u32 blockBytes = 0;
    bool usesOrder = false;  ///< what a block does depends on blocks before it
    bool callsByAddress = false;

    /// Where the instruction, or what calls the code that it is in, stands in the person's files.
    [[nodiscard]] Origin origin(const Instruction& instruction) const {
        return caller.function != nullptr ? caller : Origin{function, instruction.place};
    }
};

}  // namespace warplens::ptx
