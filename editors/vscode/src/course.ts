// The course in the editor: tree, commands, status bar and page, over a language client.
// It starts no process of its own: `Surroundings` says how, so that a browser can run it too.
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { ChapterPage } from "./chapter_page";
import { Chapter, Exercise, Found, Progress, Tree, anchorOf, chapterOf, update } from "./protocol";
import { CourseTree, Node } from "./tree";
import { exerciseDescription, isWrong, number, pointsOf } from "./words";

export interface Surroundings {
  extension: vscode.Uri;
  /** Run a command in a terminal, in a folder. */
  runInTerminal(title: string, command: string[], folder: vscode.Uri): void;
}

/** What the menu of an exercise offers → the command, and when. */
const OFFERS: [title: string, command: string, fits: (row: Exercise) => boolean][] = [
  ["$(play) Check", "check", () => true],
  ["$(lightbulb) Hint", "hint", (row) => row.status !== "given"],
  ["$(book) Read", "read", () => true],
  ["$(file-code) Repro", "repro", (row) => isWrong(row.status)],
  ["$(discard) Reset", "reset", () => true],
];

export class Course implements vscode.Disposable {
  readonly tree = new CourseTree();
  private readonly view: vscode.TreeView<Node>;
  private readonly status: vscode.StatusBarItem;
  private readonly page: ChapterPage;
  private readonly own: vscode.Disposable[] = [];
  private client: BaseLanguageClient | undefined;
  private state: Tree | undefined;
  private recent: vscode.TextEditor | undefined; // the text in which the learner was last

  constructor(private readonly around: Surroundings) {
    this.view = vscode.window.createTreeView("babygrad.tree", {
      treeDataProvider: this.tree, showCollapseAll: true,
    });
    this.status = vscode.window.createStatusBarItem("babygrad.points", vscode.StatusBarAlignment.Left);
    this.status.name = "babygrad: points";
    this.status.command = "babygrad.next";
    this.page = new ChapterPage(around.extension, { run: (...told) => void this.fromPage(...told) });
    this.own.push(this.view, this.status, this.page);
    this.register();
  }

  dispose(): void {
    this.own.forEach((each) => each.dispose());
  }

  /** Take a started client; ask for the tree of the first workspace among these folders. */
  async connect(client: BaseLanguageClient, folders: vscode.Uri[]): Promise<boolean> {
    this.client = client;
    this.own.push(client.onNotification("grader/progress", (news: Progress) => this.take(news)));
    for (const folder of folders) {
      const uri = client.code2ProtocolConverter.asUri(folder);
      const tree = await client.sendRequest<Tree | null>("grader/tree", { uri });
      if (tree) {
        this.show(tree);
        return true;
      }
    }
    return false;
  }

  /** Forget the client, and show no tree. */
  disconnect(): void {
    this.client = undefined;
    this.state = undefined;
    this.tree.show([]);
    this.status.hide();
  }

  /** Ask for what to do with an exercise: what a click on its lens opens. */
  async menu(id: string): Promise<void> {
    const row = this.rows().find((each) => each.id === id);
    if (!row) return;
    const entries = OFFERS.filter(([, , fits]) => fits(row)).map(([label, command]) => ({ label, command }));
    const placeHolder = `${id}: ${exerciseDescription(row)}`;
    const chosen = await vscode.window.showQuickPick(entries, { placeHolder, title: row.label });
    if (chosen) await vscode.commands.executeCommand(`babygrad.${chosen.command}`, { exercise: row });
  }

  // ---- state ---------------------------------------------------------------------------

  private take(news: Progress): void {
    if (this.state && this.state.workspace === news.workspace) this.show(update(this.state, news));
  }

  private show(state: Tree): void {
    this.state = state;
    this.tree.show(state.chapters);
    this.page.update(this.rows());
    const total = pointsOf(state);
    this.view.description = total;
    this.status.text = `$(mortar-board) ${number(state.points)} / ${number(state.maxPoints)}`;
    this.status.tooltip = `${total}: go to the next exercise`;
    this.status.accessibilityInformation = { label: `babygrad, ${total}, go to the next exercise` };
    this.status.show();
    const isGreen = this.rows().some((row) => row.status === "passed" && row.points > 0);
    void vscode.commands.executeCommand("setContext", "babygrad.hasGreen", isGreen);
  }

  private rows(): Exercise[] {
    return this.state?.chapters.flatMap((chapter) => chapter.exercises) ?? [];
  }

  // ---- commands ------------------------------------------------------------------------

  private register(): void {
    const add = (name: string, run: (node?: Node) => unknown) =>
      this.own.push(vscode.commands.registerCommand(`babygrad.${name}`, run));
    for (const name of ["check", "hint", "show", "repro"]) {
      add(name, (node) => this.onExercise(node, (row) => this.command(`grader.${name}`, row.id)));
    }
    add("reset", (node) => this.onExercise(node, (row) => this.reset(row)));
    add("open", (node) => this.onExercise(node, (row) => this.open(row)));
    add("read", (node) => this.read(node));
    add("next", () => this.command("grader.next"));
    for (const name of ["quiz", "viva", "book"]) {
      add(name, async (node) => this.inTerminal(name, await this.chapterFor(node)));
    }
    let waiting: ReturnType<typeof setTimeout> | undefined;
    this.own.push(vscode.window.onDidChangeTextEditorSelection((event) => {
      if (event.textEditor.document.languageId === "python") this.recent = event.textEditor;
      clearTimeout(waiting);
      waiting = setTimeout(() => void this.follow(event.textEditor), 150);
    }));
  }

  /** Run a command of the server. */
  private async command(command: string, id?: string): Promise<void> {
    if (!this.client || !this.state) return this.complain();
    const words = id ? [this.state.workspace, id] : [this.state.workspace];
    await this.client.sendRequest("workspace/executeCommand", { command, arguments: words });
  }

  private complain(): void {
    void vscode.window.showInformationMessage(
      "No workspace of the course is open. Make one with the command «babygrad: Make a Workspace».",
    );
  }

  private async find(params: object): Promise<Found | null> {
    return (await this.client?.sendRequest<Found | null>("grader/exercise", params)) ?? null;
  }

  private async findAt(editor: vscode.TextEditor | undefined): Promise<Found | null> {
    if (!this.client || editor?.document.languageId !== "python") return null;
    const uri = this.client.code2ProtocolConverter.asUri(editor.document.uri);
    return this.find({ uri, position: { line: editor.selection.active.line, character: 0 } });
  }

  /** Find the exercise under the cursor; from a page without one (the walkthrough), where it was last. */
  private findAtCursor(): Promise<Found | null> {
    return this.findAt(vscode.window.activeTextEditor ?? this.recent);
  }

  /** Do something with the exercise of a node; else with the one under the cursor; else ask. */
  private async onExercise(node: Node | undefined, act: (row: Exercise) => unknown): Promise<void> {
    if (!this.state) return this.complain();
    const row = node && "exercise" in node ? node.exercise : await this.exerciseAtHand();
    if (row) await act(row);
  }

  private async exerciseAtHand(): Promise<Exercise | undefined> {
    const found = await this.findAtCursor();
    if (found) return found;
    const entries = this.rows().filter((row) => row.maxPoints).map((row) => ({
      label: row.label, description: exerciseDescription(row), detail: row.id, row,
    }));
    const chosen = await vscode.window.showQuickPick(entries, {
      placeHolder: "Which exercise?", matchOnDetail: true,
    });
    return chosen?.row;
  }

  private async chapterFor(node: Node | undefined): Promise<string | undefined> {
    if (node) return "chapter" in node ? node.chapter.id : chapterOf(node.exercise.id);
    const found = await this.findAtCursor();
    if (found) return chapterOf(found.id);
    const entries = this.state?.chapters.map((c: Chapter) => ({ label: c.id, description: c.title })) ?? [];
    return (await vscode.window.showQuickPick(entries, { placeHolder: "Which chapter?" }))?.label;
  }

  private async open(row: Exercise): Promise<void> {
    const found = await this.find({ uri: this.state?.workspace, id: row.id });
    if (!found) return;
    await this.showText(found.code.uri, new vscode.Position(found.code.line, 0));
  }

  /** Show a text in a tab that stays, so that it does not take the place of the walkthrough. */
  async showText(uri: string, at: vscode.Position): Promise<void> {
    if (!this.client) return;
    await vscode.window.showTextDocument(this.client.protocol2CodeConverter.asUri(uri), {
      selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.One, preview: false,
    });
  }

  /** Put the stub back once the learner has agreed, and save, so that it is judged. */
  private async reset(row: Exercise): Promise<void> {
    const yes = "Put It Back";
    const asked = `Put ${row.label} back as it came? Undo brings your version again.`;
    if ((await vscode.window.showWarningMessage(asked, { modal: true }, yes)) !== yes) return;
    const found = await this.find({ uri: this.state?.workspace, id: row.id });
    await this.command("grader.reset", row.id);
    const uri = found && this.client?.protocol2CodeConverter.asUri(found.code.uri).toString();
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
    await document?.save();
  }

  private inTerminal(name: string, chapter: string | undefined): void {
    if (!this.state || !chapter || !this.client) return;
    const command = this.state.terminal[name];
    const folder = this.client.protocol2CodeConverter.asUri(this.state.workspace);
    if (command) this.around.runInTerminal(`grader ${name} ${chapter}`, [...command, chapter], folder);
    else void vscode.window.showInformationMessage(`This grader came without \`grader ${name}\`.`);
  }

  // ---- the page ------------------------------------------------------------------------

  private async read(node: Node | undefined): Promise<void> {
    if (!this.state) return this.complain();
    if (node && "chapter" in node) return this.showChapter(node.chapter.id, "");
    await this.onExercise(node, (row) => this.showChapter(chapterOf(row.id), anchorOf(row.id)));
  }

  private async showChapter(chapter: string, anchor: string): Promise<void> {
    if (!this.client || !this.state) return;
    const home = this.client.protocol2CodeConverter.asUri(this.state.workspace);
    const file = vscode.Uri.joinPath(home, "chapters", `${chapter}.md`);
    try {
      await this.page.show(chapter, file, anchor);
    } catch {
      void vscode.window.showWarningMessage(`${file.path} cannot be read.`);
    }
  }

  /** Scroll the open page to the exercise under the cursor. */
  private async follow(editor: vscode.TextEditor): Promise<void> {
    const follows = vscode.workspace.getConfiguration("babygrad").get("pageFollowsCursor", true);
    if (!this.page.isOpen || !follows) return;
    const found = await this.findAt(editor);
    if (found) await this.showChapter(chapterOf(found.id), anchorOf(found.id));
  }

  private async fromPage(what: string, id: string | undefined, chapter: string): Promise<void> {
    const row = this.rows().find((each) => each.id === id);
    if (what.startsWith("chapter")) await this.showChapter(chapter, what.slice("chapter#".length));
    else if (what === "book") this.inTerminal("book", chapter);
    else if (row) await vscode.commands.executeCommand(`babygrad.${what}`, { exercise: row });
  }
}
