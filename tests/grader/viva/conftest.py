"""One package, and one lot of questions about it, for all tests of the folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exercises.chapter3.variants import OTHER_ALGEBRA
from grader.sandbox.launch import ForkServer

from .asked import Asked, asked_about, package_of, written

IDS = [
    f"chapter3.{name}"
    for name in (
        "transpose.forward", "summation.forward", "sigmoid.forward", "mul.backward", "div.backward",
        "div.operator", "summation.backward", "matmul.backward", "backward", "broadcasting",
        "bughunt.mend",
    )
]  # fmt: skip
COUNT = 30


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    with ForkServer() as shared:
        yield shared


@pytest.fixture(scope="session")
def asked(fork_server: ForkServer) -> Asked:
    """Questions about some exercises, written in another way than the reference."""
    package = package_of(OTHER_ALGEBRA.bodies)
    return asked_about(package, "chapter3", fork_server.fork, IDS, COUNT)


@pytest.fixture
def check(grader):
    """Return a function for the statuses that `grader check` gives exercises of these files."""

    def statuses(files, ids, folder):
        return grader("check", *ids, "--json", "--package", written(files, folder)).statuses()

    return statuses
