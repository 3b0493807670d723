// The figure of attention: the weights of a head over a sentence, computed here from its queries and keys.
"use strict";
(() => {
  const { make, short } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, fitted, text } = BookFigures;

  // A row of weights per query: the softmax of q · k / √d, over the keys that the mask lets it see.
  function attend(q, k, isMasked, temperature) {
    return q.map((query, t) => {
      const scores = k.map((key, s) => isMasked && s > t ? -Infinity
        : key.reduce((sum, v, n) => sum + v * query[n], 0) / Math.sqrt(key.length) / temperature);
      const most = Math.max(...scores), powers = scores.map((score) => Math.exp(score - most));
      const total = powers.reduce((a, b) => a + b);
      return powers.map((power) => power / total);
    });
  }

  function attention(element, { sentence, heads }) {
    const line = says(), letters = [...sentence.replaceAll(" ", "␣")], BARS = 78;
    let head = 0, isMasked = true, temperature = 1, at = 12;
    const found = () => attend(heads[head].q, heads[head].k, isMasked, temperature);
    const size = (wide) => Math.min(26, Math.floor((wide - 28) / letters.length));
    // What a query gives to later keys has the other colour: only without a mask is there any.
    const colour = (t, s) => s > t ? "--fig-back" : "--fig-value";
    const redraw = fitted(element, (wide) => BARS + 24 + letters.length * size(wide), (svg, wide) => {
      const weights = found(), side = size(wide), left = (wide - 24 - letters.length * side) / 2 + 24, top = BARS + 22;
      const x = (s) => left + s * side, y = (t) => top + t * side;
      letters.forEach((letter, s) => {
        const weight = weights[at][s], tall = (BARS - 16) * weight, bar = make("rect", { x: x(s) + 1, y: BARS - tall, width: side - 3, height: tall });
        bar.style.fill = `var(${colour(at, s)})`;
        svg.append(bar, text(x(s) + side / 2 - 1, top - 7, letter, "fig-note"), text(left - 12, y(s) + side / 2 + 3, letter, "fig-note"));
        if (weight >= 0.095) svg.append(make("text", { class: "fig-note", x: x(s) + side / 2 - 1, y: BARS - tall - 4 }, weight.toFixed(1).replace(/^0/, "")));
      });
      weights.forEach((row, t) => row.forEach((weight, s) => {
        const box = make("rect", { class: "fig-weight", x: x(s), y: y(t), width: side - 2, height: side - 2, rx: 3 });
        const share = isMasked && s > t ? 0 : 7 + 93 * weight;
        box.style.fill = `color-mix(in srgb, var(${colour(t, s)}) ${share}%, transparent)`;
        box.onpointerdown = () => { at = t; tell(); };
        svg.append(box);
      }));
      svg.append(make("rect", { class: "fig-frame", x: left - 3, y: y(at) - 3, width: letters.length * side + 4, height: side + 4, rx: 5 }));
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const row = found()[at], order = row.map((_, s) => s).sort((a, b) => row[b] - row[a]).slice(0, 2);
      const later = row.slice(at + 1).reduce((a, b) => a + b, 0);
      line.textContent = `Head ${head + 1}: the query of token ${at}, «${letters[at]}», gives `
        + order.filter((s) => row[s]).map((s) => `${row[s].toFixed(2)} to token ${s}, «${letters[s]}»`).join(", and ")
        + `. Its row sums to 1${isMasked ? "" : `; ${later.toFixed(2)} of it goes to what comes later`}.`;
      which.querySelector("input").value = at;
      which.querySelector("output").textContent = `${at}, «${letters[at]}»`;
      element.dataset.weights = JSON.stringify(row);
      redraw();
    };
    const which = slider("Query", { min: 0, max: letters.length - 1, step: 1, value: at }, String, (n) => { at = n; tell(); });
    const heat = slider("Temperature", { min: -1, max: 1, step: 0.05, value: 0 }, (v) => short(10 ** v),
      (v) => { temperature = 10 ** v; tell(); });
    controls(element, choice("Head", heads.map((_, n) => String(n + 1)), (n) => { head = n; tell(); }).element,
      choice("Mask", ["On", "Off"], (n) => { isMasked = n === 0; tell(); }).element);
    below(element, line, rows(which, heat));
    tell();
  }

  Object.assign(BookFigures.KINDS, { attention });
  Object.assign(BookFigures, { attend });
})();
