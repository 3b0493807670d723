// In VS Code on a machine: how processes are started there.
import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { clientOptions } from "./client_options";
import { Course } from "./course";
import { findInterpreter, inspect, onInterpreterChange } from "./interpreter";
import { Setup } from "./setup";

let setup: Setup | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<{ course: Course }> {
  const course = new Course({ extension: context.extensionUri, runInTerminal });
  const made = new Setup(course, {
    home: vscode.Uri.file(homedir()), findInterpreter, inspect, findWorkspaces, run: runTask, memory: context.globalState,
    makeClient: (interpreter, folder) => new LanguageClient(
      "grader", "grader",
      { command: interpreter, args: ["-m", "grader", "lsp"], options: { cwd: folder.fsPath } },
      clientOptions("file", course),
    ),
  });
  setup = made;
  context.subscriptions.push(course, ...made.register(), ...(await onInterpreterChange(() => void made.restart())));
  await made.restart();
  return { course };
}

export async function deactivate(): Promise<void> {
  await setup?.stop();
}

/** Return the folders with a workspace of the course. */
async function findWorkspaces(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles("**/.grader/workspace.json", "**/{node_modules,.venv}/**", 8);
  const folders = found.map((file) => vscode.Uri.joinPath(file, "..", ".."));
  return folders.sort((a, b) => a.path.length - b.path.length);
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
