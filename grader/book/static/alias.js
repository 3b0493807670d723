// The figure of copies and aliases: which names lie on which memory, while one buffer is filled again and again.
"use strict";
(() => {
  const { make } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, fitted, text, plain, cell } = BookFigures;

  function alias(element, { batches, cases }) {
    const line = says(), HIGH = 44, LEFT = 92;
    let at = 0, filled = 1;
    const redraw = fitted(element, (batches.length + 1) * HIGH + 20, (svg, wide) => {
      const { steps, shares } = cases[at], side = Math.min(48, (wide - LEFT - 70) / 3), x = Math.max(LEFT + 60, (wide - 3 * side) / 2), y = (row) => 20 + row * HIGH;
      svg.append(text(2, 12, "names"), text(x, 12, "memory"));
      // The buffer's memory stands first; a kept array that shares it has none of its own.
      const memory = [batches[filled - 1], ...steps[filled - 1].map((values, n) => shares[n] ? null : values)];
      memory.forEach((values, row) => {
        const to = values ? y(row) : y(0), name = row ? `kept[${row - 1}]` : "buffer";
        svg.append(make("path", { class: `fig-edge ${values ? "" : "odd"}`, d: `M${LEFT - 20} ${y(row) + 18}C${LEFT + 20} ${y(row) + 18} ${x - 40} ${to + 18} ${x - 6} ${to + 18}` }),
          make("text", { class: "fig-text", x: 2, y: y(row) + 22 }, name));
        values?.forEach((v, n) => svg.append(cell(x + n * side, y(row), side, plain(v), row ? "" : "lit", 38)));
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const { code, steps, shares } = cases[at], kept = steps[filled - 1], list = (values) => `[${values.map(plain).join(", ")}]`;
      const wrong = kept.filter((values, n) => values.some((v, place) => v !== batches[n][place])).length;
      line.textContent = `${code}, after batch ${filled}: ${kept.map((values, n) => `kept[${n}] is ${list(values)}`).join("; ")}. `
        + (shares[0] ? `All share the buffer's memory${wrong ? `, and ${wrong} no longer hold${wrong === 1 ? "s" : ""} the batch that was put there` : ""}.`
          : "Each has memory of its own, and holds its batch.");
      Object.assign(element.dataset, { kept: JSON.stringify(kept), wrong });
      redraw();
    };
    controls(element, choice("Keep it by", cases.map(({ code }) => code), (n) => { at = n; tell(); }).element);
    below(element, line, rows(slider("Batches", { min: 1, max: batches.length, step: 1, value: filled }, String, (n) => { filled = n; tell(); })));
    tell();
  }

  BookFigures.KINDS.alias = alias;
})();
