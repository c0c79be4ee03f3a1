#include "core/measurement/request_head.h"

#include <nlohmann/json.hpp>

#include "core/program/launch_inputs.h"

namespace warplens {

RequestHead requestHead(std::string_view line) {
    using nlohmann::json;
    // Only these members are kept: texts of programs are passed by.
    const auto keep = [](int depth, json::parse_event_t event, const json& parsed) {
        if (event != json::parse_event_t::key) return true;
        return depth == 1 && (parsed == "id" || parsed == "request" || parsed == "target" ||
                              parsed == "frame_bytes");
    };
    const json object = json::parse(line, keep, false);
    RequestHead head;
    if (!object.is_object()) return head;
    const auto number = [&](const char* name) {
        const auto found = object.find(name);
        return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>()
                                                                    : 0;
    };
    head.id = number("id");
    head.target = number("target");
    head.frameBytes = number("frame_bytes");
    if (head.frameBytes > mostLaunchInputBytes) head.frameBytes = 0;
    const auto request = object.find("request");
    if (request != object.end() && request->is_string()) head.request = *request;
    return head;
}

}  // namespace warplens
