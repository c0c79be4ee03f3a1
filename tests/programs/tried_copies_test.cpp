#include "kernels/programs/tried_copies.h"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>

namespace warplens {
namespace {

RemedyCause causeOf(std::initializer_list<const char*> texts, const char* remedy) {
    RemedyCause cause;
    for (const char* text : texts) cause.edits.push_back({.remedy = remedy, .text = text});
    return cause;
}

TEST(TriedCopies, EachTextIsRunOnceByWhoeverComesFirst) {
    const std::vector<RemedyCause> causes{causeOf({"a", "b"}, "exchange-x-and-y"),
                                          causeOf({"b", "a", "c"}, "exchange-x-and-y")};
    for (const unsigned workers : {0u, 3u}) {
        std::atomic<std::uint64_t> runs = 0;
        TriedCopies copies(
            [&](const TriedRemedy& edit) {
                ++runs;
                if (edit.text == "c") throw std::runtime_error("does not compile");
                return TriedCopy{.trace = {}, .results = edit.text, .written = {}};
            },
            causes, workers);
        for (const RemedyCause& cause : causes) {
            for (const TriedRemedy& edit : cause.edits) {
                if (edit.text == "c")
                    EXPECT_THROW((void)copies.of(edit), std::runtime_error);
                else
                    EXPECT_EQ(copies.of(edit)->results, edit.text);
            }
        }
        EXPECT_EQ(runs, 3u);
    }
}

TEST(TriedCopies, WhatWasNotRunIsCounted) {
    const std::vector<RemedyCause> causes{causeOf({"a", "b"}, "pad-shared-array"),
                                          causeOf({"b", "c"}, "pad-shared-array")};
    TriedCopies copies([](const TriedRemedy&) { return TriedCopy{}; }, causes, 0);
    (void)copies.of(causes[0].edits[0]);
    EXPECT_EQ(copies.count().left, 2u);
    EXPECT_EQ(copies.count().of, 3u);
    copies.comeTo(1);
    (void)copies.of(causes[1].edits[0]);
    EXPECT_EQ(copies.count().left, 1u);
    EXPECT_EQ(copies.count().of, 3u);
}

}  // namespace
}  // namespace warplens
