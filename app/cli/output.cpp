#include "app/cli/output.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <system_error>
#include <unistd.h>

#include "core/course/course.h"
#include "core/json/archive.h"
#include "core/measurement/measurement.h"
#include "core/measurement/recording.h"
#include "core/text/encoding.h"

namespace warplens {
namespace {

constexpr std::size_t pieceSize = 1u << 16;

bool begun = false;

/// Characters of UTF-8 text.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

namespace fs = std::filesystem;

/// Of a regular file; 0 for what is none, as a device, and for what is not there.
std::uintmax_t bytesIn(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return 0;
    const std::uintmax_t bytes = fs::file_size(file, error);
    return error ? 0 : bytes;
}

std::string inWords(const Sweep& sweep) {
    const std::string what =
        "a sweep of " + sweep.plan.base.scenario + " over " + toString(sweep.plan.axis) + ", ";
    const Measurement* const first = sweep.firstMeasurement();
    if (first == nullptr) return what + "predicted only";
    return what + std::to_string(sweep.measuredCount()) + " of " +
           std::to_string(sweep.points.size()) + " points measured (" + takenOn(*first) + ")";
}

/// The sweep that the file holds, if it does.
std::optional<Sweep> sweepIn(const fs::path& file) {
    try {
        return loadSweep(file).sweep;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

/// `a recording of matadd-swapped <<<…>>> (NVIDIA H200, 2026-11-21)`, or how much of what is no
/// `wanted`.
std::string contentInWords(const fs::path& file, const std::string& wanted) {
    if (const std::optional<Sweep> sweep = sweepIn(file)) return inWords(*sweep);
    try {
        const Measurement measurement = loadRecording(file).measurement;
        return "a recording of " + measurement.experiment.scenario + ' ' +
               toLaunchSyntax(measurement.experiment.launch) + " (" + takenOn(measurement) + ")";
    } catch (const std::exception&) {
        return formatBytes(bytesIn(file)) + " that are no " + wanted;
    }
}

[[noreturn]] void refuse(const char* option, const fs::path& file, const std::string& instead,
                         const std::string& wanted = "recording") {
    throw InvalidRequest({{option, "'" + file.string() + "'",
                           "it holds " + contentInWords(file, wanted) + "; " + instead}});
}

bool isPicture(const fs::path& file) {
    std::array<char, 512> head{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), head.size());
    const std::string_view text(head.data(), static_cast<std::size_t>(stream.gcount()));
    return text.starts_with("\x89PNG") || text.starts_with("%PDF-") ||
           text.find("<svg") != std::string_view::npos;
}

/// What was measured is kept in files only: a pipe waits for a reader, and behind /dev/stdout the
/// report, too, would go.
void requireFile(const char* option, const fs::path& file) {
    requireWritable(option, file);
    std::error_code error;
    const std::string path = file.lexically_normal().string();
    const bool isStream =
        path.starts_with("/dev/std") || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
    if (!isStream && !fs::is_other(file, error)) return;
    throw InvalidRequest(
        {{option, "'" + path + "'", "a file, no pipe or device; --json prints what is measured"}});
}

}  // namespace

void Output::write(std::string_view text) {
    buffer_ += sanitizedWhole(text);
    if (buffer_.size() >= pieceSize) flush();
}

void Output::flush() {
    std::string_view text = buffer_;
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EPIPE) throw OutputClosed();
        if (count < 0) {
            throw std::system_error(errno, std::generic_category(), "cannot write the output");
        }
        begun = begun || count > 0;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    buffer_.clear();
}

void print(std::string_view text) {
    Output output;
    output.write(text);
    output.flush();
}

void printTable(const TextRows& rows, bool csv) {
    print(csv ? toCsv(rows) : toMarkdown(rows));
}

bool outputBegun() {
    return begun;
}

void complain(std::string_view text) {
    std::string lines;
    for (const std::string_view line : splitLines(text)) {
        lines += "warplens: " + sanitized(line) + '\n';
    }
    std::cerr << lines << std::flush;
}

void describe(Archive& v, Trouble& trouble) {
    describeVersion(v);
    auto code = static_cast<int>(trouble.code);
    v("exit_code", code, "1: failed; 2: the request is wrong; 3: not possible on this machine.",
      {.least = 1, .most = 3});
    v("message", trouble.message, "One or more lines, as on standard error.", {.notEmpty = true});
    v("problems", trouble.problems, "Of a wrong request, one for each line; else empty.");
}

void tell(const Trouble& trouble, bool json) {
    complain(trouble.message);
    if (!trouble.advice.empty()) complain(trouble.advice);
    if (json && !outputBegun()) printDocument(Document::error, trouble);
}

std::string toTable(std::vector<std::vector<std::string>> rows, const std::string& indent) {
    for (auto& row : rows) {
        for (std::string& cell : row) std::ranges::replace(cell, '\n', ' ');
    }
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            widths[i] = std::max(widths[i], width(row[i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line = indent;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line += std::string(widths[i] - width(row[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

void addForceFlag(CLI::App& parser, bool& force) {
    parser.add_flag("--force", force, "replace what the file to write holds, whatever it is");
}

void requireWritable(const char* option, const fs::path& file) {
    if (file.empty()) throw InvalidRequest({{option, "''", "the file to write"}});
    const auto fail = [&](const std::string& why) {
        throw CommandFailed(ExitCode::failed, "cannot write " + file.string() + ": " + why);
    };
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code error;
    const Course* const course = openedCourse();
    if (course != nullptr && folder.filename() == "recordings" &&
        fs::equivalent(folder.parent_path() / ".", course->folder, error)) {
        fs::create_directory(folder, error);
    }
    if (!fs::is_directory(folder, error)) fail("no folder " + folder.string());
    if (fs::is_directory(file, error)) fail("it is a folder");
    if (fs::exists(file, error)) {
        if (::access(file.c_str(), W_OK) != 0) fail(std::strerror(errno));
    } else if (!fs::is_symlink(fs::symlink_status(file, error)) &&
               ::access(folder.c_str(), W_OK | X_OK) != 0) {
        fail(std::strerror(errno));
    }
}

void requireNothingLost(const char* option, const fs::path& file, bool force) {
    requireFile(option, file);
    if (force || bytesIn(file) == 0) return;
    refuse(option, file, "--force replaces it");
}

void requireNothingLost(const char* option, const fs::path& file, const Sweep& sweep, bool force) {
    requireFile(option, file);
    if (force || bytesIn(file) == 0) return;
    const std::optional<Sweep> kept = sweepIn(file);
    const bool same = kept && kept->plan == sweep.plan;
    if (same && kept->measuredCount() == 0) return;
    const bool canGoOn = same && kept->nextToMeasure();
    refuse(option, file,
           (canGoOn ? "--resume " + file.string() + " goes on with it, " : std::string()) +
               "--force replaces it");
}

void requireNoneButPictureLost(const char* option, const fs::path& file, bool force) {
    requireWritable(option, file);
    if (force || bytesIn(file) == 0 || isPicture(file)) return;
    refuse(option, file, "a picture replaces a picture only, without --force", "picture");
}

}  // namespace warplens
