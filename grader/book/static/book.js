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

  // A word counts most in a title, more at the beginning of a word than within one.
  function score(words, title, text) {
    let sum = 0;
    for (const word of words) {
      const head = title.indexOf(word), body = text.indexOf(word);
      if (head < 0 && body < 0) return 0;
      if (head >= 0) sum += head === 0 || !/\w/.test(title[head - 1]) ? 12 : 6;
      if (body >= 0) sum += Math.min(5, text.split(word).length - 1);
    }
    return sum;
  }
  function excerpt(text, words) {
    const low = plain(text), first = Math.min(...words.map((w) => low.indexOf(w)).filter((i) => i >= 0));
    const start = Number.isFinite(first) ? Math.max(0, first - 60) : 0;
    return (start ? "…" : "") + text.slice(start, start + 170) + (start + 170 < text.length ? "…" : "");
  }
  function marked(text, words) {
    const pattern = words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    return text.split(new RegExp(`(${pattern})`, "i"))
      .map((part, n) => n % 2 ? element("mark", { textContent: part }) : part);
  }
  function search(query) {
    const words = plain(query).split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : window.BOOK_INDEX
      .map((row) => [score(words, plain(row[2]), plain(row[3])), row])
      .filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
    at("hits").replaceChildren(...hits.map(([, [to, place, title, text]]) => element("li", {},
      element("a", { href: to }, element("span", { className: "place" }, place),
        element("b", {}, ...marked(title, words)),
        element("span", { className: "text" }, ...marked(excerpt(text, words), words))))));
    at("found").textContent = words.length === 0 ? "" : hits.length === 0
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
