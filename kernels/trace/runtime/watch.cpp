#include "kernels/trace/runtime/watch.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include "kernels/trace/runtime/lane_variables.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/report.h"
#include "kernels/trace/runtime/tally.h"

extern "C" {
extern const warplens::runtime::DivisionRow __start_wl_divisions[] __attribute__((weak));
extern const warplens::runtime::DivisionRow __stop_wl_divisions[] __attribute__((weak));
extern void* __libc_stack_end;
}

namespace warplens::runtime {
namespace {

double blockBegan = 0;
double turnBegan = 0;
std::uint64_t turnSeen = 0;
constexpr double blockSecondsPerTurn = 3;  ///< of a thread's time, a block's

std::uint64_t registerOf(const ucontext_t* context, int which) {
    return static_cast<std::uint64_t>(context->uc_mcontext.gregs[which]);
}

/// The event of the lane that asked for `address`; the last one where none did.
std::uint32_t siteOf(const ucontext_t* context, std::uint64_t address) {
    const Lane* const lane = laneRunner.current();
    if (laneProgram.mode != RunMode::traced || lane == nullptr) return 0;
    const auto* writer = reinterpret_cast<const Event*>(registerOf(context, REG_R15));
    if (writer <= lane->begin || writer > lane->begin + laneRunner.memory().mostEvents) return 0;
    std::uint32_t last = 0;
    for (int back = 1; back <= 8 && writer - back >= lane->begin; ++back) {
        const auto site = static_cast<std::uint32_t>(writer[-back] >> siteShift);
        if (site == 0 || site > siteCount()) continue;
        if (last == 0) last = site;
        const std::uint64_t asked = writer[-back] & addressMask;
        if (placeOfSite(site).kind <= SiteKind::atomic &&
            address - asked < std::max(1u, placeOfSite(site).bytes)) {
            return site;
        }
    }
    return last;
}

/// Where the host is: the instruction, and the calls around it.
std::vector<std::uint64_t> hostAddresses(const ucontext_t* context) {
    std::vector<std::uint64_t> found{registerOf(context, REG_RIP)};
    const auto top = reinterpret_cast<std::uint64_t>(__libc_stack_end);
    const std::uint64_t stack = registerOf(context, REG_RSP);
    const auto readable = [&](std::uint64_t at) { return at >= stack && at + 16 <= top; };
    if (readable(stack)) found.push_back(*reinterpret_cast<const std::uint64_t*>(stack) - 1);
    std::uint64_t frame = registerOf(context, REG_RBP);
    for (int depth = 0; depth < 24 && frame % 8 == 0 && readable(frame); ++depth) {
        found.push_back(reinterpret_cast<const std::uint64_t*>(frame)[1] - 1);
        const std::uint64_t next = *reinterpret_cast<const std::uint64_t*>(frame);
        if (next <= frame) break;
        frame = next;
    }
    // Library code keeps no frames: what looks like a return into the program is one.
    for (std::uint64_t at = stack; found.size() < 64 && at < stack + 4096 && readable(at);
         at += 8) {
        const std::uint64_t value = *reinterpret_cast<const std::uint64_t*>(at);
        if (isInProgram(value)) found.push_back(value - 1);
    }
    return found;
}

void crash(int signal, const ucontext_t* context, const std::string& words) {
    addHostFinding(FindingKind::crash, words, hostAddresses(context));
    sendFindings();
    std::signal(signal, SIG_DFL);
}

void onFault(int signal, siginfo_t* info, void* raw) {
    auto* context = static_cast<ucontext_t*>(raw);
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    if (laneRunner.current() == nullptr) {
        const std::uint32_t id = isInDeviceSlots(address) ? arrayAt(address) : noArray;
        if (id != noArray && arrayOf(id).live && address - arrayOf(id).at < arrayOf(id).bytes) {
            Array& array = arrayOf(id);
            addHostFinding(FindingKind::devicePointer,
                           "the host uses " + nameOnHost(array) +
                               ", which is in the device's memory: on a GPU this crashes",
                           hostAddresses(context));
            array.open = true;
            array.unwritten = {};
            mprotect(reinterpret_cast<void*>(array.at), (array.bytes + 4095) / 4096 * 4096,
                     PROT_READ | PROT_WRITE);
            return;
        }
        crash(signal, context,
              signal == SIGSEGV ? (address < 65536 ? "the program uses a null pointer on the host"
                                                   : "the program uses a wrong address on the host")
                                : "the program crashes on the host");
        return;
    }
    const std::uint32_t site = siteOf(context, address);
    if (laneRunner.isBelowStack(address)) {
        failLaunch(FindingKind::stackOverflow,
                   "the thread's stack is full: recursion without an end, or large local arrays",
                   site, 719);
    }
    if (isInDeviceSlots(address)) {
        const std::uint32_t id = arrayAt(address);
        // Within the slot of an array: told when the access is counted, with its index.
        if (id != noArray && arrayOf(id).live && backWithPages(address)) return;
        if (id != noArray) {
            const Array& array = arrayOf(id);
            failLaunch(array.live ? FindingKind::outOfBounds : FindingKind::useAfterFree,
                       array.live ? "accesses far out of " + array.name
                                  : "access to " + array.name + ", which has been freed",
                       site, 700);
        }
    }
    failLaunch(FindingKind::wildPointer,
               address < 65536 ? "access to a null pointer" : "access to an address of nothing",
               site, 700);
}

void onArithmetic(int signal, siginfo_t*, void* raw) {
    auto* context = static_cast<ucontext_t*>(raw);
    const std::uint64_t at = registerOf(context, REG_RIP);
    for (const DivisionRow* row = __start_wl_divisions; row < __stop_wl_divisions; ++row) {
        if (row->at != at) continue;
        addFinding(FindingKind::divisionByZero,
                   "a whole number is divided by zero: on a GPU the result is undefined",
                   static_cast<std::uint32_t>(row->site));
        // As a device does, the lane goes on with some result.
        context->uc_mcontext.gregs[REG_RAX] = -1;
        context->uc_mcontext.gregs[REG_RDX] = -1;
        context->uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(row->next);
        return;
    }
    if (laneRunner.current() != nullptr) {
        failLaunch(FindingKind::divisionByZero, "a whole number is divided by zero",
                   siteOf(context, 0), 719);
    }
    crash(signal, context, "the program divides by zero on the host");
}

void onAbort(int signal, siginfo_t*, void* raw) {
    crash(signal, static_cast<const ucontext_t*>(raw), "the program aborts");
}

void onTick(int, siginfo_t*, void* raw) {
    if (!launchState.running || laneRunner.current() == nullptr) return;
    const double now = cpuSeconds();
    if (turnSeen != laneRunner.turns()) {
        turnSeen = laneRunner.turns();
        turnBegan = now;
    }
    const double turn = wishes().secondsPerTurn;
    const bool oneTurn = now - turnBegan > turn;
    if (!oneTurn && now - blockBegan < turn * blockSecondsPerTurn) return;
    failLaunch(FindingKind::endlessLoop,
               "this thread does not come to an end: an endless loop, or it waits for another "
               "thread (here threads run one after another)",
               siteOf(static_cast<const ucontext_t*>(raw), 0), 702);
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | flags;
    sigaction(signal, &action, nullptr);
}

}  // namespace

void beginWatchedBlock(double now) {
    blockBegan = now;
}

void watchSignals() {
    stack_t stack{};
    stack.ss_size = 256 * 1024;
    stack.ss_sp = std::malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
    handle(SIGSEGV, onFault, SA_ONSTACK);
    handle(SIGBUS, onFault, SA_ONSTACK);
    handle(SIGILL, onAbort, SA_ONSTACK);
    handle(SIGFPE, onArithmetic, SA_ONSTACK);
    handle(SIGABRT, onAbort, SA_ONSTACK);
    handle(SIGVTALRM, onTick, SA_RESTART | SA_ONSTACK);
    itimerval each{{0, 250000}, {0, 250000}};
    setitimer(ITIMER_VIRTUAL, &each, nullptr);
}

}  // namespace warplens::runtime
