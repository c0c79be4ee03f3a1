#include "core/text/delimited.h"

#include <algorithm>
#include <string_view>

namespace warplens {
namespace {

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string text = "\"";
    for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

std::string cell(const std::string& field) {
    std::string text;
    for (const char c : field) {
        if (c == '|') {
            text += "\\|";
        } else {
            text += c == '\n' || c == '\r' ? ' ' : c;
        }
    }
    return text;
}

}  // namespace

std::string toCsv(const TextRows& rows) {
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + quoted(row[i]);
        text += '\n';
    }
    return text;
}

std::string toMarkdown(const TextRows& rows) {
    if (rows.empty()) return "";
    const std::size_t columns = rows.front().size();
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        text += '|';
        for (std::size_t i = 0; i < columns; ++i) {
            text += ' ' + (i < rows[r].size() ? cell(rows[r][i]) : std::string()) + " |";
        }
        text += '\n';
        if (r > 0) continue;
        text += '|';
        for (std::size_t i = 0; i < columns; ++i) text += " --- |";
        text += '\n';
    }
    return text;
}

}  // namespace warplens
