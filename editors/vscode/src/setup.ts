// From an empty window to a running server: a Python, the grader in it, a workspace.
// `Machine` says how a process is started, so that a browser can take the same steps.
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import type { Course } from "./course";
import type { Python } from "./python_probe";

const PACKAGE = "babygrad-course[editor]";
const PYTHON_EXTENSION = "ms-python.python";
export const STATES = ["noPython", "noGrader", "noWorkspace", "ready"] as const;
const WALKTHROUGH = "babygrad.babygrad-grader#babygrad.first";
const GOES_ON = "walkthroughGoesOn"; // in the memory, from one window to the next
type State = (typeof STATES)[number];

export interface Machine {
  /** Where the dialog for the first folder begins. */
  readonly home: vscode.Uri;
  /** Outlives the window. */
  readonly memory: vscode.Memento;
  findInterpreter(folder?: vscode.Uri): Promise<string>;
  inspect(interpreter: string): Promise<Python>;
  /** The folders with a workspace of the course. */
  findWorkspaces(): Promise<vscode.Uri[]>;
  makeClient(interpreter: string, folder: vscode.Uri): BaseLanguageClient;
  /** Run a command in sight; return its exit status once it has ended. */
  run(title: string, command: string[]): Promise<number | undefined>;
}

export class Setup {
  private client: BaseLanguageClient | undefined;
  private turn = Promise.resolve();

  constructor(private readonly course: Course, private readonly machine: Machine) {}

  register(): vscode.Disposable[] {
    const commands: [string, () => unknown][] = [
      ["python", () => this.choosePython()],
      ["install", () => this.install()],
      ["init", () => this.makeWorkspace()],
      ["restart", () => this.restart()],
    ];
    return [
      ...commands.map(([name, run]) => vscode.commands.registerCommand(`babygrad.${name}`, run)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.restart()),
    ];
  }

  async stop(): Promise<void> {
    await this.client?.stop();
    this.client = undefined;
  }

  /** Stop the server, and start the one of the chosen Python; one start after the other. */
  restart(): Promise<void> {
    this.turn = this.turn.then(() => this.start()).catch((error) => {
      void vscode.window.showErrorMessage(`The grader did not start: ${String(error)}`);
    });
    return this.turn;
  }

  private async start(): Promise<void> {
    this.course.disconnect();
    await this.stop();
    const folders = await this.machine.findWorkspaces();
    const interpreter = await this.machine.findInterpreter(folders[0]);
    const python = await this.machine.inspect(interpreter);
    const state = stateOf(python, folders.length > 0);
    await setContext("hasGrader", python.hasGrader);
    await setContext("hasWorkspace", folders.length > 0);
    await setContext("state", state);
    if (state === "ready") {
      this.client = this.machine.makeClient(interpreter, folders[0]);
      await this.client.start();
      await this.course.connect(this.client, folders);
      await this.goOn();
    } else if (folders.length) {
      void this.complain(interpreter, python);
    }
  }

  /** Say what an interpreter lacks, and offer what helps. */
  private async complain(interpreter: string, python: Python): Promise<void> {
    const choices = [
      { title: "Install the Grader", run: () => this.install(), fits: python.isThere },
      { title: "Choose a Python", run: () => this.choosePython(), fits: true },
    ].filter((each) => each.fits);
    const what = python.isThere
      ? `The grader is not installed in ${interpreter}: install it there, or choose another Python.`
      : `${interpreter} is no Python 3.10 or newer: choose another Python.`;
    await (await vscode.window.showWarningMessage(what, ...choices))?.run();
  }

  /** Choose an interpreter: with the Python extension, where there is one. */
  private async choosePython(): Promise<void> {
    if (vscode.extensions.getExtension(PYTHON_EXTENSION)) {
      await vscode.commands.executeCommand("python.setInterpreter");
      return;
    }
    const ways = [
      {
        label: "Choose a Python's file…", description: "such as .venv/bin/python",
        run: () => this.choosePythonFile(),
      },
      {
        label: "Install the Python extension", description: PYTHON_EXTENSION,
        run: () => vscode.commands.executeCommand("workbench.extensions.installExtension", PYTHON_EXTENSION),
      },
      { label: "Use python3", description: "the first one on the path", run: () => this.setInterpreter("") },
    ];
    await (await vscode.window.showQuickPick(ways, { placeHolder: "Which Python?" }))?.run();
  }

  private async choosePythonFile(): Promise<void> {
    const chosen = await vscode.window.showOpenDialog({
      defaultUri: this.machine.home, openLabel: "Use This Python", title: "Which Python?",
    });
    if (chosen) await this.setInterpreter(chosen[0].fsPath);
  }

  private async setInterpreter(path: string): Promise<void> {
    const settings = vscode.workspace.getConfiguration("babygrad");
    await settings.update("interpreter", path || undefined, vscode.ConfigurationTarget.Global);
    await this.restart();
  }

  /** Install the grader; in an environment of its own, where the system keeps its Python to itself. */
  private async install(): Promise<void> {
    const interpreter = await this.machine.findInterpreter();
    const python = await this.machine.inspect(interpreter);
    if (!python.isThere) return this.complain(interpreter, python);
    if (!python.isManaged) {
      await this.installInto(interpreter);
      return this.restart();
    }
    const folder = vscode.Uri.joinPath(this.machine.home, "babygrad", ".venv");
    const yes = "Make It";
    const asked = `${interpreter} belongs to the system. Make an environment for the course in ${folder.fsPath}?`;
    if ((await vscode.window.showInformationMessage(asked, { modal: true }, yes)) !== yes) return;
    const made = await this.machine.run("make an environment", [interpreter, "-m", "venv", folder.fsPath]);
    if (made !== 0) return failed("The environment was not made");
    const own = vscode.Uri.joinPath(folder, "bin", "python").fsPath;
    if (await this.installInto(own)) await this.setInterpreter(own);
  }

  private async installInto(interpreter: string): Promise<boolean> {
    const status = await this.machine.run("install the grader", [interpreter, "-m", "pip", "install", PACKAGE]);
    if (status !== 0) failed("The grader was not installed");
    return status === 0;
  }

  /** Make a workspace in a folder that the learner chooses, and open it. */
  private async makeWorkspace(): Promise<void> {
    const interpreter = await this.machine.findInterpreter();
    const python = await this.machine.inspect(interpreter);
    if (!python.hasGrader) return this.complain(interpreter, python);
    const chosen = await vscode.window.showOpenDialog({
      canSelectFolders: true, canSelectFiles: false, openLabel: "Make the Workspace Here",
      title: "In which folder? The workspace becomes a folder «work» there", defaultUri: this.machine.home,
    });
    if (!chosen) return;
    const starts = [
      { label: "From the beginning", words: [] as string[] },
      {
        label: "From chapter 3", description: "automatic differentiation; what is before it comes written",
        words: ["--from", "chapter3"],
      },
    ];
    const first = await vscode.window.showQuickPick(starts, { placeHolder: "Where do you begin?" });
    if (!first) return;
    const target = vscode.Uri.joinPath(chosen[0], "work");
    const command = [interpreter, "-m", "grader", "init", target.fsPath, ...first.words];
    const status = await this.machine.run("make a workspace", command);
    if (status !== 0) return failed("The workspace was not made");
    await this.machine.memory.update(GOES_ON, true);
    await vscode.commands.executeCommand("vscode.openFolder", target);
  }

  /** In the window of a new workspace, go on with the walkthrough. */
  private async goOn(): Promise<void> {
    if (!this.machine.memory.get(GOES_ON)) return;
    await this.machine.memory.update(GOES_ON, undefined);
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
  }
}

function stateOf(python: Python, hasWorkspace: boolean): State {
  if (!python.isThere) return "noPython";
  if (!python.hasGrader) return "noGrader";
  return hasWorkspace ? "ready" : "noWorkspace";
}

function failed(what: string): void {
  void vscode.window.showErrorMessage(`${what}. The terminal says why.`);
}

async function setContext(name: string, value: unknown): Promise<void> {
  await vscode.commands.executeCommand("setContext", `babygrad.${name}`, value);
}
