#pragma once

#include <array>
#include <streambuf>

namespace warplens {

/// Where answers go: what was standard output. Kernels that print write to standard output, which
/// leads nowhere from here on, so that nothing stands between the answers.
class AnswerOutput final : public std::streambuf {
  public:
    AnswerOutput();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// Makes it standard output again, for the process that takes this one's place.
    void giveBack();

  protected:
    int_type overflow(int_type character) override;
    int sync() override;

  private:
    int descriptor_;
    std::array<char, 65536> buffer_{};
};

}  // namespace warplens
