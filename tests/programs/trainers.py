"""Programs for chapter 9: the trainer, with a model, an optimizer and a loss of the course's own.

The toy is a linear classifier that works out its gradient by itself, so that nothing here leans
on the learner's modules, losses or optimizers. In training mode its scores are halved, so that
the numbers tell which mode it was in.
"""

import contextlib
import io

import numpy as np

from .harness import POOL, Complaint, as_far, ask_first, halved_first, leaf, unlike

# A later step may be wrong where the first is right.
MEANS = {
    "nothing_to_evaluate": {"not_so": {"value": "Nothing was raised; a ValueError was expected."}},
    "stepped": {"calls": {"weights": "weights"}},
}


class Toy:
    """Model and optimizer in one: scores = x @ w, gradients that add up until they are zeroed."""

    def __init__(self, bg, w, lr):
        self.bg, self.lr, self.loss_dtype = bg, lr, "float64"
        self.begin(w)

    def begin(self, w):
        """As if nobody had asked it for anything."""
        self.w = np.array(w)
        self.gradient = np.zeros_like(self.w)
        self.train()
        # A package may keep float32 only; then what it was given was no more exact than that.
        self.dtype = leaf(self.bg, self.w).data.dtype
        self.modes, self.in_order = [], []
        self.cleared, self.backwards, self.steps = 0, 0, 0

    def __call__(self, x):
        self.modes.append(self.mode)
        self.x = np.asarray(x.data if isinstance(x, self.bg.Tensor) else x)
        return leaf(self.bg, self.x @ self.w * self.scale)

    def exact(self, values):
        """Values that the package had a part in, in the dtype in which it calculates."""
        return np.asarray(values, dtype=self.dtype)

    @property
    def scale(self):
        return 0.5 if self.mode else 1.0

    def train(self, mode=True):
        """Switch the mode; `training` says which one it is, and setting that switches no layer."""
        self.training = self.mode = bool(mode)
        return self

    def eval(self):
        return self.train(False)

    def parameters(self):
        return []

    def zero_grad(self):
        self.cleared += 1
        self.gradient = np.zeros_like(self.w)

    def step(self):
        self.steps += 1
        self.in_order.append(self.backwards >= self.steps)
        self.w = self.w - self.lr * self.gradient

    def loss(self, out, y):
        """Softmax cross-entropy, the mean over the batch."""
        labels = np.asarray(y.data if isinstance(y, self.bg.Tensor) else y).astype(int)
        p = np.exp(out.data - out.data.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        right = np.eye(p.shape[1])[labels]
        value = -np.log((p * right).sum(axis=1)).mean()
        gradient = self.scale * self.x.T @ (p - right) / len(labels)
        return recorded_loss(self, value, gradient)


def recorded_loss(toy, value, gradient):
    """A Tensor whose `backward` adds this gradient to the toy's."""

    class Loss(toy.bg.Tensor):
        def backward(self, grad=None):
            toy.backwards += 1
            toy.gradient = toy.gradient + gradient

    return Loss(value, dtype=toy.loss_dtype)


def loader(bg, batches):
    """Batches as a loader gives them: x and y are Tensors."""
    return [
        (leaf(bg, x, requires_grad=False), bg.Tensor(y, dtype="int64", requires_grad=False))
        for x, y in batches
    ]


def number(value, who, kinds=(int, float, np.ndarray, np.generic)):
    """A plain number; a Tensor or None is none."""
    if isinstance(value, kinds) and np.ndim(value) == 0:
        return float(value)
    raise unlike(value, f"{who} returned", "a plain number was expected")


def counted(bg, scores, labels, form):
    """correct counts the rows whose largest score is the right one."""
    y = leaf(bg, labels, requires_grad=False, dtype="int64")
    y, out = y if form == "tensor" else POOL.array(labels), leaf(bg, scores)
    halved_first([y.data if form == "tensor" else y], bg.trainer.correct, out, y)
    found = number(bg.trainer.correct(out, y), "correct")
    return {"value": [np.array(found)], "inputs": [np.array(out.data)]}


def told(bg, patience, min_delta, losses):
    """EarlyStopping({patience}, {min_delta}) says after every loss whether to stop."""
    stopper = bg.trainer.EarlyStopping(patience=patience, min_delta=min_delta)
    answers, notes = [], []
    for loss in losses:
        answers.append(stopper.update(np.nan if loss is None else loss))
        notes.append([number(stopper.best, "best"), number(stopper.waited, "waited")])
    for answer in answers:
        if not isinstance(answer, (bool, np.bool_)):
            raise unlike(answer, "update returned", "True or False was expected")
    best, waited = np.array(notes).T
    return {"value": [np.array(answers, dtype=bool)], "best": [best], "waited": [waited]}


def stepped(bg, w, batches, lr):
    """train_step moves the parameters as gradient descent does."""
    toy = Toy(bg, w, lr)
    # A number of NumPy's is no float where it is a float32; a float64 shows all digits.
    toy.loss_dtype = toy.dtype if len(batches) > 1 else "float32"
    trainer = bg.trainer.Trainer(toy, Toy(bg, w, lr), toy.loss, [], log=None)
    found, weights = [], []
    given = loader(bg, batches)
    for each in given[0]:
        halved_first([each.data], trainer.train_step, *given[0])
    trainer.optimizer = toy
    toy.begin(w)
    toy.gradient = np.ones_like(toy.w)  # of a step that came before
    for x, y in given:
        found.append(trainer.train_step(x, y))
        number(found[-1], "train_step")
        weights.append(toy.exact(toy.w))

    def losses():
        plain = [number(each, "train_step", (int, float)) for each in found]
        return {"losses": [np.array(plain, dtype=toy.loss_dtype)]}

    done = {
        "weights": weights,
        "calls": [np.array([toy.backwards, toy.steps, int(toy.cleared > 0)])],
        "order": [np.array(toy.in_order, dtype=bool)],
        "inputs": [toy.exact(x.data) for x, _ in given],
    }
    return as_far(done, ("losses",), losses)


def evaluated(bg, w, batches, where, training):
    """evaluate gives the mean loss and the share of right answers."""
    toy = Toy(bg, w, 0.5)
    toy.train(training)
    given, other = loader(bg, batches), loader(bg, batches[:1])
    own = {"own": given, "given": other, "alone": None}[where]
    trainer = bg.trainer.Trainer(toy, toy, toy.loss, other, own, log=None)
    args = () if where == "own" else (given,)
    ask_first(trainer.evaluate, other)
    halved_first([toy.w], trainer.evaluate, *args)
    toy.modes.clear()
    result = trainer.evaluate(*args)
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise unlike(result, "evaluate returned", "loss and accuracy were expected")
    return {
        "loss": [toy.exact(number(result[0], "evaluate"))],
        "accuracy": [np.array(number(result[1], "evaluate"))],
        "meanwhile": [np.array(toy.modes)],
        "mode": [np.array(toy.mode)],
        "learned": [np.array([toy.backwards, toy.steps]), toy.exact(toy.w)],
        "inputs": [toy.exact(x.data) for x, _ in given],
    }


def nothing_to_evaluate(bg, w):
    """evaluate raises ValueError where there is no loader at all."""
    toy = Toy(bg, w, 0.5)
    try:
        bg.trainer.Trainer(toy, toy, toy.loss, [], log=None).evaluate()
    except ValueError:
        return [np.array(True)]
    return [np.array(False)]


class Scripted:
    """Early stopping by script: says True at its n-th update, and notes what it was told."""

    def __init__(self, stop_at):
        self.stop_at, self.heard = stop_at, []

    def update(self, loss):
        self.heard.append(number(loss, "the loss given to update"))
        return len(self.heard) >= self.stop_at


class Turning:
    """A loader whose batches come in another order each time, as after a shuffle."""

    def __init__(self, batches):
        self.batches, self.rounds = batches, 0

    def __iter__(self):
        first = self.rounds % len(self.batches)
        self.rounds += 1
        return iter(self.batches[first:] + self.batches[:first])


def with_prints(call, *args):
    """The result of a call, and the lines that it prints."""
    aside = io.StringIO()
    with contextlib.redirect_stdout(aside):
        found = call(*args)
    print(aside.getvalue(), end="")
    return found, aside.getvalue().splitlines()


def fitted(bg, w, train, val, epochs, lr, stop_at, quiet):
    """fit trains for the epochs that were asked for."""
    toy, lines = Toy(bg, w, lr), []
    stopper = None if stop_at is None else Scripted(stop_at)
    watched = None if val is None else loader(bg, val)
    log, batches = None if quiet else lines.append, Turning(loader(bg, train))
    trainer = bg.trainer.Trainer(toy, toy, toy.loss, batches, watched, log=log)
    args = () if stopper is None else (stopper,)

    def begin():
        toy.begin(w)
        toy.eval()
        batches.rounds = 0
        for each in args:
            each.heard.clear()

    said = []  # what it says where it has a log
    for other in (args, (Scripted(1),)):
        ask_first(trainer.fit, epochs, *other)
    if quiet:
        begin()
        loud = bg.trainer.Trainer(toy, toy, toy.loss, batches, watched, log=said.append)
        ask_first(loud.fit, epochs, *args)
    begin()
    lines.clear()
    history, printed = with_prints(trainer.fit, epochs, *args)
    if not isinstance(history, (list, tuple)) or not all(isinstance(e, dict) for e in history):
        raise unlike(history, "fit returned", "a list of dicts was expected")
    names = () if val is None else ("val_loss", "val_accuracy")
    lines += [line for line in printed if line in said]
    lines = [line for line in lines if isinstance(line, str) and len(line.splitlines()) == 1]
    return {
        "weights": [toy.exact(toy.w)],
        "epochs": [np.array([len(history), len(trainer.fit(0))])],  # a history of its own
        "loss": [toy.exact(column(history, "loss"))],
        "val": [toy.exact(column(history, name)) for name in names],
        "keys": [np.array(["val_loss" in entry for entry in history], dtype=bool)],
        "heard": [toy.exact(stopper.heard if stopper else [])],
        "lines": [np.array(len(lines))],
    }


def column(history, name):
    """One entry of the history, epoch by epoch."""
    for entry in history:
        if name not in entry:
            raise Complaint(f"The history of fit has no {name!r}, only {sorted(map(str, entry))}.")
    return np.array([number(entry[name], f"history[…][{name!r}]") for entry in history])
