// Which Python has the grader: the setting, else the Python extension's, else python3.
import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { NO_PYTHON, PROBE, type Python } from "./python_probe";

interface Environments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
  resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

async function environments(): Promise<Environments | undefined> {
  const python = vscode.extensions.getExtension<{ environments?: Environments }>("ms-python.python");
  return python && (python.isActive ? python.exports : await python.activate())?.environments;
}

export async function findInterpreter(resource?: vscode.Uri): Promise<string> {
  const set = vscode.workspace.getConfiguration("babygrad", resource).get("interpreter", "");
  if (set) return set;
  const known = await environments();
  const active = known?.getActiveEnvironmentPath(resource);
  const resolved = active && (await known?.resolveEnvironment(active));
  return resolved?.executable.uri?.fsPath ?? "python3";
}

/** Call back when another interpreter is chosen. */
export async function onInterpreterChange(changed: () => void): Promise<vscode.Disposable[]> {
  const known = await environments();
  const found = [vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("babygrad.interpreter")) changed();
  })];
  return known ? [...found, known.onDidChangeActiveEnvironmentPath(changed)] : found;
}

export function inspect(interpreter: string): Promise<Python> {
  return new Promise((answer) => execFile(interpreter, ["-c", PROBE], { cwd: "/" }, (error, said) => {
    answer(error ? NO_PYTHON : (JSON.parse(said) as Python));
  }));
}
