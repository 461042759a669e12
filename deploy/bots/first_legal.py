"""A bot that plays the first move it is offered. Its arguments are those of ssh: first_legal.py -p 2222 HOST."""

import json
import subprocess
import sys

ssh = subprocess.Popen(["ssh", *sys.argv[1:], "bot"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in ssh.stdout:
    message = json.loads(line)
    match message["type"]:
        case "hello" if message["table"] is None:  # otherwise it goes on where it has a seat
            answer = {"type": "new", "rules": "quatch", "seats": 3}
        case "joined" if message["state"] == "open":
            answer = {"type": "start"}
        case "turn":
            answer = {"type": "move", "ply": message["ply"], "move": message["legal"][0]}
        case "error" if message["code"] == "away":  # the clock ran out
            answer = {"type": "back"}
        case "over":
            print(line)
            answer = {"type": "leave"}
        case "left":
            break
        case "error" | "refused" if message["code"] not in {"slow", "not_saved"}:  # after these it is asked again
            print(line)
            sys.exit(1)
        case _:
            continue
    print(json.dumps(answer), file=ssh.stdin, flush=True)
