// Figures of slopes and of training: what they compute can be asked for in `BookFigures`.
"use strict";
(() => {
  const { html, make, walk, short, minus, RULES } = window.BabygradGraph;
  const {
    slider, rows, buttons, button, choice, controls, below, says, power, fitted, text, random, shapeOf, named, plain, field, whenDark,
  } = BookFigures;

  // ---- nudge: how far the finite difference of one element is from its gradient ---------------------
  // A graph computed in float64, or with every result rounded to float32.
  const exact = (x) => x;
  function forward(graph, leaves, round = exact) {
    const values = [];
    graph.nodes.forEach((node, n) => {
      values[n] = round(node.op ? RULES[node.op][0](...node.inputs.map((from) => values[from])) : leaves[n]);
    });
    return values.at(-1);
  }
  function estimate(graph, element, h, round = exact) {
    const moved = (by) => forward(graph, graph.nodes.map((node, n) => node.value + (n === element ? by : 0)), round);
    return round(round(moved(h) - moved(-h)) / round(2 * h));
  }

  function nudge(element, graph) {
    const line = says(), leaves = graph.nodes.filter((node) => !node.op);
    let exponent = -2, at = 0;
    const guess = (e, round) => estimate(graph, at, 10 ** e, round);
    const error = (e, round) => Math.abs(guess(e, round) - leaves[at].gradient);
    // Of a cubic the curve's part is the nudge's square times a number, which a nudge of 1 shows; the rest is rounding.
    const cause = (round) => {
      const curve = error(0, exact) * 100 ** exponent;
      return Math.abs(error(exponent, round) - curve) > curve ? "rounding" : "the curve";
    };
    const why = (float64, float32) => float64 !== float32
      ? `In float64 the error comes from ${float64}, in float32 from ${float32}.`
      : `In both the error comes from ${float64}: a ${float64 === "rounding" ? "larger" : "smaller"} nudge is better.`;
    const redraw = fitted(element, 260, (svg, wide, high) => {
      const left = 52, right = wide - 14, top = 14, bottom = high - 34;
      const x = (e) => left + (right - left) * (e + 16) / 16;
      const y = (v) => {
        const e = Math.max(-13, Math.min(2, Math.log10(v || 1e-13)));
        return bottom - (bottom - top) * (e + 13) / 15;
      };
      svg.setAttribute("aria-label", `The error of the estimate for ${leaves[at].name}, for every size of the nudge`);
      for (let e = -16; e <= 0; e += 4) svg.append(text(x(e) - 10, high - 14, power(e)));
      for (let e = -12; e <= 0; e += 4) {
        svg.append(text(4, y(10 ** e) + 4, power(e)),
          make("line", { class: "fig-axis", x1: left, x2: right, y1: y(10 ** e), y2: y(10 ** e) }));
      }
      for (const [round, cls] of [[exact, "float64"], [Math.fround, "float32"]]) {
        const points = [];
        for (let e = -16; e <= 0.001; e += 0.1) points.push(`${x(e)} ${y(error(e, round))}`);
        svg.append(make("path", { class: `fig-curve ${cls}`, d: `M${points.join("L")}` }),
          make("circle", { class: `fig-spot ${cls}`, cx: x(exponent), cy: y(error(exponent, round)), r: 6 }));
      }
      svg.append(make("line", { class: "fig-axis", x1: x(exponent), x2: x(exponent), y1: top, y2: bottom }));
    });
    const tell = () => {
      const { name, gradient } = leaves[at], held = leaves.filter((_, n) => n !== at).map((leaf) => leaf.name);
      line.textContent = `Only ${name} moves, by ${power(exponent)} to either side; ${held.join(" and ")} stay. `
        + `float64 estimates ${minus(guess(exponent).toPrecision(9))}, float32 ${minus(guess(exponent, Math.fround).toPrecision(7))}; `
        + `the gradient is ${minus(String(gradient))}. ${why(cause(exact), cause(Math.fround))}`;
      element.dataset.estimate = guess(exponent);
      redraw();
    };
    const legend = html("p", { className: "fig-legend" }, html("span", { className: "float64" }, "float64"),
      html("span", { className: "float32" }, "float32"), " error of the estimate, by h");
    controls(element, html("p", { className: "fig-formula" }, graph.title),
      choice("Nudge", leaves.map((leaf) => `${leaf.name} = ${plain(leaf.value)}`), (n) => { at = n; tell(); }).element);
    below(element, legend, rows(slider("Size of the nudge h",
      { min: -16, max: 0, step: 1, value: exponent }, power, (e) => { exponent = e; tell(); })), line);
    tell();
  }

  // ---- diamonds: how often a node is called ----------------------------------------------------------
  // A row of diamonds: each node i > 0 was made from node i - 1 twice, as u + u is.
  function calls(count) {
    const naive = Array(count + 1).fill(0), sorted = Array(count + 1).fill(0);
    const recurse = (n) => { naive[n]++; if (n) { recurse(n - 1); recurse(n - 1); } };
    recurse(count);
    const seen = new Set(), order = [];
    const visit = (n) => { if (seen.has(n)) return; seen.add(n); if (n) { visit(n - 1); visit(n - 1); } order.push(n); };
    visit(count);
    order.reverse().forEach((n) => sorted[n]++);
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    return { naive, sorted, calls: sum(naive), visits: sum(sorted) };
  }

  function diamonds(element) {
    const line = says();
    let count = 4;
    const redraw = fitted(element, 200, (svg, wide) => {
      const found = calls(count), step = (wide - 70) / Math.max(1, count);
      svg.setAttribute("aria-label", `${count} diamonds in a row, with how often each node is called`);
      for (let n = 0; n <= count; n++) {
        const x = 35 + n * step;
        if (n < count) {
          for (const bend of [-46, 46]) {
            svg.append(make("path", { class: "fig-edge", d: `M${x} 100Q${x + step / 2} ${100 + bend} ${x + step} 100` }));
          }
        }
        svg.append(make("circle", { class: "fig-bead", cx: x, cy: 100, r: 8 }));
        if (n % Math.max(1, Math.ceil(64 / step)) === count % Math.max(1, Math.ceil(64 / step))) {
          svg.append(text(x, 42, found.naive[n].toLocaleString("en"), "fig-naive"),
            text(x, 168, String(found.sorted[n]), "fig-once"));
        }
      }
      svg.append(text(4, 14, "calls by plain recursion"), text(4, 194, "calls in topological order"));
    });
    const tell = () => {
      const found = calls(count);
      line.textContent = `${count} diamond${count > 1 ? "s" : ""}: plain recursion makes `
        + `${found.calls.toLocaleString("en")} calls, the walk in topological order ${found.visits}.`;
      element.dataset.calls = found.calls;
      redraw();
    };
    element.querySelector(".fig-scene").after(rows(slider("Diamonds in a row",
      { min: 1, max: 18, step: 1, value: count }, String, (n) => { count = n; tell(); })), line);
    tell();
  }

  // ---- XOR: a network of single numbers, trained by the walk of every other figure ---------------------
  const CASES = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]];

  // The loss of all four cases as one graph; without hidden neurons a single perceptron.
  function network(hidden) {
    const nodes = [], add = (op, ...inputs) => nodes.push({ name: "", op, inputs }) - 1;
    const leaf = (value) => nodes.push({ name: "", op: "", inputs: [], value }) - 1;
    const neuron = (size) => Array.from({ length: size + 1 }, () => leaf(0));
    const layer = Array.from({ length: hidden }, () => neuron(2)), last = neuron(hidden || 2);
    const sum = ([bias, ...weights], inputs) => weights.reduce(
      (total, weight, n) => add("add", total, add("mul", weight, inputs[n])), bias);
    const one = leaf(1), outputs = [];
    let total = null;
    for (const [x, y, target] of CASES) {
      const inputs = [leaf(x), leaf(y)];
      const inner = hidden ? layer.map((n) => add("tanh", sum(n, inputs))) : inputs;
      const p = add("sigmoid", sum(last, inner));
      outputs.push(p);
      const miss = add("neg", add("log", target ? p : add("sub", one, p)));
      total = total === null ? miss : add("add", total, miss);
    }
    add("div", total, leaf(CASES.length));
    return { graph: { nodes }, parameters: [...layer.flat(), ...last], outputs, layer, last };
  }
  function begin(net, seed) {
    const draw = random(seed);
    net.parameters.forEach((n) => { net.graph.nodes[n].value = draw() * 2 - 1; });
  }
  function train(net, rate) {
    const found = walk(net.graph);
    net.parameters.forEach((n) => { net.graph.nodes[n].value -= rate * found.gradients[n]; });
    return { loss: found.values.at(-1), outputs: net.outputs.map((n) => found.values[n]) };
  }
  function predict(net, x, y) {
    const at = (n) => net.graph.nodes[n].value;
    const sum = ([bias, ...weights], inputs) => weights.reduce((s, w, n) => s + at(w) * inputs[n], at(bias));
    const inner = net.layer.length ? net.layer.map((n) => Math.tanh(sum(n, [x, y]))) : [x, y];
    return 1 / (1 + Math.exp(-sum(net.last, inner)));
  }

  function xor(element) {
    let net = null, hidden = 4, rate = 1, seed = 1, step = 0, running = false, losses = [], last = null;
    const line = says(), SIZE = 260, CELLS = 52;
    const canvas = html("canvas", { width: SIZE, height: SIZE });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "Where the network says 1 (blue) and where 0 (orange), with the four cases");
    const curve = make("svg", { width: SIZE, height: SIZE, viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img",
      "aria-label": "The loss, step by step" });
    const legend = html("p", { className: "fig-legend" }, html("span", { className: "yes" }, "says 1"),
      html("span", { className: "no" }, "says 0"));
    const run = button("Train", () => { running = !running; run.textContent = running ? "Pause" : "Train"; if (running) frame(); });
    const restart = () => {
      net = network(hidden);
      begin(net, seed);
      step = 0;
      losses = [];
      last = { loss: walk(net.graph).values.at(-1), outputs: CASES.map(([x, y]) => predict(net, x, y)) };
      paint();
    };
    function paint() {
      const pen = canvas.getContext("2d"), at = (v) => (v + 0.25) / 1.5 * SIZE;
      field(pen, SIZE, CELLS, [...legend.children].map((each) => getComputedStyle(each).color),
        getComputedStyle(element).backgroundColor, (x, y) => predict(net, 1.5 * x - 0.25, 1.5 * y - 0.25));
      CASES.forEach(([x, y, target]) => {
        pen.beginPath();
        pen.arc(at(x), SIZE - at(y), 11, 0, 7);
        pen.fillStyle = "#fff"; pen.fill();
        pen.strokeStyle = "#1f2530"; pen.lineWidth = 2; pen.stroke();
        pen.fillStyle = "#1f2530"; pen.font = "14px sans-serif"; pen.textAlign = "center";
        pen.fillText(String(target), at(x), SIZE - at(y) + 5);
      });
      const most = Math.max(0.8, ...losses), left = 34, bottom = SIZE - 24;
      const stride = Math.max(1, Math.floor(losses.length / 200));
      const points = losses.filter((_, n) => n % stride === 0).map((loss, n, all) =>
        `${left + (SIZE - left - 6) * n / Math.max(1, all.length - 1)} ${bottom - (bottom - 12) * loss / most}`);
      curve.replaceChildren(make("line", { class: "fig-axis", x1: left, x2: SIZE, y1: bottom, y2: bottom }),
        make("line", { class: "fig-axis", x1: left, x2: left, y1: 12, y2: bottom }),
        text(2, 20, most.toFixed(1)), text(12, bottom, "0"), text(left + 4, SIZE - 6, `loss, ${step} steps`),
        ...points.length > 1 ? [make("path", { class: "fig-curve float64", d: `M${points.join("L")}` })] : []);
      const told = CASES.map(([x, y], n) => `${x},${y} → ${last.outputs[n].toFixed(2)}`).join(";  ");
      line.textContent = `Step ${step}, loss ${last.loss.toFixed(4)}.  ${told}`
        + (hidden === 0 && step > 500 ? "  One line cannot do it." : "");
      element.dataset.loss = last.loss;
      element.dataset.steps = step;
    }
    function frame() {
      if (!running || !element.isConnected) return;
      const until = performance.now() + 12;
      for (let n = 0; n < 20 && performance.now() < until; n++) { last = train(net, rate); losses.push(last.loss); step++; }
      paint();
      requestAnimationFrame(frame);
    }
    const size = slider("Hidden neurons", { min: 0, max: 8, step: 1, value: hidden },
      (n) => n === 0 ? "none" : String(n), (n) => { hidden = n; restart(); });
    element.prepend(html("div", { className: "fig-panels" }, canvas, curve), legend, line,
      rows(size, slider("Learning rate", { min: -2, max: 1, step: 0.1, value: 0 }, (e) => (10 ** e).toFixed(2),
        (e) => { rate = 10 ** e; })),
      buttons(run, button("One step", () => { last = train(net, rate); losses.push(last.loss); step++; paint(); }),
        button("Start again", () => { seed++; restart(); })));
    restart();
    whenDark(paint);
  }

  // ---- a race in a ravine: f(x, y) = (x² + 25 y²) / 2, as in chapter 5 ---------------------------------------------------
  const STEEP = 25, START = [10, 1], STEPS = 100;
  const slope = ([x, y]) => [x, STEEP * y];
  const RACERS = {
    SGD: (rate) => (at) => at.map((v, n) => v - rate * slope(at)[n]),
    momentum: (rate, beta) => {
      let speed = [0, 0];
      return (at) => {
        speed = speed.map((v, n) => beta * v + slope(at)[n]);
        return at.map((v, n) => v - rate * speed[n]);
      };
    },
    Adam: (rate) => {
      let m = [0, 0], v = [0, 0], t = 0;
      return (at) => {
        const g = slope(at);
        t++;
        m = m.map((old, n) => 0.9 * old + 0.1 * g[n]);
        v = v.map((old, n) => 0.999 * old + 0.001 * g[n] * g[n]);
        return at.map((old, n) => old - rate * (m[n] / (1 - 0.9 ** t)) / (Math.sqrt(v[n] / (1 - 0.999 ** t)) + 1e-8));
      };
    },
  };
  function course(name, rate, beta, steps = STEPS) {
    const move = RACERS[name](rate, beta), path = [START];
    for (let n = 0; n < steps; n++) path.push(move(path.at(-1)));
    return path;
  }
  function race(element) {
    const settings = { SGD: 0.07, momentum: 0.03, Adam: 0.3, beta: 0.8 };
    const line = says();
    let steps = STEPS;
    const redraw = fitted(element, 280, (svg, wide, high) => {
      const x = (v) => wide * 0.82 - v * wide * 0.075, y = (v) => high / 2 - v * high / 3;
      svg.setAttribute("aria-label", "Three optimizers on their way to the lowest point of a ravine");
      for (const level of [1, 5, 15, 30, 60]) {
        svg.append(make("ellipse", { class: "fig-level", cx: x(0), cy: y(0),
          rx: Math.sqrt(2 * level) * wide * 0.075, ry: Math.sqrt(2 * level / STEEP) * high / 3 }));
      }
      for (const name of Object.keys(RACERS)) {
        const path = course(name, settings[name], settings.beta, steps)
          .map(([a, b]) => [Math.max(-20, Math.min(20, a)), Math.max(-4, Math.min(4, b))]);
        svg.append(make("path", { class: `fig-curve ${name}`, d: `M${path.map(([a, b]) => `${x(a)} ${y(b)}`).join("L")}` }));
        const [ex, ey] = path.at(-1);
        svg.append(make("circle", { class: `fig-spot ${name}`, cx: x(ex), cy: y(ey), r: 6 }));
      }
    });
    const tell = () => {
      const height = ([a, b]) => (a * a + STEEP * b * b) / 2;
      line.textContent = `After ${steps} steps, height above the lowest point: ` + Object.keys(RACERS).map((name) =>
        `${name} ${short(height(course(name, settings[name], settings.beta, steps).at(-1)))}`).join(", ") + ".";
      redraw();
    };
    const dial = (name, label, min, max, step) => slider(label, { min, max, step, value: settings[name] },
      (v) => v.toFixed(3), (v) => { settings[name] = v; tell(); });
    element.querySelector(".fig-scene").after(
      html("p", { className: "fig-legend" }, ...Object.keys(RACERS).map((name) => html("span", { className: name }, name))),
      line, rows(slider("Steps", { min: 0, max: STEPS, step: 1, value: STEPS }, String, (n) => { steps = n; tell(); }),
        dial("SGD", "SGD: rate", 0.005, 0.105, 0.001), dial("momentum", "momentum: rate", 0.005, 0.08, 0.001),
        dial("beta", "momentum: β", 0, 0.98, 0.01), dial("Adam", "Adam: rate", 0.01, 1, 0.01)));
    tell();
  }

  // ---- broadcast: stretched on the way there, summed on the way back -------------------------------------
  // The value at a place of the result, and whether it was stretched to get there.
  function stretched(value, size, i, j) {
    const shape = shapeOf(value);
    if (shape.length === 0) return [value, i > 0 || j > 0];
    if (shape.length === 1) return [value[j], i > 0];
    return [value[shape[0] === 1 ? 0 : i][shape[1] === 1 ? 0 : j],
      (shape[0] < size[0] && i > 0) || (shape[1] < size[1] && j > 0)];
  }
  // Which axes of the result a gradient is summed over.
  function summed(value, size) {
    const shape = shapeOf(value), missing = size.length - shape.length;
    return size.map((_, axis) => axis)
      .filter((axis) => axis < missing || (shape[axis - missing] === 1 && size[axis] > 1));
  }

  function broadcast(element, { cases }) {
    const line = says(), CELL = 34;
    let at = 0, back = false;
    const grid = (svg, left, top, size, cell) => {
      for (let i = 0; i < size[0]; i++) for (let j = 0; j < size[1]; j++) {
        const [value, ghost] = cell(i, j);
        const x = left + j * CELL, y = top + i * CELL;
        svg.append(make("rect", { class: `fig-cell${ghost ? " ghost" : ""}`, x, y, width: CELL - 3, height: CELL - 3, rx: 6 }),
          make("text", { class: ghost ? "ghost" : "", x: x + CELL / 2 - 1.5, y: y + CELL / 2 + 4 }, short(value).replace(".00", "")));
      }
    };
    const as2d = (value) => shapeOf(value).length === 0 ? [[value]] : shapeOf(value).length === 1 ? [value] : value;
    const redraw = fitted(element, 150, (svg, wide) => {
      const told = cases[at], size = shapeOf(told.out), gap = Math.min(60, (wide - 9 * CELL) / 2);
      const lefts = [0, 1, 2].map((n) => Math.max(0, (wide - 9 * CELL - 2 * gap) / 2) + n * (3 * CELL + gap));
      const head = (n, said) => svg.append(text(lefts[n], 22, said));
      const sign = (n, said) => gap > 20 && svg.append(text(lefts[n] - gap / 2 - 6, 74, said, "fig-sign"));
      svg.setAttribute("aria-label", line.textContent);
      if (!back) {
        for (const [n, name] of ["a", "b"].entries()) {
          head(n, `${name} ${named(shapeOf(told[name]))}`);
          grid(svg, lefts[n], 38, size, (i, j) => stretched(told[name], size, i, j));
        }
        head(2, `a + b ${named(size)}`);
        grid(svg, lefts[2], 38, size, (i, j) => [told.out[i][j], false]);
        sign(1, "+");
        sign(2, "=");
        return;
      }
      head(0, `arrives ${named(size)}`);
      grid(svg, lefts[0], 38, size, (i, j) => [told.arrives[i][j], false]);
      for (const [n, name] of ["a", "b"].entries()) {
        const grad = as2d(told[`${name}_grad`]);
        head(n + 1, `to ${name} ${named(shapeOf(told[name]))}`);
        grid(svg, lefts[n + 1], 38, shapeOf(grad), (i, j) => [grad[i][j], false]);
      }
    });
    const tell = () => {
      const told = cases[at], size = shapeOf(told.out), axes = ["a", "b"].map((name) => summed(told[name], size));
      const way = (name, over) => over.length
        ? `to ${name} its sum over ${over.length > 1 ? `axes ${over.join(" and ")}` : `axis ${over[0]}`}` : `to ${name} as it is`;
      line.textContent = back
        ? `Back: what arrives goes ${way("a", axes[0])}, ${way("b", axes[1])}. Each gradient has the shape of its input again.`
        : "Forward: a dashed cell is no number of its own. It is the same one, used again.";
      element.classList.toggle("back", back);
      turn.textContent = back ? "Forward" : "Backward";
      picks.forEach((pick, n) => pick.setAttribute("aria-pressed", n === at));
      redraw();
    };
    const turn = button("Backward", () => { back = !back; tell(); });
    const picks = cases.map((each, n) => button(`${named(shapeOf(each.a))} + ${named(shapeOf(each.b))}`,
      () => { at = n; tell(); }));
    element.querySelector(".fig-scene").after(line, buttons(turn), buttons(...picks));
    tell();
  }

  Object.assign(BookFigures.KINDS, { nudge, diamonds, xor, race, broadcast });
  Object.assign(BookFigures, { calls, course, stretched, summed, estimate, network, predict, train, begin, CASES });
})();
