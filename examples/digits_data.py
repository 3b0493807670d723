"""The bundled handwritten digits as arrays; where they come from stands in data/README.md."""

from __future__ import annotations

from pathlib import Path

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np

FILE = Path(__file__).parent / "data" / "digits.csv.gz"
TEST_SIZE = 360


def read() -> tuple[np.ndarray, np.ndarray]:
    """All 1,797 digits: pixels (1797, 64), float32 from 0 to 1, and labels (1797,), int64."""
    table = np.loadtxt(FILE, delimiter=",", dtype=np.int64)
    return (table[:, :64] / 16).astype(np.float32), table[:, 64]


def split(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pixels and labels to train on (1,437), then pixels and labels to test on (360).

    The file is ordered by writer, so the digits are mixed before they are divided.
    """
    pixels, labels = read()
    order = np.random.default_rng(seed).permutation(len(labels))
    test, train = order[:TEST_SIZE], order[TEST_SIZE:]
    return pixels[train], labels[train], pixels[test], labels[test]
