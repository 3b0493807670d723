// A client without an editor: the client library's protocol over a real `grader lsp`.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import * as lsp from "vscode-languageserver-protocol/node";
import type { Progress } from "../src/protocol";

const PATIENCE = 180_000; // milliseconds; the first check makes the answer key of a chapter
export const PYTHON = process.env.PYTHON ?? "python3";

/** Make a workspace that begins at chapter 3; return its folder. */
export function makeWorkspace(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "babygrad-"));
  execFileSync(PYTHON, ["-m", "grader", "init", "work", "--from", "chapter3"], { cwd: folder });
  return path.join(folder, "work");
}

export class Client {
  readonly uri: string;
  diagnostics: lsp.Diagnostic[] = [];
  messages: string[] = [];
  shown: string[] = [];
  progress: Progress[] = [];
  text: string;
  private waiting: (() => void)[] = [];
  private version = 1;
  private readonly server;
  readonly connection: lsp.ProtocolConnection;

  constructor(readonly workspace: string, readonly file = path.join(workspace, "babygrad", "ops.py")) {
    this.uri = pathToFileURL(file).toString();
    this.text = readFileSync(file, "utf8");
    this.server = spawn(PYTHON, ["-m", "grader", "lsp"], { cwd: workspace, stdio: ["pipe", "pipe", "inherit"] });
    this.connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(this.server.stdout!), new lsp.StreamMessageWriter(this.server.stdin!),
    );
    const take = <T>(note: (told: T) => unknown) => (told: T) => {
      note(told);
      this.waiting.splice(0).forEach((wake) => wake());
    };
    this.connection.onNotification(lsp.PublishDiagnosticsNotification.type, take((told) => {
      if (told.uri === this.uri) this.diagnostics = told.diagnostics;
    }));
    this.connection.onNotification(lsp.ShowMessageNotification.type, take((told) => this.messages.push(told.message)));
    this.connection.onNotification("grader/progress", take<Progress>((told) => this.progress.push(told)));
    this.connection.onRequest(lsp.ShowDocumentRequest.type, (told) => {
      take<string>((uri) => this.shown.push(uri))(told.uri);
      return { success: true };
    });
    this.connection.onRequest(lsp.ApplyWorkspaceEditRequest.type, ({ edit }) => {
      this.apply(edit.changes?.[this.uri] ?? []);
      return { applied: true };
    });
    this.connection.listen();
  }

  async start(): Promise<void> {
    await this.connection.sendRequest(lsp.InitializeRequest.type, {
      processId: process.pid, rootUri: null,
      capabilities: {
        window: { showDocument: { support: true } },
        textDocument: { publishDiagnostics: { relatedInformation: true } },
      },
    });
    await this.connection.sendNotification(lsp.InitializedNotification.type, {});
  }

  /** Wait until something is so, by what the server tells. */
  async until(isSo: () => unknown): Promise<void> {
    const late = new Promise<never>((_, fail) => {
      const clock = setTimeout(() => fail(new Error(`waited in vain: ${isSo}`)), PATIENCE);
      clock.unref();
    });
    while (!isSo()) await Promise.race([late, new Promise<void>((wake) => this.waiting.push(wake))]);
    late.catch(() => undefined);
  }

  ask<T>(method: string, params: object): Promise<T> {
    return this.connection.sendRequest(method, params);
  }

  do(command: string, ...words: string[]): Promise<unknown> {
    return this.connection.sendRequest(lsp.ExecuteCommandRequest.type, { command, arguments: words });
  }

  async open(): Promise<void> {
    await this.connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: { uri: this.uri, languageId: "python", version: 1, text: this.text },
    });
  }

  async save(text: string): Promise<void> {
    this.text = text;
    writeFileSync(this.file, text);
    await this.connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: this.uri, version: ++this.version }, contentChanges: [{ text }],
    });
    await this.connection.sendNotification(lsp.DidSaveTextDocumentNotification.type, {
      textDocument: { uri: this.uri },
    });
  }

  faults(): lsp.Diagnostic[] {
    return this.diagnostics.filter((each) => each.severity === lsp.DiagnosticSeverity.Error);
  }

  /** Make edits of whole lines, as the server's are. */
  private apply(edits: lsp.TextEdit[]): void {
    const lines = this.text.split(/(?<=\n)/);
    for (const { range, newText } of edits) {
      lines.splice(range.start.line, range.end.line - range.start.line, newText);
    }
    this.text = lines.join("");
    this.waiting.splice(0).forEach((wake) => wake());
  }

  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((tell) => this.server.on("exit", tell));
    await this.connection.sendRequest(lsp.ShutdownRequest.type);
    await this.connection.sendNotification(lsp.ExitNotification.type);
    const status = await ended;
    this.connection.dispose();
    return status;
  }
}

/** Replace the stub body of a function of a class of the text. */
export function fill(text: string, name: string, method: string, body: string): string {
  const at = text.indexOf(`class ${name}(`);
  const start = text.indexOf(`def ${method}(`, at);
  const stub = text.indexOf("raise NotImplementedError", start);
  const end = text.indexOf("\n", stub);
  return text.slice(0, stub) + body + text.slice(end);
}
