"""The loss over all places, and one step."""

from exercises.chapter9.sentences import KEEPS_THE_GRAPH
from grader.course import edit, exercise, mistake


@exercise(
    "gpt.cross_entropy",
    points=3,
    minutes=15,
    needs=("chapter4.logsoftmax.forward", "chapter4.logsoftmax.backward"),
)
class CROSS_ENTROPY:
    """`SoftmaxLoss` of chapter 4 did this for rows. Here every place of every sequence is one.

    A row of zeros with a 1 picks the right logarithm. For a target that doesn't count the row is
    all zeros.

    Divide by how many places count, not by how many there are.
    """

    summed = edit("() / -int(counts.sum())", "() * -1.0")
    """This is the sum over all places; return their mean."""

    per_sequence = edit("int(counts.sum())", "len(numbers)")
    """You divided by the number of sequences. Every *place* is one thing to learn."""

    divided_by_all = edit("int(counts.sum())", "numbers.size")
    """You divided by the number of all places, even those that don't count."""

    def last_token_instead(logits, targets):
        """A negative number is an index, too: -1 names the *last* token, and -100 may name none.
        No place with a target below 0 may count."""
        numbers = np.asarray(targets.data if isinstance(targets, Tensor) else targets)
        right = np.eye(logits.shape[-1])[numbers]
        chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype)
        return chosen.sum() / -numbers.size

    softmax_twice = edit("(logits)", "(softmax(logits))")
    """You took the softmax twice. The loss takes scores and makes probabilities itself."""

    no_minus = edit("-int", "int")
    """The minus is missing: logarithms of probabilities are negative, and a loss should fall."""

    no_logarithm = edit("ops.log_softmax", "softmax")
    """The logarithm is missing."""

    overflows = edit("log_softmax(logits)", "log(softmax(logits))")
    """The logarithm of a probability that has become 0 is -∞. `log_softmax` never gets there."""

    data_only = edit(
        "chosen.sum() / -int(counts.sum())",
        "Tensor(chosen.data.sum() / -int(counts.sum()), dtype=logits.dtype)",
        has=(r"chosen\.data|log_softmax\(.{0,40}\)\.data|logits\.data",),
    )
    """The values are right, but the result is a leaf: it doesn't know that it came from `logits`,
    so no gradient gets past it. Go through `ops`."""


@exercise(
    "gpt.train_step",
    points=2,
    minutes=8,
    needs=(
        "chapter14.cross_entropy",
        "chapter5.adamw.step",
        "chapter5.clip_grad_norm",
        "chapter5.scheduler",
    ),
)
class STEP:
    """It's chapter 9's step with two more lines. When are the gradients complete, but not yet used?

    The scheduler names the rate of the step that comes *next*.
    """

    not_clipped = edit(
        "clip_grad_norm(model.parameters(), max_norm)", "", lacks=("clip_grad_norm",)
    )
    """The gradients are never scaled down to `max_norm`."""

    @mistake(
        has=(r"optimizer\.step(?s:.{0,999})clip_grad_norm",),
        seen="https://github.com/awslabs/graphstorm/pull/1382",
    )
    def clipped_too_late(model, optimizer, scheduler, inputs, targets, max_norm):
        """You scale the gradients after the step, when nobody needs them any more."""
        optimizer.zero_grad()
        loss = cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
        clip_grad_norm(model.parameters(), max_norm)
        scheduler.step()
        return float(loss.data.item())

    @mistake(
        has=("clip_grad_norm(?s:.{0,999})backward",),
        seen="https://github.com/yandex-research/tabm/issues/20",
    )
    def clipped_too_early(model, optimizer, scheduler, inputs, targets, max_norm):
        """You scale the gradients before they exist."""
        optimizer.zero_grad()
        clip_grad_norm(model.parameters(), max_norm)
        loss = cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
        scheduler.step()
        return float(loss.data.item())

    always_one = edit("max_norm", "1.0")
    """`max_norm` is ignored: it is 1 whatever the caller said."""

    zero_grad_forgotten = edit(
        "optimizer.zero_grad()", "", seen="https://github.com/tenstorrent/tt-blacksmith/pull/711"
    )
    """You never forget the gradients, so every step also uses those of all steps before it."""

    def scheduler_first(model, optimizer, scheduler, inputs, targets, max_norm):
        """The scheduler steps before the optimizer: the first rate of the warm-up is never used."""
        optimizer.zero_grad()
        loss = cross_entropy(model(inputs), targets)
        loss.backward()
        clip_grad_norm(model.parameters(), max_norm)
        scheduler.step()
        optimizer.step()
        return float(loss.data.item())

    scheduler_forgotten = edit("scheduler.step()", "")
    """You never call `scheduler.step()`: the learning rate stays at its first, tiny value."""

    step_forgotten = edit("optimizer.step()", "")
    """The gradients are computed, but nobody uses them: the optimizer never steps."""

    loss_afterwards = edit("loss.data", "cross_entropy(model(inputs), targets).data")
    """You measured the loss a second time, after the step. Return the one that you went backward
    from."""

    keeps_the_graph = edit("float(loss.data.item())", "loss", says=KEEPS_THE_GRAPH)
