"""Extract the public part of an answer key, without hidden checks and mark schemes; and find leaks
of these in what is handed out.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator

from ...course.key_encoding import follow_imports
from ...course.key_file import (
    ArrayStore,
    ChapterKey,
    Json,
    Key,
    gives_slice,
    read_gives,
    slice_bytes,
    table_of,
)
from ...course.key_rows import ProbeRow
from ...course.load import ALLOWED, Course
from ...course.make_key import make_in_parallel
from ...course.outline import (
    FULL,
    chapter_no,
    chapter_of,
    chapters_up_to,
    given_ids,
    of_chapters,
)
from ...course.schema import Question

ALWAYS = ("__init__", "harness")
NUMBER = 8  # bytes of one number
SHORTEST_LINE = 20  # of a mark scheme
SHORTEST = 48  # of a body that is searched for; shorter text occurs by chance
FEWEST = 3  # different numbers of an array that is searched for


def public_parts(
    key: Key, chapters: list[str], asked: list[str]
) -> tuple[Json, dict[str, bytes], dict[str, bytes]]:
    """Return the public key's contents: table, chapters' slices, slices of known mistakes.

    Args:
        asked: the chapters that do not come solved: only these need mistakes.
    """
    slices = {name: public_slice(key.chapter(name)) for name in chapters}
    ids = of_chapters(key.outline, asked)
    gives = {}
    for id, data in zip(ids, make_in_parallel(key, key.mistakes, ids), strict=True):
        place = public_probes(key.chapter(chapter_of(id)))
        gives[id] = gives_slice(
            {
                name: {place[number]: told for number, told in each.items() if number in place}
                for name, each in read_gives(data).items()
            }
        )
    return table_of(key, chapters), slices, gives


def public_slice(chapter: ChapterKey) -> bytes:
    """Return a chapter's slice without hidden checks; probes and arrays are renumbered."""
    index = dict(chapter.index)
    checks = [check for check in index["checks"] if not check["hidden"]]
    place = public_probes(chapter)
    arrays = ArrayStore()
    index["probes"] = [_probe(chapter, index["probes"][number], arrays) for number in place]
    index["checks"] = [{**c, "probes": [place[n] for n in c["probes"]]} for c in checks]
    texts: dict[str, str] = index["programs"]
    words = ("program", "predicate")
    needed = [p[word].partition(".")[0] for p in index["probes"] for word in words if word in p]
    needed += [name for name in ALWAYS if name in texts]
    index["programs"] = follow_imports(needed, texts.__getitem__)
    asked = {probe["program"] for probe in index["probes"]}
    index["means"] = {name: row for name, row in index["means"].items() if name in asked}
    # A person marks open questions by a rubric; predictions keep their answer, for self-checks.
    scheme: Json = {"rubric": [], "why": ""}
    asked_for = index["questions"]
    index["questions"] = [q if q["answer"] is not None else {**q, **scheme} for q in asked_for]
    index["unrecorded"] = []  # it may name hidden checks
    return slice_bytes(index, arrays)


def public_probes(chapter: ChapterKey) -> dict[int, int]:
    """Return probe → its number in the public key, for the probes of public checks."""
    kept = {number for c in chapter.checks if not c["hidden"] for number in c["probes"]}
    return {number: n for n, number in enumerate(sorted(kept))}


def _probe(chapter: ChapterKey, probe: Json, arrays: ArrayStore) -> Json:
    """Return a probe whose arrays are copied into another slice."""

    def parts(numbers: dict[str, list[int]]) -> dict[str, list[int]]:
        return arrays.add_parts(chapter.parts(numbers))

    def taken(value: object) -> object:
        if isinstance(value, list):
            return [taken(item) for item in value]
        if isinstance(value, dict) and "array" in value:
            return {"array": arrays.add(chapter.array(value["array"]))}
        if isinstance(value, dict):
            return {name: taken(item) for name, item in value.items()}
        return value

    return {
        **probe,
        "args": taken(probe["args"]),
        "shown": [[name, arrays.add(chapter.array(n))] for name, n in probe["shown"]],
        "answers": {oracle: parts(each) for oracle, each in probe["answers"].items()},
    }


def hidden_arrays(key: Key, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (chapter, bytes) of every array, input or answer, that only hidden checks use.

    Arrays of few or simple numbers are left out: their bytes occur elsewhere by chance.
    """
    chapters = [key.chapter(name) for name in names]
    public = b"\0".join({data for chapter in chapters for data in _of_checks(chapter, False)})
    for chapter in chapters:
        for data in _of_checks(chapter, True):
            numbers = {data[n : n + NUMBER] for n in range(0, len(data), NUMBER)}
            if len(numbers) >= FEWEST and len(set(data)) > 4 and data not in public:
                yield chapter.id, data


def _of_checks(chapter: ChapterKey, hidden: bool) -> set[bytes]:
    """Return the arrays of all hidden, or of all public checks."""
    checks = (check for check in chapter.checks if check["hidden"] == hidden)
    numbers = {number for check in checks for number in check["probes"]}
    return {data for n in numbers for data in _bytes(chapter, chapter.probes[n])}


def _bytes(chapter: ChapterKey, probe: ProbeRow) -> Iterator[bytes]:
    """Yield the arrays of a probe's arguments and answers."""
    for answer in probe["answers"].values():
        for numbers in answer.values():
            yield from (bytes(chapter.array(n).data) for n in numbers)
    todo: list[object] = [probe["args"]]
    while todo:
        value = todo.pop()
        if isinstance(value, dict) and "array" in value:
            yield bytes(chapter.array(value["array"]).data)
        elif isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, list):
            todo += value


def find_leaks(
    course: Course, key: Key, chapters: list[str], files: dict[str, bytes], route: str = FULL
) -> Iterator[str]:
    """Find what a bundle leaks: solutions of its exercises and later ones, mark schemes, hidden
    checks."""
    shown = chapters_up_to(chapters[-1], [chapter.id for chapter in course.chapters])
    given = given_ids(key, chapter_no(chapters[0]), route)
    files = drop_duplicates(read_bundle_files(files))
    texts = {name: normalize_text(data.decode("utf-8", "replace")) for name, data in files.items()}
    for target, region in course.regions.items():
        body = normalize_text(re.sub(r"#.*", "", region.body))
        if course.owner[target].id not in given and len(body) >= SHORTEST:
            where = [name for name, text in texts.items() if body in text]
            yield from (f"{name} holds the solution of {target}" for name in where)
    for question in [q for chapter in course.chapters for q in chapter.questions]:
        lines = [normalize_text(line) for line in searchable_rubric(question)]
        where = [name for name, text in texts.items() if any(line in text for line in lines)]
        yield from (f"{name} holds the mark scheme of {question.id}" for name in where)
    for name in shown:
        chapter = key.chapter(name)
        for check in chapter.checks:
            if check["hidden"]:
                quoted = f'"{check["id"]}"'.encode()
                yield from (f"{n} names {check['id']}" for n, d in files.items() if quoted in d)
    for name, data in hidden_arrays(key, shown):
        yield from (f"{n} holds a hidden array of {name}" for n, d in files.items() if data in d)


def read_bundle_files(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return a bundle's files, with those inside a wheel, except the solutions that the release may
    show."""
    found = {name: data for name, data in files.items() if not name.endswith(".whl")}
    for wheel in files.keys() - found.keys():
        with zipfile.ZipFile(io.BytesIO(files[wheel])) as archive:
            for name in archive.namelist():
                if name != f"grader/_course/{ALLOWED}":
                    found[f"{wheel}/{name}"] = archive.read(name)
    return found


def drop_duplicates(files: dict[str, bytes]) -> dict[str, bytes]:
    """Keep the first of equal files: a bundle's wheel repeats most of it."""
    first: dict[bytes, str] = {}
    for name, data in files.items():
        first.setdefault(data, name)
    return {name: data for data, name in first.items()}


def searchable_rubric(question: Question) -> list[str]:
    """Return an open question's rubric, lines that are long enough to be searched for."""
    lines = [*question.rubric, question.why] if question.answer is None else []
    return [line for line in lines if len(normalize_text(line)) >= SHORTEST_LINE]


def normalize_text(text: str) -> str:
    """Normalise white space and JSON escapes."""
    return " ".join(text.replace("\\n", " ").replace('\\"', '"').split())
