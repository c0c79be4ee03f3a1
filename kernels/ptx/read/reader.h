#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/ptx/read/lexer.h"
#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

/// Finds where instructions stand in what the person wrote. Code of a library counts at the place
/// that it was inlined at, through all libraries between; where that is not said, as in the PTX of
/// `-G`, at the person's place before it in the function.
class Places final {
  public:
    void beginFunction() {
        latest_.clear();
        ofInstructions_.clear();
        current_ = none;
    }
    /// A `.loc`; `caller` is its `inlined_at`, or null.
    void set(const Place& place, const Place* caller) {
        u32 of = none;
        if (caller != nullptr) {
            // The caller's own `.loc` stands before, with where that was inlined at.
            const auto found = latest_.find(*caller);
            of = found == latest_.end() ? add(*caller, none) : found->second;
        }
        const auto known = latest_.find(place);
        const bool isKnown = known != latest_.end() && locations_[known->second].caller == of;
        current_ = isKnown ? known->second : add(place, of);
    }
    /// The function's next instruction is at the last `.loc`.
    void addInstruction() { ofInstructions_.push_back(current_); }
    void endFunction(Function& function) { functions_.emplace_back(&function, ofInstructions_); }

    /// Puts places into the instructions of all functions, once the files' names are known, and
    /// `Function::isLibrary`.
    void apply(const std::map<u32, std::string>& files) const;

  private:
    static constexpr u32 none = 0xffffffffu;
    struct Location final {
        Place place;
        u32 caller = none;  ///< a location before
    };
    u32 add(const Place& place, u32 caller) {
        const auto index = u32(locations_.size());
        locations_.push_back({place, caller});
        return latest_[place] = index;
    }

    std::vector<Location> locations_;
    std::map<Place, u32> latest_;  ///< of the function, by place
    u32 current_ = none;
    std::vector<u32> ofInstructions_;
    std::vector<std::pair<Function*, std::vector<u32>>> functions_;
};

constexpr int maxDepth = 64;  // of blocks and lists within one another

/// `0f3F800000`, `1.5`, and the bits of such a number as a double.
[[nodiscard]] bool isReal(std::string_view token);
[[nodiscard]] u64 bitsOfReal(std::string_view token);
[[nodiscard]] std::optional<Space> spaceNamed(std::string_view token);
/// `u32` of `.u32`; nothing at the end of the text.
[[nodiscard]] std::string_view withoutDot(std::string_view word);

/// `%r<5>` declares five registers by one entry; `%SP` one.
struct RegisterRange final {
    s32 first = 0;
    u32 count = 1;
};

/// Reads a module of PTX, token by token; the first error ends it.
class Reader final {
  public:
    explicit Reader(Module& module) : module_(module), lexer_(*module.text) {}

    std::optional<ReadError> read() {
        while (goesOn()) readTopLevel();
        places_.apply(module_.files);
        return error_;
    }

  private:
    using Scope = std::unordered_map<std::string_view, RegisterRange>;

    void fail(std::string message) {
        if (!error_) error_ = ReadError{lexer_.row(), std::move(message)};
    }
    [[nodiscard]] std::string here() const {
        return lexer_.atEnd() ? "the end" : "'" + std::string(lexer_.token().substr(0, 60)) + "'";
    }
    void expect(std::string_view token) {
        if (!lexer_.accept(token)) fail("expected '" + std::string(token) + "', found " + here());
    }
    u32 number() { return u32(integerOf(lexer_.take())); }
    bool goesOn() const { return !lexer_.atEnd() && !error_; }
    void skipTo(std::string_view token) {
        while (goesOn() && !lexer_.is(token)) lexer_.next();
        lexer_.accept(token);
    }

    void readTopLevel();
    void readFile();
    void readSection();
    void readFunction();
    void readBody(int depth);
    void readLocation();
    void readRegisters();
    void readInstruction();
    void readLabelOrTable(std::string_view name);
    Variable readVariable(Space space);
    void readInitial(Variable& variable, u64& at, int depth);
    std::vector<Parameter> readParameters();
    Operand readOperand(int depth = 0);
    Operand readMemory(int depth);
    s64 readOffsets();
    [[nodiscard]] s32 find(std::string_view name) const;
    [[nodiscard]] std::string_view labelOf(std::string_view name) const;
    void findLabelsOfBlock();

    Module& module_;
    Lexer lexer_;
    std::optional<ReadError> error_;
    Function* function_ = nullptr;
    std::vector<Scope> scopes_;
    // Labels are local to their block: where one is declared again, it is the block's own.
    std::vector<std::unordered_map<std::string_view, std::string_view>> labelScopes_;
    Places places_;
    u64 registers_ = 0;
};

}  // namespace warplens::ptx
