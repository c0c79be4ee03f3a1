#include <cmath>

#include "core/json/archive.h"
#include "core/json/json_tree.h"
#include "core/text/format.h"
#include "core/text/utf8.h"

namespace warplens {
namespace {

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
