"""Let nobody else run in this thread while lines are counted; notice other threads that look."""

import gc
import signal
import sys
from _thread import get_ident

# By these calls a thread finds what another one uses.
LOOKS = {"sys._current_frames", "gc.get_objects", "gc.get_referrers", "gc.get_referents"}
CLOCK = {getattr(signal, name) for name in ("SIGPROF", "SIGALRM") if hasattr(signal, name)}


class Undisturbed:
    """A block in which no collector, tracer or handler of a learner's runs in this thread.

    Attributes:
        looks: calls in other threads by which they could find what this one counts.
    """

    inside = []  # (thread, looks) of blocks that have begun and not ended

    def __enter__(self):
        self.looks = []
        self.undo = [(sys.settrace, sys.gettrace()), (sys.setprofile, sys.getprofile())]
        for turn_off, _ in self.undo:
            turn_off(None)
        if gc.isenabled():
            gc.disable()
            self.undo.append((gc.enable,))
        monitoring = getattr(sys, "monitoring", None)  # Python 3.12
        for tool in range(6) if monitoring else ():
            if monitoring.get_tool(tool) is not None:
                self.undo.append((monitoring.set_events, tool, monitoring.get_events(tool)))
                monitoring.set_events(tool, 0)
        if hasattr(signal, "pthread_sigmask"):
            others = signal.valid_signals() - CLOCK
            held = signal.pthread_sigmask(signal.SIG_BLOCK, others)
            self.undo.append((signal.pthread_sigmask, signal.SIG_SETMASK, held))
        Undisturbed.inside.append((get_ident(), self.looks))
        return self

    def __exit__(self, *_):
        Undisturbed.inside.pop()
        for call, *arguments in self.undo:
            call(*arguments)

    @classmethod
    def hear(cls, event, _, inside=inside, looks=LOOKS, thread=get_ident):
        """Note what another thread does, while a block lasts: the audit hook."""
        if inside and event in looks and thread() != inside[-1][0]:
            inside[-1][1].append(event)


sys.addaudithook(Undisturbed.hear)
