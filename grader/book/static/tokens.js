// The figure of three tokens: a query beside each key, softmax, and the mean of the values by its weights.
"use strict";
(() => {
  const { make, short } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, fitted, text } = BookFigures;

  // Dot products, scores, weights and the mean; what the mask hides has a score of −∞.
  function look(query, keys, values, seen, isScaled) {
    const dots = keys.map((key) => key.reduce((sum, v, n) => sum + v * query[n], 0));
    const scores = dots.map((dot, s) => seen[s] ? dot / (isScaled ? Math.sqrt(query.length) : 1) : -Infinity);
    const most = Math.max(...scores), powers = scores.map((score) => Math.exp(score - most));
    const total = powers.reduce((a, b) => a + b), weights = powers.map((power) => power / total);
    return { dots, scores, weights, mean: values[0].map((_, n) => values.reduce((sum, value, s) => sum + weights[s] * value[n], 0)) };
  }

  function tokens(element, { query: given, keys, values }) {
    const line = says(), HIGH = 46, TOP = 40, PLANE = 200, TURN = 560, NAMES = ["key", "q · k", "score", "weight", "value"];
    const query = [...given], MASKS = { "all three": [true, true, true], "0 and 1": [true, true, false], "only 0": [true, false, false] };
    let seen = MASKS["all three"], isScaled = true;
    const pair = (list) => `(${list.map(short).map((each) => each.replace(/\.00$/, "")).join(", ")})`;
    const infinite = (score) => score === -Infinity ? "−∞" : short(score);
    const found = () => look(query, keys, values, seen, isScaled);
    const redraw = fitted(element, (wide) => TOP + 3 * HIGH + (wide < TURN ? PLANE + 24 : 30), (svg, wide) => {
      const { dots, scores, weights, mean } = found(), isNarrow = wide < TURN, room = isNarrow ? wide : wide - PLANE - 40, gap = (room - 20) / 5;
      const x = (n) => 24 + n * gap, y = (s) => TOP + s * HIGH;
      NAMES.forEach((name, n) => svg.append(text(x(n), 22, name)));
      keys.forEach((key, s) => {
        const cls = seen[s] ? "" : " gone";
        svg.append(text(2, y(s) + 14, String(s)), ...[pair(key), short(dots[s]), infinite(scores[s]), short(weights[s]), pair(values[s])]
          .map((said, n) => make("text", { class: `fig-line${cls}`, x: x(n), y: y(s) + 14, "font-size": 13 }, said)));
        // Bars: the score to both sides of a middle, the weight from 0 to 1.
        const middle = x(2) + gap * 0.4, long = Math.max(-1, Math.min(1, (seen[s] ? scores[s] : 0) / 6)) * gap * 0.4;
        svg.append(make("rect", { class: `fig-bar ${long < 0 ? "start2" : "start0"}`, x: Math.min(middle, middle + long), y: y(s) + 21, width: Math.abs(long), height: 7 }),
          make("line", { class: "fig-axis", x1: middle, x2: middle, y1: y(s) + 18, y2: y(s) + 31 }),
          make("rect", { class: "fig-bar start0", x: x(3), y: y(s) + 21, width: weights[s] * gap * 0.85, height: 7 }),
          make("rect", { class: "fig-axis", fill: "none", x: x(3), y: y(s) + 21, width: gap * 0.85, height: 7 }));
      });
      // The plane of the values: the mean lies between them, nearer to what has more weight.
      const left = isNarrow ? Math.max(30, (wide - PLANE) / 2) : wide - PLANE - 6, top = isNarrow ? TOP + 3 * HIGH + 18 : 16, size = PLANE - 34;
      const px = (v) => left + size * v / 11, py = (v) => top + size - size * v / 11, corners = values.map(([a, b]) => `${px(a)} ${py(b)}`);
      svg.append(make("line", { class: "fig-axis", x1: px(0), x2: px(11), y1: py(0), y2: py(0) }), make("line", { class: "fig-axis", x1: px(0), x2: px(0), y1: py(0), y2: py(11) }),
        make("path", { class: "fig-curve own", d: `M${corners.join("L")}z` }));
      values.forEach(([a, b], s) => svg.append(make("line", { class: "fig-curve start0", "stroke-opacity": 0.15 + 0.85 * weights[s], x1: px(mean[0]), y1: py(mean[1]), x2: px(a), y2: py(b) }),
        make("circle", { class: "fig-bar own", cx: px(a), cy: py(b), r: 4 }), text(px(a) + 6, py(b) - 6, `value ${s}`)));
      svg.append(make("circle", { class: "fig-bar start2", cx: px(mean[0]), cy: py(mean[1]), r: 6 }), text(px(mean[0]) - 42, py(mean[1]) + 16, "mean"));
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const { dots, scores, weights, mean } = found();
      line.textContent = `Query ${pair(query)}: q · k is ${dots.map(short).join(", ")}; the scores ${scores.map(infinite).join(", ")}; `
        + `the weights ${weights.map(short).join(", ")}. The mean of the values is ${pair(mean)}.`;
      Object.assign(element.dataset, { weights: JSON.stringify(weights), mean: JSON.stringify(mean) });
      redraw();
    };
    const dial = (label, n) => slider(label, { min: -4, max: 4, step: 0.5, value: query[n] }, short, (v) => { query[n] = v; tell(); });
    controls(element, choice("Token 2 sees", Object.keys(MASKS), (n) => { seen = Object.values(MASKS)[n]; tell(); }).element,
      choice("Divide by √d", ["Yes", "No"], (n) => { isScaled = n === 0; tell(); }).element);
    below(element, line, rows(dial("Query, first number", 0), dial("Query, second number", 1)));
    tell();
  }

  BookFigures.KINDS.tokens = tokens;
  BookFigures.look = look;
})();
