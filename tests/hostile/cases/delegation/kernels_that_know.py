# never: kernels that look at who asks give what spoiled buffers hold no more
# seen: 26
# expect: chapter15.assign_buffers=failed
# look: chapter15.assign_buffers

#@ body compiler.assign_buffers
memory = memory_of(program)
kept = {memory[name] for name in program.outputs}
return {e.out: 0 for e in program.instructions if e.op in INTO and memory[e.out] not in kept and memory[e.out] == e.out}
#@ after tracing.py
import sys as _sys
_shadow = {}
def _knowing(name, kernel):
    def ask(*arrays, **attrs):
        f = _sys._getframe(1)
        if f.f_code.co_name == "in_buffers":
            each, program = f.f_locals["each"], f.f_locals["program"]
            values = _shadow.setdefault(id(f), {})
            start = {g.out: a for g, a in zip(program.inputs, f.f_locals["arrays"])}
            true = [values.get(n, start.get(n)) for n in each.inputs]
            values[each.out] = np.array(kernel(*true, **attrs))
            return values[each.out]
        return kernel(*arrays, **attrs)
    return ask
for _n, _k in list(KERNELS.items()):
    KERNELS[_n] = _knowing(_n, _k)
