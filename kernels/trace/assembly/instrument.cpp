#include "kernels/trace/assembly/instrument.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "kernels/trace/assembly/control_flow.h"
#include "kernels/trace/assembly/event_text.h"
#include "kernels/trace/assembly/hooks.h"
#include "kernels/trace/assembly/unhooked.h"
#include "kernels/trace/runtime/tables.h"

namespace warplens::assembly {
namespace {

using runtime::SiteKind;

struct PlannedSite final {
    SiteKind kind = SiteKind::load;
    std::uint32_t bytes = 0;
    std::uint32_t flags = 0;
    Location location;
    std::uint32_t block = 0;
    std::string region;  ///< label of its bits; empty where none
    std::string object;  ///< the shared variable named just before; empty where none
    std::uint32_t outcomes = 0;
};

/// A function that kernels reach.
struct DeviceFunction final {
    const Unit* unit = nullptr;
    const Function* function = nullptr;
    std::size_t index = 0;
    bool eventful = false;
};

bool isQuietBegin(std::string_view line) {
    return line.find("# wl-quiet begin") != std::string_view::npos;
}
bool isQuietEnd(std::string_view line) {
    return line.find("# wl-quiet end") != std::string_view::npos;
}

/// All functions of all units that kernels reach, and which of them have events.
class DeviceCode final {
  public:
    explicit DeviceCode(std::span<const Unit> units) : units_(units) {
        for (const Unit& unit : units) {
            for (const Function& function : unit.functions) {
                if (function.role == Role::kernel) add(unit, function);
            }
        }
        for (std::size_t i = 0; i < functions_.size(); ++i) reach(functions_[i]);
        findEventful();
    }

    [[nodiscard]] const std::vector<DeviceFunction>& functions() const { return functions_; }

    /// The function that a call in `unit` reaches; null for one that is not copied.
    [[nodiscard]] const DeviceFunction* find(const Unit& unit, std::string_view name) const {
        const Function* function = definitionOf(unit, name).second;
        if (function == nullptr) return nullptr;
        const auto found = index_.find(function);
        return found == index_.end() ? nullptr : &functions_[found->second];
    }
    /// Any function, copied or not.
    [[nodiscard]] std::pair<const Unit*, const Function*> definitionOf(
        const Unit& unit, std::string_view name) const {
        if (const auto found = unit.functionByName.find(name); found != unit.functionByName.end()) {
            return {&unit, &unit.functions[found->second]};
        }
        for (const Unit& other : units_) {
            const auto found = other.functionByName.find(name);
            if (found != other.functionByName.end()) {
                return {&other, &other.functions[found->second]};
            }
        }
        return {nullptr, nullptr};
    }

  private:
    void add(const Unit& unit, const Function& function) {
        if (index_.contains(&function)) return;
        index_[&function] = functions_.size();
        functions_.push_back({&unit, &function, functions_.size(), false});
    }

    void reach(DeviceFunction from) {
        for (const Instruction& instruction : from.function->body) {
            const std::string_view line = from.unit->lines[instruction.line];
            const std::string_view mnemonic = mnemonicOf(line);
            if (mnemonic.empty()) continue;
            std::string_view operands = operandsOf(line);
            if (mnemonic == "call" || mnemonic == "jmp") {
                consider(*from.unit, operands);
            } else if (const std::size_t at = operands.find("$_Z"); at != std::string_view::npos) {
                operands.remove_prefix(at + 1);
                operands = operands.substr(0, operands.find_first_of(",+"));
                consider(*from.unit, operands);
                if (operands.starts_with("_ZTV")) considerVirtual(*from.unit, operands);
            }
        }
    }
    /// What a table of virtual functions names is reached through it.
    void considerVirtual(const Unit& unit, std::string_view table) {
        const std::string label = std::string(table) + ':';
        for (const Unit& each : units_) {
            const auto at = std::find(each.lines.begin(), each.lines.end(), label);
            for (auto line = at; line != each.lines.end() && ++line != each.lines.end();) {
                if (mnemonicOrDirective(*line) != ".quad") break;
                consider(unit, operandsOf(*line));
            }
        }
    }
    static std::string_view mnemonicOrDirective(std::string_view line) {
        while (!line.empty() && (line.front() == '\t' || line.front() == ' ')) {
            line.remove_prefix(1);
        }
        return line.substr(0, line.find_first_of(" \t"));
    }
    void consider(const Unit& unit, std::string_view name) {
        const auto [home, function] = definitionOf(unit, name);
        if (function == nullptr || function->origin == Origin::ours) return;
        if (function->name.starts_with("_ZTW") || function->name.starts_with("_ZTH")) return;
        add(*home, *function);
    }

    [[nodiscard]] bool hasOwnEvents(const DeviceFunction& device) const {
        if (!unhookedAccesses(*device.unit, *device.function).empty()) return true;
        for (std::size_t i = 0; i < device.function->body.size(); ++i) {
            const std::string_view line = device.unit->lines[device.function->body[i].line];
            const std::string_view mnemonic = mnemonicOf(line);
            if (mnemonic.empty()) continue;
            if (isConditionalJump(mnemonic)) return true;
            if (mnemonic != "call") continue;
            const std::string_view callee = operandsOf(line);
            if (callee.starts_with('*') || hookNamed(callee)) return true;
            const Function* function = definitionOf(*device.unit, callee).second;
            if (function != nullptr && function->origin == Origin::ours &&
                function->role != Role::plain) {
                return true;
            }
        }
        return false;
    }
    void findEventful() {
        for (DeviceFunction& device : functions_) device.eventful = hasOwnEvents(device);
        for (bool changed = true; changed;) {
            changed = false;
            for (DeviceFunction& device : functions_) {
                if (device.eventful || !callsEventful(device)) continue;
                device.eventful = true;
                changed = true;
            }
        }
    }
    [[nodiscard]] bool callsEventful(const DeviceFunction& device) const {
        return std::any_of(device.function->body.begin(), device.function->body.end(),
                           [&](const Instruction& instruction) {
                               const std::string_view line = device.unit->lines[instruction.line];
                               if (mnemonicOf(line) != "call") return false;
                               const DeviceFunction* callee = find(*device.unit, operandsOf(line));
                               return callee != nullptr && callee->eventful;
                           });
    }

    std::span<const Unit> units_;
    std::vector<DeviceFunction> functions_;
    std::unordered_map<const Function*, std::size_t> index_;
};

/// Bytes of an atomic's operand, from the first parameter of its mangled name.
std::uint32_t atomicBytes(std::string_view mangled) {
    std::string_view rest = mangled;
    if (!rest.starts_with("_Z")) return 4;
    rest.remove_prefix(2);
    std::size_t length = 0;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
        length = length * 10 + static_cast<std::size_t>(rest.front() - '0');
        rest.remove_prefix(1);
    }
    if (length > rest.size()) return 4;
    rest.remove_prefix(length);
    if (!rest.starts_with('P')) return 4;
    rest.remove_prefix(1);
    if (rest.starts_with("6__half") || rest.starts_with("14__nv_bfloat16") ||
        rest.starts_with('t') || rest.starts_with('s')) {
        return 2;
    }
    switch (rest.empty() ? 'i' : rest.front()) {
        case 'y':
        case 'x':
        case 'm':
        case 'l':
        case 'd':
            return 8;
        default:
            return 4;
    }
}

/// Kernels have a heap of their own (memory.h); empty for what has nothing to do with it.
std::string_view heapFunction(std::string_view callee) {
    if (callee == "malloc" || callee == "_Znwm" || callee == "_Znam") return "wl_heap_allocate";
    if (callee == "free" || callee == "_ZdlPv" || callee == "_ZdlPvm" || callee == "_ZdaPv" ||
        callee == "_ZdaPvm") {
        return "wl_heap_free";
    }
    return {};
}

/// The copy of one function with its events, and the rows of the tables for it.
class FunctionCopy final {
  public:
    FunctionCopy(const DeviceCode& code, const DeviceFunction& device, std::size_t firstSite,
                 const Statements* statements)
        : code_(code),
          device_(device),
          unit_(*device.unit),
          function_(*device.function),
          flow_(unit_, function_),
          next_(firstSite),
          firstSite_(firstSite),
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
        if (statements != nullptr) chooseBranches(*statements);
        copy();
        placeRegions();
    }

    [[nodiscard]] std::string take() { return std::move(out_); }
    [[nodiscard]] const std::vector<PlannedSite>& sites() const { return sites_; }
    [[nodiscard]] const std::string& divisions() const { return divisions_; }

  private:
    [[nodiscard]] bool hasEvent(std::size_t i) const {
        if (unhooked_.contains(i)) return true;
        const std::string_view line = unit_.lines[function_.body[i].line];
        if (mnemonicOf(line) != "call") return false;
        const std::string_view callee = operandsOf(line);
        if (hookNamed(callee)) return !isOfFrame(unit_, function_, i);
        if (callee.starts_with('*') || callee == "wl_round") return true;
        if (const DeviceFunction* device = code_.find(unit_, callee)) return device->eventful;
        const Function* function = code_.definitionOf(unit_, callee).second;
        return function != nullptr && function->role != Role::plain;
    }

    void chooseBranches(const Statements& statements) {
        outcomes_ = statementOutcomes(unit_, function_, statements);
        std::vector<bool> events(flow_.blocks().size(), false);
        for (std::size_t i = 0; i < function_.body.size(); ++i) {
            if (hasEvent(i) || outcomes_.contains(i)) events[blockOf_[i]] = true;
        }
        quietEnds_.assign(events.size(), false);
        for (std::uint32_t block = 0; block < events.size(); ++block) {
            const std::vector<std::uint32_t> between = flow_.between(block);
            quietEnds_[block] = std::none_of(between.begin(), between.end(),
                                             [&](std::uint32_t b) { return events[b]; });
        }
    }

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
            if (asksForGuard(i)) {
                text_ += "\tjmp\t" + renamed(operands) + "\n";
                return;
            }
            if (quiet || isCompilersOwnJump(unit_, function_, i)) return keep(line);
            if (!quietEnds_.empty() && quietEnds_[blockOf_[i]] && !outcomes_.contains(i)) {
                return keep(line);
            }
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
            if (quiet || isOfFrame(unit_, function_, i) || asksForGuard(i)) return;
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
        if (const std::string_view own = heapFunction(callee); !own.empty()) {
            text_ += "\tcall\t" + std::string(own) + "\n";
            return;
        }
        const Function* function = code_.definitionOf(unit_, callee).second;
        if (function != nullptr && function->origin == Origin::ours) {
            if (function->role == Role::event) events_.mark(site(i, SiteKind::warpEvent));
            if (function->role == Role::atomic) {
                events_.address(site(i, SiteKind::atomic, atomicBytes(callee)));
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
            bytes = rangeBytes(i);
            flags |= runtime::siteIsRange;
        }
        if (hook.alignment == 1) flags |= runtime::siteIsUnaligned;
        if (hook.bytes > 4 && hook.alignment == 4) flags |= runtime::siteIsRange;
        const std::size_t place =
            site(i, hook.store ? SiteKind::store : SiteKind::load, bytes, flags);
        sites_.back().object = sharedNamedBefore(i);
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

    /// Whether what stands there asks if a shared variable has been constructed: in CUDA none is.
    [[nodiscard]] bool asksForGuard(std::size_t i) const {
        for (std::size_t k = i; k-- > 0 && k + 8 > i;) {
            const std::string_view line = unit_.lines[function_.body[k].line];
            if (!labelOf(line).empty() || isConditionalJump(mnemonicOf(line))) return false;
            const std::string_view operands = operandsOf(line);
            if (mnemonicOf(line) == "call" && !hookNamed(operands)) return false;
            if (operands.find("_ZGV") != std::string_view::npos &&
                operands.find("tpoff") != std::string_view::npos) {
                return true;
            }
        }
        return false;
    }

    /// The shared variable whose address is computed for the access: named since the access before.
    [[nodiscard]] std::string sharedNamedBefore(std::size_t i) const {
        for (std::size_t k = i; k-- > 0 && k + 24 > i;) {
            const std::string_view line = unit_.lines[function_.body[k].line];
            if (!labelOf(line).empty()) return {};
            const std::string_view mnemonic = mnemonicOf(line);
            if (mnemonic == "call" || isConditionalJump(mnemonic)) return {};
            for (const std::string_view suffix : {"@tpoff", "@gottpoff"}) {
                const std::string_view operands = operandsOf(line);
                const std::size_t at = operands.find(suffix);
                if (at == std::string_view::npos || operands.find("%fs:") < at) continue;
                std::size_t begin = at;
                while (begin > 0 && operands[begin - 1] != '$' && operands[begin - 1] != ' ' &&
                       operands[begin - 1] != '(') {
                    --begin;
                }
                const std::string_view symbol = operands.substr(begin, at - begin);
                if (symbol.starts_with("_ZGV")) return {};
                return std::string(symbol);
            }
        }
        return {};
    }

    /// `movl $12, %esi` stands shortly before a hook for a range.
    [[nodiscard]] std::uint32_t rangeBytes(std::size_t i) const {
        for (std::size_t k = i; k-- > 0 && k + 6 > i;) {
            const std::string_view line = unit_.lines[function_.body[k].line];
            const std::string_view operands = operandsOf(line);
            if (!mnemonicOf(line).starts_with("mov") || !operands.starts_with('$') ||
                !(operands.ends_with("%esi") || operands.ends_with("%rsi"))) {
                continue;
            }
            return static_cast<std::uint32_t>(
                std::strtoul(std::string(operands.substr(1)).c_str(), nullptr, 10));
        }
        return 4;
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

    /// For each branch one bit for each place of the function: set where lanes may come to before
    /// they meet again.
    void placeRegions() {
        if (sites_.empty()) return;
        const std::size_t words = (sites_.size() + 63) / 64;
        std::string table;
        for (std::size_t s = 0; s < sites_.size(); ++s) {
            if (sites_[s].kind != SiteKind::branch) continue;
            std::vector<bool> inside(flow_.blocks().size(), false);
            for (const std::uint32_t block : flow_.between(sites_[s].block)) inside[block] = true;
            sites_[s].region = ".LWB" + std::to_string(firstSite_ + s);
            table += sites_[s].region + ":\n\t.quad\t";
            for (std::size_t word = 0; word < words; ++word) {
                std::uint64_t bits = 0;
                for (std::size_t b = 0; b < 64 && word * 64 + b < sites_.size(); ++b) {
                    if (inside[sites_[word * 64 + b].block]) bits |= std::uint64_t{1} << b;
                }
                table += (word == 0 ? "" : ",") + std::to_string(bits);
            }
            table += "\n";
        }
        if (!table.empty()) {
            out_ += "\t.section\twl_regions,\"a\"\n\t.balign 8\n" + table + "\t.text\n";
        }
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
    std::size_t firstSite_;
    std::string out_;
    std::string text_;
    std::string aside_;
    std::string divisions_;
    EventText events_;
    std::vector<PlannedSite> sites_;
    std::map<std::size_t, UnhookedAccess> unhooked_;
    std::vector<std::uint32_t> blockOf_;
    std::map<std::size_t, std::uint32_t> outcomes_;  ///< by instruction
    std::vector<bool> quietEnds_;  ///< by block: no event depends on the branch at its end
    std::unordered_set<std::string_view> labels_;
    std::size_t entered_ = 0;
    Location last_;
};

std::string lastNameOf(std::string_view symbol) {
    int status = 0;
    const std::string mangled(symbol);
    char* demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 ? demangled : mangled;
    std::free(demangled);
    if (const std::size_t colons = name.rfind("::"); colons != std::string::npos) {
        name = name.substr(colons + 2);
    }
    return name;
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

/// One unit: the compiler's text without its hooks, launches for kernels, copies, tables.
class UnitText final {
  public:
    UnitText(const DeviceCode& code, const Unit& unit, const DeviceVariables& variables,
             const Statements* statements, std::size_t& nextSite)
        : code_(code),
          unit_(unit),
          variables_(variables),
          statements_(statements),
          nextSite_(nextSite) {}

    [[nodiscard]] std::string make() {
        original();
        copies();
        objects();
        return std::move(out_);
    }

  private:
    void original() {
        std::size_t at = 0;
        for (const Function& function : unit_.functions) {
            if (function.role != Role::kernel) continue;
            hostLines(at, function.firstLine + 1);
            launchStub(function);
            at = function.endLine;
        }
        hostLines(at, unit_.lines.size());
    }

    void hostLines(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const std::string_view line = unit_.lines[i];
            const std::size_t hook = line.find("__tsan_");
            if (hook != std::string_view::npos) {
                if (line.substr(hook).starts_with("__tsan_atomic")) {
                    out_ += std::string(line.substr(0, hook)) + "wlh_" +
                            std::string(line.substr(hook + 7)) + "\n";
                } else if (line.find("jmp") != std::string_view::npos) {
                    out_ += "\tret\n";
                }
                continue;
            }
            out_ += line;
            out_ += '\n';
        }
    }

    /// Calling a kernel launches it, as configured before.
    void launchStub(const Function& function) {
        const std::string name(function.name);
        out_ += "\tleaq\t.LWK_" + name + "(%rip), %rax\n\tjmp\twl_launch_entry\n";
        // What the rest of the text refers to stays: labels, and files that are named here first.
        for (std::size_t i = function.firstLine + 1; i < function.endLine; ++i) {
            if (unit_.lines[i].starts_with("\t.file")) {
                out_ += unit_.lines[i];
                out_ += '\n';
            }
        }
        for (const Instruction& instruction : function.body) {
            if (const auto label = labelOf(unit_.lines[instruction.line]); !label.empty()) {
                out_ += label;
                out_ += ":\n";
            }
        }
    }

    void copies() {
        out_ += "\t.text\n";
        std::string tables;
        for (const DeviceFunction& device : code_.functions()) {
            if (device.unit != &unit_) continue;
            const std::size_t first = nextSite_;
            FunctionCopy copy(code_, device, first, statements_);
            nextSite_ += copy.sites().size();
            out_ += copy.take();
            rows(device, copy, first);
        }
        out_ += "\t.section\twl_strings,\"a\"\n" + strings_;
        out_ += "\t.section\twl_sites,\"a\"\n\t.balign 8\n" + sites_;
        out_ += "\t.section\twl_functions,\"a\"\n\t.balign 8\n" + functions_;
        out_ += "\t.section\twl_kernels,\"aw\"\n\t.balign 8\n" + kernels_;
        out_ += "\t.section\twl_divisions,\"a\"\n\t.balign 8\n" + divisions_;
    }

    std::string fileLabel(std::uint32_t file) {
        const auto found = unit_.files.find(file);
        if (found == unit_.files.end()) return "0";
        const std::string label = ".LWfile" + std::to_string(file);
        if (fileLabels_.insert(file).second) {
            strings_ += label + ":\n\t.asciz\t" + quoted(found->second) + "\n";
        }
        return label;
    }

    void rows(const DeviceFunction& device, const FunctionCopy& copy, std::size_t first) {
        const std::string id = std::to_string(device.index);
        const std::string name(device.function->name);
        strings_ += ".LWname" + id + ":\n\t.asciz\t" + quoted(name) + "\n";
        functions_ += ".LWfn" + id + ":\n\t.quad\t.LWname" + id + ", " + name + ", " + name +
                      ".wl\n\t.long\t" + std::to_string(first) + ", " +
                      std::to_string(copy.sites().size()) + "\n";
        bool isVolatile = false;
        for (const PlannedSite& site : copy.sites()) {
            isVolatile = isVolatile || (site.flags & runtime::siteIsVolatile) != 0;
            sites_ += "\t.quad\t" + fileLabel(site.location.file) + ", .LWfn" + id + ", " +
                      objectLabel(site.object) + ", " + (site.region.empty() ? "0" : site.region) +
                      "\n\t.long\t" + std::to_string(static_cast<int>(site.kind)) + ", " +
                      std::to_string(site.bytes) + ", " + std::to_string(site.flags) + ", " +
                      std::to_string(site.location.line) + ", " +
                      std::to_string(site.location.column) + ", " + std::to_string(site.outcomes) +
                      "\n";
        }
        divisions_ += copy.divisions();
        if (device.function->role == Role::kernel) {
            kernels_ += ".LWK_" + name + ":\n\t.quad\t.LWname" + id + ", " + name + ".wl, 0, " +
                        (isVolatile ? "1" : "0") + "\n";
        }
    }

    [[nodiscard]] std::string objectLabel(const std::string& symbol) const {
        const auto found = unit_.objects.find(symbol);
        return found == unit_.objects.end() || !found->second.threadLocal ? "0" : ".LWO_" + symbol;
    }

    void objects() {
        std::string rows;
        std::size_t index = 0;
        for (const auto& [symbol, object] : unit_.objects) {
            if (symbol.starts_with("_ZT") || symbol.starts_with("_ZGV") ||
                symbol.starts_with("DW.") || symbol.starts_with(".")) {
                continue;
            }
            const std::string name = lastNameOf(symbol);
            std::uint32_t flags = 0;
            if (object.threadLocal) flags |= runtime::objectIsShared;
            if (!object.defined) {
                if (!object.threadLocal) continue;
                flags |= runtime::objectIsDynamic;
            }
            if (variables_.constant.contains(name)) flags |= runtime::objectIsConstant;
            if (variables_.device.contains(name)) flags |= runtime::objectIsDevice;
            const std::string id = std::to_string(index++);
            out_ += "\t.section\twl_strings,\"a\"\n.LWobject" + id + ":\n\t.asciz\t" +
                    quoted(symbol) + "\n";
            rows += ".LWO_" + std::string(symbol) + ":\n\t.quad\t.LWobject" + id + ", " +
                    std::string(symbol) + (object.threadLocal ? "@tpoff" : "") + ", " +
                    std::to_string(object.bytes) + ", " + std::to_string(flags) + "\n";
        }
        out_ += "\t.section\twl_objects,\"a\"\n\t.balign 8\n" + rows + "\t.text\n";
    }

    const DeviceCode& code_;
    const Unit& unit_;
    const DeviceVariables& variables_;
    const Statements* statements_;
    std::size_t& nextSite_;
    std::string out_;
    std::string strings_;
    std::string sites_;
    std::string functions_;
    std::string kernels_;
    std::string divisions_;
    std::set<std::uint32_t> fileLabels_;
};

/// All `extern __shared__` arrays begin at one place, as in CUDA.
std::string dynamicShared(std::span<const Unit> units) {
    std::set<std::string_view> names;
    for (const Unit& unit : units) {
        for (const auto& [symbol, object] : unit.objects) {
            if (object.threadLocal && !object.defined) names.insert(symbol);
        }
    }
    std::string text = "\t.section\t.tbss,\"awT\",@nobits\n\t.balign 1024\n";
    for (const std::string_view name : names) {
        text += "\t.globl\t" + std::string(name) + "\n\t.type\t" + std::string(name) +
                ", @object\n" + std::string(name) + ":\n";
    }
    text += "\t.zero\t" + std::to_string(runtime::mostDynamicSharedBytes) +
            "\n\t.section\t.note.GNU-stack,\"\",@progbits\n";
    return text;
}

}  // namespace

Instrumented instrument(std::span<const Unit> units, const DeviceVariables& variables,
                        const Statements* statements) {
    Instrumented result;
    const DeviceCode code(units);
    std::size_t nextSite = 1;  // 0 stands for none
    for (const Unit& unit : units) {
        result.units.push_back(UnitText(code, unit, variables, statements, nextSite).make());
    }
    result.shared = dynamicShared(units);
    result.sites = nextSite - 1;
    return result;
}

}  // namespace warplens::assembly
