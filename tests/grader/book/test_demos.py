"""The figures of arrays, images and networks, driven in a browser, beside the reference."""

from __future__ import annotations

import itertools
import json
import random

import numpy as np
import pytest

pytest.importorskip("markdown_it")
from exercises.figures import FIGURES, networks  # noqa: E402
from grader.course import import_reference  # noqa: E402

from .barriers import find_barriers  # noqa: E402
from .demo import PAGES, tensor  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]  # the browser matrix


def test_every_demo_stands_in_the_page_that_is_tested(course):
    assert set(PAGES) <= set(FIGURES)
    for name, page in PAGES.items():
        assert f"```{{figure}} {name}\n" in course.prose(page)


def test_a_value_lands_where_the_transpose_of_the_reference_puts_it(figure, described):
    shown, told = figure("transpose"), described("transpose")
    for axes, case in zip(told["axes"], told["cases"], strict=True):
        assert shown.computed("inverse", axes) == np.argsort(axes).tolist()
        shown.choose(f"({', '.join(map(str, axes))})")
        for way, name in (("Forward", "out"), ("Back with the inverse", "grad")):
            shown.choose(way)
            first, second = shown.numbers(".lit")
            assert first == second
            place = np.argwhere(np.array(case[name]) == first)[0]
            assert shown.data("lands") == ",".join(map(str, place))
        assert shown.data("lands") == "1,1,3"  # the inverse brings it home
        shown.choose("Back with the same again")
        is_home = shown.data("lands") == "1,1,3"
        assert is_home == (np.argsort(axes).tolist() == axes)
        assert ("undoes itself" in shown.at.inner_text()) == is_home
    at = shown.slider("Value to follow")
    at.press("ArrowLeft")
    assert at.input_value() == "18"


def test_a_sum_goes_forward_and_back_as_in_the_reference(figure, described):
    shown = figure("sum")
    for case, name in zip(described("sum")["cases"], ("sum(1)", "sum(0)", "sum()"), strict=True):
        shown.choose(name)
        shown.choose("Forward")
        assert shown.numbers() == [*np.ravel(case["a"]), *np.ravel(case["out"])]
        shown.choose("Backward")
        assert shown.numbers() == [*np.ravel(case["grad"]), *np.ravel(case["arrives"])]


def test_a_matrix_product_and_its_gradients_are_the_references(figure, described):
    shown, told = figure("matmul"), described("matmul")
    for n, k, m in ((2, 3, 2), (1, 1, 1), (3, 4, 1), (1, 2, 3), (3, 4, 3)):
        cut = {"a": (n, k), "b": (k, m), "g": (n, m)}
        a, b, g = (tensor(np.array(told[name])[:r, :c]) for name, (r, c) in cut.items())
        c = a @ b
        right = [c.data, *(grad.data for grad in c._op.backward(g, c))]
        for way, expected in enumerate(right):
            found = shown.computed("factors", way, told, [n, k, m])["out"]
            np.testing.assert_array_equal(found, expected)


def test_matrices_are_walked_by_button_by_key_and_by_play(figure):
    shown = figure("matmul")
    shown.choose("Gradient of a")
    assert shown.data("value") == "1"  # the numbers of the chapter: [[1 20 13] [2 40 26]]
    shown.choose("Next")
    assert shown.data("value") == "20" and "10 · 2" in shown.at.locator(".fig-says").inner_text()
    shown.slider("Value of the result").press("End")
    assert shown.data("value") == "26" and shown.numbers(".out") == [1, 20, 13, 2, 40, 26]
    shown.slider("m:").press("ArrowRight")
    assert shown.at.locator("text=out_grad (2, 3)").is_visible()
    shown.choose("Play")
    shown.page.wait_for_function("document.getElementById('figure-matmul').dataset.value === '7'")
    shown.choose("Pause")


def convolved(picture, weights, stride, padding):
    """The output by the reference, and the windows as rows by NumPy."""
    out = import_reference("ops").conv(
        tensor(picture[None, :, :, None]), tensor(weights[:, :, None, None]), stride, padding
    )
    padded = np.pad(picture, padding)
    seen = np.lib.stride_tricks.sliding_window_view(padded, weights.shape)[::stride, ::stride]
    return out.data[0, :, :, 0], seen.reshape(-1, weights.size)


def test_windows_as_rows_make_the_convolution_of_the_reference(figure, described):
    shown, told = figure("im2col"), described("im2col")
    picture = np.array(told["picture"], dtype=float)
    for kernel, stride, padding in itertools.product(told["kernels"], (1, 2), (0, 1)):
        size = len(kernel)
        out, matrix = convolved(picture, np.array(kernel, dtype=float), stride, padding)
        found = shown.computed("windows", told["picture"], kernel, stride, padding)
        np.testing.assert_array_equal(found["out"], out)
        np.testing.assert_array_equal(found["matrix"], matrix)
        shown.choose(f"{size} × {size}")
        for label, value in (("Padding", padding), ("Stride", stride)):
            group = shown.at.get_by_role("group", name=label)
            group.get_by_role("button", name=str(value), exact=True).click()
        shown.choose("A window: a row")
        shown.slider("Window").press("End")
        assert float(shown.data("sum")) == out.ravel()[-1]
        shown.choose("A weight: a column")
        shown.slider("Weight").press("End")
        lit = shown.numbers(".lit:not(.out)")  # in the picture, and in the matrix
        assert sorted(lit) == sorted([*matrix[:, -1], *matrix[:, -1]])


def test_the_dilated_gradient_under_the_flipped_kernel_is_the_references(figure, described):
    shown, told = figure("dilate"), described("dilate")
    for size, stride in itertools.product((4, 5, 6, 7, 8), (1, 2, 3)):
        a = tensor(np.arange(float(size)).reshape(1, 1, size, 1))
        out = import_reference("ops").conv(
            a, tensor(np.reshape(told["kernel"], (1, 3, 1, 1))), stride
        )
        count, left = out.shape[2], (size - 3) % stride
        out.backward(tensor(np.reshape(told["arrives"][:count], out.shape)))
        shown.slider("Size of a").fill(str(size))
        shown.slider("Stride").fill(str(stride))
        assert list(map(float, shown.data("gradient").split(","))) == a.grad.ravel().tolist()
        found = shown.computed("wayBack", size, told["kernel"], stride, told["arrives"])
        spread = import_reference("ops").dilate(tensor(told["arrives"][:count]), 0, stride).data
        np.testing.assert_array_equal(found["around"], [0, 0, *spread, 0, 0, *[0] * left])
        assert found["kinds"].count("left") == left
        assert found["kinds"].count("between") == (count - 1) * (stride - 1)
    shown.slider("Value of a").press("Home")
    assert "Gradient of a₀" in shown.at.locator(".fig-says").inner_text()


def scalar_network(weights):
    """The chapter's own network, with these weights."""
    engine = import_reference("scalar")
    net = engine.MLP([2, 8, 8, 1], output="sigmoid")
    for layer, matrix, bias in zip(net.layers, weights[::2], weights[1::2], strict=True):
        for number, neuron in enumerate(layer.neurons):
            neuron.bias.data = float(np.asarray(bias)[number])
            for weight, value in zip(neuron.weights, np.asarray(matrix)[:, number], strict=True):
                weight.data = float(value)
    return engine, net


def test_the_recorded_training_is_that_of_the_scalar_engine(described):
    told = described("moons")
    start = [each.data for each in networks.weights()]
    engine, net = scalar_network(start)
    for _ in range(2):
        engine.zero_grad(net.parameters())
        loss = engine.binary_cross_entropy([net(p) for p in told["points"]], told["targets"])
        loss.backward()
        for each in net.parameters():
            each.data -= networks.RATE * each.grad
    for layer, matrix, bias in zip(
        net.layers, *(told["frames"][2]["weights"][n::2] for n in (0, 1)), strict=True
    ):
        found = [[w.data for w in neuron.weights] for neuron in layer.neurons]
        np.testing.assert_allclose(np.transpose(found), matrix, rtol=1e-3, atol=1e-6)
        np.testing.assert_allclose([n.bias.data for n in layer.neurons], bias, 1e-3, 1e-6)
    assert told["frames"][2]["step"] == 2 and told["frames"][-1]["right"] == 1


def test_the_page_believes_what_the_network_of_the_reference_does(figure, described):
    shown, told = figure("moons"), described("moons")
    draw = random.Random(3)
    for frame in (told["frames"][0], told["frames"][8], told["frames"][-1]):
        _, net = scalar_network(frame["weights"])
        for _ in range(3):
            place = [draw.uniform(-1.4, 2.4), draw.uniform(-1.6, 2.1)]
            found = shown.computed("believes", frame["weights"], place)
            assert found == pytest.approx(net(place).data, rel=1e-12)


def test_moons_are_played_scrubbed_and_asked(figure, described):
    shown, frames = figure("moons"), described("moons")["frames"]
    shown.slider("Training").press("End")
    assert shown.data("step") == str(frames[-1]["step"])
    assert "100 of 100 points right" in shown.at.locator(".fig-says").inner_text()
    before = shown.data("says")
    box = shown.at.locator("canvas").bounding_box()
    shown.page.mouse.move(box["x"] + 200, box["y"] + 200)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + 26, box["y"] + 130, steps=3)
    shown.page.mouse.up()
    assert float(shown.data("says")) != float(before)
    assert float(shown.slider("Look at x").input_value()) == pytest.approx(-1.0, abs=0.06)
    shown.slider("Look at x").press("ArrowRight")
    _, net = scalar_network(frames[-1]["weights"])
    place = [float(shown.slider(f"Look at {axis}").input_value()) for axis in "xy"]
    assert float(shown.data("says")) == pytest.approx(net(place).data, rel=0.05)
    shown.choose("Play")
    shown.page.wait_for_function(
        "Number(document.getElementById('figure-moons').dataset.step) === 2"
    )
    shown.choose("Pause")


@pytest.mark.parametrize("bend", ["relu", "tanh"])
def test_the_spread_of_the_page_is_that_of_the_reference(bend, figure):
    shown = figure("deep")
    made, found = shown.page.evaluate(
        """([bend]) => {
          const net = BookFigures.drawn(8, 6, 4, 5), flat = (list) => Array.from(list);
          return [{ x: flat(net.x), arrives: flat(net.arrives), layers: net.layers.map(flat) },
            BookFigures.spread(net, bend, 0.7)];
        }""",
        [bend],
    )
    x, arrives = (tensor(np.reshape(made[name], (8, 6))) for name in ("x", "arrives"))
    held = [tensor(0.7 * np.reshape(layer, (6, 6))) for layer in made["layers"]]
    function, init = getattr(import_reference("ops"), bend), import_reference("init")
    layers = [lambda v, w=w: function(v @ w) for w in held]
    looked = [each.std for each in init.activation_statistics(layers, x)]
    np.testing.assert_allclose(found["forward"], looked, 1e-9)
    for layer in layers:
        x = layer(x)
    x.backward(arrives)
    looked = [each.std for each in init.gradient_statistics(held)]
    np.testing.assert_allclose(found["back"], looked, 1e-9)


def test_draws_of_the_page_are_normal(figure):
    drawn = figure("deep").page.evaluate(
        "() => Array.from(BookFigures.drawn(64, 64, 20, 11).layers[3])"
    )
    assert abs(np.mean(drawn)) < 0.06 and np.std(drawn) == pytest.approx(1, abs=0.05)
    assert np.mean(np.abs(drawn) < 1) == pytest.approx(0.683, abs=0.03)


def test_twenty_layers_do_what_the_chapter_says(figure, described):
    told, shown = described("deep"), figure("deep")
    last = {start: told["relu"][start]["forward"][-1] for start in networks.STARTS}
    assert last["std 0.01"] < 1e-20 and last["std 0.5"] > 1e6
    assert 1e-4 < last["Xavier"] < 1e-2 and 0.3 < last["Kaiming"] < 3
    bars = told["tanh"]["std 0.5"]["bars"][-1]
    assert bars[0] + bars[-1] > 60  # saturated: most of it lies at both ends
    gain = shown.slider("Your gain")
    gain.fill("1.41")
    level = float(shown.data("own"))
    gain.press("ArrowLeft")
    assert 0.1 < float(shown.data("own")) < level < 5
    gain.fill("1")
    assert float(shown.data("own")) == pytest.approx(level / 1.41**20, rel=1e-6)  # ReLU scales
    shown.choose("Gradients")
    shown.choose("tanh")
    shown.slider("Layer").press("Home")
    assert "Layer 1, tanh, std of the gradients" in shown.at.locator(".fig-says").inner_text()


def test_a_batch_comes_out_of_the_norms_as_in_the_reference(figure, described):
    shown, nn = figure("batch"), import_reference("nn")
    x = np.array(described("batch")["x"])
    layer = nn.LayerNorm1d(4, dtype="float64")
    np.testing.assert_allclose(json.loads(shown.data("out")), layer(tensor(x)).data, 1e-9)
    shown.choose("BatchNorm")
    norm = nn.BatchNorm1d(4, dtype="float64")
    right = norm(tensor(x)).data
    np.testing.assert_allclose(json.loads(shown.data("out")), right, 1e-9)
    norm(tensor(x))
    for _ in range(2):
        shown.choose("Train on it once")
    shown.choose("Evaluation")
    norm.eval()
    np.testing.assert_allclose(json.loads(shown.data("out")), norm(tensor(x)).data, 1e-9)


@pytest.mark.parametrize("p", [0.2, 0.55])
def test_a_batch_comes_out_of_dropout_as_in_the_reference(p, figure, described, monkeypatch):
    shown, told = figure("batch"), described("batch")
    monkeypatch.setattr(np.random, "random", lambda shape: np.array(told["draws"]))
    drop = import_reference("nn").Dropout(p)
    shown.choose("Dropout")
    shown.slider("Drop with p").fill(str(p))
    right = drop(tensor(told["x"])).data
    np.testing.assert_allclose(json.loads(shown.data("out")), right, 1e-12)
    shown.choose("Draw again")
    assert json.loads(shown.data("out")) != right.tolist()
    shown.choose("Evaluation")
    assert json.loads(shown.data("out")) == told["x"]


def test_one_value_moves_a_row_a_column_or_nobody_else(figure):
    shown = figure("batch")
    boxes = shown.at.locator(".fig-drag")
    boxes.nth(9).click()
    assert shown.slider("Value").input_value() == "9"
    shown.slider("Make it").press("ArrowRight")
    assert shown.data("changed") == "4"
    shown.choose("BatchNorm")
    assert shown.data("changed") == "6"
    shown.choose("Evaluation")
    assert shown.data("changed") == "1"
    shown.choose("As it was")
    assert shown.data("changed") == "0"


WRONG = """() => [...document.querySelectorAll("figure.fig")].flatMap((figure) => {
  const room = figure.getBoundingClientRect(), found = [];
  for (const each of figure.querySelectorAll("button, input")) {
    const box = each.getBoundingClientRect();
    if (box.height && box.height < 44) found.push([figure.id, each.outerHTML, box.height]);
  }
  for (const each of figure.querySelectorAll("svg, canvas, .fig-cell, .fig-box text")) {
    const box = each.getBoundingClientRect();
    if (box.left < room.left || box.right > room.right) found.push([figure.id, each.outerHTML]);
  }
  const labels = [...figure.querySelectorAll("svg > text")].filter((each) => each.textContent);
  labels.forEach((each, at) => {
    if (parseFloat(getComputedStyle(each).fontSize) < 11) found.push([figure.id, each.outerHTML]);
    const one = each.getBoundingClientRect();
    for (const next of labels.slice(at + 1).map((other) => other.getBoundingClientRect())) {
      const across = Math.min(one.right, next.right) - Math.max(one.left, next.left);
      const down = Math.min(one.bottom, next.bottom) - Math.max(one.top, next.top);
      if (across > 2 && down > 4) found.push([figure.id, each.outerHTML, across, down]);
    }
  });
  return found;
})"""


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.parametrize("page", sorted(set(PAGES.values())))
def test_figures_fit_and_can_be_touched(page, width, read):
    opened = read(f"{page}.html", width=width, reduced_motion="reduce")
    opened.wait_for_selector("figure.fig svg")
    assert opened.evaluate(WRONG) == []
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert opened.evaluate(wide) == 0


def test_where_motion_is_unwelcome_nothing_flies(figure):
    ended = """() => {
      const figure = document.getElementById("figure-sum");
      figure.querySelectorAll("button")[1].click();
      return figure.querySelectorAll(".fig-box").length;
    }"""
    assert figure("sum").page.evaluate(ended) == 8  # at once, in their places
    flying = figure("sum", reduced_motion="no-preference")
    assert flying.page.evaluate(ended) == 8 - 6 + 6  # the values have left, and fly
    flying.page.wait_for_function(
        "document.querySelectorAll('#figure-sum .fig-box.lit').length === 2"
    )


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", sorted(set(PAGES.values())))
def test_nothing_serious_stands_in_the_way(page, scheme, read):
    opened = read(f"{page}.html", color_scheme=scheme, reduced_motion="reduce")
    for button in opened.get_by_role("button", name="End", exact=True).all():
        button.click()  # a graph shows all its values and gradients
    assert find_barriers(opened, ".fig") == []


@pytest.mark.parametrize("name", ["walks", "paths", "modes", "passes", "cache", "strides"])
def test_a_button_that_leads_nowhere_is_off_and_the_keyboard_goes_to_the_other(name, figure):
    box = figure(name).page.locator(f"#figure-{name}")
    back, onward = (box.get_by_role("button", name=way, exact=True) for way in ("Back", "Next"))
    assert back.is_disabled() and not onward.is_disabled()
    onward.click()
    back.click()
    assert back.is_disabled() and onward.evaluate("it => it === document.activeElement")
