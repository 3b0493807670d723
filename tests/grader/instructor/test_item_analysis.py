"""Item analysis of a class, and the replay of one mark."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from html import escape as escape_html
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.analysis import item_analysis
from grader.classroom.analysis.item_analysis import Insights
from grader.classroom.analysis.same_answers import UNTELLING
from grader.classroom.analysis.similar import Cluster
from grader.classroom.commands.class_results import anonymous, format_insights, heat_map
from grader.classroom.marks.results import read_records
from grader.classroom.marks.roster import Person
from grader.learner.untrusted_files import read_json_or_none
from grader.learner.wording import Style
from grader.reason import SENTENCES

from .records import unjudged
from .test_export import Page

ID = "chapter3.mul.backward"


def insights(
    records: Iterable[dict[str, Any]], before: Mapping[str, float] | None = None
) -> Insights:
    kept = list(records)
    return item_analysis.analyse_class(kept, {r["learner"]: r for r in kept}.get, before)


def escape(text: str) -> str:
    """As the templates do it."""
    return escape_html(text).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")


def test_difficulty_and_groups_are_what_the_class_did(graded):
    found = insights(read_records(str(graded)))
    items = {item.id: item for item in found.items}
    assert len(found.learners) == 6 and [who for who, *_ in found.unjudged] == ["empty"]
    assert items[ID].counts == {"passed": 3, "failed": 2, "pending": 1}
    assert items["chapter3.exp.forward"].share == 5 / 6
    assert items[ID].telling > 0
    assert all(0 <= item.share <= 1 for item in found.items)
    lost = sum(r["max_mark"] - r["own"] for r in read_records(str(graded)) if r["result"])
    assert abs(sum(item.lost for item in found.items) - lost) < 0.01


def record(name: str, **ended: tuple[str, float, list[str]]) -> dict[str, Any]:
    """A record of exercises of two points: status, score, blocked by what."""
    check = {"id": "c", "yours": name, "mistake": None, "message": "", "title": "t"}
    exercises = [
        {"id": f"chapter1.{id}", "section": "1.1", "title": id, "status": status, "score": score,
         "max_score": 2.0, "blocked_by": [f"chapter1.{b}" for b in blocked],
         "checks": [{**check, "status": status}]}
        for id, (status, score, blocked) in ended.items()
    ]  # fmt: skip
    own = sum(e["score"] for e in exercises)
    result = {"chapters": [{"exercises": exercises}]}
    return {"learner": name, "own": own, "max_mark": 2.0 * len(exercises), "result": result}


def test_points_that_wait_are_charged_to_what_they_wait_for():
    waits = record("a", x=("failed", 0, []), y=("blocked", 0, ["x"]), z=("passed", 2, []))
    right = record("b", x=("passed", 2, []), y=("failed", 1, []), z=("passed", 2, []))
    found = insights([waits, right])
    assert {i.title: (i.lost, i.waited) for i in found.items} == {
        "x": (4, 2), "y": (1, 0), "z": (0, 0),
    }  # fmt: skip
    assert found.mean == found.median == pytest.approx(7 / 12) and sum(found.distribution) == 2


def test_who_shares_much_is_one_group_and_a_large_class_fits_its_page():
    same = {"x": ("failed", 0, []), "y": ("failed", 0, [])}
    made = [record(f"l{n:03}", z=("passed", 2, []), w=("failed", n / 500, [])) for n in range(500)]
    for name in ("p", "q"):
        one = record(name, **same)
        for e in one["result"]["chapters"][0]["exercises"]:
            e["checks"][0]["yours"] = 7
        made.append(one)
    found = insights(made)
    (group,) = (g for g in found.groups if g.learners == ["p", "q"])
    assert {group.id, *group.more} == {"chapter1.x", "chapter1.y"} and group.lost == 8
    assert len(found.columns) <= 60 and sum(c.size for c in found.columns) == 502
    assert len(heat_map(found)) < 200_000


def test_whom_to_talk_to_and_why():
    """Only who saw a solution, shares code or three wrong answers, or jumped, is named."""
    wrong = {name: ("failed", 0, []) for name in "xyz"}
    right = {name: ("passed", 2, []) for name in "xyz"}
    pair = [record(name, **wrong) for name in ("p", "q")]
    for e in (e for r in pair for e in r["result"]["chapters"][0]["exercises"]):
        e["checks"][0]["yours"] = 7
    made = [
        *pair, {**record("eve", **right), "revealed": {"chapter1.x": 5}},
        {**record("a", **right), "sha256": "s"}, {**record("b", **right), "sha256": "s"},
        record("jump", **right), record("calm", **right),
    ]  # fmt: skip
    found = insights(made, before={"jump": 0.1, "calm": 0.9}).oral
    assert {tuple(talk.learners): talk.says for talk in found} == {
        ("p", "q"): "3 exercises are wrong in the same way",
        ("eve",): "saw the solution of chapter1.x",
        ("a", "b"): "the same code",
        ("jump",): "from 10 % of the points to 100 %",
    }


def test_like_code_is_one_reason_and_equal_code_no_second_one():
    """Of three with much the same code two are copies, which is said once."""
    names = ["a", "b", "c", "d"]
    table = item_analysis.ClassTable()
    for name in names:
        table.add({**record(name, x=("passed", 2, [])), "sha256": "s" if name in "ab" else name})
    found = table.oral([], [Cluster(["a", "b", "c"], 0.9, ["ops.f"])], {})
    said = {tuple(talk.learners): talk.says for talk in found}
    assert said == {
        ("a",): "the same code as b; much the same code as c",
        ("b",): "the same code as a; much the same code as c",
        ("c",): "much the same code as a, b",
    }
    (pair,) = item_analysis.ClassTable().oral([], [Cluster(["a", "b"], 0.9, ["ops.f"])], {})
    assert (pair.learners, pair.says) == (["a", "b"], "much the same code")


def test_equal_hand_ins_are_one_paragraph():
    right = {name: ("passed", 2, []) for name in "xyz"}
    same = [{**record(f"s{n:02}", **right), "sha256": "s"} for n in range(15)]
    assert [len(talk.learners) for talk in insights(same).oral] == [15]
    same[3]["revealed"] = {"chapter1.x": 5}
    first, rest = insights(same).oral
    assert first.learners == ["s03"] and len(rest.learners) == 14
    assert first.says.startswith("saw the solution of chapter1.x; the same code as s00, s01")
    assert rest.says == "the same code as s03"
    assert len([t for t in format_insights(insights(same), Style(False, 80)) if "s0" in t]) < 6


ENDINGS = st.sampled_from(
    [("SyntaxError: a", "ops.py:1"), ("SyntaxError: a", "ops.py:2"), ("b", None)]
)


@given(st.lists(ENDINGS, min_size=2, max_size=6))
def test_learners_are_alike_if_their_packages_end_alike(endings):
    made = []
    for n, (message, place) in enumerate(endings):
        each = record(f"l{n}", x=("crashed", 0, []), y=("crashed", 0, []))
        for e in each["result"]["chapters"][0]["exercises"]:
            e["checks"][0] |= {"yours": None, "message": "Not judged: it cannot be imported."}
        ids = [e["id"] for e in each["result"]["chapters"][0]["exercises"]]
        cause = {"message": message, "location": place, "exercises": ids}
        each["result"]["unloadable"] = [cause]
        made.append(each)
    alike = {tuple(group.learners): group.says for group in insights(made).groups}
    expected: dict[Any, list[str]] = {}
    for n, ending in enumerate(endings):
        expected.setdefault(ending, []).append(f"l{n}")
    assert alike == {tuple(w): said for (said, _), w in expected.items() if len(w) > 1}


@pytest.mark.parametrize("name", sorted(UNTELLING))
def test_reasons_that_are_shared_by_chance_make_nobody_alike(name):
    """Two calls that were stopped, or died, may be as unlike as can be; an equal value tells."""
    assert name in SENTENCES
    made = [record(learner, x=("crashed", 0, []), y=("crashed", 0, [])) for learner in "ab"]
    for each in made:
        for e in each["result"]["chapters"][0]["exercises"]:
            e["checks"][0] |= {"yours": None, "message": "It ended.", "reason": {"name": name}}
    assert insights(made).groups == []
    for each in made:
        e = each["result"]["chapters"][0]["exercises"][0]
        e["checks"].append({**e["checks"][0], "status": "failed", "yours": [1.0]})
    assert [group.id for group in insights(made).groups] == ["chapter1.x"]


@pytest.mark.parametrize("status", ["timed_out", "out_of_memory"])
def test_calls_that_were_stopped_are_not_alike(status):
    """Records of version 1.0 hold no reasons."""
    made = [record(name, x=(status, 0, [])) for name in "ab"]
    for each in made:
        each["result"]["chapters"][0]["exercises"][0]["checks"][0]["yours"] = None
    assert insights(made).groups == []


def test_lists_name_people_as_the_roster_does():
    """The platforms' names as well; two of one name keep what tells them apart."""
    ids = [
        "4711",
        "loveada_5001_90001_work.zip",
        "Bo Lee_17_assignsubmission_file_",
        "4712",
        "4713",
    ]
    right = {name: ("passed", 2, []) for name in "xyz"}
    made = [{**record(id, **right), "sha256": "s"} for id in ids]
    listed = [
        Person(id, name, "", "", "", "")
        for id, name in {
            "4711": "Cy Ray",
            "5001": "Ada Love",
            "4712": "Di Fox",
            "4713": "Di Fox",
        }.items()
    ]
    found = item_analysis.analyse_class(made, {r["learner"]: r for r in made}.get, None, listed)
    expected = ["4712", "4713", "Ada Love", "Bo Lee", "Cy Ray"]
    assert sorted(found.learners) == sorted(found.oral[0].learners) == expected
    hidden = anonymous(found)
    assert sorted(hidden.learners) == [f"#{n}" for n in range(1, 6)]


def test_untouched_hand_outs_and_what_cannot_be_imported_are_nobody_to_talk_to():
    bare = {name: ("pending", 0, []) for name in "xyz"}
    lost = {name: ("failed", 0, []) for name in "xyz"}
    untouched = [{**record(name, **bare), "sha256": "s"} for name in ("p", "q")]
    broken = [record(name, **lost) for name in ("r", "s")]
    for e in (e for r in broken for e in r["result"]["chapters"][0]["exercises"]):
        e["checks"][0]["yours"] = 7
    for each in broken:
        cause = {"message": "SyntaxError", "location": None, "exercises": []}
        each["result"]["unloadable"] = [cause]
    unread = [{**unjudged(name), "sha256": "t"} for name in ("t", "u")]
    assert insights([*untouched, *broken, *unread]).oral == []
    touched = [{**record(name, **bare, v=("failed", 0, [])), "sha256": "s"} for name in ("p", "q")]
    assert [talk.learners for talk in insights(touched).oral] == [["p", "q"]]
    mended = [{**each, "result": {**each["result"], "unloadable": []}} for each in broken]
    assert [talk.learners for talk in insights(mended).oral] == [["r", "s"]]


def test_equal_wrong_answers_are_one_group(graded, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    place = tmp_path / "out" / "learners"
    other = read_json_or_none(str(place / "mo.json.gz"))
    (place / "zoe.json").write_text(json.dumps({**other, "learner": "zoe"}))
    found = insights(read_records(str(tmp_path / "out")))
    assert [g.learners for g in found.groups if g.id == ID] == [["mo", "zoe"]]
    assert found.groups[0].lost == max(g.lost for g in found.groups)


def test_the_terminal_and_the_page(graded, grader, tmp_path):
    ran = grader("insights", str(graded), "--html", str(tmp_path / "map.html"))
    assert ran.status == 0 and "6 judged, 1 without a mark" in ran.out
    assert "What cost the class most" in ran.out and ID in ran.out
    assert all(len(line) < 160 for line in ran.out.splitlines())
    text = (tmp_path / "map.html").read_text(encoding="utf-8")
    page = Page(text)
    assert not page.open and "<script" not in text
    cells = [a for t, a in page.tags if t == "td" and "title" in a]
    assert len(cells) == 6 * len(insights(read_records(str(graded))).items)
    ran = grader("insights", str(graded), "--anonymous", "--html", str(tmp_path / "map.html"))
    text = (tmp_path / "map.html").read_text(encoding="utf-8") + ran.out
    assert "#1" in text and not any(name in text for name in ("名前", ">ada<", ">mo<"))


def test_explain_replays_one_mark(graded, grader):
    ran = grader("explain", str(graded), "mo", ID)
    assert ran.status == 0, ran.out + ran.err
    assert "The replay gives the same" in ran.out and "(hidden)" in ran.out


def test_explain_is_a_page_that_its_learner_may_see(graded, grader, tmp_path):
    """Code, points and replay; what is hidden only for staff."""
    place = tmp_path / "complaint.html"
    shown = {}
    for staff in ((), ("--staff",)):
        assert grader("explain", str(graded), "mo", ID, "--html", str(place), *staff).status == 0
        shown[bool(staff)] = place.read_text(encoding="utf-8")
        assert not Page(shown[bool(staff)]).open and "<script" not in shown[bool(staff)]
        assert "return out_grad, out_grad" in shown[bool(staff)]
        assert "the same, check by check" in shown[bool(staff)]
    record = read_json_or_none(str(graded / "learners" / "mo.json.gz"))
    every = record["result"]["chapters"][0]["exercises"]
    (exercise,) = (e for e in every if e["id"] == ID)
    secret = [c for c in exercise["checks"] if c["hidden"] and c["message"]]
    assert secret and all(c["title"].split("`")[0] in shown[False] for c in secret)
    for text in (escape(c["message"]) for c in secret):
        assert text in shown[True] and text not in shown[False]


def test_explain_says_what_it_cannot_do(graded, grader, tmp_path):
    assert "Did you mean mo" in grader("explain", str(graded), "moo", ID).err
    assert "exercise chapter4.linear" in grader("explain", str(graded), "mo", "chapter4.linear").err
    assert "has no mark" in grader("explain", str(graded), "empty", ID).err
    shutil.copytree(graded, tmp_path / "out")
    path = tmp_path / "out" / "learners" / "mo.json.gz"
    path.write_text(json.dumps({**read_json_or_none(str(path)), "sha256": "0" * 64}))
    ran = grader("explain", str(tmp_path / "out"), "mo", ID)
    assert ran.status == 2 and "is not what was graded" in ran.err


def test_explain_without_a_whole_key_says_how_to_get_it_back(graded, grader, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    with (tmp_path / "out" / "answers.key").open("r+b") as key:
        key.truncate(1000)
    ran = grader("explain", str(tmp_path / "out"), "mo", ID)
    assert ran.status == 2 and "missing or damaged" in ran.err
    assert f"--out {tmp_path / 'out'}" in ran.err.replace("\n", " ")
