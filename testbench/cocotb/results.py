# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints what cocotb found and fails if a test failed, or none ran."""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

if not Path(sys.argv[1]).is_file():
    sys.exit("no results: the simulator ended before cocotb did")
cases = list(xml.parse(sys.argv[1]).iter("testcase"))
bad = 0
for case in cases:
    good = case.find("failure") is None and case.find("error") is None
    bad += not good
    ns = float(case.get("sim_time_ns", 0))
    print(f"{'ok  ' if good else 'FAIL'} {case.get('classname')}.{case.get('name')} ({ns:.0f} ns)")
sys.exit(bad != 0 or not cases)
