#include "app/platform/input_queue.h"

#include <gtest/gtest.h>

namespace warplens::window {
namespace {

using Frames = std::vector<std::vector<InputEvent>>;

constexpr int returnKey = 257;
constexpr int leftShift = 340;
constexpr int leftControl = 341;

InputEvent press(int key) {
    return KeyChanged{key, 0, 1, 0};
}
InputEvent release(int key) {
    return KeyChanged{key, 0, 0, 0};
}
InputEvent button(bool down) {
    return ButtonChanged{0, down, 0, 0};
}

/// All that arrived during one slow frame.
Frames framesOf(const std::vector<InputEvent>& events) {
    InputQueue queue;
    for (const InputEvent& event : events) queue.add(event);
    Frames frames;
    while (!queue.empty()) frames.push_back(queue.takeFrame());
    return frames;
}

TEST(InputQueue, NothingWaitsAtFirst) {
    InputQueue queue;
    EXPECT_TRUE(queue.empty());
    EXPECT_TRUE(queue.takeFrame().empty());
}

TEST(InputQueue, ADoubleClickTakesAFrameForEachChange) {
    const PointerMoved there{5, 6};
    EXPECT_EQ(framesOf({there, button(true), button(false), button(true), button(false)}),
              (Frames{{there}, {button(true)}, {button(false)}, {button(true)}, {button(false)}}));
}

TEST(InputQueue, ADragIsSeenWithItsButtonDown) {
    const PointerMoved from{0, 0};
    const PointerMoved half{5, 0};
    const PointerMoved to{10, 0};
    EXPECT_EQ(framesOf({from, button(true), half, to, button(false), from}),
              (Frames{{from}, {button(true)}, {half, to}, {button(false)}, {from}}));
}

TEST(InputQueue, AClickIntoAFieldComesBeforeWhatIsTypedThere) {
    EXPECT_EQ(framesOf({button(true), button(false), press('7'), CharacterTyped{'7'}}),
              (Frames{{button(true)}, {button(false)}, {press('7'), CharacterTyped{'7'}}}));
}

TEST(InputQueue, AKeyIsDownForAFrame) {
    EXPECT_EQ(framesOf({press(returnKey), release(returnKey)}),
              (Frames{{press(returnKey)}, {release(returnKey)}}));
}

TEST(InputQueue, TypedCharactersComeOneAFrame) {
    EXPECT_EQ(framesOf({press('1'), CharacterTyped{'1'}, release('1'), press('2'),
                        CharacterTyped{'2'}, release('2'), press(returnKey), release(returnKey)}),
              (Frames{{press('1'), CharacterTyped{'1'}},
                      {release('1'), press('2'), CharacterTyped{'2'}},
                      {release('2'), press(returnKey)},
                      {release(returnKey)}}));
}

TEST(InputQueue, AKeyKeepsItsModifier) {
    EXPECT_EQ(framesOf({press(leftControl), press('A'), release('A'), release(leftControl),
                        press('7'), CharacterTyped{'7'}}),
              (Frames{{press(leftControl), press('A')},
                      {release('A'), release(leftControl), press('7'), CharacterTyped{'7'}}}));
    EXPECT_EQ(framesOf({press('A'), press(leftShift)}), (Frames{{press('A')}, {press(leftShift)}}));
}

TEST(InputQueue, TextWaitsForTheKeyBeforeIt) {
    EXPECT_EQ(framesOf({press(returnKey), CharacterTyped{'x'}}),
              (Frames{{press(returnKey)}, {CharacterTyped{'x'}}}));
}

TEST(InputQueue, RepeatsOfAHeldKeyEndWithIt) {
    const InputEvent again = KeyChanged{'X', 0, 2, 0};
    EXPECT_EQ(framesOf({press('X'), again, again, again, release('X')}),
              (Frames{{press('X'), again, again, again}, {release('X')}}));
}

TEST(InputQueue, TheWheelTurnsWhereThePointerIs) {
    const WheelTurned notch{0, 1};
    const PointerMoved away{9, 9};
    EXPECT_EQ(framesOf({notch, notch, away}), (Frames{{notch, notch}, {away}}));
}

TEST(InputQueue, NoEventIsLostOrOvertaken) {
    const std::vector<InputEvent> events{
        PointerMoved{1, 1},   FocusChanged{true}, press(leftControl), WheelTurned{0, 1},
        release(leftControl), button(true),       press('W'),         CharacterTyped{'w'},
        PointerMoved{2, 2},   button(false),      release('W'),       FocusChanged{false}};
    std::vector<InputEvent> out;
    for (const auto& frame : framesOf(events)) out.insert(out.end(), frame.begin(), frame.end());
    EXPECT_EQ(out, events);
}

TEST(DoubleClicks, TwoQuickPressesAreOneWhateverTheFramesTook) {
    DoubleClicks clicks;
    EXPECT_FALSE(clicks.completes({0, true, 0.0, 0.1}, 0.3));
    // Heard of at 0.9 s, after a frame that began at 0.15 s.
    EXPECT_TRUE(clicks.completes({0, true, 0.15, 0.9}, 0.3));
}

TEST(DoubleClicks, SlowPressesAndOtherButtonsAreClicksOfTheirOwn) {
    DoubleClicks clicks;
    EXPECT_FALSE(clicks.completes({0, true, 1.0, 1.0}, 0.3));
    EXPECT_FALSE(clicks.completes({0, true, 1.4, 1.4}, 0.3));
    EXPECT_FALSE(clicks.completes({1, true, 1.5, 1.5}, 0.3));
}

}  // namespace
}  // namespace warplens::window
