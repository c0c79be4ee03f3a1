"""Warplens from Python (`warplens.predict`, `%load_ext warplens`), and what starts its programs."""

import os
import sys

from .api import (Figure, Finding, InvalidRequest, Launch, Line, NotPossible, Page, Trace, Value, WarplensError,
                  load_ipython_extension, measure, open_ptx, predict)

__all__ = ["Figure", "Finding", "InvalidRequest", "Launch", "Line", "NotPossible", "Page", "Trace", "Value",
           "WarplensError", "load_ipython_extension", "measure", "open_ptx", "predict"]

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "portable", "bin")


def start(name):
    """Becomes the program; NVIDIA's libraries of the same environment are found first of all wheels."""
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    cuda = os.path.join(packages, "nvidia", "cu13")
    if os.path.isdir(cuda):
        os.environ.setdefault("CUDA_PATH", cuda)
    program = os.path.join(FOLDER, name)
    try:
        os.execv(program, [program] + sys.argv[1:])
    except OSError as error:
        sys.exit(f"warplens: {program}: {error.strerror}; it runs on Linux with an x86-64 processor")


def warplens():
    start("warplens")


def warplens_measure():
    start("warplens-measure")
