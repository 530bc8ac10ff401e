# SPDX-License-Identifier: MIT OR Apache-2.0
"""fmax.py REPORT MHZ: prints the clock rate in a report of nextpnr; exit code 1 if it is below MHZ, 2 if the
report has not just one clock."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as report:
    clocks = json.load(report)["fmax"]
if len(clocks) != 1:
    print(f"{sys.argv[1]}: expected one clock, found {sorted(clocks)}", file=sys.stderr)
    sys.exit(2)
(reached,) = (clock["achieved"] for clock in clocks.values())
needed = float(sys.argv[2])
print(f"{sys.argv[1]}: {reached:.1f} MHz, needed {needed:.1f}")
sys.exit(0 if reached >= needed else 1)
