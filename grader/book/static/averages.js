// Figures of sums and means: how far a sum of random numbers spreads, and what a mean of means counts.
"use strict";
(() => {
  const { html, make, short } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, fitted, text, cell, random, plain, power } = BookFigures;

  // ---- the spread of a sum ---------------------------------------------------------------------------------
  const DRAWS = 600, BINS = 49;
  // Sums of `count` products of two random numbers, each with mean 0 and std 1 (uniform up to √3).
  function sums(count, scale) {
    const draw = random(7), one = () => (2 * draw() - 1) * Math.sqrt(3);
    return Array.from({ length: DRAWS }, () => {
      let sum = 0;
      for (let n = 0; n < count; n++) sum += one() * one() * scale;
      return sum;
    });
  }

  function spread(element, data) {
    const line = says(), WAYS = { "1": () => 1, "1 / √fan_in": (n) => 1 / Math.sqrt(n), "1 / fan_in": (n) => 1 / n }, NAMES = Object.keys(WAYS);
    let way = NAMES[0], { count } = data, found = [], std = 0;
    const redraw = fitted(element, 220, (svg, wide, high) => {
      const foot = high - 26, most = 30, x = (v) => wide / 2 + (wide / 2 - 12) * v / most, bins = Array(BINS).fill(0);
      for (const sum of found) bins[Math.max(0, Math.min(BINS - 1, Math.round(sum / most * (BINS - 1) / 2 + (BINS - 1) / 2)))] += 1;
      const tallest = Math.max(...bins), room = (wide - 24) / BINS;
      bins.forEach((times, n) => {
        const tall = (foot - 30) * times / tallest;
        svg.append(make("rect", { class: "fig-bar start0", x: x((n - (BINS - 1) / 2) * 2 * most / (BINS - 1)) - room / 2 + 1, y: foot - tall, width: Math.max(1, room - 2), height: tall }));
      });
      svg.append(make("line", { class: "fig-axis", x1: 12, x2: wide - 12, y1: foot, y2: foot }));
      for (const v of [-30, -20, -10, 0, 10, 20, 30]) svg.append(text(x(v) - 9, high - 8, String(v)));
      const scale = WAYS[way](count);
      for (const [reach, cls, y] of [[scale * Math.sqrt(count), "own solid", 16], [scale * count, "start2 broken", 6]]) {
        if (reach <= most) for (const v of [-reach, reach]) svg.append(make("line", { class: `fig-curve ${cls}`, x1: x(v), x2: x(v), y1: y, y2: foot }));
      }
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const scale = WAYS[way](count), right = scale * Math.sqrt(count);
      found = sums(count, scale);
      std = Math.sqrt(found.reduce((sum, v) => sum + v * v, 0) / DRAWS);
      const layers = 20 * Math.log10(right);
      line.textContent = `${DRAWS} sums of ${count} product${count > 1 ? "s" : ""}, std(w) = ${plain(scale)}. Their variances add up to ${plain(right * right)}, so std is ${plain(right)}; these have ${short(std)}. `
        + `Twenty such layers multiply std by ${Math.abs(layers) < 1 ? plain(right ** 20) : `about ${power(Math.round(layers))}`}.`;
      Object.assign(element.dataset, { std, right });
      redraw();
    };
    controls(element, choice("std(w)", NAMES, (n) => { way = NAMES[n]; tell(); }).element);
    below(element, html("p", { className: "fig-legend" }, html("span", { className: "start0" }, "the sums"),
      html("span", { className: "own" }, "one std, as variances add"), html("span", { className: "start2" }, "if stds added")), line,
      rows(slider("fan_in", { min: 1, max: 100, step: 1, value: count }, String, (n) => { count = n; tell(); })));
    tell();
  }

  // ---- a mean of means ----------------------------------------------------------------------------------
  function means(element, { losses }) {
    const line = says(), LEFT = 54, GAP = 8, HIGH = 32, mean = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;
    let size = 3;
    const batches = () => Array.from({ length: Math.ceil(losses.length / size) }, (_, n) => losses.slice(n * size, (n + 1) * size));
    const redraw = fitted(element, 4 * HIGH + 10, (svg, wide) => {
      const found = batches(), side = Math.min(56, Math.floor((wide - LEFT - (found.length - 1) * GAP) / losses.length));
      ["loss", "mean", "weight"].forEach((said, row) => svg.append(text(2, row * HIGH * 1.3 + 20, said)));
      found.forEach((batch, nth) => {
        const share = losses.length / (found.length * batch.length), from = LEFT + nth * (size * side + GAP);
        batch.forEach((loss, n) => svg.append(cell(from + n * side, 0, side, String(loss), "small", HIGH),
          cell(from + n * side, 2 * HIGH * 1.3, side, short(share), `small moved ${Math.abs(share - 1) > 1e-9 ? "odd" : ""}`, HIGH)));
        svg.append(cell(from, HIGH * 1.3, batch.length * side, short(mean(batch)), "small moved", HIGH));
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const found = batches(), of_means = mean(found.map(mean)), right = mean(losses);
      const least = found.at(-1).length, is_same = found.every((batch) => batch.length === size);
      line.textContent = `Batches of ${found.map((batch) => batch.length).join(", ")}. The mean of their means is ${short(of_means)}, the mean over all samples ${short(right)}. `
        + (is_same ? "All batches are of one size, so each sample counts the same." : `In the mean of means, each sample of the last batch counts ${plain(size / least)} times as much as each of the others.`);
      Object.assign(element.dataset, { means: of_means, samples: right });
      redraw();
    };
    below(element, line, rows(slider("batch_size", { min: 1, max: losses.length, step: 1, value: size }, String, (n) => { size = n; tell(); })));
    tell();
  }

  Object.assign(BookFigures.KINDS, { spread, means });
})();
