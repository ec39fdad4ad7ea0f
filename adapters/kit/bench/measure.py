"""How many splittings a second an adapter sweeps: python3 measure.py COMMAND…

120 characters, 0 to 3 cuts each, 1,000 splittings a request, one process, the answers read and parsed as a harness would.
"""

import json
import random
import subprocess
import sys
import time

LENGTH, BATCH, BATCHES = 120, 1_000, 40


def requests():
    numbers = random.Random(1)
    atoms = list('Let me look. <tool_call name="search" args={"q": "caf\u00e9 \U0001f600"}></tool_call> '.ljust(LENGTH, "x"))
    for batch in range(BATCHES):
        cuts = [sorted(numbers.sample(range(1, LENGTH), numbers.randrange(4))) for _ in range(BATCH)]
        yield {"id": 2 + batch, "cmd": "sweep", "dialect": "inline-tag", "options": {}, "atoms": atoms, "cuts": cuts}


def ask(adapter, request):
    adapter.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
    adapter.stdin.flush()
    return json.loads(adapter.stdout.readline())


def main(command):
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as adapter:
        greeting = ask(adapter, {"id": 1, "cmd": "hello", "protocol": 1})
        lines = list(requests())
        ask(adapter, lines[0])  # warm
        start = time.perf_counter()
        for request in lines:
            assert len(ask(adapter, request)["runs"]) == BATCH
        seconds = time.perf_counter() - start
        adapter.stdin.close()
    print(f"{greeting['name']}: {BATCH * BATCHES / seconds:,.0f} splittings/s")


main(sys.argv[1:])
