#!/usr/bin/env python3
"""The page in Chromium: what the window's own tests do to the window, done to the page.

page_test.py FOLDER PICTURES
FOLDER: the page, as scripts/build_page.sh made it. Exit code 77: it or Chromium is missing.
"""

import os
import sys

from browser import Browser, Page, missing_browser, serve

import lessons_test
import window_test


class PagePlay(window_test.Play):
    """What needs neither a worker nor files."""

    def copy_a_link(self):
        """Of what is shown; the page that it opens shows the same."""
        self.window.press("c", "ctrl", "shift")
        self.window.wait_for("the scene in the clipboard", window_test.said("The scene is in the clipboard"))
        link = self.window.clipboard("UTF8_STRING").decode()
        before = self.window.state()
        self.window = Page(self.window.browser, link)
        self.window.wait_for("what was shown", lambda now: now["shown"] == before["shown"] and
                             now["memory"]["steps"] == before["memory"]["steps"])
        assert "#s=" in link, link

    def run(self):
        for step in (self.set_a_block_by_typing, self.break_a_limit, self.zoom_by_wheel, self.pan_by_drag,
                     self.choose_by_double_click, self.number_the_cells, self.see_the_block_as_cubes,
                     self.cut_it_and_move_its_warps_apart, self.pick_a_scenario, self.hold_a_warp,
                     self.scrub_through_its_steps, self.play_them, self.still_be_of_use, self.walk_by_tab,
                     self.find_by_the_palette, self.learn, self.present, self.copy_a_link):
            print(step.__name__.replace("_", " "), flush=True)
            try:
                step()
            except BaseException:
                self.picture("failed")
                raise


class PageNewcomer(lessons_test.Newcomer):
    """Lessons, and what the browser keeps of them."""

    def __init__(self, browser, address, pictures):
        super().__init__(browser, None, None, pictures)
        self.address = address

    def start(self):
        return Page(self.display, self.address, past_welcome=False)

    def copy_the_table(self):
        pass  # the clipboard of a page is what it copied last



def say_what_is_wrong(browser, address):
    """One sentence each."""
    with_nothing = "Object.defineProperty(globalThis, 'WebAssembly', {value: undefined})"
    no_webgl = "HTMLCanvasElement.prototype.getContext = () => null"
    for script, words in ((with_nothing, "WebAssembly"), (no_webgl, "WebGL 2")):
        added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        browser.open(address)
        for _ in range(100):
            said = browser.evaluate("document.getElementById('said')?.textContent ?? ''")
            if words in said:
                break
            window_test.pause(0.1)
        assert words in said, said
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def main(folder, pictures):
    missing = missing_browser()
    if not os.path.exists(os.path.join(folder, "warplens.wasm")):
        missing.append("the page (scripts/build_page.sh)")
    if missing:
        print("skipped: missing:", ", ".join(missing))
        return 77
    os.makedirs(pictures, exist_ok=True)
    address = serve(folder)
    with Browser() as browser:
        try:
            PagePlay(browser, Page(browser, address + "/#matadd-coalesced"), None, pictures).run()
        finally:
            print(*browser.said, sep="\n")
        assert not browser.said, browser.said
        own = (address, "about:", "data:", "blob:")
        assert all(each.startswith(own) for each in browser.requested), browser.requested
    with Browser() as browser:
        PageNewcomer(browser, address + "/", pictures).run()
        say_what_is_wrong(browser, address + "/")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
