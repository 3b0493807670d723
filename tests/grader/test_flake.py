"""The flake audit: with any seed, the oracles agree and the reference passes every check.

Three seeds by default; 200 with GRADER_FULL=1. Each seed is a test of its own, so that
`pytest -n auto` shares them out.
"""

from __future__ import annotations

import os

import pytest

from grader.key.file import Key
from grader.making.make import make
from grader.verdict import GIVEN, PASSED

SEEDS = 200 if os.environ.get("GRADER_FULL") == "1" else 3


@pytest.mark.long
@pytest.mark.parametrize("seed", [f"flake {n}" for n in range(SEEDS)])
def test_the_reference_passes_with_this_seed(seed, proof, tmp_path):
    path = tmp_path / "a.key"
    make(str(path), seed, proof.course, with_mistakes=False)
    verdicts = proof.judge(proof.course.solved(), key=Key(str(path)))
    path.unlink()  # a run over 200 seeds would fill the disk
    failed = {
        check.check["id"]: check.says
        for verdict in verdicts.values()
        if verdict.status not in (PASSED, GIVEN)
        for check in verdict.checks
        if check.status != PASSED
    }
    assert verdicts
    assert not failed
