#!/usr/bin/env python3
"""Records on a machine whose device time is scarce: that machine runs nothing but one warm worker.

  tape.py requests WORKER FILE     a worker that measures nothing and notes what it is asked in FILE
  tape.py points FOLDER FILE       adds the points of FOLDER's sweeps to FILE, each as FILE asks for
                                   its scenario: asking the program would predict them all first
  tape.py take WORKER FILE TAPE    asks WORKER all of FILE, on the machine with the GPU, and keeps
                                   what it answers in TAPE
  tape.py play TAPE                a worker that answers from TAPE what was answered there

take_recordings.sh does the first three and unpack_recordings.sh the last. What WORKER says of itself
when it starts is said again by the others, so that both ends must be of one version.
"""
import glob
import json
import os
import select
import subprocess
import sys
import time

DEADLINE = 120  # seconds without a word


def start(worker):
    return subprocess.Popen([worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def greeting(worker):
    """A worker's first line; it needs no GPU to say it."""
    process = start(worker)
    line = process.stdout.readline().decode()
    process.stdin.close()
    process.stdout.read()
    process.wait()
    return line


def key_of(request):
    """What is asked, whoever asks."""
    return json.dumps({name: value for name, value in request.items() if name != "id"},
                      sort_keys=True)


def answer_all(hello, answer):
    """Answers the requests of standard input until it ends."""
    print(hello.rstrip("\n"), flush=True)
    schema = json.loads(hello)["schema"]
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("request") != "measure":
            continue
        event = {"schema": schema, "id": request["id"]}
        event.update(answer(request))
        print(json.dumps(event), flush=True)


def note_requests(worker, path):
    def note(request):
        with open(path, "a") as file:
            file.write(key_of(request) + "\n")
        return {"event": "error", "kind": "invalid", "message": "noted"}
    answer_all(greeting(worker), note)


def add_points(folder, path):
    like = {}
    for line in open(path):
        request = json.loads(line)
        like[request["experiment"]["scenario"]] = request
    with open(path, "a") as file:
        for name in sorted(glob.glob(os.path.join(folder, "*.json"))):
            sweep = json.load(open(name))["sweep"]
            for point in sweep["points"]:
                experiment = {"scenario": sweep["scenario"]}
                for member in ("launch", "arguments", "array_offset"):
                    if member in point:
                        experiment[member] = point[member]
                asked = {**like[sweep["scenario"]], "experiment": experiment, "schedule": False}
                file.write(key_of(asked) + "\n")


def measurement_of(request):
    """What of a request tells one measurement from another."""
    members = ("experiment", "counters", "schedule", "cache", "runs")
    return json.dumps({name: request.get(name) for name in members}, sort_keys=True)


class Lines:
    """What a worker says, line by line, or nothing when it has been silent for too long."""

    def __init__(self, process):
        self.process, self.rest = process, b""

    def next(self):
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.process.stdout], [], [], DEADLINE)
            more = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not more:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()


def take(worker, requests, tape):
    """One worker for all; a fresh one after each that ended."""
    keys = list(dict.fromkeys(open(requests).read().splitlines()))
    process, lines = None, None
    begin = time.monotonic()
    failed = 0
    with open(tape, "w") as out:
        for number, key in enumerate(keys, 1):
            if process is None:
                process = start(worker)
                lines = Lines(process)
                hello = lines.next()
                if number == 1:
                    out.write(json.dumps({"hello": hello}) + "\n")
            process.stdin.write((json.dumps({"id": number, **json.loads(key)}) + "\n").encode())
            while True:
                line = lines.next()
                event = json.loads(line) if line else {"event": "error", "message": "worker lost"}
                if event["event"] in ("result", "error"):
                    break
            if event["event"] == "result":
                kept = {"key": measurement_of(json.loads(key)), "result": event["result"]}
                out.write(json.dumps(kept) + "\n")
            else:
                failed += 1
                print(f"{number} of {len(keys)}: {event['message']}", file=sys.stderr)
            if not line or process.poll() is not None or event.get("kind") in ("failed", "impossible"):
                process.kill()
                process.wait()
                process = None
    if process is not None:
        process.stdin.close()
        process.wait()
    print(f"{len(keys) - failed} of {len(keys)} measured in {time.monotonic() - begin:.1f} s")
    return 1 if failed else 0


def play(tape):
    lines = open(tape)
    hello = json.loads(next(lines))["hello"]
    results = {}
    for line in lines:
        kept = json.loads(line)
        results[kept["key"]] = kept["result"]

    def answer(request):
        result = results.get(measurement_of(request))
        if result is None:
            return {"event": "error", "kind": "invalid", "message": "not on the tape"}
        return {"event": "result", "result": result}
    answer_all(hello, answer)


def main():
    verb, *rest = sys.argv[1:]
    if verb == "requests":
        note_requests(*rest)
    elif verb == "points":
        add_points(*rest)
    elif verb == "take":
        return take(*rest)
    elif verb == "play":
        play(*rest)
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
