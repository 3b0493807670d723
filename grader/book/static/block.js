// The figure of a block: what each of its parts makes of some tokens, and which of them a nudge reaches.
"use strict";
(() => {
  const { make, short } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, turns, says, fitted, text } = BookFigures;
  const ROW = 28, LEAST = 1e-9; // what moves by less has not moved

  function block(element, { nudged: first, parts, moved }) {
    const line = says(), tokens = parts[0].values.length, dim = parts[0].values[0].length;
    let at = 0, nudged = first;
    const reached = () => moved[nudged][at].map((by, t) => by > LEAST ? t : -1).filter((t) => t >= 0);
    const redraw = fitted(element, (parts.length + 1) * ROW, (svg, wide) => {
      const left = Math.min(220, wide * 0.46), side = Math.min(30, (wide - left - 34) / dim), top = 34;
      parts.forEach(({ name }, n) => {
        const label = text(42, n * ROW + 30, name, `fig-line ${n === at ? "lit" : n < at ? "past" : ""}`);
        label.setAttribute("font-size", 12.5);
        svg.append(label, make("circle", { class: `fig-bar ${n === at ? "start0" : "own"}`, cx: 28, cy: n * ROW + 26, r: n === at ? 5 : 3 }));
        if (n) svg.append(make("line", { class: "fig-edge", x1: 28, x2: 28, y1: n * ROW + 3, y2: n * ROW + 19 }));
      });
      // The ways around: from x to the first sum, and from there to the second.
      for (const [from, to] of [[0, 3], [3, 6]]) svg.append(make("path", { class: `fig-edge ${at === to ? "active" : ""}`, fill: "none", d: `M24 ${from * ROW + 26}C-2 ${from * ROW + 40} -2 ${to * ROW + 12} 24 ${to * ROW + 26}`, "stroke-dasharray": "3 3" }));
      svg.append(text(left + 20, 20, "token"));
      parts[at].values.forEach((list, t) => {
        svg.append(text(left + 4, top + t * side + side / 2 + 4, String(t)));
        list.forEach((v, c) => {
          const box = make("rect", { x: left + 20 + c * side, y: top + t * side, width: side - 2, height: side - 2, rx: 3 });
          box.style.fill = `color-mix(in srgb, var(${v < 0 ? "--fig-back" : "--fig-value"}) ${Math.min(100, Math.round(8 + 46 * Math.abs(v)))}%, transparent)`;
          svg.append(box);
        });
      });
      for (const t of reached()) svg.append(make("rect", { class: "fig-frame", x: left + 17, y: top + t * side - 3, width: dim * side + 4, height: side + 4, rx: 5 }));
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const { name, values } = parts[at], all = values.flat(), mean = all.reduce((a, b) => a + b) / all.length, hit = reached();
      const spread = Math.sqrt(all.reduce((sum, v) => sum + (v - mean) ** 2, 0) / all.length);
      line.textContent = `${name}: std ${short(spread)}. A nudge of token ${nudged} in x moves token${hit.length > 1 ? "s" : ""} ${hit.join(", ")} here.`;
      pair.stand(at, parts.length - 1);
      dial.querySelector("input").value = at;
      dial.querySelector("output").textContent = `${at + 1} of ${parts.length}`;
      element.dataset.reached = JSON.stringify(hit);
      redraw();
    };
    const go = (by) => () => { at = Math.max(0, Math.min(parts.length - 1, at + by)); tell(); };
    const pair = turns(go), dial = slider("Part", { min: 0, max: parts.length - 1, step: 1, value: at }, String, (n) => { at = n; tell(); });
    controls(element, choice("Nudge token", Array.from({ length: tokens }, (_, t) => String(t)), (t) => { nudged = t; tell(); }, first).element);
    below(element, line, pair.element, rows(dial));
    addEventListener("beforeprint", () => { at = 2; tell(); }); // paper shows where tokens meet
    tell();
  }

  BookFigures.KINDS.block = block;
})();
