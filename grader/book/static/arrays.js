// Figures of arrays: where a transpose puts each value and how it goes back, a sum and its way back,
// and a matrix product as rows that are laid beside columns.
"use strict";
(() => {
  const { make } = window.BabygradGraph;
  const { slider, rows, buttons, button, choice, below, says, fitted, text, shapeOf, named, plain, cell, between,
    flight } = BookFigures;
  const LOW = "₀₁₂₃₄₅₆₇₈₉";
  const lowered = (...places) => places.map((n) => LOW[n]).join("");

  // ---- transpose: axes change places, and one permutation brings them back ---------------------------------
  // At which position of `axes` does each axis stand?
  const inverse = (axes) => axes.map((_, axis) => axes.indexOf(axis));
  const permuted = (list, axes) => axes.map((axis) => list[axis]);
  const indices = ([a, b, c]) => Array.from({ length: a * b * c }, (_, n) =>
    [Math.floor(n / (b * c)), Math.floor(n / c) % b, n % c]);
  const valueAt = (array, index) => index.reduce((part, n) => part[n], array);

  function transpose(element, { axes: all, a, cases }) {
    const line = says(), WAYS = ["Forward", "Back with the inverse", "Back with the same again"];
    const start = shapeOf(a), TALL = 4 * 26;
    let at = 4, way = 0, followed = 19, share = 1;
    // What stands above and below, and the permutation between them.
    const scene = () => {
      const { out, arrives, grad, wrong } = cases[at];
      if (way === 0) return { above: a, under: out, axes: all[at], names: ["a", "out"] };
      return way === 1 ? { above: arrives, under: grad, axes: inverse(all[at]), names: ["out_grad", "to a"] }
        : { above: arrives, under: wrong, axes: all[at], names: ["out_grad", "to a?"] };
    };
    const redraw = fitted(element, 2 * TALL + 150, (svg, wide) => {
      const { above, under, axes, names } = scene(), shape = shapeOf(above), size = shapeOf(under);
      const side = Math.min(26, Math.floor((wide - 40) / 12)), gap = 12;
      // Slabs side by side: axis 0 counts them, axes 1 and 2 go down and across.
      const spots = ([slabs, , across], top) => {
        const left = (wide - slabs * (across * side + gap) + gap) / 2;
        return ([i, j, k]) => [left + i * (across * side + gap) + k * side, top + j * side];
      };
      const from = spots(shape, 24), to = spots(size, TALL + 142), chosen = indices(start)[followed];
      const lit = way === 0 ? chosen : permuted(chosen, all[at]);
      const mid = (n) => wide * (2 * n + 1) / 6;
      svg.append(text(4, 14, `${names[0]} ${named(shape)}`), text(4, TALL + 132, `${names[1]} ${named(size)}`));
      axes.forEach((axis, n) => {
        const cls = `fig-wire axis${axis}`, [x, y] = [mid(axis), mid(n)];
        svg.append(make("path", { class: cls, d: `M${x} ${TALL + 48}C${x} ${TALL + 76} ${y} ${TALL + 70} ${y} ${TALL + 94}` }),
          make("text", { class: `fig-axis-name axis${axis}`, x, y: TALL + 42 }, `axis ${axis}: ${shape[axis]}`),
          make("text", { class: `fig-axis-name axis${axis}`, x: y, y: TALL + 112 }, `axis ${n}: ${size[n]}`));
      });
      for (const index of indices(shape)) {
        const same = index.every((v, n) => v === lit[n]), end = permuted(index, axes);
        const [x, y] = between(from(index), to(end), share);
        svg.append(cell(...from(index), side, plain(valueAt(above, index)), same ? "lit" : ""));
        svg.append(cell(x, y, side, plain(valueAt(under, end)), same ? "lit" : ""));
      }
      svg.setAttribute("aria-label", line.textContent);
    });
    const fly = flight((now) => { share = now; redraw(); });
    const tell = (moved = true) => {
      const { above, under, axes } = scene(), size = shapeOf(under), chosen = indices(start)[followed];
      const lit = way === 0 ? chosen : permuted(chosen, all[at]), end = permuted(lit, axes);
      const lands = `The value ${plain(valueAt(above, lit))} at ${named(lit)} lands at ${named(end)}`;
      const fits = size.every((n, axis) => n === start[axis]);
      const home = end.every((n, axis) => n === chosen[axis]);
      line.textContent = way === 0 ? `${lands}: its indices in the order ${axes.join(", ")}.`
        : way === 1 ? `Back with ${named(axes)}: for each axis of a, the position at which it stands in ${named(all[at])}. ${lands}, where a had it.`
        : home && fits ? `${lands}. This permutation undoes itself: a swap is its own inverse.`
        : fits ? `The shape is right, but not each value: ${lands}, and a had it at ${named(chosen)}.`
        : `${named(size)} is not the shape of a. ${lands}, and a had it at ${named(chosen)}.`;
      element.classList.toggle("back", way > 0);
      Object.assign(element.dataset, { lands: end, way });
      if (moved) fly(); else redraw();
    };
    const ways = choice("Direction", WAYS, (n) => { way = n; tell(); });
    const picks = choice("Permutation", all.map(named), (n) => { at = n; tell(); }, at);
    below(element, line, ways.element, picks.element,
      rows(slider("Value to follow", { min: 0, max: 23, step: 1, value: followed }, (n) => named(indices(start)[n]),
        (n) => { followed = n; tell(false); })));
    tell(false);
  }

  // ---- sum: many go into one, and one goes back to many ----------------------------------------------------
  function sum(element, { cases }) {
    const line = says(), SIDE = 38;
    let at = 0, back = false, share = 1;
    const flat = (array) => [array].flat(2);
    // The place in the result that a value at (i, j) was added to.
    const goes = ({ axis }, i, j) => axis === 0 ? j : axis === 1 ? i : 0;
    const redraw = fitted(element, 118, (svg, wide) => {
      const told = cases[at], [height, width] = shapeOf(told.a), result = flat(back ? told.arrives : told.out);
      const left = Math.max(4, wide / 2 - width * SIDE - 30), right = wide / 2 + 30;
      const source = (i, j) => [left + j * SIDE, 32 + i * SIDE];
      const target = (n) => told.axis === null ? [right, 32] : told.axis === 0 ? [right + n * SIDE, 32] : [right, 32 + n * SIDE];
      svg.append(text(left, 18, back ? `to a ${named([height, width])}` : `a ${named([height, width])}`),
        text(right, 18, `${back ? "out_grad" : "out"} ${named(shapeOf(told.out))}`));
      const done = share === 1;
      for (let i = 0; i < height; i++) for (let j = 0; j < width; j++) {
        const to = target(goes(told, i, j)), value = plain((back ? told.grad : told.a)[i][j]);
        if (!back || done) svg.append(cell(...source(i, j), SIDE, value));
        if (!done) svg.append(cell(...(back ? between(to, source(i, j), share) : between(source(i, j), to, share)), SIDE, value, "lit"));
      }
      result.forEach((value, n) => (back || done) && svg.append(cell(...target(n), SIDE, plain(value), "lit")));
      svg.setAttribute("aria-label", line.textContent);
    });
    const fly = flight((now) => { share = now; redraw(); });
    const tell = (moved = true) => {
      const told = cases[at], over = told.axis === null ? "all axes" : `axis ${told.axis}`;
      const first = told.axis === 1 ? told.a[0] : told.axis === 0 ? told.a.map((row) => row[0]) : told.a.flat();
      line.textContent = back
        ? `Back: every value was added once, so it moves the sum one for one. Each gets what arrives where it went: `
          + `a₀₀ gets ${plain(flat(told.arrives)[0])}. The axis that the sum took away is stretched again.`
        : `Forward over ${over}: ${first.map(plain).join(" + ")} = ${plain(flat(told.out)[0])}`
          + `${flat(told.out).length > 1 ? ", and so on for the others" : ""}.`;
      element.classList.toggle("back", back);
      if (moved) fly(); else redraw();
    };
    const ways = choice("Direction", ["Forward", "Backward"], (n) => { back = n === 1; tell(); });
    const names = cases.map(({ axis }) => axis === null ? "sum()" : `sum(${axis})`);
    below(element, line, ways.element, choice("Axes", names, (n) => { at = n; tell(); }).element);
    tell(false);
  }

  // ---- matrix product: a row is turned and laid beside a column ----------------------------------------------
  const product = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((total, v, k) => total + v * b[k][j], 0)));
  const turned = (a) => a[0].map((_, j) => a.map((row) => row[j]));
  const cut = (a, height, width) => a.slice(0, height).map((row) => row.slice(0, width));
  // The two factors and the result of c = a @ b, or of one of its gradients.
  function factors(way, { a, b, g }, [n, k, m]) {
    const [left, top, grad] = [cut(a, n, k), cut(b, k, m), cut(g, n, m)];
    const [x, y] = [[left, top], [grad, turned(top)], [turned(left), grad]][way];
    return { left: x, top: y, out: product(x, y) };
  }
  const NAMES = [["a", "b", "c"], ["out_grad", "bᵀ", "to a"], ["aᵀ", "out_grad", "to b"]];

  function matmul(element, data) {
    const line = says(), size = [2, 3, 2], SIDE = 32, MOST = 4;
    let way = 0, at = 0, share = 1, playing = false;
    const parts = () => factors(way, data, size);
    const place = ({ out }) => [Math.floor(at / out[0].length), at % out[0].length];
    const count = ({ out }) => out.length * out[0].length;
    const high = () => { const { left, top } = parts(); return (Math.max(2, top.length) + left.length) * SIDE + 66; };
    const redraw = fitted(element, high, (svg, wide) => {
      const { left, top, out } = parts(), [row, column] = place({ out }), [l, t, c] = NAMES[way];
      const corner = Math.max(3, left[0].length) * SIDE, across = corner + 24 + top[0].length * SIDE;
      const x0 = Math.max(0, (wide - across) / 2), x1 = x0 + corner + 24, y1 = Math.max(2, top.length) * SIDE + 48;
      const shapes = [left, top, out].map((each) => named(shapeOf(each)));
      svg.append(text(x1, 16, `${t} ${shapes[1]}`), text(x0, y1 - 8, `${l} ${shapes[0]}`),
        text(x1, y1 - 8, `${c} ${shapes[2]}`));
      left.forEach((line, i) => line.forEach((v, k) =>
        svg.append(cell(x0 + k * SIDE, y1 + i * SIDE, SIDE, plain(v), i === row ? "lit" : ""))));
      top.forEach((line, k) => line.forEach((v, j) =>
        svg.append(cell(x1 + j * SIDE, 24 + k * SIDE, SIDE, plain(v), j === column ? "lit" : ""))));
      out.forEach((line, i) => line.forEach((v, j) => {
        const n = i * out[0].length + j, isHere = n === at, isKnown = n < at || (isHere && share === 1);
        svg.append(cell(x1 + j * SIDE, y1 + i * SIDE, SIDE, isKnown ? plain(v) : "", `out${isKnown ? "" : " ghost"}${isHere ? " lit" : ""}`));
      }));
      left[row].forEach((v, k) => {
        const from = [x0 + k * SIDE, y1 + row * SIDE], beside = [x1 - 2 * SIDE - 20, 24 + k * SIDE];
        const other = [x1 + column * SIDE, 24 + k * SIDE];
        svg.append(cell(...between(from, beside, share), SIDE, plain(v), "lit moved"),
          cell(...between(other, [beside[0] + SIDE + 8, beside[1]], share), SIDE, plain(top[k][column]), "lit moved"));
        if (share === 1) svg.append(make("text", { class: "fig-dot-sign", x: beside[0] + SIDE + 2.5, y: beside[1] + SIDE / 2 + 3 }, "·"));
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const fly = flight((now) => { share = now; redraw(); });
    const tell = (moved = true) => {
      const found = parts();
      at = Math.min(at, count(found) - 1);
      cells.querySelector("input").max = count(found) - 1;
      cells.querySelector("input").value = at;
      const [i, j] = place(found), pairs = found.left[i].map((v, k) => `${plain(v)} · ${plain(found.top[k][j])}`);
      cells.querySelector("output").textContent = named([i, j]);
      line.textContent = `${NAMES[way][2]}${way ? " at " + named([i, j]) : lowered(i, j)} = ${pairs.join(" + ")} = ${plain(found.out[i][j])}: `
        + `row ${i} of ${NAMES[way][0]}, turned, beside column ${j} of ${NAMES[way][1]}.`;
      element.classList.toggle("back", way > 0);
      element.dataset.value = found.out[i][j];
      if (moved) fly(); else redraw();
    };
    const stop = () => { playing = false; play.textContent = "Play"; };
    const beat = () => {
      if (!playing || !element.isConnected) return;
      if (at + 1 >= count(parts())) { stop(); return; }
      at++;
      tell();
      setTimeout(beat, 1300);
    };
    const play = button("Play", () => {
      if (playing) { stop(); return; }
      playing = true;
      play.textContent = "Pause";
      if (at + 1 >= count(parts())) at = -1;
      beat();
    });
    const ways = choice("Product", ["c = a @ b", "Gradient of a", "Gradient of b"],
      (n) => { stop(); way = n; at = 0; tell(); });
    const cells = slider("Value of the result", { min: 0, max: 3, step: 1, value: 0 }, String, (n) => { stop(); at = n; tell(); });
    const dial = (n, label) => slider(label, { min: 1, max: n === 1 ? MOST : 3, step: 1, value: size[n] }, String,
      (v) => { size[n] = v; share = 1; tell(false); });
    below(element, line, ways.element, buttons(play, button("Next", () => { stop(); at = (at + 1) % count(parts()); tell(); })),
      rows(cells, dial(0, "n: rows of a"), dial(1, "k: what both share"), dial(2, "m: columns of b")));
    tell(false);
  }

  Object.assign(BookFigures.KINDS, { transpose, sum, matmul });
  Object.assign(BookFigures, { inverse, product, factors });
})();
