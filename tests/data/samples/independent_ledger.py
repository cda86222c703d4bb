#!/usr/bin/env python3
"""Ledger of every ProfilerStep of a Kineto trace, by definitions.md, without any code of the program.

Usage: independent_ledger.py TRACE.json.gz... > ledgers.json
Made sample_ledgers.json from resources/sample. Holds for traces of one GPU without communication kernels or graphs,
in which every GPU event has its launch call, as our recordings are.
"""
import gzip
import json
import os
import sys
from decimal import Decimal


def nanoseconds(text):
    return int(text * 1000)


def union(intervals):
    out = []
    for start, end in sorted(intervals):
        if end <= start:
            continue
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def within(intervals, start, end):
    return sum(max(0, min(e, end) - max(s, start)) for s, e in intervals)


def intersection(a, b):
    return [[max(s, t), min(e, f)] for s, e in a for t, f in b if max(s, t) < min(e, f)]


def ledgers(path):
    with gzip.open(path) as file:
        events = json.load(file, parse_float=Decimal, parse_int=Decimal)["traceEvents"]
    gpu, calls, markers, overhead = [], {}, [], []
    for event in events:
        if event.get("ph") != "X":
            continue
        category = event.get("cat")
        start = nanoseconds(event["ts"])
        end = start + nanoseconds(event.get("dur", Decimal(0)))
        if category in ("kernel", "gpu_memcpy", "gpu_memset"):
            gpu.append((start, end, category, event["args"]["correlation"]))
        elif category in ("cuda_runtime", "cuda_driver"):
            calls[event["args"].get("correlation")] = start
        elif category == "user_annotation" and event["name"].startswith("ProfilerStep#"):
            markers.append((start, end, event["name"]))
        elif category == "overhead":
            overhead.append((start, end))
    gpu.sort()
    markers.sort()

    kernels = union((s, e) for s, e, category, _ in gpu if category == "kernel")
    busy = union((s, e) for s, e, _, _ in gpu)
    gaps = [[a[1], b[0]] for a, b in zip(busy, busy[1:])]
    profiler = intersection(union(overhead), gaps)
    waiting, last_end = [], None
    for start, end, _, correlation in gpu:
        if last_end is not None and start > last_end and calls[correlation] >= last_end:
            waiting.append([last_end, start])
        last_end = end if last_end is None else max(last_end, end)

    bounds = []
    for index, (marker, _, name) in enumerate(markers):
        following = markers[index + 1][0] if index + 1 < len(markers) else float("inf")
        own = [event for event in gpu if marker <= calls[event[3]] < following]
        bounds.append((name, min(event[0] for event in own), max(event[1] for event in own)))
    steps = []
    for index, (name, start, last) in enumerate(bounds):
        end = bounds[index + 1][1] if index + 1 < len(bounds) else last
        compute = within(kernels, start, end)
        active = within(busy, start, end)
        marker = markers[index]
        steps.append({
            "name": name,
            "duration_ns": end - start,
            "host_duration_ns": marker[1] - marker[0],
            "compute_ns": compute,
            "memory_ns": active - compute,
            "idle_ns": end - start - active,
            "host_bound_idle_ns": within(waiting, start, end) - within(intersection(waiting, profiler), start, end),
            "profiler_idle_ns": within(profiler, start, end),
        })
    return steps


if __name__ == "__main__":
    json.dump({os.path.basename(path): ledgers(path) for path in sys.argv[1:]}, sys.stdout, indent=1)
    print()
