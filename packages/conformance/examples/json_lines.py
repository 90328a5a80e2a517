#!/usr/bin/env python3
"""A dispatcher in Python over JSON lines. It keeps its list in one file and asks the runtime by key before it starts anything."""
import json
import sys

tasks = {}


def write(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def ask(name, **facts):
    write({"ask": name, **facts})
    answer = json.loads(sys.stdin.readline())
    if "error" in answer:
        raise OSError(answer["error"], answer["says"])
    return answer["answer"]


def save():
    ask("disk.write", path="/tasks.json.new", text=json.dumps(tasks))
    ask("disk.sync", path="/tasks.json.new")
    for tries in range(1, 6):
        try:
            ask("disk.rename", **{"from": "/tasks.json.new", "to": "/tasks.json"})
            break
        except OSError:
            if tries == 5:
                raise
            ask("clock.sleep", ms=100)
    ask("disk.syncDirectory", path="/")


def put(key, entry):
    known = tasks.get(key)
    if known == entry:
        return
    tasks[key] = entry
    try:
        save()
    except OSError:
        # Nobody was told of it, and nobody will be.
        if known is None:
            del tasks[key]
        else:
            tasks[key] = known
        raise


def submit(task):
    known = tasks.get(task["id"])
    if known is not None:
        return "duplicate" if known["task"]["revision"] == task["revision"] else "conflict"
    put(task["id"], {"task": task, "state": "waiting", "because": "was not looked at yet"})
    return "accepted"


def look(key, task):
    # Asked first, every time: the answer of a start may have been lost.
    session = ask("sessions.find", key=key)
    if session is not None:
        state = {"running": "running", "ended": "done"}.get(session["status"], "failed")
        return put(key, {"task": task, "state": state, "because": "its session is " + session["status"], "session": session["id"]})
    missing = [one for one in task["after"] if tasks.get(one, {}).get("state") != "done"]
    busy = [one for one, other in tasks.items() if one != key and other["task"]["agent"] == task["agent"] and other["state"] == "running"]
    if missing or busy:
        return put(key, {"task": task, "state": "waiting", "because": "waits for " + ", ".join(missing + busy)})
    put(key, {"task": task, "state": "running", "because": "is being started"})
    try:
        ask("sessions.start", key=key, task=key, revision=task["revision"], agent=task["agent"])
    except OSError:
        pass


def answer(call):
    global tasks
    if call["do"] == "hello":
        return {"name": "python-file", "version": "1.0.0", "capabilities": ["durable", "power-loss", "replaces-files", "after", "one-per-agent"]}
    if call["do"] == "create":
        tasks = json.loads(ask("disk.read", path="/tasks.json") or "{}")
    if call["do"] == "submit":
        return submit(call["task"])
    if call["do"] == "tick":
        for key, entry in list(tasks.items()):
            look(key, entry["task"])
    if call["do"] == "observe":
        return [{"id": key, "state": entry["state"], "because": entry["because"], "session": entry.get("session")} for key, entry in tasks.items()]
    return None


for line in iter(sys.stdin.readline, ""):
    try:
        write({"return": answer(json.loads(line))})
    except OSError as failure:
        write({"throw": str(failure)})
