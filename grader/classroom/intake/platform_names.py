"""Know by its name whose a file is that a platform has downloaded, and how it was handed in.

Moodle      Ada Love_1234567_assignsubmission_file_ops.py      a person and their number
            Ada Love_1234567_assignsubmission_file_            the same, a folder
            Group A_17_assignsubmission_file                   a team and its number
            Default group_assignsubmission_file                those who are in none
Canvas      loveada_LATE_5001_90001_ops-1.py                   user, upload, an upload again
            loveada_5001_text.html                             typed on the platform
            anon_XyZ12_90001_ops.py                            graded without names
Gradescope  submission_4711                                    named in `submission_metadata.yml`
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import NamedTuple

from ...course.package import BadFile, safe_bytes

TYPED = "it is what was typed on the platform, and no file."
MOODLE = r"(?:_(?P<id>\d+))?_assignsubmission_(?:(?P<typed>onlinetext)|file)(?:_(?P<file>.*))?"
CANVAS = r"_(?:\d+_(?P<file>.+)|(?P<typed>text|link)\.html)"
# In this order: what a learner called a file may look like another platform's name. Moodle itself
# writes no `_` into a name, but programs that unpack a download do.
PATTERNS = [
    (platform, re.compile(pattern))
    for platform, pattern in (
        ("Moodle", rf"(?P<name>[^_]+){MOODLE}"),
        ("Canvas", rf"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+){CANVAS}"),
        ("Canvas", rf"(?:LATE_)?(?P<name>anon)_(?P<id>[^\W_]+){CANVAS}"),
        ("Moodle", rf"(?P<name>.+?){MOODLE}"),
    )
]
METADATA = "submission_metadata.yml"
MOST_METADATA = 8 << 20  # bytes
# Gradescope writes one field in a line, so that this needs no reader of YAML.
HAND_IN = re.compile(r"^(\w[^:\n]*):$", re.MULTILINE)
SUBMITTER = re.compile(r"^  - :name: *(.+)(?:\n    :(?:sid|email): *(.+))?", re.MULTILINE)


class PlatformName(NamedTuple):
    """The owner and the file as it was handed in, by the name that a platform gave it."""

    platform: str
    name: str  # of a person or a team, as the platform writes it
    id: str  # their number there; empty if they have none
    file: str  # empty for a folder
    is_typed: bool  # typed on the platform: no file was handed in

    @property
    def has_content(self) -> bool:
        """Whether it is a file; a folder has a name alone."""
        return bool(self.file or self.is_typed)

    @property
    def owner(self) -> tuple[str, str, str]:
        """The same for all that one person or team has handed in."""
        return self.platform, self.name, self.id


def parse_name(name: str) -> PlatformName | None:
    """Read the name of a file or folder; None if no platform of `PATTERNS` writes such a name."""
    for platform, pattern in PATTERNS:
        if said := pattern.fullmatch(name):
            file, is_typed = said["file"] or "", bool(said["typed"])
            return PlatformName(platform, said["name"], said["id"] or "", file, is_typed)
    return None


def read_submitters(place: str) -> dict[str, list[str]]:
    """Return folder → who handed it in together, by Gradescope's `submission_metadata.yml`.

    A name that two people have is told apart by number or address: ``Ada Love`` and ``4712``.
    """
    try:
        text = safe_bytes(os.path.join(place, METADATA), MOST_METADATA).decode("utf-8-sig")
    except (BadFile, UnicodeDecodeError):
        return {}
    _, *parts = HAND_IN.split(text)
    found = [(folder, [[each.strip("\"' ") for each in person] for person in people])
             for folder, part in zip(parts[::2], parts[1::2], strict=True)
             if (people := SUBMITTER.findall(part))]  # fmt: skip
    owners = Counter(name for name, _ in {(*person,) for _, people in found for person in people})
    return {
        folder: [id if id and owners[name] > 1 else name for name, id in people]
        for folder, people in found
    }
