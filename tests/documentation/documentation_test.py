#!/usr/bin/env python3
"""Help, man page and completions tell of every option, and the completions complete.

documentation_test.py WARPLENS SOURCE_FOLDER ZSH_CAPTURE
Shells that are not installed are left out, and named.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# An option as the sources declare it: `addText(parser, "-o,--output", ...`.
DECLARED = re.compile(
    r'(?:addText|addNumber|add_flag|add_option\w*(?:<[\w:]+>)?)\(\s*(?:\*?parser,\s*)?"([^"]+)"')


def output_of(*command, **options):
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=60, **options)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    assert done.stderr == "", f"{command}: {done.stderr}"
    return done.stdout


def declared_options(source):
    """Every name that starts with -- in the declarations of the commands."""
    names = set()
    for path in glob.glob(os.path.join(source, "app", "cli", "*.cpp")):
        with open(path, encoding="utf-8") as file:
            for spelled in DECLARED.findall(file.read()):
                names |= {name for name in spelled.split(",") if name.startswith("--")}
    assert {"--grid", "--output", "--json", "--deadline", "--answer"} <= names, names
    return names


class Program:
    def __init__(self, path):
        self.path = path
        self.help = {"": output_of(path, "--help")}
        block = self.help[""].split("Commands, each with its own --help:\n")[1].split("\n\n")[0]
        for line in block.splitlines():
            if line.startswith("  ") and line[2] != " ":
                name = line.split()[0]
                self.help[name] = output_of(path, name, "--help")

    def commands(self):
        return [name for name in self.help if name]

    def options(self, command):
        """The long options that a command's help lists."""
        return re.findall(r"^  (?:-\w, )?(--[a-z-]+)", self.help[command], re.MULTILINE)

    def written(self, kind):
        return output_of(self.path, "documentation", kind)


def check_help(program, declared):
    assert len(program.commands()) >= 11, program.commands()
    told = {option for command in program.help for option in program.options(command)}
    assert declared <= told, f"not in any help: {declared - told}"
    for command, text in program.help.items():
        for line in text.splitlines():
            assert len(line.encode()) <= 96, f"{command}: {line}"
        # A number has its limits beside it.
        for number in re.findall(r" NUMBER\n? +(.*?)(?=\n  [-\[A-Z]|\n\n|\Z)", text, re.DOTALL):
            assert re.search(r"\b(from|above|at least)\s+\d", number), f"{command}: {number}"


def check_man(program):
    page = program.written("man")
    plain = page.replace("\\-", "-")
    for command in program.commands():
        start = plain.index(f".SS \\fBwarplens {command}")
        section = re.split(r"\.S[SH] ", plain[start + 4:])[0]
        for option in program.options(command):
            assert f"\\fB{option}\\fR" in section, f"{option} is not in the man page of {command}"
    if not shutil.which("groff"):
        print("no groff here: the man page was not formatted")
        return
    formatted = output_of("groff", "-man", "-Tutf8", "-ww", "-P-c", input=page)
    formatted = re.sub(".\b", "", formatted)  # struck twice: bold
    assert "EXIT STATUS" in formatted and "--block X,Y,Z" in formatted, formatted[:2000]


def complete_in_bash(script, words):
    """What bash offers for the last of the words."""
    spelled = " ".join(f"'{word}'" for word in words)
    return output_of("bash", "-c", f"""
        compopt() {{ :; }}  # only known while completing
        source '{script}'
        COMP_WORDS=({spelled}); COMP_CWORD={len(words) - 1}
        _warplens; printf '%s\\n' "${{COMPREPLY[@]}}" """).split()


def complete_in_fish(script, words):
    line = " ".join(words)
    text = output_of("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'",
                     env=dict(os.environ, HOME="/nonexistent", XDG_DATA_HOME="/nonexistent"))
    return [line.split("\t")[0] for line in text.splitlines()]


def complete_in_zsh(capture):
    def complete(script, words):
        return output_of("zsh", "-f", capture, script, " ".join(words)).split()
    return complete


def check_completions(program, shell, script, complete, scenarios, lessons):
    subprocess.run([shell, "-n", script], check=True)

    def expect(words, wanted, unwanted=()):
        offered = complete(script, ["warplens", *words])
        missing = set(wanted) - set(offered)
        assert not missing, f"{shell}: {words}: without {sorted(missing)}: {offered}"
        wrong = set(unwanted) & set(offered)
        assert not wrong, f"{shell}: {words}: {wrong}"

    expect(["ma"], ["map"], ["measure"])
    expect(["map", "matadd"], [name for name in scenarios if name.startswith("matadd")], lessons[:1])
    expect(["screenshot", "occu"], ["occupancy"])
    expect(["lesson", "block"], ["block-placement"])
    expect(["lesson", ""], lessons)
    expect(["map", ""], scenarios)
    expect(["screenshot", "warp-grouping", "--view", ""], ["2d", "3d", "sm", "time"], ["dark"])
    expect(["occupancy", "--cc", "9"], ["9.0"], ["8.0"])
    expect(["predict", "matmul-tiled", "--set", "t"], ["tile="])
    expect(["sweep", "access-stride", "--metric", "dram"], ["dram_bandwidth"])
    for command in program.commands():
        expect([command, "--"], program.options(command))


def main(path, source, capture):
    program = Program(path)
    check_help(program, declared_options(source))
    check_man(program)
    scenarios = [row["id"] for row in json.loads(output_of(path, "list", "--json"))["scenarios"]]
    lessons = [row["id"] for row in json.loads(output_of(path, "lesson", "--json"))["lessons"]]
    tried = []
    with tempfile.TemporaryDirectory(prefix="warplens-documentation-") as folder:
        for shell, complete in (("bash", complete_in_bash), ("zsh", complete_in_zsh(capture)),
                                ("fish", complete_in_fish)):
            if not shutil.which(shell):
                print(f"no {shell} here: its completions were not tried")
                continue
            script = os.path.join(folder, "_warplens" if shell == "zsh" else f"warplens.{shell}")
            with open(script, "w", encoding="utf-8") as file:
                file.write(program.written(shell))
            check_completions(program, shell, script, complete, scenarios, lessons)
            tried.append(shell)
    print(f"{len(program.commands())} commands; completions of", *tried)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
