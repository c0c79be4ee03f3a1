#pragma once

#include <string>
#include <vector>

#include "app/figure/subject.h"

namespace warplens::figure {

/// One quantity as its sources give it.
struct Number final {
    struct Line final {
        std::string value;    ///< with its unit
        std::string sources;  ///< `predicted, compiled, counted`: all that say so
        friend bool operator==(const Line&, const Line&) = default;
    };
    std::string name;
    std::string remark{};  ///< `best 4.00`
    std::vector<Line> lines;
    friend bool operator==(const Number&, const Number&) = default;
};

/// The numbers that belong to each kind of picture, those that matter most first; a quantity of
/// which no source speaks is left out.
[[nodiscard]] std::vector<Number> threadNumbers(const Subject& subject);
[[nodiscard]] std::vector<Number> coverageNumbers(const Subject& subject);
[[nodiscard]] std::vector<Number> memoryNumbers(const Subject& subject);
[[nodiscard]] std::vector<Number> branchNumbers(const Subject& subject);
[[nodiscard]] std::vector<Number> reductionNumbers(const Subject& subject);
/// The time, how the runs differ, and what a launch costs beside it.
[[nodiscard]] std::vector<Number> timeNumbers(const Subject& subject);

}  // namespace warplens::figure
