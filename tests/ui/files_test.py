#!/usr/bin/env python3
"""The real window under Xvfb: launches by keyboard, opening files, and typing in them.

files_test.py WARPLENS PICTURES
Exit code 77: Xvfb or xdotool is missing.
"""

import os
import shutil
import sys
import tempfile

from driver import Display, Window, missing_tools, pause

DOUBLES = ("__global__ void doubles(const float* in, float* out, int n) {\n"
           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (i < n) out[i] = 2 * in[i];\n"
           "}\n")


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def typed(window, text):
    window.xdotool("type", "--delay", "40", text)


def find(window, words):
    """Ctrl+K, the words, Enter."""
    window.press("k", "ctrl")
    window.wait_for("the palette", lambda now: now["palette"]["open"])
    typed(window, words)
    window.wait_for("what is typed", lambda now: now["palette"]["typed"] == words)
    window.press("Return")
    window.wait_for("no palette", lambda now: not now["palette"]["open"])


def block_of(state):
    return state["shown"]["launch"]["block"]


def set_a_launch_by_keyboard(display, folder, program, pictures):
    print("set a launch by keyboard", flush=True)
    with Window(display, folder, program, ["matadd-coalesced"]) as window:
        window.press("i")
        window.wait_for("the field", lambda now: now["focus"] == "block.x")
        pause(0.3)
        for number in ("7", "3", "5"):
            typed(window, number)
            window.press("Tab")
        window.wait_for("the block", lambda now: block_of(now) == [7, 3, 5])
        # Six fields, six times Tab.
        for field in ("grid.x", "grid.y", "grid.z"):
            window.wait_for(field, lambda now, name=field: now["focus"] == name)
            window.press("Tab")
        display.save_picture(os.path.join(pictures, "ui-keyboard.png"))
        # Come to a field again and leave it by Enter: a digit is typed, and no key.
        window.press("i")
        pause(0.3)
        window.press("Return")
        pause(0.3)
        typed(window, "33")
        window.press("Return")
        state = window.wait_for("the digits", lambda now: block_of(now) == [33, 3, 5])
        assert state["block_view"] == "2d", state["block_view"]
        window.press("i")
        pause(0.3)
        window.press("Up")
        window.press("Return")
        window.wait_for("one more", lambda now: block_of(now) == [34, 3, 5])
        window.press("Escape")
        find(window, "block 7x3x5")
        window.wait_for("the block", lambda now: block_of(now) == [7, 3, 5])
        find(window, "grid 9 8")
        window.wait_for("the grid", lambda now: now["shown"]["launch"]["grid"] == [9, 8, 1])
        find(window, "set n=96")
        window.wait_for("the size", lambda now: now["shown"]["arguments"] == {"n": 96})
        find(window, "warp 2")
        window.wait_for("the warp", lambda now: now["held_warp"] == 2)
        window.press("z", "ctrl")
        window.wait_for("the size before", lambda now: now["shown"]["arguments"] != {"n": 96})


def open_files(display, folder, program, pictures):
    print("open files", flush=True)
    os.makedirs(os.path.join(folder, "course"), exist_ok=True)
    write(os.path.join(folder, "course", "doubles.cu"), DOUBLES)
    write(os.path.join(folder, "course", "down.cu"), DOUBLES)
    with Window(display, folder, program, ["matadd-coalesced"]) as window:
        window.press("o", "ctrl")
        window.wait_for("the field", lambda now: "program.path" in now["widgets"])
        pause(0.3)
        typed(window, "no/such.cu")
        window.press("Return")
        window.wait_for("the words", lambda now: "no/such.cu" in now["program"]["problem"])
        pause(0.3)
        display.save_picture(os.path.join(pictures, "ui-open-wrong.png"))
        # What is typed next goes into the field, and presses nothing.
        window.press("a", "ctrl")
        typed(window, "cou")
        window.press("Tab")
        window.wait_for("the folder's files", lambda now:
                        "program.offered.course/doubles.cu" in now["widgets"])
        typed(window, "dou")
        window.press("Tab")
        pause(0.3)
        display.save_picture(os.path.join(pictures, "ui-open-completed.png"))
        window.press("Return")
        window.wait_for("the file", lambda now: now["program"]["path"] == "course/doubles.cu")
        assert not window.state()["program"]["asking"]
    with Window(display, folder, program, ["matadd-coalesced"]) as window:
        find(window, "doubles")
        window.wait_for("the recent file", lambda now:
                        now["program"]["path"].endswith("/course/doubles.cu"))


def show_another_file(display, folder, program):
    """A kernel in a header, a macro and an argument of the command line's: it opens at the header, a part of it."""
    print("show another file", flush=True)
    main, header = os.path.join(folder, "uses.cu"), os.path.join(folder, "doubles.cuh")
    write(header, DOUBLES)
    write(main, '#include <cstdlib>\n#include "doubles.cuh"\n'
                "int main(int, char** words) {\n    float *in, *out;\n    const int n = COUNT;\n"
                "    cudaMalloc(&in, 4 * n);\n    cudaMalloc(&out, 4 * n);\n    cudaMemset(in, 0, 4 * n);\n"
                "    for (int i = 0; i < atoi(words[1]); ++i) doubles<<<2, 32>>>(in, out, n);\n"
                "    cudaFree(in);\n    cudaFree(out);\n}\n")
    with Window(display, folder, program, [main, "-D", "COUNT=64", "--", "2"]) as window:
        # Nothing of the main has numbers: it opens at the header.
        window.wait_for("the same program", lambda now: now["program"]["path"] == header and
                        len(now["program"]["launches"]) == 2 and "program.launch.1" in now["widgets"] and
                        "program.file" not in now["widgets"])


def browse(display, folder, program):
    """A stand-in for zenity answers, after it has warned as toolkits do."""
    print("browse", flush=True)
    tools = os.path.join(folder, "tools")
    os.makedirs(tools)
    zenity = os.path.join(tools, "zenity")
    chosen = os.path.join(folder, "course", "down.cu")
    write(zenity, f"#!/bin/sh\necho 'Gtk-WARNING: theme' >&2\necho '{chosen}'\n")
    os.chmod(zenity, 0o755)
    path = tools + os.pathsep + os.environ["PATH"]
    with Window(display, folder, program, ["matadd-coalesced"], path=path) as window:
        window.press("o", "ctrl")
        window.click("program.browse")
        window.wait_for("the file", lambda now: now["program"]["path"] == chosen)
    empty = os.path.join(folder, "empty")
    os.makedirs(empty)
    with Window(display, folder, program, ["matadd-coalesced"], path=empty) as window:
        window.press("o", "ctrl")
        window.click("program.browse")
        window.wait_for("why not", lambda now: "zenity" in now["program"]["problem"])


def type_in_a_file(display, folder, program, pictures):
    print("type in a file", flush=True)
    path = os.path.join(folder, "typed.cu")
    write(path, DOUBLES)

    def text(state):
        return state["program"]["editor"]["text"]

    with Window(display, folder, program, [path]) as window:
        window.wait_for("a trace", lambda now: not now["program"]["stage"] and
                        (now["program"]["launches"] or now["program"]["failure"]))
        window.press("e", "ctrl")
        window.wait_for("the editor", lambda now: "program.editor" in now["widgets"] and
                        text(now) == DOUBLES)
        pause(0.5)
        window.press("Home", "ctrl")
        typed(window, "// 23m")
        window.xdotool("key", "Return")
        window.wait_for("what is typed", lambda now: text(now) == "// 23m\n" + DOUBLES)
        assert read(path) == DOUBLES, "it is not saved yet"
        pause(1)
        typed(window, "\t  x")
        window.xdotool("key", "Return")
        window.wait_for("the indentation", lambda now:
                        text(now) == "// 23m\n      x\n      " + DOUBLES)
        display.save_picture(os.path.join(pictures, "ui-editor.png"))
        window.press("z", "ctrl")
        window.wait_for("undone", lambda now: text(now) == "// 23m\n" + DOUBLES)
        window.press("z", "ctrl", "shift")
        window.wait_for("redone", lambda now: "x" in text(now).split("\n")[1])
        window.press("Escape")
        pause(0.3)
        assert text(window.state()) != DOUBLES, "Escape takes nothing back"
        window.click("program.editor")
        window.press("s", "ctrl")
        window.wait_for("the file", lambda now: not now["program"]["editor"]["changed"])
        assert read(path) == text(window.state())
        window.wait_for("what the compiler says", lambda now: now["program"]["failure"])
        pause(0.5)
        display.save_picture(os.path.join(pictures, "ui-editor-error.png"))
        # Another program writes: where nothing is typed here, that is what stands here.
        write(path, DOUBLES)
        window.wait_for("theirs", lambda now: text(now) == DOUBLES)
        window.press("Home", "ctrl")
        typed(window, "// mine")
        window.xdotool("key", "Return")
        window.wait_for("mine", lambda now: text(now).startswith("// mine\n"))
        write(path, "// theirs\n" + DOUBLES)
        window.wait_for("that both have written", lambda now: now["program"]["editor"]["theirs"])
        pause(0.5)
        display.save_picture(os.path.join(pictures, "ui-editor-both.png"))
        window.press("s", "ctrl")
        pause(0.5)
        assert read(path) == "// theirs\n" + DOUBLES, "nothing is written over unasked"
        window.click("editor.mine")
        window.wait_for("mine in the file", lambda now: not now["program"]["editor"]["changed"])
        assert read(path) == "// mine\n" + DOUBLES
        window.click("program.editor")
        window.press("z", "ctrl")
        window.wait_for("theirs by Undo", lambda now: text(now) == "// theirs\n" + DOUBLES)
        window.click("program.close")
        window.wait_for("the draft", lambda now: any(".unsaved" in message["text"]
                                                     for message in now["messages"]))
        assert read(path + ".unsaved") == "// theirs\n" + DOUBLES
        find(window, "new file")
        window.wait_for("the field for its folder and name", lambda now: now["program"]["asking"])
        window.press("Return")
        window.wait_for("a file to begin with", lambda now: now["program"]["launches"] ==
                        ["twice<<<4, 256>>>"] or now["program"]["failure"])
        assert window.state()["program"]["editor"]["open"]
        typed(window, "// at once")
        window.wait_for("letters without a click", lambda now: "// at once" in text(now))
        display.save_picture(os.path.join(pictures, "ui-editor-new.png"))


def edit_outside(display, folder, program):
    print("edit outside", flush=True)
    path = os.path.join(folder, "typed.cu")
    told = os.path.join(folder, "told")
    editor = os.path.join(folder, "gedit")
    write(editor, f"#!/bin/sh\necho \"$@\" > '{told}'\n")
    os.chmod(editor, 0o755)
    os.environ["VISUAL"] = editor
    with Window(display, folder, program, [path]) as window:
        window.wait_for("a trace", lambda now: not now["program"]["stage"])
        find(window, "line 3")
        window.wait_for("the line", lambda now: now["program"]["line"] == 3)
        window.press("e", "ctrl", "shift")
        window.wait_for("the editor", lambda _: os.path.exists(told) and read(told))
        assert read(told) == f"+3 {path}\n", read(told)


def see_the_model(display, folder, program, pictures):
    print("see the model", flush=True)
    with Window(display, folder, program, ["latency-hiding"]) as window:
        window.press("4")
        window.click("time.model")
        first = window.wait_for("the model", lambda now: now["model"])["model"]
        assert first["latency"] == 700 and first["cycles"] > 100_000, first
        window.wait_for("the picture", lambda now: "model.chart" in now["widgets"])
        pause(0.5)
        display.save_picture(os.path.join(pictures, "ui-model.png"))
        window.drag_along("model.latency", 0.5, 0.9)
        slower = window.wait_for("a longer latency", lambda now: now["model"] and
                                 now["model"]["latency"] > 700 and
                                 now["model"]["cycles"] > first["cycles"])["model"]
        window.click("model.fewer")
        window.wait_for("fewer blocks", lambda now: now["model"] and
                        now["model"]["resident"] == first["resident"] - 1 and
                        now["model"]["cycles"] >= slower["cycles"])
        window.click("model.play")
        window.wait_for("cycles going by", lambda now: now["model"]["at"] > 100)
        display.save_picture(os.path.join(pictures, "ui-model-playing.png"))
    with Window(display, folder, program, ["matmul-tiled"]) as window:
        opened = window.wait_for("that scenario", lambda now: now["settled"] and
                                 now["experiment"]["scenario"] == "matmul-tiled")
        if opened["block_view"] != "time":  # as it was left
            window.press("4")
        window.wait_for("the model where nothing is recorded", lambda now: now["model"] and
                        now["model"]["cycles"] > 0)
        pause(0.5)
        display.save_picture(os.path.join(pictures, "ui-model-tiled.png"))


def edit_a_lesson(display, folder, program):
    """What is saved in a course shows; what cannot be read is said, and the last that could stays."""
    print("edit a lesson", flush=True)
    here = os.path.dirname(os.path.abspath(__file__))
    course = os.path.join(folder, "lecture")
    shutil.copytree(os.path.join(here, "../../docs/example-course"), course)
    lesson = os.path.join(course, "lessons", "rows.json")
    text = read(lesson)
    with Window(display, folder, program, [course]) as window:
        window.wait_for("the lesson", lambda now: now["lesson"]["id"] == "lecture/rows")
        write(lesson, text.replace('"place": 1', '"place": "one"'))
        window.wait_for("what is wrong", lambda now: any(
            "rows.json" in message["text"] for message in now["messages"]))
        assert window.state()["lesson"]["id"] == "lecture/rows"
        write(lesson, text.replace('"id": "rows"', '"id": "rows-anew"'))
        window.wait_for("the list, for it has another name", lambda now: now["lesson"]["id"] == "")


def main(program, pictures):
    missing = missing_tools()
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warplens-ui-") as folder:
        with Display(folder) as display:
            set_a_launch_by_keyboard(display, folder, program, pictures)
            open_files(display, folder, program, pictures)
            show_another_file(display, folder, program)
            browse(display, folder, program)
            type_in_a_file(display, folder, program, pictures)
            see_the_model(display, folder, program, pictures)
            edit_a_lesson(display, folder, program)
            edit_outside(display, folder, program)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
