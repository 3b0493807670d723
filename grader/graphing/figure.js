// Draws a babygrad-graph/1: values forward, gradients backward, a step at a time; leaves to drag.
// No library, no request. `BabygradGraph.mount(element, graph)` draws into an element;
// `BabygradGraph.walk(graph)` only computes, by the rules below.
"use strict";
window.BabygradGraph = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDEST = 136, NARROWEST = 104, TALL = 92, TURN = 560, FLIGHT = 650;

  // ---- numbers ------------------------------------------------------------------------------
  const minus = (text) => text.replace("-", "−");
  const short = (x) => {
    if (!Number.isFinite(x)) return minus(String(x));
    const size = Math.abs(x);
    if (size >= 1e5 || (size > 0 && size < 0.005)) return minus(x.toExponential(1));
    return minus(x.toFixed(2)).replace(/^−0\.00$/, "0.00");
  };
  const bracketed = (x) => x < 0 ? `(${short(x)})` : short(x);
  const full = (x) => minus(String(Number(x.toPrecision(12))));

  // ---- the rules: the value of an op, and its slope in each input ------------------------------
  const sigmoid = (a) => a >= 0 ? 1 / (1 + Math.exp(-a)) : Math.exp(a) / (1 + Math.exp(a));
  const RULES = {
    add: [(a, b) => a + b, () => [1, 1], (a, b) => `${a} + ${b}`],
    sub: [(a, b) => a - b, () => [1, -1], (a, b) => `${a} − ${b}`],
    mul: [(a, b) => a * b, ([a, b]) => [b, a], (a, b) => `${a} · ${b}`],
    div: [(a, b) => a / b, ([a, b]) => [1 / b, -a / (b * b)], (a, b) => `${a} / ${b}`],
    neg: [(a) => -a, () => [-1], (a) => `−${a}`],
    square: [(a) => a * a, ([a]) => [2 * a], (a) => `${a}²`],
    exp: [Math.exp, (_, out) => [out], (a) => `exp ${a}`],
    log: [Math.log, ([a]) => [1 / a], (a) => `log ${a}`],
    relu: [(a) => Math.max(0, a), ([a]) => [a > 0 ? 1 : 0], (a) => `relu ${a}`],
    tanh: [Math.tanh, (_, out) => [1 - out * out], (a) => `tanh ${a}`],
    sigmoid: [sigmoid, (_, out) => [out * (1 - out)], (a) => `sigmoid ${a}`],
  };
  const SIGNS = { add: "+", sub: "−", mul: "×", div: "÷", neg: "−", square: "²" };

  // Values forward, then every op's contributions in the order of the walk back. Nodes stand in an
  // order to compute them, so the reverse of it is an order to walk.
  function walk(graph) {
    const values = [], gradients = graph.nodes.map(() => 0), calls = [];
    graph.nodes.forEach((node, at) => {
      values[at] = node.op ? RULES[node.op][0](...node.inputs.map((n) => values[n])) : node.value;
    });
    gradients[gradients.length - 1] = 1;
    for (let at = graph.nodes.length - 1; at >= 0; at--) {
      const node = graph.nodes[at];
      if (!node.op) continue;
      const slopes = RULES[node.op][1](node.inputs.map((n) => values[n]), values[at]);
      const given = slopes.map((slope) => slope * gradients[at]);
      const before = node.inputs.map((n) => gradients[n]);
      node.inputs.forEach((n, row) => { gradients[n] += given[row]; });
      calls.push({ node: at, received: gradients[at], slopes, given, before });
    }
    return { values, gradients, calls };
  }

  // ---- the steps, in words ---------------------------------------------------------------------
  const nameOf = (graph, at) => graph.nodes[at].name || `${graph.nodes[at].op} #${at + 1}`;

  function steps(graph, found) {
    const name = (at) => nameOf(graph, at), told = [], grads = {};
    const leaves = graph.nodes.map((n, at) => n.op ? -1 : at).filter((at) => at >= 0);
    const seen = new Set(leaves);
    const step = (says, active, more = {}) =>
      told.push({ says, active, values: [...seen], gradients: { ...grads }, flights: [], ...more });
    step("The leaves hold numbers. Nothing is computed yet.", leaves);
    graph.nodes.forEach((node, at) => {
      if (!node.op) return;
      seen.add(at);
      const sum = RULES[node.op][2](...node.inputs.map((n) => bracketed(found.values[n])));
      step(`Forward: ${name(at)} = ${sum} = ${short(found.values[at])}.`, [at, ...node.inputs],
        { flights: node.inputs.map((_, row) => [at, row, false]) });
    });
    const root = graph.nodes.length - 1;
    grads[root] = 1;
    step(`Now back. ${name(root)} moves by 1 when ${name(root)} moves by 1: its gradient is 1.`, [root],
      { back: true });
    for (const call of found.calls) {
      const node = graph.nodes[call.node];
      const parts = node.inputs.map((n, row) => {
        const sum = `${short(call.received)} · ${bracketed(call.slopes[row])} = ${short(call.given[row])}`;
        grads[n] = (grads[n] ?? 0) + call.given[row];
        const held = call.before[row] !== 0 || node.inputs.indexOf(n) < row;
        return `to ${name(n)} ${sum}${held ? `, added to what is there: ${short(grads[n])}` : ""}`;
      });
      step(`${name(call.node)} has received ${short(call.received)}. It hands on that times its own slope: `
        + `${parts.join("; ")}.`, [call.node, ...node.inputs],
      { back: true, chips: call.given.map((v, row) => [call.node, row, v]),
        flights: node.inputs.map((_, row) => [call.node, row, true]) });
    }
    const ends = leaves.map((at) => `${name(at)} ${short(found.gradients[at])}`).join(", ");
    step(`Done. Per unit that a leaf moves, ${name(root)} moves by: ${ends}.`, leaves, { back: true });
    return told;
  }

  // ---- the layout: layers, and a lane for an edge that passes others --------------------------------
  function layers(nodes) {
    const depth = [], inputs = nodes.map((node) => [...node.inputs]), lanes = {};
    nodes.forEach((node, at) => {
      depth[at] = Math.max(0, ...node.inputs.map((n) => depth[n] + 1));
    });
    nodes.forEach((node, at) => {
      const users = nodes.map((_, n) => n).filter((n) => nodes[n].inputs.includes(at));
      if (!node.inputs.length && users.length) depth[at] = Math.min(...users.map((n) => depth[n])) - 1;
    });
    nodes.forEach((node, at) => node.inputs.forEach((source, row) => {
      let last = source;
      lanes[`${at},${row}`] = [];
      for (let layer = depth[source] + 1; layer < depth[at]; layer++) {
        depth.push(layer);
        inputs.push([last]);
        last = depth.length - 1;
        lanes[`${at},${row}`].push(last);
      }
      inputs[at][row] = last;
    }));
    const found = Array.from({ length: Math.max(...depth) + 1 }, () => []);
    depth.forEach((layer, n) => found[layer].push(n));
    return { layers: ordered(found, inputs), lanes };
  }

  // Each layer sorted by where its neighbours stand, there and back a few times.
  function ordered(found, inputs) {
    const users = inputs.map(() => []);
    inputs.forEach((sources, n) => sources.forEach((source) => users[source].push(n)));
    const rows = {};
    const number = (layer) => layer.forEach((n, row) => { rows[n] = row - (layer.length - 1) / 2; });
    found.forEach(number);
    for (let sweep = 0; sweep < 8; sweep++) {
      const near = sweep % 2 ? users : inputs;
      for (const layer of sweep % 2 ? [...found].reverse() : found) {
        const middle = (n) => near[n].length
          ? near[n].reduce((sum, m) => sum + rows[m], 0) / near[n].length : rows[n];
        const at = Object.fromEntries(layer.map((n) => [n, middle(n)]));
        layer.sort((a, b) => at[a] - at[b]);
        number(layer);
      }
    }
    return found;
  }

  // Corners of cards and middles of lanes. Left to right; top to bottom where that is too narrow.
  function place(plan, count, room) {
    const long = plan.layers.length, wide = Math.max(...plan.layers.map((l) => l.length));
    const gap = Math.max(18, Math.min(56, (room - long * WIDEST) / Math.max(1, long - 1)));
    const level = Math.min(WIDEST, (room - 4 - (long - 1) * gap) / long);
    const across = room >= TURN && level >= NARROWEST;
    const beside = Math.max(10, Math.min(22, (room - wide * WIDEST) / Math.max(1, wide - 1)));
    const upright = Math.max(70, Math.min(WIDEST, (room - 4 - (wide - 1) * beside) / wide));
    const width = across ? level : upright;
    const corners = [];
    const size = (n) => n < count ? (across ? TALL : width) : 14;
    const space = across ? 22 : beside;
    const length = (layer) => layer.reduce((sum, n) => sum + size(n) + space, -space);
    const most = Math.max(...plan.layers.map(length));
    plan.layers.forEach((layer, depth) => {
      let offset = (most - length(layer)) / 2;
      for (const n of layer) {
        const along = depth * (across ? width + gap : TALL + 44);
        corners[n] = across ? [along + 2, offset + 12] : [offset + 2, along + 12];
        offset += size(n) + space;
      }
    });
    const total = across ? long * (width + gap) - gap + 4 : most + 4;
    const high = across ? most + 24 : long * (TALL + 44) - 44 + 24;
    return { corners, width, across, total, high, size };
  }

  function path(plan, spot, at, row, inputs) {
    const { corners, width, across } = spot;
    const share = (row + 1) / (inputs.length + 1);
    const [sx, sy] = corners[inputs[row]];
    const start = across ? [sx + width, sy + TALL / 2] : [sx + width / 2, sy + TALL];
    const [ex, ey] = corners[at];
    const end = across ? [ex - 2, ey + TALL * share] : [ex + width * share, ey - 2];
    const stops = plan.lanes[`${at},${row}`].flatMap((lane) => {
      const [x, y] = corners[lane];
      return across ? [[x, y + 7], [x + width, y + 7]] : [[x + 7, y], [x + 7, y + TALL]];
    });
    let text = `M${start}`, [x, y] = start;
    stops.concat([end]).forEach(([nx, ny], n) => {
      if (n % 2) text += `L${nx} ${ny}`;
      else if (across) text += `C${(x + nx) / 2} ${y} ${(x + nx) / 2} ${ny} ${nx} ${ny}`;
      else text += `C${x} ${(y + ny) / 2} ${nx} ${(y + ny) / 2} ${nx} ${ny}`;
      [x, y] = [nx, ny];
    });
    return text;
  }

  // ---- drawing ---------------------------------------------------------------------------------
  const make = (tag, attributes = {}, ...inside) => {
    const made = document.createElementNS(SVG, tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...inside);
    return made;
  };
  const html = (tag, properties = {}, ...inside) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...inside);
    return made;
  };
  let count = 0;

  class Drawing {
    constructor(element, graph) {
      this.element = element;
      this.graph = { ...graph, nodes: graph.nodes.map((node) => ({ ...node })) };
      this.plan = layers(graph.nodes);
      this.name = `graph-${++count}`;
      this.scene = html("div", { className: "fig-scene" });
      this.says = html("p", { className: "fig-says" });
      this.says.setAttribute("aria-live", "polite");
      this.buttons = html("div", { className: "fig-buttons" }, ...[
        ["Start", () => this.show(0)], ["Back", () => this.show(this.at - 1)],
        ["Next", () => this.show(this.at + 1)], ["End", () => this.show(this.told.length - 1)],
      ].map(([label, onclick]) => html("button", { type: "button", textContent: label, onclick })));
      this.count = html("span", { className: "fig-count" });
      this.buttons.append(this.count);
      element.prepend(this.scene, html("div", { className: "fig-foot" }, this.says, this.buttons));
      this.at = 0;
      this.compute();
      if (graph.open) this.at = this.told.length - 1;
      new ResizeObserver(() => this.fit()).observe(this.scene);
      this.fit();
    }

    compute() {
      this.found = walk(this.graph);
      this.told = steps(this.graph, this.found);
    }

    // The drawing for the room that there is; only a new room needs a new one.
    fit() {
      const room = Math.floor(this.scene.clientWidth);
      if (!room || room === this.room) return;
      this.room = room;
      this.spot = place(this.plan, this.graph.nodes.length, room);
      this.draw();
      this.show(this.at, true);
    }

    draw() {
      const { total, high } = this.spot;
      this.svg = make("svg", { width: total, height: high, viewBox: `0 0 ${total} ${high}`, role: "group",
        "aria-label": this.graph.title });
      this.svg.append(make("defs", {}, ...["on", "back"].map((kind) => make("marker", {
        id: `${this.name}-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse",
        orient: "auto-start-reverse", class: `fig-head ${kind}` }, make("path", { d: "M0 0L8 4L0 8z" })))));
      this.edges = {};
      this.chips = {};
      this.graph.nodes.forEach((node, at) => node.inputs.forEach((_, row) => {
        const edge = make("path", { class: "fig-edge", d: path(this.plan, this.spot, at, row, node.inputs) });
        this.edges[`${at},${row}`] = edge;
        this.svg.append(edge);
      }));
      this.cards = this.graph.nodes.map((node, at) => this.card(node, at));
      this.svg.append(...this.cards.map((card) => card.group));
      Object.keys(this.edges).forEach((key) => {
        this.chips[key] = make("g", { class: "fig-chip", visibility: "hidden" },
          make("rect", { x: -23, y: -11, width: 46, height: 22, rx: 11 }), make("text", { y: 5 }));
        this.svg.append(this.chips[key]);
      });
      this.scene.replaceChildren(this.svg);
      for (const [key, edge] of Object.entries(this.edges)) {
        const point = edge.getPointAtLength(edge.getTotalLength() * (this.spot.across ? 0.5 : 0.35));
        this.chips[key].setAttribute("transform", `translate(${point.x} ${point.y})`);
      }
    }

    card(node, at) {
      const { corners, width } = this.spot, [x, y] = corners[at];
      const group = make("g", { class: `fig-card${node.op ? "" : " leaf"}`, transform: `translate(${x} ${y})` });
      const line = (cls, dy, text = "") => make("text", { class: cls, x: width / 2, y: dy }, text);
      const name = line("fig-name", 25, node.name), value = line("fig-value", 51), gradient = line("fig-gradient", 74);
      group.append(make("rect", { width, height: TALL, rx: 14 }), name, value, gradient);
      if (node.op) group.append(make("text", { class: "fig-op", x: width - 10, y: 20 }, SIGNS[node.op] ?? node.op));
      if (node.op && width < NARROWEST) name.setAttribute("x", width / 2 - 12);
      if (node.drag) this.slider(group, node, at, width);
      return { group, value, gradient };
    }

    // A leaf that can be dragged: to the side, or with the arrow keys.
    slider(group, node, at, width) {
      const track = make("g", { class: "fig-track" }, make("line", { x1: 14, x2: width - 14, y1: 84, y2: 84 }),
        make("circle", { cy: 84, r: 5 }));
      group.append(track);
      group.classList.add("drag");
      Object.entries({ role: "slider", tabindex: 0, "aria-label": node.name, "aria-valuemin": node.drag.min,
        "aria-valuemax": node.drag.max }).forEach(([name, value]) => group.setAttribute(name, value));
      const to = (event) => {
        const box = group.getBoundingClientRect();
        const share = (event.clientX - box.left - 14) / (box.width - 28);
        this.set(at, node.drag.min + share * (node.drag.max - node.drag.min));
      };
      group.addEventListener("pointerdown", (event) => { group.setPointerCapture(event.pointerId); to(event); });
      group.addEventListener("pointermove", (event) => group.hasPointerCapture(event.pointerId) && to(event));
      group.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
        if (!by) return;
        event.preventDefault();
        this.set(at, this.graph.nodes[at].value + by * node.drag.step);
      });
    }

    set(at, value) {
      const { min, max, step } = this.graph.nodes[at].drag;
      const near = Math.round(value / step) * step;
      this.graph.nodes[at].value = Number(Math.min(max, Math.max(min, near)).toFixed(6));
      this.compute();
      this.show(this.at, true);
    }

    show(at, quiet = false) {
      this.at = Math.max(0, Math.min(this.told.length - 1, at));
      const step = this.told[this.at], seen = new Set(step.values), { nodes } = this.graph;
      this.element.classList.toggle("back", step.back === true);
      this.cards.forEach((card, n) => {
        card.value.textContent = seen.has(n) ? short(this.found.values[n]) : "";
        card.gradient.textContent = n in step.gradients ? short(step.gradients[n]) : "";
        card.group.classList.toggle("active", step.active.includes(n));
        if (nodes[n].drag) {
          const { min, max } = nodes[n].drag, x = 14 + (this.spot.width - 28) * (nodes[n].value - min) / (max - min);
          card.group.querySelector("circle").setAttribute("cx", x);
          card.group.setAttribute("aria-valuenow", nodes[n].value);
          card.group.setAttribute("aria-valuetext", n in step.gradients
            ? `${full(nodes[n].value)}, gradient ${short(step.gradients[n])}` : full(nodes[n].value));
        }
      });
      const busy = new Set(step.flights.map(([n, row]) => `${n},${row}`));
      for (const [key, edge] of Object.entries(this.edges)) {
        edge.classList.toggle("active", busy.has(key));
        edge.setAttribute(step.back ? "marker-start" : "marker-end", `url(#${this.name}-${step.back ? "back" : "on"})`);
        edge.removeAttribute(step.back ? "marker-end" : "marker-start");
        this.chips[key].setAttribute("visibility", "hidden");
      }
      for (const [n, row, value] of step.chips ?? []) {
        this.chips[`${n},${row}`].setAttribute("visibility", "visible");
        this.chips[`${n},${row}`].lastChild.textContent = short(value);
      }
      this.says.textContent = step.says;
      this.count.textContent = `${this.at + 1} of ${this.told.length}`;
      const [start, back, next, end] = this.buttons.querySelectorAll("button");
      start.disabled = back.disabled = this.at === 0;
      next.disabled = end.disabled = this.at === this.told.length - 1;
      this.element.dataset.step = this.at;
      if (!quiet) this.fly(step.flights);
    }

    // A dot travels along the edges of this step.
    fly(flights) {
      this.svg.querySelectorAll(".fig-dot").forEach((dot) => dot.remove());
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      for (const [at, row, back] of flights) {
        const edge = this.edges[`${at},${row}`], length = edge.getTotalLength();
        const dot = make("circle", { class: `fig-dot${back ? " back" : ""}`, r: 6 });
        this.svg.append(dot);
        let began = null;
        const frame = (now) => {
          began ??= now;
          const share = Math.min(1, (now - began) / FLIGHT), eased = share * share * (3 - 2 * share);
          const point = edge.getPointAtLength(length * (back ? 1 - eased : eased));
          dot.setAttribute("cx", point.x);
          dot.setAttribute("cy", point.y);
          if (share < 1 && dot.isConnected) requestAnimationFrame(frame);
          else dot.remove();
        };
        requestAnimationFrame(frame);
      }
    }
  }

  const mount = (element, graph) => new Drawing(element, graph);
  return { mount, walk, steps, layers, place, RULES, short, full, html, make };
})();
