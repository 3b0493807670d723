// The figure of the recursion: the ladder that it walks, and beside it the tree of its calls, one for each path.
"use strict";
(() => {
  const { html, make } = window.BabygradGraph;
  const { slider, rows, turns, choice, controls, below, says, fitted, cell } = BookFigures;
  const ROW = 50, LEFT = 86, WAYS = ["by recursion", "in order"], LOW = "₀₁₂₃₄₅";
  const NTH = ["", "", ", for the second time", ", for the third time"];

  function paths(element, { ladders }) {
    const line = says(), nameOf = (rung) => rung ? `y${LOW[rung]}` : "x";
    let rungs = 3, way = 0, at = 0;
    const told = () => ladders[rungs - 1][way ? "order" : "calls"];
    // The calls that have come: of each rung, how many; in order a rung comes at once, with all its paths.
    const counts = () => {
      const found = Array(rungs + 1).fill(0);
      for (const [rung] of told().slice(0, at + 1)) found[rung] += way ? 2 ** (rungs - rung) : 1;
      return found;
    };
    const held = (rung) => way ? told().slice(0, at + 1).find(([each]) => each === rung)?.[1] ?? null : told()[at][1 + rung];
    const asked = () => told().slice(0, at + 1).filter(([rung]) => rung > 0).length;
    const redraw = fitted(element, () => (rungs + 1) * ROW + 6, (svg, wide) => {
      const seen = counts(), [now] = told()[at], y = (rung) => (rungs - rung) * ROW + ROW / 2 + 3;
      const x = (rung, n) => LEFT + 16 + (wide - LEFT - 20) * (n + 0.5) / 2 ** (rungs - rung);
      for (let rung = rungs; rung >= 0; rung--) {
        const here = rung === now, size = Math.min(9, (wide - LEFT - 20) / 2 ** (rungs - rung) / 2.6);
        if (rung) for (const side of [-7, 7]) {
          svg.append(make("path", { class: `fig-edge ${rung - 1 === now ? "active" : ""}`, d: `M${LEFT / 2 - 2 + side} ${y(rung) + 16}V${y(rung - 1) - 18}` }));
        }
        for (let n = 0; n < 2 ** (rungs - rung); n++) {
          const isSeen = n < seen[rung], lit = here && (way || n === seen[rung] - 1);
          if (rung < rungs) svg.prepend(make("path", { class: `fig-edge ${lit ? "active" : ""}`, "stroke-opacity": isSeen ? 1 : 0.3, d: `M${x(rung + 1, n >> 1)} ${y(rung + 1)}L${x(rung, n)} ${y(rung)}` }));
          svg.append(make("circle", { class: `fig-bar ${lit ? "start2" : "start0"}`, "fill-opacity": isSeen ? 1 : 0.2, cx: x(rung, n), cy: y(rung), r: lit ? size + 1.5 : size }));
        }
        const value = held(rung);
        svg.append(cell(2, y(rung) - 17, LEFT - 4, value === null ? nameOf(rung) : `${nameOf(rung)} ← ${value}`, here ? "lit" : "", 34));
      }
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const last = told().length - 1, [rung] = told()[at], value = held(rung), times = counts()[rung];
      const often = rung ? NTH[times] ?? `, for the ${times}th time` : "";
      const arrives = way ? `Step ${at + 1}: everything has arrived at ${nameOf(rung)}, ${value}. ` : `Call ${at + 1}: 1 arrives at ${nameOf(rung)}, which now holds ${value}. `;
      const asks = rung ? `Its rule is asked${way ? ", once" : often}. ` : "It is a leaf, and has no rule. ";
      line.textContent = arrives + asks + (at === last ? `At the end ${asked()} rule${asked() > 1 ? "s were" : " was"} asked, and x holds ${held(0)}.` : `Rules asked so far: ${asked()}.`);
      pair.stand(at, last);
      dial.querySelector("input").max = last;
      dial.querySelector("input").value = at;
      dial.querySelector("output").textContent = `${at + 1} of ${last + 1}`;
      Object.assign(element.dataset, { asked: asked(), held: JSON.stringify(Array.from({ length: rungs + 1 }, (_, n) => held(n))) });
      redraw();
    };
    const go = (by) => () => { at = Math.max(0, Math.min(told().length - 1, at + by)); tell(); };
    const pair = turns(go), dial = slider("Step", { min: 0, max: 1, step: 1, value: 0 }, String, (n) => { at = n; tell(); });
    controls(element, choice("Walk", WAYS, (n) => { way = n; at = 0; tell(); }).element);
    below(element, html("p", { className: "fig-legend" }, html("span", { className: "start0" }, "a call: one path from the result"), html("span", { className: "start2" }, "now")),
      line, pair.element, rows(dial, slider("Diamonds", { min: 1, max: ladders.length, step: 1, value: rungs }, String, (n) => { rungs = n; at = 0; tell(); })));
    addEventListener("beforeprint", () => { at = told().length - 1; tell(); });  // paper shows every call
    tell();
  }

  BookFigures.KINDS.paths = paths;
})();
