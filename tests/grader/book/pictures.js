// A figure as one SVG with the looks that it has now: of every drawing and canvas in it, and of its legend,
// where each of them lies. A look that several elements have becomes a class.
(figure) => {
  const KEEP = { fill: "rgb(0, 0, 0)", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none", opacity: "1",
    "fill-opacity": "1", visibility: "visible", "text-anchor": "start", "font-family": "", "font-size": "",
    "font-weight": "400", "font-style": "normal", "paint-order": "normal", "white-space": "normal", "text-decoration-line": "none" };
  const classes = new Map(), escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const named = (style) => {
    if (!classes.has(style)) classes.set(style, `s${classes.size}`);
    return classes.get(style);
  };
  const plain = (text) => text.replace(/-?\d+\.\d{2,}(?:e-?\d+)?/g, (number) => String(Math.round(number * 10) / 10));
  function look(from, to) {
    const style = getComputedStyle(from), text = from.localName === "text";
    const kept = Object.entries(KEEP).filter(([name]) => text || !/^(font|text|white|paint)/.test(name)).map(([name, usual]) => {
      const value = style.getPropertyValue(name);
      return value === usual ? "" : `${name === "text-decoration-line" ? "text-decoration" : name}:${value}`;
    }).filter(Boolean).join(";").replaceAll('"', "'");
    for (const { name } of [...to.attributes]) if (/^(class|style|tabindex|role|aria-.*)$/.test(name)) to.removeAttribute(name);
    for (const each of to.attributes) each.value = plain(each.value);
    if (kept && !["defs", "marker", "g", "svg"].includes(from.localName)) to.setAttribute("class", named(kept));
    if (style.display === "none" || style.visibility === "hidden") to.setAttribute("data-gone", "");
    [...from.children].forEach((child, n) => look(child, to.children[n]));
  }
  const line = figure.querySelector(".fig-says"), drawings = [...figure.querySelectorAll("svg, canvas")].filter((each) => !each.parentElement.closest("svg"));
  const keys = [...figure.querySelectorAll(".fig-legend > *")].filter((key) => key.getClientRects().length);
  const boxes = drawings.map((each) => each.getBoundingClientRect());
  const marks = keys.map((key) => key.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
  const first = Math.min(...marks.map((box) => box.left));
  const wide = Math.ceil(Math.max(...boxes.map((box) => box.right - left), ...marks.map((box) => box.right - first)));
  const tall = Math.ceil(Math.max(...boxes.map((box) => box.bottom), ...marks.map((box) => box.bottom)) - top);
  const parts = drawings.map((each, n) => {
    const { left: x, top: y, width, height } = boxes[n], at = `x="${Math.round(x - left)}" y="${Math.round(y - top)}"`;
    if (each.localName === "canvas") return `<image ${at} width="${Math.round(width)}" height="${Math.round(height)}" href="${each.toDataURL()}"/>`;
    const copy = each.cloneNode(true);
    look(each, copy);
    copy.querySelectorAll("[data-gone], title").forEach((gone) => gone.remove());
    return `<svg ${at} width="${Math.round(width)}" height="${Math.round(height)}" viewBox="${each.getAttribute("viewBox")}">`
      + copy.innerHTML.replaceAll(' xmlns="http://www.w3.org/2000/svg"', "") + "</svg>";
  });
  keys.forEach((key, n) => {
    const { color } = getComputedStyle(key), x = marks[n].left - first, y = marks[n].top - top + marks[n].height / 2;
    parts.push(`<circle cx="${Math.round(x + 5)}" cy="${Math.round(y)}" r="5" class="${named(`fill:${color}`)}"/>`
      + `<text x="${Math.round(x + 16)}" y="${Math.round(y + 5)}" class="${named(`fill:${color};font-size:14px;font-family:sans-serif`)}">${escaped(key.textContent)}</text>`);
  });
  const label = figure.querySelector("svg, canvas").getAttribute("aria-label") ?? "";
  const says = line?.textContent ?? "", rules = [...classes].map(([style, name]) => `.${name}{${style}}`).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}" viewBox="0 0 ${wide} ${tall}">\n`
    + `<title>${escaped(label === says ? "" : label)}</title>\n<desc>${escaped(says)}</desc>\n<style>\n${rules}\n</style>\n`
    + `${parts.join("\n")}\n</svg>\n`;
}
