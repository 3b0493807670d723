"""Programs for chapter 6: transforms of images, and points that are made up."""

import numpy as np

from .harness import POOL, Complaint, array_of, ask_first, distinct, text, unlike


def normalized(bg, image, mean, std):
    """Normalize gives (image - mean) / std."""
    mine = POOL.array(image)
    transform, _ = POOL.take(repr((mean, std)), lambda: bg.data.Normalize(mean, std))
    ask_first(transform, mine.astype("float32"))  # what is made of it is for that one alone
    value = array_of(transform(mine), "Normalize")
    return {"value": [value], "image": [mine]}


def flip(bg, image, p, times):
    """RandomFlipHorizontal with p = {p} gives each of its images as it should."""
    np.random.seed(times)
    transform = bg.data.RandomFlipHorizontal(p)
    results = (transform(image * (number + 1)) for number in range(times))
    return [np.array(array_of(result, "RandomFlipHorizontal")) for result in results]


def flips(bg, image, p, times):
    """RandomFlipHorizontal flips with probability p."""
    np.random.seed(times)
    transform = bg.data.RandomFlipHorizontal(p)
    turned = image[:, ::-1]
    happened = np.zeros(times)
    mine = image.copy()
    for i in range(times):
        result = array_of(transform(mine), "RandomFlipHorizontal")
        if not np.array_equal(mine, image):
            return {"happened": [happened], "kept": [np.array(False)]}
        happened[i] = np.array_equal(result, turned)
        if not happened[i] and not np.array_equal(result, image):
            raise Complaint("RandomFlipHorizontal returned neither the image nor its mirror image.")
    return {"happened": [happened], "kept": [np.array(True)]}


def crop(bg, image, padding):
    """RandomCrop with padding {padding} gives an image of the same shape."""
    np.random.seed(padding)
    mine = POOL.array(image)
    transform, _ = POOL.take(("RandomCrop", padding), lambda: bg.data.RandomCrop(padding))
    value = array_of(transform(mine), "RandomCrop")
    return {"value": [np.array(value)], "image": [mine]}


def cuts(bg, image, padding, times):
    """RandomCrop cuts an image out of its frame of zeros, anywhere in it."""
    np.random.seed(times)
    transform = bg.data.RandomCrop(padding)
    framed = np.pad(image, ((padding, padding), (padding, padding), (0, 0)))
    rows, columns = image.shape[:2]
    places = {
        framed[top : top + rows, left : left + columns].tobytes(): (top, left)
        for top in range(2 * padding + 1)
        for left in range(2 * padding + 1)
    }
    found = np.zeros((times, 2))
    for i in range(times):
        result = array_of(transform(image.copy()), "RandomCrop")
        if result.shape != image.shape:
            raise Complaint(f"RandomCrop made {result.shape} of an image of shape {image.shape}.")
        place = places.get(np.ascontiguousarray(result, dtype=image.dtype).tobytes())
        if place is None:
            raise Complaint("RandomCrop returned something that cannot be cut out of the frame.")
        found[i] = place
    down, across = found.T
    return {
        "places": [found.ravel()],
        "equal": [(down == across).astype(float)],
        "reached": [np.array([down.min(), down.max(), across.min(), across.max()])],
    }  # fmt: skip


def gap(bg, image, padding, times):
    """RandomCrop moves zeros in beside the image."""
    np.random.seed(times)
    transform = bg.data.RandomCrop(padding)
    zeros = repeated = moved = False
    for _ in range(times):
        values = array_of(transform(image.copy()), "RandomCrop").ravel()
        moved = moved or not np.array_equal(values, image.ravel())
        inked = values[values != 0]
        zeros = zeros or len(inked) < len(values)
        repeated = repeated or len(set(inked.tolist())) < len(inked)
    return [np.array([zeros, repeated, moved])]


def pair(made, maker):
    """Points and labels, as two arrays."""
    if not isinstance(made, (tuple, list)) or len(made) != 2:
        raise unlike(made, f"{maker} returned", "points and labels were expected")
    return [array_of(value, maker) for value in made]


def kinds(*pairs):
    """The dtypes of points and labels, which should be the same in all of these pairs."""
    told = {f"points of {made.dtype}, labels of {labels.dtype}" for made, labels in pairs}
    return [text(" and ".join(sorted(told)))]


def points(bg, maker, options):
    """{maker} without noise gives the points and labels of the formula."""
    make = getattr(bg.data, maker)
    ask_first(make, **{name: number + 1 for name, number in options.items()}, noise=0.0)
    both, is_still = watched(make, **options, noise=0.0)
    made, labels = pair(both, maker)
    return {
        "points": [made],
        "labels": [labels],
        "dtypes": kinds((made, labels)),
        "stream": [np.array(is_still)],
    }


def watched(make, **options):
    """Points and labels, and whether NumPy's global stream stays where it is meanwhile."""
    np.random.seed(7)
    made = make(**options)
    after = np.random.random()
    np.random.seed(7)
    return made, after == np.random.random()


def scatter(bg, maker, options, noise):
    """{maker} adds normal noise of the right size to every coordinate."""
    np.random.seed(options["n"])  # not what it should draw from, and still the same every time
    clean, labels = pair(getattr(bg.data, maker)(**options, noise=0.0), maker)
    both, is_still = watched(getattr(bg.data, maker), **options, noise=noise)
    noisy, same = pair(both, maker)
    if noisy.shape != clean.shape:
        raise Complaint(f"{maker} made {clean.shape} without noise, but {noisy.shape} with it.")
    drawn = np.round(noisy - clean, 6)  # float32 holds about so many digits of it
    return {
        "own": [np.array(distinct(drawn).size > 0.9 * drawn.size)],
        "noise": [np.asarray(noisy - clean, np.float64).ravel()],
        "apart": [np.asarray(noisy - clean, np.float64) @ np.array([1.0, -1.0])],
        "labels": [np.array(np.array_equal(labels, same))],
        "dtypes": kinds((clean, labels), (noisy, same)),
        "stream": [np.array(is_still)],
    }


def seeds(bg, maker, options, one, two, defaults):
    """{maker} gives the same points for the same seed, and others for another."""
    np.random.seed(options["n"])
    make = getattr(bg.data, maker)
    drawn = [pair(make(**options, seed=seed), maker) for seed in (one, one, two)]
    first, again, other = (made for made, _ in drawn)
    # As numbers of NumPy, which no memory of other calls takes for the defaults.
    defaults = {name: np.asarray(value)[()] for name, value in defaults.items()}
    usual, named, clean = (
        pair(make(**each), maker) for each in ({}, defaults, {**options, "noise": 0.0})
    )
    single = {"n": 1, "classes": 1} if maker == "make_spiral" else {"n": 1}
    alone = [pair(make(**single, noise=each, seed=one), maker) for each in (0.0, 0.5)]
    near = [np.array_equal(labels, clean[1]) for _, labels in drawn]
    near += [np.abs(made - clean[0]).max() < 0.6 for made, _ in drawn]  # six times the noise
    return {
        "value": [np.array([np.array_equal(first, again), not np.array_equal(first, other)])],
        "stream": [np.array([drawn_from(one, *alone), untouched(make, options, one, two)])],
        "defaults": [np.array([np.array_equal(*both) for both in zip(usual, named)])],  # noqa: B905
        "near": [np.array(near)],
        "labels": [labels for _, labels in alone],
        "dtypes": kinds(*drawn, usual, named, *alone),
    }


def drawn_from(seed, clean, noisy):
    """Whether the noise of a single point is what a generator of this seed draws, up to its sign.

    Of more points, who draws in which order is the learner's choice.
    """
    found = np.sort(np.abs(np.asarray(noisy[0] - clean[0], np.float64)).ravel())
    right = np.sort(np.abs(np.random.default_rng(seed).normal(0, 0.5, 2)))
    return found.shape == right.shape and np.allclose(found, right, atol=1e-5)


def untouched(make, options, one, two):
    """Whether the global stream stays where it is, whatever the seed."""
    return all(watched(make, **options, seed=seed)[1] for seed in (one, two))
