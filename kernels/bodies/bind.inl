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
        case KernelId::branchOddEven:
            return run(Body<branchOddEven>{}, out(0), arg("n"));
        case KernelId::branchByWarp:
            return run(Body<branchByWarp>{}, out(0), arg("n"));
        case KernelId::branchLongArms:
            return run(Body<branchLongArms>{}, in(0), out(1), arg("n"), arg("shift"),
                       arg("repeats"));
        case KernelId::copyStrided:
            return run(Body<copyStrided>{}, in(0), out(1), arg("n"), arg("stride"));
        case KernelId::copyOffset:
            return run(Body<copyOffset>{}, in(0), out(1), arg("n"), arg("offset"));
    }
}
