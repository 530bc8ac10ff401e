# SPDX-License-Identifier: MIT OR Apache-2.0
"""fmax.py REPORT MHZ [CLOCKS]: prints the rate of each clock in a report of nextpnr, and the longest way from one
clock to another. Exit code 1 if a rate is below MHZ or a way between clocks takes longer than a cycle of MHZ, in which
bits of a Gray code could change places; 2 if the report has not just CLOCKS clocks (1 if not given)."""

import json
import sys

name, needed = sys.argv[1], float(sys.argv[2])
number = int(sys.argv[3]) if len(sys.argv) > 3 else 1
with open(name, encoding="utf-8") as file:
    report = json.load(file)
clocks = report["fmax"]
if len(clocks) != number:
    print(f"{name}: expected {number} clocks, found {sorted(clocks)}", file=sys.stderr)
    sys.exit(2)
slow = False
for clock, rate in sorted(clocks.items()):
    print(f"{name}: {clock}: {rate['achieved']:.1f} MHz, needed {needed:.1f}")
    slow |= rate["achieved"] < needed
for way in report["critical_paths"]:
    ends = [end.split()[-1] for end in (way["from"], way["to"])]
    if ends[0] != ends[1] and all(end in clocks for end in ends):
        delay = sum(part["delay"] for part in way["path"])
        print(f"{name}: from {way['from']} to {way['to']}: {delay:.1f} ns, at most {1000 / needed:.1f}")
        slow |= delay > 1000 / needed
sys.exit(1 if slow else 0)
