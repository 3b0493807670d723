// Figures of a training run by its losses: one that dies and goes on, and one that stops at the right time; and of the
// steps of an optimizer that has forgotten a part of its state.
"use strict";
(() => {
  const { html, make } = window.BabygradGraph;
  const { slider, rows, choice, controls, below, says, fitted, text } = BookFigures;
  const HIGH = 270, LEFT = 38, FOOT = HIGH - 26;

  // Axes for losses epoch by epoch, or other numbers, on a logarithmic scale; gives what draws between them.
  function axes(svg, wide, epochs, levels, [height, count] = ["loss", "epoch"]) {
    const [low, top] = [levels[0], levels.at(-1)].map(Math.log);
    const x = (epoch) => LEFT + (wide - LEFT - 8) * (epoch - 1) / (epochs - 1);
    const y = (loss) => FOOT - (FOOT - 22) * (Math.log(loss) - low) / (top - low);
    svg.append(text(2, 12, height), text(wide - 46, HIGH - 2, count));
    for (const level of levels) svg.append(text(2, y(level) + 4, String(level)), make("line", { class: "fig-axis", x1: LEFT, x2: wide - 8, y1: y(level), y2: y(level) }));
    for (let epoch = 10; x(epoch) < wide - 64; epoch += 10) svg.append(text(x(epoch) - 7, HIGH - 8, String(epoch)));
    const upright = (epoch, cls) => svg.append(make("line", { class: cls, x1: x(epoch), x2: x(epoch), y1: 18, y2: FOOT }));
    // A curve through the losses, of which the first belongs to the epoch `from`.
    const curve = (losses, from, cls) => svg.append(make("path", { class: `fig-curve ${cls}`, d: `M${losses.map((loss, n) => `${x(from + n)} ${y(loss)}`).join("L")}` }));
    const spot = (epoch, loss, cls) => svg.append(make("circle", { class: `fig-bar ${cls}`, cx: x(epoch), cy: y(loss), r: 5 }));
    return { upright, curve, spot };
  }
  const legend = (names) => html("p", { className: "fig-legend" }, ...names.map(([cls, name]) => html("span", { className: cls }, name)));

  // ---- a run that dies and goes on -----------------------------------------------------------------------
  function resume(element, { whole, deaths, arrays }) {
    const line = says(), NAMES = Object.keys(deaths[0].runs);
    let at = 1, lost = NAMES[0];
    const redraw = fitted(element, HIGH, (svg, wide) => {
      const { after, runs } = deaths[at], { upright, curve, spot } = axes(svg, wide, whole.length, [0.05, 0.1, 0.2, 0.4]);
      upright(after, "fig-here");
      curve(whole, 1, "start0");
      curve([whole[after - 1], ...runs[lost].losses], after, "start2 broken");
      spot(after, whole[after - 1], "start2");
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const { after, runs } = deaths[at], { losses, same } = runs[lost], SOON = 3;
      const jump = Math.max(...losses.slice(0, SOON).map((loss, n) => loss / whole[after + n]));
      line.textContent = `Lost: ${lost}. The run dies after epoch ${after} and goes on. In the ${SOON} epochs that follow, its loss is at most `
        + `${jump.toFixed(2)} times that of the run without a break. At the end ${same} of ${arrays} arrays are the same, to the last bit.`;
      Object.assign(element.dataset, { jump, same });
      redraw();
    };
    const dial = slider("It dies after epoch", { min: 0, max: deaths.length - 1, step: 1, value: at }, (n) => String(deaths[n].after), (n) => { at = n; tell(); });
    controls(element, choice("Lost", NAMES, (n) => { lost = NAMES[n]; tell(); }).element);
    below(element, legend([["start0", "without a break"], ["start2", "dead, and resumed"]]), line, rows(dial));
    tell();
  }

  // ---- when to stop --------------------------------------------------------------------------------------
  // The epoch after which it stops, and the epoch of the best loss by then; it stops at the end at the latest.
  function stops(losses, patience, minDelta) {
    let best = Infinity, at = 0, waited = 0;
    for (const [n, loss] of losses.entries()) {
      if (loss < best - minDelta) [best, at, waited] = [loss, n + 1, 0];
      else waited += 1;
      if (waited >= patience) return { epoch: n + 1, at };
    }
    return { epoch: losses.length, at };
  }

  function stopping(element, { train, held }) {
    const line = says();
    let patience = 3, minDelta = 0;
    const redraw = fitted(element, HIGH, (svg, wide) => {
      const { epoch, at } = stops(held, patience, minDelta), { upright, curve, spot } = axes(svg, wide, held.length, [0.05, 0.1, 0.2, 0.4, 0.8]);
      upright(epoch, "fig-here");
      [["start0", train], ["start2", held]].forEach(([cls, losses]) => {
        curve(losses.slice(0, epoch), 1, cls);
        curve(losses.slice(epoch - 1), epoch, `${cls} broken`);
      });
      spot(at, held[at - 1], "start2");
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const { epoch, at } = stops(held, patience, minDelta), lowest = held.indexOf(Math.min(...held)) + 1;
      line.textContent = `It stops after epoch ${epoch}: validation ${held[epoch - 1].toFixed(2)}, training ${train[epoch - 1].toFixed(2)}. `
        + `The best that it has seen is ${held[at - 1].toFixed(3)}, after epoch ${at}; `
        + `${lowest === at ? "nothing better follows." : lowest > epoch ? `it misses ${held[lowest - 1].toFixed(3)}, after epoch ${lowest}.` : `a little less, after epoch ${lowest}, didn't count.`}`;
      element.dataset.epoch = epoch;
      redraw();
    };
    below(element, legend([["start0", "training"], ["start2", "validation"]]), line,
      rows(slider("Patience", { min: 1, max: 30, step: 1, value: patience }, String, (n) => { patience = n; tell(); }),
        slider("min_delta", { min: 0, max: 0.1, step: 0.005, value: minDelta }, (v) => v.toFixed(3), (v) => { minDelta = v; tell(); })));
    tell();
  }

  // ---- an optimizer that forgets -------------------------------------------------------------------------
  function forget(element, { after, runs }) {
    const line = says(), NAMES = Object.keys(runs), LEVELS = [0.1, 0.3, 1, 3, 10, 30];
    let at = 1, lost = NAMES[1];
    const redraw = fitted(element, HIGH, (svg, wide) => {
      const found = runs[lost][at], { curve, spot } = axes(svg, wide, found.length, LEVELS, ["step length / lr", "step"]);
      curve(runs[NAMES[0]][at], 1, "start0");
      curve(found, 1, "start2 broken");
      spot(1, found[0], "start2");
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const found = runs[lost][at], [first] = found, off = found.filter((length) => Math.abs(length - 1) > 0.05).length;
      line.textContent = `Lost: ${lost}, after ${after[at].toLocaleString("en")} step${after[at] > 1 ? "s" : ""} with one and the same gradient. The next step is ${first.toFixed(2)} learning rates long; `
        + `of the ${found.length} steps that follow, ${off || "none"} ${off === 1 ? "is" : "are"} off by more than 5%.`;
      Object.assign(element.dataset, { first, off });
      redraw();
    };
    controls(element, choice("Lost", NAMES, (n) => { lost = NAMES[n]; tell(); }, 1).element);
    below(element, legend([["start0", "nothing is lost"], ["start2", "with what is left"]]), line,
      rows(slider("After step", { min: 0, max: after.length - 1, step: 1, value: at }, (n) => after[n].toLocaleString("en"), (n) => { at = n; tell(); })));
    addEventListener("beforeprint", () => { [at, lost] = [5, NAMES[3]]; tell(); });  // paper shows the longest step
    tell();
  }

  Object.assign(BookFigures.KINDS, { resume, stopping, forget });
  Object.assign(BookFigures, { stops });
})();
