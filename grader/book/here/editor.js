// The editor of a page that judges, in the place of its text field: CodeMirror, by the import map.
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const STEP = "    ";
function indent(view) {
  const { main } = view.state.selection;
  if (!main.empty) return indentMore(view);
  const column = main.head - view.state.doc.lineAt(main.head).from;
  view.dispatch(view.state.replaceSelection(STEP.slice(column % STEP.length)), { userEvent: "input" });
  return true;
}
const KEYS = [{ key: "Tab", run: indent, shift: indentLess }, ...defaultKeymap, ...historyKeymap];
// A line goes on top of the editor; the page around it stays where it is.
const onTop = EditorView.scrollHandler.of((view, range, { y }) => {
  if (y === "start") view.scrollDOM.scrollTop = view.lineBlockAt(range.head).top;
  return y === "start";
});
const ALWAYS = [
  EditorView.lineWrapping, onTop, history(), python(), syntaxHighlighting(classHighlighter), indentOnInput(), indentUnit.of(STEP), keymap.of(KEYS),
];

// The same as textField in field.js; see there.
export function editor(area, changed, { numbers }) {
  const label = area.labels[0];
  const extensions = [
    ALWAYS, numbers ? lineNumbers() : [],
    EditorView.contentAttributes.of({
      id: area.id, tabindex: "0", "aria-labelledby": label.id, "aria-describedby": area.getAttribute("aria-describedby"),
    }),
    EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
  ];
  const view = new EditorView();
  const hadFocus = document.activeElement === area;
  area.replaceWith(view.dom);
  label.onclick = () => view.focus();
  if (hadFocus) view.focus();

  let left = {}, shown;
  const at = (line) => view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
  function scroll(first) {
    view.dispatch({ effects: EditorView.scrollIntoView(at(first).from, { y: "start" }) });
    // A question about heights measures, and so scrolls, at once: a key that is pressed before the
    // next frame asks for a scroll of its own, and only the last one counts.
    view.lineBlockAtHeight(0);
  }
  const place = () => {
    const { from, to } = view.state.selection.main;
    const top = view.lineBlockAtHeight(view.scrollDOM.scrollTop);
    return { from, to, first: view.state.doc.lineAt(top.from).number - 1 };
  };
  return {
    place,
    clear() { left = {}; shown = undefined; },
    open(name, text, to) {
      if (shown !== undefined) left[shown] = { state: view.state, first: place().first };
      shown = name;
      const { state, first } = left[name] ?? begun(text, to);
      view.setState(state);
      scroll(first);
    },
    go(line, first, takes) {
      view.dispatch({ selection: { anchor: at(line).to } });
      if (takes) view.focus();
      scroll(first);
    },
  };
  function begun(text, { from, to, first } = { from: 0, to: 0, first: 0 }) {
    return { state: EditorState.create({ doc: text, selection: { anchor: from, head: to }, extensions }), first };
  }
}
