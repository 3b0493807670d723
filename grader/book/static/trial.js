// The figure of a trial: what a rule of tanh says beside what moving the number says, for every step.
"use strict";
(() => {
  const { html, make, minus } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, power, fitted, text } = BookFigures;
  const SMALLEST = -14, GAPS = -14;

  // The slope of tanh by a right rule and by three wrong ones: of x, and of y = tanh x.
  const RULES = {
    "from chapter 3": (x, y) => 1 - y * y, "not squared": (x, y) => 1 - y,
    "of the input": (x) => 1 - x * x, "a thousandth more": (x, y) => 1.001 * (1 - y * y),
  };
  const moved = (x, h) => (Math.tanh(x + h) - Math.tanh(x - h)) / (2 * h);
  const gap = (name, x, h) => Math.abs(RULES[name](x, Math.tanh(x)) - moved(x, h));

  function trial(element) {
    const line = says(), NAMES = Object.keys(RULES);
    let name = NAMES[1], x = 0.5, step = -0.5, tolerance = -6;
    const redraw = fitted(element, 380, (svg, wide) => {
      const left = 44, right = wide - 10, middle = (left + right) / 2, unit = Math.min(76, (right - left) / 6.4), zero = 92;
      const px = (v) => middle + unit * v, py = (v) => zero - 66 * v;
      const path = (points, cls, shown) => svg.append(make("path", { class: `fig-curve ${cls}`, d: `M${points.map(([a, b]) => shown(a, b)).join("L")}` }));
      const onCurve = (a, b) => `${px(a)} ${py(b)}`, h = 10 ** step, y = Math.tanh(x);
      svg.append(make("line", { class: "fig-axis", x1: px(-3.2), x2: px(3.2), y1: zero, y2: zero }));
      path(Array.from({ length: 129 }, (_, n) => [(n - 64) / 20, Math.tanh((n - 64) / 20)]), "own solid", onCurve);
      // Both slopes as lines of one length through the point, however steep they are.
      [[moved(x, h), "start0"], [RULES[name](x, y), "start2 broken"]].forEach(([slope, cls]) => {
        const far = 1.3 / Math.hypot(1, slope);
        path([[x - far, y - slope * far], [x + far, y + slope * far]], cls, onCurve);
      });
      for (const at of [x - h, x + h]) svg.append(make("circle", { class: "fig-bar start0", cx: px(at), cy: py(Math.tanh(at)), r: 4 }));
      const top = 200, foot = 356, gx = (e) => left + (right - left) * (1 - e / SMALLEST);
      const gy = (v) => foot - (foot - top) * (1 - Math.max(GAPS, Math.min(0, Math.log10(v || 1e-99))) / GAPS);
      svg.append(text(2, top - 12, "gap between the two"), text(gx(-2) - 14, foot + 18, "step"));
      for (let e = -12; e <= 0; e += 4) {
        svg.append(text(2, gy(10 ** e) + 4, power(e)), text(gx(e) - 12, foot + 18, power(e)),
          make("line", { class: "fig-axis", x1: left, x2: right, y1: gy(10 ** e), y2: gy(10 ** e) }));
      }
      svg.append(text(right - 62, gy(10 ** tolerance) - 5, "tolerance"), make("line", { class: "fig-here", x1: left, x2: right, y1: gy(10 ** tolerance), y2: gy(10 ** tolerance) }));
      path(Array.from({ length: -10 * SMALLEST + 1 }, (_, n) => [-n / 10, gap(name, x, 10 ** (-n / 10))]), "start2", (e, v) => `${gx(e)} ${gy(v)}`);
      svg.append(make("circle", { class: "fig-bar start2", cx: gx(step), cy: gy(gap(name, x, h)), r: 6 }));
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const h = 10 ** step, found = gap(name, x, h), isAccepted = found < 10 ** tolerance, tidy = (v) => minus(v.toFixed(6));
      line.textContent = `At ${minus(x.toFixed(1))} the rule says ${tidy(RULES[name](x, Math.tanh(x)))}, moving x says ${tidy(moved(x, h))}. `
        + `The gap is ${minus(found.toExponential(0))}: ${isAccepted ? "accepted" : "rejected"}.`;
      Object.assign(element.dataset, { gap: found, accepted: isAccepted });
      redraw();
    };
    const tens = (e) => Number.isInteger(e) ? power(e) : minus((10 ** e).toExponential(1));
    controls(element, choice("Rule", NAMES, (n) => { name = NAMES[n]; tell(); }, 1).element);
    below(element, html("p", { className: "fig-legend" }, html("span", { className: "start0" }, "moving x"), html("span", { className: "start2" }, "the rule")), line,
      rows(slider("x", { min: -2, max: 2, step: 0.1, value: x }, (v) => minus(v.toFixed(1)), (v) => { x = v; tell(); }),
        slider("Step", { min: SMALLEST, max: 0, step: 0.5, value: step }, tens, (e) => { step = e; tell(); }),
        slider("Tolerance", { min: -12, max: -1, step: 1, value: tolerance }, power, (e) => { tolerance = e; tell(); })));
    tell();
  }

  BookFigures.KINDS.trial = trial;
})();
