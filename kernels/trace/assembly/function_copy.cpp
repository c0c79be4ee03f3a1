#include "kernels/trace/assembly/function_copy.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "kernels/trace/assembly/before_access.h"
#include "kernels/trace/assembly/control_flow.h"
#include "kernels/trace/assembly/event_text.h"
#include "kernels/trace/assembly/hooks.h"
#include "kernels/trace/assembly/instrument.h"
#include "kernels/trace/assembly/regions.h"
#include "kernels/trace/assembly/repeated_loads.h"
#include "kernels/trace/assembly/unhooked.h"

namespace warplens::assembly {
namespace {

using runtime::SiteKind;

bool isMemoryCall(std::string_view callee) {
    return callee == "memcpy" || callee == "memmove" || callee == "memset";
}

bool isQuietBegin(std::string_view line) {
    return line.find("# wl-quiet begin") != std::string_view::npos;
}
bool isQuietEnd(std::string_view line) {
    return line.find("# wl-quiet end") != std::string_view::npos;
}

/// The copy of one function with its events, and the rows of the tables for it.
class Copy final {
  public:
    Copy(const DeviceCode& code, const DeviceFunction& device, std::size_t firstSite,
         const std::set<std::pair<std::uint32_t, std::uint32_t>>& compound)
        : code_(code),
          device_(device),
          unit_(*device.unit),
          function_(*device.function),
          flow_(unit_, function_),
          next_(firstSite),
          events_(text_, aside_, device.index) {
        for (const Instruction& instruction : function_.body) {
            if (const auto label = labelOf(unit_.lines[instruction.line]); !label.empty()) {
                labels_.insert(label);
            }
        }
        blockOf_.assign(function_.body.size(), 0);
        for (std::uint32_t block = 0; block < flow_.blocks().size(); ++block) {
            for (std::uint32_t i = flow_.blocks()[block].first; i < flow_.blocks()[block].end;
                 ++i) {
                blockOf_[i] = block;
            }
        }
        unhooked_ = unhookedAccesses(unit_, function_);
        repeated_ = repeatedLoads(unit_, function_, compound);
        outcomes_ = partOutcomes(unit_, function_);
        copy();
        out_ += placeRegions(flow_, firstSite, sites_);
    }

    [[nodiscard]] FunctionCopy take() {
        return {std::move(out_), std::move(sites_), std::move(divisions_)};
    }

  private:
    void copy() {
        const std::string name = std::string(function_.name) + ".wl";
        if (function_.isGlobal) out_ = "\t.globl\t" + name + "\n";
        out_ += "\t.p2align 4\n\t.type\t" + name + ", @function\n" + name + ":\n";
        bool quiet = false;
        for (std::size_t i = 0; i < function_.body.size(); ++i) {
            const std::string_view line = unit_.lines[function_.body[i].line];
            if (isQuietBegin(line)) quiet = true;
            if (isQuietEnd(line)) quiet = false;
            if (const auto label = labelOf(line); !label.empty()) {
                text_ += renamed(label) + ":\n";
                continue;
            }
            const std::string_view mnemonic = mnemonicOf(line);
            if (mnemonic.empty()) continue;
            if (const auto found = unhooked_.find(i); found != unhooked_.end() && !quiet) {
                locate(function_.body[i].location);
                unhooked(i, found->second);
            }
            instruction(i, line, mnemonic, quiet);
        }
        out_ += text_ + aside_ + "\t.size\t" + name + ", .-" + name + "\n";
    }

    /// Debuggers and signal handlers find the line of a copy's instruction as of any other.
    void locate(const Location& location) {
        if (location.line == last_.line && location.column == last_.column &&
            location.file == last_.file) {
            return;
        }
        last_ = location;
        text_ += "\t.loc\t" + std::to_string(location.file) + " " + std::to_string(location.line) +
                 " " + std::to_string(location.column) + "\n";
    }

    void instruction(std::size_t i, std::string_view line, std::string_view mnemonic, bool quiet) {
        locate(function_.body[i].location);
        const std::string_view operands = operandsOf(line);
        if (isConditionalJump(mnemonic)) {
            if (asksForGuard(unit_, function_, i)) {
                text_ += "\tjmp\t" + renamed(operands) + "\n";
                return;
            }
            if (quiet || isCompilersOwnJump(unit_, function_, i)) return keep(line);
            return branch(i, mnemonic, operands);
        }
        if (mnemonic.starts_with("idiv") || mnemonic.starts_with("div")) {
            if (mnemonic.size() <= 5 && mnemonic.find("ss") == std::string_view::npos &&
                mnemonic.find("sd") == std::string_view::npos) {
                return division(i, line);
            }
        }
        if (mnemonic == "call") return call(i, line, operands, quiet);
        keep(line);
    }

    void keep(std::string_view line) {
        text_ += renamedIn(line);
        text_ += '\n';
    }

    std::size_t site(std::size_t i, SiteKind kind, std::uint32_t bytes = 0,
                     std::uint32_t flags = 0) {
        if (function_.origin == Origin::library) flags |= runtime::siteOfLibrary;
        PlannedSite& planned = sites_.emplace_back();
        planned.kind = kind;
        planned.bytes = bytes;
        planned.flags = flags;
        planned.location = function_.body[i].location;
        planned.block = blockOf_[i];
        if (next_ >= mostSites) {
            throw std::runtime_error("more than " + std::to_string(mostSites) +
                                     " accesses, branches and calls in device code");
        }
        return next_++;
    }

    void branch(std::size_t i, std::string_view mnemonic, std::string_view target) {
        const std::size_t place = site(i, SiteKind::branch);
        if (const auto named = outcomes_.find(i); named != outcomes_.end()) {
            sites_.back().outcomes = named->second;
        }
        const auto landing = labels_.find(target);
        bool dead = false;
        if (landing != labels_.end()) {
            for (std::size_t k = 0; k < function_.body.size(); ++k) {
                if (labelOf(unit_.lines[function_.body[k].line]) == target) {
                    dead = flagsAreDead(unit_, function_, k);
                    break;
                }
            }
        }
        const std::string edge = events_.edge(place, renamed(target), dead);
        text_ += "\t" + std::string(mnemonic) + "\t" + edge + "\n";
        events_.mark(place, 0);
        if (flagsAreDead(unit_, function_, i + 1)) events_.checkRoom();
    }

    void division(std::size_t i, std::string_view line) {
        const std::size_t place = site(i, SiteKind::division);
        const std::string id = std::to_string(place);
        text_ += ".LWD" + id + ":\n";
        keep(line);
        text_ += ".LWE" + id + ":\n";
        divisions_ += "\t.quad\t.LWD" + id + ", .LWE" + id + ", " + id + "\n";
    }

    void call(std::size_t i, std::string_view line, std::string_view callee, bool quiet) {
        if (const std::optional<Hook> hook = hookNamed(callee)) {
            if (quiet || isOfFrame(unit_, function_, i) || asksForGuard(unit_, function_, i) ||
                repeated_.contains(i)) {
                return;
            }
            return access(i, *hook);
        }
        if (callee.starts_with("__tsan_")) {
            if (callee.starts_with("__tsan_atomic")) {
                text_ += "\tcall\twlh_" + std::string(callee.substr(7)) + "\n";
            }
            return;
        }
        if (quiet) return keep(line);
        if (callee.starts_with('*')) return indirect(i, callee);
        if (const DeviceFunction* device = code_.find(unit_, callee)) {
            const std::string target = std::string(device->function->name) + ".wl";
            if (!device->eventful) {
                text_ += "\tcall\t" + target + "\n";
                return;
            }
            enter(i);
            text_ += "\tcall\t" + target + "\n";
            leave();
            return;
        }
        if (isMemoryCall(callee)) memoryCall(i, callee);
        if (callee == "clock") {
            text_ += "\tcall\twl_clock_here\n";
            return;
        }
        if (const std::string_view own = heapFunction(callee); !own.empty()) {
            text_ += "\tcall\t" + std::string(own) + "\n";
            return;
        }
        const Function* function = code_.definitionOf(unit_, callee).second;
        if (function != nullptr && function->origin == Origin::ours) {
            if (function->role == Role::event) events_.mark(site(i, SiteKind::warpEvent));
            if (function->role == Role::atomic) {
                const bool isCompare = callee.find("atomicCAS") != std::string_view::npos;
                events_.address(site(i, SiteKind::atomic, atomicBytes(callee),
                                     isCompare ? runtime::siteIsCompare : 0));
                events_.checkRoom();
            }
        }
        keep(line);
    }

    void access(std::size_t i, const Hook& hook) {
        std::uint32_t bytes = hook.bytes;
        std::uint32_t flags = 0;
        if (hook.isVolatile) flags |= runtime::siteIsVolatile;
        if (bytes == 0) {
            bytes = constantBefore(unit_, function_, i, "%esi", "%rsi", 4);
            flags |= runtime::siteIsRange;
        }
        if (hook.alignment == 1) flags |= runtime::siteIsUnaligned;
        if (hook.bytes > 4 && hook.alignment == 4) flags |= runtime::siteIsRange;
        const std::size_t place =
            site(i, hook.store ? SiteKind::store : SiteKind::load, bytes, flags);
        sites_.back().object = sharedNamedBefore(unit_, function_, i);
        events_.address(place);
        if (hook.isVolatile) {
            text_ += "\tcall\twl_lockstep\n";
        } else {
            events_.checkRoom();
        }
    }

    void unhooked(std::size_t i, const UnhookedAccess& access) {
        const bool inPieces = access.bytes != 1 && access.bytes != 2 && access.bytes != 4 &&
                              access.bytes != 8 && access.bytes != 16;
        const std::size_t place = site(i, access.store ? SiteKind::store : SiteKind::load,
                                       access.bytes, inPieces ? runtime::siteIsRange : 0);
        text_ += "\tpushq\t%rdi\n\tleaq\t" + access.address + ", %rdi\n";
        events_.address(place);
        text_ += "\tpopq\t%rdi\n";
        if (flagsAreDead(unit_, function_, i)) events_.checkRoom();
    }

    /// memcpy and its like, of a size that the source fixes: one access of that many bytes on each
    /// side.
    void memoryCall(std::size_t i, std::string_view callee) {
        const std::uint32_t bytes = constantBefore(unit_, function_, i, "%edx", "%rdx", 0);
        if (bytes == 0) return;
        if (callee != "memset") {
            const std::size_t load = site(i, SiteKind::load, bytes, runtime::siteIsRange);
            text_ += "\tpushq\t%rdi\n\tmovq\t%rsi, %rdi\n";
            events_.address(load);
            text_ += "\tpopq\t%rdi\n";
        }
        events_.address(site(i, SiteKind::store, bytes, runtime::siteIsRange));
        events_.checkRoom();
    }

    void enter(std::size_t i) {
        events_.mark(site(i, SiteKind::enter));
        events_.checkRoom();
        entered_ = i;
    }
    void leave() { events_.mark(site(entered_, SiteKind::leave)); }

    void indirect(std::size_t i, std::string_view callee) {
        enter(i);
        text_ += "\tmovq\t" + std::string(callee.substr(1)) + ", %r11\n\tcall\twl_indirect\n";
        leave();
    }

    [[nodiscard]] std::string renamed(std::string_view label) const {
        if (!labels_.contains(label)) return std::string(label);
        return ".LW" + std::to_string(device_.index) + std::string(label.substr(1));
    }
    [[nodiscard]] std::string renamedIn(std::string_view line) const {
        const std::size_t at = line.find(".L");
        if (at == std::string_view::npos) return std::string(line);
        std::size_t end = at;
        while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                                     line[end] == '.' || line[end] == '_')) {
            ++end;
        }
        return std::string(line.substr(0, at)) + renamed(line.substr(at, end - at)) +
               std::string(line.substr(end));
    }

    const DeviceCode& code_;
    const DeviceFunction& device_;
    const Unit& unit_;
    const Function& function_;
    ControlFlow flow_;
    std::size_t next_;
    std::string out_;
    std::string text_;
    std::string aside_;
    std::string divisions_;
    EventText events_;
    std::vector<PlannedSite> sites_;
    std::map<std::size_t, UnhookedAccess> unhooked_;
    std::set<std::size_t> repeated_;
    std::vector<std::uint32_t> blockOf_;
    std::map<std::size_t, std::uint32_t> outcomes_;  ///< by instruction
    std::unordered_set<std::string_view> labels_;
    std::size_t entered_ = 0;
    Location last_;
};

}  // namespace

FunctionCopy copyWithEvents(const DeviceCode& code, const DeviceFunction& device,
                            std::size_t firstSite,
                            const std::set<std::pair<std::uint32_t, std::uint32_t>>& compound) {
    return Copy(code, device, firstSite, compound).take();
}

}  // namespace warplens::assembly
