// The extension in VS Code for the web: files, processes and the server come over a socket to serve.mjs.
import * as vscode from "vscode";
import { BaseLanguageClient, Message, MessageTransports } from "vscode-languageclient";
import { LanguageClient } from "vscode-languageclient/browser";
import { clientOptions } from "../../src/client_options";
import { Course } from "../../src/course";
import { NO_PYTHON, PROBE, type Python } from "../../src/python_probe";
import { Setup } from "../../src/setup";

const SCHEME = "bridge";

interface Place {
  home: string;
  python: string;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const origin = context.extensionUri.with({ path: "" }).toString().replace(/\/$/, "");
  provideFiles(context, origin);
  const place: Place = await (await fetch(`${origin}/place`)).json();
  const run = async (command: string[]): Promise<{ status: number; said: string }> =>
    (await fetch(`${origin}/run`, { method: "POST", body: JSON.stringify(command) })).json();
  const course = new Course({
    extension: context.extensionUri,
    runInTerminal: (title) => void vscode.window.showInformationMessage(title),
  });
  const setup = new Setup(course, {
    home: vscode.Uri.from({ scheme: SCHEME, path: place.home }),
    findInterpreter: async () => vscode.workspace.getConfiguration("babygrad").get("interpreter", "") || place.python,
    inspect: async (interpreter) => {
      const { status, said } = await run([interpreter, "-c", PROBE]);
      return status ? NO_PYTHON : (JSON.parse(said) as Python);
    },
    findWorkspaces, memory: context.globalState,
    makeClient: (interpreter, folder) => new Client("grader", "grader", {
      ...clientOptions(SCHEME, course),
      uriConverters: {
        code2Protocol: (uri) => uri.with({ scheme: "file" }).toString(),
        protocol2Code: (uri) => vscode.Uri.parse(uri).with({ scheme: SCHEME }),
      },
    }, `${origin.replace(/^http/, "ws")}/lsp?python=${encodeURIComponent(interpreter)}&folder=${encodeURIComponent(folder.path)}`),
    run: async (_, command) => (await run(command)).status,
  });
  context.subscriptions.push(course, ...setup.register());
  const commands = await vscode.commands.getCommands();
  await fetch(`${origin}/commands`, { method: "POST", body: JSON.stringify(commands) });
  await setup.restart();
}

async function findWorkspaces(): Promise<vscode.Uri[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((each) => each.uri);
  const mark = (folder: vscode.Uri) => vscode.Uri.joinPath(folder, ".grader", "workspace.json");
  const there = await Promise.all(folders.map((each) => vscode.workspace.fs.stat(mark(each)).then(() => true, () => false)));
  return folders.filter((_, at) => there[at]);
}

function provideFiles(context: vscode.ExtensionContext, origin: string): void {
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
}

class Client extends BaseLanguageClient {
  constructor(id: string, name: string, options: ConstructorParameters<typeof LanguageClient>[2], private readonly address: string) {
    super(id, name, options);
  }

  protected async createMessageTransports(): Promise<MessageTransports> {
    const socket = new WebSocket(this.address);
    await new Promise((open) => { socket.onopen = open; });
    const nothing = () => ({ dispose: () => undefined });
    return {
      reader: {
        onError: nothing, onClose: nothing, onPartialMessage: nothing, dispose: () => socket.close(),
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
