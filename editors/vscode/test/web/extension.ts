// The extension's views in VS Code for the web: files and server come over a socket to run.mjs.
import * as vscode from "vscode";
import { BaseLanguageClient, Message, MessageTransports } from "vscode-languageclient";
import { LanguageClient } from "vscode-languageclient/browser";
import { clientOptions } from "../../src/client_options";
import { Course } from "../../src/course";

const SCHEME = "bridge";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const origin = context.extensionUri.with({ path: "" }).toString().replace(/\/$/, "");
  const call = async (what: string, uri: vscode.Uri, body?: Uint8Array) => {
    const answer = await fetch(`${origin}/fs/${what}?path=${encodeURIComponent(uri.path)}`, { method: "POST", body: body as BodyInit });
    if (!answer.ok) throw vscode.FileSystemError.FileNotFound(uri);
    return answer;
  };
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const no = () => { throw vscode.FileSystemError.NoPermissions(); };
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider(SCHEME, {
    onDidChangeFile: changed.event, watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await call("stat", uri)).json(),
    readDirectory: async (uri) => (await call("list", uri)).json(),
    readFile: async (uri) => new Uint8Array(await (await call("read", uri)).arrayBuffer()),
    writeFile: async (uri, data) => void (await call("write", uri, data)),
    createDirectory: no, delete: no, rename: no,
  }));
  const course = new Course({
    extension: context.extensionUri,
    runInTerminal: (title) => void vscode.window.showInformationMessage(title),
  });
  context.subscriptions.push(course);
  const socket = new WebSocket(`${origin.replace(/^http/, "ws")}/lsp`);
  await new Promise((open) => { socket.onopen = open; });
  const client = new Client("grader", "grader", {
    ...clientOptions(SCHEME, (id) => course.menu(id)),
    uriConverters: {
      code2Protocol: (uri) => uri.with({ scheme: "file" }).toString(),
      protocol2Code: (uri) => vscode.Uri.parse(uri).with({ scheme: SCHEME }),
    },
  }, socket);
  await client.start();
  await vscode.commands.executeCommand("setContext", "babygrad.state", "ready");
  await course.connect(client, vscode.workspace.workspaceFolders!.map((each) => each.uri));
}

class Client extends BaseLanguageClient {
  constructor(id: string, name: string, options: ConstructorParameters<typeof LanguageClient>[2], private readonly socket: WebSocket) {
    super(id, name, options);
  }

  protected async createMessageTransports(): Promise<MessageTransports> {
    const { socket } = this;
    const nothing = () => ({ dispose: () => undefined });
    return {
      reader: {
        onError: nothing, onClose: nothing, onPartialMessage: nothing, dispose: () => undefined,
        listen: (take) => {
          socket.onmessage = ({ data }) => take(JSON.parse(data) as Message);
          return { dispose: () => undefined };
        },
      },
      writer: {
        onError: nothing, onClose: nothing, end: () => undefined, dispose: () => undefined,
        write: async (message: Message) => socket.send(JSON.stringify(message)),
      },
    };
  }
}
