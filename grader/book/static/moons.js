// Two moons, told apart by a network that the reference trained while this page was built: its weights
// after some of the steps are here, and what it says about a place is computed from them.
"use strict";
(() => {
  const { html, make, short } = window.BabygradGraph;
  const { slider, rows, buttons, button, says, text, field, whenDark } = BookFigures;
  const SIZE = 260, HIGH = matchMedia("(max-width: 40rem)").matches ? 130 : SIZE, CELLS = 52, LEFT = -1.4, LOW = -1.65, SPAN = 3.8;
  const sigmoid = (a) => a >= 0 ? 1 / (1 + Math.exp(-a)) : Math.exp(a) / (1 + Math.exp(a));

  // tanh, tanh, sigmoid: the probability of the second moon at a place.
  function believes(weights, place) {
    let inputs = place;
    for (let n = 0; n < weights.length; n += 2) {
      const [matrix, bias] = [weights[n], weights[n + 1]], bend = n + 2 < weights.length ? Math.tanh : sigmoid;
      inputs = bias.map((b, out) => bend(inputs.reduce((sum, v, at) => sum + v * matrix[at][out], b)));
    }
    return inputs[0];
  }

  function moons(element, { points, targets, frames }) {
    const line = says(), look = [0.5, 0.25];
    let at = 0, playing = false;
    const canvas = html("canvas", { width: SIZE, height: SIZE });
    canvas.setAttribute("role", "img");
    const curve = make("svg", { width: SIZE, height: HIGH, viewBox: `0 0 ${SIZE} ${HIGH}`, role: "img", "aria-label": "The loss, step by step" });
    const legend = html("p", { className: "fig-legend" }, html("span", { className: "yes" }, "moon 1 (circles)"),
      html("span", { className: "no" }, "moon 0 (squares)"));
    const across = (x) => (x - LEFT) / SPAN * SIZE, down = (y) => SIZE - (y - LOW) / SPAN * SIZE;

    function dots(pen) {
      points.forEach(([x, y], n) => {
        pen.beginPath();
        if (targets[n]) pen.arc(across(x), down(y), 4, 0, 7);
        else pen.rect(across(x) - 3.5, down(y) - 3.5, 7, 7);
        pen.fillStyle = targets[n] ? "#1b5fc1" : "#b4500b";
        pen.fill();
        pen.lineWidth = 1.2;
        pen.strokeStyle = "#fff";
        pen.stroke();
      });
      const [x, y] = [across(look[0]), down(look[1])];
      pen.lineWidth = 2;
      for (const [colour, width] of [["#fff", 5], ["#1f2530", 2]]) {
        pen.beginPath();
        pen.arc(x, y, 9, 0, 7);
        pen.moveTo(x - 14, y); pen.lineTo(x + 14, y);
        pen.moveTo(x, y - 14); pen.lineTo(x, y + 14);
        pen.strokeStyle = colour;
        pen.lineWidth = width;
        pen.stroke();
      }
    }
    function losses() {
      const left = 34, bottom = HIGH - 24, last = Math.sqrt(frames.at(-1).step), most = Math.max(...frames.map((f) => f.loss));
      const spot = ({ step, loss }) => [left + (SIZE - left - 10) * Math.sqrt(step) / last, bottom - (bottom - 14) * loss / most];
      const [x, y] = spot(frames[at]);
      curve.replaceChildren(make("line", { class: "fig-axis", x1: left, x2: SIZE, y1: bottom, y2: bottom }),
        make("line", { class: "fig-axis", x1: left, x2: left, y1: 12, y2: bottom }),
        text(2, 20, most.toFixed(1)), text(12, bottom, "0"), text(left + 4, HIGH - 6, `loss, ${frames[at].step} steps`),
        make("path", { class: "fig-curve float64", d: `M${frames.map((f) => spot(f).join(" ")).join("L")}` }),
        make("circle", { class: "fig-spot float64", cx: x, cy: y, r: 6 }));
    }
    function paint() {
      const frame = frames[at], pen = canvas.getContext("2d"), p = believes(frame.weights, look);
      field(pen, SIZE, CELLS, [...legend.children].map((each) => getComputedStyle(each).color),
        getComputedStyle(element).backgroundColor, (x, y) => believes(frame.weights, [LEFT + SPAN * x, LOW + SPAN * y]));
      dots(pen);
      losses();
      line.textContent = `Step ${frame.step}: loss ${frame.loss.toFixed(3)}, ${Math.round(frame.right * points.length)} of ${points.length} `
        + `points right. At (${look.map(short).join(", ")}) it says ${p.toFixed(3)}: moon ${p > 0.5 ? 1 : 0}.`;
      canvas.setAttribute("aria-label", `Where the network says moon 1 (blue) and moon 0 (orange). ${line.textContent}`);
      Object.assign(element.dataset, { says: p, step: frame.step });
    }
    function go(n) {
      at = n;
      time.querySelector("input").value = n;
      time.querySelector("output").textContent = `step ${frames[n].step}`;
      paint();
    }
    const stop = () => { playing = false; play.textContent = "Play"; };
    const beat = () => {
      if (!playing || !element.isConnected) return;
      go(at + 1);
      if (at + 1 === frames.length) stop();
      else setTimeout(beat, 350);
    };
    const play = button("Play", () => {
      if (playing) { stop(); return; }
      playing = true;
      play.textContent = "Pause";
      if (at + 1 === frames.length) go(0);
      setTimeout(beat, 350);
    });
    const time = slider("Training", { min: 0, max: frames.length - 1, step: 1, value: 0 }, (n) => `step ${frames[n].step}`,
      (n) => { stop(); go(n); });
    const dials = [0, 1].map((axis) => slider(`Look at ${"xy"[axis]}`, { min: [LEFT, LOW][axis], max: [LEFT, LOW][axis] + SPAN, step: 0.05,
      value: look[axis] }, short, (v) => { look[axis] = v; paint(); }));
    const drag = (event) => {
      const box = canvas.getBoundingClientRect(), share = (v) => Math.min(1, Math.max(0, v));
      look[0] = LEFT + SPAN * share((event.clientX - box.left) / box.width);
      look[1] = LOW + SPAN * share(1 - (event.clientY - box.top) / box.height);
      dials.forEach((dial, axis) => {
        dial.querySelector("input").value = look[axis];
        dial.querySelector("output").textContent = short(look[axis]);
      });
      paint();
    };
    canvas.classList.add("fig-drag");
    canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); drag(event); };
    canvas.onpointermove = (event) => canvas.hasPointerCapture(event.pointerId) && drag(event);
    element.prepend(html("div", { className: "fig-panels" }, canvas, curve), legend, line, buttons(play), rows(time, ...dials));
    paint();
    whenDark(paint);
  }

  BookFigures.KINDS.moons = moons;
  BookFigures.believes = believes;
})();
