// A chapter as HTML: all exercises have their place, and no text becomes markup.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { chapterBody, page } from "../src/chapter_html";

const CHAPTERS = path.resolve(process.cwd(), "../../chapters");

test("every anchor of every chapter is in its page, and no fence is left open", () => {
  const files = readdirSync(CHAPTERS).filter((name) => /^chapter\d+\.md$/.test(name));
  assert.ok(files.length > 10);
  for (const name of files) {
    const text = readFileSync(path.join(CHAPTERS, name), "utf8");
    const body = chapterBody(text);
    const anchors = [...text.matchAll(/^\(([\w-]+)\)=$/gm)].map((each) => each[1]);
    for (const anchor of anchors) assert.equal(body.split(` id="${anchor}"`).length, 2, `${name}: ${anchor}`);
    assert.doesNotMatch(body, /:::|\)=\s*</, name);
    for (const tag of ["section", "details", "ul", "pre", "aside"]) {
      assert.equal(body.split(`<${tag}`).length, body.split(`</${tag}>`).length, `${name}: ${tag}`);
    }
  }
});

const HOSTILE = [
  "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))",
  "![x](https://example.org/x.png)", "[x](command:workbench.action.quit)", "[x](data:text/html,hi)",
  ":::{admonition} <img src=x onerror=alert(1)>\n<b onclick=x>b</b>\n:::", "```\"><script>x\n<script>\n```",
  ":::{dropdown} a\n<iframe src=x></iframe>\n:::", "```{figure} x\n<script>1</script>\n```", "<!-- x -->",
];

test("HTML in a text is shown as text, and a link leads to the web or into the book", () => {
  for (const text of HOSTILE) {
    const body = chapterBody(text);
    const tags = [...body.matchAll(/<\/?(\w+)([^>]*)>/g)];
    for (const [, name, attributes] of tags) {
      assert.ok(!["script", "img", "iframe", "b", "style", "object"].includes(name), `${text} → ${body}`);
      assert.doesNotMatch(attributes, /\son\w+=|javascript:|command:|data:text/, `${text} → ${body}`);
    }
    assert.doesNotMatch(body, /<!--/);
  }
  assert.match(chapterBody("[x](chapter4.md#a-b)"), /data-chapter="chapter4" data-anchor="a-b"/);
});

test("an anchor can hold nothing but letters, digits and dashes", () => {
  assert.doesNotMatch(chapterBody("(\"onclick=x)=\n:::{admonition} t\n:::"), /id=""onclick/);
});

test("the page's policy lets in its own style and script alone", () => {
  const made = page({ title: "<b>", body: "", nonce: "abc", style: "s.css", script: "p.js", source: "vscode-resource:" });
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(made)![1];
  assert.match(policy, /^default-src 'none';/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:|data:|img-src|connect-src/);
  assert.match(policy, /script-src 'nonce-abc'/);
  assert.match(made, /<title>&#60;b&#62;<\/title>/);
  assert.equal(made.match(/<script/g)!.length, 1);
});
