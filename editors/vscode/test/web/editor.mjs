// A person at VS Code for the web: what is pressed, and what is then to be seen.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM, serve } from "./serve.mjs";

export const PYTHON = process.env.PYTHON ?? "python3";
export const SKIP = CHROMIUM ? false : "no Chromium here; CHROMIUM names one";
const PICTURES = "dist/pictures";
const PATIENCE = 180_000; // milliseconds; the first check makes the answer key of a chapter

/** Return an empty folder. */
export function makeHome() {
  return mkdtempSync(path.join(tmpdir(), "babygrad-web-"));
}

/** Make a workspace that begins at chapter 3; return its folder. */
export function makeWorkspace(home) {
  execFileSync(PYTHON, ["-m", "grader", "init", "work", "--from", "chapter3"], { cwd: home });
  return path.join(home, "work");
}

export class Editor {
  static async start(options) {
    mkdirSync(PICTURES, { recursive: true });
    const served = await serve(options);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    return new Editor(served, browser);
  }

  constructor(served, browser) {
    Object.assign(this, { served, browser });
  }

  /** Open a window, on a folder or empty. */
  async open(folder, theme) {
    await this.tab?.context().close();
    const context = await this.browser.newContext({ viewport: { width: 1360, height: 800 } });
    this.tab = await context.newPage();
    this.tab.setDefaultTimeout(20_000);
    if (process.env.VERBOSE) this.tab.on("console", (said) => console.log(said.text().slice(0, 300)));
    await this.tab.goto(this.served.address(folder, theme));
  }

  async stop() {
    await this.browser.close();
    this.served.close();
  }

  /** Run the steps; if one fails, keep a picture of how it looked. */
  async keepPicture(name, steps) {
    try {
      await steps();
    } catch (error) {
      await this.picture(`${name}-failed`);
      throw error;
    }
  }

  picture(name) {
    return this.tab.screenshot({ path: `${PICTURES}/${name}.png` });
  }

  async press(...keys) {
    for (const key of keys) await this.tab.keyboard.press(key);
  }

  /** Run a command by its title, from the palette. */
  async command(title) {
    await this.press("F1");
    const entry = this.tab.locator(`.quick-input-list [role=option][aria-label*="${title}"]`).first();
    await this.tab.locator(".quick-input-widget input[type=text]").first().fill(`>${title}`);
    await entry.waitFor();
    await this.press("Enter");
  }

  async showTree() {
    await this.tab.locator(".activitybar [aria-label='babygrad']").first().click();
  }

  /** The row of the tree whose label, as a screen reader says it, begins so. */
  row(label) {
    return this.tab.locator(`[role=treeitem][aria-label^=${JSON.stringify(label)}]`);
  }

  /** Wait until a row says so. */
  rowSays(label) {
    return this.row(label).waitFor({ timeout: PATIENCE });
  }

  /** What a screen reader says at the place in the tree where the keyboard is. */
  spoken() {
    return this.tab.locator("#babygrad\\.tree [role=treeitem].focused, .pane-body [role=treeitem].focused").first().getAttribute("aria-label");
  }

  /** Put the cursor on a line of the open text. */
  async goTo(line) {
    await this.tab.locator(".editor-group-container .monaco-editor .view-lines").first().click();
    await this.press("Control+g");
    const field = this.tab.locator(".quick-input-widget input[type=text]").first();
    await field.fill(`:${line}`);
    await this.press("Enter");
  }

  /** Replace the line under the cursor, from its first word on, and save. */
  async writeLine(text) {
    await this.press("End", "Shift+Home");
    await this.tab.keyboard.insertText(text);
    await this.press("Control+s");
  }

  /** The frame that holds the chapter's page. */
  async page() {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      for (const frame of this.tab.frames()) {
        if (await frame.locator("main").count().catch(() => 0)) return frame;
      }
      await new Promise((wake) => setTimeout(wake, 50));
    }
    throw new Error("the chapter's page was not shown");
  }
}

/** Return the line of a function of a class, counted from 1, and of the stub in it. */
export function lineOf(file, name, method) {
  const lines = readFileSync(file, "utf8").split("\n");
  const top = lines.findIndex((each) => each.startsWith(`class ${name}(`));
  const def = lines.findIndex((each, at) => at > top && each.includes(`def ${method}(`));
  const stub = lines.findIndex((each, at) => at > def && each.includes("raise NotImplementedError"));
  return { def: def + 1, stub: stub + 1 };
}
