# never: code that is told of every call and return changes what comes of them
# expect: chapter3.div.forward=failed|crashed|refused|timed_out chapter3.sub.forward=passed|crashed|failed|timed_out
# look: chapter3.div.forward chapter3.sub.forward
# budget: 20

#@ body ops.Div.forward
import sys
def seen(code, *rest):
    if code.co_name in ("broken", "is_broken", "look_at_seal", "stop_at_refused", "send"):
        raise SystemExit(0)
def traced(frame, event, arg):
    for name in ("refused", "known"):
        frame.f_locals.pop(name, None)
    seen(frame.f_code)
    return traced
if hasattr(sys, "monitoring"):
    events = sys.monitoring.events
    sys.monitoring.use_tool_id(4, "mine")
    for event in (events.PY_START, events.PY_RETURN):
        sys.monitoring.register_callback(4, event, seen)
    sys.monitoring.set_events(4, events.PY_START | events.PY_RETURN)
else:
    sys.settrace(traced)
    frame = sys._getframe()
    while frame is not None:
        frame.f_trace = traced
        frame = frame.f_back
return a * b
