#include "app/window/gl/flat_outputs.h"

#include <sstream>

namespace warplens::window {

std::string flatOutputs(std::string_view fragmentSource) {
    constexpr std::string_view start = "flat in ";
    std::string declared;
    std::string copied = "void handOver() {\n";
    std::istringstream lines{std::string(fragmentSource)};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) {
            declared += line + '\n';
            copied += line + '\n';
        } else if (line.starts_with(start)) {
            std::istringstream words(line.substr(start.size()));
            std::string type;
            std::string name;
            words >> type >> name;
            name.erase(name.find(';'));
            const std::string given = 'u' + name.substr(1);
            declared += "uniform " + type + ' ' + given + ";\n";
            declared += std::string("flat out ") + type + ' ' + name + ";\n";
            copied += "    " + name + " = " + given + ";\n";
        }
    }
    return declared + copied + "}\n";
}

}  // namespace warplens::window
