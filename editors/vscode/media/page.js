// The page's only script: scrolls to an exercise, writes states as text, reports clicks.
(() => {
  const editor = acquireVsCodeApi();
  const MARKS = { passed: "✓", pending: "·", given: "·", blocked: "◦", broken: "!" };

  function tell(what, more) {
    editor.postMessage({ do: what, ...more });
  }

  function button(word, what, row) {
    const made = document.createElement("button");
    made.textContent = word;
    made.setAttribute("aria-label", `${word}: ${row.label}`);
    made.addEventListener("click", () => tell(what, { id: row.id }));
    return made;
  }

  function show(rows) {
    for (const row of rows) {
      const item = document.querySelector(`[data-exercise="${CSS.escape(row.anchor)}"]`);
      if (!item) continue;
      item.className = MARKS[row.status] ? row.status : "wrong";
      const mark = document.createElement("span");
      mark.className = "mark";
      mark.setAttribute("aria-hidden", "true");
      mark.textContent = MARKS[row.status] ?? "✗";
      const state = document.createElement("span");
      state.className = "state";
      const name = document.createElement("strong");
      name.textContent = row.label;
      const words = document.createElement("span");
      words.className = "words";
      words.textContent = row.words;
      state.append(mark, " ", name, " ", words);
      const buttons = document.createElement("span");
      buttons.className = "buttons";
      buttons.append(button("Go to code", "open", row));
      if (row.maxPoints) buttons.append(button("Check", "check", row), button("Hint", "hint", row));
      const before = item.querySelector(".buttons");
      const focused = before ? [...before.children].indexOf(document.activeElement) : -1;
      item.replaceChildren(state, buttons);
      if (focused >= 0) buttons.children[focused]?.focus();
    }
  }

  function reveal(anchor) {
    const target = document.getElementById(anchor);
    if (!target) return;
    for (const each of document.querySelectorAll(".here")) each.classList.remove("here");
    const box = document.querySelector(`[data-exercise="${CSS.escape(anchor)}"]`)?.closest(".box");
    box?.classList.add("here");
    target.scrollIntoView({ block: "start" });
  }

  window.addEventListener("message", ({ data }) => {
    if (data.rows) show(data.rows);
    if (data.anchor) reveal(data.anchor);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-anchor]");
    const press = event.target.closest("button[data-do]");
    if (link) {
      event.preventDefault();
      if (link.dataset.chapter) tell("chapter", { chapter: link.dataset.chapter, anchor: link.dataset.anchor });
      else reveal(link.dataset.anchor);
    }
    if (press) tell(press.dataset.do, {});
  });
  tell("ready", {});
})();
