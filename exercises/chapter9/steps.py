"""One step on one batch: `Trainer.train_step`."""

from grader.course import Exercise, Mistake

ZERO = "self.optimizer.zero_grad()\n"
LOSS = "loss = self.loss_fn(self.model(x), y)\n"
BACK = "loss.backward()\n"
STEP = "self.optimizer.step()\n"
RETURN = "return float(loss.data.item())"

TRAIN_STEP = Exercise(
    "chapter9.train_step",
    section="9.1",
    targets=("trainer.Trainer.train_step",),
    points=2,
    minutes=8,
    hints=(
        "Five things: forget the old gradients, go forward, measure the loss, go backward, step.",
        "`backward` adds to what is there. So when do the old gradients have to be gone? And what "
        "does `step` need?",
        "The loss is a Tensor with a single value. `.data` holds it as an array, and `.item()` "
        "makes a plain number of an array with one value.",
    ),
    mistakes=(
        Mistake(
            "zero-grad-forgotten", LOSS + BACK + STEP + RETURN,
            "You never forget the gradients, so every step also uses those of all steps before it.",
        ),
        Mistake(
            "zero-grad-between", LOSS + BACK + ZERO + STEP + RETURN,
            "You forget the gradients between `backward` and `step`: the optimizer finds none "
            "left.",
        ),
        Mistake(
            "step-before-backward", ZERO + LOSS + STEP + BACK + RETURN,
            "You step before the gradients are there. First backward, then step.",
        ),
        Mistake(
            "step-forgotten", ZERO + LOSS + BACK + RETURN,
            "The gradients are worked out, but nobody uses them: the optimizer never steps.",
        ),
        Mistake(
            "backward-forgotten", ZERO + LOSS + STEP + RETURN,
            "The optimizer steps without gradients: nobody called `backward`.",
        ),
        Mistake(
            "two-steps", ZERO + LOSS + BACK + STEP + STEP + RETURN,
            "The optimizer steps twice with the same gradients.",
        ),
        Mistake(
            "keeps-the-graph", ZERO + LOSS + BACK + STEP + "return loss",
            "You returned the Tensor. Whoever keeps it keeps the whole graph of this step alive; "
            "return its value as a float.",
        ),
        Mistake(
            "loss-after-the-step",
            ZERO + LOSS + BACK + STEP + "return float(self.loss_fn(self.model(x), y).data.item())",
            "You measured the loss a second time, after the step. The loss of the step is the one "
            "that you went backward from.",
        ),
        Mistake(
            "in-evaluation-mode",
            "self.model.eval()\n" + ZERO + LOSS + BACK + STEP + RETURN,
            "You put the model into evaluation mode before you train it: Dropout and BatchNorm "
            "would not do their work.",
        ),
    ),
)  # fmt: skip
