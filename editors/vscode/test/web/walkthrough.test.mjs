// A newcomer's way, by the walkthrough alone: from an empty window to the first green exercise.
import { execFileSync, spawnSync } from "node:child_process";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { Editor, PYTHON, SKIP, lineOf, makeHome } from "./editor.mjs";

const COURSE = path.resolve("../..");

let editor;
let home;
let python; // has no grader: the system's own if pip may not install there, else a fresh environment
let isManaged;

const SYSTEM = "/usr/bin/python3";
const IS_MANAGED = `
import importlib.util, os, sys, sysconfig
mark = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
is_bare = importlib.util.find_spec("ensurepip") and not importlib.util.find_spec("grader")
sys.exit(not (sys.version_info >= (3, 10) and os.path.exists(mark) and is_bare))
`;

before(() => {
  if (SKIP) return;
  home = makeHome();
  python = SYSTEM;
  isManaged = spawnSync(SYSTEM, ["-c", IS_MANAGED], { cwd: "/" }).status === 0;
  if (!isManaged) {
    python = path.join(home, ".venv", "bin", "python");
    execFileSync(PYTHON, ["-m", "venv", path.join(home, ".venv")]);
  }
  // What is not released yet is found here: pip takes the course's wheel from this folder.
  execFileSync(PYTHON, ["-m", "pip", "wheel", "-q", "--no-deps", "-w", path.join(home, "wheels"), COURSE]);
});
after(() => editor?.stop());

const stepOf = (id) => editor.tab.locator(`[data-step-id="babygrad.babygrad-grader#babygrad.first#${id}"]`);

/** Unfold a step of the walkthrough, and press its button. */
async function step(id, button) {
  const row = stepOf(id);
  await row.waitFor();
  if (!(await row.getAttribute("class")).includes("expanded")) await row.click();
  await editor.picture(`walk-step-${id}`);
  await row.getByRole("button", { name: button }).click();
}

/** Go back to the tab of the walkthrough, in which a step has got its mark. */
async function goBack(done) {
  await editor.tab.getByRole("tab", { name: /^(Welcome|Walkthrough)/ }).click();
  await isDone(done);
}

/** Wait until a step has its mark. */
function isDone(id) {
  return stepOf(id).locator(".codicon.complete").waitFor({ timeout: 180_000 });
}

test("from an empty window to the first green exercise", { skip: SKIP }, async () => {
  editor = await Editor.start({ home, python, env: { PIP_FIND_LINKS: path.join(home, "wheels") } });
  await editor.keepPicture("walkthrough", async () => {
    await editor.open();
    const { tab } = editor;
    await editor.showTree();
    await tab.getByText("The grader is not installed in the chosen Python.").waitFor();
    await editor.picture("walk-1-empty");
    await tab.getByText("Open the walkthrough").click();
    await step("install", "Install the Grader");
    if (isManaged) {
      await tab.getByText("belongs to the system.").waitFor();
      await editor.picture("walk-managed");
      await tab.getByRole("button", { name: "Make It" }).click();
    }
    await isDone("install");
    await step("workspace", "Make a Workspace");
    await tab.getByText("In which folder?").waitFor();
    await editor.press("Enter"); // the home folder
    await tab.locator(".quick-input-list [role=option][aria-label^='From chapter 3']").click();
    await tab.waitForURL(/folder=/); // the window of the workspace, in which the walkthrough goes on
    await isDone("workspace");
    await step("next", "Go to the Next Exercise");
    const ops = path.join(home, "work", "babygrad", "ops.py");
    const { def, stub } = lineOf(ops, "Sub", "forward");
    await tab.getByText(`Ln ${def}, Col 1`).waitFor();
    await goBack("next");
    await step("read", "Read Chapter Beside the Code");
    const page = await editor.page();
    await goBack("read");
    await stepOf("green").click();
    await editor.picture("walk-step-green");
    await tab.getByRole("tab", { name: /^ops\.py/ }).click();
    await editor.goTo(def);
    await page.locator(".here .state").filter({ hasText: "Sub.forward" }).waitFor();
    await editor.goTo(stub);
    await editor.writeLine("return a - b");
    await editor.showTree();
    await editor.rowSays("Sub.forward, section 3.2, passed, 1 of 1 point");
    await editor.picture("walk-end");
    await goBack("green");
    await editor.picture("walk-done");
  });
});
