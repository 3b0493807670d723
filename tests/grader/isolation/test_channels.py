"""Counters that others move are refused or constant, by `benchmarks/channels.py`."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from benchmarks.channels import WAYS, Carriers, Refused, Told, information, read, run
from grader.sandbox.launch import ForkServer, find_numpy

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs Linux")
COUNTERS = [
    "major faults (getrusage)", "blocks read (getrusage)", "blocks read (Python's resource)",
    "blocks read (wait4)", "blocks read (/proc/self/io)", "free memory (sysinfo)",
    "cached pages (RWF_NOWAIT)", "clocks of processes (clock_gettime)",
    "clocks of processes (clock_nanosleep)",
]  # fmt: skip


@pytest.mark.parametrize("name", COUNTERS)
def test_a_counter_is_refused_or_constant(name, confinable, tmp_path):
    few = WAYS[name]._replace(count=4)
    with ForkServer(find_numpy()) as server:
        try:
            got = run(few._replace(reads_in=False), server, Carriers(str(tmp_path))).got
        except Refused:
            return
    assert len(got) == 4 and len(set(got)) == 1, got


def test_the_measure_finds_a_channel_that_is_open(tmp_path):
    """The honest twin: at level `process` the same counter tells who has read what."""
    drawn = random.Random(0)
    sent = [[drawn.randrange(2) for _ in range(64)] for _ in range(8)]
    told = [Told(bits, [5.0 + bit + drawn.random() / 2 for bit in bits], 0.5) for bits in sent]
    bits, rate = read(told)
    assert 60 < bits <= 64 and rate == bits / 0.5
    noise = [Told(bits, [drawn.random() for _ in bits], 0.5) for bits in sent]
    assert read(noise)[0] < 2
    assert information([(0, False), (1, True)]) == 1 and information([(0, True), (1, True)]) == 0


def test_the_table_of_channels_has_a_row_for_each():
    page = Path(__file__).parents[3].joinpath("SECURITY.md").read_text(encoding="utf-8")
    rows = [name for name in WAYS if not name.startswith("open:")]
    assert len(rows) > 15 and not [name for name in rows if f"\n| {name} |" not in page]
