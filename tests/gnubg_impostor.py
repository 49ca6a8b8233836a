"""A program that passes for GNU Backgammon and misbehaves, as the real one cannot be told to.

``gnubg_impostor.py BEHAVIOUR ...``; scripts of ``tests/unit/test_engines_gnubg.py`` run it.
"""

import os
import re
import socket
import sys
import time
from pathlib import Path

VERSION = "1.07.001"
ANSWER = "0.600000 0.200000 0.000000 0.100000 0.000000 0.300000"


def main(behaviour: str, arguments: list[str]) -> None:
    if "--version" in arguments:
        sys.stdout.write(f"GNU Backgammon {VERSION} 20230103\n")
        return
    if "IMPOSTOR_PID_FILE" in os.environ:
        Path(os.environ["IMPOSTOR_PID_FILE"]).write_text(str(os.getpid()))
    address = re.match(r"external (\S+)", sys.stdin.readline())
    assert address
    if behaviour == "deaf":
        time.sleep(60)
    if behaviour == "gone":
        sys.exit("no socket for you")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address.group(1))
        listening.listen()
        connection, _ = listening.accept()
        with connection.makefile("rwb", buffering=0) as lines:
            for number, line in enumerate(lines):
                for reply in replies(behaviour, number, line.decode().strip()):
                    lines.write(reply.encode() + b"\n")


def replies(behaviour: str, number: int, line: str) -> list[str]:
    if line == "version":
        software = "9.99" if behaviour == "another" else VERSION
        heading = [] if behaviour == "speechless" else ["Interface: 2", "RFBF: 0", "Engine: 1.00"]
        return [*heading, f"Software: {software}"]
    if behaviour == "hang":
        time.sleep(60)
    if behaviour == "die":
        sys.exit("assertion failed: over a position")
    if behaviour == "flood":
        return ["0" * 100_000]
    return {
        "nan": ["nan 0.1 0.0 0.1 0.0 0.0"],
        "too_few": ["0.5 0.1"],
        "words": ["Error: badly formed board"],
        "too_much": ["0.500000 0.900000 0.000000 0.100000 0.000000 0.800000"],
        "not_of_one": ["0.500000 0.100000 0.000000 0.100000 0.000000 0.700000"],
        "twice": [ANSWER, ANSWER],
    }.get(behaviour, [ANSWER])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
