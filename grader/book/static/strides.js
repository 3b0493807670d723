// The figure of strides: one buffer, several arrays that read it, and where each value of theirs lies.
"use strict";
(() => {
  const { make } = window.BabygradGraph;
  const { slider, rows, turns, choice, controls, below, says, fitted, text, named, plain, cell } = BookFigures;
  const size = (shape) => shape.reduce((product, n) => product * n, 1);

  // The index of the nth value, in row-major order, and the place in the buffer that it leads to.
  function indexOf(n, shape) {
    const index = [];
    for (let axis = shape.length - 1; axis >= 0; axis--) { index.unshift(n % shape[axis]); n = Math.floor(n / shape[axis]); }
    return index;
  }
  const placeOf = (index, { strides, offset }) => index.reduce((place, i, axis) => place + i * strides[axis], offset);
  const places = (view) => Array.from({ length: size(view.shape) }, (_, n) => placeOf(indexOf(n, view.shape), view));

  function strides(element, { buffer, views }) {
    const line = says(), TOP = 26, HIGH = 34, GRID = TOP + HIGH + 62, most = Math.max(...views.map(({ columns, shape }) => size(shape) / columns));
    let at = 0, reached = 0;
    const redraw = fitted(element, GRID + most * HIGH + 4, (svg, wide) => {
      const view = views[at], found = places(view), side = Math.min(52, (wide - 4) / buffer.length);
      const left = (wide - buffer.length * side) / 2, width = Math.min(64, (wide - 90) / view.columns), start = (wide - view.columns * width) / 2;
      const shape = text(wide - 2, 12, `shape ${named(view.shape)}`);
      shape.setAttribute("style", "text-anchor: end");
      svg.append(text(2, 12, "buffer"), shape);
      buffer.forEach((value, place) => {
        const x = left + place * side, cls = place === found[reached] ? "lit" : found.includes(place) ? "" : "ghost";
        svg.append(cell(x, TOP, side, plain(value), `small ${cls}`, HIGH), make("text", { class: "fig-text fig-place", x: x + side / 2 - 7, y: TOP + HIGH + 12 }, String(place)));
      });
      const from = [start + (reached % view.columns + 0.5) * width, GRID + Math.floor(reached / view.columns) * HIGH], to = [left + (found[reached] + 0.5) * side, TOP + HIGH + 16];
      svg.append(make("path", { class: "fig-edge active", d: `M${from}C${from[0]} ${from[1] - 30} ${to[0]} ${to[1] + 34} ${to}` }));
      found.forEach((place, n) => svg.append(cell(start + (n % view.columns) * width, GRID + Math.floor(n / view.columns) * HIGH, width, plain(buffer[place]),
        n === reached ? "lit" : "", HIGH)));
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const view = views[at], count = size(view.shape), index = indexOf(reached, view.shape), place = placeOf(index, view);
      pair.stand(reached, count - 1);
      const signed = (n) => n < 0 ? `(−${-n})` : String(n);
      line.textContent = `Strides ${named(view.strides.map((n) => String(n).replace("-", "−")))}, offset ${view.offset}. Value [${index.join(", ")}] is word `
        + `${[view.offset, ...index.map((i, axis) => `${i} · ${signed(view.strides[axis])}`)].join(" + ")} = ${place}: ${plain(buffer[place])}. ${view.says}`;
      dial.querySelector("input").max = count - 1;
      dial.querySelector("input").value = reached;
      dial.querySelector("output").textContent = `${reached + 1} of ${count}`;
      Object.assign(element.dataset, { place, places: JSON.stringify(places(view)) });
      redraw();
    };
    const dial = slider("Value", { min: 0, max: 1, step: 1, value: 0 }, String, (n) => { reached = n; tell(); });
    const pair = turns((by) => () => { reached = Math.max(0, Math.min(size(views[at].shape) - 1, reached + by)); tell(); });
    controls(element, choice("Read it as", views.map(({ name }) => name), (n) => { at = n; reached = 0; tell(); }).element);
    below(element, line, pair.element, rows(dial));
    addEventListener("beforeprint", () => { at = 1; reached = 5; tell(); });  // paper shows a transpose
    tell();
  }

  BookFigures.KINDS.strides = strides;
  BookFigures.places = places;
})();
