"""A class as platforms download it: names as they write them, content made here."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

Files = Mapping[str, bytes]  # a file as it was handed in → its bytes


class Shape(NamedTuple):
    """All files that one person has handed in.

    Attributes:
        files: as they were handed in; without any, nothing but the typed text.
        taken: file of the package → its bytes; all others come from the release.
        left_out: files that the record has to name.
        is_again: the platform has seen files of these names before.
        typed: a text beside the files.
    """

    files: Files
    taken: Files
    left_out: tuple[str, ...] = ()
    is_late: bool = False
    is_again: bool = False
    typed: str = ""


def zipped(files: Files, folder: str = "") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"{folder}{name}", data)
    return made.getvalue()


def write_marker(file: str, name: str) -> bytes:
    return f"# {file} by {name}\n".encode()


def make_shapes(
    stubs: Files,
    write: Callable[[str, str], bytes] = write_marker,
    names: tuple[str, str] = ("init.py", "optim.py"),
    package: str = "babygrad",
) -> dict[str, Shape]:
    """Return person → shape; ``write`` makes a file of a person, unlike all others."""
    main = names[0]

    def two(name: str) -> dict[str, bytes]:
        return {file: write(file, name) for file in names}

    def one(name: str) -> dict[str, bytes]:
        return {main: write(main, name)}

    def handed(name: str) -> bytes:
        return zipped({**stubs, **two(name)}, f"work/{package}/")

    whole = {name: {"work.zip": handed(name)} for name in ("zip", "pdf", "over", "nested", "text")}
    return {
        "Ada One": Shape(one("one"), one("one")),
        "Bo Several": Shape(two("several"), two("several")),
        "Cy Late": Shape(one("late"), one("late"), is_late=True),
        "Di Zip": Shape(whole["zip"], two("zip")),
        "Ed Late Zip": Shape(whole["text"], two("text"), ("text",), is_late=True, typed="Hello"),
        "Flo Comment": Shape(two("said"), two("said"), ("text",), typed="It works"),
        "Gus Pdf": Shape({**whole["pdf"], "essay.pdf": b"%PDF"}, two("pdf"), ("essay.pdf",)),
        "Hal Loose Pdf": Shape({**two("h"), "essay.pdf": b"%PDF"}, two("h"), ("essay.pdf",)),
        "Ida Over": Shape({**whole["over"], **one("newer")}, {**two("over"), **one("newer")}),
        "Jo Again": Shape(two("again"), two("again"), is_again=True),
        "Kit Zip Again": Shape({"work.zip": handed("kit")}, two("kit"), is_again=True),
        "Lu Browser": Shape({main.replace(".", " (1)."): one("lu")[main]}, one("lu")),
        "Max Text Ending": Shape({f"{main}.txt": one("max")[main]}, one("max")),
        "Ned Nested": Shape({"all.zip": zipped(whole["nested"])}, two("nested")),
        "Ora Only Pdf": Shape({"essay.pdf": b"%PDF"}, {}),
        "Pam Rar": Shape({"work.rar": b"Rar!"}, {}),
        "Quin Typed": Shape({}, {}, typed="def forward(): …"),
    }


def make_teams(
    write: Callable[[str, str], bytes], file: str = "init.py"
) -> dict[str, tuple[Shape, tuple[str, ...]]]:
    """Return team → what it hands in, and its members; one of them is alone."""
    members = {"Team Red": ("Ann Ash", "Bob Box"), "Team Blue": ("Col Cox", "Dee Day", "Eva Elm")}
    members["Team Alone"] = ("Fay Fox",)
    return {
        team: (Shape({file: write(file, team)}, {file: write(file, team)}), people)
        for team, people in members.items()
    }


Writer = Callable[[Path, str, int, Shape], None]


def write_moodle_folder(place: Path, name: str, number: int, shape: Shape) -> None:
    for kind, files in _moodle(shape):
        folder = place / f"{name}_{1000 + number}_assignsubmission_{kind}"
        _write(folder, files)


def write_moodle_flat(place: Path, name: str, number: int, shape: Shape) -> None:
    for kind, files in _moodle(shape):
        head = f"{name}_{1000 + number}_assignsubmission_{kind}_"
        _write(place, {f"{head}{file}": data for file, data in files.items()})


def _moodle(shape: Shape) -> Iterator[tuple[str, Files]]:
    if shape.files:
        yield "file", shape.files
    if shape.typed:
        yield "onlinetext", {"onlinetext.html": shape.typed.encode()}


def write_canvas(place: Path, name: str, number: int, shape: Shape) -> None:
    first, _, last = name.partition(" ")
    whose = f"{last}{first}".replace(" ", "").lower() + ("_LATE" if shape.is_late else "")
    head = f"{whose}_{5000 + number}"
    for at, (file, data) in enumerate(shape.files.items()):
        stem, dot, ending = file.partition(".")
        again = "-1" if shape.is_again else ""
        _write(place, {f"{head}_{90000 + 10 * number + at}_{stem}{again}{dot}{ending}": data})
    if shape.typed:
        _write(place, {f"{head}_text.html": shape.typed.encode()})


def write_gradescope(place: Path, name: str, number: int, shape: Shape) -> None:
    folder = f"submission_{7000 + number}"
    _write(place / folder, shape.files)
    with open(place / "submission_metadata.yml", "a", encoding="utf-8") as file:
        file.write(
            f"{folder}:\n  :submitters:\n  - :name: {name}\n    :sid: '{number}'\n"
            f"    :email: p{number}@example.org\n  :created_at: 2026-02-03 04:05:06.000000000 Z\n"
            "  :score: 0.0\n  :status: processed\n  :history: []\n"
        )


def _write(folder: Path, files: Files) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


# Platform → how it writes, and how its own list calls the person of a number.
PLATFORMS: dict[str, tuple[Writer, Callable[[str, int], str]]] = {
    "Moodle, folders": (write_moodle_folder, lambda name, number: f"Participant {1000 + number}"),
    "Moodle, flat": (write_moodle_flat, lambda name, number: f"Participant {1000 + number}"),
    "Canvas": (write_canvas, lambda name, number: str(5000 + number)),
    "Gradescope": (write_gradescope, lambda name, number: name),
}
