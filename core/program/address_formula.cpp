#include "core/program/address_formula.h"

#include "core/json/archive.h"

namespace warplens {
namespace {

void describeSteps(Archive& v, std::array<std::int64_t, 3>& steps) {
    v("x", steps[0], "In bytes.");
    v("y", steps[1], "In bytes.");
    v("z", steps[2], "In bytes.");
}

}  // namespace

void describe(Archive& v, AddressFormula& formula) {
    v.type("address_formula",
           "How the addresses of a place's accesses come about: bytes from the array's first one, "
           "as found in the accesses of the blocks at the corners of the grid.");
    v("start", formula.start, "Of thread and block (0, 0, 0) in the first pass of all loops.");
    v.object("thread", "Added for a step of threadIdx.", [&] { describeSteps(v, formula.thread); });
    v("of_lanes", formula.ofLanes,
      "True: thread.x is for a step of the lane in its warp, thread.y of the warp in its block.");
    v.object("block", "Added for a step of blockIdx.", [&] { describeSteps(v, formula.block); });
    v.each("loops", formula.loops, "What loops around it add, the innermost first.",
           [&](AddressFormula::Loop& loop) {
               v("bytes", loop.bytes, "From one pass to the next.");
               v("passes", loop.passes, "How many there are; 0 of the outermost.");
           });
    v.optional("thread_x_each_pass", formula.eachPass,
               "Only where it differs from pass to pass: thread.x in each of the first ones.");
    v("element_bytes", formula.elementBytes, "Of what a lane accesses.", {.least = 1});
}

void describe(Archive& v, DivergingLanes& lanes) {
    v.type("diverging_lanes", "Which lanes of a warp go one way where others go another one.");
    v("bit", lanes.bit, "Of the lane index: those go together that have the same one.",
      {.most = 4});
    v("first", lanes.first,
      "So many lanes, from lane 0, go together, and the others; 0 where it is not always as many.",
      {.most = 32});
    v("every", lanes.every,
      "Those whose index is a multiple of it go together, and the others; 0 where it is another "
      "power of two each time.",
      {.most = 32});
}

}  // namespace warplens
