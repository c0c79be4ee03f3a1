#include <algorithm>
#include <cmath>

#include "core/json/archive.h"
#include "core/json/json_tree.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// Reads a tree. Each place has the name that messages give it: that of the member it is in.
class JsonReader final : public Archive {
  public:
    explicit JsonReader(const Json& root) : Archive(Mode::reads), places_{{&root, ""}} {}

    void type(const char* /*name*/, const char* /*about*/) override {}
    [[nodiscard]] bool has(const char* name) const override {
        return places_.back().value->contains(name);
    }

  private:
    struct Place final {
        const Json* value;
        const char* name;
        bool isEntry = false;
    };

    bool enter(const Member& member, bool /*written*/) override {
        const Json& object = here();
        const auto found = object.find(member.name);
        if (object.is_object() && found != object.end()) {
            places_.push_back({&*found, member.name});
            return true;
        }
        if (member.mayLack) return false;
        throw MalformedValue(std::string("no member \"") + member.name + '"', object);
    }
    void leave() override { places_.pop_back(); }
    void beginObject() override {}
    void endObject() override {}
    std::size_t beginList(std::size_t /*size*/, const Rule& rule) override {
        if (!here().is_array()) fail("is not a list");
        if (here().size() > rule.entries) {
            fail("has " + std::to_string(here().size()) + " entries: at most " +
                 std::to_string(rule.entries));
        }
        return here().size();
    }
    void beginEntry(std::size_t index) override {
        places_.push_back({&here()[index], places_.back().name, true});
    }
    void endEntry() override { places_.pop_back(); }
    void endList() override {}
    std::size_t beginEntries(std::size_t /*size*/) override {
        if (!here().is_object()) fail("is not an object");
        return here().size();
    }
    void beginNamedEntry(std::size_t index, std::string& name) override {
        const auto entry = std::next(here().cbegin(), static_cast<std::ptrdiff_t>(index));
        name = entry.key();
        places_.push_back({&*entry, name.c_str()});
    }
    bool beginNullable(bool /*there*/) override { return !here().is_null(); }

    void boolean(bool& value) override {
        if (!here().is_boolean()) fail("is not true/false");
        value = here().get<bool>();
    }
    void whole(std::int64_t& value, const Rule& rule, std::int64_t least,
               std::int64_t most) override {
        value = json_reader::integer(here(), places_.back().name);
        requireWithin(
            value, std::max(least, static_cast<std::int64_t>(std::max(rule.least, -0x1p63))),
            rule.most < 0x1p63 ? std::min(most, static_cast<std::int64_t>(rule.most)) : most);
    }
    void whole(std::uint64_t& value, const Rule& rule, std::uint64_t most) override {
        std::int64_t number = 0;
        whole(number, rule, 0, static_cast<std::int64_t>(std::min<std::uint64_t>(most, INT64_MAX)));
        value = static_cast<std::uint64_t>(number);
    }
    void real(double& value, const Rule& rule) override {
        if (!here().is_number()) fail("is not a number");
        value = here().get<double>();
        if (value >= rule.least && value <= rule.most) return;
        const std::string least = numberText(rule.least);
        fail("= " + numberText(value) + ": " +
             (rule.most < std::numeric_limits<double>::infinity()
                  ? "from " + least + " to " + numberText(rule.most)
                  : "at least " + least));
    }
    void text(std::string& value, const Rule& rule) override {
        if (!here().is_string()) {
            fail(places_.back().isEntry ? "holds something not a string" : "is not a string");
        }
        value = here().get<std::string>();
        if (rule.asWritten) return;
        value = sanitized(value);
        if (rule.oneLine) std::ranges::replace(value, '\n', ' ');
    }
    void constant(const char* /*text*/) override {}
    void choice(std::size_t& index, std::span<const std::string_view> names) override {
        std::string given;
        text(given, {});
        const auto found = std::ranges::find(names, given);
        if (found == names.end()) {
            throw MalformedValue("unknown " + std::string(places_.back().name) + " '" + given + "'",
                                 here());
        }
        index = static_cast<std::size_t>(found - names.begin());
    }
    void triple(std::array<std::uint32_t, 3>& values) override {
        if (!here().is_array() || here().size() != 3) fail("is not a list of three numbers");
        for (std::size_t i = 0; i < values.size(); ++i) {
            beginEntry(i);
            item(values.at(i));
            endEntry();
        }
    }

    static std::string numberText(double number) {
        return toText(number == std::floor(number) && std::abs(number) < 9e15
                          ? Json(static_cast<std::int64_t>(number))
                          : Json(number));
    }
    [[nodiscard]] const Json& here() const { return *places_.back().value; }
    [[noreturn]] void fail(const std::string& problem) const {
        json_reader::refuse(here(), places_.back().name, problem);
    }
    void requireWithin(std::int64_t value, std::int64_t least, std::int64_t most) const {
        if (value >= least && value <= most) return;
        fail("= " + std::to_string(value) + ": from " + std::to_string(least) + " to " +
             std::to_string(most));
    }

    std::vector<Place> places_;
};

/// Makes a tree. Of the places that are held, a list or an object only grows while it is the last.
class JsonWriter final : public Archive {
  public:
    explicit JsonWriter(Json& root) : Archive(Mode::writes), places_{&root} {}

    void type(const char* /*name*/, const char* /*about*/) override {}
    [[nodiscard]] bool has(const char* /*name*/) const override { return false; }

  private:
    bool enter(const Member& member, bool written) override {
        if (!written) return false;
        push(member.name);
        return true;
    }
    void leave() override { places_.pop_back(); }
    void beginObject() override { here() = Json::object(); }
    void endObject() override {}
    std::size_t beginList(std::size_t size, const Rule& /*rule*/) override {
        here() = Json::array();
        return size;
    }
    void beginEntry(std::size_t /*index*/) override { places_.push_back(&here().emplace_back()); }
    void endEntry() override { places_.pop_back(); }
    void endList() override {}
    std::size_t beginEntries(std::size_t size) override {
        here() = Json::object();
        return size;
    }
    void beginNamedEntry(std::size_t /*index*/, std::string& name) override { push(name); }
    bool beginNullable(bool there) override { return there; }

    void boolean(bool& value) override { here() = value; }
    void whole(std::int64_t& value, const Rule& /*rule*/, std::int64_t /*least*/,
               std::int64_t /*most*/) override {
        here() = value;
    }
    void whole(std::uint64_t& value, const Rule& /*rule*/, std::uint64_t /*most*/) override {
        here() = value;
    }
    void real(double& value, const Rule& rule) override {
        if (rule.wholeAsCounted && value == std::floor(value) && std::abs(value) < 9e15) {
            here() = static_cast<std::int64_t>(value);
        } else {
            here() = value;
        }
    }
    void text(std::string& value, const Rule& /*rule*/) override { here() = value; }
    void constant(const char* text) override { here() = text; }
    void choice(std::size_t& index, std::span<const std::string_view> names) override {
        here() = names[index];
    }
    void triple(std::array<std::uint32_t, 3>& values) override { here() = values; }

    Json& here() { return *places_.back(); }
    void push(std::string_view name) {
        auto& members = here().get_ref<Json::object_t&>();
        places_.push_back(&members.emplace_back(std::string(name), nullptr).second);
    }

    std::vector<Json*> places_;
};

}  // namespace

void Archive::refuse(std::string_view name, std::string_view problem) {
    refuse('"' + std::string(name) + "\" " + std::string(problem));
}

void Archive::refuse(std::string_view words) {
    throw MalformedJson(std::string(words));
}

Json parseObject(std::string_view text, std::size_t most) {
    if (text.size() > most) {
        throw MalformedJson("JSON text larger than " + std::to_string(most >> 20) + " MiB");
    }
    requireBounded(text);
    Json tree = Json::parse(text, nullptr, false);
    if (tree.is_discarded()) throw MalformedJson("not JSON, or cut off");
    if (!tree.is_object()) throw MalformedJson("not a JSON object");
    return tree;
}

void readTree(const Json& object, const Members& members) {
    JsonReader reader(object);
    members(reader);
}

void readJson(std::string_view text, const Members& members, std::size_t most) {
    readTree(parseObject(text, most), members);
}

Json writeTree(const Members& members) {
    Json root = Json::object();
    JsonWriter writer(root);
    members(writer);
    return root;
}

std::string toText(const Json& tree, int indent) {
    return tree.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void describeVersion(Archive& v) {
    v.derived("version", version(), "The version of Warplens that made it, as in 0.2.0.",
              versionText);
}

std::string writeJson(const Members& members, int indent) {
    return toText(writeTree(members), indent);
}

std::string writeDocument(Document document, const Members& members, int indent) {
    return sanitizedJson(writeJson(
        [&](Archive& v) {
            v.derived("schema", schemaOf(document), "");
            members(v);
        },
        indent));
}

}  // namespace warplens
