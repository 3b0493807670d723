// What a page does beyond being read: copying, words explained, search, where the reader is.
"use strict";
{
  const at = (id) => document.getElementById(id);
  const all = (selector, inside = document) => Array.from(inside.querySelectorAll(selector));
  const element = (tag, properties = {}, ...inside) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...inside);
    return made;
  };

  // ---- dark and light ---------------------------------------------------------------------
  const root = document.documentElement;
  const isDark = () => getComputedStyle(root).colorScheme === "dark"
    || (root.dataset.theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches);
  at("theme").onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("grader-theme", root.dataset.theme); } catch { /* a file */ }
  };

  // ---- the menu of a narrow screen --------------------------------------------------------
  const open = (yes) => {
    root.classList.toggle("menu-open", yes);
    at("menu").setAttribute("aria-expanded", yes);
  };
  at("menu").onclick = () => open(!root.classList.contains("menu-open"));
  at("contents").onclick = (event) => event.target.closest("a") && open(false);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || at("search").open || !root.classList.contains("menu-open")) return;
    open(false);
    at("menu").focus();
  });

  // ---- copying ----------------------------------------------------------------------------
  // Of a terminal only what is typed is copied, without its prompt.
  const typed = (text) => text.split("\n").filter((line) => line.startsWith("$ "))
    .map((line) => line.slice(2)).join("\n");
  const copied = (block) => {
    const text = (block.querySelector("pre") ?? block.querySelector("code")).textContent;
    return block.dataset.language === "console" ? typed(text) : text.replace(/\n$/, "");
  };
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // a page from a file may be refused the clipboard
      const area = element("textarea", { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }
  for (const block of all(".block, .command")) {
    const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
    button.setAttribute("aria-label", block.matches(".command") ? "Copy the command" : "Copy");
    button.onclick = async () => {
      await copy(copied(block));
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    };
    block.append(button);
  }

  // ---- words explained --------------------------------------------------------------------
  const tip = at("tip");
  let told = null;
  function explain(word) {
    told?.removeAttribute("aria-describedby");
    told = word;
    tip.hidden = word === null;
    if (word === null) return;
    tip.replaceChildren(element("b", { textContent: word.dataset.word }), ` ${word.dataset.says}`);
    word.setAttribute("aria-describedby", "tip");
    const spot = word.getClientRects()[0], wide = tip.offsetWidth;
    const left = Math.min(Math.max(8, spot.left), root.clientWidth - wide - 8);
    const above = spot.top - tip.offsetHeight - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 56 ? above : spot.bottom + 8}px`;
  }
  for (const word of all("a.word")) {
    word.addEventListener("pointerenter", (e) => e.pointerType === "mouse" && explain(word));
    word.addEventListener("pointerleave", (e) => e.pointerType === "mouse" && explain(null));
    word.addEventListener("focus", () => explain(word));
    word.addEventListener("blur", () => explain(null));
    // A first tap explains, a second one goes there.
    let opened = false;
    word.addEventListener("pointerdown", (e) => {
      opened = e.pointerType !== "mouse" && told !== word;
    });
    word.addEventListener("click", (e) => {
      if (opened) { e.preventDefault(); explain(word); }
      opened = false;
    });
  }
  addEventListener("scroll", () => told && explain(null), { passive: true });

  // ---- what a link points at is never folded away -----------------------------------------
  const unfold = () => {
    const target = at(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
  };
  addEventListener("hashchange", unfold);
  unfold();
  let folded = [], theme;
  addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light"; // whoever paints on a canvas watches it
    folded = all("details.aside:not([open])");
    folded.forEach((fold) => { fold.open = true; });
  });
  addEventListener("afterprint", () => {
    folded.forEach((fold) => { fold.open = false; });
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
  });

  // ---- where the reader is ----------------------------------------------------------------
  const heads = all("article h2[id]");
  if (at("section") && heads.length) {
    // The line under the bar fills up once in every part: from its heading here to the next one.
    const bar = at("section").closest(".bar"), top = (head) => head.getBoundingClientRect().top - 120;
    const where = () => {
      const read = heads.filter((head) => top(head) < 0), last = read.at(-1);
      const name = last ? last.textContent.replace("#", "") : "";
      const next = heads[read.length];
      const left = next ? top(next) : root.scrollHeight - innerHeight - scrollY;
      const done = last ? -top(last) / (left - top(last)) : 0;
      bar.style.setProperty("--read", done.toFixed(3));
      at("part").textContent = last ? `${read.length} of ${heads.length}` : "";
      if (at("section").textContent !== name) {
        at("section").textContent = name;
        for (const link of all("#contents .sections a")) {
          const here = last !== undefined && link.hash === `#${last.id}`;
          link.classList.toggle("now", here);
          if (here) link.scrollIntoView({ block: "nearest" });
        }
      }
    };
    let asked = false;
    addEventListener("scroll", () => {
      if (!asked) requestAnimationFrame(() => { asked = false; where(); });
      asked = true;
    }, { passive: true });
    where();
  }

  // ---- search -----------------------------------------------------------------------------
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const load = () => window.BOOK_INDEX ? Promise.resolve() : new Promise((done) => {
    document.head.append(element("script", { src: "search-index.js", onload: done }));
  });

  // Words are compared by their stems: clipping, clips and clip are one.
  const ENDING = /(?:ations?|ings?|ions?|ed|es|e|s)$/;
  function stem(word) {
    if (word.length < 4 || word.endsWith("ss")) return word;
    const cut = word.replace(/ies$/, "y").replace(ENDING, "");
    return cut.length < 3 ? word : cut.replace(/([bdgmnpt])\1$/, "$1");
  }
  const words = (text) => plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const stems = (text) => words(text).map(stem);
  // A name counts whole and by its parts: LayerNorm1d is found as layer and norm, state_dict as state.
  const parts = (name) => name.split(/_|(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)/).filter(Boolean);
  const named = (text) => (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((name) => {
    const found = parts(name);
    return stems([name, ...(found.length > 1 ? found : [])].join(" "));
  });
  const tally = (found) => {
    const counts = new Map();
    for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
    return counts;
  };
  let index;
  function read() {
    index = window.BOOK_INDEX.map((row) => {
      const [, , title, text, code] = row;
      return { row, heads: title.split(", ").map((each) => stems(each).join(" ")), title: tally(stems(title)),
        text: tally(stems(text)), code: tally(named(`${title} ${code} ${text}`)), says: ` ${stems(`${title} ${text}`).join(" ")} ` };
    });
    index.count = tally(index.flatMap((of) => [...new Set([...of.title.keys(), ...of.text.keys(), ...of.code.keys()])]));
  }
  // Where a stem stands in a row: whole, or as the beginning of a word that is still being typed.
  const WEIGHT = { title: [8, 1], text: [1, 4], code: [1.5, 1] }; // and how many times are counted
  function weigh(of, word) {
    let sum = 0;
    for (const [where, [weight, most]] of Object.entries(WEIGHT)) {
      const whole = of[where].get(word) ?? 0;
      const begun = whole || [...of[where].keys()].some((each) => each.startsWith(word)) ? 1 / 3 : 0;
      sum += weight * (whole ? Math.min(most, whole) : begun);
    }
    return sum;
  }
  // Sections that only name what others explain.
  const SUMS_UP = /#(quiz|questions|key-concepts|what-you-will-be-able-to-do|two-questions-[\w-]+)$/;
  // A rare word says more than a common one; words that stand together more than words apart.
  function score(of, asked) {
    let sum = 0;
    for (const word of asked) {
      const found = weigh(of, word);
      if (!found) return 0;
      sum += found * Math.log(1 + index.length / (1 + (index.count.get(word) ?? 0)));
    }
    const phrase = asked.join(" ");
    if (asked.length > 1 && of.says.includes(` ${phrase} `)) sum *= 2;
    if (of.heads.includes(phrase)) sum *= of.row[1] === "Glossary" ? 3.5 : 3;
    else if (asked.every((word) => of.title.has(word))) sum *= 1 + asked.length / of.title.size;
    return SUMS_UP.test(of.row[0]) ? sum * 0.6 : sum;
  }
  // The words of a query may be one word here: layer norm is LayerNorm, step decay is step_decay.
  function best(of, asked) {
    const together = asked.length > 1 ? [[asked.join("")], [asked.join("_")]] : [];
    return Math.max(...[asked, ...together].map((each) => score(of, each)));
  }
  function excerpt(text, words) {
    const low = plain(text), first = Math.min(...words.map((w) => low.indexOf(w)).filter((i) => i >= 0));
    const start = Number.isFinite(first) ? Math.max(0, first - 60) : 0;
    return (start ? "…" : "") + text.slice(start, start + 170) + (start + 170 < text.length ? "…" : "");
  }
  function marked(text, words) {
    if (!words.length) return [text];
    const pattern = words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    return text.split(new RegExp(`(${pattern})`, "i"))
      .map((part, n) => n % 2 ? element("mark", { textContent: part }) : part);
  }
  function search(query) {
    if (!index) read();
    const asked = stems(query);
    const hits = index.map((of) => [asked.length ? best(of, asked) : 0, of.row])
      .filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
    at("hits").replaceChildren(...hits.map(([, [to, place, title, text]]) => element("li", {},
      element("a", { href: to }, element("span", { className: "place" }, place),
        element("b", {}, ...marked(title, asked)),
        element("span", { className: "text" }, ...marked(excerpt(text, asked), asked))))));
    at("found").textContent = asked.length === 0 ? "" : hits.length === 0
      ? `Nothing found for «${query.trim()}».` : `${hits.length === 20 ? "The best 20" : hits.length} found.`;
  }
  const dialog = at("search");
  async function find() {
    dialog.showModal();
    at("query").select(); // what was asked before is replaced by what is typed
    await load();
    search(at("query").value);
  }
  at("find").onclick = find;
  at("query").oninput = () => window.BOOK_INDEX && search(at("query").value);
  at("query").onkeydown = (event) => {
    const first = at("hits").querySelector("a");
    if (event.key === "Enter") { event.preventDefault(); first?.click(); }
    if (event.key === "ArrowDown" && first) { event.preventDefault(); first.focus(); }
  };
  at("hits").onkeydown = (event) => {
    const links = all("a", at("hits")), now = links.indexOf(document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) { event.preventDefault(); (links[now + by] ?? at("query")).focus(); }
  };
  at("hits").onclick = (event) => event.target.closest("a") && dialog.close();
  addEventListener("keydown", (event) => {
    const field = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
    const typing = field && event.target.checkVisibility(); // a field just hidden has the focus for a frame yet
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      find();
    }
  });
}
