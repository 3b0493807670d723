// What an interpreter says of itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { PROBE, type Python } from "../src/python_probe";
import { PYTHON } from "./server";

const ask = (python: string, code: string, env = process.env) =>
  execFileSync(python, ["-c", code], { cwd: "/", encoding: "utf8", env }).trim();
const probe = (python: string, env = process.env) => JSON.parse(ask(python, PROBE, env)) as Python;

test("an environment with the grader is ready", () => {
  const { isThere, hasGrader } = probe(PYTHON);
  assert.ok(isThere && hasGrader);
});

test("a Python is the system's if its library says so, and an environment made from it is not", () => {
  const mark = ask(PYTHON, "import sysconfig; print(sysconfig.get_path('stdlib'))");
  const base = ask(PYTHON, "import sys; print(sys._base_executable)");
  const isOwn = ask(PYTHON, "import sys; print(sys.prefix != sys.base_prefix)") === "True";
  const isMarked = existsSync(path.join(mark, "EXTERNALLY-MANAGED"));
  assert.equal(probe(base).isManaged, isMarked);
  assert.equal(probe(PYTHON).isManaged, isMarked && !isOwn);
});

test("a package of another project that is called grader is not the grader", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "babygrad-other-"));
  mkdirSync(path.join(folder, "grader"));
  writeFileSync(path.join(folder, "grader", "__init__.py"), "");
  assert.equal(probe(PYTHON, { ...process.env, PYTHONPATH: folder }).hasGrader, false);
});
