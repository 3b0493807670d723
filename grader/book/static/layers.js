// Figures of deep networks: how the spread of values goes through twenty layers, and what dropout and
// the norms do to a batch.
"use strict";
(() => {
  const { html, make, short } = window.BabygradGraph;
  const { slider, rows, buttons, button, choice, controls, below, says, power, fitted, text, random, cell } = BookFigures;
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const variance = (list) => { const m = mean(list); return mean(list.map((v) => (v - m) ** 2)); };

  // ---- twenty layers ------------------------------------------------------------------------------------
  // Draws from a normal distribution, two by two (Box and Muller 1958).
  function normal(draw, count) {
    const found = new Float64Array(count);
    for (let n = 0; n < count; n += 2) {
      const r = Math.sqrt(-2 * Math.log(1 - draw())), angle = 2 * Math.PI * draw();
      found[n] = r * Math.cos(angle);
      if (n + 1 < count) found[n + 1] = r * Math.sin(angle);
    }
    return found;
  }
  // Unit draws for what goes in, for every layer's weights, and for what arrives at the end.
  function drawn(rows, width, count, seed) {
    const draw = random(seed);
    return { rows, width, x: normal(draw, rows * width), arrives: normal(draw, rows * width),
      layers: Array.from({ length: count }, () => normal(draw, width * width)) };
  }
  const BENDS = { relu: [(v) => Math.max(0, v), (out) => out > 0 ? 1 : 0], tanh: [Math.tanh, (out) => 1 - out * out] };
  // a @ b for flat matrices; `a` is (rows, inner), or its transpose lies there.
  function times(a, b, rows, inner, columns, turnA, turnB) {
    const found = new Float64Array(rows * columns);
    for (let i = 0; i < rows; i++) for (let k = 0; k < inner; k++) {
      const v = turnA ? a[k * rows + i] : a[i * inner + k];
      if (v) for (let j = 0; j < columns; j++) found[i * columns + j] += v * (turnB ? b[j * inner + k] : b[k * columns + j]);
    }
    return found;
  }
  // The spread of every layer's output, and of the gradient of its weights, for weights of this std.
  function spread(net, bend, std) {
    const { rows, width } = net, [forward, slope] = BENDS[bend], outs = [net.x];
    const weights = net.layers.map((layer) => layer.map((v) => v * std));
    for (const w of weights) outs.push(times(outs.at(-1), w, rows, width, width).map(forward));
    const back = [];
    let arrives = net.arrives;
    for (let n = weights.length - 1; n >= 0; n--) {
      const here = arrives.map((v, at) => v * slope(outs[n + 1][at]));
      back.unshift(Math.sqrt(variance([...times(outs[n], here, width, rows, width, true)])));
      arrives = times(here, weights[n], rows, width, width, false, true);
    }
    return { forward: outs.slice(1).map((out) => Math.sqrt(variance([...out]))), back };
  }

  function deep(element, data) {
    const line = says(), NAMES = Object.keys(data.relu), WIDTH = 64, COUNT = 20, LOWEST = -12, HIGHEST = 6;
    let bend = "relu", way = "forward", layer = 19, gain = 1.2, own = null, net = null;
    const compute = () => {
      net ??= drawn(WIDTH, WIDTH, COUNT, 11);
      own = spread(net, bend, gain / Math.sqrt(WIDTH));
    };
    const redraw = fitted(element, 330, (svg, wide) => {
      if (!own) compute();
      const left = 46, right = wide - 12, top = 10, bottom = 196;
      const x = (n) => left + (right - left) * n / (COUNT - 1);
      const y = (v) => bottom - (bottom - top) * (Math.max(-40, Math.log10(v || 1e-40)) - LOWEST) / (HIGHEST - LOWEST);
      svg.setAttribute("aria-label", line.textContent);
      for (let e = LOWEST; e <= HIGHEST; e += 3) {
        svg.append(text(2, y(10 ** e) + 4, power(e)),
          make("line", { class: "fig-axis", x1: left, x2: right, y1: y(10 ** e), y2: y(10 ** e) }));
      }
      for (const n of [0, 4, 9, 14, 19]) svg.append(text(x(n) - 4, bottom + 18, String(n + 1)));
      svg.append(make("line", { class: "fig-here", x1: x(layer), x2: x(layer), y1: top, y2: bottom }));
      const inside = make("svg", { x: 0, y: top, width: wide, height: bottom - top, viewBox: `0 ${top} ${wide} ${bottom - top}`, overflow: "hidden" });
      const path = (values, cls) => inside.append(make("path", { class: `fig-curve ${cls}`,
        d: `M${values.map((v, n) => `${x(n)} ${y(v)}`).join("L")}` }));
      NAMES.forEach((name, n) => path(data[bend][name][way], `start${n}`));
      path(own[way], "own");
      svg.append(inside);
      // What the chosen layer puts out, as bars: all values between the least and the largest.
      const room = (wide - 3 * 10) / 4;
      NAMES.forEach((name, n) => {
        const { bars, most } = data[bend][name], tallest = Math.max(...bars[layer]), bar = room / bars[layer].length;
        const from = n * (room + 10);
        bars[layer].forEach((share, at) => svg.append(make("rect", { class: `fig-bar start${n}`, x: from + at * bar, width: Math.max(1, bar - 1),
          y: 300 - 60 * share / tallest, height: 60 * share / tallest })));
        svg.append(make("line", { class: "fig-axis", x1: from, x2: from + room, y1: 300, y2: 300 }),
          make("text", { class: "fig-note", x: from + room / 2, y: 318 }, `±${short(most[layer])}`),
          make("text", { class: `fig-note start${n}`, x: from + room / 2, y: 232 }, name));
      });
    });
    const tell = () => {
      if (!own) compute();
      const what = way === "forward" ? "outputs" : "gradients of its weights";
      line.textContent = `Layer ${layer + 1}, ${{ relu: "ReLU" }[bend] ?? bend}, std of the ${what}: `
        + NAMES.map((name) => `${name} ${short(data[bend][name][way][layer])}`).join(", ")
        + `, yours ${short(own[way][layer])}.`;
      element.dataset.own = own[way][layer];
      redraw();
    };
    const legend = html("p", { className: "fig-legend" }, ...NAMES.map((name, n) => html("span", { className: `start${n}` }, name)),
      html("span", { className: "own" }, "yours"));
    below(element, legend, line,
      choice("Between the layers", ["ReLU", "tanh"], (n) => { bend = ["relu", "tanh"][n]; own = null; tell(); }).element,
      choice("Show", ["Outputs", "Gradients"], (n) => { way = ["forward", "back"][n]; tell(); }).element,
      rows(slider("Layer", { min: 1, max: COUNT, step: 1, value: layer + 1 }, String, (n) => { layer = n - 1; tell(); }),
        slider("Your gain g, std = g / √64", { min: 0.5, max: 2.5, step: 0.01, value: gain }, (v) => v.toFixed(2),
          (v) => { gain = v; own = null; tell(); })));
    tell();
  }

  // ---- a batch ------------------------------------------------------------------------------------------
  const EPS = 1e-5, MOMENTUM = 0.1;
  const columns = (x) => x[0].map((_, j) => x.map((row) => row[j]));
  const dropout = (x, draws, p, isTraining) => isTraining
    ? x.map((row, i) => row.map((v, j) => draws[i][j] < 1 - p ? v / (1 - p) : 0)) : x;
  const layerNorm = (x) => x.map((row) => {
    const m = mean(row), std = Math.sqrt(variance(row) + EPS);
    return row.map((v) => (v - m) / std);
  });
  const batchNorm = (x, notes, isTraining) => {
    const means = isTraining ? columns(x).map(mean) : notes.mean, vars = isTraining ? columns(x).map(variance) : notes.var;
    return x.map((row) => row.map((v, j) => (v - means[j]) / Math.sqrt(vars[j] + EPS)));
  };
  const noted = (x, notes) => {
    const mix = (old, now) => old.map((v, j) => (1 - MOMENTUM) * v + MOMENTUM * now[j]);
    return { mean: mix(notes.mean, columns(x).map(mean)),
      var: mix(notes.var, columns(x).map((column) => variance(column) * x.length / (x.length - 1))) };
  };

  function batch(element, data) {
    const line = says(), HIGH = 30, MODES = ["Dropout", "LayerNorm", "BatchNorm"];
    let x = data.x.map((row) => [...row]), draws = data.draws, mode = 1, isTraining = true, p = 0.2, at = 0, seed = 3;
    let notes = { mean: [0, 0, 0, 0], var: [1, 1, 1, 1] };
    const apply = (values) => [() => dropout(values, draws, p, isTraining), () => layerNorm(values),
      () => batchNorm(values, notes, isTraining)][mode]();
    const place = () => [Math.floor(at / 4), at % 4];
    const redraw = fitted(element, () => mode === 2 ? 296 : 212, (svg, wide) => {
      const SIDE = Math.min(44, Math.floor((wide - 16) / 8)), gap = Math.min(60, wide - 8 * SIDE), left = Math.max(0, (wide - 8 * SIDE - gap) / 2), right = left + 4 * SIDE + gap;
      const out = apply(x), before = apply(data.x), [row, column] = place();
      const box = (v, i, j, from, cls, said = short(v)) => {
        const made = cell(from + j * SIDE, 26 + i * HIGH, SIDE, said, `small ${cls}`, HIGH);
        const share = Math.min(34, 9 * Math.abs(v));
        made.firstChild.style.fill = `color-mix(in srgb, var(${v < 0 ? "--fig-back" : "--fig-value"}) ${share}%, var(--fig-card))`;
        svg.append(made);
        return made;
      };
      svg.append(text(left, 16, "the batch (6, 4)"), text(right, 16, MODES[mode]));
      x.forEach((values, i) => values.forEach((v, j) => {
        const made = box(v, i, j, left, i === row && j === column ? "lit" : "", v.toFixed(1).replace("-", "−"));
        made.classList.add("fig-drag");
        made.onpointerdown = () => { at = 4 * i + j; tell(); };
        box(out[i][j], i, j, right, Math.abs(out[i][j] - before[i][j]) > 1e-12 ? "lit" : "");
      }));
      if (mode === 2) {
        svg.append(text(left, 26 + 7.3 * HIGH, "running_mean"), text(left, 26 + 8.3 * HIGH, "running_var"));
        notes.mean.forEach((v, j) => { box(v, 6.8, j, right, ""); box(notes.var[j], 7.8, j, right, ""); });
      }
      svg.setAttribute("aria-label", line.textContent);
    });
    const stats = (list) => `mean ${short(Math.round(mean(list) * 1e6) / 1e6)}, std ${short(Math.sqrt(variance(list)))}`;
    const tell = () => {
      const [row, column] = place(), out = apply(x), before = apply(data.x), was = data.x[row][column];
      const changed = out.flat().filter((v, n) => Math.abs(v - before.flat()[n]) > 1e-12).length;
      const moved = x.flat().some((v, n) => v !== data.x.flat()[n]);
      const says = [
        isTraining ? `${out.flat().filter((v) => v === 0).length} of 24 values are dropped; the others are divided by ${(1 - p).toFixed(2)}.`
          : "In evaluation the batch passes as it is.",
        `Row ${row} had ${stats(x[row])}; it has ${stats(out[row])} now. Training or evaluation is all the same.`,
        isTraining ? `Column ${column} had ${stats(columns(x)[column])}; it has ${stats(columns(out)[column])} now.`
          : `By its running statistics, column ${column} comes out with ${stats(columns(out)[column])}.`,
      ][mode];
      line.textContent = says + (moved ? ` What you changed moves ${changed} value${changed === 1 ? "" : "s"} of what comes out.` : "");
      which.querySelector("input").value = at;
      which.querySelector("output").textContent = `row ${row}, column ${column}`;
      value.querySelector("input").value = x[row][column];
      value.querySelector("output").textContent = `${short(x[row][column])}${was !== x[row][column] ? ` (was ${short(was)})` : ""}`;
      rate.hidden = mode !== 0;
      once.hidden = mode === 1 || !isTraining;
      once.textContent = mode === 0 ? "Draw again" : "Train on it once";
      Object.assign(element.dataset, { out: JSON.stringify(out), changed });
      redraw();
    };
    const which = slider("Value", { min: 0, max: 23, step: 1, value: 0 }, String, (n) => { at = n; tell(); });
    const value = slider("Make it", { min: -6, max: 10, step: 0.1, value: x[0][0] }, short,
      (v) => { const [row, column] = place(); x[row][column] = v; tell(); });
    const rate = slider("Drop with p", { min: 0, max: 0.9, step: 0.05, value: p }, (v) => v.toFixed(2), (v) => { p = v; tell(); });
    const once = button("Draw again", () => {
      if (mode === 2) notes = noted(x, notes);
      else { const draw = random(seed++); draws = draws.map((row) => row.map(() => draw())); }
      tell();
    });
    const again = button("As it was", () => {
      x = data.x.map((row) => [...row]);
      draws = data.draws;
      notes = { mean: [0, 0, 0, 0], var: [1, 1, 1, 1] };
      tell();
    });
    controls(element, choice("Through", MODES, (n) => { mode = n; tell(); }, mode).element,
      choice("Mode", ["Training", "Evaluation"], (n) => { isTraining = n === 0; tell(); }).element);
    below(element, line, rows(which, value, rate), buttons(once, again));
    tell();
  }

  Object.assign(BookFigures.KINDS, { deep, batch });
  Object.assign(BookFigures, { drawn, spread, dropout, layerNorm, batchNorm, noted });
})();
