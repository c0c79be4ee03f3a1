#pragma once

/// GLFW's numbers of keys, written out so that the state needs no window library; glfw_display.cpp
/// asserts them.
namespace warplens::window::keys {

constexpr int keyEscape = 256;
constexpr int keyEnter = 257;
constexpr int keyTab = 258;
constexpr int keyRight = 262;
constexpr int keyLeft = 263;
constexpr int keyDown = 264;
constexpr int keyUp = 265;
constexpr int keyPageUp = 266;
constexpr int keyPageDown = 267;
constexpr int keyF1 = 290;
constexpr int keyF5 = 294;
constexpr int keypadSubtract = 333;
constexpr int keypadAdd = 334;
constexpr int keypadEnter = 335;

}  // namespace warplens::window::keys
