// The text field of a page that judges: what is written in until the editor is here, or where there is none.
"use strict";
const keyOf = (event) => (event.shiftKey && event.key === "Tab" ? "Shift-" : "")
  + (event.ctrlKey || event.metaKey ? "Ctrl-" : "") + event.key.toLowerCase();

// Takes the area and who is told its text when that has changed. What it gives back, the editor gives too:
// clear() forgets what was open, open(name, text, place) shows a file where it was left, or at a place,
// place() says where the reader is, go(line, first, takes) leads there, with the line `first` on top, and takes
// the keyboard along if it is told to.
function textField(area, changed) {
  const STEP = "    ";
  let places = {}, shown;

  // One step of the browser's own undo.
  function put(from, to, text) {
    area.setSelectionRange(from, to);
    if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
    area.setRangeText(text, from, to, "end");
    area.dispatchEvent(new Event("input"));
  }
  const before = () => area.value.slice(0, area.selectionStart).split("\n").at(-1);
  const type = (text) => put(area.selectionStart, area.selectionEnd, text);
  // Changes the lines that are selected, and leaves them so.
  function lines(change) {
    const { value, selectionStart: start, selectionEnd: end } = area;
    const from = start - before().length;
    const last = value.indexOf("\n", end > start ? end - 1 : end);
    const to = last < 0 ? value.length : last;
    const text = value.slice(from, to).split("\n").map(change).join("\n");
    put(from, to, text);
    const caret = Math.max(from, start + text.length - (to - from));
    area.setSelectionRange(end > start ? from : caret, end > start ? from + text.length : caret);
  }
  function comment(line, number, all) {
    const written = all.filter((each) => each.trim());
    if (written.every((each) => /^\s*#/.test(each))) return line.replace(/^(\s*)# ?/, "$1");
    const depth = Math.min(...written.map((each) => each.search(/\S/)));
    return line.trim() ? `${line.slice(0, depth)}# ${line.slice(depth)}` : line;
  }
  const KEYS = {
    tab() {
      if (area.selectionEnd > area.selectionStart) lines((line) => line && STEP + line);
      else type(STEP.slice(before().length % STEP.length));
    },
    "Shift-tab": () => lines((line) => line.replace(/^ {1,4}/, "")),
    enter: () => type(`\n${/^ */.exec(before())[0]}${/:\s*(#.*)?$/.test(before()) ? STEP : ""}`),
    "Ctrl-/": () => lines(comment),
  };
  area.onkeydown = (event) => {
    const key = KEYS[keyOf(event)];
    if (!key || event.isComposing || event.altKey) return;
    event.preventDefault();
    key();
  };
  const fit = () => { area.rows = area.value.split("\n").length; };
  area.oninput = () => { fit(); changed(area.value); };

  // A caret that is put where nobody writes is lost in some browsers: it waits until somebody does.
  let due;
  area.onfocus = () => {
    if (due) area.setSelectionRange(...due);
    due = undefined;
  };
  function caret(from, to) {
    due = [from, to];
    if (document.activeElement === area) area.onfocus();
  }
  const height = () => parseFloat(getComputedStyle(area).lineHeight);
  const scroll = (first) => area.scrollTo(0, first * height());
  function place() {
    const [from, to] = due ?? [area.selectionStart, area.selectionEnd];
    return { from, to, first: Math.round(area.scrollTop / height()) };
  }
  return {
    place,
    clear() { places = {}; shown = undefined; },
    open(name, text, at) {
      if (shown !== undefined) places[shown] = place();
      shown = name;
      area.value = text;
      fit();
      const { from, to, first } = at ?? places[name] ?? { from: 0, to: 0, first: 0 };
      caret(from, to);
      scroll(first);
    },
    go(line, first, takes) {
      const end = area.value.split("\n").slice(0, line + 1).join("\n").length;
      caret(end, end);
      if (takes) area.focus({ preventScroll: true });
      scroll(first);
    },
  };
}
