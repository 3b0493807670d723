// What package.json offers exists: its commands, the contexts it waits for, the files it names.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const text = readFileSync("package.json", "utf8");
const { contributes, main } = JSON.parse(text);
const declared = new Set<string>(contributes.commands.map((each: { command: string }) => each.command));
const source = ["src/course.ts", "src/setup.ts"].map((file) => readFileSync(file, "utf8")).join("\n");

/** The commands that menus, welcomes and the walkthrough run, links and bare names. */
function offered(): string[] {
  const menus = Object.values<{ command: string }[]>(contributes.menus).flat().map((each) => each.command);
  const links = [...text.matchAll(/\(command:([\w.]+)/g)].map((each) => each[1]);
  const events = [...text.matchAll(/onCommand:([\w.]+)/g)].map((each) => each[1]);
  return [...menus, ...links, ...events];
}

test("every command of a menu, a welcome or the walkthrough is declared, or is VS Code's own", () => {
  const own = /^(vscode\.openFolder|workbench\.action\.openWalkthrough)$/;
  assert.ok(offered().length > 20);
  assert.deepEqual(offered().filter((each) => !declared.has(each) && !own.test(each)), []);
});

test("every step of the walkthrough has a text and a button, and ends by something that happens", () => {
  const [{ steps }] = contributes.walkthroughs;
  assert.equal(steps.length, 5);
  for (const { media, description, completionEvents: [event] } of steps) {
    assert.ok(existsSync(media.markdown));
    assert.match(description, /\]\(command:babygrad\.\w+\)/);
    const [kind, name] = event.split(":");
    if (kind === "onCommand") assert.ok(declared.has(name), event);
    else assert.ok(source.includes(name.replace("babygrad.", "")), event);
  }
  assert.ok(existsSync(main));
});

test("a welcome stands for every state in which there is no tree", () => {
  const states = /STATES = \[(.*?)\]/.exec(source)![1].match(/\w+/g)!.filter((each) => each !== "ready");
  const whens = contributes.viewsWelcome.map((each: { when: string }) => each.when);
  for (const state of states) assert.ok(whens.includes(`babygrad.state == ${state}`), state);
});
