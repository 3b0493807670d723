// The page that judges a chapter: what is written, questions to the judge's thread, and what it says.
"use strict";
{
  const at = (id) => document.getElementById(id);
  const desk = JSON.parse(at("desk").textContent);
  const KEPT = `${desk.package}-${desk.chapter}`;
  const GRACE = 2; // seconds beyond a probe's own, after which the thread is ended
  const MOST = 60; // times that one question may end the thread

  // ---- what is kept -----------------------------------------------------------------------
  const modules = Object.keys(desk.files);
  const fresh = () => ({ files: { ...desk.files }, scratch: desk.scratch, marks: {}, hints: {} });
  // The files of this page in something that was kept or saved; null where none is in it.
  function mine(files) {
    const found = modules.filter((name) => typeof files?.[name] === "string");
    return found.length ? { ...desk.files, ...Object.fromEntries(found.map((name) => [name, files[name]])) } : null;
  }
  let work = fresh();
  try {
    const found = JSON.parse(localStorage.getItem(KEPT));
    // A page of one file was kept as its text, once.
    const files = mine(found.files ?? { [modules[0]]: found.text });
    if (files && typeof found.marks === "object") work = { ...work, ...found, files };
  } catch { /* nothing is kept, or nothing may be */ }
  const keep = () => {
    try { localStorage.setItem(KEPT, JSON.stringify(work)); } catch { /* a browser that may not */ }
  };

  // ---- what is written in -----------------------------------------------------------------
  const writing = {
    code: { numbers: true, changed(text) { work.files[shown] = text; keep(); } },
    scratch: { numbers: false, changed(text) { work.scratch = text; keep(); } },
  };
  const make = (how, id) => how(at(id), writing[id].changed, writing[id]);
  let code = make(textField, "code"), scratch = make(textField, "scratch"), shown = modules[0];
  const tabs = modules.map((name) => Object.assign(document.createElement("button"),
    { type: "button", textContent: name, onclick: () => open(name) }));
  function open(name) {
    shown = name;
    code.open(name, work.files[name]);
    at("file-name").textContent = name;
    tabs.forEach((tab) => tab.setAttribute("aria-pressed", tab.textContent === name));
  }
  const show = () => {
    code.clear();
    scratch.clear();
    scratch.open("", work.scratch);
    open(shown);
  };
  if (modules.length > 1) at("files").append(...tabs);
  show();
  // The editor takes the place of the fields, where it was built in and can be loaded; whoever has
  // begun to write goes on there.
  async function upgrade(names) {
    await Promise.all(names.map((name) => import(name)));
    const { editor } = await import("./editor.js");
    const places = [code.place(), scratch.place()];
    code = make(editor, "code");
    scratch = make(editor, "scratch");
    code.open(shown, work.files[shown], places[0]);
    scratch.open("", work.scratch, places[1]);
  }
  const map = document.querySelector("script[type=importmap]");
  if (map && location.protocol !== "file:") {
    upgrade(Object.keys(JSON.parse(map.textContent).imports)).catch(() => { /* the fields stay */ });
  }
  const KEYS = { escape: () => at("check").focus(), "Ctrl-enter": () => run(), "Ctrl-s": () => check(false) };
  at("writing").addEventListener("keydown", (event) => {
    const key = KEYS[keyOf(event)];
    if (!key || event.isComposing || !event.target.matches("textarea, [contenteditable]")) return;
    event.preventDefault();
    event.stopPropagation(); // before the editor has a meaning of its own for it
    key();
  }, true);

  // ---- exercises --------------------------------------------------------------------------
  const MARK = { passed: "✓", pending: "·", blocked: "◦" };
  const points = (value) => String(Math.round(value * 100) / 100);
  for (const each of desk.exercises) {
    at("exercise").append(Object.assign(document.createElement("option"), { value: each.id }));
    const button = Object.assign(document.createElement("button"), { type: "button", onclick: () => choose(each.id) });
    const row = document.createElement("li");
    row.append(button);
    at("list").append(row);
  }
  const now = () => desk.exercises.find((each) => each.id === at("exercise").value);
  function tally() {
    let sum = 0;
    desk.exercises.forEach((each, place) => {
      const mark = work.marks[each.id];
      sum += mark?.score ?? 0;
      const sign = mark ? MARK[mark.status] ?? "✗" : "·";
      const button = at("list").children[place].firstChild, status = mark?.status ?? "pending";
      at("exercise").options[place].textContent = `${sign} ${each.section}  ${each.title}`;
      button.textContent = `${sign} ${each.title}`;
      button.className = status;
      button.setAttribute("aria-label", `${each.title}: ${status.replace("_", " ")}`);
    });
    at("earned").textContent = points(sum);
    at("bar").value = sum;
  }
  function placeOf(each) {
    const lines = work.files[each.module].split("\n");
    const told = lines.findIndex((line) => line.includes(`grader check ${each.id}\``));
    if (told >= 0) return told;
    const [name, method] = each.target.split(".").slice(-2);
    const head = lines.findIndex((line) => RegExp(`^class ${name}\\b`).test(line));
    const last = method ?? name;
    const found = lines.findIndex((line, n) => n >= head && RegExp(`^\\s*def ${last}\\b`).test(line));
    return Math.max(found, 0);
  }
  // The head of what is written there is in sight, where its docstring is not too long for that.
  function go(line, takes = true) {
    const lines = work.files[shown].split("\n");
    let head = Math.min(line, lines.length - 1);
    while (head > 0 && !/^\s*(def|class) /.test(lines[head])) head--;
    code.go(line, Math.max(0, line - head <= 16 ? head : line - 8), takes);
  }
  function choose(id, move = true, takes = true) {
    at("exercise").value = id;
    const place = desk.exercises.findIndex((each) => each.id === id);
    [...at("list").children].forEach(({ firstChild: button }, n) => button.setAttribute("aria-pressed", n === place));
    const row = at("list").children[place];
    if (row) at("list").scrollLeft = row.offsetLeft - (at("list").clientWidth - row.offsetWidth) / 2;
    at("read").href = `${desk.chapter}.html#${id.replace(/[._]/g, "-")}`;
    if (!move) return;
    open(now().module);
    go(placeOf(now()), takes);
  }
  const next = () => desk.exercises.find((e) => work.marks[e.id]?.status !== "passed") ?? desk.exercises[0];
  // The keyboard stays here: each arrow key chooses.
  at("exercise").onchange = (event) => choose(event.target.value, true, false);

  const OFFLINE = "This page loads Python from the network, and there is none now. Connect, and press Check again: "
    + "what you wrote is kept in this browser.";
  const STUCK = "Python could not be loaded. Check your network, then press Check again: what you wrote is kept in this browser. "
    + "If it fails again, the site that you read lacks a file: tell whoever runs it.";
  // ---- the judge's thread -----------------------------------------------------------------
  let thread, isReady, question, ended, latest, clock;
  const say = (text) => { at("state").textContent = text; };
  // Beside the code it is in sight; below it, where a page is narrow, it comes there.
  const inView = () => {
    const isBeside = getComputedStyle(document.querySelector(".said")).position === "sticky";
    at("state").scrollIntoView({ block: isBeside ? "nearest" : "start" });
  };
  const busy = (yes) => {
    for (const id of ["check", "all", "run"]) at(id).setAttribute("aria-disabled", yes);
    document.documentElement.classList.toggle("busy", yes);
  };
  function begin() {
    isReady = false;
    thread = new Worker(`here-worker.js?chapter=${desk.chapter}${desk.arrays ? "&numpy" : ""}`, { type: "module" });
    thread.onerror = (event) => unready(event.message ?? "its file cannot be read");
    thread.onmessage = ({ data: { kind, value } }) => hears[kind](value);
  }
  function unready(why) {
    thread?.terminate();
    thread = undefined;
    finish();
    say(navigator.onLine === false ? OFFLINE : `${STUCK} (The browser says: ${why}.)`);
  }
  const hears = {
    doing(text) { if (!isReady) say(text); },
    ready() { isReady = true; say(question?.doing ?? "Ready."); },
    unready,
    at([number, seconds]) {
      latest = number;
      clearTimeout(clock);
      clock = setTimeout(() => anew("hung"), 1000 * (seconds + GRACE));
    },
    done(value) { const { then } = question; finish(); then(value); },
    fault(text) { finish(); say("The judge itself failed; that is our fault, not yours."); plain(text); },
    fatal() { anew("died"); },
  };
  function finish() {
    clearTimeout(clock);
    question = undefined;
    busy(false);
  }
  // What ended the thread is told the next one, which goes round it.
  function anew(how) {
    clearTimeout(clock);
    thread.terminate();
    thread = undefined;
    if (!question) return;
    if (question.scratch !== undefined || ended.size >= MOST) {
      const told = how === "hung" ? "It did not end, and was stopped." : "It ended Python itself.";
      finish();
      say("Stopped.");
      plain(told);
      return;
    }
    ended.set(latest, how);
    say("One call did not end, or ended Python. Going on without it …");
    begin();
    send();
  }
  const send = () => thread.postMessage({ ...question.asked, ended: [...ended] });
  function ask(asked, doing, then) {
    if (question) return;
    if (location.protocol === "file:") {
      say("A page from a file may not start Python. Serve it: grader book --serve --pyodide DIR.");
      return;
    }
    question = { asked, doing, then, scratch: asked.scratch };
    ended = new Map();
    latest = -1;
    busy(true);
    if (!thread) begin();
    if (isReady) say(doing);
    send();
    inView();
  }

  // ---- what is said -----------------------------------------------------------------------
  const CLASS = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow", 36: "cyan" };
  const TALK = /`grader hint (\S+?)`|In \w+\/(\S+?), line (\d+)/g;
  const button = (text, onclick) =>
    Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick });
  function talk(into, text) {
    let from = 0;
    for (const found of text.matchAll(TALK)) {
      into.append(text.slice(from, found.index));
      const [all, id, file, line] = found;
      into.append(id ? button("a hint", () => { choose(id, false); hint(); })
        : modules.includes(file) ? button(all, () => { open(file); go(Number(line) - 1); }) : all);
      from = found.index + all.length;
    }
    into.append(text.slice(from));
  }
  function told(text) {
    const pre = document.createElement("pre");
    let into = pre;
    for (const piece of text.split(/(\x1b\[\d+m)/)) {
      const colour = /^\x1b\[(\d+)m$/.exec(piece);
      if (!colour) talk(into, piece);
      else if (colour[1] === "0") into = pre;
      else {
        into = Object.assign(document.createElement("span"), { className: CLASS[colour[1]] ?? "" });
        pre.append(into);
      }
    }
    at("told").replaceChildren(pre);
    at("told").scrollTop = 0;
  }
  const plain = (text) => {
    at("told").replaceChildren(Object.assign(document.createElement("pre"), { textContent: text }));
  };
  function width() {
    const probe = Object.assign(document.createElement("pre"), { textContent: "0".repeat(50) });
    probe.style.cssText = "position:absolute;visibility:hidden;white-space:pre";
    at("told").append(probe);
    const each = probe.getBoundingClientRect().width / 50;
    probe.remove();
    return Math.max(34, Math.min(100, Math.floor((at("told").clientWidth - 36) / each)));
  }

  // ---- check, run, hint -------------------------------------------------------------------
  function check(all) {
    const names = all ? [desk.chapter] : [now().id];
    const asked = { files: work.files, names, width: width() };
    ask(asked, all ? "Checking the chapter …" : `Checking ${now().title} …`, (value) => {
      const found = JSON.parse(value);
      Object.assign(work.marks, found.marks);
      keep();
      tally();
      told(found.report);
      say(`${points(found.score)} of ${points(found.max_score)} points.`);
      inView();
    });
  }
  function run() {
    const asked = { files: work.files, scratch: work.scratch };
    ask(asked, "Running …", (text) => { say("It ran."); plain(text || "(It printed nothing.)"); });
  }
  function hint() {
    const each = now();
    const due = Math.min(work.hints[each.id] ?? 0, each.hints.length - 1);
    work.hints[each.id] = due + 1;
    keep();
    say(`Hint ${due + 1} of ${each.hints.length} for ${each.title}`);
    const list = document.createElement("ol");
    list.innerHTML = each.hints.slice(0, due + 1).map((text) => `<li>${text}</li>`).join("");
    at("told").replaceChildren(list);
  }
  at("check").onclick = () => check(false);
  at("all").onclick = () => check(true);
  at("run").onclick = run;
  at("hint").onclick = hint;

  // ---- the work as a folder ---------------------------------------------------------------
  const SAVED = `${desk.package}.json`, SCHEMA = "grader-browser/1";
  at("save").onclick = () => {
    const { files, marks, hints } = work, home = `${desk.package}-${desk.chapter}`;
    const told = { schema: SCHEMA, chapter: desk.chapter, files, exercises: marks, hints };
    const texts = Object.entries(files).map(([name, text]) => [`${home}/${desk.package}/${name}`, text]);
    const url = URL.createObjectURL(homeFolder.pack({ [`${home}/${SAVED}`]: JSON.stringify(told, null, 1), ...Object.fromEntries(texts) }));
    const link = Object.assign(document.createElement("a"), { href: url, download: `${home}.zip` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    say(`${home}.zip holds your files and how they stand. Unpack it, and go on in a terminal or here.`);
  };
  const same = (one, other) => modules.every((name) => one[name] === other[name]);
  async function bringBack(chosen) {
    const files = await homeFolder.chosen(chosen), [only] = files.length === 1 ? files : [];
    const isSaved = ({ path }) => only ? path.endsWith(".json") : path === SAVED || path.endsWith(`/${SAVED}`);
    const saved = files.filter(isSaved).sort((a, b) => a.path.length - b.path.length)[0];
    let told = {};
    if (saved) {
      told = JSON.parse(await saved.text());
      if (told?.schema !== SCHEMA) throw new Error("another file");
    }
    const texts = mine({ ...told.files, ...await homeFolder.pick(files, modules, desk.package) });
    if (!texts) throw new Error("no file of this page");
    const isLost = !same(work.files, texts) && !same(work.files, desk.files);
    if (isLost && !confirm("Replace what you wrote here? Take it home first if you want to keep it.")) return;
    // Marks belong to the texts that were checked; what was edited since is as it was here.
    const isMarked = told.files && same({ ...desk.files, ...told.files }, texts);
    const { exercises: marks = {}, hints: seen = {} } = told, hints = { ...work.hints };
    for (const [id, count] of Object.entries(seen)) hints[id] = Math.max(count, hints[id] ?? 0);
    work = { ...work, files: texts, hints, ...isMarked ? { marks } : {} };
    keep();
    show();
    tally();
    choose(next().id);
    say(`Back again: ${modules.filter((name) => texts[name] !== desk.files[name]).join(", ") || "the stubs"}.${isMarked ? "" : " Check it again."}`);
  }
  for (const [press, field] of [["open", "file"], ["open-folder", "folder"]]) {
    at(press).onclick = () => at(field).click();
    at(field).onchange = async (event) => {
      const chosen = [...event.target.files];
      event.target.value = "";
      if (!chosen.length) return;
      try { await bringBack(chosen); } catch {
        say(`There is no file of this page in what you chose: take ${desk.package}-${desk.chapter}.zip, the folder that it makes, or ${modules.join(", ")}.`);
      }
    };
  }
  at("again").onclick = () => {
    if (!confirm("Begin again with the stubs? What you wrote here is gone then.")) return;
    work = fresh();
    keep();
    show();
    tally();
    choose(next().id);
    say("Here are the stubs.");
  };

  tally();
  // An address may end with an exercise; another ending, such as that of "Skip to the text", chooses none.
  const inAddress = () => desk.exercises.find((each) => `#${each.id}` === location.hash);
  choose((inAddress() ?? next()).id, true, false);
  addEventListener("hashchange", () => inAddress() && choose(inAddress().id));
}
