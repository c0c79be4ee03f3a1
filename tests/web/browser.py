"""Chromium without a screen, spoken to through its DevTools pipe, and a Warplens page in it that is driven as the
program's window is (tests/ui/driver.py)."""

import base64
import fcntl
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui"))
from driver import PATIENCE, Window, pause  # noqa: E402


def serve(folder):
    """A web server of the folder's files; its address, without the last slash."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Browser:
    """One Chromium with one tab; ended with the `with` block."""

    def __init__(self, size=(1600, 1000)):
        self.size = size
        self.profile = tempfile.mkdtemp(prefix="warplens-web-")
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()
        # Out of the way of 3 and 4, which Chromium reads from and writes to.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (read_commands, write_answers)]
        os.close(read_commands)
        os.close(write_answers)

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--user-data-dir=" + self.profile,
             "--no-first-run", "--force-device-scale-factor=1", "about:blank"],
            preexec_fn=place, pass_fds=[3, 4, *ends], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in ends:
            os.close(end)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.said = []      # what the console and uncaught exceptions say
        self.requested = []  # addresses
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(*size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    def hear(self):
        while b"\0" not in self.buffer:
            got = os.read(self.answers, 1 << 20)
            if not got:
                raise AssertionError("Chromium has ended")
            self.buffer += got
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, told = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.said.append(json.dumps(told["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.said.append(" ".join(str(each.get("value")) for each in told["args"])[:600])
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.said.append(told["entry"]["text"][:600] + " " + told["entry"].get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.requested.append(told["request"]["url"])
        return message

    def resize(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio,
                  mobile=False)

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def open(self, address):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def save_picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def settle(self, module="globalThis.Module"):
        """Waits until nothing is under way in the page, or in a frame of it whose `module` that is; False where it
        ended with words of its own."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.evaluate(f"!!globalThis.document?.body && !!({module})?.settled"):
                return True
            time.sleep(0.05)
        return False


# What xdotool calls keys: what the DOM does, and its key code.
KEYS = {"Return": ("Enter", 13), "Escape": ("Escape", 27), "Tab": ("Tab", 9), "space": (" ", 32),
        "Page_Down": ("PageDown", 34), "Page_Up": ("PageUp", 33), "Down": ("ArrowDown", 40), "Up": ("ArrowUp", 38),
        "Left": ("ArrowLeft", 37), "Right": ("ArrowRight", 39), "period": (".", 190), "comma": (",", 188),
        "ctrl": ("Control", 17), "shift": ("Shift", 16)}
MODIFIERS = {"ctrl": 2, "shift": 8}
BUTTONS = {"1": ("left", 1), "2": ("middle", 4), "3": ("right", 2)}


class Page(Window):
    """As Window, of the page at an address that ends in what it shows; xdotool's words become DevTools events."""

    def __init__(self, browser, address, past_welcome=True):
        self.browser = browser
        self.folder = None
        self.id = "page"
        self.x, self.y, self.held, self.buttons = 0.0, 0.0, 0, 0
        base, _, shown = address.partition("#")
        base = base.partition("?")[0]  # a link of this page has it already
        browser.open(base + "?state" + ("#" + shown if shown else ""))
        self.process = browser.process
        self.wait_for("the first frame", lambda state: state["widgets"])
        if past_welcome and "welcome.explore" in self.state()["widgets"]:
            self.press("Escape")
            self.wait_for("the welcome gone", lambda state: "welcome.explore" not in state["widgets"])

    def __exit__(self, *_):
        pass

    def state(self):
        text = self.browser.evaluate(
            "globalThis.Module?.FS?.analyzePath('/state.json').exists"
            " ? Module.FS.readFile('/state.json', {encoding: 'utf8'}) : ''")
        return json.loads(text) if text else {"widgets": {}, "settled": False}

    def clipboard(self, target):
        return self.browser.evaluate("Module.pastedText").encode()

    def mouse(self, kind, **more):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=self.x, y=self.y, buttons=self.buttons,
                          modifiers=self.held, **more)

    def button(self, name, down, count=1):
        button, bit = BUTTONS[name]
        self.buttons = self.buttons | bit if down else self.buttons & ~bit
        self.mouse("mousePressed" if down else "mouseReleased", button=button, clickCount=count)

    def key(self, name, down):
        self.held = self.held | MODIFIERS.get(name, 0) if down else self.held & ~MODIFIERS.get(name, 0)
        function = re.fullmatch(r"F(\d+)", name)
        key, code = KEYS.get(name) or ((name, 111 + int(function[1])) if function else (name, ord(name.upper())))
        types = len(key) == 1 and not self.held & 2
        self.browser.call("Input.dispatchKeyEvent", type=("keyDown" if types else "rawKeyDown") if down else "keyUp",
                          key=key, windowsVirtualKeyCode=code, modifiers=self.held,
                          **({"text": key} if types and down else {}))

    def xdotool(self, command, *arguments):
        words = [word for word in arguments if word not in ("--window", self.id, "--", "--sync")]
        if command in ("mousemove", "mousemove_relative"):
            x, y = (float(word) for word in words)
            relative = command == "mousemove_relative"
            self.x, self.y = (self.x + x, self.y + y) if relative else (x, y)
            self.mouse("mouseMoved")
        elif command in ("mousedown", "mouseup"):
            self.button(words[0], command == "mousedown")
        elif command == "click" and words[-1] in "45":
            self.mouse("mouseWheel", deltaX=0, deltaY=-100 if words[-1] == "4" else 100)
        elif command == "click":
            for count in range(1, 1 + int(words[1] if words[0] == "--repeat" else 1)):
                self.button(words[-1], True, count)
                self.button(words[-1], False, count)
                time.sleep(0.05)  # a hand's time, however slow the machine is
        elif command in ("keydown", "keyup"):
            self.key(words[0], command == "keydown")
        elif command == "type":
            for letter in words[-1]:
                name = {" ": "space", ".": "period", ",": "comma"}.get(letter, letter)
                self.key(name, True)
                pause(0.03)
                self.key(name, False)
        else:
            raise AssertionError(f"xdotool {command}")
        return ""


def missing_browser():
    return [] if shutil.which("chromium") else ["chromium"]
