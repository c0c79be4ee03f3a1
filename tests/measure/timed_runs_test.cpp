// The rules of timing on a device that is played: its clock moves as the test says.
#include "kernels/measure/timing/timed_runs.h"

#include <array>
#include <deque>
#include <gtest/gtest.h>

namespace warplens {
namespace {

/// Runs what is queued in order, each launch for as long as it is told; notes when marks and stamps
/// were passed. A launch costs the device `gap` before it begins.
class PlayedDevice final : public TimedDevice {
  public:
    explicit PlayedDevice(double seconds, double gap = 1e-6) : seconds_(seconds), gap_(gap) {}

    /// What the concurrent stamps slow each run down by, and the serial ones add to its time.
    double slowing = 0;
    double adding = 1e-6;

    void launch() override { work_.push_back(Work::launch); }
    void spoilCache() override { work_.push_back(Work::spoil); }
    void mark(std::size_t place) override {
        work_.push_back(Work::mark);
        places_.push_back(place);
    }
    [[nodiscard]] bool hold() override {
        held_ = holds;
        return holds;
    }
    void release() noexcept override { held_ = false; }
    void wait() override {
        EXPECT_FALSE(held_) << "would never return";
        for (const Work work : work_) {
            switch (work) {
                case Work::launch:
                    now_ += gap_;
                    stamps_.push_back({at(), at() + toNanoseconds(seconds_ + told_), "kernel"});
                    now_ += seconds_;
                    ++launches;
                    break;
                case Work::spoil:
                    stamps_.push_back({at(), at() + 50'000, "fill"});
                    now_ += 50e-6;
                    ++spoils;
                    break;
                case Work::mark:
                    marks_.at(places_.front()) = now_;
                    places_.pop_front();
                    break;
            }
        }
        work_.clear();
    }
    [[nodiscard]] double secondsBetween(std::size_t from, std::size_t to) override {
        return marks_.at(to) - marks_.at(from);
    }
    std::vector<KernelStamp> stampsOf(StampKind kind, const std::function<void()>& work) {
        stamps_.clear();
        told_ = kind == StampKind::concurrent ? slowing : adding;
        work();
        return stamps_;
    }

    bool holds = true;
    int launches = 0;
    int spoils = 0;

  private:
    enum class Work : std::uint8_t { launch, spoil, mark };
    static std::uint64_t toNanoseconds(double seconds) {
        return static_cast<std::uint64_t>(1e9 * seconds + 0.5);
    }
    [[nodiscard]] std::uint64_t at() const { return 1 + toNanoseconds(now_); }

    double seconds_;
    double gap_;
    double told_ = 0;
    double now_ = 0;
    bool held_ = false;
    std::deque<Work> work_;
    std::deque<std::size_t> places_;
    std::array<double, mostMarks> marks_{};
    std::vector<KernelStamp> stamps_;
};

Timing timed(PlayedDevice& device, const TimingRequest& request = {}) {
    StampTimer timer(device, request.cache,
                     [&](StampKind kind, const auto& work) { return device.stampsOf(kind, work); });
    return timeRuns(timer, request, [] {}, {});
}

TEST(TimedRuns, OfAShortKernelAreTwoHundredWithoutTheLaunch) {
    PlayedDevice device(2e-6);
    const Timing timing = timed(device);
    EXPECT_EQ(timing.from, TimeFrom::deviceStamps);
    EXPECT_EQ(timing.runs, 200);
    EXPECT_EQ(timing.warmUpRuns, 102);
    EXPECT_DOUBLE_EQ(timing.medianSeconds, 2e-6);
    EXPECT_EQ(device.launches, 11 + 302) << "11 to choose the kind of stamp";
}

TEST(TimedRuns, StopAfterTwentyMillisecondsWithTwenty) {
    PlayedDevice device(5e-3);
    EXPECT_EQ(timed(device).runs, 20);
}

TEST(TimedRuns, OfASlowKernelAreThreeAtLeastAndNotMore) {
    PlayedDevice slow(0.4);
    EXPECT_EQ(timed(slow).runs, 3);
    EXPECT_EQ(slow.launches, 6) << "one to choose the stamp, two to warm up, no batch of them";
    PlayedDevice lessSlow(0.1);
    EXPECT_EQ(timed(lessSlow).runs, 5);
}

TEST(TimedRuns, AreAsManyAsAskedFor) {
    for (const int runs : {3, 7, 150, 1000}) {
        for (const double seconds : {2e-6, 0.2}) {
            PlayedDevice device(seconds);
            EXPECT_EQ(timed(device, {.runs = runs}).runs, runs) << seconds;
        }
    }
}

TEST(TimedRuns, FindTheCacheColdWhereTheyShall) {
    PlayedDevice device(2e-6);
    const Timing timing = timed(device, {.cache = CacheBefore::cold, .runs = 10});
    EXPECT_EQ(timing.cache, CacheBefore::cold);
    EXPECT_EQ(device.spoils, device.launches);
    EXPECT_DOUBLE_EQ(timing.maximumSeconds, 2e-6) << "filling is outside of the time";
}

TEST(TimedRuns, EndEarlyWithWhatTheyHave) {
    PlayedDevice device(5e-3);
    std::stop_source stop;
    StampTimer timer(device, CacheBefore::warm,
                     [&](StampKind kind, const auto& work) { return device.stampsOf(kind, work); });
    const Timing timing = timeRuns(
        timer, {}, [&] { stop.request_stop(); }, stop.get_token());
    EXPECT_EQ(timing.runs, 2) << "one batch of 10 ms";
}

TEST(StampTimer, TakesTheKindOfStampThatTellsTheShorterTime) {
    PlayedDevice device(2e-6);
    const StampsOf stampsOf = [&](StampKind kind, const auto& work) {
        return device.stampsOf(kind, work);
    };
    device.slowing = 0.1e-6;
    StampTimer brief(device, CacheBefore::warm, stampsOf);
    EXPECT_EQ(brief.kind(), StampKind::concurrent);
    EXPECT_EQ(brief.time(1).front(), 2100u);
    device.slowing = 60e-6;
    StampTimer slowedDown(device, CacheBefore::warm, stampsOf);
    EXPECT_EQ(slowedDown.kind(), StampKind::serial);
    EXPECT_EQ(slowedDown.time(1).front(), 3000u);
}

TEST(StampTimer, RefusesRecordsThatAreNotOneForEachRun) {
    PlayedDevice device(2e-6);
    const StampsOf oneMissing = [&](StampKind kind, const auto& work) {
        std::vector<KernelStamp> stamps = device.stampsOf(kind, work);
        stamps.pop_back();
        return stamps;
    };
    EXPECT_THROW((void)StampTimer(device, CacheBefore::warm, oneMissing), StampsUnavailable);
}

TEST(EventTimer, HasTheLaunchInItsTimes) {
    PlayedDevice device(2e-6, 1e-6);
    EventTimer timer(device, CacheBefore::warm);
    EXPECT_EQ(timer.time(50), std::vector<std::uint64_t>(50, 3000));
    device.holds = false;
    EXPECT_EQ(timer.time(50), std::vector<std::uint64_t>(50, 3000));
}

TEST(EventTimer, LeavesTheFillingOfAColdCacheOut) {
    PlayedDevice device(2e-6, 1e-6);
    EventTimer timer(device, CacheBefore::cold);
    EXPECT_EQ(timer.time(40), std::vector<std::uint64_t>(40, 3000));
    EXPECT_EQ(device.spoils, 41) << "once before anything is held back";
}

TEST(BackToBack, IsTheKernelAndWhatALaunchCosts) {
    PlayedDevice device(2e-6, 0.9e-6);
    EXPECT_NEAR(backToBackSeconds(device, 2e-6).value(), 2.9e-6, 1e-12);
    device.holds = false;
    EXPECT_EQ(backToBackSeconds(device, 2e-6), std::nullopt);
}

}  // namespace
}  // namespace warplens
