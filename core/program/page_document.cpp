#include "core/program/page_document.h"

#include <algorithm>

#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/measurement/worker_protocol.h"
#include "core/program/trace_frames.h"
#include "core/text/encoding.h"

namespace warplens {

PageSteps pageStepsOf(const BlockSteps& steps) {
    FrameWriter frame;
    write(frame, steps);
    PageSteps page{steps.launch, steps.block, toBase64(frame.take()), {}};
    for (const StepBranch& branch : steps.branches) page.statements.push_back(branch.statement);
    return page;
}

BlockSteps blockStepsOf(const PageSteps& page) {
    const auto bytes = fromBase64(page.frame);
    if (!bytes) throw MalformedJson("the steps of a block are not base64");
    try {
        FrameReader frame(*bytes);
        BlockSteps steps = readSteps(frame);
        for (std::size_t i = 0; i < std::min(steps.branches.size(), page.statements.size()); ++i)
            steps.branches[i].statement = page.statements[i];
        return steps;
    } catch (const MalformedFrame& error) {
        throw MalformedJson(std::string("the steps of a block: ") + error.what());
    }
}

void describe(Archive& v, PageSteps& steps) {
    v("launch", steps.launch, "Index of the launch.");
    v("block", steps.block, "The block.");
    v("frame", steps.frame, "What its warps did: a trace frame in base64.", {.asWritten = true});
    v("statements", steps.statements, "Of its branches, as they stand in the source.",
      {.asWritten = true});
}

void describe(Archive& v, PageProgram& program) {
    v("lines", program.lines, "Of its file, without their ends.", {.asWritten = true});
    v("statements", program.statements, "On which line each line's statement begins.");
    v("digest", program.digest, "Of the program's text and what it was launched with.");
    v("trace", program.trace, "What its launches do, line by line.");
    v("steps", program.steps, "What the warps of some blocks do, step by step.");
    v("measured", program.measured, "What a GPU did.");
}

void describe(Archive& v, PageCourse& course) {
    v("name", course.name, "Of the folder; ids begin with it.");
    v("files", course.files, "Its files, and the PTX of its kernels.");
}

namespace {

constexpr const char* pageSchema = "warplens.page/1";

void describeMembers(Archive& v, PageDocument& page) {
    describeVersion(v);
    v.optional("scene", page.scene, "What is shown, as the window copies it.");
    v("program", page.program, "A program, with all that was found of it.");
    v("course", page.course, "The course that the scene is of.");
}

}  // namespace

std::string toPageJson(const PageDocument& page) {
    return writeJson(
        [&](Archive& v) {
            std::string schema = pageSchema;
            v("schema", schema, "What it is.");
            describeMembers(v, const_cast<PageDocument&>(page));
        },
        -1);
}

PageDocument pageDocumentFromJson(std::string_view text) {
    PageDocument page;
    std::string schema;
    readJson(
        text,
        [&](Archive& v) {
            v("schema", schema, "What it is.");
            if (schema != pageSchema) {
                throw MalformedJson("'" + schema + "', this version reads " + pageSchema);
            }
            describeMembers(v, page);
        },
        mostPageBytes);
    return page;
}

}  // namespace warplens
