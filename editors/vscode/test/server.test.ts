// What a learner does, from a stub to points and back, against the real server.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Exercise, Found, Tree, update } from "../src/protocol";
import { Client, fill, makeWorkspace } from "./server";

const NEGATE = "chapter3.negate.backward";
const FORWARDS: [string, string][] = [["Sub", "return a - b"], ["Div", "return a / b"], ["Negate", "return -a"]];
const WRONG = "return out_grad";
const RIGHT = "return negate(out_grad)";

let client: Client;
let tree: Tree;
let stubs: string;

before(async () => {
  client = new Client(makeWorkspace());
  stubs = client.text;
  await client.start();
  tree = await client.ask<Tree>("grader/tree", { uri: pathToFileURL(client.workspace).toString() });
  await client.open();
});
after(async () => assert.equal(await client.stop(), 0));

function row(id: string): Exercise {
  const state = client.progress.reduce(update, tree);
  return state.chapters.flatMap((chapter) => chapter.exercises).find((each) => each.id === id)!;
}

const forwards = () => FORWARDS.reduce((text, [name, body]) => fill(text, name, "forward", body), stubs);

test("the tree is there before anything is judged", () => {
  assert.equal(tree.workspace, pathToFileURL(client.workspace).toString());
  assert.equal(tree.points, 0);
  assert.equal(tree.chapters[0].maxPoints, 0); // given
  assert.equal(row(NEGATE).status, "pending");
  assert.deepEqual(Object.keys(tree.terminal).sort(), ["book", "quiz", "viva"]);
});

test("a wrong rule: its line, the nudge on hover, the tree", async () => {
  await client.save(fill(forwards(), "Negate", "backward", WRONG));
  await client.until(() => client.faults().some((fault) => fault.code === NEGATE));
  await client.until(() => row(NEGATE).status === "failed");
  const [fault] = client.faults();
  const found = await client.ask<Found>("grader/exercise", { uri: client.uri, id: NEGATE });
  assert.equal(fault.source, "grader");
  assert.ok(fault.range.start.line >= found.code.line && fault.range.start.line < found.code.line + 30);
  const hover = await client.ask<{ contents: { value: string } }>("textDocument/hover", {
    textDocument: { uri: client.uri }, position: { line: found.code.line, character: 8 },
  });
  assert.match(hover.contents.value, /Nudge a\[/);
  assert.match(hover.contents.value, /sum of out_grad \* output/);
  assert.match(hover.contents.value, /yours/);
});

test("the failing call as a script", async () => {
  await client.do("grader.repro", client.uri, NEGATE);
  const script = path.join(client.workspace, "repro_chapter3_negate_backward.py");
  await client.until(() => client.shown.includes(pathToFileURL(script).toString()));
  assert.ok(existsSync(script) && readFileSync(script, "utf8").includes("Negate"));
});

test("a right rule: no fault, points, and they add up", async () => {
  await client.save(fill(forwards(), "Negate", "backward", RIGHT));
  await client.until(() => row(NEGATE).status === "passed" && !client.faults().length);
  const state = client.progress.reduce(update, tree);
  assert.ok(row(NEGATE).points > 0 && row(NEGATE).points === row(NEGATE).maxPoints);
  const sum = state.chapters.reduce((total, chapter) => total + chapter.points, 0);
  assert.equal(Math.round(sum * 100), Math.round(state.points * 100));
});

test("the stub put back: pending again, nothing else touched", async () => {
  await client.do("grader.reset", client.uri, NEGATE);
  await client.until(() => client.text === forwards());
  await client.save(client.text);
  await client.until(() => row(NEGATE).status === "pending");
  assert.equal(row("chapter3.div.forward").status, "passed");
});

test("a hint is words, and a lens is one line per exercise", async () => {
  await client.do("grader.hint", client.uri, NEGATE);
  await client.until(() => client.messages.some((each) => each.includes(`${NEGATE}, hint 1 of`)));
  const lenses = await client.ask<{ range: { start: { line: number } } }[]>("textDocument/codeLens", {
    textDocument: { uri: client.uri },
  });
  assert.ok(lenses.length > 10);
  assert.equal(new Set(lenses.map((each) => each.range.start.line)).size, lenses.length);
});
