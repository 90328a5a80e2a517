#!/usr/bin/env python3
"""A dispatcher in memory over JSON lines that takes several calls at once. Each call is a generator, which yields what it asks for."""
import json
import sys

tasks = {}
calls = {}
is_looking = False


def write(**line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def look(key, task):
    # Asked first, every time: the answer of a start may have been lost.
    session = yield {"ask": "sessions.find", "key": key}
    if session is not None:
        state = {"running": "running", "ended": "done"}.get(session["status"], "failed")
        tasks[key]["view"] = {"id": key, "state": state, "because": "its session is " + session["status"], "session": session["id"]}
        return
    missing = [one for one in task["after"] if tasks.get(one, {"view": {}})["view"].get("state") != "done"]
    busy = [one for one, other in tasks.items() if one != key and other["task"]["agent"] == task["agent"] and other["view"]["state"] == "running"]
    if missing or busy:
        tasks[key]["view"] = {"id": key, "state": "waiting", "because": "waits for " + ", ".join(missing + busy)}
        return
    tasks[key]["view"] = {"id": key, "state": "running", "because": "starts"}
    yield {"ask": "sessions.start", "key": key, "task": key, "revision": task["revision"], "agent": task["agent"]}


def answer(call):
    global is_looking
    if call["do"] == "hello":
        return {"name": "python-at-once", "version": "1.0.0", "protocol": 1, "kind": "dispatcher", "capabilities": ["after", "one-per-agent", "concurrent-calls"]}
    if call["do"] == "submit":
        task = call["task"]
        if task["id"] in tasks:
            return "duplicate" if tasks[task["id"]]["task"]["revision"] == task["revision"] else "conflict"
        tasks[task["id"]] = {"task": task, "view": {"id": task["id"], "state": "waiting", "because": "was not looked at yet"}}
        return "accepted"
    if call["do"] == "tick":
        # One look after the other: two at once would both find no session.
        while is_looking:
            yield None
        is_looking = True
        for key in list(tasks):
            yield from look(key, tasks[key]["task"])
        is_looking = False
    if call["do"] == "observe":
        return [one["view"] for one in tasks.values()]
    return None


def go_on(number, value):
    """With one call, to the next thing that it asks for, that it waits for, or that it returns."""
    try:
        asked = calls[number].send(value)
    except StopIteration as end:
        del calls[number]
        write(call=number, **{"return": end.value})
        return True
    if asked is not None:
        write(call=number, **asked)
        asking.add(number)
    return asked is not None


asking = set()
for text in iter(sys.stdin.readline, ""):
    line = json.loads(text)
    number = line["call"]
    asking.discard(number)
    if "do" in line:
        calls[number] = answer(line)
    # What a start that failed has done is found by the next look.
    goes_on = go_on(number, line.get("answer"))
    while goes_on:
        goes_on = any([go_on(one, None) for one in list(calls) if one not in asking])
    write(rest=True)
