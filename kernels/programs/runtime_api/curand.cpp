// cuRAND's generators of the host: numbers of the same distributions, which are not those that
// cuRAND gives. Its device side is compiled like all else.
#include <cmath>
#include <random>

#include "kernels/programs/runtime_api/host_library.h"

using namespace warplens;
using namespace warplens::programs;

namespace {

enum Status : int { success = 0, invalidValue = 103 };
struct Generator final {
    std::mt19937_64 engine{1};
};

/// `count` values, each of `next(engine)`.
template <class T, class Next>
int generate(Generator* generator, T* to, std::size_t count, Next next) {
    const auto lock = lockDevice();
    noteLibrary("cuRAND");
    sendNote(
        "numbers that cuRAND makes on the host are of the distribution that was asked for, "
        "and others than cuRAND's");
    T* values = libraryMemory<T>(to, count);
    if (values == nullptr) return invalidValue;
    for (std::size_t at = 0; at < count; ++at) values[at] = next(generator->engine);
    return success;
}
/// From above 0 to 1.
template <class T>
T uniform(std::mt19937_64& engine) {
    constexpr int bits = sizeof(T) == 4 ? 24 : 53;
    return static_cast<T>(std::ldexp(static_cast<double>((engine() >> (64 - bits)) + 1), -bits));
}

}  // namespace

extern "C" {

int curandCreateGenerator(Generator** generator, int) {
    return give(generator, new Generator);
}
int curandDestroyGenerator(Generator* generator) {
    delete generator;
    return success;
}
int curandSetPseudoRandomGeneratorSeed(Generator* generator, unsigned long long seed) {
    generator->engine.seed(seed);
    return success;
}
int curandSetGeneratorOffset(Generator* generator, unsigned long long offset) {
    generator->engine.discard(offset);
    return success;
}
int curandGenerate(Generator* generator, unsigned* to, std::size_t count) {
    return generate(generator, to, count,
                    [](auto& engine) { return static_cast<unsigned>(engine()); });
}
int curandGenerateLongLong(Generator* generator, unsigned long long* to, std::size_t count) {
    return generate(generator, to, count, [](auto& engine) { return engine(); });
}
int curandGenerateUniform(Generator* generator, float* to, std::size_t count) {
    return generate(generator, to, count, uniform<float>);
}
int curandGenerateUniformDouble(Generator* generator, double* to, std::size_t count) {
    return generate(generator, to, count, uniform<double>);
}
int curandGenerateNormal(Generator* generator, float* to, std::size_t count, float mean,
                         float deviation) {
    std::normal_distribution<float> normal(mean, deviation);
    return generate(generator, to, count, [&](auto& engine) { return normal(engine); });
}
int curandGenerateNormalDouble(Generator* generator, double* to, std::size_t count, double mean,
                               double deviation) {
    std::normal_distribution<double> normal(mean, deviation);
    return generate(generator, to, count, [&](auto& engine) { return normal(engine); });
}
int curandGenerateLogNormal(Generator* generator, float* to, std::size_t count, float mean,
                            float deviation) {
    std::lognormal_distribution<float> normal(mean, deviation);
    return generate(generator, to, count, [&](auto& engine) { return normal(engine); });
}
int curandGeneratePoisson(Generator* generator, unsigned* to, std::size_t count, double lambda) {
    std::poisson_distribution<unsigned> poisson(lambda);
    return generate(generator, to, count, [&](auto& engine) { return poisson(engine); });
}

}  // extern "C"
