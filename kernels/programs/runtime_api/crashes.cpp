// What ends the program on the host is told with its place, before it ends.
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <execinfo.h>
#include <semaphore>
#include <system_error>
#include <thread>
#include <ucontext.h>

#include "kernels/programs/runtime_api/copies.h"
#include "kernels/programs/runtime_api/in_flight.h"
#include "kernels/programs/runtime_api/launching.h"
#include "kernels/programs/runtime_api/report.h"

namespace warplens::programs {
namespace {

/// The device's array that one of the registers points into: where the host uses an address that no
/// processor takes, the signal does not say which.
const ptx::Allocation* arrayMeant(const ucontext_t& context) {
    const ptx::Memory& memory = RuntimeDevice::instance().memory();
    for (const greg_t value : context.uc_mcontext.gregs) {
        const ptx::Allocation* array = memory.find(static_cast<std::uint64_t>(value));
        if (array != nullptr && array->kind == ptx::Allocation::Kind::device) return array;
    }
    return nullptr;
}

std::string wordsFor(int signal, const siginfo_t& info) {
    if (signal == SIGABRT) return "the program aborts";
    if (signal == SIGFPE) return "the program divides by zero on the host";
    if (signal != SIGSEGV) return "the program crashes on the host";
    return reinterpret_cast<std::uint64_t>(info.si_addr) < 65536 && info.si_code != SI_KERNEL
               ? "the program uses a null pointer on the host"
               : "the program uses a wrong address on the host";
}

void onCrash(int signal, siginfo_t* info, void* raw) {
    const auto& context = *static_cast<const ucontext_t*>(raw);
    std::vector<std::uint64_t> addresses{
        static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP])};
    for (const std::uint64_t caller : callers()) addresses.push_back(caller);
    constexpr greg_t isWrite = 2;
    if (signal == SIGSEGV && info->si_code == SEGV_ACCERR &&
        tellEarlyAccess(reinterpret_cast<std::uint64_t>(info->si_addr),
                        (context.uc_mcontext.gregs[REG_ERR] & isWrite) != 0, addresses))
        return;
    std::signal(signal, SIG_DFL);  // the instruction is tried again, and ends the program
    const ptx::Allocation* array =
        signal == SIGSEGV && info->si_code == SI_KERNEL ? arrayMeant(context) : nullptr;
    if (array != nullptr) {
        sendFinding(FindingKind::devicePointer,
                    "the host uses " + nameOf(*array) +
                        ", which is in the device's memory: on a GPU this crashes",
                    addresses);
    } else {
        sendFinding(FindingKind::crash, wordsFor(signal, *info), addresses);
    }
    finishLaunching();  // what was left out may be why
}

/// Where the program was when its time was nearly over: whoever has started it ends it then.
struct TimeOver final {
    std::array<void*, 24> frames{};
    int count = 0;
    std::binary_semaphore isThere{0};
};
TimeOver timeOver;

/// It may be in the midst of anything, `malloc` included: another thread tells it.
void onTimeOver(int, siginfo_t*, void* raw) {
    if (timeOver.count != 0) return;
    const auto& context = *static_cast<const ucontext_t*>(raw);
    timeOver.frames[0] = reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RIP] + 1);
    timeOver.count = 1 + backtrace(&timeOver.frames[1], int(timeOver.frames.size()) - 1);
    timeOver.isThere.release();
}

void tellTimeOver() {
    timeOver.isThere.acquire();
    finishLaunching();
    if (isInCall()) return;
    std::vector<std::uint64_t> addresses;
    for (int at = 0; at < timeOver.count; ++at)
        addresses.push_back(reinterpret_cast<std::uint64_t>(timeOver.frames.at(std::size_t(at))) -
                            1);
    sendNote("when the time for the program was over it was in its own code on the host",
             addresses);
}

/// A thread that no signal of the program's comes to.
void watchInThread() {
    (void)callers();  // the first call loads what it needs
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread(tellTimeOver).detach();
    } catch (const std::system_error&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void watchTime() {
    const double seconds = options().secondsOfAll - std::max(0.3, options().secondsOfAll * 0.03);
    if (options().pipe < 0 || seconds <= 0) return;
    watchInThread();
    struct sigaction action {};
    action.sa_sigaction = onTimeOver;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(SIGVTALRM, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGVTALRM;
    timer_t timer{};
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(seconds);
    when.it_value.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &when, nullptr);
}

__attribute__((constructor)) void watch() {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what it printed before a crash is kept
    watchTime();
    stack_t stack{};
    stack.ss_size = 256 * 1024;
    stack.ss_sp = std::malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onCrash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
        sigaction(signal, &action, nullptr);
}

}  // namespace
}  // namespace warplens::programs
