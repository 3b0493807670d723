// The figure of four engines that walk the same graph: whose rule is asked when, and what each node holds by then.
"use strict";
(() => {
  const { make } = window.BabygradGraph;
  const { slider, rows, turns, choice, controls, below, says, fitted, text, plain, cell } = BookFigures;
  const TALL = 62, PLACES = { x: [0, 0], y: [0, 1], p: [1, 0.5], q: [2, 0], z: [3, 0.5] };

  function walks(element, { nodes, engines }) {
    const line = says(), names = Object.keys(engines), place = (name) => nodes.findIndex((node) => node.name === name);
    let engine = names[0], at = 0;
    const asks = (count, node) => engines[engine].slice(0, count).filter((step) => step.at === node.name).length;
    const redraw = fitted(element, 2 * TALL + 40, (svg, wide) => {
      const gap = wide < 500 ? 14 : 36, W = Math.min(128, (wide - 3 * gap) / 4), left = (wide - 4 * W - 3 * gap) / 2, step = engines[engine][at];
      const corner = (name) => [left + PLACES[name][0] * (W + gap), 12 + PLACES[name][1] * (TALL + 16)];
      // Where a node uses another twice, two edges lie beside one another.
      nodes.forEach((node) => node.inputs.forEach((from, n) => {
        const apart = node.inputs.length > 1 && node.inputs[0] === node.inputs[1] ? 16 * n - 8 : 0;
        const [x0, y0] = corner(from), [x1, y1] = corner(node.name), middle = (x0 + W + x1) / 2, isLong = x1 - x0 > W + gap + 1;
        const end = y1 + TALL / 2 + apart, start = y0 + TALL / 2 + apart;
        svg.append(make("path", { class: `fig-edge ${step.at === node.name ? "active" : ""}`,
          d: `M${x0 + W - 3} ${start}C${isLong ? x1 - gap : middle} ${isLong ? start + 60 : start} ${isLong ? x1 - gap : middle} ${isLong ? end + 40 : end} ${x1} ${end}` }));
      }));
      nodes.forEach((node, n) => {
        const box = cell(...corner(node.name), W, plain(node.value), step.at === node.name ? "lit" : "", TALL), held = step.held[n], middle = W / 2 - 1.5;
        box.append(text(middle, 18, node.says ? `${node.name} = ${node.says}` : node.name, "fig-note"));
        if (held !== null) box.append(make("text", { class: "fig-seen", x: middle, y: 53 }, `← ${plain(held)}`));
        svg.append(box);
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      pair.stand(at, engines[engine].length - 1);
      const steps = engines[engine], step = steps[at], node = nodes[place(step.at)];
      const held = nodes.filter((_, n) => step.held[n] !== null).map(({ name }) => `${name} ${plain(step.held[place(name)])}`);
      const times = node ? asks(at + 1, node) : 0;
      line.textContent = (node ? `Step ${at + 1}: the rule of ${step.at} is asked${times > 1 ? `, for the ${times === 2 ? "second" : "third"} time` : ""}. `
        : `The walk has ended; ${steps.length - 1} rules were asked. `) + `Gradients held now: ${held.join(", ") || "none"}.`;
      dial.querySelector("input").max = steps.length - 1;
      dial.querySelector("input").value = at;
      dial.querySelector("output").textContent = `${at + 1} of ${steps.length}`;
      element.dataset.asked = steps.slice(0, at + 1).map((each) => each.at ?? "").join(" ").trim();
      redraw();
    };
    const dial = slider("Step", { min: 0, max: 1, step: 1, value: 0 }, String, (n) => { at = n; tell(); });
    const go = (by) => () => { at = Math.max(0, Math.min(engines[engine].length - 1, at + by)); tell(); };
    const pair = turns(go);
    controls(element, choice("Engine", names, (n) => { engine = names[n]; at = 0; tell(); }).element);
    below(element, line, pair.element, rows(dial));
    element.classList.add("back");
    tell();
  }

  BookFigures.KINDS.walks = walks;
})();
