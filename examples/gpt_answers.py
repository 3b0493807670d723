"""A GPT that answers: how quick from the cache, how small in bytes, and on a page: chapter 16.

It learns to write like this book, as `gpt_text.py` does, and measures. With `--serve` it then
answers on a page of your own machine, token by token, and marks how sure the model was of each.

    python examples/gpt_answers.py --package my-course [--text FILE …] [--serve]

The seconds are those of your processor. What counts is their ratio, and how many numbers were
multiplied, which is the same everywhere.
"""

from __future__ import annotations

import argparse
import io
import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import gpt_text
import numpy as np
import package

LENGTH, DIM, HEADS, BLOCKS = 128, 96, 4, 2
BATCH, RATE, WARMUP = 6, 5e-3, 20
HELD_OUT = 0.1


def main() -> None:
    options = arguments()
    package.load(options.package)
    from babygrad.gpt import GPT, Characters

    np.random.seed(options.seed)
    text = "".join(gpt_text.read(options.text))
    letters = Characters(text)
    tokens = letters.encode(text)
    cut = int((1 - HELD_OUT) * len(tokens))
    model = GPT(len(letters), LENGTH, DIM, HEADS, BLOCKS)
    training = gpt_text.trained(model, tokens[:cut], options.steps, LENGTH, BATCH, RATE, WARMUP)
    for step, loss in enumerate(training):
        if step % max(1, options.steps // 5) == 0:
            print(f"step {step:4d}   loss {loss:.3f}", flush=True)
    line = gpt_text.sentence(letters, text)[: gpt_text.BEGINNING]
    beside_the_cache(model, letters.encode(line))
    small(model, tokens[cut:])
    if options.serve:
        serve(model, letters, options.port)


def beside_the_cache(model: Any, prompt: np.ndarray) -> None:
    """The same text with the cache and without; how much quicker its last token comes from it."""
    from babygrad.inference import caches_for, multiply_adds, step, stream

    begin = [int(token) for token in prompt]
    count = LENGTH - len(begin)
    answer = stream(model, begin, count, np.random.default_rng(0), temperature=0)
    written = list(begin)
    for token, _ in answer:
        if token != int(model(np.array([written])).data[0, -1].argmax()):
            raise SystemExit("With the cache it writes something else than without.")
        written.append(token)
    caches = caches_for(model, 1)
    step(model, [written[:-1]], caches)

    def from_the_cache() -> None:
        step(model, [written[-1:]], caches)
        for cache in caches:
            cache.filled -= 1

    kept, again = seconds(from_the_cache), seconds(lambda: model(np.array([written])))
    few = sum(multiply_adds(model, 1, LENGTH - 1).values())
    many = sum(multiply_adds(model, LENGTH).values())
    print(f"\n{count} tokens, the same with the cache and without. The last of them takes")
    print(f"  {1000 * kept:.1f} ms from the cache and {1000 * again:.1f} ms without: "
          f"{again / kept:.1f} times as quick")  # fmt: skip
    print(f"  {few:,} multiplications and {many:,}: {many / few:.0f} times fewer")


def seconds(call: Callable[[], object]) -> float:
    """Of the processor, for one call: the quickest of some, since others want it, too."""
    found = []
    for _ in range(15):
        started = time.process_time()
        call()
        found.append(time.process_time() - started)
    return min(found)


def small(model: Any, unseen: np.ndarray) -> None:
    """A byte for each weight: the size of the file, and what it does to the perplexity."""
    from babygrad import checkpoint
    from babygrad.inference import packed, perplexity, unpacked

    state = model.state_dict()
    sizes = []
    for each in (state, packed(state)):
        file = io.BytesIO()
        checkpoint.save(each, file)
        sizes.append(len(file.getvalue()))
    before = perplexity(model, unseen)
    model.load_state_dict(unpacked(packed(state)))
    after = perplexity(model, unseen)
    model.load_state_dict(state)
    print(f"\na byte for each weight: {sizes[1] / sizes[0]:.2f} of the file, "
          f"perplexity {after:.3f} instead of {before:.3f}")  # fmt: skip


# ---- the page -------------------------------------------------------------------------------

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>It answers</title>
<style>
:root { color-scheme: light dark; }
body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem;
  margin: 2rem auto; padding: 0 1rem; }
label { display: block; margin: .5rem 0; } input, button { font: inherit; }
input[type=text] { width: 100%; box-sizing: border-box; padding: .3rem; }
button { padding: .3rem 1.2rem; } #told { display: block; }
#answer { white-space: pre-wrap; overflow-wrap: anywhere; min-height: 8rem;
  font-family: monospace; }
</style>
<h1>It answers</h1>
<form><label>Begin with <input type="text" name="prompt" value="The gradient "></label>
<label>Temperature <input type="range" name="temperature" min="0" max="2" step="0.1" value="0.8">
<output>0.8</output></label>
<button>Write</button></form>
<p id="answer" aria-live="polite"></p>
<p>The stronger the colour behind a letter, the likelier the model held it.
<span id="told">Point at one or tap it to see the number.</span></p>
<script>
const form = document.querySelector("form"), answer = document.querySelector("#answer");
const button = document.querySelector("button"), told = document.querySelector("#told");
answer.onpointerover = (event) => { told.textContent = event.target.title || told.textContent; };
form.temperature.oninput = () => {
  document.querySelector("output").value = form.temperature.value;
};
form.onsubmit = async (event) => {
  event.preventDefault();
  answer.textContent = form.prompt.value;
  button.disabled = answer.ariaBusy = true;
  const reply = await fetch("/answer?" + new URLSearchParams(new FormData(form)));
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "", part; (part = await reader.read()).value;) {
    const lines = (rest + part.value).split("\\n");
    rest = lines.pop();
    for (const [letter, chance] of lines.map(JSON.parse)) {
      const shown = document.createElement("span");
      const title = `${JSON.stringify(letter)}: ${chance.toFixed(3)}`;
      Object.assign(shown, { textContent: letter, title });
      shown.style.background = `rgb(40 120 230 / ${0.7 * Math.sqrt(chance)})`;
      answer.append(shown);
    }
  }
  button.disabled = answer.ariaBusy = false;
};
</script></html>"""


def answers(model: Any, letters: Any, asked: dict[str, list[str]]) -> Iterator[bytes]:
    """A line of JSON for each token: the letter, and how likely the model held it."""
    from babygrad.inference import stream

    known = "".join(c for c in asked.get("prompt", [""])[0] if c in letters.letters)
    begin = [int(token) for token in letters.encode((known or letters.letters[0])[-LENGTH // 2 :])]
    heat = min(2.0, max(0.0, float(asked.get("temperature", ["0.8"])[0])))
    chosen = stream(model, begin, LENGTH - len(begin), np.random.default_rng(), heat, top_p=0.95)
    for token, chance in chosen:
        yield json.dumps([letters.decode([token]), chance]).encode() + b"\n"


def handler(model: Any, letters: Any) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path == "/answer":
                self.begin("application/jsonl")
                for line in answers(model, letters, parse_qs(asked.query)):
                    self.wfile.write(line)
                    self.wfile.flush()
            elif asked.path == "/":
                self.begin("text/html; charset=utf-8")
                self.wfile.write(PAGE.encode())
            else:
                self.send_error(404)

        def begin(self, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing: what is asked stands on the page."""

    return Handler


def serve(model: Any, letters: Any, port: int) -> None:
    with ThreadingHTTPServer(("127.0.0.1", port), handler(model, letters)) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        print(f"\nIt answers at {address} (Ctrl-C ends it).", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def arguments() -> argparse.Namespace:
    parser = package.arguments("A GPT that answers, chapter 16.", steps=400)
    parser.add_argument("--text", nargs="*", default=[], metavar="FILE", help="another text")
    parser.add_argument("--serve", action="store_true", help="answer on a page of this machine")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="(default: any)")
    return parser.parse_args()


if __name__ == "__main__":
    package.run(main)
