"""The filter of system calls, run here as the kernel would, call by call, for each machine."""

from __future__ import annotations

import errno
import operator
import struct
from functools import cache

import pytest

from grader.sandbox.worker import syscalls

PID = 4711
HOLDS = {
    syscalls.IF_EQUAL: operator.eq,
    syscalls.IF_ABOVE: operator.gt,
    syscalls.IF_FROM: operator.ge,
}


def answer(code: bytes, number: int, audit: int, *arguments: int) -> int:
    """Return the filter's answer to a call, by interpreting its six kinds of instruction."""
    data = struct.pack("<iIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = read(code)
    at = value = 0
    while True:
        kind, yes, no, operand = steps[at]
        at += 1
        if kind == syscalls.LOAD:
            value = struct.unpack_from("<I", data, operand)[0]
        elif kind == syscalls.AND:
            value &= operand
        elif kind == syscalls.RETURN:
            return operand
        else:
            at += yes if HOLDS[kind](value, operand) else no


@cache  # a filter is asked thousands of times
def read(code: bytes) -> list[tuple[int, int, int, int]]:
    """Return the instructions of a filter: kind, jump if true, jump if false, operand."""
    return list(struct.iter_unpack("<HBBI", code))


@pytest.fixture(params=[0, 1], ids=syscalls.MACHINES)
def column(request) -> int:
    return request.param


def test_what_the_table_refuses_is_refused(column):
    code = syscalls.filter_program(PID, column)
    for name, numbers in syscalls.REFUSED.items():
        if numbers[column] is not None:
            found = answer(code, numbers[column], syscalls.AUDIT[column])
            assert found == syscalls.EPERM, name


def test_reading_and_leaving_are_allowed(column):
    code = syscalls.filter_program(PID, column)
    for number in ((0, 231), (63, 94))[column]:  # read, exit_group
        assert answer(code, number, syscalls.AUDIT[column]) == syscalls.ALLOW


def test_another_machine_s_call_ends_the_process(column):
    code = syscalls.filter_program(PID, column)
    assert answer(code, 0, syscalls.AUDIT[1 - column]) == syscalls.KILL


def test_calls_that_the_table_does_not_know_yet_do_not_exist(column):
    code = syscalls.filter_program(PID, column)
    for number in (syscalls.NEWEST + 1, syscalls.X32):
        assert answer(code, number, syscalls.AUDIT[column]) == syscalls.ENOSYS


@pytest.mark.parametrize(
    ("numbers", "allowed"),
    [((72, 25), {0, 1, 2, 3, 1030}),
     ((16, 29), {0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A})],
    ids=["fcntl", "ioctl"],
)  # fmt: skip
def test_commands_are_allowed_by_a_list(column, numbers, allowed):
    code, audit = syscalls.filter_program(PID, column), syscalls.AUDIT[column]
    # Values are told apart by the numbers that stand in the filter: those and their neighbours are
    # tried, and what differs from an allowed one in a single bit.
    tried = {n + by & 0xFFFFFFFF for _, _, _, n in read(code) for by in (-1, 0, 1)}
    tried |= {value ^ 1 << bit for value in {0, *allowed} for bit in range(32)}
    tried |= {*range(1 << 12), 0x40086602, 0x40087602, *allowed}
    answers = {value: answer(code, numbers[column], audit, 3, value) for value in tried}
    assert {value for value, found in answers.items() if found == syscalls.ALLOW} == allowed
    assert set(answers.values()) == {syscalls.ALLOW, syscalls.EPERM}


def test_words_of_memory_are_awaited_within_the_process(column):
    code, audit = syscalls.filter_program(PID, column), syscalls.AUDIT[column]
    again = syscalls.ERROR | errno.EAGAIN
    for order in range(512):
        found = answer(code, (202, 98)[column], audit, 0x1000, order)
        assert found == (syscalls.ALLOW if order & 128 else again), order


def test_no_signal_is_queued(column):
    code, audit = syscalls.filter_program(PID, column), syscalls.AUDIT[column]
    for number in range(65):
        found = answer(code, (234, 131)[column], audit, PID, PID, number)
        assert found == (syscalls.ALLOW if number < 32 else syscalls.EPERM), number


def test_signals_go_to_this_process_alone(column):
    code, kill = syscalls.filter_program(PID, column), (62, 129)[column]
    assert answer(code, kill, syscalls.AUDIT[column], PID) == syscalls.ALLOW
    assert answer(code, kill, syscalls.AUDIT[column], PID + 1) == syscalls.EPERM
