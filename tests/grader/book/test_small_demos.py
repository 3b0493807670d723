"""Figures of a few numbers, in chapters 5 to 7, 9, 12, 14, 17, driven beside the reference."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("markdown_it")
from exercises.figures import blocks, errors, given, strided  # noqa: E402
from grader.course import import_reference  # noqa: E402

from .demo import tensor  # noqa: E402

IN_BROWSER = [pytest.mark.long, pytest.mark.xdist_group("book")]  # the browser matrix


def test_an_estimate_with_the_usual_step_is_the_references_own(described):
    checking = import_reference("checking")
    for f, x, _ in errors.CASES.values():
        for tool in ("numeric_vjp", "complex_vjp"):
            usual = checking.STEP * max(1, x) if tool == "numeric_vjp" else checking.COMPLEX_STEP
            ((right,),) = getattr(checking, tool)(f, [np.array([x])], np.ones(1))
            assert errors.estimate(tool, f, x, usual) == right
    assert checking.STEP == 6e-6 and checking.COMPLEX_STEP == 1e-30  # as they were before


def test_each_way_to_estimate_has_the_best_step_that_the_chapter_names(described):
    told = described("step")
    for case in told["cases"]:
        exponents = np.array(told["exponents"])
        one, both, imaginary = (np.array(case["off"][way]) for way in case["off"])
        assert abs(exponents[one.argmin()] - -8) <= 1  # near the square root of 2e-16
        assert abs(exponents[both.argmin()] - told["usual"]) <= 1.5  # near its cube root
        assert imaginary[exponents < -9].max() < 1e-14 * case["slope"] * 4
        # A step a tenth as large: to one side ten times as good, to both sides a hundred times.
        at, next_at = (list(exponents).index(e) for e in (-2, -3))
        assert one[at] / one[next_at] == pytest.approx(10, rel=0.05)
        assert both[at] / both[next_at] == pytest.approx(100, rel=0.05)


def test_the_parts_of_a_block_end_with_what_the_block_gives():
    gpt = import_reference("gpt")
    with given.seeded(4):
        made = gpt.Block(blocks.DIM, blocks.HEADS, "float64")
        x = tensor(np.random.normal(0, 1, (1, blocks.TOKENS, blocks.DIM)))
    (*_, last) = blocks.parts(made, x).values()
    right = made(x, gpt.causal_mask(blocks.TOKENS))
    np.testing.assert_array_equal(last.data, right.data)


def test_the_lines_that_three_orders_miss_are_those_of_the_chapters_formulas(described):
    n, line, tile, told = strided.SIZE, strided.LINE, strided.TILE, described("lines")
    right = {
        "plain": n**3 + n**3 // line + n**2,
        "by rows": n**3 // line + 2 * n**2 // line,
        "in tiles": 2 * n**3 // (line * tile) + n**2 // line,
    }
    assert {order["name"]: order["missed"][-1] for order in told["orders"]} == right
    for order in told["orders"]:
        touched = {code // 9 for period in order["touched"] for code in period}
        assert touched == set(range(3 * told["lines"]))  # every line, and each was missed once
        first = {code // 9: code % 9 for period in reversed(order["touched"]) for code in period}
        assert min(first.values()) >= 1


class TestInABrowser:
    pytestmark = IN_BROWSER

    def test_the_figure_of_the_step_shows_what_was_recorded(self, figure, described):
        shown, told = figure("step"), described("step")
        for case in told["cases"]:
            shown.choose(case["name"])
            for at in (0, 21, 40):
                shown.slider("Make the step").fill(str(at))
                assert json.loads(shown.data("off")) == [off[at] for off in case["off"].values()]

    @pytest.mark.parametrize("hidden", [None, "0 and 1", "only 0"])
    def test_three_tokens_are_weighed_as_by_the_reference(self, hidden, figure, described):
        shown, told, gpt = figure("tokens"), described("tokens"), import_reference("gpt")
        seen = {None: [1, 1, 1], "0 and 1": [1, 1, 0], "only 0": [1, 0, 0]}[hidden]
        shown.choose(hidden or "all three")
        for first, second in ((2, 0), (-3, 1.5), (4, 4)):
            shown.slider("first").fill(str(first))
            shown.slider("second").fill(str(second))
            q, k, v = (tensor(x) for x in ([[first, second]], told["keys"], told["values"]))
            mean, weights = gpt.attention(q, k, v, np.array([seen], dtype=bool))
            np.testing.assert_allclose(json.loads(shown.data("weights")), weights.data[0], 1e-12)
            np.testing.assert_allclose(json.loads(shown.data("mean")), mean.data[0], 1e-12, 1e-15)
        shown.choose("No")
        mean, _ = gpt.attention(q * np.sqrt(2), k, v, np.array([seen], dtype=bool))
        np.testing.assert_allclose(json.loads(shown.data("mean")), mean.data[0], 1e-12, 1e-15)

    def test_a_value_of_a_view_lies_where_the_reference_finds_it(self, figure, described):
        shown, told = figure("strides"), described("strides")
        tool = import_reference("ndarray")
        for view in told["views"]:
            where = (view["shape"], view["strides"], view["offset"])
            right = [tool.offset_of(i, *where) for i in tool.every_index(view["shape"])]
            shown.choose(view["name"])
            assert json.loads(shown.data("places")) == right
            shown.slider("Value").fill(str(len(right) - 1))
            assert int(shown.data("place")) == right[-1]
            assert f"= {right[-1]}:" in shown.at.locator(".fig-says").inner_text()

    def test_misses_are_counted_up_to_the_time_that_is_chosen(self, figure, described):
        shown, told = figure("lines"), described("lines")
        for time in (1, 16, 64):
            shown.slider("Time").fill(str(time))
            right = [order["missed"][time - 1] for order in told["orders"]]
            assert json.loads(shown.data("missed")) == right
            said = shown.at.locator("svg").first.get_attribute("aria-label")
            assert all(f"{count:,} lines" in said for count in right)

    @pytest.mark.parametrize("token", [0, 3, 5])
    def test_tokens_meet_in_attention_alone_and_only_later_ones_hear(self, token, figure):
        shown = figure("block")
        shown.choose(str(token))
        for part in range(7):
            shown.slider("Part").fill(str(part))
            right = [token] if part < 2 else list(range(token, blocks.TOKENS))
            assert json.loads(shown.data("reached")) == right

    @pytest.mark.parametrize(("rate", "said"), [(0.03, "without"), (0.07, "jumps"), (0.09, "grow")])
    def test_a_walk_down_the_ravine_is_the_references(self, rate, said, figure, described):
        shown, told = figure("ravine"), described("ravine")
        place = tensor(told["start"])
        optimizer = import_reference("optim").SGD([place], lr=rate)
        for _ in range(12):
            place.grad = place.data * np.array([1, told["steep"]])
            optimizer.step()
        shown.slider("Learning rate").fill(str(rate))
        found = [float(shown.data(name)) for name in ("x", "y")]
        np.testing.assert_allclose(found, place.data, 1e-12)
        assert said in shown.at.locator(".fig-says").inner_text()

    def test_a_gradient_is_clipped_as_by_the_reference(self, figure):
        shown, clip = figure("clip"), import_reference("optim").clip_grad_norm
        for a, b, most in ((3, 4, 1), (0.5, 5, 2), (1, 1, 5), (0, 0, 1)):
            held = [tensor([0.0]), tensor([0.0])]
            for each, grad in zip(held, (a, b), strict=True):
                each.grad = np.array([float(grad)])
            total = clip(held, most)
            for label, value in (("of a", a), ("of b", b), ("max_norm", most)):
                shown.slider(label).fill(str(value))
            assert float(shown.data("total")) == pytest.approx(total)
            found = json.loads(shown.data("whole"))
            np.testing.assert_allclose(found, [each.grad[0] for each in held], 1e-12)

    @pytest.mark.parametrize("size", [1, 3, 4, 7, 8])
    def test_the_mean_over_samples_is_what_evaluate_returns(self, size, figure, described):
        shown, losses = figure("means"), described("means")["losses"]
        batches = [losses[at : at + size] for at in range(0, len(losses), size)]
        nn, data = import_reference("nn"), import_reference("data")
        scores = np.array([[loss, 0.0] for loss in losses])  # the first one is the loss, too
        dataset = data.ArrayDataset(scores, np.zeros(len(losses), dtype=int))
        run = import_reference("trainer").Trainer(
            nn.Sequential(), None, lambda out, y: tensor(out.data[:, 0].mean()), None,
            data.DataLoader(dataset, size),
        )  # fmt: skip
        shown.slider("batch_size").fill(str(size))
        means = np.mean([np.mean(batch) for batch in batches])
        assert float(shown.data("means")) == pytest.approx(means)
        assert float(shown.data("samples")) == pytest.approx(run.evaluate()[0])

    @pytest.mark.parametrize(("way", "std"), [("1", np.sqrt), ("1 / √fan_in", lambda n: 1)])
    def test_a_sum_spreads_as_its_variances_add(self, way, std, figure):
        shown = figure("spread")
        shown.choose(way)
        for count in (1, 16, 100):
            shown.slider("fan_in").fill(str(count))
            assert float(shown.data("right")) == pytest.approx(std(count))
            assert float(shown.data("std")) == pytest.approx(std(count), rel=0.1)

    @pytest.mark.parametrize("name", ["images", "labels"])
    def test_a_byte_means_what_the_reference_reads_in_it(self, name, figure, described):
        shown, told = figure("idx"), described("idx")["files"][name]
        array = import_reference("data").parse_idx(bytes(told["bytes"]))
        head = 4 + 4 * array.ndim
        shown.choose(name)
        for at, byte in enumerate(told["bytes"]):
            shown.slider("Byte").fill(str(at))
            index = json.loads(shown.data("index"))
            assert (index is None) == (at < head)
            if index is not None:
                assert array[tuple(index)] == byte
            elif at >= 4:
                axis = int(shown.data("first")) // 4 - 1
                says = shown.at.locator(".fig-says").inner_text()
                assert f"size of axis {axis}: {array.shape[axis]}." in says

    def test_a_rate_is_that_of_the_references_schedules(self, figure, described):
        shown, told, optim = figure("schedules"), described("schedules"), import_reference("optim")
        for t, every, factor, warmup in ((0, 25, 0.5, 10), (75, 10, 0.9, 0), (100, 50, 0.1, 50)):
            for label, value in (("every", every), ("factor", factor), ("warmup", warmup)):
                shown.slider(label).fill(str(value))
            shown.at.locator("label", has_text="t").first.locator("input").fill(str(t))
            right = [
                optim.step_decay(t, told["lr"], every, factor),
                optim.warmup_cosine(t, told["lr"], warmup, told["total"]),
            ]
            np.testing.assert_allclose(json.loads(shown.data("rates")), right, 1e-12, 1e-15)
