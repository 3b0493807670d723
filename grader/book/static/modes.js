// The figure of both modes: the same graph run forward from each input, and walked back from each output.
"use strict";
(() => {
  const { make } = window.BabygradGraph;
  const { slider, rows, turns, choice, controls, below, says, fitted, text, plain, cell } = BookFigures;

  // Every step of all runs of a mode: which node's rule is asked, and what has moved (or arrived) by then.
  function runs(nodes, isForward) {
    const leaves = nodes.filter((node) => !node.inputs.length), used = new Set(nodes.flatMap((node) => node.inputs));
    const ends = nodes.filter((_, at) => !used.has(at)), steps = [];
    for (const start of isForward ? leaves : ends) {
      const first = nodes.indexOf(start), seen = { [first]: 1 };
      steps.push({ start: first, seen: { ...seen } });
      for (const at of isForward ? nodes.keys() : [...nodes.keys()].reverse()) {
        const { inputs, slopes } = nodes[at];
        if (!(isForward ? inputs.some((from) => from in seen) : at in seen && inputs.length)) continue;
        if (isForward) seen[at] = inputs.reduce((sum, from, n) => sum + slopes[n] * (seen[from] ?? 0), 0);
        else inputs.forEach((from, n) => { seen[from] = (seen[from] ?? 0) + slopes[n] * seen[at]; });
        steps.push({ start: first, at, seen: { ...seen } });
      }
      steps.at(-1).isLast = true;
    }
    const place = (node) => nodes.indexOf(node);
    return { steps, leaves: leaves.map(place), ends: ends.map(place) };
  }

  function modes(element, { nodes }) {
    const line = says(), TALL = 62, STEP = 76, SIDE = 44, both = [true, false].map((isForward) => runs(nodes, isForward));
    let way = 0, at = 0;
    const now = () => both[way].steps[at], name = (n) => nodes[n].name;
    const list = (each) => each.join(", ").replace(/, (?=[^,]*$)/, " and ");
    const starts = () => way ? both[way].ends : both[way].leaves;
    // What a number of the table is by now; undefined where no run has come to its end.
    const known = (end, leaf) => both[way].steps.slice(0, at + 1)
      .find((step) => step.isLast && step.start === (way ? end : leaf))?.seen[way ? leaf : end];
    const redraw = fitted(element, 2 * STEP + TALL + 128, (svg, wide) => {
      const gap = wide < 500 ? 14 : 36, W = Math.min(128, (wide - 3 * gap) / 4), left = (wide - 4 * W - 3 * gap) / 2;
      const corner = ({ column, row }) => [left + column * (W + gap), 6 + row * STEP];
      nodes.forEach((node, to) => node.inputs.forEach((from) => {
        const [x0, y0] = corner(nodes[from]), [x1, y1] = corner(node), isLit = now().at === to && (way || from in now().seen);
        // From the first column straight to the last, a line goes around the others: above them, or below.
        const isLong = node.column - nodes[from].column === 3, isBelow = nodes[from].row > 1;
        const high = y0 + (!isLong ? TALL / 2 : isBelow ? TALL - 5 : 5), bend = isLong ? x1 : (x0 + W + x1) / 2;
        const leaves = isLong ? high + (isBelow ? 12 : -12) : high, arrives = isLong ? x1 - gap : bend;
        svg.append(make("path", { class: `fig-edge ${isLit ? "active" : ""}`,
          d: `M${x0 + W - 3} ${high}C${bend} ${leaves} ${arrives} ${y1 + TALL / 2} ${x1} ${y1 + TALL / 2}` }));
      }));
      nodes.forEach((node, n) => {
        const [x, y] = corner(node), seen = now().seen[n], middle = W / 2 - 1.5;
        const box = cell(x, y, W, plain(node.value), n === now().at || (now().at === undefined && n === now().start) ? "lit" : "", TALL);
        box.append(text(middle, 18, node.says ? `${node.name} = ${node.says}` : node.name, "fig-note"));
        if (seen !== undefined) box.append(make("text", { class: "fig-seen", x: middle, y: 53 }, way ? `← ${plain(seen)}` : `${plain(seen)} →`));
        svg.append(box);
      });
      const { leaves, ends } = both[way], x = (n) => (wide - leaves.length * SIDE) / 2 + n * SIDE, y = (n) => 2 * STEP + TALL + 58 + n * 34;
      svg.append(text(x(leaves.length / 2), y(0) - 24, "Jacobian", "fig-note"));
      leaves.forEach((leaf, n) => svg.append(text(x(n) + SIDE / 2, y(0) - 6, name(leaf), "fig-note")));
      ends.forEach((end, i) => {
        svg.append(text(x(0) - 12, y(i) + 20, name(end), "fig-note"));
        leaves.forEach((leaf, j) => {
          const value = known(end, leaf), isNow = now().start === (way ? end : leaf);
          svg.append(cell(x(j), y(i), SIDE, value === undefined ? "" : plain(value), `${value === undefined ? "ghost" : ""} ${isNow ? "lit" : ""}`, 34));
        });
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const told = (step, before) => {
      const { inputs, slopes, name: own } = nodes[step.at] ?? {}, run = starts().indexOf(step.start) + 1;
      const others = starts().filter((n) => n !== step.start).map(name);
      if (!own) {
        return way ? `Walk ${run} of ${starts().length}: start with 1 at ${name(step.start)}. ${list(others)} takes no part.`
          : `Run ${run} of ${starts().length}: ${name(step.start)} moves by 1; ${list(others)} stay where they are.`;
      }
      const products = inputs.map((from, n) => `${plain(slopes[n])} · ${plain((way ? step.seen[step.at] : step.seen[from]) ?? 0)}`);
      const said = way ? `The rule of ${own} passes back: ` + inputs.map((from, n) => `${name(from)} gets ${products[n]}`
        + (from in before.seen ? `, and has ${plain(step.seen[from])} now` : "")).join("; ")
        : `${own} moves by ${products.join(" + ")} = ${plain(step.seen[step.at])}`;
      return `${said}.${step.isLast ? ` That gives ${way ? "row" : "column"} ${name(step.start)} of the Jacobian.` : ""}`;
    };
    const tell = () => {
      pair.stand(at, both[way].steps.length - 1);
      const { steps } = both[way], asked = steps.slice(0, at + 1).filter((step) => step.at !== undefined).length;
      line.textContent = `${told(now(), steps[at - 1])} Rules asked so far: ${asked}.`;
      dial.querySelector("input").max = steps.length - 1;
      dial.querySelector("input").value = at;
      dial.querySelector("output").textContent = `${at + 1} of ${steps.length}`;
      element.classList.toggle("back", way > 0);
      Object.assign(element.dataset, { asked, jacobian: JSON.stringify(both[way].ends.map((end) => both[way].leaves.map((leaf) => known(end, leaf)))) });
      redraw();
    };
    const dial = slider("Step", { min: 0, max: 1, step: 1, value: 0 }, String, (n) => { at = n; tell(); });
    const go = (by) => () => { at = Math.max(0, Math.min(both[way].steps.length - 1, at + by)); tell(); };
    const pair = turns(go);
    controls(element, choice("Mode", ["Forward", "Reverse"], (n) => { way = n; at = 0; tell(); }).element);
    below(element, line, pair.element, rows(dial));
    tell();
  }

  Object.assign(BookFigures.KINDS, { modes });
  Object.assign(BookFigures, { runs });
})();
