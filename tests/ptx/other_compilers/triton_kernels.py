"""Makes triton_*.ptx: what Triton makes of these kernels for sm_80, without a device."""
import pathlib
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(a, b, c, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < n
    tl.store(c + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@triton.jit
def softmax(a, c, columns, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    inside = at < columns
    row = tl.load(a + tl.program_id(0) * columns + at, mask=inside, other=-float("inf"))
    power = tl.exp(row - tl.max(row, axis=0))
    tl.store(c + tl.program_id(0) * columns + at, power / tl.sum(power, axis=0), mask=inside)


@triton.jit
def bins(a, c, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < n
    tl.atomic_add(c + tl.load(a + at, mask=inside, other=0) % 8, 1, mask=inside)


KERNELS = [(add, {"a": "*fp32", "b": "*fp32", "c": "*fp32", "n": "i32", "SIZE": "constexpr"}, 256),
           (softmax, {"a": "*fp32", "c": "*fp32", "columns": "i32", "SIZE": "constexpr"}, 128),
           (bins, {"a": "*i32", "c": "*i32", "n": "i32", "SIZE": "constexpr"}, 256)]
for kernel, signature, size in KERNELS:
    source = ASTSource(fn=kernel, signature=signature, constexprs={"SIZE": size})
    made = triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": 4})
    text = re.sub(r'(\.file\t\d+ ")\S*/', r"\1", made.asm["ptx"])
    path = pathlib.Path(__file__).parent / f"triton_{kernel.fn.__name__}.ptx"
    path.write_text(text.split("\t.section")[0])
    print(path.name, made.metadata.shared, "bytes of shared memory")
