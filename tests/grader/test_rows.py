"""Drawn inputs are friendly, differ from one another, and are the same for one seed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.rows import (
    DISTINCT,
    POSITIVE,
    PUBLIC_SEED,
    REAL,
    SMALL,
    number_for,
    rng_for,
    shapes_for,
    sizes_for,
    start_for,
)

from .examples import SOME

SEEDS = st.integers(0, 10**6).map(lambda n: f"seed {n}")


@SOME
@given(seed=SEEDS, shape=st.lists(st.integers(0, 4), max_size=3).map(tuple))
@pytest.mark.parametrize("domain", [REAL, POSITIVE, SMALL, DISTINCT])
def test_values_lie_in_their_domain_and_keep_away_from_1(domain, seed, shape):
    found = domain.draw(rng_for(seed, "x"), shape)
    assert found.shape == shape and found.dtype == "float64"
    sizes = np.abs(found).ravel()
    assert ((sizes >= domain.low) & (sizes <= domain.high) & (sizes != 1)).all()
    assert all(a != b for a, b in pairwise(sizes))
    signs = np.sign(found.ravel())
    assert (signs > 0).all() if not domain.signed else (signs[1:] == -signs[:-1]).all()
    np.testing.assert_array_equal(found, domain.draw(rng_for(seed, "x"), shape))


@SOME
@given(seed=SEEDS)
def test_distinct_values_never_tie(seed):
    sizes = np.abs(DISTINCT.draw(rng_for(seed, "x"), (5, 8))).ravel()
    assert len(set(sizes)) == sizes.size and (sizes * 8 == np.round(sizes * 8)).all()
    with pytest.raises(ValueError, match="[Ss]ample larger"):
        DISTINCT.magnitudes(rng_for(seed, "x"), 10_000)


@SOME
@given(seed=SEEDS)
def test_sizes_of_a_secret_seed_are_larger_all_different_and_its_own(seed):
    assert sizes_for(PUBLIC_SEED, "x", 3, 5) == (3, 5)
    found = sizes_for(seed, "x", 3, 5, 4)
    assert len(set(found)) == 3 and min(found) > 5 and found == sizes_for(seed, "x", 3, 5, 4)


@SOME
@given(seed=SEEDS)
def test_in_shapes_what_was_equal_stays_so_and_0_and_1_stay(seed):
    one, other = shapes_for(seed, "x", (2, 1, 3), (3, 0))
    assert one[1] == 1 and other[1] == 0 and one[2] == other[0] != one[0]
    assert shapes_for(PUBLIC_SEED, "x", (2, 3)) == [(2, 3)]
    assert shapes_for(seed, "x", (1, 0)) == [(1, 0)]


@SOME
@given(seed=SEEDS)
def test_settings_are_the_usual_ones_for_the_public_seed_alone(seed):
    assert number_for(PUBLIC_SEED, "x", 0.9, 0.1, 0.2) == 0.9
    found = number_for(seed, "x", 0.9, 0.1, 0.2)
    assert 0.1 <= found <= 0.2 and round(found, 3) == found
    assert 0 <= start_for(seed, "x") < 2**31


def test_every_probe_has_a_stream_of_its_own():
    assert len({rng_for(s, n).random() for s in "ab" for n in "ab"}) == 4
