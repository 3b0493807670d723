// In VS Code on a machine: finds the Python, starts `grader lsp`, hands its client to the course.
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { clientOptions } from "./client_options";
import { Course } from "./course";
import { findInterpreter, hasGrader, onInterpreterChange } from "./interpreter";

const PACKAGE = "babygrad-course[editor]";

let client: LanguageClient | undefined;
let course: Course;
let turn = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<{ course: Course }> {
  course = new Course({ extension: context.extensionUri, runInTerminal });
  const commands: [string, () => unknown][] = [["install", install], ["init", init], ["restart", restart]];
  context.subscriptions.push(
    course,
    ...commands.map(([name, run]) => vscode.commands.registerCommand(`babygrad.${name}`, run)),
    ...(await onInterpreterChange(() => void restart())),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void restart()),
  );
  await restart();
  return { course };
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Stop the server, and start the one of the chosen Python; one start after the other. */
function restart(): Promise<void> {
  turn = turn.then(start).catch((error) => {
    void vscode.window.showErrorMessage(`The grader did not start: ${String(error)}`);
  });
  return turn;
}

async function start(): Promise<void> {
  course.disconnect();
  await client?.stop();
  client = undefined;
  const folders = await findWorkspaces();
  const interpreter = await findInterpreter(folders[0]);
  const isThere = await hasGrader(interpreter);
  await setContext("hasGrader", isThere);
  await setContext("hasWorkspace", folders.length > 0);
  await setContext("state", isThere ? (folders.length ? "ready" : "noWorkspace") : "noGrader");
  if (!isThere) return void complain(interpreter);
  if (!folders.length) return;
  client = new LanguageClient(
    "grader", "grader",
    { command: interpreter, args: ["-m", "grader", "lsp"], options: { cwd: folders[0].fsPath } },
    clientOptions("file", (id) => course.menu(id)),
  );
  await client.start();
  await course.connect(client, folders);
}

async function setContext(name: string, value: unknown): Promise<void> {
  await vscode.commands.executeCommand("setContext", `babygrad.${name}`, value);
}

/** Return the folders with a workspace of the course. */
async function findWorkspaces(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles("**/.grader/workspace.json", "**/{node_modules,.venv}/**", 8);
  const folders = found.map((file) => vscode.Uri.joinPath(file, "..", ".."));
  return folders.sort((a, b) => a.path.length - b.path.length);
}

async function complain(interpreter: string): Promise<void> {
  const [add, choose] = ["Install the Grader", "Choose Another Python"];
  const chosen = await vscode.window.showWarningMessage(
    `The grader is not installed in ${interpreter}: install it there, or choose another Python.`, add, choose,
  );
  if (chosen === add) await install();
  if (chosen === choose) await vscode.commands.executeCommand("python.setInterpreter");
}

async function install(): Promise<void> {
  const interpreter = await findInterpreter();
  await runTask("install the grader", [interpreter, "-m", "pip", "install", PACKAGE]);
  await restart();
}

/** Make a workspace in a folder that the learner chooses, and open it. */
async function init(): Promise<void> {
  const interpreter = await findInterpreter();
  if (!(await hasGrader(interpreter))) return complain(interpreter);
  const chosen = await vscode.window.showOpenDialog({
    canSelectFolders: true, canSelectFiles: false, openLabel: "Make the Workspace Here",
    title: "In which folder? The workspace becomes a folder «work» there",
  });
  if (!chosen) return;
  const starts = [
    { label: "From the beginning", words: [] as string[] },
    { label: "From chapter 3", description: "automatic differentiation; what is before it comes written", words: ["--from", "chapter3"] },
  ];
  const first = await vscode.window.showQuickPick(starts, { placeHolder: "Where do you begin?" });
  if (!first) return;
  const target = path.join(chosen[0].fsPath, "work");
  const status = await runTask("make a workspace", [interpreter, "-m", "grader", "init", target, ...first.words]);
  if (status === 0) await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(target));
}

/** Run a command as a task, in sight; return its exit status once it has ended. */
async function runTask(title: string, command: string[]): Promise<number | undefined> {
  const [program, ...words] = command;
  const task = new vscode.Task(
    { type: "babygrad" }, vscode.TaskScope.Global, title, "babygrad", new vscode.ProcessExecution(program, words),
  );
  return new Promise((ended) => {
    const listening = vscode.tasks.onDidEndTaskProcess((event) => {
      if (event.execution.task.name !== title) return;
      listening.dispose();
      ended(event.exitCode);
    });
    void vscode.tasks.executeTask(task);
  });
}

/** Run a command in a terminal of its own, without a shell: nothing in it needs quoting. */
function runInTerminal(name: string, command: string[], cwd: vscode.Uri): void {
  const [shellPath, ...shellArgs] = command;
  vscode.window.createTerminal({ name, shellPath, shellArgs, cwd }).show();
}
