"""The quality of a model, and the cost of its answers."""

from grader.course import after, edit, exercise, instead, mistake

PIECES_APART = (
    "Between two pieces a token is never predicted. The last token of a piece predicts the first "
    "one of the next."
)
TRIANGLE = (
    "You counted a triangle, only what a new token may look at. The product of queries and keys is "
    "a whole rectangle: what is hidden is computed, too."
)


@exercise("inference.perplexity", points=2)
class PERPLEXITY:
    """Cut out `model.length + 1` tokens: all but the last go in, all but the first are what should
    come out. The next piece begins at the token that came out last.

    The logarithm of a softmax: subtract the maximum, then the log of the sum of the powers.

    Add up over all pieces, and divide once, at the end, by how many tokens were predicted.
    """

    no_exp = edit("float(np.exp(surprise / (len(tokens) - 1)))",
                  "float(surprise / (len(tokens) - 1))")  # fmt: skip
    """This is the mean of -log probability, the loss. Perplexity is e to the power of it."""

    no_minus = edit("surprise -=", "surprise +=")
    """The minus is missing: a sure model should have a perplexity near 1, and never below it."""

    @instead("logarithms = scores")
    def log_of_the_softmax(scores):
        """A probability of e⁻¹⁰⁰⁰ is 0 in any float, and its logarithm -∞. Subtract logarithms
        instead: the score minus the log of the sum."""
        powers = np.exp(scores)
        logarithms = np.log(powers / powers.sum(axis=-1, keepdims=True))

    divided_by_all = edit("(len(tokens) - 1)))", "len(tokens)))")
    """You divided by the number of all tokens. Nothing predicts the first one."""

    @instead(
        "surprise = 0.0",
        edits=(
            (
                "surprise -= logarithms[np.arange(len(piece) - 1), piece[1:]].sum()",
                "means.append(-logarithms[np.arange(len(piece) - 1), piece[1:]].mean())",
            ),
            ("np.exp(surprise / (len(tokens) - 1))", "np.exp(np.mean(means))"),
        ),
    )
    def mean_of_pieces():
        """You took the mean of the pieces' means. A short piece then counts as much as a long
        one."""
        means = []

    @instead(
        "surprise = 0.0",
        edits=(
            (
                "surprise -= logarithms[np.arange(len(piece) - 1), piece[1:]].sum()",
                "total += np.exp(-logarithms[np.arange(len(piece) - 1), piece[1:]]).sum()",
            ),
            ("np.exp(surprise / (len(tokens) - 1))", "total / (len(tokens) - 1)"),
        ),
    )
    def mean_of_powers():
        """You took the mean of 1 / probability. Take the mean of the logarithms first, and e to the
        power of it at the end."""
        total = 0.0

    pieces_apart = edit("model.length):", "model.length + 1):", says=PIECES_APART)

    @mistake(says=PIECES_APART)
    def pieces_side_by_side(model, tokens):
        surprise, predicted = 0.0, 0
        for start in range(0, len(tokens) - 1, model.length):
            piece = tokens[start : start + model.length]
            scores = model(piece[None, :-1]).data[0].astype("float64")
            scores = scores - scores.max(axis=-1, keepdims=True)
            logarithms = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
            surprise -= logarithms[np.arange(len(piece) - 1), piece[1:]].sum()
            predicted += len(piece) - 1
        return float(np.exp(surprise / predicted))

    pieces_side_by_side_of_all = edit("/ predicted", "/ (len(tokens) - 1)",
                                      of=pieces_side_by_side, says=PIECES_APART)  # fmt: skip

    whole_pieces_only = edit("len(tokens) - 1, model.length",
                             "len(tokens) - model.length, model.length")  # fmt: skip
    """You left out the end of the text: the last piece may be shorter than the others."""

    last_place_only = edit(
        "logarithms[np.arange(len(piece) - 1), piece[1:]].sum()",
        "(len(piece) - 1) * logarithms[-1, piece[-1]]",
    )
    """You looked only at the last token of each piece. Every place predicts one."""

    itself = edit("piece[1:]]", "piece[:-1]]")
    """You asked how well each token predicts *itself*. It predicts the one after it."""

    overflows = edit("scores = scores - scores.max(axis=-1, keepdims=True)", "")
    """e to the power of 1000 is too large for any float. Subtract the maximum first."""

    base_two = edit("float(np.exp(", "float(np.exp2(")
    """You took 2 to the power of it, but the logarithms are natural ones: take e."""


@exercise("inference.multiply_adds", points=2)
class MULTIPLY_ADDS:
    """`(T, C) @ (C, C)` takes T · C · C. How many such products has an attention?

    Each head compares T queries with S keys of D numbers: T · S · D. There are H heads, and H · D
    is C.

    `expand` goes from C to 4 · C, `shrink` back. The head sees one place only.
    """

    @after("blocks, there = len(model.blocks),")
    def old_ones_again(there):
        """You count all tokens as new. What is in the cache isn't computed again."""
        count = there

    new_keys_only = edit("before + count", "count")
    """The new tokens are compared with all tokens so far, not only with the new ones."""

    old_keys_only = edit("before + count", "before")
    """The new tokens are compared with one another, too, and each with itself."""

    triangle = edit(
        (
            '"scores": blocks * count * there',
            '"scores": blocks * (there * (there + 1) - before * (before + 1)) // 2',
        ),
        (
            '"means": blocks * count * there',
            '"means": blocks * (there * (there + 1) - before * (before + 1)) // 2',
        ),
        says=TRIANGLE,
    )

    triangle_of_all = edit(
        ('"scores": blocks * count * there', '"scores": blocks * there * (there + 1) // 2'),
        ('"means": blocks * count * there', '"means": blocks * there * (there + 1) // 2'),
        says=TRIANGLE,
    )

    triangle_of_the_new = edit(
        ('"scores": blocks * count * there', '"scores": blocks * count * (count + 1) // 2'),
        ('"means": blocks * count * there', '"means": blocks * count * (count + 1) // 2'),
        says=TRIANGLE,
    )

    one_head_s_share = edit(
        '"scores": blocks * count * there * dim',
        '"scores": blocks * count * there * (dim // model.blocks[0].attention.heads)',
    )
    """You counted one head. All of them compare."""

    three_layers = edit("blocks * 4 * count", "blocks * 3 * count")
    """An attention has four layers: `output` is one of them."""

    one_block = edit("len(model.blocks)", "1")
    """You counted one block. All of them take part."""

    head_everywhere = edit("dim * vocabulary", "count * dim * vocabulary")
    """The head sees one place only: the last."""

    half_thinking = edit("8 * count", "4 * count")
    """You counted `expand` only. `shrink` costs as much."""

    scores_once_for_each_head = edit(
        '"scores": blocks * count * there * dim',
        '"scores": blocks * count * there * dim * model.blocks[0].attention.heads',
    )
    """You multiplied by the heads. Each head has only its share of the numbers, so that all of them
    together have C."""

    def squares(model, count, before):
        """Of each key there are C numbers to add up, over all heads, not S."""
        vocabulary, dim = model.tokens.weight.shape
        blocks, there = len(model.blocks), before + count
        return {
            "projections": blocks * 4 * count * dim * dim,
            "scores": blocks * count * there * dim,
            "means": blocks * count * there * there,
            "thinking": blocks * 8 * count * dim * dim,
            "head": dim * vocabulary,
        }
