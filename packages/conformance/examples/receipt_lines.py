#!/usr/bin/env python3
"""A receipt log in Python over JSON lines: a record a line, each with its checksum, synced before it is acknowledged."""
import json
import sys
import zlib

LOG = "/receipts.log"


def ask(name, **facts):
    print(json.dumps({"ask": name, **facts}), flush=True)
    answer = json.loads(sys.stdin.readline())
    if "error" in answer:
        raise OSError(answer["error"], answer["says"])
    return answer["answer"]


def append(receipt):
    text = ask("disk.read", path=LOG) or ""
    body = json.dumps(receipt)
    # Behind a tail that was torn a line of its own begins.
    begin = "" if text == "" or text.endswith("\n") else "\n"
    ask("disk.append", path=LOG, text=begin + "%08x %s\n" % (zlib.crc32(body.encode()), body))
    ask("disk.sync", path=LOG)
    ask("disk.syncDirectory", path="/")
    return {"outcome": "acknowledged"}


def read(key):
    state, is_damaged = None, False
    for line in (ask("disk.read", path=LOG) or "").splitlines():
        checksum, _, body = line.partition(" ")
        if checksum != "%08x" % zlib.crc32(body.encode()):
            # Of whom it was nobody knows: it may be newer than all that was found before.
            is_damaged = True
        elif json.loads(body)["key"] == key:
            state, is_damaged = json.loads(body)["state"], False
    return {"health": "damaged" if is_damaged else "found" if state else "absent", **({"state": state} if state else {})}


def answer(call):
    if call["do"] == "hello":
        return {"name": "python-receipts", "version": "1.0.0", "protocol": 1, "kind": "receipt-log", "capabilities": ["power-loss"]}
    return append(call["receipt"]) if call["do"] == "append" else read(call["key"]) if call["do"] == "read" else None


for line in iter(sys.stdin.readline, ""):
    try:
        print(json.dumps({"return": answer(json.loads(line))}), flush=True)
    except OSError as failure:
        print(json.dumps({"throw": str(failure)}), flush=True)
