#!/usr/bin/env python3
"""What takes longer than a second says so on a terminal, and leaves nothing behind there; what is
asked there.

progress_test.py WARPLENS
"""

import os
import pty
import subprocess
import sys
import tempfile
import time

TAKES_ITS_TIME = """
#include <unistd.h>
__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main() {
    int* a;
    cudaMalloc(&a, 128);
    k<<<1, 32>>>(a);
    sleep(2);
    cudaFree(a);
}
"""


def all_of(terminal):
    """What is written to it until its other end is closed; it comes in pieces."""
    text = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # the other end was closed
            break
        if not piece:
            break
        text += piece
    os.close(terminal)
    return text.decode()


def on_a_terminal(command):
    """Standard error of the command, which is a terminal, and how long it took."""
    ours, theirs = pty.openpty()
    begun = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs,
                          stdin=subprocess.DEVNULL) as process:
        os.close(theirs)
        text = all_of(ours)
        process.wait()
    return text, time.monotonic() - begun


def answered(command, answer, environment):
    """What a command writes on a terminal where that is typed, and its exit code."""
    ours, theirs = pty.openpty()
    os.write(ours, (answer + "\n").encode())
    with subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE,
                          env={**os.environ, **environment}) as process:
        os.close(theirs)
        output, _ = process.communicate()
    return all_of(ours) + output.decode(), process.returncode


def compiler_is_asked_for(program, folder):
    """The question before NVIDIA's compiler is set up, from what looks like its packages."""
    packages = os.path.join(folder, "packages", "nvidia", "cu13")
    for name in ["bin/nvcc", "bin/nvcc.profile", "bin/cudafe++", "bin/ptxas", "nvvm/bin/cicc",
                 "include/cuda_runtime.h", "include/crt/host_config.h"]:
        path = os.path.join(packages, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho release 13.9, V13.9.1\n")
        os.chmod(path, 0o755)
    command = [program, "setup-compiler", "--from", os.path.join(folder, "packages")]
    data = {"XDG_DATA_HOME": os.path.join(folder, "data"), "WARPLENS_ACCEPT_CUDA_EULA": ""}
    for answer in ["n", ""]:
        text, code = answered(command, answer, data)
        assert code == 1 and "no compiler was set up" in text, (text, code)
        assert not os.path.exists(os.path.join(folder, "data")), "nothing is made"
    text, code = answered(command, "y", data)
    assert code == 0 and "[y/N]" in text and "nvcc 13.9: set up" in text, (text, code)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        compiler_is_asked_for(program, folder)

    # A worker that answers nothing for two seconds, and then ends.
    slow = [program, "doctor", "--worker", "sleep 2"]
    text, _ = on_a_terminal(slow)
    assert " s  asking the worker" in text, repr(text)
    assert text.endswith("\r\033[K"), repr(text)

    # 2^26 threads take a second to write anywhere.
    text, seconds = on_a_terminal([program, "map", "warp-grouping", "--grid", "65536", "--block",
                                   "1024", "--csv"])
    assert seconds < 2 or " %  writing threads" in text, repr(text)

    text, seconds = on_a_terminal([program, "map", "warp-grouping"])
    assert seconds > 1 or text == "", repr(text)

    # A program that takes its time behind a launch.
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "slow.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write(TAKES_ITS_TIME)
        text, _ = on_a_terminal([program, "predict", source])
        assert "launch 0 traced" in text, repr(text)

    done = subprocess.run(slow, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert done.stderr == b"", done.stderr  # no terminal
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
