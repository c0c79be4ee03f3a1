// A crowd at once, with deaths at random: real processes and the locks that the worker takes.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <vector>

#include "kernels/turns/gpu_lock.h"
#include "tests/turns/turns_fixture.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr int clients = 500;
constexpr int gpus = 16;
constexpr int rounds = 3;
constexpr int killings = 60;
constexpr int stoppings = 16;
constexpr LockLimits limits{.silence = 2s, .longest = 20s, .entry = 5s};
constexpr auto longestTrial = 90s;

/// Times are counts of what has happened so far, 0 for never.
struct Visit final {
    int gpu = 0;
    std::atomic<int> asked = 0;   ///< just before
    std::atomic<int> queued = 0;  ///< a place is held, at the latest
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    std::atomic<bool> passedOver = false;  ///< as it says itself
    std::atomic<bool> outOfOrder = false;
};

/// What all processes see.
struct Scene final {
    std::atomic<int> events = 1;
    std::array<std::atomic<int>, gpus> holder{};  ///< client + 1, 0 for none
    std::array<std::array<Visit, rounds>, clients> visits;
    std::array<std::atomic<bool>, clients> struck{};  ///< killed or stopped, or about to be
    std::atomic<int> overlaps = 0;
};

void visit(Scene& scene, int client, int round, const GpuQueue& queue, std::mt19937& random) {
    Visit& visit = scene.visits[client][round];
    visit.asked = scene.events++;
    const auto turn = queue.wait(
        [&](const PlaceInQueue&) {
            if (visit.queued == 0) visit.queued = scene.events++;
        },
        {});
    visit.begun = scene.events++;
    visit.outOfOrder = !turn->outOfOrder().empty();
    const int before = scene.holder[visit.gpu].exchange(client + 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    const bool passedOver = turn->wasPassedOver();
    if (before != 0 && !scene.struck[before - 1] && !passedOver) {
        bool excused = false;
        for (const Visit& other : scene.visits[before - 1]) excused |= other.passedOver;
        if (!excused) ++scene.overlaps;
    }
    visit.passedOver = passedOver;
    int own = client + 1;
    scene.holder[visit.gpu].compare_exchange_strong(own, 0);
    visit.ended = scene.events++;
}

void play(Scene& scene, int client, const std::filesystem::path& folder) {
    std::mt19937 random(static_cast<unsigned>(client) + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
    for (int round = 0; round < rounds; ++round) {
        Visit& next = scene.visits[client][round];
        next.gpu = static_cast<int>(random() % gpus);
        const GpuQueue queue("GPU-" + std::to_string(next.gpu), nullptr, limits, {folder});
        visit(scene, client, round, queue, random);
    }
}

class CrowdTest : public tests::TurnsTest {
  protected:
    CrowdTest() {
        void* const shared = ::mmap(nullptr, sizeof(Scene), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        scene = new (shared) Scene;
    }
    ~CrowdTest() override { ::munmap(scene, sizeof(Scene)); }

    /// Strikes `count` clients that have begun to ask, in a moment that nobody chose.
    void strike(int count, int signal, const std::vector<pid_t>& processes, std::mt19937& random) {
        for (int i = 0; i < count; ++i) {
            const auto client = static_cast<std::size_t>(random() % clients);
            scene->struck[client] = true;
            ::kill(processes[client], signal);
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
        }
    }
    /// Whether the process has ended, or stands still for ever.
    [[nodiscard]] static bool isThrough(pid_t process) {
        siginfo_t now{};
        if (::waitid(P_PID, static_cast<id_t>(process), &now,
                     WEXITED | WSTOPPED | WNOHANG | WNOWAIT) != 0) {
            return true;
        }
        return now.si_pid == process;
    }

    Scene* scene;
};

TEST_F(CrowdTest, NobodyStarvesOrderHoldsAndNothingIsLeftBehind) {
    const auto begin = LockClock::now();
    std::vector<pid_t> processes;
    for (int client = 0; client < clients; ++client) {
        processes.push_back(tests::inProcess([&] { play(*scene, client, folder); }));
        ASSERT_GT(processes.back(), 0);
    }
    std::mt19937 random(std::random_device{}());
    strike(killings / 2, SIGKILL, processes, random);
    strike(stoppings, SIGSTOP, processes, random);
    strike(killings / 2, SIGKILL, processes, random);
    while (!std::ranges::all_of(processes, isThrough) && LockClock::now() - begin < longestTrial) {
        std::this_thread::sleep_for(10ms);
    }
    const auto took = LockClock::now() - begin;
    for (const pid_t process : processes) {
        ::kill(process, SIGKILL);
        tests::endOf(process);
    }

    int finished = 0;
    int starved = 0;
    int outOfOrder = 0;
    int passedOver = 0;
    std::array<std::vector<const Visit*>, gpus> byGpu;
    for (int client = 0; client < clients; ++client) {
        bool all = true;
        for (const Visit& visit : scene->visits[client]) {
            all &= visit.ended != 0;
            outOfOrder += visit.outOfOrder ? 1 : 0;
            passedOver += visit.passedOver ? 1 : 0;
            if (visit.queued != 0 && visit.begun != 0 && !scene->struck[client] &&
                !visit.passedOver) {
                byGpu[visit.gpu].push_back(&visit);
            }
        }
        finished += all ? 1 : 0;
        starved += !all && !scene->struck[client] ? 1 : 0;
    }
    EXPECT_EQ(starved, 0);
    EXPECT_GE(finished, clients - killings - stoppings);
    EXPECT_EQ(outOfOrder, 0);
    EXPECT_EQ(scene->overlaps, 0);
    // Who had a place before the other asked goes first.
    int pairs = 0;
    int wrong = 0;
    for (const auto& visits : byGpu) {
        for (const Visit* a : visits) {
            for (const Visit* b : visits) {
                if (a->queued >= b->asked) continue;
                ++pairs;
                wrong += a->begun > b->begun ? 1 : 0;
            }
        }
    }
    EXPECT_GT(pairs, 1000);
    EXPECT_EQ(wrong, 0);
    // Neither places, nor processes, nor files beside one for each GPU.
    for (int gpu = 0; gpu < gpus; ++gpu) {
        EXPECT_EQ(GpuQueue("GPU-" + std::to_string(gpu), nullptr, limits, {folder}).count(), 0u);
    }
    EXPECT_LE(std::distance(std::filesystem::directory_iterator(folder), {}), gpus);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    std::printf(
        "%d clients, %d GPUs: %d finished all of their %d turns, %d pairs in order, %d "
        "passed over, %.1f s\n",
        clients, gpus, finished, rounds, pairs, passedOver,
        std::chrono::duration<double>(took).count());
}

}  // namespace
}  // namespace warplens
