// A chapter as HTML. Its text is data: HTML in it is shown as text, and no script of it runs.
import MarkdownIt from "markdown-it";
import type Token from "markdown-it/lib/token.mjs";

const ANCHORS = /^\(([\w-]+)\)=\s*$/;
const OPENING = /^(:{3,})\{(\w+)\}\s*(.*)$/;

const markdown = new MarkdownIt("default", { html: false, linkify: false, typographer: false });
markdown.validateLink = (url) => /^(https?:|#|[\w-]+\.md(#[\w-]*)?$)/i.test(url);
markdown.disable("image");

markdown.renderer.rules.link_open = (tokens, at, options, _, self) => {
  const token = tokens[at];
  const inside = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(String(token.attrGet("href")));
  if (inside) {
    token.attrs = [["href", "#"], ["data-chapter", inside[1] ?? ""], ["data-anchor", inside[2] ?? ""]];
  }
  return self.renderToken(tokens, at, options);
};

markdown.renderer.rules.fence = (tokens: Token[], at: number) => {
  const { info, content } = tokens[at];
  const figure = /^\{figure\}\s*([\w-]+)/.exec(info);
  if (figure) {
    return `<aside class="figure"><p><strong>A figure to play with</strong>: it moves in the book.</p>` +
      `${markdown.render(content)}<button data-do="book">Open the chapter in the browser</button></aside>\n`;
  }
  const language = escape(info.split(" ")[0] || "text");
  return `<pre tabindex="0" aria-label="${language}"><code>${escape(content)}</code></pre>\n`;
};

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Render a chapter's body: headings, boxes with an id per exercise, code, tables. */
export function chapterBody(text: string): string {
  return blocks(text.split(/\r?\n/)).join("");
}

/** Cut a text at its boxes and anchors; render what lies between as Markdown. */
function blocks(lines: string[]): string[] {
  const found: string[] = [];
  let plain: string[] = [];
  let fence = "";
  let anchors: string[] = [];
  const flush = () => {
    if (plain.some((line) => line.trim())) found.push(markdown.render(plain.join("\n")));
    plain = [];
  };
  const land = () => {
    const targets = anchors.map((id) => `<span class="target" id="${id}"></span>`).join("");
    const ids = anchors;
    anchors = [];
    return { targets, ids };
  };
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n];
    const mark = /^(`{3,})/.exec(line)?.[1] ?? "";
    if (fence ? mark.length >= fence.length && line.trim() === mark : mark) fence = fence ? "" : mark;
    const anchor = fence ? null : ANCHORS.exec(line);
    const opening = fence ? null : OPENING.exec(line);
    if (anchor) {
      flush();
      anchors.push(anchor[1]);
    } else if (opening) {
      flush();
      const end = lines.findIndex((each, at) => at > n && each.trimEnd() === opening[1]);
      const last = end < 0 ? lines.length : end;
      const { targets, ids } = land();
      found.push(targets + box(opening[2], opening[3], ids, lines.slice(n + 1, last)));
      n = last;
    } else {
      if (anchors.length && line.trim()) {
        flush();
        found.push(land().targets);
      }
      plain.push(line);
    }
  }
  flush();
  return found;
}

function box(kind: string, title: string, anchors: string[], lines: string[]): string {
  const head = markdown.renderInline(title);
  const body = blocks(lines).join("");
  if (kind === "dropdown") return `<details><summary>${head}</summary>${body}</details>\n`;
  const states = anchors.map((id) => `<li data-exercise="${id}"></li>`).join("");
  const list = states && `<ul class="exercises" aria-label="your exercises">${states}</ul>`;
  return `<section class="box${anchors.length ? " exercise" : ""}"><p class="title">${head}</p>${body}${list}</section>\n`;
}

export interface Frame {
  title: string;
  body: string;
  nonce: string;
  style: string; // the style sheet's address in the view
  script: string;
  source: string; // what the content policy calls the extension's own files
}

/** Return the whole page. Only our own style and script count; nothing is fetched from elsewhere. */
export function page(frame: Frame): string {
  const policy = `default-src 'none'; style-src ${frame.source}; script-src 'nonce-${frame.nonce}'; ` +
    "base-uri 'none'; form-action 'none'";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(frame.title)}</title>
<link rel="stylesheet" href="${frame.style}">
</head>
<body>
<main>
${frame.body}
</main>
<script nonce="${frame.nonce}" src="${frame.script}"></script>
</body>
</html>
`;
}
