// Counts of random requests against the same worked out here by sets of bytes, sectors and words;
// and that they are the same for any number of workers.
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

constexpr std::uint32_t arrayBytes = 1 << 16;

/// 1,000 requests of a warp, 32 byte offsets each (~0: the lane is not active): every second an
/// affine one.
std::vector<std::array<std::uint32_t, 32>> requestsOf(std::uint32_t bytes, std::uint32_t seed) {
    auto random = [engine = std::mt19937(seed)]() mutable {
        return static_cast<std::uint32_t>(engine());
    };
    std::vector<std::array<std::uint32_t, 32>> requests(1000);
    for (std::size_t at = 0; at < requests.size(); ++at) {
        const std::uint32_t units = arrayBytes / bytes;
        const std::uint32_t base = random() % units,
                            step = random() % 4 == 0 ? random() % units : random() % 9;
        const std::uint32_t spread = 1u << random() % 15;
        const std::uint32_t active = random() % 3 == 0 ? random() | 1u << random() % 32 : ~0u;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            const std::uint32_t unit = at % 2 ? base + random() % spread : base + step * lane;
            requests[at][lane] = (active >> lane & 1) != 0 ? unit % units * bytes : ~0u;
        }
    }
    // Shapes that repeat, as loops make them: the one before, moved.
    for (std::size_t at = 3; at < requests.size(); at += 5) {
        const std::uint32_t by = random() % 64 * bytes;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            requests[at][lane] =
                requests[at - 1][lane] == ~0u ? ~0u : (requests[at - 1][lane] + by) % arrayBytes;
        }
    }
    return requests;
}

/// One kernel that makes the requests of table p1 to p0, or to shared memory.
std::string accessing(const std::string& space, std::uint32_t bytes, bool isAtomic) {
    const std::string vector = bytes == 16  ? ".v4.u32 {%r1, %r2, %r3, %r4}"
                               : bytes == 8 ? ".b64 %rd9"
                               : bytes == 4 ? ".b32 %r1"
                               : bytes == 2 ? ".b16 %h1"
                                            : ".b8 %h1";
    const std::string access =
        isAtomic ? "red." + space + ".add.u32 [%rd6], 1;" : "ld." + space + vector + ", [%rd6];";
    return kernel(2,
                  "ld.param.u64 %rd5, [p0]; " +
                      std::string(space == "shared" ? "mov.u64 %rd5, s;" : "") +
                      " ld.param.u64 %rd7, [p1]; mov.u32 %r10, %laneid; mul.wide.u32 %rd8, %r10, "
                      "4; add.u64 %rd7, %rd7, %rd8; mov.u32 %r11, 0;\n"
                      "LOOP: ld.global.u32 %r12, [%rd7]; setp.eq.u32 %p1, %r12, -1; @%p1 bra SKIP; "
                      "cvt.u64.u32 %rd6, %r12; add.u64 %rd6, %rd6, %rd5;\n" +
                      access +
                      "\nSKIP: add.u64 %rd7, %rd7, 128; add.u32 %r11, %r11, 1; setp.lt.u32 %p2, "
                      "%r11, 1000; @%p2 bra LOOP;",
                  ".shared .align 128 .b8 s[65536];\n");
}

TEST(Counts, SayWhichSharedLoadsTheAssemblerMayMakeOne) {
    const std::string base =
        "ld.param.u64 %rd5, [p0]; mov.u32 %r10, %laneid; mov.u32 %r9, s; ld.global.u32 %r8, "
        "[%rd5];";
    const auto load = [](const char* reg, int offset) {
        return std::string("ld.shared.f32 %f1, [") + reg + '+' + std::to_string(offset) + "];";
    };
    const auto fourOf = [&](const char* reg) {
        return load(reg, 0) + load(reg, 8) + load(reg, 4) + load(reg, 12);
    };
    const auto mostOf = [&](const std::string& body) {
        Machine machine(kernel(1, base + body, ".shared .align 4 .b8 s[4096];\n"));
        machine.run({1, 1, 1}, {32, 1, 1}, {machine.zeros<std::uint32_t>(4)});
        int most = 0;
        for (const Site& site : machine.program.sites()) most = std::max<int>(most, site.atOnce);
        return most;
    };
    const std::string rows = "shl.b32 %r1, %r10, ";
    EXPECT_EQ(mostOf(rows + "6; add.s32 %r2, %r9, %r1;" + fourOf("%r2")), 4);
    EXPECT_EQ(mostOf("mad.lo.s32 %r2, %r10, 48, %r9;" + fourOf("%r2")), 4);
    EXPECT_EQ(mostOf("mad.lo.s32 %r2, %r10, 40, %r9;" + fourOf("%r2")), 2);
    EXPECT_EQ(mostOf("mad.lo.s32 %r2, %r10, 68, %r9;" + fourOf("%r2")), 0) << "a row of 17";
    EXPECT_EQ(mostOf("mad.lo.s32 %r2, %r10, %r8, %r9;" + fourOf("%r2")), 0)
        << "a width that only the run knows, though it is 0 there";
    const std::string even = rows + "6; add.s32 %r2, %r9, %r1;";
    EXPECT_EQ(mostOf(even + load("%r2", 0) + load("%r2", 8)), 0) << "no neighbours";
    EXPECT_EQ(mostOf(even + load("%r2", 4) + load("%r2", 8)), 0) << "not from a multiple of 8";
    EXPECT_EQ(mostOf(even + load("%r2", 0) + "bar.sync 0;" + load("%r2", 4)), 0);
    EXPECT_EQ(mostOf(even + load("%r2", 0) + "add.s32 %r2, %r2, 64;" + load("%r2", 4)), 0);
    EXPECT_EQ(mostOf(even + "LOOP: " + fourOf("%r2") +
                     "add.s32 %r2, %r2, 4; setp.lt.u32 %p1, %r2, 0; @%p1 bra LOOP;"),
              0)
        << "a pass later it is no multiple of 16";
    // Stores likewise, but where what is loaded between may be of the same place.
    const auto store = [](int offset, const std::string& reg = "%r2") {
        return "st.shared.u32 [" + reg + '+' + std::to_string(offset) + "], %r8;";
    };
    EXPECT_EQ(mostOf(even + store(0) + store(4) + store(12) + store(8)), 4);
    EXPECT_EQ(mostOf(even + store(0) + "ld.global.u32 %r8, [%rd5];" + store(4)), 2);
    EXPECT_EQ(mostOf(even + store(0) + "ld.u32 %r8, [%rd5];" + store(4)), 0);
    EXPECT_EQ(mostOf(even + store(0) + load("%r2", 0) + store(4)), 0);
    EXPECT_EQ(mostOf(even + store(0) + store(0, "%r9") + store(4)), 0);
    EXPECT_EQ(mostOf(even + "LOOP: " + fourOf("%r2") +
                     "add.s32 %r2, %r2, 16; setp.lt.u32 %p1, %r2, 0; @%p1 bra LOOP;"),
              4);
}

TEST(Counts, GlobalRequestsOfEveryWidth) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
        const auto requests = requestsOf(bytes, bytes);
        LineCost expected;
        for (const auto& request : requests) {
            std::set<std::uint32_t> used, sectors, lines;
            for (const std::uint32_t offset : request) {
                if (offset == ~0u) continue;
                ++expected.activeLanes;
                for (std::uint32_t byte = offset; byte < offset + bytes; ++byte)
                    used.insert(byte), sectors.insert(byte / 32), lines.insert(byte / 128);
            }
            expected.requests += !used.empty();
            expected.sectors += sectors.size();
            expected.cacheLines += lines.size();
            expected.uniqueBytes += used.size();
            expected.idealSectors += (used.size() + 31) / 32;
        }
        Machine machine(accessing("global", bytes, false));
        const std::uint64_t array = machine.zeros<std::uint8_t>(arrayBytes),
                            table = machine.array(requests);
        const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {array, table});
        EXPECT_EQ(said(result), "");
        LineCost got;
        for (const ArrayCounts& counts : result.counts) {
            if (counts.array == machine.memory.find(array)->id) got.add(counts.counts);
        }
        EXPECT_EQ(got.requests, expected.requests) << bytes;
        EXPECT_EQ(got.activeLanes, expected.activeLanes) << bytes;
        EXPECT_EQ(got.sectors, expected.sectors) << bytes;
        EXPECT_EQ(got.cacheLines, expected.cacheLines) << bytes;
        EXPECT_EQ(got.uniqueBytes, expected.uniqueBytes) << bytes;
        EXPECT_EQ(got.idealSectors, expected.idealSectors) << bytes;
    }
}

TEST(Counts, SharedRequestsOfEveryWidth) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
        const auto requests = requestsOf(bytes, 100 + bytes);
        LineCost expected;
        for (const auto& request : requests) {
            std::uint32_t lanes = 0;
            // Half warps of 8 bytes, quarters of 16; twice as many where lanes share addresses by
            // twos. Of each the bank with most different words.
            std::uint32_t together = bytes <= 4 ? 32 : 128 / bytes;
            const auto isShared = [&](std::uint32_t other) {
                for (std::uint32_t lane = 0; lane < 32; ++lane) {
                    const std::uint32_t at = request[lane], beside = request[lane ^ other];
                    if (at != ~0u && beside != ~0u && at != beside) return false;
                }
                return true;
            };
            if (bytes > 4 && (isShared(1) || isShared(2))) together *= 2;
            for (std::uint32_t begin = 0; begin < 32; begin += together) {
                std::map<std::uint32_t, std::set<std::uint32_t>> banks;
                for (std::uint32_t lane = begin; lane < begin + together; ++lane) {
                    if (request[lane] == ~0u) continue;
                    ++lanes;
                    for (std::uint32_t byte = 0; byte < bytes; ++byte)
                        banks[(request[lane] + byte) / 4 % 32].insert((request[lane] + byte) / 4);
                }
                std::size_t most = 0;
                for (const auto& [bank, words] : banks) most = std::max(most, words.size());
                expected.wavefronts += most;
            }
            expected.requests += lanes != 0;
            expected.activeLanes += lanes;
        }
        Machine machine(accessing("shared", bytes, false));
        const LaunchResult result =
            machine.run({1, 1, 1}, {32, 1, 1}, {0, machine.array(requests)});
        EXPECT_EQ(said(result), "");
        const LineCost got = sumOf(machine, result, AccessKind::sharedLoad);
        EXPECT_EQ(got.requests, expected.requests) << bytes;
        EXPECT_EQ(got.activeLanes, expected.activeLanes) << bytes;
        EXPECT_EQ(got.wavefronts, expected.wavefronts) << bytes;
    }
}

TEST(Counts, SharedLoadsTakeTheWavefrontsThatAnH100Counted) {
    std::ifstream file(SHARED_LOADS);
    std::size_t rows = 0;
    std::uint32_t bytes = 0;
    for (std::string row; std::getline(file, row); ++rows) {
        std::istringstream words(row);
        std::uint32_t active = 0;
        words >> bytes >> std::hex >> active >> std::dec;
        std::vector<std::array<std::uint32_t, 32>> requests(1000);
        for (auto& request : requests) request.fill(~0u);
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            std::uint32_t place = 0;
            words >> place;
            if ((active >> lane & 1) != 0) requests[0][lane] = place * bytes;
        }
        std::uint64_t counted = 0;
        words >> counted;
        Machine machine(accessing("shared", bytes, false));
        const LaunchResult result =
            machine.run({1, 1, 1}, {32, 1, 1}, {0, machine.array(requests)});
        EXPECT_EQ(sumOf(machine, result, AccessKind::sharedLoad).wavefronts, counted) << row;
    }
    EXPECT_EQ(rows, 144u);
}

TEST(Counts, AtomicsCountLanesAtOneAddress) {
    const auto requests = requestsOf(4, 77);
    LineCost expected;
    for (const auto& request : requests) {
        std::map<std::uint32_t, std::uint32_t> at;
        for (const std::uint32_t offset : request) {
            if (offset != ~0u) ++at[offset];
        }
        std::uint32_t most = 0;
        for (const auto& [offset, lanes] : at) most = std::max(most, lanes);
        expected.sameAddress += most;
        expected.mostSameAddress = std::max(expected.mostSameAddress, most);
    }
    Machine machine(accessing("global", 4, true));
    const std::uint64_t array = machine.zeros<std::uint8_t>(arrayBytes);
    const LaunchResult result =
        machine.run({1, 1, 1}, {32, 1, 1}, {array, machine.array(requests)});
    const LineCost got = sumOf(machine, result, AccessKind::atomic);
    EXPECT_EQ(got.sameAddress, expected.sameAddress);
    EXPECT_EQ(got.mostSameAddress, expected.mostSameAddress);
}

TEST(Counts, AreTheSameForAnyNumberOfWorkers) {
    std::vector<LaunchResult> results;
    std::vector<std::vector<std::uint32_t>> values;
    for (const std::size_t width : {1u, 2u, 5u}) {
        Machine machine(
            kernel(2,
                   "ld.param.u64 %rd5, [p0]; ld.param.u64 %rd6, [p1]; mov.u32 %r0, %tid.x; mov.u32 "
                   "%r1, %ctaid.x; mad.lo.u32 %r2, %r1, 100, %r0; mul.lo.u32 %r3, %r2, 7919; "
                   "rem.u32 %r3, %r3, 20000;\n"
                   "mad.wide.u32 %rd7, %r3, 4, %rd5; ld.global.u32 %r4, [%rd7]; and.b32 %r5, %r2, "
                   "255; mad.wide.u32 %rd8, %r5, 4, %rd6; red.global.add.u32 [%rd8], %r4;\n"
                   "setp.lt.u32 %p1, %r4, 500; @%p1 bra A; mov.u64 %rd9, s; mad.wide.u32 %rd9, "
                   "%r0, 8, %rd9; st.shared.u32 [%rd9], %r4; A: setp.eq.u32 %p2, %r2, 12345; @%p2 "
                   "ld.global.u32 %r6, [%rd5+80000];",
                   ".shared .align 4 .b8 s[1024];\n"));
        machine.surroundings.width = width;
        machine.surroundings.sideBySide = [](std::size_t count,
                                             const std::function<void(std::size_t)>& task) {
            std::vector<std::jthread> threads;
            for (std::size_t at = 0; at < count; ++at)
                threads.emplace_back([&task, at] { task(at); });
        };
        std::vector<std::uint32_t> input(20000);
        for (std::uint32_t at = 0; at < input.size(); ++at) input[at] = at % 1000;
        const std::uint64_t sums = machine.zeros<std::uint32_t>(256);
        results.push_back(machine.run({200, 1, 1}, {100, 1, 1}, {machine.array(input), sums}));
        values.push_back(machine.values<std::uint32_t>(sums));
        EXPECT_EQ(results.back().findings.size(), 1u);
        EXPECT_FALSE(results.back().inOrder);
    }
    for (std::size_t at = 1; at < results.size(); ++at) {
        EXPECT_EQ(values[at], values[0]);
        EXPECT_EQ(results[at].counts, results[0].counts);
        EXPECT_EQ(results[at].laneAccesses, results[0].laneAccesses);
        EXPECT_EQ(results[at].blocks, 200u);
    }
}

TEST(Counts, PiecesOfAVectorAreOneRequestInDebugCodeAlone) {
    std::string text = kernel(1, element(8) +
                                     "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r2, [%rd0+4]; "
                                     "st.global.u32 [%rd0], %r2; st.global.u32 [%rd0+4], %r1;");
    for (const bool isDebug : {false, true}) {
        if (isDebug) text.replace(text.find("sm_90"), 5, "sm_90, debug");
        for (const std::uint32_t alignment : {0u, 8u}) {
            Machine machine(text);
            const std::uint64_t array = machine.zeros<std::uint64_t>(32);
            machine.memory.describe(array, "pairs", alignment);
            const LaunchResult result = machine.run({1, 1, 1}, {32, 1, 1}, {array});
            const LineCost loads = sumOf(machine, result, AccessKind::load);
            const bool isWhole = isDebug && alignment == 8;
            EXPECT_EQ(loads.requests, isWhole ? 1u : 2u);
            EXPECT_EQ(loads.sectors, isWhole ? 8u : 16u);
        }
    }
}

}  // namespace
}  // namespace warplens::ptx::test
