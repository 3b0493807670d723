// The figure of cache lines: which of them three loops touch, and which accesses miss, from left to right in time.
"use strict";
(() => {
  const { html, make } = window.BabygradGraph;
  const { slider, rows, below, says, fitted, text } = BookFigures;

  function lines(element, { matrices, lines: count, orders }) {
    const line = says(), ROW = 1.6, TOP = 40, GAP = 8, GUTTER = 10, LEFT = 26, periods = orders[0].touched.length;
    const band = count * ROW + GAP, foot = TOP + matrices.length * band;
    const y = (n) => TOP + Math.floor(n / count) * band + (n % count) * ROW;
    let shown = periods;
    const redraw = fitted(element, foot + 14, (svg, wide) => {
      const room = (wide - LEFT - 2 - GUTTER * (orders.length - 1)) / orders.length, step = room / periods;
      matrices.forEach((name, n) => svg.append(text(0, y(n * count) + band / 2, name)));
      orders.forEach(({ name, touched, missed }, n) => {
        const left = LEFT + n * (room + GUTTER), paths = ["", ""];
        // Each touched line is a dash, of which the share that was missed has the other colour.
        touched.slice(0, shown).forEach((found, t) => found.forEach((each) => {
          const share = each % 9, end = share && Math.max(0.5, step * share / 8), at = (begin) => `M${(left + t * step + begin).toFixed(1)} ${(y((each - share) / 9) + ROW / 2).toFixed(1)}h`;
          if (share) paths[1] += at(0) + end.toFixed(2);
          if (share < 8) paths[0] += at(end) + Math.max(0, step - end).toFixed(2);
        }));
        svg.append(text(left, 12, name), text(left, 30, `${missed[shown - 1].toLocaleString("en")} missed`));
        matrices.forEach((_, m) => svg.append(make("rect", { class: "fig-axis", fill: "none", x: left, y: y(m * count) - 1, width: room, height: band - GAP + 2 })));
        paths.forEach((d, missing) => svg.append(make("path", { class: missing ? "fig-curve start2" : "fig-curve start0", "stroke-width": ROW, d })));
      });
      svg.append(text(LEFT, foot + 8, "time →"));
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      line.textContent = `After ${shown} of ${periods} parts of the time: ${orders.map(({ name, missed, accesses }) =>
        `${name} has missed ${missed[shown - 1].toLocaleString("en")} lines in ${Math.round(accesses * shown / periods).toLocaleString("en")} accesses`).join("; ")}.`;
      element.dataset.missed = JSON.stringify(orders.map(({ missed }) => missed[shown - 1]));
      redraw();
    };
    const legend = html("p", { className: "fig-legend" }, html("span", { className: "start0" }, "touched, and in the cache"), html("span", { className: "start2" }, "missed"));
    const dial = slider("Time", { min: 1, max: periods, step: 1, value: shown }, (n) => `${n} of ${periods}`, (n) => { shown = n; tell(); });
    below(element, legend, line, rows(dial));
    addEventListener("beforeprint", () => { shown = periods; tell(); });  // paper shows all of it
    tell();
  }

  BookFigures.KINDS.lines = lines;
})();
