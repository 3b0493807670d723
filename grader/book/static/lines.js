// The figure of cache lines: which of them three loops touch, and which accesses miss, from left to right in time.
"use strict";
(() => {
  const { html, make } = window.BabygradGraph;
  const { slider, rows, below, says, fitted, text } = BookFigures;

  function lines(element, { matrices, lines: count, orders }) {
    const line = says(), ROW = 1.6, APART = 5, TOP = 40, GUTTER = 10, LEFT = 26, PART = 8, periods = orders[0].touched.length;
    const deep = matrices.length * (count + APART), foot = TOP + deep * ROW;
    const row = (n) => Math.floor(n / count) * (count + APART) + n % count;
    let shown = periods;
    // What an order touched up to the time that is shown, as dashes in eighths of a part of the time: those that the
    // cache had, and those that were missed.
    const dashes = ({ touched }) => {
      const kinds = [new Map(), new Map()];
      const dash = (kind, n, from, to) => {
        if (!kinds[kind].has(n)) kinds[kind].set(n, []);
        const last = kinds[kind].get(n).at(-1);
        if (last && last[1] === from) last[1] = to;  // goes on where the last one ends
        else kinds[kind].get(n).push([from, to]);
      };
      touched.slice(0, shown).forEach((found, t) => found.forEach((each) => {
        const missed = each % (PART + 1), n = (each - missed) / (PART + 1), from = t * PART, share = missed && Math.max(2, missed);  // less is not seen
        if (share) dash(1, n, from, from + share);
        if (share < PART) dash(0, n, from + share, from + PART);
      }));
      return kinds.map((found) => [...found].map(([n, ends]) => ends.map(([from, to], k) =>
        `${k ? `m${from - ends[k - 1][1]} 0` : `M${from} ${row(n)}`}h${to - from}`).join("")).join(""));
    };
    const redraw = fitted(element, foot + 14, (svg, wide) => {
      const room = Math.floor((wide - LEFT - 2 - GUTTER * (orders.length - 1)) / orders.length);
      matrices.forEach((name, n) => svg.append(text(0, TOP + (row(n * count) + count / 2) * ROW + 5, name)));
      orders.forEach((order, n) => {
        const left = LEFT + n * (room + GUTTER), { name, missed } = order;
        svg.append(text(left, 12, name), text(left, 30, `${missed[shown - 1].toLocaleString("en")} missed`));
        matrices.forEach((_, m) => svg.append(make("rect", { class: "fig-axis", fill: "none", x: left, y: TOP + row(m * count) * ROW - 1, width: room, height: count * ROW + 2 })));
        svg.append(make("svg", { x: left, y: TOP, width: room, height: deep * ROW, viewBox: `0 -0.5 ${PART * periods} ${deep}`, preserveAspectRatio: "none" },
          ...dashes(order).map((d, missing) => make("path", { class: `fig-curve ${missing ? "start2" : "start0"}`, style: "stroke-width: 1", d }))));
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
