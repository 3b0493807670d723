"""The rule that an engine works alone: a file below `engines/` uses nothing else of the package.

It is read off the imports before anything runs. And while a probe of an engine runs, no function
of another file may be entered: an engine can get hold of these without an import.
"""

import ast
import sys

import rules

FOLDER = "engines/"
MOST_EVENTS = 20_000  # of one probe that are looked at: a few milliseconds
SAYS = (
    "An engine works alone: a file in engines/ may use NumPy and the standard library, and nothing "
    "else of the package."
)


def broken(files, holders):
    """(file it counts for, file, line, sentence) of every import that breaks the rule."""
    return [
        (file, file, line, SAYS)
        for file in holders
        if file.startswith(FOLDER) and file in files
        for line in own_imports(rules.parsed(files[file]))
    ]


def own_imports(tree):
    """The lines in which something of the learner's own package is imported."""
    for node in ast.walk(tree):
        relative = isinstance(node, ast.ImportFrom) and node.level
        names = rules.imported(node)
        if relative or any(name.startswith(".") or of_package(name) for name in names):
            yield node.lineno


def of_package(name):
    return name.partition(".")[0] == "babygrad"


class Watch:
    """A context in which a call into another file of the package is noted, the first one.

    Args:
        folder: where the learner's files lie.
        file: the engine's; None watches nothing.
        note: is called with file, line and sentence.
    """

    def __init__(self, folder, file, note):
        self.prefix, self.file, self.note = f"{folder}/", file, note
        self.own = f"{folder}/{file}"
        self.look = self.seen  # one object: `self.seen` is another at every look
        self.before = None
        self.left = MOST_EVENTS

    def __enter__(self):
        if self.file:
            self.before = sys.getprofile()
            sys.setprofile(self.look)

    def __exit__(self, kind, *_):
        if not self.file:
            return
        # An exception out of `seen` itself, the end of time, takes it off as well.
        taken_off = self.left and kind is None and sys.getprofile() is not self.look
        sys.setprofile(self.before)
        if taken_off:
            self.note(self.file, 1, SAYS)

    def seen(self, frame, event, arg):
        if self.before is not None:
            self.before(frame, event, arg)
        self.left -= 1
        if not self.left:
            sys.setprofile(self.before)
        name = frame.f_code.co_filename
        if event != "call" or name == self.own or not name.startswith(self.prefix):
            return
        self.left = 0
        sys.setprofile(self.before)
        while frame is not None and frame.f_code.co_filename != self.own:
            frame = frame.f_back
        self.note(self.file, 1 if frame is None else frame.f_lineno, SAYS)
