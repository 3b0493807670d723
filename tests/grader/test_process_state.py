"""Process state that learner code changes affects no other exercise."""

from __future__ import annotations

import sys
import types

from grader.sandbox.worker import process_state
from grader.verdict import BLOCKED, PASSED

from .whole_course import whole_course

COURSE = whole_course()
NO_GRAD = "chapter13.no_grad"


def test_names_stand_for_what_they_stood_for_before():
    module = types.ModuleType("learnt")
    exec("class Mode:\n    on = True\nlevel = 3\nfrom math import pi", vars(module))
    names = process_state.ModuleNamespaces([module, sys])
    was = dict(vars(module))
    module.Mode.on, module.level, module.Mode.new, module.more = False, 4, 1, 2
    del module.pi
    names.restore()
    assert module.Mode.on is True and module.level == 3
    assert {name: vars(module)[name] for name in was} == was
    assert module.more == 2 and module.Mode.new == 1


def test_a_mode_that_is_left_off_lets_nobody_fail_who_did_not_ask_for_it(proof):
    """`no_grad` puts nothing back: the first block leaves the mode off."""
    no_grad = COURSE.exercises[NO_GRAD]
    wrong = next(m for m in no_grad.mistakes if m.name == "not-put-back")
    ids = [id for id in COURSE.exercises if id.startswith("chapter13.")]
    sources = proof.course.replace_bodies({no_grad.target_of(wrong): wrong.body})
    verdicts = proof.judge(sources, ids)
    others = [verdict for id, verdict in verdicts.items() if id != NO_GRAD]
    assert verdicts[NO_GRAD].status not in (BLOCKED, PASSED)
    assert {v.status for v in others} == {BLOCKED, PASSED}, {v.id: v.status for v in others}
