"""The loss over all places, and one step."""

from exercises.chapter4.activations import LEAF
from grader.course import Exercise, Mistake

RIGHT = """
numbers = np.asarray(targets.data if isinstance(targets, Tensor) else targets)
counts = numbers >= 0
right = np.eye(logits.shape[-1])[np.where(counts, numbers, 0)] * counts[..., None]
chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype, requires_grad=False)
return chosen.sum() / -int(counts.sum())
"""


def but(old: str, new: str) -> str:
    """A working body with one thing done otherwise."""
    assert old in RIGHT, old
    return RIGHT.replace(old, new)


CROSS_ENTROPY = Exercise(
    "chapter14.cross_entropy",
    section="14.12",
    targets=("gpt.cross_entropy",),
    points=3,
    minutes=15,
    difficulty=2,
    needs=("chapter4.logsoftmax.forward", "chapter4.logsoftmax.backward"),
    hints=(
        "`SoftmaxLoss` of chapter 4 did this for rows. Here every place of every sequence is one.",
        "A row of zeros with a 1 picks the right logarithm. For a target that does not count the "
        "row is all zeros.",
        "Divide by how many places count, not by how many there are.",
    ),
    mistakes=(
        Mistake(
            "summed", but(" / -int(counts.sum())", " * -1.0"),
            "This is the sum over all places; their mean is asked for.",
        ),
        Mistake(
            "per-sequence", but("-int(counts.sum())", "-len(numbers)"),
            "You divided by the number of sequences. Every *place* is one thing to learn.",
        ),
        Mistake(
            "divided-by-all", but("-int(counts.sum())", "-numbers.size"),
            "You divided by all places, also by those that do not count.",
        ),
        Mistake(
            "last-token-instead", "numbers = np.asarray(targets.data if isinstance(targets, "
                                  "Tensor) "
            "else targets)\nright = np.eye(logits.shape[-1])[numbers]\n"
            "chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype)\n"
            "return chosen.sum() / -numbers.size",
            "-1 is an index, too: it names the *last* token, which your model now learns to say "
            "wherever nothing is asked. Such places do not count.",
        ),
        Mistake(
            "softmax-twice", but("ops.log_softmax(logits)", "ops.log_softmax(softmax(logits))"),
            "You took the softmax twice. The loss takes scores and makes probabilities itself.",
        ),
        Mistake(
            "no-minus", but("/ -int", "/ int"),
            "The minus is missing: logarithms of probabilities are negative, and a loss is to "
            "fall.",
        ),
        Mistake(
            "no-logarithm", but("ops.log_softmax(logits)", "softmax(logits)"),
            "The logarithm is missing.",
        ),
        Mistake(
            "overflows", but("ops.log_softmax(logits)", "ops.log(softmax(logits))"),
            "The logarithm of a probability that has become 0 is -∞. `log_softmax` never gets "
            "there.",
        ),
        Mistake(
            "data-only", RIGHT.replace("return chosen.sum() / -int(counts.sum())",
                                       "return Tensor(chosen.data.sum() / -int(counts.sum()), "
                                       "dtype=logits.dtype)"),
            LEAF.replace("`x`", "`logits`"),
        ),
    ),
)  # fmt: skip

ZERO, STEP_, NEXT = "optimizer.zero_grad()\n", "optimizer.step()\n", "scheduler.step()\n"
LOSS = "loss = cross_entropy(model(inputs), targets)\n"
BACK, CLIP = "loss.backward()\n", "clip_grad_norm(model.parameters(), max_norm)\n"
RETURN = "return float(loss.data.item())"

STEP = Exercise(
    "chapter14.train_step",
    section="14.12",
    targets=("gpt.train_step",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=("chapter14.cross_entropy", "chapter5.adamw.step", "chapter5.clip_grad_norm",
           "chapter5.scheduler"),
    hints=(
        "Chapter 9's step with two lines more. When are the gradients complete, and not used yet?",
        "The scheduler names the rate of the step that comes *next*.",
    ),
    mistakes=(
        Mistake(
            "not-clipped", ZERO + LOSS + BACK + STEP_ + NEXT + RETURN,
            "The gradients are never scaled down to `max_norm`.",
            lacks=("clip_grad_norm",),
        ),
        Mistake(
            "clipped-too-late", ZERO + LOSS + BACK + STEP_ + CLIP + NEXT + RETURN,
            "You scale the gradients after the step, when nobody needs them any more.",
            has=(r"optimizer\.step(?s:.*)clip_grad_norm",),
        ),
        Mistake(
            "clipped-too-early", ZERO + CLIP + LOSS + BACK + STEP_ + NEXT + RETURN,
            "You scale the gradients before they are there.",
            has=(r"clip_grad_norm(?s:.*)backward",),
        ),
        Mistake(
            "always-one", ZERO + LOSS + BACK + "clip_grad_norm(model.parameters(), 1.0)\n" + STEP_
            + NEXT + RETURN,
            "`max_norm` is ignored: it is 1 whatever the caller said.",
        ),
        Mistake(
            "zero-grad-forgotten", LOSS + BACK + CLIP + STEP_ + NEXT + RETURN,
            "You never forget the gradients, so every step also uses those of all steps before it.",
        ),
        Mistake(
            "scheduler-first", ZERO + LOSS + BACK + CLIP + NEXT + STEP_ + RETURN,
            "The scheduler steps before the optimizer: the first rate of the warm-up is never "
            "used.",
        ),
        Mistake(
            "scheduler-forgotten", ZERO + LOSS + BACK + CLIP + STEP_ + RETURN,
            "Nobody tells the scheduler that a step is done: the learning rate stays at its first, "
            "tiny value.",
        ),
        Mistake(
            "step-forgotten", ZERO + LOSS + BACK + CLIP + NEXT + RETURN,
            "The gradients are worked out, but nobody uses them: the optimizer never steps.",
        ),
        Mistake(
            "loss-afterwards", ZERO + LOSS + BACK + CLIP + STEP_ + NEXT
            + "return float(cross_entropy(model(inputs), targets).data.item())",
            "You measured the loss a second time, after the step. Return the one that you went "
            "backward from.",
        ),
        Mistake(
            "keeps-the-graph", ZERO + LOSS + BACK + CLIP + STEP_ + NEXT + "return loss",
            "You returned the Tensor. Whoever keeps it keeps the whole graph of this step alive; "
            "return its value as a float.",
        ),
    ),
)  # fmt: skip
