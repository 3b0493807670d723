"""Text as numbers, and pieces of it to learn from."""

from grader.course import Exercise, Mistake

KNOWN = (
    "unknown = sorted(set(text) - set(self.letters))\n"
    "if unknown:\n    raise ValueError(f'no number: {unknown}')\n"
)

ENCODE = Exercise(
    "chapter14.characters.encode",
    section="14.1",
    targets=("gpt.Characters.encode",),
    points=1,
    minutes=5,
    hints=(
        "The number of a character is its place in `self.letters`, counted from 0.",
        "A dict from characters to numbers spares a search for each of them. Before you use it, "
        "see whether `text` holds a character that is not there.",
    ),
    mistakes=(
        Mistake(
            "code-points", KNOWN + "return np.array([ord(letter) for letter in text])",
            "These are the numbers that Unicode gives the characters. Yours are their places in "
            "`letters`: from 0 on, with no gaps, so that they can be rows of a table.",
        ),
        Mistake(
            "from-one",
            KNOWN + "return np.array([self.letters.index(letter) + 1 for letter in text])",
            "You count from 1. The first row of a table has the number 0.",
        ),
        Mistake(
            "own-alphabet",
            KNOWN + "letters = sorted(set(text))\n"
            "return np.array([letters.index(letter) for letter in text])",
            "You numbered the characters of *this* text anew. Then the same character has another "
            "number in another text; use `self.letters`.",
        ),
        Mistake(
            "unknown-is-minus-one",
            "return np.array([self.letters.find(letter) for letter in text])",
            "`find` answers -1 for a character that is not there, and -1 is a place, too: the "
            "last one. Say ValueError.",
            has=("find",),
        ),
        Mistake(
            "unknown-dropped",
            "return np.array([self.letters.index(c) for c in text if c in self.letters])",
            "You leave out what has no number, and nobody learns that something is missing. Say "
            "ValueError.",
            lacks=("find",),
        ),
        Mistake(
            "silent-error", KNOWN.replace("f'no number: {unknown}'", "'unknown character'")
            + "return np.array([self.letters.index(letter) for letter in text])",
            "The error does not say which character it is about.",
        ),
    ),
)  # fmt: skip

DECODE = Exercise(
    "chapter14.characters.decode",
    section="14.1",
    targets=("gpt.Characters.decode",),
    points=1,
    minutes=2,
    hints=("`self.letters[number]` is one character. `\"\".join` makes a str of many.",),
    mistakes=(
        Mistake(
            "a-list", "return [self.letters[token] for token in tokens]",
            "This is a list of characters; a str is asked for.",
        ),
        Mistake(
            "code-points", "return ''.join(chr(token) for token in tokens)",
            "`chr` knows the numbers of Unicode. Yours are places in `letters`.",
        ),
        Mistake(
            "spaces-between", "return ' '.join(self.letters[token] for token in tokens)",
            "You put a space between any two characters.",
        ),
    ),
)  # fmt: skip

CUT = "places = starts[:, None] + np.arange(length)\nreturn tokens[places], tokens[places + 1]"
DRAWN = "starts = np.random.randint(0, len(tokens) - length, size)\n"


def cut(targets: str) -> str:
    """A working body with other targets."""
    return DRAWN + CUT.replace("tokens[places + 1]", targets)


WINDOWS = Exercise(
    "chapter14.windows",
    section="14.2",
    targets=("gpt.windows",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "Draw `size` places first. The last place that works leaves room for `length` tokens "
        "*and* the one after them: of n tokens, which place is that?",
        "A column of places plus a row of 0 … `length` - 1 makes a table of indices. NumPy takes "
        "such a table between the brackets of `tokens`.",
    ),
    mistakes=(
        Mistake(
            "not-shifted", cut("tokens[places]"),
            "Your targets are the inputs. A model learns to repeat its input at once, has a loss "
            "of almost 0, and can predict nothing.",
        ),
        Mistake(
            "shifted-back", cut("tokens[places - 1]"),
            "Your targets are what came *before*. They are to be what comes next.",
        ),
        Mistake(
            "rolled", cut("np.roll(tokens[places], -1, axis=1)"),
            "You rolled the rows: at the last place of each stands its own first token, and not "
            "what follows in the text.",
        ),
        Mistake(
            "one-target", cut("tokens[starts + length]"),
            "You gave one target for each piece. Every place has one: the model learns from all of "
            "them at once.",
        ),
        Mistake(
            "same-piece", "starts = np.full(size, np.random.randint(0, len(tokens) - length))\n"
            + CUT,
            "All rows begin at the same place. Draw one for each row.",
        ),
        Mistake(
            "last-left-out",
            "starts = np.random.randint(0, max(1, len(tokens) - length - 1), size)\n" + CUT,
            "The last place that leaves room is never drawn: `np.random.randint` leaves its upper "
            "end out already.",
        ),
        Mistake(
            "beyond-the-end",
            "starts = np.random.randint(0, len(tokens) - length + 1, size)\n" + CUT,
            "You draw one place too many: from there, the last target lies beyond the end.",
        ),
        Mistake(
            "not-drawn", "starts = np.arange(size) % (len(tokens) - length)\n" + CUT,
            "Nothing is drawn: every batch is the same, from the beginning of the text.",
        ),
        Mistake(
            "side-by-side",
            "starts = length * np.random.randint(0, max(1, (len(tokens) - 1) // length), size)\n"
            + CUT,
            "Your pieces begin at multiples of `length` only. Any place will do, and each teaches "
            "something else.",
        ),
    ),
)  # fmt: skip
