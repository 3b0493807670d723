"""The figures, driven in a real browser: their numbers are those of the reference."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from grader import root

pytest.importorskip("markdown_it")
from exercises.figures import FIGURES  # noqa: E402
from exercises.figures.graphs import graph  # noqa: E402
from grader.course import import_reference  # noqa: E402

from ..graph_format import require  # noqa: E402

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("book")]  # the browser matrix
GRAPHS = [name for name, (kind, _) in FIGURES.items() if kind == "graph"]
ALL = {
    "add": ("a", "b"), "sub": ("a", "b"), "mul": ("a", "b"), "div": ("a", "b"), "neg": ("a",),
    "square": ("a",), "exp": ("a",), "log": ("a",), "relu": ("a",), "tanh": ("a",),
    "sigmoid": ("a",),
}  # fmt: skip


@pytest.fixture
def chapter1(read):
    page = read("chapter1.html")
    page.wait_for_function("window.BookFigures")
    return page


@pytest.fixture
def computing(kept_open):
    """The page where it only computes: nothing of it is touched."""
    page = kept_open("chapter1.html")
    page.wait_for_function("window.BookFigures")
    return page


def test_every_figure_is_named_by_the_prose(course):
    prose = "".join(course.prose(chapter.id) for chapter in course.chapters)
    assert [name for name in FIGURES if f"```{{figure}} {name}\n" not in prose] == []


@pytest.mark.sampled(long=4)
@pytest.mark.parametrize("op", ALL)
@pytest.mark.parametrize("at", [(1.7, -0.6), (0.3, 2.5)])
def test_the_page_computes_by_the_rules_of_the_reference(op, at, computing):
    names = ALL[op]
    leaves = {name: (value, -4, 4) for name, value in zip(("a", "b"), at, strict=True)}
    told = graph("one op", {**{n: leaves[n] for n in names}, "k": (op, *names),
                            "y": ("mul", "k", "k")})  # fmt: skip
    found = computing.evaluate("(graph) => BabygradGraph.walk(graph)", told)
    np.testing.assert_allclose(found["values"], [node["value"] for node in told["nodes"]], 1e-12)
    expected = [node["gradient"] for node in told["nodes"]]
    np.testing.assert_allclose(found["gradients"], expected, 1e-12)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_of_the_book_has_the_format_of_every_other(name):
    require(FIGURES[name][1]())


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_ends_with_the_gradients_of_the_reference(name, chapter1):
    _, describe = FIGURES[name]
    figure = chapter1.locator(f"#figure-{name}")
    figure.scroll_into_view_if_needed()
    assert set(figure.locator(".fig-gradient").all_text_contents()) == {""}
    figure.locator("button", has_text="End").click()
    shown = [t.replace("−", "-") for t in figure.locator(".fig-gradient").all_text_contents()]
    assert shown == [f"{node['gradient']:.2f}" for node in describe()["nodes"]]


NAMED = {"tanh": "tanh", "sum": "add", "bias": "add", "product": "mul", "square": "square"}


@pytest.mark.parametrize("name", GRAPHS)
def test_what_a_figure_is_called_is_what_it_draws(name, chapter1):
    figure = chapter1.locator(f"#figure-{name}")
    title = figure.locator("svg").first.get_attribute("aria-label")
    drawn = {node["op"] for node in FIGURES[name][1]()["nodes"]}
    assert [word for word, op in NAMED.items() if word in title and op not in drawn] == []


def off(h: float, dtype: type) -> float:
    """Return how far rounding moves the estimate of x³ + (1.5·(−1))³ at 2, with the nudge h."""
    x, rest, h = dtype(2), dtype(-3.375), dtype(h)
    above, below = (at * at * at + rest for at in (x + h, x - h))
    return abs(abs(float((above - below) / (2 * h)) - 12) - float(h) ** 2)


@pytest.mark.parametrize("exponent", [-1, -2, -4, -7, -12])
def test_the_nudge_names_what_its_error_comes_from(exponent, chapter1):
    figure = chapter1.locator("#figure-nudge")
    slider = figure.locator("input[type=range]")
    slider.evaluate("(e, to) => { e.value = to; e.dispatchEvent(new Event('input')); }", exponent)
    says = figure.locator(".fig-says").inner_text()
    h = 10.0**exponent
    one, other = (
        "rounding" if off(h, dtype) > h * h else "the curve" for dtype in (np.float64, np.float32)
    )
    if one == other:
        assert f"In both the error comes from {one}:" in says
    else:
        assert f"In float64 the error comes from {one}, in float32 from {other}." in says


def test_what_is_dragged_by_key_is_computed_anew(chapter1):
    figure = chapter1.locator("#figure-product")
    figure.locator("button", has_text="End").click()
    b = figure.locator('[role="slider"]').nth(1)
    b.focus()
    for _ in range(20):
        b.press("ArrowRight")
    assert b.get_attribute("aria-valuenow") == "-1"
    shown = [t.replace("−", "-") for t in figure.locator(".fig-gradient").all_text_contents()]
    assert shown[:2] == ["0.00", "2.00"]  # a·b + a with b = -1 does not move with a


def test_what_is_dragged_by_pointer_moves_too(chapter1):
    figure = chapter1.locator("#figure-product")
    figure.scroll_into_view_if_needed()
    box = figure.locator('[role="slider"]').first.bounding_box()
    chapter1.mouse.move(box["x"] + 20, box["y"] + 80)
    chapter1.mouse.down()
    chapter1.mouse.move(box["x"] + box["width"], box["y"] + 80, steps=3)
    chapter1.mouse.up()
    assert figure.locator('[role="slider"]').first.get_attribute("aria-valuenow") == "4"


def test_forward_shows_values_and_backward_what_is_handed_on(chapter1):
    figure = chapter1.locator("#figure-product")
    assert "Nothing is computed yet" in figure.locator(".fig-says").inner_text()
    for _ in range(2):
        figure.locator("button", has_text="Next").click()
    assert "y = (−6.00) + 2.00 = −4.00" in figure.locator(".fig-says").inner_text()
    for _ in range(3):
        figure.locator("button", has_text="Next").click()
    assert "added to what is there: −2.00" in figure.locator(".fig-says").inner_text()
    chips = figure.locator('.fig-chip[visibility="visible"]').all_text_contents()
    assert chips == ["−3.00", "2.00"]


def test_a_card_without_a_number_yet_shows_its_formula(chapter1):
    figure = chapter1.locator("#figure-neuron")
    figure.locator(".fig-card").first.press("Home")

    def shown():
        return [text for text in figure.locator(".fig-formula").all_text_contents() if text]

    assert shown() == ["w₁ · x₁", "w₂ · x₂", "p + q", "s + b", "tanh z"]
    figure.locator("button", has_text="Next").click()
    assert len(shown()) == 4
    figure.locator("button", has_text="End").click()
    assert shown() == []


def test_full_numbers_are_a_click_away_and_follow_what_is_dragged(chapter1):
    figure = chapter1.locator("#figure-neuron")
    figure.scroll_into_view_if_needed()
    figure.locator("button", has_text="End").click()
    figure.locator(".fig-card").last.click()
    y = FIGURES["neuron"][1]()["nodes"][-1]["value"]
    shown = figure.locator(".fig-full.ahead span").inner_text()
    assert shown.replace("−", "-") == f"{y:.12g}"
    figure.locator('[role="slider"]').first.press("ArrowRight")
    assert figure.locator(".fig-full.ahead span").inner_text() != shown
    figure.locator('[role="slider"]').first.press("Enter")
    assert "w₁" in figure.locator(".fig-detail").inner_text()
    figure.locator("button", has_text="Close").click()
    assert figure.locator(".fig-detail").is_hidden()


def test_gradients_are_hidden_and_shown_and_what_was_chosen_is_kept(chapter1):
    figure, other = (chapter1.locator(f"#figure-{name}") for name in ("product", "neuron"))
    for each in (figure, other):
        each.locator("button", has_text="End").click()
    right = figure.locator(".fig-gradient").all_text_contents()
    hide = figure.locator("button", has_text="Hide gradients")
    assert hide.bounding_box()["height"] >= 44
    hide.press("Enter")
    figure.locator("button", has_text="Back").click()

    def told():
        held = figure.evaluate("(each) => each.querySelector('.fig-foot').innerText")
        cards = figure.locator(".fig-card").evaluate_all(
            "(all) => all.map((c) => `${c.ariaLabel} ${c.getAttribute('aria-valuetext')}`)"
        )
        return held, "".join(cards), figure.locator(".fig-chip[visibility=visible]").count()

    says, cards, chips = told()
    assert "Predict it" in says and "−" not in says and "gradient" not in cards and not chips
    figure.locator(".fig-card").last.click()
    assert figure.locator(".fig-full.back").count() == 0
    assert "" not in other.locator(".fig-gradient").all_text_contents()
    figure.locator('[role="slider"]').first.press("ArrowRight")  # a is 2.1 now: a·b + a
    assert figure.locator(".fig-value").last.text_content() == "−4.20"
    chapter1.reload()
    figure.locator("button", has_text="End").click()
    assert set(figure.locator(".fig-gradient").all_text_contents()) == {""}
    figure.locator("button", has_text="Show gradients").press("Space")
    assert figure.locator(".fig-gradient").all_text_contents() == right


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_no_card_overlaps_another_and_none_is_cut_off(width, read):
    page = read("chapter1.html", width=width)
    for name in GRAPHS:
        figure = page.locator(f"#figure-{name}")
        inside = figure.locator(".fig-scene").bounding_box()
        boxes = [each.bounding_box() for each in figure.locator(".fig-card > rect").all()]
        for at, one in enumerate(boxes):
            assert one["x"] >= inside["x"] - 1
            assert one["x"] + one["width"] <= inside["x"] + inside["width"] + 1
            for other in boxes[at + 1 :]:
                beside = abs(one["x"] - other["x"]) >= one["width"] - 0.5
                assert beside or abs(one["y"] - other["y"]) >= one["height"] - 0.5


def nudged(at, kind=float):
    """The function of the figure where one element moves, and where it is now."""
    held = [kind(node["value"]) for node in FIGURES["nudge"][1]()["nodes"] if not node["op"]]

    def y(x):
        a, b, c = (*held[:at], x, *held[at + 1 :])
        p = b * c
        return a * a * a + p * p * p

    return y, held[at]


@pytest.mark.parametrize("at", [0, 1, 2])
def test_the_estimate_is_that_of_chapter_1_for_every_element(at, chapter1):
    told, figure = FIGURES["nudge"][1](), chapter1.locator("#figure-nudge")
    figure.get_by_role("group", name="Nudge").locator("button").nth(at).click()
    y, x = nudged(at)
    for exponent in (-1, -3, -6, -9):
        figure.locator("input").fill(str(exponent))
        expected = import_reference("scalar").numerical_derivative(y, x, 10.0**exponent)
        assert float(figure.get_attribute("data-estimate")) == pytest.approx(expected, rel=1e-12)
    says = figure.locator(".fig-says").inner_text().replace("−", "-")
    name, gradient = (told["nodes"][at][key] for key in ("name", "gradient"))
    assert f"the gradient is {gradient:g}." in says and f"Only {name} moves" in says
    pressed = figure.locator("button[aria-pressed=true]").all_text_contents()
    assert len(pressed) == 1 and pressed[0].startswith(f"{name} = ")
    found = [abs(chapter1.evaluate("([graph, at, h]) => BookFigures.estimate(graph, at, h)",
                                   [told, at, 10.0**-e]) - gradient)
             for e in (1, 3, 5)]  # fmt: skip
    assert found == sorted(found, reverse=True) and found[-1] < 1e-7


@pytest.mark.parametrize("at", [0, 1, 2])
def test_the_estimate_in_float32_is_that_of_numpy(at, computing):
    y, x = nudged(at, np.float32)
    for h in (1e-1, 1e-3, 1e-6):
        asked = "([graph, at, h]) => BookFigures.estimate(graph, at, h, Math.fround)"
        found = computing.evaluate(asked, [FIGURES["nudge"][1](), at, h])
        there, back = (y(np.float32(float(x) + by)) for by in (h, -h))
        assert found == float((there - back) / np.float32(2 * h))


def test_recursion_counts_double_with_every_diamond(chapter1):
    for count in (1, 4, 10):
        found = chapter1.evaluate("(n) => BookFigures.calls(n)", count)
        assert found["naive"][::-1] == [2**n for n in range(count + 1)]
        assert found["visits"] == count + 1
    chapter1.locator("#figure-diamonds input").fill("10")
    assert "2,047 calls" in chapter1.locator("#figure-diamonds .fig-says").inner_text()


def reference_loss(engine, weights, hidden):
    """The mean cross-entropy of XOR and its gradients, in the order of the figure's parameters."""
    values = [engine.Value(weight) for weight in weights]
    rest = iter(values)
    layer = [[next(rest) for _ in range(3)] for _ in range(hidden)]
    last = list(rest)
    total = engine.Value(0.0)
    for x, y, target in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
        inner = [(b + u * x + v * y).tanh() for b, u, v in layer] if hidden else [x, y]
        p = sum((w * a for w, a in zip(last[1:], inner, strict=True)), last[0]).sigmoid()
        total = total - (p if target else 1 - p).log()
    loss = total / 4
    loss.backward()
    return loss.data, [value.grad for value in values]


GRADIENTS = """([weights, hidden]) => {
  const net = BookFigures.network(hidden);
  net.parameters.forEach((n, at) => { net.graph.nodes[n].value = weights[at]; });
  const found = BabygradGraph.walk(net.graph);
  return [found.values.at(-1), net.parameters.map((n) => found.gradients[n])];
}"""


@pytest.mark.parametrize("hidden", [0, 2, 4])
def test_the_network_of_the_page_has_the_gradients_of_the_reference(hidden, computing):
    size = 3 * hidden + (hidden or 2) + 1
    weights = np.random.default_rng(hidden).uniform(-1, 1, size).tolist()
    loss, gradients = computing.evaluate(GRADIENTS, [weights, hidden])
    expected, right = reference_loss(import_reference("scalar"), weights, hidden)
    assert loss == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(gradients, right, rtol=1e-9, atol=1e-14)


def test_xor_is_learned_in_the_page_and_by_one_neuron_it_is_not(chapter1):
    learned = """(hidden) => {
      const net = BookFigures.network(hidden);
      BookFigures.begin(net, 1);
      for (let n = 0; n < 1500; n++) BookFigures.train(net, 1);
      const { CASES, predict } = BookFigures;
      return CASES.every(([x, y, target]) => Math.round(predict(net, x, y)) === target);
    }"""
    assert chapter1.evaluate(learned, 4) is True and chapter1.evaluate(learned, 0) is False
    figure = chapter1.locator("#figure-xor")
    figure.locator("button", has_text="One step").click()
    assert figure.get_attribute("data-steps") == "1"
    figure.locator("button", has_text="Train").click()
    chapter1.wait_for_function("Number(document.getElementById('figure-xor').dataset.steps) > 30")
    figure.locator("button", has_text="Pause").click()


def test_what_is_stretched_and_summed_is_what_the_reference_gives(read):
    page = read("chapter3.html")
    page.wait_for_function("window.BookFigures")
    told = FIGURES["broadcast"][1]()
    figure = page.locator("#figure-broadcast")
    figure.scroll_into_view_if_needed()
    for number, case in enumerate(told["cases"]):
        a, b, out, arrives = (np.array(case[name]) for name in ("a", "b", "out", "arrives"))
        for name, each in (("a", a), ("b", b)):
            axes = page.evaluate("([v, s]) => BookFigures.summed(v, s)", [case[name], out.shape])
            grad = arrives.sum(tuple(axes)).reshape(each.shape)
            np.testing.assert_array_equal(grad, case[f"{name}_grad"])
        figure.locator("button", has_text=" + ").nth(number).click()
        shown = [
            float(t) for t in figure.locator("svg text:not([class^='fig-'])").all_text_contents()
        ]
        wide = [np.broadcast_to(each, out.shape).ravel() for each in (a, b, out)]
        np.testing.assert_array_equal(shown, np.concatenate(wide))
        figure.locator("button", has_text="Backward").click()
        shown = [
            float(t) for t in figure.locator("svg text:not([class^='fig-'])").all_text_contents()
        ]
        grads = [np.ravel(case[f"{name}_grad"]) for name in ("a", "b")]
        np.testing.assert_array_equal(shown, np.concatenate([arrives.ravel(), *grads]))
        figure.locator("button", has_text="Forward").click()


RACERS = {
    "SGD": ("SGD", {"lr": 0.07}, (0.07, 0)),
    "momentum": ("SGD", {"lr": 0.03, "momentum": 0.8}, (0.03, 0.8)),
    "Adam": ("Adam", {"lr": 0.3}, (0.3, 0)),
}


@pytest.fixture
def babygrad(monkeypatch):
    """The reference package, forgotten afterwards."""
    monkeypatch.syspath_prepend(root.path("solutions"))
    import babygrad.nn
    import babygrad.optim

    yield babygrad
    for name in [name for name in sys.modules if name.partition(".")[0] == "babygrad"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", RACERS)
def test_an_optimizer_of_the_page_walks_as_the_reference_does(name, read, babygrad):
    page = read("chapter5.html")
    page.wait_for_function("window.BookFigures")
    optimizer, options, (rate, beta) = RACERS[name]
    asked = "([name, rate, beta]) => BookFigures.course(name, rate, beta, 40)"
    found = page.evaluate(asked, [name, rate, beta])
    at = babygrad.nn.Parameter(np.array([10.0, 1.0]), dtype="float64")
    walker = getattr(babygrad.optim, optimizer)([at], **options)
    for expected in found:
        np.testing.assert_allclose(at.data, expected, rtol=1e-9, atol=1e-12)
        at.grad = np.array([1.0, 25.0]) * at.data
        walker.step()
