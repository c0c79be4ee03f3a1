#!/usr/bin/env python3
"""The real window under Xvfb: a remedy is applied and taken back by clicks, a goal is reached, and a
line's lesson has the line among its pictures.

remedies_test.py WARPLENS PICTURES
Exit code 77: Xvfb, xdotool or NVIDIA's compiler is missing.
"""

import os
import re
import sys
import tempfile

import driver
from driver import Display, Window, missing_tools, pause

HERE = os.path.dirname(os.path.abspath(__file__))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_program(folder):
    """The first of the planted programs."""
    table = os.path.join(HERE, "..", "remedies")
    text = re.split(r"^=== .*\n", read(os.path.join(table, "planted.txt")), flags=re.MULTILINE)[1]
    for name, words in (("rows.cu", '#include "common.h"\n' + text),
                        ("common.h", read(os.path.join(table, "common.h")))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(words)
    return os.path.join(folder, "rows.cu")


def shows(widget):
    return lambda now: widget in now["widgets"]


def main(program, pictures):
    missing = missing_tools()
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    driver.PATIENCE *= 6  # each remedy is compiled
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warplens-ui-") as folder, Display(folder) as display:
        path = write_program(folder)
        before = read(path)

        def keep(name):
            pause(0.7)
            display.save_picture(os.path.join(pictures, f"ui-remedy-{name}.png"))

        with Window(display, folder, program, [path]) as window:
            state = window.wait_for("a trace", lambda now: not now["program"]["stage"] and
                                    (now["program"]["launches"] or now["program"]["failure"]))
            if not state["program"]["launches"]:
                print("skipped:", state["program"]["failure"])
                return 77
            keep("line")
            window.click("program.goal")
            window.wait_for("the goal", shows("program.goal-end"))
            window.wait_for("a remedy", shows("program.apply"))
            keep("offered")
            # In view with the line, as is what it changes.
            window.click("program.apply")
            window.wait_for("the way back", shows("program.take-back"))
            window.wheel(20)
            window.wait_for("the changed program", lambda now: not now["program"]["stage"] and
                            "program.apply" not in now["widgets"])
            after = read(path)
            assert "int row = blockIdx.y * blockDim.y + threadIdx.y" in after, after
            keep("applied")
            window.click("program.take-back")
            window.wait_for("the remedy again", shows("program.apply"))
            window.wheel(20)
            assert read(path) == before
            keep("taken-back")
            # Without a mouse: Tab comes to it before the steps, and Ctrl+K finds it.
            passed = []
            while not passed or passed[-1] not in ("program.apply", "play"):
                window.press("Tab")
                passed.append(window.state()["focus"])
            assert passed[-1] == "program.apply", passed
            window.press("k", "ctrl")
            window.xdotool("type", "--delay", "40", "apply")
            window.wait_for("what is typed", lambda now: now["palette"]["typed"] == "apply")
            window.press("Return")
            window.wait_for("the way back", shows("program.take-back"))
            window.wait_for("the changed program", lambda now: not now["program"]["stage"] and
                            "program.apply" not in now["widgets"])
            window.click("program.take-back")
            window.wait_for("the remedy again", shows("program.apply"))
            # Below what the remedy changes.
            window.point_at("program.apply")
            window.wheel(-2)
            window.click("program.lesson")
            window.wait_for("the lesson", lambda now: now["lesson"]["id"] == "matadd-swapped")
            keep("lesson")
            window.click("lesson.reveal")
            window.wait_for("the line among its pictures", shows("lesson.own"))
            keep("lesson-answered")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
