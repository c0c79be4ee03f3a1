#!/usr/bin/env python3
"""Lessons, comparing and presenting as somebody new comes to them: the real window under Xvfb.

lessons_test.py WARPLENS PICTURES
Exit code 77: Xvfb or xdotool is missing.
"""

import os
import shutil
import sys
import tempfile

from driver import Display, Window, missing_tools, pause


class Newcomer:
    """The steps, in order; the program is ended and started again between them."""

    def __init__(self, display, folder, program, pictures):
        self.display = display
        self.folder = folder
        self.program = program
        self.pictures = pictures
        self.window = None

    def start(self):
        return Window(self.display, self.folder, self.program, ["--worker", ""],
                      past_welcome=False)

    def picture(self, name):
        path = os.path.join(self.pictures, f"ui-lessons-{name}.png")
        self.window.wait_for("the last frame", lambda state: state["settled"])
        self.display.save_picture(path)
        with open(path, "rb") as file:
            return file.read()

    def find(self, words):
        self.window.press("k", "ctrl")
        count = self.window.wait_for("the palette", lambda state: state["palette"]["open"])["frames"]["count"]
        # Its field takes letters from the next frame on.
        self.window.wait_for("its field", lambda state: state["frames"]["count"] > count + 1)
        self.window.xdotool("type", "--delay", "60", words)
        self.window.wait_for("what is typed", lambda state: state["palette"]["typed"] == words)
        self.window.press("Return")
        self.window.wait_for("no palette", lambda state: not state["palette"]["open"])

    def open_lesson(self, words, name):
        self.find("lesson " + words)
        self.window.wait_for("the lesson", lambda state: state["mode"] == "learn" and
                             state["lesson"]["id"] == name and "lesson.guess" in state["widgets"])

    def guess(self, number):
        self.window.click("lesson.guess")
        self.window.press("a", "ctrl")
        self.window.xdotool("type", "--delay", "60", number)
        self.window.click("lesson.answer")

    def turn_to(self, widget):
        """The lesson's first page from here on that has it."""
        for _ in range(12):
            pause(0.4)  # the page's widgets are known once it has been drawn
            state = self.window.state()
            if widget in state["widgets"]:
                return
            page = state["lesson"]["page"]
            self.window.press("Page_Down")
            self.window.wait_for("the next page", lambda state: state["lesson"]["page"] == page + 1)
        raise AssertionError(f"no page has {widget}")

    def begin_with_the_first_lesson(self):
        self.window.wait_for("the welcome", lambda state: "welcome.learn" in state["widgets"])
        self.window.click("welcome.learn")
        self.window.wait_for("the lesson", lambda state: state["mode"] == "learn" and
                             state["lesson"]["id"] == "warp-grouping")

    def make_a_mistake(self):
        """A hint moves neither the field nor the buttons, and one types on behind it; letters are
        no keys meanwhile."""
        fixed = ("lesson.guess", "lesson.answer", "lesson.hint", "lesson.reveal")
        places = [self.window.place_of(name) for name in fixed]
        self.window.xdotool("type", "--delay", "60", "10")
        theme = self.window.state()["theme"]
        self.window.click("lesson.hint")
        self.window.wait_for("a hint", lambda state: state["lesson"]["hints"] == 1)
        assert [self.window.place_of(name) for name in fixed] == places
        self.window.xdotool("type", "--delay", "60", "24 threads")
        self.window.press("Return")
        self.window.wait_for("a mistake", lambda state: state["lesson"]["tries"] == 1)
        assert self.window.state()["theme"] == theme
        self.picture("mistake")

    def move_its_picture(self):
        self.window.drag_along("lesson.motion", 0.3, 0.7)
        self.window.wait_for("the picture by hand", lambda state:
                             0.6 < state["lesson"]["motion"] < 0.8)
        self.picture("motion")
        self.window.click("lesson.play")
        self.window.wait_for("the picture on its own", lambda state:
                             state["lesson"]["motion"] > 0.85)

    def go_back_to_its_question(self):
        shown = self.window.state()["shown"]
        self.window.click("lesson.picture")
        self.window.wait_for("the question's picture", lambda state:
                             "lesson.picture" not in state["widgets"] and state["shown"] != shown)

    def answer_it(self):
        self.guess("32")
        self.window.wait_for("the right answer", lambda state: state["lesson"]["right"])
        self.window.press("Page_Down")
        self.window.wait_for("its first step", lambda state: state["lesson"]["page"] == 1)

    def come_back_to_it(self):
        """After the program was ended: nothing is lost, and nobody is welcomed twice."""
        before = self.window.state()["lesson"]
        self.window.__exit__()
        self.window = self.start()
        if self.window.state()["mode"] == "explore":
            self.window.press("l")
        state = self.window.wait_for("the lesson", lambda now: now["mode"] == "learn")
        assert "welcome.learn" not in state["widgets"]
        for kept in ("id", "page", "right", "tries", "hints"):
            assert state["lesson"][kept] == before[kept], (kept, before, state["lesson"])

    def begin_it_again(self):
        self.find("all lessons")
        self.window.click("lesson.restart.warp-grouping")
        self.window.click("lesson.open.warp-grouping")
        self.window.wait_for("its question", lambda state: not state["lesson"]["answered"] and
                             state["lesson"]["page"] == 0 and "lesson.guess" in state["widgets"])

    def leave_its_last_page_by_enter(self):
        """Enter turns pages once the question is answered, after Page Down too, and behind the last
        is the next lesson."""
        self.guess("32")
        self.window.wait_for("the right answer", lambda state: state["lesson"]["right"])
        self.window.press("Page_Down")
        self.window.wait_for("its first step", lambda state: state["lesson"]["page"] == 1)
        for _ in range(20):
            before = self.window.state()["lesson"]
            self.window.press("Return")
            state = self.window.wait_for("another page", lambda now: (
                now["lesson"]["id"], now["lesson"]["page"]) != (before["id"], before["page"]))
            if state["lesson"]["id"] != "warp-grouping":
                break
            assert state["lesson"]["page"] == before["page"] + 1, (before, state["lesson"])
        assert state["lesson"]["id"] == "warp-grouping-128", state["lesson"]
        assert not state["lesson"]["answered"] and state["lesson"]["page"] == 0, state["lesson"]

    def slide(self):
        """The slider stops where the answer would begin, until it is given."""
        self.open_lesson("strided access", "access-stride")
        stride = lambda state: state["shown"]["arguments"]["stride"]
        self.window.drag_along("lesson.slider", 0.02, 0.98)
        pause(0.3)
        assert stride(self.window.state()) <= 2, "beyond what is asked"
        self.guess("32")
        self.window.wait_for("the right answer", lambda state: state["lesson"]["right"])
        self.turn_to("lesson.slider")
        self.window.drag_along("lesson.slider", 0.1, 0.98)
        self.window.wait_for("the slider's end", lambda state: stride(state) > 28)
        self.turn_to("lesson.compare")
        self.window.click("lesson.compare")
        self.window.wait_for("A against B", lambda state: "lesson.compared" in state["widgets"])
        self.picture("pair")

    def reach_a_goal(self):
        self.open_lesson("uncoalesced matrix addition", "matadd-swapped")
        self.window.click("lesson.reveal")
        self.window.wait_for("the answer", lambda state: state["lesson"]["answered"])
        self.turn_to("goal.x.less")
        assert not self.window.state()["lesson"]["goal"]
        for step, block in (("x.less", [8, 16, 1]), ("x.less", [4, 16, 1]), ("y.more", [4, 32, 1]),
                            ("y.more", [4, 64, 1])):
            self.window.click("goal." + step)
            self.window.wait_for("the block", lambda state:
                                 state["shown"]["launch"]["block"] == block)
        self.window.wait_for("the goal", lambda state: state["lesson"]["goal"])
        self.picture("goal")

    def write_an_exercise(self):
        """From the lesson to the file, which is put right, and back."""
        if shutil.which("nvcc") is None:
            return
        assert not self.reopened("access-stride", "strided access")["exercise"]
        self.turn_to("lesson.exercise")
        self.window.click("lesson.exercise")
        self.window.wait_for("the file, and what is left", lambda state:
                             "editor.exercise" in state["widgets"])
        self.picture("exercise")
        path = os.path.join(self.folder, "access-stride.cu")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert "in[thread * each + i]" in text
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("in[thread * each + i]", "in[i * threads + thread]"))
        self.window.wait_for("that it is done", lambda state: any(
            "is done" in message["text"] for message in state["messages"]))
        self.picture("exercise-done")
        self.window.click("program.close")
        assert self.reopened("access-stride", "strided access")["exercise"], "it is not noted"

    def reopened(self, name, words):
        """A lesson that was answered before, as the window has it."""
        self.find("lesson " + words)
        state = self.window.wait_for("the lesson", lambda state: state["mode"] == "learn" and
                                     state["lesson"]["id"] == name)
        return state["lesson"]

    def compare_at_once(self):
        self.window.click("lesson.close")
        self.find("matrix addition, coalesced")
        self.window.wait_for("the sum", lambda state: state["mode"] == "explore" and
                             state["shown"]["scenario"] == "matadd-coalesced")
        self.window.press("a")
        self.window.wait_for("A", lambda state: state["pinned_a"])
        self.find("matrix addition, uncoalesced")
        self.window.wait_for("the other beside it", lambda state: not state["pinned_b"] and
                             "compared" in state["widgets"])
        self.picture("compared")

    def copy_the_table(self):
        self.find("table as markdown")
        self.window.wait_for("that it is copied", lambda state: state["messages"])
        table = self.window.clipboard("UTF8_STRING").decode()
        assert table.startswith("|") and "effective_bandwidth" in table, table[:200]
        self.window.wait_for("the notice gone", lambda state: not state["messages"])

    def present_it(self):
        self.find("save a figure")
        self.window.wait_for("Figure", lambda state: "figure.save" in state["widgets"])
        self.window.press("Escape")  # once, whatever has the keys there
        self.window.wait_for("Figure closed", lambda state: "figure.save" not in state["widgets"])
        self.window.press("p")
        self.window.wait_for("the slide", lambda state: "present" in state["widgets"])
        bare = self.picture("slide")
        self.window.press("h")
        pause(0.5)
        assert self.picture("spotlight") != bare, "no light for the pointer"
        self.window.press("Escape")
        self.window.wait_for("the panels", lambda state: state["mode"] == "explore")

    def run(self):
        self.window = self.start()
        for step in (self.begin_with_the_first_lesson, self.make_a_mistake,
                     self.move_its_picture, self.go_back_to_its_question, self.answer_it,
                     self.come_back_to_it, self.begin_it_again, self.leave_its_last_page_by_enter,
                     self.slide, self.reach_a_goal, self.write_an_exercise, self.compare_at_once,
                     self.copy_the_table, self.present_it):
            print(step.__name__.replace("_", " "), flush=True)
            try:
                step()
            except BaseException:
                self.display.save_picture(os.path.join(self.pictures, "ui-lessons-failed.png"))
                self.window.__exit__()
                raise
        self.window.__exit__()


def main(program, pictures):
    missing = missing_tools()
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warplens-ui-") as folder, Display(folder) as display:
        Newcomer(display, folder, program, pictures).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
