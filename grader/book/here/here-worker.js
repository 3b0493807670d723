// The judge's own thread: Pyodide, the grader's modules, and one question at a time. Its address says
// which chapter it judges, and whether that needs NumPy.

const START = `
import json
import sys
sys.path.insert(0, "/course")
from grader.book.page.page_judge import PageJudge
with open("/course/given.json", encoding="utf-8") as file:
    desk = PageJudge("/course/page.key", json.load(file))
`;
const CHECK = `
import json
asked = json.loads(question)
ended = {number: how for number, how in asked["ended"]}
json.dumps(desk.check(asked["files"], asked["names"], asked["width"], ended, announce))
`;
const RUN = `
import json
asked = json.loads(question)
desk.run(asked["files"], asked["scratch"], announce)
`;

const about = new URLSearchParams(location.search);
const say = (kind, value) => postMessage({ kind, value });
const announce = (number, seconds) => say("at", [number, seconds]);

async function packed(name) {
  const found = await fetch(name);
  if (!found.ok) throw new Error(`${name} is not there.`);
  return found.arrayBuffer();
}
const doing = (text) => say("doing", text);

// Pyodide, of which the browser takes no file but the bytes that this site was built with.
async function interpreter({ core, packages, integrity }) {
  const address = (name) => new URL(name, new URL(core, location)).href;
  const hashes = new Map(Object.entries(integrity).map(([name, hash]) => [address(name), hash]));
  const open = self.fetch;
  self.fetch = (from, more) => {
    const hash = hashes.get(String(from)), found = open(from, hash ? { ...more, integrity: hash } : more);
    // Pyodide itself would wait for ever.
    if (hash) found.catch(() => say("unready", `${from} cannot be fetched, or is not what it was`));
    return found;
  };
  // What `import` fetches by itself would not be looked at.
  async function module(name) {
    const text = await (await fetch(address(name))).text();
    return import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  }
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map(module));
  const packageBaseUrl = new URL(packages, location).href;
  return loadPyodide({ indexURL: address(""), packageBaseUrl, createPyodideModule, checkAPIVersion: false });
}
async function loadNumPy(python) {
  const told = [];
  await python.loadPackage("numpy", { messageCallback: () => {}, errorCallback: (text) => told.push(text) });
  if (!python.loadedPackages.numpy) throw new Error(`NumPy was not loaded: ${told.join(" ") || "its wheel is not there."}`);
}
async function start() {
  doing("Python is fetched: several megabytes, the first time …");
  const files = ["judge.zip", `${about.get("chapter")}.zip`].map(packed);
  const python = await interpreter(await (await fetch("python.json")).json());
  if (about.has("numpy")) {
    doing("Python runs. NumPy is fetched …");
    await loadNumPy(python);
  }
  doing("The judge is unpacked …");
  for (const file of files) python.unpackArchive(await file, "zip", { extractDir: "/course" });
  python.runPython(START);
  return python;
}

const python = start();
python.then(() => say("ready"), (error) => say("unready", String(error.message ?? error)));

onmessage = async ({ data }) => {
  const py = await python;
  try {
    py.globals.set("question", JSON.stringify(data));
    py.globals.set("announce", announce);
    say("done", py.runPython(data.scratch === undefined ? CHECK : RUN));
  } catch (error) {
    say(error.constructor.name === "PythonError" ? "fault" : "fatal", String(error.message ?? error));
  }
};
