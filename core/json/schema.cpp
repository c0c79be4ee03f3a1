#include "core/json/schema.h"

#include <array>
#include <cmath>
#include <memory>

#include "core/json/archive.h"
#include "core/json/json_tree.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::array<Schema, 28> schemas{{
    {Document::list, "list", 1, "`warplens list --json`: scenarios, and the recordings of each"},
    {Document::doctor, "doctor", 1,
     "`warplens doctor --json`: what this machine can do, and why not the rest"},
    {Document::compilerSetup, "compiler_setup", 1,
     "`warplens setup-compiler --json`: NVIDIA's compiler in Warplens' own folder"},
    {Document::map, "map", 1, "`warplens map --json`: every thread of a launch"},
    {Document::prediction, "prediction", 1,
     "`warplens predict --json`: what a launch will do, by tracing its kernel without a GPU"},
    {Document::measurement, "measurement", 3,
     "`warplens measure --json`: what a GPU did in one launch, and beside it what was predicted"},
    {Document::programPrediction, "program_prediction", 2,
     "`warplens predict FILE.cu --json`: what the launches of a program will do, line by line"},
    {Document::programMeasurement, "program_measurement", 2,
     "`warplens measure FILE.cu --json`: what a GPU did in a program's launches, line by line, and "
     "beside it what was predicted"},
    {Document::programSweep, "program_sweep", 2,
     "`warplens sweep FILE.cu --json`: what the launches of a program will do, with something "
     "varied"},
    {Document::sweep, "sweep", 2, "`warplens sweep --json`: one size or the block's shape varied"},
    {Document::roofline, "roofline", 1,
     "`warplens roofline --json`: the matrix products under what a device can compute and move"},
    {Document::occupancy, "occupancy", 1,
     "`warplens occupancy --json`: how many blocks an SM holds at once, and what keeps it from "
     "more"},
    {Document::lessons, "lessons", 1, "`warplens lesson --json`: the lessons"},
    {Document::lesson, "lesson", 1,
     "`warplens lesson ID --json`: a lesson with its numbers looked up"},
    {Document::progress, "progress", 1,
     "`warplens progress --json`: how far somebody has come in the lessons"},
    {Document::figure, "figure", 1, "`warplens figure --json`: the figure that was drawn"},
    {Document::screenshot, "screenshot", 1,
     "`warplens screenshot --json`: the picture that was drawn"},
    {Document::description, "description", 1,
     "`warplens describe --json`: what the pictures of a launch show, in sentences"},
    {Document::check, "check", 1,
     "`warplens check FILE.cu --format json`: what programs break of the rules, and a baseline for "
     "the next check"},
    {Document::courseCheck, "course_check", 1,
     "`warplens check COURSE --json`: what is wrong with a course"},
    {Document::explanation, "explanation", 1,
     "`warplens explain FILE.cu --json`: why lines cost what they cost"},
    {Document::error, "error", 1, "Instead of any other document: why it cannot be had"},
    {Document::recording, "recording", 3,
     "A file of `warplens measure --save`: a measurement that was kept"},
    {Document::recordedSweep, "recorded_sweep", 3,
     "A file of `warplens sweep --save`: a sweep that was kept"},
    {Document::lessonFile, "lesson_file", 2, "A lesson as it is written: assets/lessons/*.json"},
    {Document::settings, "settings", 1,
     "settings.json: what the window keeps from one start to the next"},
    {Document::workerRequest, "worker_request", 2, "A line that warplens-measure reads"},
    {Document::workerEvent, "worker_event", 3, "A line that warplens-measure writes"},
}};

constexpr bool inOrder() {
    for (std::size_t i = 0; i < schemas.size(); ++i) {
        if (schemas[i].document != static_cast<Document>(i)) return false;
    }
    return true;
}
static_assert(inOrder());

std::string beforeTheNumber(Document document) {
    return "warplens." + std::string(schemas.at(static_cast<std::size_t>(document)).name) + '/';
}

/// Makes the schema of what is told. Every value is told once, whatever it holds.
class SchemaMaker final : public Archive {
  public:
    explicit SchemaMaker(Json& root) : Archive(Mode::tells) { places_.push_back({&root}); }

    void type(const char* name, const char* about) override {
        places_.back().type = name;
        here()["description"] = about;
    }
    [[nodiscard]] bool has(const char* /*name*/) const override { return false; }
    [[nodiscard]] Json& definitions() { return definitions_; }

  private:
    struct Place final {
        Json* value;
        const char* type = nullptr;
        bool isAlternative = false;
        std::string tag{};
        std::string tagName{};
        Json required = Json::array();  ///< of the alternative that is told
    };

    bool enter(const Member& member, bool /*written*/) override {
        Place& object = places_.back();
        if (!member.mayBeLeftOut) {
            (object.isAlternative ? object.required : here()["required"]).push_back(member.name);
        }
        Json& told = here()["properties"][member.name];
        if (!told.is_null()) {  // of another alternative, too
            earlier_.push_back(std::move(told));
            told = nullptr;
        } else {
            earlier_.emplace_back();
        }
        told["description"] = member.about;
        places_.push_back({&told});
        return true;
    }
    void leave() override {
        Json& told = here();
        Json earlier = std::move(earlier_.back());
        earlier_.pop_back();
        if (!earlier.is_null()) merge(told, std::move(earlier));
        places_.pop_back();
    }
    /// Both ways in which a member is told.
    static void merge(Json& told, Json earlier) {
        Json words = earlier["description"];
        if (words != told["description"]) {
            words = words.get<std::string>() + ' ' + told["description"].get<std::string>();
        }
        told.erase("description");
        earlier.erase("description");
        Json both{{"description", words}};
        if (told == earlier) {
            both.update(told);
        } else {
            both["anyOf"] = {std::move(earlier), std::move(told)};
        }
        told = std::move(both);
    }
    void beginObject() override {
        here()["type"] = "object";
        // Apart, so that what it is can stand among the definitions.
        objects_.push_back(std::make_unique<Json>(Json{{"type", "object"}}));
        places_.push_back({objects_.back().get()});
    }
    void endObject() override {
        Place object = std::move(places_.back());
        places_.pop_back();
        Json told = std::move(*objects_.back());
        objects_.pop_back();
        here().erase("type");
        if (object.type == nullptr) {
            here().update(told);
            return;
        }
        definitions_[object.type] = std::move(told);
        here()["$ref"] = "#/$defs/" + std::string(object.type);
    }
    std::size_t beginList(std::size_t /*size*/, const Rule& rule) override {
        here()["type"] = "array";
        if (rule.entries != SIZE_MAX) here()["maxItems"] = rule.entries;
        return 1;
    }
    void beginEntry(std::size_t /*index*/) override {
        places_.push_back({&(here()["items"] = Json::object())});
    }
    void endEntry() override { places_.pop_back(); }
    void endList() override {}
    std::size_t beginEntries(std::size_t /*size*/) override {
        here()["type"] = "object";
        return 1;
    }
    void beginNamedEntry(std::size_t /*index*/, std::string& /*name*/) override {
        places_.push_back({&(here()["additionalProperties"] = Json::object())});
    }
    bool beginNullable(bool /*there*/) override {
        here()["anyOf"] = {Json::object(), {{"type", "null"}}};
        places_.push_back({&here()["anyOf"][0]});
        return true;
    }
    void endNullable() override { places_.pop_back(); }
    void beginAlternative(const Tags& tags, std::size_t index) override {
        endAlternative();
        Place& object = places_.back();
        object.isAlternative = true;
        if (tags.name == nullptr) return;
        object.tagName = tags.name;
        object.tag = tags.tags[index];
    }
    void endAlternatives() override {
        endAlternative();
        Place& object = places_.back();
        object.isAlternative = false;
    }
    /// What the alternative needs, beside what all do.
    void endAlternative() {
        Place& object = places_.back();
        if (!object.isAlternative) return;
        Json required = std::exchange(object.required, Json::array());
        if (object.tagName.empty()) {
            here()["anyOf"].push_back(required.empty() ? Json::object()
                                                       : Json{{"required", required}});
        } else if (!required.empty()) {
            here()["allOf"].push_back(
                {{"if", {{"properties", {{object.tagName, {{"const", object.tag}}}}}}},
                 {"then", {{"required", required}}}});
        }
    }

    void boolean(bool& /*value*/) override { here()["type"] = "boolean"; }
    void whole(std::int64_t& /*value*/, const Rule& rule, std::int64_t least,
               std::int64_t /*most*/) override {
        here()["type"] = "integer";
        if (least == 0 && !(rule.least > 0)) here()["minimum"] = 0;
        bounds(rule);
    }
    void whole(std::uint64_t& value, const Rule& rule, std::uint64_t /*most*/) override {
        std::int64_t number = 0;
        whole(number, rule, 0, 0);
        value = 0;
    }
    void real(double& /*value*/, const Rule& rule) override {
        here()["type"] = "number";
        bounds(rule);
    }
    void text(std::string& /*value*/, const Rule& rule) override {
        here()["type"] = "string";
        if (rule.notEmpty) here()["minLength"] = 1;
        if (rule.pattern != nullptr) here()["pattern"] = rule.pattern;
    }
    void constant(const char* text) override { here()["const"] = text; }
    void choice(std::size_t& /*index*/, std::span<const std::string_view> names) override {
        here()["enum"] = Json::array();
        for (const std::string_view name : names) {
            if (!name.empty()) here()["enum"].push_back(name);
        }
    }
    void triple(std::array<std::uint32_t, 3>& /*values*/) override {
        here().update({{"type", "array"},
                       {"items", {{"type", "integer"}, {"minimum", 0}, {"maximum", UINT32_MAX}}},
                       {"minItems", 3},
                       {"maxItems", 3}});
    }

    Json& here() { return *places_.back().value; }
    void bounds(const Rule& rule) {
        const auto bound = [](double number) {
            return number == std::floor(number) ? Json(static_cast<std::int64_t>(number))
                                                : Json(number);
        };
        if (std::isfinite(rule.least)) here()["minimum"] = bound(rule.least);
        if (std::isfinite(rule.most)) here()["maximum"] = bound(rule.most);
    }

    std::vector<Place> places_;
    std::vector<std::unique_ptr<Json>> objects_;
    std::vector<Json> earlier_;
    Json definitions_ = Json::object();
};

}  // namespace

std::span<const Schema> allSchemas() {
    return schemas;
}

int schemaNumber(Document document) {
    return schemas.at(static_cast<std::size_t>(document)).number;
}

std::string schemaOf(Document document) {
    return beforeTheNumber(document) + std::to_string(schemaNumber(document));
}

std::optional<int> schemaNumberFrom(Document document, std::string_view text) {
    const std::string before = beforeTheNumber(document);
    if (!text.starts_with(before)) return std::nullopt;
    text.remove_prefix(before.size());
    const auto number = wholeNumber<int>(text);
    return number && *number >= 1 ? number : std::nullopt;
}

std::string schemaText(Document document, const Members& members) {
    const Schema& row = allSchemas()[static_cast<std::size_t>(document)];
    const std::string id = std::string(row.name) + ':' + std::to_string(row.number);
    Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"$id", "urn:warplens:schema:" + id},
                {"title", row.title},
                {"type", "object"}};
    schema["properties"]["schema"] = {{"description", "What this document is, and its number."},
                                      {"const", schemaOf(document)}};
    schema["required"] = {"schema"};
    SchemaMaker maker(schema);
    members(maker);
    if (!maker.definitions().empty()) schema["$defs"] = maker.definitions();
    return toText(schema, 2) + '\n';
}

}  // namespace warplens
