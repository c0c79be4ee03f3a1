#pragma once

#include <cstdint>
#include <mutex>
#include <streambuf>
#include <string>
#include <vector>

namespace warplens {

/// What this process reads: first what it was handed when it started anew, then its standard input.
/// Knows what has been read and not been dealt with, so that nothing is lost when the process
/// starts anew once more.
class StandardInput final : public std::streambuf {
  public:
    explicit StandardInput(std::string first = {});

    /// The reader has dealt with one more line.
    void lineHandled();

    /// While this lives nothing is read.
    class Pause final {
      public:
        explicit Pause(StandardInput& input) : input_(input), lock_(input.mutex_) {}
        /// Every line that was read has been dealt with, and none is there in part.
        [[nodiscard]] bool isClean() const;

      private:
        StandardInput& input_;
        std::lock_guard<std::mutex> lock_;
    };

  protected:
    int_type underflow() override;

  private:
    std::string first_;
    std::vector<char> buffer_;
    std::mutex mutex_;
    std::uint64_t linesRead_ = 0;
    std::uint64_t linesHandled_ = 0;
    bool inLine_ = false;
};

}  // namespace warplens
