#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/program/launch_report.h"

/// How much arithmetic a kernel does for each byte it moves, under what a device can do of either.
/// The model is Williams, Waterman and Patterson, "Roofline", CACM 52(4), 2009.
namespace warplens {

/// What bounds a device: no more bytes a second, no more operations a second.
struct Ceilings final {
    std::string device;
    double bandwidth = 0;  ///< B/s
    double flopRate = 0;   ///< FLOP/s
    std::string source;    ///< of both numbers, in words
    friend bool operator==(const Ceilings&, const Ceilings&) = default;

    /// The most FLOP/s at so many FLOP for each byte.
    [[nodiscard]] double at(double flopsPerByte) const;
    /// FLOP for each byte from which on bandwidth is no longer what bounds.
    [[nodiscard]] double ridge() const { return flopRate / bandwidth; }
};

/// What the device was timed at: its copy rate and its rate of multiply-adds; none where it was not
/// measured.
[[nodiscard]] std::optional<Ceilings> ceilingsOf(const Device& device);

/// A device for teaching, of about 2013: 200 GB/s, which is 50 G accesses of 4 bytes a second, and
/// 1500 GFLOP/s.
[[nodiscard]] Ceilings textbookCeilings();

/// One launch between arithmetic and memory.
struct RoofPoint final {
    Experiment experiment;
    double flops = 0;  ///< of the whole launch, from the algorithm
    /// Bytes the lanes ask of global memory, loads and stores, whatever caches serve them:
    /// predicted.
    std::optional<double> requestedBytes;
    bool exact = false;  ///< every block was traced
    /// Read from and written to DRAM: counted. Absent also where `cached`.
    std::optional<double> dramBytes;
    /// DRAM moved less than half of what the algorithm must: the arrays stayed in the L2 from one
    /// run to the next, and a ratio to DRAM bytes would say nothing.
    bool cached = false;
    std::optional<double> seconds;  ///< timed
    friend bool operator==(const RoofPoint&, const RoofPoint&) = default;

    /// The compute-to-global-memory-access ratio: FLOP for each access of 4 bytes.
    [[nodiscard]] std::optional<double> flopsPerAccess() const;
    [[nodiscard]] std::optional<double> flopsPerRequestedByte() const;
    [[nodiscard]] std::optional<double> flopsPerDramByte() const;
    [[nodiscard]] std::optional<double> flopRate() const;
};

struct Roofline final {
    std::optional<Ceilings> ceilings;  ///< of the device the points were measured on
    Ceilings textbook = textbookCeilings();
    std::vector<RoofPoint> points;
    bool recorded = false;
    std::string takenAt;  ///< of the newest measurement; empty without any
    friend bool operator==(const Roofline&, const Roofline&) = default;
};

/// The matrix products to compare: naive in both orders, and on tiles of each width.
[[nodiscard]] std::vector<Experiment> rooflineExperiments();

/// Whether the kernel is about arithmetic at all.
[[nodiscard]] bool hasRoofPoint(const Experiment& experiment);

/// The point of an experiment that `hasRoofPoint`, of what is known of it; each may be null.
[[nodiscard]] RoofPoint roofPointOf(const Experiment& experiment,
                                    const std::vector<Value>* predicted, bool exact,
                                    const Measurement* measured);

/// Written only.
void describe(Archive& v, Ceilings& ceilings);
void describe(Archive& v, RoofPoint& point);
void describe(Archive& v, Roofline& roofline);

/// `matmul-tiled  16,16`: scenario and block.
[[nodiscard]] std::string nameOf(const RoofPoint& point);

}  // namespace warplens
