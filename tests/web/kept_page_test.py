#!/usr/bin/env python3
"""The page that is kept in assets/page, from which `warplens export` makes pages, is of these sources.

kept_page_test.py WARPLENS
Exit code 77: there is none, or it is older than its sources (scripts/build_page.sh --keep makes it anew).
"""

import gzip
import os
import subprocess
import sys
import tempfile
import urllib.parse

from browser import Browser, Page, missing_browser, serve

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main(program):
    kept = os.path.join(ROOT, "assets", "page")
    if not os.path.exists(os.path.join(kept, "warplens.sources")):
        print("skipped: no page is kept (scripts/build_page.sh --keep)")
        return 77
    with gzip.open(os.path.join(kept, "warplens.wasm.gz")) as file:
        assert file.read(4) == b"\0asm", "the kept page is no WebAssembly"
    with open(os.path.join(kept, "warplens.sources"), encoding="ascii") as file:
        of_page = file.read()
    now = subprocess.run([os.path.join(ROOT, "scripts", "page_sources.sh")], stdout=subprocess.PIPE, text=True,
                         check=False).stdout
    if of_page != now:
        print("skipped: the kept page is older than its sources (scripts/build_page.sh --keep)")
        return 77
    with tempfile.TemporaryDirectory(prefix="warplens web ") as folder:
        page = os.path.join(folder, "page.html")
        subprocess.run([program, "export", "matadd-swapped", "-o", page], check=True)
        assert os.path.getsize(page) < 8 << 20, os.path.getsize(page)
        if not missing_browser():
            open_it(page)
    return 0


def open_it(page):
    """From its folder, and within another page: by its own policy, with nothing to fetch and nothing to complain of."""
    address = "file://" + urllib.parse.quote(page)
    folder = os.path.dirname(page)
    with open(os.path.join(folder, "frame.html"), "w", encoding="ascii") as file:
        file.write('<!doctype html><link rel="icon" href="data:,">'
                   '<iframe src="page.html" style="width:1200px;height:700px"></iframe>')
    with Browser() as browser:
        shown = Page(browser, address)
        shown.wait_for("its scenario", lambda state: state["shown"]["scenario"] == "matadd-swapped")
        assert browser.evaluate("document.querySelector('meta[http-equiv]').content").startswith("default-src 'none'")
        assert set(each.split("?")[0] for each in browser.requested) <= {address, "about:blank"}, browser.requested
        browser.open(serve(folder) + "/frame.html")
        assert browser.settle("globalThis.frames[0]?.Module")
        assert not browser.said, browser.said


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
