"""Find a missing definition, or a stub, that was written by another name or in another place."""

from __future__ import annotations

from ..course.package import module_of
from ..reason import Reason, because

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from ..sandbox.observation import Definition

CLOSE = 0.8  # `difflib` ratio from which one name may be meant for another
CLOSE_ATTRIBUTE = 0.7  # … of attributes: `gard` and `grad` have 0.75


def find_misplaced(
    target: str, definitions: Mapping[str, Definition], ours: Container[str]
) -> Reason | None:
    """Return where a missing definition or stub was written instead; None if it was not.

    Args:
        ours: the course's definitions. `forward_mode.exp` is a stub, and `ops.exp` came with the
            course: nobody has written `exp` in the wrong file.
    """
    written = {name: d for name, d in definitions.items() if not d.stub and name not in ours}
    modules = map(module_of, {d.file for d in definitions.values()})
    around = [name for name in modules if target.startswith(f"{name}.")]
    module = max(around, key=len, default=target.partition(".")[0])
    path = target[len(module) + 1 :]
    holder, _, short = path.rpartition(".")
    stub = definitions.get(target)
    if stub is not None and stub.before:
        return because("twice", path, stub.file, stub.before, stub.first)
    for name, found in written.items():
        theirs, place = name[len(module_of(found.file)) + 1 :], (found.file, found.first)
        if module_of(found.file) == module and holder and theirs == short:
            return because("outside_class", short, *place, holder)
        if module_of(found.file) == module and not holder and theirs.endswith(f".{short}"):
            return because("inside_class", short, *place, theirs.partition(".")[0])
        if theirs == path:
            file = module.replace(".", "/") + ".py"
            return because("other_file", path, *place, file)
    return _find_misspelt(target, path, definitions, written)


def _find_misspelt(
    target: str, path: str, definitions: Mapping[str, Definition], written: Mapping[str, Definition]
) -> Reason | None:
    """Name a similar method of the class; without such a class, a similar one with this method."""
    import difflib

    holder, _, wanted = target.rpartition(".")
    mine = {n.rpartition(".")[2]: d for n, d in written.items() if n.rpartition(".")[0] == holder}
    cutoff = CLOSE
    if not any(name.startswith(f"{holder}.") for name in definitions):
        around, end = holder.rpartition(".")[0] + ".", f".{wanted}"
        found = [n.removesuffix(end) for n in written if n.startswith(around) and n.endswith(end)]
        mine = {name.rpartition(".")[2]: definitions[name] for name in found if name in definitions}
        wanted, cutoff = holder.rpartition(".")[2], CLOSE_ATTRIBUTE
    alike = {name.lower(): name for name in mine}
    near = difflib.get_close_matches(wanted.lower(), alike, n=1, cutoff=cutoff)
    if not near:
        return None
    name = alike[near[0]]
    kind = "misspelt_stub" if target in definitions else "misspelt"
    return because(kind, path, name, mine[name].file, mine[name].first, wanted)
