// Runs inside a real VS Code: a wrong rule, its mistake, a right one, its points.
import assert from "node:assert/strict";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Course } from "../../src/course";
import { fill } from "../server";

const SUB = "chapter3.sub.forward";
const PATIENCE = 180_000; // the first check makes the answer key of a chapter

async function until(what: string, isSo: () => unknown): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!isSo()) {
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
  await document.save();
}

function label(course: Course, id: string): string {
  const nodes = course.tree.getChildren().flatMap((chapter) => course.tree.getChildren(chapter));
  const node = nodes.find((each) => "exercise" in each && each.exercise.id === id)!;
  return course.tree.getTreeItem(node).accessibilityInformation!.label;
}

export async function run(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("babygrad");
  await settings.update("interpreter", process.env.PYTHON, vscode.ConfigurationTarget.Workspace);
  const extension = vscode.extensions.getExtension<{ course: Course }>("babygrad.babygrad-grader")!;
  const { course } = await extension.activate();
  await until("the tree", () => course.tree.getChildren().length > 10);
  const file = vscode.Uri.file(path.join(process.env.WORKSPACE!, "babygrad", "ops.py"));
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  const stubs = document.getText();
  const faults = () =>
    vscode.languages.getDiagnostics(file).filter((each) => each.severity === vscode.DiagnosticSeverity.Error);
  await replace(document, fill(stubs, "Sub", "forward", "return b - a"));
  await until("the mistake", () => faults().some((each) => each.code === SUB));
  await until("its state", () => label(course, SUB).includes("failed, 0 of 1 point"));
  await vscode.commands.executeCommand("babygrad.next");
  await vscode.commands.executeCommand("babygrad.read");
  await until("the page", () => vscode.window.tabGroups.all.flatMap((group) => group.tabs)
    .some((tab) => tab.input instanceof vscode.TabInputWebview));
  await replace(document, fill(stubs, "Sub", "forward", "return a - b"));
  await until("no mistake", () => !faults().length);
  await until("the points", () => label(course, SUB).includes("passed, 1 of 1 point"));
}
