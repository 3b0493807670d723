"""Code from lectures, with the names that they use: it runs as printed, or the learner is told."""

from __future__ import annotations

import re

import pytest

from grader.about import EXCEPTIONS, own_names
from grader.judge.exceptions import explain_exception
from grader.sandbox.observation import Observation

from .lectures import LECTURES, Block

BLOCKS = {f"{lecture}: {name}": block for lecture, blocks in LECTURES.items()
          for name, block in blocks.items()}  # fmt: skip
OURS = own_names(EXCEPTIONS)
NAMES = {f"{row[1]} of {row[0]} in {row[3]}": row for row in OURS["NAMES"]}
SAMPLES = (r"\w+Backward", "MulBackward"), (r"\w*Dataset", "ArrayDataset"), (r"Adam\w*", "AdamW")
FILES = "scalar.py", "ops.py", "engines/apply.py", "engines/closure.py", "engines/grad_fn.py"


def sources(block: Block, course) -> dict[str, str]:
    files = dict(course.replace_bodies(block.bodies))
    for file, old, new in block.edits:
        assert files[file].count(old) >= 1, old
        files[file] = files[file].replace(old, new, 1)
    return files


@pytest.mark.sampled(quick=16, long=4)
@pytest.mark.parametrize("name", BLOCKS)
def test_it_runs_as_printed_or_is_told_what_to_write(name, proof):
    block = BLOCKS[name]
    verdict = proof.judge(sources(block, proof.course), [block.exercise])[block.exercise]
    if not block.says:
        assert verdict.status == "passed", [check.says for check in verdict.checks]
        return
    said = [*verdict.mistakes, *(found for check in verdict.checks for found in check.inferred)]
    if block.row:
        assert block.row in {name.removeprefix("raised:") for name, _ in said}, said
    assert block.says in " ".join([verdict.says, *(says for _, says in said)])


def told(type: str, message: str, file: str) -> list[tuple[str, str]]:
    texts = {"type": type, "message": message, "file": file}
    return explain_exception(Observation("raised", texts, {}))


@pytest.mark.parametrize("row", NAMES.values(), ids=NAMES)
def test_every_name_of_the_table_is_told(row):
    whose, theirs, ours, source, *where = row
    for pattern, sample in SAMPLES:
        whose = whose.replace(pattern, sample)
    file = next(file for file in FILES if not where or re.search(where[0], file))
    for owner in whose.split("|"):
        for name in theirs.split():
            kind, message = "AttributeError", f"'{owner}' object has no attribute '{name}'"
            if "." in owner:
                kind = "TypeError"
                message = f"{owner}() got an unexpected keyword argument '{name}'"
            if owner == "name":
                kind, message = "NameError", f"name '{name}' is not defined"
            says = f"`{name}`, as in {source}, is `{ours}` here."
            assert [each for _, each in told(kind, message, file)] == [says]


def test_a_name_is_told_only_where_it_is_another_s():
    message = "'Tensor' object has no attribute '_parents'"
    assert [name for name, _ in told("AttributeError", message, "engines/closure.py")] == [
        "raised:_parents-is-_prev"
    ]
    assert "`_inputs`" in told("AttributeError", message, "ops.py")[0][1]
    other = "'Plan' object has no attribute '_parents'"
    assert told("AttributeError", other, "ops.py") == []


def test_no_two_rows_of_the_table_answer_for_one_name():
    seen = set()
    for whose, theirs, _, _, *where in OURS["NAMES"]:
        for owner in whose.split("|"):
            for name in theirs.split():
                for file in FILES:
                    if not where or re.search(where[0], file):
                        assert (owner, name, file) not in seen, (owner, name, file)
                        seen.add((owner, name, file))
