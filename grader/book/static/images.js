// Figures of convolutions: windows as rows of a matrix, and the zeros that the way back puts in.
"use strict";
(() => {
  const { make } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, fitted, text, named, plain, cell, between, flight } = BookFigures;
  const LOW = (n) => "₀₁₂₃₄₅₆₇₈₉"[n];

  // ---- im2col: every window a row ------------------------------------------------------------------------
  const padded = (a, p) => {
    const wide = a[0].length + 2 * p, empty = () => Array(wide).fill(0);
    return [...Array.from({ length: p }, empty), ...a.map((row) => [...Array(p).fill(0), ...row, ...Array(p).fill(0)]),
      ...Array.from({ length: p }, empty)];
  };
  // What lies below the kernel at every place, a row per window; and the products, as the output lies.
  function windows(picture, kernel, stride, padding) {
    const a = padded(picture, padding), k = kernel.length, weights = kernel.flat();
    const size = Math.floor((a.length - k) / stride) + 1, matrix = [], corners = [];
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) {
      corners.push([i * stride, j * stride]);
      matrix.push(weights.map((_, n) => a[i * stride + Math.floor(n / k)][j * stride + n % k]));
    }
    const sums = matrix.map((row) => row.reduce((total, v, n) => total + v * weights[n], 0));
    const out = Array.from({ length: size }, (_, i) => sums.slice(i * size, (i + 1) * size));
    return { a, weights, size, matrix, corners, sums, out };
  }

  function im2col(element, { picture, kernels }) {
    const line = says(), BIG = 26, SMALL = 22, TURN = 560;
    let kernel = kernels[0], stride = 1, padding = 0, byWeight = false, at = 0;
    const found = () => windows(picture, kernel, stride, padding);
    const matrixHigh = ({ matrix, weights }) => Math.max(matrix.length, weights.length) * SMALL + 30;
    const high = (wide) => {
      const now = found(), top = 30 + now.a.length * BIG + 34 + kernel.length * BIG;
      return wide >= TURN ? Math.max(top, matrixHigh(now)) : 34 + now.a.length * BIG + matrixHigh(now) + 16;
    };
    // Whether a place of the picture, or of the matrix, takes part in what is followed now.
    const inWindow = ({ corners }, n, i, j) => {
      const [y, x] = corners[n];
      return i >= y && i < y + kernel.length && j >= x && j < x + kernel.length;
    };
    const underWeight = ({ corners }, i, j) => corners.some(([y, x]) =>
      i === y + Math.floor(at / kernel.length) && j === x + at % kernel.length);
    const redraw = fitted(element, high, (svg, wide) => {
      const now = found(), k = kernel.length, across = wide >= TURN, p = padding, picked = now.a.length * BIG;
      const full = across ? picked + (k * k + now.size + 2) * SMALL + 170 : 0, left = 4 + Math.max(0, (wide - full) / 2) * across;
      const table = across ? [left + picked + 44, 24] : [left, 34 + picked + 20];
      const spot = across ? [left, 34 + picked + 18] : [left + picked + 16, 24];
      const x1 = table[0] + k * k * SMALL + 28, x2 = x1 + SMALL + 28;
      const last = across ? x2 + SMALL + 46 : spot[0] + k * BIG + 16;
      svg.append(text(left, 14, p ? `picture, padding ${p}` : "picture"), text(table[0], table[1] - 8, "windows as rows"),
        text(last, 14, "output"));
      now.out.forEach((row, i) => row.forEach((v, j) => svg.append(cell(last + j * (SMALL + 3), 24 + i * SMALL, SMALL + 3, plain(v),
        `small out ${!byWeight && at === i * now.size + j ? "lit" : ""}`, SMALL))));
      now.a.forEach((row, i) => row.forEach((v, j) => {
        const isZero = i < p || j < p || i >= now.a.length - p || j >= now.a.length - p;
        const lit = byWeight ? underWeight(now, i, j) : inWindow(now, at, i, j);
        svg.append(cell(left + j * BIG, 24 + i * BIG, BIG, plain(v), `${isZero ? "ghost" : ""} ${lit ? "lit" : ""}`));
      }));
      svg.append(text(spot[0], spot[1] - 8, "kernel"));
      kernel.forEach((row, i) => row.forEach((v, j) => svg.append(cell(spot[0] + j * BIG, spot[1] + i * BIG, BIG, plain(v),
        `out ${byWeight && at === i * k + j ? "lit" : ""}`))));
      if (!byWeight) {
        const [y, x] = now.corners[at];
        svg.append(make("rect", { class: "fig-frame", x: left + x * BIG - 3, y: 21 + y * BIG, width: k * BIG + 3, height: k * BIG + 3, rx: 8 }));
      }
      now.matrix.forEach((row, n) => {
        row.forEach((v, m) => svg.append(cell(table[0] + m * SMALL, table[1] + n * SMALL, SMALL, plain(v),
          `small ${(byWeight ? m : n) === at ? "lit" : ""}`)));
        svg.append(cell(x2, table[1] + n * SMALL, SMALL + 12, plain(now.sums[n]),
          `small out ${!byWeight && n === at ? "lit" : ""}`, SMALL));
      });
      now.weights.forEach((v, m) => svg.append(cell(x1, table[1] + m * SMALL, SMALL, plain(v), `small out ${byWeight && m === at ? "lit" : ""}`)));
      svg.append(make("text", { class: "fig-sign", x: x1 - 15, y: table[1] + 16 }, "@"), make("text", { class: "fig-sign", x: x2 - 15, y: table[1] + 16 }, "="));
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const now = found(), k = kernel.length, count = byWeight ? now.weights.length : now.matrix.length;
      at = Math.min(at, count - 1);
      const input = dial.querySelector("input"), place = [Math.floor(at / k), at % k];
      input.max = count - 1;
      input.value = at;
      dial.firstChild.textContent = byWeight ? "Weight" : "Window";
      dial.querySelector("output").textContent = named(byWeight ? place : [Math.floor(at / now.size), at % now.size]);
      const last = now.corners.at(-1)[0] + k, left = now.a.length - last;
      const step = (from) => `${from}:${from + stride * now.size}${stride > 1 ? `:${stride}` : ""}`;
      line.textContent = (byWeight
        ? `Below weight ${named(place)}, in all windows at once: column ${at}, the slice a[${step(place[0])}, ${step(place[1])}].`
        : `Window ${at} is row ${at}: ${now.matrix[at].map((v, n) => `${plain(v)}·${plain(now.weights[n])}`).join(" + ")} = ${plain(now.sums[at])}.`)
        + (left > 0 ? ` The stride leaves ${left === 1 ? "the last row and column" : `${left} rows and columns`} over.` : "")
        + ` The output is ${now.size} × ${now.size}.`;
      element.dataset.sum = byWeight ? "" : now.sums[at];
      redraw();
    };
    const dial = slider("Window", { min: 0, max: 3, step: 1, value: 0 }, String, (n) => { at = n; tell(); });
    const pick = (set) => (n) => { set(n); at = 0; tell(); };
    controls(element, choice("Kernel", ["2 × 2", "3 × 3"], pick((n) => { kernel = kernels[n]; })).element,
      choice("Padding", ["0", "1"], pick((n) => { padding = n; })).element,
      choice("Stride", ["1", "2"], pick((n) => { stride = n + 1; })).element,
      choice("Follow", ["A window: a row", "A weight: a column"], pick((n) => { byWeight = n === 1; })).element);
    below(element, rows(dial), line);
    tell();
  }

  // ---- dilate: the way back of a convolution along one axis -----------------------------------------------
  // What arrives, spread by the stride and padded for a flipped kernel; and the sums under it.
  function wayBack(size, kernel, stride, arrives) {
    const k = kernel.length, count = Math.floor((size - k) / stride) + 1;
    const grads = arrives.slice(0, count), around = Array(size + k - 1).fill(0), kinds = around.map(() => "around");
    grads.forEach((g, n) => {
      around[k - 1 + n * stride] = g;
      for (let gap = 0; gap < stride && n < count - 1; gap++) kinds[k - 1 + n * stride + gap] = "between";
    });
    grads.forEach((_, n) => { kinds[k - 1 + n * stride] = "value"; });
    const flipped = [...kernel].reverse();
    const left = (size - k) % stride;
    for (let n = 0; n < left; n++) kinds[kinds.length - 1 - n] = "left";
    const grad = Array.from({ length: size }, (_, at) => flipped.reduce((sum, w, n) => sum + w * around[at + n], 0));
    return { grads, around, kinds, flipped, grad, left };
  }

  function dilate(element, { kernel, arrives }) {
    const line = says(), MOST = 10;
    let size = 6, stride = 2, at = 2, share = 1;
    const found = () => wayBack(size, kernel, stride, arrives);
    const redraw = fitted(element, 280, (svg, wide) => {
      const now = found(), side = Math.min(44, Math.floor((wide - 4) / MOST)), k = kernel.length;
      const left = (wide - now.around.length * side) / 2, x = (n) => left + n * side;
      const ROW = 68, y = (n) => 22 + n * ROW;
      const say = (n, said) => svg.append(text(Math.max(2, x(0)), y(n) - 6, said));
      say(0, "out_grad");
      say(1, "dilated and padded");
      say(2, "the flipped kernel");
      say(3, `to a ${named([size])}`);
      now.grads.forEach((g, n) => svg.append(cell(x(k - 1 + n), y(0), side, plain(g), "back")));
      let g = 0;
      now.kinds.forEach((kind, n) => {
        const lit = n >= at && n < at + k ? "lit" : "";
        if (kind !== "value") svg.append(cell(x(n), y(1), side, "0", `ghost ${kind} ${lit}`));
        else {
          const [fx, fy] = between([x(k - 1 + g), y(0)], [x(n), y(1)], share);
          svg.append(cell(fx, fy, side, plain(now.grads[g++]), lit));
        }
      });
      now.flipped.forEach((w, n) => svg.append(cell(x(at + n), y(2), side, plain(w), "out lit")));
      now.grad.forEach((v, n) => svg.append(cell(x(n + 1), y(3), side, plain(v), n === at ? "lit" : "")));
      svg.setAttribute("aria-label", line.textContent);
    });
    const fly = flight((now) => { share = now; redraw(); });
    const tell = (moved = true) => {
      const now = found();
      at = Math.min(at, size - 1);
      const input = place.querySelector("input");
      input.max = size - 1;
      input.value = at;
      place.querySelector("output").textContent = `a${LOW(at)}`;
      const parts = now.flipped.map((w, n) => `${plain(now.around[at + n])}·${plain(w)}`).join(" + ");
      const between = stride === 1 ? "With stride 1 nothing is put between."
        : `The stride puts ${stride - 1 === 1 ? "a zero" : `${stride - 1} zeros`} between neighbours${now.left
          ? `, and what it left over asks for ${now.left === 1 ? "one more zero" : `${now.left} more zeros`} at the end` : ""}.`;
      line.textContent = `Gradient of a${LOW(at)}: ${parts} = ${plain(now.grad[at])}. ${between}`;
      element.classList.add("back");
      element.dataset.gradient = now.grad;
      if (moved) fly(); else redraw();
    };
    const place = slider("Value of a", { min: 0, max: 5, step: 1, value: at }, String, (n) => { at = n; tell(false); });
    below(element, rows(place, slider("Stride", { min: 1, max: 3, step: 1, value: stride }, String, (n) => { stride = n; tell(); }),
      slider("Size of a", { min: 4, max: 8, step: 1, value: size }, String, (n) => { size = n; tell(); })), line);
    tell(false);
  }

  Object.assign(BookFigures.KINDS, { im2col, dilate });
  Object.assign(BookFigures, { windows, wayBack });
})();
