# never: what the worker's own frames hold is changed, and that earns anything
# expect: chapter3.div.forward=failed|crashed|refused chapter3.sub.forward=passed|failed|crashed|refused
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import sys
frame = sys._getframe()
while frame is not None:
    holder = frame.f_locals.get("self")
    if hasattr(holder, "request"):
        holder.request["probes"][:] = [(*p[:1], "operators.forward", *p[2:]) for p in holder.request["probes"]]
        holder.request["arrays"].clear()
        holder.refused = []
        holder.over_limit = {"chapter3.sub.forward": "TimeUp"}
    frame = frame.f_back
return a * b
