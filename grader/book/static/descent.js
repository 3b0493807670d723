// Figures of one step: down a ravine, of a gradient that is clipped, and of a learning rate that changes.
"use strict";
(() => {
  const { html, make, short } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, fitted, text } = BookFigures;
  const legend = (names) => html("p", { className: "fig-legend" }, ...names.map(([cls, name]) => html("span", { className: cls }, name)));

  // ---- plain gradient descent in a ravine --------------------------------------------------------------
  function descend([x, y], steep, rate, steps) {
    const path = [[x, y]];
    for (let n = 0; n < steps; n++) {
      [x, y] = [x - rate * x, y - rate * steep * y];
      path.push([x, y]);
    }
    return path;
  }

  function ravine(element, data) {
    const line = says(), { start } = data, WIDE = 12, TALL = 1.6;
    let { steep } = data, rate = 0.07, steps = 12;
    const redraw = fitted(element, 250, (svg, wide, high) => {
      const x = (v) => wide - 40 - (wide - 60) * v / WIDE, y = (v) => high / 2 - (high / 2 - 14) * v / TALL;
      for (const level of [1, 5, 15, 30, 50, 80]) svg.append(make("ellipse", { class: "fig-level", cx: x(0), cy: y(0),
        rx: Math.sqrt(2 * level) * (wide - 60) / WIDE, ry: Math.sqrt(2 * level / steep) * (high / 2 - 14) / TALL }));
      const path = descend(start, steep, rate, steps), seen = path.findIndex(([, b]) => Math.abs(b) > TALL);
      const shown = seen < 0 ? path : path.slice(0, seen + 1);
      const inside = make("svg", { x: 0, y: 0, width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, overflow: "hidden" });
      inside.append(make("path", { class: "fig-curve start0", d: `M${shown.map(([a, b]) => `${x(a)} ${y(b)}`).join("L")}` }),
        ...shown.map(([a, b]) => make("circle", { class: "fig-bar start0", cx: x(a), cy: y(b), r: 3.5 })));
      svg.append(inside, make("circle", { class: "fig-bar start3", cx: x(0), cy: y(0), r: 6 }), text(x(0) + 10, y(0) + 4, "goal"));
      svg.setAttribute("aria-label", "Steps of gradient descent in a ravine, seen from above");
    });
    const tell = () => {
      const [x, y] = descend(start, steep, rate, steps).at(-1), loss = (x * x + steep * y * y) / 2, limit = 2 / steep;
      const isOver = rate > limit;
      line.textContent = `Each step multiplies x by ${short(1 - rate)} and y by ${short(1 - steep * rate)}. After ${steps} steps: x ${short(x)}, y ${short(y)}, loss ${short(loss)}. `
        + `The limit is 2 / ${steep} = ${short(limit)}: ${isOver ? "y grows, and the loss explodes" : 1 - steep * rate < 0 ? "y jumps from wall to wall" : "y falls without a jump"}.`;
      Object.assign(element.dataset, { x, y, loss });
      redraw();
    };
    below(element, line, rows(slider("Learning rate", { min: 0.005, max: 0.12, step: 0.005, value: rate }, (v) => v.toFixed(3), (v) => { rate = v; tell(); }),
      slider("Steps", { min: 0, max: 40, step: 1, value: steps }, String, (n) => { steps = n; tell(); }),
      slider("Steepness of y", { min: 1, max: 50, step: 1, value: steep }, String, (n) => { steep = n; tell(); })));
    tell();
  }

  // ---- a gradient that is clipped ------------------------------------------------------------------------
  const clipped = (gradient, most) => {
    const total = Math.hypot(...gradient), factor = total > most ? most / total : 1;
    return { total, factor, whole: gradient.map((g) => g * factor), each: gradient.map((g) => Math.sign(g) * Math.min(Math.abs(g), most)) };
  };

  function clip(element, data) {
    const line = says(), UNITS = 5.5;
    let gradient = [...data.gradient], { most } = data;
    const redraw = fitted(element, 290, (svg, wide, high) => {
      const unit = (high - 40) / UNITS, left = Math.max(40, wide / 2 - 3 * unit), x = (v) => left + unit * v, y = (v) => high - 26 - unit * v;
      svg.append(make("line", { class: "fig-axis", x1: x(0), x2: x(UNITS), y1: y(0), y2: y(0) }), make("line", { class: "fig-axis", x1: x(0), x2: x(0), y1: y(0), y2: y(UNITS) }),
        text(x(UNITS) - 84, y(0) + 18, "gradient of a"), text(x(0) - 34, 12, "gradient of b"),
        make("path", { class: "fig-here", fill: "none", d: `M${x(most)} ${y(0)}A${unit * most} ${unit * most} 0 0 0 ${x(0)} ${y(most)}` }));
      const { whole, each } = clipped(gradient, most);
      for (const [[a, b], cls] of [[gradient, "own solid"], [each, "start2 broken"], [whole, "start0"]]) {
        const turn = Math.atan2(y(b) - y(0), x(a) - x(0)) * 180 / Math.PI;
        svg.append(make("line", { class: `fig-curve ${cls}`, x1: x(0), y1: y(0), x2: x(a), y2: y(b) }),
          make("path", { class: `fig-bar ${cls.split(" ")[0]}`, d: "M0 0L-11 5L-11 -5z", transform: `translate(${x(a)} ${y(b)}) rotate(${turn})` }));
      }
      svg.setAttribute("aria-label", line.textContent);
    });
    const pair = (list) => `(${list.map(short).join(", ")})`;
    const tell = () => {
      const { total, factor, whole, each } = clipped(gradient, most);
      line.textContent = `The gradient ${pair(gradient)} has length ${short(total)}. ${factor < 1 ? `All of it times ${short(factor)}: ${pair(whole)}, length ${short(most)}` : "It is short enough and stays"}. `
        + `Each number clipped alone: ${pair(each)}, length ${short(Math.hypot(...each))}${Math.abs(whole[0] * each[1] - whole[1] * each[0]) > 1e-9 ? ", in another direction." : "."}`;
      Object.assign(element.dataset, { total, whole: JSON.stringify(whole) });
      redraw();
    };
    const dial = (label, n) => slider(label, { min: 0, max: 5, step: 0.1, value: gradient[n] }, short, (v) => { gradient[n] = v; tell(); });
    below(element, legend([["own", "the gradient"], ["start0", "clipped as a whole"], ["start2", "each number alone"]]), line,
      rows(dial("Gradient of a", 0), dial("Gradient of b", 1), slider("max_norm", { min: 0.5, max: 5, step: 0.1, value: most }, short, (v) => { most = v; tell(); })));
    tell();
  }

  // ---- schedules -----------------------------------------------------------------------------------------
  const stepDecay = (t, { lr, every, factor }) => lr * factor ** Math.floor(t / every);
  function warmupCosine(t, { lr, warmup, total }) {
    if (t < warmup) return lr * (t + 1) / warmup;
    const done = total > warmup ? Math.min(1, (t - warmup) / (total - warmup)) : 1;
    return lr * (1 + Math.cos(Math.PI * done)) / 2;
  }
  const SCHEDULES = { step_decay: stepDecay, warmup_cosine: warmupCosine };

  function schedules(element, data) {
    const line = says(), set = { ...data }, NAMES = Object.keys(SCHEDULES);
    let at = 30;
    const redraw = fitted(element, 230, (svg, wide, high) => {
      const left = 40, foot = high - 30, x = (t) => left + (wide - left - 14) * t / data.total, y = (rate) => foot - (foot - 20) * rate / (1.1 * data.lr);
      svg.append(text(2, 12, "learning rate"), text(wide - 40, high - 2, "step"));
      for (const rate of [0, data.lr / 2, data.lr]) svg.append(text(2, y(rate) + 4, String(rate)), make("line", { class: "fig-axis", x1: left, x2: wide - 14, y1: y(rate), y2: y(rate) }));
      for (let t = 0; t < data.total; t += 20) svg.append(text(x(t) - 6, high - 12, String(t)));
      svg.append(make("line", { class: "fig-here", x1: x(at), x2: x(at), y1: 18, y2: foot }));
      NAMES.forEach((name, n) => {
        const rates = Array.from({ length: data.total + 1 }, (_, t) => SCHEDULES[name](t, set));
        svg.append(make("path", { class: `fig-curve start${2 * n}`, d: `M${rates.map((rate, t) => `${x(t)} ${y(rate)}`).join("L")}` }),
          make("circle", { class: `fig-bar start${2 * n}`, cx: x(at), cy: y(rates[at]), r: 5 }));
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const rates = NAMES.map((name) => SCHEDULES[name](at, set));
      line.textContent = `Step ${at}: ${NAMES.map((name, n) => `${name} ${rates[n].toFixed(4)}`).join(", ")}.`;
      element.dataset.rates = JSON.stringify(rates);
      redraw();
    };
    const dial = (label, name, min, max, by) => slider(label, { min, max, step: by, value: set[name] }, String, (v) => { set[name] = v; tell(); });
    below(element, legend(NAMES.map((name, n) => [`start${2 * n}`, name])), line,
      rows(slider("t", { min: 0, max: data.total, step: 1, value: at }, String, (t) => { at = t; tell(); }),
        dial("every", "every", 5, 50, 5), dial("factor", "factor", 0.1, 0.9, 0.1), dial("warmup", "warmup", 0, 50, 5)));
    tell();
  }

  Object.assign(BookFigures.KINDS, { ravine, clip, schedules });
  Object.assign(BookFigures, { descend, clipped, stepDecay, warmupCosine });
})();
