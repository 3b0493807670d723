"""Transforms: an image in, an image of the same shape out."""

from grader.course import Exercise, Mistake

NORMALIZE = Exercise(
    "chapter6.normalize",
    section="6.8",
    targets=("data.Normalize.__call__",),
    points=1,
    minutes=3,
    hints=(
        "Take the mean away, then divide by the spread.",
        "One number per channel: the channel is the last axis, so broadcasting finds it for you. "
        "`np.asarray` turns a list into an array.",
    ),
    mistakes=(
        Mistake(
            "mean-not-taken-away", "return image / np.asarray(self.std)",
            "You divided by the spread, but the values are not centred: take the mean away first.",
        ),
        Mistake(
            "spread-taken-off-the-image-only",
            "return image - np.asarray(self.mean) / np.asarray(self.std)",
            "Without parentheses only the mean is divided by the spread.",
        ),
        Mistake(
            "own-statistics", "return (image - image.mean()) / image.std()",
            "You used the mean and spread of this one image. The same two numbers, those of the "
            "whole training set, serve every image.",
        ),
        Mistake(
            "undone", "return image * np.asarray(self.std) + np.asarray(self.mean)",
            "This is the way back, from normalised values to grey values.",
        ),
        Mistake(
            "multiplied", "return (image - np.asarray(self.mean)) * np.asarray(self.std)",
            "You multiplied by the spread; dividing by it makes the spread 1.",
        ),
        Mistake(
            "in-place",
            "image -= np.asarray(self.mean)\nimage /= np.asarray(self.std)\nreturn image",
            "You wrote into the caller's image. It belongs to the data set, and the next epoch "
            "would normalise it once more.",
        ),
    ),
)  # fmt: skip

FLIP = Exercise(
    "chapter6.flip",
    section="6.8",
    targets=("data.RandomFlipHorizontal.__call__",),
    points=1,
    minutes=5,
    hints=(
        "`np.random.random()` lies between 0 and 1. How often is it below p?",
        "The columns are axis 1. A slice with step -1 runs backwards.",
    ),
    mistakes=(
        Mistake(
            "upside-down",
            "return image[::-1] if np.random.random() < self.p else image",
            "You turned the rows around: the image stands on its head. Left and right are the "
            "columns.",
        ),
        Mistake(
            "always", "return image[:, ::-1]",
            "You flip every image, whatever p is.",
        ),
        Mistake(
            "reversed-probability",
            "return image[:, ::-1] if np.random.random() > self.p else image",
            "You flip with probability 1 - p: the draw is below p as often as p says.",
        ),
        Mistake(
            "coin-toss",
            "return image[:, ::-1] if np.random.randint(2) else image",
            "You toss a fair coin and never ask for p.",
        ),
        Mistake(
            "channels-reversed",
            "return image[:, :, ::-1] if np.random.random() < self.p else image",
            "You turned the channels around, not the columns: the colours change places.",
        ),
        Mistake(
            "each-row-on-its-own",
            "turned = np.random.random((image.shape[0], 1, 1)) < self.p\n"
            "return np.where(turned, image[:, ::-1], image)",
            "You draw for every row. One draw decides for the whole image.",
        ),
    ),
)  # fmt: skip

FRAME = "p = self.padding\nframed = np.pad(image, ((p, p), (p, p), (0, 0)))\n"
CUT = "return framed[top : top + image.shape[0], left : left + image.shape[1]]"

CROP = Exercise(
    "chapter6.crop",
    section="6.8",
    targets=("data.RandomCrop.__call__",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "`np.pad` takes a pair (before, after) per axis. The channels get no padding.",
        "The framed image has `2 * padding` rows more than the image. Where can the cut begin, at "
        "the earliest and at the latest?",
        "`np.random.randint(low, high)` never gives `high` itself.",
    ),
    mistakes=(
        Mistake(
            "last-place-left-out",
            f"{FRAME}top, left = np.random.randint(0, max(1, 2 * p), size=2)\n{CUT}",
            "Your cut never begins at the last place: `randint` leaves its upper bound out.",
        ),
        Mistake(
            "one-direction",
            f"{FRAME}top, left = np.random.randint(0, p + 1, size=2)\n{CUT}",
            "Your cut begins between 0 and padding, so that the image only ever moves down and to "
            "the right.",
        ),
        Mistake(
            "same-shift-twice",
            f"{FRAME}top = left = np.random.randint(0, 2 * p + 1)\n{CUT}",
            "You drew once and used it down and across: the image only moves along the diagonal.",
        ),
        Mistake(
            "rolled",
            "p = self.padding\ndown, across = np.random.randint(-p, p + 1, size=2)\n"
            "return np.roll(image, (down, across), axis=(0, 1))",
            "What leaves the image on one side comes in again on the other. Zeros should come in.",
        ),
        Mistake(
            "not-cut",
            "p = self.padding\nreturn np.pad(image, ((p, p), (p, p), (0, 0)))",
            "You returned the framed image. Cut a piece of the image's own shape out of it.",
        ),
        Mistake(
            "channels-framed",
            "p = self.padding\nframed = np.pad(image, p)\n"
            f"top, left = np.random.randint(0, 2 * p + 1, size=2)\n{CUT}",
            "`np.pad` with a single number frames every axis, the channels too.",
        ),
        Mistake(
            "edge-repeated",
            "p = self.padding\nframed = np.pad(image, ((p, p), (p, p), (0, 0)), mode='edge')\n"
            f"top, left = np.random.randint(0, 2 * p + 1, size=2)\n{CUT}",
            "Your frame repeats the border of the image. Zeros were asked for.",
        ),
        Mistake(
            "no-shift", f"{FRAME}top = left = p\n{CUT}",
            "You cut exactly the image out again: nothing is random.",
        ),
    ),
)  # fmt: skip
