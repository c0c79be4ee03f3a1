#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/text/names.h"

namespace warplens {

/// What a member may hold; what does not fit its type is passed over.
struct Rule final {
    /// Numbers, both ends included. Unless said, a whole number is from 0 to what its type holds
    /// (an std::int64_t: from its least), at most 2^63-1, and a real number is any.
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool wholeAsCounted = false;     ///< a real number that is whole is written as an integer
    std::size_t entries = SIZE_MAX;  ///< of a list, at most
    bool oneLine = false;            ///< of text: line breaks become blanks
    bool asWritten = false;          ///< of text: a file's; otherwise it is read `sanitized`
    bool notEmpty = false;           ///< of text; told in the schema
    const char* pattern = nullptr;   ///< of text, a regular expression; told in the schema
};

template <class T>
inline constexpr bool isOptional = false;
template <class T>
inline constexpr bool isOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool isList = false;
template <class T>
inline constexpr bool isList<std::vector<T>> = true;
/// Values by name.
template <class T>
inline constexpr bool isEntries = false;
template <class T>
inline constexpr bool isEntries<std::vector<std::pair<std::string, T>>> = true;

/// Numbers of versions and times, as they are written in text.
inline constexpr Rule versionText{.oneLine = true, .pattern = "^[0-9]+\\.[0-9]+\\.[0-9]+$"};
inline constexpr Rule capabilityText{.oneLine = true, .pattern = "^[0-9]+\\.[0-9]+$"};
inline constexpr Rule timeStampText{
    .oneLine = true,
    .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$"};

/// The members of a document and of its parts, told once, by a function next to each struct:
///
///     void describe(Archive& v, Counting& counting) {
///         v.type("counting", "How the counters were read.");
///         v("passes", counting.passes, "Replays of the kernel.", {.most = 1 << 20});
///         v("seconds", counting.seconds, "All of it.", {.least = 0});
///     }
///
/// From it come the JSON that is written, what is read back with its bounds, the JSON schema and
/// the table of members in the documentation (core/json/json.h). `about` is for the last two. What
/// reads throws MalformedJson.
class Archive {
  public:
    Archive(Archive&&) = delete;
    virtual ~Archive() = default;

    /// Whether the values are read; otherwise they are written, or only told of, and stay.
    [[nodiscard]] bool reads() const { return mode_ == Mode::reads; }
    [[nodiscard]] bool writes() const { return mode_ == Mode::writes; }

    /// First in a `describe`: names what several documents have, so that a schema has it once.
    virtual void type(const char* name, const char* about) = 0;

    /// A member that is always there; of an std::optional, one that is there where it has a value.
    template <class T>
    void operator()(const char* name, T& value, const char* about, const Rule& rule = {}) {
        if constexpr (isOptional<T>) {
            member({name, about, true, true}, value.has_value(), [&] {
                if (!writes()) value.emplace();
                item(*value, rule);
            });
        } else {
            member({name, about}, true, [&] { item(value, rule); });
        }
    }
    /// A member that documents of former versions lack; the value is then left as it is.
    template <class T>
    void added(const char* name, T& value, const char* about, const Rule& rule = {}) {
        member({name, about, true}, true, [&] { item(value, rule); });
    }
    /// A member that is left out where it holds what a new value of its type does.
    template <class T>
    void optional(const char* name, T& value, const char* about, const Rule& rule = {}) {
        onlyIf(value != T{}, name, value, about, rule);
    }
    /// A member that is left out unless `written`.
    template <class T>
    void onlyIf(bool written, const char* name, T& value, const char* about,
                const Rule& rule = {}) {
        member({name, about, true, true}, written, [&] { item(value, rule); });
    }
    /// A member that follows from others and is not read; an std::optional as above.
    template <class T>
    void derived(const char* name, const T& value, const char* about, const Rule& rule = {}) {
        if (reads()) return;
        if (writes()) return operator()(name, const_cast<T&>(value), about, rule);
        T none{};
        operator()(name, none, about, rule);
    }
    /// A member that is null where there is no value.
    template <class T>
    void nullable(const char* name, std::optional<T>& value, const char* about,
                  const Rule& rule = {}) {
        member({name, about}, true, [&] {
            if (!beginNullable(value.has_value())) return value.reset();
            if (!writes()) value.emplace();
            item(*value, rule);
            endNullable();
        });
    }
    /// A text that is always the same, as a unit; not read.
    void constant(const char* name, const char* text, const char* about) {
        if (reads()) return;
        member({name, about}, true, [&] { constant(text); });
    }
    /// A member that is an object without a struct of its own, left out where there is no value:
    /// its members are those that `tell(*value)` tells.
    template <class T, class Tell>
    void object(const char* name, std::optional<T>& value, const char* about, Tell&& tell) {
        member({name, about, true, true}, value.has_value(), [&] {
            if (!writes()) value.emplace();
            beginObject();
            tell(*value);
            endObject();
        });
    }
    /// The same of one that is always there.
    template <class Tell>
    void object(const char* name, const char* about, Tell&& tell) {
        member({name, about}, true, [&] {
            beginObject();
            tell();
            endObject();
        });
    }
    /// A list of objects, whose members are those that `tell(entry)` tells.
    template <class T, class Tell>
    void each(const char* name, std::vector<T>& values, const char* about, Tell&& tell,
              const Rule& rule = {}) {
        member({name, about}, true, [&] {
            list(values, rule, [&](T& entry) {
                beginObject();
                tell(entry);
                endObject();
            });
        });
    }

    /// One of several sets of members. `marks` are the first members of each alternative, of which
    /// the one that is there decides what is read; where none is, it is the first alternative,
    /// which has no mark (nullptr) if there may be nothing at all. `tell(value)` tells the members.
    template <class... Ts, class Tell>
    void oneOf(std::variant<Ts...>& value, const std::array<const char*, sizeof...(Ts)>& marks,
               Tell&& tell) {
        if (writes()) return std::visit(tell, value);
        std::size_t found = 0;
        for (std::size_t i = 0; i < marks.size() && reads(); ++i) {
            if (marks[i] != nullptr && has(marks[i])) found = i;
        }
        alternatives(value, found, {}, tell, std::index_sequence_for<Ts...>());
    }
    /// The same where a member before them names the alternative, in the order of the variant's.
    template <class... Ts, class Tell>
    void tagged(const char* name, std::variant<Ts...>& value,
                const std::array<std::string_view, sizeof...(Ts)>& tags, const char* about,
                Tell&& tell) {
        std::size_t index = value.index();
        member({name, about}, true, [&] { choice(index, tags); });
        if (writes()) return std::visit(tell, value);
        alternatives(value, index, {name, tags}, tell, std::index_sequence_for<Ts...>());
    }

    /// Whether what is read has the member.
    [[nodiscard]] virtual bool has(const char* name) const = 0;

    /// Throws MalformedJson: `"runs" is not a number`, or the words alone.
    [[noreturn]] static void refuse(std::string_view name, std::string_view problem);
    [[noreturn]] static void refuse(std::string_view words);

    /// The value of a member, or an entry of a list. A type that is written as another one has
    /// `describeValue(archive, value)`, which calls this with the other one.
    template <class T>
    void item(T& value, const Rule& rule = {}) {
        if constexpr (std::is_same_v<T, bool>) {
            boolean(value);
        } else if constexpr (NamedEnum<T>) {
            const auto& names = namesOf(value);
            auto index = static_cast<std::size_t>(value);
            choice(index, names);
            value = static_cast<T>(index);
        } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
            std::int64_t number = value;
            whole(number, rule, std::is_same_v<T, std::int64_t> ? INT64_MIN : 0,
                  std::numeric_limits<T>::max());
            value = static_cast<T>(number);
        } else if constexpr (std::is_integral_v<T>) {
            std::uint64_t number = value;
            whole(number, rule, std::numeric_limits<T>::max());
            value = static_cast<T>(number);
        } else if constexpr (std::is_floating_point_v<T>) {
            real(value, rule);
        } else if constexpr (std::is_same_v<T, std::string>) {
            text(value, rule);
        } else if constexpr (std::is_same_v<T, std::string_view>) {
            std::string copy(value);  // only written
            text(copy, rule);
        } else if constexpr (std::is_same_v<T, std::array<std::uint32_t, 3>>) {
            triple(value);
        } else if constexpr (requires { describeValue(*this, value); }) {
            describeValue(*this, value);
        } else if constexpr (isEntries<T>) {
            entries(value, rule);
        } else if constexpr (isList<T>) {
            list(value, rule, [&](auto& entry) { item(entry, rule); });
        } else {
            beginObject();
            describe(*this, value);
            endObject();
        }
    }

  protected:
    enum class Mode { writes, reads, tells };
    struct Member final {
        const char* name;
        const char* about;
        bool mayLack = false;       ///< where it is read
        bool mayBeLeftOut = false;  ///< where it is written
    };
    /// Of alternatives that a member tells apart: its name, and what it is for each.
    struct Tags final {
        const char* name = nullptr;
        std::span<const std::string_view> tags{};
    };

    explicit Archive(Mode mode) : mode_(mode) {}

    /// Whether the member is to be told, which then ends with `leave`.
    virtual bool enter(const Member& member, bool written) = 0;
    virtual void leave() = 0;
    virtual void beginObject() = 0;
    virtual void endObject() = 0;
    /// How many entries there are to be told; `size` is of the value.
    virtual std::size_t beginList(std::size_t size, const Rule& rule) = 0;
    virtual void beginEntry(std::size_t index) = 0;
    virtual void endEntry() = 0;
    virtual void endList() = 0;
    /// As a list, of an object whose members are entries by name.
    virtual std::size_t beginEntries(std::size_t size) = 0;
    virtual void beginNamedEntry(std::size_t index, std::string& name) = 0;
    /// Whether there is a value.
    virtual bool beginNullable(bool there) = 0;
    virtual void endNullable() {}
    virtual void beginAlternative(const Tags& /*tags*/, std::size_t /*index*/) {}
    virtual void endAlternatives() {}

    virtual void boolean(bool& value) = 0;
    virtual void whole(std::int64_t& value, const Rule& rule, std::int64_t least,
                       std::int64_t most) = 0;
    virtual void whole(std::uint64_t& value, const Rule& rule, std::uint64_t most) = 0;
    virtual void real(double& value, const Rule& rule) = 0;
    virtual void text(std::string& value, const Rule& rule) = 0;
    virtual void constant(const char* text) = 0;
    virtual void choice(std::size_t& index, std::span<const std::string_view> names) = 0;
    virtual void triple(std::array<std::uint32_t, 3>& values) = 0;

  private:
    template <class Inside>
    void member(const Member& about, bool written, Inside&& inside) {
        if (!enter(about, written)) return;
        inside();
        leave();
    }

    template <class T, class Tell>
    void list(std::vector<T>& values, const Rule& rule, Tell&& tell) {
        const std::size_t count = beginList(values.size(), rule);
        if (reads()) values.clear();
        for (std::size_t i = 0; i < count; ++i) {
            beginEntry(i);
            if (writes()) {
                tell(values[i]);
            } else {
                tell(values.emplace_back());
            }
            endEntry();
        }
        endList();
    }

    template <class T>
    void entries(std::vector<std::pair<std::string, T>>& values, const Rule& rule) {
        const std::size_t count = beginEntries(values.size());
        if (!writes()) values.assign(count, {});
        for (std::size_t i = 0; i < count; ++i) {
            beginNamedEntry(i, values[i].first);
            item(values[i].second, rule);
            endEntry();
        }
        endList();
    }

    template <class Variant, class Tell, std::size_t... indices>
    void alternatives(Variant& value, std::size_t found, const Tags& tags, Tell&& tell,
                      std::index_sequence<indices...> /*all*/) {
        const auto one = [&]<std::size_t index>() {
            if (reads() && index != found) return;
            beginAlternative(tags, index);
            tell(value.template emplace<index>());
        };
        (one.template operator()<indices>(), ...);
        endAlternatives();
    }

    Mode mode_;
};

}  // namespace warplens
