"""One probe and one part: what came back against what is right, as a status and a reason."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grader.arrays import Array, make_array, plain_parts
from grader.course.key_file import ChapterKey
from grader.course.key_source import open_key
from grader.judge import outcome as outcomes
from grader.judge.outcome import MOST_MESSAGE, Outcomes, compare_probe, outcome_of_ending, subject
from grader.sandbox.observation import Observation
from grader.verdict import CRASHED, FAILED, OUT_OF_MEMORY, PASSED, PENDING, REFUSED, TIMED_OUT

from .small_key import ID, Probes, check, exercise


def gave(*values: float) -> Observation:
    return Observation("arrays", {}, {"value": [make_array((len(values),), list(values))]})


def raised(type: str, message: str = "", **more: str) -> Observation:
    return Observation("raised", {"type": type, "message": message, **more}, {})


@pytest.fixture
def key():
    probes = Probes()
    probes.add([1.0, 2.0], a=[3.0])
    checks = [check(0), check(0, id=f"{ID}/guess", compare="guess"),
              check(0, id=f"{ID}/text", compare="text")]  # fmt: skip
    return probes.key([exercise()], checks)


def test_right_numbers_pass_and_wrong_ones_are_named(key):
    close, guess, text = key.checks
    assert compare_probe(key, close, 0, gave(1.0, 2.0)).status == PASSED
    found = compare_probe(key, close, 0, gave(1.0, 2.5))
    assert (found.status, found.which) == (FAILED, 0)
    assert found.says == "The result: its values are not the right ones."
    assert "not shown" in compare_probe(key, guess, 0, gave(1.0, 2.5)).says
    assert compare_probe(key, text, 0, gave(1.0, 2.5)).says == "The result: it is another text."


@pytest.fixture
def compared(monkeypatch):
    """How often an answer is compared with those of the key."""
    calls: list[int] = []
    whole = outcomes.compare_probe

    def count(*arguments):
        calls.append(arguments[2])
        return whole(*arguments)

    monkeypatch.setattr(outcomes, "compare_probe", count)
    return calls


@pytest.mark.parametrize(
    ("got", "status"),
    [
        (gave(1.0, 2.0 + 2**-51), PASSED),
        (gave(1.0, 2.5), FAILED),
        (gave(), FAILED),
        (Observation("arrays", {}, {"value": [make_array((2,), [1.0, 2.0], "float32")]}), PASSED),
        (Observation("arrays", {}, {"value": [make_array((2, 1), [1.0, 2.0])]}), FAILED),
        (Observation("arrays", {}, {"value": gave(1.0, 2.0).parts["value"] * 2}), FAILED),
        (Observation("arrays", {}, {"other": gave(1.0, 2.0).parts["value"]}), FAILED),
        (gave(1.0, 2.0)._replace(kind="raised", texts={"type": "KeyError"}), PASSED),
    ],
)
def test_only_the_reference_s_own_bits_are_right_uncompared(key, compared, got, status):
    key.exact = {0: plain_parts(gave(1.0, 2.0).parts), 1: plain_parts(gave(1.0, 2.5).parts)}
    seen, value = Outcomes(key), key.checks[0]
    seen.judge_probe(0, gave(1.0, 2.0))
    assert seen.of(value, 0, gave(1.0, 2.0)).status == PASSED and not compared
    seen.judge_probe(0, got)
    assert seen.of(value, 0, got).status == status and compared


def test_a_part_that_is_missing_is_counted(key):
    found = compare_probe(key, key.checks[0], 0, Observation("arrays", {}, {}))
    assert (found.status, found.says) == (FAILED, "0 arrays came back, not 1.")


ENDS = {
    "a stub": (raised("NotImplementedError"), PENDING, "a stub"),
    "time": (raised("TimeUp"), TIMED_OUT, "its time was up"),
    "memory": (raised("MemoryError", "9 GB"), OUT_OF_MEMORY, "than it may have. 9 GB"),
    "a long message": (raised("MemoryError", "x" * 9, long="yes"), OUT_OF_MEMORY, "a million"),
    "a rule": (raised("Refused", "No PyTorch."), REFUSED, "No PyTorch."),
    "exit": (raised("SystemExit"), CRASHED, "end Python"),
    "an exception": (raised("KeyError", "'a'"), CRASHED, "KeyError: 'a'"),
    "one without words": (raised("ValueError"), CRASHED, "ValueError."),
    "a complaint": (Observation("complained", {"message": "no array"}, {}), FAILED, "no array"),
    "a hang": (Observation("hung", {"message": "2"}, {}), TIMED_OUT, "after 2 s"),
    "its processor time": (Observation("died", {"signal": "24"}, {}), TIMED_OUT, "used up"),
    "a signal": (Observation("died", {"signal": "11"}, {}), CRASHED, "a segmentation fault"),
    "an exit status": (
        Observation("died", {"signal": "0", "code": "3"}, {}), CRASHED, "(exit status 3)",
    ),
    "noise": (Observation("garbled", {"message": "x"}, {}), CRASHED, "cannot be read: x."),
}  # fmt: skip


@pytest.mark.parametrize(
    ("limit", "status", "words"),
    [("TimeUp", TIMED_OUT, "ran out of time"), ("MemoryError", OUT_OF_MEMORY, "ran out of memory")],
)
def test_what_a_limit_kept_from_running_says_which(limit, status, words):
    found = outcome_of_ending(raised("Skipped", after=limit))
    assert found.status == status and words in found.says and not found.ran


@pytest.mark.parametrize("what", ENDS)
def test_what_brought_no_arrays_has_a_status_and_a_sentence(what):
    got, status, words = ENDS[what]
    found = outcome_of_ending(got)
    assert found.status == status and words in found.says and found.ran


@pytest.mark.parametrize(("why", "status"), [("died", CRASHED), ("hung", TIMED_OUT),
                                             ("late", TIMED_OUT), ("?", CRASHED)])  # fmt: skip
def test_what_was_not_run_shows_nothing_about_its_exercise(why, status):
    found = outcome_of_ending(Observation("skipped", {"after": why}, {}))
    assert found.status == status and not found.ran


def test_the_learners_own_place_is_kept_and_a_long_message_cut():
    found = outcome_of_ending(raised("E", "x" * 9999, file="ops.py", line="12"))
    assert (found.file, found.line) == ("ops.py", 12)
    assert len(found.says) < MOST_MESSAGE + 20 and found.says.endswith(" …")
    assert outcome_of_ending(raised("E", file="ops.py", line="-3")).line == 0


def test_outcomes_remember_what_arrived(key):
    outcomes = Outcomes(key)
    assert [c["id"] for c in key.checks_of_probe(0)] == [c["id"] for c in key.checks]
    outcomes.judge_probe(0, gave(9.0, 9.0))
    assert outcomes.of(key.checks[0], 0, gave(1.0, 2.0)).status == FAILED  # as it arrived
    assert compare_probe(key, key.checks[0], 0, gave(1.0, 2.0)).status == PASSED
    assert key.checks_of_probe(7) == ()


def test_an_array_is_called_by_what_it_is():
    row = {"shown": [("a", 0), ("out_grad", 1)], "means": {"gradients": {"value": ["inputs"]}}}
    key = SimpleNamespace(array=lambda number: Array("uint8", (12,), b"weight, bias"))
    named = {"shown": row["shown"], "means": {"names": {"value": "names"}},
             "answers": {"reference": {"names": [0]}}}  # fmt: skip
    assert subject(row, "value", 0, key, 2) == "The gradient of a"
    assert subject(row, "gradient", 1, key, 2) == "The gradient of out_grad"
    assert subject(named, "value", 1, key, 2) == "bias"
    assert subject(named, "value", 1, key, 3) == "Result 2 of 3"
    assert subject({**row, "means": {}}, "value", 0, key, 1) == "The result"


# ---- what was right once is right again, to the last bit and no further -------------------------


@pytest.fixture
def chapter() -> ChapterKey:
    """One that nobody else has asked yet."""
    return ChapterKey(open_key().slice("chapter3"))


def a_gradient(chapter: ChapterKey):
    """A check, the first of its probes, and right arrays for it."""
    check = next(c for c in chapter.checks if c["part"] == "gradient")
    number = check["probes"][0]
    right = chapter.parts(chapter.probes[number]["answers"]["reference"])["gradient"]
    return check, number, [Array(a.dtype, a.shape, bytes(a.data)) for a in right]


def arrays(check, found: list[Array]) -> Observation:
    return Observation("arrays", {}, {check["part"]: found})


def with_another_bit(array: Array) -> Array:
    """The first number's sign is the other one."""
    data = bytearray(array.data)
    data[7] ^= 0x80
    return array._replace(data=bytes(data))


def test_what_was_right_is_not_compared_again(chapter, monkeypatch):
    check, number, right = a_gradient(chapter)
    assert compare_probe(chapter, check, number, arrays(check, right)).status == PASSED
    monkeypatch.setattr(chapter, "array", lambda number: pytest.fail("compared again"))
    again = [Array(a.dtype, a.shape, bytes(bytearray(a.data))) for a in right]
    assert compare_probe(chapter, check, number, arrays(check, again)).status == PASSED


def test_oracles_that_say_the_same_are_one(chapter, monkeypatch):
    check, number, right = a_gradient(chapter)
    answers = chapter.probes[number]["answers"]
    exact = {tuple(a["gradient"]) for o, a in answers.items() if o != "finite_difference"}
    asked: list[str] = []
    monkeypatch.setattr(outcomes, "compare", lambda *args: asked.append(args[-1]))
    compare_probe(chapter, check, number, arrays(check, right))
    assert len(exact) == 1 < len(answers) - 1
    assert sorted(asked) == ["exact"] * len(right) + ["finite_difference"] * len(right)


def test_nothing_else_is_right_for_it(chapter):
    check, number, right = a_gradient(chapter)
    wrong = [with_another_bit(right[0]), *right[1:]]
    shaped = [right[0]._replace(shape=(1, 1, 1)), *right[1:]]
    others = (wrong, right[:-1], [*right, right[0]], shaped)
    first = [compare_probe(chapter, check, number, arrays(check, each)) for each in others]
    assert {found.status for found in first} == {FAILED}
    assert compare_probe(chapter, check, number, arrays(check, right)).status == PASSED
    assert [compare_probe(chapter, check, number, arrays(check, each)) for each in others] == first
    mine = chapter.checks_of_probe(number)
    other = next(c for c in chapter.checks if number not in c["probes"] and c not in mine)
    assert not chapter.has_passed(other, other["probes"][0], right)


def test_what_is_remembered_does_not_grow_with_a_class(chapter):
    """One list for a check and a probe: the last that was right, in float64 or in float32."""
    check, number, right = a_gradient(chapter)
    for step in range(5):
        near = [Array(a.dtype, a.shape, nudged(a, step)) for a in right]
        assert compare_probe(chapter, check, number, arrays(check, near)).status == PASSED
        assert chapter.has_passed(check, number, near)
        assert step == 0 or not chapter.has_passed(check, number, right)


def nudged(array: Array, step: int) -> bytes:
    """The same numbers but for the last bits."""
    data = bytearray(array.data)
    data[0] ^= step
    return bytes(data)
