"""What the watch judges, and where it goes on."""

from __future__ import annotations

import pytest

from grader.course.key_source import open_key
from grader.learner.desk import Desk
from grader.learner.warm import Warm
from grader.learner.workspace import read_progress, write_progress
from grader.sandbox.launch import numpy_folder


@pytest.mark.parametrize("names", [[], ["chapter3"]])
def test_where_all_is_passed_n_goes_on_to_the_next_chapter(names, workspace):
    place, key, warm = str(workspace / "babygrad"), open_key(), Warm(numpy_folder())
    passed = {"status": "passed", "score": 1.0, "max_score": 1.0, "blocked_by": []}
    mine = [id for id, _, given in key.outline if id.startswith("chapter3.") and not given]
    try:
        desk = Desk(key, place, names, warm)
        note = write_progress(place, dict.fromkeys(mine, passed), "0" * 64)
        desk.statuses = read_progress(place)
        assert not note and desk.next() is None
        assert str(desk.go_on()).startswith("chapter4.")
        assert desk.ids and all(id.startswith("chapter4.") for id in desk.ids)
    finally:
        warm.close()
