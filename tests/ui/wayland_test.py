#!/usr/bin/env python3
"""The window under Wayland, at scale 1 and at scale 2: weston on a display without a screen, whose
keys and mouse it hands on.

wayland_test.py WARPLENS PICTURES
Where this GLFW knows no Wayland, as Debian 12's libglfw3, its libglfw3-wayland is unpacked beside:
the two cannot be installed together. WARPLENS_WAYLAND_GLFW names the folder of another one.
Exit code 77: weston, Xvfb or xdotool is missing, or there is no such GLFW.
"""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from driver import PATIENCE, Display, missing_tools, pause

SOCKET = "warplens-test"


class Weston:
    """A Wayland display on an X11 one."""

    def __init__(self, display, folder, scale):
        self.environment = dict(os.environ, DISPLAY=display.name, XDG_RUNTIME_DIR=folder,
                                LIBGL_ALWAYS_SOFTWARE="1")
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.log_file = os.path.join(folder, "weston.log")
        self.process = subprocess.Popen(
            ["weston", "--backend=x11-backend.so", "--no-config", "--idle-time=0", "--use-pixman",
             "--width=1600", "--height=1000", f"--scale={scale}", f"--socket={SOCKET}",
             f"--log={self.log_file}"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while not os.path.exists(os.path.join(folder, SOCKET)):
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError("weston did not start:\n" + self.log())
            time.sleep(0.05)

    def log(self):
        with open(self.log_file, encoding="utf-8") as file:
            return file.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def press(self, key):
        """To whoever has the keyboard on weston's display."""
        for what in ("keydown", "keyup"):
            subprocess.run(["xdotool", what, key], env=self.environment, check=True)
            pause(0.2)

    def click_into(self, across, down):
        """At a place given as shares of the X11 display, which weston fills."""
        subprocess.run(["xdotool", "mousemove", str(int(1600 * across)), str(int(1000 * down))],
                       env=self.environment, check=True)
        pause(0.3)
        for what in ("mousedown", "mouseup"):
            subprocess.run(["xdotool", what, "1"], env=self.environment, check=True)
            pause(0.2)


class Window:
    def __init__(self, weston, folder, program):
        self.state_file = os.path.join(folder, "state.json")
        environment = dict(weston.environment, WAYLAND_DISPLAY=SOCKET, HOME=folder,
                           XDG_CONFIG_HOME=os.path.join(folder, "config"),
                           WARPLENS_STATE_FILE=self.state_file)
        environment.pop("DISPLAY")
        glfw = os.environ.get("WARPLENS_WAYLAND_GLFW")
        if glfw:
            environment["LD_LIBRARY_PATH"] = glfw
        self.process = subprocess.Popen([program, "matadd-swapped"], env=environment, cwd=folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def wait_for(self, what, holds):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            if os.path.exists(self.state_file):
                with open(self.state_file, encoding="utf-8") as file:
                    state = json.load(file)
                if holds(state):
                    return state
            time.sleep(0.05)
        return None if self.process.poll() is not None else self.fail(what)

    @staticmethod
    def fail(what):
        raise AssertionError(f"{what} did not come")


def play(display, folder, program, scale, pictures):
    with Weston(display, folder, scale) as weston, Window(weston, folder, program) as window:
        state = window.wait_for("a whole frame", lambda now: now["widgets"] and now["settled"])
        if state is None:
            return window.process.stdout.read()
        weston.click_into(0.5, 0.45)  # the keyboard goes where one clicks
        weston.press("Escape")
        window.wait_for("the map", lambda now: "map" in now["widgets"] and
                        "welcome.explore" not in now["widgets"])
        weston.press("p")
        window.wait_for("the slide", lambda now: "present" in now["widgets"])
        weston.press("Escape")
        window.wait_for("the panels", lambda now: now["mode"] == "explore" and now["settled"])
        display.save_picture(os.path.join(pictures, f"ui-wayland-{scale}.png"))
        window.process.send_signal(signal.SIGTERM)
        code = window.process.wait(PATIENCE)
        assert code == 128 + signal.SIGTERM, f"{code}: {window.process.stdout.read()}{weston.log()}"
    print(f"scale {scale}: drawn, presented, ended", flush=True)
    return None


def unpack_glfw(folder):
    """The folder of Debian's libglfw3-wayland; None where it cannot be had."""
    for command in (["apt-get", "-q", "download", "libglfw3-wayland"],
                    ["sh", "-c", "dpkg -x libglfw3-wayland_*.deb ."]):
        try:
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=60)
        except (OSError, subprocess.SubprocessError):
            return None
    found = glob.glob(os.path.join(folder, "usr/lib/*/libglfw.so.3"))
    return os.path.dirname(found[0]) if found else None


def main(program, pictures):
    missing = missing_tools() + ["weston"] * (shutil.which("weston") is None)
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warplens-wayland-") as folder, \
            Display(folder) as display:
        for scale in (1, 2):
            own = os.path.join(folder, str(scale))
            os.makedirs(own, mode=0o700)
            words = play(display, own, program, scale, pictures)
            # Without a display the program prints its table instead of opening a window.
            if words is not None and "WARPLENS_WAYLAND_GLFW" not in os.environ:
                glfw = unpack_glfw(folder)
                if glfw is None:
                    print("skipped: this GLFW opens no window under Wayland")
                    return 77
                os.environ["WARPLENS_WAYLAND_GLFW"] = glfw
                words = play(display, own, program, scale, pictures)
            assert words is None, words
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
