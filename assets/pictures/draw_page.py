#!/usr/bin/env python3
"""Draws the README's picture of the page in a browser, in Chromium.

assets/pictures/draw_page.py PAGE [FOLDER]
PAGE: the folder that scripts/build_page.sh made.
"""

import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "web"))
from browser import Browser, serve  # noqa: E402

COURSE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Week 4</title><style>
body { margin: 0 auto; max-width: 1360px; padding: 20px 40px; font: 19px/1.5 Georgia, serif; color: #222; background: #fdfcf8; }
h1 { margin: 0; font-size: 34px; } p { margin: 8px 0 14px; } code { font-size: 17px; }
iframe { width: 100%; height: 760px; border: 1px solid #bbb; }
</style></head><body>
<h1>Week 4. Why is this sum slow?</h1>
<p>It adds two matrices, and <code>threadIdx.x</code> runs along a column. Change <code>block</code> to
32&nbsp;x&nbsp;8, then press <b>Swap&nbsp;x&nbsp;/&nbsp;y</b>, and watch what warp&nbsp;0 loads.</p>
<iframe src="site/#matadd-swapped" title="Warplens: an uncoalesced sum"></iframe>
</body></html>
"""


def main(page, folder=HERE):
    with tempfile.TemporaryDirectory(prefix="warplens-web-") as course, Browser((1440, 920)) as browser:
        shutil.copytree(page, os.path.join(course, "site"))
        with open(os.path.join(course, "index.html"), "w", encoding="utf-8") as file:
            file.write(COURSE)
        browser.open(serve(course) + "/")
        assert browser.settle("globalThis.frames[0]?.Module"), "the page did not come to rest"
        browser.save_picture(os.path.join(folder, "in-a-browser.png"))
    print("in-a-browser.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
