// What the language client does alike in every VS Code, with a process or without.
import type { LanguageClientOptions } from "vscode-languageclient";

/** Return the client's options; `menu` opens the menu of an exercise, for its lens. */
export function clientOptions(scheme: string, menu: (id: string) => Promise<void>): LanguageClientOptions {
  return {
    documentSelector: [{ scheme, language: "python" }],
    diagnosticCollectionName: "grader",
    middleware: {
      // A menu where the keyboard is, not a message in the corner.
      executeCommand: async (command, words, next) =>
        command === "grader.menu" ? menu(String(words[1])) : next(command, words),
    },
  };
}
