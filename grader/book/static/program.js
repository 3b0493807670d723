// The figure of a program that is stepped through: its lines, and what happens to each of them.
"use strict";
(() => {
  const { make } = window.BabygradGraph;
  const { slider, rows, turns, below, says, fitted, text } = BookFigures;
  const HIGH = 21, LANE = 18, ARCS = 64;

  function program(element, { stages, lives = [] }) {
    const line = says(), most = Math.max(...stages.map((stage) => stage.rows.length)), hasArrows = stages.some(({ arrows }) => arrows);
    let at = 0;
    // An arrow from the line that makes a value to one that reads it, at the right; a longer one reaches farther out.
    function arrow(from, to, left) {
      const far = 8 + (ARCS - 22) * Math.min(1, (to - from) / 7), start = from * HIGH + 17, end = to * HIGH + 13;
      const marks = [from, to].map((n) => stages[at].rows[n]?.[1]), cls = marks.includes("gone") ? "gone" : marks[1] === "changed" ? "active" : "";
      return make("g", { class: `fig-arrow ${cls}` }, make("path", { class: `fig-edge ${cls === "active" ? "active" : ""}`, d: `M${left} ${start}C${left + far} ${start} ${left + far} ${end} ${left + 6} ${end}` }),
        make("path", { class: "fig-arrow-head", d: `M${left} ${end}l8 -4v8z` }));
    }
    const redraw = fitted(element, most * HIGH + (lives.length ? 26 : 14), (svg, wide) => {
      const longest = Math.max(...stages.flatMap((stage) => stage.rows.map(([said]) => said.length)));
      const columns = Math.max(0, ...lives.map(([column]) => column + 1)), side = columns * LANE + (hasArrows ? ARCS : 0);
      const size = Math.min(14, (wide - side - 24) / (longest * 0.62));
      // A bar for each value, from the middle of the line that makes it to that of the last that reads it, in its buffer's column.
      for (const [column, born, gone] of lives) {
        const x = wide - side + column * LANE + 2, last = Math.min(gone, stages[at].rows.length - 1);
        const state = born === at ? "start0" : born < at && at <= gone ? "start0 held" : "start2 idle";
        svg.append(make("rect", { class: `fig-bar fig-life ${state}`, x, y: born * HIGH + 16, width: LANE - 4, height: Math.max(4, (last - born) * HIGH - 2), rx: 3 }));
      }
      for (let column = 0; column < columns; column++) svg.append(text(wide - side + column * LANE + 3, most * HIGH + 18, String(column)));
      for (const [from, to] of stages[at].arrows ?? []) svg.append(arrow(from, to, Math.min(wide - ARCS, 24 + longest * 0.62 * size)));
      stages[at].rows.forEach(([said, mark], n) => {
        const row = text(14, n * HIGH + 20, said, `fig-line ${mark}`);
        row.setAttribute("font-size", size);
        if (mark === "lit") svg.append(make("rect", { class: "fig-here", fill: "none", x: 4, y: n * HIGH + 4, width: wide - 8, height: HIGH, rx: 4 }));
        svg.append(row);
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      pair.stand(at, stages.length - 1);
      const stage = stages[at];
      line.textContent = stage.says;
      dial.querySelector("input").value = at;
      dial.querySelector("output").textContent = `${at + 1} of ${stages.length}`;
      Object.assign(element.dataset, { title: stage.title, rows: JSON.stringify(stage.rows) });
      redraw();
    };
    const dial = slider("Step", { min: 0, max: stages.length - 1, step: 1, value: 0 }, String, (n) => { at = n; tell(); });
    const go = (by) => () => { at = Math.max(0, Math.min(stages.length - 1, at + by)); tell(); };
    const pair = turns(go);
    below(element, line, pair.element, rows(dial));
    addEventListener("beforeprint", () => { at = stages.length - 1; tell(); });  // paper shows where it ends
    tell();
  }

  BookFigures.KINDS.program = program;
})();
