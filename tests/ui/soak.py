#!/usr/bin/env python3
"""The real window under Xvfb with random keys, clicks, drags and texts, for as long as one likes.

soak.py WARPLENS WORKER_STUB [--seconds N] [--seed S]
Ends with 1 where the window ended, a frame took longer than a quarter of a second, or memory grew
after the warm-up. Short runs, which share a machine with other tests, judge the drawing thread's
processor time instead of the clock's, and no memory. Exit code 77: Xvfb or xdotool is missing.
"""

import argparse
import collections
import os
import random
import re
import sys
import tempfile
import time

from driver import SLOWNESS, Display, Window, missing_tools, pause

LONG_MS = 250           # a frame; the program counts those beyond it (app/window/state_file.h)
MOST_GROWTH = 0.05      # of resident memory
# Of processor time in short runs: a software rasteriser compiles at most one program in a frame, and
# the folder that would keep it is new in each run.
MOST_PROCESSOR_MS = 600 * SLOWNESS
JUDGED_FROM = 300.0     # seconds; a run that long has the machine, and is warm after a tenth
# Seconds that a judged run waits: the program compiles what its pictures need while nothing happens,
# once on a machine.
PREPARATION = 15.0
PARTS = (["answers"] * 8 + ["slow", "crashes", "exits", "no-gpu", "wrong-result", "nonsense",
                            "half-line", "floods-errors", "closes-output"])
TEXTS = ["7", "32", "1", "1024", "33", "0", "-1", "65", "99999999999999", "abc", "3.5", "", " 16 ",
         "%s%n", "1e9", "stride=1..128", "n=64..1024:64", "block=256", "block=32..1024", "tile=8,16",
         "n=1..1025", "x" * 80]
SHORTCUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         "../../app/window/state/action_table.cpp")
# As the table of shortcuts names keys, and as xdotool does.
KEYSYMS = {"keyEscape": "Escape", "keyRight": "Right", "keyLeft": "Left", "keyDown": "Down",
           "keyUp": "Up", "keyF1": "F1", "keyF5": "F5", "keypadSubtract": "KP_Subtract",
           "keypadAdd": "KP_Add", "' '": "space", "','": "comma", "'.'": "period", "'/'": "slash",
           "'='": "equal", "'-'": "minus"}
# Each writes three files or starts a process; the others are free.
COSTLY = {("s",), ("c", "ctrl"), ("s", "ctrl")}


def shortcuts():
    """Every key of the table that feeds the window: the key and what is held with it."""
    with open(SHORTCUTS, encoding="utf-8") as file:
        table = file.read()
    found = []
    for key, control, shift in re.findall(
            r"\{('.'|key\w+)(?:, (true|false), (true|false))?\}", table):
        name = KEYSYMS.get(key) or key.strip("'").lower()
        held = [word for word, wanted in (("ctrl", control), ("shift", shift)) if wanted == "true"]
        found.append((name, *held))
    assert len(found) > 50, f"only {len(found)} shortcuts were understood"
    return found


class Soak:
    """Random events in one window."""

    def __init__(self, window, part_file, seed):
        self.window = window
        self.part_file = part_file
        self.random = random.Random(seed)
        self.keys = shortcuts()
        self.state = window.state()
        self.size = (1600, 960)
        self.events = 0
        self.recent = collections.deque(maxlen=12)
        self.memory = []  # seconds, MiB

    def send(self, *arguments, events=1):
        self.window.xdotool(*[str(argument) for argument in arguments])
        self.events += events

    def widget(self, prefix=""):
        """The middle of one that is seen, or near it; anywhere where there is none."""
        names = sorted(name for name, (x, y, width, height) in self.state["widgets"].items()
                       if name.startswith(prefix) and width > 0 and height > 0)
        if not names or (not prefix and self.random.random() < 0.2):
            return "nothing", self.random.randrange(self.size[0]), \
                self.random.randrange(self.size[1])
        name = self.random.choice(names)
        x, y, width, height = self.state["widgets"][name]
        across, down = self.random.random(), self.random.random()
        if self.random.random() < 0.5:
            across = down = 0.5
        return name, int(x + across * width), int(y + down * height)

    def point(self, x, y):
        """Arguments that bring the pointer there, inside the window."""
        return ("mousemove", "--window", self.window.id, min(max(x, 0), self.size[0] - 1),
                min(max(y, 0), self.size[1] - 1))

    def key(self):
        key, *held = self.random.choice(self.keys)
        if (key, *held) in COSTLY and self.random.random() < 0.8:
            return "no key"
        chord = "+".join([*held, key])
        times = self.random.choice([1, 1, 1, 1, 3, 12])
        if (key, *held) in COSTLY:
            times = 1
        self.send("key", "--delay", 15, *([chord] * times), events=times)
        return f"key {chord} x{times}"

    def click(self):
        name, x, y = self.widget()
        button = self.random.choice([1, 1, 1, 1, 1, 2, 3])
        times = self.random.choice([1, 1, 1, 2])
        self.send(*self.point(x, y), "sleep", "0.03", "click", "--repeat", times, "--delay", 60,
                  button, events=1 + times)
        return f"click {button} x{times} on {name}"

    def open_something(self):
        """Tabs, views, lessons and lists, which clicks on anything seldom meet."""
        prefix = self.random.choice(["tab.", "view.", "lesson", "scenario", "preset.", "recording.",
                                     "sweep.", "sm.", "roof.", "array", "time.", "message."])
        name, x, y = self.widget(prefix)
        self.send(*self.point(x, y), "sleep", "0.03", "click", 1, events=2)
        return f"open {name}"

    def drag(self):
        name, x, y = self.widget()
        button = self.random.choice([1, 1, 1, 3])
        moves = []
        for _ in range(self.random.randrange(2, 10)):
            moves += ["mousemove_relative", "--", self.random.randrange(-80, 81),
                      self.random.randrange(-60, 61), "sleep", "0.02"]
        self.send(*self.point(x, y), "sleep", "0.03", "mousedown", button, *moves, "mouseup",
                  button, events=3 + len(moves) // 6)
        return f"drag {button} on {name}"

    def wheel(self):
        name, x, y = self.widget(self.random.choice(["", "map", "cubes", "time.chart", "lesson"]))
        notches = self.random.randrange(1, 9)
        self.send(*self.point(x, y), "click", "--repeat", notches, "--delay", 20,
                  self.random.choice([4, 5]), events=1 + notches)
        return f"wheel x{notches} on {name}"

    def type(self):
        prefix = self.random.choice(["block.", "grid.", "argument.", "sweep.over", "lesson.guess"])
        name, x, y = self.widget(prefix)
        text = self.random.choice(TEXTS)
        self.send(*self.point(x, y), "sleep", "0.03", "click", "--repeat", 2, "--delay", 60, 1,
                  "sleep", "0.1", "key", "ctrl+a", events=4)
        if text:
            self.send("type", "--delay", 8, "--", text, events=len(text))
        self.send("key", self.random.choice(["Return", "Return", "Tab", "Escape"]))
        return f"type {text!r} into {name}"

    def resize(self):
        self.size = (self.random.randrange(640, 1601), self.random.randrange(480, 1001))
        self.send("windowsize", self.window.id, *self.size)
        return f"resize to {self.size}"

    def measure(self):
        with open(self.part_file, "w", encoding="ascii") as file:
            file.write(self.random.choice(PARTS))
        self.send("key", "F5")
        return "measure"

    def lose_the_worker(self):
        try:
            for process in self.window.workers():
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    if b"worker-stub" in file.read():
                        os.kill(process, 9)
                        self.events += 1
        except (FileNotFoundError, ProcessLookupError):
            return "lose the worker, which had ended"
        return "lose the worker"

    def tidy(self):
        """Figures that keys saved; the program looks for a free name among them."""
        for name in os.listdir(self.window.folder):
            if name.startswith("warplens-") and not name.endswith(".json"):
                os.unlink(os.path.join(self.window.folder, name))

    def step(self):
        actions = ([self.key] * 8 + [self.click] * 6 + [self.open_something] * 5 + [self.drag] * 3 +
                   [self.wheel] * 3 + [self.type] * 3 + [self.measure] * 2 +
                   [self.resize, self.lose_the_worker])
        self.recent.append(self.random.choice(actions)())
        self.state = self.window.state()

    def resident(self):
        with open(f"/proc/{self.window.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20

    def run(self, seconds):
        """Whether the window stood all of it."""
        begin = time.monotonic()
        slowest = 0.0
        steps = 0
        while (passed := time.monotonic() - begin) < seconds:
            if self.window.process.poll() is not None:
                print("broken: the window ended with", self.window.process.returncode)
                return False
            self.step()
            steps += 1
            if steps % 10 == 0:
                self.memory.append((passed, self.resident()))
                self.tidy()
            frames = self.state["frames"]
            if frames["slowest_ms"] > max(slowest, 0.4 * LONG_MS):
                slowest = frames["slowest_ms"]
                print(f"{passed:.0f} s: frame {frames['slowest']} took {slowest:.0f} ms, after "
                      f"{'; '.join(list(self.recent)[-4:])}", flush=True)
        return self.report(seconds)

    def least_between(self, begin, end):
        """What the state holds comes and goes; what is lost adds to the least, too."""
        return min((size for at, size in self.memory if begin <= at < end),
                   default=self.resident())

    def report(self, seconds):
        self.state = self.window.wait_for("the frames of the last event",
                                          lambda now: now["frames"]["count"])
        frames = self.state["frames"]
        warm = self.least_between(0.1 * seconds, 0.2 * seconds)
        late = self.least_between(0.9 * seconds, seconds)
        print(f"{seconds:.0f} s: {self.events} events, {frames['count']} frames; first frame "
              f"{frames['first_ms']:.0f} ms, slowest other {frames['slowest_ms']:.1f} ms, "
              f"{frames['long']} over {LONG_MS} ms, most processor time "
              f"{frames['most_processor_ms']:.1f} ms; resident {warm:.1f} MiB after the warm-up, "
              f"{late:.1f} MiB at the end ({100 * (late / warm - 1):+.1f} %)")
        sound = True
        long = frames["long"] if seconds >= JUDGED_FROM else (
            frames["most_processor_ms"] > MOST_PROCESSOR_MS)
        if long:
            print(f"broken: a frame takes at most {LONG_MS} ms" if seconds >= JUDGED_FROM else
                  f"broken: a frame takes at most {MOST_PROCESSOR_MS:.0f} ms of processor time")
            sound = False
        if seconds < JUDGED_FROM:
            print(f"frames by the clock and memory are judged from {JUDGED_FROM:.0f} s on")
        elif late > (1 + MOST_GROWTH) * warm:
            print(f"broken: memory grows by at most {100 * MOST_GROWTH:.0f} % after the warm-up")
            sound = False
        return sound


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("stub")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    missing = missing_tools()
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    with tempfile.TemporaryDirectory(prefix="warplens-soak-") as folder:
        part_file = os.path.join(folder, "part")
        with open(part_file, "w", encoding="ascii") as file:
            file.write("answers")
        # Read when a worker starts, so that each can be given its own part.
        worker = f"exec '{options.stub}' $(cat '{part_file}')"
        with Display(folder) as display:
            with Window(display, folder, options.program,
                        ["matadd-coalesced", "--worker", worker]) as window:
                soak = Soak(window, part_file, options.seed)
                sound = False
                if options.seconds >= JUDGED_FROM:
                    pause(PREPARATION)
                try:
                    sound = soak.run(options.seconds)
                finally:
                    if not sound:
                        print(f"seed {options.seed}, {soak.events} events; the last of them:")
                        for words in soak.recent:
                            print(" ", words)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
