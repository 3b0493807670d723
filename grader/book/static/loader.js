// The figure of a loader: which samples come in which batch, epoch by epoch.
"use strict";
(() => {
  const { slider, rows, choice, controls, below, says, fitted, text, cell } = BookFigures;
  const WAYS = ["shuffled", "in order", "drops the rest", "keeps one order", "with replacement"];

  // The batches of every epoch, as a right loader gives them, or as one with a mistake would.
  function batches({ shuffled, replaced }, way, size) {
    const sorted = shuffled[0].map((_, n) => n);
    return shuffled.map((order, epoch) => {
      const samples = [order, sorted, order, shuffled[0], replaced[epoch]][WAYS.indexOf(way)];
      const found = [];
      for (let start = 0; start < samples.length; start += size) found.push(samples.slice(start, start + size));
      return way === "drops the rest" ? found.filter((batch) => batch.length === size) : found;
    });
  }

  function loader(element, data) {
    const line = says(), count = data.shuffled[0].length, epochs = data.shuffled.length, LEFT = 58, GAP = 6, HIGH = 32;
    let way = WAYS[0], size = 4, followed = 0;
    const tally = (found) => Array.from({ length: count }, (_, sample) => found.flat(2).filter((n) => n === sample).length);
    const redraw = fitted(element, (epochs + 2) * HIGH + 8, (svg, wide) => {
      const found = batches(data, way, size), side = Math.min(54, Math.floor((wide - LEFT - (count - 1) * GAP) / count)), counts = tally(found);
      found.forEach((epoch, row) => {
        svg.append(text(2, row * HIGH + 20, `epoch ${row + 1}`));
        epoch.forEach((batch, nth) => batch.forEach((sample, n) => svg.append(cell(LEFT + (nth * size + n) * side + nth * GAP, row * HIGH, side,
          String(sample), `small ${sample === followed ? "lit" : ""}`, HIGH))));
      });
      const y = epochs * HIGH + 26;
      svg.append(text(2, y - 7, "sample"), text(2, y + 20, "came"));
      counts.forEach((times, sample) => {
        svg.append(text(LEFT + sample * side + side / 2 - 1.5, y - 7, String(sample), "fig-note"),
          cell(LEFT + sample * side, y, side, String(times), `small ${times === epochs ? "" : "odd"} ${sample === followed ? "lit" : ""}`, HIGH));
      });
      svg.setAttribute("aria-label", line.textContent);
    });
    const tell = () => {
      const found = batches(data, way, size), counts = tally(found), sizes = found[0].map((batch) => batch.length);
      const least = Math.min(...counts), most = Math.max(...counts);
      const alike = new Set(found.map(String)).size === 1 ? " All epochs are alike." : "";
      line.textContent = `Each epoch has ${sizes.length} batch${sizes.length === 1 ? "" : "es"}, of ${sizes.join(", ")}.${alike} In ${epochs} epochs `
        + `${least === most ? `every sample comes ${least} times` : `one sample comes ${least} times, and another ${most} times`}; sample ${followed} comes ${counts[followed]} times.`;
      Object.assign(element.dataset, { batches: JSON.stringify(found), least, most });
      redraw();
    };
    controls(element, choice("Loader", WAYS, (n) => { way = WAYS[n]; tell(); }).element);
    below(element, line, rows(slider("batch_size", { min: 1, max: count, step: 1, value: size }, String, (n) => { size = n; tell(); }),
      slider("Follow sample", { min: 0, max: count - 1, step: 1, value: followed }, String, (n) => { followed = n; tell(); })));
    tell();
  }

  BookFigures.KINDS.loader = loader;
})();
