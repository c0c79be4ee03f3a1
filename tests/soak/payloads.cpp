#include "tests/soak/payloads.h"

#include <array>
#include <cmath>
#include <limits>

#include "app/lessons/library.h"
#include "app/window/jobs.h"
#include "kernels/library/predict.h"
#include "tests/support/random_experiment.h"

namespace warplens::window::soak {
namespace {

constexpr int predictionsInSupply = 24;

}  // namespace

Payloads::Payloads(std::uint64_t seed)
    : dice_(seed), recordings_(std::make_shared<const RecordingLibrary>(builtInRecordings())) {
    auto sweeps = std::make_shared<RecordingLibrary>();
    addBuiltInSweeps(*sweeps);
    sweeps_ = std::move(sweeps);
    for (const RecordingLibrary* library : {recordings_.get(), sweeps_.get()}) {
        for (const Measurement* one : measurementsIn(*library)) measurements_.push_back(one);
    }
    for (int i = 0; i < predictionsInSupply; ++i) {
        predictions_.push_back(
            predict(randomExperiment(dice_.of(allScenarios()), dice_.generator()), {.threads = 1}));
    }
    for (const Lesson& lesson : builtInLessons().lessons) {
        const Command command = tellNow({.id = lesson.id, .library = recordings_}, {});
        resolved_.push_back(command.as<LessonResolved>()->resolved);
    }
    resolved_.push_back(nullptr);
}

std::uint32_t Payloads::count() {
    constexpr std::array<std::uint32_t, 12> telling{0,  1,    31,   32,    33,          63,
                                                    64, 1023, 1024, 65535, 2147483647u, UINT32_MAX};
    if (dice_.oneIn(2)) return dice_.of(telling);
    return static_cast<std::uint32_t>(dice_.between(0, dice_.oneIn(4) ? UINT32_MAX : 2048));
}

double Payloads::real(double least, double most) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const std::array telling{
        std::nan(""), infinite, -infinite, 0.0,  -0.0, 1e300,     -1e300,
        5e-324,       1e-30,    least,     most, -1.0, least - 1, std::abs(most) * 2 + 1};
    return dice_.oneIn(4) ? dice_.of(telling) : dice_.real(least, most);
}

float Payloads::single(double least, double most) {
    constexpr double largest = std::numeric_limits<float>::max();
    const double number = real(least, most);
    return static_cast<float>(std::isfinite(number) ? std::clamp(number, -largest, largest)
                                                    : number);
}

Extents Payloads::extents() {
    if (dice_.oneIn(2)) return dice_.of(blockShapes);
    if (dice_.oneIn(2)) return {count(), count(), count()};
    return {static_cast<std::uint32_t>(dice_.between(1, 64)),
            static_cast<std::uint32_t>(dice_.between(1, 16)),
            static_cast<std::uint32_t>(dice_.oneIn(3) ? dice_.between(1, 8) : 1)};
}

Index3 Payloads::index(Extents within) {
    if (dice_.oneIn(5)) return {count(), count(), count()};
    const auto inside = [&](std::uint32_t extent) {
        return static_cast<std::uint32_t>(dice_.between(0, std::max(extent, 1u) - 1));
    };
    return {inside(within.x), inside(within.y), inside(within.z)};
}

std::string Payloads::text() {
    const std::array<std::string, 12> telling{"",
                                              " ",
                                              "nan",
                                              "0x10",
                                              "a line\nand another\ttab",
                                              std::string("a\0b", 3),
                                              "größer → 😀",
                                              "\xff\xfe no UTF-8",
                                              "cut short \xe2\x82",
                                              "%s%n{}\\\"",
                                              "-",
                                              "3.14"};
    if (dice_.oneIn(8)) {
        const auto length =
            static_cast<std::size_t>(dice_.between(100, dice_.oneIn(8) ? 100'000 : 2000));
        return std::string(length, static_cast<char>(dice_.between('0', 'z')));
    }
    return dice_.of(telling);
}

std::string Payloads::numeral(std::int64_t least, std::int64_t most) {
    const std::array<std::string, 10> telling{std::to_string(least),
                                              std::to_string(most),
                                              std::to_string(INT64_MAX),
                                              std::to_string(INT64_MIN),
                                              "99999999999999999999999",
                                              "4294967295",
                                              "4294967296",
                                              "-1",
                                              "0",
                                              " 12 "};
    if (dice_.oneIn(8)) return text();
    if (dice_.oneIn(4)) return dice_.of(telling);
    return std::to_string(dice_.between(least, std::min<std::int64_t>(most, least + 2000)));
}

std::string Payloads::scenario() {
    return dice_.oneIn(10) ? text() : std::string(dice_.of(allScenarios()).id);
}

std::string Payloads::lesson() {
    return dice_.oneIn(10) ? text() : dice_.of(builtInLessons().lessons).id;
}

std::string Payloads::field(const Experiment& experiment) {
    constexpr std::array axes{"block x", "block y", "block z", "grid x", "grid y", "grid z"};
    if (dice_.oneIn(20)) return text();
    const auto& entries = experiment.arguments.entries();
    if (!entries.empty() && dice_.oneIn(2)) return dice_.of(entries).first;
    return dice_.of(axes);
}

std::string Payloads::sweepOver(const AppState& state) {
    constexpr std::array telling{"",
                                 "n=1..1024",
                                 "n=64..1024:64",
                                 "stride=1..128",
                                 "tile=8,16,32",
                                 "tile=8..32:x2",
                                 "block=256",
                                 "block=256:z",
                                 "block=1..1024",
                                 "block=32..1024",
                                 "block.x=1..1024",
                                 "grid=1..2147483647",
                                 "grid=1..1024",
                                 "array-offset=0..63",
                                 "array-offset=0..64",
                                 "n=1..9223372036854775807:x2",
                                 "n=-9223372036854775808..9223372036854775807",
                                 "rows=1..100",
                                 "width=1..200:3",
                                 "n=5,4,3",
                                 "n=1..1025",
                                 "block=0"};
    if (dice_.oneIn(8)) return text();
    if (!state.sweep.proposed.empty() && dice_.oneIn(2)) return dice_.of(state.sweep.proposed);
    return dice_.of(telling);
}

}  // namespace warplens::window::soak
