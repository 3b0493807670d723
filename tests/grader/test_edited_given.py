"""Given code that was edited is said to be; what only ran it is not to blame."""

from __future__ import annotations

import pytest

from grader.course.load import load

SOURCES = load().solved()
CALL = "        data = self.forward(*arrays)\n"
DOUBLED = CALL.rstrip() + " * 2\n"
RENAMED = CALL + "        # my own remark\n        kept = data\n        data = kept\n"
ADD = "    def forward(self, a: NDArray, b: NDArray) -> NDArray:\n        return a + b\n"


def changed(*pairs: tuple[str, str]) -> dict[str, str]:
    """The reference, with its `ops.py` edited."""
    text = SOURCES["ops.py"]
    for old, new in pairs:
        assert text.count(old) >= 1
        text = text.replace(old, new, 1)
    return {**SOURCES, "ops.py": text}


EDITED = {
    "no formula speaks of it": ((CALL, DOUBLED), "chapter3.sub.operator", "chapter3.function"),
    "a formula speaks of it": (
        (ADD, ADD.replace("a + b", "a - b")), "chapter3.add.operator", "chapter3.add.forward",
    ),
}  # fmt: skip


@pytest.mark.parametrize("pair, id, by", EDITED.values(), ids=EDITED)
def test_what_ran_edited_given_code_waits_for_it(pair, id, by, proof):
    verdict = proof.judge(changed(pair), [id])[id]
    assert (verdict.status, verdict.blocked_by) == ("blocked", [by])
    says = next(c.says for c in verdict.checks if c.status == "blocked")
    assert "was given, and reads otherwise than it was handed out" in says


def test_no_other_exercise_is_blamed_for_it(proof):
    ids = [id for id in load().exercises if id.startswith("chapter3.")]
    verdicts = proof.judge(changed((CALL, DOUBLED)), ids)
    blamed = {by for v in verdicts.values() for by in v.blocked_by}
    assert blamed == {"chapter3.function"}


def test_an_edit_that_changes_nothing_is_not_to_blame(proof):
    sources = changed((CALL, RENAMED))
    wrong = sources["ops.py"].replace("return a - b\n", "return b - a\n", 1)
    id = "chapter3.sub.forward"
    verdict = proof.judge({**sources, "ops.py": wrong}, [id, "chapter3.exp.forward"])
    assert verdict[id].status == "failed"
    assert verdict["chapter3.exp.forward"].status == "passed"
