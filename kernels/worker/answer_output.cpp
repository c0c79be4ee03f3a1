#include "kernels/worker/answer_output.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace warplens {

AnswerOutput::AnswerOutput() : descriptor_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0 || nowhere < 0) {
        descriptor_ = STDOUT_FILENO;
    } else {
        ::dup2(nowhere, STDOUT_FILENO);
    }
    if (nowhere >= 0) ::close(nowhere);
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

void AnswerOutput::giveBack() {
    (void)sync();
    if (descriptor_ != STDOUT_FILENO) ::dup2(descriptor_, STDOUT_FILENO);
}

AnswerOutput::int_type AnswerOutput::overflow(int_type character) {
    if (sync() != 0) return traits_type::eof();
    if (traits_type::eq_int_type(character, traits_type::eof())) return 0;
    return sputc(traits_type::to_char_type(character));
}

int AnswerOutput::sync() {
    for (const char* at = pbase(); at != pptr();) {
        const ssize_t count = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
        if (count < 0 && errno != EINTR) return -1;
        if (count > 0) at += count;
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return 0;
}

}  // namespace warplens
