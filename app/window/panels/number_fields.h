#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The text being typed. It counts when it is complete: `1024` is not meant to pass through `1`.
struct TypedText final {
    std::string field;             ///< that has the keyboard; empty: none
    std::array<char, 64> words{};  ///< what it holds so far
};

/// The fields that numbers are typed, dragged and stepped in; each makes EnterNumber commands.
struct NumberFields final {
    const UiContext& ui;
    TypedText& typed;
    const Edit& edit;
    const std::vector<LimitViolation>& violations;  ///< fields named in them are marked
    Commands& commands;

    /// [-] value [+] in `width`.
    void number(const std::string& field, std::int64_t value, std::int64_t most, float width) const;
    /// x, y and z of the grid or block, one below the other.
    void extents(const std::string& name, Extents extents, float width) const;

  private:
    void text(const std::string& field, std::int64_t value, std::int64_t most) const;
    void enter(const std::string& field, std::string words, bool finished) const;
};

}  // namespace warplens::window
