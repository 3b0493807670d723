"""Running probes: each ends in one frame, whatever the learner's code does with it."""

import io
import signal
import sys
from importlib import import_module

import numpy as np
import package
import wire


class TimeUp(BaseException):
    """The probe's time is over. Not an Exception, so that `except Exception` lets it through."""


def _time_up(signum, frame):
    raise TimeUp


class Bench:
    """One learner's package, the programs, and the pipe that observations go to."""

    def __init__(self, request, sender):
        self.sender = sender
        self.request = request
        self.learner = package.TextFinder("babygrad", request["folder"], request["files"])
        self.programs = package.TextFinder("programs", "programs", request["programs"])
        package.install(self.learner)
        package.install(self.programs)
        self.complaint = import_module("programs.harness").Complaint
        for module in {program.partition(".")[0] for _, program, _, _ in request["probes"]}:
            import_module(f"programs.{module}")
        self.bg = None

    def load(self):
        """Say where the targets are, then import the package. True where that went well."""
        found, texts = [], {}
        for file in self.request["modules"]:
            if file in self.learner.files:
                try:
                    code = self.learner.code(file)
                except (SyntaxError, ValueError):
                    continue  # importing it says so, with its line
                module = file[:-3].replace("/", ".")
                for name, first, last, stub in package.definitions(code, module):
                    found.append(f"{name}\t{file}\t{first}\t{last}\t{int(stub)}")
        self.sender.send(0, wire.HELLO, definitions="\n".join(found))
        try:
            with Clock(self.request["import_seconds"]):
                self.bg = import_module("babygrad")
                for file in self.request["modules"]:
                    if file in self.learner.files:
                        import_module("babygrad." + file[:-3].replace("/", "."))
        except BaseException as error:
            texts = self.told(error)
        else:
            texts["absent"] = "\n".join(t for t in self.request["targets"] if not self.has(t))
        self.sender.send(0, wire.RAISED if "type" in texts else wire.LOADED, **texts)
        return "type" not in texts

    def has(self, target):
        """Whether a target is there at run time, and is the learner's (not `Function`'s)."""
        module, _, path = target.rpartition(".")
        holder = self.bg
        base = getattr(getattr(self.bg, "ops", None), "Function", None)
        for name in target.split("."):
            inherited = base is not None and isinstance(holder, type) and holder is not base
            if inherited and getattr(holder, name, None) is getattr(base, name, self):
                return False
            holder = getattr(holder, name, None)
            if holder is None:
                return False
        return True

    def run(self, probe):
        """Run one probe and send what came of it."""
        number, name, args, seconds = probe
        try:
            program = self.program(name)
            arguments = [wire.revive(arg, self.request["arrays"]) for arg in args]
            with Clock(seconds):
                parts = program(self.bg, *arguments)
                fields = [
                    (part, np.asarray(array))
                    for part, arrays in self.named(parts).items()
                    for array in arrays
                ]
            self.sender.send(number, wire.ARRAYS, fields)
        except BaseException as error:
            if isinstance(error, self.complaint):
                self.sender.send(number, wire.COMPLAINED, message=error)
            elif isinstance(error, wire.Unsendable):
                self.sender.send(number, wire.COMPLAINED, message=f"The result cannot be used: {error}")
            else:
                self.sender.send(number, wire.RAISED, **self.told(error))

    def named(self, parts):
        return parts if isinstance(parts, dict) else {"value": parts}

    def program(self, name):
        module, _, function = name.partition(".")
        return getattr(sys.modules[f"programs.{module}"], function)

    def trace(self, probe):
        """Run a probe once more, and send which lines of which files begin a function it ran."""
        number, name, args, seconds = probe
        entered = set()
        folder = self.learner.folder

        def note(frame, event, arg):
            code = frame.f_code
            if event == "call" and code.co_filename.startswith(folder):
                entered.add(f"{code.co_filename[len(folder) + 1 :]}\t{code.co_firstlineno}")

        try:
            arguments = [wire.revive(arg, self.request["arrays"]) for arg in args]
            with Clock(seconds):
                sys.setprofile(note)
                self.program(name)(self.bg, *arguments)
        except BaseException:
            pass  # that it fails is known; here it counts what it ran
        finally:
            sys.setprofile(None)
        self.sender.send(number, wire.TRACED, entered="\n".join(sorted(entered)))

    def told(self, error):
        """An exception as texts: its type, its message, the learner's file and line in it."""
        file, line = self.place(error)
        if isinstance(error, SyntaxError) and error.filename:
            file, line = self.relative(error.filename), error.lineno or 0
        message = error.msg if isinstance(error, SyntaxError) else safe_text(error)
        return {"type": type(error).__name__, "message": message, "file": file, "line": line}

    def place(self, error):
        """The innermost frame that lies in the learner's package, else nowhere."""
        place = ("", 0)
        step = error.__traceback__
        while step is not None:
            filename = step.tb_frame.f_code.co_filename
            if filename.startswith(self.learner.folder + "/"):
                place = (self.relative(filename), step.tb_lineno)
            step = step.tb_next
        return place

    def relative(self, filename):
        return filename.removeprefix(self.learner.folder + "/")


class Clock:
    """A wall-clock limit around learner code; beyond it, `TimeUp` is raised there."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __enter__(self):
        signal.signal(signal.SIGALRM, _time_up)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)


def safe_text(error):
    """The message of an exception, whose `__str__` may itself be learner code."""
    try:
        return str(error)
    except BaseException:
        return "(its message cannot be read)"


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError, io.UnsupportedOperation):
            pass
