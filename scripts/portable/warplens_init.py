"""Starts the programs of Warplens that lie in this package."""

import os
import sys

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


def measure():
    start("warplens-measure")
