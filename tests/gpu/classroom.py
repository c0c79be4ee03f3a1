#!/usr/bin/env python3
"""Many clients on one GPU, each a worker of an account of its own: whether everybody gets every
number, how long that takes, what the others do to one's times, and what becomes of those who are
killed or stand still in their turn. Prints a report; ends with 1 where somebody was let down.

  tests/gpu/classroom.py WORKER REQUESTS [--clients N] [--idle SECONDS] [--beside COMMAND]

WORKER is warplens-measure, REQUESTS a file whose first line asks for a measurement (tape.py writes
one). Run by root, each client has another user id. COMMAND, as `ncu ./program`, is run while all
clients are idle with their workers open, and has to end with 0. With --idle the clients then wait
as long, and the device's memory is looked at before and after.
"""
import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time

FIRST_USER = 20001
KEPT = 3  # seconds, and a little more, for which the last one keeps the counters
SILENCE = 240  # seconds without a word


class Client:
    """A worker, and what it says."""

    def __init__(self, number, worker, request):
        self.number, self.request = number, request
        user = FIRST_USER + number if os.geteuid() == 0 else None
        self.process = subprocess.Popen([worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, user=user, group=user,
                                        extra_groups=[] if user else None, start_new_session=True)
        self.process.stdout.readline()
        self.asked = 0

    def ask(self, on_stage=None):
        """The answer: an event, with `seconds` from asking, and when it came."""
        begin = time.monotonic()
        self.asked += 1
        line = json.dumps({**self.request, "id": self.asked}) + "\n"
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            return {"event": "error", "message": "gone", "seconds": 0, "at": begin}
        while True:
            line = self.process.stdout.readline()
            event = json.loads(line) if line else {"event": "error", "message": "gone"}
            if event["event"] == "progress" and on_stage:
                on_stage(self, event["stage"])
            if event["event"] in ("result", "error"):
                end = time.monotonic()
                return {**event, "seconds": end - begin, "at": end}

    def tree(self):
        """Its process and those that watch over it: all of its session."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    fields = stat.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == self.process.pid:
                found.append(int(entry))
        return found

    def end(self):
        for pid in self.tree():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()


def counted(answer):
    """How many counted values it holds, and how many are told to be missing."""
    values = [v for v in answer["result"]["values"] if v["source"] == "counted"]
    return (sum("unavailable" not in v for v in values),
            [v["unavailable"] for v in values if "unavailable" in v])


def kernel_time(answer):
    return answer["result"]["timing"]["median_s"]


def at_once(clients, on_stage=None):
    """All ask together; their answers, in the clients' order, and how long all of it took."""
    answers = [None] * len(clients)

    def one(place):
        answers[place] = clients[place].ask(on_stage)

    threads = [threading.Thread(target=one, args=(place,)) for place in range(len(clients))]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SILENCE)
    return answers, time.monotonic() - begin


def told(title, answers, seconds, alone, whole, excused=()):
    """A line of the report; how many were let down. `excused` need not have an answer."""
    measured = [a for a in answers if a and a["event"] == "result"]
    complete = [a for a in measured if counted(a)[0] >= whole]
    print(f"{title}: {len(measured)} of {len(answers)} measured, {len(complete)} with all {whole} "
          f"counted values, in {seconds:.2f} s", end="")
    if alone and measured:
        times = [kernel_time(a) for a in measured]
        worst = max(abs(t / alone["kernel"] - 1) for t in times)
        print(f" = {seconds / len(answers) / alone['warm']:.2f} x {len(answers)} x alone; kernel "
              f"times at most {100 * worst:.2f} % off", end="")
    print()
    for place, answer in enumerate(answers):
        if not answer or answer["event"] != "result":
            print(f"    client {place}: {answer['message'] if answer else 'no answer'}")
        elif counted(answer)[0] < whole:
            print(f"    client {place}: {counted(answer)[1][0]}")
    return sum(1 for place, a in enumerate(answers)
               if place not in excused and (not a or a["event"] != "result"
                                            or counted(a)[0] < whole))


def in_its_turn(action):
    """For `on_stage`: does `action` to the first client that counts, and so has the turn and the
    counters, once."""
    lock, struck = threading.Lock(), []

    def on_stage(client, stage):
        if stage != "counting":
            return
        with lock:
            if struck:
                return
            struck.append(client.number)
        print(f"    client {client.number} at '{stage}'")
        action(client)

    return on_stage, struck


def memory_in_use():
    """MiB of the device's memory, as nvidia-smi says."""
    done = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
                          capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[0].strip() if done.returncode == 0 else "unknown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    parser.add_argument("requests")
    parser.add_argument("--clients", type=int, default=30)
    parser.add_argument("--idle", type=float, default=0)
    parser.add_argument("--beside")
    options = parser.parse_args()
    with open(options.requests) as file:
        request = json.loads(file.readline())

    def fresh(count):
        return [Client(number, options.worker, request) for number in range(count)]

    def stop_alone(client):
        os.kill(client.process.pid, signal.SIGSTOP)

    def stop_all(client):
        for pid in client.tree():
            os.kill(pid, signal.SIGSTOP)

    first = fresh(1)[0]
    cold = first.ask()
    warm = [first.ask() for _ in range(5)]
    if any(a["event"] != "result" for a in [cold, *warm]):
        sys.exit(f"alone: {[a.get('message') for a in [cold, *warm]]}")
    alone = {"warm": statistics.median(a["seconds"] for a in warm),
             "kernel": statistics.median(kernel_time(a) for a in warm)}
    whole = max(counted(a)[0] for a in warm)
    first.end()
    print(f"alone: first {cold['seconds']:.2f} s, then {alone['warm']:.3f} s each; kernel "
          f"{1e6 * alone['kernel']:.3f} us; {whole} counted values")

    clients = fresh(options.clients)
    let_down = told("all at once, fresh", *at_once(clients), None, whole)
    let_down += told("all at once, warm", *at_once(clients), alone, whole)
    if options.beside:
        time.sleep(KEPT)
        print(f"memory in use with {len(clients)} open workers: {memory_in_use()} MiB")
        done = subprocess.run(options.beside, shell=True, capture_output=True, text=True, check=False)
        print(f"beside them, `{options.beside}`: exit code {done.returncode}")
        if done.returncode != 0:
            print(done.stdout[-500:] + done.stderr[-500:])
            let_down += 1
    if options.idle:
        time.sleep(options.idle)
        print(f"memory in use {options.idle:.0f} s later: {memory_in_use()} MiB")
    for title, action in (("one is killed in its turn", Client.end),
                          ("one is stopped in its turn", stop_alone),
                          ("one is stopped with its watchdog", stop_all)):
        for place, client in enumerate(clients):
            if client.process.poll() is not None:
                clients[place] = Client(place, options.worker, request)
        on_stage, struck = in_its_turn(action)
        answers = [None] * len(clients)

        def one(place):
            answers[place] = clients[place].ask(on_stage)

        threads = [threading.Thread(target=one, args=(p,), daemon=True)
                   for p in range(len(clients))]
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        while any(a is None for p, a in enumerate(answers) if p not in struck):
            if time.monotonic() - begin > SILENCE:
                break
            time.sleep(0.02)
        seconds = time.monotonic() - begin
        missing = told(title, answers, seconds, None, whole, struck)
        # Who holds the counters and stands still keeps them from the others, and they say so.
        if action is not stop_all:
            let_down += missing
        else:
            let_down += sum(1 for p, a in enumerate(answers)
                            if p not in struck and (not a or a["event"] != "result"))
        for place in struck:
            clients[place].end()
    for client in clients:
        client.end()
    print(f"{let_down} let down")
    return 1 if let_down else 0


if __name__ == "__main__":
    sys.exit(main())
