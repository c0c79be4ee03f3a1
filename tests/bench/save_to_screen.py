#!/usr/bin/env python3
"""From a file saved to its new numbers on the screen of a real window, under Xvfb.

save_to_screen.py WARPLENS FILE.cu BLOCK [TIMES]

FILE must hold BLOCK, a block's threads, which every save replaces by another number: nothing comes from a
cache. The time ends when the first card of the launches, which names the block, has changed on the
screen, as the X server's frame buffer has it.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from driver import Display, Window  # noqa: E402


def pixels(folder, place):
    """The bytes of a part of the screen."""
    x, y, width, height = (int(side) for side in place)
    with open(os.path.join(folder, "Xvfb_screen0"), "rb") as file:
        data = file.read()
    header = [int.from_bytes(data[4 * i:4 * i + 4], "big") for i in range(25)]
    start = header[0] + 12 * header[19]
    return b"".join(data[start + row * header[12] + 4 * x:start + row * header[12] + 4 * (x + width)]
                    for row in range(y, y + height))


def first_card(state):
    """Of the launches that are shown: a library's are not before its call is opened."""
    return min((name for name in state["widgets"] if name.startswith("program.launch.")), default="")


def main(program, source, block, times):
    with tempfile.TemporaryDirectory() as folder, Display(folder) as display:
        file = os.path.join(folder, os.path.basename(source))
        shutil.copy(source, file)
        with open(source, encoding="utf-8") as text:
            words = text.read()
        with Window(display, folder, program, [file]) as window:
            state = window.wait_for("the first trace", first_card)
            seconds = []
            for i in range(times):
                time.sleep(1.0)
                place = window.place_of(first_card(state))
                before = pixels(folder, place)
                with open(file, "w", encoding="utf-8") as out:
                    out.write(words.replace(block, str(32 * (2 + i % 7)) + f" /* {i} */"))
                begin = time.monotonic()
                while pixels(folder, place) == before:
                    if time.monotonic() - begin > 60:
                        raise AssertionError("nothing changed on the screen in 60 s")
                    time.sleep(0.002)
                seconds.append(time.monotonic() - begin)
                window.wait_for("the last frame", lambda state: state["settled"])
    print(f"{times} saves: median {statistics.median(seconds):.2f} s, least {min(seconds):.2f}, "
          f"most {max(seconds):.2f}; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3],
         int(sys.argv[4]) if len(sys.argv) > 4 else 20)
