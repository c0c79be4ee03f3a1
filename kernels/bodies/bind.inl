// Which parameters each body takes. Included after all.inl, in the same namespace, by each dialect.
// `parameters` makes them (input<T>(array), output<T>(array), argument(name)); `run` is called once,
// with the body as a type and the parameters in order.

template <auto function>
struct Body {};

template <class Parameters, class Run>
void bindKernel(KernelId id, const Parameters& p, Run run) {
    const auto in = [&](int array) { return p.template input<float>(array); };
    const auto out = [&](int array) { return p.template output<float>(array); };
    const auto arg = [&](const char* name) { return p.argument(name); };
    switch (id) {
        case KernelId::writeWarpRank:
            return run(Body<writeWarpRank>{}, p.template output<int>(0));
        case KernelId::matrixAddCoalesced:
            return run(Body<matrixAddCoalesced>{}, in(0), in(1), out(2), arg("n"));
        case KernelId::matrixAddSwapped:
            return run(Body<matrixAddSwapped>{}, in(0), in(1), out(2), arg("n"));
        case KernelId::matrixMultiplyCoalesced:
            return run(Body<matrixMultiplyCoalesced>{}, in(0), in(1), out(2), arg("rows"),
                       arg("inner"), arg("cols"));
        case KernelId::matrixMultiplySwapped:
            return run(Body<matrixMultiplySwapped>{}, in(0), in(1), out(2), arg("rows"),
                       arg("inner"), arg("cols"));
        case KernelId::matrixMultiplyGlobal:
            return run(Body<matrixMultiplyGlobal>{}, in(0), in(1), out(2), arg("n"));
        case KernelId::matrixMultiplyTiled:
            if (arg("tile") == 8) {
                return run(Body<matrixMultiplyTiled<8>>{}, in(0), in(1), out(2), arg("n"));
            }
            if (arg("tile") == 16) {
                return run(Body<matrixMultiplyTiled<16>>{}, in(0), in(1), out(2), arg("n"));
            }
            return run(Body<matrixMultiplyTiled<32>>{}, in(0), in(1), out(2), arg("n"));
        case KernelId::matrixMultiplyTiledDynamic:
            return run(Body<matrixMultiplyTiledDynamic>{}, in(0), in(1), out(2), arg("n"),
                       arg("tile"));
        case KernelId::branchOddEven:
            return run(Body<branchOddEven>{}, out(0), arg("n"));
        case KernelId::branchByWarp:
            return run(Body<branchByWarp>{}, out(0), arg("n"));
        case KernelId::branchPredicate:
            return run(Body<branchPredicate>{}, out(0), arg("n"));
        case KernelId::branchWarmUp:
            return run(Body<branchWarmUp>{}, out(0), arg("n"));
        case KernelId::branchLongArms:
            return run(Body<branchLongArms>{}, in(0), out(1), arg("n"), arg("shift"),
                       arg("repeats"));
        case KernelId::branchLoopTrips:
            return run(Body<branchLoopTrips>{}, in(0), out(1), arg("n"), arg("trips"));
        case KernelId::copyStrided:
            return run(Body<copyStrided>{}, in(0), out(1), arg("n"), arg("stride"));
        case KernelId::copyOffset:
            return run(Body<copyOffset>{}, in(0), out(1), arg("n"), arg("offset"));
        case KernelId::copyVector:
            return run(Body<copyVector>{}, p.template input<float4>(0),
                       p.template output<float4>(1), arg("n"));
        case KernelId::scalePicture:
            return run(Body<scalePicture>{}, in(0), out(1), arg("width"), arg("height"));
        case KernelId::walkRowMajor:
            return run(Body<walkRowMajor>{}, in(0), out(1), arg("width"), arg("height"));
        case KernelId::walkColumnMajor:
            return run(Body<walkColumnMajor>{}, in(0), out(1), arg("width"), arg("height"));
        case KernelId::elementwise1D:
            return run(Body<elementwise1D>{}, in(0), out(1), arg("n"));
        case KernelId::elementwise2D:
            return run(Body<elementwise2D>{}, in(0), out(1), arg("width"), arg("height"));
        case KernelId::elementwise3D:
            return run(Body<elementwise3D>{}, in(0), out(1), arg("width"), arg("height"),
                       arg("depth"));
        case KernelId::reduceInterleaved:
            return run(Body<reduceInterleaved>{}, in(0), out(1), arg("n"));
        case KernelId::reduceSequential:
            return run(Body<reduceSequential>{}, in(0), out(1), arg("n"));
        case KernelId::transposeTile:
            return run(Body<transposeTile>{}, in(0), out(1), arg("n"));
        case KernelId::transposeTilePadded:
            return run(Body<transposeTilePadded>{}, in(0), out(1), arg("n"));
        case KernelId::arrayInLocalMemory:
            return run(Body<arrayInLocalMemory>{}, in(0), out(1), arg("n"), arg("shift"));
        case KernelId::arrayInRegisters:
            return run(Body<arrayInRegisters>{}, in(0), out(1), arg("n"), arg("shift"));
        case KernelId::sumInRounds:
            return run(Body<sumInRounds>{}, p.template input<float4>(0), out(1), arg("n"),
                       arg("work"));
    }
}
