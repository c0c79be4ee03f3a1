#pragma once

#include "core/program/block_steps.h"

namespace warplens {

/// Reads the files that the branches stand in: says each statement, and takes what holds at a
/// `jumpsAhead` branch for its contrary where the statement is left there, as by
/// `if (i >= n) return;`: compilers jump out of it where the condition holds.
void readStatements(BlockSteps& steps);

}  // namespace warplens
