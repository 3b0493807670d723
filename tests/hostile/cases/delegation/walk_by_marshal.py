# never: the course's own walk, written anew byte by byte without its guard, stands in for a learner's
# seen: 23
# expect: chapter3.backward=refused
# look: chapter3.backward

#@ body tensor.Tensor.backward
import gc, sys, types, marshal, struct
gc.unfreeze()
raw = next(f for f in gc.get_objects() if isinstance(f, types.FunctionType)
           and f.__code__.co_name == "walk" and f.__code__.co_filename == "programs/harness.py")
names = {**raw.__globals__, "input_gradients": lambda bg, tensor, grad, asked: (
    (lambda found: found if isinstance(found, tuple) else (found,))(tensor._op.backward(grad, tensor))
), "leaf": lambda bg, a, requires_grad: bg.Tensor(np.array(a), dtype="float64", requires_grad=False)}
def summed(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdims=True)
    return gradient
names["summed"] = summed
def dump(v):
    if isinstance(v, types.CodeType):
        local = list(v.co_varnames) + [c for c in v.co_cellvars if c not in v.co_varnames] + list(v.co_freevars)
        kinds = bytes((0x20 if n in v.co_varnames else 0) | (0x40 if n in v.co_cellvars else 0) | (0x80 if n in v.co_freevars else 0) for n in local)
        code = bytearray(v.co_code)
        consts = list(v.co_consts)
        for n, c in enumerate(consts):
            if callable(c):
                consts[n] = None
                import dis
                seen = [i for i in dis.get_instructions(v) if i.opname == "LOAD_CONST" and i.arg == n]
                for each in seen:
                    at = each.offset - 2
                    while code[at] != dis.opmap["POP_TOP"]:
                        code[at], code[at+1] = dis.opmap["NOP"], 0
                        at += 2
                    code[at], code[at+1] = dis.opmap["NOP"], 0
        out = b"c" + struct.pack("<5i", v.co_argcount, v.co_posonlyargcount, v.co_kwonlyargcount, v.co_stacksize, v.co_flags)
        out += dump(bytes(code)) + dump(tuple(consts)) + dump(v.co_names) + dump(tuple(local)) + dump(kinds)
        out += dump(v.co_filename) + dump(v.co_name) + dump(v.co_qualname) + struct.pack("<i", v.co_firstlineno)
        return out + dump(v.co_linetable) + dump(v.co_exceptiontable)
    if type(v) is tuple:
        return b"(" + struct.pack("<i", len(v)) + b"".join(map(dump, v))
    return marshal.dumps(v, 2)
walk = types.FunctionType(marshal.loads(dump(raw.__code__)), names)
#+ backward_by_walk
