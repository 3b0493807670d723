"""Text as numbers, and pieces of it to learn from."""

from grader.course import body, edit, exercise


@exercise("gpt.Characters.encode", points=1)
class ENCODE:
    """The number of a character is its place in `self.letters`, counted from 0.

    A dict from characters to numbers saves you a search for each of them. Before you use it, check
    whether `text` holds a character that isn't there.
    """

    def code_points(self, text):
        """These are the numbers that Unicode gives the characters. Yours are their places in
        `letters`: from 0 on, with no gaps, so they can be rows of a table."""
        unknown = sorted(set(text) - set(self.letters))
        if unknown:
            raise ValueError(f"no number: {unknown}")
        return np.array([ord(letter) for letter in text])

    def from_one(self, text):
        """You count from 1. The first row of a table has the number 0."""
        unknown = sorted(set(text) - set(self.letters))
        if unknown:
            raise ValueError(f"no number: {unknown}")
        return np.array([self.letters.index(letter) + 1 for letter in text])

    def own_alphabet(self, text):
        """You numbered the characters of *this* text again. Then the same character gets another
        number in another text; use `self.letters`."""
        unknown = sorted(set(text) - set(self.letters))
        if unknown:
            raise ValueError(f"no number: {unknown}")
        letters = sorted(set(text))
        return np.array([letters.index(letter) for letter in text])

    unknown_is_minus_one = body(
        "return np.array([self.letters.find(letter) for letter in text])", has=("find",)
    )
    """`find` returns -1 for a character that isn't there, and -1 is a place, too: the last one.
    Raise ValueError."""

    unknown_dropped = body(
        "return np.array([self.letters.index(c) for c in text if c in self.letters])",
        lacks=("find",),
    )
    """You leave out what has no number, and nobody notices that something is missing. Raise
    ValueError."""

    def silent_error(self, text):
        """The error doesn't say which character is unknown."""
        unknown = sorted(set(text) - set(self.letters))
        if unknown:
            raise ValueError("unknown character")
        return np.array([self.letters.index(letter) for letter in text])


@exercise("gpt.Characters.decode", points=1, minutes=2)
class DECODE:
    """`self.letters[number]` is one character. `"".join` joins many into a str."""

    a_list = body("return [self.letters[token] for token in tokens]")
    """This is a list of characters; return a str."""

    code_points = edit("self.letters[token]", "chr(token)")
    """`chr` uses the numbers of Unicode. Yours are places in `letters`."""

    spaces_between = edit('""', "' '")
    """You put a space between any two characters."""


@exercise("gpt.windows", points=2)
class WINDOWS:
    """Draw `size` places first. The last place that works leaves room for `length` tokens *and* the
    one after them: of n tokens, which place is that?

    A column of places plus a row of 0 … `length` - 1 makes a table of indices. You can use such a
    table as an index of `tokens`.
    """

    not_shifted = edit(
        " + 1", "", seen="https://github.com/Project-MONAI/GenerativeModels/issues/314"
    )
    """Your targets are the inputs. A model learns to repeat its input at once, has a loss of almost
    0, and can predict nothing."""

    shifted_back = edit("+ 1", "- 1")
    """Your targets are what came *before*. They should be what comes next."""

    rolled = edit("tokens[places + 1]", "np.roll(tokens[places], -1, axis=1)")
    """You rolled the rows: the last place of each holds its own first token, not what follows in
    the text."""

    one_target = edit("places + 1", "starts + length")
    """You gave one target for each piece. Every place has one: the model learns from all of them at
    once."""

    same_piece = edit(("= np", "= np.full(size, np"), (", size", ")"))
    """All rows begin at the same place. Draw one for each row."""

    last_left_out = edit("len(tokens) - length", "max(1, len(tokens) - length - 1)")
    """The last place that leaves room is never drawn: `np.random.randint` already leaves out its
    upper end."""

    beyond_the_end = edit("- length", "- length + 1")
    """Your places reach beyond the end: the last target of a piece has to lie within the text."""

    not_drawn = edit(
        "random.randint(0, len(tokens) - length, size)", "arange(size) % (len(tokens) - length)"
    )
    """Nothing is drawn: every batch is the same, from the beginning of the text."""

    def side_by_side(tokens, length, size):
        """Your pieces begin at multiples of `length` only. Any place will do, and each teaches
        something else."""
        starts = length * np.random.randint(0, max(1, (len(tokens) - 1) // length), size)
        places = starts[:, None] + np.arange(length)
        return tokens[places], tokens[places + 1]
