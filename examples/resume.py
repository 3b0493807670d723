"""Stops a training run, resumes it in a new Python, and reaches the same numbers to the last bit.

Chapters 2 to 6 and 8 at once: handwritten digits, a network with dropout and running statistics,
Adam with a falling learning rate, a loader that shuffles. The training runs once without a break.
Then it runs again, is stopped half way and saved into one file; a second Python process, which
knows nothing but that file, finishes it. At last it is continued without one part of the file after
another, to see what each is there for.

    python examples/resume.py --package path/to/your/babygrad
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import digits_data
import numpy as np
import pictures
from package import load, run

EPOCHS = 6
BATCH = 32
LEARNING_RATE = 0.005
# What a continued training is without: its label, and how the names in the file begin.
WITHOUT = {
    "nothing": "-",
    "the model": "model.",
    "the random state": "chance.",
    "the optimizer": "optimizer.",
    "its step counts only": "optimizer.steps.",
    "the running statistics": "model.layers.1.running_",
    "the place in the schedule": "progress.t",
}

HEAD = f"""
{"":26}{"new digits":>12}{"loss of the":>12}{"in the end":>12}
{"continued without …":26}{"right now":>12}{"next epoch":>12}{"weights by":>12}"""

State = dict[str, np.ndarray]


class Training:
    """Everything that a training consists of; ``epoch`` says how far it has come."""

    def __init__(self, seed: int, epochs: int) -> None:
        from babygrad import nn, optim
        from babygrad.data import ArrayDataset, DataLoader

        pixels, labels, self.test_pixels, self.test_labels = digits_data.split(seed)
        pixels = pixels.astype(np.float32)
        self.loader = DataLoader(ArrayDataset(pixels, labels), batch_size=BATCH, shuffle=True)
        self.model = nn.Sequential(
            nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10)
        )
        self.loss_fn = nn.SoftmaxLoss()
        self.optimizer = optim.Adam(self.model.parameters(), lr=LEARNING_RATE)
        steps = epochs * len(self.loader)
        self.schedule = optim.Scheduler(
            self.optimizer, lambda t: optim.warmup_cosine(t, LEARNING_RATE, 10, steps)
        )
        self.epoch = 0
        self.losses: list[float] = []

    def run_to(self, epoch: int) -> Training:
        """Go on to the end of this epoch; note the mean loss of each."""
        self.model.train()
        while self.epoch < epoch:
            total = 0.0
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                self.schedule.step()
                total += float(loss.data.item()) * x.shape[0]
            self.epoch += 1
            self.losses.append(total / len(self.loader.dataset))
        return self

    def state(self) -> State:
        """All of it as one flat dict of arrays."""
        from babygrad.checkpoint import join, random_state

        progress = {"epoch": self.epoch, "t": self.schedule.t, "losses": self.losses}
        return join(
            model=self.model.state_dict(),
            optimizer=self.optimizer.state_dict(),
            chance=random_state(),
            progress={name: np.array(value) for name, value in progress.items()},
        )

    def take_over(self, state: State) -> Training:
        """Become the training that this state was taken from."""
        from babygrad.checkpoint import part_of, set_random_state

        self.model.load_state_dict(part_of(state, "model"))
        self.optimizer.load_state_dict(part_of(state, "optimizer"))
        set_random_state(part_of(state, "chance"))
        progress = part_of(state, "progress")
        self.epoch, self.schedule.t = int(progress["epoch"]), int(progress["t"])
        self.losses = progress["losses"].tolist()
        return self

    def accuracy(self) -> float:
        """The share of the test digits that are read right."""
        from babygrad import Tensor

        self.model.eval()
        scores = self.model(Tensor(self.test_pixels, requires_grad=False)).data
        self.model.train()
        return float((scores.argmax(axis=1) == self.test_labels).mean())


def main() -> int:
    options = arguments()
    bg = load(options.package)
    if options.finish:
        return second_day(options)
    half = options.epochs // 2
    print(f"{bg.__file__}: {options.epochs} epochs on digits, a break after {half}", flush=True)
    np.random.seed(options.seed)
    whole = Training(options.seed, options.epochs).run_to(options.epochs)
    end, right = whole.state(), whole.accuracy()
    print(f"without a break: loss {whole.losses[-1]:.4f}, {right:.1%} of new digits right")
    np.random.seed(options.seed)
    first = Training(options.seed, options.epochs).run_to(half).state()
    resumed = finished_elsewhere(first, options)
    apart = [name for name, array in end.items() if differs(array, resumed[name])]
    print(f"stopped, saved, finished by another process: {len(apart)} of {len(end)} arrays differ")
    print(HEAD, flush=True)
    curves = {
        label: show_without(label, start, first, whole, options) for label, start in WITHOUT.items()
    }
    print("Every part is there for something: with all of them, not one bit differs in the end.")
    print("The thick line of the picture stays at 0; the others leave it, except that of the")
    print("running statistics, which no loss in training uses.")
    pictures.save(options.plot, strayed(curves, half))
    if apart:
        print(f"Expected: no difference at all. These differ: {', '.join(apart)}.")
    return 1 if apart else 0


def second_day(options: argparse.Namespace) -> int:
    """In a process of its own: other random weights, other draws, and then the file."""
    from babygrad.checkpoint import load as read
    from babygrad.checkpoint import save

    training = another(options).take_over(read(options.finish)).run_to(options.epochs)
    save(training.state(), options.finish)
    return 0


def another(options: argparse.Namespace) -> Training:
    """A training as it begins on another day: its random numbers are other ones."""
    np.random.seed(options.seed + 1)
    return Training(options.seed, options.epochs)


def finished_elsewhere(state: State, options: argparse.Namespace) -> State:
    """Run from this state to the end in a second Python process; return its end state."""
    from babygrad.checkpoint import load as read
    from babygrad.checkpoint import save

    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "checkpoint.npz")
        save(state, file)
        told = [f"--{name}={getattr(options, name)}" for name in ("package", "epochs", "seed")
                if getattr(options, name) is not None]  # fmt: skip
        command = [sys.executable, __file__, *told, "--finish", file]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit("The second process did not finish; what it said stands above.")
        return read(file)


def differs(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether a single bit does: NaN is like NaN, and 0.0 is not like -0.0."""
    return one.dtype != other.dtype or one.shape != other.shape or one.tobytes() != other.tobytes()


def show_without(
    label: str, start: str, state: State, whole: Training, options: argparse.Namespace
) -> list[float]:
    """Continue with everything but the names that begin like this; the losses of all epochs."""
    training = another(options)
    new = {name: array for name, array in training.state().items() if name.startswith(start)}
    training.take_over({**state, **new})
    at_once = training.accuracy()
    training.run_to(options.epochs)
    pairs = zip(whole.model.parameters(), training.model.parameters(), strict=True)
    change = max(float(np.abs(one.data - other.data).max()) for one, other in pairs)
    loss = training.losses[options.epochs // 2]
    print(f"{label:26}{at_once:12.1%}{loss:12.4f}{change:12.4f}", flush=True)
    return training.losses


def strayed(curves: dict[str, list[float]], half: int) -> pictures.Panel:
    """Draw how far each loss is from that without a break: a line for each part left out."""

    def draw(axes) -> None:
        whole = np.array(curves["nothing"])
        for label, losses in curves.items():
            if label != "the model":  # without it, everything is far off, and hides the others
                apart = np.array(losses) - whole
                axes.plot(range(half, len(whole) + 1), apart[half - 1 :], label=label,
                          linewidth=4 if label == "nothing" else 1.5)  # fmt: skip
        axes.set(xlabel="epoch", ylabel="loss, minus that without a break",
                 title=f"stopped after epoch {half}, continued without …")  # fmt: skip
        axes.legend()

    return draw


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", metavar="DIR", help="where your babygrad is (default: here)")
    parser.add_argument("--epochs", type=int, default=6, help="in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default: 0)")
    pictures.options(parser, "resume")
    parser.add_argument("--finish", metavar="FILE", help="only go on from this checkpoint")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
