#pragma once

#include <string>

namespace warplens {

/// One line on the terminal, written over again and gone at the end; nothing where standard error
/// is no terminal.
class ProgressLine final {
  public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine() { clear(); }

    /// ` 37 %  timing`.
    void show(double fraction, const std::string& stage);
    void clear();

  private:
    bool terminal_;
    bool shown_ = false;
};

}  // namespace warplens
