// The figure of checkpointing: which results of fifty layers are held after which step.
"use strict";
(() => {
  const { html, make } = window.BabygradGraph;
  const { slider, rows, below, says, fitted, text } = BookFigures;

  // How many results are held after every step, and before the first.
  const held = ({ lives, end }) => Array.from({ length: end + 1 }, (_, t) => lives.filter(([, born, gone]) => born <= t && t < gone).length);

  function memory(element, { layers, runs }) {
    const line = says(), ROW = 4, LEFT = 42, TOP = 24, CURVE = 70, longest = Math.max(...runs.map(({ end }) => end));
    let at = 0, moment = layers;
    const redraw = fitted(element, TOP + layers * ROW + 40 + CURVE, (svg, wide) => {
      const { lives, end } = runs[at], counts = held(runs[at]), foot = TOP + layers * ROW, floor = foot + 30 + CURVE;
      const x = (t) => LEFT + (wide - LEFT - 4) * t / longest, y = (count) => floor - CURVE * count / (layers + 1);
      const rule = (t, cls) => svg.append(make("line", { class: cls, x1: x(t), x2: x(t), y1: TOP - 4, y2: floor }));
      svg.append(text(2, 14, "layer"), text(x(0) + 4, 14, "forward →"), text(x(layers) + 5, 14, "the way back →"), text(2, TOP + 8, "1"), text(2, foot, String(layers)),
        text(2, foot + 22, "results that are held"));
      for (const [layer, born, gone, kept] of lives) {
        svg.append(make("rect", { class: `fig-bar ${kept ? "start0" : "start2"}`, x: x(born), y: TOP + layer * ROW, width: x(gone) - x(born), height: ROW - 1 }));
      }
      svg.append(make("path", { class: "fig-bar own", "fill-opacity": 0.25,
        d: `M${x(0)} ${floor}${counts.map((n, t) => `L${x(t)} ${y(n)}H${x(Math.min(t + 1, end))}`).join("")}V${floor}Z` }));
      svg.append(make("line", { class: "fig-axis", x1: x(0), x2: x(longest), y1: floor, y2: floor }));
      rule(layers, "fig-axis");
      rule(Math.min(moment, end), "fig-here");
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const { size, lives, end } = runs[at], counts = held(runs[at]), most = Math.max(...counts), t = Math.min(moment, end);
      const kept = lives.filter(([, born, gone, isKept]) => isKept && born <= t && t < gone).length;
      line.textContent = `${size ? `Pieces of ${size}` : "Everything is kept"}: at most ${most} results are held at once, and ${end - layers} layers are computed. `
        + `After step ${t} of ${end}, ${counts[t]} ${counts[t] === 1 ? "is" : "are"} held${size ? `: ${kept} kept, ${counts[t] - kept} of a piece` : ""}.`;
      time.querySelector("input").max = end;
      time.querySelector("input").value = t;
      time.querySelector("output").textContent = `${t} of ${end}`;
      Object.assign(element.dataset, { most, counts });
      redraw();
    };
    const time = slider("Step", { min: 0, max: longest, step: 1, value: moment }, String, (t) => { moment = t; tell(); });
    const sizes = slider("Layers in a piece", { min: 0, max: runs.length - 1, step: 1, value: at },
      (n) => String(runs[n].size || "no pieces"), (n) => { at = n; tell(); });
    const legend = html("p", { className: "fig-legend" }, html("span", { className: "start0" }, "kept"), html("span", { className: "start2" }, "held for a moment"));
    below(element, legend, line, rows(sizes, time));
    tell();
  }

  BookFigures.KINDS.memory = memory;
})();
