#!/usr/bin/env python3
"""What starts the portable folder and the wheel, and what the scripts say where nothing can be installed.

portable_test.py SOURCE_FOLDER
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.abspath(sys.argv.pop(1))
PRINTS = '#!/bin/sh\necho "$@"\necho "path=$LD_LIBRARY_PATH"\n'


def write(path, text, mode=0o755):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="warplens portable ")
        self.addCleanup(self.temporary.cleanup)
        self.root = os.path.realpath(self.temporary.name)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def run_in(self, *command, **environment):
        return subprocess.run(command, cwd="/", env={"PATH": "/usr/bin:/bin", **environment}, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)


class StartTest(Folder):
    def make(self, folder, version):
        """A portable folder whose program and loader print what they were given."""
        write(self.path(folder, "bin/warplens.bin"), PRINTS)
        shutil.copy(os.path.join(SOURCE, "scripts/portable/start.sh"), self.path(folder, "bin/warplens"))
        os.chmod(self.path(folder, "bin/warplens"), 0o755)
        write(self.path(folder, "lib/glibc/version"), version + "\n")
        write(self.path(folder, "lib/glibc/ld-linux-x86-64.so.2"), PRINTS)
        for name in ("libc.so.6", "libwarplens-is-nowhere.so.1"):
            os.makedirs(self.path(folder, "lib/if-missing", name))
        return self.path(folder, "bin/warplens")

    def test_the_systems_c_library_is_kept_where_it_is_new_enough(self):
        program = self.make("a folder", "2.17")
        missing = self.path("a folder/lib/if-missing/libwarplens-is-nowhere.so.1")
        shown = self.run_in(program, "predict", "two words").stdout
        self.assertEqual(shown, f"predict two words\npath={missing}\n")
        shown = self.run_in(program, LD_LIBRARY_PATH="/mine").stdout
        self.assertEqual(shown, f"\npath=/mine:{missing}\n")

    def test_an_older_one_is_replaced_for_this_program_alone(self):
        program = self.make("a folder", "2.999")
        lib = self.path("a folder/lib")
        shown = self.run_in(program, "list").stdout
        libraries = f"{lib}/glibc:{lib}:{lib}/if-missing/libwarplens-is-nowhere.so.1"
        self.assertEqual(shown, f"--library-path {libraries} {program}.bin list\npath=\n")

    def test_links_lead_to_the_folder(self):
        self.make("a folder", "2.17")
        os.makedirs(self.path("links"))
        os.symlink("../a folder/bin/warplens", self.path("links/warplens"))
        os.symlink(self.path("links/warplens"), self.path("links/again"))
        for link in ("warplens", "again"):
            self.assertTrue(self.run_in(self.path("links", link), "list").stdout.startswith("list\n"))


class WheelTest(Folder):
    def make(self):
        package = self.path("site-packages/warplens")
        os.makedirs(package)
        for name, here in (("warplens_init.py", "__init__.py"), ("warplens_api.py", "api.py"),
                           ("warplens_main.py", "__main__.py")):
            shutil.copy(os.path.join(SOURCE, "scripts/portable", name), os.path.join(package, here))
        write(os.path.join(package, "portable/bin/warplens"), '#!/bin/sh\necho "$CUDA_PATH $@"\n')

    def start(self, **environment):
        return self.run_in(sys.executable, "-B", "-m", "warplens", "list", "a b",
                           PYTHONPATH=self.path("site-packages"), **environment).stdout

    def test_it_becomes_the_program(self):
        self.make()
        self.assertEqual(self.start(), " list a b\n")

    def test_cuda_of_the_same_environment_is_found_first_unless_one_is_named(self):
        self.make()
        cuda = self.path("site-packages/nvidia/cu13")
        os.makedirs(cuda)
        self.assertEqual(self.start(), f"{cuda} list a b\n")
        self.assertEqual(self.start(CUDA_PATH="/opt/cuda"), "/opt/cuda list a b\n")

    def test_what_cannot_be_started_is_named(self):
        self.make()
        os.remove(self.path("site-packages/warplens/portable/bin/warplens"))
        shown = self.start()
        self.assertIn("bin/warplens: No such file or directory; it runs on Linux", shown)


class PackagesTest(Folder):
    def require(self, tools, before=""):
        """require_packages of one package where only `tools` are there, and those of the shell."""
        for tool in tools:
            write(self.path("tools", tool), "#!/bin/sh\n")
        os.makedirs(self.path("tools"), exist_ok=True)
        script = os.path.join(SOURCE, "scripts/packages.sh")
        return self.run_in(shutil.which("bash"), "-c", f"PATH='{self.path('tools')}'; {before} source '{script}'; "
                           "instead='unpack it' require_packages no-such-package:why")

    def test_without_dpkg_what_is_here_will_do(self):
        done = self.require(["g++", "cmake", "ninja", "pkg-config"])
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)

    def test_without_dpkg_and_compiler_there_is_one_thing_to_do(self):
        done = self.require(["cmake", "ninja"])
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("there is no g++ pkg-config here, and no dpkg to install it with", done.stdout)
        self.assertTrue(done.stdout.endswith("unpack it\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()
