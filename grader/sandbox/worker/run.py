"""Run probes: each ends in one frame, whatever the learner's code does."""

from __future__ import annotations

import builtins
import gc
import marshal
import re
import sys
import types
from importlib import import_module
from time import process_time

import call_log
import earlier_call
import importer
import meter
import numpy as np
import process_state
import rules
import tamper_guard
import wire
from clock import ASLEEP, IDLE, Clock, TimeUp
from exception_texts import file_raised_in, first_round, message_of, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from types import FrameType
    from typing import Any

    from request import Order, Probe, Request

TIMEOUT_DIVISOR = 8  # as in `grader/sandbox/session.py`
LOCALS = re.compile(r"(?<![\w.])\w+\.<locals>\.")  # a helper that a learner never sees
BEGIN = "begin_probe"  # programs that want to know so name a function
MOST_PLACES = 20  # learner frames that are told of an exception
TELLING = 0.5  # processor seconds for an exception's own words: less than the grader's `GRACE`


class ProbeRunner:
    """One learner's package, the programs, and the pipe that observations go to."""

    clock = Clock
    all_the_way = True  # whether all frames below a walk must be ours

    def __init__(self, request: Request, sender: wire.Sender) -> None:
        self.sender = sender
        self.request = request
        self.looked_at = request.get("looked_at", {})
        self.warning_state = process_state.WarningState()
        course = request["course"]
        self.name = course["name"]
        self.forbidden = rules.Forbidden(**course["forbidden"])
        self.alone = rules.SelfContainedRule(self.name, **course["alone"])
        self.learner = importer.LearnerPackage(
            self.name, request["folder"], request["files"], request["codes"]
        )
        programs = marshal.loads(request["programs"])
        guards = tamper_guard.CallerGuards(programs, self.borrowed, self.all_the_way)
        programs, self.listens_to = guards.programs, guards.audit_hooks()
        self.programs = importer.TextFinder(
            "programs", "programs", dict.fromkeys(programs, b""), programs, own_builtins=True
        )
        for name in ("exit", "quit"):  # defined by `site`, which is not loaded
            vars(builtins).setdefault(name, sys.exit)
        importer.install(self.learner)
        importer.install(self.programs)
        self.refused: list[rules.Broken] = []
        for module in {probe[1].partition(".")[0] for probe in request["probes"]}:
            import_module(f"programs.{module}")
        self.own = {n: m for n, m in sys.modules.items() if n.startswith("programs.")}
        self.begins = [vars(m)[BEGIN] for m in self.own.values() if BEGIN in vars(m)]
        self.complaint = self.known("Complaint", meter.Uncounted)
        self.overwritten = self.known("Overwritten")
        self.refusal = self.known("Refused", importer.Refused)
        sys.meta_path.remove(self.programs)  # learner code cannot import further programs
        kinds = ProbeRunner, wire.Sender, *meter.KINDS
        self.seal = tamper_guard.NamespaceSeal(self.own.values(), kinds, guards.own)
        self.clock.wind()
        self.bg: Any = None
        self.over_limit: dict[str, str] = {}  # exercise → the limit that it ran into
        self.answers = earlier_call.Answers()
        self.entered = ""  # the exercise whose probes run
        self.reduced_timeouts = request["reduced_timeouts"]
        self.slept = request["slept"]

    def known(self, name: str, *ours: type[BaseException]) -> tuple[type[BaseException], ...]:
        """Return ours, and the programs' exceptions of this name: they say how a probe ended."""
        found = (vars(module).get(name) for module in self.own.values())
        return (*ours, *{kind for kind in found if isinstance(kind, type)})

    def load(self) -> bool:
        """Import the package and send its definitions; return whether that went well."""
        try:
            with self.clock(self.request["import_seconds"]), importer.catchable_exit():
                self.refused += self.alone.broken(self.learner.files, self.request["modules"])
                self.listen()
                self.bg = self.learner.load(self.request["modules"])
        except BaseException as error:
            # A file that breaks a rule is still Python: its stubs can be listed.
            found = ""
            if isinstance(error, importer.Refused):
                self.learner.compile_all(self.learner.files)
                found = self.learner.list_definitions()
            told = {
                "definitions": found,
                "refused": self.rules_broken(),
                **self.explain(error)[1],
            }
            self.sender.send(0, wire.RAISED, **told)
            return False
        self.look_at_seal()
        self.names = process_state.ModuleNamespaces(self.learner.modules())
        has, targets = self.learner.has, self.request["targets"]
        absent = [target for target in targets if not has(self.bg, target)]
        # An absent target may be written in a file that nobody imports.
        ours = self.request.get("course_targets", "")
        self.learner.compile_all(
            self.learner.files if absent else self.learner.files_beside_stubs(targets, ours)
        )
        found = self.learner.list_definitions()
        gc.freeze()  # modules stay, as after the import of NumPy
        self.sender.send(
            0, wire.LOADED, definitions=found, absent="\n".join(absent),
            refused=self.rules_broken(),
        )  # fmt: skip
        return True

    def listen(self) -> None:
        """Install the audit hook, for good, and a finder that sees `importlib.import_module`."""
        look_at = self.forbidden.watcher(self.learner.folder, self.stop)
        changes, known = self.seal.on_attribute_set, self.listens_to

        def audit(event: str, arguments: tuple[Any, ...]) -> None:
            if event == "import":
                look_at(arguments[0])
            elif event == "object.__setattr__":
                changes(*arguments)
            elif event in known:
                known[event](*arguments)

        sys.addaudithook(audit)
        importer.install(rules.Guard(look_at))

    def borrowed(self, frame: FrameType | None, says: str) -> None:
        """Note a call of the programs' code, at the learner's frame nearest to this one."""
        while frame is not None and not frame.f_code.co_filename.startswith(self.learner.folder):
            frame = frame.f_back
        file, line = (rules.EVERY_FILE, 1) if frame is None else (
            self.relative(frame.f_code.co_filename), frame.f_lineno
        )  # fmt: skip
        self.note(file, line, says)

    def look_at_seal(self) -> None:
        """Note a changed program, for every exercise: it serves them all."""
        if self.seal.is_broken():
            self.note(rules.EVERY_FILE, 1, tamper_guard.REPLACED)

    def note(self, file: str, line: int, says: str) -> None:
        """Note a broken rule for a file, or for every file, and stop what was running."""
        holder = file if file in self.request["modules"] else rules.EVERY_FILE
        self.refused.append((holder, file, line, says))
        self.stop(file, line, says)

    def stop(self, file: str, line: int, says: str) -> None:
        """Record a broken rule that ends what was running: an import of a file, or a probe."""
        place = f"{self.learner.folder}/{file}"
        self.learner.stopped.append(importer.Refused(says, place, line))

    def rules_broken(self) -> str:
        return "\n".join("\t".join(map(str, each)) for each in self.refused)

    def run(self, probe: Probe) -> None:
        """Run one probe and send its outcome.

        Once an exercise ran out of time or memory, its other probes are skipped; other exercises
        get less time, as they may run into the same loop (a probe needs a few milliseconds).
        """
        number, name, args, seconds, exercise = probe
        self.enter(exercise)
        if limit := self.over_limit.get(exercise):
            self.sender.send(number, wire.RAISED, type="Skipped", after=limit)
            return
        try:
            program = self.program(name)
            arguments = wire.decode_argument(args, self.request["arrays"])
            package = () if self.request.get("apart") else (self.bg,)
            clock = self.hurried(seconds)
            with clock:
                known = len(self.learner.stopped)
                try:
                    counting = meter.count(self, program, probe)
                    with self.watch(exercise):
                        if self.call_earlier(probe, package, arguments):
                            clock.__enter__()  # the call that counts has time of its own
                        parts = program(*package, *arguments)
                    parts = counting.beside(parts) if counting else parts
                finally:
                    self.look_at_seal()
                    self.learner.raise_stopped(known)
                fields, lost = self.fields(number, parts)
                wire.flush()  # output goes out before the answer: after the last one, no time
            if lost is None:
                encoded = wire.encode(fields)
                repeated = self.answers.note(exercise, name, encoded)
                more = {"repeats": " ".join(repeated)} if repeated else {}
                self.sender.send_encoded(number, wire.ARRAYS, encoded, **more)
            else:
                self.send_end(probe, lost, fields)
        except BaseException as error:
            self.send_end(probe, error)

    def enter(self, exercise: str) -> None:
        """Restore the package's names as the import left them, when another exercise begins."""
        if exercise != self.entered:
            self.entered = exercise
            self.names.restore()

    def call_earlier(self, probe: Probe, package: Sequence[Any], arguments: list[Any]) -> bool:
        """Run an exercise's first program with other numbers first; return whether it did.

        What is slow is asked less: all these calls share the time of one.
        """
        number, name, _, seconds, exercise = probe
        if exercise in self.answers.exercises or not package or self.request.get("cold"):
            return False
        begun = process_time()
        for others in earlier_call.other_arguments(arguments):
            if process_time() - begun > seconds * earlier_call.SHARE:
                break
            self.answers.exercises.add(exercise)
            with earlier_call.unheard(self.refusal):
                parts = self.program(name)(*package, *others)
                self.answers.note(exercise, name, wire.encode(self.fields(number, parts)[0]))
        self.program(name)  # the call that counts begins
        return True

    def send_end(
        self, probe: Probe, error: BaseException, fields: Sequence[wire.Field] = ()
    ) -> None:
        """Send a probe's exception and the parts so far; after a limit, end its exercise."""
        number, *_, exercise = probe
        told: dict[str, Any] = {}
        if not isinstance(error, (*self.complaint, wire.Unsendable)):
            error, told = self.explain(error)
        if isinstance(error, (TimeUp, MemoryError)) or "long" in told:
            self.over_limit[exercise] = told["type"]
        if isinstance(error, TimeUp):
            self.reduced_timeouts = True
            self.slept = self.slept or error.args == (ASLEEP,)
        if isinstance(error, self.complaint):
            more = {"overwritten": "yes"} if isinstance(error, self.overwritten) else {}
            self.sender.send(number, wire.COMPLAINED, fields, message=error, **more)
        elif isinstance(error, wire.Unsendable):
            message = f"The result cannot be used: {error}"
            self.sender.send(number, wire.COMPLAINED, message=message, dtype=error.dtype)
        else:
            self.sender.send(number, wire.RAISED, fields, **told)

    def hurried(self, seconds: float) -> Clock:
        """Return a probe's clock: with less time, once time has run out for another."""
        less = TIMEOUT_DIVISOR if self.reduced_timeouts else 1
        return self.clock(seconds / less, IDLE * seconds / (TIMEOUT_DIVISOR if self.slept else 1))

    def watch(self, exercise: str) -> AbstractContextManager[None]:
        """Return the context that keeps an engine from other files; an empty one for the rest."""
        file = self.request.get("alone", {}).get(exercise)
        return self.alone.watch(self.learner.folder, file, self.note)

    def fields(self, number: int, parts: Any) -> tuple[list[wire.Field], BaseException | None]:
        """Return the arrays of the wanted parts, and the first exception in place of a part."""
        named = parts if isinstance(parts, dict) else {"value": parts}
        wanted = self.looked_at.get(number, named)
        asked = {part: given for part, given in named.items() if part in wanted}
        lost = [given for given in asked.values() if isinstance(given, BaseException)]
        fields = [
            (part, np.asarray(array))
            for part, arrays in asked.items()
            if not isinstance(arrays, BaseException)
            for array in arrays
        ]
        return fields, lost[0] if lost else None

    def program(self, name: str) -> Callable[..., Any]:
        """Return the function that a probe names; say that a probe begins, and restore warnings."""
        self.warning_state.restore()
        self.tell_programs("" if self.request.get("cold") else self.entered)
        module, _, function = name.partition(".")
        found: Callable[..., Any] = getattr(self.own[f"programs.{module}"], function)
        return found

    def tell_programs(self, exercise: str) -> None:
        """Say to the programs whose probe begins; with no name, they forget what they have kept."""
        for begin in self.begins:
            begin(exercise)

    def obey_order(self, order: Order | list[int], probes: Mapping[int, Probe]) -> None:
        """Obey an order that comes after the probes.

        A list: trace these probes. A dict: record the probes in `record`, then run the new ones in
        `run`. Their arguments may name the arrays in `arrays`.
        """
        if isinstance(order, list):
            for number in order:
                self.trace(probes[number])
            return
        self.request["arrays"].update(order.get("arrays", {}))
        self.looked_at = {}  # an order gets all parts, and numbers its probes anew
        for number in order.get("record", ()):
            self.tell_programs("")
            call_log.record_ops(self, probes[number], self.clock)
        for probe in order.get("run", ()):
            self.run(probe)
        self.sender.send(0, wire.DONE)

    def trace(self, probe: Probe) -> None:
        """Run a probe once more; send the file and first line of each function that it ran."""
        number, name, args, seconds, exercise = probe
        self.enter(exercise)
        self.tell_programs("")
        codes: dict[int, types.CodeType] = {}

        def note(frame: FrameType, event: str, arg: Any) -> None:
            if event == "call":
                codes[id(frame.f_code)] = frame.f_code

        try:
            arguments = wire.decode_argument(args, self.request["arrays"])
            with self.hurried(seconds):
                sys.setprofile(note)
                self.program(name)(self.bg, *arguments)
        except BaseException:
            pass  # its failure is known already; what it ran counts
        finally:
            sys.setprofile(None)
        entered = self.learner.first_lines(codes.values())
        self.sender.send(number, wire.TRACED, entered="\n".join(sorted(entered)))

    def explain(self, error: BaseException) -> tuple[BaseException, dict[str, Any]]:
        """Describe an exception; `TimeUp` takes its place if its own code is not done in time."""
        try:
            with self.clock(TELLING):
                return error, self.describe_exception(error)
        except TimeUp as late:
            return late, self.describe_exception(late)

    def describe_exception(self, error: BaseException) -> dict[str, Any]:
        """Convert an exception to texts: type, message, and the learner's file and line."""
        places = self.places(error)
        is_lost = any(error is lost for lost in self.learner.lost.values())
        # Of an import, tell the module's own line; of an exit of Python, the call to be deleted.
        at_import = (self.bg is None or is_lost) and not isinstance(error, SystemExit)
        file, line = next(iter(self.places(error, at_import)), ("", 0))
        if isinstance(error, SyntaxError) and error.filename:
            file, line = self.relative(error.filename), error.lineno or 0
        if isinstance(error, self.refusal):
            file, line = self.relative(vars(error)["file"]), vars(error)["line"]
        message, is_too_long = message_of(error)
        if isinstance(error, RecursionError):  # versions of Python add different words
            message = message.partition(" exceeded")[0] + " exceeded"
        if isinstance(error, AttributeError):  # added by Python 3.13
            message = message.removesuffix(" and no __dict__ for setting new attributes")
        more = {"slept": "yes"} if isinstance(error, TimeUp) and error.args == (ASLEEP,) else {}
        if isinstance(error, ImportError):
            missing = self.learner.missing(self.request["modules"], message)
            if missing:
                message, more = f"{self.name}/{missing} is not there.", {"lacks": missing}
        message = message.replace(f"{self.learner.folder}/", f"{self.name}/")
        message += suggestion(error)
        message = LOCALS.sub("", message)
        by = "grader" if places and file_raised_in(error).startswith("programs/") else ""
        by = "import" if is_lost else by
        trail = "\n".join(f"{f}:{n}" for f, n in list(dict.fromkeys(places))[:MOST_PLACES])
        if is_too_long:
            more = {"long": "yes"}
        return {
            "type": "MemoryError" if is_too_long else type(error).__name__, "message": message,
            "file": file, "line": line, "trail": trail, "by": by, **more,
        }  # fmt: skip

    def places(self, error: BaseException, at_import: bool = False) -> list[tuple[str, int]]:
        """Return the learner's frames, innermost first; ``at_import``: of module level only."""
        places = []
        step = error.__traceback__
        while step is not None:
            filename, flags = step.tb_frame.f_code.co_filename, step.tb_frame.f_code.co_flags
            is_function = flags & 1  # `inspect.CO_OPTIMIZED`
            if filename.startswith(self.learner.folder + "/") and not (at_import and is_function):
                places.append((self.relative(filename), step.tb_lineno))
            step = step.tb_next
        if isinstance(error, RecursionError):
            places = first_round(places)
        return places[::-1]

    def relative(self, filename: str) -> str:
        return filename.removeprefix(self.learner.folder + "/")
