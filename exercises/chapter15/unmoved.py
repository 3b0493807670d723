"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import REFUSED, TEXT, VALUES

SAME = "is computed with before and afterwards, and both agree"
SIZES = "is a size or an attribute, and what is told are names"
OUTPUTS = "names the outputs of a program, of which a single line is looked at"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter15.record": {
        SIZES: ("traces.recorded_rows given.0.2.0.0",),
        OUTPUTS: ("traces.recorded_rows given.2",),
    },
    "chapter15.refuse": {
        SIZES: ("traces.read_values shape.0",),
    },
    "chapter15.trace": {
        VALUES: ("traces.traced arrays…",),
        SIZES: ("traces.trace_broken_off shape.0",),
    },
    "chapter15.run": {
        TEXT: (
            "traces.ran program.1.0.1",
            "traces.ran program.1.1.0",
            "traces.ran program.1.7.1",
            "traces.not_run program.1.0.1",
        ),
        REFUSED: (
            "traces.not_run program.1.1.2.axes",
            "traces.not_run calls…",
        ),
    },
    "chapter15.dead_code": {
        SAME: ("compilations.passed arrays…",),
        "is an attribute of a row that is dead, or numbers such rows": (
            "compilations.passed program.3",
            "compilations.passed program.1.0.2.value",
            "compilations.passed program.1.2.2.axes",
            "compilations.passed program.1.3.2.scalar",
            "compilations.passed program.1.6.2.scalar",
        ),
    },
    "chapter15.fold_constants": {
        SAME: ("compilations.passed arrays…",),
        TEXT: (
            "compilations.passed program.1.5.1",
            "compilations.passed program.1.6.1",
        ),
    },
    "chapter15.common_subexpressions": {
        SAME: ("compilations.passed arrays…",),
        TEXT: ("compilations.passed program.1.6.1",),
    },
    "chapter15.identity": {
        OUTPUTS: ("compilations.seen program.2",),
    },
    "chapter15.undone": {
        OUTPUTS: ("compilations.seen program.2",),
        TEXT: ("compilations.seen program.1.6.1",),
    },
    "chapter15.rules": {
        TEXT: ("traces.masks kind",),
    },
    "chapter15.groups": {
        "is a size or an axis, and what counts is which shapes are equal": (
            "plans.grouped program.0.1.0…",
            "plans.grouped program.1.4.2.axes",
            "plans.grouped program.1.3.2.axes",
        ),
        TEXT: (
            "plans.grouped program.1.2.0",
            "plans.grouped program.1.3.0",
            "plans.grouped program.1.5.1",
        ),
    },
    "chapter15.last_uses": {
        SIZES: (
            "plans.lives program.0…",
            "plans.lives program.1.1.2.axes",
            "plans.lives program.1.1.2.scalar",
            "plans.lives program.1.3.2.axes",
            "plans.lives program.1.7.2.scalar",
        ),
        TEXT: ("plans.lives program.1.4.1",),
    },
    "chapter15.assign_buffers": {
        SAME: ("plans.buffered arrays.2",),
        SIZES: ("plans.buffered program.1.2.2.scalar",),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
