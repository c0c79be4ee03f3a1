// What kernels do wrong, by PTX of nvcc: tests/ptx/faults/kernels.cu.
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <initializer_list>
#include <iterator>
#include <numeric>

#include "kernels/ptx/check/faults.h"

namespace warplens::ptx {
namespace {

/// A program of the kernels, its memory, and what is found.
class Kernels final {
  public:
    Kernels() : program_(memory_), faults_(program_) {
        std::ifstream file(FAULTS_FOLDER "/kernels.ptx");
        auto read = readModule(std::string(std::istreambuf_iterator<char>(file), {}));
        EXPECT_FALSE(program_.add(std::move(std::get<Module>(read))));
        surroundings_.observers.push_back(&faults_);
    }

    std::uint64_t written(const std::vector<int>& values) {
        const std::uint64_t address = unwritten(values.size());
        std::memcpy(memory_.find(address)->data, values.data(), 4 * values.size());
        faults_.markWritten(address, 4 * values.size());
        faults_.markCopied(address, 4 * values.size());
        return address;
    }
    std::uint64_t zeros(std::size_t count) { return written(std::vector<int>(count)); }
    std::uint64_t rising(std::size_t count) {
        std::vector<int> values(count);
        std::iota(values.begin(), values.end(), 1);
        return written(values);
    }
    std::uint64_t unwritten(std::size_t count) { return memory_.allocate(4 * count)->address; }
    /// Without a value, and what it holds then is copied to the host.
    std::uint64_t copied(std::size_t count) {
        const std::uint64_t address = unwritten(count);
        faults_.markCopied(address, 4 * count);
        return address;
    }
    int value(std::uint64_t address) const {
        return *reinterpret_cast<const int*>(memory_.find(address)->data);
    }

    /// Arguments of 8 bytes each; ints by their low half, the last ones.
    Kernels& run(std::string_view name, Extents grid, Extents block,
                 std::initializer_list<std::uint64_t> pointers,
                 std::initializer_list<int> ints = {}) {
        KernelLaunch launch;
        for (const Function* kernel : program_.kernels()) {
            const std::string mangled = "_Z" + std::to_string(name.size()) + std::string(name);
            if (kernel->name.starts_with(mangled)) launch.kernel = kernel;
        }
        launch.launch = {.grid = grid, .block = block};
        const auto add = [&](const auto& value) {
            const auto* bytes = reinterpret_cast<const std::byte*>(&value);
            launch.parameters.insert(launch.parameters.end(), bytes, bytes + sizeof value);
        };
        for (const std::uint64_t pointer : pointers) add(pointer);
        for (const int value : ints) add(value);
        EXPECT_NE(launch.kernel, nullptr) << name;
        const LaunchResult result = ptx::run(program_, launch, surroundings_, {.jumps = 1 << 20});
        found_.insert(found_.end(), result.findings.begin(), result.findings.end());
        return *this;
    }
    void noteCut() { faults_.noteCut(); }
    /// `kind line words` of each finding.
    std::string found() {
        std::vector<Finding> all = std::move(found_);
        for (Finding& finding : faults_.takeUnreached()) all.push_back(std::move(finding));
        for (Finding& finding : faults_.take()) all.push_back(std::move(finding));
        std::string text;
        for (const Finding& finding : all) {
            text += std::string(toString(finding.kind)) + " " + lineText(finding.place) + ": " +
                    finding.words + " (";
            text += finding.thread ? std::to_string(finding.thread->x) : "-";
            text += ") x" + std::to_string(finding.times) +
                    (finding.isWrittenLater ? " later" : "") +
                    (finding.isOfMask ? " of a mask" : "") + "\n";
        }
        return text;
    }

  private:
    /// The line's text: numbers change with the file.
    static std::string lineText(const SourcePlace& place) {
        std::ifstream file(FAULTS_FOLDER "/kernels.cu");
        std::string line;
        for (std::uint32_t at = 0; at < place.line; ++at) std::getline(file, line);
        return line.substr(std::min(line.find_first_not_of(' '), line.size()));
    }
    Memory memory_;
    Program program_;
    check::Faults faults_;
    Surroundings surroundings_;
    std::vector<Finding> found_;
};

TEST(Faults, sharedMemoryNeedsABarrierBetweenWarps) {
    Kernels wrong;
    EXPECT_EQ(wrong.run("sharedAcrossWarps", {1}, {64}, {wrong.zeros(64)}).found(),
              "shared_race s[threadIdx.x] = threadIdx.x;: store to shared s[32], which thread (31, "
              "0, 0) reads in line 7 with no __syncthreads between (32) x32\n"
              "shared_race out[threadIdx.x] = s[63 - threadIdx.x];: load from shared s[31], which "
              "thread (31, 0, 0) writes in line 6 with no __syncthreads between (32) x32\n"
              "uninitialised_shared out[threadIdx.x] = s[63 - threadIdx.x];: load from shared "
              "s[63], which no thread of the block has written by then: line 6 writes it later (0) "
              "x32 later\n");
    Kernels right;
    EXPECT_EQ(right.run("sharedAcrossWarpsRight", {3}, {64}, {right.zeros(64)}).found(), "");
}
TEST(Faults, sharedMemoryNeedsASyncwarpWithinAWarp) {
    Kernels loads;
    EXPECT_EQ(loads.run("sharedWithinWarp", {1}, {32}, {loads.zeros(32)}).found(),
              "shared_race out[threadIdx.x] = s[31 - threadIdx.x];: load from shared s[31], which "
              "thread (31, 0, 0) writes in line 17 with no __syncwarp between (0) x32\n");
    Kernels stores;
    EXPECT_EQ(stores.run("sharedReadThenStored", {1}, {32}, {stores.zeros(32)}).found(),
              "shared_race for (int d = 16; d > 0; d /= 2) s[threadIdx.x] += s[threadIdx.x + d];: "
              "load from shared s[8], which thread (8, 0, 0) writes in the same line with no "
              "__syncwarp between (0) x242\n");
    Kernels right;
    EXPECT_EQ(right.run("sharedWithinWarpRight", {2}, {32}, {right.zeros(32)}).found(), "");
}
TEST(Faults, partsOfAWarpThatMeetByThemselvesAreOrdered) {
    Kernels right;
    EXPECT_EQ(right.run("halvesOfWarpRight", {1}, {32}, {right.zeros(32)}).found(), "");
    Kernels wrong;
    EXPECT_EQ(wrong.run("halvesOfWarpWithoutEachOther", {1}, {32}, {wrong.zeros(32)}).found(), "");
}
TEST(Faults, bytesOfAWordAndEqualValuesDoNotRaceAndVolatileIsNoBarrier) {
    for (const char* name : {"bytesSideBySideRight", "sameValueRight"}) {
        Kernels right;
        EXPECT_EQ(right.run(name, {2}, {64}, {right.zeros(64)}).found(), "") << name;
    }
    Kernels alone;
    EXPECT_EQ(
        alone.run("volatileWithinWarp", {1}, {32}, {alone.zeros(32)}).found(),
        "warp_order s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 16];: load from shared "
        "s[16], "
        "which thread (16, 0, 0) writes in line 66 or 67 with volatile between and no __syncwarp: "
        "since Volta lanes of a warp need not run together, and volatile is no barrier (0) x32\n");
    Kernels wrong;
    EXPECT_EQ(
        wrong.run("differentValues", {1}, {64}, {wrong.zeros(64)}).found(),
        "shared_race last = threadIdx.x;: store to shared last[0], which thread (0, 0, 0) "
        "writes too, in the same line, with no __syncthreads or __syncwarp between (1) x63\n");
}
TEST(Faults, atomicsRaceWithLoads) {
    Kernels wrong;
    EXPECT_EQ(wrong.run("atomicThenLoad", {1}, {64}, {wrong.zeros(64)}).found(),
              "shared_race out[threadIdx.x] = count;: load from shared count[0], which other "
              "threads change by atomics in line 87 with no __syncthreads or __syncwarp between "
              "(32) x64\n");
    Kernels right;
    EXPECT_EQ(right.run("atomicThenLoadRight", {2}, {64}, {right.zeros(64)}).found(), "");
    // Whichever of them comes first, and in one line.
    Kernels line;
    EXPECT_EQ(
        line.run("atomicOfNeighbours", {1}, {96}, {line.zeros(96)}).found(),
        "shared_race if (threadIdx.x >= 32) atomicAdd(&s[threadIdx.x], s[threadIdx.x - 32]);: "
        "atomic on shared s[32], which thread (64, 0, 0) reads in the same line with no "
        "__syncthreads between (32) x32\n");
    Kernels own;
    EXPECT_EQ(own.run("atomicOfOwn", {1}, {96}, {own.zeros(96)}).found(), "");
}
TEST(Faults, memoryThatNobodyWroteIsTold) {
    Kernels shared;
    EXPECT_EQ(shared.run("uninitialised", {2}, {64}, {shared.zeros(64)}).found(),
              "uninitialised_shared out[threadIdx.x] = s[threadIdx.x];: load from shared s[32], "
              "which no thread of the block has written; no line stores to s[32] to s[63], while "
              "line 101 does to others (32) x64\n");
    Kernels wrong;
    EXPECT_EQ(wrong.run("copy", {2}, {32}, {wrong.zeros(64), wrong.unwritten(64)}, {64}).found(),
              "unwritten_memory if (i < n) out[i] = in[i];: load from array 1[0], which nobody has "
              "written: no copy, no memset, no kernel (0) x64\n");
    Kernels right;
    const std::uint64_t between = right.unwritten(64);
    right.run("copy", {2}, {32}, {between, right.rising(64)}, {64});
    EXPECT_EQ(right.run("copy", {2}, {32}, {right.unwritten(64), between}, {64}).found(), "");
}
TEST(Faults, threadsOfABlockRaceInGlobalMemory) {
    Kernels histogram;
    EXPECT_EQ(histogram.run("histogram", {1}, {64}, {histogram.zeros(8), histogram.zeros(64)}, {64})
                  .found(),
              "global_race if (i < n) bins[data[i]]++;: load from array 0[0], which thread (31, 0, "
              "0) writes in the same line with no __syncthreads between (32) x96\n");
    Kernels sum;
    EXPECT_EQ(sum.run("sum", {1}, {32}, {sum.zeros(1), sum.rising(32)}).found(),
              "global_race *total += x[threadIdx.x];: store to array 0[0], which other threads "
              "read in the same line with no __syncwarp between (0) x32\n");
    Kernels increment;
    EXPECT_EQ(increment.run("increment", {1}, {64}, {increment.zeros(1)}).found(),
              "global_race b[0]++;: load from array 0[0], which thread (31, 0, 0) writes in the "
              "same line with no __syncthreads between (32) x96\n");
    Kernels shift;
    EXPECT_EQ(
        shift.run("shift", {1}, {64}, {shift.rising(65)}).found(),
        "global_race a[threadIdx.x] = a[threadIdx.x + 1];: store to array 0[1], which thread "
        "(0, 0, 0) reads in the same line with no __syncthreads or __syncwarp between (1) x63\n");
    Kernels tree;
    EXPECT_EQ(tree.run("tree", {1}, {128}, {tree.rising(128)}).found(),
              "global_race if (threadIdx.x < d) a[threadIdx.x] += a[threadIdx.x + d];: load from "
              "array 0[16], which thread (16, 0, 0) writes in the same line with no __syncthreads "
              "or __syncwarp between (0) x63\n");
    Kernels right;
    right.run("histogramRight", {2}, {64}, {right.zeros(8), right.zeros(128)}, {128});
    right.run("incrementByOneRight", {1}, {64}, {right.zeros(1)});
    right.run("shiftRight", {1}, {64}, {right.rising(65)});
    right.run("treeRight", {1}, {128}, {right.rising(128)});
    right.run("swapInBlocksRight", {4}, {64}, {right.rising(256)});
    EXPECT_EQ(right.found(), "");
}
TEST(Faults, blocksRaceUnlessFencesTellThemWhatIsReady) {
    Kernels wrong;
    EXPECT_EQ(wrong.run("neighbours", {2}, {32}, {wrong.rising(64)}, {64}).found(),
              "block_race const int x = a[(i + 1) % n];: load from array 0[0], which another block "
              "writes in line 157 in the same launch: thread (0, 0, 0) of block (0, 0, 0) (31) x1\n"
              "block_race a[i] = x;: store to array 0[32], which another block reads in line 155 "
              "in the same launch: thread (31, 0, 0) of block (0, 0, 0) (0) x1\n");
    Kernels increments;
    EXPECT_EQ(
        increments.run("incrementByOneRight", {3}, {32}, {increments.zeros(1)}).found(),
        "block_race if (threadIdx.x == 0) b[0]++;: load from array 0[0], which another block "
        "writes in the same line in the same launch: thread (0, 0, 0) of block (0, 0, 0) (0) x4\n");
    Kernels right;
    right.run("lastBlockRight", {8}, {64},
              {right.unwritten(8), right.unwritten(1), right.zeros(1)});
    right.run("largestRight", {1}, {64}, {right.zeros(1), right.rising(64)});
    EXPECT_EQ(right.found(), "");
}
TEST(Faults, aLockOrdersThoseThatHoldIt) {
    Kernels right;
    const std::uint64_t total = right.zeros(1);
    EXPECT_EQ(right.run("lockRight", {2}, {64}, {right.zeros(1), total}).found(), "");
    EXPECT_EQ(right.value(total), 128);
}
TEST(Faults, elementsThatNoThreadReachesAreTold) {
    Kernels rest;
    EXPECT_EQ(
        rest.run("copy", {31}, {32}, {rest.copied(1000), rest.rising(1000)}, {1000}).found(),
        "not_reached if (i < n) out[i] = in[i];: no thread reaches elements 992 to 999 of array 0, "
        "which has 1000: the grid has 992 threads (-) x1\n"
        "not_reached if (i < n) out[i] = in[i];: no thread reaches elements 992 to 999 of array 1, "
        "which has 1000: the grid has 992 threads (-) x1\n");
    Kernels cut;
    cut.run("copy", {31}, {32}, {cut.copied(1000), cut.rising(1000)}, {1000}).noteCut();
    EXPECT_EQ(cut.found(), "") << "it may have reached them";
    Kernels columns;
    EXPECT_EQ(columns.run("image", {3, 5}, {16, 4}, {columns.copied(50 * 20)}, {50, 20}).found(),
              "not_reached if (x < width && y < height) pixels[y * width + x] = x;: no thread "
              "reaches columns 48 to 49 of array 0, whose rows have 50: the grid has 48 threads "
              "along x (-) x1\n");
    // Threads enough, whose index leaves y out.
    Kernels same;
    const std::uint64_t twice = same.copied(2 * 24);
    const std::uint64_t values = same.rising(2 * 24);
    const std::string found = same.run("copy", {1}, {6, 4}, {twice, values}, {6})
                                  .run("copy", {1}, {6, 4}, {twice + 96, values + 96}, {6})
                                  .found();
    EXPECT_NE(
        found.find("no thread reaches elements 6 to 23 of each 24 elements of array 0, though the "
                   "grid has 24 threads: several of them have one index, or do nothing"),
        found.npos)
        << found;
    // One plane of three, part by part, a size of its own, rows with a pitch, room that the host
    // never uses.
    Kernels right;
    right.run("copy", {31}, {32}, {right.copied(992), right.rising(3 * 992)}, {992});
    right.run("copy", {31}, {32}, {right.unwritten(1000), right.rising(992)}, {1000});
    const std::uint64_t to = right.copied(128), from = right.rising(128);
    right.run("copy", {2}, {32}, {to, from}, {64})
        .run("copy", {2}, {32}, {to + 256, from + 256}, {64});
    right.run("copy", {2}, {32}, {right.copied(100), right.rising(100)}, {50});
    right.run("image", {3, 2}, {32, 4}, {right.copied(128 * 8)}, {128, 8});
    EXPECT_EQ(right.found(), "");
}
TEST(Faults, divisionByZeroEndsAsOnADeviceAndIsTold) {
    Kernels wrong;
    EXPECT_EQ(wrong.run("divide", {1}, {32}, {wrong.zeros(32), wrong.zeros(32)}).found(),
              "division_by_zero out[threadIdx.x] = 100 / by[threadIdx.x];: a whole number is "
              "divided by zero: on a GPU the result is undefined (0) x1\n");
    Kernels right;
    EXPECT_EQ(right.run("divideRight", {1}, {32}, {right.zeros(32), right.zeros(32)}).found(), "");
}
TEST(Faults, anEndlessLoopIsToldAtItsLine) {
    Kernels wrong;
    EXPECT_EQ(
        wrong.run("endless", {1}, {32}, {wrong.zeros(32)}).found(),
        "endless_loop while (x != 0) x |= 2;: this loop has not ended after 1048576 rounds of the "
        "launch's loops: an endless loop, or one that waits for another thread (0) x1\n");
}
TEST(Faults, barriersAndShufflesWaitForAll) {
    Kernels barrier;
    EXPECT_EQ(barrier.run("barrierInBranch", {1}, {32}, {barrier.zeros(32)}).found(),
              "barrier_mismatch if (threadIdx.x < 16) __syncthreads();: a barrier that 16 of a "
              "warp's 32 threads reach: __syncthreads in a branch, where the block may hang or go "
              "on too early (0) x1\n");
    Kernels shuffle;
    EXPECT_EQ(
        shuffle.run("shuffleInHalf", {1}, {32}, {shuffle.zeros(32)}).found(),
        "barrier_mismatch if (threadIdx.x < 16) x = __shfl_sync(0xffffffffu, x, 0);: a warp "
        "intrinsic's mask names 32 lanes, of which 16 come to it together (0) x1 of a mask\n");
    Kernels tail;
    EXPECT_EQ(tail.run("shuffleInTail", {1}, {32}, {tail.zeros(32)}).found(),
              "barrier_mismatch x += __shfl_down_sync(0xffffffffu, x, 8);: a warp intrinsic's mask "
              "names 32 lanes, of which 11 are there by then: what lane 3 gets from lane 11 is "
              "undefined (3) x8 of a mask\n");
    Kernels right;
    right.run("shuffleInTailRight", {1}, {32}, {right.zeros(32)});
    right.run("barrierOfWholeWarpsRight", {1}, {64}, {right.zeros(32)});
    EXPECT_EQ(right.run("shuffleInHalfRight", {1}, {32}, {right.zeros(32)}).found(), "");
}
TEST(Faults, aLocalVariableIsOfItsThread) {
    Kernels wrong;
    EXPECT_EQ(wrong.run("othersLocal", {1}, {32}, {wrong.zeros(32)}).found(),
              "wild_pointer out[threadIdx.x] = whose[threadIdx.x & 1];: load from a local variable "
              "of another thread (1) x31\n");
}

}  // namespace
}  // namespace warplens::ptx
