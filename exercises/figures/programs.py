"""Figures of programs: what each pass makes of one, and which buffer each value is written into."""

from __future__ import annotations

from typing import Any

from grader.course import import_reference

from .given import Described, tensor

GIVEN = (tensor([[1.0, 2.0]] * 3), tensor([[1.0, 0.5], [2.0, -1.0]]))


def wasteful(x: Any, w: Any) -> Any:
    """A layer that is written without care."""
    ops = import_reference("ops")
    scale = tensor(0.5) * tensor(4.0)
    ops.exp(x @ w)
    return (ops.tanh(x @ w) * ops.negate(-ops.tanh(x @ w)) * 1.0 * scale).sum()


def layer(x: Any, w: Any) -> Any:
    """A layer and its gradients: something to share memory in."""
    both = import_reference("tracing").with_gradients(
        lambda x, w: import_reference("ops").tanh(x @ w).sum()
    )
    return both(x, w)


def passes() -> Described:
    """The program before each pass and after it, line by line, until a round changes nothing."""
    tool = import_reference("passes")
    program = import_reference("tracing").trace(wasteful, *GIVEN)
    stages = [stage("as it was traced", program, program)]
    before = ""
    while before != str(program):
        before = str(program)
        for each in tool.PASSES:
            after = each(program)
            if str(after) != str(program):
                stages.append(stage(f"after {each.__name__}", program, after))
            program = after
    stages.append(stage("as it is run", program, program))
    return {"stages": stages}


def stage(title: str, before: Any, after: Any) -> Described:
    """The lines of a program, and what a pass does to each: it goes, changes or stays."""
    new = {each.out: str(each) for each in after.instructions}
    rows = [[f"program({', '.join(each.out for each in before.inputs)})", ""]]
    for each in before.instructions:
        if each.out not in new:
            rows.append([str(each), "gone"])
        else:
            rows.append([new[each.out], "" if new[each.out] == str(each) else "changed"])
    changed = after.outputs != before.outputs
    rows.append([f"return {', '.join(after.outputs)}", "changed" if changed else ""])
    gone = sum(mark == "gone" for _, mark in rows)
    marks = sum(mark == "changed" for _, mark in rows)
    count = f"{len(after.instructions)} instructions"
    lines = "1 line" if marks == 1 else f"{marks} lines"
    done = f" {gone or 'None'} went, {lines} changed." if gone or marks else ""
    says = f"{title.capitalize()}: {count}.{done}"
    return {"title": title, "rows": rows, "says": says, "arrows": arrows(before, after)}


def arrows(before: Any, after: Any) -> list[tuple[int, int]]:
    """From which row to which values go: what is gone still shows what it read."""
    reads = {each.out: each.inputs for each in (*before.instructions, *after.instructions)}
    row = {each.out: number for number, each in enumerate(before.instructions, 1)}
    end = len(row) + 1
    found = {(row[name], row[out]) for out in row for name in reads[out] if name in row}
    return sorted(found | {(row[name], end) for name in after.outputs if name in row})


def buffers() -> Described:
    """The smaller program, instruction by instruction: who writes where, and what is free."""
    compiler = import_reference("compiler")
    program = import_reference("passes").optimize(import_reference("tracing").trace(layer, *GIVEN))
    number, last = compiler.assign_buffers(program), compiler.last_uses(program)
    memory = compiler.memory_of(program)
    stages = []
    for at, now in enumerate(program.instructions):
        rows = []
        for n, each in enumerate(program.instructions):
            where = f"   → buffer {number[each.out]}" if each.out in number else ""
            rows.append([f"{each}{where}", "lit" if n == at else "past" if n < at else ""])
        held = {}
        for each in program.instructions[: at + 1]:
            if each.out in number:
                held[number[each.out]] = each.out
        told = [
            f"buffer {buffer} holds {name}" if last[name] > at else f"buffer {buffer} is free"
            for buffer, name in sorted(held.items())
        ]
        view = f" It is a view of {memory[now.out]}." if memory[now.out] != now.out else ""
        says = f"After {now.out}: {', '.join(told) or 'no buffer yet'}.{view}"
        stages.append({"title": now.out, "rows": rows, "says": says})
    return {"stages": stages, "lives": lives(program, number, last)}


def lives(program: Any, number: dict[str, int], last: dict[str, int]) -> list[tuple[int, int, int]]:
    """For each value in a buffer: the buffer, and the instructions that write and last read it."""
    end = len(program.instructions)  # an output outlives them all
    return [
        (number[each.out], at, min(last[each.out], end))
        for at, each in enumerate(program.instructions)
        if each.out in number
    ]
