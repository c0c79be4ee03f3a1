"""What launches of CUDA programs ask of memory and branches, as Python objects.

    import warplens
    trace = warplens.predict("my.cu", defines={"N": 512})
    for line in trace.launches[0].lines:
        print(line.file, line.line, line.array, line.sectors)

Nothing here needs a GPU but `measure`. A .cu file needs NVIDIA's compiler (`warplens setup-compiler`, or a CUDA
toolkit); a scenario's name (`warplens list`) and a .ptx file (`open_ptx`) do not.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

PathLike = Union[str, "os.PathLike[str]"]
Size = Union[int, Sequence[int]]


class WarplensError(RuntimeError):
    """The request could not be done; `code` is the program's exit code: 1 failed, 2 the request is wrong, 3 not
    possible on this machine."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code


class InvalidRequest(WarplensError, ValueError):
    """The request is wrong, or the program does not compile: each broken limit with its value and the limit."""


class NotPossible(WarplensError):
    """This machine cannot do it: no compiler, no GPU."""


@dataclass(frozen=True)
class Value:
    """One number of a launch: `value` in `unit`; None, and `unavailable` says why, where there is none."""

    metric: str
    subject: str  #: `kernel`, or the name of an array or a branch
    source: str  #: `predicted`, `compiled`, `counted`, `timed` or `recorded`
    value: Optional[float] = None
    unit: str = ""
    variant: str = ""
    unavailable: str = ""


@dataclass(frozen=True)
class Line:
    """What one line of the source asks of one array: warp-level requests, 32-byte sectors and 128-byte lines of
    memory, wavefronts of shared memory, or divergent warps at a branch."""

    file: str
    line: int  #: from 1
    kind: str  #: load, store, atomic, shared_load, shared_store, shared_atomic, branch, constant_load
    array: str
    source: str
    requests: int
    sectors: Optional[int] = None
    cache_lines: Optional[int] = None
    wavefronts: Optional[int] = None
    divergent: Optional[int] = None
    reason: str = ""  #: why it costs what it costs, where that was found


@dataclass(frozen=True)
class Finding:
    """Something that a program does wrong."""

    kind: str
    words: str
    file: str
    line: int
    kernel: str
    times: int


@dataclass
class Launch:
    """One launch: its shape in threads and blocks, x first, and its numbers."""

    index: int
    kernel: str
    grid: Tuple[int, int, int]
    block: Tuple[int, int, int]
    exact: bool  #: every block was run
    values: List[Value] = field(default_factory=list)
    lines: List[Line] = field(default_factory=list)
    arguments: Dict[str, int] = field(default_factory=dict)

    def value(self, metric: str, subject: str = "kernel", source: str = "predicted", variant: str = "") -> float:
        """The number of a metric; KeyError where the launch has none."""
        for one in self.values:
            if (one.metric, one.subject, one.source, one.variant) == (metric, subject, source, variant):
                if one.value is None:
                    raise KeyError(f"{metric} of {subject}, {source}: {one.unavailable}")
                return one.value
        raise KeyError(f"no {metric} of {subject}, {source}")


@dataclass
class Trace:
    """What a program, or a built-in scenario, does: its launches in order, and what is wrong with it."""

    subject: str
    launches: List[Launch]
    findings: List[Finding]
    notes: List[str]
    document: Dict[str, Any]  #: the JSON document as Warplens prints it
    options: List[str] = field(default_factory=list)

    def frame(self):
        """The lines of all launches as a pandas DataFrame, a row for each line, array and source."""
        import pandas

        rows = [{"launch": launch.index, "kernel": launch.kernel, **vars(line)}
                for launch in self.launches for line in launch.lines]
        return pandas.DataFrame(rows)

    def figure(self, view: str = "", launch: Optional[int] = None, theme: str = "light") -> "Figure":
        """The launch drawn as an SVG, which a notebook shows. `view` as `warplens figure --view` has it."""
        options = list(self.options)
        if view:
            options += ["--view", view]
        if launch is not None:
            options += ["--launch", str(launch)]
        return Figure(_written("figure", self.subject, options + ["--theme", theme], ".svg"))

    def show(self, height: int = 640) -> "Page":
        """The window on this launch as a page of its own, which a notebook shows, `height` pixels high."""
        return Page(_written("export", self.subject, self.options, ".html"), height)

    def _repr_html_(self) -> str:
        from html import escape

        rows = []
        for launch in self.launches:
            shape = f"&lt;&lt;&lt;{launch.grid}, {launch.block}&gt;&gt;&gt;"
            rows.append(f"<tr><th colspan=6 style='text-align:left'>{escape(launch.kernel)} {shape}</th></tr>")
            for line in launch.lines:
                cost = next((f"{amount:,} {word}" for amount, word in (
                    (line.sectors, "sectors"), (line.wavefronts, "wavefronts"), (line.divergent, "divergent"))
                    if amount is not None), "")
                rows.append(f"<tr><td>{line.line}</td><td>{line.kind}</td><td>{escape(line.array)}</td>"
                            f"<td>{line.source}</td><td>{line.requests:,} request{'s' if line.requests != 1 else ''}</td>"
                            f"<td>{cost}</td></tr>")
        found = "".join(f"<li>line {one.line}: {escape(one.words)}</li>" for one in self.findings)
        return f"<table>{''.join(rows)}</table>" + (f"<ul>{found}</ul>" if found else "") + self._picture()

    def _picture(self) -> str:
        """The first launch's figure as an element; nothing where none can be drawn."""
        from base64 import b64encode

        try:
            svg = self.figure().svg.encode()
        except WarplensError:
            return ""
        return f'<img alt="" style="max-width:100%" src="data:image/svg+xml;base64,{b64encode(svg).decode()}">'


class Figure:
    """An SVG."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathLike) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Page:
    """The window in a page that needs no network."""

    def __init__(self, html: str, height: int):
        self.html = html
        self.height = height

    def _repr_html_(self) -> str:
        from html import escape

        return (f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:{self.height}px;border:0" '
                'allow="clipboard-write; fullscreen" title="Warplens"></iframe>')

    def save(self, path: PathLike) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)


def _program() -> str:
    """The program that lies in this package; else the one that WARPLENS_PROGRAM or PATH names."""
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "portable", "bin", "warplens")
    named = os.environ.get("WARPLENS_PROGRAM", "")
    return named or (inside if os.path.exists(inside) else "warplens")


def _ended_badly(output: str) -> bool:
    """Whether it is the trace of a program that failed, which has what came before."""
    return output.startswith("{") and json.loads(output).get("exit", {}).get("status", 0) != 0


def _run(arguments: Sequence[str]) -> str:
    try:
        done = subprocess.run([_program(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, universal_newlines=True, encoding="utf-8", check=False)
    except OSError as error:
        raise NotPossible(f"{_program()}: {error.strerror}", 3) from error
    if done.returncode == 0 or (done.returncode == 1 and _ended_badly(done.stdout)):
        return done.stdout
    words = "\n".join(line[len("warplens: "):] if line.startswith("warplens: ") else line
                      for line in done.stderr.strip().splitlines())
    kind = {2: InvalidRequest, 3: NotPossible}.get(done.returncode, WarplensError)
    raise kind(words or f"ended with code {done.returncode}", done.returncode)


def _written(command: str, subject: str, options: Sequence[str], ending: str) -> str:
    with tempfile.TemporaryDirectory(prefix="warplens-") as folder:
        path = os.path.join(folder, "out" + ending)
        _run([command, subject, *options, "-o", path])
        with open(path, encoding="utf-8") as file:
            return file.read()


def _size(of: Size) -> str:
    return str(of) if isinstance(of, int) else ",".join(str(side) for side in of)


def _options(grid: Optional[Size], block: Optional[Size], defines: Optional[Mapping[str, Any]],
             sizes: Optional[Mapping[str, int]], kernel: str, more: Iterable[str]) -> List[str]:
    options = []
    if grid is not None:
        options += ["--grid", _size(grid)]
    if block is not None:
        options += ["--block", _size(block)]
    for name, value in (defines or {}).items():
        options += ["-D", f"{name}={value}"]
    for name, value in (sizes or {}).items():
        options += ["--set", f"{name}={value}"]
    if kernel:
        options += ["--kernel", kernel]
    return options + list(more)


def _only(kind, told: Mapping[str, Any]):
    return kind(**{name: told[name] for name in kind.__dataclass_fields__ if name in told})


def _line(told: Mapping[str, Any]) -> Line:
    """A scenario's lines name what they are about, and a program's where they stand."""
    requests = told.get("requests", told.get("branches", 0))
    divergent = told.get("divergent", told.get("divergent_branches"))
    return _only(Line, {"file": "", "source": "predicted", "array": told.get("subject", ""), **told,
                        "requests": requests, "divergent": divergent})


def _launch(told: Mapping[str, Any], index: int, kernel: str) -> Launch:
    shape = told["launch"]
    arguments = told.get("arguments", {})
    if isinstance(arguments, list):
        arguments = {one["name"]: one["value"] for one in arguments}
    return Launch(index, kernel, tuple(shape["grid"]), tuple(shape["block"]), bool(told.get("exact", True)),
                  [_only(Value, one) for one in told["values"]],
                  [_line(one) for one in told.get("lines", [])], dict(arguments))


def _trace(document: Dict[str, Any], subject: str, options: List[str]) -> Trace:
    if "launches" not in document:
        return Trace(subject, [_launch(document, 0, document["scenario"])], [], [], document, options)
    return Trace(subject, [_launch(one, one["index"], one["kernel"]) for one in document["launches"]],
                 [_only(Finding, one) for one in document.get("findings", [])], document.get("notes", []), document,
                 options)


def predict(subject: PathLike, *, grid: Optional[Size] = None, block: Optional[Size] = None,
            defines: Optional[Mapping[str, Any]] = None, sizes: Optional[Mapping[str, int]] = None, kernel: str = "",
            options: Iterable[str] = ()) -> Trace:
    """What a .cu file's launches, or a built-in scenario, will do, without a GPU.

    grid, block: threads and blocks along x, y and z, in place of the program's own; defines: macros (`-D`);
    sizes: a scenario's problem sizes (`--set`); kernel: only launches of this one; options: more of the command
    line's. Raises InvalidRequest, also with the compiler's words, and NotPossible where there is no compiler.
    """
    given = _options(grid, block, defines, sizes, kernel, options)
    name = os.fspath(subject)
    return _trace(json.loads(_run(["predict", name, *given, "--json"])), name, given)


def open_ptx(subject: PathLike, *, grid: Optional[Size] = None, block: Optional[Size] = None,
             sizes: Optional[Mapping[str, int]] = None, kernel: str = "", options: Iterable[str] = ()) -> Trace:
    """The same of PTX, a file or its text, which needs no compiler.

    numba:  open_ptx(kernel.inspect_asm(kernel.signatures[0]))
    CuPy:   open_ptx(module_source_compiled_with("nvcc -ptx -lineinfo"))
    Triton: open_ptx(compiled.asm["ptx"])

    sizes: of parameters that are numbers, by name.
    """
    text = os.fspath(subject)
    if "\n" not in text:
        return predict(text, grid=grid, block=block, sizes=sizes, kernel=kernel, options=options)
    folder = tempfile.mkdtemp(prefix="warplens-")
    path = os.path.join(folder, "kernel.ptx")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return predict(path, grid=grid, block=block, sizes=sizes, kernel=kernel, options=options)


def measure(subject: PathLike, *, grid: Optional[Size] = None, block: Optional[Size] = None,
            defines: Optional[Mapping[str, Any]] = None, sizes: Optional[Mapping[str, int]] = None, kernel: str = "",
            worker: str = "", options: Iterable[str] = ()) -> Trace:
    """The same as a GPU counts it: of this machine, or where `worker` says, as in 'ssh lab-gpu'. Raises
    NotPossible where there is none."""
    given = _options(grid, block, defines, sizes, kernel, options)
    where = ["--worker", worker] if worker else []
    name = os.fspath(subject)
    return _trace(json.loads(_run(["measure", name, *given, *where, "--json"])), name, given)


def load_ipython_extension(ipython) -> None:
    """`%load_ext warplens`: afterwards `%%warplens [OPTIONS of warplens predict]` predicts a cell of CUDA."""

    def cell_magic(line: str, cell: str):
        import shlex

        folder = tempfile.mkdtemp(prefix="warplens-")
        path = os.path.join(folder, "cell.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n" + cell)  # below the line of %%warplens, as the notebook numbers them
        try:
            return predict(path, options=shlex.split(line))
        except WarplensError as error:
            # The lines are the cell's.
            raise type(error)(str(error).replace(path, "cell").replace("cell.cu", "cell"), error.code) from None

    ipython.register_magic_function(cell_magic, "cell", "warplens")
