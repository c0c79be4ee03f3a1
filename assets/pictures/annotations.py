#!/usr/bin/env python3
"""What `warplens check --format github` writes, as a pull request shows it: the lines of a file, and
below each the annotations that it has.

annotations.py WARPLENS FILE.cu FIRST LAST > picture.svg
"""

import html
import re
import subprocess
import sys
import textwrap

WIDTH, ROW, CODE, WORDS = 1000, 20, 12, 13
COLOURS = {"error": ("#cf222e", "Check failure"), "warning": ("#9a6700", "Check warning")}


def annotations(warplens, path):
    """Line, severity, title and message of each."""
    done = subprocess.run([warplens, "check", path, "--format", "github"], check=False, text=True,
                          stdout=subprocess.PIPE)
    form = r"::(error|warning) file=.*?,line=(\d+),.*?title=([^:]*)::(.*)"
    found = re.findall(form, done.stdout)
    if not found:
        sys.exit(f"nothing was found in {path}")
    return [(int(line), severity, title, message.replace("%0A", "\n").replace("%25", "%"))
            for severity, line, title, message in found]


def text(x, y, words, size, colour, face="sans-serif", weight="normal"):
    return (f'<text x="{x}" y="{y}" font-family="{face}" font-size="{size}" fill="{colour}" '
            f'font-weight="{weight}" xml:space="preserve">{html.escape(words)}</text>')


def main(warplens, path, first, last):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found = annotations(warplens, path)
    parts = [text(16, 27, path, WORDS, "#1f2328", "monospace", "bold")]
    y = 44
    for number in range(int(first), int(last) + 1):
        parts.append(f'<rect x="1" y="{y}" width="{WIDTH - 2}" height="{ROW}" fill="#e6ffec"/>')
        parts.append(f'<rect x="1" y="{y}" width="60" height="{ROW}" fill="#ccffd8"/>')
        parts.append(text(30, y + 14, str(number), CODE, "#59636e", "monospace"))
        parts.append(text(70, y + 14, "+ " + lines[number - 1], CODE, "#1f2328", "monospace"))
        y += ROW
        for at, severity, title, message in found:
            if at != number:
                continue
            colour, kind = COLOURS[severity]
            rows = textwrap.wrap(message, 128)
            height = 62 + 18 * len(rows)
            parts.append(f'<rect x="70" y="{y + 8}" width="{WIDTH - 90}" height="{height - 16}" '
                         f'rx="6" fill="#ffffff" stroke="#d1d9e0"/>')
            parts.append(f'<rect x="70" y="{y + 8}" width="4" height="{height - 16}" '
                         f'fill="{colour}"/>')
            parts.append(text(88, y + 29, f"{kind} on line {number} in {path}", WORDS, colour,
                              weight="bold"))
            parts.append(text(88, y + 48, title, WORDS, "#1f2328", weight="bold"))
            for row, words in enumerate(rows):
                parts.append(text(88, y + 66 + 18 * row, words, WORDS, "#1f2328"))
            y += height
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 12}" '
            f'viewBox="0 0 {WIDTH} {y + 12}">')
    frame = (f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{y + 11}" rx="6" fill="#ffffff" '
             f'stroke="#d1d9e0"/>')
    print("\n".join([head, frame, *parts, "</svg>"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
