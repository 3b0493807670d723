"""The theorems that `grader audit` proves, one test each."""

from __future__ import annotations

import pytest

from grader.audit.theorems import THEOREMS


@pytest.mark.parametrize("theorem", THEOREMS, ids=[t.id for t in THEOREMS])
def test_theorem(theorem, proof):
    problems = [f"{p.where}: {p.what}" for p in theorem.problems(proof)]
    assert not problems, "\n".join(problems)
