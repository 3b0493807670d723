// The views in a real VS Code, by keyboard: the tree, the chapter's page, a hover. Over the real server.
import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { Editor, PYTHON, SKIP, lineOf, makeHome, makeWorkspace } from "./editor.mjs";

const HOSTILE = "<img src=x onerror=\"top.harmed=1\"><script>top.harmed=1</script>";
const THEMES = [["dark", "Default Dark Modern"], ["light", "Default Light Modern"]];

let editor;
let workspace;
let ops;

before(async () => {
  if (SKIP) return;
  const home = makeHome();
  workspace = makeWorkspace(home);
  ops = path.join(workspace, "babygrad", "ops.py");
  appendFileSync(path.join(workspace, "chapters", "chapter3.md"), `\n${HOSTILE}\n\n[x](javascript:top.harmed=1)\n`);
  editor = await Editor.start({ home, python: PYTHON });
});
after(() => editor?.stop());

/** Open the workspace, and the chapter's page beside an exercise. */
async function openPage(theme) {
  await editor.open(workspace, theme);
  await editor.showTree();
  await editor.row("Sub.forward, section 3.2, pending, 0 of 1 point").click();
  await editor.tab.getByText("pending, 0 of 1 point").first().waitFor(); // the lens
  await editor.goTo(lineOf(ops, "Sub", "forward").def);
  await editor.command("babygrad: Read Chapter Beside the Code");
  return editor.page();
}

/** What the page shows where it stands: the exercises of the marked box, and whether it is in sight. */
function marked(page) {
  return page.evaluate(() => {
    const box = document.querySelector(".here");
    const { top } = box.getBoundingClientRect();
    const names = [...box.querySelectorAll(".exercises .state")].map((each) => each.textContent);
    return { names, isInSight: top > -2 && top < innerHeight / 2 };
  });
}

/** Wait until the page stands at an exercise. */
async function standsAt(page, name) {
  await page.locator(".here .state").filter({ hasText: name }).first().waitFor();
  const { names, isInSight } = await marked(page);
  assert.ok(isInSight, names.join());
}

test("the tree by keyboard: what a screen reader says at each step", { skip: SKIP }, async () => {
  await editor.open(workspace);
  await editor.keepPicture("keyboard", async () => {
    await editor.showTree();
    await editor.row("Chapter 1: ").click(); // unfolds it; from here on, keys alone
    const keys = ["ArrowDown", "ArrowLeft", "ArrowLeft", ...Array(9).fill("ArrowDown")];
    const said = [await editor.spoken()];
    for (const key of keys) {
      await editor.press(key);
      said.push(await editor.spoken());
    }
    console.log(said.join("\n"));
    assert.deepEqual(said.slice(0, 4), [
      "Chapter 1: Derivatives and a scalar engine, given", "numerical_derivative, section 1.1, given",
      "Chapter 1: Derivatives and a scalar engine, given", "Chapter 1: Derivatives and a scalar engine, given",
    ]);
    assert.match(said[5], /^Chapter 3: .*, 0 of \d+ exercises passed, 0 of \d+ points$/);
    assert.equal(said.at(-1), "Sub.forward, section 3.2, pending, 0 of 1 point");
    await editor.press("Enter");
    await editor.tab.getByText(`Ln ${lineOf(ops, "Sub", "forward").def}, Col 1`).waitFor();
  });
});

test("every command that package.json declares or links to is registered", { skip: SKIP }, () => {
  const manifest = readFileSync("package.json", "utf8");
  const named = JSON.parse(manifest).contributes.commands.map((each) => each.command);
  const linked = [...manifest.matchAll(/\(command:([\w.]+)/g)].map((each) => each[1]);
  const registered = editor.served.commands();
  assert.deepEqual([...named, ...linked].filter((each) => !registered.includes(each)), []);
});

for (const [name, theme] of THEMES) {
  test(`the page at the exercise under the cursor, ${name}`, { skip: SKIP }, async () => {
    await editor.keepPicture(name, async () => {
      const page = await openPage(theme);
      await standsAt(page, "Sub.forward");
      await editor.picture(`page-${name}`);
      await editor.goTo(lineOf(ops, "Tanh", "backward").def);
      await standsAt(page, "Tanh.backward");
      await editor.picture(`page-followed-${name}`);
    });
  });
}

test("HTML in a chapter of the workspace is text, and the policy holds", { skip: SKIP }, async () => {
  await editor.keepPicture("hostile", async () => {
    const page = await openPage();
    await page.getByText("<img src=x onerror").waitFor();
    const elements = await page.evaluate(() => [...document.querySelectorAll("*")].map((each) => each.localName));
    assert.ok(!elements.includes("img") && !elements.includes("iframe"));
    assert.equal(await page.locator("a[href^=javascript]").count(), 0);
    await page.evaluate(() => {
      window.stopped = [];
      document.addEventListener("securitypolicyviolation", (told) => window.stopped.push(told.effectiveDirective));
      const made = document.createElement("div");
      made.innerHTML = "<img src=/x onerror='top.harmed=1'><p style='color: red' onclick='top.harmed=1'>x</p>";
      made.append(Object.assign(document.createElement("script"), { textContent: "top.harmed = 1" }));
      document.body.append(made);
      made.querySelector("p").click();
      void fetch("/x").catch(() => undefined);
    });
    for (const directive of ["img-src", "script-src-attr", "script-src-elem", "style-src-attr", "connect-src"]) {
      await page.waitForFunction((each) => window.stopped.includes(each), directive);
    }
    assert.equal(await editor.tab.evaluate(() => window.harmed), undefined);
  });
});

test("what learner code says stands in tree and hover as text", { skip: SKIP }, async () => {
  await editor.keepPicture("hover", async () => {
    await openPage();
    const { def, stub } = lineOf(ops, "Sub", "forward");
    await editor.goTo(stub);
    await editor.writeLine(`raise ValueError('${HOSTILE}')`);
    await editor.rowSays("Sub.forward, section 3.2, crashed, 0 of 1 point");
    await editor.goTo(def);
    await editor.press("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Control+k", "Control+i");
    const hover = editor.tab.locator(".monaco-hover:visible").filter({ hasText: "<img src=x" });
    await hover.first().waitFor();
    assert.equal(await hover.first().locator("img, script").count(), 0);
    await editor.picture("hover");
    assert.equal(await editor.tab.evaluate(() => window.harmed), undefined);
    await editor.press("Escape");
    await editor.goTo(stub);
    await editor.writeLine("return a - b");
    await editor.rowSays("Sub.forward, section 3.2, passed, 1 of 1 point");
    await editor.tab.locator(".statusbar [role=button][aria-label^='babygrad, 1 of ']").waitFor();
  });
});
