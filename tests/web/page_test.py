#!/usr/bin/env python3
"""The page in Chromium: what the window's own tests do to the window, done to the page.

page_test.py FOLDER PICTURES
FOLDER: the page, as scripts/build_page.sh made it. Exit code 77: it or Chromium is missing.
"""

import os
import shutil
import sys
import tempfile
import urllib.parse

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

    def write_an_exercise(self):
        """Where there is no compiler its program is copied."""
        self.reopened("access-stride", "strided access")
        self.turn_to("lesson.exercise")
        self.window.click("lesson.exercise")
        self.window.wait_for("the copied program", window_test.said("save it as a .cu file"))
        self.picture("exercise")
        self.reopened("access-stride", "strided access")

    def copy_the_table(self):
        pass  # the clipboard of a page is what it copied last



# Counts what draws and what waits for an answer of the process that draws, and keeps the programs that are made.
WATCH = """
globalThis.watched = {asked: {}, drawn: 0, programs: []};
const prototype = WebGL2RenderingContext.prototype;
for (const name of Object.getOwnPropertyNames(prototype)) {
  const method = Object.getOwnPropertyDescriptor(prototype, name).value;
  if (typeof method !== 'function') continue;
  const asks = /^(get|is|read|check|finish|clientWait)/.test(name);
  prototype[name] = function(...values) {
    if (asks) watched.asked[name] = (watched.asked[name] ?? 0) + 1;
    if (name === 'drawElements' || name === 'drawArrays') ++watched.drawn;
    if (name === 'linkProgram') watched.programs.push([this, values[0]]);
    return method.apply(this, values);
  };
}"""
# Every variant of the map's shaders, from the text of one: what does not compile.
VARIANTS = """(() => {
  const failed = [];
  const [gl, known] = watched.programs.find(([gl, program]) => gl.getAttachedShaders(program)
      .some((shader) => gl.getShaderSource(shader).includes('#define DETAIL')));
  const texts = gl.getAttachedShaders(known).map((shader) =>
      [gl.getShaderParameter(shader, gl.SHADER_TYPE), gl.getShaderSource(shader)]);
  let count = 0;
  for (let variant = 0; variant < 32; ++variant) {
    const program = gl.createProgram();
    for (const [type, text] of texts) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text.replace(/#define DETAIL ./, '#define DETAIL ' + (variant >> 3))
          .replace(/#define PIECES ./, '#define PIECES ' + (variant >> 2 & 1))
          .replace(/#define GUARDED ./, '#define GUARDED ' + (variant >> 1 & 1))
          .replace(/#define IDENTIFY ./, '#define IDENTIFY ' + (variant & 1)));
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    ++count;
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) failed.push(variant + ': ' + gl.getProgramInfoLog(program));
  }
  return [count, failed];
})()"""


def draw_without_reading_back(browser, address):
    """While the map is dragged no frame waits for the process that draws; while nothing happens none is drawn."""
    added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    page = Page(browser, address + "#matadd-coalesced")
    page.wait_for("all shaders", lambda _: browser.evaluate("watched.programs.length") > 16)
    page.wait_for("the last frame", lambda state: state["settled"])
    assert browser.settle()
    page.point_into("map", 0.5, 0.5)
    page.xdotool("mousedown", "1")
    for step in range(60):
        if step == 20:  # what is drawn for the first time while dragging has been
            browser.evaluate("watched.asked = {}; watched.drawn = 0")
        page.xdotool("mousemove_relative", "--", "3", "1")
        window_test.pause(0.02)
    asked, drawn = browser.evaluate("[watched.asked, watched.drawn]")
    page.xdotool("mouseup", "1")
    assert drawn > 40, drawn
    assert not asked, asked
    count, failed = browser.evaluate(VARIANTS)
    assert count == 32 and not failed, failed
    window_test.pause(6)
    browser.evaluate("watched.drawn = 0")
    window_test.pause(3)
    assert browser.evaluate("watched.drawn") == 0
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def describe_itself(browser, address):
    """For people who do not see the picture: once it rests, and anew when something else is shown."""
    page = Page(browser, address + "#matadd-swapped")
    told = "document.getElementById('described').textContent"
    page.wait_for("a description", lambda _: "matadd-swapped" in browser.evaluate(told))
    words = browser.evaluate(told)
    assert "256 threads, 16 x 16" in words and "sectors" in words, words[:600]
    page.type_into("block.x", "32")
    page.wait_for("the next description", lambda _: "512 threads, 32 x 16" in browser.evaluate(told))
    # Of a lesson its question, and what answers it only then.
    page = Page(browser, address + "#lesson/matadd-swapped")
    page.wait_for("the question", lambda _: "Predict first: " in browser.evaluate(told))
    assert "Sector at byte" not in browser.evaluate(told)
    page.click("lesson.reveal")
    page.wait_for("the answer", lambda _: "Sector at byte" in browser.evaluate(told))


def type_by_a_phones_keyboard(browser, address):
    """It comes up where a field is tapped, and goes with it."""
    browser.resize(390, 844, 3)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    page = Page(browser, address + "#matadd-swapped")
    browser.settle()
    at = page.state()["widgets"]["block.x"]
    finger = {"x": (at[0] + at[2] / 2) / 3, "y": (at[1] + at[3] / 2) / 3}
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[finger])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    focus = "document.activeElement.id"
    page.wait_for("the keyboard", lambda _: browser.evaluate(focus) == "typed")
    for letters in ("6", "4"):
        browser.call("Input.insertText", text=letters)
    page.press("Return")
    page.wait_for("what was typed", lambda state: state["shown"]["launch"]["block"][0] == 64)
    page.wait_for("no keyboard", lambda _: browser.evaluate(focus) != "typed")
    browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.resize(*browser.size)


def said(browser, words):
    for _ in range(200):
        text = browser.evaluate("document.getElementById('said')?.textContent ?? ''")
        if words in text:
            return
        window_test.pause(0.1)
    raise AssertionError(f"'{words}' was not said, but: {text}")


def say_what_is_wrong(browser, folder, address):
    """One sentence each."""
    for script, words in (
            ("Object.defineProperty(globalThis, 'WebAssembly', {value: undefined})", "needs WebAssembly"),
            ("WebAssembly.validate = () => false", "tail calls"),
            ("HTMLCanvasElement.prototype.getContext = () => null", "no WebGL 2")):
        added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        browser.open(address)
        said(browser, words)
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])
    for name, text in (("foreign", '{"a": 1}'), ("broken", "{"), ("newer", '{"schema": "warplens.page/9"}')):
        with open(os.path.join(folder, name + ".json"), "w", encoding="ascii") as file:
            file.write(text)
    for query, words in (("?open=foreign.json", "schema"), ("?open=broken.json", "JSON"),
                         ("?open=newer.json", "this version reads warplens.page/1"),
                         ("?open=none.json", "none.json cannot be opened: 404")):
        browser.open(address + query)
        said(browser, words)
    for link, words in (("#nothing-of-the-kind", "names no scenario"), ("#s=%%%", "This link is cut off"),
                        ("#{\"a\":1}", "No scene")):
        page = Page(browser, address + link, past_welcome=False)
        page.wait_for(link, lambda state, words=words: words in str(state["messages"]))
    page = Page(browser, address + "#matadd-swapped")
    browser.evaluate("Module.open({name: 'huge.ptx', size: 3e9})")
    said(browser, "huge.ptx has 3000000000 bytes; a page opens at most 268435456.")
    browser.evaluate("Module.open(new File(['__global__ void f() {}'], 'own.cu'))")
    page.wait_for("no compiler", lambda state: "no compiler" in str(state["program"]))


def main(folder, pictures):
    missing = missing_browser()
    if not os.path.exists(os.path.join(folder, "warplens.wasm")):
        missing.append("the page (scripts/build_page.sh)")
    if missing:
        print("skipped: missing:", ", ".join(missing))
        return 77
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warplens web ") as copied:
        shutil.copytree(folder, copied, dirs_exist_ok=True)
        return play(copied, serve(copied), pictures)


def play(folder, address, pictures):
    with Browser() as browser:
        try:
            PagePlay(browser, Page(browser, address + "/#matadd-coalesced"), None, pictures).run()
        finally:
            print(*browser.said, sep="\n")
        assert not browser.said, browser.said
        own = (address, "about:", "data:", "blob:")
        assert all(each.startswith(own) for each in browser.requested), browser.requested
    with Browser() as browser:
        browser.open("file://" + urllib.parse.quote(os.path.join(folder, "index.html")))
        said(browser, "this folder needs a web server")
        PageNewcomer(browser, address + "/", pictures).run()
        draw_without_reading_back(browser, address + "/")
    with Browser() as browser:  # which has answered nothing
        describe_itself(browser, address + "/")
        type_by_a_phones_keyboard(browser, address + "/")
        say_what_is_wrong(browser, folder, address + "/")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
