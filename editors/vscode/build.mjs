// Bundles the extension into dist/, and with --tests what tests it.
import { rm } from "node:fs/promises";
import { build } from "esbuild";

const tests = process.argv.includes("--tests");
const common = {
  bundle: true, target: "es2022", logLevel: "warning", minify: process.argv.includes("--minify"),
  sourcemap: tests ? "inline" : false,
};
const node = { ...common, platform: "node", format: "cjs", external: ["vscode"] };

await rm("dist", { recursive: true, force: true });
await build({ ...node, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js" });
if (tests) {
  await build({
    ...node, outdir: "dist/test",
    entryPoints: ["manifest", "page", "probe", "server", "words"].map((name) => `test/${name}.test.ts`),
  });
  await build({ ...node, entryPoints: ["test/latency.ts"], outfile: "dist/latency.js" });
  await build({
    ...node, entryPoints: ["test/desktop/run.ts", "test/desktop/suite.ts"], outdir: "dist/desktop",
    external: ["vscode", "@vscode/test-electron"],
  });
  // The same views in a browser: a process starts at the other end of a socket.
  await build({
    ...common, platform: "browser", format: "cjs", external: ["vscode"],
    define: { global: "globalThis" }, entryPoints: ["test/web/extension.ts"],
    outfile: "dist/web/extension.js",
  });
}
