// What the figures of the book are made of. A kind of figure is a function of its element and its data;
// the files that hold kinds add them to `BookFigures.KINDS`, and what they compute to `BookFigures`.
"use strict";
window.BookFigures = (() => {
  const { html, make, mount, short } = window.BabygradGraph;
  const FLIGHT = 650, KINDS = { graph: mount };

  function slider(label, { min, max, step, value }, show, changed) {
    const input = html("input", { type: "range", min, max, step, value });
    const output = html("output", {}, show(value));
    input.oninput = () => { output.textContent = show(input.valueAsNumber); changed(input.valueAsNumber); };
    return html("label", {}, label, input, output);
  }
  const rows = (...inside) => html("div", { className: "fig-rows" }, ...inside);
  const buttons = (...inside) => html("div", { className: "fig-buttons" }, ...inside);
  const button = (textContent, onclick) => html("button", { type: "button", textContent, onclick });
  // Back and Next of a figure in steps: at an end the one that leads nowhere is off, and the keyboard goes to the other.
  function turns(go) {
    const pair = [button("Back", go(-1)), button("Next", go(1))];
    const stand = (at, last) => pair.forEach((each, n) => {
      const ends = at === (n ? last : 0);
      if (ends && document.activeElement === each) pair[1 - n].focus();
      each.disabled = ends;
    });
    return { element: buttons(...pair), stand };
  }
  // Buttons of which one is chosen; `show` presses another.
  function choice(label, names, pick, at = 0) {
    const list = names.map((name, n) => button(name, () => { show(n); pick(n); }));
    const show = (n) => list.forEach((each, place) => each.setAttribute("aria-pressed", place === n));
    const element = html("div", { className: "fig-buttons fig-choice" }, html("span", {}, label), ...list);
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", label);
    show(at);
    return { element, show };
  }
  const controls = (element, ...inside) => element.prepend(html("div", { className: "fig-controls" }, ...inside));
  const below = (element, ...inside) => element.querySelector(".fig-scene").after(...inside);
  const says = () => {
    const line = html("p", { className: "fig-says" });
    line.setAttribute("aria-live", "polite");
    return line;
  };
  const power = (n) => `10${String(n).replace(/./g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(d)] ?? "⁻")}`;
  // Draws anew whenever the room changes.
  function fitted(element, tall, draw) {
    const scene = html("div", { className: "fig-scene" });
    let wide = 0;
    const again = () => {
      if (!wide) return;
      const height = typeof tall === "function" ? tall(wide) : tall;
      const svg = make("svg", { width: wide, height, viewBox: `0 0 ${wide} ${height}`, role: "img" });
      draw(svg, wide, height);
      svg.append(...svg.querySelectorAll(":scope > text"));  // labels lie above what is drawn
      scene.replaceChildren(svg);
    };
    new ResizeObserver(() => {
      const room = Math.min(680, Math.floor(scene.clientWidth));
      if (room !== wide) { wide = room; again(); }
    }).observe(scene);
    element.prepend(scene);
    return again;
  }
  const text = (x, y, said, cls = "fig-text") => make("text", { x, y, class: cls }, said);

  // A generator of its own, so that a start can be shown again.
  const random = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const shapeOf = (value) => Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : [];
  const named = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

  // ---- numbers in boxes ----------------------------------------------------------------------------
  const plain = (value) => short(value).replace(/\.00$/, "");
  function cell(x, y, side, said, cls = "", tall = side) {
    return make("g", { class: `fig-box ${cls}`, transform: `translate(${x} ${y})` },
      make("rect", { class: "fig-cell", width: side - 3, height: tall - 3, rx: Math.min(6, tall / 4) }),
      make("text", { x: side / 2 - 1.5, y: tall / 2 + 3 }, said));
  }
  // From one place to another, as far as a flight has come.
  const between = (from, to, share) => from.map((v, n) => v + (to[n] - v) * share);
  // Draws with shares from 0 to 1 while something flies; at its end at once where motion is unwelcome.
  function flight(draw) {
    let latest = 0;
    return () => {
      const mine = ++latest;
      let began = null;
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) { draw(1); return; }
      const frame = (now) => {
        if (mine !== latest) return;
        began ??= now;
        const share = Math.min(1, (now - began) / FLIGHT);
        draw(share * share * (3 - 2 * share));
        if (share < 1) requestAnimationFrame(frame);
      };
      draw(0);
      requestAnimationFrame(frame);
    };
  }

  // ---- a plane in two colours: what a network says at every place ---------------------------------------
  function field(pen, size, count, [yes, no], paper, says) {
    const wide = size / count;
    pen.globalAlpha = 1;
    pen.fillStyle = paper;
    pen.fillRect(0, 0, size, size);
    for (let i = 0; i < count; i++) for (let j = 0; j < count; j++) {
      const p = says((i + 0.5) / count, 1 - (j + 0.5) / count);
      pen.globalAlpha = 0.15 + 0.75 * Math.abs(p - 0.5) * 2;
      pen.fillStyle = p > 0.5 ? yes : no;
      pen.fillRect(i * wide, j * wide, wide, wide);
    }
    pen.globalAlpha = 1;
  }

  // Calls again whenever the page turns dark or light: a canvas keeps the colours that it was painted in.
  function whenDark(paint) {
    new MutationObserver(paint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  }

  // ---- all figures of this page, when the files of all kinds are there -----------------------------------
  document.addEventListener("DOMContentLoaded", () => {
    for (const element of document.querySelectorAll("figure.fig[data-kind]")) {
      KINDS[element.dataset.kind](element, JSON.parse(element.querySelector("script").textContent));
    }
    // Figures take their room after the browser went to the place that was asked for: go there again.
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) requestAnimationFrame(() => setTimeout(() => target.scrollIntoView({ behavior: "instant" })));
  });
  return {
    KINDS, slider, rows, buttons, button, turns, choice, controls, below, says, power, fitted, text, random, shapeOf, named, plain, cell,
    between, flight, field, whenDark,
  };
})();
