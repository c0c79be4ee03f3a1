#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/kernel.h"

namespace warplens {

/// Those of all kernels' files, by group and by their place in it.
[[nodiscard]] std::span<const Scenario> allScenarios();

/// Null when there is no such scenario.
[[nodiscard]] const Scenario* findScenario(std::string_view id);

/// As `findScenario`, throwing InvalidRequest that lists the known ids.
[[nodiscard]] const Scenario& scenarioNamed(std::string_view id);
/// `; did you mean 'shear'?`: those whose id or title is near; empty where none is.
[[nodiscard]] std::string scenariosMeant(std::string_view id);

/// Any further offset repeats one below it: 64 elements of 4 bytes are 256 bytes.
inline constexpr std::uint32_t mostArrayOffset = 63;

/// One launch of one scenario: everything that a mapping, a prediction or a measurement needs.
struct Experiment {
    std::string scenario;
    Launch launch;
    Arguments arguments;
    /// Elements by which every array in global memory starts after a multiple of 256 bytes, as when
    /// a kernel is handed a pointer into the middle of an allocation: 0 .. mostArrayOffset.
    std::uint32_t arrayOffset = 0;
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// Reading throws MalformedJson for a scenario that is not known; the launch need not be legal.
void describe(Archive& v, Experiment& experiment);
/// The same without the scenario, which the experiment has.
void describeLaunch(Archive& v, Experiment& experiment);

/// The kernel of the experiment's scenario.
[[nodiscard]] const Kernel& kernelOf(const Experiment& experiment);

/// What a person may leave open: missing parts are filled from the scenario, a missing grid by the
/// ceiling division that covers the problem.
struct ExperimentRequest final {
    std::string scenario;
    std::optional<Extents> grid{};
    std::optional<Extents> block{};
    Arguments set{};
    std::uint32_t arrayOffset = 0;
};

/// Completes the request. Throws InvalidRequest with every violation: an unknown scenario, a size
/// out of its bounds, a launch no device accepts.
[[nodiscard]] Experiment complete(const ExperimentRequest& request);

/// The experiment a scenario starts from.
[[nodiscard]] Experiment initialExperiment(const Scenario& scenario);

/// `--grid 32,32 --block 16,16 --set n=512`: what makes the experiment on the command line.
[[nodiscard]] std::string toOptions(const Experiment& experiment);

/// `n=512  array offset 3`: what the experiment has besides its launch; may be empty.
[[nodiscard]] std::string sizesOf(const Experiment& experiment);

/// Dynamic shared memory that the experiment's kernel needs with its arguments.
[[nodiscard]] std::uint32_t dynamicSharedBytes(const Experiment& experiment);

/// The grid that covers the experiment's problem with its block; its own grid where the grid is
/// the problem. The block must have no zero extent.
[[nodiscard]] Extents coveringGrid(const Experiment& experiment);

/// Every violation of the launch limits and of the arguments' bounds: with none, the mapping is
/// defined and can be drawn.
[[nodiscard]] std::vector<LimitViolation> validate(const Experiment& experiment,
                                                   const LaunchLimits& limits = {});

/// `validate`, and what keeps the kernel from being run at this size (kernel.h).
[[nodiscard]] std::vector<LimitViolation> validateRun(const Experiment& experiment,
                                                      const LaunchLimits& limits = {});

}  // namespace warplens
