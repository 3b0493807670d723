// What the language client does alike in every VS Code, with a process or without.
import * as vscode from "vscode";
import type { LanguageClientOptions } from "vscode-languageclient";
import type { Course } from "./course";

/** Return the client's options for files of a scheme. */
export function clientOptions(scheme: string, course: Course): LanguageClientOptions {
  return {
    documentSelector: [{ scheme, language: "python" }],
    diagnosticCollectionName: "grader",
    middleware: {
      // A menu where the keyboard is, not a message in the corner.
      executeCommand: async (command, words, next) =>
        command === "grader.menu" ? course.menu(String(words[1])) : next(command, words),
      window: {
        showDocument: async ({ uri, selection }) => {
          const at = new vscode.Position(selection?.start.line ?? 0, 0);
          await course.showText(uri, at);
          return { success: true };
        },
      },
    },
  };
}
