#pragma once

#include <memory>
#include <utility>

#include "core/measurement/measurement.h"

namespace warplens {

/// A measurement that does not change any more, and that several hold without copying it.
class SharedMeasurement final {
  public:
    // NOLINTNEXTLINE(google-explicit-constructor): it stands wherever a measurement does.
    SharedMeasurement(Measurement measurement)
        : shared_(std::make_shared<const Measurement>(std::move(measurement))) {}
    /// Never null; part of something larger that is shared, as std::shared_ptr can point to.
    explicit SharedMeasurement(std::shared_ptr<const Measurement> shared)
        : shared_(std::move(shared)) {}

    [[nodiscard]] const Measurement& operator*() const { return *shared_; }
    [[nodiscard]] const Measurement* operator->() const { return shared_.get(); }
    [[nodiscard]] const Measurement* get() const { return shared_.get(); }
    friend bool operator==(const SharedMeasurement& a, const SharedMeasurement& b) {
        return a.shared_ == b.shared_ || *a.shared_ == *b.shared_;
    }

  private:
    std::shared_ptr<const Measurement> shared_;
};

}  // namespace warplens
