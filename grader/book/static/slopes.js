// The figure of a step: how far three ways to estimate a slope are off, for every size of the step.
"use strict";
(() => {
  const { html, make, minus } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, power, fitted, text } = BookFigures;
  const LOWEST = -17, HIGHEST = 1, HIGH = 270, FOOT = HIGH - 34;

  function step(element, { exponents, usual, cases }) {
    const line = says(), WAYS = Object.keys(cases[0].off), nearest = (to) => exponents.reduce((best, e, n) =>
      Math.abs(e - to) < Math.abs(exponents[best] - to) ? n : best, 0);
    let which = 0, at = nearest(usual);
    const redraw = fitted(element, HIGH, (svg, wide) => {
      const left = 44, right = wide - 12, first = exponents[0], last = exponents.at(-1);
      const x = (e) => left + (right - left) * (first - e) / (first - last);
      const y = (off) => FOOT - (FOOT - 22) * (Math.max(LOWEST, Math.min(HIGHEST, Math.log10(off || 1e-99))) - LOWEST) / (HIGHEST - LOWEST);
      svg.append(text(2, 12, "off by"), text(right - 30, HIGH - 2, "step"));
      for (let e = -16; e <= 0; e += 4) svg.append(text(2, y(10 ** e) + 4, power(e)), make("line", { class: "fig-axis", x1: left, x2: right, y1: y(10 ** e), y2: y(10 ** e) }));
      for (let e = 0; e > last; e -= 4) svg.append(text(x(e) - 8, FOOT + 18, power(e)));
      svg.append(make("line", { class: "fig-here", x1: x(usual), x2: x(usual), y1: 18, y2: FOOT }), text(x(usual) + 5, 30, "STEP"));
      WAYS.forEach((way, n) => {
        const off = cases[which].off[way];
        svg.append(make("path", { class: `fig-curve start${n}`, d: `M${off.map((v, k) => `${x(exponents[k])} ${y(v)}`).join("L")}` }),
          make("circle", { class: `fig-bar start${n}`, cx: x(exponents[at]), cy: y(off[at]), r: 5 }));
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const told = (off) => off ? `off by ${minus(off.toExponential(1))}` : "right to the last digit";
    const tell = () => {
      const { name, off } = cases[which], both = off[WAYS[1]], best = both.indexOf(Math.min(...both));
      line.textContent = `${name}, step ${minus((10 ** exponents[at]).toExponential(1))}: ${WAYS.map((way) => `${way} ${told(off[way][at])}`).join(", ")}. `
        + `To both sides the best step here is ${minus((10 ** exponents[best]).toExponential(1))}.`;
      element.dataset.off = JSON.stringify(WAYS.map((way) => off[way][at]));
      redraw();
    };
    controls(element, choice("Slope of", cases.map(({ name }) => name), (n) => { which = n; tell(); }).element);
    below(element, html("p", { className: "fig-legend" }, ...WAYS.map((way, n) => html("span", { className: `start${n}` }, way))), line,
      rows(slider("Make the step smaller", { min: 0, max: exponents.length - 1, step: 1, value: at }, (n) => minus((10 ** exponents[n]).toExponential(1)), (n) => { at = n; tell(); })));
    tell();
  }

  BookFigures.KINDS.step = step;
})();
