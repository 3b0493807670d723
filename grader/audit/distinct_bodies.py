"""Theorem 10: a mistake or a variant is another body than the reference's.

One that left the reference as it is would prove nothing, and no other theorem would see it. That a
body reaches the package which is judged, `Course.patched` itself makes sure of.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping

from ..course.syntax_tree import parse
from ..errors import OurFault
from .proof import Problem, Proof, target_of

MEND = "write a body that differs, or take it out"


def bodies_are_applied(proof: Proof) -> Iterator[Problem]:
    """Every mistake, and every target of a variant."""
    for exercise, mistake in proof.mistakes():
        where = f"{exercise.id}: {mistake.name}"
        yield from unapplied(proof, where, {target_of(exercise, mistake): mistake.body})
    for chapter in proof.chapters:
        for variant in chapter.variants:
            where = f"{chapter.id}: {variant.name}"
            yield from unapplied(proof, where, variant.bodies)
            try:
                proof.course.patched(dict(variant.bodies))
            except OurFault as error:
                yield Problem(where, str(error), MEND)


def unapplied(proof: Proof, where: str, bodies: Mapping[str, str]) -> Iterator[Problem]:
    """Which of these bodies would leave the reference as it is."""
    for target, body in bodies.items():
        region = proof.course.regions.get(target)
        if region is None:
            yield Problem(where, f"{target} has no solution region", MEND)
        elif _same(body, region.body):
            yield Problem(where, f"its body of {target} is the reference's", MEND)


def _same(one: str, other: str) -> bool:
    """Whether two bodies are the same but for comments and white space."""
    return ast.dump(parse(textwrap.dedent(one))) == ast.dump(parse(textwrap.dedent(other)))
