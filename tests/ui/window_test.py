#!/usr/bin/env python3
"""The real window under Xvfb: set a launch, pick a scenario, measure, cancel, lose the worker.

window_test.py WARPLENS WORKER_STUB PICTURES
Exit code 77: Xvfb or xdotool is missing.
"""

import json
import os
import signal
import sys
import tempfile

from driver import PATIENCE, SLOWNESS, Display, Window, missing_tools, pause


def block_of(state):
    return state["shown"]["launch"]["block"]


def status(state):
    return state["measuring"]["status"]


def said(text):
    """Whether one of the messages in a state holds `text`."""
    return lambda state: any(text in message["text"] for message in state["messages"]) or (
        text in state["measuring"].get("message", ""))


class Play:
    """The steps, in order, in one window."""

    def __init__(self, display, window, part_file, pictures):
        self.display = display
        self.window = window
        self.part_file = part_file
        self.pictures = pictures

    def worker_plays(self, part):
        """What the next worker that is started does."""
        with open(self.part_file, "w", encoding="ascii") as file:
            file.write(part)

    def picture(self, name):
        self.display.save_picture(os.path.join(self.pictures, f"ui-{name}.png"))

    def settled_picture(self, name):
        self.window.wait_for("the last frame", lambda state: state["settled"])
        self.picture(name)

    def be_known_to_the_desktop(self):
        """By the name in warplens.desktop, and with the icon in the sizes that desktops ask for."""
        told = self.window.properties("WM_CLASS", "_NET_WM_ICON")
        assert 'WM_CLASS(STRING) = "warplens", "warplens"' in told, told[:300]
        for side in (16, 48, 128):
            assert f"Icon ({side} x {side})" in told, f"no icon of {side} pixels"

    def set_a_block_by_typing(self):
        self.window.type_into("block.x", "7")
        self.window.type_into("block.y", "5")
        self.window.wait_for("the block 7x5", lambda state: block_of(state) == [7, 5, 1])
        self.picture("block")
        # Enter gives the digits back to the views.
        self.window.press("3")
        state = self.window.wait_for("the cubes", lambda now: "cubes.reset" in now["widgets"])
        assert block_of(state) == [7, 5, 1] and not state["focus"], state["focus"]
        self.window.press("2")

    def break_a_limit(self):
        self.window.type_into("block.z", "65")
        state = self.window.wait_for("a broken limit", lambda now: now["violations"])
        assert "block z = 65: at most 64" in state["violations"], state["violations"]
        assert "threads per block = 7,5,65 = 2275: at most 1024" in state["violations"], \
            state["violations"]
        assert block_of(state) == [7, 5, 1], "the last legal launch stays on show"
        self.picture("limit")
        self.window.type_into("block.z", "1")
        self.window.wait_for("a legal launch again", lambda now: not now["violations"])

    def zoom_by_wheel(self):
        """From one block out to the whole grid and in again to one lane, about the pointer."""
        self.window.click("scenario")
        self.window.click("scenario.picture-76x62")
        start = self.window.wait_for("the picture", lambda now:
                                     now["shown"]["scenario"] == "picture-76x62" and
                                     now["map"]["follows"] == "block")["map"]
        assert start["detail"] == "threads", start
        self.picture("map-block")
        self.window.point_into("map", 0.5, 0.5)
        self.window.wheel(-8)
        out = self.window.wait_for("the map further away", lambda now:
                                   now["map"]["cell"] < 0.25 * start["cell"])["map"]
        assert out["follows"] == "nothing", out
        self.window.press("f")
        self.window.wait_for("the fitted block", lambda now: now["map"]["follows"] == "block")
        self.window.press("f")
        self.window.wait_for("the whole grid", lambda now: now["map"]["follows"] == "grid")
        self.picture("map-grid")
        # The last block, whose threads stick out both ways.
        self.window.point_into("map", 0.78, 0.75)
        self.window.wheel(12)
        near = self.window.wait_for("the map near", lambda now:
                                    now["map"]["cell"] > 2 * start["cell"])["map"]
        assert near["centre_block"][0] >= 3 and near["centre_block"][1] >= 2, near
        self.picture("map-lane")

    def pan_by_drag(self):
        self.window.press("f")
        fitted = self.window.wait_for("the fitted block", lambda now:
                                      now["map"]["follows"] == "block")["map"]
        assert fitted["centre_block"] == [0, 0, 0], fitted
        self.window.point_into("map", 0.8, 0.5)
        _, _, width, _ = self.window.place_of("map")
        self.window.drag(-0.7 * width, 0)
        panned = self.window.wait_for("the next block", lambda now:
                                      now["map"]["centre_block"] == [1, 0, 0])["map"]
        assert panned["cell"] == fitted["cell"], "a drag keeps the scale"
        assert self.window.state()["held_warp"] is None, "a drag is no click"
        self.picture("map-panned")

    def choose_by_double_click(self):
        self.window.press("f")
        self.window.press("f")
        self.window.wait_for("the whole grid", lambda now: now["map"]["follows"] == "grid")
        self.window.point_into("map", 0.45, 0.45)
        self.window.xdotool("click", "--repeat", "2", "--delay", "120", "1")
        chosen = self.window.wait_for("a block fitted", lambda now:
                                      now["map"]["follows"] == "block" and
                                      now["block"] != [0, 0, 0])
        assert chosen["map"]["centre_block"] == chosen["block"], chosen["map"]

    def number_the_cells(self):
        for numbers in ("coordinates", "rank", "element"):
            self.window.press("e")
            self.window.wait_for(numbers, lambda now, n=numbers: now["map"]["numbers"] == n)
        self.picture("map-elements")
        self.window.press("e")

    def see_the_block_as_cubes(self):
        if self.window.state()["held_warp"] is not None:
            self.window.press("Escape")
        self.window.wait_for("no held warp", lambda state: state["held_warp"] is None)
        self.window.click("preset.5,7,3")
        self.window.wait_for("the block 5x7x3", lambda state: block_of(state) == [5, 7, 3])
        self.window.click("view.3d")
        before = self.window.wait_for("the cubes", lambda state: state["block_view"] == "3d" and
                                      "cubes" in state["widgets"])["cubes"]
        self.settled_picture("cubes")
        self.window.point_at("cubes")
        self.window.drag(104, 48)
        turned = self.window.wait_for("the cubes turned", lambda state:
                                      state["cubes"]["turn"] > before["turn"] + 30 and
                                      state["cubes"]["tilt"] > before["tilt"] + 10)
        assert turned["held_warp"] is None, "a drag is no click"
        self.settled_picture("cubes-turned")
        self.window.wheel(3)
        self.window.wait_for("a closer look", lambda state: state["cubes"]["zoom"] > 1.3)
        self.window.drag(64, 0, button="3")
        self.window.wait_for("the cubes moved", lambda state: state["cubes"]["pan"][0] > 0.2)
        self.settled_picture("cubes-closer")
        self.window.press("r")
        self.window.wait_for("the view of the start", lambda state: state["cubes"] == before)

    def cut_it_and_move_its_warps_apart(self):
        x, y, width, height = self.window.place_of("slice.z.from")
        self.window.xdotool("mousemove", "--window", self.window.id, str(int(x + width * 0.4)),
                            str(int(y + height / 2)))
        self.window.xdotool("mousedown", "1")
        self.window.wait_for("a slice", lambda state: state["cubes"]["slices"][2][0] == 1)
        self.window.xdotool("mouseup", "1")
        self.settled_picture("cubes-cut")
        self.window.press("r")
        self.window.press("d")
        self.window.wait_for("the warps apart", lambda state: state["cubes"]["apart"] == 1)
        self.window.press("Left", "shift")
        self.settled_picture("cubes-apart")
        self.window.click("cubes")
        held = self.window.wait_for("a held warp", lambda state: state["held_warp"] is not None)
        assert held["thread"] is not None
        self.settled_picture("cubes-held")
        self.window.press("Escape")
        self.window.press("r")
        self.window.press("2")
        self.window.wait_for("the flat picture", lambda state: state["block_view"] == "2d" and
                             "map" in state["widgets"])

    def pick_a_scenario(self):
        self.window.click("scenario")
        self.window.click("scenario.branch-long-arms")
        self.window.wait_for("the scenario", lambda state:
                             state["shown"]["scenario"] == "branch-long-arms")
        self.picture("scenario")

    def hold_a_warp(self):
        self.window.click("scenario")
        self.window.click("scenario.reduce-interleaved")
        self.window.wait_for("the trace", lambda state: state["shown"]["scenario"] ==
                             "reduce-interleaved" and state["memory"]["steps"] > 30)
        self.window.press("w")
        self.window.wait_for("a held warp", lambda state: state["held_warp"] == 0)
        self.window.point_at("scenario")
        self.picture("hold")

    def scrub_through_its_steps(self):
        before = self.window.state()["memory"]["position"]
        self.window.press("period")
        self.window.wait_for("the next step", lambda state:
                             state["memory"]["position"] == before + 1)
        self.window.press("comma")
        self.window.wait_for("the step before", lambda state:
                             state["memory"]["position"] == before)
        self.window.drag_along("step", 0.1, 0.5)
        state = self.window.wait_for("a step in the middle", lambda now:
                                     abs(now["memory"]["position"] -
                                         now["memory"]["steps"] / 2) <= 3)
        assert state["memory"]["rounds"].startswith("stride "), state["memory"]
        self.picture("scrub")
        self.window.click("array.values")
        state = self.window.wait_for("the steps to shared memory alone", lambda now:
                                     now["memory"]["array"] == 2)
        assert "values" in state["memory"]["words"], state["memory"]
        self.window.click("array.all")
        self.window.wait_for("all steps", lambda now: now["memory"]["array"] is None)

    def play_them(self):
        # A slow program would be at the last step before it can be told to pause.
        for speed in (16, 1, 4) if SLOWNESS > 1 else (16, 1, 4, 16):
            self.window.click("speed")
            self.window.wait_for(f"{speed} steps a second", lambda state, speed=speed:
                                 state["memory"]["steps_per_second"] == speed)
        before = self.window.state()["memory"]["position"]
        self.window.press("space")
        self.window.wait_for("playing", lambda state: state["memory"]["playing"] and
                             state["memory"]["position"] > before + 4)
        self.picture("playing")
        self.window.click("play")
        state = self.window.wait_for("a pause", lambda now: not now["memory"]["playing"])
        pause(0.3)
        assert self.window.state()["memory"]["position"] == state["memory"]["position"]
        self.window.click("play")
        state = self.window.wait_for("the last step", lambda now: not now["memory"]["playing"] and
                                     now["memory"]["position"] == now["memory"]["steps"] - 1)
        self.window.press("Escape")
        self.window.wait_for("no warp held", lambda now: now["held_warp"] is None)

    def cancel_a_measurement(self):
        self.worker_plays("slow")
        self.window.click("measure")
        self.window.wait_for("progress", lambda state: status(state) == "running" and
                             state["measuring"]["stage"] == "timing")
        self.picture("measuring")
        self.window.click("cancel")
        self.window.wait_for("the end of the measurement",
                             lambda state: status(state) != "running")
        self.picture("cancelled")

    def kill_the_worker_mid_run(self):
        self.window.press("F5")
        self.window.wait_for("progress", lambda state: status(state) == "running" and
                             state["measuring"]["stage"] == "timing")
        self.window.kill_worker()
        self.window.wait_for("the message about the worker",
                             said("the worker was ended by signal 9 (Killed) while 'timing'"))
        assert status(self.window.state()) != "running"
        self.picture("killed")

    def measure_with_a_fresh_worker(self):
        self.worker_plays("answers")
        self.window.click("measure")
        self.window.wait_for("the result", lambda state: state["result"] and
                             not state["result"]["recorded"])
        self.picture("measured")

    def hear_nonsense(self):
        self.window.kill_worker()
        self.worker_plays("nonsense")
        self.window.click("measure")
        self.window.wait_for("the message about the nonsense",
                             said("'Welcome to the cluster!'"))
        self.picture("nonsense")

    def save_and_copy_a_figure(self):
        self.window.click("figure")
        self.window.wait_for("the figure to come", lambda state: "figure.save" in state["widgets"])
        self.picture("figure-window")
        self.window.click("figure.save")
        self.window.wait_for("the saved figure", said("Figure saved: "))
        self.window.press("s")
        self.window.wait_for("the choice", lambda state: "figure.save" in state["widgets"])
        # A folder that is not there is said where it can be mended.
        self.window.type_into("figure.folder", "nowhere")
        self.window.click("figure.save")
        self.window.wait_for("the choice as it was", lambda state: state["figures_due"] == 0)
        pause(0.3)
        self.picture("figure-nowhere")
        assert "figure.save" in self.window.state()["widgets"]
        self.window.type_into("figure.folder", self.window.folder)
        self.window.type_into("figure.name", "week-3")
        self.window.click("figure.save")
        self.window.wait_for("the named figure", said("week-3: .pdf, .svg, .png"))
        self.window.press("s")
        self.window.wait_for("the next choice", lambda state: "figure.save" in state["widgets"])
        self.window.click("figure.save")
        self.window.wait_for("the figure saved anew", said("-2: .pdf, .svg, .png"))
        self.picture("figure")
        folder = self.window.folder
        names = sorted(name for name in os.listdir(folder)
                       if name.startswith(("warplens-", "week-3")))
        assert len(names) == 9, names
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                start = file.read(8)
            begins = {".pdf": b"%PDF-", ".svg": b"<?xml", ".png": b"\x89PNG\r\n\x1a\n"}
            assert start.startswith(begins[os.path.splitext(name)[1]]), (name, start)
        self.window.press("c", "ctrl")
        self.window.wait_for("the copied figure", said("Figure copied to the clipboard."))
        picture = self.window.clipboard("image/png")
        assert picture.startswith(b"\x89PNG\r\n\x1a\n"), picture[:20]
        # Width and height as the PNG's header says them.
        assert picture[16:24] == (2560).to_bytes(4, "big") + (1440).to_bytes(4, "big")

    def still_be_of_use(self):
        self.window.press("x")
        self.window.click("preset.32,8")
        self.window.wait_for("the preset", lambda state: block_of(state) == [32, 8, 1])

    def walk_by_tab(self):
        """The keyboard alone comes to every panel, and presses what it has come to."""
        self.window.click("help")
        self.window.wait_for("the help", lambda state: state["help_open"])
        self.window.press("Escape")
        self.window.wait_for("no help", lambda state: not state["help_open"])
        seen = []
        def walk_to(name):
            while name not in seen[-1:]:
                self.window.press("Tab")
                self.window.wait_for("another widget", lambda state:
                                     state["focus"] and state["focus"] not in seen[-1:])
                seen.append(self.window.state()["focus"])
                assert len(seen) < 120, seen
        walk_to("preset.64")
        self.picture("focus")
        self.window.press("Return")
        self.window.wait_for("the preset", lambda state: block_of(state) == [64, 1, 1])
        self.window.press("Tab", "shift")
        self.window.wait_for("the widget before", lambda state: state["focus"] == "preset.32")
        self.window.press("space")
        self.window.wait_for("its preset", lambda state: block_of(state) == [32, 1, 1])
        assert {"block.x", "block.z", "grid.x", "preset.32"} <= set(seen), seen
        # Arrows choose blocks once it has come to the map, and J anywhere.
        seen.append("preset.32")
        walk_to("map")
        x, y, z = self.window.state()["block"]
        for key, block in (("Right", [x + 1, y, z]), ("Left", [x, y, z]), ("j", [x + 1, y, z])):
            self.window.press(key)
            self.window.wait_for("the block beside", lambda state, block=block:
                                 state["block"] == block and state["focus"] == "map")

    def find(self, words):
        self.window.press("k", "ctrl")
        self.window.wait_for("the palette", lambda state: state["palette"]["open"])
        pause(0.2)  # its field takes letters from the next frame on
        self.window.xdotool("type", "--delay", "60", words)
        self.window.wait_for("what is typed", lambda state: state["palette"]["typed"] == words)

    def find_by_the_palette(self):
        self.find("matrix addition, uncoalesced")
        self.picture("palette")
        self.window.press("Return")
        self.window.wait_for("the swapped sum", lambda state: not state["palette"]["open"] and
                             state["shown"]["scenario"] == "matadd-swapped")
        self.find("block")
        self.window.press("Down")
        self.window.press("Down")
        self.window.press("Up")
        self.window.wait_for("the second entry", lambda state: state["palette"]["chosen"] == 1)
        self.window.press("Escape")
        state = self.window.wait_for("no palette", lambda now: not now["palette"]["open"])
        assert state["shown"]["scenario"] == "matadd-swapped", state["shown"]

    def share_a_scene(self):
        """As a line by the clipboard, and as a file."""
        self.find("matrix addition, uncoalesced")
        self.window.press("Return")
        self.window.wait_for("the trace", lambda state: state["memory"]["steps"] == 4)
        self.window.click("preset.32,8")
        self.window.press("w")
        self.window.press("period")
        self.window.press("2")
        shared = self.window.wait_for("a scene to share", lambda state:
                                      state["held_warp"] == 0 and block_of(state) == [32, 8, 1])
        self.window.press("c", "ctrl", "shift")
        self.window.wait_for("the scene in the clipboard", said("The scene is in the clipboard"))
        line = self.window.clipboard("UTF8_STRING").decode()
        assert json.loads(line)["warplens_scene"] == 1 and "\n" not in line, line
        self.window.press("s", "ctrl")
        self.window.wait_for("the scene in a file", said("Scene saved: "))
        self.find("boundary check on a picture")
        self.window.press("Return")
        self.window.wait_for("another launch", lambda state:
                             state["shown"]["scenario"] == "picture-76x62")
        self.window.press("v", "ctrl")
        state = self.window.wait_for("the pasted scene", lambda now:
                                     now["shown"] == shared["shown"] and
                                     now["memory"]["steps"] == 4)
        assert state["held_warp"] == shared["held_warp"]
        assert state["memory"]["position"] == shared["memory"]["position"], state["memory"]
        self.picture("scene")
        self.window.press("Escape")

    def learn(self):
        """A wrong answer, a right one, the steps, and where one was when one comes back."""
        self.find("lesson offset")
        self.window.press("Return")
        self.window.wait_for("the lesson", lambda state: state["mode"] == "learn" and
                             state["lesson"]["id"] == "access-offset" and
                             "lesson.guess" in state["widgets"])
        before = self.window.state()["shown"]
        self.window.press("x")
        self.window.press("Page_Down")
        state = self.window.state()
        assert state["shown"] == before and state["lesson"]["page"] == 0, "locked while it asks"
        for guess, holds in (("4", lambda now: now["lesson"]["tries"] == 1),
                             ("5", lambda now: now["lesson"]["right"])):
            self.window.click("lesson.guess")
            self.window.press("a", "ctrl")
            self.window.xdotool("type", "--delay", "60", guess)
            self.window.press("Return")
            self.window.wait_for(f"the verdict on {guess}", holds)
            self.settled_picture(f"lesson-{guess}")
        self.window.press("Page_Down")
        self.window.wait_for("the first step", lambda state: state["lesson"]["page"] == 1)
        self.window.press("l")
        self.window.wait_for("exploring", lambda state: state["mode"] == "explore")
        self.find("lesson offset")
        self.window.press("Return")
        self.window.wait_for("the page where one was", lambda state: state["mode"] == "learn" and
                             state["lesson"]["page"] == 1 and state["lesson"]["right"])
        self.window.press("Escape")
        self.window.wait_for("exploring again", lambda state: state["mode"] == "explore")

    def present(self):
        """By a clicker's keys."""
        self.find("matrix addition, uncoalesced")
        self.window.press("Return")
        self.window.wait_for("the trace", lambda state: state["memory"]["steps"] == 4)
        before = self.window.state()["memory"]["position"]
        self.window.press("p")
        self.window.wait_for("the slide", lambda state: "present" in state["widgets"])
        self.settled_picture("present")
        self.window.press("Page_Down")
        self.window.wait_for("the next step", lambda state:
                             state["memory"]["position"] == before + 1)
        self.window.press("Page_Up")
        self.window.wait_for("the step before", lambda state:
                             state["memory"]["position"] == before)
        self.window.press("b")
        self.window.wait_for("a black screen", lambda state: "present.black" in state["widgets"])
        self.window.press("Escape")
        self.window.wait_for("the slide again", lambda state: "present" in state["widgets"])
        self.window.press("Escape")
        self.window.wait_for("the panels", lambda state: state["mode"] == "explore" and
                             "launch.syntax" in state["widgets"])

    def end_at_a_signal(self):
        """As at a logout: the settings are kept, and the worker goes with the window."""
        for worker in self.window.workers():
            os.kill(worker, signal.SIGKILL)
        self.window.wait_for("no worker", lambda _: not self.window.workers())
        self.worker_plays("answers")
        self.window.click("preset.32,8")
        self.window.wait_for("the preset", lambda state: block_of(state) == [32, 8, 1])
        self.window.press("F5")
        self.window.wait_for("a result", lambda state: status(state) == "idle" and
                             state["result"] and not state["result"]["recorded"])
        self.window.kill_worker()
        self.window.wait_for("no worker", lambda _: not self.window.workers())
        self.worker_plays("hangs")
        self.window.press("F5")
        self.window.wait_for("progress", lambda state: status(state) == "running" and
                             state["measuring"]["stage"] == "timing")
        workers = self.window.workers()
        assert len(workers) == 1, workers
        process = self.window.process
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM, process.returncode
        assert not os.path.exists(f"/proc/{workers[0]}"), "the worker was left behind"
        settings = os.path.join(self.window.folder, "config", "warplens", "settings.json")
        with open(settings, encoding="utf-8") as file:
            assert json.load(file)["experiment"]["launch"]["block"] == [32, 8, 1]

    def run(self):
        for step in (self.be_known_to_the_desktop, self.set_a_block_by_typing, self.break_a_limit, self.zoom_by_wheel,
                     self.pan_by_drag, self.choose_by_double_click, self.number_the_cells,
                     self.see_the_block_as_cubes, self.cut_it_and_move_its_warps_apart,
                     self.pick_a_scenario, self.hold_a_warp,
                     self.scrub_through_its_steps, self.play_them,
                     self.cancel_a_measurement, self.kill_the_worker_mid_run,
                     self.measure_with_a_fresh_worker, self.hear_nonsense, self.save_and_copy_a_figure,
                     self.still_be_of_use, self.walk_by_tab, self.find_by_the_palette, self.share_a_scene, self.learn,
                     self.present, self.end_at_a_signal):
            print(step.__name__.replace("_", " "), flush=True)
            try:
                step()
            except BaseException:
                self.picture("failed")
                raise


def open_a_scene(display, folder, program):
    """The scene that was kept in a file, by a window that begins with it."""
    print("open a scene", flush=True)
    scene = os.path.join(folder, "warplens-matadd-swapped.scene.json")
    with Window(display, folder, program, ["--scene", scene]) as window:
        window.wait_for("what was kept", lambda state:
                        state["shown"]["scenario"] == "matadd-swapped" and
                        block_of(state) == [32, 8, 1] and state["held_warp"] == 0)


def watch_a_file(display, folder, program):
    """A person's own file is traced when it is opened, saved and wished for otherwise."""
    print("watch a file", flush=True)
    path = os.path.join(folder, "twice.cu")

    def save(factor):
        with open(path, "w", encoding="ascii") as file:
            file.write("__global__ void twice(const float* in, float* out, int n) {\n"
                       "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       f"    if (i < n) out[i] = {factor} * in[i];\n"
                       "}\n")

    def launched(text):
        return lambda state: state["program"]["launches"] == [text] and not state["program"]["stage"]

    save("2")
    with Window(display, folder, program, [path]) as window:
        state = window.wait_for("a trace", lambda now: not now["program"]["stage"]
                                and (now["program"]["launches"] or now["program"]["failure"]))
        if "setup-compiler" in state["program"]["failure"]:
            return
        assert launched("twice<<<4, 256>>>")(state), state["program"]

        def asks(words):
            return lambda now: (now["memory"]["words"] or "").startswith(words)

        window.wait_for("the first request of its line", asks("Warp 0 loads from in: 4 sectors"))
        window.click("step.after")
        window.wait_for("the next step", asks("Warp 0 stores to out"))
        window.click("program.line.3")
        window.wait_for("the line's next step, round to its first", asks("Warp 0 at branch if (i < n)"))
        window.press("w")
        held = window.wait_for("a warp that is held", lambda now: now["held_warp"] is not None)
        window.wait_for("its steps", asks(f"Warp {held['held_warp']} at branch if (i < n)"))
        window.press("Escape")
        window.press("a")
        save("2 *")
        window.wait_for("the compiler's words", lambda now: "error" in now["program"]["failure"])
        save("3")
        window.wait_for("a trace again", launched("twice<<<4, 256>>>"))
        window.wait_for("it against the one before", lambda now: "program.compared" in now["widgets"])
        window.wait_for("its steps", lambda now: now["memory"]["steps"] == 3)
        window.type_into("program.wish.n", "100")
        window.wait_for("so many elements", launched("twice<<<1, 256>>>"))
        window.type_into("program.wish.block", "32")
        window.wait_for("blocks of a warp", launched("twice<<<4, 32>>>"))
        window.press("o")
        # Registers are compiled where NVRTC is, and assumed elsewhere.
        window.wait_for("what an SM holds of them", lambda now: now["block_view"] == "sm" and
                        "sm.occupancy" in now["widgets"] and
                        now["sm"]["occupancy"].startswith("This launch has 1 block on each of 4 SMs") and
                        now["sm"]["limit"].startswith("Room for 32 blocks"))
        window.type_into("sm.shared", "49152")
        window.wait_for("what it holds of larger ones", lambda now:
                        now["sm"]["limit"].startswith("Room for 4 blocks"))
        window.click("sm.reset")
        window.wait_for("the launch's own", lambda now:
                        now["sm"]["limit"].startswith("Room for 32 blocks"))
        window.press("2")
        window.press("o", "ctrl")
        window.wait_for("the field for a path", lambda now: now["program"]["asking"])
        window.type_into("program.path", os.path.join(folder, "none.cu"))
        state = window.wait_for("what is wrong", lambda now: now["program"]["problem"])
        assert "there is no file" in state["program"]["problem"], state["program"]
        # The box stays, with the words.
        assert state["program"]["path"] == path and state["program"]["asking"], state["program"]
        window.click("program.begin")
        window.wait_for("a new file that is called so", lambda now:
                        now["program"]["path"] == os.path.join(folder, "none.cu") and
                        not now["program"]["asking"])


def run_a_file_that_is_not_held(display, folder, program):
    """Without bubblewrap nothing is run before somebody has said so in the window."""
    print("run a file that is not held", flush=True)
    path = os.path.join(folder, "unheld.cu")
    ran = os.path.join(folder, "ran")
    with open(path, "w", encoding="ascii") as file:
        file.write("#include <cstdio>\n__global__ void unheld() {}\n"
                   f'int main() {{ std::fclose(std::fopen("{ran}", "w")); unheld<<<1, 32>>>(); }}\n')
    tools = os.path.join(folder, "tools")
    os.mkdir(tools)
    for tool in os.listdir("/usr/bin"):
        if tool != "bwrap":
            os.symlink("/usr/bin/" + tool, os.path.join(tools, tool))
    with Window(display, folder, program, [path], path=tools) as window:
        state = window.wait_for("the refusal", lambda now: now["program"]["failure"])
        if "setup-compiler" in state["program"]["failure"]:
            return
        assert "bubblewrap is not installed" in state["program"]["failure"], state["program"]
        assert not os.path.exists(ran), "it was run before it was allowed"
        window.click("program.unconfined")
        window.wait_for("a trace", lambda now: now["program"]["launches"] == ["unheld<<<1, 32>>>"]
                        and not now["program"]["stage"])
        assert os.path.exists(ran)


def measure_a_file(display, folder, program, worker, part_file, pictures):
    """Its launch is traced with its inputs, measured, kept apart from the next text, called off."""
    print("measure a file", flush=True)
    path = os.path.join(folder, "thrice.cu")

    def save(factor):
        with open(path, "w", encoding="ascii") as file:
            file.write("__global__ void thrice(const float* in, float* out, int n) {\n"
                       "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       f"    if (i < n) out[i] = {factor} * in[i];\n"
                       "}\n")

    def play(part):
        with open(part_file, "w", encoding="ascii") as file:
            file.write(part)

    def traced(state):
        return state["program"]["launches"] and not state["program"]["stage"]

    save("3")
    play("answers")
    with Window(display, folder, program, [path, "--worker", worker]) as window:
        state = window.wait_for("a trace", lambda now: not now["program"]["stage"]
                                and (now["program"]["launches"] or now["program"]["failure"]))
        if "setup-compiler" in state["program"]["failure"]:
            return
        window.press("F5")
        state = window.wait_for("its measurement", lambda now: now["program"]["measured"])
        assert not state["program"]["measured"]["recorded"], state["program"]
        assert state["result"] is None, "no scenario was measured"
        window.click("program.line.3")
        window.wait_for("the sources of a line", lambda now: {"program.comparison", "program.difference",
                                                             "program.code"} <= set(now["widgets"]))
        window.click("program.sass")
        display.save_picture(os.path.join(pictures, "ui-own-measured.png"))
        window.press("k", "ctrl")
        window.wait_for("the palette", lambda now: now["palette"]["open"])
        window.xdotool("type", "--delay", "60", "save what was measured")
        window.wait_for("what is typed", lambda now: now["palette"]["typed"].endswith("measured"))
        window.press("Return")
        state = window.wait_for("where it was saved", lambda now: now["messages"])
        kept = os.path.join(folder, "thrice-measured.json")
        assert kept in state["messages"][0]["text"], state["messages"]
        with open(kept, encoding="utf-8") as file:
            assert json.load(file)["launches"][0]["kernel"] == "thrice"
        save("4")
        window.wait_for("another text", lambda now: now["program"]["former"])
        assert window.state()["program"]["measured"] is None
        save("3")
        window.wait_for("the text that was measured", lambda now: now["program"]["measured"])
        window.kill_worker()
        window.wait_for("no worker", lambda _: not window.workers())
        save("5")
        window.wait_for("a new text", lambda now: now["program"]["former"] and traced(now))
        play("slow")
        window.click("measure")
        window.wait_for("progress", lambda now: status(now) == "running" and
                        now["measuring"]["stage"] == "timing")
        window.click("cancel")
        window.wait_for("the end", lambda now: status(now) != "running")
        os.remove(path)
        window.wait_for("a word about the file", lambda now: now["program"]["failure"])
        assert not window.state()["program"]["launches"]


def main(program, stub, pictures):
    missing = missing_tools()
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warplens-ui-") as folder:
        part_file = os.path.join(folder, "part")
        # Read when a worker starts, so that each can be given its own part.
        worker = f"exec '{stub}' $(cat '{part_file}')"
        with Display(folder) as display:
            with Window(display, folder, program,
                        ["matadd-coalesced", "--worker", worker]) as window:
                Play(display, window, part_file, pictures).run()
            open_a_scene(display, folder, program)
            watch_a_file(display, folder, program)
            run_a_file_that_is_not_held(display, folder, program)
            measure_a_file(display, folder, program, worker, part_file, pictures)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
