#!/usr/bin/env python3
"""The installed tree, moved, and the Debian package of it: complete, of one version, and they run.

install_test.py tree|package CMAKE BUILD_FOLDER VERSION
Exit code 77: the tools that make packages are missing.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ICON_SIDES = (16, 48, 128)
# Opened at run time, so that no tool finds them.
OPENED = {"libgl1", "libgl1-mesa-dri"}
LINKED = {"libc6", "libcairo2", "libegl1", "libfreetype6", "libglfw3"}


def output_of(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


class Tree:
    """Everything that was installed below `prefix`, and an environment that knows nothing of it."""

    def __init__(self, prefix, home, version):
        self.prefix = prefix
        self.home = home
        self.version = version

    def path(self, *parts):
        return os.path.join(self.prefix, *parts)

    def run(self, *arguments):
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.home, "LIBGL_ALWAYS_SOFTWARE": "1"}
        return output_of(self.path("bin", "warplens"), *arguments, env=environment, cwd=self.home)

    def check_programs(self, build):
        assert self.run("--version") == f"warplens {self.version}\n"
        report = json.loads(self.run("doctor", "--json"))
        assert report["version"] == self.version, report
        checks = {check["name"]: check for check in report["checks"]}
        assert checks["OpenGL"]["ok"] and checks["recordings"]["ok"], report
        if os.path.exists(os.path.join(build, "bin", "warplens-measure")):
            worker = checks["worker"]
            assert worker["ok"], worker
            assert self.path("bin", "warplens-measure") in worker["detail"], worker
            assert worker["detail"].endswith(f"version {self.version}"), worker
        self.run("figure", "warp-grouping", "-o", "figure.svg")
        names = {element.tag.split("}")[1] for element in
                 ElementTree.parse(os.path.join(self.home, "figure.svg")).iter()}
        assert {"rect", "text"} <= names, names
        self.run("screenshot", "warp-grouping", "-o", "shot.png", "--size", "1280x720")
        assert png_size(os.path.join(self.home, "shot.png")) == (1280, 720)

    def check_files(self):
        for name in ("README.md", "CHANGELOG.md", "LICENSE"):
            assert os.path.getsize(self.path("share/doc/warplens", name)) > 500, name
        self.check_pages(self.path("share/doc/warplens"))
        for side in ICON_SIDES:
            icon = self.path(f"share/icons/hicolor/{side}x{side}/apps/warplens.png")
            assert png_size(icon) == (side, side), icon
        drawing = ElementTree.parse(self.path("share/icons/hicolor/scalable/apps/warplens.svg"))
        # The background and 10 x 10 threads: 32 of each of three warps, and four of the last.
        colors = [element.get("fill") for element in drawing.iter() if element.tag.endswith("rect")]
        assert sorted(colors.count(color) for color in set(colors)) == [1, 4, 32, 32, 32], colors

    def check_pages(self, folder):
        """What the pages link to for users lies beside them: other pages, pictures, programs."""
        pages = [os.path.join(folder, "README.md"), os.path.join(folder, "CHANGELOG.md")]
        pages += [os.path.join(folder, "docs", name) for name in os.listdir(os.path.join(folder, "docs"))
                  if name.endswith(".md")]
        followed = 0
        for page in pages:
            with open(page, encoding="utf-8") as file:
                links = re.findall(r"\]\(([^):#]+\.(?:md|png|cu|txt))[)#]", file.read())
            for link in set(links) - {"CONTRIBUTING.md"}:
                followed += 1
                assert os.path.exists(os.path.join(os.path.dirname(page), link)), (page, link)
        assert followed > 30, followed
        for example in ("brightness.cu", "example-course/lessons/rows.json"):
            assert os.path.exists(os.path.join(folder, "docs", example)), example

    def check_documentation(self):
        """What the program wrote of itself, and what its JSON documents hold."""
        for path, holds in (("share/man/man1/warplens.1", ".TH WARPLENS 1"),
                            ("share/bash-completion/completions/warplens", "complete -F _warplens"),
                            ("share/zsh/vendor-completions/_warplens", "#compdef warplens"),
                            ("share/fish/vendor_completions.d/warplens.fish", "matadd-swapped"),
                            ("share/warplens/schemas/error.schema.json", "warplens.error/1")):
            with open(self.path(path), encoding="utf-8") as file:
                text = file.read()
            assert holds in text, path

    def check_desktop(self):
        entry = self.path("share/applications/warplens.desktop")
        with open(entry, encoding="utf-8") as file:
            lines = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
        assert lines["Icon"] == lines["Exec"].split()[0] == lines["StartupWMClass"] == "warplens", lines
        assert os.access(self.path("bin", lines["Exec"].split()[0]), os.X_OK)
        if shutil.which("desktop-file-validate"):
            assert output_of("desktop-file-validate", entry) == ""
        metainfo = self.path("share/metainfo/warplens.metainfo.xml")
        releases = ElementTree.parse(metainfo).findall("releases/release")
        assert [release.get("version") for release in releases] == [self.version], releases
        with open(self.path("share/doc/warplens/CHANGELOG.md"), encoding="utf-8") as file:
            newest = re.search(r"^## (\S+) \((\S+)\)$", file.read(), re.MULTILINE)
        assert newest.groups() == (self.version, releases[0].get("date")), newest
        if shutil.which("appstreamcli"):
            # There is no domain to name it after.
            output_of("appstreamcli", "validate", "--no-net",
                      "--override=cid-desktopapp-is-not-rdns=info", metainfo)

    def check(self, build):
        self.check_files()
        self.check_documentation()
        self.check_desktop()
        self.check_programs(build)


def png_size(path):
    with open(path, "rb") as file:
        start = file.read(24)
    assert start.startswith(b"\x89PNG\r\n\x1a\n"), path
    return struct.unpack(">II", start[16:24])


def moved_tree(folder, cmake, build):
    first, second = os.path.join(folder, "first"), os.path.join(folder, "moved here")
    output_of(cmake, "--install", build, "--prefix", first)
    os.rename(first, second)
    return second


def packed_tree(folder, cmake, build, version):
    """The files of the package; checks what it says of itself."""
    cpack = os.path.join(os.path.dirname(cmake), "cpack")
    output_of(cpack, "-B", folder, "--config", os.path.join(build, "CPackConfig.cmake"), cwd=folder)
    packages = [name for name in os.listdir(folder) if name.endswith(".deb")]
    assert len(packages) == 1, packages
    package = os.path.join(folder, packages[0])
    fields = dict(line.split(": ", 1) for line in output_of("dpkg-deb", "-f", package).splitlines()
                  if re.match(r"[A-Z]\S*: ", line))
    assert fields["Package"] == "warplens" and fields["Version"] == version, fields
    depends = {re.split(r"[ :]", name, maxsplit=1)[0] for name in fields["Depends"].split(", ")}
    assert OPENED | LINKED <= {re.sub(r"t64$", "", name) for name in depends}, fields["Depends"]
    output_of("dpkg-deb", "-x", package, os.path.join(folder, "root"))
    return os.path.join(folder, "root", "usr")


def main(kind, cmake, build, version):
    missing = [tool for tool in ("dpkg-deb", "dpkg-shlibdeps", "file") if not shutil.which(tool)]
    if kind == "package" and missing:
        print("skipped: not installed:", ", ".join(missing))
        return 77
    with tempfile.TemporaryDirectory(prefix="warplens-install-") as folder:
        home = os.path.join(folder, "home")
        os.mkdir(home)
        prefix = (moved_tree(folder, cmake, build) if kind == "tree" else
                  packed_tree(folder, cmake, build, version))
        Tree(prefix, home, version).check(build)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
