// The figure of a file of bytes: what each byte of an IDX file means, and where its value ends up.
"use strict";
(() => {
  const { slider, rows, choice, controls, below, says, fitted, text, cell, named } = BookFigures;
  const hex = (byte) => byte.toString(16).padStart(2, "0");
  const UNIT = { 1: ["label"], 3: ["image", "row", "column"] };

  // The bytes that belong together with one, and what they say.
  function meaning({ bytes, shape }, at) {
    const head = 4 + 4 * shape.length;
    if (at < 2) return { first: 0, last: 1, words: "Bytes 0 and 1 are zero in every IDX file." };
    if (at === 2) return { first: 2, last: 2, words: "Byte 2 is the type of the values: 8 stands for unsigned bytes." };
    if (at === 3) return { first: 3, last: 3, words: `Byte 3 is the number of axes, ${bytes[3]}: a size of 4 bytes for each follows, so the values begin at byte 4 + 4 · ${bytes[3]} = ${head}.` };
    if (at < head) {
      const axis = Math.floor(at / 4) - 1, first = 4 + 4 * axis, four = bytes.slice(first, first + 4);
      const [big, little] = [four, [...four].reverse()].map((each) => each.reduce((sum, byte) => 256 * sum + byte, 0));
      return { first, last: first + 3, words: `Bytes ${first} to ${first + 3}, ${four.map(hex).join(" ")}, are the size of axis ${axis}: ${big}. Read with the least significant byte first, they would say ${little.toLocaleString("en")}.` };
    }
    const index = [], value = at - head;
    let left = value;
    for (let axis = shape.length - 1; axis >= 0; axis--) { index[axis] = left % shape[axis]; left = Math.floor(left / shape[axis]); }
    const place = index.map((n, axis) => `${UNIT[shape.length][axis]} ${n}`).join(", ");
    return { first: at, last: at, value, index, words: `Byte ${at} is value ${value}, ${bytes[at]}: ${place}. The last axis runs fastest.` };
  }

  function idx(element, { files }) {
    const line = says(), NAMES = Object.keys(files), HIGH = 30, ROW = 8, LEFT = 54;
    let file = 0, at = 7;
    const told = () => files[NAMES[file]];
    const redraw = fitted(element, () => (Math.ceil(told().bytes.length / ROW) + 3) * HIGH + 20, (svg, wide) => {
      const { bytes, shape } = told(), found = meaning(told(), at), head = 4 + 4 * shape.length;
      const side = Math.min(46, Math.floor((wide - LEFT) / ROW)), deep = Math.ceil(bytes.length / ROW);
      bytes.forEach((byte, n) => {
        const lit = n >= found.first && n <= found.last;
        svg.append(cell(LEFT + (n % ROW) * side, Math.floor(n / ROW) * HIGH, side, hex(byte), `small ${n < head ? "" : "moved"} ${lit ? "lit" : ""}`, HIGH));
      });
      for (let row = 0; row < deep; row++) svg.append(text(2, row * HIGH + 19, `byte ${row * ROW}`));
      const top = deep * HIGH + 30, last = shape.at(-1), high = shape.length > 1 ? shape.at(-2) : 1;
      const count = bytes.length - head, per = last * high, small = Math.min(46, Math.floor((wide - LEFT - 20) / (per < count ? last * count / per : last)));
      svg.append(text(2, top - 10, `array of shape ${named(shape)}`));
      for (let value = 0; value < count; value++) {
        const picture = Math.floor(value / per), inside = value % per;
        svg.append(cell(LEFT + picture * (last * small + 20) + (inside % last) * small, top + Math.floor(inside / last) * HIGH, small,
          String(bytes[head + value]), `small moved ${value === found.value ? "lit" : ""}`, HIGH));
      }
      svg.setAttribute("aria-label", line.textContent);
    });
    const dial = slider("Byte", { min: 0, max: told().bytes.length - 1, step: 1, value: at }, String, (n) => { at = n; tell(); });
    const input = dial.querySelector("input");
    const tell = () => {
      const found = meaning(told(), at);
      line.textContent = found.words;
      Object.assign(element.dataset, { first: found.first, last: found.last, index: JSON.stringify(found.index ?? null) });
      redraw();
    };
    controls(element, choice("File", NAMES, (n) => {
      file = n;
      input.max = told().bytes.length - 1;
      at = Math.min(at, +input.max);
      input.value = at;
      dial.querySelector("output").textContent = String(at);
      tell();
    }).element);
    below(element, line, rows(dial));
    tell();
  }

  BookFigures.KINDS.idx = idx;
})();
