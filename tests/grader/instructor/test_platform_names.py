"""Names that platforms write say whose a file is; others say nothing."""

from __future__ import annotations

import pytest

from grader.classroom.intake.platform_names import METADATA, parse_name, read_submitters

# Name → person or team, number, file as handed in, whether it was typed.
NAMES = {
    "Ada Love_1234567_assignsubmission_file_": ("Ada Love", "1234567", "", False),
    "Ada Love_1234567_assignsubmission_file": ("Ada Love", "1234567", "", False),
    "Ada Love_12_assignsubmission_file_ops.py": ("Ada Love", "12", "ops.py", False),
    "Ada_Love_12_assignsubmission_file_a_b.py": ("Ada_Love", "12", "a_b.py", False),
    "Ada_12_assignsubmission_onlinetext_onlinetext.html": ("Ada", "12", "onlinetext.html", True),
    "Group A_17_assignsubmission_file": ("Group A", "17", "", False),
    "Default group_assignsubmission_file_ops.py": ("Default group", "", "ops.py", False),
    "loveada_5001_90001_ops.py": ("loveada", "5001", "ops.py", False),
    "loveada_LATE_5001_90001_my_ops-1.py": ("loveada", "5001", "my_ops-1.py", False),
    "lövéada_5001_90001_ops (1).py": ("lövéada", "5001", "ops (1).py", False),
    "loveada_LATE_5001_text.html": ("loveada", "5001", "", True),
    "loveada_5001_link.html": ("loveada", "5001", "", True),
    "anon_XyZ12_90001_ops.py": ("anon", "XyZ12", "ops.py", False),
    "LATE_anon_XyZ12_90001_ops.py": ("anon", "XyZ12", "ops.py", False),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_says_whose_it_is_and_what_was_handed_in(name):
    said = parse_name(name)
    assert said is not None
    assert (said.name, said.id, said.file, said.is_typed) == NAMES[name]


@pytest.mark.parametrize(
    "name", ["ada", "ada.zip", "group_1", "ada_12.zip", "chapter3.ipynb", "submission_12", "a_b_c"]
)
def test_a_name_of_no_platform_says_nothing(name):
    assert parse_name(name) is None


PREFIXES = {name[: len(name) - len(row[2])]: row for name, row in NAMES.items() if row[2]}


@pytest.mark.parametrize("file", [name for name in NAMES if "anon" not in name])
@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_learners_own_name_for_a_file_makes_it_nobody_elses(prefix, file):
    said = parse_name(f"{prefix}{file}")
    assert said and (said.name, said.id, said.file) == (*PREFIXES[prefix][:2], file)


def test_lateness_does_not_change_whose_a_file_is():
    early, late = map(parse_name, ("loveada_5_1_ops.py", "loveada_LATE_5_2_nn.py"))
    assert early and late and early.owner == late.owner


METADATA_TEXT = """---
submission_1:
  :submitters:
  - :name: Ada Love
    :sid: '12'
    :email: ada@example.org
  - :name: "Mo O'Neil"
    :email: mo@example.org
  :created_at: 2026-02-03 04:05:06.123456000 Z
  :results:
    tests:
    - name: not a person
submission_2:
  :submitters:
  - :name: Ada Love
    :sid: '13'
  :history: []
"""


def test_gradescope_names_all_who_handed_in_together(tmp_path):
    (tmp_path / METADATA).write_text(METADATA_TEXT)
    found = read_submitters(str(tmp_path))
    assert found == {"submission_1": ["12", "Mo O'Neil"], "submission_2": ["13"]}
    (tmp_path / METADATA).write_text(METADATA_TEXT.replace("'13'", "'12'"))
    assert read_submitters(str(tmp_path))["submission_2"] == ["Ada Love"]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"submission_1: 3\n", b"- :name: x\n", b"[{"])
def test_odd_metadata_name_nobody(tmp_path, data):
    (tmp_path / METADATA).write_bytes(data)
    assert read_submitters(str(tmp_path)) == {} == read_submitters(str(tmp_path / "nowhere"))
