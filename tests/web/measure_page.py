#!/usr/bin/env python3
"""What the page costs: its bytes, and in each browser the time to its first picture and to all of it, the frames of a
drag over the map, and memory.

measure_page.py FOLDER [ROUNDS]
FOLDER: the page, as scripts/build_page.sh made it. Browsers take turns, 5 rounds each if left out, the first of which
fills their caches and is not counted. Each round starts a browser with the page ("started": its own beginning is in the
times, 0.3 s for the first WebGL context of Chromium alone) and then opens the page once more in the browser that runs
("again"), as a link is followed. Prints a table, with the machine's load. Needs node, for brotli, and Xvfb: Firefox draws
by software on a screen only.
"""

import functools
import glob
import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

BROWSERS = {
    "chromium": ["chromium", "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                 "--ignore-gpu-blocklist", "--no-first-run", "--window-size=1600,1043", "--user-data-dir={profile}"],
    "firefox-esr": ["firefox-esr", "--no-remote", "--kiosk", "--width", "1600", "--height", "900", "--profile", "{profile}"],
}
# Behind page.js: notes when pictures are there, drags the map, and tells the server.
DRIVE = """'use strict';
{
  const told = {}, frames = [];
  const draw = requestAnimationFrame.bind(globalThis);
  let measures = false;
  globalThis.requestAnimationFrame = (callback) => draw((now) => {
    const begin = performance.now();
    callback(now);
    if (measures) frames.push(performance.now() - begin);
  });
  const drawn = Module.drawn;
  Module.drawn = (settled) => {
    drawn(settled);
    told.first ??= performance.now();
    if (told.settled || !Module.settled) return;
    told.settled = performance.now();
    setTimeout(location.search ? drag : again, 4000);
  };
  const again = () => {
    sessionStorage.started = JSON.stringify({startedFirst: told.first, startedSettled: told.settled});
    location.replace('?again' + location.hash);
  };
  const drag = () => {
    Object.assign(told, JSON.parse(sessionStorage.started));
    const canvas = Module.canvas;
    told.size = [canvas.clientWidth, canvas.clientHeight];
    let step = 0;
    const send = (name) => canvas.dispatchEvent(new MouseEvent(name, {bubbles: true, button: 0,
        buttons: name === 'mouseup' ? 0 : 1, clientX: 0.45 * canvas.clientWidth + 150 * Math.sin(step / 30),
        clientY: 0.4 * canvas.clientHeight}));
    const move = () => {
      measures = ++step > 30;
      send('mousemove');
      if (step < 230) return draw(() => setTimeout(move));
      send('mouseup');
      told.frames = frames;
      fetch('told', {method: 'POST', body: JSON.stringify(told)});
    };
    send('mousemove');
    send('mousedown');
    setTimeout(move, 100);
  };
}
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self):
        self.server.told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.has_told.set()

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *_):
        pass


def memory_of(pid):
    """Megabytes of the process and all that it started; shared pages by their share."""
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                parents[int(path.split("/")[2])] = int(file.read().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    total = 0
    for each in parents:
        above = each
        while above > 1 and above != pid:
            above = parents.get(above, 0)
        if above != pid:
            continue
        try:
            with open(f"/proc/{each}/smaps_rollup", encoding="ascii") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except (FileNotFoundError, ProcessLookupError, PermissionError, StopIteration):
            pass
    return total / 1024


def screen():
    """An X server of 1600 x 900 for Firefox: its process, and its name."""
    process = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x900x24", "-nolisten", "tcp"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, ":" + process.stdout.readline().strip()


def visit(server, browser, profile, display):
    server.has_told.clear()
    command = [word.format(profile=profile) for word in BROWSERS[browser]]
    address = f"http://127.0.0.1:{server.server_port}/#matadd-swapped"
    with open(os.path.join(profile, "user.js"), "w", encoding="ascii") as file:  # Firefox's
        file.write('user_pref("webgl.force-enabled", true);\n')
    process = subprocess.Popen([*command, address], env=dict(os.environ, DISPLAY=display), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        if not server.has_told.wait(180):
            raise AssertionError(f"{browser} told nothing")
        return dict(server.told, memory=memory_of(process.pid))
    finally:
        process.terminate()
        process.wait()


def main(folder, rounds="5"):
    for name in ("warplens.wasm", "warplens.js", "warplens.data"):
        path = os.path.join(folder, name)
        packed = subprocess.run(["node", "-p", "zlib.brotliCompressSync(fs.readFileSync(process.argv[1])).length", path],
                                stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        print(f"{name}: {os.path.getsize(path)} bytes, by brotli {packed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="warplens-web-") as copied:
        shutil.copytree(folder, copied, dirs_exist_ok=True)
        with open(os.path.join(copied, "drive.js"), "w", encoding="ascii") as file:
            file.write(DRIVE)
        with open(os.path.join(copied, "index.html"), encoding="utf-8") as file:
            page = file.read()
        with open(os.path.join(copied, "index.html"), "w", encoding="utf-8") as file:
            file.write(page.replace('"page.js"></script>', '"page.js"></script><script src="drive.js"></script>'))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=copied))
        server.has_told = threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        there = [name for name in BROWSERS if shutil.which(name)]
        told = {name: [] for name in there}
        profiles = {name: tempfile.mkdtemp(prefix="warplens-web-") for name in there}
        load = []
        server_of_screen, display = screen()
        for _ in range(int(rounds)):
            for name in there:
                load.append(os.getloadavg()[0])
                told[name].append(visit(server, name, profiles[name], display))
                time.sleep(1)
        server_of_screen.terminate()
        for name in there:
            cold, *warm = told[name]
            frames = sorted(frame for each in warm for frame in each["frames"])
            middle = {key: statistics.median(each[key] for each in warm) for key in
                      ("startedFirst", "startedSettled", "first", "settled", "memory")}
            print(f"{name}, {warm[0]['size']}: cold {cold['startedFirst']:.0f} ms to the first picture, "
                  f"{cold['startedSettled']:.0f} settled; started {middle['startedFirst']:.0f} and "
                  f"{middle['startedSettled']:.0f}; again {middle['first']:.0f} and {middle['settled']:.0f} "
                  f"(medians of {len(warm)}); "
                  f"{len(frames)} dragged frames: median {statistics.median(frames):.2f} ms, "
                  f"95th percentile {frames[int(0.95 * len(frames))]:.2f} ms; {middle['memory']:.0f} MB")
            shutil.rmtree(profiles[name], ignore_errors=True)
        print(f"load {min(load):.1f} to {max(load):.1f} on {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
