// The judge's own thread: Pyodide, the grader's modules, and one question at a time.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const START = `
import sys
sys.path.insert(0, "/course")
from grader.page.judge import Desk
desk = Desk("/course/page.key")
`;
const CHECK = `
import json
asked = json.loads(question)
ended = {number: how for number, how in asked["ended"]}
json.dumps(desk.check(asked["text"], asked["names"], asked["width"], ended, announce))
`;
const RUN = `
import json
asked = json.loads(question)
desk.run(asked["text"], asked["scratch"], announce)
`;

const say = (kind, value) => postMessage({ kind, value });
const announce = (number, seconds) => say("at", [number, seconds]);

async function start() {
  const packed = fetch("judge.zip").then((found) => {
    if (!found.ok) throw new Error("judge.zip is not there.");
    return found.arrayBuffer();
  });
  const python = await loadPyodide({ checkAPIVersion: false });
  python.unpackArchive(await packed, "zip", { extractDir: "/course" });
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
