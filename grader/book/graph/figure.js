// Draws a babygrad-graph/1: values forward, gradients backward, a step at a time. No library, no
// request. `BabygradGraph.mount(element, graph)` draws into an element.
//
// A graph of the book is alive: its leaves are numbers to drag, and `BabygradGraph.walk(graph)`
// computes it by the rules below. A graph that has `steps` was recorded from a learner's own
// engine: its numbers and arrays are shown as they came, and nothing is computed here.
"use strict";
window.BabygradGraph = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDEST = 136, NARROWEST = 104, TURN = 560, FLAT = 600, FLIGHT = 650, PACE = 2600, LANE = 4, USUAL = 112;
  const TALL = { live: 92, recorded: 104 };
  const BESIDES = 272; // what lies above and below the cards on a phone: the page's bar, a sentence, buttons

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
  const compact = (x) => Number.isInteger(x) && Math.abs(x) < 1e4 ? minus(String(x)) : minus(String(Number(x.toPrecision(2))));

  // ---- a value is a number, or an array of a shape; JSON has no word for what is not finite ---------
  const read = (v) => v === null || typeof v !== "object" ? v : { shape: v.shape, values: v.values.map(Number) };
  const count = (shape) => shape.reduce((all, size) => all * size, 1);
  const lone = (v) => typeof v === "number" ? v : v && count(v.shape) === 1 ? v.values[0] : undefined;
  const shapeOf = (v) => v.shape.length === 1 ? `(${v.shape[0]},)` : v.shape.join(" × ");
  const said = (v) => lone(v) === undefined ? shapeOf(v) : short(lone(v));

  // An array as rows and columns, no more than fit: a cell holds one number, or of a block the
  // one that is largest in size; `undefined` where none came.
  function cells({ shape, values }, columns = 24, rows = 12) {
    const wide = shape.at(-1), tall = count(shape) / wide;
    const across = Math.ceil(wide / columns), down = Math.ceil(tall / rows);
    const block = (top, left) => {
      let found;
      for (let i = top; i < Math.min(tall, top + down); i++) for (let j = left; j < Math.min(wide, left + across); j++) {
        const v = values[i * wide + j];
        if (v !== undefined && !(Math.abs(found) >= Math.abs(v))) found = v;
      }
      return found;
    };
    const grid = [];
    for (let i = 0; i < tall; i += down) {
      grid.push([]);
      for (let j = 0; j < wide; j += across) grid.at(-1).push(block(i, j));
    }
    return { grid, each: across * down };
  }

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
      step(`${name(call.node)} has received ${short(call.received)}. It passes on that times its own slope: `
        + `${parts.join("; ")}.`, [call.node, ...node.inputs],
      { back: true, chips: call.given.map((v, row) => [call.node, row, v]),
        flights: node.inputs.map((_, row) => [call.node, row, true]) });
    }
    const ends = leaves.map((at) => `${name(at)} ${short(found.gradients[at])}`).join(", ");
    step(`Done. Per unit that a leaf moves, ${name(root)} moves by: ${ends}.`, leaves, { back: true });
    return told;
  }

  // What Python recorded: each step tells what it adds to what is seen.
  function recorded(graph) {
    const seen = new Set(), gradients = {}, wrong = new Set();
    return graph.steps.map((step) => {
      step.values.forEach((n) => seen.add(n));
      for (const [n, value] of Object.entries(step.gradients)) gradients[n] = read(value);
      if (step.wrong !== null) wrong.add(step.wrong);
      return { ...step, values: [...seen], gradients: { ...gradients }, marked: [...wrong],
        flights: step.edges.map(([n, row]) => [n, row, step.back]),
        chips: step.handed.map(([n, row, value]) => [n, row, read(value)]) };
    });
  }

  // ---- the layout: layers, and a lane for an edge that passes others --------------------------------
  // A layer of more than `most` nodes becomes several: none of them needs another.
  function layers(nodes, most = Infinity) {
    const depth = [], inputs = nodes.map((node) => [...node.inputs]), lanes = {};
    nodes.forEach((node, at) => {
      depth[at] = Math.max(0, ...node.inputs.map((n) => depth[n] + 1));
    });
    nodes.forEach((node, at) => {
      const users = nodes.map((_, n) => n).filter((n) => nodes[n].inputs.includes(at));
      if (!node.inputs.length && users.length) depth[at] = Math.min(...users.map((n) => depth[n])) - 1;
    });
    split(nodes, depth, most);
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

  function split(nodes, depth, most) {
    let more = 0;
    const before = [...depth];
    for (let layer = 0; layer <= Math.max(...before); layer++) {
      const here = nodes.map((_, n) => n).filter((n) => before[n] === layer);
      here.sort((a, b) => nodes[a].inputs.length - nodes[b].inputs.length || a - b);
      const parts = Math.max(1, Math.ceil(here.length / most)), each = Math.ceil(here.length / parts);
      here.forEach((n, at) => { depth[n] = layer + more + Math.floor(at / each); });
      more += parts - 1;
    }
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

  // Left to right; top to bottom where that is too narrow, with layers that fit side by side.
  function fitting(graph, room) {
    const tall = graph.steps ? TALL.recorded : TALL.live, least = graph.steps ? 96 : 70;
    const wide = layers(graph.nodes), long = wide.layers.length;
    const gap = Math.max(18, Math.min(56, (room - long * USUAL) / Math.max(1, long - 1)));
    const level = Math.min(WIDEST, (room - 4 - (long - 1) * gap) / long);
    if (room >= TURN && level >= NARROWEST) return place(wide, graph.nodes.length, { across: true, width: level, gap, tall });
    const all = [Infinity, 6, 5, 4, 3, 2].map((most) => {
      const plan = most === Infinity ? wide : layers(graph.nodes, most);
      return { plan, width: upright(plan, graph.nodes.length, room) };
    });
    const best = all.find(({ width }) => width >= least) ?? all.reduce((a, b) => b.width > a.width ? b : a);
    const width = Math.max(70, Math.min(WIDEST, best.width));
    // On a phone the layers stand as close as it takes to see all of them above the buttons.
    const levels = best.plan.layers.length, spare = (innerHeight - BESIDES - levels * tall) / Math.max(1, levels - 1);
    return place(best.plan, graph.nodes.length, { across: false, width, gap: Math.max(24, Math.min(44, spare)), tall });
  }

  // How wide the cards can be where each layer stands side by side.
  const BESIDE = 10;
  function upright(plan, count, room) {
    return Math.min(...plan.layers.map((layer) => {
      const cards = layer.filter((n) => n < count).length;
      return (room - 4 - (layer.length - 1) * BESIDE - (layer.length - cards) * LANE) / cards;
    }));
  }

  // Corners of cards and middles of lanes.
  function place(plan, count, { across, width, gap, tall }) {
    const corners = [];
    const size = (n) => n < count ? (across ? tall : width) : LANE;
    const space = across ? 22 : BESIDE;
    const length = (layer) => layer.reduce((sum, n) => sum + size(n) + space, -space);
    const most = Math.max(...plan.layers.map(length));
    plan.layers.forEach((layer, depth) => {
      let offset = (most - length(layer)) / 2;
      for (const n of layer) {
        const along = depth * ((across ? width : tall) + gap);
        corners[n] = across ? [along + 2, offset + 12] : [offset + 2, along + 12];
        offset += size(n) + space;
      }
    });
    const long = plan.layers.length * ((across ? width : tall) + gap) - gap;
    return { plan, corners, width, gap, across, tall, total: across ? long + 4 : most + 4, high: across ? most + 24 : long + 24 };
  }

  function path(spot, at, row, inputs) {
    const { plan, corners, width, across, tall } = spot;
    // Edges arrive in the order in which they come, so that they need not cross at the card.
    const comes = (other) => corners[plan.lanes[`${at},${other}`].at(-1) ?? inputs[other]][across ? 1 : 0];
    const before = inputs.filter((_, other) => other !== row
      && (comes(other) - comes(row) || other - row) < 0).length;
    const share = (before + 1) / (inputs.length + 1);
    const [sx, sy] = corners[inputs[row]];
    const start = across ? [sx + width, sy + tall / 2] : [sx + width / 2, sy + tall];
    const [ex, ey] = corners[at];
    const end = across ? [ex - 2, ey + tall * share] : [ex + width * share, ey - 2];
    const stops = plan.lanes[`${at},${row}`].flatMap((lane) => {
      const [x, y] = corners[lane];
      const middle = LANE / 2;
      return across ? [[x, y + middle], [x + width, y + middle]] : [[x + middle, y], [x + middle, y + tall]];
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

  // `net.layers[0].weights[1]` is called `weights[1]`, of `net.layers[0]`; what is cut keeps its end.
  const parted = (name) => {
    const dot = name.lastIndexOf(".");
    return [name.slice(0, Math.max(0, dot)), name.slice(dot + 1)];
  };
  const cut = (text, most) => text.length > most ? `…${text.slice(1 - Math.floor(most))}` : text;

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
  let drawings = 0;

  class Drawing {
    constructor(element, graph) {
      this.element = element;
      this.graph = { ...graph, nodes: graph.nodes.map((node) => ({ ...node, value: read(node.value) })) };
      this.name = `graph-${++drawings}`;
      this.scene = html("div", { className: "fig-scene" });
      this.detail = html("div", { className: "fig-detail", hidden: true });
      this.detail.setAttribute("role", "region");
      this.detail.setAttribute("aria-label", "Full numbers");
      this.says = html("p", { className: "fig-says" });
      this.says.setAttribute("aria-live", "polite");
      this.buttons = html("div", { className: "fig-buttons" }, ...[
        ["Start", () => this.step(0)], ["Back", () => this.step(this.at - 1)],
        ["Next", () => this.step(this.at + 1)], ["End", () => this.step(this.told.length - 1)],
      ].map(([label, onclick]) => html("button", { type: "button", textContent: label, onclick })));
      this.count = html("span", { className: "fig-count" });
      this.hides = false;
      if (!graph.steps) this.buttons.append(this.curtain());
      if (element.closest("[data-plays]")) this.buttons.append(this.player());
      this.buttons.append(this.count);
      this.foot = html("div", { className: "fig-foot" }, this.detail, this.says, this.buttons);
      element.prepend(this.scene, this.foot);
      element.addEventListener("keydown", (event) => this.key(event));
      element.dataset.recorded = Boolean(graph.steps);
      this.at = 0;
      this.compute();
      new ResizeObserver(() => this.fit()).observe(this.scene);
      this.fit();
      // On paper nothing moves: the end tells most.
      let before = 0;
      addEventListener("beforeprint", () => { before = this.at; this.show(this.told.length - 1, true); });
      addEventListener("afterprint", () => this.show(before, true));
    }

    // The button that hides the gradients of a live graph, for who wants to predict them first. What
    // was chosen is kept for this figure.
    curtain() {
      const place = `grader-gradients-${this.element.id}`;
      const turn = (hides) => {
        this.hides = hides;
        button.textContent = hides ? "Show gradients" : "Hide gradients";
        try { localStorage.setItem(place, hides ? "hidden" : "shown"); } catch { /* not everywhere is room to keep it */ }
      };
      const button = html("button", { type: "button", onclick: () => { turn(!this.hides); this.show(this.at, true); } });
      let kept = null;
      try { kept = localStorage.getItem(place); } catch { /* shown, then */ }
      turn(kept === "hidden");
      return button;
    }

    // On a page that says so, a figure goes by itself and over again, until somebody pauses it or takes
    // hold of it; never where motion is unwelcome. What changes by itself is not read out.
    player() {
      const button = html("button", { type: "button" });
      let clock;
      const turn = (plays) => {
        clearInterval(clock);
        clock = plays ? setInterval(() => this.show((this.at + 1) % this.told.length), PACE) : undefined;
        button.textContent = plays ? "Pause" : "Play";
        this.says.setAttribute("aria-live", plays ? "off" : "polite");
      };
      button.onclick = () => turn(clock === undefined);
      for (const kind of ["pointerdown", "keydown"]) {
        this.element.addEventListener(kind, (event) => event.target !== button && turn(false));
      }
      turn(!matchMedia("(prefers-reduced-motion: reduce)").matches);
      return button;
    }

    gradient(at) {
      return this.hides ? null : this.told[this.at].gradients[at] ?? null;
    }

    compute() {
      const { graph } = this;
      this.found = graph.steps ? { values: graph.nodes.map((node) => node.value) } : walk(graph);
      this.told = graph.steps ? recorded(graph) : steps(graph, this.found);
    }

    // The drawing for the room that there is; only a new room needs a new one.
    fit() {
      // A figure that plays by itself lies across on every screen: a narrow one draws it smaller.
      const clear = Math.floor(this.scene.clientWidth);
      const room = clear && this.element.closest("[data-plays]") ? Math.max(clear, FLAT) : clear;
      if (!room || room === this.room) return;
      this.room = room;
      this.spot = fitting(this.graph, room);
      this.element.dataset.way = this.spot.across ? "across" : "down";
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
        const edge = make("path", { class: "fig-edge", d: path(this.spot, at, row, node.inputs) });
        this.edges[`${at},${row}`] = edge;
        this.svg.append(edge);
      }));
      this.cards = this.graph.nodes.map((node, at) => this.card(node, at));
      this.svg.append(...this.cards.map((card) => card.group));
      Object.keys(this.edges).forEach((key) => {
        this.chips[key] = make("g", { class: "fig-chip", visibility: "hidden" },
          make("rect", { y: -11, height: 22, rx: 11 }), make("text", { y: 5 }));
        this.svg.append(this.chips[key]);
      });
      this.scene.replaceChildren(this.svg);
      for (const [key, edge] of Object.entries(this.edges)) {
        const { across, gap, tall } = this.spot, length = edge.getTotalLength();
        const point = edge.getPointAtLength(length * (across ? 0.5 : 0.35));
        // Between cards that stand close, a chip keeps clear of the numbers in their middle.
        const level = across && gap < 54 && Math.abs(edge.getPointAtLength(0).y - edge.getPointAtLength(length).y) < 30;
        this.chips[key].setAttribute("transform", `translate(${point.x} ${point.y - (level ? tall * 0.27 : 0)})`);
      }
    }

    card(node, at) {
      const { corners, width, tall } = this.spot, [x, y] = corners[at];
      const group = make("g", { class: `fig-card${node.op ? "" : " leaf"}${width < 84 ? " slim" : ""}`, transform: `translate(${x} ${y})`, tabindex: 0 });
      const line = (cls, dy, text = "") => make("text", { class: cls, x: width / 2, y: dy }, text);
      const name = nameOf(this.graph, at), [place, last] = this.graph.steps ? parted(name) : ["", name];
      const [first, second, third] = this.graph.steps ? [21, 64, 90] : [25, 51, 74];
      const value = line("fig-value", second), gradient = line("fig-gradient", third), head = line("fig-name", first, this.graph.steps ? cut(last, (width - 10) / 9.4) : last);
      const maps = { value: make("g", { class: "fig-map" }), gradient: make("g", { class: "fig-map back" }) };
      group.append(make("title", {}, node.op ? `${name} = ${node.made ?? node.op}` : name),
        make("rect", { width, height: tall, rx: 14 }), head, value, gradient, maps.value, maps.gradient);
      if (this.graph.steps) {
        group.append(line("fig-made", 37, cut(node.op || place || node.kind, (width - 10) / 6.8)), line("fig-shape", 98,
          lone(node.value) === undefined ? shapeOf(node.value) : ""), make("text", { class: "fig-mark", x: width - 12, y: 20 }, "✗"));
      } else if (node.op) {
        group.append(make("text", { class: "fig-op", x: width - 10, y: 20 }, SIGNS[node.op] ?? node.op));
        if (width < NARROWEST) head.setAttribute("x", width / 2 - 12);
      }
      if (node.drag) this.slider(group, node, at, width);
      else this.opener(group, at);
      const formula = line("fig-formula", second);
      group.append(formula);
      for (const text of group.querySelectorAll("text")) text.after(" ");  // two texts are two words
      return { group, value, gradient, formula, maps, constant: node.kind === "constant" };
    }

    // A number as text, an array as a map of cells: values in the left half, gradients in the right.
    fill(card, what, value) {
      const one = value === null ? "" : lone(value), map = card.maps[what];
      card[what].textContent = typeof one === "number" ? short(one) : "";
      map.replaceChildren();
      if (one === undefined && count(value.shape)) {
        const half = this.spot.width / 2 - 9, alone = card.constant;
        map.append(...heat(value, { left: what === "value" ? 7 : half + 11, top: 43, room: alone ? 2 * half + 4 : half, high: 42 }));
      }
    }

    // A card that shows its full numbers when it is asked.
    opener(group, at) {
      group.setAttribute("role", "button");
      group.addEventListener("click", () => this.open(at));
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.open(at);
      });
    }

    // A leaf that can be dragged: to the side, or with the arrow keys.
    slider(group, node, at, width) {
      const track = make("g", { class: "fig-track" }, make("line", { x1: 14, x2: width - 14, y1: 84, y2: 84 }),
        make("circle", { cy: 84, r: 5 }));
      group.append(track);
      group.classList.add("drag");
      Object.entries({ role: "slider", "aria-label": node.name, "aria-valuemin": node.drag.min,
        "aria-valuemax": node.drag.max }).forEach(([name, value]) => group.setAttribute(name, value));
      const to = (event) => {
        const box = group.getBoundingClientRect();
        const edge = 14 * box.width / width;
        const share = (event.clientX - box.left - edge) / (box.width - 2 * edge);
        this.set(at, node.drag.min + share * (node.drag.max - node.drag.min));
      };
      group.addEventListener("pointerdown", (event) => { group.setPointerCapture(event.pointerId); to(event); });
      group.addEventListener("pointermove", (event) => group.hasPointerCapture(event.pointerId) && to(event));
      group.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
        if (!by && event.key !== "Enter") return;
        event.preventDefault();
        if (by) this.set(at, this.graph.nodes[at].value + by * node.drag.step);
        else this.open(at);
      });
    }

    set(at, value) {
      const { min, max, step } = this.graph.nodes[at].drag;
      const near = Math.round(value / step) * step;
      this.graph.nodes[at].value = Number(Math.min(max, Math.max(min, near)).toFixed(6));
      this.compute();
      this.show(this.at, true);
    }

    // ---- the full numbers of one node
    open(at) {
      this.opened = at;
      const { nodes } = this.graph, node = nodes[at], step = this.told[this.at];
      const of = node.inputs.map((n) => nameOf(this.graph, n)).join(", ");
      const close = html("button", { type: "button", textContent: "Close", onclick: () => this.close() });
      const held = this.detail.contains(document.activeElement);
      const row = (word, value, cls) => html("div", { className: `fig-full ${cls}` }, html("b", {}, word), numbers(value));
      this.detail.replaceChildren(
        html("div", { className: "fig-buttons" }, html("span", {}, html("i", {}, nameOf(this.graph, at)),
          node.op ? ` = ${node.made ?? node.op}, of ${of}` : ` ${node.kind ?? "a leaf"}`), close),
        html("div", { className: "fig-both" }, row("value", step.values.includes(at) ? this.found.values[at] : null, "ahead"),
          ...this.hides ? [] : [row("gradient", this.gradient(at), "back")]), ...node.finding ? [html("p", {}, node.finding)] : []);
      this.detail.hidden = false;
      if (held) close.focus();
      this.cards.forEach((card, n) => card.group.classList.toggle("opened", n === at));
    }

    close() {
      this.detail.hidden = true;
      this.cards[this.opened].group.classList.remove("opened");
      this.cards[this.opened].group.focus({ preventScroll: true });
      this.opened = undefined;
    }

    key(event) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      const go = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: this.told.length - 1 }[event.key];
      if (go !== undefined) this.step(go);
      else if (event.key === "Escape" && this.opened !== undefined) this.close();
      else return;
      event.preventDefault();
    }

    // A step that a reader asked for: what it is about comes into sight.
    step(at) {
      this.show(at);
      const about = this.told[this.at].active.map((n) => this.cards[n].group.getBoundingClientRect());
      const scene = this.scene.getBoundingClientRect(), [{ left, right, top, bottom }] = about;
      if (left < scene.left || right > scene.right) this.scene.scrollLeft += (left + right) / 2 - (scene.left + scene.right) / 2;
      const low = innerHeight - this.foot.offsetHeight - 16, high = 64;
      const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
      if (bottom > low) scrollBy({ top: Math.min(bottom - low, top - high), behavior });
      else if (top < high) scrollBy({ top: top - high, behavior });
    }

    show(at, quiet = false) {
      this.at = Math.max(0, Math.min(this.told.length - 1, at));
      const step = this.told[this.at], seen = new Set(step.values);
      this.element.classList.toggle("back", step.back === true);
      this.cards.forEach((card, n) => this.paint(card, n, step, seen.has(n)));
      const busy = new Set(step.flights.map(([n, row]) => `${n},${row}`));
      for (const [key, edge] of Object.entries(this.edges)) {
        edge.classList.toggle("active", busy.has(key));
        edge.setAttribute(step.back ? "marker-start" : "marker-end", `url(#${this.name}-${step.back ? "back" : "on"})`);
        edge.removeAttribute(step.back ? "marker-end" : "marker-start");
        this.chips[key].setAttribute("visibility", "hidden");
      }
      for (const [n, row, value] of this.hides ? [] : step.chips ?? []) {
        const chip = this.chips[`${n},${row}`], text = said(value), wide = Math.max(46, 16 + text.length * 7.4);
        chip.setAttribute("visibility", "visible");
        chip.lastChild.textContent = text;
        chip.firstChild.setAttribute("width", wide);
        chip.firstChild.setAttribute("x", -wide / 2);
      }
      this.says.textContent = this.hides && step.back ? this.asks(step) : step.says;
      this.says.classList.toggle("wrong", step.wrong !== undefined && step.wrong !== null);
      this.count.textContent = `${this.at + 1} of ${this.told.length}`;
      const [start, back, next, end] = this.buttons.querySelectorAll("button");
      const pressed = [start, back, next, end].includes(document.activeElement);
      start.disabled = back.disabled = this.at === 0;
      next.disabled = end.disabled = this.at === this.told.length - 1;
      // A button that is off has no keyboard: the other direction takes it.
      if (pressed && (this.at === 0 || this.at === this.told.length - 1)) (this.at ? back : next).focus({ preventScroll: true });
      this.element.dataset.step = this.at;
      if (this.opened !== undefined) this.open(this.opened);
      if (!quiet) this.fly(step.flights);
    }

    // A step of the walk back without its numbers.
    asks(step) {
      const names = step.active.map((n) => nameOf(this.graph, n)), [first, ...rest] = [...new Set(names)];
      const what = !step.chips ? `What is the gradient of ${[first, ...rest].join(", of ")} now?`
        : `${first} passes on what it has received, times its own slope. How much goes to ${rest.join(" and to ")}?`;
      return `${what} Predict it, then show the gradients.`;
    }

    // One card as it is at a step.
    paint(card, n, step, seen) {
      const node = this.graph.nodes[n], value = seen ? this.found.values[n] : null, gradient = this.gradient(n);
      this.fill(card, "value", value);
      card.formula.textContent = seen || this.graph.steps || !node.op ? ""
        : RULES[node.op][2](...node.inputs.map((from) => nameOf(this.graph, from)));
      this.fill(card, "gradient", gradient);
      card.group.classList.toggle("active", step.active.includes(n));
      card.group.classList.toggle("wrong", step.marked?.includes(n) === true);
      if (node.drag) {
        const { min, max } = node.drag, x = 14 + (this.spot.width - 28) * (node.value - min) / (max - min);
        card.group.querySelector("circle").setAttribute("cx", x);
        card.group.setAttribute("aria-valuenow", node.value);
        card.group.setAttribute("aria-valuetext", gradient === null ? full(node.value) : `${full(node.value)}, gradient ${short(gradient)}`);
        return;
      }
      card.group.setAttribute("aria-label", this.labelOf(card, node, { value, gradient }));
    }

    // The texts of a card in their order, so that a reader who says what is seen is understood; what explains them
    // stands in brackets.
    labelOf(card, node, held) {
      const parts = [];
      let last = null;
      for (const text of card.group.querySelectorAll("text")) {
        if (!text.textContent) continue;
        const part = text === card.value || card.maps.value.contains(text) ? "value"
          : text === card.gradient || card.maps.gradient.contains(text) ? "gradient" : null;
        if (part && part !== last) parts.push(`(${part})`);
        parts.push(text.textContent);
        last = part;
      }
      const unseen = ["value", "gradient"].filter((what) => held[what] !== null && !parts.includes(`(${what})`));
      return [...parts, ...unseen.map((what) => `(${what} ${said(held[what])})`), `(${node.made ?? (node.op || node.kind || "leaf")})`].join(" ");
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

  // A map of cells in a box: stronger is larger; what is below zero has no colour but grey.
  function heat(value, { left, top, room, high }) {
    const { grid, each } = cells(value), rows = grid.length, columns = grid[0].length;
    const wide = Math.min(room / columns, 30), tall = Math.min(high / rows, wide < 10 ? 2 * wide : 21);
    const x = left + (room - wide * columns) / 2, y = top + (high - tall * rows) / 2;
    const sizes = grid.flat().filter((v) => Number.isFinite(v)).map(Math.abs), most = Math.max(0, ...sizes) || 1;
    const inside = { frame: `M${x} ${y}h${wide * columns}v${tall * rows}h${-wide * columns}z` }, words = [];
    const told = each === 1 && wide >= 29 && tall >= 14;
    grid.forEach((line, i) => line.forEach((v, j) => {
      const kind = v === undefined ? "none" : !Number.isFinite(v) ? "odd" : `${v < 0 ? "below" : "above"}-${Math.ceil(4 * Math.abs(v) / most)}`;
      inside[kind] = `${inside[kind] ?? ""}M${x + j * wide} ${y + i * tall}h${wide}v${tall}h${-wide}z`;
      if (told && v !== undefined) words.push(make("text", { class: "fig-cell-text", x: x + (j + 0.5) * wide, y: y + (i + 0.5) * tall + 4 }, compact(v)), " ");
    }));
    const shapes = Object.entries(inside).map(([kind, d]) => make("path", { class: `fig-heat ${kind}${told ? " told" : ""}`, d }));
    return [...shapes, ...words];
  }

  // All numbers of a value, with every digit.
  function numbers(value) {
    if (value === null) return html("span", {}, "not yet");
    if (lone(value) !== undefined) return html("span", {}, full(lone(value)));
    const { shape, values } = value, wide = shape.at(-1) || 1, rows = [];
    for (let at = 0; at < values.length; at += wide) {
      rows.push(html("tr", {}, ...values.slice(at, at + wide).map((v) => html("td", {}, full(v)))));
    }
    const came = values.length < count(shape) ? `, the first ${values.length.toLocaleString("en")} numbers of it` : "";
    const box = html("div", { className: "fig-numbers", tabIndex: 0 }, html("table", {}, html("tbody", {}, ...rows)));
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `an array of shape ${shapeOf(value)}`);
    return html("div", {}, html("span", { className: "fig-of" }, `${shapeOf(value)}${came}`), box);
  }

  const mount = (element, graph) => new Drawing(element, graph);
  return { mount, walk, steps, cells, RULES, short, full, minus, html, make };
})();
