"""Transforms: an image in, an image of the same shape out."""

from grader.course import body, edit, exercise


@exercise(
    "chapter6.normalize", targets=("data.Normalize.__call__",), points=1, minutes=3, difficulty=1
)
class NORMALIZE:
    """Take the mean away, then divide by the spread.

    One number per channel: the channel is the last axis, so broadcasting finds it for you.
    `np.asarray` turns a list into an array.
    """

    mean_not_taken_away = body("return image / np.asarray(self.std)")
    """You divided by the spread, but the values aren't centred: take the mean away first."""

    spread_taken_off_the_image_only = body(
        "return image - np.asarray(self.mean) / np.asarray(self.std)"
    )
    """Without parentheses only the mean is divided by the spread."""

    own_statistics = body("return (image - image.mean()) / image.std()")
    """You used the mean and spread of this one image. The same two numbers, those of the whole
    training set, serve every image."""

    undone = body("return image * np.asarray(self.std) + np.asarray(self.mean)")
    """This is the way back, from normalised values to grey values."""

    multiplied = body("return (image - np.asarray(self.mean)) * np.asarray(self.std)")
    """You multiplied by the spread; dividing by it makes the spread 1."""

    def in_place(self, image):
        """You wrote into the caller's image. It belongs to the data set, and the next epoch would
        normalise it once more."""
        image -= np.asarray(self.mean)
        image /= np.asarray(self.std)
        return image


@exercise("chapter6.flip", targets=("data.RandomFlipHorizontal.__call__",), points=1, difficulty=1)
class FLIP:
    """`np.random.random()` lies between 0 and 1. How often is it below p?

    The columns are axis 1. A slice with step -1 runs backwards.
    """

    upside_down = edit(":, ", "")
    """You flipped the rows: the image is upside down. Left and right are the columns."""

    always = body("return image[:, ::-1]")
    """You flip every image, whatever p is."""

    reversed_probability = edit("<", ">")
    """You flip with probability 1 - p: the draw is below p as often as p says."""

    coin_toss = edit("random() < self.p", "randint(2)")
    """You toss a fair coin and never ask for p."""

    channels_reversed = edit(":,", ":, :,")
    """You flipped the channels, not the columns: the colours are swapped."""

    def each_row_on_its_own(self, image):
        """You draw for every row. One draw decides for the whole image."""
        turned = np.random.random((image.shape[0], 1, 1)) < self.p
        return np.where(turned, image[:, ::-1], image)


@exercise("chapter6.crop", targets=("data.RandomCrop.__call__",), points=2, minutes=10)
class CROP:
    """`np.pad` takes a pair (before, after) per axis. The channels get no padding.

    The framed image has `2 * padding` rows more than the image. Where can the cut begin, at the
    earliest and at the latest?

    `np.random.randint(low, high)` never gives `high` itself.
    """

    def _plain(self, image):
        p = self.padding
        framed = np.pad(image, ((p, p), (p, p), (0, 0)))
        top, left = np.random.randint(0, 2 * p + 1, size=2)
        return framed[top : top + image.shape[0], left : left + image.shape[1]]

    last_place_left_out = edit("2 * p + 1", "max(1, 2 * p)", of=_plain)
    """Your cut never begins at the last place: `randint` leaves its upper bound out."""

    one_direction = edit("2 * ", "", of=_plain)
    """Your cut begins between 0 and padding, so the image only ever moves down and to the right."""

    same_shift_twice = edit(("top,", "top ="), ("1, size=2", "1"), of=_plain)
    """You drew once and used it down and across: the image only moves along the diagonal."""

    def rolled(self, image):
        """What leaves the image on one side comes in again on the other. Zeros should come in."""
        p = self.padding
        down, across = np.random.randint(-p, p + 1, size=2)
        return np.roll(image, (down, across), axis=(0, 1))

    def not_cut(self, image):
        """You returned the framed image. Cut a piece of the image's own shape out of it."""
        p = self.padding
        return np.pad(image, ((p, p), (p, p), (0, 0)))

    channels_framed = edit("((p, p), (p, p), (0, 0))", "p", of=_plain)
    """`np.pad` with a single number frames every axis, the channels too."""

    edge_repeated = edit(
        "((p, p), (p, p), (0, 0))", '((p, p), (p, p), (0, 0)), mode="edge"', of=_plain
    )
    """Your frame repeats the border of the image. Fill it with zeros."""

    no_shift = edit(
        "top, left = np.random.randint(0, 2 * p + 1, size=2)", "top = left = p", of=_plain
    )
    """You cut exactly the image out again: nothing is random."""
