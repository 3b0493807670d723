// Saves texts in a workspace as the extension's client does; prints the milliseconds to their diagnostic.
// Each line of the input is «wrong FILE» or «right FILE»: the text to save, and whether it has a mistake.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Client } from "./server";

async function main(): Promise<void> {
  const client = new Client(process.argv[2]);
  await client.start();
  await client.open();
  for await (const line of createInterface({ input: process.stdin })) {
    const [kind, file] = line.split(" ");
    const text = readFileSync(file, "utf8");
    const started = performance.now();
    await client.save(text);
    await client.until(() => client.faults().length > 0 === (kind === "wrong"));
    const took = performance.now() - started;
    const said = client.messages.length;
    await client.do("grader.check", client.uri, "chapter3.div.backward"); // its turn comes after all else
    await client.until(() => client.messages.length > said);
    console.log(took.toFixed(2));
  }
  await client.stop();
}

void main();
