"""The figures of chapters 2, 6, 8, 9, 11 to 16, driven in a browser, beside the reference."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

pytest.importorskip("markdown_it")
from exercises.figures import given, runs  # noqa: E402
from grader.course import import_reference  # noqa: E402

from .demo import tensor  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]  # the browser matrix


@pytest.mark.parametrize("is_masked", [True, False])
def test_a_head_of_the_page_attends_as_in_the_reference(is_masked, figure, described):
    shown, gpt, at = figure("attention"), import_reference("gpt"), 12
    mask = gpt.causal_mask(16) if is_masked else None
    shown.choose("On" if is_masked else "Off")
    for number, head in enumerate(described("attention")["heads"], 1):
        shown.choose(str(number))
        for exponent in (-1, 0, 0.5):
            shown.slider("Temperature").fill(str(exponent))
            q, k = tensor(head["q"]) / 10**exponent, tensor(head["k"])
            _, weights = gpt.attention(q, k, k, mask)
            found = json.loads(shown.data("weights"))
            np.testing.assert_allclose(found, weights.data[at], 1e-9, 1e-12)
    shown.slider("Query").press("Home")
    later = sum(json.loads(shown.data("weights"))[1:])
    said = shown.at.locator(".fig-says").inner_text()
    assert (later == 0) == is_masked == ("goes to what comes later" not in said)


def test_the_second_head_looks_where_the_chapter_says(figure):
    shown = figure("attention")
    shown.choose("2")
    assert "token 12, «␣», gives 0.9" in shown.at.locator(".fig-says").inner_text()
    assert "to token 9, «t»" in shown.at.locator(".fig-says").inner_text()


def two_outputs(a, b, c):
    r = a * b * (b + c)
    return a + r, r * c


def test_both_modes_fill_the_jacobian_of_the_reference(figure):
    shown, x = figure("modes"), [tensor(value) for value in (2, 3, -1)]
    grad, jvp = import_reference("higher").grad, import_reference("forward_mode").jvp
    rows = [[float(each.data) for each in grad(out, x)] for out in two_outputs(*x)]
    columns = [
        [float(jvp(lambda *x, n=n: two_outputs(*x)[n], x, unit)[1].data) for n in (0, 1)]
        for unit in ([tensor(value) for value in row] for row in np.eye(3))
    ]
    # Nobody asks a node that nothing moves, or at which nothing arrives: q when a moves alone.
    for mode, right, asked in (("Forward", np.transpose(columns), 4 + 5 + 4), ("Reverse", rows, 8)):
        shown.choose(mode)
        shown.slider("Step").press("End")
        np.testing.assert_array_equal(json.loads(shown.data("jacobian")), right)
        assert shown.data("asked") == str(asked)
        shown.choose("Back")
        assert json.loads(shown.data("jacobian")) != np.array(right).tolist()


def test_pieces_hold_as_many_results_as_the_chapter_counts(figure, described, course):
    shown, sizes = figure("memory"), shown_sizes(course.prose("chapter13"))
    assert [run["size"] for run in described("memory")["runs"]] == [0, *sizes]
    for at, (size, most) in enumerate({0: 50, **sizes}.items()):
        shown.slider("Layers in a piece").fill(str(at))
        shown.slider("Step").press("End")
        assert shown.data("most") == str(most)
        counts = list(map(int, shown.data("counts").split(",")))
        assert len(counts) == (151 if size else 101) and counts[0] == counts[-1] == 0
        assert f"{100 if size else 50} layers are computed" in shown.at.inner_text()


def shown_sizes(prose):
    """The chapter's table: layers in a piece, and results that are held at most."""
    rows = re.findall(r"^ *(\d+) +\d+ \+ +\d+ = (\d+)  ▇", prose, re.MULTILINE)
    return {int(size): int(most) for size, most in rows}


def test_a_run_that_lost_nothing_goes_on_as_if_it_had_not_died(figure, described):
    shown, told = figure("resume"), described("resume")
    for at, death in enumerate(told["deaths"]):
        after, resumed = death["after"], death["runs"]
        assert resumed["nothing"]["losses"] == told["whole"][after:]
        assert [run["same"] for run in resumed.values()] == [told["arrays"], 0, 0, 0]
        assert {len(run["losses"]) for run in resumed.values()} == {runs.EPOCHS - after}
        shown.slider("It dies").fill(str(at))
        jumps = {}
        for name in resumed:
            shown.choose(name)
            jumps[name] = float(shown.data("jump"))
        assert jumps["nothing"] == 1 and jumps["the random state"] < 1.02
        assert jumps["the optimizer"] > 1.1  # what the chapter asks the reader to see


@pytest.mark.parametrize(("patience", "min_delta"), [(1, 0), (3, 0), (5, 0), (5, 0.03), (30, 0.1)])
def test_the_page_stops_when_the_reference_does(patience, min_delta, figure, described):
    shown, held = figure("stopping"), described("stopping")["held"]
    stopper = import_reference("trainer").EarlyStopping(patience, min_delta)
    right = next((n for n, loss in enumerate(held, 1) if stopper.update(loss)), len(held))
    shown.slider("Patience").fill(str(patience))
    shown.slider("min_delta").fill(str(min_delta))
    found = shown.computed("stops", held, patience, min_delta)
    assert found["epoch"] == right == int(shown.data("epoch"))
    assert held[found["at"] - 1] == stopper.best


def test_a_trial_has_the_verdicts_of_the_chapter(figure):
    shown, ops, numeric = (
        figure("trial"),
        import_reference("ops"),
        import_reference("checking").numeric_vjp,
    )
    wrong = {
        "not squared": lambda x, y: 1 - y,
        "of the input": lambda x, y: 1 - x * x,
        "a thousandth more": lambda x, y: 1.001 * (1 - y * y),
    }
    for x in (-1.0, 0.5):
        leaf = tensor(x)
        ops.tanh(leaf).backward()
        (moved,) = numeric(np.tanh, [np.array(x)], np.array(1.0))
        says = {name: rule(x, np.tanh(x)) for name, rule in wrong.items()}
        for name, said in {"from chapter 3": float(leaf.grad), **says}.items():
            shown.choose(name)
            shown.slider("x").fill(str(x))
            shown.slider("Step").fill("-5")
            assert float(shown.data("gap")) == pytest.approx(abs(said - moved), abs=1e-9)
            assert shown.data("accepted") == str(name == "from chapter 3").lower()
    # What the reader is asked to find.
    shown.slider("Tolerance").fill("-2")
    assert shown.data("accepted") == "true"
    shown.choose("from chapter 3")
    shown.slider("Tolerance").fill("-6")
    shown.slider("Step").fill("-13.5")
    assert shown.data("accepted") == "false"
    shown.slider("Step").fill("-5")
    shown.slider("x").fill("0")
    for name, escapes in (
        ("not squared", True),
        ("of the input", True),
        ("a thousandth more", False),
    ):
        shown.choose(name)
        assert shown.data("accepted") == str(escapes).lower()


@pytest.mark.parametrize("size", [1, 3, 4, 10])
def test_the_batches_of_the_page_are_those_of_the_references_loader(size, figure):
    shown, data = figure("loader"), import_reference("data")
    shown.slider("batch_size").fill(str(size))
    for way in ("shuffled", "in order"):
        shown.choose(way)
        with given.seeded(1):
            samples = data.ArrayDataset(np.arange(10))
            loader = data.DataLoader(samples, batch_size=size, shuffle=way == "shuffled")
            right = [[batch.data.tolist() for (batch,) in loader] for _ in range(6)]
        assert json.loads(shown.data("batches")) == right
        assert shown.data("least") == shown.data("most") == "6"
    shown.choose("drops the rest")
    assert (shown.data("least") == "6") == (10 % size == 0)
    shown.choose("keeps one order")
    assert "All epochs are alike." in shown.at.inner_text() and shown.data("least") == "6"
    shown.choose("with replacement")
    assert int(shown.data("least")) < 6 < int(shown.data("most"))


def test_what_shares_the_buffer_loses_its_batch_and_a_tensor_does_not(figure, described):
    shown, told = figure("alias"), described("alias")
    shared = {case["code"]: case["shares"] for case in told["cases"]}
    assert [code for code, shares in shared.items() if any(shares)] == [
        "np.asarray(buffer)",
        "buffer[:]",
    ]
    for code, shares in shared.items():
        shown.choose(code)
        for filled in (1, 2, 3):
            shown.slider("Batches").fill(str(filled))
            right = [told["batches"][filled - 1 if shares[0] else n] for n in range(filled)]
            assert json.loads(shown.data("kept")) == right
            assert shown.data("wrong") == str(filled - 1 if shares[0] else 0)
            assert len(shown.numbers()) == 3 * (1 if shares[0] else 1 + filled)


def test_four_engines_walk_to_the_same_end_each_in_its_way(figure, described):
    shown, engines = figure("walks"), described("walks")["engines"]
    recursion = "z q p p p"  # a rule for every path
    for name, steps in engines.items():
        shown.choose(name)
        shown.slider("Step").press("End")
        assert shown.data("asked") == (recursion if name == "grad_fn" else "z q p")
        assert steps[-1]["held"][:2] == [72, 48]  # of 2·(x·y)²
        assert (steps[-1]["held"][2:] == [None] * 3) == (name in ("apply", "lean"))
    given = import_reference("engines.grad_fn").Tensor
    x, y = (given(value, requires_grad=True) for value in (2.0, 3.0))
    p = x * y
    assert import_reference("engines.grad_fn").visits((p + p) * p) == len(recursion.split())


def ladder(engine, rungs):
    nodes = [engine.Tensor(1.0, requires_grad=True)]
    for _ in range(rungs):
        nodes.append(nodes[-1] + nodes[-1])
    return nodes


@pytest.mark.parametrize("way", ["by recursion", "in order"])
def test_a_ladder_is_walked_as_by_the_first_engine(way, figure):
    shown, engine = figure("paths"), import_reference("engines.grad_fn")
    shown.choose(way)
    for rungs in (1, 3, 5):
        nodes = ladder(engine, rungs)
        walk = engine.backward_in_order if way == "in order" else engine.Tensor.backward
        walk(nodes[-1])
        shown.slider("Diamonds").fill(str(rungs))
        shown.slider("Step").press("End")
        assert json.loads(shown.data("held")) == [float(node.grad) for node in nodes]
        asked = rungs if way == "in order" else engine.visits(nodes[-1])
        assert int(shown.data("asked")) == asked
        calls = shown.at.locator("circle[fill-opacity='1']").count()
        assert calls == 2 ** (rungs + 1) - 1  # a path from the result to each node


@pytest.mark.parametrize(
    ("lost", "after", "gone"),
    [("counter", 3, {"steps.0": 0}), ("second moment", 1000, {"second_moments.0": [0.0]})],
)
def test_an_adam_that_forgets_goes_on_as_the_reference(lost, after, gone, figure):
    def steps(adam, w, count):
        for _ in range(count):
            w.grad, before = np.array([2.0]), w.data.copy()
            adam.step()
            yield (before - w.data).item() / 0.1

    shown, optim, w = figure("forget"), import_reference("optim"), tensor([0.0])
    whole = optim.Adam([w], lr=0.1)
    list(steps(whole, w, after))
    again = optim.Adam([w], lr=0.1)
    again.load_state_dict(whole.state_dict() | {n: np.array(value) for n, value in gone.items()})
    right = list(steps(again, w, 20))
    shown.choose(lost)
    shown.slider("After step").fill(str(runs.AFTER.index(after)))
    assert float(shown.data("first")) == pytest.approx(right[0], 1e-3)
    assert int(shown.data("off")) == sum(abs(length - 1) > 0.05 for length in right)
    shown.choose("all three")
    assert shown.data("first") == "1"  # as a new Adam


@pytest.mark.parametrize("name", ["passes", "buffers", "cache"])
def test_a_program_is_stepped_through_line_by_line(figure, described, name):
    shown, stages = figure(name), described(name)["stages"]
    for number, stage in enumerate(stages):
        shown.slider("Step").fill(str(number))
        assert shown.data("title") == stage["title"]
        assert json.loads(shown.data("rows")) == stage["rows"]
        lines = shown.at.locator(".fig-line").all_text_contents()
        assert lines == [row[0] for row in stage["rows"]]


def test_an_arrow_leads_from_each_value_to_each_line_that_reads_it(figure, described):
    shown = figure("passes")
    for number, stage in enumerate(described("passes")["stages"]):
        texts = [row[0] for row in stage["rows"]]
        made = {text.split(" = ")[0]: n for n, text in enumerate(texts) if " = " in text}
        kept = [n for n, (_, mark) in enumerate(stage["rows"]) if mark != "gone"]
        right = {
            (made[name], n)
            for n in kept
            for name in re.findall(r"\bv\d+\b", texts[n].split(" = ")[-1])
        }
        arrows = {tuple(arrow) for arrow in stage["arrows"]}
        assert {(a, b) for a, b in arrows if b in kept} == right
        shown.slider("Step").fill(str(number))
        assert shown.at.locator(".fig-arrow").count() == len(arrows)


def test_a_bar_of_a_buffer_is_as_long_as_its_value_lives(figure, described):
    """Two values in one buffer never live at once: one may begin where the other ends."""
    shown, lives = figure("buffers"), described("buffers")["lives"]
    bars = [
        [float(bar.get_attribute(name)) for name in ("x", "y", "height")]
        for bar in shown.at.locator(".fig-life").all()
    ]
    assert len(bars) == len(lives) > 0
    assert len({bar[0] for bar in bars}) == len({buffer for buffer, _, _ in lives})
    for x in {bar[0] for bar in bars}:
        column = sorted((top, top + height) for at, top, height in bars if at == x)
        tops, ends = [top for top, _ in column[1:]], [end for _, end in column[:-1]]
        assert all(end <= top for end, top in zip(ends, tops, strict=True))


def test_a_cache_opens_with_the_outline_of_all_squares(described):
    first = described("cache")["stages"][0]["rows"]
    assert sum(row.count("□") + row.count("■") for row, _ in first) == 78
