"""Judge one package: probes → worker → observations → judge → blame → diagnosis.

Each chapter has its own session, so that a crash in one leaves the others alone.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Mapping
from functools import partial

from .course.key_file import ChapterKey
from .judge.judge import ExerciseVerdict
from .judge.runner import Case, Runner, run_public, standalone_files
from .sandbox.observation import Observation
from .verdict import WRONG

Verdicts = dict[str, ExerciseVerdict]


class Grading(Runner):
    """Judges exercises of one package, attributes their failures, and names the mistakes."""

    seconds = 0.0  # of the last `grade`

    def grade(self, ids: list[str], fail_fast: bool = False) -> Verdicts:
        """Judge these exercises, with ``fail_fast`` up to the first wrong one, in course order."""
        verdicts: Verdicts = {}
        started = time.monotonic()
        for case in self._cases(ids):
            verdicts.update(self._judged(case))
            if not self.public_only and case.run.lacks_a_file:
                case.by_file = self._by_file(case)
            for alone in case.by_file:
                verdicts.update(self._judged(alone))
            if fail_fast and any(v.status in WRONG for v in verdicts.values()):
                verdicts = _up_to_first_fault(verdicts)
                break
        self.seconds = time.monotonic() - started
        return verdicts

    def _cases(self, ids: list[str]) -> Iterable[Case]:
        """Open a case per chapter; with `public_only`, run all public parts before anything
        hidden."""
        cases = (
            self._opened(self.key.chapter(name, self.launch), mine)
            for name in self.key.chapters
            if (mine := [id for id in ids if id.startswith(f"{name}.")])
        )
        return list(cases) if self.public_only else cases

    def _opened(
        self, chapter: ChapterKey, ids: list[str], modules: list[str] | None = None
    ) -> Case:
        """Open a case of exercises in these files; with `public_only`, run its public part."""
        case = self.open_case(chapter, ids, modules)
        if self.public_only:
            case.public_session = run_public(case, self.open_session)
            if modules is None and case.public_session.result().lacks_a_file:
                case.by_file = self._by_file(case)
        return case

    def _by_file(self, case: Case) -> list[Case]:
        """Open a case per standalone file, so that a failed import costs only its own exercises."""
        lone = {id: file for id, file in standalone_files(case.chapter).items() if id in case.ids}
        return [
            self._opened(case.chapter, [id for id in case.ids if lone.get(id) == file], [file])
            for file in dict.fromkeys(lone.values())
        ]

    def _judged(self, case: Case) -> Verdicts:
        """Run, attribute and diagnose a case, and close it; return its verdicts."""
        try:
            self.run_case(case)
            verdicts, mended = self._explained(case)
        finally:
            case.close()
        self.record_report(case)
        for verdict in [v for v in verdicts.values() if v.status in WRONG]:
            own = {n: got for (id, n), got in mended.items() if id == verdict.id}
            verdicts[verdict.id] = self._diagnosed(case, verdict, own)
        waiting = [v.id for v in case.verdicts.values() if any(c.waiting for c in v.checks)]
        return {**verdicts, **self._unmasked(case, verdicts, waiting)} if waiting else verdicts

    def _unmasked(self, case: Case, verdicts: Verdicts, waiting: list[str]) -> Verdicts:
        """Judge exercises that wait for a stub with all stubs filled; add what fails even then."""
        # rare: kept off the usual path
        from .judge.completion import CheckTransfer, fill_stubs, unmask

        if (files := fill_stubs(case, self)) is None:
            return {}
        whole = copy.copy(self)  # its verdicts are only compared, so it need not judge apart
        whole.package, whole.public_only = self.package._replace(files=files), False
        whole.definitions, whole.observations = {}, {}
        there = whole.open_case(case.chapter, waiting, case.session.request["modules"])
        there.session.time = case.session.time
        theirs, seen = whole._judged(there), CheckTransfer(case, there, self.public_only)
        found = {id: unmask(verdicts[id], theirs[id], seen) for id in waiting}
        self.observations[case.chapter.id].update(seen.observations)
        return found

    def grade_without_blame(self, chapter: ChapterKey, ids: list[str]) -> Verdicts:
        """Judge exercises without attribution or explanation."""
        case = self.open_case(chapter, ids)
        try:
            self.run_case(case)
        finally:
            case.close()
        return case.verdicts

    def _explained(self, case: Case) -> tuple[Verdicts, Mapping[tuple[str, int], Observation]]:
        """Attribute failures, and explain those that are the exercise's own.

        Returns:
            Verdicts, and (exercise, probe) → its observation without the faults of others.
        """
        wrong, session = case.wrong, case.readable_session(self.public_only)
        if not wrong:
            return {**case.verdicts}, {}
        from .judge.attribution import attribute  # rare: kept off the usual path

        attribution = attribute(case, self)
        verdicts = {id: attribution.apply_to(v) for id, v in case.verdicts.items()}
        if session:
            from .judge.explanation import explain

            mine = [verdicts[v.id] for v in wrong]
            notes = explain(session, case.chapter, [v for v in mine if v.status in WRONG])
            verdicts |= {v.id: v.with_findings([], notes=notes) for v in mine}
        return verdicts, attribution.mended

    def _diagnosed(
        self, case: Case, verdict: ExerciseVerdict, mended: dict[int, Observation]
    ) -> ExerciseVerdict:
        """Return the verdict with the known mistakes that fit; without any, if no other exercise
        interfered, with facts from the numbers and the text."""
        # rare: kept off the usual path
        from .judge.diagnosis import diagnose, find_in_text
        from .judge.earlier_calls import find_kept

        if kept := find_kept(case, verdict, self):
            return verdict.with_findings(kept)
        got = {**case.run.observations, **mended}

        def text() -> str:
            from .course.syntax_tree import own_text

            return own_text(self.package.files, case.run.definitions, verdict.exercise["targets"])

        gives = partial(self.key.gives, verdict.id, self.launch)
        mistakes = diagnose(case.chapter, verdict, got, gives, text, self.package.files)
        if mistakes or mended:
            return verdict.with_findings(mistakes)
        from .judge.inference import infer

        inferred = infer(case.chapter, verdict, got, self.package.files)
        inferred |= find_in_text(verdict, text, inferred)
        return verdict.with_findings([], inferred)


def _up_to_first_fault(verdicts: Verdicts) -> Verdicts:
    ids = list(verdicts)
    first = next(n for n, id in enumerate(ids) if verdicts[id].status in WRONG)
    return {id: verdicts[id] for id in ids[: first + 1]}
