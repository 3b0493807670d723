// Downloads a VS Code, opens a workspace in it and runs suite.ts there.
import * as path from "node:path";
import { runTests } from "@vscode/test-electron";
import { PYTHON, makeWorkspace } from "../server";

async function main(): Promise<void> {
  const workspace = makeWorkspace();
  await runTests({
    version: "1.91.1", // the oldest that package.json allows
    extensionDevelopmentPath: path.resolve(__dirname, "../.."),
    extensionTestsPath: path.resolve(__dirname, "suite.js"),
    launchArgs: [workspace, "--disable-extensions", "--disable-workspace-trust"],
    extensionTestsEnv: { PYTHON, WORKSPACE: workspace },
  });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
