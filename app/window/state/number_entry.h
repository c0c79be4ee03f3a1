#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "app/window/state/app_state.h"

/// What is typed into the number fields: `block x` .. `grid z`, and the kernel's parameters by
/// name.
namespace warplens::window {

/// Takes over the number in `text`, or keeps the text as it is where it holds none that the field
/// could have. False when there is no such field.
[[nodiscard]] bool enterNumber(Edit& edit, std::string_view field, std::string_view text);

/// What is wrong with a text that was kept: `block x = 'abc': a whole number`,
/// `grid y = -5: at least 1`.
[[nodiscard]] LimitViolation violationOfText(const Edit& edit, std::string_view field,
                                             std::string_view text);

/// Drops the texts kept for the fields whose name begins with `group`.
void forgetTexts(Edit& edit, std::string_view group);

}  // namespace warplens::window
