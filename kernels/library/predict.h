#pragma once

#include "kernels/bodies/predict.h"

/// Built-in kernels, traced from their plain .cu files within this process.
namespace warplens::library {

/// As `warplens::predict`.
[[nodiscard]] Prediction predict(const Experiment& experiment, const PredictOptions& options = {});
/// As `warplens::predictBlock`.
[[nodiscard]] BlockPrediction predictBlock(const Experiment& experiment, Index3 block,
                                           const BlockOptions& options = {});

}  // namespace warplens::library
