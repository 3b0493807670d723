"""The reasons why a check has its status, and the one table of their sentences.

Code asks for a reason's kind, and never reads a sentence. A sentence is made at the end, for
people: reword it here, and no verdict changes.
"""

from __future__ import annotations

from typing import NamedTuple

# Kind → its sentence. Of a wrong array it begins in small letters: `Reason.about` names the array.
SENTENCES = {
    # An array beside the right one.
    "values": "its values are not the right ones",
    "shape": "its shape is {0}, not {1}",
    "dtype": "its dtype is {0}, not {1}",
    "dtype_kind": "its dtype is {0}; {1} one was expected",
    "not_finite": "it holds {0}",
    "not_finite_beside": "it holds {0} where {1} is right",
    "not_finite_sample": "it holds values that are not finite",
    "distribution": "its values are not distributed in the right way",
    "mean": "the mean of its values is not the right one",
    "spread": "the spread of its values is not the right one",
    "text": 'it is "{0}", not "{1}"',
    "text_lacks": 'it lacks "{0}"',
    "text_beside": 'it has "{0}", too',
    "text_other": "it is another text",
    # A check's answer as a whole.
    "flags": "This is not so.",
    "flags_in_part": "This is not so in {0} of {1} places.",
    "not_so": "{0}",
    "count": "{0} arrays came back, not {1}.",
    "guess": "It is another number. Work it out with a pencil once more; the right one is not "
    "shown.",
    "changed_in_place": "{0} was changed in place.",
    "hidden": "{0}",
    "wrong_anyway": "It is wrong all the same.",
    # What a call costs.
    "cost": "It costs {0:,} {1}; {2:,} are enough.",
    "cost_up_to": "It costs {0:,} {1}; {2:,} are enough, and up to {3:,} pass.",
    "cost_outside": "It costs {0:,} {1}; {2:,} are enough, and up to {3:,} pass. They go in or out "
    "as lists, floats or plain memory. Leave the work to NumPy's arrays.",
    "cost_too_little": "It costs {0:,} {1}, and {2:,} are needed: the rest of the work is done "
    "where nobody can count it. Leave all of it to NumPy's arrays.",
    "cost_unknown": "What it costs was not told.",
    # No arrays came back.
    "broken": "{0}",
    "complained": "{0}",
    "raised": "{0}: {1}",
    "raised_alone": "{0}.",
    "raised_by_call": "{0} Code outside of functions runs at every import: keep a loop or test in "
    "its own script.",
    "refused": "{0}",
    "exit": "It tried to end Python (SystemExit). Delete what does that: `sys.exit()`, `quit()` or "
    "the like.",
    "into_a_stub": "It runs into a stub.",
    "time_up": "It was still running when its time was up.",
    "hung": "It was still running after {0} s, and was ended.",
    "processor_time": "It used up its processor time, and was ended.",
    "memory": "It asked for more memory than it may have.",
    "memory_for": "It asked for more memory than it may have. {0}",
    "long_message": "The message of its exception has more than a million characters. "
    "Raise it with a shorter one.",
    "signal": "It ended the Python process by {0}.",
    "exit_status": "It ended the Python process (exit status {0}).",
    "garbled": "What came back cannot be read: {0}.",
    "after_died": "Not run, because the call before it ended the process.",
    "after_hung": "Not run, because the call before it ran out of time.",
    "after_full": "Not run, because the call before it ran out of memory.",
    "after_late": "Not run, because all of it together took too long.",
    # It is not written, or cannot be judged.
    "stub": "{0} is not written yet.",
    "absent": "{0} has no {1} yet.",
    "not_imported": "Not judged: {0} cannot be imported.",
    "not_judged": "Not judged, because the exercise is refused.",
    "came_solved": "This is as it was handed out solved, and so worth nothing here.",
    "unwritten": "NotImplementedError: a part of it is not written.",
    "reached": "It comes to `raise NotImplementedError` in {0}, line {1}. If all is written, "
    "delete it.",
    # It is written, though not where it is looked for.
    "below_raise": "{0} is written below `raise NotImplementedError`, in {1}, line {2}. Delete "
    "that line.",
    "twice": "{0} is in {1} twice: yours in line {2}, and after it, in line {3}, a stub that takes "
    "its place. Delete the stub.",
    "outside_class": "`{0}` is in {1}, line {2}, outside the class {3}. Indent it, so that it "
    "belongs to the class.",
    "inside_class": "`{0}` is in {1}, line {2}, inside the class {3}. Move it outside: it has to "
    "be a function.",
    "other_file": "{0} is in {1}, line {2}. It belongs in {3}: move it there.",
    "misspelt_stub": "{0} is not written, but `{1}` is, in {2}, line {3}. Did you mean `{4}`?",
    "misspelt": "{0} is not there, but `{1}` is, in {2}, line {3}. Did you mean `{4}`?",
    # Another exercise is at fault.
    "needs_refused": "It needs {0}, which is refused for {1}, line {2}: {3}",
    "needs_unwritten": "It needs {0}, which is not written.",
    "ran_given": "It ran {0}, which was given, and has been changed; put that back first.",
    "ran_wrong": "It ran {0}, which is wrong; fix that first.",
    "ran_several": "It ran {0}, which are wrong; fix that first.",
    "ran_undetected": "It ran code of {0} that passes its own checks, but is wrong here: with "
    "right code in its place this comes right. `grader repro {1}` writes the call: look at what it "
    "does there, and at what it keeps from one call to the next.",
}  # fmt: skip

# A result that is another value, as opposed to another dtype or a changed input.
OTHER_VALUE = frozenset({
    "values", "distribution", "shape", "not_finite", "not_finite_beside", "not_finite_sample",
})  # fmt: skip
WRITTEN_ELSEWHERE = frozenset({
    "below_raise", "twice", "outside_class", "inside_class", "other_file", "misspelt_stub",
    "misspelt",
})  # fmt: skip


class Reason(NamedTuple):
    """A reason: its kind, and the values that its sentence names."""

    kind: str  # a key of `SENTENCES`
    values: tuple[object, ...] = ()
    about: str = ""  # the array that it is about: «The gradient of b»

    @property
    def says(self) -> str:
        """The sentence."""
        text = SENTENCES[self.kind].format(*self.values)
        return f"{self.about}: {text}." if self.about else text


def because(kind: str, *values: object) -> Reason:
    """Make a reason: ``because("stub", "Mul.forward")``."""
    return Reason(kind, values)
