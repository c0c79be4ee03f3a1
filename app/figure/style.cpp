#include "app/figure/style.h"

namespace warplens::figure {
namespace {

constexpr Style light{.colors = {.background = 0xffffff,
                                 .raised = 0xf0f3f6,
                                 .text = 0x12171d,
                                 .muted = 0x414c57,
                                 .faint = 0x6f7b87,
                                 .accent = 0x0b63ce,
                                 .good = 0x0a7a5c,
                                 .warning = 0x9a5b00},
                      .print = false,
                      .first = 0x3f7fd0,
                      .second = 0xf4bc4c,
                      .third = 0x6fc8b4,
                      .fourth = 0xc65b4a};

constexpr Style dark{.colors = {.background = 0x0e1116,
                                .raised = 0x212831,
                                .text = 0xf2f6fa,
                                .muted = 0xb9c4cf,
                                .faint = 0x8795a3,
                                .accent = 0x6cb0ff,
                                .good = 0x58c9b0,
                                .warning = 0xf2b13c},
                     .print = false,
                     .first = 0x4a8fe8,
                     .second = 0xf2c14e,
                     .third = 0x58c9b0,
                     .fourth = 0xe0705c};

/// No grey tone is needed to tell things apart: shades are far from one another, and hatched.
constexpr Style print{.colors = {.background = 0xffffff,
                                 .raised = 0xffffff,
                                 .text = 0x000000,
                                 .muted = 0x262626,
                                 .faint = 0x555555,
                                 .accent = 0x000000,
                                 .warning = 0x000000},
                      .print = true,
                      .first = 0x5f6b78,
                      .second = 0xd9dde1,
                      .third = 0xa9b2bb,
                      .fourth = 0x23282d};

}  // namespace

const Style& styleOf(Theme theme) {
    switch (theme) {
        case Theme::light:
            return light;
        case Theme::dark:
            return dark;
        case Theme::print:
            break;
    }
    return print;
}

}  // namespace warplens::figure
