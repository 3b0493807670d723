// The chapter beside the code, in a view with a strict content policy.
import * as vscode from "vscode";
import { chapterBody, page } from "./chapter_html";
import type { Exercise } from "./protocol";
import { anchorOf } from "./protocol";
import { stateOf } from "./words";

export interface PageActions {
  run(command: string, exercise: string | undefined, chapter: string): void;
}

export class ChapterPage {
  private panel: vscode.WebviewPanel | undefined;
  private chapter = "";
  private anchor = "";
  private rows: Exercise[] = [];

  constructor(private readonly extension: vscode.Uri, private readonly actions: PageActions) {}

  get isOpen(): boolean {
    return this.panel !== undefined;
  }

  get shows(): string {
    return this.chapter;
  }

  /** Show a chapter at an anchor; `file` is its text in the workspace. */
  async show(chapter: string, file: vscode.Uri, anchor: string): Promise<void> {
    const panel = (this.panel ??= this.makePanel());
    this.anchor = anchor;
    if (chapter !== this.chapter) {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      this.chapter = chapter;
      panel.title = chapter.replace(/(\d+)$/, " $1").replace(/^./, (c) => c.toUpperCase());
      panel.webview.html = this.html(panel, text);
    } else {
      this.send();
    }
    if (!panel.visible) panel.reveal(undefined, true);
  }

  /** Update the states beside the exercises. */
  update(rows: Exercise[]): void {
    this.rows = rows;
    this.anchor = "";
    this.send();
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private makePanel(): vscode.WebviewPanel {
    const media = vscode.Uri.joinPath(this.extension, "media");
    const panel = vscode.window.createWebviewPanel(
      "babygrad.chapter", "Chapter",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, enableFindWidget: true, localResourceRoots: [media] },
    );
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.chapter = "";
    });
    panel.webview.onDidReceiveMessage((told: Record<string, unknown>) => this.take(told));
    return panel;
  }

  private html(panel: vscode.WebviewPanel, text: string): string {
    const file = (name: string) =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "media", name)).toString();
    const random = crypto.getRandomValues(new Uint8Array(16));
    return page({
      title: panel.title,
      body: chapterBody(text),
      nonce: Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join(""),
      style: file("page.css"),
      script: file("page.js"),
      source: panel.webview.cspSource,
    });
  }

  private send(): void {
    const rows = this.rows
      .filter((row) => row.id.startsWith(`${this.chapter}.`))
      .map((row) => ({ ...row, anchor: anchorOf(row.id), words: stateOf(row) }));
    void this.panel?.webview.postMessage({ rows, anchor: this.anchor });
  }

  /** Take a message of the page: one of a few words, and an exercise that this chapter has. */
  private take(told: Record<string, unknown>): void {
    const row = this.rows.find((each) => each.id === told.id);
    if (told.do === "ready") this.send();
    if (told.do === "book") this.actions.run("book", undefined, this.chapter);
    if (told.do === "chapter" && /^[a-z]+\d*$/.test(String(told.chapter))) {
      this.actions.run(`chapter#${String(told.anchor)}`, undefined, String(told.chapter));
    }
    if (row && ["open", "check", "hint"].includes(String(told.do))) {
      this.actions.run(String(told.do), row.id, this.chapter);
    }
  }
}
