#!/usr/bin/env python3
"""Attacks of user programs, sources and caches on the machine that opens them.

    attacks.py WARPLENS [root | user] [bwrap | none | unconfined]

Runs each as root and as an ordinary user (made for it, and removed), with bubblewrap, without it, and without it where
somebody has said --unconfined, or only as and how it is told; prints what was reached. Fails where something was reached
that docs/your-own-kernel.md does not name. Needs root, for the user and for what is planted, and NVIDIA's compiler;
skips loudly otherwise.
Nothing is changed where an attack succeeds: root's run in mount and host name namespaces of their own. Takes some
minutes; with WARPLENS_SLOW_ATTACKS=1 also what ends at limits of two minutes, ten minutes more each time.
"""
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
USER = f"warplens-attacks-{os.getpid()}"
SKIPPED = 77

# Of what is run without a sandbox: files, and other programs of the user's. Sockets, processes of its own and what the
# kernel offers beside that are held there, too.
UNHELD = {
    "private-file-in-home", "list-home", "file-of-others-in-tmp", "list-tmp", "etc-passwd", "etc-shadow",
    "list-the-cache", "neighbour-of-the-source", "write-beside-the-source", "write-in-usr", "write-in-root",
    "write-in-dev", "change-the-cached-program", "host-proc", "environment-of-others", "core-pattern", "sysrq", "sys",
    "kernel-log", "terminal", "signal-another", "signal-all", "capabilities", "write-in-usr-remounted", "write-in-root-remounted", "device-node",
    "dev-shm-without-end", "tmp-without-end", "raise-own-limits", "priority", "incbin-of-a-private-file", "incbin-from-a-file-in-home",
    "compiler-after-kill-9", "include-of-a-private-file", "include-through-a-link",
    "device-as-header", "fifo-as-header", "fifo-by-a-macro",
}


class Place:
    """What there is to reach, for one user: files, sockets, processes, a cache of their own."""

    def __init__(self, program, user):
        self.program = program
        self.user = user
        self.home = tempfile.mkdtemp(prefix="home-", dir="/var/lib")
        self.others = tempfile.mkdtemp(prefix="warplens-others-", dir="/tmp")
        self.name = os.path.basename(self.others)
        self.folder = os.path.join(self.home, "project")
        os.mkdir(self.folder)
        for path in (os.path.join(self.home, ".private"), os.path.join(self.others, "secret"),
                     os.path.join(self.folder, "neighbour")):
            with open(path, "w", encoding="utf-8") as file:
                file.write("PRIVATEWORDS\n")
        self.sockets = []
        for path in (os.path.join(self.others, "socket"), f"/run/{self.name}.socket",
                     os.path.join(self.folder, "socket"), "\0" + self.name):
            listening = socket.socket(socket.AF_UNIX)
            listening.bind(path)
            listening.listen()
            self.sockets.append(listening)
            if path[0] != "\0":
                os.chmod(path, 0o777)
        self.tcp = socket.socket()
        self.tcp.bind(("127.0.0.1", 0))
        self.tcp.listen()
        for folder, _, files in list(os.walk(self.home)) + list(os.walk(self.others)):
            os.chown(folder, user.pw_uid, user.pw_gid)
            for file in files:
                os.chown(os.path.join(folder, file), user.pw_uid, user.pw_gid)
        self.bystander = subprocess.Popen(
            ["python3", "-c", "import ctypes, time\nb = ctypes.create_string_buffer(b'x')\n"
             "print(ctypes.addressof(b), flush=True)\ntime.sleep(3600)"],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "ATTACK_SECRET": "1"}, **self.identity())
        self.address = self.bystander.stdout.readline().strip()

    def identity(self):
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def environment(self, bubblewrap=True, **more):
        path = "/usr/local/bin:/usr/bin:/bin"
        if not bubblewrap:
            tools = os.path.join(self.others, "tools")
            if not os.path.isdir(tools):
                os.mkdir(tools)
                for tool in os.listdir("/usr/bin"):
                    if tool != "bwrap":
                        os.symlink("/usr/bin/" + tool, os.path.join(tools, tool))
            path = tools
        return {"PATH": path, "HOME": self.home, "ATTACK_SECRET": "1", **more}

    def run(self, arguments, seconds=60, bubblewrap=True, start=False, **environment):
        keep = os.open("/etc/hostname", os.O_RDONLY)
        inherited = 1500
        os.dup2(keep, inherited)
        os.close(keep)
        # What root mounts without a sandbox is not to stay.
        own = ["unshare", "--mount", "--uts", "--propagation", "private"] if self.user.pw_uid == 0 else []
        process = subprocess.Popen([*own, self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=self.environment(bubblewrap, **environment), cwd=self.folder,
                                   pass_fds=[inherited], start_new_session=True, **self.identity())
        os.close(inherited)
        if start:
            return process
        try:
            output = process.communicate(timeout=seconds)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, "took too long"
        return process.returncode, output

    def write(self, name, text, folder=None):
        path = os.path.join(folder or self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chown(path, self.user.pw_uid, self.user.pw_gid)
        return path

    def remove(self):
        # Without a sandbox a compiler may stay that waits for a FIFO.
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if self.home.encode() in file.read():
                        os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
        self.bystander.kill()
        self.bystander.wait()
        for listening in self.sockets + [self.tcp]:
            listening.close()
        os.unlink(f"/run/{self.name}.socket")
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.rmtree(self.others, ignore_errors=True)


MAIN = "__global__ void k() {}\nint main() { k<<<1, 32>>>(); PRINT return 0; }\n"


def attempts(place, options, bubblewrap):
    """What attacks.cu tries while it runs: from a file in a project, and from one in the home folder."""
    with open(os.path.join(HERE, "attacks.cu"), encoding="utf-8") as file:
        text = file.read()
    root = os.stat("/").st_dev
    found = {}
    for where, folder in (("", place.folder), ("in-home:", place.home)):
        defines = {"HOME": place.home, "OTHERS": place.others, "OTHERS_NAME": place.name, "FOLDER": place.folder,
                   "BYSTANDER": str(place.bystander.pid), "BYSTANDER_ADDRESS": place.address}
        head = "".join(f'#define {name} "{value}"\n' for name, value in defines.items())
        head += f"#define PORT {place.tcp.getsockname()[1]}\n"
        head += f"#define ROOT_MAJOR {os.major(root)}\n#define ROOT_MINOR {os.minor(root)}\n"
        if not where:
            head += "#define THREADS\n"
        path = place.write("attacks.cu", head + text, folder)
        code, output = place.run(["predict", path, "--json", *options], 240, bubblewrap)
        made = dict(re.findall(r"ATTEMPT ([a-z0-9-]+) (reached|held)", output))
        if not made and code != 3:
            raise SystemExit(f"{path}: nothing was tried: {output[-2000:]}")
        if "ATTEMPTS DONE" in output and not where:
            made.setdefault("more-than-4096-threads", "held")  # it was ended
        if where:
            made = {where + name: what for name, what in made.items()
                    if name in ("neighbour-of-the-source", "list-home", "private-file-in-home",
                                "socket-beside-the-source")}
        found.update(made)
        if code == 3:
            found["run-at-all"] = "refused"
    if bubblewrap:  # a project's folder is the program's own to read
        found.pop("neighbour-of-the-source", None)
    return found


def compiled(place, options, bubblewrap):
    """What sources make the compiler do."""
    found = {}

    def attempt(name, text, reached, seconds=20, folder=None):
        path = place.write("source.cu", text, folder)
        begin = time.monotonic()
        code, output = place.run(["predict", path, *options], seconds, bubblewrap)
        found[name] = "refused" if "nothing was run" in output else \
            "reached" if reached(code, output, time.monotonic() - begin) else "held"

    def tells(_code, output, _seconds):
        return "PRIVATEWORDS" in output

    def waits(code, _output, _seconds):
        return code is None

    private = os.path.join(place.home, ".private")
    show = 'extern "C" char words[];\n'
    # The name of the keyword is pasted, and once is enough: the same text is assembled twice.
    incbin = ('#define JOIN(a, b) a##b\nJOIN(as, m)(".data\\n.ifndef words\\n.globl words\\nwords:\\n'
              f'.incbin \\"{private}\\"\\n.byte 0\\n.endif\\n.text\\n");\n')
    print_words = "#include <cstdio>\n" + show + MAIN.replace("PRINT", "puts(words);")
    attempt("incbin-of-a-private-file", incbin + print_words, tells)
    attempt("incbin-from-a-file-in-home", incbin + print_words, tells, folder=place.home)
    attempt("include-of-a-private-file", f'#include "{private}"\n' + MAIN.replace("PRINT", ""), tells)
    attempt("include-in-a-dead-branch", f'#if 0\n#include "{private}"\n#endif\n' + incbin.replace(private, "f1.h") + print_words, tells)
    link = os.path.join(place.folder, "link.h")
    os.path.lexists(link) or os.symlink(private, link)
    attempt("include-through-a-link", '#include "link.h"\n' + MAIN.replace("PRINT", ""), tells)
    fifo = os.path.join(place.folder, "fifo.h")
    os.path.exists(fifo) or os.mkfifo(fifo)
    os.chown(fifo, place.user.pw_uid, place.user.pw_gid)
    attempt("fifo-as-header", '#include "fifo.h"\n' + MAIN.replace("PRINT", ""), waits)
    attempt("fifo-by-a-macro", '#define H "fifo.h"\n#include H\n' + MAIN.replace("PRINT", ""), waits)
    # The compiler would read it until it has 8 GiB.
    attempt("device-as-header", '#include "/dev/zero"\n' + MAIN.replace("PRINT", ""), waits)
    attempt("tty-as-header", '#include "/dev/tty"\n' + MAIN.replace("PRINT", ""), waits)
    os.unlink(fifo)
    os.unlink(link)
    # Text that doubles forty times, an #include of itself twice, and what runs before main: their limits are two minutes
    # and 8 GiB, so that they are tried only where that is asked for.
    if os.environ.get("WARPLENS_SLOW_ATTACKS"):
        doubling = "#define A0 1,1,1,1,1,1,1,1,\n" + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, 41))
        attempt("macro-without-end", doubling + "int endless[] = {A40};\n" + MAIN.replace("PRINT", ""), waits, 200)
        attempt("include-without-end", "#include __FILE__\n#include __FILE__\n" + MAIN.replace("PRINT", ""), waits, 200)
        endless = "static void endless() { for (;;) ; }\n" + MAIN.replace("PRINT", "")
        attempt("preinit-without-end",
                endless + '__attribute__((section(".preinit_array"), used)) static void (*const first)() = endless;\n', waits, 200)
        attempt("constructor-without-end", endless + "__attribute__((constructor)) static void begin() { endless(); }\n", waits, 200)

    def numbers(text):
        return re.findall(r"<<<1, (\d+)", place.run(
            ["predict", place.write("stale.cu", text), "-I", "inc", *options], 60, bubblewrap)[1])

    os.makedirs(os.path.join(place.folder, "inc"), exist_ok=True)
    for name, include in (("stale-header-in-angles", "#include <n.h>"),
                          ("stale-header-by-a-macro", "#define H <n.h>\n#include H")):
        text = include + "\n__global__ void k() {}\nint main() { k<<<1, N>>>(); }\n"
        place.write("inc/n.h", "#define N 32\n")
        first = numbers(text)
        place.write("inc/n.h", "#define N 64\n")
        found[name] = "refused" if not first else "reached" if "64" not in numbers(text) else "held"
    return found


def left(place, options, bubblewrap):
    """What stays when Warplens is killed, and caches that were tampered with."""
    found = {}

    def runs(mark):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    command = file.read()
                with open(f"/proc/{pid}/exe", "rb"):
                    pass
            except OSError:
                continue
            if mark in command and int(pid) != os.getpid():
                return int(pid)
        return None

    def killed(name, arguments, mark, **environment):
        for seconds in (0.3, 0, 0.03):  # sandboxes are made at that time, too
            killed_after(seconds, name, arguments, mark, **environment)
            if found[name] != "held":
                return

    def killed_after(seconds, name, arguments, mark, **environment):
        process = place.run(arguments, start=True, bubblewrap=bubblewrap, **environment)
        until = time.monotonic() + 40
        while runs(mark) is None and time.monotonic() < until and process.poll() is None:
            time.sleep(0.05)
        if runs(mark) is None and process.poll() == 3:
            found[name] = "refused"
            return
        time.sleep(seconds)
        process.kill()
        process.wait()
        time.sleep(1)
        stays = runs(mark)
        found[name] = "held" if stays is None else "reached"
        while (stays := runs(mark)) is not None:
            os.kill(stays, signal.SIGKILL)
            time.sleep(0.1)

    wait = place.write("wait.cu", "#include <unistd.h>\n" + MAIN.replace("PRINT", "for (;;) pause();"))
    killed("program-after-kill-9", ["predict", wait, *options], place.home.encode() + b"/.cache/warplens/programs/")
    forever = f"4{place.bystander.pid}"
    compiler = place.write("cxx", f"#!/bin/sh\nexec sleep {forever}\n")
    os.chmod(compiler, 0o755)
    other = place.write("other.cu", MAIN.replace("PRINT", ""))
    killed("compiler-after-kill-9", ["predict", other, *options], forever.encode(), WARPLENS_CXX=compiler)

    plain = place.write("plain.cu", MAIN.replace("PRINT", ""))
    code, _ = place.run(["predict", plain, *options], 60, bubblewrap)
    programs = os.path.join(place.home, ".cache", "warplens", "programs")
    if code == 3 or not os.path.isdir(programs):
        found["empty-cached-program"] = found["foreign-cached-program"] = "refused"
    else:
        for name in os.listdir(programs):
            if not name.endswith(".from"):
                os.truncate(os.path.join(programs, name), 0)
        _, output = place.run(["predict", plain, *options], 60, bubblewrap)
        found["empty-cached-program"] = "held" if "<<<1, 32" in output else "reached"
        # One that another user has put there.
        for name in os.listdir(programs):
            if not name.endswith(".from"):
                with open(os.path.join(programs, name), "wb") as file:
                    file.write(b"#!/bin/sh\necho PRIVATEWORDS\n")
                os.chmod(os.path.join(programs, name), 0o755)
                os.chown(os.path.join(programs, name), 12345, 12345)
        _, output = place.run(["predict", plain, *options], 60, bubblewrap)
        found["foreign-cached-program"] = "reached" if "PRIVATEWORDS" in output else "held"

    foreign = os.path.join(place.others, f"warplens-{place.user.pw_uid}")
    os.mkdir(foreign, 0o777)
    os.chmod(foreign, 0o777)
    os.chown(foreign, 12345, 12345)
    code, _ = place.run(["predict", plain, *options], 60, bubblewrap, HOME="", TMPDIR=place.others)
    found["foreign-cache-without-home"] = "refused" if code == 3 else "reached" if code == 0 else "held"
    shutil.rmtree(foreign)
    return found


def main():
    program = os.path.abspath(sys.argv[1])
    if os.getuid() != 0:
        print("SKIPPED: attacks as root and as a user need root")
        return SKIPPED
    takes_unconfined = "--unconfined" in subprocess.run([program, "predict", "--help"], capture_output=True, text=True,
                                                        check=True).stdout
    subprocess.run(["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", USER], check=False)
    columns = {}
    try:
        ways = [("bwrap", [], True), ("none", [], False)]
        if takes_unconfined:
            ways.append(("unconfined", ["--unconfined"], False))
        for who, user in (("root", pwd.getpwnam("root")), ("user", pwd.getpwnam(USER))):
            for name, options, bubblewrap in ways:
                if not {who, name}.issuperset(sys.argv[2:]):
                    continue
                place = Place(program, user)
                found = {}
                try:
                    for attack in (attempts, compiled, left):
                        found.update(attack(place, options, bubblewrap))
                finally:
                    place.remove()
                columns[f"{who}, {name}"] = found
                print(f"{who}, {name}: {sum(1 for what in found.values() if what == 'reached')} of {len(found)} reached",
                      file=sys.stderr, flush=True)
    finally:
        subprocess.run(["userdel", USER], check=False)
    attacks = sorted({name for found in columns.values() for name in found})
    print("| attack | " + " | ".join(columns) + " |\n|---" + "|---" * len(columns) + "|")
    for attack in attacks:
        print(f"| {attack} | " + " | ".join(found.get(attack, "not run") for found in columns.values()) + " |")
    unnamed = [f"{column}: {name}" for column, found in columns.items() for name, what in found.items()
               if what == "reached" and not ("unconfined" in column and name.split(":")[-1] in UNHELD)]
    print(f"\n{len(attacks)} attacks, {len(unnamed)} reach what the documentation does not name")
    for each in unnamed:
        print("  " + each)
    return 1 if unnamed else 0


if __name__ == "__main__":
    sys.exit(main())
