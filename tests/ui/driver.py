"""A display without a screen, and a Warplens window on it driven by real keys and mouse events."""

import json
import os
import shutil
import signal
import struct
import subprocess
import time
import zlib

# How many times as slow as usual the program is: sanitizers are.
SLOWNESS = float(os.environ.get("WARPLENS_UI_SLOWNESS", "1"))
PATIENCE = 20.0 * SLOWNESS  # seconds until a state that does not come is a failure


def pause(seconds):
    """So that the program sees one thing before the next."""
    time.sleep(seconds * SLOWNESS)


class Display:
    """An Xvfb on a display number of its own, ended with the `with` block."""

    def __init__(self, folder, size="1600x1000"):
        self.folder = folder
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size + "x24", "-fbdir", folder,
             "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.name = ":" + number

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def save_picture(self, path):
        """Writes what the screen shows, read from Xvfb's frame buffer file (XWD), as PNG."""
        with open(os.path.join(self.folder, "Xvfb_screen0"), "rb") as file:
            data = file.read()
        header = struct.unpack(">25I", data[:100])
        header_size, width, height, line, colors = (header[0], header[4], header[5], header[12],
                                                    header[19])
        start = header_size + 12 * colors
        rows = bytearray()
        for y in range(height):
            row = data[start + y * line:start + y * line + 4 * width]
            pixels = bytearray(3 * width)
            pixels[0::3], pixels[1::3], pixels[2::3] = row[2::4], row[1::4], row[0::4]
            rows += b"\0" + pixels

        def chunk(kind, body):
            checked = kind + body
            return struct.pack(">I", len(body)) + checked + struct.pack(">I", zlib.crc32(checked))

        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n")
            file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
            file.write(chunk(b"IDAT", zlib.compress(bytes(rows), 6)) + chunk(b"IEND", b""))


class Window:
    """The program in its window; what it shows is read from the file it describes itself in."""

    def __init__(self, display, folder, program, arguments, past_welcome=True, path=None):
        self.folder = folder
        self.state_file = os.path.join(folder, "state.json")
        self.environment = dict(os.environ, DISPLAY=display.name, LIBGL_ALWAYS_SOFTWARE="1",
                                HOME=folder, XDG_CONFIG_HOME=os.path.join(folder, "config"),
                                WARPLENS_STATE_FILE=self.state_file)
        self.environment.pop("WAYLAND_DISPLAY", None)
        own = dict(self.environment, PATH=path) if path else self.environment
        with open(self.state_file, "w", encoding="utf-8") as file:
            file.write('{"widgets": {}}')  # not that of a window before this one
        self.process = subprocess.Popen([program] + arguments, env=own, cwd=folder)
        self.wait_for("the first frame", lambda state: state["widgets"])
        self.id = self.xdotool("search", "--onlyvisible", "--name", "Warplens").split()[0]
        self.xdotool("windowfocus", "--sync", self.id)
        if past_welcome and "welcome.explore" in self.state()["widgets"]:
            self.press("Escape")
            self.wait_for("the welcome gone", lambda state: "welcome.explore" not in state["widgets"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *arguments], env=self.environment, check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def state(self):
        try:
            with open(self.state_file, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {"widgets": {}}

    def wait_for(self, what, holds):
        """The first state that `holds`; fails when it does not come or the window ends."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"{what}: the window ended with {self.process.returncode}")
            state = self.state()
            if holds(state):
                return state
            time.sleep(0.05)
        state.pop("widgets")
        raise AssertionError(f"{what} did not come; the state is {json.dumps(state, indent=1)}")

    def place_of(self, widget):
        """Its rectangle once it stays where it is: a list that opens finds its place first."""
        place = None
        while True:
            state = self.wait_for(f"the widget {widget}", lambda now: widget in now["widgets"])
            if state["widgets"][widget] == place:
                return place
            place = state["widgets"][widget]
            pause(0.3)

    def point_at(self, widget):
        x, y, width, height = self.place_of(widget)
        self.xdotool("mousemove", "--window", self.id, str(int(x + width / 2)),
                     str(int(y + height / 2)))
        pause(0.1)  # a pointer rests before it presses

    def point_into(self, widget, across, down):
        """To a place inside it, given as shares of its width and height."""
        x, y, width, height = self.place_of(widget)
        self.xdotool("mousemove", "--window", self.id, str(int(x + across * width)),
                     str(int(y + down * height)))
        pause(0.1)

    def wheel(self, notches):
        """Away from the hand for positive numbers, one notch at a time."""
        for _ in range(abs(notches)):
            self.xdotool("click", "4" if notches > 0 else "5")
            pause(0.06)

    def drag(self, right, down, steps=8, button="1"):
        """From where the pointer is, as a hand does: down, along, up."""
        self.xdotool("mousedown", button)
        for _ in range(steps):
            self.xdotool("mousemove_relative", "--", str(int(right / steps)), str(int(down / steps)))
            pause(0.04)
        pause(0.1)
        self.xdotool("mouseup", button)
        pause(0.1)

    def click(self, widget):
        self.point_at(widget)
        self.xdotool("mousedown", "1")
        pause(0.1)
        self.xdotool("mouseup", "1")

    def drag_along(self, widget, begin, end):
        """Presses at one share of its width and lets go at another."""
        x, y, width, height = self.place_of(widget)
        middle = str(int(y + height / 2))
        self.xdotool("mousemove", "--window", self.id, str(int(x + begin * width)), middle)
        pause(0.1)
        self.xdotool("mousedown", "1")
        for part in range(1, 6):
            at = x + (begin + (end - begin) * part / 5) * width
            pause(0.06)
            self.xdotool("mousemove", "--window", self.id, str(int(at)), middle)
        pause(0.2)
        self.xdotool("mouseup", "1")

    def type_into(self, widget, text):
        """As a person does: double-click, replace everything, Enter."""
        self.point_at(widget)
        self.xdotool("click", "--repeat", "2", "--delay", "100", "1")
        pause(0.3)
        self.press("a", "ctrl")
        self.xdotool("type", "--delay", "60", text)
        self.press("Return")

    def press(self, key, *modifiers):
        """Holds the key as long as a finger does: it is read once a frame."""
        for held in (*modifiers, key):
            self.xdotool("keydown", held)
        pause(0.15)
        for held in (key, *modifiers):
            self.xdotool("keyup", held)
        pause(0.15)

    def clipboard(self, target):
        """What another program would paste."""
        return subprocess.run(["xclip", "-selection", "clipboard", "-out", "-target", target],
                              env=self.environment, check=True, stdout=subprocess.PIPE,
                              timeout=PATIENCE).stdout

    def properties(self, *names):
        """What the window tells the desktop, as xprop words it."""
        return subprocess.run(["xprop", "-id", self.id, *names], env=self.environment, check=True,
                              text=True, stdout=subprocess.PIPE, timeout=PATIENCE).stdout

    def workers(self):
        """Process ids of the program's children."""
        found = []
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(number) for number in file.read().split()]
        return found

    def kill_worker(self):
        """A program that is being traced is a child, too: its end is waited for."""
        self.wait_for("no child but the worker", lambda _: len(self.workers()) == 1)
        os.kill(self.workers()[0], signal.SIGKILL)


def missing_tools():
    return [tool for tool in ("Xvfb", "xdotool", "xclip", "xprop") if shutil.which(tool) is None]
