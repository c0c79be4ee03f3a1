// A picture as a file.
#include "app/figure/output/render.h"

#include <gtest/gtest.h>

#include "app/figure/canvas.h"
#include "app/figure/compose.h"

namespace warplens::figure {
namespace {

Picture somePicture(Theme theme = Theme::light) {
    const Experiment experiment =
        complete({.scenario = "warp-grouping", .grid = {}, .block = Extents{5, 7, 3}, .set = {}});
    return compose(subjectOf(experiment, {}), {{1280, 720}, theme});
}

TEST(Render, TheSamePictureGivesTheSameBytes) {
    for (const Format format : {Format::pdf, Format::svg, Format::png}) {
        EXPECT_EQ(render(somePicture(), format), render(somePicture(), format));
    }
}

TEST(Render, EveryFormatBeginsAsItsFilesDo) {
    EXPECT_TRUE(render(somePicture(), Format::pdf).starts_with("%PDF-"));
    EXPECT_TRUE(render(somePicture(), Format::svg).starts_with("<?xml"));
    EXPECT_TRUE(render(somePicture(), Format::png).starts_with("\x89PNG\r\n\x1a\n"));
}

TEST(Svg, KeepsTextAsTextAndEscapesIt) {
    const std::string svg = toSvg(somePicture());
    EXPECT_NE(svg.find(">Threads into warps</text>"), std::string::npos);
    EXPECT_NE(svg.find("&lt;&lt;&lt;1, dim3(5, 7, 3)&gt;&gt;&gt;"), std::string::npos);
    EXPECT_EQ(svg.find("<<<"), std::string::npos);
}

TEST(Typeface, EveryCharacterOfEveryFigureHasAGlyph) {
    for (const Scenario& scenario : allScenarios()) {
        const Picture picture = compose(
            {.view = {.experiment = initialExperiment(scenario), .picture = PictureKind::scenario}},
            {});
        for (const drawing::Item& item : picture.items) {
            const auto* text = std::get_if<drawing::Text>(&item);
            if (text == nullptr || text->words.find('?') != std::string::npos) continue;
            const Typeface& face = Typeface::of(text->face);
            const std::uint32_t missing = face.glyphsOf("?").front().index;
            for (const Glyph& glyph : face.glyphsOf(text->words)) {
                EXPECT_NE(glyph.index, missing) << text->words;
            }
        }
    }
}

TEST(Typeface, SurvivesBytesThatAreNotUtf8) {
    const Typeface& face = Typeface::of(drawing::Face::words);
    for (const char* words : {"\xff", "\xc3", "a\xe2\x82", "\xf0\x9f\x98\x80"}) {
        std::size_t bytes = 0;
        for (const Glyph& glyph : face.glyphsOf(words)) bytes += glyph.bytes;
        EXPECT_EQ(bytes, std::string_view(words).size());
    }
}

TEST(Stripes, StayInsideTheirBoxAndRise) {
    const drawing::Hatch hatch{{10, 20, 47, 31}, 0, 5};
    const auto stripes = stripesOf(hatch);
    EXPECT_GT(stripes.size(), 5u);
    for (const drawing::Line& line : stripes) {
        for (const Point end : {line.from, line.to}) {
            // With the corners of its end.
            const float around = line.width / 2;
            EXPECT_GE(end.x - around, 10);
            EXPECT_LE(end.x + around, 47);
            EXPECT_GE(end.y - around, 20);
            EXPECT_LE(end.y + around, 31);
        }
        EXPECT_FLOAT_EQ(line.from.x + line.from.y, line.to.x + line.to.y);
    }
}

}  // namespace
}  // namespace warplens::figure
