// What is read aloud, and what stands in the tree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chapter, Exercise, Tree, anchorOf, update } from "../src/protocol";
import {
  chapterLabel, chapterTitle, currentChapter, exerciseDescription, exerciseLabel, iconOf, isWrong, pointsOf, stateOf,
} from "../src/words";

const pending: Exercise = {
  id: "chapter3.div.backward", label: "Div.backward", section: "3.4", status: "pending", word: "pending",
  points: 0, maxPoints: 2, blockedBy: [],
};
const STATUSES = ["passed", "given", "pending", "blocked", "failed", "crashed", "timed_out", "out_of_memory", "refused", "broken"];

test("a label says name, section, state in words and points", () => {
  assert.equal(exerciseLabel(pending), "Div.backward, section 3.4, pending, 0 of 2 points");
  const blocked = { ...pending, status: "blocked", word: "blocked", blockedBy: ["chapter3.div.forward"] };
  assert.equal(
    exerciseLabel(blocked),
    "Div.backward, section 3.4, blocked, 0 of 2 points, waits for chapter3.div.forward",
  );
  const given = { ...pending, status: "given", word: "given", maxPoints: 0 };
  assert.equal(exerciseLabel(given), "Div.backward, section 3.4, given");
  for (const status of STATUSES) {
    const row = { ...pending, status, word: status };
    assert.ok(exerciseLabel(row).includes(status) && exerciseDescription(row).includes(status));
  }
});

test("points are counted as people count them", () => {
  const said = (points: number, maxPoints: number) => pointsOf({ points, maxPoints });
  assert.deepEqual([said(0, 1), said(0, 2), said(0.5, 1.5)], ["0 of 1 point", "0 of 2 points", "0.5 of 1.5 points"]);
  assert.equal(exerciseDescription(pending), "pending · 0 of 2 · 3.4");
  assert.equal(stateOf(pending), "pending, 0 of 2 points");
});

test("every status has an icon, and no two kinds share one", () => {
  const kinds = new Set(STATUSES.filter((each) => !isWrong(each)).map((each) => iconOf(each)[0]));
  assert.equal(kinds.size, 5);
  assert.deepEqual(STATUSES.filter(isWrong), ["failed", "crashed", "timed_out", "out_of_memory", "refused"]);
  for (const status of STATUSES.filter(isWrong)) assert.ok(!kinds.has(iconOf(status)[0]));
});

test("news change their rows, the sums of their chapters and nothing else", () => {
  const chapter = (id: string, rows: Exercise[]): Chapter => ({
    id, title: id, exercises: rows, points: 0, maxPoints: rows.reduce((n, row) => n + row.maxPoints, 0),
  });
  const other = { ...pending, id: "chapter4.linear.init" };
  const tree: Tree = {
    workspace: "file:///w", terminal: {}, points: 0, maxPoints: 4,
    chapters: [chapter("chapter3", [pending]), chapter("chapter4", [other])],
  };
  const passed = { ...pending, status: "passed", word: "passed", points: 2 };
  const after = update(tree, { workspace: "file:///w", points: 2, maxPoints: 4, exercises: [passed] });
  assert.deepEqual(after.chapters.map((each) => each.points), [2, 0]);
  assert.deepEqual(after.chapters[1], tree.chapters[1]);
  assert.equal(currentChapter(tree.chapters), "chapter3");
  assert.equal(currentChapter(after.chapters), "chapter4");
  assert.equal(chapterTitle(after.chapters[0]), "3 chapter3");
  assert.equal(chapterLabel(after.chapters[0]), "Chapter 3: chapter3, 1 of 1 exercises passed, 2 of 2 points");
});

test("anchors are those of the prose", () => {
  assert.equal(anchorOf("chapter3.mul_scalar.forward"), "chapter3-mul-scalar-forward");
});
