#!/usr/bin/env python3
"""The page draws what the program draws: the same screens of both, in both themes, side by side.

pictures_test.py WARPLENS FOLDER PICTURES
FOLDER: the page, as scripts/build_page.sh made it. Both pictures are made a quarter of their size each way, and may
differ as tests/gl/reference_pictures_test.cpp has it: fonts and Dear ImGui are of another release of Debian there, and
a page has neither a GPU nor a compiler. Exit code 77: the page or Chromium is missing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from browser import Browser, Page, missing_browser, pause, serve

SIZE = (1280, 720)
MOST_MEAN = 2.5  # of 255, over all channels of all pixels
OFF = 40         # a pixel is off where one of its channels differs by more
MOST_OFF = 2   # percent of the pixels
SCREENS = {
    "map": "matadd-swapped",
    "source": "reduce-sequential --below source",
    "cubes": "warp-grouping --block 8,4,4 --view 3d",
    "sm": "latency-hiding --view sm",
    "time": "latency-hiding --view time",
    "grid": "picture-76x62 --map grid",
    "sweep": "access-aligned --tab sweep",
    "roofline": "matmul-tiled --tab roof",
    "numbers": "partial-warp --numbers rank",
    "step": "reduce-interleaved --warp 0 --step 3",
    "question": "--lesson matadd-swapped",
    "present": "branch-long-arms --present",
}
# Both pictures, as data: addresses; their difference as [mean, percent off].
COMPARE = """(async (pictures) => {
  const [a, b] = await Promise.all(pictures.map(async (address) => {
    const image = await createImageBitmap(await (await fetch(address)).blob());
    const size = [image.width / 4, image.height / 4];
    const context = new OffscreenCanvas(...size).getContext('2d', {willReadFrequently: true});
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, ...size);
    return context.getImageData(0, 0, ...size).data;
  }));
  if (a.length !== b.length) throw new Error('of different sizes');
  let sum = 0, off = 0;
  for (let at = 0; at < a.length; at += 4) {
    const apart = [0, 1, 2].map((channel) => Math.abs(a[at + channel] - b[at + channel]));
    sum += apart[0] + apart[1] + apart[2];
    off += Math.max(...apart) > %d;
  }
  return [sum / (a.length * 0.75), 100 * off / (a.length / 4)];
})""" % OFF


def picture_in(browser, path):
    browser.save_picture(path)
    with open(path, "rb") as file:
        return file.read()


def main(program, folder, pictures):
    missing = missing_browser()
    if not os.path.exists(os.path.join(folder, "warplens.wasm")):
        missing.append("the page (scripts/build_page.sh)")
    if missing:
        print("skipped: missing:", ", ".join(missing))
        return 77
    pictures = os.path.join(pictures, "web")
    os.makedirs(pictures, exist_ok=True)
    address = serve(folder)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="warplens-web-") as documents, Browser(SIZE) as browser, \
            Browser((64, 64)) as comparing:
        beside = serve(pictures)
        comparing.open(beside)
        # Without a worker beside it, as a page is.
        program = shutil.copy(program, os.path.join(documents, "warplens"))
        for name, options in SCREENS.items():
            words = options.split()
            file = os.path.join(documents, name + ".json")
            subprocess.run([program, "export", *words, "-o", file], check=True)
            with open(file, encoding="utf-8") as document:
                page = Page(browser, address + "/#" + urllib.parse.quote(json.load(document)["scene"]))
            page.wait_for("all of the screen", lambda now: now["settled"] and not now["messages"])
            for theme in ("dark", "light"):
                if page.state()["theme"] != theme:
                    if "lesson.guess" in page.state()["widgets"]:
                        break  # its field takes letters
                    page.press("t")
                    page.wait_for("the theme", lambda now, theme=theme: now["theme"] == theme)
                assert browser.settle(), name
                of_page = os.path.join(pictures, f"{name}-{theme}-page.png")
                before = None
                while (now := picture_in(browser, of_page)) != before:
                    before = now
                    pause(1)  # a sweep goes on point by point
                subprocess.run([program, "screenshot", *words, "--theme", theme, "--size", "{}x{}".format(*SIZE),
                                "--force", "-o",
                                os.path.join(pictures, f"{name}-{theme}-program.png")], check=True)
                mean, off = comparing.evaluate(
                    f"{COMPARE}(['{name}-{theme}-page.png', '{name}-{theme}-program.png'])")
                print(f"{name} {theme}: {mean:.2f} of 255 in the mean, {off:.2f} % of the pixels", flush=True)
                if mean > MOST_MEAN or off > MOST_OFF:
                    wrong.append(f"{name} {theme}")
        assert not browser.said, browser.said
    print(f"{len(SCREENS)} screens, {len(wrong)} pictures differ", *wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
