"""Code that looks whether it is watched: what it does then is the answer to no question."""

from __future__ import annotations

from collections import Counter

import pytest

from .asked import asked_about, package_of

MUL = "chapter3.mul.backward"
BODIES = {
    "a variable": "scale = 7.25 if {watched} else 3.5",
    "a shape": "scale = np.zeros((7, 25)) if {watched} else np.zeros((3, 5))",
    "how often a line runs": "for _ in range(7 if {watched} else 3):\n    scale = 3.5",
    "a line that runs": "if {watched}:\n    scale = 3.5",
    "calls": "all_of_them = [out_grad.reshape(a.shape) for _ in range(7 if {watched} else 3)]",
    "the result": "if {watched}:\n    return Tensor(np.full(a.shape, 7.25)), out_grad * a",
}
WATCHED = {
    "the trace": "__import__('sys').gettrace()",
    "a frame's trace": "__import__('sys')._getframe().f_trace",
    "a profiler": "__import__('sys').getprofile()",
}


def facts(fork_server, body, watched):
    """Collect the facts about calls of `Mul.backward` with this body; questions ask for them."""
    text = f"a, b = node._inputs\n{body.format(watched=watched)}\nreturn out_grad * b, out_grad * a"
    package = package_of({"ops.Mul.backward": text})
    subject = asked_about(package, "chapter3", fork_server.fork, [MUL], 0).subject
    assert subject.ids == [MUL]
    found = set()
    for sample in subject.samples:
        call = sample.call
        lines = [n for n in sample.function.lines if sample.function.line(n)[:2] != "if"]
        found |= {(sample.probe, "ran", n, call.count(n)) for n in lines}
        found |= {(sample.probe, "gave", *each) for each in call.gave.items()}
        calls = Counter(place for step in call.steps for place in step.calls)
        found |= {(sample.probe, "called", *each) for each in calls.items()}
        for step in (step for step in call.steps if call.count(step.line) == 1):
            found |= {(sample.probe, step.line, *each) for each in step.names.items()}
    return found


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("what", BODIES)
def test_nothing_is_known_that_only_watched_code_does(what, fork_server):
    unwatched = facts(fork_server, BODIES[what], "0")
    assert any("a" in fact for fact in unwatched)
    for watched in WATCHED.values():
        assert facts(fork_server, BODIES[what], watched) <= unwatched


def test_nothing_is_known_of_a_copy_that_gives_something_else(fork_server):
    looks_for_notes = "'__told__' in vars(__import__('builtins'))"
    assert not facts(fork_server, BODIES["the result"], looks_for_notes)
