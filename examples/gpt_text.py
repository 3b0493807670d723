"""A GPT reads this book, one character at a time, and learns to write like it: chapter 14.

The text is the prose of the chapters, without their code. The last tenth of each chapter is kept
for the test. A table of bigrams, which knows after each character how often each other one came,
says what can be done by whoever looks at one character only; the model has to do better, on text
that neither has seen. As it learns, it shows what it would write.

    python examples/gpt_text.py --package my-course [--text FILE …] [--save model.npz]

It leaves a picture, gpt_text.png, if matplotlib is installed: the loss beside the table's, and what
the heads look at. Without matplotlib it writes what one of them looks at into the terminal.
"""

from __future__ import annotations

import argparse
import re
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package
import pictures

LENGTH, DIM, HEADS, BLOCKS = 48, 48, 4, 2
BATCH, RATE, WARMUP = 24, 1e-2, 40
HELD_OUT, MARGIN = 0.1, 0.4
LEAST = 2000  # characters
INK = " .:-=+*#%@"
SENTENCE, BEGINNING = "The gradient of the sum is the sum", len("The gradient ")
Tokens = np.ndarray


def main() -> None:
    options = arguments()
    bg = package.load(options.package)
    from babygrad.gpt import GPT, Characters

    np.random.seed(options.seed)
    texts = read(options.text)
    everything = "".join(texts)
    letters = Characters(everything)
    parts = [letters.encode(text) for text in texts]
    cuts = [int((1 - HELD_OUT) * len(part)) for part in parts]
    known = np.concatenate([part[:cut] for part, cut in zip(parts, cuts, strict=True)])
    unseen = np.concatenate([part[cut:] for part, cut in zip(parts, cuts, strict=True)])
    table = bigrams(known, unseen, len(letters))
    print(f"{len(letters)} kinds of characters, {len(known)} to learn from, {len(unseen)} to test")
    print(f"knowing nothing: {np.log(len(letters)):.3f}   a table of bigrams: {table:.3f}\n")
    model = GPT(len(letters), LENGTH, DIM, HEADS, BLOCKS)
    asked = letters.encode(sentence(letters, everything))
    losses, tested = learn(model, letters, known, unseen, options.steps, asked[:BEGINNING])
    if options.save:
        kept(bg, model, asked, options.save)
    looks = heads(model, asked)
    pictures.save(
        options.plot,
        beside_the_table(losses, tested, table),
        pictures.images("what the heads look at", looks, columns=HEADS),
        instead=as_text(looks, letters.decode(asked)),
    )
    best = tested[-1][1]
    if not best < table - options.margin:
        raise SystemExit(
            f"held-out loss {best:.3f}; {table - options.margin:.3f} was asked for: more steps?"
        )
    print(f"held-out loss {best:.3f}, {table - best:.3f} below a table of bigrams: "
          f"it is surprised by {1 - np.exp(best - table):.0%} fewer characters")  # fmt: skip


# ---- the text -------------------------------------------------------------------------------


def read(given: list[str]) -> list[str]:
    """The prose of each file; all of it is long enough to learn from, and to keep a part of."""
    texts = [prose(path.read_text("utf-8", errors="replace")) for path in files(given)]
    if (size := sum(map(len, texts))) < LEAST:
        raise SystemExit(f"That is too little to learn from: {size} characters; give {LEAST}.")
    return texts


def files(given: list[str]) -> list[Path]:
    """The files that were named; else the chapters beside this program, or in the workspace."""
    for name in given:
        if not Path(name).is_file():
            raise SystemExit(f"{name} is not a file.")
    if given:
        return [Path(name) for name in given]
    for folder in (Path(__file__).parent.parent / "chapters", Path.cwd() / "chapters"):
        found = sorted(folder.glob("chapter*.md"), key=lambda p: int(re.sub(r"\D", "", p.stem)))
        if found:
            return found
    raise SystemExit("There are no chapters here; name a text with --text FILE.")


def prose(text: str) -> str:
    """What is written for people: no code, no tables, no marks, and plain characters."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"^\s*(\||:::|\(chapter|>).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    text = re.sub(r"[^A-Za-z0-9 \n.,;:?!'()-]", "", text)
    text = re.sub(r"(?<=\S)\n(?=\S)", " ", text)  # a paragraph is one line
    return re.sub(r"\n\s*", "\n", re.sub(r" +", " ", text))


def sentence(letters: Any, text: str) -> str:
    """What it goes on from, and looks at; of a text that lacks one of its letters, the start."""
    return SENTENCE if set(SENTENCE) <= set(letters.letters) else text[: len(SENTENCE)]


def bigrams(known: Tokens, unseen: Tokens, kinds: int) -> float:
    """The loss of the best table on unseen text; what it never saw it thinks possible."""
    best = np.inf
    for faith in (0.01, 0.03, 0.1, 0.3, 1.0):
        counts = np.full((kinds, kinds), faith)
        np.add.at(counts, (known[:-1], known[1:]), 1.0)
        chances = counts / counts.sum(axis=1, keepdims=True)
        best = min(best, -np.log(chances[unseen[:-1], unseen[1:]]).mean())
    return float(best)


# ---- learning -------------------------------------------------------------------------------


def learn(model: Any, letters: Any, known: Tokens, unseen: Tokens, steps: int, begin: Tokens):
    """Train, and show now and then what it would write; all losses, and those of the test."""
    size = sum(parameter.size for parameter in model.parameters())
    print(f"{size} numbers to learn, {steps} steps of {BATCH} pieces of {LENGTH} characters")
    training = trained(model, known, steps, LENGTH, BATCH, RATE, WARMUP)
    started = time.perf_counter()
    losses: list[float] = []
    tested: list[tuple[int, float]] = []
    for step in range(steps + 1):
        if step % max(1, steps // 5) == 0 or step == steps:
            tested.append((step, test(model, unseen)))
            seconds = time.perf_counter() - started
            print(f"\nstep {step:4d}   held-out loss {tested[-1][1]:.3f}   {seconds:.1f} s")
            print(sample(model, letters, begin), flush=True)
        if step < steps:
            losses.append(next(training))
    print()
    return losses, tested


def trained(
    model: Any, known: Tokens, steps: int, length: int, size: int, rate: float, warmup: int
) -> Iterator[float]:
    """The loss of each step, as it is taken."""
    from babygrad.gpt import train_step, windows
    from babygrad.optim import AdamW, Scheduler, warmup_cosine

    optimizer = AdamW(model.parameters(), lr=rate, betas=(0.9, 0.99))
    scheduler = Scheduler(optimizer, lambda t: warmup_cosine(t, rate, warmup, steps, rate / 20))
    for _ in range(steps):
        yield train_step(model, optimizer, scheduler, *windows(known, length, size))


def test(model: Any, unseen: Tokens) -> float:
    """The mean loss over all of the unseen text, piece by piece."""
    from babygrad.gpt import cross_entropy

    count = (len(unseen) - 1) // LENGTH
    inputs = unseen[: count * LENGTH].reshape(count, LENGTH)
    targets = unseen[1 : count * LENGTH + 1].reshape(count, LENGTH)
    total = 0.0
    for i in range(0, count, 64):
        part, right = inputs[i : i + 64], targets[i : i + 64]
        total += cross_entropy(model(part), right).data.item() * len(part)
    return total / count


def sample(model: Any, letters: Any, begin: Tokens, count: int = 120) -> str:
    """What it writes after a beginning; the stream of the training is left as it was."""
    from babygrad.gpt import generate

    state = np.random.get_state()
    np.random.seed(3)
    written = letters.decode(generate(model, begin, count, 0.8, 12))
    np.random.set_state(state)
    return "  | " + written.replace("\n", "\n  | ")


def kept(bg: Any, model: Any, asked: Tokens, path: str) -> None:
    """Save by chapter 8, load into a new model, and see that it says the same."""
    from babygrad import checkpoint
    from babygrad.gpt import GPT

    checkpoint.save(model.state_dict(), path)
    other = GPT(model.tokens.weight.shape[0], LENGTH, DIM, HEADS, BLOCKS)
    other.load_state_dict(checkpoint.load(path))
    same = np.array_equal(model(asked[None]).data, other(asked[None]).data)
    print(f"saved to {path}; loaded again it says {'the same' if same else 'something ELSE'}")


# ---- what there is to see -------------------------------------------------------------------


def heads(model: Any, tokens: Tokens) -> list[np.ndarray]:
    """The weights of every head of every block for one sentence."""
    from babygrad.gpt import causal_mask, each_token

    length = len(tokens)
    x, mask = model.tokens(tokens[None]) + model.positions(np.arange(length)), causal_mask(length)
    found: list[np.ndarray] = []
    for block in model.blocks:
        _, weights = block.attention(each_token(block.norm1, x), mask)
        found += list(weights.data[0])
        x = block(x, mask)
    return found


def as_text(looks: list[np.ndarray], text: str) -> str:
    """The head that looks back most: for each character a row, how much it looks at each one."""
    chosen = max(range(len(looks)), key=lambda n: np.tril(looks[n], -1).max(axis=1).sum())
    signs = re.sub(r"\s", "_", text)
    lines = [
        f"What head {chosen % HEADS + 1} of block {chosen // HEADS + 1} looks at: a row for each "
        f"character, and in it a column for each that it may see;\n«{INK[1]}» is a little of its "
        f"attention, «{INK[-1]}» is all of it.\n",
        f"    {signs}",
    ]
    for sign, row in zip(signs, looks[chosen], strict=True):
        shades = "".join(INK[round(weight * (len(INK) - 1))] for weight in row)
        lines.append(f"  {sign} {shades}".rstrip())
    return "\n".join(lines) + "\n"


def beside_the_table(losses: list[float], tested: list[tuple[int, float]], table: float):
    """The loss of each batch, smoothed, those of the test, and the table's."""

    def draw(axes: Any) -> None:
        axes.plot(range(1, len(losses) + 1), pictures.smooth(losses, 20), lw=1.2, label="batches")
        axes.plot(*zip(*tested, strict=True), "o-", label="held-out text")
        axes.axhline(table, color="tab:red", ls="--", label="a table of bigrams")
        axes.set(title="surprise per character", xlabel="step", ylabel="loss")
        axes.grid(color=pictures.LIGHT)
        axes.legend()

    return draw


def arguments() -> argparse.Namespace:
    parser = package.arguments("A GPT that reads this book, chapter 14.", steps=600)
    parser.add_argument("--text", nargs="*", default=[], metavar="FILE", help="another text")
    parser.add_argument(
        "--margin", type=float, default=MARGIN,
        help="how far below the table it has to get (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--save", metavar="FILE.npz", help="keep what was learned")
    pictures.options(parser, "gpt_text")
    return parser.parse_args()


if __name__ == "__main__":
    package.run(main)
